"""A pair of geoms: the collider of their types, in lanes or one world after the other."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import and_, any_, lane_count, lane_get, lane_set
from phalanx.collision.broad.bounds import have_near_boxes
from phalanx.collision.broad.terrain import has_box_at_field
from phalanx.collision.convex.separation import keep_together
from phalanx.collision.sdf.table import shape_of
from phalanx.collision.table import NO_CONTACT, NTYPE, collide_given, collide_lanes, collide_world, put
from phalanx.tables.enums import GeomType


@kernel
def load_geom(m, d, geom):
    """(pos, mat, size, dataid) of a geom; the last is the id of what gives its shape."""
    return load3(d.geom_xpos, geom), load9(d.geom_xmat, geom), load3(m.geom_size, geom), shape_of(m, geom)


@kernel
def geom_of_world(geom, w):
    """The geom as world w of a lane sees it."""
    p, a, s, dataid = geom
    return (
        (lane_get(p[0], w), lane_get(p[1], w), lane_get(p[2], w)),
        (
            lane_get(a[0], w), lane_get(a[1], w), lane_get(a[2], w), lane_get(a[3], w), lane_get(a[4], w),
            lane_get(a[5], w), lane_get(a[6], w), lane_get(a[7], w), lane_get(a[8], w),
        ),
        (lane_get(s[0], w), lane_get(s[1], w), lane_get(s[2], w)),
        dataid,
    )  # fmt: skip


@kernel
def copy_contact(d, k, w):
    """Contact k of one world into its lane."""
    d.near_dist[k] = lane_set(d.near_dist[k], w, d.world_dist[k])
    for axis in (0, 1, 2):
        d.near_pos[k, axis] = lane_set(d.near_pos[k, axis], w, d.world_pos[k, axis])
        d.near_normal[k, axis] = lane_set(d.near_normal[k, axis], w, d.world_normal[k, axis])


@kernel
def keep_close(m, d, geom1, geom2, margin, near):
    """The worlds where a pair is near, without those where it is easily seen to have no contact."""
    near = and_(near, have_near_boxes(m, d, geom1, geom2, margin))
    if any_(near):
        if m.geom_type[geom1] == GeomType.HFIELD:
            return has_box_at_field(m, d, geom1, geom2, margin, near)
        return keep_together(m, d, geom1, geom2, margin, near)
    return near


@part("mdiiipc", "i")
def collide_by_world(m, d, key, geom1, geom2, margin, near):
    """Candidates from a collider that takes worlds one by one; it is spared those where geoms are easily apart."""
    most = 0
    near = keep_close(m, d, geom1, geom2, margin, near)
    if not any_(near):
        return most
    first, second = load_geom(m, d, geom1), load_geom(m, d, geom2)
    count = collide_given(key, m, d, first, second, margin, near)
    if count >= 0:
        return count
    d.near_geom[0], d.near_geom[1] = geom1, geom2
    for w in range(lane_count(first[0][0])):
        if lane_get(near, w):
            d.near_world[0] = w
            count = collide_world(key, m, d, geom_of_world(first, w), geom_of_world(second, w), lane_get(margin, w))
            while most < count:
                put(d, most, NO_CONTACT, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
                most += 1
            for k in range(count):
                copy_contact(d, k, w)
    return most


@kernel
def collide(m, d, geom1, geom2, margin, near):
    """How many candidates a pair of geoms has in the worlds where it is near; geom1 has the smaller type."""
    key = m.geom_type[geom1] * NTYPE + m.geom_type[geom2]
    count = collide_lanes(key, m, d, load_geom(m, d, geom1), load_geom(m, d, geom2), margin)
    return count if count >= 0 else collide_by_world(m, d, key, geom1, geom2, margin, near)
