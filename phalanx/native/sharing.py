"""What words for shared memory compile to; `phalanx/algebra/sharing.py` says what they mean."""

from __future__ import annotations

from phalanx.algebra.sharing import pause, shared_add, shared_get, shared_set
from phalanx.native.convert import convert
from phalanx.native.diagnosis import Fault
from phalanx.native.expressions import Expressions
from phalanx.native.fields import element_pointer
from phalanx.native.intrinsics import meaning
from phalanx.native.llvm import PAUSE
from phalanx.native.types import BROKEN, INT64_ELEMENT, INTEGER, Field
from phalanx.native.values import VOID, Value

#: LLVM's strongest order: all threads see these operations in the same order.
_ORDER = "seq_cst"


def _place(f: Expressions, array: Value, i: Value) -> str:
    """The address of an element of a shared array."""
    t = array.type
    if not isinstance(t, Field) or t.element is not INT64_ELEMENT or t.constant:
        raise Fault("" if t is BROKEN else f"{t:a} is no shared array: those hold 64-bit integers")
    return element_pointer(f, array, i)


@meaning(shared_get)
def _get(f: Expressions, array: Value, i: Value) -> Value:
    return Value(INTEGER, (f.code.emit(f"load atomic i64, ptr {_place(f, array, i)} {_ORDER}, align 8"),))


@meaning(shared_set)
def _set(f: Expressions, array: Value, i: Value, value: Value) -> Value:
    operand = convert(f.code, value, INTEGER).operand
    f.code.do(f"store atomic i64 {operand}, ptr {_place(f, array, i)} {_ORDER}, align 8")
    return VOID


@meaning(shared_add)
def _add(f: Expressions, array: Value, i: Value, value: Value) -> Value:
    operand = convert(f.code, value, INTEGER).operand
    return Value(INTEGER, (f.code.emit(f"atomicrmw add ptr {_place(f, array, i)}, i64 {operand} {_ORDER}, align 8"),))


@meaning(pause)
def _pause(f: Expressions) -> Value:
    f.program.declare(PAUSE, "void")
    f.code.do(f"call void @{PAUSE}()")
    return VOID
