"""The elementary functions: accuracy against 200-bit arithmetic, special values, and equal bits everywhere."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

from phalanx.algebra import elementary
from phalanx.native.llvm import optimized
from phalanx.native.target import host_target
from tests.algebra.lane_harness import DOUBLE_TYPES, Suite, same

ONE = Suite(
    "elementary_one", elementary.sincos, elementary.sin, elementary.cos, elementary.tan, elementary.asin,
    elementary.acos, elementary.atan, elementary.exp, elementary.log, results=(2, 1, 1, 1, 1, 1, 1, 1, 1),
)  # fmt: skip
TWO = Suite("elementary_two", elementary.atan2, elementary.power, arity=2)
COLUMN = {"sincos_sin": 0, "sincos_cos": 1, "sin": 2, "cos": 3, "tan": 4, "asin": 5, "acos": 6, "atan": 7, "exp": 8,
          "log": 9, "atan2": 0, "power": 1}  # fmt: skip
EXACT: dict[str, Callable[..., Any]] = {
    "sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan, "asin": mpmath.asin, "acos": mpmath.acos,
    "atan": mpmath.atan, "exp": mpmath.exp, "log": mpmath.log, "atan2": mpmath.atan2, "power": mpmath.power,
}  # fmt: skip
#: Largest error in ulp that the docstrings promise.
BOUND = {"sin": 0.8, "cos": 0.8, "tan": 1.4, "asin": 0.9, "acos": 0.9, "atan": 1.5, "exp": 0.8, "log": 0.7,
         "atan2": 1.5, "power": 0.8}  # fmt: skip

INF, NAN = math.inf, math.nan
TINY = 5e-324
PI = math.pi


def column(name: str, base: str, width: int, *arguments: Any) -> np.ndarray:
    """One function over arrays, compiled for one number type."""
    suite = TWO if name in ("atan2", "power") else ONE
    return suite.run(base, width, *arguments)[:, COLUMN[name]]


# --- accuracy


def ulp_error(value: float, exact: Any, base: str) -> float:
    """Distance of a value from the exact one, in units in the last place of the exact one."""
    bits, lowest, largest = (53, -1074, 1024) if base == "float64" else (24, -149, 128)
    if np.isinf(value):
        overflows = abs(exact) >= mpmath.mpf(2) ** largest * (1 - mpmath.mpf(2) ** (-bits - 1))
        return 0.0 if overflows and (exact > 0) == (value > 0) else INF
    if exact == 0:
        return 0.0 if value == 0.0 else INF
    ulp = mpmath.mpf(2) ** max(int(mpmath.frexp(exact)[1]) - bits, lowest)
    return float(abs(mpmath.mpf(float(value)) - exact) / ulp)


def samples(name: str, base: str, count: int) -> list[tuple[np.ndarray, ...]]:
    """Random arguments of a function: the common range, logarithmic over all exponents, and where it is hard."""
    rng = np.random.default_rng(5)
    top = 1023 if base == "float64" else 127
    smallest = 2.0**-1074 if base == "float64" else 2.0**-149
    low, high = (-745.0, 709.7) if base == "float64" else (-103.5, 88.7)

    def uniform(a: float, b: float) -> np.ndarray:
        return rng.uniform(a, b, count)

    def spread(a: float, b: float, sign: bool = True) -> np.ndarray:
        size = 2.0 ** rng.uniform(a, b, count)
        return size * rng.choice([-1.0, 1.0], count) if sign else size

    if name in ("sin", "cos", "tan"):
        quarter_turns = rng.integers(1, 63662, count) * (PI / 2)
        return [(x,) for x in (uniform(-1, 1), uniform(-7, 7), uniform(-4e3, 4e3), uniform(-1.2e5, 1.2e5),
                               spread(-top, top), quarter_turns, np.nextafter(quarter_turns, INF))]  # fmt: skip
    if name in ("asin", "acos"):
        return [(x,) for x in (uniform(-1, 1), spread(-60, 0), 1 - spread(-50, -1, False), uniform(0.45, 0.6))]
    if name == "atan":
        return [(x,) for x in (uniform(-3, 3), spread(-top, top), spread(-4, 4))]
    if name == "exp":
        return [(x,) for x in (uniform(low, high), uniform(-1, 1), spread(-60, 6), uniform(low, low + 30))]
    if name == "log":
        subnormal = np.maximum(spread(math.log2(smallest), math.log2(smallest) + 52, False), smallest)
        return [(x,) for x in (uniform(0.5, 2), spread(-top, top, False), 1 + spread(-40, -1.1), subnormal)]
    if name == "atan2":
        return [(rng.normal(size=count), rng.normal(size=count)), (spread(-8, 8), spread(-8, 8)),
                (spread(-top, top), spread(-top, top))]  # fmt: skip
    near_one, anything = uniform(0.70, 1.42), spread(-top, top, False)
    return [(uniform(0, 10), uniform(-20, 20)), (1 + spread(-20, -1.1), spread(0, 9)),
            (near_one, uniform(low, high) / np.log(near_one)), (anything, uniform(low, high) / np.log(anything)),
            (-np.floor(uniform(1, 100)), np.floor(uniform(-30, 30)))]  # fmt: skip


@pytest.mark.parametrize("base, width", [("float64", 8), ("float32", 8), ("float32", 1)])
@pytest.mark.parametrize("name", EXACT)
def test_error_stays_within_the_promised_bound(name, base, width):
    count = 1000 if width > 1 else 150
    with mpmath.workprec(200), np.errstate(all="ignore"):
        for arguments in samples(name, base, count):
            rounded = [a.astype(base) for a in arguments]
            values = column(name, base, width, *rounded)
            exact = [EXACT[name](*[mpmath.mpf(float(a)) for a in row]) for row in zip(*rounded, strict=True)]
            errors = [ulp_error(v, e, base) for v, e in zip(values, exact, strict=True)]
            worst = int(np.argmax(errors))
            assert errors[worst] <= BOUND[name], [a[worst] for a in rounded]


#: Far from zero and close to a multiple of pi/2: the hardest reductions of float64.
HUGE = [6381956970095103.0 * 2.0**797, 1e22, 1e300, 1.7976931348623157e308, 5.319372648326541e255, 2.0**1000, 2.0**120,
        99999.99999999999, 100000.0, 100000.00000000001, 131072.0, 1e15, 6755399441055744.0, 411557987.0,
        3.0e6 * PI, 2.0**16, 2.0**24, 2.0**25, 2.0**49, 2.0**50, 2.0**73]  # fmt: skip


@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_huge_arguments_are_reduced_exactly(name):
    arguments = np.array(HUGE + [-x for x in HUGE])
    values = column(name, "float64", 8, arguments)
    with mpmath.workprec(1400):
        for argument, value in zip(arguments, values, strict=True):
            assert ulp_error(value, EXACT[name](mpmath.mpf(float(argument))), "float64") <= BOUND[name], argument


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_huge_single_arguments_are_reduced_exactly(name):
    with np.errstate(over="ignore"):
        arguments = np.array([x for x in HUGE if x < 3e38] + [3.4e38, 3200.0, 3201.0, 16367173 * 2.0**72], np.float32)
    values = column(name, "float32", 8, arguments)
    with mpmath.workprec(400):
        for argument, value in zip(arguments, values, strict=True):
            assert ulp_error(value, EXACT[name](mpmath.mpf(float(argument))), "float32") <= BOUND[name], argument


def test_huge_neighbors_leave_a_lane_as_it_is():
    rng = np.random.default_rng(1)
    arguments = rng.uniform(-4, 4, 800)
    alone = ONE.run("float64", 8, arguments)
    mixed = arguments.copy()
    huge = rng.random(800) < 0.2
    mixed[huge] = rng.choice(HUGE, huge.sum())
    assert same(ONE.run("float64", 8, mixed)[~huge], alone[~huge])


# --- special values: those of C99, annex F

SPECIAL_ONE = {
    "sin": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (NAN, NAN), (TINY, TINY), (-TINY, -TINY)],
    "cos": [(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN), (NAN, NAN), (TINY, 1.0)],
    "tan": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (NAN, NAN), (-TINY, -TINY)],
    "asin": [(0.0, 0.0), (-0.0, -0.0), (1.0, PI / 2), (-1.0, -PI / 2), (1.5, NAN), (-1.5, NAN), (INF, NAN),
             (-INF, NAN), (NAN, NAN), (TINY, TINY), (1.0000000000000002, NAN)],
    "acos": [(1.0, 0.0), (-1.0, PI), (0.0, PI / 2), (-0.0, PI / 2), (1.5, NAN), (-1.5, NAN), (INF, NAN), (-INF, NAN),
             (NAN, NAN)],
    "atan": [(0.0, 0.0), (-0.0, -0.0), (INF, PI / 2), (-INF, -PI / 2), (1.0, PI / 4), (-1.0, -PI / 4), (NAN, NAN),
             (-TINY, -TINY)],
    "exp": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (710.0, INF), (1e300, INF), (-746.0, 0.0),
            (-1e300, 0.0), (TINY, 1.0), (-745.0, TINY)],
    "log": [(1.0, 0.0), (0.0, -INF), (-0.0, -INF), (INF, INF), (-1.0, NAN), (-INF, NAN), (NAN, NAN), (-TINY, NAN)],
}  # fmt: skip


def special_atan2() -> list[tuple[float, float, float]]:
    cases = [(NAN, 1.0, NAN), (1.0, NAN, NAN), (NAN, 0.0, NAN), (0.0, NAN, NAN), (NAN, NAN, NAN), (INF, NAN, NAN)]
    for s in (1.0, -1.0):
        cases += [(s * 0.0, -0.0, s * PI), (s * 0.0, 0.0, s * 0.0), (s * 0.0, -2.0, s * PI), (s * 0.0, 2.0, s * 0.0),
                  (s * 2.0, 0.0, s * PI / 2), (s * 2.0, -0.0, s * PI / 2), (s * 2.0, -INF, s * PI),
                  (s * 2.0, INF, s * 0.0), (s * INF, 2.0, s * PI / 2), (s * INF, -2.0, s * PI / 2),
                  (s * INF, -INF, s * 3 * PI / 4), (s * INF, INF, s * PI / 4), (s * 1.0, 1.0, s * PI / 4),
                  (s * TINY, TINY, s * PI / 4), (s * TINY, 1.0, s * TINY), (s * TINY, -1.0, s * PI),
                  (s * 1e308, 1e-308, s * PI / 2), (s * 1e-308, 1e308, s * 0.0)]  # fmt: skip
    return cases


def special_power() -> list[tuple[float, float, float]]:
    """C's pow where it is exact: every combination of zeros, ones, infinities, NaN, odd and even and broken numbers."""
    values = [0.0, 1.0, 2.0, 3.0, 0.5, 2.5, 1e300, 2.0**53, 2.0**53 - 1, 4.0, INF, 1 + 2.0**-52, 1 - 2.0**-53]
    values = [v * s for v in values for s in (1.0, -1.0)] + [NAN]
    cases = []
    for x in values:
        for y in values:
            try:
                result = math.pow(x, y)
            except OverflowError:
                result = -INF if x < 0 and math.fmod(y, 2) in (1, -1) else INF
            except ValueError:
                result = NAN if x != 0 else math.copysign(INF, x if math.fmod(y, 2) in (1, -1) else 1.0)
            exact = abs(x) in (0.0, 1.0, INF) or y in (0.0, 1.0, 2.0, INF, -INF)
            if exact or result in (0.0, INF, -INF) or math.isnan(result):
                cases.append((x, y, result))
    return cases


