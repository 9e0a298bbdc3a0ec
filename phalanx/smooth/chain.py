"""The dofs that move two bodies, and how they move a point of each."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load6
from phalanx.algebra.number import splat
from phalanx.algebra.vector import add, add_scaled, cross, negate, sub
from phalanx.smooth.jacobian import axis_rate, last_dof


@kernel
def part_ways(m, body1, body2):
    """How many dofs move only one of two bodies, and the last dof that moves both (-1 without)."""
    dof1, dof2, count = last_dof(m, body1), last_dof(m, body2), 0
    while dof1 != dof2:
        if dof1 > dof2:
            dof1 = m.dof_parentid[dof1]
        else:
            dof2 = m.dof_parentid[dof2]
        count += 1
    return count, dof1


@kernel
def count_either(m, body1, body2):
    """How many dofs move at least one of two bodies."""
    count, dof = part_ways(m, body1, body2)
    while dof >= 0:
        dof = m.dof_parentid[dof]
        count += 1
    return count


@kernel
def from_tree_center(m, d, body, point):
    """A world point relative to where the motion axes of the body's tree are centered."""
    return sub(point, load3(d.subtree_com, m.body_rootid[body]))


@kernel
def point_velocity(axis, offset):
    """Linear velocity of the point at `offset` for a unit velocity along a motion axis."""
    return add((axis[3], axis[4], axis[5]), cross((axis[0], axis[1], axis[2]), offset))


@kernel
def difference_column(d, dof1, dof2, offset1, offset2):
    """The later of two dofs, and the velocity it gives the point of the first body minus that of the second.

    dof1 and dof2 are where the walks from the two bodies to the root stand.
    """
    if dof1 == dof2:
        axis = load6(d.cdof, dof1)
        return dof1, cross((axis[0], axis[1], axis[2]), sub(offset1, offset2))
    if dof1 > dof2:
        return dof1, point_velocity(load6(d.cdof, dof1), offset1)
    return dof2, negate(point_velocity(load6(d.cdof, dof2), offset2))


@kernel
def spin_difference(d, dof1, dof2):
    """The later of two dofs, and the angular velocity it gives the first body minus that of the second."""
    dof = dof1 if dof1 > dof2 else dof2
    sign = (1.0 if dof == dof1 else 0.0) - (1.0 if dof == dof2 else 0.0)
    return dof, (d.cdof[dof, 0] * sign, d.cdof[dof, 1] * sign, d.cdof[dof, 2] * sign)


@kernel
def step_back(m, dof1, dof2):
    """One step of both walks: the later dof is left behind."""
    dof = dof1 if dof1 > dof2 else dof2
    parent = m.dof_parentid[dof]
    return parent if dof1 == dof else dof1, parent if dof2 == dof else dof2


@kernel
def point_drift(m, d, body, point):
    """Acceleration of a body at a world point without qacc, linear and angular: the rate of its Jacobian times v."""
    offset = from_tree_center(m, d, body, point)
    velocity = load6(d.cvel, body)
    motion = point_velocity(velocity, offset)
    nothing = splat(velocity[0], 0.0)
    linear, angular = (nothing, nothing, nothing), (nothing, nothing, nothing)
    dof = last_dof(m, body)
    while dof >= 0:
        axis, rate, speed = load6(d.cdof, dof), axis_rate(m, d, dof), d.qvel[dof]
        # the point moves in the field of velocities of the axis
        swept = cross((axis[0], axis[1], axis[2]), motion)
        linear = add_scaled(linear, add(point_velocity(rate, offset), swept), speed)
        angular = add_scaled(angular, (rate[0], rate[1], rate[2]), speed)
        dof = m.dof_parentid[dof]
    return linear, angular
