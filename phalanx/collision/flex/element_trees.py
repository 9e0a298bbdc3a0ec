"""Which elements of a flex come near geoms and elements: pairs of nodes of two trees of boxes, from the roots down.

Boxes of the tree of a body are in the frame of its center of mass, those of a flex in the world. Nodes that are too far
apart are left alone; of two that are not, the one with the larger box is replaced by its children. Pairs wait on a
stack.

One world at a time.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import column, multiply_vector
from phalanx.algebra.number import abs_
from phalanx.algebra.vector import add, dot, sub
from phalanx.collision.contact import overrides
from phalanx.collision.flex.world_at_hand import at_hand, box_at_hand, rotation_at_hand, vector_at_hand
from phalanx.tables.sizes import MAXVAL

#: The axes of the world, as a rotation.
UPRIGHT = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


# --- boxes: center and half sizes, six numbers


@kernel
def are_boxes_apart(a, b, margin):
    """Is there more than a margin between two boxes of the world, along one of its axes?"""
    return (
        a[0] + a[3] + margin < b[0] - b[3]
        or a[1] + a[4] + margin < b[1] - b[4]
        or a[2] + a[5] + margin < b[2] - b[5]
        or b[0] + b[3] + margin < a[0] - a[3]
        or b[1] + b[4] + margin < a[1] - a[4]
        or b[2] + b[5] + margin < a[2] - a[5]
    )


@kernel
def is_ball_apart(center, reach, box):
    """Is a ball, taken as a box, beside a box of the world?"""
    x, y, z, half_x, half_y, half_z = box
    return (
        center[0] + reach < x - half_x
        or center[1] + reach < y - half_y
        or center[2] + reach < z - half_z
        or center[0] - reach > x + half_x
        or center[1] - reach > y + half_y
        or center[2] - reach > z + half_z
    )


@kernel
def half_along(mat, box, axis):
    """Half the extent of a rotated box along a unit vector."""
    return (
        abs_(box[3] * dot(column(mat, 0), axis))
        + abs_(box[4] * dot(column(mat, 1), axis))
        + abs_(box[5] * dot(column(mat, 2), axis))
    )


@kernel
def is_split(pos, mat, box, other, margin, axis):
    """Is there more than a margin between a rotated box and a box of the world, along a unit vector?"""
    center = add(multiply_vector(mat, (box[0], box[1], box[2])), pos)
    offset = dot(sub((other[0], other[1], other[2]), center), axis)
    return half_along(mat, box, axis) + half_along(UPRIGHT, other, axis) + margin < abs_(offset)


@kernel
def is_rotated_apart(pos, mat, box, other, margin):
    """Is a rotated box shown to be apart from a box of the world by the axes of either? Endless boxes are not."""
    x, y, z = box[3] >= MAXVAL, box[4] >= MAXVAL, box[5] >= MAXVAL
    if x and y and z:
        return False
    apart = False
    for k in (0, 1, 2):
        apart = apart or is_split(pos, mat, box, other, margin, column(mat, k))
    if not (x or y or z):
        for k in (0, 1, 2):
            apart = apart or is_split(pos, mat, box, other, margin, column(UPRIGHT, k))
    return apart


# --- nodes


@kernel
def is_leaf(m, node):
    """Has a node of a tree no children?"""
    return m.bvh_child[node, 0] < 0 and m.bvh_child[node, 1] < 0


@kernel
def flex_box(m, d, node):
    """Box of a node of a flex."""
    return box_at_hand(d, d.bvh_aabb_dyn, node - m.nbvhstatic)


@kernel
def body_box(m, d, node):
    """Box of a node of a body."""
    return box_at_hand(d, m.bvh_aabb, node)


@kernel
def measure(box):
    """What MuJoCo compares boxes by to choose the one that is opened, as if it held two corners."""
    x, y, z = box[3] - box[0], box[4] - box[1], box[5] - box[2]
    return x * y + y * z + z * x


# --- the walk


@kernel
def push(d, height, node1, node2):
    """Put a pair of nodes on the stack; returns its height."""
    d.flex_stack[height, 0], d.flex_stack[height, 1] = node1, node2
    return height + 1


@kernel
def descend(m, d, height, root1, root2, node1, node2, opens_first):
    """Put the pairs on the stack that come of the children of one of two nodes, counted from their roots."""
    for k in range(2):
        child = m.bvh_child[root1 + node1, k] if opens_first else m.bvh_child[root2 + node2, k]
        if child >= 0:
            height = push(d, height, child if opens_first else node1, node2 if opens_first else child)
    return height


@kernel
def opens_first(m, box1, box2, leaf1, leaf2):
    """Is the first of two nodes replaced by its children? One of them has some."""
    if leaf1 or leaf2:
        return leaf2
    return measure(box1) > measure(box2)


@kernel
def override_or(m, margin):
    """The margin, unless options replace those of all contacts."""
    return m.opt.o_margin if overrides(m) else margin


@kernel
def body_pairs(m, d, body, flex, collide):
    """Call `collide(m, d, geom, flex, element)` for geoms of a body and elements that come near."""
    root1, root2 = m.body_bvhadr[body], m.flex_bvhadr[flex]
    pos, mat = vector_at_hand(d, d.xipos, body), rotation_at_hand(d, d.ximat, body)
    margin = at_hand(d, override_or(m, m.body_margin[body] + m.flex_margin[flex]) + m.flex_gap[flex])
    height = push(d, 0, 0, 0)
    while height > 0:
        height -= 1
        node1, node2 = d.flex_stack[height, 0], d.flex_stack[height, 1]
        leaf1, leaf2 = is_leaf(m, root1 + node1), is_leaf(m, root2 + node2)
        if leaf1 and leaf2:
            collide(m, d, m.bvh_nodeid[root1 + node1], flex, m.bvh_nodeid[root2 + node2])
        else:
            box1, box2 = body_box(m, d, root1 + node1), flex_box(m, d, root2 + node2)
            if not is_rotated_apart(pos, mat, box1, box2, margin):
                first = opens_first(m, box1, box2, leaf1, leaf2)
                height = descend(m, d, height, root1, root2, node1, node2, first)


@kernel
def flex_pairs(m, d, flex1, flex2, margin, collide):
    """Call `collide(m, d, flex, element, flex, element)` for elements of two flexes, or of one, that come near."""
    root1, root2 = m.flex_bvhadr[flex1], m.flex_bvhadr[flex2]
    height = push(d, 0, 0, 0)
    while height > 0:
        height -= 1
        node1, node2 = d.flex_stack[height, 0], d.flex_stack[height, 1]
        # nodes of one flex meet once
        if flex1 != flex2 or node1 <= node2:
            leaf1, leaf2 = is_leaf(m, root1 + node1), is_leaf(m, root2 + node2)
            if leaf1 and leaf2:
                collide(m, d, flex1, m.bvh_nodeid[root1 + node1], flex2, m.bvh_nodeid[root2 + node2])
            else:
                box1, box2 = flex_box(m, d, root1 + node1), flex_box(m, d, root2 + node2)
                if not are_boxes_apart(box1, box2, margin):
                    first = opens_first(m, box1, box2, leaf1, leaf2)
                    height = descend(m, d, height, root1, root2, node1, node2, first)
