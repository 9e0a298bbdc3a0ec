"""The update of histories, activations, velocities, positions and time that all integrators share.

A world that has failed (`error_code` not zero) keeps its state, and one whose next state would be bad fails.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import where
from phalanx.integrator.state_limits import is_alive, keep_state, take_back_bad
from phalanx.sensor.history import advance_sensor_history
from phalanx.smooth.actuator.actuation import advance_activation
from phalanx.smooth.history import advance_control_history
from phalanx.smooth.joint.positions import advance_positions
from phalanx.smooth.passive.plastic import advance_plastic
from phalanx.tables.enums import ErrorPolicy


@kernel
def integrate_pos(m, d, velocity, step):
    """qpos moved along `velocity` for `step`, in the worlds that are alive."""
    advance_positions(m, d.qpos, velocity, step, is_alive(d))


@kernel
def move_on(m, d, act_dot, qacc, velocity):
    """Activations, velocities and positions one step later."""
    alive = is_alive(d)
    step = m.opt.timestep
    advance_activation(m, d, act_dot)
    for dof in range(m.nv):
        d.qvel[dof] = where(alive, d.qvel[dof] + step * qacc[dof], d.qvel[dof])
    integrate_pos(m, d, velocity, step)


@kernel
def advance(m, d, act_dot, qacc, velocity):
    """The next state from activation rates, accelerations, and the velocity that moves positions.

    Pass d.qvel as `velocity` for the semi-implicit update: it is read after it has been advanced.
    """
    # MuJoCo resets a world at the start of the step after
    can_stop = d.error_policy == ErrorPolicy.STOP
    if can_stop:
        keep_state(m, d)
    move_on(m, d, act_dot, qacc, velocity)
    if can_stop:
        take_back_bad(m, d)
    # the rest moves on in the worlds that are left
    alive = is_alive(d)
    advance_control_history(m, d)
    advance_sensor_history(m, d)
    d.time = where(alive, d.time + m.opt.timestep, d.time)
    advance_plastic(m, d, velocity)
    for dof in range(m.nv):
        d.qacc_warmstart[dof] = where(alive, d.qacc[dof], d.qacc_warmstart[dof])
