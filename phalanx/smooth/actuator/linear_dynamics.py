"""Linear activation dynamics: integrators and first-order filters."""

from __future__ import annotations

from phalanx.algebra.elementary import exp
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import maximum
from phalanx.algebra.vector import MINVAL
from phalanx.smooth.actuator.setpoint import nearest_setpoint
from phalanx.smooth.actuator.table import activation_rate, advanced_activation
from phalanx.tables.actuators import DYNAMICS
from phalanx.tables.enums import DynType

(TIME_CONSTANT,) = DYNAMICS[DynType.FILTER].places("time_constant")


@activation_rate.row(DynType.INTEGRATOR)
@kernel
def integrator_rate(m, d, actuator, first):
    """Each control is the rate of an activation, the last ones if there are more."""
    count = m.actuator_ctrlnum[actuator]
    start = first + m.actuator_actnum[actuator] - count
    for k in range(count):
        d.act_dot[start + k] = d.actuation_ctrl[m.actuator_ctrladr[actuator] + k]


@activation_rate.row(DynType.FILTER, DynType.FILTEREXACT)
@kernel
def filter_rate(m, d, actuator, first):
    """(control - act) / time constant; on a circle the shorter way."""
    last = first + m.actuator_actnum[actuator] - 1
    target = nearest_setpoint(m, actuator, d.actuation_ctrl[m.actuator_ctrladr[actuator]], d.act[last])
    d.act_dot[last] = (target - d.act[last]) / maximum(MINVAL, m.actuator_dynprm[actuator, TIME_CONSTANT])


@kernel
def filtered(value, rate, time_constant, step):
    """A linear filter one step later, solved exactly."""
    return value + rate * time_constant * (1.0 - exp(-step / time_constant))


@advanced_activation.row(DynType.FILTEREXACT)
@kernel
def advanced_filter(m, d, actuator, address, rate):
    """The exact solution for a control that is constant during the step."""
    time_constant = maximum(MINVAL, m.actuator_dynprm[actuator, TIME_CONSTANT])
    return filtered(d.act[address], rate, time_constant, m.opt.timestep)
