"""Colliders by pair of geom types.

A collider is a kernel

    f(m, d, first, second, margin) -> count

of two geoms, `first` with the smaller type. A geom is a tuple (pos, mat, size, dataid): world position, world rotation
matrix in nine numbers, the three sizes, and the id of its mesh, height field or SDF (-1 without). The collider
calls `put(d, k, dist, pos, normal)` for k = 0, 1, ... count - 1, where

    dist     signed distance of the surfaces, negative when they overlap,
    pos      point halfway between the two surfaces,
    normal   unit vector from the first geom to the second.

A candidate is a contact in the worlds where dist <= margin; elsewhere its numbers are not used, so a collider that has
fewer contacts in some world gives `NO_CONTACT` as dist there. `count` is an integer of the model (the same for all
worlds of a lane), at most `max_contacts`, and the contacts of a world are in MuJoCo's order.

With `world_by_world=True` the collider gets the numbers of one world at a time, may branch on them, calls `put_world`
instead of `put`, and returns how many contacts this world has.

With `given_near=True` it runs in lanes and gets one argument more, the worlds in which the pair is near: it may take
those in turn for a part of its work.

    @collider(GeomType.PLANE, GeomType.SPHERE, max_contacts=1)
    @kernel
    def plane_sphere(m, d, plane, sphere, margin): ...
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import Kernel, kernel
from phalanx.algebra.memory import store3
from phalanx.tables.enums import GeomType
from phalanx.tables.geoms import MODULES

#: Distance of a candidate that is no contact.
NO_CONTACT = 1e30
#: More types of geom than there are.
NTYPE = 16


@dataclass(frozen=True)
class ColliderRow:
    """A collider and what the driver must know about it."""

    function: Kernel
    max_contacts: int
    world_by_world: bool
    given_near: bool = False


COLLIDERS: dict[tuple[GeomType, GeomType], ColliderRow] = {}


def collider(
    first: GeomType, second: GeomType, *, max_contacts: int, world_by_world: bool = False, given_near: bool = False
) -> Callable[[Kernel], Kernel]:
    """File a collider under a pair of types, smaller type first."""

    def file(function: Kernel) -> Kernel:
        if first > second:
            raise ValueError(f"{function!r}: {first.name} comes after {second.name}")
        if (first, second) in COLLIDERS:
            raise ValueError(f"{first.name}-{second.name} has two colliders")
        COLLIDERS[first, second] = ColliderRow(function, max_contacts, world_by_world, given_near)
        table = collide_given if given_near else collide_world if world_by_world else collide_lanes
        return table.row(int(first) * NTYPE + int(second))(function)

    return file


@kernel
def not_in_lanes(m, d, first, second, margin):
    """Candidates of a pair of geoms in all worlds of a lane. Without a row: -1."""
    return -1


@kernel
def not_given_near(m, d, first, second, margin, near):
    """Candidates of a pair of geoms in the worlds of a lane where it is near; -1 to take the worlds one by one.

    Without a row: -1.
    """
    return -1


@kernel
def no_collider(m, d, first, second, margin):
    """Contacts of a pair of geoms in one world. Without a row: none."""
    return 0


#: Files of colliders: those of pairs, those of shapes, and last the one that files what is left of convex pairs.
_MODULES = (
    *(
        f"phalanx.collision.{name}"
        for name in (
            "pair.plane", "pair.sphere", "pair.capsule", "pair.box", "pair.plane_mesh", "pair.hfield",
            "sdf.octree_pair", "sdf.mesh_pair",
        )
    ),
    *MODULES,
    "phalanx.collision.convex.pairs",
)  # fmt: skip

#: Colliders by type of the first geom times NTYPE plus type of the second.
collide_lanes = Table("collide_lanes", not_in_lanes, _MODULES)
collide_given = Table("collide_given", not_given_near, _MODULES)
collide_world = Table("collide_world", no_collider, _MODULES)


def has_exact_contacts(first: GeomType, second: GeomType) -> bool:
    """Are the contacts of a pair given by a formula, so that they are exact however far apart the geoms are?"""
    for module in _MODULES:
        importlib.import_module(module)
    return not COLLIDERS[first, second].world_by_world


@kernel
def put(d, k, dist, pos, normal):
    """Candidate k of a collider that runs in lanes."""
    d.near_dist[k] = dist
    store3(d.near_pos, k, pos)
    store3(d.near_normal, k, normal)
    store3(d.near_tangent, k, (0.0, 0.0, 0.0))


@kernel
def put_tangent(d, k, tangent):
    """The direction from which the frame of candidate k takes its first tangent."""
    store3(d.near_tangent, k, tangent)


@kernel
def put_world(d, k, dist, pos, normal):
    """Contact k of a collider that takes one world at a time."""
    d.world_dist[k] = dist
    store3(d.world_pos, k, pos)
    store3(d.world_normal, k, normal)
