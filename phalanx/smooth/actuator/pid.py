"""The PID servo: kp (q - length) + kv (v - velocity) + feedforward + ki z.

kp and kv are those of the affine bias. Activations, as far as they are used: the rate-limited setpoint, then the
integral z of the position error, which is the last one. With one activation, a world uses it for what its own
parameters ask.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import where
from phalanx.smooth.actuator.linear_force import PER_LENGTH, PER_VELOCITY
from phalanx.smooth.actuator.setpoint import anti_windup, nearest_setpoint, rate_limited, servo_inputs
from phalanx.smooth.actuator.table import activation_rate, driven_force
from phalanx.tables.actuators import DYNAMICS, GAINS
from phalanx.tables.enums import DynType, GainType

IMAX, SLEWMAX = DYNAMICS[DynType.PID].places("imax", "slewmax")
(INTEGRAL_GAIN,) = GAINS[GainType.PID].places("ki")


@activation_rate.row(DynType.PID)
@kernel
def pid_rate(m, d, actuator, first):
    """Rates of the limited setpoint and of the integral; the setpoint in effect becomes the limited one."""
    control, last = m.actuator_ctrladr[actuator], first + m.actuator_actnum[actuator] - 1
    out, step = m.actuator_outadr[actuator], m.opt.timestep
    target, previous = d.actuation_ctrl[control], d.act[first]

    # the setpoint moves no faster than it may
    slew = m.actuator_dynprm[actuator, SLEWMAX]
    limited = rate_limited(nearest_setpoint(m, actuator, target, previous), previous, slew, step)
    is_limited = slew > 0.0
    target = where(is_limited, limited, target)
    d.actuation_ctrl[control] = target

    # the integral of the error stops at its bound
    error = nearest_setpoint(m, actuator, target - d.actuator_length[out], 0.0)
    error = anti_windup(error, d.act[last], m.actuator_dynprm[actuator, IMAX])
    error = where(m.actuator_gainprm[actuator, INTEGRAL_GAIN] > 0.0, error, 0.0)

    d.act_dot[last] = error
    d.act_dot[first] = where(is_limited, (limited - previous) / step, d.act_dot[first])


@driven_force.row(GainType.PID)
@kernel
def pid_force(m, d, actuator, out, activation):
    """kp q + kv v + feedforward + ki z; the rest is the bias."""
    position, velocity, feedforward, _ = servo_inputs(m, d, actuator)
    position = nearest_setpoint(m, actuator, position, d.actuator_length[out])
    p = m.actuator_biasprm
    force = -p[actuator, PER_LENGTH] * position - p[actuator, PER_VELOCITY] * velocity + feedforward
    if m.actuator_actnum[actuator] > 0:
        ki = m.actuator_gainprm[actuator, INTEGRAL_GAIN]
        force = where(ki > 0.0, force + ki * activation, force)
    d.actuator_force[out] = force
