"""Expressions: order of evaluation, choices, tuples, comprehensions, attributes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from phalanx.algebra.generated import define
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import where
from phalanx.native.number import array_at
from tests.native.language_harness import INTEGERS, LANES, SMALL_INTEGERS, Language, problems_of

language = Language("expressions")
SMALL_PAIRS = [(a, b) for a in SMALL_INTEGERS for b in SMALL_INTEGERS]


# --- choices


@language.case("in")
def choices(a, x):
    return (a if a > 0 else x), (1 if x > 0.5 else 2.5 if a else True), (x, 1) if a else (2, a)


def test_a_choice_unifies_both_sides():
    choices.agrees()
    assert choices.kind() == "(number, number, (number, integer))"


@language.case("i")
def known_choices(a):
    return a if 3 > 2 else [1], (1, 2)[0] if True else "text", a and 0 and [2], 1 or [3]  # noqa: SIM222, SIM223


def test_a_choice_by_a_constant_has_one_side():
    known_choices.agrees()


@language.case("N")
def guarded(x):
    return where(x == 0.0, 1.0, 1.0 / where(x == 0.0, 1.0, x))


def test_where_computes_both_sides_and_chooses():
    guarded.agrees_everywhere()


@language.case("cCN")
def chosen(c, m, x):
    numbers = where(c, x, 1), where(m, x, 1), where(m, 1, 2), where(c, 1, 2)
    return numbers + (where(m, c, x > 0.0), where(m, (x, c), (2, m)))


def test_where_chooses_numbers_conditions_and_tuples():
    chosen.agrees_everywhere([(c, m, x) for c in (False, True) for m in (True, False) for x in (0.5, -0.0, math.nan)])
    assert chosen.kind(LANES) == "(lane, lane, lane, integer, mask, (lane, mask))"


# --- what is computed, and in which order


#: Writes `k` to the next place of a log and gives `value` back.
NOTE = """
def note(log, k, value):
    log[log[0] + 1] = k
    log[0] = log[0] + 1
    return value
