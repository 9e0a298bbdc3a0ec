"""Numba's side of `number.py`: the lane type, masks, and what each operation compiles to.

A `Lane(base, width)` holds one number for each of `width` worlds in an LLVM vector `<width x base>`. A float64 of one
world is Numba's own float64; a float32 of one world is a lane of width 1, because a Python literal would silently
promote Numba's float32 to double. Plain scalars and lanes of width 1 broadcast. No flag allows LLVM to reorder,
contract or approximate anything.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import models, register_model, typeof_impl

from phalanx.algebra import number
from phalanx.algebra.jit import Kernel

I1, I32, I64 = ir.IntType(1), ir.IntType(32), ir.IntType(64)


@typeof_impl.register(Kernel)
def _type_of_kernel(value: Kernel, context: Any) -> Any:
    return types.Dispatcher(value.dispatcher)


# --- types


class Lane(types.Type):
    """One number for each of `width` worlds."""

    def __init__(self, base: types.Float, width: int):
        self.base = base
        self.width = width
        super().__init__(name=f"Lane({base}x{width})")

    @property
    def bits(self) -> int:
        return self.base.bitwidth

    def unify(self, typingctx: Any, other: Any) -> Any:
        return promote(self, other)

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        from numba.core.typeconv import Conversion

        if isinstance(other, types.Number) or (isinstance(other, Lane) and promote(self, other) == self):
            return Conversion.safe
        return None


class LaneMask(types.Type):
    """One condition for each of `width` worlds."""

    def __init__(self, base: types.Float, width: int):
        self.base = base
        self.width = width
        super().__init__(name=f"LaneMask({base}x{width})")

    def unify(self, typingctx: Any, other: Any) -> Any:
        return self if isinstance(other, types.Boolean) else None

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        from numba.core.typeconv import Conversion

        return Conversion.safe if isinstance(other, types.Boolean) else None


def scalar_ir(base: types.Float) -> ir.Type:
    return ir.DoubleType() if base == types.float64 else ir.FloatType()


def vector_ir(lane: Lane) -> ir.VectorType:
    return ir.VectorType(scalar_ir(lane.base), lane.width)


@register_model(Lane)
class _LaneModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lane: Lane):
        super().__init__(manager, lane, vector_ir(lane))


@register_model(LaneMask)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, manager: Any, mask: LaneMask):
        super().__init__(manager, mask, ir.VectorType(I1, mask.width))


def promote(*operands: Any) -> Any:
    """The common number type of the operands, or None if there is none."""
    lanes = [t for t in operands if isinstance(t, Lane)]
    if not all(isinstance(t, (Lane, types.Integer, types.Float, types.Boolean)) for t in operands):
        return None
    if not lanes:
        if any(isinstance(t, types.Float) for t in operands):
            return types.float64
        return types.intp
    widths = {t.width for t in lanes} - {1}
    if len({t.base for t in lanes}) > 1 or len(widths) > 1:
        return None
    return Lane(lanes[0].base, max(t.width for t in lanes))


def one_world(t: Any) -> Any:
    """The number type of a single world taken out of `t`."""
    if isinstance(t, Lane) and t.base == types.float32:
        return Lane(t.base, 1)
    return types.float64


# --- conversions


def broadcast(builder: Any, value: Any, width: int) -> Any:
    """A scalar IR value in every element of a vector."""
    vector = ir.Constant(ir.VectorType(value.type, width), ir.Undefined)
    vector = builder.insert_element(vector, value, I32(0))
    return builder.shuffle_vector(vector, vector, ir.Constant(ir.VectorType(I32, width), [0] * width))


def to_number(context: Any, builder: Any, value: Any, source: Any, target: Any) -> Any:
    """Convert a number, scalar or lane, to the number type `target`."""
    if source == target:
        return value
    if not isinstance(target, Lane):
        return context.cast(builder, value, source, target)
    if isinstance(source, Lane):
        if source.width == target.width:
            return value
        value = builder.extract_element(value, I32(0))
    else:
        value = context.cast(builder, value, source, target.base)
    return broadcast(builder, value, target.width)


def to_mask(builder: Any, value: Any, source: Any, target: Any) -> Any:
    """Convert a condition to the condition type `target`."""
    if source == target:
        return value
    if isinstance(source, LaneMask):
        value = builder.extract_element(value, I32(0))
    return broadcast(builder, value, target.width)


@lower_cast(types.Number, Lane)
@lower_cast(Lane, Lane)
def _cast_number(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    return to_number(context, builder, value, source, target)


@lower_cast(types.Boolean, LaneMask)
def _cast_mask(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    return to_mask(builder, value, source, target)


# --- operations

Typer = Callable[..., Any]


def operation(function: Any, typer: Typer) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give `function` a meaning in kernels: `typer(*types)` -> result type or None, and the code that computes it."""

    class Template(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            result = typer(*args) if not kws else None
            return None if result is None else signature(result, *args)

    infer_global(function)(Template)

    def attach(emit: Callable[..., Any]) -> Callable[..., Any]:
        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return emit(context, builder, sig, args)

        lower_builtin(function, types.VarArg(types.Any))(lower)
        return emit

    return attach


def _has_lane(*operands: Any) -> bool:
    return any(isinstance(t, Lane) for t in operands)


def _lane_operator(function: Any, instruction: str) -> None:
    """Arithmetic of lanes; Numba keeps its own meaning for plain scalars."""

    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if not _has_lane(*args):
                return None
            result = promote(*args)
            return None if result is None else signature(result, *args)

    infer_global(function)(Template)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        operands = [to_number(context, builder, a, t, sig.return_type) for a, t in zip(args, sig.args, strict=True)]
        return getattr(builder, instruction)(*operands)

    if instruction == "fneg":
        lower_builtin(function, Lane)(lower)
        return
    for left, right in ((Lane, Lane), (Lane, types.Number), (types.Number, Lane)):
        lower_builtin(function, left, right)(lower)


def _lane_comparison(function: Any, symbol: str) -> None:
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if not _has_lane(*args):
                return None
            common = promote(*args)
            return None if common is None else signature(LaneMask(common.base, common.width), *args)

    infer_global(function)(Template)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        common = promote(*sig.args)
        operands = [to_number(context, builder, a, t, common) for a, t in zip(args, sig.args, strict=True)]
        compare = builder.fcmp_unordered if symbol == "!=" else builder.fcmp_ordered
        return compare(symbol, *operands)

    for left, right in ((Lane, Lane), (Lane, types.Number), (types.Number, Lane)):
        lower_builtin(function, left, right)(lower)


for _function, _inplace, _instruction in (
    (operator.add, operator.iadd, "fadd"),
    (operator.sub, operator.isub, "fsub"),
    (operator.mul, operator.imul, "fmul"),
    (operator.truediv, operator.itruediv, "fdiv"),
):
    _lane_operator(_function, _instruction)
    _lane_operator(_inplace, _instruction)
_lane_operator(operator.neg, "fneg")
for _function, _symbol in (
    (operator.lt, "<"), (operator.le, "<="), (operator.gt, ">"), (operator.ge, ">="),
    (operator.eq, "=="), (operator.ne, "!="),
):  # fmt: skip
    _lane_comparison(_function, _symbol)


def _condition(*operands: Any) -> Any:
    """The common condition type."""
    masks = [t for t in operands if isinstance(t, LaneMask)]
    if not all(isinstance(t, (LaneMask, types.Boolean)) for t in operands):
        return None
    return max(masks, key=lambda t: t.width) if masks else types.boolean


def _where_type(condition: Any, a: Any, b: Any) -> Any:
    if isinstance(condition, LaneMask):
        return promote(Lane(condition.base, condition.width), a, b)
    if isinstance(condition, types.Boolean):
        if isinstance(a, types.Boolean) and isinstance(b, types.Boolean):
            return types.boolean
        return promote(a, b)
    return None


@operation(number.where, _where_type)
def _where(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    result = sig.return_type
    condition = args[0]
    if isinstance(sig.args[0], LaneMask) and sig.args[0].width != result.width:
        condition = broadcast(builder, builder.extract_element(condition, I32(0)), result.width)
    a = to_number(context, builder, args[1], sig.args[1], result)
    b = to_number(context, builder, args[2], sig.args[2], result)
    return builder.select(condition, a, b)


def _combine(function: Any, instruction: str) -> None:
    @operation(function, lambda *a: _condition(*a) if len(a) == 2 else None)
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        operands = [to_mask(builder, a, t, sig.return_type) for a, t in zip(args, sig.args, strict=True)]
        return getattr(builder, instruction)(*operands)


_combine(number.and_, "and_")
_combine(number.or_, "or_")


@operation(number.not_, lambda a: _condition(a))
def _not(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.not_(args[0])


def _mask_bits(builder: Any, mask: Any, width: int) -> Any:
    return builder.bitcast(mask, ir.IntType(width))


@operation(number.any_, lambda c: types.boolean if _condition(c) else None)
def _any(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    if not isinstance(sig.args[0], LaneMask):
        return args[0]
    bits = _mask_bits(builder, args[0], sig.args[0].width)
    return builder.icmp_unsigned("!=", bits, bits.type(0))


@operation(number.all_, lambda c: types.boolean if _condition(c) else None)
def _all(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    if not isinstance(sig.args[0], LaneMask):
        return args[0]
    bits = _mask_bits(builder, args[0], sig.args[0].width)
    return builder.icmp_unsigned("==", bits, bits.type(-1))


@operation(number.count_, lambda c: types.intp if _condition(c) else None)
def _count(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    if not isinstance(sig.args[0], LaneMask):
        return builder.zext(args[0], I64)
    total = I64(0)
    for world in range(sig.args[0].width):
        total = builder.add(total, builder.zext(builder.extract_element(args[0], I32(world)), I64))
    return total


def _compare(builder: Any, symbol: str, a: Any, b: Any) -> Any:
    return builder.fcmp_ordered(symbol, a, b)


def _selecting(function: Any, symbol: str) -> None:
    """minimum and maximum: `a` if the ordered comparison holds, else `b`."""

    @operation(function, lambda *a: promote(*a) if len(a) == 2 else None)
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        a, b = (to_number(context, builder, x, t, sig.return_type) for x, t in zip(args, sig.args, strict=True))
        if isinstance(sig.return_type, types.Integer):
            return builder.select(builder.icmp_signed(symbol, a, b), a, b)
        return builder.select(_compare(builder, symbol, a, b), a, b)


_selecting(number.minimum, "<=")
_selecting(number.maximum, ">=")


@operation(number.clamp, lambda *a: promote(types.float64, *a) if len(a) == 3 else None)
def _clamp(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    x, low, high = (to_number(context, builder, a, t, sig.return_type) for a, t in zip(args, sig.args, strict=True))
    below_high = builder.select(_compare(builder, ">", x, high), high, x)
    return builder.select(_compare(builder, "<", x, low), low, below_high)


def _number_type(x: Any) -> Any:
    """A lane stays itself, any scalar becomes a float64."""
    return x if isinstance(x, Lane) else (types.float64 if isinstance(x, types.Number) else None)


def _llvm_unary(function: Any, name: str) -> None:
    """An operation that LLVM has as an intrinsic, exact and free of library calls."""

    @operation(function, _number_type)
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        x = to_number(context, builder, args[0], sig.args[0], sig.return_type)
        return builder.call(_declare(builder, name, x.type, 1), [x])


def _declare(builder: Any, name: str, t: ir.Type, arity: int) -> Any:
    element = t.element if isinstance(t, ir.VectorType) else t
    suffix = "f64" if isinstance(element, ir.DoubleType) else "f32"
    prefix = f"v{t.count}" if isinstance(t, ir.VectorType) else ""
    full_name = f"llvm.{name}.{prefix}{suffix}"
    return cgutils.get_or_insert_function(builder.module, ir.FunctionType(t, [t] * arity), full_name)


for _unary, _name in (
    (number.sqrt, "sqrt"), (number.abs_, "fabs"), (number.floor, "floor"), (number.round_even, "rint"),
):  # fmt: skip
    _llvm_unary(_unary, _name)


@operation(number.copysign, lambda *a: promote(types.float64, *a) if len(a) == 2 else None)
def _copysign(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    a, b = (to_number(context, builder, x, t, sig.return_type) for x, t in zip(args, sig.args, strict=True))
    return builder.call(_declare(builder, "copysign", a.type, 2), [a, b])


# --- binary representation


def _layout(t: Any) -> tuple[Any, int, int]:
    """(constant maker, bits of the fraction, exponent bias) of a number type."""
    single = isinstance(t, Lane) and t.base == types.float32
    integer = I32 if single else I64
    fraction, bias = (23, 127) if single else (52, 1023)
    if not isinstance(t, Lane):
        return integer, fraction, bias
    vector = ir.VectorType(integer, t.width)
    return (lambda v: ir.Constant(vector, [integer(v)] * t.width)), fraction, bias


def _float_ir(t: Any) -> ir.Type:
    return vector_ir(t) if isinstance(t, Lane) else ir.DoubleType()


def _shifter(t: Any, integer: int) -> Any:
    """A constant S so large that S + k, for a small integral number k, has `integer + k` in its lowest bits.

    Numbers become integers and back by one addition; AVX2 has no instruction for 64-bit integers.
    """
    _, fraction, _ = _layout(t)
    element = scalar_ir(t.base) if isinstance(t, Lane) else ir.DoubleType()
    value = element(float(3 * 2 ** (fraction - 1) + integer))
    return ir.Constant(vector_ir(t), [value] * t.width) if isinstance(t, Lane) else value


@operation(number.power_of_two, _number_type)
def _power_of_two(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    make, fraction, bias = _layout(sig.return_type)
    k = to_number(context, builder, args[0], sig.args[0], sig.return_type)
    bits = builder.bitcast(builder.fadd(k, _shifter(sig.return_type, bias)), make(0).type)
    return builder.bitcast(builder.shl(bits, make(fraction)), _float_ir(sig.return_type))


@operation(number.mantissa, _number_type)
def _mantissa(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    make, fraction, bias = _layout(sig.return_type)
    x = to_number(context, builder, args[0], sig.args[0], sig.return_type)
    bits = builder.bitcast(x, make(0).type)
    bits = builder.or_(builder.and_(bits, make((1 << fraction) - 1)), make(bias << fraction))
    return builder.bitcast(bits, x.type)


@operation(number.exponent, _number_type)
def _exponent(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    make, fraction, bias = _layout(sig.return_type)
    x = to_number(context, builder, args[0], sig.args[0], sig.return_type)
    bits = builder.and_(builder.lshr(builder.bitcast(x, make(0).type), make(fraction)), make(2 * bias + 1))
    bits = builder.or_(bits, builder.bitcast(_shifter(sig.return_type, 0), make(0).type))
    return builder.fsub(builder.bitcast(bits, x.type), _shifter(sig.return_type, bias))


@operation(number.high_half, _number_type)
def _high_half(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    make, fraction, _ = _layout(sig.return_type)
    low_bits = (1 << (fraction // 2 + 1)) - 1
    x = to_number(context, builder, args[0], sig.args[0], sig.return_type)
    bits = builder.and_(builder.bitcast(x, make(0).type), make(~low_bits))
    return builder.bitcast(bits, x.type)


@operation(number.is_single, lambda x: types.boolean if isinstance(x, (Lane, types.Number)) else None)
def _is_single(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return I1(int(isinstance(sig.args[0], Lane) and sig.args[0].base == types.float32))


def _wide_type(x: Any) -> Any:
    if isinstance(x, Lane) and x.base == types.float32:
        return Lane(types.float64, x.width) if x.width > 1 else types.float64
    return _number_type(x)


@operation(number.widen, _wide_type)
def _widen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    source, result = sig.args[0], sig.return_type
    if not isinstance(source, Lane) or source.base == types.float64:
        return to_number(context, builder, args[0], source, result)
    value = args[0] if isinstance(result, Lane) else builder.extract_element(args[0], I32(0))
    return builder.fpext(value, _float_ir(result))


def _narrow_type(like: Any, x: Any) -> Any:
    fits = isinstance(like, Lane) and isinstance(x, Lane) and x.base == types.float64 and x.width == like.width
    return _number_type(like) if fits or isinstance(x, types.Number) else None


@operation(number.narrow, _narrow_type)
def _narrow(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    source, result = sig.args[1], sig.return_type
    if isinstance(source, Lane) and source.base != result.base:
        return builder.fptrunc(args[1], vector_ir(result))
    return to_number(context, builder, args[1], source, result)


def _pick_type(values: Any, i: Any) -> Any:
    fits = isinstance(values, types.UniTuple) and isinstance(values.dtype, types.Float)
    return types.float64 if fits and isinstance(i, types.Integer) else None


def _constant_cells(value: Any) -> list[Any]:
    """The elements of a tuple of constants, which Numba inserts one by one."""
    cells = {}
    while isinstance(value, ir.InsertValue):
        value, element = value.operands[0], value
        cells[element.indices[0]] = element.operands[1]
    if not cells or not all(isinstance(cell, ir.Constant) for cell in cells.values()):
        raise TypeError("pick() takes a module constant: a tuple of floats")
    return [cells[k] for k in sorted(cells)]


@operation(number.pick, _pick_type)
def _pick(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    elements = _constant_cells(args[0])
    table = ir.Constant(ir.ArrayType(ir.DoubleType(), len(elements)), elements)
    cells = cgutils.global_constant(builder.module, "table", table)
    index = context.cast(builder, args[1], sig.args[1], types.intp)
    return builder.load(builder.gep(cells, [I64(0), index], inbounds=True))


# --- single worlds of a lane


@operation(number.lane_count, lambda x: types.intp if isinstance(x, (Lane, LaneMask, types.Number)) else None)
def _lane_count(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return I64(getattr(sig.args[0], "width", 1))


def _lane_get_type(x: Any, world: Any) -> Any:
    if isinstance(x, (LaneMask, types.Boolean)):
        return types.boolean
    return one_world(x) if isinstance(x, (Lane, types.Number)) else None


@operation(number.lane_get, _lane_get_type)
def _lane_get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    source, result = sig.args[0], sig.return_type
    if not isinstance(source, (Lane, LaneMask)):
        return context.cast(builder, args[0], source, result)
    # a number that all worlds share is kept once
    index = I32(0) if source.width == 1 else builder.trunc(args[1], I32)
    value = builder.extract_element(args[0], index)
    return broadcast(builder, value, 1) if isinstance(result, Lane) else value


@operation(number.lane_set, lambda x, world, value: _number_type(x))
def _lane_set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    target, source = sig.return_type, sig.args[2]
    if not isinstance(target, Lane):
        return context.cast(builder, args[2], source, target)
    if isinstance(source, Lane):
        value = builder.extract_element(args[2], I32(0))
    else:
        value = context.cast(builder, args[2], source, target.base)
    return builder.insert_element(args[0], value, builder.trunc(args[1], I32))


def _reduction(function: Any, combine: Callable[[Any, Any, Any], Any]) -> None:
    @operation(function, lambda x: one_world(x) if isinstance(x, (Lane, types.Number)) else None)
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if not isinstance(sig.args[0], Lane):
            return context.cast(builder, args[0], sig.args[0], sig.return_type)
        total = builder.extract_element(args[0], I32(0))
        for world in range(1, sig.args[0].width):
            total = combine(builder, total, builder.extract_element(args[0], I32(world)))
        return broadcast(builder, total, 1) if isinstance(sig.return_type, Lane) else total


_reduction(number.lane_sum, lambda builder, a, b: builder.fadd(a, b))
_reduction(number.lane_min, lambda builder, a, b: builder.select(_compare(builder, "<=", a, b), a, b))
_reduction(number.lane_max, lambda builder, a, b: builder.select(_compare(builder, ">=", a, b), a, b))


@operation(number.splat, lambda like, value: _number_type(like))
def _splat(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return to_number(context, builder, args[1], sig.args[1], sig.return_type)
