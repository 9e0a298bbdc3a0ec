"""What calls of the user's functions compile to; `phalanx/algebra/user_call.py` says what they mean."""

from __future__ import annotations

import ast

from phalanx.algebra.user_call import as_condition, as_number, as_rate, call_user
from phalanx.native.convert import convert
from phalanx.native.diagnosis import Fault
from phalanx.native.expressions import Expressions
from phalanx.native.intrinsics import meaning
from phalanx.native.linked import call_function
from phalanx.native.operators import compare
from phalanx.native.transport import call_address
from phalanx.native.types import BOOLEAN, FLOAT, INTEGER, NOTHING, Mask, promote
from phalanx.native.values import Value, number


@meaning(call_user)
def _call_user(f: Expressions, function: Value, m: Value, d: Value, first: Value, second: Value) -> Value:
    if f.program.linked is not None:
        return call_function(f, function, [m, d, first, second])
    return call_address(f.code, function, [m, d, first, second], [m.type, d.type, INTEGER, INTEGER], NOTHING)


@meaning(as_number)
def _as_number(f: Expressions, value: Value) -> Value:
    if value.type is NOTHING:
        raise Fault("must return a number, in every case")
    return convert(f.code, value, promote(FLOAT, value.type))


@meaning(as_rate)
def _as_rate(f: Expressions, value: Value, otherwise: Value) -> Value:
    chosen = otherwise if value.type is NOTHING else value
    return convert(f.code, chosen, promote(otherwise.type, chosen.type))


@meaning(as_condition)
def _as_condition(f: Expressions, value: Value) -> Value:
    if value.type is NOTHING:
        raise Fault("must return True or False, in every case")
    if value.type is BOOLEAN or isinstance(value.type, Mask):
        return value
    return compare(f.code, ast.NotEq, value, number(0.0))
