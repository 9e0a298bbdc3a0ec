"""Octrees of meshes and fields of plugins against convex geoms and each other: MuJoCo's search.

From points spread over the overlap of the bounding boxes, gradient descent on A + B + |max(A, B)| leads into the
overlap of the two fields, and one more step on max(A, B) to where they are equally deep. That value, about half the
depth of the overlap, is the distance; margins are not looked at.

In double precision, one world at a time.
"""

from __future__ import annotations

from phalanx.algebra.jit import Kernel, kernel
from phalanx.algebra.matrix import multiply_vector
from phalanx.algebra.memory import store3
from phalanx.algebra.number import abs_, maximum, widen
from phalanx.algebra.vector import MINVAL, add, add_scaled, dot, negate, norm, normalize, sub
from phalanx.collision.pair.plane_mesh import plane_mesh
from phalanx.collision.sdf.grid_pair import grid_contacts, place_of
from phalanx.collision.sdf.pair import (
    field_of,
    gradients,
    has_field,
    is_empty,
    is_grid,
    mesh_of,
    pair_of,
    shared_box,
    start_point,
    values,
    widened,
)
from phalanx.collision.table import NTYPE, collide_given, collider, put_world
from phalanx.tables.enums import GeomType
from phalanx.tables.geoms import CONVEX
from phalanx.tables.sizes import MAXCONPAIR, MAXVAL

#: What the descent makes small: a measure of the overlap, or the larger of the two distances.
OVERLAP, DEEPER = 0, 1
#: Longest step in gradients, factor between steps, shortest step, and the part of the expected decrease asked for.
LONGEST, SHRINK, SHORTEST, DECREASE = 2.0, 0.5, 1e-4, 0.1


@kernel
def goal_value(m, d, pair, goal, point):
    """What a descent makes small."""
    a, b = values(m, d, pair, point)
    return maximum(a, b) if goal == DEEPER else a + b + abs_(maximum(a, b))


@kernel
def goal_gradient(m, d, pair, goal, point):
    """Its gradient, in the frame of the second geom."""
    a, b = values(m, d, pair, point)
    slope_a, slope_b = gradients(m, d, pair, point)
    larger = slope_a if a > b else slope_b
    if goal == DEEPER:
        return larger
    return add_scaled(add(slope_a, slope_b), larger, 1.0 if maximum(a, b) > 0.0 else -1.0)


@kernel
def is_sound(v):
    """Is no number of a vector huge or undefined?"""
    return abs_(v[0]) <= MAXVAL and abs_(v[1]) <= MAXVAL and abs_(v[2]) <= MAXVAL


@kernel
def descend(m, d, pair, goal, point, steps):
    """(value, point) after some steps downhill, each as long as the decrease is what the slope promises."""
    value = MAXVAL
    for _ in range(steps):
        slope = goal_gradient(m, d, pair, goal, point)
        if not is_sound(slope):
            return MAXVAL, point
        start, before = point, goal_value(m, d, pair, goal, point)
        length, wanted = LONGEST, -DECREASE * LONGEST * dot(slope, slope)
        searching = True
        while searching:
            length, wanted = length * SHRINK, wanted * SHRINK
            point = add_scaled(start, slope, -length)
            value = goal_value(m, d, pair, goal, point)
            searching = length > SHORTEST and value - before > wanted
        if before < value:
            return value, point
    return value, point


@kernel
def put_midway(d, k, geom, dist, point, normal):
    """Contact k at a point of the frame of a geom, moved halfway between the surfaces; the normal in that frame too."""
    axis = multiply_vector(geom[1], normal)
    place = add(multiply_vector(geom[1], point), geom[0])
    put_world(d, k, dist, add_scaled(place, axis, 0.5 * dist), axis)


@kernel
def descent_contacts(m, d, pair, second):
    """How many contacts the fields of a pair have; `second` is the second geom."""
    lower, upper = shared_box(m, pair, 0.0)
    if is_empty(lower, upper):
        return 0
    count = 0
    for k in range(m.opt.sdf_initpoints):
        point = start_point(pair, lower, upper, k)
        _, point = descend(m, d, pair, OVERLAP, point, m.opt.sdf_iterations)
        dist, point = descend(m, d, pair, DEEPER, point, 1)
        if count < MAXCONPAIR and dist <= 0.0 and place_of(d, count, point, MINVAL) == count:
            store3(d.sdf_point, count, point)
            slope_a, slope_b = gradients(m, d, pair, point)
            across = sub(normalize(slope_a), normalize(slope_b))
            if norm(across) >= MINVAL:
                put_midway(d, count, second, dist, point, negate(normalize(across)))
                count += 1
    return count


@kernel
def sdf_contacts(m, d, kind, first, second, margin):
    """How many contacts an SDF has with a geom of smaller or the same type."""
    if not has_field(m, second[3]) or (kind == GeomType.SDF and not has_field(m, first[3])):
        return 0
    first, second = widened(first), widened(second)
    pair = pair_of(field_of(m, kind, first), first, field_of(m, GeomType.SDF, second), second)
    if kind == GeomType.HFIELD or is_grid(m, second[3]) or (kind == GeomType.SDF and is_grid(m, first[3])):
        return grid_contacts(m, d, pair, second, widen(margin))
    return descent_contacts(m, d, pair, second)


def sdf_collider(first: GeomType) -> Kernel:
    """File the collider of a type of geom and an SDF."""
    kind = int(first)

    @kernel
    def sdf_pair(m, d, first, second, margin):
        return sdf_contacts(m, d, kind, first, second, margin)

    return collider(first, GeomType.SDF, max_contacts=MAXCONPAIR, world_by_world=True)(sdf_pair)


# meshes have a collider of their own, and so have planes below
for _first in (
    GeomType.HFIELD,
    *(kind for kind in CONVEX if kind < GeomType.SDF and kind != GeomType.MESH),
    GeomType.SDF,
):
    sdf_collider(_first)


@collide_given.row(GeomType.PLANE * NTYPE + GeomType.SDF)
@kernel
def plane_octree(m, d, plane, sdf, margin, near):
    """An octree or a plugin touches a plane with the hull of its mesh, as in MuJoCo; -1 for others."""
    if has_field(m, sdf[3]) and not is_grid(m, sdf[3]):
        return plane_mesh(m, d, plane, (sdf[0], sdf[1], sdf[2], mesh_of(m, sdf[3])), margin, near)
    return -1


@collider(GeomType.PLANE, GeomType.SDF, max_contacts=MAXCONPAIR, world_by_world=True)
@kernel
def plane_sdf(m, d, plane, sdf, margin):
    """A grid is searched."""
    return sdf_contacts(m, d, GeomType.PLANE, plane, sdf, margin)
