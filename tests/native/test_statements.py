"""Statements: branches, loops of all kinds, returns; and a few hundred random programs."""

from __future__ import annotations

import math
import random
import textwrap

import numpy as np
import pytest

from phalanx.algebra.number import any_, minimum, where
from tests.native.language_harness import NUMBERS, SMALL_INTEGERS, Language, problems_of

language = Language("statements")
COUNTS = [(n,) for n in range(-1, 7)]


# --- counting loops


@language.case("iii")
def bounds(a, b, c):
    forward, backward, by_three = 0, 0, 0
    for i in range(a, b):
        forward = forward * 3 + i
    for i in range(b, a, -2):
        backward = backward * 3 + i
    for i in range(a, b, 3):
        by_three += i
    for _ in range(c):
        forward += 1
    return forward, backward, by_three


def test_range_counts_up_down_and_in_steps():
    bounds.agrees([(a, b, c) for a in (-4, 0, 3) for b in (-5, 0, 2, 7) for c in (-1, 0, 2)])


@language.case("i")
def index_is_the_loops_own(n):
    rounds, limit = 0, n
    for i in range(limit):
        i = i + 100
        limit = 1000
        rounds += 1
    return rounds, limit


def test_assigning_to_the_index_or_the_bound_changes_nothing():
    index_is_the_loops_own.agrees(COUNTS)


@language.case("i")
def last_index(n):
    i = -7
    for i in range(n):  # noqa: B007
        pass
    j = i
    for i in range(n):
        if i == 3:
            break
    return i, j


def test_the_index_stays_what_it_was_in_the_last_round():
    last_index.agrees(COUNTS)


@language.case("i")
def else_of_for(n):
    out = 0
    for i in range(n):
        if i == 4:
            out += 1000
            break
        if i % 2 == 0:
            continue
        out += i
    else:
        out += 100
    return out


def test_else_of_a_loop_runs_unless_it_was_broken():
    else_of_for.agrees(COUNTS)


@language.case("i")
def conditions_as_bounds(n):
    total = 0
    for _ in range(n > 2):
        total += 1
    for i in range(True, n):
        total += i
    return total


def test_conditions_count_as_bounds():
    conditions_as_bounds.agrees(COUNTS)


@language.case("i")
def nested(n):
    total = 0
    for i in range(n):
        for j in range(i):
            if j == 3:
                break
            for k in range(j):
                if k == 1:
                    continue
                total += i * 100 + j * 10 + k
        else:
            total += 7
    return total


def test_break_and_continue_belong_to_the_innermost_loop():
    nested.agrees(COUNTS)


# --- while


@language.case("i")
def collatz(n):
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@language.case("i")
def forever(n):
    i = 0
    while True:
        i += 1
        if i * i > n:
            break
    return i


@language.case("i")
def never(n):
    while False:
        n = [1]
    while 0:
        n += 1
    else:
        n += 5
    return n


@language.case("n")
def while_number(x):
    rounds = 0
    while x:
        x = x - 1.0
        rounds += 1
        if rounds > 5:
            break
    return rounds


def test_while_loops():
    collatz.agrees([(27,), (1,), (0,), (97,)])
    forever.agrees(COUNTS)
    while_number.agrees([(3.0,), (-0.0,), (0.5,), (float("nan"),)])


@language.case("N")
def data_loop(x):
    count, active = 0.0, x >= 1.0
    while any_(active):
        x = where(active, 0.5 * x, x)
        count = where(active, count + 1.0, count)
        active = x >= 1.0
    return count


def test_a_loop_on_data_runs_until_no_world_is_active():
    data_loop.agrees_everywhere([(x,) for x in (10.0, 0.5, 1000.0, float("nan"), -3.0)])


# --- loops over tuples


@language.case("in")
def over_a_tuple(a, x):
    total, count = 0, 0
    for factor in (1, x, 2.5, a > 0):
        total = total + factor * a
        count += 1
    return total, count


