"""Every operation on numbers, compiled for every number type, against its plain Python meaning."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phalanx.algebra import number
from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import (
    abs_,
    all_,
    and_,
    any_,
    bits,
    clamp,
    copysign,
    count_,
    exponent,
    floor,
    high_half,
    independent,
    is_nonzero,
    is_single,
    lane_count,
    lane_get,
    lane_max,
    lane_min,
    lane_set,
    lane_sum,
    mantissa,
    maximum,
    minimum,
    narrow,
    not_,
    or_,
    pick,
    power_of_two,
    primal,
    round_even,
    splat,
    sqrt,
    values_of,
    where,
    widen,
    with_tangents,
)
from phalanx.algebra.number_type import NumberType
from phalanx.native import runtime as compiler
from phalanx.native.diagnosis import KernelError
from tests.algebra.lane_harness import NUMBER_TYPES, Suite, same

TABLE = (1.5, -2.0, 0.1, 1e300)

# --- operations on each world by itself


@kernel
def arithmetic(a, b, c):
    t = a
    t += b
    t *= c
    t -= 0.25
    t /= b
    total = 0.0
    for _ in range(3):
        total = total + a
    return (a + b, a - b, a * b, a / b, -a, a + 1, 2 * b, a - 0.5, 1.0 / b, 3 / c, 1 - a, a * b + c, t, total)


@kernel
def comparisons(a, b, c):
    return (
        where(a < b, 1.0, 0.0), where(a <= b, 1.0, 0.0), where(a > b, 1.0, 0.0), where(a >= b, 1.0, 0.0),
        where(a == b, 1.0, 0.0), where(a != b, 1.0, 0.0), where(a < 1, 1.0, 0.0), where(0.5 >= b, 1.0, 0.0),  # noqa: SIM300
        where(a != 0.0, 1.0, 0.0), where(1 == c, 1.0, 0.0),  # noqa: SIM300
    )  # fmt: skip


@kernel
def conditions(a, b, c):
    seen = 1 > 2
    for i in range(2):
        seen = or_(seen, a > i)
    below, above = a < b, b > c
    return (
        where(and_(below, above), 1.0, 0.0), where(or_(below, above), 1.0, 0.0), where(not_(below), 1.0, 0.0),
        where(and_(below, True), 1.0, 0.0), where(or_(1 > 2, above), 1.0, 0.0), where(seen, 1.0, 0.0),
    )  # fmt: skip


@kernel
def selection(a, b, c):
    return (
        where(a < b, a, c), where(a < b, a, 2.0), where(a < b, 1, c), where(a < b, 1, 2), where(1 < 2, a, b),
        where(2 < 1, a, 7.0), minimum(a, b), maximum(a, b), minimum(a, 0.5), maximum(1, b), minimum(0.5, b),
        clamp(a, -1.0, 1.0), clamp(a, minimum(b, c), maximum(b, c)), clamp(a, -1, c), clamp(0.5, b, c),
        splat(a, minimum(2, 3)), splat(a, maximum(2, 3)),
    )  # fmt: skip


@kernel
def functions(a, b, c):
    return (
        abs_(a), sqrt(a), copysign(a, b), copysign(1.0, a), copysign(b, -2), floor(a), floor(c), round_even(a),
        round_even(c), splat(a, 3), splat(a, 0.5), splat(a, b), splat(a, sqrt(4)), splat(a, floor(7)),
        splat(a, pick(TABLE, 2)), narrow(a, widen(a) * 0.5), primal(a), with_tangents(a, b),
        where(is_nonzero(a), 1.0, 0.0),
    )  # fmt: skip


POINTWISE = Suite("number_pointwise", arithmetic, comparisons, conditions, selection, functions, arity=3,
                  results=(14, 10, 6, 17, 19))  # fmt: skip


def triples(base: str) -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    tiny = np.finfo(base).smallest_subnormal
    special = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -0.5, -1.5, np.inf, -np.inf, np.nan, tiny, -tiny]
    grid = np.array(np.meshgrid(special, special, special)).reshape(3, -1)
    drawn = np.round(rng.normal(size=(3, 200)) * 4, 1)
    return [np.concatenate(pair).astype(base) for pair in zip(grid, drawn, strict=True)]


@pytest.mark.parametrize("base, width", NUMBER_TYPES)
def test_operations_have_their_python_meaning_in_each_world(base, width):
    arguments = triples(base)
    with np.errstate(all="ignore"):
        # in float32, rounding the exact double once more changes nothing for one operation; a chain needs float32 steps
        meaning = POINTWISE.interpreted(*arguments).astype(base)
        if base == "float32":
            a, b, c = arguments
            meaning[:, 11] = a * b + c
            meaning[:, 12] = ((a + b) * c - np.float32(0.25)) / b
            meaning[:, 13] = np.float32(0) + a + a + a
    values = POINTWISE.run(base, width, *arguments)
    wrong = [k for k in range(values.shape[1]) if not same(values[:, k].copy(), meaning[:, k].copy())]
    assert not wrong


def test_minimum_maximum_and_clamp_treat_nan_as_mujoco():
    assert np.isnan(minimum(1.0, np.nan)) and minimum(np.nan, 1.0) == 1.0
    assert np.isnan(maximum(1.0, np.nan)) and maximum(np.nan, 1.0) == 1.0
    assert np.isnan(clamp(np.nan, 0.0, 1.0))


# --- binary representation


@kernel
def parts(x):
    return mantissa(x), exponent(x), high_half(x), where(x == x, 1.0 * is_single(x), 0.0)


@kernel
def two_to(k):
    return power_of_two(k)


PARTS = Suite("number_parts", parts, results=(4,))
POWERS = Suite("number_powers", two_to)


@pytest.mark.parametrize("base, width", NUMBER_TYPES)
def test_power_of_two_is_exact_for_all_normal_exponents(base, width):
    lowest, highest = (-1022, 1023) if base == "float64" else (-126, 127)
    k = np.arange(lowest, highest + 1).astype(base)
    expected = np.ldexp(np.ones(len(k), base), k.astype(int))
    assert same(POWERS.run(base, width, k)[:, 0].copy(), expected)
    if base == "float64":
        assert same(POWERS.interpreted(k)[:, 0].copy(), expected)


@pytest.mark.parametrize("base, width", NUMBER_TYPES)
def test_mantissa_exponent_and_high_half_take_a_number_apart(base, width):
    rng = np.random.default_rng(4)
    info = np.finfo(base)
    x = (2.0 ** rng.uniform(info.minexp, info.maxexp - 0.01, 500)).astype(base)
    x = np.concatenate([x, np.array([1.0, 2.0, info.tiny, info.max, 1.0 - info.epsneg], base)])
    fraction, e = np.frexp(x)
    integer, cleared = (np.int64, 27) if base == "float64" else (np.int32, 12)
    halves = (x.view(integer) & ~integer((1 << cleared) - 1)).view(base)
    expected = np.stack([2 * fraction, (e - 1).astype(base), halves, np.full(len(x), base == "float32", base)], -1)
    assert same(PARTS.run(base, width, x), expected)
    if base == "float64":
        assert same(PARTS.interpreted(x), expected)
    # the product of two high halves is exact
    halves = halves[(x > 1e-15) & (x < 1e15)]
    assert np.array_equal((halves * halves).astype(np.longdouble), halves.astype(np.longdouble) ** 2)


@kernel
def all_bits(x):
    return 1.0 * (bits(x) & 0xFFFFFFFF), 1.0 * (bits(x) >> 32), 1.0 * (bits(x) == 0)


BITS = Suite("number_bits", all_bits, results=(3,))


@pytest.mark.parametrize("base", ["float64", "float32"])
def test_bits_of_one_world_are_an_integer(base):
    x = np.array([0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 1e-310, 5e-324, -5e-324, np.pi], base)
    whole = x.view(np.uint64 if base == "float64" else np.uint32).astype(np.int64)
    expected = np.stack([whole & 0xFFFFFFFF, whole >> 32, whole == 0], -1).astype(base)
    assert same(BITS.run(base, 1, x), expected)
    if base == "float64":
        assert same(BITS.interpreted(x), expected)


def test_bits_of_a_lane_are_refused():
    with pytest.raises(KernelError, match="the same in all worlds"):
        BITS.run("float64", 4, np.ones(4))


# --- worlds of a lane


@kernel
def across(a, b):
    last = lane_count(a) - 1
    below = a < b
    if any_(below):
        some = splat(a, 1.0)
    else:
        some = splat(a, 0.0)
    if all_(below):
        every = splat(a, 1.0)
    else:
        every = splat(a, 0.0)
    reversed_ = a
    for world in range(lane_count(a)):
        reversed_ = lane_set(reversed_, world, lane_get(a, last - world))
    marked = splat(a, 0.0)
    for world in range(lane_count(a)):
        if lane_get(below, world):
            marked = lane_set(marked, world, 1.0)
    return (
        some, every, splat(a, count_(below)), splat(a, lane_count(a)), lane_sum(a), lane_min(a), lane_max(a),
        lane_get(a, last), where(lane_get(below, 0), 1.0, 0.0), lane_set(a, 0, 7.0), lane_set(a, last, 3), reversed_,
        lane_get(a, 0) + b, where(lane_get(a, 0) < b, lane_get(b, last), a), b * lane_sum(a),
        marked,
    )  # fmt: skip


ACROSS = Suite("number_across", across, arity=2, results=(16,))


def across_meaning(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """`across` for the worlds of one lane, in NumPy."""
    one, below = a.dtype.type, a < b
    total, least, most = a[0], a[0], a[0]
    for x in a[1:]:
        total, least, most = one(total + x), number.minimum(least, x), number.maximum(most, x)
    first, last = a.copy(), a.copy()
    first[0], last[-1] = 7.0, 3
    columns = [below.any(), below.all(), below.sum(), len(a), total, least, most, a[-1], below[0], first, last, a[::-1],
               a[0] + b, np.where(a[0] < b, b[-1], a), b * total, below]  # fmt: skip
    return np.stack([np.broadcast_to(np.asarray(c, a.dtype), a.shape) for c in columns], -1)


@pytest.mark.parametrize("base, width", NUMBER_TYPES)
def test_operations_across_worlds(base, width):
    rng = np.random.default_rng(6)
    worlds, rows = max(width, 1), 60
    a, b = rng.normal(size=(2, rows, worlds)).astype(base)
    b[:20] = a[:20] + 1
    b[20:30] = a[20:30] - 1
    a[40:50] = np.where(rng.random((10, worlds)) < 0.3, np.nan, a[40:50])
    a[50:] = np.where(rng.random((10, worlds)) < 0.3, np.inf, -0.0)
    with np.errstate(all="ignore"):
        meaning = np.concatenate([across_meaning(*pair) for pair in zip(a, b, strict=True)])
    values = ACROSS.run(base, width, a.ravel(), b.ravel())
    wrong = [k for k in range(values.shape[1]) if not same(values[:, k].copy(), meaning[:, k].copy())]
    assert not wrong
    if width == 0:
        assert same(ACROSS.interpreted(a.ravel(), b.ravel()), meaning)


# --- a lane of one world among wider lanes


@kernel
def mixed(one, wide):
    return (
        one + wide, wide - one, one * wide, wide / one, where(one < 0.0, wide, one), where(wide < one, one, wide),
        where(wide < one, 1.0, one), minimum(one, wide), maximum(wide, one), clamp(wide, -0.5, one),
        copysign(wide, one), copysign(one, wide), where(and_(one < 0.0, wide < 0.0), 1.0, 0.0),
        where(or_(wide > 1.0, one < 0.0), wide, 0.5), splat(wide, one), where(not_(one < wide), one, wide),
    )  # fmt: skip


@kernel
def mix_all(ones, wides, outputs, rows):
    for i in range(rows):
        values = mixed(ones[i], wides[i])
        outputs[i, 0] = values[0]
        outputs[i, 1] = values[1]
        outputs[i, 2] = values[2]
        outputs[i, 3] = values[3]
        outputs[i, 4] = values[4]
        outputs[i, 5] = values[5]
        outputs[i, 6] = values[6]
        outputs[i, 7] = values[7]
        outputs[i, 8] = values[8]
        outputs[i, 9] = values[9]
        outputs[i, 10] = values[10]
        outputs[i, 11] = values[11]
        outputs[i, 12] = values[12]
        outputs[i, 13] = values[13]
        outputs[i, 14] = values[14]
        outputs[i, 15] = values[15]


def mixed_entry(base: str, width: int) -> compiler.Entry:
    def build() -> Any:
        from phalanx.native.number import array_at

        one, wide = NumberType(base, 1), NumberType(base, width)
        ones_at = array_at(one, (), "ones", True)
        wides_at = array_at(wide, (), "wides", True)
        outputs_at = array_at(wide, (16,), "outputs", False)

        def entry(ones, wides, outputs, rows):
            mix_all(ones_at(ones), wides_at(wides), outputs_at(outputs), rows)
            return 0

        return entry

    return compiler.Entry(f"test_number_mixed_{base}_{width}", build, 4)


@pytest.mark.parametrize("base", ["float64", "float32"])
@pytest.mark.parametrize("width", [1, 4, 16])
def test_a_lane_of_one_world_mixes_with_any_lane(base, width):
    rng = np.random.default_rng(8)
    rows = 50
    ones = aligned_zeros((rows,), np.dtype(base))
    wides = aligned_zeros((rows, width), np.dtype(base))
    outputs = aligned_zeros((rows, 16, width), np.dtype(base))
    ones[:] = rng.normal(size=rows)
    wides[:] = rng.normal(size=(rows, width))
    ones[:3] = 0.0, np.nan, -np.inf
    wides[3:6] = np.array([[0.0], [np.nan], [np.inf]])
    compiler.load(mixed_entry(base, width))(ones.ctypes.data, wides.ctypes.data, outputs.ctypes.data, rows)
    with np.errstate(all="ignore"):
        for i in range(rows):
            for world in range(width):
                meaning = mixed(np.float64(ones[i]), np.float64(wides[i, world]))
                assert same(outputs[i, :, world].copy(), np.array(meaning).astype(base)), (i, world)


@kernel
def spread(x, n, result):
    for i in independent(1, n):
        result[i] = result[i] + x * result[i]


@pytest.mark.parametrize("n", range(1, 12))
@pytest.mark.parametrize(("base", "width"), [("float64", 1), ("float64", 8), ("float32", 16)])
def test_independent_rounds_are_those_of_a_range(base, width, n):
    def build():
        from phalanx.native.number import array_at

        numbers_at = array_at(NumberType(base, width) if width > 1 else base, (), "numbers", False)

        def entry(numbers, n):
            spread(0.5, n, numbers_at(numbers))
            return 0

        return entry

    numbers = aligned_zeros((12, width), np.dtype(base))
    numbers[:] = np.random.default_rng(n).normal(size=(12, width))
    expected = numbers.copy()
    spread(np.dtype(base).type(0.5), n, expected)
    compiler.load(compiler.Entry(f"test_number_independent_{base}_{width}", build, 2))(numbers.ctypes.data, n)
    assert same(numbers.copy(), expected)


def test_values_of_a_view_are_the_view_itself():
    assert values_of(TABLE) is TABLE


def test_every_operation_is_tested():
    public = {name for name in vars(number) if callable(getattr(number, name)) and name[0] != "_"} - {"Any"}
    assert public <= set(globals()), public - set(globals())
