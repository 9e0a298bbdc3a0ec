"""Pairs of convex geoms that have no formula of their own: native convex collision.

A sphere or capsule is shrunk to its core, a point or segment. The distance of the cores (`gjk`) or their overlap
(`epa`), minus the radii, is the answer; where the cores just touch, or where the overlap may have several contacts as
those of MuJoCo, which searches the full shapes, they are searched. With a margin both
shapes are inflated by half of it, which adds to the radii. Where a search ends at its tolerance, or
after too many steps, a last step makes the answer exact (`polish`).

One world at a time, in double precision (see `support.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import minimum, widen
from phalanx.algebra.vector import MINVAL, add, add_scaled, dot, normalize, scale, sub
from phalanx.collision.epa import OPEN, epa, nearest_open, remove_face, set_witness, triangle_normal
from phalanx.collision.gjk import FAR, gjk
from phalanx.collision.multicontact import multicontact
from phalanx.collision.polish import polish, polish_from
from phalanx.collision.shape_tables import POINT, SEGMENT
from phalanx.collision.support import TYPE, search_tolerance, set_shape
from phalanx.collision.table import collider, put_world
from phalanx.tables.enums import DisableBit, GeomType

MULTICCD = int(DisableBit.MULTICCD)
SPHERE, CAPSULE = int(GeomType.SPHERE), int(GeomType.CAPSULE)
ELLIPSOID, CYLINDER = int(GeomType.ELLIPSOID), int(GeomType.CYLINDER)
BOX, MESH = int(GeomType.BOX), int(GeomType.MESH)

#: Outcome of a search. Shapes that graze have no direction.
APART, INSIDE, GRAZING = 0, 1, 2
#: How many more faces of an unfinished polytope are tried; two with a larger product of normals look the same way.
STARTS, SAME_WAY = 6, 0.95
#: Steps of `epa` between shapes without many corners that make one contact: it is polished anyway.
ROUGH = 20


@kernel
def shrink(d, side):
    """Reduce a shape to its core: a sphere to a point, a capsule to a segment, no inflation; returns what was off."""
    kind, taken = d.convex_id[side, TYPE], d.convex_inflate[side]
    if kind in (SPHERE, CAPSULE):
        d.convex_id[side, TYPE] = POINT if kind == SPHERE else SEGMENT
        taken = taken + d.convex_size[side, 0]
    d.convex_inflate[side] = 0.0
    return taken


@kernel
def restore(d, side, kind, inflate):
    d.convex_id[side, TYPE] = kind
    d.convex_inflate[side] = inflate


@kernel
def is_flat_sided(d, side):
    kind = d.convex_id[side, TYPE]
    return kind != SPHERE and kind != CAPSULE and kind != ELLIPSOID and kind != CYLINDER


@kernel
def are_polytopes(d):
    """Are both shapes polytopes, so that a search is finite?"""
    inflated = d.convex_inflate[0] + d.convex_inflate[1] > 0.0
    return is_flat_sided(d, 0) and is_flat_sided(d, 1) and not inflated


@kernel
def move_points(d, by0, by1):
    """Move the nearest points along the normal, the first one forward and the second one back."""
    normal = load3(d.convex_normal, 0)
    store3(d.convex_x1, 0, add_scaled(load3(d.convex_x1, 0), normal, by0))
    store3(d.convex_x2, 0, add_scaled(load3(d.convex_x2, 0), normal, -by1))


@kernel
def set_apart(d):
    """The normal between the nearest points that `gjk` found; the first rows of the pool are where it ended."""
    store3(d.convex_normal, 0, normalize(sub(load3(d.convex_x2, 0), load3(d.convex_x1, 0))))
    for k in range(3):
        d.clip_row[k] = k


@kernel
def set_inside(d, face):
    """Signed distance of the overlap that a face of the polytope of `epa` tells, its vertices in `clip_row`."""
    for k in range(3):
        d.clip_row[k] = d.epa_vertices[face, k]
    return set_witness(d, face)


@kernel
def close_faces(d, direction):
    """Take faces that look almost along a direction from the list of open ones."""
    count = d.epa_count[OPEN]
    for k in range(count):
        face = d.epa_open[count - 1 - k]
        if dot(load3(d.epa_normal, face), direction) > SAME_WAY:
            remove_face(d, face)


@kernel
def try_other_faces(m, d, distance, limit):
    """Signed distance of two cores, improved from faces of the polytope that are nearer to the origin than `limit`.

    On deep overlaps `epa` may run out of steps while there are faces nearer than the depth along the best normal. The
    nearest of them are tried as well, unless they look the same way as one that was.
    """
    start, limit = load3(d.convex_normal, 0), limit - distance
    a, b, c = d.clip_row[0], d.clip_row[1], d.clip_row[2]
    face = nearest_open(d)
    for _ in range(STARTS):
        if face >= 0 and d.epa_offset[face] < limit:
            close_faces(d, start)
            close_faces(d, load3(d.convex_normal, 0))
            face = nearest_open(d)
        if face < 0 or d.epa_offset[face] >= limit:
            break
        start = load3(d.epa_normal, face)
        for k in range(3):
            d.clip_row[k] = d.epa_vertices[face, k]
        found = -polish_from(m, d, 3, start, -distance)
        if found > distance:
            limit, distance = limit + distance - found, found
            a, b, c = d.clip_row[0], d.clip_row[1], d.clip_row[2]
    d.clip_row[0], d.clip_row[1], d.clip_row[2] = a, b, c
    return distance


@kernel
def has_edges(d, side):
    """May a core meet another in more than one contact?"""
    return d.convex_id[side, TYPE] in (SEGMENT, CYLINDER, BOX, MESH)


@kernel
def is_simple(d, side):
    return d.convex_id[side, TYPE] in (POINT, SEGMENT, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX)


@kernel
def is_still_there(d):
    """Do the vertices in `clip_row` still tell the features that meet, after the normal was polished?"""
    a, b, c = d.clip_row[0], d.clip_row[1], d.clip_row[2]
    corner = load3(d.convex_vertex, a)
    look = triangle_normal(corner, load3(d.convex_vertex, b), load3(d.convex_vertex, c))
    along = dot(look, load3(d.convex_normal, 0))
    outward = dot(look, sub(corner, load3(d.epa_center, 0)))
    return (along if outward > 0.0 else -along) > SAME_WAY


@kernel
def search(m, d, tolerance, cutoff, iterations, deep):
    """(distance, n, outcome) of the two shapes as they are laid out, with n vertices in `clip_row`.

    If it is not to be deep, shapes that overlap graze.
    """
    start = sub(load3(d.convex_pos, 0), load3(d.convex_pos, 1))
    polytopes = are_polytopes(d)
    distance, n, apart = gjk(m, d, start, 0.0 if polytopes else tolerance, cutoff, iterations)
    if apart:
        set_apart(d)
        return distance, min(n, 3), APART
    if is_simple(d, 0) and is_simple(d, 1) and not (has_edges(d, 0) and has_edges(d, 1)):
        iterations = min(iterations, ROUGH)
    face = epa(m, d, n, MINVAL if polytopes else tolerance, iterations, polytopes) if deep else -1
    if face < 0:
        return 0.0, 0, GRAZING
    return set_inside(d, face), 3, INSIDE


@kernel
def overlap(m, d, tolerance, cutoff, iterations):
    """(distance, n): signed distance of the two shapes, and how many vertices of the pool tell where (in `clip_row`).

    Nearest points are in `convex_x1` and `convex_x2`, the unit vector from the first shape to the second in
    `convex_normal`. FAR if the shapes are farther apart than `cutoff`.
    """
    kind0, kind1 = d.convex_id[0, TYPE], d.convex_id[1, TYPE]
    inflate0, inflate1 = d.convex_inflate[0], d.convex_inflate[1]
    taken0, taken1 = shrink(d, 0), shrink(d, 1)
    taken, off = taken0 + taken1, 0.0
    # where there may be several contacts, the last vertices of the full shapes tell which: see `multicontact`
    deep = not (taken > 0.0 and has_edges(d, 0) and has_edges(d, 1))
    distance, n, outcome = search(m, d, tolerance, cutoff + taken, iterations, deep)
    if taken > 0.0 and outcome != INSIDE and not distance > tolerance:
        off = taken
        restore(d, 0, kind0, inflate0)
        restore(d, 1, kind1, inflate1)
        distance, n, outcome = search(m, d, tolerance, cutoff, iterations, True)
        shrink(d, 0)
        shrink(d, 1)
        move_points(d, -taken0, -taken1)
        distance = distance + taken
    if distance < FAR and outcome != GRAZING:
        distance = polish(m, d, n, distance)
        if outcome == INSIDE:
            distance = try_other_faces(m, d, distance, off - tolerance)
            n = n if is_still_there(d) else 0
    restore(d, 0, kind0, inflate0)
    restore(d, 1, kind1, inflate1)
    move_points(d, taken0, taken1)
    distance = distance - taken
    return (distance if distance <= cutoff else FAR), n


@kernel
def convex_contacts(m, d, first, second, margin):
    """How many contacts two convex geoms have whose types are in `convex_id`."""
    margin = widen(margin)
    set_shape(m, d, 0, d.convex_id[0, TYPE], first, 0.5 * margin)
    set_shape(m, d, 1, d.convex_id[1, TYPE], second, 0.5 * margin)
    distance, n = overlap(m, d, search_tolerance(m, d), 0.0, m.opt.ccd_iterations)
    if not distance < 0.0:
        return 0
    x1, x2 = load3(d.convex_x1, 0), load3(d.convex_x2, 0)
    normal = load3(d.convex_normal, 0)
    if n > 0 and not m.opt.disableflags & MULTICCD:
        count = multicontact(m, d, n, normal, margin)
        for k in range(count):
            put_world(d, k, d.convex_dist[k], load3(d.convex_point, k), load3(d.convex_normal, 0))
        if count > 0:
            return count
    put_world(d, 0, margin + distance, scale(add(x1, x2), 0.5), normal)
    return 1


@kernel
def convex_distance(m, d, kind1, first, kind2, second, distmax):
    """Signed distance of two convex geoms, `distmax` if they are farther apart.

    The nearest points (of an overlap: the deepest) are left in `convex_x1` and `convex_x2`, the unit vector from the
    first geom to the second in `convex_normal`.
    """
    distmax = widen(distmax)
    set_shape(m, d, 0, kind1, first, 0.0)
    set_shape(m, d, 1, kind2, second, 0.0)
    distance, _ = overlap(m, d, search_tolerance(m, d), distmax, m.opt.ccd_iterations)
    return minimum(distance, distmax)


def convex_collider(first: GeomType, second: GeomType, most: int) -> None:
    """File the collider of two types of convex geom that make at most `most` contacts.

    The types go through memory, so that the search is compiled once and not for every pair.
    """
    kind1, kind2 = int(first), int(second)

    @kernel
    def convex_pair(m, d, first, second, margin):
        d.convex_id[0, TYPE], d.convex_id[1, TYPE] = kind1, kind2
        return convex_contacts(m, d, first, second, margin)

    collider(first, second, max_contacts=most, world_by_world=True)(convex_pair)


for _first, _second, _most in (
    (GeomType.SPHERE, GeomType.ELLIPSOID, 1),
    (GeomType.SPHERE, GeomType.MESH, 1),
    (GeomType.CAPSULE, GeomType.ELLIPSOID, 1),
    (GeomType.CAPSULE, GeomType.CYLINDER, 2),
    (GeomType.CAPSULE, GeomType.MESH, 2),
    (GeomType.ELLIPSOID, GeomType.ELLIPSOID, 1),
    (GeomType.ELLIPSOID, GeomType.CYLINDER, 1),
    (GeomType.ELLIPSOID, GeomType.BOX, 1),
    (GeomType.ELLIPSOID, GeomType.MESH, 1),
    (GeomType.CYLINDER, GeomType.CYLINDER, 4),
    (GeomType.CYLINDER, GeomType.BOX, 4),
    (GeomType.CYLINDER, GeomType.MESH, 4),
    (GeomType.BOX, GeomType.MESH, 4),
    (GeomType.MESH, GeomType.MESH, 4),
):
    convex_collider(_first, _second, _most)
