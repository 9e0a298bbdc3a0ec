"""Hill muscles: fibers with an elastic element beside them, in series with a tendon. An extension of Phalanx.

With forces in units of F0, the fiber length l in optimal lengths l0, its velocity v in units of the fastest
contraction, activation a, pennation angle p, length L of the whole muscle and tendon slack length s:

    (a fl(l) fv(v) + fp(l) + damping v) cos p = ft((L - l0 l cos p) / s),    l sin p = sin p0 always

fl is a sum of three bells, fp and ft are exponentials (De Groote et al. 2016), fv Hill's hyperbola for shortening and
another one of the same slope for lengthening. The balance is therefore solved for v by the roots of two quadratic
equations. l is a state, and the force is that of the tendon. A tendon may be much stiffer than
the step could follow: the rate of l is that of an implicit step.

With a rigid tendon l and v follow from L, and the force is that of the fibers; the activation is the only state.

A fiber length that is not positive has not been set: it is replaced by that of the equilibrium at rest. Layout of the
parameters: `phalanx/smooth/actuator/hill_parameters.py`.
"""

from __future__ import annotations

from phalanx.algebra.elementary import exp, log, sin
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import any_, clamp, maximum, minimum, sqrt, where
from phalanx.algebra.vector import MINVAL
from phalanx.smooth.actuator.hill_parameters import (
    ACTIVATION_TIME,
    BELL1,
    BELL2,
    BELL3,
    CURVATURE,
    DAMPING,
    DEACTIVATION_TIME,
    ECCENTRIC_FORCE,
    FIBER,
    FIBER_LENGTH,
    KNEE_FORCE,
    LENGTH_OFFSET,
    MAX_FORCE,
    MAX_VELOCITY,
    PASSIVE_SHAPE,
    PASSIVE_STRAIN,
    PENNATION,
    SHORTEST,
    SLACK_LENGTH,
    SMALLEST_COSINE,
    SWITCH_WIDTH,
    TENDON_FACTOR,
    TENDON_STRAIN,
)
from phalanx.smooth.actuator.muscle import activation_time
from phalanx.smooth.actuator.table import activation_rate, driven_force, driven_slope
from phalanx.tables.enums import DynType, GainType

#: sin of the largest pennation angle.
LARGEST_SINE = (1.0 - SMALLEST_COSINE * SMALLEST_COSINE) ** 0.5
#: exp(PASSIVE_SHAPE), logarithm of the tendon's force at its strain, and its argument at the knee.
PASSIVE_UNIT = 54.598150033144236
TENDON_SHAPE = 1.791759469228055
TENDON_KNEE = 2.3978952727983707
#: Newton steps of the implicit update; fewer would give energy to fibers that are hardly damped.
NEWTON_STEPS = 5
#: Halvings that find the equilibrium: the interval shrinks below the last digit.
HALVINGS = 60


# --- curves: each returns value and slope


@kernel
def straightened_exp(x, knee):
    """exp(x) up to the knee, then its tangent; and the slope."""
    slope = exp(minimum(x, knee))
    return slope * (1.0 + maximum(0.0, x - knee)), slope


@kernel
def bell(shape, length):
    """A bell whose width grows with the length."""
    height, center, width, growth = shape
    spread = width + growth * length
    x = (length - center) / spread
    value = height * exp(-0.5 * x * x)
    return value, -value * x * (width + growth * center) / (spread * spread)


@kernel
def active_curve(length):
    """Force of fully active fibers at rest."""
    value1, slope1 = bell(BELL1, length)
    value2, slope2 = bell(BELL2, length)
    value3, slope3 = bell(BELL3, length)
    return value1 + value2 + value3, slope1 + slope2 + slope3


@kernel
def passive_curve(length, strain):
    """Force of stretched fibers: 1 at the given strain."""
    shape = PASSIVE_SHAPE / strain
    offset = exp(shape * (SHORTEST - 1.0))
    unit = PASSIVE_UNIT - offset
    value, slope = straightened_exp(shape * (length - 1.0), log(offset + KNEE_FORCE * unit))
    return maximum(0.0, (value - offset) / unit), shape * slope / unit


@kernel
def tendon_curve(length, strain):
    """Force of the tendon over its length in slack lengths: 1 at the given strain, none below 1."""
    shape = TENDON_SHAPE / strain
    value, slope = straightened_exp(shape * (length - 1.0), TENDON_KNEE)
    is_taut = length > 1.0
    return where(is_taut, TENDON_FACTOR * (value - 1.0), 0.0), where(is_taut, TENDON_FACTOR * shape * slope, 0.0)


