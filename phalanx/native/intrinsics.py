"""The words of the kernel language that are not kernels, and what each compiles to.

A row takes the function compiler and the values of the arguments, writes instructions, and returns the value. The same
word has its plain Python meaning in `phalanx.algebra.number` and `phalanx.algebra.memory`; tests compare the two.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from phalanx.algebra import memory
from phalanx.algebra import number as words
from phalanx.native import duals, fields
from phalanx.native.convert import broadcast, convert, extract, index, scalar, truth, whole
from phalanx.native.diagnosis import Fault
from phalanx.native.operators import binary, compare
from phalanx.native.types import (
    BOOLEAN,
    BROKEN,
    FLOAT,
    INTEGER,
    Dual,
    Field,
    Lane,
    Mask,
    Type,
    View,
    condition_of,
    lane,
    mask,
    number_of,
    promote,
    values_schema,
    vector,
    view,
)
from phalanx.native.values import (
    VOID,
    TupleValue,
    Value,
    boolean,
    integer,
    number,
    number_text,
    splat_text,
)

if TYPE_CHECKING:
    from phalanx.native.expressions import Expressions

Handler = Callable[..., Value]
#: Function -> what a call of it compiles to.
INTRINSICS: dict[Any, Handler] = {}


def meaning(*functions: Any) -> Callable[[Handler], Handler]:
    """Give functions a meaning in compiled code."""

    def attach(handler: Handler) -> Handler:
        for function in functions:
            INTRINSICS[function] = handler
        return handler

    return attach


# --- fields


def _declare_rows() -> None:
    def load(count: int) -> Handler:
        return lambda f, field, row: fields.load_row(f, field, row, count)

    def store(count: int) -> Handler:
        def handler(f: Expressions, field: Value, row: Value, values: Value) -> Value:
            fields.store_row(f, field, row, values, count)
            return VOID

        return handler

    for function, count in memory.LOADS.values():
        INTRINSICS[function] = load(count)
    for function, count in memory.STORES.values():
        INTRINSICS[function] = store(count)


_declare_rows()


# --- conditions and selection


@meaning(words.where)
def _where(f: Expressions, condition: Value, a: Value, b: Value) -> Value:
    c = condition.type
    if isinstance(a, TupleValue) and isinstance(b, TupleValue) and len(a.parts) == len(b.parts):
        return TupleValue([_where(f, condition, x, y) for x, y in zip(a.parts, b.parts, strict=True)])
    if isinstance(c, Mask):
        common: Type
        if isinstance(a.type, Mask) or isinstance(b.type, Mask):
            common = condition_of(c, a.type, b.type)
        else:
            common = _lane_like(c, promote(a.type, b.type))
        condition = convert(f.code, condition, mask(c.base, common.width))  # type: ignore[attr-defined]
    elif c is BOOLEAN:
        is_condition = a.type is BOOLEAN and b.type is BOOLEAN
        is_mask = isinstance(a.type, Mask) or isinstance(b.type, Mask)
        common = condition_of(a.type, b.type) if is_condition or is_mask else promote(a.type, b.type)
    else:
        raise Fault("" if c is BROKEN else f"where takes a condition, not {c:a}")
    x, y = convert(f.code, a, common), convert(f.code, b, common)
    if isinstance(common, Dual):
        return duals.chosen(f.code, common, condition.operand, x, y)
    leaf = common.leaves[0]
    test = f"{condition.type.leaves[0]} {condition.operand}"
    return Value(common, (f.code.emit(f"select {test}, {leaf} {x.operand}, {leaf} {y.operand}"),))


def _lane_like(c: Mask, chosen: Type) -> Lane:
    """The lane that holds what a mask chooses between."""
    if not isinstance(chosen, Lane):
        return lane(c.base, c.width)
    return lane(chosen.base, max(c.width, chosen.width))


def _combined(instruction: str) -> Handler:
    def handler(f: Expressions, a: Value, b: Value) -> Value:
        common = condition_of(a.type, b.type)
        x, y = convert(f.code, a, common), convert(f.code, b, common)
        return Value(common, (f.code.emit(f"{instruction} {common.leaves[0]} {x.operand}, {y.operand}"),))

    return handler


INTRINSICS[words.and_] = _combined("and")
INTRINSICS[words.or_] = _combined("or")


@meaning(words.not_)
def _not(f: Expressions, condition: Value) -> Value:
    t = condition_of(condition.type)
    ones = "true" if t.leaves[0] == "i1" else splat_text("i1", "true")
    return Value(t, (f.code.emit(f"xor {t.leaves[0]} {condition.operand}, {ones}"),))


def _reduced(predicate: str, bits: str) -> Handler:
    """A mask as one condition."""

    def handler(f: Expressions, condition: Value) -> Value:
        t = condition_of(condition.type)
        if not isinstance(t, Mask):
            return condition
        if t.width == 1:
            return Value(BOOLEAN, condition.operands)
        whole = f.code.emit(f"bitcast {t.leaves[0]} {condition.operand} to i{t.width}")
        return Value(BOOLEAN, (f.code.emit(f"icmp {predicate} i{t.width} {whole}, {bits}"),))

    return handler


INTRINSICS[words.any_] = _reduced("ne", "0")
INTRINSICS[words.all_] = _reduced("eq", "-1")


@meaning(words.count_)
def _count(f: Expressions, condition: Value) -> Value:
    t = condition_of(condition.type)
    if not isinstance(t, Mask):
        return convert(f.code, condition, INTEGER)
    total = "0"
    for world in range(t.width):
        bit = f.code.emit(f"zext i1 {extract(f.code, condition, world)} to i64")
        total = f.code.emit(f"add i64 {total}, {bit}")
    return Value(INTEGER, (total,))


# --- arithmetic beyond + - * /


def _choose(f: Expressions, t: Type, predicate: str, a: str, b: str, yes: str, no: str) -> str:
    """`yes` where the comparison of a and b holds, else `no`; with NaN it does not hold."""
    leaf = t.leaves[0]
    if t is INTEGER:
        condition = f.code.emit(f"icmp s{predicate} i64 {a}, {b}")
    else:
        condition = f.code.emit(f"fcmp o{predicate} {leaf} {a}, {b}")
    test = vector("i1", t.width) if isinstance(t, Lane) else "i1"
    return f.code.emit(f"select {test} {condition}, {leaf} {yes}, {leaf} {no}")


def _choose_dual(f: Expressions, predicate: str, a: Value, b: Value, yes: Value, no: Value) -> Value:
    """`yes` if the comparison of the values of a and b holds, else `no`."""
    condition = f.code.emit(f"fcmp o{predicate} double {a.operand}, {b.operand}")
    return duals.chosen(f.code, yes.type, condition, yes, no)


def _selecting(predicate: str) -> Handler:
    """minimum and maximum: the first if the comparison holds, else the second."""

    def handler(f: Expressions, a: Value, b: Value) -> Value:
        common = promote(a.type, b.type)
        first, second = convert(f.code, a, common), convert(f.code, b, common)
        if isinstance(common, Dual):
            return _choose_dual(f, predicate, first, second, first, second)
        x, y = first.operand, second.operand
        return Value(common, (_choose(f, common, predicate, x, y, x, y),))

    return handler


INTRINSICS[words.minimum] = _selecting("le")
INTRINSICS[words.maximum] = _selecting("ge")


def _least(name: str, predicate: str) -> Handler:
    """The built-in min and max, of integers."""

    def handler(f: Expressions, *values: Value) -> Value:
        if len(values) == 1 and isinstance(values[0], TupleValue):
            values = values[0].parts
        if not values:
            raise Fault(f"{name} takes at least one integer")
        if promote(*(value.type for value in values)) is not INTEGER:
            raise Fault(f"{name} is for integers: use {name}imum, which says what happens to NaN")
        best = convert(f.code, values[0], INTEGER)
        for value in values[1:]:
            other = convert(f.code, value, INTEGER)
            if best.is_known and other.is_known:
                best = integer(min(best.known, other.known) if name == "min" else max(best.known, other.known))
            else:
                x, y = other.operand, best.operand
                best = Value(INTEGER, (_choose(f, INTEGER, predicate, x, y, x, y),))
        return best

    return handler


INTRINSICS[min] = _least("min", "lt")
INTRINSICS[max] = _least("max", "gt")


@meaning(words.clamp)
def _clamp(f: Expressions, x: Value, low: Value, high: Value) -> Value:
    common = promote(FLOAT, x.type, low.type, high.type)
    if isinstance(common, Dual):
        x, low, high = (convert(f.code, value, common) for value in (x, low, high))
        return _choose_dual(f, "lt", x, low, low, _choose_dual(f, "gt", x, high, high, x))
    a, b, c = (convert(f.code, value, common).operand for value in (x, low, high))
    below_high = _choose(f, common, "gt", a, c, c, a)
    return Value(common, (_choose(f, common, "lt", a, b, b, below_high),))


def llvm_function(f: Expressions, name: str, t: Type, *operands: str) -> Value:
    """An operation that LLVM has built in, exact and free of library calls."""
    leaf = t.leaves[0]
    base = "f64" if t.base == "double" else "f32"  # type: ignore[attr-defined]
    symbol = f"llvm.{name}.{f'v{t.width}' if isinstance(t, Lane) and t.width > 1 else ''}{base}"
    f.program.declare(symbol, leaf, *[leaf] * len(operands))
    arguments = ", ".join(f"{leaf} {operand}" for operand in operands)
    return Value(t, (f.code.emit(f"call {leaf} @{symbol}({arguments})"),))


def _unary(name: str) -> Handler:
    def handler(f: Expressions, x: Value) -> Value:
        t = number_of(x.type)
        if isinstance(t, Dual):
            value = llvm_function(f, name, FLOAT, x.operand)
            rule = _DUAL_RULES.get(name)
            return rule(f.code, x, value.operand) if rule else value
        return llvm_function(f, name, t, convert(f.code, x, t).operand)

    return handler


#: What tangents do in a function; those of a rounded number are zero.
_DUAL_RULES = {"sqrt": duals.root, "fabs": duals.signed}

for _word, _name in (
    (words.sqrt, "sqrt"), (words.abs_, "fabs"), (words.floor, "floor"), (words.round_even, "rint"),
):  # fmt: skip
    INTRINSICS[_word] = _unary(_name)


@meaning(abs)
def _absolute(f: Expressions, x: Value) -> Value:
    """The built-in abs: of an integer an integer."""
    if x.type is not INTEGER and x.type is not BOOLEAN:
        return INTRINSICS[words.abs_](f, x)
    x = convert(f.code, x, INTEGER)
    opposite = f.code.emit(f"sub i64 0, {x.operand}")
    return Value(INTEGER, (_choose(f, INTEGER, "lt", x.operand, "0", opposite, x.operand),))


@meaning(words.copysign)
def _copysign(f: Expressions, a: Value, b: Value) -> Value:
    t = promote(FLOAT, a.type, b.type)
    if isinstance(t, Dual):
        x, y = duals.primal(f.code, a), duals.primal(f.code, b)
        value = llvm_function(f, "copysign", FLOAT, x.operand, y.operand)
        return duals.signed(f.code, a, value.operand) if isinstance(a.type, Dual) else value
    return llvm_function(f, "copysign", t, convert(f.code, a, t).operand, convert(f.code, b, t).operand)


# --- binary representation


class Bits:
    """The bits of a number: the integer type that holds them, and where the exponent is."""

    def __init__(self, t: Type):
        self.type, self.base = t, t.base  # type: ignore[attr-defined]
        self.is_single = self.base == "float"
        self.fraction, self.bias = (23, 127) if self.is_single else (52, 1023)
        self.integer = "i32" if self.is_single else "i64"
        self.width = t.width if isinstance(t, Lane) and t.width > 1 else 0
        self.leaf = f"<{self.width} x {self.integer}>" if self.width else self.integer

    def constant(self, value: int) -> str:
        """An integer constant of the type, in every world of a lane."""
        return splat_text(self.integer, str(value)) if self.width else str(value)

    def shifter(self, whole: int) -> float:
        """A constant S so large that S + k, for a small integral number k, has `whole + k` in its lowest bits.

        Numbers become integers and back by one addition; AVX2 has no instruction for 64-bit integers.
        """
        return float(3 * 2 ** (self.fraction - 1) + whole)

    def shifter_text(self, whole: int) -> str:
        """The `shifter` as LLVM writes it."""
        text = number_text(self.base, self.shifter(whole))
        return splat_text(self.base, text) if self.width else text

    def shifter_bits(self, whole: int) -> int:
        """The bits of the `shifter`, as an integer."""
        code, form = ("<f", "<i") if self.is_single else ("<d", "<q")
        return int(struct.unpack(form, struct.pack(code, self.shifter(whole)))[0])


def _on_bits(emit: Callable[[Expressions, Bits, str], str]) -> Handler:
    def handler(f: Expressions, x: Value) -> Value:
        t = number_of(x.type)
        if isinstance(t, Dual):
            raise Fault("bits have no derivative: take them of primal(x)")
        return Value(t, (emit(f, Bits(t), convert(f.code, x, t).operand),))

    return handler


@meaning(words.power_of_two)
@_on_bits
def _power_of_two(f: Expressions, bits: Bits, k: str) -> str:
    leaf = bits.type.leaves[0]
    shifted = f.code.emit(f"fadd {leaf} {k}, {bits.shifter_text(bits.bias)}")
    whole = f.code.emit(f"bitcast {leaf} {shifted} to {bits.leaf}")
    whole = f.code.emit(f"shl {bits.leaf} {whole}, {bits.constant(bits.fraction)}")
    return f.code.emit(f"bitcast {bits.leaf} {whole} to {leaf}")


@meaning(words.mantissa)
@_on_bits
def _mantissa(f: Expressions, bits: Bits, x: str) -> str:
    leaf = bits.type.leaves[0]
    whole = f.code.emit(f"bitcast {leaf} {x} to {bits.leaf}")
    whole = f.code.emit(f"and {bits.leaf} {whole}, {bits.constant((1 << bits.fraction) - 1)}")
    whole = f.code.emit(f"or {bits.leaf} {whole}, {bits.constant(bits.bias << bits.fraction)}")
    return f.code.emit(f"bitcast {bits.leaf} {whole} to {leaf}")


@meaning(words.exponent)
@_on_bits
def _exponent(f: Expressions, bits: Bits, x: str) -> str:
    leaf = bits.type.leaves[0]
    whole = f.code.emit(f"bitcast {leaf} {x} to {bits.leaf}")
    whole = f.code.emit(f"lshr {bits.leaf} {whole}, {bits.constant(bits.fraction)}")
    whole = f.code.emit(f"and {bits.leaf} {whole}, {bits.constant(2 * bits.bias + 1)}")
    whole = f.code.emit(f"or {bits.leaf} {whole}, {bits.constant(bits.shifter_bits(0))}")
    shifted = f.code.emit(f"bitcast {bits.leaf} {whole} to {leaf}")
    return f.code.emit(f"fsub {leaf} {shifted}, {bits.shifter_text(bits.bias)}")


@meaning(words.high_half)
@_on_bits
def _high_half(f: Expressions, bits: Bits, x: str) -> str:
    leaf = bits.type.leaves[0]
    whole = f.code.emit(f"bitcast {leaf} {x} to {bits.leaf}")
    low = (1 << (bits.fraction // 2 + 1)) - 1
    whole = f.code.emit(f"and {bits.leaf} {whole}, {bits.constant(~low)}")
    return f.code.emit(f"bitcast {bits.leaf} {whole} to {leaf}")


@meaning(words.bits)
def _bits(f: Expressions, x: Value) -> Value:
    if isinstance(x.type, Dual):
        x = duals.primal(f.code, x)
    t = number_of(x.type)
    form = Bits(t)
    if form.width:
        raise Fault("an integer is the same in all worlds, and bits of their numbers are not: take those of one world")
    whole = f.code.emit(f"bitcast {t.leaves[0]} {convert(f.code, x, t).operand} to {form.leaf}")
    return Value(INTEGER, (f.code.emit(f"zext i32 {whole} to i64") if form.is_single else whole,))


@meaning(words.is_single)
def _is_single(f: Expressions, x: Value) -> Value:
    return boolean(isinstance(x.type, Lane) and x.type.base == "float")


@meaning(words.widen)
def _widen(f: Expressions, x: Value) -> Value:
    t = x.type
    if not isinstance(t, Lane) or t.base == "double":
        return convert(f.code, x, number_of(t))
    if t.width == 1:
        return Value(FLOAT, (f.code.emit(f"fpext float {extract(f.code, x, 0)} to double"),))
    wide = lane("double", t.width)
    return Value(wide, (f.code.emit(f"fpext {t.leaves[0]} {x.operand} to {wide.leaves[0]}"),))


@meaning(words.narrow)
def _narrow(f: Expressions, like: Value, x: Value) -> Value:
    t = number_of(like.type)
    if isinstance(x.type, Lane) and isinstance(t, Lane) and x.type.base != t.base and x.type.width == t.width:
        return Value(t, (f.code.emit(f"fptrunc {x.type.leaves[0]} {x.operand} to {t.leaves[0]}"),))
    return convert(f.code, x, t)


@meaning(words.pick)
def _pick(f: Expressions, values: Value, i: Value) -> Value:
    parts = values.parts if isinstance(values, TupleValue) else ()
    if not parts or not all(part.type is FLOAT and part.is_known for part in parts):
        raise Fault("pick takes a tuple of float constants")
    table = f.program.table(tuple(part.operand for part in parts))
    pointer = f.code.emit(f"getelementptr inbounds double, ptr {table}, i64 {index(f.code, i)}")
    return Value(FLOAT, (f.code.emit(f"load double, ptr {pointer}"),))


# --- single worlds of a lane


@meaning(words.lane_count)
def _lane_count(f: Expressions, x: Value) -> Value:
    return integer(x.type.width if isinstance(x.type, Lane | Mask) else 1)


def _one_number(f: Expressions, t: Lane, operand: str) -> Value:
    """A number taken out of a lane."""
    if t.base == "double":
        return Value(FLOAT, (operand,))
    return Value(lane("float", 1), (broadcast(f.code, operand, "float", 1),))


@meaning(words.lane_get)
def _lane_get(f: Expressions, x: Value, world: Value) -> Value:
    t = x.type
    if t is BOOLEAN or isinstance(t, Dual):
        return x
    if not isinstance(t, Lane | Mask):
        return convert(f.code, x, FLOAT)
    # a number that all worlds share is kept once
    position = "0" if t.width == 1 else index(f.code, world)
    if isinstance(t, Mask) and position.startswith("%"):
        # a bit of one integer, which a loop over worlds makes once
        bits, kind = f.code.emit(f"bitcast {t.leaves[0]} {x.operand} to i{t.width}"), f"i{max(t.width, 32)}"
        wide = f.code.emit(f"zext i{t.width} {bits} to {kind}") if t.width < 32 else bits
        place = f.code.emit(f"trunc i64 {position} to {kind}") if kind != "i64" else position
        shifted = f.code.emit(f"lshr {kind} {wide}, {place}")
        return Value(BOOLEAN, (f.code.emit(f"trunc {kind} {shifted} to i1"),))
    operand = extract(f.code, x, position)
    return Value(BOOLEAN, (operand,)) if isinstance(t, Mask) else _one_number(f, t, operand)


@meaning(words.lane_set)
def _lane_set(f: Expressions, x: Value, world: Value, given: Value) -> Value:
    t = number_of(x.type)
    if not isinstance(t, Lane):
        return convert(f.code, given, t)
    operand = extract(f.code, given, 0) if isinstance(given.type, Lane) else scalar(f.code, given, t.base)
    if t.width == 1:
        return Value(t, (operand,))
    position, kind = index(f.code, world), t.leaves[0]
    if not position.startswith("%"):
        return Value(t, (f.code.emit(f"insertelement {kind} {x.operand}, {t.base} {operand}, i64 {position}"),))
    # not by its place: a lane of several registers would go through memory for that, and wait for it
    whole_kind = "i64" if t.base == "double" else "i32"
    if whole_kind == "i32":
        position = f.code.emit(f"trunc i64 {position} to i32")
    places = f"<{', '.join(f'{whole_kind} {place}' for place in range(t.width))}>"
    here = broadcast(f.code, position, whole_kind, t.width)
    chosen = f.code.emit(f"icmp eq {vector(whole_kind, t.width)} {here}, {places}")
    value = broadcast(f.code, operand, t.base, t.width)
    test = vector("i1", t.width)
    return Value(t, (f.code.emit(f"select {test} {chosen}, {kind} {value}, {kind} {x.operand}"),))


def _folded(combine: Callable[[Expressions, str, str, str], str]) -> Handler:
    """All worlds of a lane combined, in the order of worlds."""

    def handler(f: Expressions, x: Value) -> Value:
        t = x.type
        if isinstance(t, Dual):
            return x
        if not isinstance(t, Lane):
            return convert(f.code, x, FLOAT)
        total = extract(f.code, x, 0)
        for world in range(1, t.width):
            total = combine(f, t.base, total, extract(f.code, x, world))
        return _one_number(f, t, total)

    return handler


def _compared(predicate: str) -> Callable[[Expressions, str, str, str], str]:
    def combine(f: Expressions, base: str, a: str, b: str) -> str:
        condition = f.code.emit(f"fcmp {predicate} {base} {a}, {b}")
        return f.code.emit(f"select i1 {condition}, {base} {a}, {base} {b}")

    return combine


def _added(f: Expressions, base: str, a: str, b: str) -> str:
    return f.code.emit(f"fadd {base} {a}, {b}")


INTRINSICS[words.lane_sum] = _folded(_added)
INTRINSICS[words.lane_min] = _folded(_compared("ole"))
INTRINSICS[words.lane_max] = _folded(_compared("oge"))


# --- numbers with tangents


@meaning(words.primal)
def _primal(f: Expressions, x: Value) -> Value:
    return duals.primal(f.code, x) if isinstance(x.type, Dual) else x


@meaning(words.with_tangents)
def _with_tangents(f: Expressions, value: Value, source: Value) -> Value:
    if isinstance(value.type, Dual) or isinstance(source.type, Dual):
        return duals.with_tangents(f.code, value, source)
    return value


@meaning(words.is_nonzero)
def _is_nonzero(f: Expressions, x: Value) -> Value:
    import ast

    condition = compare(f.code, ast.NotEq, x, number(0.0))
    if not isinstance(x.type, Dual):
        return condition
    return Value(BOOLEAN, (f.code.emit(f"or i1 {condition.operand}, {duals.changes(f.code, x)}"),))


@meaning(words.values_of)
def _values_of(f: Expressions, d: Value) -> Value:
    if not isinstance(d.type, View):
        raise Fault("" if d.type is BROKEN else f"{d.type:a} is no view")
    return Value(view(values_schema(d.type.schema), d.type.constant, d.type.prefix), d.operands)


@meaning(words.splat)
def _splat(f: Expressions, like: Value, value: Value) -> Value:
    return convert(f.code, value, number_of(like.type))


# --- built-in functions


@meaning(float)
def _float(f: Expressions, x: Value) -> Value:
    return x if isinstance(x.type, Lane | Dual) else convert(f.code, x, FLOAT)


@meaning(int)
def _int(f: Expressions, x: Value) -> Value:
    """A number cut off at the point."""
    if isinstance(x.type, Lane) and x.type.width == 1:
        x = _widen(f, x)
    if isinstance(x.type, Dual):
        x = duals.primal(f.code, x)
    if x.type is FLOAT:
        return Value(INTEGER, (whole(f.code, x),))
    return convert(f.code, x, INTEGER)


@meaning(bool)
def _bool(f: Expressions, x: Value) -> Value:
    return truth(f.code, x)


@meaning(len)
def _len(f: Expressions, x: Value) -> Value:
    if isinstance(x, TupleValue):
        return integer(len(x.parts))
    if x.is_known and hasattr(x.known, "__len__"):
        return integer(len(x.known))
    raise Fault("" if x.type is BROKEN else "len is of a tuple or a captured array; sizes are m.nq, m.nv, ...")


@meaning(tuple)
def _tuple(f: Expressions, x: Value) -> Value:
    if isinstance(x, TupleValue):
        return x
    raise Fault("" if x.type is BROKEN else f"{x.type:a} is no tuple")


@meaning(sum)
def _sum(f: Expressions, x: Value, start: Value | None = None) -> Value:
    import ast

    if not isinstance(x, TupleValue):
        raise Fault("" if x.type is BROKEN else "sum is of a tuple, or of numbers written as a comprehension")
    total = integer(0) if start is None else start
    for part in x.parts:
        total = binary(f.code, ast.Add, total, part)
    return total


# --- addresses


class At:
    """Makes a view or a field of an integer: `model_at = At(view_type)`, then `m = model_at(address)` in an entry."""

    def __init__(self, type: View | Field):
        self.type = type

    @property
    def __name__(self) -> str:
        return f"{self.type} at an address"

    def __call__(self, address: int, *place: int) -> Any:
        raise TypeError("an address has a meaning in compiled code only")

    def compile(self, f: Expressions, address: Value, *place: Value) -> Value:
        """The view or field, in compiled code; `place` of a view that is spread: which world, of how many."""
        operand, *others = (convert(f.code, value, INTEGER).operand for value in (address, *place))
        if len(others) != len(self.type.leaves) - 1:
            raise Fault(f"{self.type} is at {len(self.type.leaves)} integers, not {1 + len(others)}")
        return Value(self.type, (f.code.emit(f"inttoptr i64 {operand} to ptr"), *others))
