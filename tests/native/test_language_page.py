"""docs/concepts/language.md says what the compiler and the interpreter do: examples, tables and messages."""

from __future__ import annotations

import ast
import itertools
import math
import operator
import re
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import phalanx
import phalanx.kernels
from phalanx.algebra.generated import define
from phalanx.algebra.jit import interpreted, kernel
from phalanx.algebra.number_type import NumberType
from phalanx.memory.store import PlainView
from phalanx.memory.view import view_at
from phalanx.native.diagnosis import KernelError
from phalanx.native.program import Program
from tests.native.language_harness import LANES, WORLD, Case, Language, same

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "concepts" / "language.md").read_text(encoding="utf-8")
WORDS = {name: getattr(phalanx.kernels, name) for name in phalanx.kernels.__all__}
NUMBERS = {"inf": math.inf, "nan": math.nan}

language = Language("page")


# --- examples


class Example:
    """A block of the page: a function, and lines that say what it returns."""

    def __init__(self, text: str):
        self.line = PAGE[: PAGE.index(text)].count("\n") + 1
        self.is_for_one_world = "# one world" in text
        self.claims = [_claim(found) for found in re.findall(r"^# example(\(.*?\)) == (.*?)( compiled)?$", text, re.M)]
        letters = "".join(_letter(x) for x in self.claims[0][0])
        self.case = language.add_source(text, letters, **WORDS)


def _claim(found: tuple[str, str, str]) -> tuple[tuple[Any, ...], Any, bool]:
    """(arguments, result, does only the compiled kernel give it?)."""
    arguments = eval(f"({found[0][1:-1]},)", dict(NUMBERS))
    return arguments, eval(found[1], dict(NUMBERS)), bool(found[2])


def _letter(x: Any) -> str:
    return "c" if isinstance(x, bool) else "i" if isinstance(x, int) else "N"


EXAMPLES = [Example(text) for text in re.findall(r"```python\n(def example.*?)```", PAGE, re.S)]
NAMES = [f"line {example.line}" for example in EXAMPLES]


def test_the_page_has_examples_with_claims():
    assert len(EXAMPLES) > 12
    assert all(example.claims for example in EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES, ids=NAMES)
def test_an_example_gives_what_the_page_says_in_one_world(example):
    for arguments, expected, _ in example.claims:
        assert same(example.case(*arguments), expected), arguments


@pytest.mark.parametrize("example", EXAMPLES, ids=NAMES)
def test_an_example_gives_what_the_page_says_interpreted(example):
    for arguments, expected, only_compiled in example.claims:
        if not only_compiled:
            assert same(expected, example.case.interpreted(arguments)), arguments


@pytest.mark.parametrize("example", EXAMPLES, ids=NAMES)
def test_what_is_said_of_compiled_kernels_only_is_different_interpreted(example):
    for arguments, expected, only_compiled in example.claims:
        if only_compiled:
            try:
                found = example.case.interpreted(arguments)
            except (ArithmeticError, ValueError):
                continue
            assert not _is_exactly(found, expected), arguments


def _is_exactly(found: Any, expected: Any) -> bool:
    """Are they the same before integers of Python are wrapped?"""
    return same(expected, found) and all(-(2**63) <= x < 2**63 for x in found if isinstance(x, int))


@pytest.mark.parametrize("example", EXAMPLES, ids=NAMES)
def test_an_example_gives_what_the_page_says_in_lanes(example):
    if example.is_for_one_world:
        with pytest.raises(KernelError):
            example.case.kind(LANES)
        return
    rows = [arguments for arguments, _, _ in example.claims]
    for k, found in enumerate(example.case.results(LANES, rows)):
        if all(letter == "N" for letter in example.case.letters):
            expected = [example.claims[(k + world) % len(rows)][1] for world in range(4)]
        else:
            expected = [example.claims[k][1]] * 4
        assert all(map(same, found, expected)), rows[k]


# --- the table of types


LETTERS = {"integer": "i", "number": "n", "condition": "c", "lane": "N", "mask": "C"}


def table_after(heading: str, first: int = 0) -> list[list[str]]:
    """Cells of a table below a heading, with its header."""
    section = PAGE[PAGE.index(f"## {heading}\n") :]
    tables = re.findall(r"(?:^\|.*\n)+", section, re.M)
    rows = [re.split(r"(?<!\\)\|", line.strip().strip("|")) for line in tables[first].splitlines()]
    return [[cell.replace(r"\|", "|").strip() for cell in row] for row in rows if "---" not in row[0]]


