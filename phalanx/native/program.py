"""All functions of one module: specialization by argument types, constants, and the symbols that others call.

Each function is compiled once for each choice of argument types; a function that is given as an argument is part of the
choice. Everything but what is exported is internal, so that LLVM inlines it and drops what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from phalanx.algebra.jit import Kernel, Part
from phalanx.native import (
    runtime_checks,
    sharing,  # noqa: F401  (what words for shared memory compile to)
    user_call,  # noqa: F401  (what calls of hooks compile to)
)
from phalanx.native.code import Code
from phalanx.native.device_entry import Linked
from phalanx.native.diagnosis import Fault, FaultsInside, KernelError, Place, Problem
from phalanx.native.function import FunctionCompiler
from phalanx.native.source import Source, plain_function
from phalanx.native.transport import leaf_of, packed, unpacked
from phalanx.native.types import INTEGER, NOTHING, Type
from phalanx.native.values import Value, double_text

#: Attributes of every function: kernels raise nothing, and loops that copy stay loops instead of calls of a C library.
#: Rounds of an independent loop that one world runs at once: rows are short, so no more than fit the smallest register.
VECTOR_WIDTH = 4
_ATTRIBUTES = 'attributes #0 = { nounwind "no-builtins" }'

#: Names that modules give to what is no kernel: constants, the note of failed checks, the stack probe of Windows.
_TAKEN = frozenset({"constant", "note", "check_failed", runtime_checks.NOTE_SYMBOL, "__chkstk"})

#: Lines of LLVM IR from which on a function of a linked module stays one.
LONG_FUNCTION = 150

#: How often a function may be inside of itself, each time with other types of arguments: to take a tuple apart.
MOST_CALLS_OF_ITSELF = 20


class Program:
    """A module of LLVM IR in the making.

    Args:
        checked: compile bounds, NaN and division checks into it.
        letters: types that parts take, by letter, if parts are called through addresses; else they are compiled in.
        own: parts that belong to this module, which are compiled in all the same.
        linked: what a module has that calls nothing by address.
    """

    def __init__(
        self,
        checked: bool = False,
        letters: Mapping[str, Type] | None = None,
        own: frozenset[Part] = frozenset(),
        linked: Linked | None = None,
    ):
        self.checked, self.letters, self.own, self.linked = checked, letters, own, linked
        self._sources: dict[int, Source] = {}
        self._keep: list[Any] = []
        self._instances: dict[tuple[int, tuple[Type, ...]], Any] = {}
        self._names: dict[str, int] = {}
        self._depth: dict[int, int] = {}
        self._functions: list[str] = []
        self._declarations: dict[str, None] = {}
        self._constants: dict[Any, tuple[str, str]] = {}
        self._metadata = ["!0 = !{}", '!1 = !{!"phalanx"}']
        self._alias_marks: dict[str, str] = {"": ""}

    # --- functions

    def source_of(self, kernel: Any) -> Source:
        """The source of a kernel or of a plain function."""
        found = self._sources.get(id(kernel))
        if found is None:
            found = self._sources[id(kernel)] = Source(plain_function(kernel))
            self._keep.append(kernel)  # so that no other object gets its id
        return found

    def instance(self, kernel: Any, types: tuple[Type, ...]) -> tuple[str, Type, str]:
        """(symbol, type of the result, LLVM type of it) of a kernel for these types of arguments."""
        key = id(kernel), types
        found = self._instances.get(key)
        if found is None:
            found = self._instances[key] = self._compiled(kernel, key, types)
        if isinstance(found, FaultsInside):
            raise found
        return found

    def _compiled(self, kernel: Any, key: Any, types: tuple[Type, ...]) -> tuple[str, Type, str] | FaultsInside:
        source = self.source_of(kernel)
        place = Place(source.file, source.function.__code__.co_firstlineno, source.name)
        reason = f"{source.name} calls itself, which a kernel cannot: write a loop"
        # until it is compiled, the function stands for the problem that a call of itself would be
        self._instances[key] = recursion = FaultsInside((Problem(reason, (place,)),))
        symbol = self._symbol(source.name)
        depth = self._depth[id(kernel)] = self._depth.get(id(kernel), 0) + 1
        try:
            if depth > MOST_CALLS_OF_ITSELF:
                return recursion
            result, leaf, text = FunctionCompiler(self, source).compile(symbol, types)
        except FaultsInside as inside:
            return inside
        finally:
            self._depth[id(kernel)] -= 1
        self._functions.append(self._kept_apart(text) if self.linked is not None else text)
        return symbol, result, leaf

    @staticmethod
    def _kept_apart(text: str) -> str:
        """A function of a linked module: a long one is not compiled into those that call it.

        Assemblers of devices take much more than twice as long for a function of twice the length.
        """
        return text.replace(") #0 {", ") noinline #0 {", 1) if text.count("\n") > LONG_FUNCTION else text

    def _symbol(self, name: str) -> str:
        """A name for a function that profilers and debuggers show."""
        name = f"{name}_" if name in _TAKEN else name
        count = self._names[name] = self._names.get(name, 0) + 1
        return f'@"{name}"' if count == 1 else f'@"{name}.{count}"'

    def export(self, name: str, function: Callable[..., Any], arity: int) -> None:
        """Make a function of integers, with an integer or no result, callable from outside.

        Raises:
            KernelError: all that is wrong with it and with what it calls.
        """
        symbol, result, leaf = self._exported(name, function, (INTEGER,) * arity)
        given = ", ".join(f"i64 %a{k}" for k in range(arity))
        call = f"call {leaf} {symbol}({given})"
        if result is INTEGER:
            body = f"%r = {call}\nret i64 %r"
        else:
            body = f"{call if leaf == 'void' else '%r = ' + call}\nret i64 0"
        self._functions.append(f'define i64 @"{name}"({given}) #0 {{\n{body}\n}}\n')

    def export_threads(self, name: str, function: Callable[..., Any], arity: int, frame: str) -> None:
        """Make a function callable for many threads, which takes integers and the number of a thread.

        Args:
            name: of the exported function.
            function: takes `arity` integers, and one more.
            arity: how many integers all threads are given.
            frame: text of the exported function, see `device_entry.py`.
        """
        symbol, _, leaf = self._exported(name, function, (INTEGER,) * (arity + 1))
        given = ", ".join(f"i64 %a{k}" for k in range(arity))
        call = f"call {leaf} {symbol}({given}, i64 %thread)"
        self._functions.append(frame.format(name=name, given=given, call=call))

    def export_part(self, part: Part) -> None:
        """Make a part callable through its address, with the types that its signature says."""
        types, wanted = self.signature(part)
        symbol, result, leaf = self._exported(part.slot, part, tuple(types))
        code = Code()
        values = [unpacked(code, f"%a{k}", t) for k, t in enumerate(types)]
        leaves = [pair for value in values for pair in zip(value.type.leaves, value.operands, strict=True)]
        arguments = ", ".join(f"{leaf} {operand}" for leaf, operand in leaves)
        call = f"call {leaf} {symbol}({arguments})"
        if wanted is NOTHING:
            code.do(call if leaf == "void" else f"%r = {call}")
            code.do("ret void")
        else:
            code.do(f"ret {leaf_of(wanted)} {packed(code, Value(result, (code.emit(call),)), wanted)}")
        given = ", ".join(f"{leaf_of(t)} %a{k}" for k, t in enumerate(types))
        self._functions.append(f'define {leaf_of(wanted)} @"{part.slot}"({given}) #0 {{\n{code.text()}\n}}\n')

    def signature(self, part: Part) -> tuple[list[Type], Type]:
        """Types of the parameters of a part, and of its result."""
        assert self.letters is not None
        return [self.letters[letter] for letter in part.takes], self.letters.get(part.returns, NOTHING)

    def is_called_by_address(self, kernel: Kernel) -> bool:
        """Is it a part of another module, or of one that is linked, where its signature counts as well?"""
        return self.letters is not None and isinstance(kernel, Part) and kernel not in self.own

    def _exported(self, name: str, function: Any, types: tuple[Type, ...]) -> tuple[str, Type, str]:
        self._symbol(name)  # taken from now on
        try:
            return self.instance(function, types)
        except FaultsInside as inside:
            raise KernelError(inside.problems) from None
        except Fault as fault:
            place = Place(function.__code__.co_filename, function.__code__.co_firstlineno, function.__name__)
            raise KernelError([Problem(fault.reason, (place,))]) from None

    # --- constants and declarations

    def declare(self, name: str, result: str, *parameters: str) -> None:
        """Name a function that LLVM has built in."""
        self._declarations[f"declare {result} @{name}({', '.join(parameters)})"] = None

    def table(self, cells: tuple[str, ...]) -> str:
        """A constant array of doubles; returns its symbol."""
        cells_text = ", ".join(f"double {cell}" for cell in cells)
        return self._constant(("table", cells), f"[{len(cells)} x double] [{cells_text}]")

    def array(self, array: np.ndarray) -> tuple[str, str]:
        """A constant array of numbers or integers; returns its symbol and the LLVM type of an element."""
        leaf = "double" if array.dtype.kind == "f" else "i64"
        elements = array.ravel().tolist()
        cells = ", ".join(f"{leaf} {double_text(x) if leaf == 'double' else int(x)}" for x in elements)
        key = "array", leaf, array.tobytes()
        return self._constant(key, f"[{len(elements)} x {leaf}] [{cells}]"), leaf

    def text(self, words: str) -> str:
        """A constant text that ends with a zero; returns its symbol."""
        data = words.encode() + b"\0"
        escaped = "".join(f"\\{byte:02X}" for byte in data)
        return self._constant(("text", words), f'[{len(data)} x i8] c"{escaped}"')

    def _constant(self, key: Any, text: str) -> str:
        found = self._constants.get(key)
        if found is None:
            symbol = f"@constant.{len(self._constants)}"
            found = self._constants[key] = (symbol, f"{symbol} = internal constant {text}")
        return found[0]

    def alias_mark(self, alias: str) -> str:
        """The mark of a load or store of a field: fields with different names never overlap."""
        mark = self._alias_marks.get(alias)
        if mark is None:
            k = len(self._metadata)
            self._metadata.append(f'!{k} = !{{!"{alias}", !1, i64 0}}')
            self._metadata.append(f"!{k + 1} = !{{!{k}, !{k}, i64 0}}")
            mark = self._alias_marks[alias] = f", !tbaa !{k + 1}"
        return mark

    def loop_marks(self) -> tuple[str, str]:
        """Marks of a loop whose rounds are independent: of its memory accesses, and of the jump to its next round."""
        k = len(self._metadata)
        self._metadata += [
            f"!{k} = distinct !{{}}",
            f"!{k + 1} = distinct !{{!{k + 1}, !{k + 2}, !{k + 3}, !{k + 4}}}",
            f'!{k + 2} = !{{!"llvm.loop.parallel_accesses", !{k}}}',
            f'!{k + 3} = !{{!"llvm.loop.vectorize.width", i32 {VECTOR_WIDTH}}}',
            f'!{k + 4} = !{{!"llvm.loop.interleave.count", i32 1}}',
        ]
        return f", !llvm.access.group !{k}", f", !llvm.loop !{k + 1}"

    @property
    def function_count(self) -> int:
        """How many functions the module has so far, one for each choice of argument types."""
        return len(self._functions)

    def module(self) -> str:
        """The text of the module."""
        constants = [text for _, text in self._constants.values()]
        runtime = [runtime_checks.RUNTIME] if self.checked else []
        parts = (*constants, *runtime, *self._functions, *self._declarations, _ATTRIBUTES, *self._metadata)
        return "\n".join(parts) + "\n"