@kernel
def velocity_curve(velocity, eccentric, curvature):
    """Factor of the active force: none at the fastest shortening, 1 at rest, less than `eccentric` when lengthening."""
    shortening = clamp(velocity, -1.0, 0.0)
    divisor = 1.0 - shortening / curvature
    steepness = 1.0 + 1.0 / curvature
    rise = eccentric - 1.0
    bend = rise / steepness
    reach = maximum(velocity, 0.0) + bend
    value = where(velocity <= 0.0, (1.0 + shortening) / divisor, 1.0 + rise * (reach - bend) / reach)
    slope = where(velocity <= 0.0, steepness / (divisor * divisor), rise * bend / (reach * reach))
    return value, where(velocity < -1.0, 0.0, slope)


@kernel
def balanced_velocity(active, load, damping, eccentric, curvature):
    """v such that active fv(v) + damping v = load: a root of a quadratic equation on each branch of fv."""
    # shortening: (damping / curvature) v² - b v - (active - load) = 0
    excess = maximum(active - load, 0.0)
    b = active + damping + load / curvature
    shortening = -2.0 * excess / maximum(b + sqrt(b * b + 4.0 * damping / curvature * excess), MINVAL)
    # lengthening: damping v² + p v - bend (load - active) = 0
    bend = (eccentric - 1.0) / (1.0 + 1.0 / curvature)
    surplus = maximum(load - active, 0.0)
    p = active * eccentric + damping * bend - load
    root = sqrt(p * p + 4.0 * damping * bend * surplus)
    lengthening = where(p > 0.0, 2.0 * bend * surplus / maximum(p + root, MINVAL), (root - p) / (2.0 * damping))
    # faster than fibers contract: only damping
    return where(load > active, lengthening, where(load < -damping, load / damping, shortening))


# --- geometry


@kernel
def shortest_fiber(sine):
    """The shortest length of fibers that may lean."""
    return maximum(SHORTEST, sine / LARGEST_SINE)


@kernel
def along_tendon(length, sine):
    """Length of the fibers along the tendon, in optimal lengths."""
    return sqrt(length * length - sine * sine)


@kernel
def muscle_length(m, d, actuator, out):
    """Length of fibers and tendon."""
    return d.actuator_length[out] + m.actuator_dynprm[actuator, LENGTH_OFFSET]


@kernel
def tendon_state(p, actuator, whole, length, sine):
    """Force of the tendon and its slope, for lengths of muscle and fibers."""
    slack = p[actuator, SLACK_LENGTH]
    stretched = (whole - p[actuator, FIBER_LENGTH] * along_tendon(length, sine)) / slack
    return tendon_curve(stretched, p[actuator, TENDON_STRAIN])


# --- state


@kernel
def is_elastic(m, actuator):
    """Is the length of the fibers a state?"""
    return m.actuator_actnum[actuator] > 1


@kernel
def equilibrium_length(m, d, actuator, whole, activation):
    """Length of fibers at rest whose force is that of the tendon, by halving the interval that the tendon leaves."""
    p = m.actuator_gainprm
    sine = sin(p[actuator, PENNATION])
    low = shortest_fiber(sine)
    # the tendon is slack from here on
    straight = (whole - p[actuator, SLACK_LENGTH]) / p[actuator, FIBER_LENGTH]
    high = maximum(low, sqrt(straight * straight + sine * sine))
    high = where(straight > 0.0, high, low)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        active, _ = active_curve(middle)
        passive, _ = passive_curve(middle, p[actuator, PASSIVE_STRAIN])
        tendon, _ = tendon_state(p, actuator, whole, middle, sine)
        pulls = tendon > (activation * active + passive) * along_tendon(middle, sine) / middle
        low, high = where(pulls, middle, low), where(pulls, high, middle)
    return 0.5 * (low + high)


@kernel
def fiber_rate(m, d, actuator, out, activation, length):
    """Rate of the fiber length over the next step, by backward Euler: forces balance at its end."""
    step = m.opt.timestep
    sine = sin(m.actuator_gainprm[actuator, PENNATION])
    whole = muscle_length(m, d, actuator, out) + step * d.actuator_velocity[out]
    shortest = shortest_fiber(sine)
    x = maximum(length, shortest)
    for _ in range(NEWTON_STEPS):
        rate, resistance = balanced_rate(m.actuator_gainprm, actuator, whole, x, sine, activation)
        x = maximum(x - (x - length - step * rate) / (1.0 + step * resistance), shortest)
    return (x - length) / step


