"""Pairs of elements of one flex whose boxes overlap: they are swept along the longest axis of the flex.

Where boxes begin and end is sorted; a box that begins meets all that have begun and not ended. The order of pairs is
that of MuJoCo, whose contacts of a flex with itself are in that order: ends are compared in single precision, and equal
ones stay in the order of elements, a beginning before an end.

One world at a time.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import widen
from phalanx.collision.flex.element_trees import flex_box
from phalanx.collision.flex.flex_element import is_active
from phalanx.collision.flex.world_at_hand import box_at_hand

#: A number times this, plus and minus, loses the digits that single precision does not have (Veltkamp).
SPLITTER = 536870913.0


@kernel
def rounded(x):
    """A number in double precision, rounded to the digits of single precision."""
    large = SPLITTER * x
    return large - (large - x)


@kernel
def longest_axis(m, d, flex):
    """The axis of the world along which a flex is longest."""
    box = flex_box(m, d, m.flex_bvhadr[flex])
    if box[3] > box[4] and box[3] > box[5]:
        return 0
    return 1 if box[4] > box[5] else 2


@kernel
def side_at(d, element, axis, sign):
    """Where a box begins (sign -1) or ends (sign 1) along an axis; `element` is counted over all flexes."""
    box = box_at_hand(d, d.flexelem_aabb, element)
    return widen(box[axis]) + sign * widen(box[axis + 3])


@kernel
def do_cross(d, element1, element2, axis):
    """Do two boxes overlap along an axis?"""
    return not (
        side_at(d, element1, axis, -1.0) > side_at(d, element2, axis, 1.0)
        or side_at(d, element2, axis, -1.0) > side_at(d, element1, axis, 1.0)
    )


# --- ends of boxes: entry 2 k is the beginning of active element k, 2 k + 1 its end


@kernel
def list_ends(m, d, flex, axis):
    """Active elements, and the ends of their boxes along an axis; returns how many elements are active."""
    count, first = 0, m.flex_elemadr[flex]
    for element in range(m.flex_elemnum[flex]):
        if is_active(m, flex, element):
            d.sap_element[count] = element
            d.sap_value[2 * count] = rounded(side_at(d, first + element, axis, -1.0))
            d.sap_value[2 * count + 1] = rounded(side_at(d, first + element, axis, 1.0))
            d.sap_order[2 * count], d.sap_order[2 * count + 1] = 2 * count, 2 * count + 1
            count += 1
    return count


@kernel
def is_earlier(d, a, b):
    """Does entry a come before entry b?"""
    if d.sap_value[a] != d.sap_value[b]:
        return d.sap_value[a] < d.sap_value[b]
    return a < b


@kernel
def sift(d, start, end):
    """Let an entry of the heap sink to its place."""
    order, root, sinking = d.sap_order, start, True
    while sinking and 2 * root + 1 < end:
        child, largest = 2 * root + 1, root
        if is_earlier(d, order[largest], order[child]):
            largest = child
        if child + 1 < end and is_earlier(d, order[largest], order[child + 1]):
            largest = child + 1
        sinking = largest != root
        if sinking:
            order[root], order[largest] = order[largest], order[root]
            root = largest


@kernel
def sort_ends(d, count):
    """sap_order: entries by value; a heap sort."""
    for start in range(count // 2 - 1, -1, -1):
        sift(d, start, count)
    for end in range(count - 1, 0, -1):
        d.sap_order[0], d.sap_order[end] = d.sap_order[end], d.sap_order[0]
        sift(d, 0, end)


# --- the sweep: boxes that have begun are linked in a ring, in the order in which they began, which ends at `count`


@kernel
def link_last(d, k, ring):
    """Put an element at the end of the list."""
    last = d.sap_link[ring, 0]
    d.sap_link[last, 1] = k
    d.sap_link[k, 0], d.sap_link[k, 1] = last, ring
    d.sap_link[ring, 0] = k


@kernel
def unlink(d, k):
    """Take an element out of the list."""
    before, after = d.sap_link[k, 0], d.sap_link[k, 1]
    d.sap_link[before, 1] = after
    d.sap_link[after, 0] = before


@kernel
def swept_pairs(m, d, flex, collide):
    """Call `collide(m, d, flex, element, flex, element)` for active elements of a flex whose boxes overlap."""
    axis, first = longest_axis(m, d, flex), m.flex_elemadr[flex]
    count = list_ends(m, d, flex, axis)
    sort_ends(d, 2 * count)
    across, up = (1 if axis == 0 else 0), (1 if axis == 2 else 2)
    d.sap_link[count, 0], d.sap_link[count, 1] = count, count
    for k in range(2 * count):
        entry = d.sap_order[k]
        one = entry // 2
        if entry % 2 == 1:
            unlink(d, one)
        else:
            element, other = d.sap_element[one], d.sap_link[count, 1]
            while other != count:
                partner = d.sap_element[other]
                if do_cross(d, first + partner, first + element, across) and do_cross(
                    d, first + partner, first + element, up
                ):
                    collide(m, d, flex, partner, flex, element)
                other = d.sap_link[other, 1]
            link_last(d, one, count)