@language.case("i")
def left_early(a):
    seen = 0
    for k in (1, 2, 3, 4):
        if k == a:
            continue
        if k > a + 2:
            break
        seen = seen * 10 + k
    else:
        seen += 1000
    return seen, k


@language.case("ii")
def tuple_loops_in_loops(a, n):
    total = 0
    for i in range(n):
        for k in (1, 2, 3):
            if k == i:
                break
            for j in range(k):
                if j == a:
                    break
                total = total * 2 + j
            else:
                total += 1
        else:
            total += 50
    return total


@language.case("in")
def parts_of_other_types(a, x):
    out = ()
    for value in (a, (x, a), a < 3):
        out = out + (value,)
    return out


@language.case("in")
def many_sequences(a, x):
    total = 0.0
    for k, value in enumerate((a, x, 3), 1):
        total += k * value
    for (p, q), r in zip(((1, 2), (3, 4)), (a, x)):  # noqa: B905
        total += p * q * r
    for k in reversed((1, 2, 3)):
        total = total * 2 + k
    for k in reversed(range(3)):
        total = total * 2 + (5, 6, 7)[k]
    return total


@language.case("i")
def returns_out_of_a_tuple_loop(a):
    for k in (1, 2.5, 3):
        if k == a:
            return k
    return -1


@language.case("i")
def nothing_in_it(a):
    for k in ():
        a = k
    else:
        a += 1
    return a


def test_loops_over_tuples_are_written_out():
    over_a_tuple.agrees()
    parts_of_other_types.agrees()
    many_sequences.agrees([(a, x) for a in SMALL_INTEGERS for x in NUMBERS])
    nothing_in_it.agrees(COUNTS)


def test_loops_over_tuples_have_break_continue_and_else():
    left_early.agrees(COUNTS)
    tuple_loops_in_loops.agrees([(a, n) for a in range(4) for n in range(6)])
    returns_out_of_a_tuple_loop.agrees(COUNTS)


# --- returns


@language.case("i")
def early_returns(a):
    if a > 4:
        return a
    for i in range(a):
        if i == 2:
            return 0.5
    return a > 0


@language.case("i")
def returns_tuples(a):
    if a > 3:
        return a, (1, True)
    return 0.5, (a > 0, 2)


@language.case("i")
def both_sides_return(a):
    if a > 3:
        return 1
    else:
        return 2
    return [3]


@language.case("i")
def returns_nothing(a):
    if a > 3:
        return
    a += 1


def test_results_of_all_returns_unify():
    early_returns.agrees(COUNTS)
    assert early_returns.kind() == "number"
    returns_tuples.agrees(COUNTS)
    assert returns_tuples.kind() == "(number, (integer, integer))"


def test_what_stands_behind_a_return_is_not_looked_at():
    both_sides_return.agrees(COUNTS)


def test_a_function_may_return_nothing():
    returns_nothing.agrees(COUNTS)
    assert returns_nothing.kind() == "None"


def test_a_function_returns_a_value_in_every_case_or_in_none():
    message = "example must return a value in every case, or in none"
    assert problems_of("def example(a):\n    if a > 1:\n        return 1\n", "i") == [(3, message)]
    source = "def example(a):\n    if a > 1:\n        return 1\n    return (1, 2)\n"
    assert problems_of(source, "i") == [(4, "example returns an integer here and a tuple of 2 there")]


# --- assignments


@language.case("in")
def assignments(a, x):
    b = c = a
    (p, (q, r)), s = (a, (x, 1)), b
    c += 2
    t: float = x
    u: int  # noqa: F842
    c -= 1
    c *= 3
    p //= 2
    q /= 4.0
    r <<= 3
    s &= 6
    s |= 1
    s ^= 2
    t += a
    return b, c, p, q, r, s, t


def test_assignments_of_all_kinds():
    assignments.agrees()


