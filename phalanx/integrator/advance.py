"""The update of histories, activations, velocities, positions and time that all integrators share.

A world that has failed (`error_code` not zero) keeps its state, and one whose next state would be bad fails.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import where
from phalanx.integrator.state_limits import is_alive, keep_state, take_back_bad
from phalanx.memory.awake import awake_dofs, awake_joints
from phalanx.sensor.history import advance_sensor_history
from phalanx.smooth.actuator.actuation import advance_activation
from phalanx.smooth.history import advance_control_history
from phalanx.smooth.joint.table import advance_joint
from phalanx.smooth.passive.plastic import advance_plastic
from phalanx.tables.enums import ErrorPolicy


@kernel
def integrate_pos(m, d, velocity, step):
    """qpos moved along `velocity` for `step`, in the worlds that are alive."""
    alive = is_alive(d)
    for joint in awake_joints(m, d):
        advance_joint(m.jnt_type[joint], m, d.qpos, joint, velocity, step, alive)


@kernel
def stay_awake(m, d):
    """No tree falls asleep."""
    return False


@kernel
def advance_histories(m, d):
    """Histories of controls and sensors: the present ones join, at the present time."""
    advance_control_history(m, d)
    advance_sensor_history(m, d)


@kernel
def move_on(m, d, act_dot, qacc, velocity, settle):
    """Activations, velocities and positions one step later. Returns whether trees fell asleep, which stay."""
    alive = is_alive(d)
    step = m.opt.timestep
    advance_activation(m, d, act_dot)
    has_settled = settle(m, d)
    for dof in awake_dofs(m, d):
        d.qvel[dof] = where(alive, d.qvel[dof] + step * qacc[dof], d.qvel[dof])
    integrate_pos(m, d, velocity, step)
    return has_settled


@kernel
def advance(m, d, act_dot, qacc, velocity, settle):
    """The next state from activation rates, accelerations, and the velocity that moves positions.

    Pass d.qvel as `velocity` for the semi-implicit update: it is read after it has been advanced. `settle` decides
    which trees fall asleep.
    """
    # MuJoCo resets a world at the start of the step after
    can_stop = d.error_policy == ErrorPolicy.STOP
    if can_stop:
        keep_state(m, d)
    has_settled = move_on(m, d, act_dot, qacc, velocity, settle)
    if can_stop:
        take_back_bad(m, d)
    # the rest moves on in the worlds that are left
    alive = is_alive(d)
    if not has_settled:
        advance_histories(m, d)
    d.time = where(alive, d.time + m.opt.timestep, d.time)
    advance_plastic(m, d, velocity)
    for dof in awake_dofs(m, d):
        d.qacc_warmstart[dof] = where(alive, d.qacc[dof], d.qacc_warmstart[dof])