@pytest.mark.parametrize("name", SPECIAL_ONE)
def test_special_values_of_one_argument(name):
    arguments, expected = np.array(SPECIAL_ONE[name]).T
    for base, width in (("float64", 0), ("float64", 4)):
        assert same(column(name, base, width, arguments), expected), column(name, base, width, arguments)


@pytest.mark.parametrize("name, cases", [("atan2", special_atan2()), ("power", special_power())])
def test_special_values_of_two_arguments(name, cases):
    first, second, _ = np.array(cases).T
    for base, width in (("float64", 0), ("float64", 4)):
        values = column(name, base, width, first, second)
        wrong = [(c, v) for c, v in zip(cases, values, strict=True) if not same(np.array([v]), np.array(c[2:]))]
        assert not wrong


@pytest.mark.parametrize("name", SPECIAL_ONE)
def test_special_values_of_one_single(name):
    with np.errstate(all="ignore"):
        cases = np.array([c for c in SPECIAL_ONE[name] if c[0] not in (TINY, -TINY, 1.0000000000000002)], np.float32)
        tiny = np.float32(1e-45)
        if (TINY, TINY) in SPECIAL_ONE[name]:
            cases = np.concatenate([cases, np.array([(tiny, tiny), (-tiny, -tiny)], np.float32)])
    if name == "exp":
        cases = cases[cases[:, 0] != -745.0]
    assert same(column(name, "float32", 8, cases[:, 0]), cases[:, 1].copy())


