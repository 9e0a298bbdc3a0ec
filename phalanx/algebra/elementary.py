"""Elementary functions of a number: sine, exponential and their family, without a mathematical library.

One source for a float64 of one world and for lanes of float64 and of float32. Each function reduces its argument in a
fixed order of exact steps, evaluates one polynomial, and undoes the reduction; special values are selected. Hence all
ways of running agree bit for bit in double precision. Values at zeros, infinities and NaN are those of C99, annex F.

The bounds in the docstrings hold for float64 and for float32, in units in the last place (ulp) of the result; they were
measured against 200-bit arithmetic.
Polynomials are minimax in the relative error of the function (Remez exchange). The structure of the steps follows
W. J. Cody and W. Waite, Software Manual for the Elementary Functions (1980), M. Payne and R. Hanek, Radian reduction
for trigonometric functions (1983), and T. J. Dekker, A floating-point technique for extending the available precision
(1971).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import (
    abs_,
    and_,
    any_,
    clamp,
    copysign,
    exponent,
    floor,
    high_half,
    is_single,
    lane_count,
    lane_get,
    lane_set,
    mantissa,
    maximum,
    narrow,
    not_,
    or_,
    pick,
    power_of_two,
    round_even,
    splat,
    sqrt,
    where,
    widen,
)

INFINITY = float("inf")
NAN = float("nan")

PI = 3.141592653589793
HALF_PI = 1.5707963267948966
#: HALF_PI + HALF_PI_TAIL is pi/2 to twice the precision; the tail of a float32 differs.
HALF_PI_TAIL = 6.123233995736766e-17
HALF_PI_TAIL_SINGLE = -4.3711390001862426e-08
TWO_OVER_PI = 0.6366197723675814
ONE_OVER_LN2 = 1.4426950408889634
#: Below this size the hyperbolic tangent is a short series.
TANH_SERIES = 0.02

#: The bits of 2/pi in words of 24, after two words of zero.
TWO_OVER_PI_WORDS = tuple(float(word) for word in (
    0x000000, 0x000000, 0xA2F983, 0x6E4E44, 0x1529FC, 0x2757D1, 0xF534DD, 0xC0DB62, 0x95993C, 0x439041, 0xFE5163,
    0xABDEBB, 0xC561B7, 0x246E3A, 0x424DD2, 0xE00649, 0x2EEA09, 0xD1921C, 0xFE1DEB, 0x1CB129, 0xA73EE8, 0x8235F5,
    0x2EBB44, 0x84E99C, 0x7026B4, 0x5F7E41, 0x3991D6, 0x398353, 0x39F49C, 0x845F8B, 0xBDF928, 0x3B1FF8, 0x97FFDE,
    0x05980F, 0xEF2F11, 0x8B5A0A, 0x6D1F6D, 0x367ECF, 0x27CB09, 0xB74F46, 0x3F669E, 0x5FEA2D, 0x7527BA, 0xC7EBE5,
    0xF17B3D, 0x0739F7, 0x8A5292, 0xEA6BFB, 0x5FB11F, 0x8D5D08, 0x560330, 0x46FC7B,
))  # fmt: skip


# --- pairs of numbers: an unevaluated sum of twice the precision


@kernel
def _exact_sum(a, b):
    """The rounded sum, and its rounding error (Knuth, The Art of Computer Programming, volume 2, section 4.2.2)."""
    total = a + b
    b_part = total - a
    return total, (a - (total - b_part)) + (b - b_part)


@kernel
def _exact_product(a, b):
    """The rounded product, and its rounding error (Dekker 1971; halves are split by clearing bits)."""
    product = a * b
    a_high = high_half(a)
    a_low = a - a_high
    b_high = high_half(b)
    b_low = b - b_high
    return product, ((a_high * b_high - product) + (a_high * b_low + a_low * b_high)) + a_low * b_low


# --- angles modulo pi/2


@kernel
def _column(x0, x1, x2, column):
    """One column of the product of three words with those of 2/pi, carries aside."""
    a = pick(TWO_OVER_PI_WORDS, column + 2)
    b = pick(TWO_OVER_PI_WORDS, column + 1)
    c = pick(TWO_OVER_PI_WORDS, column)
    return x0 * a + x1 * b + x2 * c


@kernel
def _reduce_huge(x):
    """One float64 beyond 1e5 as n pi/2 and a rest: (n modulo 4, rest, tail of the rest).

    The product x * 2/pi in words of 24 bits, without those words of 2/pi that only add multiples of 4 (Payne, Hanek).
    One world only: how many words are skipped depends on the exponent of x.
    """
    size = abs_(x)
    e = exponent(size)
    skipped = maximum(floor((e - 25.0) / 24.0), 0.0)
    first = int(skipped)
    weight = power_of_two(e - 47.0 - 24.0 * skipped)

    # x in three words
    scaled = mantissa(size) * 8388608.0
    x0 = floor(scaled)
    scaled = (scaled - x0) * 16777216.0
    x1 = floor(scaled)
    x2 = (scaled - x1) * 16777216.0

    # columns of the product from the last; the sum of their digits as a pair
    fraction = 0.0 * weight
    tail = 0.0 * weight
    carry = 0.0 * weight
    for step in range(7):
        column = first + 7 - step
        product = _column(x0, x1, x2, column) + carry
        carry = floor(product * 5.960464477539063e-08)
        digit = product - carry * 16777216.0
        fraction, error = _exact_sum(digit * power_of_two(-24.0 * (7 - step)), fraction)
        tail = tail + error
    leading = _column(x0, x1, x2, first) + carry
    leading = leading * weight
    leading = leading - 4.0 * floor(leading * 0.25)
    fraction = fraction * weight
    tail = tail * weight

    n = round_even(leading + fraction)
    quarters, error = _exact_sum(leading - n, fraction)
    quarters, tail = _exact_sum(quarters, error + tail)
    # from multiples of pi/2 back to radians
    product, error = _exact_product(quarters, HALF_PI)
    error = error + (quarters * HALF_PI_TAIL + tail * HALF_PI)
    rest = product + error
    sign = copysign(1.0, x)
    return sign * n, sign * rest, sign * ((product - rest) + error)


@kernel
def _reduce_huge_worlds(x, n, rest, tail):
    """A reduced angle, put right in the worlds where `x` is huge."""
    huge = and_(abs_(x) > 1e5, abs_(x) < INFINITY)
    for world in range(lane_count(x)):
        if lane_get(huge, world):
            n_one, rest_one, tail_one = _reduce_huge(widen(lane_get(x, world)))
            n = lane_set(n, world, n_one)
            rest = lane_set(rest, world, rest_one)
            tail = lane_set(tail, world, tail_one)
    return n, rest, tail


@kernel
def _reduce_double(x):
    """`x` = n pi/2 + rest + tail, |rest| <= pi/4, in double precision."""
    n = round_even(x * TWO_OVER_PI) + 0.0
    # pi/2 in parts of 37, 37 and 53 bits: the first two products are exact
    near = x - n * 1.5707963267923333
    part = n * 2.5633441515839558e-12
    high = near - part
    low = n * 1.0562999066987428e-23 - ((near - high) - part)
    rest = high - low
    tail = (high - rest) - low
    if any_(abs_(x) > 1e5):
        n, rest, tail = _reduce_huge_worlds(x, n, rest, tail)
    return n, rest, tail


@kernel
def _reduce_far_worlds(x, n, rest, tail):
    """A reduced angle in single precision, put right in the worlds where `x` is far from zero."""
    far = abs_(x) > 3200.0
    n_wide, rest_wide, tail_wide = _reduce_double(widen(x))
    far_rest = narrow(x, rest_wide)
    far_tail = narrow(x, (rest_wide - widen(far_rest)) + tail_wide)
    far_n = narrow(x, n_wide - 4.0 * floor(n_wide * 0.25))
    return where(far, far_n, n), where(far, far_rest, rest), where(far, far_tail, tail)


@kernel
def _reduce_single(x):
    """`x` = n pi/2 + rest + tail, |rest| <= pi/4, in single precision."""
    n = round_even(x * TWO_OVER_PI) + 0.0
    # pi/2 in parts of 13, 13, 13 and 24 bits: the first three products are exact
    near = x - n * 1.570556640625
    part = n * 0.0002396702766418457
    middle = near - part
    low = (near - middle) - part
    part = n * 1.5890691429376602e-08
    high = middle - part
    low = (n * 2.563344151594519e-12 - ((middle - high) - part)) - low
    rest = high - low
    tail = (high - rest) - low
    if any_(abs_(x) > 3200.0):
        n, rest, tail = _reduce_far_worlds(x, n, rest, tail)
    return n, rest, tail


@kernel
def _sincos_of_rest(x):
    """Of `x` - n pi/2: (n, sine, its rounding error, cosine, its rounding error)."""
    if is_single(x):
        n, y, tail = _reduce_single(x)
        z = y * y
        s1 = -0.166666552
        s = 0.008332178 + z * -0.00019517231
        c = 0.0416666456 + z * (-0.00138873677 + z * 2.44384082e-05)
    else:
        n, y, tail = _reduce_double(x)
        z = y * y
        z2 = z * z
        s1 = -0.16666666666666632
        s = (0.008333333333322429 + z * -0.00019841269829817056) + z2 * (
            2.755731369438048e-06 + z * (-2.505075840138179e-08 + z * 1.5896807516523628e-10)
        )
        c = (0.0416666666666666 + z * -0.0013888888888874131) + z2 * (
            (2.4801587289486413e-05 + z * -2.7557314353359946e-07)
            + z2 * (2.0875723393337202e-09 + z * -1.1359653263161255e-11)
        )
    # sin(y + tail) = y - less, cos(y + tail) = 1 - y**2 / 2 + more; the order of fdlibm's k_sin.c and k_cos.c
    cube = z * y
    less = (z * (0.5 * tail - cube * s) - tail) - cube * s1
    sine = y - less
    half = 0.5 * z
    near_one = 1.0 - half
    more = ((1.0 - near_one) - half) + (z * (z * c) - y * tail)
    cosine = near_one + more
    return n, sine, (y - sine) - less, cosine, (near_one - cosine) + more


@kernel
def sincos(x):
    """(sin x, cos x). Within 0.8 ulp for every `x`."""
    x = splat(x, x)
    n, s, _, c, _ = _sincos_of_rest(x)
    # n modulo 4 tells the quadrant: its two bits swap sine and cosine, and choose the signs
    half = floor(n * 0.5)
    bit0 = n - 2.0 * half
    bit1 = half - 2.0 * floor(half * 0.5)
    odd = bit0 != 0.0
    sine = where(odd, c, s)
    cosine = where(odd, s, c)
    return where(bit1 != 0.0, -sine, sine), where(bit0 != bit1, -cosine, cosine)


@kernel
def sin(x):
    """Sine. Within 0.8 ulp for every `x`."""
    return sincos(x)[0]


@kernel
def cos(x):
    """Cosine. Within 0.8 ulp for every `x`."""
    return sincos(x)[1]


@kernel
def tan(x):
    """Tangent. Within 1.4 ulp for every `x`."""
    x = splat(x, x)
    n, s, s_low, c, c_low = _sincos_of_rest(x)
    odd = n != 2.0 * floor(n * 0.5)
    sine, sine_low = where(odd, -c, s), where(odd, -c_low, s_low)
    cosine, cosine_low = where(odd, s, c), where(odd, s_low, c_low)
    # the quotient, corrected to first order by the rounding errors of both; a zero keeps its sign
    ratio = sine / cosine
    return where(ratio == 0.0, ratio, ratio + (sine_low - ratio * cosine_low) / cosine)


# --- inverse trigonometric functions


@kernel
def _asin_series(z):
    """(asin(s) - s) / s for s = sqrt(z), z <= 1/4."""
    z2 = z * z
    if is_single(z):
        p = (0.166667536 + z * 0.0749524534) + z2 * (0.0454767458 + z * (0.0241489802 + z * 0.0422167629))
    else:
        z4 = z2 * z2
        low = (0.16666666666666763 + z * 0.07499999999970262) + z2 * (0.044642857175119725 + z * 0.030381942683671784)
        middle = (0.02237221565877151 + z * 0.017351600118221323) + z2 * (
            0.01398096115533786 + z * 0.011397778218337673
        )
        high = (0.010786517670549122 + z * 0.003683080838890759) + z2 * (
            0.021763414036444658 + z * (-0.021077183928442433 + z * 0.03267682882291997)
        )
        p = low + z4 * (middle + z4 * high)
    return z * p


@kernel
def _half_angle(x):
    """What asin and acos share: (outer, z, s, high part of s, low part of s).

    For |x| >= 1/2, the outer part, z = (1 - |x|) / 2 and s = sqrt(z) as a pair; else z = x**2.
    """
    size = abs_(x)
    outer = size >= 0.5
    z = where(outer, (1.0 - size) * 0.5, x * x)
    s = sqrt(z)
    high = high_half(s)
    low = (z - high * high) / where(s == 0.0, 1.0, s + high)
    return outer, z, s, high, low


@kernel
def asin(x):
    """Arc sine; NaN outside [-1, 1]. Within 0.9 ulp."""
    x = splat(x, x)
    if is_single(x):
        half_pi_tail = HALF_PI_TAIL_SINGLE
    else:
        half_pi_tail = HALF_PI_TAIL
    outer, z, s, high, low = _half_angle(x)
    r = _asin_series(z)
    size = abs_(x)
    inner_angle = size + size * r
    # asin |x| = pi/2 - 2 asin(s): the half angle keeps away from the steep end at 1
    near = HALF_PI - 2.0 * high
    lost = (HALF_PI - near) - 2.0 * high
    outer_angle = near - ((2.0 * s * r - (half_pi_tail - 2.0 * low)) - lost)
    return copysign(where(outer, outer_angle, inner_angle), x)


@kernel
def acos(x):
    """Arc cosine; NaN outside [-1, 1]. Within 0.9 ulp."""
    x = splat(x, x)
    if is_single(x):
        half_pi_tail = HALF_PI_TAIL_SINGLE
    else:
        half_pi_tail = HALF_PI_TAIL
    outer, z, s, high, low = _half_angle(x)
    r = _asin_series(z)
    # pi/2 - asin(x) inside, 2 asin(s) at the right end, pi - 2 asin(s) at the left
    inner_angle = HALF_PI - (x - (half_pi_tail - x * r))
    right_angle = 2.0 * (high + (s * r + low))
    left_angle = 2.0 * HALF_PI - 2.0 * (s + (s * r - half_pi_tail))
    return where(outer, where(x > 0.0, right_angle, left_angle), inner_angle)


@kernel
def atan2(y, x):
    """Angle of the point (x, y) from the x axis, in [-pi, pi]; signed zeros tell the sides. Within 1.5 ulp."""
    y = splat(y, y) - splat(x, 0.0)
    x = splat(y, x)
    height = abs_(y)
    width = abs_(x)
    steep = height > width
    short = where(steep, width, height)
    long = where(steep, height, width)
    long = where(long == 0.0, 1.0, long)
    t = where(short == long, 1.0, short / long)

    # atan(t), 0 <= t <= 1, by one polynomial: no table, no second division
    z = t * t
    z2 = z * z
    z4 = z2 * z2
    if is_single(t):
        half_pi_tail = HALF_PI_TAIL_SINGLE
        low = (-0.333333015 + z * 0.199986383) + z2 * (-0.142652467 + z * 0.109575823)
        high = (-0.0841947645 + z * 0.0582348332) + z2 * (-0.0314559713 + z * (0.0110645872 + z * -0.0018272415))
        p = low + z4 * high
    else:
        half_pi_tail = HALF_PI_TAIL
        p0 = (-0.33333333333333093 + z * 0.19999999999955442) + z2 * (-0.14285714282802664 + z * 0.11111111013663603)
        p1 = (-0.09090907119470035 + z * 0.07692281189067413) + z2 * (-0.06666415014649871 + z * 0.058805926474711445)
        p2 = (-0.052538059313088255 + z * 0.0472329453322507) + z2 * (-0.042217205954398346 + z * 0.036693577149002087)
        p3 = (-0.029985638393429378 + z * 0.02208522184042487) + z2 * (-0.013995045063035274 + z * 0.007263394954723661)
        p4 = (-0.0029193599829937245 + z * 0.0008434907981042396) + z2 * (
            -0.00015479838217252146 + z * 1.3489413040844348e-05
        )
        p = p0 + z4 * (p1 + z4 * (p2 + z4 * (p3 + z4 * p4)))
    more = t * z * p

    # the octant: base + tail, plus or minus the angle t + more
    left = copysign(1.0, x) < 0.0
    backward = or_(and_(steep, not_(left)), and_(left, not_(steep)))
    t = where(backward, -t, t)
    more = where(backward, -more, more)
    base = where(steep, HALF_PI, where(left, 2.0 * HALF_PI, 0.0))
    tail = where(steep, half_pi_tail, where(left, 2.0 * half_pi_tail, 0.0))
    near = base + t
    return copysign(near + ((t - (near - base)) + (more + tail)), y)


@kernel
def atan(x):
    """Arc tangent. Within 1.5 ulp."""
    return atan2(x, splat(x, 1.0))


# --- exponential and logarithm


@kernel
def _exp_pair(x, tail):
    """exp(x + tail) = 2**n exp(r); n log 2 is taken off in two parts, the first exactly (Cody and Waite, chapter 6)."""
    if is_single(x):
        x = clamp(x, -104.0, 89.0)
        ln2_high = 0.693145751953125
        ln2_low = 1.4286068203094173e-06
    else:
        x = clamp(x, -746.0, 710.0)
        ln2_high = 0.6931471805598903
        ln2_low = 5.497923018708371e-14
    n = round_even(where(x == x, x, 0.0) * ONE_OVER_LN2)
    high = x - n * ln2_high
    low = n * ln2_low - tail
    r = high - low
    r2 = r * r
    if is_single(x):
        p = (0.5 + r * 0.166665211) + r2 * (0.0416662209 + r * (0.00836863648 + r * 0.00139496697))
    else:
        r4 = r2 * r2
        p0 = (0.5000000000000009 + r * 0.16666666666666693) + r2 * (0.04166666666653993 + r * 0.008333333333309694)
        p1 = (0.0013888888941482216 + r * 0.0001984126991283201) + r2 * (
            2.4801495015961217e-05 + r * 2.7557219820460587e-06
        )
        p = p0 + r4 * (p1 + r4 * (2.7629647253074335e-07 + r * 2.511687857920989e-08))
    near_one = 1.0 + high
    lost = high - (near_one - 1.0)
    y = near_one + (lost + (r2 * p - low))
    # two factors, for results beyond the normal exponents
    n_half = floor(n * 0.5)
    return y * power_of_two(n_half) * power_of_two(n - n_half)


@kernel
def exp(x):
    """Exponential. Within 0.8 ulp, gradual underflow included."""
    x = splat(x, x)
    return _exp_pair(x, 0.0)


@kernel
def _split(x):
    """(m, e) with x = m * 2**e and 1 <= m < 2, subnormals included, for a positive finite `x`."""
    if is_single(x):
        tiny = x < 1.1754943508222875e-38
        x = where(tiny, x * 33554432.0, x)
        e = where(tiny, -25.0, 0.0)
    else:
        tiny = x < 2.2250738585072014e-308
        x = where(tiny, x * 18014398509481984.0, x)
        e = where(tiny, -54.0, 0.0)
    return mantissa(x), e + exponent(x)


@kernel
def log(x):
    """Natural logarithm; -inf at zero, NaN below. Within 0.7 ulp."""
    x = splat(x, x)
    m, e = _split(x)
    upper = m > 1.4142135623730951
    e = where(upper, e + 1.0, e)
    f = where(upper, 0.5 * m, m) - 1.0
    s = f / (2.0 + f)
    z = s * s
    if is_single(x):
        ln2_high = 0.693145751953125
        ln2_low = 1.4286068203094173e-06
        p = 0.666667759 + z * (0.399775326 + z * 0.298720241)
    else:
        ln2_high = 0.6931471805598903
        ln2_low = 5.497923018708371e-14
        z2 = z * z
        p = (0.6666666666666734 + z * 0.399999999994151) + z2 * (
            (0.2857142874232109 + z * 0.22222198576486532)
            + z2 * (0.1818356435407264 + z * (0.15314044718646272 + z * 0.14796057284712508))
        )
    # log(1 + f) = f - f**2/2 + s (f**2/2 + z p), s = f / (2 + f): the series of fdlibm's e_log.c
    square = 0.5 * f * f
    high = f - square
    low = ((f - high) - square) + s * (square + z * p)
    base = e * ln2_high
    total = base + high
    lost = (base - total) + high
    y = total + (lost + (low + e * ln2_low))
    return where(x > 0.0, where(x < INFINITY, y, x), where(x == 0.0, -INFINITY, NAN))


@kernel
def _log_pair(x):
    """Natural logarithm of a positive finite float64 as a pair, to 2**-67."""
    m, e = _split(x)
    # m near 1, 3/2 or 2
    upper = m > 1.7320508075688772
    e = where(upper, e + 1.0, e)
    m = where(upper, 0.5 * m, m)
    middle = m > 1.224744871391589
    center = where(middle, 1.5, 1.0)
    # s = (m - center) / (m + center)
    f = m - center
    d, d_low = _exact_sum(m, center)
    inverse = 1.0 / d
    s = f * inverse
    product, error = _exact_product(s, d)
    s_low = (((f - product) - error) - s * d_low) * inverse
    # t = 3 + s**2 + 3/5 s**4 + ...; log(m / center) = 2/3 s t
    z, z_low = _exact_product(s, s)
    z_low = z_low + (s + s) * s_low
    z2 = z * z
    p = (0.5999999999999946 + z * 0.42857142857848385) + z2 * (
        (0.3333333298432872 + z * 0.27272811944276293) + z2 * (0.23066110776669918 + z * 0.20696354833325906)
    )
    t_high = 3.0 + z
    t_low = (z - (t_high - 3.0)) + (z_low + z2 * p)
    t = t_high + t_low
    t_low = (t_high - t) + t_low
    u, u_low = _exact_product(s, t)
    u_low = u_low + (s_low * t + s * t_low)
    v, v_low = _exact_product(u, 0.6666666666666666)
    v_low = v_low + (u * 3.700743415417188e-17 + u_low * 0.6666666666666666)
    # e log 2 + log(center), exact to 2**-43
    base = e * 0.6931471805598903 + where(middle, 0.40546510810816017, 0.0)
    base_low = e * 5.497923018708371e-14 + where(middle, 4.215966355549632e-15, 0.0)
    total = base + v
    low = ((base - total) + v) + (v_low + base_low)
    high = total + low
    return high, (total - high) + low


@kernel
def _power_positive(x, y):
    """x**y for a positive finite float64."""
    high, low = _log_pair(x)
    product, error = _exact_product(y, high)
    inside = and_(product > -746.0, product < 710.0)
    return _exp_pair(product, where(inside, error + y * low, 0.0))


@kernel
def power(x, y):
    """x**y, as C's pow. Within 0.8 ulp."""
    x = splat(x, x) - splat(y, 0.0)
    y = splat(x, y)
    size = abs_(x)
    bounded = where(and_(size > 0.0, size < INFINITY), size, 1.0)
    # a larger exponent gives 0, 1 or inf just the same
    limited = clamp(y, -1e20, 1e20)
    if is_single(x):
        r = narrow(x, exp(widen(limited) * log(widen(bounded))))
    else:
        r = _power_positive(bounded, limited)
    rising = y > 0.0
    r = where(size == 0.0, where(rising, 0.0, INFINITY), r)
    r = where(size == INFINITY, where(rising, INFINITY, 0.0), r)
    # negative base
    whole = floor(y) == y
    half = y * 0.5
    odd = and_(whole, floor(half) != half)
    r = where(and_(odd, copysign(1.0, x) < 0.0), -r, r)
    r = where(and_(and_(x < 0.0, size < INFINITY), not_(whole)), NAN, r)
    # not a number, unless the other argument decides
    r = where(or_(x != x, y != y), NAN, r)
    return splat(r, where(or_(y == 0.0, x == 1.0), 1.0, r))


@kernel
def tanh(x):
    """Hyperbolic tangent. Within 1e-14 of itself."""
    # (1 - e) / (1 + e) with e = exp(-2 |x|); near zero the difference cancels, so the Taylor series is taken
    size = abs_(x)
    decay = exp(-2.0 * size)
    square = x * x
    near_zero = x * (1.0 - square * (1.0 / 3.0 - square * (2.0 / 15.0 - square * (17.0 / 315.0))))
    return where(size < TANH_SERIES, near_zero, copysign((1.0 - decay) / (1.0 + decay), x))
