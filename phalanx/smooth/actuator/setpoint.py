"""What a servo is asked to do: its inputs, rate limits, and setpoints that live on a circle."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, clamp, copysign, floor, where
from phalanx.smooth.actuator.table import circle_period, has_circle
from phalanx.tables.actuators import BALANCED_GAINS, SERVO_GAINS, SETPOINT_DYNAMICS
from phalanx.tables.enums import BiasType, CtrlInput, DynType

#: 2 pi
FULL_ROTATION = 6.283185307179586


@kernel
def servo_inputs(m, d, actuator):
    """(position, velocity, feedforward, voltage) in effect; an input that the actuator does not take is zero."""
    spec = m.actuator_ctrlspec[actuator]
    address = m.actuator_ctrladr[actuator]
    position, velocity, feedforward, voltage = 0.0, 0.0, 0.0, 0.0
    if spec & CtrlInput.POS:
        position = d.actuation_ctrl[address]
        address += 1
    if spec & CtrlInput.VEL:
        velocity = d.actuation_ctrl[address]
        address += 1
    if spec & CtrlInput.FF:
        feedforward = d.actuation_ctrl[address]
        address += 1
    if spec & CtrlInput.VOLTAGE:
        voltage = d.actuation_ctrl[address]
    return position, velocity, feedforward, voltage


@kernel
def rate_limited(target, previous, rate, step):
    """`target`, no further from `previous` than `rate` allows in one step."""
    reach = rate * step
    return clamp(target, previous - reach, previous + reach)


@kernel
def anti_windup(error, integral, limit):
    """The error that an integral accumulates: none that drives it further beyond a positive limit."""
    capped = where(error <= 0.0, error, 0.0)
    raised = where(error >= 0.0, error, 0.0)
    kept = where(integral >= limit, capped, where(integral <= -limit, raised, error))
    return where(limit > 0.0, kept, error)


# --- setpoints on a circle


@kernel
def round_away(x):
    """The nearest whole value, ties away from zero."""
    magnitude = abs_(x)
    whole = floor(magnitude)
    return copysign(where(magnitude - whole >= 0.5, whole + 1.0, whole), x)


@kernel
def nearest_repetition(setpoint, length, period):
    """The setpoint, shifted by whole periods to come nearest to `length`; as it is where the period is zero."""
    is_periodic = period > 0.0
    count = round_away((setpoint - length) / where(is_periodic, period, 1.0))
    return where(is_periodic, setpoint - period * count, setpoint)


@kernel
def is_setpoint_on_circle(m, actuator):
    """Does the actuator track a setpoint, of its length, that is an angle? Decided by the types alone."""
    if not has_circle(m.actuator_trntype[actuator], m, actuator):
        return False
    gain = m.actuator_gaintype[actuator]
    if gain in SERVO_GAINS:
        return True
    can_balance = gain in BALANCED_GAINS and m.actuator_biastype[actuator] == BiasType.AFFINE
    return can_balance and (m.actuator_dyntype[actuator] == DynType.NONE or keeps_setpoint(m, actuator))


@kernel
def keeps_setpoint(m, actuator):
    """Is the last activation of the actuator a setpoint that follows its control?"""
    return m.actuator_dyntype[actuator] in SETPOINT_DYNAMICS


@kernel
def setpoint_period(m, actuator):
    """Length of a full rotation; zero in worlds whose gains or gears make the actuator no servo."""
    period = circle_period(m.actuator_trntype[actuator], m, actuator, m.actuator_outadr[actuator])
    if m.actuator_gaintype[actuator] in BALANCED_GAINS:
        is_servo = m.actuator_gainprm[actuator, 0] == -m.actuator_biasprm[actuator, 1]
        period = where(is_servo, period, 0.0)
    return period


@kernel
def nearest_setpoint(m, actuator, setpoint, place):
    """The setpoint that counts: on a circle the one nearest to `place`, else as it is."""
    if is_setpoint_on_circle(m, actuator):
        return nearest_repetition(setpoint, place, setpoint_period(m, actuator))
    return setpoint
