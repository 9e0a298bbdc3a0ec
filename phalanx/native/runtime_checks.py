"""Checks that are compiled into kernels with PHALANX_CHECKED=1: bounds of fields, NaN that is stored, division by zero.

A kernel cannot raise. A check that fails notes the first failure of the call in the memory of the image and goes on
with something harmless: an index out of bounds becomes zero. When the call is over, Python reads the note and raises
`CheckError` with the field, the index and the line of the kernel.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from phalanx.native.types import FLOAT, CheckedField, Dual, Lane
from phalanx.native.values import Value
from phalanx.tables.scratch_fields import WITH_NAN

if TYPE_CHECKING:
    from phalanx.native.expressions import Expressions

#: Compile checks into kernels: PHALANX_CHECKED=1.
CHECKED_VARIABLE = "PHALANX_CHECKED"
#: Exported by an image with checks: the address of its note.
NOTE_SYMBOL = "phalanx_note"
#: The note: count of failed checks; then, of the first failure, the address of a text that names its kind and place,
#: the index, its bound, and when it was, counted over all images. The last is the address of that counter.
COUNT, TEXT, INDEX, BOUND, ORDER, COUNTER = range(6)
NOTE_LENGTH = 6

RUNTIME = f"""
@note = internal global [{NOTE_LENGTH} x i64] zeroinitializer
define i64 @{NOTE_SYMBOL}() {{
  %address = ptrtoint ptr @note to i64
  ret i64 %address
}}
define internal void @check_failed(ptr %text, i64 %index, i64 %bound) cold noinline nounwind {{
  %before = atomicrmw add ptr @note, i64 1 seq_cst
  %is_first = icmp eq i64 %before, 0
  br i1 %is_first, label %first, label %done
first:
  %text.at = getelementptr i64, ptr @note, i64 {TEXT}
  store ptr %text, ptr %text.at
  %index.at = getelementptr i64, ptr @note, i64 {INDEX}
  store i64 %index, ptr %index.at
  %bound.at = getelementptr i64, ptr @note, i64 {BOUND}
  store i64 %bound, ptr %bound.at
  %counter.at = getelementptr i64, ptr @note, i64 {COUNTER}
  %counter = load ptr, ptr %counter.at
  %is_shared = icmp ne ptr %counter, null
  br i1 %is_shared, label %shared, label %done
shared:
  %order = atomicrmw add ptr %counter, i64 1 seq_cst
  %order.at = getelementptr i64, ptr @note, i64 {ORDER}
  store i64 %order, ptr %order.at
  br label %done
done:
  ret void
}}
"""


def is_checked() -> bool:
    """Are checks to be compiled into kernels in this process?"""
    return os.environ.get(CHECKED_VARIABLE, "") not in ("", "0")


def in_bounds(f: Expressions, t: CheckedField, axis: int, operand: str, bound: str, start: str = "") -> str:
    """The checked index, or `start` if a row of numbers ends at the index; zero if the index is out of bounds."""
    is_inside = f.code.emit(f"icmp ult i64 {operand}, {bound}")
    _unless(f, is_inside, f"bounds|{t.alias}|{axis}", operand, bound)
    return f.code.emit(f"select i1 {is_inside}, i64 {start or operand}, i64 0")


def stored(f: Expressions, alias: str, value: Value) -> None:
    """Check that a number written to the field `alias` is not NaN; without a name it may be."""
    is_number = value.type is FLOAT or isinstance(value.type, Lane | Dual)
    is_watched = alias and alias.rpartition(".")[2] not in WITH_NAN
    if f.program.checked and is_watched and is_number and not value.is_known:
        leaf = value.type.leaves[0]
        is_sane = f.code.emit(f"fcmp ord {leaf} {value.operand}, {value.operand}")
        if isinstance(value.type, Lane) and value.type.width > 1:
            bits = f.code.emit(f"bitcast <{value.type.width} x i1> {is_sane} to i{value.type.width}")
            is_sane = f.code.emit(f"icmp eq i{value.type.width} {bits}, -1")
        _unless(f, is_sane, f"nan|{alias}|0", "0", "0")


def divided(f: Expressions, divisor: Value) -> None:
    """Check that an integer divisor is not zero."""
    if f.program.checked and not divisor.is_known:
        is_valid = f.code.emit(f"icmp ne i64 {divisor.operand}, 0")
        _unless(f, is_valid, "division||0", "0", "0")


def _unless(f: Expressions, is_fine: str, what: str, index: str, bound: str) -> None:
    """Note a failure unless a condition holds."""
    place = f.place()
    text = f.program.text(f"{what}|{place.file}|{place.line}|{place.function}")
    bad, fine = f.code.label(), f.code.label()
    f.code.branch(is_fine, fine, bad)
    f.code.start(bad)
    f.code.do(f"call void @check_failed(ptr {text}, i64 {index}, i64 {bound})")
    f.code.jump(fine)
    f.code.start(fine)
