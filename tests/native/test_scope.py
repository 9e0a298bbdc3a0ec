"""Variables: what they are where ways of the program meet, around loops, and when they were never assigned."""

from __future__ import annotations

import pytest

from phalanx.algebra.number import where
from tests.native.language_harness import LANES, Language, problems_of

language = Language("scope")
COUNTS = [(n,) for n in range(6)]


# --- branches


@language.case("in")
def int_or_float(a, x):
    if a > 0:
        y = a
    else:
        y = x
    return y * 2


def test_an_integer_and_a_number_meet_as_a_number():
    int_or_float.agrees()
    assert int_or_float.kind() == "number"


@language.case("iN")
def number_or_lane(a, x):
    y = 0
    if a > 0:
        y = x
    elif a < -1:
        y = 0.5
    return y + 1, where(y > 0.5, 1, 2)


def test_an_integer_a_number_and_a_lane_meet_as_a_lane():
    number_or_lane.agrees_everywhere()
    assert number_or_lane.kind(LANES) == "(lane, lane)"


@language.case("iN")
def condition_or_mask(a, x):
    c = a == 3
    if a > 0:
        c = x > 0.0
    return where(c, 1.0, 2.0)


def test_a_condition_and_a_mask_meet_as_a_mask():
    condition_or_mask.agrees_everywhere()


@language.case("in")
def tuples_meet(a, x):
    t = (1, (2, 3.5))
    if a > 0:
        t = (x, (a, a))
    return t, t[1][0]


def test_tuples_meet_part_by_part():
    tuples_meet.agrees()
    assert tuples_meet.kind() == "((number, (integer, number)), integer)"


@language.case("i")
def dead_conflict(a):
    if a > 0:
        t = (1, 2)
    else:
        t = 5
    t = a
    return t


def test_types_that_conflict_do_no_harm_if_the_variable_is_assigned_again():
    dead_conflict.agrees()


@language.case("i")
def conflict_in_a_loop(n):
    total = 0
    for i in range(n):
        t = (i, 2)
        total += t[1]
        t = i
        total += t
    return total


def test_a_variable_may_change_between_a_tuple_and_a_number_within_a_round():
    conflict_in_a_loop.agrees(COUNTS)


def test_a_variable_of_conflicting_types_cannot_be_read():
    source = "def example(a):\n    x = 1\n    if a > 1:\n        x = (1, 2)\n    y = 3\n    return x\n"
    assert problems_of(source, "i") == [(6, "x is not the same kind of value everywhere: tuple of 2 and integer")]


def test_a_variable_of_conflicting_types_cannot_be_read_after_a_loop():
    source = "def example(a):\n    x = 1\n    while a > 1:\n        x = (1, 2)\n        a -= 1\n    return x\n"
    assert problems_of(source, "i") == [(6, "x is not the same kind of value everywhere: integer and tuple of 2")]


@language.case("i")
def three_ways(a):
    if a > 10:
        x = True
    elif a > 0:
        x = 2
    else:
        x = 0.5
    y = x
    if a > 20:
        return 1
    x = a
    return x + y


def test_more_than_two_ways_meet():
    three_ways.agrees([(30,), (15,), (5,), (-5,)])


# --- assigned on one way only


@language.case("i")
def one_way(a):
    if a > 0:
        x = a + 1
    if a > 0:
        return x
    return -1


@language.case("i")
def never_assigned(a):
    if a > 0:
        x, y, t = 5, 2.5, (1, True)
    return x, y, t


def test_a_variable_assigned_on_one_way_keeps_its_value():
    one_way.agrees()


def test_a_variable_that_was_never_assigned_is_zero():
    assert never_assigned(1) == (5, 2.5, (1, True))
    assert never_assigned(0) == (0, 0.0, (0, False))
    with pytest.raises(UnboundLocalError):
        never_assigned.interpreted([0])


@language.case("i")
def assigned_in_a_loop_only(n):
    for i in range(n):
        x = i * 0.5
    if n > 0:
        return x, i
    return -1.0, -1


def test_variables_of_a_loop_are_known_behind_it():
    assigned_in_a_loop_only.agrees(COUNTS)


@language.case("i")
def kept_from_earlier_rounds(n):
    total = 0.0
    for i in range(n):
        if i == 0:
            x = 1
        if i == 2:
            x = 2.5
        if i == 4:
            x = 7
        total = total * 10 + x
    return total


@language.case("i")
def kept_from_earlier_rounds_of_outer_loops(n):
    total = 0.0
    for i in range(n):
        for j in range(2):
            if i == 0:
                x = 1
            if i == 1 and j == 1:
                x = 0.25
        total = total * 3 + x
        while x > 100:
            x = 3
    return total


