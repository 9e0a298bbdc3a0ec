"""How actuator forces change with velocity: moment' (slope) moment, where no limit holds the force."""

from __future__ import annotations

from phalanx.algebra.elementary import exp
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, and_, any_, maximum, or_, where
from phalanx.algebra.vector import MINVAL
from phalanx.memory.flags import is_disabled
from phalanx.smooth.actuator.activation import force_activation, is_switched_off
from phalanx.smooth.actuator.actuation import is_drive_saturated, is_joint_saturated, tendon_force
from phalanx.smooth.actuator.dc_motor import (
    BRISTLE_DAMPING,
    CURRENT_RATE,
    ELECTRIC_TIME,
    KD,
    KI,
    KP,
    MOTOR_CONSTANT,
    RESISTANCE,
    SETPOINTS,
    VOLTAGE_LIMIT,
    hot_resistance,
    motor_slots,
    state_at,
)
from phalanx.smooth.actuator.hill_muscle import hill_slope
from phalanx.smooth.actuator.linear_force import first_control
from phalanx.smooth.actuator.muscle import force_length, optimal_length, peak_force, relative_length
from phalanx.smooth.actuator.setpoint import servo_inputs
from phalanx.tables.enums import BiasType, DisableBit, GainType, TrnType

#: The sum of forces on a tendon counts as held by a limit this close to it, relative to the limit.
TENDON_MARGIN = 1e-10


@kernel
def actuator_derivative(m, d):
    """Add the derivative of qfrc_actuator."""
    if not is_disabled(m, DisableBit.ACTUATION):
        for actuator in range(m.nactuator):
            if not is_switched_off(m, actuator):
                slope = where_target_yields(m, d, actuator, force_slope(m, d, actuator))
                first = m.actuator_outadr[actuator]
                for out in range(first, first + m.actuator_outnum[actuator]):
                    start, count = d.moment_rowadr[out], d.moment_rownnz[out]
                    add_outer_product(m, d, d.actuator_moment, d.moment_colind, start, count, slope)


@kernel
def add_outer_product(m, d, row, colind, start, count, slope):
    """qDeriv += slope row' row, for a sparse row with increasing columns; entries outside the pattern are dropped."""
    acts = slope != 0.0
    if any_(acts):
        for a in range(start, start + count):
            factor = row[a] * slope
            address = m.D_rowadr[colind[a]]
            end = address + m.D_rownnz[colind[a]]
            for b in range(start, start + count):
                while address < end and m.D_colind[address] < colind[b]:
                    address += 1
                if address < end and m.D_colind[address] == colind[b]:
                    entry = d.qDeriv[address]
                    d.qDeriv[address] = where(acts, entry + factor * row[b], entry)


@kernel
def force_slope(m, d, actuator):
    """Derivative of the force of an actuator by its own velocity; zero where forcerange holds the force."""
    out = m.actuator_outadr[actuator]
    kind = m.actuator_gaintype[actuator]
    if kind == GainType.DCMOTOR:
        return motor_slope(m, d, actuator, out)
    slope = 0.0
    if m.actuator_biastype[actuator] in (BiasType.AFFINE, BiasType.SO3):
        slope = slope + m.actuator_biasprm[actuator, 2]
    if kind == GainType.AFFINE:
        slope = driven_slope(m, d, actuator, slope, m.actuator_gainprm[actuator, 2])
    elif kind == GainType.MUSCLE:
        slope = driven_slope(m, d, actuator, slope, muscle_slope(m, d, actuator, out))
    elif kind == GainType.HILL:
        slope = slope + hill_slope(m, d, actuator, out)
    return where(is_drive_saturated(m, d, actuator), 0.0, slope)


@kernel
def driven_slope(m, d, actuator, slope, gain_slope):
    """`slope` with that of the gain, times the activation or control that the gain multiplies."""
    if m.actuator_actnum[actuator] > 0:
        signal = force_activation(m, d, actuator)
    else:
        signal = first_control(m, d, actuator)
    return where(gain_slope != 0.0, slope + gain_slope * signal, slope)


