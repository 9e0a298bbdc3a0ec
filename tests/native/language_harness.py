"""Tiny kernels, compiled and interpreted, compared bit by bit.

    language = Language("operators")

    @language.case("ii")
    def total(a, b):
        return a + b

    total.agrees()

A case is a kernel and a letter for each of its parameters:

    i  integer                              n  number that all worlds share
    c  condition that all worlds share      N  number of one world: a lane in lanes
    C  condition of worlds: a mask in lanes

All cases of a `Language` are compiled together, once for each number type that is asked for. `case.agrees()` runs every
row of arguments both ways and compares the bits; `case.kind()` is the type of the result in words.
"""

from __future__ import annotations

import ctypes
import hashlib
import itertools
import math
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.generated import define
from phalanx.algebra.jit import Kernel, kernel
from phalanx.algebra.number_type import NumberType
from phalanx.native.code import Code
from phalanx.native.diagnosis import KernelError, Problem
from phalanx.native.entry import TextUnit
from phalanx.native.intrinsics import At
from phalanx.native.number import array_at, number_type
from phalanx.native.program import Program
from phalanx.native.runtime import address_of
from phalanx.native.runtime_checks import NOTE_LENGTH, NOTE_SYMBOL
from phalanx.native.types import BOOLEAN, FLOAT, INT64_ELEMENT, INTEGER, Lane, Mask, Nothing, Tuple, Type, field
from phalanx.native.values import VOID, Value

WORLD = NumberType("float64")
LANES = NumberType("float64", 4)
SINGLE = NumberType("float32", 1)
SINGLE_LANES = NumberType("float32", 4)

#: Numbers that a row of results has room for.
_ROOM = 64

INTEGERS = (0, 1, -1, 2, -3, 7, 63, 64, -64, 1_000_003, 2**31, -(2**31) - 1, 2**53 + 1, 2**63 - 1, -(2**63))
SMALL_INTEGERS = (0, 1, -1, 2, -3, 7, 10)
NUMBERS = (0.0, -0.0, 1.0, -1.5, 0.1, 3.0, 1e-310, -1e300, 1e16, 9.0, math.inf, -math.inf, math.nan)
CONDITIONS = (False, True)
_VALUES: dict[str, Sequence[Any]] = {
    "i": INTEGERS, "n": NUMBERS, "N": NUMBERS, "c": CONDITIONS, "C": CONDITIONS,
}  # fmt: skip


