"""Rays in lanes through the tree of boxes around the triangles of a surface.

The tree is complete: the children of node k are 2 k and 2 k + 1, its root is 1, and each of its leaves has LEAF
triangles, so that no links are stored. All rays of a lane go through it together.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, any_, lane_get, where
from phalanx.algebra.vector import cross, dot, sub
from phalanx.render.entering import greatest, least, not_zero
from phalanx.render.weights import wide6, wide9

#: Triangles of a leaf.
LEAF = 4


@kernel
def box_entry(box, p, inverse):
    """(distance at which a ray enters a box, at which it leaves it)."""
    x0, x1 = (box[0] - p[0]) * inverse[0], (box[3] - p[0]) * inverse[0]
    y0, y1 = (box[1] - p[1]) * inverse[1], (box[4] - p[1]) * inverse[1]
    z0, z1 = (box[2] - p[2]) * inverse[2], (box[5] - p[2]) * inverse[2]
    enter = greatest(greatest(least(x0, x1), least(y0, y1)), least(z0, z1))
    leave = least(least(greatest(x0, x1), greatest(y0, y1)), greatest(z0, z1))
    return enter, leave


@kernel
def triangle_entry(corners, p, v):
    """Distance at which a ray meets the front of a triangle; negative if it does not (Moeller and Trumbore 1997)."""
    first = (corners[0], corners[1], corners[2])
    a = (corners[3] - corners[0], corners[4] - corners[1], corners[5] - corners[2])
    b = (corners[6] - corners[0], corners[7] - corners[1], corners[8] - corners[2])
    normal, offset = cross(a, b), sub(p, first)
    facing = -dot(normal, v)
    twist = cross(offset, v)
    u, w = dot(b, twist), -dot(a, twist)
    is_inside = and_(and_(facing > 0.0, u >= 0.0), and_(w >= 0.0, u + w <= facing))
    return where(is_inside, dot(normal, offset) / where(is_inside, facing, 1.0), -1.0)


@kernel
def meet_surface(f, surface, p, v, start, best, found, is_any):
    """(distance, triangle) of the nearest front from `start` on and before `best`, else `best` and `found`.

    If any front will do, the distance is -1 where there is one.
    """
    root, first = f.surface_node[surface], f.surface_triangle[surface]
    leaves = 1 << f.surface_level[surface]
    inverse = (1.0 / not_zero(v[0]), 1.0 / not_zero(v[1]), 1.0 / not_zero(v[2]))
    heading = (lane_get(v[0], 0), lane_get(v[1], 0), lane_get(v[2], 0))
    f.stack[0] = 1
    waiting = 1
    while waiting > 0:
        waiting = waiting - 1
        node = f.stack[waiting]
        enter, leave = box_entry(wide6(f.node_box, root + node), p, inverse)
        if not any_(and_(and_(enter <= leave, leave >= start), enter < best)):
            continue
        if node >= leaves:
            for k in range(LEAF):
                triangle = first + (node - leaves) * LEAF + k
                x = triangle_entry(wide9(f.triangle_corner, triangle), p, v)
                is_better = and_(x >= start, x < best)
                best = where(is_better, -1.0 if is_any else x, best)
                found = where(is_better, float(triangle), found)
        else:
            # the nearer child comes first: what it hides need not be looked at
            swap = is_behind(f, root + 2 * node, heading)
            f.stack[waiting] = 2 * node + 1 - swap
            f.stack[waiting + 1] = 2 * node + swap
            waiting = waiting + 2
    return best, found


@kernel
def is_behind(f, node, heading):
    """1 if the box of a node is farther along a direction than that of the next node, else 0."""
    one, other = wide6(f.node_box, node), wide6(f.node_box, node + 1)
    gap = (one[0] + one[3] - other[0] - other[3], one[1] + one[4] - other[1] - other[4],
           one[2] + one[5] - other[2] - other[5])  # fmt: skip
    return 1 if dot(gap, heading) > 0.0 else 0
