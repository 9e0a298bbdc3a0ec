"""Words of the language: each has a meaning for every type that it takes, and a message for those that it does not."""

from __future__ import annotations

import inspect

import pytest

from phalanx.algebra import memory, number
from phalanx.algebra.number import (
    abs_,
    all_,
    and_,
    any_,
    clamp,
    copysign,
    count_,
    floor,
    is_single,
    lane_count,
    lane_get,
    lane_max,
    lane_min,
    lane_set,
    lane_sum,
    maximum,
    minimum,
    narrow,
    not_,
    or_,
    pick,
    round_even,
    splat,
    sqrt,
    where,
    widen,
)
from phalanx.native.intrinsics import INTRINSICS
from phalanx.native.number import array_at
from tests.native.language_harness import LANES, SINGLE, SINGLE_LANES, SMALL_INTEGERS, Language, problems, problems_of

language = Language("intrinsics")
HALVES = (-2.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 1e16, float("inf"), float("nan"))
MIXED = [(a, c, x) for a in SMALL_INTEGERS for c in (False, True) for x in HALVES]
NAMES = {name: word for name, word in vars(number).items() if inspect.isfunction(word)}


def test_every_word_of_numbers_and_memory_has_a_meaning():
    loads = [function for function, _ in (*memory.LOADS.values(), *memory.STORES.values())]
    # a loop over independent rounds is a statement, not a value
    assert {*NAMES.values(), *loads} - {number.independent} <= set(INTRINSICS)


@language.case("icN")
def of_plain_numbers(a, c, x):
    """Integers and conditions count as numbers."""
    return (
        sqrt(abs(a)), sqrt(c), abs_(a), floor(a), floor(x), round_even(x), copysign(a, x), copysign(x, a),
        clamp(a, 0, 5), clamp(x, -1, c), clamp(a, x, 3.5), splat(x, a), widen(a), narrow(x, 0.5),
    )  # fmt: skip


def test_words_take_integers_and_conditions_as_numbers():
    of_plain_numbers.agrees_everywhere(MIXED)
    assert set(of_plain_numbers.kind().strip("()").split(", ")) == {"number"}


@language.case("icN")
def of_one_kind(a, c, x):
    extremes = minimum(a, 3), maximum(c, a), minimum(a, x), minimum(c, c)
    return extremes + (is_single(x), lane_count(a), count_(c), count_(x > 0.0))


def test_minimum_of_integers_is_an_integer():
    of_one_kind.agrees(MIXED)
    assert of_one_kind.kind() == "(integer, integer, number, integer, condition, integer, integer, integer)"


@language.case("cN")
def of_conditions(c, x):
    m = x > 0.0
    return and_(c, m), or_(m, c), not_(c), not_(m), any_(c), all_(c), and_(c, True), any_(and_(m, False))


def test_conditions_and_masks_mix():
    of_conditions.agrees_everywhere([(c, x) for c in (False, True) for x in HALVES])
    assert of_conditions.kind(LANES) == "(mask, mask, condition, mask, condition, condition, condition, condition)"


@language.case("N")
def over_worlds(x):
    m = x > 0.0
    some = lane_count(x), lane_get(x, 2), lane_get(m, 1)
    return any_(m), all_(m), count_(m), lane_sum(x), lane_min(x), lane_max(x), *some


def test_words_over_worlds_combine_them_in_order():
    rows = [(0.1,), (0.2,), (-0.3,), (1e17,), (1.0,)]
    (first, *_) = over_worlds.results(LANES, rows)
    assert first == [(True, False, 3, 0.1 + 0.2 + -0.3 + 1e17, -0.3, 1e17, 4, -0.3, True)] * 4
    assert over_worlds.kind(LANES) == (
        "(condition, condition, integer, number, number, number, integer, number, condition)"
    )


@language.case("Ni")
def one_world_set(x, a):
    return lane_set(x, 1, a), lane_set(x, a, -1.0)


def test_one_world_of_a_lane_is_replaced():
    (found, *_) = one_world_set.results(LANES, [(0.5, 3), (1.5, 3), (2.5, 3), (3.5, 3)])
    assert [world[0] for world in found] == [0.5, 3.0, 2.5, 3.5]
    assert [world[1] for world in found] == [0.5, 1.5, 2.5, -1.0]


@language.case("N")
def decides(x):
    if x > 1.0:
        return int(x), 1.0
    while x:
        return 0, 2.0
    return -1, 3.0


def test_a_number_of_one_world_decides_in_single_precision_too():
    rows = [(2.5,), (1.0,), (0.0,), (-0.0,), (float("nan"),)]
    decides.agrees(rows)
    decides.agrees(rows, SINGLE)
    reasons = [problem.reason for problem in problems(decides.kernel, "N", LANES)]
    assert "differs between the worlds" in reasons[0]


@language.case("N")
def in_double_precision(x):
    return narrow(x, widen(x) * 0.1), where(is_single(x), 1, 2)


def test_single_precision_is_known_when_compiling():
    assert {world[1] for world in in_double_precision.results(SINGLE_LANES, [(0.5,)])[0]} == {1.0}
    assert in_double_precision(0.5)[1] == 2


@language.case("i")
def picked(i):
    return pick((0.5, 1.5, -2.0, 1e300), i)


def test_pick_takes_a_constant_from_a_table():
    picked.agrees([(0,), (1,), (2,), (3,)])


def test_pick_takes_constants_only():
    source = "def example(i, x):\n    return pick((0.5, x), i)\n"
    assert problems_of(source, "in", pick=pick) == [(2, "pick takes a tuple of float constants")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sqrt()", "sqrt takes 1 arguments, not 0"),
        ("sqrt(x, x)", "sqrt takes 1 arguments, not 2"),
        ("sqrt((x, x))", "a tuple of 2 stands where a number is needed"),
        ("where(x, 1, 2)", "where takes a condition, not a number"),
        ("where(x > 0.0, 1, (1, 2))", "a tuple of 2 stands where a number is needed"),
        ("and_(x, x)", "a number stands where a condition is needed"),
        ("any_(i)", "an integer stands where a condition is needed"),
        ("minimum(x, sqrt)", "sqrt stands where a number is needed"),
        ("clamp(x, None, 1)", "None stands where a number is needed"),
        ("sqrt(x=x)", "sqrt takes its arguments without names"),
    ],
)
def test_arguments_that_do_not_fit_are_named(text, message):
    assert problems_of(f"def example(i, x):\n    return {text}\n", "in", **NAMES) == [(2, message)]


def test_a_mask_is_no_number():
    source = "def example(x):\n    return minimum(x > 0.0, 1)\n"
    message = "a condition of worlds (choose by it with where, any_ or all_) stands where a number is needed"
    assert problems_of(source, "N", LANES, minimum=minimum) == [(2, message)]


def test_an_address_becomes_an_array():
    source = "def example(i):\n    return array(i)[2]\n"
    assert problems_of(source, "i", array=array_at("int64")) == []
    assert problems_of(source, "n", array=array_at("int64")) == [(2, "a number stands where an integer is needed")]
