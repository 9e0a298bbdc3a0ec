"""The DC motor: electrical torque from voltage and back-EMF, an on-board controller, heat, cogging and friction.

Torque is K i. Without inductance the current follows the voltage, i = (V - K velocity) / R; with it the current is an
activation. The controller makes a voltage from setpoints so that the torque it asks for is delivered. Cogging and LuGre
friction act on the shaft, beyond the force limits of the drive.

A motor has up to five activations, those that its parameters switch on, in this order: rate-limited setpoint, integral
of the position error, temperature above ambient, bristle deflection, current. Parameters may differ
between worlds, and so may the place of each activation.
"""

from __future__ import annotations

from phalanx.algebra.elementary import cos, exp, sin
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, and_, any_, clamp, maximum, where
from phalanx.algebra.vector import MINVAL
from phalanx.smooth.actuator.linear_dynamics import filtered
from phalanx.smooth.actuator.linear_force import first_control
from phalanx.smooth.actuator.setpoint import anti_windup, rate_limited, servo_inputs
from phalanx.smooth.actuator.slope import force_length_slope, force_slope, is_drive_saturated
from phalanx.smooth.actuator.table import (
    activation_rate,
    advanced_activation,
    bias_force,
    driven_force,
    mechanical_force,
)
from phalanx.tables.actuators import BIASES, DYNAMICS, GAINS
from phalanx.tables.enums import BiasType, CtrlInput, DynType, GainType

#: Columns of actuator_dynprm.
ELECTRIC_TIME, CURRENT_RATE, THERMAL_RESISTANCE, THERMAL_CAPACITY, AMBIENT = DYNAMICS[DynType.DCMOTOR].places(
    "electric_time", "current_rate", "thermal_resistance", "thermal_capacity", "ambient"
)
BRISTLE_STIFFNESS, BRISTLE_DAMPING, SLEW, INTEGRAL_LIMIT = DYNAMICS[DynType.DCMOTOR].places(
    "bristle_stiffness", "bristle_damping", "slew", "integral_limit"
)
#: Columns of actuator_gainprm.
RESISTANCE, MOTOR_CONSTANT, HEAT_COEFFICIENT, REFERENCE_TEMPERATURE = GAINS[GainType.DCMOTOR].places(
    "resistance", "motor_constant", "heat_coefficient", "reference_temperature"
)
KP, KI, KD, VOLTAGE_LIMIT = GAINS[GainType.DCMOTOR].places("kp", "ki", "kd", "voltage_limit")
#: Columns of actuator_biasprm.
COGGING, POLES, PHASE, COULOMB, STATIC, STRIBECK = BIASES[BiasType.DCMOTOR].places(
    "cogging", "poles", "phase", "coulomb", "static", "stribeck"
)

SETPOINTS = CtrlInput.POS | CtrlInput.VEL | CtrlInput.FF


# --- where the activations are


@kernel
def motor_slots(m, actuator):
    """Place of (setpoint, integral, temperature, bristle, current) among the activations, -1 for one not in use."""
    p, q = m.actuator_dynprm, m.actuator_gainprm
    setpoint, count = next_slot(p[actuator, SLEW] > 0.0, 0.0)
    integral, count = next_slot(q[actuator, KI] > 0.0, count)
    temperature, count = next_slot(p[actuator, THERMAL_RESISTANCE] > 0.0, count)
    bristle, count = next_slot(p[actuator, BRISTLE_STIFFNESS] > 0.0, count)
    current, count = next_slot(p[actuator, ELECTRIC_TIME] > 0.0, count)
    return setpoint, integral, temperature, bristle, current


@kernel
def next_slot(is_used, count):
    """(place or -1, count of places in use)"""
    return where(is_used, count, -1.0), where(is_used, count + 1.0, count)


@kernel
def state_at(m, field, actuator, slot):
    """act or act_dot of a motor at a place; zero where the place is -1."""
    value = 0.0
    first = m.actuator_actadr[actuator]
    for k in range(m.actuator_actnum[actuator]):
        value = where(slot == float(k), field[first + k], value)
    return value


# --- the electrical side


