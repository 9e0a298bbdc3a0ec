"""Operators: every one of them, for all types that it takes, interpreted and compiled."""

from __future__ import annotations

import itertools
import math

import pytest

from phalanx.algebra.number import and_, any_, maximum, minimum, not_, or_, where, widen
from tests.native.language_harness import (
    INTEGERS,
    LANES,
    SINGLE_LANES,
    WORLD,
    Language,
    problems_of,
    rows_of,
)

language = Language("operators")
NAMES = {"where": where, "minimum": minimum, "maximum": maximum, "and_": and_, "or_": or_, "not_": not_, "any_": any_}


def formula(text: str, letters: str):
    return language.add_source(f"def example(a, b):\n    return {text}\n", letters, **NAMES)


def pairs(letters: str):
    return ["".join(pair) for pair in itertools.product(letters, repeat=2)]


ARITHMETIC = {(op, p): formula(f"a {op} b", p) for op in "+-*" for p in pairs("incN")}
DIVISIONS = {p: formula("a / b", p) for p in pairs("incN")}
WHOLE_DIVISIONS = {(op, p): formula(f"a {op} b", p) for op in ("//", "%") for p in pairs("ic")}
BITS = {(op, p): formula(f"a {op} b", p) for op in "&|^" for p in pairs("ic")}
SHIFTS = {(op, p): formula(f"a {op} b", p) for op in ("<<", ">>") for p in pairs("ic")}
COMPARISONS = {(op, p): formula(f"a {op} b", p) for op in ("==", "!=", "<", "<=", ">", ">=") for p in pairs("incN")}
DECISIONS = {(op, p): formula(f"a {op} b", p) for op in ("and", "or") for p in pairs("inc")}
COMBINED = {(w, p): formula(f"{w}(a, b)", p) for w in ("and_", "or_") for p in pairs("cC")}
EXTREMES = {(w, p): formula(f"{w}(a, b)", p) for w in ("minimum", "maximum") for p in pairs("incN")}


@pytest.mark.parametrize(("op", "letters"), ARITHMETIC)
def test_arithmetic_is_that_of_python(op, letters):
    ARITHMETIC[op, letters].agrees_everywhere()


def can_divide(rows):
    return [row for row in rows if row[1] != 0]


@pytest.mark.parametrize("letters", DIVISIONS)
def test_division_is_that_of_ieee(letters):
    rows = rows_of(letters)
    if set(letters) <= set("ic"):  # Python raises; beyond 2**53 it divides integers more exactly than numbers
        rows = [row for row in can_divide(rows) if abs(row[0]) <= 2**53 and abs(row[1]) <= 2**53]
    DIVISIONS[letters].agrees_everywhere(rows)


def test_integers_divided_by_zero_give_inf_or_nan():
    found = DIVISIONS["ii"].results(LANES, [(1, 0), (-3, 0), (0, 0)])
    assert found[0][0] == math.inf
    assert found[1][0] == -math.inf
    assert math.isnan(found[2][0])


@pytest.mark.parametrize(("op", "letters"), WHOLE_DIVISIONS)
def test_integers_are_divided_rounding_down(op, letters):
    WHOLE_DIVISIONS[op, letters].agrees_everywhere(can_divide(rows_of(letters)))


@pytest.mark.parametrize("op", ["//", "%"])
def test_integers_divided_by_zero_give_zero(op):
    case = WHOLE_DIVISIONS[op, "ii"]
    assert [each[0] for each in case.results(LANES, [(a, 0) for a in INTEGERS])] == [0] * len(INTEGERS)


def test_the_least_integer_divided_by_minus_one_wraps():
    assert WHOLE_DIVISIONS["//", "ii"](-(2**63), -1) == -(2**63)
    assert WHOLE_DIVISIONS["%", "ii"](-(2**63), -1) == 0


DIVISORS = (-(2**63), -7, -2, -1, 0, 1, 2, 10, 2**63 - 1)
BY_CONSTANT = {n: formula(f"(a // {n}, a % {n}, b)", "ii") for n in DIVISORS}


@pytest.mark.parametrize("n", DIVISORS)
def test_division_by_a_constant_is_the_same(n):
    rows = [(a, n) for a in INTEGERS]
    expected = [(WHOLE_DIVISIONS["//", "ii"](*row), WHOLE_DIVISIONS["%", "ii"](*row), n) for row in rows]
    found = BY_CONSTANT[n].results(LANES, rows)
    assert [each[0] for each in found] == expected


@pytest.mark.parametrize(("op", "letters"), BITS)
def test_bits_are_combined(op, letters):
    BITS[op, letters].agrees_everywhere()


SHIFT_COUNTS = (0, 1, 2, 31, 62, 63, 64, 65, 200)


@pytest.mark.parametrize(("op", "letters"), SHIFTS)
def test_shifts_are_those_of_python_cut_to_64_bits(op, letters):
    firsts = INTEGERS if letters[0] == "i" else (False, True)
    seconds = SHIFT_COUNTS if letters[1] == "i" else (False, True)
    SHIFTS[op, letters].agrees_everywhere(list(itertools.product(firsts, seconds)))


