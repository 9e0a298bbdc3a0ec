"""Numba's side of field access: a typed address with constant inner strides.

`field[i]`, `field[i, k]`, `load3(field, i)` and `store3(field, i, v)` become bare loads and stores: no bounds, no
wraparound, no reference counts. Each field has its own alias class, so LLVM knows that a store to one field leaves the
others alone; fields of a Model are constant while a kernel runs, so their loads can be hoisted out of loops.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, models, register_model

from phalanx.algebra import memory
from phalanx.algebra.lanes import I32, I64, Lane, operation, scalar_ir, to_number, vector_ir

#: Memory alignment of every field in bytes.
ALIGNMENT = 64


class FieldType(types.Type):
    """The address of an array whose first index is free and whose inner shape is known.

    Args:
        element: number type (float64 or a lane), or an integer or float32 type.
        inner: inner shape; () for a flat field.
        name: alias class; fields of different names never overlap, one without a name may overlap with any.
        constant: nobody writes the field while a kernel runs.
    """

    def __init__(self, element: Any, inner: tuple[int, ...], name: str, constant: bool):
        self.element = element
        self.inner = inner
        self.alias = name
        self.constant = constant
        super().__init__(name=f"Field({element},{inner},{name},{constant})")

    @property
    def value(self) -> Any:
        """Type of an element once loaded: integers widen, float32 becomes a float64."""
        return loaded_type(self.element)


def loaded_type(element: Any) -> Any:
    if isinstance(element, Lane):
        return element
    return types.float64 if isinstance(element, types.Float) else types.intp


def element_ir(element: Any) -> ir.Type:
    if isinstance(element, Lane):
        return vector_ir(element)
    if isinstance(element, types.Float):
        return scalar_ir(element)
    return ir.IntType(element.bitwidth)


@register_model(FieldType)
class _FieldModel(models.PrimitiveModel):
    def __init__(self, manager: Any, field: FieldType):
        super().__init__(manager, field, element_ir(field.element).as_pointer())


# --- addressing


def _alias_tag(builder: Any, name: str) -> Any:
    module = builder.module
    root = module.add_metadata(["phalanx"])
    node = module.add_metadata([name, root, I64(0)])
    return module.add_metadata([node, node, I64(0)])


def _alignment(element: Any) -> int | None:
    if isinstance(element, Lane):
        return min(ALIGNMENT, element.width * element.bits // 8)
    return None


def load_element(context: Any, builder: Any, pointer: Any, element: Any, name: str, constant: bool) -> Any:
    """Load one element and widen it to `loaded_type`."""
    value = builder.load(pointer, align=_alignment(element))
    if name:
        value.set_metadata("tbaa", _alias_tag(builder, name))
    if constant:
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
    if isinstance(element, types.Integer) and element.bitwidth < 64:
        return builder.sext(value, I64) if element.signed else builder.zext(value, I64)
    if element == types.float32:
        return builder.fpext(value, ir.DoubleType())
    return value


def store_element(context: Any, builder: Any, pointer: Any, element: Any, name: str, value: Any, source: Any) -> None:
    """Convert a value to the element type and store it."""
    target = element if isinstance(element, (Lane, types.Float)) else types.intp
    if isinstance(target, Lane):
        value = to_number(context, builder, value, source, target)
    else:
        if isinstance(source, Lane):  # the number of one world
            value, source = builder.extract_element(value, I32(0)), source.base
        value = context.cast(builder, value, source, target)
    if isinstance(element, types.Integer) and element.bitwidth < 64:
        value = builder.trunc(value, ir.IntType(element.bitwidth))
    instruction = builder.store(value, pointer, align=_alignment(element))
    if name:
        instruction.set_metadata("tbaa", _alias_tag(builder, name))


def _element_pointer(context: Any, builder: Any, field: FieldType, base: Any, index_type: Any, index: Any) -> Any:
    if isinstance(index_type, types.BaseTuple):
        parts, part_types = cgutils.unpack_tuple(builder, index), list(index_type)
    else:
        parts, part_types = [index], [index_type]
    parts = [context.cast(builder, p, t, types.intp) for p, t in zip(parts, part_types, strict=True)]
    offset = parts[0]
    for part, extent in zip(parts[1:], field.inner, strict=True):
        offset = builder.add(builder.mul(offset, I64(extent)), part)
    return builder.gep(base, [offset], inbounds=True)


def _index_fits(field: FieldType, index: Any) -> bool:
    count = len(index) if isinstance(index, types.BaseTuple) else 1
    return count == 1 + len(field.inner)


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        field, index = args
        if isinstance(field, FieldType) and _index_fits(field, index):
            return signature(field.value, field, index)
        return None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        field, index, value = args
        if isinstance(field, FieldType) and not field.constant and _index_fits(field, index):
            return signature(types.none, field, index, value)
        return None


@lower_builtin(operator.getitem, FieldType, types.Any)
def _getitem(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    field = sig.args[0]
    pointer = _element_pointer(context, builder, field, args[0], sig.args[1], args[1])
    return load_element(context, builder, pointer, field.element, field.alias, field.constant)


@lower_builtin(operator.setitem, FieldType, types.Any, types.Any)
def _setitem(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    field = sig.args[0]
    pointer = _element_pointer(context, builder, field, args[0], sig.args[1], args[1])
    store_element(context, builder, pointer, field.element, field.alias, args[2], sig.args[2])
    return context.get_dummy_value()


# --- load3, store3 and friends


def _row_pointer(context: Any, builder: Any, field: FieldType, base: Any, index_type: Any, index: Any) -> Any:
    row = context.cast(builder, index, index_type, types.intp)
    for extent in field.inner:
        row = builder.mul(row, I64(extent))
    return builder.gep(base, [row], inbounds=True)


def _declare_load(function: Any, n: int) -> None:
    def typer(field: Any, index: Any) -> Any:
        return types.UniTuple(field.value, n) if isinstance(field, FieldType) else None

    @operation(function, typer)
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        field = sig.args[0]
        row = _row_pointer(context, builder, field, args[0], sig.args[1], args[1])
        cells = [builder.gep(row, [I64(k)], inbounds=True) for k in range(n)]
        values = [load_element(context, builder, p, field.element, field.alias, field.constant) for p in cells]
        return context.make_tuple(builder, sig.return_type, values)


def _declare_store(function: Any, n: int) -> None:
    def typer(field: Any, index: Any, values: Any) -> Any:
        fits = isinstance(field, FieldType) and not field.constant and isinstance(values, types.BaseTuple)
        return types.none if fits and len(values) == n else None

    @operation(function, typer)
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        field = sig.args[0]
        row = _row_pointer(context, builder, field, args[0], sig.args[1], args[1])
        values = cgutils.unpack_tuple(builder, args[2], n)
        for k, (value, value_type) in enumerate(zip(values, sig.args[2], strict=True)):
            pointer = builder.gep(row, [I64(k)], inbounds=True)
            store_element(context, builder, pointer, field.element, field.alias, value, value_type)
        return context.get_dummy_value()


for _function, _n in memory.LOADS.values():
    _declare_load(_function, _n)
for _function, _n in memory.STORES.values():
    _declare_store(_function, _n)


def field_at(field: FieldType) -> Any:
    """An intrinsic that turns an address (an integer) into a field of the given type."""

    @intrinsic
    def at_address(typingctx: Any, address: Any) -> Any:
        def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], element_ir(field.element).as_pointer())

        return field(types.intp), emit

    return at_address