@kernel
def hot_resistance(m, actuator, temperature):
    """Resistance at a temperature above ambient, where heat is modelled."""
    p, q = m.actuator_dynprm, m.actuator_gainprm
    excess = temperature + p[actuator, AMBIENT] - q[actuator, REFERENCE_TEMPERATURE]
    cold = q[actuator, RESISTANCE]
    hot = cold * (1.0 + q[actuator, HEAT_COEFFICIENT] * excess)
    return where(p[actuator, THERMAL_RESISTANCE] > 0.0, hot, cold)


@kernel
def controller_voltage(m, d, actuator, out, position, velocity, feedforward, integral):
    """Voltage that the controller asks for: that of its torque at rest, and back-EMF to compensate."""
    q, speed = m.actuator_gainprm, d.actuator_velocity[out]
    torque = q[actuator, KP] * (position - d.actuator_length[out]) + q[actuator, KD] * (velocity - speed)
    torque = torque + q[actuator, KI] * integral + feedforward
    constant = q[actuator, MOTOR_CONSTANT]
    return q[actuator, RESISTANCE] / constant * torque + constant * speed


@kernel
def terminal_voltage(m, d, actuator, out, integral):
    """Voltage of the controller, within its limit, plus the voltage given directly."""
    position, velocity, feedforward, voltage = servo_inputs(m, d, actuator)
    if m.actuator_ctrlspec[actuator] & SETPOINTS:
        drive = controller_voltage(m, d, actuator, out, position, velocity, feedforward, integral)
        limit = m.actuator_gainprm[actuator, VOLTAGE_LIMIT]
        voltage = where(limit > 0.0, clamp(drive, -limit, limit), drive) + voltage
    return voltage


@kernel
def motor_gain(m, d, actuator):
    """Torque per current where current is an activation, else torque per voltage."""
    p, q = m.actuator_dynprm, m.actuator_gainprm
    _, _, place, _, _ = motor_slots(m, actuator)
    resistance = hot_resistance(m, actuator, state_at(m, d.act, actuator, place))
    constant = q[actuator, MOTOR_CONSTANT]
    return where(p[actuator, ELECTRIC_TIME] > 0.0, constant, constant / maximum(MINVAL, resistance))


@driven_force.row(GainType.DCMOTOR)
@kernel
def motor_force(m, d, actuator, out, activation):
    """Torque of the current, or of the voltage where the current follows it at once."""
    _, place, _, _, _ = motor_slots(m, actuator)
    voltage = first_control(m, d, actuator)
    if m.actuator_ctrlspec[actuator] != CtrlInput.VOLTAGE and m.actuator_ctrlnum[actuator] > 0:
        voltage = terminal_voltage(m, d, actuator, out, state_at(m, d.act, actuator, place))
    has_current = m.actuator_dynprm[actuator, ELECTRIC_TIME] > 0.0
    d.actuator_force[out] = motor_gain(m, d, actuator) * where(has_current, activation, voltage)


@bias_force.row(BiasType.DCMOTOR)
@kernel
def back_emf(m, d, actuator, out):
    """The torque of back-EMF, unless the current feels it."""
    braking = motor_gain(m, d, actuator) * m.actuator_gainprm[actuator, MOTOR_CONSTANT] * d.actuator_velocity[out]
    has_current = m.actuator_dynprm[actuator, ELECTRIC_TIME] > 0.0
    d.actuator_force[out] = d.actuator_force[out] - where(has_current, 0.0, braking)


# --- the mechanical side


@kernel
def bristle_decay(m, d, actuator):
    """Rate at which a bristle relaxes: -stiffness |v| / g(v), with g between static and Coulomb friction."""
    p, b = m.actuator_dynprm, m.actuator_biasprm
    velocity = d.actuator_velocity[m.actuator_outadr[actuator]]
    ratio = velocity / maximum(MINVAL, b[actuator, STRIBECK])
    friction = b[actuator, COULOMB] + (b[actuator, STATIC] - b[actuator, COULOMB]) * exp(-ratio * ratio)
    return -p[actuator, BRISTLE_STIFFNESS] * abs_(velocity) / maximum(MINVAL, friction)


