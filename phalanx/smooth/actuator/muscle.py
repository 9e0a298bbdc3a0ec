"""Muscles: activation dynamics, active force over length and velocity, passive force.

Lengths are in units of the optimal length, velocities in units of vmax. Curves: MuJoCo's mju_muscleGain and
mju_muscleBias; dynamics: mju_muscleDynamics, after Millard et al. 2013.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, clamp, maximum, where
from phalanx.algebra.vector import MINVAL
from phalanx.smooth.actuator.linear_force import signal, signal_slope
from phalanx.smooth.actuator.table import (
    activation_rate,
    bias_force,
    bias_length_slope,
    driven_force,
    driven_length_slope,
    driven_slope,
)
from phalanx.tables.actuators import DYNAMICS, GAINS
from phalanx.tables.enums import BiasType, DynType, GainType

#: Columns of actuator_dynprm.
ACTIVATION_TIME, DEACTIVATION_TIME, SWITCH_WIDTH = DYNAMICS[DynType.MUSCLE].places(
    "activation_time", "deactivation_time", "switch_width"
)
#: Columns of actuator_gainprm and actuator_biasprm.
RANGE_LOW, RANGE_HIGH, FORCE, SCALE, LMIN, LMAX, VMAX, FPMAX, FVMAX = GAINS[GainType.MUSCLE].places(
    "range_low", "range_high", "force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"
)

# --- activation


@kernel
def smooth_step(x):
    """0 below 0, 1 above 1, and a quintic between them with two flat derivatives at both ends."""
    inside = x * x * x * (3.0 * x * (2.0 * x - 5.0) + 10.0)
    return where(x <= 0.0, 0.0, where(x >= 1.0, 1.0, inside))


@kernel
def time_constant(excess, activating, deactivating, width):
    """Time constant for a control that exceeds the activation by `excess`: a switch, smooth if it has a width."""
    is_hard = width < MINVAL
    share = smooth_step(excess / where(is_hard, 1.0, width) + 0.5)
    hard = where(excess > 0.0, activating, deactivating)
    return where(is_hard, hard, deactivating + (activating - deactivating) * share)


@kernel
def activation_time(excess, activation, activating, deactivating, width):
    """Time constant of an activation: the more of it there is, the slower it rises and the faster it falls."""
    stiffening = 0.5 + 1.5 * clamp(activation, 0.0, 1.0)
    return time_constant(excess, activating * stiffening, deactivating / stiffening, width)


@activation_rate.row(DynType.MUSCLE)
@kernel
def muscle_rate(m, d, actuator, first):
    """(control - act) / time constant, with a control between 0 and 1."""
    last = first + m.actuator_actnum[actuator] - 1
    control = clamp(d.actuation_ctrl[m.actuator_ctrladr[actuator]], 0.0, 1.0)
    excess, q = control - d.act[last], m.actuator_dynprm
    rising, falling = q[actuator, ACTIVATION_TIME], q[actuator, DEACTIVATION_TIME]
    time = activation_time(excess, d.act[last], rising, falling, q[actuator, SWITCH_WIDTH])
    d.act_dot[last] = excess / maximum(MINVAL, time)


# --- force


@kernel
def peak_force(parameters, actuator, acc0):
    """The force at optimal length; a negative parameter asks for one that accelerates the body by `scale`."""
    force = parameters[actuator, FORCE]
    return where(force < 0.0, parameters[actuator, SCALE] / maximum(MINVAL, acc0), force)


@kernel
def optimal_length(m, parameters, actuator, out):
    """The length at which lengthrange covers the operating range."""
    span = m.actuator_lengthrange[out, 1] - m.actuator_lengthrange[out, 0]
    return span / maximum(MINVAL, parameters[actuator, RANGE_HIGH] - parameters[actuator, RANGE_LOW])


@kernel
def relative_length(m, parameters, actuator, out, length):
    """Length in units of the optimal length."""
    unit = optimal_length(m, parameters, actuator, out)
    return parameters[actuator, RANGE_LOW] + (length - m.actuator_lengthrange[out, 0]) / maximum(MINVAL, unit)


@kernel
def force_length(length, lmin, lmax):
    """Active force over length: four parabolas from 0 at lmin over 1 at length 1 to 0 at lmax."""
    a, b = 0.5 * (lmin + 1.0), 0.5 * (1.0 + lmax)
    x = where(
        length <= a,
        (length - lmin) / maximum(MINVAL, a - lmin),
        where(
            length <= 1.0,
            (1.0 - length) / maximum(MINVAL, 1.0 - a),
            where(length <= b, (length - 1.0) / maximum(MINVAL, b - 1.0), (lmax - length) / maximum(MINVAL, lmax - b)),
        ),
    )
    half = 0.5 * x * x
    near_peak = and_(length > a, length <= b)
    is_inside = and_(lmin <= length, length <= lmax)
    return where(is_inside, where(near_peak, 1.0 - half, half), 0.0)


@kernel
def force_velocity(velocity, fvmax):
    """Active force over velocity: 0 when shortening at full speed, 1 at rest, fvmax when lengthening fast."""
    y = fvmax - 1.0
    shortening = (velocity + 1.0) * (velocity + 1.0)
    lengthening = fvmax - (y - velocity) * (y - velocity) / maximum(MINVAL, y)
    force = where(velocity <= y, lengthening, fvmax)
    return where(velocity <= -1.0, 0.0, where(velocity <= 0.0, shortening, force))


@kernel
def muscle_gain(m, d, actuator, out):
    """Active force at full activation; muscles pull, so it is negative."""
    p = m.actuator_gainprm
    length = relative_length(m, p, actuator, out, d.actuator_length[out])
    speed = maximum(MINVAL, optimal_length(m, p, actuator, out) * p[actuator, VMAX])
    along_length = force_length(length, p[actuator, LMIN], p[actuator, LMAX])
    along_velocity = force_velocity(d.actuator_velocity[out] / speed, p[actuator, FVMAX])
    return -peak_force(p, actuator, m.actuator_acc0[out]) * along_length * along_velocity


@driven_force.row(GainType.MUSCLE)
@kernel
def muscle_force(m, d, actuator, out, activation):
    """Active force times activation."""
    d.actuator_force[out] = muscle_gain(m, d, actuator, out) * signal(m, d, actuator, out, activation)


@driven_slope.row(GainType.MUSCLE)
@kernel
def muscle_force_slope(m, d, actuator, out):
    """Derivative of the active force by the velocity: of the force-velocity curve, times the activation."""
    p = m.actuator_gainprm
    length = relative_length(m, p, actuator, out, d.actuator_length[out])
    speed = maximum(MINVAL, optimal_length(m, p, actuator, out) * p[actuator, VMAX])
    velocity, y = d.actuator_velocity[out] / speed, p[actuator, FVMAX] - 1.0
    lengthening = where(velocity <= y, 2.0 * (y - velocity) / maximum(MINVAL, y), 0.0)
    curve = where(velocity <= -1.0, 0.0, where(velocity <= 0.0, 2.0 * velocity + 2.0, lengthening))
    along_length = force_length(length, p[actuator, LMIN], p[actuator, LMAX])
    force = -peak_force(p, actuator, m.actuator_acc0[out]) * along_length
    return signal_slope(m, d, actuator, force * curve / speed)


@kernel
def length_curve_slope(length, lmin, lmax):
    """Derivative of `force_length`."""
    a, b = 0.5 * (lmin + 1.0), 0.5 * (1.0 + lmax)
    rising, falling = maximum(MINVAL, a - lmin), maximum(MINVAL, lmax - b)
    before, after = maximum(MINVAL, 1.0 - a), maximum(MINVAL, b - 1.0)
    slope = where(
        length <= a,
        (length - lmin) / (rising * rising),
        where(
            length <= 1.0,
            (1.0 - length) / (before * before),
            where(length <= b, -(length - 1.0) / (after * after), -(lmax - length) / (falling * falling)),
        ),
    )
    return where(and_(lmin <= length, length <= lmax), slope, 0.0)


@driven_length_slope.row(GainType.MUSCLE)
@kernel
def muscle_force_length_slope(m, d, actuator, out):
    """Derivative of the active force by the length: of the force-length curve, times the activation."""
    p = m.actuator_gainprm
    unit = maximum(MINVAL, optimal_length(m, p, actuator, out))
    length = relative_length(m, p, actuator, out, d.actuator_length[out])
    speed = maximum(MINVAL, optimal_length(m, p, actuator, out) * p[actuator, VMAX])
    along_velocity = force_velocity(d.actuator_velocity[out] / speed, p[actuator, FVMAX])
    force = -peak_force(p, actuator, m.actuator_acc0[out]) * along_velocity
    slope = length_curve_slope(length, p[actuator, LMIN], p[actuator, LMAX])
    return signal_slope(m, d, actuator, force * slope / unit)


@bias_force.row(BiasType.MUSCLE)
@kernel
def muscle_bias(m, d, actuator, out):
    """Passive force: none up to the optimal length, then a parabola, then a line."""
    p = m.actuator_biasprm
    length = relative_length(m, p, actuator, out, d.actuator_length[out])
    peak = -peak_force(p, actuator, m.actuator_acc0[out]) * p[actuator, FPMAX]
    b = 0.5 * (1.0 + p[actuator, LMAX])
    width = maximum(MINVAL, b - 1.0)
    x = (length - 1.0) / width
    parabola = peak * 0.5 * x * x
    line = peak * (0.5 + (length - b) / width)
    force = where(length <= 1.0, 0.0, where(length <= b, parabola, line))
    d.actuator_force[out] = d.actuator_force[out] + force


@bias_length_slope.row(BiasType.MUSCLE)
@kernel
def muscle_bias_length_slope(m, d, actuator, out):
    """Derivative of the passive force by the length: none, then a line, then a constant."""
    p = m.actuator_biasprm
    unit = maximum(MINVAL, optimal_length(m, p, actuator, out))
    length = relative_length(m, p, actuator, out, d.actuator_length[out])
    peak = -peak_force(p, actuator, m.actuator_acc0[out]) * p[actuator, FPMAX]
    b = 0.5 * (1.0 + p[actuator, LMAX])
    width = maximum(MINVAL, b - 1.0)
    slope = where(length <= b, (length - 1.0) / width, 1.0) * peak / width
    return where(length <= 1.0, 0.0, slope) / unit