def _expressions(column: str) -> list[str]:
    """Expressions of `a` and `b` that a column of the table is about, in both orders."""
    if column.startswith("where"):
        found = ["where(1 > 0, {}, {})"]
    elif column in ("minimum maximum", "and_ or_"):
        found = [f"{word}({{}}, {{}})" for word in column.split()]
    else:
        found = [f"{{}} {op} {{}}" for op in column.split()]
    return [form.format(*order) for form in found for order in (("a", "b"), ("b", "a"))]


HEADER, *MIXING = table_after("How types mix")
mixing = Language("mixing")
MIXED: list[tuple[str, str, str, Case]] = [
    (row[0], text, cell, mixing.add_source(f"def example(a, b):\n    return {text}\n", _letters, **WORDS))
    for row in MIXING
    for _letters in ["".join(LETTERS[word] for word in row[0].split(", "))]
    for column, cell in zip(HEADER[1:], row[1:], strict=True)
    for text in _expressions(column.strip("`"))
]


def test_the_table_of_types_has_all_pairs():
    pairs = [", ".join(pair) for pair in itertools.combinations_with_replacement(LETTERS, 2)]
    assert [row[0] for row in MIXING] == pairs


@pytest.mark.parametrize("pair", [row[0] for row in MIXING])
def test_types_mix_as_the_table_says(pair):
    for types, text, cell, case in MIXED:
        if types == pair:
            try:
                found = case.kind(LANES)
            except KernelError:
                found = "—"
            assert found == cell, f"{text} of {types}"


# --- what is refused


@kernel
def helper(a, b=1):
    return a + b


def plain(x):
    return x


def refusals(first: int) -> list[list[str]]:
    return table_after("What is not allowed, and what to write instead", first)[1:]


def problems_of_line(line: str, number: NumberType) -> list[tuple[int, str]]:
    """(line, message) of all problems of a kernel with a wrong line; it is the third."""
    wrong = textwrap.indent(line.strip("`").replace(" ↵ ", "\n"), "    ")
    source = f"def example(i, x, m, d):\n    t, c = (x, x, x), x > 0.0\n{wrong}\n    return 0\n"
    names: dict[str, Any] = {**WORDS, "helper": helper, "plain": plain}
    scope: dict[str, Any] = {
        "example": kernel(define(source, names, "example")),
        "model_at": view_at("model", number.one_world, True),
        "data_at": view_at("data", number, False),
    }
    run = define("def run(m, d):\n    example(m, data_at(d).qpos[0], model_at(m), data_at(d))\n", scope, "run")
    try:
        Program().export("run", run, 2)
    except KernelError as error:
        return [(problem.places[0].line, problem.reason) for problem in error.problems]
    return []


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize(("line", "message"), refusals(0))
def test_a_wrong_line_gives_the_message_of_the_page(line, message):
    assert problems_of_line(line, WORLD) == [(3, message)]


@pytest.mark.parametrize(("line", "message"), refusals(1))
def test_a_line_that_is_wrong_in_lanes_gives_the_message_of_the_page(line, message):
    assert problems_of_line(line, LANES) == [(3, message)]
    if line != "`a = ~c`" and "c +" not in line:
        assert problems_of_line(line, WORLD) == []


def natural(m, d):
    values = tuple(0.5 * k for k in range(4))
    for k, x in enumerate(values):
        d.userdata[k] = x
    d.userdata[0] = sum(x * y for x, y in zip(values, reversed(values), strict=False))
    d.userdata[1] = phalanx.kernels.maximum(*values[2:])


def test_hooks_have_the_whole_language():
    """W5."""
    xml = XML.replace("<worldbody>", '<size nuserdata="4"/><worldbody>')
    model = phalanx.Model.from_xml_string(xml).with_hooks(control=natural)
    assert model.make_data().forward().userdata.tolist() == [1.0, 1.5, 1.0, 1.5]
    with interpreted():
        assert model.make_data().forward().userdata.tolist() == [1.0, 1.5, 1.0, 1.5]


# --- where interpreted kernels differ

XML = """<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>"""
LARGEST = 2**31 - 1


@pytest.fixture(scope="module")
def views():
    model = phalanx.Model.from_xml_string(XML)
    data = phalanx.Data(model)
    return PlainView(model._store), PlainView(data._store), (model, data)


def compiled(source: str, letters: str, *arguments: Any) -> Any:
    """What a compiled kernel returns."""
    return Language("differences").add_source(source, letters, **WORDS)(*arguments)