@mechanical_force.row(BiasType.DCMOTOR)
@kernel
def cogging_and_friction(m, d, actuator, out):
    """Cogging, a wave over the angle, and LuGre friction: bristles that deflect (Canudas de Wit et al. 1995)."""
    p, b = m.actuator_dynprm, m.actuator_biasprm
    force = d.actuator_force[out]
    has_cogging = b[actuator, COGGING] != 0.0
    if any_(has_cogging):
        wave = sin(b[actuator, POLES] * d.actuator_length[out] + b[actuator, PHASE])
        force = where(has_cogging, force + b[actuator, COGGING] * wave, force)
    has_bristle = p[actuator, BRISTLE_STIFFNESS] > 0.0
    if any_(has_bristle):
        _, _, _, place, _ = motor_slots(m, actuator)
        deflection, rate = state_at(m, d.act, actuator, place), state_at(m, d.act_dot, actuator, place)
        friction = p[actuator, BRISTLE_STIFFNESS] * deflection + p[actuator, BRISTLE_DAMPING] * rate
        force = where(has_bristle, force - friction, force)
    d.actuator_force[out] = force


# --- slope


@force_slope.row(GainType.DCMOTOR)
@kernel
def motor_slope(m, d, actuator, out):
    """Derivative of the torque by the velocity: electrical with back-EMF, unless a limit holds it, and friction."""
    constant, friction = m.actuator_gainprm[actuator, MOTOR_CONSTANT], m.actuator_dynprm[actuator, BRISTLE_DAMPING]
    _, drive = drive_slopes(m, d, actuator, out)
    # friction acts on the shaft, which no limit of the drive holds
    slope = torque_slope(m, d, actuator, drive - constant)
    return where(friction > 0.0, slope - friction, slope)


@force_length_slope.row(GainType.DCMOTOR)
@kernel
def motor_length_slope(m, d, actuator, out):
    """Derivative of the torque by the length: of the controller, unless a limit holds it, and cogging."""
    b = m.actuator_biasprm
    drive, _ = drive_slopes(m, d, actuator, out)
    slope = torque_slope(m, d, actuator, drive)
    has_cogging = b[actuator, COGGING] != 0.0
    if any_(has_cogging):
        wave = b[actuator, POLES] * cos(b[actuator, POLES] * d.actuator_length[out] + b[actuator, PHASE])
        slope = where(has_cogging, slope + b[actuator, COGGING] * wave, slope)
    return slope


@kernel
def torque_slope(m, d, actuator, voltage):
    """Change of the electrical torque that a change of the voltage makes, unless a limit holds it."""
    p, q = m.actuator_dynprm, m.actuator_gainprm
    constant, time = q[actuator, MOTOR_CONSTANT], p[actuator, ELECTRIC_TIME]
    _, _, temperature, _, current = motor_slots(m, actuator)
    resistance = maximum(MINVAL, hot_resistance(m, actuator, state_at(m, d.act, actuator, temperature)))
    slope = constant * voltage / resistance

    # a current that is an activation has moved only part of the way, or no faster than it may
    has_current = time > 0.0
    if any_(has_current):
        followed = 1.0 - exp(-m.opt.timestep / where(has_current, time, 1.0))
        slope = where(has_current, slope * followed, slope)
        limit = p[actuator, CURRENT_RATE]
        is_fast = abs_(state_at(m, d.act_dot, actuator, current)) >= limit
        slope = where(and_(has_current, and_(limit > 0.0, is_fast)), 0.0, slope)
    return where(is_drive_saturated(m, d, actuator), 0.0, slope)


@kernel
def drive_slopes(m, d, actuator, out):
    """Derivatives of the voltage of the controller by length and velocity; zero beyond its limit."""
    by_length, by_velocity = 0.0, 0.0
    if m.actuator_ctrlspec[actuator] & SETPOINTS:
        q = m.actuator_gainprm
        _, place, _, _, _ = motor_slots(m, actuator)
        position, velocity, feedforward, _ = servo_inputs(m, d, actuator)
        constant, resistance = q[actuator, MOTOR_CONSTANT], q[actuator, RESISTANCE]
        integral = state_at(m, d.act, actuator, place)
        drive = controller_voltage(m, d, actuator, out, position, velocity, feedforward, integral)
        limit = q[actuator, VOLTAGE_LIMIT]
        is_held = and_(limit > 0.0, abs_(drive) >= limit)
        by_length = where(is_held, 0.0, -q[actuator, KP] * resistance / constant)
        by_velocity = where(is_held, 0.0, constant - q[actuator, KD] * resistance / constant)
    return by_length, by_velocity


