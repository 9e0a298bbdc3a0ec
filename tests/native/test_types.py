"""Types: which of them mix, what they unify to, and their names in messages."""

from __future__ import annotations

import itertools

import pytest

from phalanx.algebra.number import widen
from phalanx.native.diagnosis import Fault
from phalanx.native.types import (
    BOOLEAN,
    BROKEN,
    FLOAT,
    INTEGER,
    NOTHING,
    condition_of,
    known,
    lane,
    mask,
    number_of,
    one_world,
    promote,
    tuple_of,
    unify,
)
from tests.native.language_harness import SINGLE_LANES, Language, problems_of

LANE, MASK = lane("double", 4), mask("double", 4)
SINGLE_LANE, ONE = lane("float", 4), lane("float", 1)
PAIR = tuple_of((INTEGER, FLOAT))


def test_the_same_type_is_the_same_object():
    assert lane("double", 4) is LANE
    assert mask("double", 4) is MASK
    assert tuple_of((INTEGER, FLOAT)) is PAIR
    assert known(len) is known(len)
    assert known(len) is not known(abs)


@pytest.mark.parametrize(
    ("types", "result"),
    [
        ((INTEGER, INTEGER), INTEGER), ((INTEGER, FLOAT), FLOAT), ((BOOLEAN, BOOLEAN), INTEGER),
        ((BOOLEAN, FLOAT), FLOAT), ((INTEGER, LANE), LANE), ((FLOAT, LANE), LANE), ((BOOLEAN, LANE), LANE),
        ((SINGLE_LANE, FLOAT), SINGLE_LANE), ((SINGLE_LANE, ONE), SINGLE_LANE), ((ONE, FLOAT), ONE),
    ],
)  # fmt: skip
def test_numbers_promote_to_the_wider_in_either_order(types, result):
    assert promote(*types) is result
    assert promote(*reversed(types)) is result


@pytest.mark.parametrize("other", [MASK, PAIR, NOTHING, known(len)], ids=str)
def test_what_is_no_number_does_not_promote(other):
    with pytest.raises(Fault, match="stands where a number is needed"):
        promote(INTEGER, other)


@pytest.mark.parametrize("pair", [(LANE, SINGLE_LANE), (LANE, lane("double", 8))], ids=str)
def test_lanes_of_other_precision_or_width_do_not_mix(pair):
    with pytest.raises(Fault, match="do not mix"):
        promote(*pair)
    assert unify(*pair) is None


def test_conditions_combine_to_a_mask_if_one_of_them_is_one():
    assert condition_of(BOOLEAN, BOOLEAN) is BOOLEAN
    assert condition_of(BOOLEAN, MASK) is MASK
    with pytest.raises(Fault, match="an integer stands where a condition is needed"):
        condition_of(BOOLEAN, INTEGER)


ORDER = (BOOLEAN, INTEGER, FLOAT, LANE)


@pytest.mark.parametrize(("a", "b"), [*itertools.product(ORDER, ORDER)])
def test_number_types_unify_to_the_later_one(a, b):
    assert unify(a, b) is ORDER[max(ORDER.index(a), ORDER.index(b))]


def test_tuples_unify_part_by_part():
    assert unify(PAIR, tuple_of((FLOAT, BOOLEAN))) is tuple_of((FLOAT, FLOAT))
    assert unify(PAIR, tuple_of((FLOAT,))) is None
    assert unify(PAIR, tuple_of((FLOAT, PAIR))) is None


UNLIKE = (INTEGER, PAIR, NOTHING, known(len), known(abs), MASK)


@pytest.mark.parametrize("pair", [*itertools.combinations(UNLIKE, 2)])
def test_other_types_do_not_unify(pair):
    assert unify(*pair) is None
    assert unify(*reversed(pair)) is None


def test_a_condition_and_a_mask_unify_to_a_mask():
    assert unify(BOOLEAN, MASK) is MASK


def test_what_follows_from_a_mistake_has_no_message():
    for mix in (promote, condition_of):
        with pytest.raises(Fault) as error:
            mix(BROKEN)
        assert error.value.reason == ""


@pytest.mark.parametrize(
    ("t", "text"),
    [
        (INTEGER, "an integer"), (FLOAT, "a number"), (LANE, "a number"), (BOOLEAN, "a condition"),
        (MASK, "a condition of worlds"), (PAIR, "a tuple of 2"), (NOTHING, "None"), (known(len), "len"),
        (known({}), "a Python dict"),
    ],
)  # fmt: skip
def test_types_have_names_with_articles(t, text):
    assert f"{t:a}" == text


def test_the_number_of_one_world_keeps_its_precision():
    assert one_world(LANE) is FLOAT
    assert one_world(SINGLE_LANE) is ONE
    assert number_of(INTEGER) is FLOAT
    assert number_of(SINGLE_LANE) is SINGLE_LANE


# --- float32 lanes

single = Language("types")


@single.case("NN")
def single_arithmetic(a, b):
    return a + b, a - b, a * b, a / b, -a, 0.1 * a, a / 3, a + 1


@single.case("NN")
def single_comparisons(a, b):
    return a < b, a <= b, a == b, a != b, a >= 0.1


def test_float32_lanes_round_every_operation_to_float32():
    single_arithmetic.agrees(number=SINGLE_LANES)
    assert single_arithmetic.kind(SINGLE_LANES) == f"({', '.join(['lane'] * 8)})"


def test_float32_lanes_compare_with_constants_rounded_to_float32():
    single_comparisons.agrees(number=SINGLE_LANES)


def test_a_wide_number_does_not_mix_with_a_float32_lane():
    source = "def example(a):\n    return a + widen(a)\n"
    message = "lanes of <4 x float> and <4 x double> do not mix"
    assert problems_of(source, "N", SINGLE_LANES, widen=widen) == [(2, message)]
