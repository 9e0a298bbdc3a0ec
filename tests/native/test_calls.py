"""Calls: specialization, names and defaults, functions as values, what functions capture, and recursion."""

from __future__ import annotations

import dataclasses
import enum
import math
import types

import numpy as np
import pytest

from phalanx.algebra.dispatch import dispatch
from phalanx.algebra.generated import define
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import sqrt, where
from phalanx.native.program import MOST_CALLS_OF_ITSELF, Program
from phalanx.native.types import FLOAT, INTEGER
from tests.native.language_harness import LANES, SMALL_INTEGERS, Language, problems, problems_of

language = Language("calls")
SMALL = [(a, x) for a in SMALL_INTEGERS for x in (0.5, -2.0, 0.0)]


# --- specialization


@kernel
def twice(x):
    return x + x


@language.case("inN")
def specialized(a, x, y):
    return twice(a), twice(x), twice(y), twice((a, x)), twice(a > 0)


def test_a_kernel_is_compiled_for_each_choice_of_types():
    specialized.agrees_everywhere()
    assert specialized.kind(LANES) == "(integer, number, lane, (integer, number, integer, number), integer)"


def test_a_kernel_is_compiled_once_for_the_same_types():
    program = Program()
    first = program.instance(twice, (INTEGER,))
    assert program.instance(twice, (INTEGER,)) == first
    assert program.instance(twice, (FLOAT,)) != first
    assert program.function_count == 2


# --- arguments


@kernel
def line(x, slope=2, offset=0.5):
    return slope * x + offset


@kernel
def only_by_name(x, *, scale=3):
    return x * scale


@language.case("in")
def named(a, x):
    lines = line(x), line(x, a), line(x, offset=a), line(offset=1, slope=x, x=a)
    return lines + (only_by_name(a), only_by_name(a, scale=x))


def test_arguments_come_in_order_by_name_or_by_default():
    for a, x in SMALL:
        expected = (2 * x + 0.5, a * x + 0.5, 2 * x + a, x * a + 1, a * 3, a * x)
        assert named(a, x) == expected


def test_arguments_by_name_agree_with_the_interpreter():
    named.agrees(SMALL)


@language.case("in")
def spread(a, x):
    t = (a, x)
    return line(x, *t), line(*t, 1), line(*(1, 2, 3))


def test_a_star_gives_all_parts_of_a_tuple():
    spread.agrees(SMALL)


@language.case("i")
def given(a):
    b = a
    changed(b)
    return a, b


@kernel
def changed(b):
    b = b + 1
    return b


def test_parameters_are_not_changed_for_the_caller():
    given.agrees()


@pytest.mark.parametrize("call", ["line()", "line(1, 2, 3, 4)", "line(1, x=2)", "line(1, slop=2)"])
def test_arguments_that_do_not_fit_are_refused_with_the_parameters(call):
    assert problems_of(f"def example():\n    return {call}\n", line=line) == [(2, "line takes (x, slope, offset)")]


def test_a_kernel_names_each_parameter():
    many = kernel(define("def many(*x):\n    return 1\n", {}, "many"))
    found = problems_of("def example():\n    return many(1)\n", many=many)
    assert found == [(2, "many takes * arguments: name each parameter")]


# --- functions as values


@kernel
def applied(f, x):
    return f(x) + 1


@kernel
def same_function(f, g):
    return f is g, f is not g, f is None


@language.case("in")
def functions(a, x):
    total = 0.0
    for f in (twice, sqrt, line):
        total = total + f(abs(x))
    g = twice
    return applied(twice, a), applied(sqrt, 2.0), total, g(a), same_function(twice, sqrt), same_function(twice, g)


def test_functions_are_passed_kept_and_compared():
    functions.agrees(SMALL)


@kernel
def optional(x, then):
    if then is None:
        return x
    return then(x)


@language.case("i")
def may_be_none(a):
    return optional(a, None), optional(a, twice)


def test_a_function_may_be_none():
    may_be_none.agrees()


def test_which_function_it_is_must_be_known():
    source = "def example(a):\n    f = twice if a > 0 else line\n    return f(a)\n"
    assert problems_of(source, "i", twice=twice, line=line) == [
        (2, "this is twice or line: both sides must be of one kind"),
    ]


@kernel
def line_of_one(x):
    return line(x)


@language.case("i")
def table(a):
    return pick(a, 2), pick(a, 3.5)


pick = dispatch({1: twice, 4: line_of_one}, twice)


def test_a_table_calls_the_row_of_its_key():
    table.agrees([(1,), (4,), (9,)])


def test_plain_functions_and_unknown_words_are_refused():
    assert problems_of("def example(a):\n    return f(a)\n", "i", f=math.sin) == [
        (2, "sin is not available in a kernel; phalanx.kernels lists what is"),
    ]

    def plain(a):
        return a

    assert problems_of("def example(a):\n    return f(a)\n", "i", f=plain) == [
        (2, "plain is no kernel: decorate it with @kernel"),
    ]


# --- what functions capture