"""
ORDERS = {
    "from left to right": "return note(log, 1, a) + note(log, 2, b) * note(log, 3, a)",
    "and stops at what is false": "return note(log, 1, a) and note(log, 2, b) and note(log, 3, 1)",
    "or stops at what is true": "return note(log, 1, a) or note(log, 2, b) or note(log, 3, 1)",
    "one side of a choice": "return note(log, 1, a) if note(log, 2, b) else note(log, 3, 5)",
    "a chain stops where it fails": "return note(log, 1, a) < note(log, 2, b) < note(log, 3, 3) <= note(log, 4, 9)",
    "arguments, then the call": "return max(note(log, 1, a), note(log, 2, b)) + note(log, 3, 0)",
    "names after positions": "return pair(note(log, 1, a), y=note(log, 2, b))",
    "the value, then the place": "log[note(log, 1, 20)] = note(log, 2, a)\n    return 0",
    "the place once": "log[note(log, 1, 20)] += note(log, 2, a)\n    return log[20]",
    "bounds once": "s = 0\n    for i in range(note(log, 1, a), note(log, 2, b)):\n        s += i\n    return s",
    "the test before each round": "while note(log, 1, a) > 0:\n        a = note(log, 2, a - 4)\n    return a",
    "parts of a tuple": "return (note(log, 1, a), note(log, 2, b))[note(log, 3, 1)]",
    "where computes both": "return where(note(log, 1, a) > 0, note(log, 2, a), note(log, 3, b))",
}


@pytest.mark.parametrize("name", ORDERS)
def test_order_of_evaluation(name):
    source = f"def example(log_address, a, b):\n    log = log_at(log_address)\n    {ORDERS[name]}\n"
    pair = define("def pair(x, y):\n    return x - y\n", {}, "pair")
    note = kernel(define(NOTE, {}, "note"))
    names = {"note": note, "pair": kernel(pair), "where": where, "log_at": array_at("int64")}
    case = Language("order").add_source(source, "iii", **names)
    plain = define(source, names | {"log_at": lambda log: log, "pair": pair}, "example")
    for a, b in SMALL_PAIRS[:20]:
        compiled_log, log = np.zeros(64, np.int64), [0] * 64
        assert case(compiled_log.ctypes.data, a, b) == plain(log, a, b), (a, b)
        assert compiled_log.tolist() == log, (a, b)


# --- comparisons in a row


@language.case("iin")
def chains(a, b, x):
    return 0 < a < b, a < b <= 5 != a, a == b == a, 0 < 1 < a, 3 < 1 < a, a < x < b


def test_comparisons_in_a_row_all_hold():
    chains.agrees([(a, b, x) for a, b in SMALL_PAIRS for x in (0.5, math.nan)])


# --- tuples


@language.case("iin")
def parts(i, a, x):
    t = (a, x, 3, a > 0)
    return t[0], t[-1], t[1:3], t[::-1], t[:-2], t[3:1], (a, 5, 7)[i], (x, 1, 2)[i], ((a, 1), (2, x), (3, 4))[i]


def test_parts_of_tuples_by_constant_and_computed_index():
    parts.agrees([(i, 5, 0.25) for i in (-3, -2, -1, 0, 1, 2)])
    assert parts.kind().endswith("integer, number, (integer, number))")


def test_a_computed_index_out_of_bounds_takes_the_first_part():
    assert parts(3, 5, 0.25)[6] == 5
    assert parts(-4, 5, 0.25)[6] == 5
    with pytest.raises(IndexError):
        parts.interpreted((3, 5, 0.25))


@language.case("in")
def starred(a, x):
    t = (a, x)
    return (*t, 1, *t), max(*(1, a, 3)), (*(), a)


def test_a_star_puts_all_parts_of_a_tuple():
    starred.agrees()


@language.case("in")
def comprehensions(a, x):
    squares = tuple(k * k + a for k in range(4) if k != 2)
    table = tuple(i * j for i in (1, 2) for j in (a, 3))
    named = sum(p * q for p, q in ((1, a), (x, 2)))
    nested = tuple(sum(k + j for j in range(2)) for k in range(3))
    return squares, table, named, nested, min(k + a for k in (3, 1)), sum(squares), sum((), 5), tuple(t for t in table)


def test_comprehensions_run_over_constants_and_tuples():
    comprehensions.agrees([(a, x) for a in SMALL_INTEGERS for x in (0.5, -0.0, math.inf)])


# --- built-in functions


@language.case("icn")
def conversions(a, c, x):
    return int(a), int(c), float(a), float(c), float(x), bool(a), bool(c), bool(x), abs(a), abs(c), abs(x)


def test_conversions_between_integers_conditions_and_numbers():
    conversions.agrees()


@language.case("n")
def to_integer(x):
    return int(x)


def test_int_cuts_at_the_point():
    to_integer.agrees([(x,) for x in (0.0, -0.0, 0.99, -0.99, 2.5, -2.5, 1e18, -1e18, 4.5e15, -(2.0**63))])


def test_int_beyond_64_bits_is_the_nearest_integer_and_of_nan_zero():
    found = [to_integer(x) for x in (2.0**63, 1e300, math.inf, -1e300, -math.inf, math.nan)]
    assert found == [2**63 - 1] * 3 + [-(2**63)] * 2 + [0]


@language.case("N")
def lanes_stay_lanes(x):
    return float(x), abs(x)


def test_float_and_abs_keep_lanes():
    lanes_stay_lanes.agrees_everywhere()
    assert lanes_stay_lanes.kind(LANES) == "(lane, lane)"


@language.case("iic")
def extremes(a, b, c):
    return min(a, b), max(a, b, 3), min((a, b, c)), max(c, a), min(7, 3, 5), len((a, b, c)), len(())


def test_min_max_and_len_of_integers():
    extremes.agrees()


@language.case("i")
def literals(a):
    return a + 0x10, 1_000, 1e3, 1e-320, True, 9223372036854775807, -9223372036854775808, 0.5, 1e400


def test_literals_have_their_bits():
    literals.agrees([(a,) for a in INTEGERS])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("min()", "min takes at least one integer"),
        ("min(1.5, a)", "min is for integers: use minimum, which says what happens to NaN"),
        ("(1, 2)[5]", "index 5 is out of bounds: the tuple has 2 parts"),
        ("(1, 2)[::0]", "the step of a slice must not be zero"),
        ("()[a]", "parts of different kinds can be taken by a constant index only"),
        ("sum(a)", "sum is of a tuple, or of numbers written as a comprehension"),
        ("tuple(a)", "an integer is no tuple"),
        ("max(*a)", "* takes a tuple apart, not an integer"),
        ("tuple(k for k in range(a))", "this range runs over constants: write for i in range(...)"),
        ("tuple(k for k in range(0, 3, 0))", "the step of range must not be zero"),
        ("a.b", "an integer has no .b"),
        ("(1, 2).count", "a tuple of 2 has no .count"),
        ("zip((1, 2))", "zip makes a sequence, which is no value: write for ... in zip(...)"),
        ("1j", "no number"),
    ],
)
def test_expressions_that_do_not_fit_say_so(text, message):
    assert problems_of(f"def example(a):\n    return {text}\n", "i") == [(2, message)]