@language.case("i")
def decided_when_compiling(a):
    if 3 > 2 and not False:
        x = a
    else:
        x = [1]
    if 0:
        x = undefined  # noqa: F821
    elif a > 1:
        x = 2.5
    return x


def test_the_other_side_of_a_constant_condition_is_not_looked_at():
    decided_when_compiling.agrees(COUNTS)


@language.case("i")
def text_and_pass(a):
    "text"
    pass
    a  # noqa: B018
    """more"""
    return a


def test_text_and_pass_do_nothing():
    text_and_pass.agrees(COUNTS)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("for i in range(): pass", "range takes a stop, or start and stop, or start, stop and step"),
        ("for i in range(0, 1, 0): pass", "the step of range must not be zero"),
        ("for i in range(0, 1, a): pass", "the step of range must be a constant"),
        ("for i in enumerate(): pass", "enumerate takes 1 to 2 arguments"),
        ("for i, j in enumerate((1, 2), a): pass", "enumerate counts from a constant"),
        ("for i, j in (1, 2): pass", "an integer cannot be taken apart into 2"),
        ("for i in tuple(k for k in range(a)): pass", "this range runs over constants: write for i in range(...)"),
        ("a[0] = 1", "an integer has no elements"),
    ],
)
def test_loops_that_do_not_fit_say_so(line, message):
    assert problems_of(f"def example(a):\n    {line}\n    return 1\n", "i") == [(2, message)]


# --- random programs


#: Numbers of NumPy: those of Python raise when they are divided by zero.
CONSTANTS = {"ONE": np.float64(1.0), "SHARE": np.float64(-1.25), "THREE": np.float64(3.0), "SMALL": np.float64(1e-3)}