class Joint(enum.IntEnum):
    FREE = 0
    HINGE = 3


class Flag(enum.IntFlag):
    A = 1
    B = 4


@dataclasses.dataclass(frozen=True)
class Gains:
    stiffness: float = 12.5
    steps: int = 3
    limits: tuple[float, ...] = (-1.0, 2.0)


GAINS, SCALE, TABLE = Gains(), 2.5, (1, (2.0, True))
SETTINGS = types.SimpleNamespace(inner=GAINS)
ARRAY = np.arange(6.0).reshape(2, 3)
WHOLE, FLAGS, NOTHING_IN_IT = np.array([5, -7, 2**40]), np.array([True, False]), np.zeros((0, 2))


@language.case("i")
def constants(a):
    return (
        a == Joint.HINGE, Joint.FREE + a, a & Flag.B, Flag.A | Flag.B, GAINS.stiffness * a, GAINS.limits[1],
        SETTINGS.inner.steps, SCALE, TABLE, math.pi, math.inf, Joint.HINGE, TABLE[1][0],
    )  # fmt: skip


def test_numbers_tuples_enums_and_records_of_constants():
    constants.agrees([(a,) for a in SMALL_INTEGERS])


@language.case("ii")
def arrays(i, j):
    return ARRAY[i, j], ARRAY[-1, 2], WHOLE[i], len(ARRAY), WHOLE[2]


def test_arrays_are_indexed_as_by_numpy():
    arrays.agrees([(i, j) for i in (-2, -1, 0, 1) for j in (-3, 0, 2)])
    assert arrays.kind() == "(number, number, integer, integer, integer)"


def test_an_index_out_of_bounds_takes_the_nearest_element():
    assert arrays(7, 9)[0] == 5.0
    assert arrays(-7, -9)[0] == 0.0
    assert arrays(7, 0)[2] == 2**40


@language.case("i")
def empty(i):
    total = 0.0
    for k in range(len(NOTHING_IN_IT)):
        total += NOTHING_IN_IT[k, i]
    return total, FLAGS[i]


def test_an_empty_array_may_be_captured():
    assert empty(0) == (0.0, 1)
    assert empty(1) == (0.0, 0)


def test_an_array_is_indexed_down_to_one_number():
    source = "def example(i):\n    a = ARRAY[i]\n    b = ARRAY[0, 7]\n    return a\n"
    assert problems_of(source, "i", ARRAY=ARRAY) == [
        (2, "the array has 2 axes, not 1: index it down to one number"),
        (3, "index 7 is out of bounds: the array has 3 elements along this axis"),
    ]


def make(factor, function):
    def scaled(x):
        return factor * function(x)

    return kernel(scaled)


half, triple = make(0.5, twice), make(3, line)


@language.case("i")
def closures(a):
    return half(a), triple(a), half(triple(a))


def test_functions_capture_variables_around_them():
    closures.agrees([(a,) for a in SMALL_INTEGERS])
    assert closures.kind() == "(number, number, number)"


shifted = kernel(lambda x: x + 7)


@language.case("i")
def with_lambda(a):
    return shifted(a)


def test_a_lambda_can_be_a_kernel():
    with_lambda.agrees()


def test_a_variable_around_a_function_must_have_a_value():
    def around():
        def inner(n):
            return later + n

        if around is None:
            later = 1
        return inner

    assert [problem.reason for problem in problems(around(), "i")] == ["later is not defined"]


# --- recursion


def recursive(source: str):
    names: dict = {"where": where}
    name = source.split("(")[0].split()[-1]
    names[name] = kernel(define(source, names, name))
    return names[name]


fold = recursive("def fold(t):\n    return t[0] if len(t) == 1 else t[0] + fold(t[1:])\n")


@language.case("in")
def folded(a, x):
    return fold((a, x, 3, a))


def test_a_kernel_may_call_itself_with_other_types():
    folded.agrees(SMALL)


def test_a_kernel_does_not_call_itself():
    f = recursive("def f(n):\n    return 1 if n == 0 else n * f(n - 1)\n")
    found = problems(f, "i")
    assert [problem.reason for problem in found] == ["f calls itself, which a kernel cannot: write a loop"]


def test_kernels_do_not_call_each_other_in_a_circle():
    names: dict = {}
    names["f"] = kernel(define("def f(n):\n    return g(n)\n", names, "f"))
    names["g"] = kernel(define("def g(n):\n    return f(n)\n", names, "g"))
    (problem,) = problems(names["f"], "i")
    assert problem.reason == "f calls itself, which a kernel cannot: write a loop"
    assert [place.function for place in problem.places[1:]] == ["g", "f"]


def test_a_kernel_that_calls_itself_with_ever_longer_tuples_is_refused():
    grow = recursive("def grow(t):\n    return grow(t + (1,))\n")
    found = problems_of("def example(a):\n    return grow((a, 1))\n", "i", grow=grow)
    assert found == [(1, "grow calls itself, which a kernel cannot: write a loop")]
    assert MOST_CALLS_OF_ITSELF == 20