def rows_of(letters: str, most: int = 400) -> list[tuple[Any, ...]]:
    """All combinations of edge values, thinned out evenly if there are too many."""
    rows = list(itertools.product(*(_VALUES[letter] for letter in letters)))
    step = max(1, -(-len(rows) // most))
    while math.gcd(step, len(rows)) > 1:
        step += 1
    return rows[:: step if len(rows) > most else 1]


def wrapped(x: int) -> int:
    """An integer as 64 bits hold it."""
    return (int(x) + 2**63) % 2**64 - 2**63


def bits(x: float) -> int:
    """The bits of a number; all NaN are one."""
    return -1 if math.isnan(x) else int(struct.unpack("<q", struct.pack("<d", x))[0])


# --- results of compiled code


class Keep(At):
    """Writes the result of a kernel into memory, 64 bits for each number in it, and remembers its type."""

    def __init__(self) -> None:
        super().__init__(field(INT64_ELEMENT))
        self.result: Type | None = None

    def compile(self, f: Any, address: Value, row: Value, result: Value) -> Value:  # type: ignore[override]
        self.result = result.type
        code: Code = f.code
        start = code.emit(f"inttoptr i64 {address.operand} to ptr")
        first = code.emit(f"mul i64 {row.operand}, {_ROOM}")
        operands = zip(result.type.leaves, result.operands, strict=True)
        cells = [cell for leaf, operand in operands for cell in _cells(code, leaf, operand)]
        assert len(cells) <= _ROOM
        for k, cell in enumerate(cells):
            at = code.emit(f"add i64 {first}, {k}")
            pointer = code.emit(f"getelementptr i64, ptr {start}, i64 {at}")
            code.do(f"store i64 {cell}, ptr {pointer}")
        return VOID


def _cells(code: Code, leaf: str, operand: str) -> Iterator[str]:
    """An operand as 64-bit integers."""
    if leaf.startswith("<"):
        width, base = leaf[1:-1].split(" x ")
        for k in range(int(width)):
            yield from _cells(code, base, code.emit(f"extractelement {leaf} {operand}, i64 {k}"))
    elif leaf == "i64":
        yield operand
    elif leaf == "i1":
        yield code.emit(f"zext i1 {operand} to i64")
    else:
        wide = operand if leaf == "double" else code.emit(f"fpext float {operand} to double")
        yield code.emit(f"bitcast double {wide} to i64")


def _number(cell: int) -> float:
    return float(struct.unpack("<d", struct.pack("<q", cell))[0])


def decoded(t: Type, cells: Iterator[int], world: int) -> Any:
    """A result as a Python object, as one of the worlds sees it."""
    if isinstance(t, Tuple):
        return tuple([decoded(part, cells, world) for part in t.parts])
    if isinstance(t, Lane | Mask):
        each = [next(cells) for _ in range(t.width)]
        cell = each[world if t.width > 1 else 0]
        return bool(cell) if isinstance(t, Mask) else _number(cell)
    if isinstance(t, Nothing):
        return None
    return {INTEGER: int, FLOAT: _number, BOOLEAN: bool}[t](next(cells))  # type: ignore[index]


def shown(t: Type) -> str:
    """A type in the words of `docs/concepts/language.md`."""
    if isinstance(t, Tuple):
        return f"({', '.join(map(shown, t.parts))})"
    return {"Lane": "lane", "Mask": "mask"}.get(type(t).__name__, str(t))


def same(compiled: Any, interpreted: Any) -> bool:
    """Equal bits. An integer counts as the number it equals, where the compiled kernel has a number."""
    if isinstance(compiled, tuple):
        return (
            isinstance(interpreted, tuple)
            and len(compiled) == len(interpreted)
            and all(map(same, compiled, interpreted))
        )
    if compiled is None or interpreted is None:
        return compiled is interpreted
    if isinstance(compiled, float):
        return isinstance(interpreted, int | float | np.generic) and bits(compiled) == bits(float(interpreted))
    if isinstance(interpreted, float | np.floating):
        return False
    if isinstance(compiled, bool):
        return isinstance(interpreted, bool | np.bool_) and compiled == bool(interpreted)
    return compiled == wrapped(int(interpreted))


# --- cases


class Case:
    """A kernel with the letters of its parameters."""

    def __init__(self, language: Language, function: Callable[..., Any], letters: str):
        self.language, self.letters = language, letters
        self.kernel = function if isinstance(function, Kernel) else kernel(function)
        self.name = self.kernel.__name__

    def __call__(self, *arguments: Any) -> Any:
        """The result of the compiled kernel for one world."""
        return self.results(WORLD, [arguments])[0][0]

    def kind(self, number: NumberType = WORLD) -> str:
        """The type of the result, in words."""
        return shown(self.language.module(number).result(self))

    def results(self, number: NumberType, rows: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
        """Results of the compiled kernel: for each row, those of all worlds.

        An argument that differs between worlds is given for the first; the others have those of the rows that follow.
        """
        return self.language.module(number).run(self, rows)

    def interpreted(self, arguments: Sequence[Any], number: NumberType = WORLD) -> Any:
        """The result of the kernel as plain Python, with the numbers that fields hold: those of NumPy."""
        numbers = {"n": np.float64, "N": number.dtype.type, "i": int, "c": bool, "C": np.bool_}
        with np.errstate(all="ignore"):
            given = [numbers[letter](x) for letter, x in zip(self.letters, arguments, strict=True)]
            return self.kernel.function(*given)

    def agrees(self, rows: Sequence[tuple[Any, ...]] | None = None, number: NumberType = WORLD) -> None:
        """Compiled and interpreted, every row gives the same bits."""
        rows = rows_of(self.letters) if rows is None else rows
        for k, found in enumerate(self.results(number, rows)):
            for world, value in enumerate(found):
                arguments = worlds_of(self.letters, rows, k, world)
                expected = self.interpreted(arguments, number)
                assert same(value, expected), f"{self.name}{arguments}: compiled {value!r}, interpreted {expected!r}"

    def agrees_everywhere(self, rows: Sequence[tuple[Any, ...]] | None = None) -> None:
        """For one world and for lanes."""
        self.agrees(rows)
        self.agrees(rows, LANES)


def worlds_of(letters: str, rows: Sequence[tuple[Any, ...]], k: int, world: int) -> tuple[Any, ...]:
    """The arguments of one world of row `k`."""
    other = rows[(k + world) % len(rows)]
    return tuple([other[p] if letter in "NC" else rows[k][p] for p, letter in enumerate(letters)])


class Language:
    """Cases that are compiled together."""

    def __init__(self, name: str):
        self.name = name
        self.cases: list[Case] = []
        self._modules: dict[NumberType, Module] = {}

    def case(self, letters: str) -> Callable[[Callable[..., Any]], Case]:
        """Make a function a case."""
        return lambda function: self.add(function, letters)

    def add(self, function: Callable[..., Any], letters: str) -> Case:
        assert not self._modules, "cases come before the first of them runs"
        self.cases.append(Case(self, function, letters))
        return self.cases[-1]

    def add_source(self, source: str, letters: str, name: str = "example", **names: Any) -> Case:
        """A case that is given as text."""
        return self.add(define(source, names, name), letters)

    def module(self, number: NumberType) -> Module:
        if number not in self._modules:
            self._modules[number] = Module(self, number)
        return self._modules[number]


class Module:
    """The cases of a language as machine code for one number type."""

    def __init__(self, language: Language, number: NumberType, checked: bool = False):
        self.number = number
        self.program = Program(checked)
        self.keeps: dict[Case, Keep] = {}
        self.errors: dict[Case, KernelError] = {}
        for k, case in enumerate(language.cases):
            self._export(k, case)
        text = self.program.module()
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        self.unit = TextUnit(f"language_{language.name}_{number.name}_{digest}", text)
        self._symbols = {case: f"run_{k}" for k, case in enumerate(language.cases)}

    def _export(self, k: int, case: Case) -> None:
        names: dict[str, Any] = {"function": case.kernel, "keep": Keep(), **self._arrays(len(case.letters))}
        given = ", ".join(_argument(letter, p, self.number) for p, letter in enumerate(case.letters))
        source = (
            f"def run_{k}(plain, lanes, results, rows):\n"
            f"    integers, numbers, mine = integers_at(plain), numbers_at(plain), lanes_at(lanes)\n"
            f"    for row in range(rows):\n"
            f"        keep(results, row, function({given}))\n"
        )
        try:
            self.program.export(f"run_{k}", define(source, names, f"run_{k}"), 4)
            self.keeps[case] = names["keep"]
        except KernelError as error:
            self.errors[case] = error

    def _arrays(self, count: int) -> dict[str, Any]:
        inner = (max(count, 1),)
        lanes = array_at("float64" if self.number == WORLD else self.number, inner)
        return {"integers_at": array_at("int64", inner), "numbers_at": array_at("float64", inner), "lanes_at": lanes}

    def result(self, case: Case) -> Type:
        if case in self.errors:
            raise self.errors[case]
        result = self.keeps[case].result
        assert result is not None
        return result

    def run(self, case: Case, rows: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
        result, worlds = self.result(case), self.number.worlds
        plain, lanes = self._inputs(case.letters, rows)
        out = np.zeros((len(rows), _ROOM), np.int64)
        function = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 4)(address_of(self.unit, self._symbols[case]))
        function(plain.ctypes.data, lanes.ctypes.data, out.ctypes.data, len(rows))
        return [[decoded(result, iter(row), world) for world in range(worlds)] for row in out.tolist()]

    def _inputs(self, letters: str, rows: Sequence[tuple[Any, ...]]) -> tuple[np.ndarray, np.ndarray]:
        """Arguments that all worlds share as 64 bits each, and those of worlds."""
        columns = max(len(letters), 1)
        plain = np.zeros((len(rows), columns), np.int64)
        lanes = aligned_zeros((len(rows), columns, self.number.worlds), self.number.dtype)
        for k, row in enumerate(rows):
            for p, letter in enumerate(letters):
                if letter in "NC":
                    with np.errstate(all="ignore"):
                        lanes[k, p] = [worlds_of(letters, rows, k, world)[p] for world in range(self.number.worlds)]
                elif letter == "n":
                    plain[k, p : p + 1].view(np.float64)[0] = row[p]
                else:
                    plain[k, p] = int(row[p])
        return plain, lanes

    def note(self) -> Any:
        """What checks found, in a module with checks: four integers that can be set back."""
        address = ctypes.CFUNCTYPE(ctypes.c_int64)(address_of(self.unit, NOTE_SYMBOL))()
        return (ctypes.c_int64 * NOTE_LENGTH).from_address(address)


def _argument(letter: str, p: int, number: NumberType) -> str:
    """An argument of a case, read from memory."""
    texts = {"i": "integers[row, {p}]", "n": "numbers[row, {p}]", "c": "integers[row, {p}] != 0"}
    texts |= {"N": "mine[row, {p}]", "C": "mine[row, {p}] != 0.0"}
    return texts[letter].format(p=p)


# --- mistakes


_TYPES = {"i": INTEGER, "n": FLOAT, "c": BOOLEAN}


def types_of(letters: str, number: NumberType = WORLD) -> tuple[Type, ...]:
    """Types of parameters."""
    mine = number_type(number)
    worlds = {"N": mine, "C": _condition_type(mine)}
    return tuple([{**_TYPES, **worlds}[letter] for letter in letters])


def _condition_type(mine: Type) -> Type:
    from phalanx.native.types import mask

    return mask(mine.base, mine.width) if isinstance(mine, Lane) else BOOLEAN


def problems(function: Any, letters: str = "", number: NumberType = WORLD) -> tuple[Problem, ...]:
    """What the compiler finds wrong with a function."""
    case = Language("problems").add(function, letters)
    error = case.language.module(number).errors.get(case)
    # the last place is the call that the harness makes
    return () if error is None else tuple([Problem(p.reason, p.places[:-1] or p.places) for p in error.problems])


def problems_of(source: str, letters: str = "", number: NumberType = WORLD, **names: Any) -> list[tuple[int, str]]:
    """(line, reason) of every problem of a function given as text; its first line is 1."""
    name = source.split("(")[0].split()[-1]
    found = problems(define(source, names, name), letters, number)
    return [(problem.places[0].line, problem.reason) for problem in found]