class Writer:
    """Writes a random program that Python accepts: every variable has a value, loops end, nothing divides by zero."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.integers, self.numbers = ["a", "b"], ["x", "y"]
        # what is an integer on some ways is read as a number: -0 and -0.0 are not the same
        self.read = [*self.numbers, "(z * ONE)", "(t[1] * ONE)", *CONSTANTS]
        self.fixed: list[str] = []
        self.count = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def integer(self, depth: int = 2) -> str:
        """Small enough that neither way of running overflows."""
        if depth == 0 or self.random.random() < 0.3:
            return self.pick(*self.integers, *self.fixed, str(self.random.randint(-5, 9)))
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        return self.pick(
            f"({a} + {b})", f"({a} - {b})", f"(({a} * {b}) % 1009)", f"({a} // {self.pick(2, 3, -4)})", f"-{a}",
            f"({a} % {self.pick(5, -7)})", f"({a} & {b})", f"({a} ^ {self.pick(3, 12)})", f"min({a}, {b})",
            f"({a} if {self.condition(depth - 1)} else {b})", f"abs({a})", f"({a} and {b})", f"int({a} < {b})",
        )  # fmt: skip

    def number(self, depth: int = 2) -> str:
        if depth == 0 or self.random.random() < 0.3:
            return self.pick(*self.read)
        a, b = self.number(depth - 1), self.number(depth - 1)
        return self.pick(
            f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} / {b})", f"({a} * {self.integer(depth - 1)})",
            f"minimum({a}, {b})", f"where({self.condition(depth - 1)}, {a}, {b})", f"-{a}", f"abs({a})",
            f"({a} if {self.condition(depth - 1)} else {b})", f"({self.integer(depth - 1)} + {a})",
        )  # fmt: skip

    def condition(self, depth: int = 1) -> str:
        if depth > 0 and self.random.random() < 0.3:
            return f"({self.condition(depth - 1)} {self.pick('and', 'or')} not {self.condition(depth - 1)})"
        op, operand = self.pick("<", "<=", "==", "!=", ">"), self.pick(self.integer, self.number)
        return f"({operand(depth)} {op} {operand(depth)})"

    def statement(self, depth: int, in_loop: bool) -> list[str]:
        kinds = ["integer", "number", "number", "mixed", "pair"]
        kinds += ["if", "if", "for", "while", "tuple"] if depth > 0 else []
        kinds += ["leave"] if in_loop else []
        return getattr(self, f"_{self.pick(*kinds)}")(depth, in_loop)

    def _integer(self, depth, in_loop):
        return [f"{self.pick(*self.integers)} {self.pick('=', '=', '+=')} {self.integer()} % 1009"]

    def _number(self, depth, in_loop):
        return [f"{self.pick(*self.numbers)} {self.pick('=', '+=', '*=')} {self.number()}"]

    def _mixed(self, depth, in_loop):
        """A number that is an integer here and there."""
        return [f"z = {self.pick(self.integer, self.number, self.condition)()}"]

    def _pair(self, depth, in_loop):
        first, second = self.pick(self.integer, self.number)(), self.pick(self.integer, self.number)()
        return [f"t = ({first}, {second})"]

    def _if(self, depth, in_loop):
        lines = [f"if {self.condition()}:", *self.block(depth - 1, in_loop)]
        if self.random.random() < 0.5:
            lines += [f"elif {self.condition()}:", *self.block(depth - 1, in_loop)]
        return lines + (["else:", *self.block(depth - 1, in_loop)] if self.random.random() < 0.6 else [])

    def _for(self, depth, in_loop):
        self.count += 1
        name = f"i{self.count}"
        header = f"for {name} in range({self.pick('a % 4', '3', '1, 4', '5, 0, -2', f'{self.integer(1)} % 3')}):"
        return self._with(name, header, depth)

    def _tuple(self, depth, in_loop):
        self.count += 1
        name = f"e{self.count}"
        parts = ", ".join(self.integer(1) for _ in range(3))
        return self._with(name, f"for {name} in ({parts}):", depth)

    def _with(self, name, header, depth):
        self.fixed.append(name)
        lines = [header, *self.block(depth - 1, True)]
        self.fixed.remove(name)
        return lines + (["else:", *self.block(depth - 1, False)] if self.random.random() < 0.3 else [])

    def _while(self, depth, in_loop):
        self.count += 1
        name = f"w{self.count}"
        lines = [f"{name} = 0", f"while {name} < 4 and {self.condition()}:", f"    {name} += 1"]
        return [*lines, *self.block(depth - 1, True)]

    def _leave(self, depth, in_loop):
        way = self.pick("break", "continue", "continue", f"return {self.integer(1)}, {self.number(1)}, t, b")
        return [f"if {self.condition()}:", f"    {way}"]

    def block(self, depth: int, in_loop: bool) -> list[str]:
        lines = []
        for _ in range(self.random.randint(1, 2)):
            lines += self.statement(max(depth, 0), in_loop)
        return ["    " + line for line in lines]

    def program(self) -> str:
        lines = [line for _ in range(3) for line in self.statement(2, False)]
        body = textwrap.indent("\n".join(["t, z = (a, x), 1", *lines, "return a, x, t, y"]), "    ")
        return f"def example(a, b, x, y):\n{body}\n"


PROGRAMS = 200
ROWS = [(1, 2, 0.5, -1.0), (7, -3, 2.0, 0.0), (0, 0, -0.0, 1.5), (-8, 5, math.inf, math.nan), (3, 4, 1e300, -7.0)]


def test_random_programs_give_the_same_bits_both_ways():
    programs, names = Language("programs"), {"where": where, "minimum": minimum, **CONSTANTS}
    cases = [programs.add_source(Writer(seed).program(), "iinn", **names) for seed in range(PROGRAMS)]
    for seed, case in enumerate(cases):
        try:
            case.agrees(ROWS)
        except AssertionError as error:
            pytest.fail(f"seed {seed}: {error}\n{Writer(seed).program()}")
