"""Inverse dynamics: the force that a given acceleration takes, and the comparison of both directions.

    qfrc_inverse = M qacc + qfrc_bias - qfrc_passive - qfrc_constraint

Every constraint answers an acceleration with one force, so nothing is iterated. What comes out is the sum of all that
the inputs of forward dynamics would have to do: qfrc_applied + J' xfrc_applied + qfrc_actuator. With the metric of a
step, which takes the place of M, qacc is what a step does to the velocity.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import sqrt, where
from phalanx.integrator.discrete import effective_metric
from phalanx.integrator.free_flight import add_gyroscopic_forces
from phalanx.integrator.table import discrete_acceleration
from phalanx.memory.flags import is_enabled
from phalanx.memory.growth import lacks_memory
from phalanx.pipeline.forward import move
from phalanx.sensor.stages import sensor_acc
from phalanx.smooth.acceleration import apply_cartesian_forces
from phalanx.smooth.actuator.actuation import fwd_actuation
from phalanx.smooth.step_metric import has_step_metric, mul_metric
from phalanx.solver.inverse_constraint import inv_constraint
from phalanx.solver.islands import worlds_with_rows
from phalanx.tables.enums import EnableBit


@part()
def inverse(m, d):
    """qfrc_inverse, with the forces of the constraints, from position, velocity and qacc, which stays as it is."""
    move(m, d, m.nsensor > 0, is_enabled(m, EnableBit.ENERGY))
    if lacks_memory(d):
        return
    if is_discrete(m) or has_step_metric(m):
        # the derivative of actuator forces depends on them
        fwd_actuation(m, d)
    if has_step_metric(m):
        effective_metric(m, d)
    begin_inverse(m, d)
    inv_constraint(m, d)
    if m.nsensor > 0:
        sensor_acc(m, d)
    end_inverse(m, d)


@kernel
def is_discrete(m):
    """Is qacc what a step does to the velocity, rather than what forward dynamics gives?"""
    return is_enabled(m, EnableBit.INVDISCRETE)


@kernel
def begin_inverse(m, d):
    """Set qacc aside, and make it that of forward dynamics."""
    if is_discrete(m):
        for dof in range(m.nv):
            d.inverse_qacc[dof] = d.qacc[dof]
        discrete_acceleration(m.opt.integrator, m, d)


@kernel
def end_inverse(m, d):
    """qfrc_inverse; qacc as it was."""
    mul_metric(m, d, d.qfrc_inverse, d.qacc)
    if has_step_metric(m):
        add_gyroscopic_forces(m, d, d.qfrc_inverse)
        for dof in range(m.nv):
            d.qfrc_inverse[dof] = d.qfrc_inverse[dof] - (d.efm_c[dof] + d.efm_ca[dof])
    for dof in range(m.nv):
        force = d.qfrc_bias[dof] + d.qfrc_inverse[dof]
        d.qfrc_inverse[dof] = force - d.qfrc_passive[dof] - d.qfrc_constraint[dof]
    if is_discrete(m):
        for dof in range(m.nv):
            d.qacc[dof] = d.inverse_qacc[dof]


# --- forward against inverse


@part()
def inverse_of_forward(m, d):
    """qfrc_inverse of the forward dynamics just computed, which keeps its results."""
    if lacks_memory(d):
        return
    set_forward_aside(m, d)
    invert(m, d)
    restore_forward(m, d)


@part()
def compare_fwd_inv(m, d):
    """solver_fwdinv: how far inverse dynamics is from the forward dynamics just computed, which keeps its results.

    Two lengths of differences: of the forces of the constraints, and of the inputs. Zero without constraints.
    """
    d.solver_fwdinv[0] = 0.0
    d.solver_fwdinv[1] = 0.0
    if d.nefc == 0 or lacks_memory(d):
        return
    set_forward_aside(m, d)
    invert(m, d)
    inputs = d.inverse_input
    for dof in range(m.nv):
        inputs[dof] = d.qfrc_applied[dof] + d.qfrc_actuator[dof]
    apply_cartesian_forces(m, d, inputs)
    has_rows = worlds_with_rows(d)
    d.solver_fwdinv[0] = where(has_rows, distance(m, d.inverse_qfrc_constraint, d.qfrc_constraint), 0.0)
    d.solver_fwdinv[1] = where(has_rows, distance(m, inputs, d.qfrc_inverse), 0.0)
    restore_forward(m, d)


@kernel
def invert(m, d):
    """qfrc_inverse, at positions and velocities that forward dynamics has been computed for."""
    begin_inverse(m, d)
    inv_constraint(m, d)
    end_inverse(m, d)


@kernel
def set_forward_aside(m, d):
    """inverse_ rows: results of forward dynamics, which inverse dynamics writes over."""
    for dof in range(m.nv):
        d.inverse_qfrc_constraint[dof] = d.qfrc_constraint[dof]
    for row in range(d.nefc):
        d.inverse_efc_force[row] = d.efc_force[row]


@kernel
def restore_forward(m, d):
    """The results of forward dynamics, as they were."""
    for dof in range(m.nv):
        d.qfrc_constraint[dof] = d.inverse_qfrc_constraint[dof]
    for row in range(d.nefc):
        d.efc_force[row] = d.inverse_efc_force[row]


@kernel
def distance(m, a, b):
    """Length of the difference of two vectors over the dofs."""
    total = 0.0
    for dof in range(m.nv):
        difference = a[dof] - b[dof]
        total = total + difference * difference
    return sqrt(total)