def test_a_negative_shift_leaves_nothing_but_the_sign():
    assert SHIFTS["<<", "ii"](5, -1) == 0
    assert SHIFTS[">>", "ii"](5, -1) == 0
    assert SHIFTS[">>", "ii"](-5, -(2**63)) == -1


CONSTANT_SHIFTS = formula("(a << 3, a << 63, a << 64, a << 70, a >> 3, a >> 63, a >> 64, a >> 70, 5 << 2, b)", "ii")


def test_shifts_by_constants_are_the_same():
    CONSTANT_SHIFTS.agrees([(a, 0) for a in INTEGERS])


@pytest.mark.parametrize(("op", "letters"), COMPARISONS)
def test_comparisons_are_those_of_python(op, letters):
    COMPARISONS[op, letters].agrees_everywhere()


@pytest.mark.parametrize(("op", "letters"), DECISIONS)
def test_and_and_or_give_the_operand_that_decides(op, letters):
    """Types unify: True may come back as 1, and 1 as 1.0."""
    case, rows = DECISIONS[op, letters], rows_of(letters)
    for row, (found,) in zip(rows, case.results(WORLD, rows), strict=True):
        expected = case.interpreted(row)
        assert float(found) == float(expected) or (math.isnan(found) and math.isnan(expected)), row


@pytest.mark.parametrize(("word", "letters"), COMBINED)
def test_conditions_and_masks_combine(word, letters):
    COMBINED[word, letters].agrees_everywhere()


@pytest.mark.parametrize(("word", "letters"), EXTREMES)
def test_minimum_and_maximum_are_comparisons_with_a_choice(word, letters):
    rows = [row for row in rows_of(letters) if all(abs(x) <= 2**53 for x in row if isinstance(x, int))]
    EXTREMES[word, letters].agrees_everywhere(rows)


UNARY = {
    (text, letter): language.add_source(f"def example(a):\n    return {text}\n", letter, **NAMES)
    for text, letters in (("-a", "inN"), ("+a", "incnN"), ("~a", "i"), ("not a", "inc"), ("not_(a)", "cC"), ("-a", "c"))
    for letter in letters
}


@pytest.mark.parametrize(("text", "letter"), UNARY)
def test_unary_operators(text, letter):
    UNARY[text, letter].agrees_everywhere()


def test_not_of_a_number_is_false_for_nan():
    assert UNARY["not a", "n"](math.nan) is False
    assert UNARY["not a", "n"](-0.0) is True


@language.case("iin")
def membership(a, b, x):
    return a in (1, b, 7), a not in (1, 2), x in (0.0, 3), 3 in (1, 2), 3 in (1, 2, 3), a in (0, 1, a)


def test_in_compares_with_each_part():
    membership.agrees([row for row in rows_of("iin") if not math.isnan(row[2])])


@language.case("in")
def joined(a, x):
    return (a, x) + (1,), (a, x) * 2, (a,) * 0 + (x,), () + ()


def test_tuples_are_joined_and_repeated():
    joined.agrees()


@language.case("i")
def powers(a):
    return a + 2**10, 3**0, (-2) ** 3, 2**62


def test_powers_of_constants_are_integers():
    powers.agrees()


@language.case("i")
def wrapping(a):
    return 9223372036854775807 + 1 + a, -9223372036854775808 - 1 + a, 4611686018427387904 * 2 + a


def test_constants_wrap_like_everything_else():
    wrapping.agrees()


precisions = Language("precisions")


@precisions.case("NN")
def masks_of_both_precisions(a, b):
    return and_(widen(a) > 0.0, b > 0.0), where(widen(a) > 0.0, a, b), where(a > b, 1.5, 2)


def test_masks_of_double_and_single_numbers_combine():
    rows = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0), (2.0, 3.0)]
    masks_of_both_precisions.agrees(rows, SINGLE_LANES)
    masks_of_both_precisions.agrees_everywhere(rows)


@pytest.mark.parametrize(
    ("text", "letters", "message"),
    [
        ("a % b", "nn", "% works on integers; for numbers write x - y * floor(x / y)"),
        ("a // b", "in", "// works on integers; for numbers use floor, minimum, where, ..."),
        ("a << b", "nn", "<< works on integers; for numbers use floor, minimum, where, ..."),
        ("a ** b", "ii", "** differs between libraries: write x * x, or power(x, y) from phalanx.kernels"),
        ("a << -2", "ii", "<< shifts by 0 or more bits, not by -2"),
        ("10**20 + a", "ii", f"{10**20} does not fit into an integer of 64 bits: write it as a number, 1e+20"),
        ("~a", "nn", "~ is not available for a number; use not, or not_ for lanes"),
        ("+(a, b)", "nn", "+ is not available for a tuple of 2"),
        ("(a, b) < 1", "nn", "a tuple of 2 and an integer cannot be compared"),
    ],
)
def test_operators_that_do_not_fit_say_what_to_write(text, letters, message):
    assert problems_of(f"def example(a, b):\n    return {text}\n", letters) == [(2, message)]
