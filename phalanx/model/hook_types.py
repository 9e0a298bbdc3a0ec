"""Numba's side of what a hook returns."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.errors import TypingError

from phalanx.algebra.lanes import Lane, LaneMask, operation, promote, to_number
from phalanx.model.hook_calls import as_condition, as_number, as_rate


def _must_return(value: Any) -> None:
    """Refuse a function that returns nothing in some cases: Numba would take the others for all."""
    if isinstance(value, types.Optional):
        raise TypingError("as_number or as_condition of none in some cases")


def _number(value: Any) -> Any:
    _must_return(value)
    return promote(types.float64, value)


@operation(as_number, _number)
def _as_number(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return to_number(context, builder, args[0], sig.args[0], sig.return_type)


def _rate(value: Any, otherwise: Any) -> Any:
    _must_return(value)
    return otherwise if isinstance(value, types.NoneType) else promote(otherwise, value)


@operation(as_rate, _rate)
def _as_rate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    k = 1 if isinstance(sig.args[0], types.NoneType) else 0
    return to_number(context, builder, args[k], sig.args[k], sig.return_type)


def _condition(value: Any) -> Any:
    _must_return(value)
    if isinstance(value, Lane):
        return LaneMask(value.base, value.width)
    is_plain = isinstance(value, (types.Boolean, types.Integer, types.Float))
    return types.boolean if is_plain else value if isinstance(value, LaneMask) else None


def _zero(t: Any) -> Any:
    return [0.0] * t.count if isinstance(t, ir.VectorType) else 0.0


@operation(as_condition, _condition)
def _as_condition(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    (value,), (kind,) = args, sig.args
    if isinstance(kind, (LaneMask, types.Boolean)):
        return value
    if isinstance(kind, types.Integer):
        return builder.icmp_signed("!=", value, value.type(0))
    return builder.fcmp_unordered("!=", value, ir.Constant(value.type, _zero(value.type)))