def test_special_values_of_two_singles():
    with np.errstate(all="ignore"):
        cases = np.array([c for c in special_atan2() if not 0 < min(abs(c[0]), abs(c[1])) < 1e-40], np.float32)
        assert same(column("atan2", "float32", 8, cases[:, 0], cases[:, 1]), cases[:, 2].copy())
        values = [0.0, 1.0, 2.0, 3.0, 0.5, 1e30, INF]
        values = [v * s for v in values for s in (1.0, -1.0)] + [NAN]
        first, second = (a.ravel() for a in np.meshgrid(np.array(values, np.float32), np.array(values, np.float32)))
        expected = np.power(first.astype(np.float64), second.astype(np.float64)).astype(np.float32)
    assert same(column("power", "float32", 8, first, second), expected)


# --- equal bits


def arguments_of_all_kinds() -> np.ndarray:
    rng = np.random.default_rng(9)
    special = [0.0, -0.0, INF, -INF, NAN, TINY, -TINY, 1.0, -1.0, 0.5, 2.2250738585072014e-308, 1.7976931348623157e308]
    parts = [rng.uniform(-1, 1, 200), rng.uniform(-800, 800, 200), HUGE,
             2.0 ** rng.uniform(-1074, 1023, 200) * rng.choice([-1, 1], 200), special]  # fmt: skip
    return rng.permutation(np.concatenate(parts))