@kernel
def where_target_yields(m, d, actuator, slope):
    """`slope`, but zero where a limit of the joint or tendon that the actuator drives holds the total force."""
    kind = m.actuator_trntype[actuator]
    target = m.actuator_trnid[actuator, 0]
    if kind == TrnType.TENDON and m.tendon_actfrclimited[target]:
        total = tendon_force(m, d, target)
        low, high = m.tendon_actfrcrange[target, 0], m.tendon_actfrcrange[target, 1]
        is_low = total <= low + TENDON_MARGIN * abs_(low)
        is_high = total >= high - TENDON_MARGIN * abs_(high)
        slope = where(or_(is_low, is_high), 0.0, slope)
    return where(is_joint_saturated(m, d, actuator), 0.0, slope)


@kernel
def muscle_slope(m, d, actuator, out):
    """Derivative of the gain of a muscle by its velocity."""
    p = m.actuator_gainprm
    length = relative_length(m, p, actuator, out, d.actuator_length[out])
    speed = maximum(MINVAL, optimal_length(m, p, actuator, out) * p[actuator, 6])
    velocity, y = d.actuator_velocity[out] / speed, p[actuator, 8] - 1.0
    lengthening = where(velocity <= y, 2.0 * (y - velocity) / maximum(MINVAL, y), 0.0)
    curve = where(velocity <= -1.0, 0.0, where(velocity <= 0.0, 2.0 * velocity + 2.0, lengthening))
    force = -peak_force(p, actuator, m.actuator_acc0[out]) * force_length(length, p[actuator, 4], p[actuator, 5])
    return force * curve / speed


@kernel
def motor_slope(m, d, actuator, out):
    """Derivative of the torque of a DC motor by its velocity: electrical, unless a limit holds it, and friction."""
    p, q = m.actuator_dynprm, m.actuator_gainprm
    constant, time = q[actuator, MOTOR_CONSTANT], p[actuator, ELECTRIC_TIME]
    _, integral, temperature, _, current = motor_slots(m, actuator)
    resistance = maximum(MINVAL, hot_resistance(m, actuator, state_at(m, d.act, actuator, temperature)))
    drive = drive_slope(m, d, actuator, out, state_at(m, d.act, actuator, integral))
    slope = constant * (drive - constant) / resistance

    # a current that is an activation has moved only part of the way, or no faster than it may
    has_current = time > 0.0
    if any_(has_current):
        followed = 1.0 - exp(-m.opt.timestep / where(has_current, time, 1.0))
        slope = where(has_current, slope * followed, slope)
        limit = p[actuator, CURRENT_RATE]
        is_fast = abs_(state_at(m, d.act_dot, actuator, current)) >= limit
        slope = where(and_(has_current, and_(limit > 0.0, is_fast)), 0.0, slope)

    slope = where(is_drive_saturated(m, d, actuator), 0.0, slope)
    friction = p[actuator, BRISTLE_DAMPING]
    return where(friction > 0.0, slope - friction, slope)


@kernel
def drive_slope(m, d, actuator, out, integral):
    """Derivative of the voltage of the controller of a DC motor by the velocity; zero beyond its limit."""
    slope = 0.0
    if m.actuator_ctrlspec[actuator] & SETPOINTS:
        q = m.actuator_gainprm
        position, velocity, feedforward, _ = servo_inputs(m, d, actuator)
        speed = d.actuator_velocity[out]
        torque = q[actuator, KP] * (position - d.actuator_length[out]) + q[actuator, KD] * (velocity - speed)
        torque = torque + q[actuator, KI] * integral + feedforward
        constant, resistance = q[actuator, MOTOR_CONSTANT], q[actuator, RESISTANCE]
        drive = resistance / constant * torque + constant * speed
        limit = q[actuator, VOLTAGE_LIMIT]
        is_held = and_(limit > 0.0, abs_(drive) >= limit)
        slope = where(is_held, 0.0, constant - q[actuator, KD] * resistance / constant)
    return slope
