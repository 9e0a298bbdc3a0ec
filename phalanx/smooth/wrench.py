"""Sums of forces on bodies, about the centers of their trees."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load6, store6
from phalanx.algebra.spatial import add6, transport_force
from phalanx.smooth.chain import from_tree_center
from phalanx.smooth.jacobian import NOTHING
from phalanx.smooth.passive.fluid import where6

ZERO3 = (0.0, 0.0, 0.0)
NOTHING6 = (NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING)


@kernel
def add_wrench(m, d, cfrc, body, point, force, torque, acts):
    """cfrc of a body += a force at a world point and a torque, in the worlds where it acts. The world feels none."""
    if body > 0:
        wrench = transport_force(force, torque, from_tree_center(m, d, body, point))
        store6(cfrc, body, add6(load6(cfrc, body), where6(acts, wrench, NOTHING6)))


@kernel
def add_force(m, d, cfrc, body, point, force, acts):
    """The same without a torque."""
    add_wrench(m, d, cfrc, body, point, force, ZERO3, acts)