def test_a_variable_keeps_what_an_earlier_round_gave_it_whatever_its_type_was():
    kept_from_earlier_rounds.agrees(COUNTS[1:] + [(7,)])
    kept_from_earlier_rounds_of_outer_loops.agrees(COUNTS[1:])


def test_a_variable_that_no_way_assigns_first_is_refused():
    message = "x is read before it is assigned: give it a value first"
    assert problems_of("def example(a):\n    y = x\n    x = 1\n    return y\n", "i") == [(2, message)]
    source = "def example(n):\n    y = 0\n    while y < n:\n        y += x if y else 1\n        x = y\n    return y\n"
    assert problems_of(source, "i") == [(4, message)]


def test_a_variable_that_no_way_assigns_first_is_refused_also_if_its_type_changes():
    source = """def example(n):
    y = 0
    for i in range(n):
        y = y + x if i else 0
        x = i
        if i > 1:
            x = 0.5
    return y
"""
    assert problems_of(source, "i") == [(4, "x is read before it is assigned: give it a value first")]


# --- loops


@language.case("i")
def widened(n):
    x = 0
    for _ in range(n):
        x = x + 0.5
    return x


@language.case("in")
def widened_step_by_step(n, y):
    a, b, c = True, 0, 0
    for i in range(n):
        c = b
        b = a
        a = y * i
    return a, b, c


@language.case("iN")
def widened_to_a_lane(n, x):
    total, factor = 0, 1
    for i in range(n):
        total = total + factor
        if i == 2:
            factor = factor * x
    return total


@language.case("i")
def widened_in_an_inner_loop(n):
    x, y = 0, 1
    for i in range(n):
        y = y + x
        for j in range(i):
            x = x + 0.25
            if j > 1:
                x = 3
    return x, y


def test_an_integer_before_a_loop_is_the_number_that_the_loop_makes_it():
    widened.agrees(COUNTS)
    assert widened.kind() == "number"


def test_types_widen_until_nothing_changes():
    widened_step_by_step.agrees([(n, y) for n in range(5) for y in (0.5, -0.0)])
    widened_to_a_lane.agrees([(n, x) for n in range(5) for x in (0.5, -2.0)])
    widened_to_a_lane.agrees([(n, x) for n in range(5) for x in (0.5, -2.0)], LANES)
    widened_in_an_inner_loop.agrees(COUNTS)


@language.case("i")
def continue_carries_types(n):
    x, total = 0, 0.0
    for i in range(n):
        total += x
        if i == 1:
            x = 2.5
            continue
        if i == 3:
            x = True
            continue
        x = i
    return x, total


@language.case("i")
def break_carries_types(n):
    x = 0
    for i in range(n):
        if i == 2:
            x = 0.75
            break
        if i == 4:
            x = i > 2
            break
    else:
        x = 9
    return x


def test_continue_and_break_carry_types_of_their_own():
    continue_carries_types.agrees(COUNTS)
    break_carries_types.agrees(COUNTS)


@language.case("i")
def while_with_else(n):
    x, i = 1, 0
    while i < n:
        i += 1
        if i == 4:
            break
        x = x * 1.5
    else:
        x = -x
    return x, i


def test_while_with_else():
    while_with_else.agrees(COUNTS)


@language.case("i")
def swapped(n):
    a, b = 1, 2.5
    for _ in range(n):
        a, b = b, a
    return a, b


def test_a_swap_uses_the_old_values():
    swapped.agrees(COUNTS)


@language.case("ii")
def parameters_are_variables(a, b):
    for i in range(3):
        a = a + b
        b = b * 0.5 if i > 1 else b
    return a, b


def test_parameters_can_be_assigned_to():
    parameters_are_variables.agrees([(1, 2), (-3, 7), (0, 0)])
    assert parameters_are_variables.kind() == "(number, number)"


@language.case("i")
def shadowed(a):
    k = 5
    t = tuple(k * a for k in range(3))
    u = tuple(t for t in t)
    return k, t, u


def test_the_variable_of_a_comprehension_is_its_own():
    shadowed.agrees()


@language.case("i")
def constants_stay_constant(a):
    n = 2
    t = (a, (1, 2.5), True)
    return t[n], t[n - 1][0]


def test_a_variable_that_is_assigned_once_to_a_constant_is_one():
    constants_stay_constant.agrees()
    source = "def example(a):\n    n = 2\n    n = n - a\n    return (1, (2, 3), 4)[n]\n"
    assert problems_of(source, "i") == [(4, "parts of different kinds can be taken by a constant index only")]


@language.case("n")
def greek(θ):
    ω = θ * 2.0
    if θ > 0.0:
        ω = 1
    return ω


def test_names_may_have_any_letters():
    greek.agrees()
