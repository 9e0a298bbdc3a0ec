"""Contacts and distance of two convex geoms by search: native convex collision.

A sphere or capsule is shrunk to a point or segment; as long as that stays outside the other shape, its distance
(`gjk`) minus the radius is the answer. Otherwise the penetration of the full shapes is (`epa`). With a margin both
shapes are inflated by half of it.

One world at a time, in double precision (see `convex/support.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import minimum, widen
from phalanx.algebra.vector import MINVAL, add, add_scaled, normalize, scale, sub
from phalanx.collision.convex.epa import epa, set_witness
from phalanx.collision.convex.gjk import FAR, gjk
from phalanx.collision.convex.multicontact import multicontact
from phalanx.collision.convex.separation import remember
from phalanx.collision.convex.support import TYPE, direction_in_shape, search_tolerance, set_shape
from phalanx.collision.convex.table import POINT, SEGMENT
from phalanx.collision.table import put_world
from phalanx.memory.flags import is_disabled
from phalanx.tables.enums import DisableBit, GeomType
from phalanx.tables.geoms import POLYTOPES


@kernel
def shrink(d, side):
    """Take the radius off a shape: a sphere is left as a point, a capsule as a segment. Returns what was taken."""
    kind, taken = d.convex_id[side, TYPE], d.convex_inflate[side]
    if kind in (GeomType.SPHERE, GeomType.CAPSULE):
        d.convex_id[side, TYPE] = POINT if kind == GeomType.SPHERE else SEGMENT
        taken = taken + d.convex_size[side, 0]
    d.convex_inflate[side] = 0.0
    return taken


@kernel
def restore(d, side, kind, inflate):
    """Undo `shrink`."""
    d.convex_id[side, TYPE] = kind
    d.convex_inflate[side] = inflate


@kernel
def is_polytope(d, side):
    """Is a shape bounded by flat faces, so that the search for it ends exactly?"""
    return d.convex_id[side, TYPE] in POLYTOPES and d.convex_inflate[side] == 0.0


@kernel
def overlap(m, d, tolerance, cutoff, iterations):
    """(distance, n): signed distance of the two shapes, and how many vertices of the pool tell it (in `clip_row`).

    Nearest points are in `convex_x1` and `convex_x2`, the unit vector from the first shape to the second in
    `convex_normal`. FAR if the shapes are farther apart than `cutoff`; the unit vector then is one that separates them.
    """
    kind0, kind1 = d.convex_id[0, TYPE], d.convex_id[1, TYPE]
    inflate0, inflate1 = d.convex_inflate[0], d.convex_inflate[1]
    start = sub(load3(d.convex_pos, 0), load3(d.convex_pos, 1))
    # first without radius and inflation: while the cores are apart, that is faster and more exact
    taken0, taken1 = shrink(d, 0), shrink(d, 1)
    taken = taken0 + taken1
    if taken > 0.0:
        exact = is_polytope(d, 0) and is_polytope(d, 1)
        distance, n, apart = gjk(m, d, start, 0.0 if exact else tolerance, cutoff + taken, iterations)
        restore(d, 0, kind0, inflate0)
        restore(d, 1, kind1, inflate1)
        if distance == FAR:
            return FAR, 0
        if distance > tolerance and apart:
            x1, x2 = load3(d.convex_x1, 0), load3(d.convex_x2, 0)
            normal = normalize(sub(x2, x1))
            store3(d.convex_normal, 0, normal)
            store3(d.convex_x1, 0, add_scaled(x1, normal, taken0))
            store3(d.convex_x2, 0, add_scaled(x2, normal, -taken1))
            distance = distance - taken
            for k in range(3):
                d.clip_row[k] = k
            return (distance if distance <= cutoff else FAR), min(n, 3)
    # the cores overlap: the full shapes, by distance if they are apart and by depth if not
    polytopes = is_polytope(d, 0) and is_polytope(d, 1)
    distance, n, apart = gjk(m, d, start, 0.0 if polytopes else tolerance, cutoff, iterations)
    if apart and distance == FAR:
        return FAR, 0
    if apart:
        store3(d.convex_normal, 0, normalize(sub(load3(d.convex_x2, 0), load3(d.convex_x1, 0))))
        return distance, 0
    face = epa(m, d, n, MINVAL if polytopes else tolerance, iterations, polytopes)
    if face < 0:
        return 0.0, 0
    for k in range(3):
        d.clip_row[k] = d.epa_vertices[face, k]
    return set_witness(d, face), 3


@kernel
def convex_contacts(m, d, first, second, margin):
    """How many contacts two convex geoms have whose types are in `convex_id`."""
    margin = widen(margin)
    set_shape(m, d, 0, d.convex_id[0, TYPE], first, 0.5 * margin)
    set_shape(m, d, 1, d.convex_id[1, TYPE], second, 0.5 * margin)
    distance, n = overlap(m, d, search_tolerance(m, d), 0.0, m.opt.ccd_iterations)
    if not distance < 0.0:
        if distance == FAR:
            remember(d, d.near_geom[0], d.near_geom[1], direction_in_shape(d, 0, load3(d.convex_normal, 0)))
        return 0
    x1, x2 = load3(d.convex_x1, 0), load3(d.convex_x2, 0)
    normal = load3(d.convex_normal, 0)
    if not is_disabled(m, DisableBit.MULTICCD):
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
