"""The update of histories, activations, velocities, positions and time that all integrators share.

A world that has failed (`error_code` not zero) keeps its state.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load4, store4
from phalanx.algebra.number import where
from phalanx.algebra.quaternion import integrate, where4
from phalanx.sensor.history import advance_sensor_history
from phalanx.smooth.actuator.actuation import advance_activation
from phalanx.smooth.history import advance_control_history
from phalanx.smooth.passive.plastic import advance_plastic
from phalanx.tables.enums import JointType


@kernel
def is_alive(d):
    """Worlds that have not failed."""
    return d.error_code == 0.0


@kernel
def integrate_pos(m, d, velocity, step):
    """qpos moved along `velocity` for `step`, on the manifold of each joint."""
    alive = is_alive(d)
    qpos = d.qpos
    for joint in range(m.njnt):
        adr, dof = m.jnt_qposadr[joint], m.jnt_dofadr[joint]
        kind = m.jnt_type[joint]
        if kind in (JointType.SLIDE, JointType.HINGE):
            qpos[adr] = where(alive, qpos[adr] + step * velocity[dof], qpos[adr])
        else:
            if kind == JointType.FREE:
                for k in range(3):
                    qpos[adr + k] = where(alive, qpos[adr + k] + step * velocity[dof + k], qpos[adr + k])
                adr += 3
                dof += 3
            quat = load4(qpos, adr)
            store4(qpos, adr, where4(alive, integrate(quat, load3(velocity, dof), step), quat))


@kernel
def advance(m, d, act_dot, qacc, velocity):
    """The next state from activation rates, accelerations, and the velocity that moves positions.

    Pass d.qvel as `velocity` for the semi-implicit update: it is read after it has been advanced.
    """
    alive = is_alive(d)
    step = m.opt.timestep
    advance_control_history(m, d)
    advance_sensor_history(m, d)
    advance_activation(m, d, act_dot)
    for dof in range(m.nv):
        d.qvel[dof] = where(alive, d.qvel[dof] + step * qacc[dof], d.qvel[dof])
    integrate_pos(m, d, velocity, step)
    d.time = where(alive, d.time + step, d.time)
    advance_plastic(m, d, velocity)
    for dof in range(m.nv):
        d.qacc_warmstart[dof] = where(alive, d.qacc[dof], d.qacc_warmstart[dof])