def test_sizes_are_integers_of_python_and_elements_are_scalars_of_numpy(views):
    m, d, _ = views
    assert type(m.nbody) is int
    assert type(m.body_parentid[1]) is np.int32
    assert type(m.jnt_limited[0]) is np.bool_
    assert type(d.qpos[0]) is np.float64
    assert type(d.time) is np.float64
    assert type(d.qpos[0] < 1.0) is np.bool_


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
def test_integers_of_fields_wrap_at_32_bits_interpreted(views):
    """I1."""
    m, _, _ = views
    largest = m.body_parentid[1] + LARGEST
    assert largest + 1 == -LARGEST - 1
    with pytest.raises(OverflowError):
        largest + 2**40
    assert compiled("def example(i):\n    return i + 1\n", "i", LARGEST) == 2**31


def test_integers_of_python_grow_interpreted():
    """I2."""
    assert compiled("def example(i):\n    return i + 1\n", "i", 2**63 - 1) == -(2**63)


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
def test_flags_bytes_and_conditions_do_not_count_interpreted(views):
    """I3 and I4."""
    m, d, _ = views
    flag = m.jnt_limited[0] | True
    assert flag + flag == 1
    assert np.uint8(0) - 1 == 255
    condition = d.qpos[0] < 1.0
    assert condition + condition == 1
    with pytest.raises(TypeError):
        operator.neg(condition)
    source = "def example(x):\n    return (x < 1.0) + (x < 2.0), -(x < 1.0), int(x < 1.0) + int(x < 2.0)\n"
    assert compiled(source, "n", 0.5) == (2, -1, 2)
    assert int(condition) + int(condition) == 2


def test_divisions_by_zero_raise_for_numbers_of_python():
    """I5 and I6."""
    for divide in (lambda: 1.0 / 0.0, lambda: 1 / 0, lambda: 1 // 0, lambda: 1 % 0):
        with pytest.raises(ZeroDivisionError):
            divide()
    with np.errstate(all="ignore"):
        assert np.float64(1.0) / 0.0 == math.inf
        assert np.int32(1) // 0 == np.int32(1) % 0 == 0
    source = "def example(i, x):\n    return x / 0.0, i / 0, i // 0, i % 0\n"
    assert compiled(source, "in", 1, 1.0) == (math.inf, math.inf, 0, 0)


@pytest.mark.parametrize("x", [math.nan, math.inf])
def test_int_of_what_is_no_integer_raises_interpreted(x):
    """I7."""
    with pytest.raises((ValueError, OverflowError)):
        int(x)


def test_large_integers_are_compared_exactly_interpreted():
    """I8."""
    source = "def example(i, x):\n    return i == x, i < x, i / 3\n"
    large, number = 2**53 + 1, float(2**53)
    assert compiled(source, "in", large, number)[:2] == (True, False)
    assert (large == number, large < number) == (False, False)


def test_nan_is_in_a_tuple_if_it_is_the_same_object_interpreted():
    """I11."""
    nan = math.nan
    assert nan in (nan,)
    assert compiled("def example(x):\n    return x in (x,)\n", "n", nan) is False


def test_an_integer_that_unifies_with_a_number_is_one_compiled():
    """I12."""
    source = "def example(i):\n    x = 0\n    if i > 1:\n        x = 0.5\n    return -x\n"
    assert math.copysign(1.0, compiled(source, "i", 0)) == -1.0
    assert -0 == 0
    assert math.copysign(1.0, -0) == 1.0


# --- rules


def test_rules_are_numbered_without_gaps():
    found = re.findall(r"\*\*([A-Z])(\d+)\*\*(?= |\s*\|)", "\n".join(re.findall(r"^(?:- |\| )\*\*.*", PAGE, re.M)))
    numbers: dict[str, list[int]] = {}
    for letter, number in found:
        if int(number) not in numbers.setdefault(letter, []):
            numbers[letter].append(int(number))
    assert set("TMAWCSEVFKRHI") <= set(numbers)
    for letter, each in numbers.items():
        assert sorted(each) == list(range(1, len(each) + 1)), letter


def test_rules_that_are_referred_to_exist():
    defined = set(re.findall(r"^(?:- |\| )\*\*([A-Z]\d+)\*\*", PAGE, re.M))
    assert set(re.findall(r"\*\*([A-Z]\d+)\*\*", PAGE)) <= defined


def test_blocks_are_python():
    for text in re.findall(r"```python\n(.*?)```", PAGE, re.S):
        ast.parse(text)