def test_all_ways_of_running_give_equal_bits():
    first = arguments_of_all_kinds()
    second = np.random.default_rng(2).permutation(first)
    one, two = ONE.interpreted(first), TWO.interpreted(first, second)
    for base, width in DOUBLE_TYPES:
        assert same(ONE.run(base, width, first), one), (base, width)
        assert same(TWO.run(base, width, first, second), two), (base, width)


def test_sincos_gives_the_bits_of_sin_and_cos():
    values = ONE.run("float64", 8, arguments_of_all_kinds())
    assert same(values[:, COLUMN["sincos_sin"]].copy(), values[:, COLUMN["sin"]].copy())
    assert same(values[:, COLUMN["sincos_cos"]].copy(), values[:, COLUMN["cos"]].copy())


def test_single_lanes_of_all_widths_give_equal_bits():
    with np.errstate(over="ignore"):
        first = arguments_of_all_kinds().astype(np.float32)
    second = np.random.default_rng(2).permutation(first)
    one, two = ONE.run("float32", 1, first), TWO.run("float32", 1, first, second)
    assert same(ONE.run("float32", 8, first), one)
    assert same(TWO.run("float32", 8, first, second), two)


@pytest.mark.parametrize("base, width", [("float64", 0), ("float64", 8), ("float32", 8)])
def test_machine_code_calls_no_library(base, width):
    for suite in (ONE, TWO):
        module, machine = optimized(suite.entry(base, width).text(False), host_target())
        assembly = machine.emit_assembly(module)
        called = {name.removesuffix("@PLT") for name in re.findall(r"\b(?:callq|jmp)\s+([\w.@]+)", assembly)}
        called = {name for name in called if not name.startswith(".L")}
        defined = set(re.findall(r"^([\w.]+):", assembly, re.MULTILINE))
        assert called <= defined
