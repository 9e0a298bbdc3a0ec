"""Numbers of the world at hand: contacts of flexes are found in one world of a lane after another.

Which parts of two flexes come near differs from world to world, and with it what is left to do: trees of boxes, sweeps
and searches take the worlds in turn, `near_world` says which. In one world these are the numbers themselves.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load6, load9
from phalanx.algebra.number import lane_get
from phalanx.collision.collide import geom_of_world, load_geom


@kernel
def at_hand(d, x):
    """A number of the world at hand."""
    return lane_get(x, d.near_world[0])


@kernel
def at_hand3(d, v):
    """A vector of the world at hand."""
    w = d.near_world[0]
    return lane_get(v[0], w), lane_get(v[1], w), lane_get(v[2], w)


@kernel
def vector_at_hand(d, field, i):
    """Row i of a field of vectors, in the world at hand."""
    return at_hand3(d, load3(field, i))


@kernel
def box_at_hand(d, field, i):
    """Row i of a field of boxes, in the world at hand."""
    box = load6(field, i)
    return at_hand3(d, (box[0], box[1], box[2])) + at_hand3(d, (box[3], box[4], box[5]))


@kernel
def rotation_at_hand(d, field, i):
    """Row i of a field of rotations, in the world at hand."""
    a = load9(field, i)
    return at_hand3(d, (a[0], a[1], a[2])) + at_hand3(d, (a[3], a[4], a[5])) + at_hand3(d, (a[6], a[7], a[8]))


@kernel
def geom_at_hand(m, d, geom):
    """A geom (pos, mat, size, dataid), in the world at hand."""
    return geom_of_world(load_geom(m, d, geom), d.near_world[0])
