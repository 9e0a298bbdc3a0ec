"""Operations on a number of the physics: a float of one world, or a lane of W worlds.

These are the plain Python meanings, used when kernels run interpreted. `phalanx/native/intrinsics.py` says what the
same names compile to, for floats and for lanes. Every operation is exact IEEE arithmetic in a fixed order, so that all
ways of running agree bit for bit in double precision.

A comparison of numbers is a condition: a bool of one world, a mask of lanes. Conditions are combined with `and_`,
`or_`, `not_`; `any_` and `all_` make one plain bool of a condition.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

# --- conditions and selection


def where(condition: Any, a: Any, b: Any) -> Any:
    """`a` where the condition holds, else `b`; both are evaluated."""
    return a if condition else b


def and_(a: Any, b: Any) -> Any:
    """Both conditions."""
    return bool(a) and bool(b)


def or_(a: Any, b: Any) -> Any:
    """Either condition."""
    return bool(a) or bool(b)


def not_(a: Any) -> Any:
    """The opposite condition."""
    return not a


def any_(condition: Any) -> bool:
    """Does the condition hold in some world?"""
    return bool(condition)


def all_(condition: Any) -> bool:
    """Does the condition hold in every world?"""
    return bool(condition)


# --- arithmetic beyond + - * /


def minimum(a: Any, b: Any) -> Any:
    """The smaller; `b` if either is NaN, as MuJoCo's mju_min."""
    return a if a <= b else b


def maximum(a: Any, b: Any) -> Any:
    """The larger; `b` if either is NaN, as MuJoCo's mju_max."""
    return a if a >= b else b


def clamp(x: Any, low: Any, high: Any) -> Any:
    """`x` limited to [low, high]; NaN stays NaN."""
    return low if x < low else (high if x > high else x)


def abs_(x: Any) -> Any:
    """Absolute value."""
    return abs(x)


def sqrt(x: Any) -> Any:
    """Square root, correctly rounded; NaN for a negative number."""
    return np.sqrt(np.float64(x))


def copysign(magnitude: Any, sign: Any) -> Any:
    """`magnitude` with the sign of `sign`, signed zeros and NaN included."""
    return np.copysign(np.float64(magnitude), sign)


def floor(x: Any) -> Any:
    """Largest integral number not above `x`."""
    return np.floor(np.float64(x))


def round_even(x: Any) -> Any:
    """Nearest integral number, ties to even."""
    return np.rint(np.float64(x))


# --- binary representation, for the elementary functions


def power_of_two(k: Any) -> Any:
    """2**k for an integral number k in the normal exponent range [-1022, 1023] (float32: [-126, 127])."""
    return np.float64(math.ldexp(1.0, int(k)))


def mantissa(x: Any) -> Any:
    """The m of x = m * 2**e with 1 <= m < 2, for a positive normal `x`; any value otherwise."""
    bits = np.float64(x).view(np.int64)
    return np.int64((bits & 0x000FFFFFFFFFFFFF) | 0x3FF0000000000000).view(np.float64)


def exponent(x: Any) -> Any:
    """The e of x = m * 2**e with 1 <= m < 2, as a number, for a positive normal `x`; any value otherwise."""
    bits = np.float64(x).view(np.int64)
    return np.float64(((bits >> 52) & 0x7FF) - 1023)


def high_half(x: Any) -> Any:
    """`x` with the lower half of its significand cleared: exact products in extended-precision steps."""
    bits = np.float64(x).view(np.int64)
    return np.int64(bits & ~0x7FFFFFF).view(np.float64)


def bits(x: Any) -> Any:
    """The bits of the number of one world, as an integer: zero for 0.0 only, as -0.0 has a sign."""
    return np.float64(x).view(np.int64)


def is_single(x: Any) -> bool:
    """Is the number type float32? Known when compiling: the branch not taken costs nothing."""
    return False


def widen(x: Any) -> Any:
    """The number in double precision; a float64 stays as it is."""
    return np.float64(x)


def narrow(like: Any, x: Any) -> Any:
    """A number in double precision, rounded to the type of `like`."""
    return np.float64(x)


def pick(values: Any, i: int) -> Any:
    """Element `i` of a tuple of float constants, 0 <= i < len: a small table."""
    return values[i]


# --- numbers with tangents


def primal(x: Any) -> Any:
    """The number without its tangents, if it has any."""
    return x


def with_tangents(value: Any, source: Any) -> Any:
    """The value, with the tangents of another number, if that has any."""
    return value


def is_nonzero(x: Any) -> Any:
    """Is it not zero, or about to be? A number with tangents counts if one of them is not zero.

    For work that is skipped where it adds nothing: `x != 0.0` would lose the derivative of what it skips.
    """
    return x != 0.0


def values_of(d: Any) -> Any:
    """The same view, of which the values are read and written and tangents are left as they are."""
    return d


# --- loops


def independent(*bounds: int) -> range:
    """A range for a loop whose rounds do not read what others write: one world may run several of them at once."""
    return range(*bounds)


# --- single worlds of a lane


def lane_count(x: Any) -> int:
    """How many worlds the number holds."""
    return 1


def lane_get(x: Any, world: int) -> Any:
    """The number (or the condition) of one world."""
    return x


def lane_set(x: Any, world: int, value: Any) -> Any:
    """The lane with the number of one world replaced."""
    return value


def lane_sum(x: Any) -> Any:
    """Sum over worlds, in the order of worlds."""
    return x


def lane_min(x: Any) -> Any:
    """Smallest over worlds."""
    return x


def lane_max(x: Any) -> Any:
    """Largest over worlds."""
    return x


def count_(condition: Any) -> int:
    """In how many worlds does the condition hold?"""
    return int(condition)


def splat(like: Any, value: Any) -> Any:
    """`value` as a number of the same type as `like`."""
    return np.float64(value)
