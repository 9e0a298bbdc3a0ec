"""Expressions: each yields a value and writes the instructions that compute it."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from phalanx.algebra.jit import Kernel, Part
from phalanx.native import fields, operators, runtime_checks, views
from phalanx.native.code import Code
from phalanx.native.convert import convert, index, truth
from phalanx.native.diagnosis import Fault, Place
from phalanx.native.dual_rules import RULES
from phalanx.native.intrinsics import INTRINSICS, At
from phalanx.native.linked import call_linked
from phalanx.native.scope import Scope, Variables, common_type
from phalanx.native.source import MISSING, Source
from phalanx.native.transport import call_address
from phalanx.native.types import BROKEN, INTEGER, Conflict, Field, Known, Type, View, has_tangents
from phalanx.native.values import MethodValue, TupleValue, Value, constant, integer, value_of

if TYPE_CHECKING:
    from phalanx.native.program import Program

#: What kernels cannot have -> what to do instead.
REFUSED: dict[type[ast.AST], str] = {
    ast.List: "a list; kernels allocate nothing: use numbers, tuples and fields of d",
    ast.Dict: "a dict; kernels allocate nothing: use numbers, tuples and fields of d",
    ast.Set: "a set; kernels allocate nothing: use numbers, tuples and fields of d",
    ast.ListComp: "a list; write tuple(... for ... in ...) over constants, or a loop",
    ast.SetComp: "a set; write a loop",
    ast.DictComp: "a dict; write a loop",
    ast.GeneratorExp: "a generator; write tuple(...) or sum(...) around it, or a loop",
    ast.JoinedStr: "text; kernels compute with numbers only",
    ast.Lambda: "a function inside; define it outside and call it",
    ast.Yield: "yield; a kernel is a plain function",
    ast.YieldFrom: "yield; a kernel is a plain function",
    ast.Await: "await; a kernel is a plain function",
    ast.NamedExpr: ":=; assign on a line of its own",
    ast.Starred: "*; it works in calls and tuples only",
    ast.Slice: "a slice; fields are read and written number by number: write a loop",
}


class Expressions:
    """The part of the function compiler that evaluates expressions.

    Attributes:
        program: what the function belongs to.
        source: the function.
        code: the instructions written so far.
        scope: the variables.
        line: of the statement or expression at hand.
    """

    def __init__(self, program: Program, source: Source):
        self.program, self.source = program, source
        self.code = Code()
        self.scope = Scope(self.code, source.direct)
        self.line = 0

    def place(self) -> Place:
        """File, line and function being compiled."""
        return Place(self.source.file, self.line + self.source.first_line, self.source.name)

    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression."""
        self.line = node.lineno
        method = _EXPRESSIONS.get(type(node))
        try:
            if method is None:
                raise Fault(REFUSED.get(type(node), f"{type(node).__name__} is not part of the kernel language"))
            return method(self, node)
        except Fault as fault:
            if fault.node is None:
                fault.node = node
            raise

    # --- names and constants

    def constant(self, node: ast.Constant) -> Value:
        """A literal of the source; text and complex numbers are refused."""
        if isinstance(node.value, str | bytes | complex) or node.value is ...:
            raise Fault("text; kernels compute with numbers only" if isinstance(node.value, str) else "no number")
        return constant(node.value)

    def name(self, node: ast.Name) -> Value:
        """A variable, or what the name means outside of the function."""
        return self.variable(node.id)

    def variable(self, name: str) -> Value:
        """A variable, or what a name means outside of the function."""
        value = self.scope.read(name)
        if value is None:
            if name in self.source.local:
                raise Fault(f"{name} is read before it is assigned: give it a value first")
            return self.source.resolve(name)
        if value.type is BROKEN:
            raise Fault("")
        return value

    def parts_in_a_row(self, node: ast.Tuple) -> Value:
        """`(a, *b)`: a tuple of values."""
        return TupleValue(self.arguments(node.elts))

    def arguments(self, nodes: Sequence[ast.expr]) -> list[Value]:
        """Values in a row; `*t` stands for all parts of a tuple."""
        values: list[Value] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                parts = self.evaluate(node.value)
                if not isinstance(parts, TupleValue):
                    raise Fault("" if parts.type is BROKEN else f"* takes a tuple apart, not {parts.type:a}")
                values += parts.parts
            else:
                values.append(self.evaluate(node))
        return values

    def attribute(self, node: ast.Attribute) -> Value:
        """A field of a view, or a member of an object that is known when compiling."""
        base = self.evaluate(node.value)
        if isinstance(base.type, View):
            method = base.type.schema.method(base.type.prefix + node.attr)
            return views.get_attribute(self, base, node.attr) if method is None else MethodValue(method, base)
        if isinstance(base.type, Known):
            found = getattr(base.known, node.attr, MISSING)
            if found is MISSING:
                raise Fault(f"{base.type} has no {node.attr}")
            return constant(found)
        raise Fault(f"{base.type:a} has no .{node.attr}")

    # --- operators

    def unary(self, node: ast.UnaryOp) -> Value:
        """`-a`, `+a`, `~a`, `not a`."""
        value = self.evaluate(node.operand)
        if isinstance(node.op, ast.Not):
            return operators.logical_not(self.code, value)
        if isinstance(node.op, ast.USub):
            return operators.negative(self.code, value)
        if isinstance(node.op, ast.Invert):
            return operators.inverted(self.code, value)
        return operators.positive(self.code, value)

    def binary(self, node: ast.BinOp) -> Value:
        """`a + b` and the like."""
        return self.operate(type(node.op), self.evaluate(node.left), self.evaluate(node.right))

    def operate(self, op: type[ast.operator], a: Value, b: Value) -> Value:
        """An operator applied to values; with checks, a divisor is tested for zero."""
        if self.program.checked and op in (ast.FloorDiv, ast.Mod) and b.type is INTEGER:
            runtime_checks.divided(self, b)
        return operators.binary(self.code, op, a, b)

    def compare(self, node: ast.Compare) -> Value:
        """`a < b`, and chains of comparisons."""
        left = self.evaluate(node.left)
        if len(node.ops) == 1:
            return operators.compare(self.code, type(node.ops[0]), left, self.evaluate(node.comparators[0]))
        return self._first_that_decides(self._comparisons(node, left), len(node.ops), is_and=True)

    def _comparisons(self, node: ast.Compare, left: Value) -> Iterator[Value]:
        """a < b < c: a < b and b < c, with b computed once."""
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.evaluate(right_node)
            yield truth(self.code, operators.compare(self.code, type(op), left, right))
            left = right

    def boolean(self, node: ast.BoolOp) -> Value:
        """`and`, `or`."""
        operands = (self.evaluate(operand) for operand in node.values)
        return self._first_that_decides(operands, len(node.values), isinstance(node.op, ast.And))

    def _first_that_decides(self, values: Iterator[Value], count: int, is_and: bool) -> Value:
        """The first value that is false (`and`) or true (`or`), else the last; those behind it are not computed."""
        end = self.code.label()
        ends: list[tuple[Value, str, list[Any]]] = []
        for k, value in enumerate(values):
            decides, is_last = truth(self.code, value), k == count - 1
            if decides.is_known and decides.known is is_and and not is_last:
                continue
            ends.append((value, self.code.block, self.code.reserve()))
            if decides.is_known or is_last:
                break
            more = self.code.label()
            self.code.branch(decides.operand, *((more, end) if is_and else (end, more)))
            self.code.start(more)
        return self._meet(ends, end)

    def choice(self, node: ast.IfExp) -> Value:
        """`a if condition else b`."""
        condition = truth(self.code, self.evaluate(node.test))
        if condition.is_known:
            return self.evaluate(node.body if condition.known else node.orelse)
        yes, no, end = self.code.label(), self.code.label(), self.code.label()
        self.code.branch(condition.operand, yes, no)
        ends = []
        for label, side in ((yes, node.body), (no, node.orelse)):
            self.code.start(label)
            value = self.evaluate(side)
            ends.append((value, self.code.block, self.code.reserve()))
            if side is node.body:
                self.code.jump(end)
        return self._meet(ends, end)

    def _meet(self, ends: list[tuple[Value, str, list[Any]]], end: str) -> Value:
        """The value after a join of paths that each computed it (a phi); the last path jumps to `end` from here."""
        if len(ends) == 1:
            return ends[0][0]
        self.code.jump(end)
        common = common_type([value.type for value, _, _ in ends])
        if isinstance(common, Conflict):
            raise Fault(f"this is {common.first:a} or {common.second:a}: both sides must be of one kind")
        operands = []
        for value, _, place in ends:
            with self.code.at(place):
                operands.append(convert(self.code, value, common).operands)
        self.code.start(end)
        registers = []
        for k, leaf in enumerate(common.leaves):
            edges = ", ".join(f"[{each[k]}, %{block}]" for each, (_, block, _) in zip(operands, ends, strict=True))
            registers.append(self.code.emit(f"phi {leaf} {edges}"))
        return value_of(common, iter(registers))

    # --- elements

    def subscript(self, node: ast.Subscript) -> Value:
        """An element of a tuple, a field or a constant array."""
        base = self.evaluate(node.value)
        if isinstance(base, TupleValue):
            return self._part(base, node.slice)
        if isinstance(base.type, Field):
            return fields.get_item(self, base, self.evaluate(node.slice))
        if isinstance(base.type, Known) and isinstance(base.known, np.ndarray):
            return fields.get_constant(self, base, self.evaluate(node.slice))
        raise Fault("" if base.type is BROKEN else f"{base.type:a} has no elements")

    def _part(self, base: TupleValue, node: ast.expr) -> Value:
        """`t[k]`, `t[a:b]`."""
        if isinstance(node, ast.Slice):
            why = "the bounds of a slice of a tuple must be constants"
            bounds = [None if e is None else self._known_integer(e, why) for e in (node.lower, node.upper, node.step)]
            if bounds[2] == 0:
                raise Fault("the step of a slice must not be zero")
            return TupleValue(base.parts[slice(*bounds)])
        position = self.evaluate(node)
        if position.is_known and position.type is INTEGER:
            if not -len(base.parts) <= position.known < len(base.parts):
                raise Fault(f"index {position.known} is out of bounds: the tuple has {len(base.parts)} parts")
            return base.parts[position.known]
        return self._any_part(base, index(self.code, position))

    def _known_integer(self, node: ast.expr, otherwise: str) -> int:
        value = self.evaluate(node)
        if value.type is not INTEGER or not value.is_known:
            raise Fault(otherwise)
        return int(value.known)

    def _any_part(self, base: TupleValue, position: str) -> Value:
        """A part of a tuple at an index that is not known when compiling: a chain of selections."""
        common = common_type([part.type for part in base.parts]) if base.parts else BROKEN
        if isinstance(common, Conflict) or common is BROKEN:
            raise Fault("parts of different kinds can be taken by a constant index only")
        values = [convert(self.code, part, common).operands for part in base.parts]
        position = fields.from_end(self.code, position, len(values))
        result = values[0]
        for k in range(1, len(values)):
            is_it = self.code.emit(f"icmp eq i64 {position}, {k}")
            result = tuple(
                [
                    self.code.emit(f"select i1 {is_it}, {leaf} {new}, {leaf} {old}")
                    for leaf, old, new in zip(common.leaves, result, values[k], strict=True)
                ]
            )
        return value_of(common, iter(result))

    # --- calls

    def call(self, node: ast.Call) -> Value:
        """A call; an argument that is a comprehension is unrolled."""
        if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp) and not node.keywords:
            return self._call_of_comprehension(node, node.args[0])
        function = self.evaluate(node.func)
        positional = self.arguments(node.args)
        for keyword in node.keywords:
            if keyword.arg is None:
                raise Fault("** is not part of the kernel language: write the arguments one by one")
        named = {keyword.arg or "": self.evaluate(keyword.value) for keyword in node.keywords}
        self.line = node.lineno
        return self.apply(function, positional, named)

    def apply(self, function: Value, positional: list[Value], named: dict[str, Value]) -> Value:
        """The result of a call."""
        if function.type is BROKEN or any(value.type is BROKEN for value in (*positional, *named.values())):
            raise Fault("")
        if not isinstance(function.type, Known):
            raise Fault(f"{function.type:a} cannot be called")
        called = function.known
        # `rng.uniform(a, b)` is uniform(rng, a, b)
        if isinstance(function, MethodValue):
            positional = [function.owner, *positional]
        if isinstance(called, Kernel):
            return self._call_kernel(called, positional, named)
        if isinstance(called, At):
            return called.compile(self, *positional)
        try:
            handler = INTRINSICS.get(called)
        except TypeError:
            handler = None
        if handler is not None:
            if named:
                raise Fault(f"{function.type} takes its arguments without names")
            return _applied(handler, self, function.type, positional)
        if isinstance(called, types.FunctionType):
            raise Fault(f"{called.__name__} is no kernel: decorate it with @kernel")
        if isinstance(called, type) and called in _SEQUENCES:
            raise Fault(f"{function.type} makes a sequence, which is no value: write for ... in {function.type}(...)")
        raise Fault(f"{function.type} is not available in a kernel; phalanx.kernels lists what is")

    def _call_kernel(self, kernel: Kernel, positional: list[Value], named: dict[str, Value]) -> Value:
        if isinstance(kernel, Part) and self.program.is_called_by_address(kernel):
            return self._call_part(kernel, positional)
        if kernel in RULES and any(has_tangents(value.type) for value in positional):
            kernel = RULES[kernel]
        return self.call_instance(kernel, self._bound(self.program.source_of(kernel), positional, named))

    def call_instance(self, kernel: Kernel, values: list[Value]) -> Value:
        """Call a kernel of this module with arguments in the order of its parameters."""
        symbol, result, leaf = self.program.instance(kernel, tuple([value.type for value in values]))
        operands = [f"{t} {o}" for value in values for t, o in zip(value.type.leaves, value.operands, strict=True)]
        text = f"call {leaf} {symbol}({', '.join(operands)})"
        if not result.leaves:
            self.code.do(text)
            return value_of(result, iter(()))
        register = self.code.emit(text)
        if len(result.leaves) == 1:
            return value_of(result, iter((register,)))
        parts = [self.code.emit(f"extractvalue {leaf} {register}, {k}") for k in range(len(result.leaves))]
        return value_of(result, iter(parts))

    def _bound(self, source: Source, positional: list[Value], named: dict[str, Value]) -> list[Value]:
        """Arguments in the order of the parameters."""
        parameters = source.parameters
        if len(positional) == len(parameters) and not named:
            return positional
        values = dict(zip(parameters, positional, strict=False))
        unknown = [name for name in named if name not in parameters or name in values]
        values |= named
        missing = [name for name in parameters if name not in values]
        if missing:
            defaults = source.defaults()
            values |= {name: constant(defaults[name]) for name in missing if name in defaults}
        if len(positional) > len(parameters) or unknown or len(values) < len(parameters):
            raise Fault(f"{source.name} takes ({', '.join(parameters)})")
        return [values[name] for name in parameters]

    def _call_part(self, part: Part, arguments: list[Value]) -> Value:
        """A part of another module is called through the address that `d` holds."""
        types, result = self.program.signature(part)
        if len(arguments) != len(types):
            raise Fault(f"{part.function.__name__} takes {len(types)} arguments, not {len(arguments)}")
        if self.program.linked is not None:
            return call_linked(self, part, arguments, types, result)
        address = views.get_attribute(self, arguments[part.takes.index("d")], part.slot)
        return call_address(self.code, address, arguments, types, result)

    # --- comprehensions over constants

    def _call_of_comprehension(self, node: ast.Call, comprehension: ast.GeneratorExp | ast.ListComp) -> Value:
        """`tuple(... for ...)` and the like: the elements are computed one after another."""
        function = self.evaluate(node.func)
        values = TupleValue([value for value in self._elements(comprehension.elt, comprehension.generators)])
        return self.apply(function, [values], {})

    def _elements(self, element: ast.expr, generators: list[ast.comprehension]) -> Iterator[Value]:
        if not generators:
            yield self.evaluate(element)
            return
        first, *others = generators
        for value in self.sequence(first.iter):
            with _Hidden(self.scope, first.target):
                self.bind_names(first.target, value)
                conditions = [truth(self.code, self.evaluate(test)) for test in first.ifs]
                if not all(condition.is_known for condition in conditions):
                    raise Fault("the condition of a comprehension must be known when compiling")
                if all(condition.known for condition in conditions):
                    yield from self._elements(element, others)

    def bind_names(self, target: ast.expr, value: Value) -> None:
        """Bind the names of a comprehension: each is a value, without memory of its own."""
        if isinstance(target, ast.Name):
            self.scope.variables[target.id] = value
        elif isinstance(target, ast.Tuple) and isinstance(value, TupleValue) and len(target.elts) == len(value.parts):
            for each, part in zip(target.elts, value.parts, strict=True):
                self.bind_names(each, part)
        else:
            raise Fault(f"{value.type:a} cannot be taken apart like this")

    def sequence(self, node: ast.expr) -> Sequence[Value]:
        """What a loop or comprehension runs over, if that is known when compiling: a tuple, range, enumerate, zip."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            function = self.evaluate(node.func).known
            if isinstance(function, type) and function in _SEQUENCES:
                return self._sequence_of(function, node)
        value = self.evaluate(node)
        if isinstance(value, TupleValue):
            return value.parts
        raise Fault("" if value.type is BROKEN else f"a loop runs over range(...) or a tuple, not over {value.type:a}")

    def _sequence_of(self, function: Any, node: ast.Call) -> Sequence[Value]:
        """`range(3)`, `enumerate(t)`, `zip(t, u)`, `reversed(t)`."""
        least, most = _SEQUENCES[function]
        named = [keyword.arg for keyword in node.keywords]
        if not least <= len(node.args) <= most or named not in ([], ["strict"] if function is zip else []):
            raise Fault(f"{function.__name__} takes {least if least == most else f'{least} to {most}'} arguments")
        if function is range:
            why = "this range runs over constants: write for i in range(...)"
            bounds = [self._known_integer(argument, why) for argument in node.args]
            if bounds[2:] == [0]:
                raise Fault("the step of range must not be zero")
            return [integer(k) for k in range(*bounds)]
        if function is zip:
            return self._zipped([self.sequence(argument) for argument in node.args], node.keywords)
        values = self.sequence(node.args[0])
        if function is reversed:
            return [*reversed(values)]
        first = self._known_integer(node.args[1], "enumerate counts from a constant") if len(node.args) > 1 else 0
        return [TupleValue([integer(first + k), value]) for k, value in enumerate(values)]

    def _zipped(self, sequences: list[Sequence[Value]], keywords: list[ast.keyword]) -> Sequence[Value]:
        """`zip(t, u)`, `zip(t, u, strict=True)`."""
        is_strict = keywords and self.evaluate(keywords[0].value).known is True
        if is_strict and len({len(sequence) for sequence in sequences}) > 1:
            raise Fault("zip with strict=True takes tuples of one length")
        return [TupleValue(parts) for parts in zip(*sequences, strict=False)]


#: Functions that make sequences, with their least and largest counts of arguments.
_SEQUENCES: dict[Any, tuple[int, int]] = {range: (1, 3), enumerate: (1, 2), zip: (1, 99), reversed: (1, 1)}


class _Hidden:
    """The names of a comprehension hide variables of the same name while it is evaluated."""

    def __init__(self, scope: Scope, target: ast.expr):
        self.scope = scope
        self.names = [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]

    def __enter__(self) -> None:
        variables = self.scope.variables
        self.before: Variables = {name: variables[name] for name in self.names if name in variables}

    def __exit__(self, *_: object) -> None:
        for name in self.names:
            self.scope.variables.pop(name, None)
        self.scope.variables.update(self.before)


def _applied(handler: Callable[..., Value], f: Expressions, word: Type, arguments: list[Value]) -> Value:
    """The result of an intrinsic; a wrong number of arguments is a fault like any other."""
    code = handler.__code__
    most = code.co_argcount - 1
    least = most - len(handler.__defaults__ or ())
    takes_any = bool(code.co_flags & 0x04)
    if not takes_any and not least <= len(arguments) <= most:
        raise Fault(f"{word} takes {least} arguments, not {len(arguments)}")
    return handler(f, *arguments)


_EXPRESSIONS: dict[type[ast.AST], Callable[[Expressions, Any], Value]] = {
    ast.Constant: Expressions.constant,
    ast.Name: Expressions.name,
    ast.Tuple: Expressions.parts_in_a_row,
    ast.Attribute: Expressions.attribute,
    ast.UnaryOp: Expressions.unary,
    ast.BinOp: Expressions.binary,
    ast.Compare: Expressions.compare,
    ast.BoolOp: Expressions.boolean,
    ast.IfExp: Expressions.choice,
    ast.Subscript: Expressions.subscript,
    ast.Call: Expressions.call,
}
