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
def do_cross(d, one, other, along):
    """Do the boxes of two active elements overlap along an axis across the sweep (`along` 0) or the next one (2)?"""
    return not (
        d.sap_side[one, along] > d.sap_side[other, along + 1] or d.sap_side[other, along] > d.sap_side[one, along + 1]
    )


# --- ends of boxes: entry 2 k is the beginning of active element k, 2 k + 1 its end


@kernel
def list_ends(m, d, flex, axis):
    """Active elements, and the ends of their boxes along an axis, and along the others; returns how many are active."""
    count, first = 0, m.flex_elemadr[flex]
    across, up = (1 if axis == 0 else 0), (1 if axis == 2 else 2)
    for element in range(m.flex_elemnum[flex]):
        if is_active(m, flex, element):
            d.sap_element[count] = element
            d.sap_value[2 * count] = rounded(side_at(d, first + element, axis, -1.0))
            d.sap_value[2 * count + 1] = rounded(side_at(d, first + element, axis, 1.0))
            d.sap_order[2 * count], d.sap_order[2 * count + 1] = 2 * count, 2 * count + 1
            d.sap_side[count, 0] = side_at(d, first + element, across, -1.0)
            d.sap_side[count, 1] = side_at(d, first + element, across, 1.0)
            d.sap_side[count, 2] = side_at(d, first + element, up, -1.0)
            d.sap_side[count, 3] = side_at(d, first + element, up, 1.0)
            count += 1
    return count


@kernel
def merge(d, source, target, start, middle, end):
    """Two neighboring runs of entries in order, as one; of equal ones, those of the first run come first."""
    i, j, k = start, middle, start
    while i < middle and j < end:
        is_second = d.sap_value[source[j]] < d.sap_value[source[i]]
        target[k] = source[j] if is_second else source[i]
        i, j, k = (i if is_second else i + 1), (j + 1 if is_second else j), k + 1
    while i < middle:
        target[k] = source[i]
        i, k = i + 1, k + 1
    while j < end:
        target[k] = source[j]
        j, k = j + 1, k + 1


@kernel
def merge_all(d, source, target, count, width):
    """Runs of some width, two by two."""
    start = 0
    while start < count:
        merge(d, source, target, start, min(start + width, count), min(start + 2 * width, count))
        start = start + 2 * width


@kernel
def sort_ends(d, count):
    """sap_order: entries by value; those of equal value stay in order."""
    width = 1
    while width < count:
        # there and back
        merge_all(d, d.sap_order, d.sap_merged, count, width)
        merge_all(d, d.sap_merged, d.sap_order, count, 2 * width)
        width = 4 * width


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
    count = list_ends(m, d, flex, longest_axis(m, d, flex))
    sort_ends(d, 2 * count)
    d.sap_link[count, 0], d.sap_link[count, 1] = count, count
    for k in range(2 * count):
        entry = d.sap_order[k]
        one = entry // 2
        if entry % 2 == 1:
            unlink(d, one)
        else:
            other = d.sap_link[count, 1]
            while other != count:
                if do_cross(d, other, one, 0) and do_cross(d, other, one, 2):
                    collide(m, d, flex, d.sap_element[other], flex, d.sap_element[one])
                other = d.sap_link[other, 1]
            link_last(d, one, count)