@kernel
def balanced_rate(p, actuator, whole, length, sine, activation):
    """Rate of the fiber length at which forces balance, and how fast it falls with the length (never negative)."""
    damping, eccentric, curvature = p[actuator, DAMPING], p[actuator, ECCENTRIC_FORCE], p[actuator, CURVATURE]
    straight = along_tendon(length, sine)
    lean = length / straight  # 1 / cos p
    tendon, stiffness = tendon_state(p, actuator, whole, length, sine)
    passive, passive_slope = passive_curve(length, p[actuator, PASSIVE_STRAIN])
    active, active_slope = active_curve(length)
    velocity = balanced_velocity(activation * active, tendon * lean - passive, damping, eccentric, curvature)

    factor, slope = velocity_curve(velocity, eccentric, curvature)
    ratio = p[actuator, FIBER_LENGTH] / p[actuator, SLACK_LENGTH]
    bending = sine * sine / (straight * straight * straight)
    resistance = stiffness * ratio * lean * lean + tendon * bending + passive_slope + activation * factor * active_slope
    yielding = p[actuator, MAX_VELOCITY] / (activation * active * slope + damping)
    return p[actuator, MAX_VELOCITY] * velocity, yielding * maximum(resistance, 0.0)


@activation_rate.row(DynType.HILL)
@kernel
def hill_rate(m, d, actuator, first):
    """Rates of activation and fiber length; a fiber length that has not been set starts in equilibrium."""
    control = clamp(d.actuation_ctrl[m.actuator_ctrladr[actuator]], 0.0, 1.0)
    excess = control - d.act[first]
    q = m.actuator_dynprm
    time = activation_time(
        excess, d.act[first], q[actuator, ACTIVATION_TIME], q[actuator, DEACTIVATION_TIME], q[actuator, SWITCH_WIDTH]
    )
    # no faster than a step can follow
    d.act_dot[first] = excess / maximum(m.opt.timestep, time)
    if is_elastic(m, actuator):
        out, fiber = m.actuator_outadr[actuator], first + FIBER
        activation = clamp(d.act[first], 0.0, 1.0)
        is_unset = d.act[fiber] <= 0.0
        if any_(is_unset):
            whole = muscle_length(m, d, actuator, out)
            start = equilibrium_length(m, d, actuator, whole, activation)
            d.act[fiber] = where(is_unset, start, d.act[fiber])
        d.act_dot[fiber] = fiber_rate(m, d, actuator, out, activation, d.act[fiber])


# --- force


@driven_force.row(GainType.HILL)
@kernel
def hill_force(m, d, actuator, out, activation):
    """Muscles pull, so the force is negative."""
    p, first = m.actuator_gainprm, m.actuator_actadr[actuator]
    if is_elastic(m, actuator):
        sine = sin(p[actuator, PENNATION])
        length = maximum(d.act[first + FIBER], shortest_fiber(sine))
        force, _ = tendon_state(p, actuator, muscle_length(m, d, actuator, out), length, sine)
    else:
        force, _ = rigid_force(m, d, actuator, out, d.act[first])
    d.actuator_force[out] = -p[actuator, MAX_FORCE] * force


@kernel
def rigid_force(m, d, actuator, out, activation):
    """Force of fibers whose tendon is rigid, in units of F0, and its slope by the velocity of the actuator."""
    p = m.actuator_gainprm
    sine = sin(p[actuator, PENNATION])
    optimal, eccentric = p[actuator, FIBER_LENGTH], p[actuator, ECCENTRIC_FORCE]
    whole = muscle_length(m, d, actuator, out)
    straight = maximum((whole - p[actuator, SLACK_LENGTH]) / optimal, 0.0)
    length = maximum(sqrt(straight * straight + sine * sine), shortest_fiber(sine))
    cosine = along_tendon(length, sine) / length
    unit = cosine / (optimal * p[actuator, MAX_VELOCITY])
    velocity = d.actuator_velocity[out] * unit
    active, _ = active_curve(length)
    passive, _ = passive_curve(length, p[actuator, PASSIVE_STRAIN])
    factor, slope = velocity_curve(velocity, eccentric, p[actuator, CURVATURE])
    active = clamp(activation, 0.0, 1.0) * active
    force = cosine * (active * factor + passive + p[actuator, DAMPING] * velocity)
    pulls = force > 0.0
    return where(pulls, force, 0.0), where(pulls, cosine * (active * slope + p[actuator, DAMPING]) * unit, 0.0)


@driven_slope.row(GainType.HILL)
@kernel
def hill_slope(m, d, actuator, out):
    """Derivative of the force by the velocity of the actuator; an elastic tendon does not feel it."""
    if is_elastic(m, actuator):
        return 0.0
    _, slope = rigid_force(m, d, actuator, out, d.act[m.actuator_actadr[actuator]])
    return -m.actuator_gainprm[actuator, MAX_FORCE] * slope
