"""How hard and how fast a row acts: impedance, stiffness and damping from `solimp` and `solref`."""

from __future__ import annotations

from phalanx.algebra.elementary import power
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, and_, any_, maximum, minimum, not_, or_, sqrt, where
from phalanx.algebra.vector import MINVAL
from phalanx.memory.flags import is_disabled
from phalanx.smooth.step_metric import has_step_metric
from phalanx.tables.enums import DisableBit
from phalanx.tables.sizes import MAXIMP, MINIMP

#: Time constant and damping ratio that replace a `solref` of mixed signs.
DEFAULT_TIME, DEFAULT_RATIO = 0.02, 1.0


@kernel
def clip_impedance(value):
    """Within MuJoCo's bounds: neither zero nor one, which would make a row infinitely soft or hard."""
    return minimum(MAXIMP, maximum(MINIMP, value))


@kernel
def usable_impedance(solimp):
    """`solimp` within its bounds: impedance at zero and at full width, width, midpoint, power."""
    return (
        clip_impedance(solimp[0]), clip_impedance(solimp[1]), maximum(0.0, solimp[2]), clip_impedance(solimp[3]),
        maximum(1.0, solimp[4]),
    )  # fmt: skip


@kernel
def quick_power(x, exponent, is_two):
    """x**exponent and x**(exponent - 1), the exponent being 2 almost always."""
    high, low = x * x, x
    if any_(not_(is_two)):
        high = where(is_two, high, power(x, exponent))
        low = where(is_two, low, power(x, exponent - 1.0))
    return high, low


@kernel
def impedance(solimp, violation):
    """Impedance at a distance from the margin, and its derivative: a smooth step from the first value to the second.

    `solimp` must be usable.
    """
    start, end, width, middle, exponent = solimp
    is_flat = or_(start == end, width <= MINVAL)
    x = abs_(violation) / where(is_flat, 1.0, width)
    is_inside = and_(not_(is_flat), and_(x > 0.0, x < 1.0))
    # two power curves that meet at the midpoint with equal slope (MuJoCo's getimpedance)
    is_low = x <= middle
    is_two = or_(exponent == 2.0, not_(is_inside))
    rest = where(is_low, x, 1.0 - x)
    high, low = quick_power(where(is_inside, rest, 0.5), exponent, is_two)
    _, unit = quick_power(where(is_low, middle, 1.0 - middle), exponent, is_two)
    factor = 1.0 / unit
    y, slope = factor * high, exponent * factor * low
    # of the first power the curve is a line, whatever the midpoint
    is_linear = exponent == 1.0
    y = where(is_linear, x, where(is_low, y, 1.0 - y))
    slope = where(is_linear, 1.0, slope)
    outside = where(is_flat, 0.5 * (start + end), where(x >= 1.0, end, start))
    rise = end - start
    sign = where(violation < 0.0, -1.0, 1.0)
    return (
        where(is_inside, start + y * rise, outside),
        where(is_inside, slope * sign * rise / where(is_flat, 1.0, width), 0.0),
    )


@kernel
def has_mixed_signs(solref):
    """Is one value of a `solref` positive and the other not, which has no meaning?"""
    first, second = solref[0] > 0.0, solref[1] > 0.0
    return or_(and_(first, not_(second)), and_(second, not_(first)))


@kernel
def not_too_fast(m, solref):
    """`solref` whose time constant is at least two steps, unless the option `refsafe` is off.

    Rows that the metric of a step makes implicit are stable whatever their time constant.
    """
    time = solref[0]
    if not is_disabled(m, DisableBit.REFSAFE) and not has_step_metric(m):
        time = where(time > 0.0, maximum(time, 2.0 * m.opt.timestep), time)
    return (time, solref[1])


@kernel
def usable_reference(m, solref):
    """Positive: time constant and damping ratio; not positive: stiffness and damping. Mixed: the default."""
    is_mixed = has_mixed_signs(solref)
    return not_too_fast(m, (where(is_mixed, DEFAULT_TIME, solref[0]), where(is_mixed, DEFAULT_RATIO, solref[1])))


@kernel
def friction_reference(m, solreffriction, normal_reference):
    """What the friction directions of an elliptic contact use: their own parameters, or those of the normal."""
    is_own = and_(not_(has_mixed_signs(solreffriction)), or_(solreffriction[0] != 0.0, solreffriction[1] != 0.0))
    own = not_too_fast(m, solreffriction)
    return (where(is_own, own[0], normal_reference[0]), where(is_own, own[1], normal_reference[1]))


@kernel
def stiffness(reference, end):
    """K of a usable reference, `end` being the impedance at full width."""
    time, ratio = reference
    is_standard = time > 0.0
    squared = end * end
    below = where(is_standard, squared * time * time * ratio * ratio, squared)
    return where(is_standard, 1.0, -time) / maximum(MINVAL, below)


@kernel
def damping(reference, end):
    """B of a usable reference, `end` being the impedance at full width."""
    time, ratio = reference
    is_standard = ratio > 0.0
    return where(is_standard, 2.0, -ratio) / maximum(MINVAL, where(is_standard, end * time, end))


@kernel
def row_parameters(m, solref, solimp, violation):
    """(K, B, impedance, its derivative) of a row at a distance from its margin."""
    usable = usable_impedance(solimp)
    reference = usable_reference(m, solref)
    value, slope = impedance(usable, violation)
    return (stiffness(reference, usable[1]), damping(reference, usable[1]), value, slope)


# --- rows that are implicit in the metric of a step


@kernel
def softest_ratio():
    """(1 - I) / I of the hardest row that there may be."""
    return (1.0 - MAXIMP) / MAXIMP


@kernel
def implicit_divisor(m, parameters):
    """1 + h B + h² K I: how much harder a row of given (K, B, I, ...) gets when its spring is that after the step."""
    step = m.opt.timestep
    return 1.0 + step * parameters[1] + step * step * parameters[0] * parameters[2]


@kernel
def one_sided_parameters(m, solref, solimp, violation):
    """(K, B, impedance, its derivative) of a limit or a contact.

    In the metric of a step, one whose spring the step cannot resolve would rebound. The option `refsafe` replaces it by
    the stiffest that does not, with the same damping ratio as far as the hardest row allows: MuJoCo's rule.
    """
    parameters = row_parameters(m, solref, solimp, violation)
    if not has_step_metric(m) or is_disabled(m, DisableBit.REFSAFE):
        return parameters
    k, b, value, slope = parameters
    step, reference = m.opt.timestep, usable_reference(m, solref)
    is_stiff = and_(reference[0] > 0.0, step * step * k * value > 1.0)
    stiffest = 1.0 / (step * step * value)
    most = maximum(0.0, (1.0 - value) / value / softest_ratio() - 2.0) / step
    resisting = minimum(2.0 * maximum(0.0, reference[1]) * sqrt(stiffest), most)
    return where(is_stiff, stiffest, k), where(is_stiff, resisting, b), value, slope