# --- activations


@activation_rate.row(DynType.DCMOTOR)
@kernel
def motor_rates(m, d, actuator, first):
    """Rates of setpoint, integral, temperature, bristle and current, each where the parameters switch it on."""
    p, q = m.actuator_dynprm, m.actuator_gainprm
    out, step = m.actuator_outadr[actuator], m.opt.timestep
    slots = motor_slots(m, actuator)
    previous, integral = state_at(m, d.act, actuator, slots[0]), state_at(m, d.act, actuator, slots[1])
    temperature, bristle = state_at(m, d.act, actuator, slots[2]), state_at(m, d.act, actuator, slots[3])
    current = state_at(m, d.act, actuator, slots[4])
    velocity = d.actuator_velocity[out]

    # the first control moves no faster than the slew rate
    target = first_control(m, d, actuator)
    slew = p[actuator, SLEW]
    limited = rate_limited(target, previous, slew, step)
    target = where(slew > 0.0, limited, target)
    if m.actuator_ctrlnum[actuator] > 0:
        d.actuation_ctrl[m.actuator_ctrladr[actuator]] = target

    error = anti_windup(target - d.actuator_length[out], integral, p[actuator, INTEGRAL_LIMIT])
    voltage = terminal_voltage(m, d, actuator, out, integral)

    # current and heat
    constant = q[actuator, MOTOR_CONSTANT]
    resistance = hot_resistance(m, actuator, temperature)
    time = p[actuator, ELECTRIC_TIME]
    has_current = time > 0.0
    current = where(has_current, current, (voltage - constant * velocity) / resistance)
    is_warm = p[actuator, THERMAL_RESISTANCE] > 0.0
    cooling = temperature / where(is_warm, p[actuator, THERMAL_RESISTANCE], 1.0)
    heating = (resistance * current * current - cooling) / where(is_warm, p[actuator, THERMAL_CAPACITY], 1.0)
    surge = (voltage / resistance - constant / resistance * velocity - current) / where(has_current, time, 1.0)
    limit = p[actuator, CURRENT_RATE]
    surge = where(limit > 0.0, clamp(surge, -limit, limit), surge)

    # friction: z' = v - stiffness |v| z / g(v)
    slip = bristle_decay(m, d, actuator) * bristle + velocity
    for k in range(m.actuator_actnum[actuator]):
        place = float(k)
        rate = where(slots[0] == place, (limited - previous) / step, 0.0)
        rate = where(slots[1] == place, error, rate)
        rate = where(slots[2] == place, heating, rate)
        rate = where(slots[3] == place, slip, rate)
        d.act_dot[first + k] = where(slots[4] == place, surge, rate)


@advanced_activation.row(DynType.DCMOTOR)
@kernel
def advanced_motor_state(m, d, actuator, address, rate):
    """Current and bristle are solved exactly, the integral is clamped, the rest takes an Euler step."""
    p, step = m.actuator_dynprm, m.opt.timestep
    place = float(address - m.actuator_actadr[actuator])
    _, integral, _, bristle, current = motor_slots(m, actuator)
    value = d.act[address] + rate * step
    limit = p[actuator, INTEGRAL_LIMIT]
    is_bounded = limit > 0.0
    clamped = clamp(value, where(is_bounded, -limit, value), where(is_bounded, limit, value))
    value = where(integral == place, clamped, value)
    is_current = current == place
    if any_(is_current):
        solved = filtered(d.act[address], rate, maximum(MINVAL, p[actuator, ELECTRIC_TIME]), step)
        value = where(is_current, solved, value)
    is_bristle = bristle == place
    if any_(is_bristle):
        value = where(is_bristle, relaxed_bristle(m, d, actuator, d.act[address], step), value)
    return value


@kernel
def relaxed_bristle(m, d, actuator, deflection, step):
    """Deflection one step later, for z' = a z + v with a and v as they are now."""
    velocity = d.actuator_velocity[m.actuator_outadr[actuator]]
    decay = bristle_decay(m, d, actuator)
    transition = exp(decay * step)
    decays = abs_(decay) > MINVAL
    reach = where(decays, (transition - 1.0) / where(decays, decay, 1.0), step)
    return transition * deflection + reach * velocity
