"""Views: what `m` and `d` are inside a compiled kernel. The only file that knows how a field is addressed.

A view is one pointer to a table of sizes and field addresses (`Store.table`); its Numba type carries the schema and the
number type. `d.xpos` is one load, marked invariant so that LLVM hoists it; `d.xpos[body, 0]` is an address computation.
`m.opt` is the same pointer under another prefix. Scalars (`d.time`, `m.opt.timestep`) are read and written in place.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
)

from phalanx.algebra.fields import FieldType, element_ir, load_element, loaded_type, store_element
from phalanx.algebra.lanes import I32, I64, Lane, one_world, operation
from phalanx.model.hook_calls import call_hook
from phalanx.model.layout import SCHEMAS
from phalanx.tables.field import Field, Kind

_ELEMENTS = {
    Kind.INT: types.int32,
    Kind.WHOLE: types.int32,
    Kind.BOOL: types.uint8,
    Kind.BYTE: types.uint8,
    Kind.SIZE: types.int64,
    Kind.FLOAT32: types.float32,
    Kind.FLOAT64: types.float64,
}


def is_wide(number: Any) -> bool:
    """Does a number hold several worlds?"""
    return isinstance(number, Lane) and number.width > 1


class ViewType(types.Type):
    """Pointer to a table of the schema's slots.

    Args:
        schema: name of the schema.
        number: type of real elements.
        constant: fields do not change while a kernel runs (the Model, except to its own constants).
        prefix: nested record, "" or "opt.".
    """

    def __init__(self, schema: str, number: Any, constant: bool, prefix: str = ""):
        self.schema = schema
        self.number = number
        self.constant = constant
        self.prefix = prefix
        super().__init__(name=f"View({schema},{number},{constant},{prefix})")

    def has(self, attribute: str) -> bool:
        return self.prefix + attribute in SCHEMAS[self.schema].fields

    def row(self, attribute: str) -> Field:
        return SCHEMAS[self.schema].fields[self.prefix + attribute]

    def element(self, row: Field) -> Any:
        if row.kind is Kind.REAL or (row.kind is Kind.WHOLE and is_wide(self.number)):
            return self.number
        return one_world(self.number) if row.kind is Kind.SCALAR else _ELEMENTS[row.kind]

    def alias(self, attribute: str) -> str:
        return f"{self.schema}.{self.prefix}{attribute}"


@register_model(ViewType)
class _ViewModel(models.PrimitiveModel):
    def __init__(self, manager: Any, view: ViewType):
        super().__init__(manager, view, I64.as_pointer())


@infer_getattr
class _ViewAttribute(AttributeTemplate):
    key = ViewType

    def generic_resolve(self, view: ViewType, attribute: str) -> Any:
        schema = SCHEMAS[view.schema]
        if not view.prefix and (attribute in schema.sizes or attribute in schema.hooks):
            return types.intp
        if not view.prefix and attribute in schema.records:
            return ViewType(view.schema, view.number, view.constant, attribute + ".")
        if not view.has(attribute):
            return None
        row = view.row(attribute)
        element = view.element(row)
        if row.is_scalar:
            return loaded_type(element)
        inner = tuple(extent for extent in row.shape[1:] if isinstance(extent, int))
        if len(inner) < len(row.shape) - 1:
            return None  # an inner extent that only the model knows: not addressable in kernels
        return FieldType(element, inner, view.alias(attribute), view.constant)


def _slot_value(builder: Any, view: ViewType, pointer: Any, name: str) -> Any:
    slot = SCHEMAS[view.schema].slot[name]
    value = builder.load(builder.gep(pointer, [I64(slot)], inbounds=True))
    value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value


def _field_pointer(builder: Any, view: ViewType, pointer: Any, attribute: str) -> Any:
    address = _slot_value(builder, view, pointer, view.prefix + attribute)
    return builder.inttoptr(address, element_ir(view.element(view.row(attribute))).as_pointer())


@lower_getattr_generic(ViewType)
def _getattr(context: Any, builder: Any, view: ViewType, pointer: Any, attribute: str) -> Any:
    schema = SCHEMAS[view.schema]
    if not view.prefix and (attribute in schema.sizes or attribute in schema.hooks):
        return _slot_value(builder, view, pointer, attribute)
    if not view.prefix and attribute in schema.records:
        return pointer
    row = view.row(attribute)
    field = _field_pointer(builder, view, pointer, attribute)
    if row.is_scalar:
        return load_element(context, builder, field, view.element(row), view.alias(attribute), view.constant)
    return field


@lower_setattr_generic(ViewType)
def _setattr(context: Any, builder: Any, sig: Any, args: Any, attribute: str) -> None:
    view, value_type = sig.args
    row = view.row(attribute)
    field = _field_pointer(builder, view, args[0], attribute)
    store_element(context, builder, field, view.element(row), view.alias(attribute), args[1], value_type)


def view_at(view: ViewType) -> Any:
    """An intrinsic that turns an address (an integer) into a view of the given type."""

    @intrinsic
    def at_address(typingctx: Any, address: Any) -> Any:
        def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], ir.IntType(64).as_pointer())

        return view(types.intp), emit

    return at_address


# --- hooks

#: A compiled hook, in Numba's convention: where to put the result and an exception, then the arguments; a status.
_RESULT, _EXCEPTION = I64, ir.IntType(8).as_pointer()
_HOOK = ir.FunctionType(I32, [_RESULT.as_pointer(), _EXCEPTION.as_pointer(), I64, I64, I64, I64])


def _hook_result(hook: Any, m: Any, d: Any, first: Any, second: Any) -> Any:
    return types.none if isinstance(hook, types.Integer) and isinstance(d, ViewType) else None


@operation(call_hook, _hook_result)
def _call_hook(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """A call through the address; LLVM knows nothing of the function, so it may read and write any memory."""
    hook, m, d, *_ = args
    integers = [
        context.cast(builder, value, kind, types.intp) for value, kind in zip(args[3:], sig.args[3:], strict=True)
    ]
    places = [cgutils.alloca_once(builder, kind) for kind in (_RESULT, _EXCEPTION)]
    views = [builder.ptrtoint(view, I64) for view in (m, d)]
    builder.call(builder.inttoptr(hook, _HOOK.as_pointer()), [*places, *views, *integers])
    return context.get_dummy_value()
