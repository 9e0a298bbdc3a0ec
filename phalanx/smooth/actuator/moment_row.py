"""A row of the moment matrix put together in d.moment_row, one value per dof, before it becomes sparse."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import any_, is_nonzero
from phalanx.algebra.vector import dot
from phalanx.smooth.chain import difference_column, from_tree_center, part_ways, spin_difference, step_back
from phalanx.smooth.jacobian import last_dof


@kernel
def clear_row(m, d):
    """No dof has a moment yet."""
    for dof in range(m.nv):
        d.moment_row[dof] = 0.0


@kernel
def add_relative_wrench(m, d, body1, point1, body2, point2, force, torque):
    """Moments of a force and torque on a point of one body, and their opposites on a point of another.

    Dofs that move both bodies feel nothing.
    """
    offset1, offset2 = from_tree_center(m, d, body1, point1), from_tree_center(m, d, body2, point2)
    dof1, dof2 = last_dof(m, body1), last_dof(m, body2)
    count, _ = part_ways(m, body1, body2)
    for _ in range(count):
        dof, velocity = difference_column(d, dof1, dof2, offset1, offset2)
        _, spin = spin_difference(d, dof1, dof2)
        d.moment_row[dof] = d.moment_row[dof] + (dot(force, velocity) + dot(torque, spin))
        dof1, dof2 = step_back(m, dof1, dof2)


@kernel
def store_row(m, d, out, address, factor):
    """Row `out` of the moment matrix, times a factor: the dofs that have a moment in some world.

    Returns the next free address.
    """
    d.moment_rowadr[out] = address
    for dof in range(m.nv):
        moment = d.moment_row[dof]
        if any_(is_nonzero(moment)):
            d.moment_colind[address] = dof
            d.actuator_moment[address] = moment * factor
            address += 1
    d.moment_rownnz[out] = address - d.moment_rowadr[out]
    return address
