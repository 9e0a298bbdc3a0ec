"""Questions of the user about one world, answered in scratch rows: positions, frames, forces, the inertia matrix."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed
from phalanx.algebra.memory import load3, load6, store6
from phalanx.algebra.number import where
from phalanx.sensor.force.post_constraint import rne_post_constraint
from phalanx.sensor.read.frame import frame_acceleration, frame_rotation, frame_velocity
from phalanx.sensor.read.inside_site import is_in_site
from phalanx.smooth.bias import joint_forces
from phalanx.smooth.inertia import mul_m2, solve_m2
from phalanx.smooth.jacobian import apply_force
from phalanx.smooth.joint.positions import advance_positions, subtract_positions
from phalanx.solver.constraint_update import constraint_cost
from phalanx.solver.inverse_constraint import forces_of_rows

# --- positions


@kernel
def asked_integration(m, d):
    """asked_qpos1 moved along vector_in."""
    advance_positions(m, d.asked_qpos1, d.vector_in, d.asked_step, True)


@kernel
def asked_difference(m, d):
    """vector_out: the velocity from asked_qpos1 to asked_qpos2."""
    subtract_positions(m, d.asked_qpos1, d.asked_qpos2, d.vector_out, d.asked_step)


# --- frames


@kernel
def asked_velocity(m, d):
    """asked_motion: velocity of a frame."""
    kind, objid = d.asked_object[0], d.asked_object[1]
    angular, linear = frame_velocity(m, d, kind, objid)
    put_motion(d, kind, objid, angular, linear)


@kernel
def asked_acceleration(m, d):
    """asked_motion: acceleration of a frame. Writes cacc, cfrc_int and cfrc_ext."""
    rne_post_constraint(m, d)
    kind, objid = d.asked_object[0], d.asked_object[1]
    angular, linear = frame_acceleration(m, d, kind, objid)
    put_motion(d, kind, objid, angular, linear)


@kernel
def put_motion(d, kind, objid, angular, linear):
    """Angular and linear part along the axes of the world, or of the frame itself."""
    if d.asked_object[2] != 0:
        frame = frame_rotation(d, kind, objid)
        angular, linear = multiply_transposed(frame, angular), multiply_transposed(frame, linear)
    store6(d.asked_motion, 0, (angular[0], angular[1], angular[2], linear[0], linear[1], linear[2]))


@kernel
def asked_inside(m, d, n):
    """asked_answer: 1 if the point is inside site n, else 0."""
    d.asked_answer = where(is_in_site(m, d, n, load3(d.asked_point, 0)), 1.0, 0.0)


# --- forces and the inertia matrix


@kernel
def asked_force(m, d, n):
    """vector_out: the joint force of a force and a torque on body n."""
    for dof in range(m.nv):
        d.vector_out[dof] = 0.0
    wrench = load6(d.asked_wrench, 0)
    force, torque = (wrench[0], wrench[1], wrench[2]), (wrench[3], wrench[4], wrench[5])
    apply_force(m, d, d.vector_out, n, load3(d.asked_point, 0), force, torque)


@kernel
def asked_rne(m, d, n):
    """vector_out: what the motion of the bodies needs, with qacc if n is not 0."""
    joint_forces(m, d, d.vector_out, n != 0)


@kernel
def asked_half_solve(m, d):
    """vector_out = D^(-1/2) L'^-1 vector_in"""
    for dof in range(m.nv):
        d.vector_out[dof] = d.vector_in[dof]
    solve_m2(m, d, d.vector_out)


@kernel
def asked_half_product(m, d):
    """vector_out = D^(1/2) L vector_in"""
    mul_m2(m, d, d.vector_out, d.vector_in)


# --- constraints


@kernel
def asked_constraint_update(m, d):
    """efc_force, efc_state and qfrc_constraint at solve_jar; asked_answer: the cost."""
    for dof in range(m.nv):
        d.qfrc_constraint[dof] = 0.0
    d.asked_answer = 0.0
    if d.nefc > 0:
        forces_of_rows(m, d)
        d.asked_answer = constraint_cost(d, d.solve_jar)
