"""What a servo is asked to do: its inputs, rate limits, and setpoints that live on a circle."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import abs_, and_, clamp, copysign, floor, where
from phalanx.algebra.vector import norm
from phalanx.tables.enums import BiasType, CtrlInput, DynType, GainType, TrnType
from phalanx.tables.joints import IS_PERIODIC

TURN = 6.283185307179586


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
    """Nearest integral number, ties away from zero."""
    magnitude = abs_(x)
    whole = floor(magnitude)
    return copysign(where(magnitude - whole >= 0.5, whole + 1.0, whole), x)


@kernel
def nearest_turn(setpoint, length, period):
    """The setpoint, shifted by whole periods to come nearest to `length`; as it is where the period is zero."""
    is_periodic = period > 0.0
    turns = round_away((setpoint - length) / where(is_periodic, period, 1.0))
    return where(is_periodic, setpoint - period * turns, setpoint)


@kernel
def has_circle(m, actuator):
    """Can the output of the actuator be an angle of a rotation in space? Decided by the types alone."""
    kind = m.actuator_trntype[actuator]
    if kind in (TrnType.JOINT, TrnType.JOINTINPARENT):
        return IS_PERIODIC[m.jnt_type[m.actuator_trnid[actuator, 0]]]
    return kind == TrnType.SITE and m.actuator_trnid[actuator, 1] >= 0


@kernel
def is_setpoint_on_circle(m, actuator):
    """Does the actuator track a setpoint, of its length, that is an angle? Decided by the types alone."""
    if not has_circle(m, actuator):
        return False
    if m.actuator_gaintype[actuator] == GainType.PID:
        return True
    is_linear = m.actuator_gaintype[actuator] == GainType.FIXED and m.actuator_biastype[actuator] == BiasType.AFFINE
    return is_linear and (m.actuator_dyntype[actuator] == DynType.NONE or keeps_setpoint(m, actuator))


@kernel
def keeps_setpoint(m, actuator):
    """Is the last activation of the actuator a setpoint that follows its control?"""
    return m.actuator_dyntype[actuator] in (DynType.INTEGRATOR, DynType.FILTER, DynType.FILTEREXACT)


@kernel
def setpoint_period(m, actuator):
    """Length of a full turn; zero in worlds whose gains or gears make the actuator something else than a servo."""
    out = m.actuator_outadr[actuator]
    if m.actuator_trntype[actuator] == TrnType.SITE:
        x, y, z = load3(m.actuator_gear, out)
        angular = (m.actuator_gear[out, 3], m.actuator_gear[out, 4], m.actuator_gear[out, 5])
        is_rotation = and_(x == 0.0, and_(y == 0.0, z == 0.0))
        period = where(is_rotation, TURN * norm(angular), 0.0)
    else:
        period = TURN * norm(load3(m.actuator_gear, out))
    if m.actuator_gaintype[actuator] != GainType.PID:
        is_servo = m.actuator_gainprm[actuator, 0] == -m.actuator_biasprm[actuator, 1]
        period = where(is_servo, period, 0.0)
    return period


@kernel
def nearest_setpoint(m, actuator, setpoint, place):
    """The setpoint that counts: on a circle the one nearest to `place`, else as it is."""
    if is_setpoint_on_circle(m, actuator):
        return nearest_turn(setpoint, place, setpoint_period(m, actuator))
    return setpoint
