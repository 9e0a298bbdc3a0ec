"""Steps from states that differ a little, for finite differences: nudged worlds, stepped with all they have in common.

Worlds that differ in velocities or controls alone share everything that follows from positions: what the workspace has
of the step before is kept. Which pieces of the physics each world was on is summed up in numbers, so that worlds on
both sides of a kink can be told.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import splat, where
from phalanx.integrator.integrate import integrate
from phalanx.memory.growth import lacks_memory
from phalanx.pipeline.checks import check_acc, check_start, has_stopped
from phalanx.pipeline.forward import fwd_position, fwd_velocity, react
from phalanx.pipeline.inverse import inverse
from phalanx.pipeline.step import settle, step_in_stages
from phalanx.pipeline.user import user_control
from phalanx.sensor.stages import sensor_pos, sensor_vel
from phalanx.smooth.actuator.actuation import fwd_actuation
from phalanx.smooth.energy import energy
from phalanx.smooth.joint.positions import advance_positions
from phalanx.tables.enums import ConstraintType
from phalanx.tables.integrators import STAGED

#: What is kept of the step before: nothing, what follows from positions, and what follows from velocities, too.
KEEP_NOTHING, KEEP_POSITION, KEEP_VELOCITY = range(3)
#: Which difference was taken: to both sides, forwards, backwards, or none.
CENTERED, FORWARD, BACKWARD, NO_DIFFERENCE = range(4)
#: How many numbers tell the pieces of the physics that a world is on, see `pieces`.
NPIECE = 6


@kernel
def nudge_positions(m, d):
    """qpos moved along vector_in for asked_step, in the worlds where that is not zero."""
    advance_positions(m, d.qpos, d.vector_in, d.asked_step, d.asked_step != 0.0)


@kernel
def accelerate_kept(m, d, kept, is_reported):
    """The first half of a step, to acceleration and sensors, with what is kept of the one before."""
    check_start(m, d)
    if has_stopped(d):
        return
    if kept < KEEP_POSITION:
        fwd_position(m, d)
        if is_reported:
            sensor_pos(m, d)
    if kept < KEEP_VELOCITY:
        energy(m, d)
        fwd_velocity(m, d)
        if is_reported:
            sensor_vel(m, d)
    user_control(m, d)
    react(m, d, is_reported)
    if lacks_memory(d):
        return
    check_acc(m, d)


@kernel
def advance_kept(m, d):
    """The second half of a step: the next state, in the worlds that are fine."""
    if not has_stopped(d):
        integrate(m, d, step_in_stages, settle)


@kernel
def invert_kept(m, d, has_actuation):
    """qfrc_inverse at the present state and qacc, less the forces of actuators if that is asked for."""
    inverse(m, d)
    if lacks_memory(d) or not has_actuation:
        return
    fwd_actuation(m, d)
    for dof in range(m.nv):
        d.qfrc_inverse[dof] = d.qfrc_inverse[dof] - d.qfrc_actuator[dof]


# --- pieces of the physics


@kernel
def mixed(a, b, c):
    """A number that three integers decide and that sums of others hardly equal; sums of thousands are exact."""
    first = (7919 * a + 104729 * b + 1299709 * c + 12345) % 1000003
    return float((first * 48271 + 11) % 16777213)


@kernel
def pieces(m, d):
    """(contacts, their forces, limits, friction losses, clamps, dead bands): equal where worlds are on the same piece.

    Each is a sum over rows, contacts or actuators; which rows there are, and on which piece of the cost they are.
    """
    nothing = splat(d.time, 0.0)
    contacts, forces, limits, losses = nothing, nothing, nothing, nothing
    # rows that memory had no room for were counted, but not written
    for row in range(0 if lacks_memory(d) else d.nefc):
        kind, owner = d.efc_type[row], d.efc_id[row]
        is_there = d.efc_KBIP[row, 2] > 0.0
        if kind >= ConstraintType.CONTACT_FRICTIONLESS:
            geom1, geom2 = d.contact_geom[owner, 0], d.contact_geom[owner, 1]
            place = row - d.contact_efc_address[owner]
            contacts = contacts + where(is_there, mixed(geom1, geom2, 0), 0.0)
            forces = forces + where(is_there, mixed(geom1, geom2, 1 + place) * d.efc_state[row], 0.0)
        elif kind >= ConstraintType.LIMIT_JOINT:
            limits = limits + where(is_there, mixed(kind, owner, 0) * (1.0 + d.efc_state[row]), 0.0)
        elif kind >= ConstraintType.FRICTION_DOF:
            losses = losses + where(is_there, mixed(kind, owner, 0) * d.efc_state[row], 0.0)
    return contacts, forces, limits, losses, clamps(m, d) + nothing, dead_bands(m, d) + nothing


@kernel
def side(x, low, high):
    """0 within an interval, 1 below, 2 above."""
    return where(x < low, 1.0, where(x > high, 2.0, 0.0))


@kernel
def clamps(m, d):
    """Controls and forces of actuators that are at a limit, or beyond."""
    total = splat(d.time, 0.0)
    for k in range(m.nu):
        if m.actuator_ctrllimited[k]:
            low, high = m.actuator_ctrlrange[k, 0], m.actuator_ctrlrange[k, 1]
            total = total + mixed(0, k, 0) * side(d.ctrl[k], low, high)
    for actuator in range(m.nactuator):
        if m.actuator_forcelimited[actuator]:
            force = d.actuation_drive[m.actuator_outadr[actuator]]
            low, high = m.actuator_forcerange[actuator, 0], m.actuator_forcerange[actuator, 1]
            total = total + where(force <= low, mixed(1, actuator, 0), where(force >= high, mixed(1, actuator, 1), 0.0))
    for joint in range(m.njnt):
        if m.jnt_actfrclimited[joint]:
            force = d.qfrc_actuator[m.jnt_dofadr[joint]]
            low, high = m.jnt_actfrcrange[joint, 0], m.jnt_actfrcrange[joint, 1]
            total = total + where(force <= low, mixed(2, joint, 0), where(force >= high, mixed(2, joint, 1), 0.0))
    return total


@kernel
def dead_bands(m, d):
    """On which side of the interval without force the springs of tendons are."""
    total = splat(d.time, 0.0)
    for tendon in range(m.ntendon):
        low, high = m.tendon_lengthspring[tendon, 0], m.tendon_lengthspring[tendon, 1]
        total = total + mixed(3, tendon, 0) * side(d.ten_length[tendon], low, high)
    return total


@kernel
def clamped_activations(m, d):
    """Activations that a step has brought to the end of their range."""
    total = splat(d.time, 0.0)
    for actuator in range(m.nactuator):
        first, count = m.actuator_actadr[actuator], m.actuator_actnum[actuator]
        if m.actuator_actlimited[actuator] and count > 0:
            act, low, high = (
                d.act[first + count - 1],
                m.actuator_actrange[actuator, 0],
                m.actuator_actrange[actuator, 1],
            )
            total = total + where(act <= low, mixed(4, actuator, 0), where(act >= high, mixed(4, actuator, 1), 0.0))
    return total


@kernel
def pieces_after(m, d, before):
    """The numbers of `pieces` after the state has advanced: with the last stage of integrators that have several."""
    contacts, forces, limits, losses, held, slack = before
    held = held + clamped_activations(m, d)
    if m.opt.integrator in STAGED:
        later = pieces(m, d)
        contacts, forces, limits = contacts + 3.0 * later[0], forces + 3.0 * later[1], limits + 3.0 * later[2]
        losses, held, slack = losses + 3.0 * later[3], held + 3.0 * later[4], slack + 3.0 * later[5]
    return contacts, forces, limits, losses, held, slack
