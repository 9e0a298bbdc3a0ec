"""Mistakes: all of them, each with its own line, the calls that lead there, and no noise."""

from __future__ import annotations

import ast

import pytest

from phalanx.algebra.generated import define
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import sqrt
from phalanx.native import expressions, statements
from phalanx.native.diagnosis import KernelError, Place, Problem
from phalanx.native.program import Program
from tests.native.language_harness import LANES, problems, problems_of

LIST = "a list; kernels allocate nothing: use numbers, tuples and fields of d"
DIFFERS = "this decides by a number that differs between the worlds of a batch"


# --- several mistakes


def test_every_wrong_statement_is_reported_with_its_line():
    source = """def example(a):
    x = [a]
    y = a ** a
    z = undefined
    raise ValueError
    return a + "text"
"""
    assert problems_of(source, "i") == [
        (2, LIST),
        (3, "** differs between libraries: write x * x, or power(x, y) from phalanx.kernels"),
        (4, "undefined is not defined"),
        (5, "raise; kernels raise nothing: write a number that says so into a field"),
        (6, "text; kernels compute with numbers only"),
    ]


def test_what_follows_from_a_mistake_is_not_reported_again():
    source = """def example(a):
    x = [a]
    y = x + 1
    t = (y, x)
    p, (q, r) = t[0], (y, 2)
    for e in t:
        a += e
    for i in range(x):
        a += sqrt(i)
    if x > y:
        z = x
    else:
        z = 1
    w = z * 2 if z else x
    while w:
        w = w - p
    return x[0] + q + r + w, a
"""
    assert problems_of(source, "i", sqrt=sqrt) == [(2, LIST)]


def test_a_mistake_in_a_loop_is_reported_once_though_the_loop_is_compiled_again():
    source = """def example(n):
    x, y, z = 0, 0, 0
    for i in range(n):
        z = y
        y = x
        x = x + 0.5
        a = [x]
        for j in range(i):
            z = z + 0.25
            z = late
    return a, z
"""
    assert problems_of(source, "i") == [(7, LIST), (10, "late is not defined")]


@pytest.mark.parametrize("body", ["x = x + bad", "x += bad", "x = bad + x", "x = bad(sqrt(x))", "x = -x if bad else x"])
def test_a_variable_that_breaks_in_a_loop_does_not_hide_why(body):
    source = f"def example(n):\n    x = 0\n    for i in range(n):\n        {body}\n    return x + 1\n"
    assert problems_of(source, "i", sqrt=sqrt) == [(4, "bad is not defined")]


def test_a_mistake_in_one_branch_breaks_the_variable_for_both():
    source = """def example(a):
    if a > 1:
        x = [a]
    else:
        x = (a, a)
    return x[0]
"""
    assert problems_of(source, "i") == [(3, LIST)]


def test_a_wrong_return_is_no_missing_return():
    source = "def example(a):\n    if a > 1:\n        return 1\n    return [a]\n"
    assert problems_of(source, "i") == [(4, LIST)]


def test_the_body_is_checked_also_when_the_condition_is_wrong():
    source = """def example(x, n):
    if x > 0.0:
        a = [1]
    elif x:
        a = [2]
    while x > 1.0:
        a = [3]
    for i in range(x):
        a = [4]
    for i in x:
        a = [5]
    for i, j in undefined:
        a = [i]
        b = j
    return n
"""
    found = problems_of(source, "Ni", LANES)
    assert [line for line, _ in found] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    assert all(reason == LIST for line, reason in found if line in (3, 5, 7, 9, 11, 13))
    assert all(DIFFERS in reason for line, reason in found if line in (2, 4, 6))


def test_what_can_never_run_is_not_checked():
    source = "def example(a):\n    if False:\n        x = [1]\n    return a\n    y = [2]\n"
    assert problems_of(source, "i") == []


def test_the_line_is_that_of_the_part_that_is_wrong():
    source = """def example(a):
    x = sqrt(
        a + 1,
    ) + (
        a ** a
    )
    return (
        a,
        [x],
    )
"""
    power = "** differs between libraries: write x * x, or power(x, y) from phalanx.kernels"
    assert problems_of(source, "i", sqrt=sqrt) == [(5, power), (9, LIST)]


# --- mistakes in what is called


@kernel
def innermost(x):
    y = [x]
    return y


@kernel
def middle(x):
    a = innermost(x)
    b = x**x
    return a, b


def caller(x):
    first = middle(x)
    second = [x]
    third = middle(x)
    return first, second, third


def test_mistakes_of_called_kernels_come_with_the_calls_that_lead_there():
    found = problems(caller, "i")
    assert [problem.reason for problem in found] == [
        LIST,
        "** differs between libraries: write x * x, or power(x, y) from phalanx.kernels",
        LIST,
    ]
    start = caller.__code__.co_firstlineno
    assert [place.function for place in found[0].places] == ["innermost", "middle", "caller"]
    assert [place.source for place in found[0].places] == ["y = [x]", "a = innermost(x)", "first = middle(x)"]
    assert [place.function for place in found[1].places] == ["middle", "caller"]
    assert found[2].places[0].line == start + 2
    assert found[0].places[0].file == __file__


def test_a_mistake_that_is_called_twice_is_told_once():
    found = [problem.places[0].function for problem in problems(caller, "i")]
    assert found == ["innermost", "middle", "caller"]


def test_the_error_shows_file_line_source_and_calls():
    text = str(KernelError(problems(caller, "i")))
    line = innermost.function.__code__.co_firstlineno
    assert f"{__file__}:{line + 2} in innermost: {LIST}\n    y = [x]\n  called at {__file__}:" in text
    assert text.count("called at") == 3


def test_a_kernel_error_is_a_type_error_with_its_problems():
    with pytest.raises(TypeError) as error:
        Program().export("caller", kernel(caller), 1)
    assert isinstance(error.value, KernelError)
    assert len(error.value.problems) == 3


def test_a_mistake_depends_on_the_types_of_the_call():
    half = kernel(define("def half(x):\n    return x % 2\n", {}, "half"))
    source = "def example(i, x):\n    a = half(i)\n    return half(x)\n"
    message = "% works on integers; for numbers write x - y * floor(x / y)"
    assert problems_of(source, "in", half=half) == [(2, message)]
    assert problems_of(source, "ii", half=half) == []


# --- the words


def refused_nodes():
    return {**expressions.REFUSED, **statements.REFUSED}


@pytest.mark.parametrize("node", refused_nodes(), ids=lambda node: node.__name__)
def test_what_is_refused_has_a_message_with_a_reason_or_an_advice(node):
    message = refused_nodes()[node]
    assert ";" in message
    assert issubclass(node, ast.AST)


def test_problems_show_the_innermost_place_first():
    inner, outer = Place("a.py", 3, "f"), Place("b.py", 9, "g")
    problem = Problem("wrong", (inner,)).called_from(outer)
    assert problem.places == (inner, outer)
    assert str(problem) == "a.py:3 in f: wrong\n    \n  called at b.py:9 in g"
    assert problem.called_from(outer) is problem


def test_source_that_is_not_at_hand_is_refused():
    scope: dict = {}
    exec("def hidden(a):\n    return a\n", scope)
    found = problems_of("def example(a):\n    return f(a)\n", "i", f=kernel(scope["hidden"]))
    assert found == [(2, "the source of hidden is not at hand: define it in a file")]
