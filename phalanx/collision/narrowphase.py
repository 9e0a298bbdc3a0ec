"""Candidates to contacts: run the collider of each pair that is near, and list what it finds.

In one world the list is the world's own. In lanes it is the union over the worlds: a slot exists if any world has the
contact, and a world without it has the distance NO_CONTACT there.
"""

from __future__ import annotations

from phalanx.algebra.jit import Kernel, kernel
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import and_, any_, lane_count, lane_get, lane_set, where
from phalanx.collision.bounds import are_near, have_near_boxes
from phalanx.collision.broadphase import broadphase
from phalanx.collision.contact import append_contact, pair_gap, pair_margin
from phalanx.collision.table import COLLIDERS, NO_CONTACT, NTYPE, collide, put
from phalanx.model.growth import lacks_memory
from phalanx.tables.enums import DisableBit

CONSTRAINT, CONTACT = int(DisableBit.CONSTRAINT), int(DisableBit.CONTACT)

#: Modules whose colliders are filed in the table.
_COLLIDER_MODULES = tuple(
    f"phalanx.collision.{name}" for name in ("plane", "sphere", "capsule", "box", "convex", "plane_mesh")
)


@kernel
def load_geom(m, d, geom):
    """(pos, mat, size, dataid) of a geom."""
    return load3(d.geom_xpos, geom), load9(d.geom_xmat, geom), load3(m.geom_size, geom), m.geom_dataid[geom]


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


def in_lanes(function: Kernel) -> Kernel:
    """The row of a collider that handles all worlds of a lane at once."""

    @kernel
    def lanes(m, d, geom1, geom2, margin, near):
        return function(m, d, load_geom(m, d, geom1), load_geom(m, d, geom2), margin)

    return lanes


def in_turn(function: Kernel) -> Kernel:
    """The row of a collider that takes one world at a time."""

    @kernel
    def worlds(m, d, geom1, geom2, margin, near):
        most = 0
        near = and_(near, have_near_boxes(m, d, geom1, geom2, margin))
        if not any_(near):
            return most
        first, second = load_geom(m, d, geom1), load_geom(m, d, geom2)
        for w in range(lane_count(first[0][0])):
            if lane_get(near, w):
                count = function(m, d, geom_of_world(first, w), geom_of_world(second, w), lane_get(margin, w))
                while most < count:
                    put(d, most, NO_CONTACT, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
                    most += 1
                for k in range(count):
                    copy_contact(d, k, w)
        return most

    return worlds


@kernel
def copy_contact(d, k, w):
    """Contact k of one world into its lane."""
    d.near_dist[k] = lane_set(d.near_dist[k], w, d.world_dist[k])
    for axis in range(3):
        d.near_pos[k, axis] = lane_set(d.near_pos[k, axis], w, d.world_pos[k, axis])
        d.near_normal[k, axis] = lane_set(d.near_normal[k, axis], w, d.world_normal[k, axis])


def file_rows() -> None:
    """Put every collider into the table that the kernel calls."""
    for (first, second), row in COLLIDERS.items():
        make = in_turn if row.world_by_world else in_lanes
        collide.row(int(first) * NTYPE + int(second))(make(row.function))


@kernel
def collide_pair(m, d, geom1, geom2, pair):
    """Contacts of two geoms, the first of smaller type."""
    reach = pair_margin(m, geom1, geom2, pair) + pair_gap(m, geom1, geom2, pair)
    near = are_near(m, d, geom1, geom2, reach)
    if any_(near):
        key = m.geom_type[geom1] * NTYPE + m.geom_type[geom2]
        count = collide(key, m, d, geom1, geom2, reach, near)
        for k in range(count):
            is_contact = and_(near, d.near_dist[k] <= reach)
            if any_(is_contact):
                dist = where(is_contact, d.near_dist[k], NO_CONTACT)
                append_contact(m, d, geom1, geom2, pair, k, dist, is_contact)


@kernel
def collision(m, d):
    """The contact list."""
    d.ncon = 0
    d.nsweep = 0
    d.nclose = 0
    d.nefc = 0
    d.nJ = 0
    if (m.opt.disableflags & (CONSTRAINT | CONTACT)) != 0:
        return
    for k in range(m.ncandidate):
        collide_pair(m, d, m.candidate_geom1[k], m.candidate_geom2[k], m.candidate_pair[k])
    if m.flg_sweep:
        broadphase(m, d)
        if not lacks_memory(d):
            for k in range(d.nclose):
                collide_pair(m, d, d.close_geom1[k], d.close_geom2[k], d.close_pair[k])
