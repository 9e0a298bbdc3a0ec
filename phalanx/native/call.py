"""How Python calls an entry: a builtin function whose machine code is ours, ten times as fast as ctypes.

An entry is a function `i64 entry(i64, ...)` of 1 to 12 integers in the C convention. `CALLER_IR` describes the function
that stands between Python and all entries; whoever loads the module compiles it once. `bind` makes a builtin from its
address, an entry and the leading arguments. Compiling, loading and keeping code in memory happen elsewhere.

The caller refers to nothing outside itself and holds no constants, so it is one section of code without relocations.
What it needs to know it finds in its `self`, a bytes object that each builtin owns:

    self -> | object header, padding | slots: entry, counts, functions of Python | 12 bound arguments | message |
            0                        RECORD_AT

The record starts at the same distance from `self` in every build of CPython, whatever the size of the header (free
threading and debugging make it larger), so that one compiled caller fits them all.
"""

from __future__ import annotations

import ctypes
import functools
import operator
import struct
import sys
from collections.abc import Callable

#: The most integers an entry can take.
MAX_ARITY = 12
#: The exported symbol of `CALLER_IR`.
CALLER = "phalanx_call"
#: Where the record starts, in bytes from the address of `self`.
RECORD_AT = 64

#: Functions of Python that the caller uses, by their addresses.
_FUNCTIONS = (
    "PyLong_AsLongLong",
    "PyLong_FromLongLong",
    "PyErr_Occurred",
    "PyErr_Format",
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
)
#: The 64-bit integers at the start of the record.
_SLOTS = ("entry", "arity", "bound", "given", "TypeError", *_FUNCTIONS)
_BOUND_AT = RECORD_AT + 8 * len(_SLOTS)
_MESSAGE_AT = _BOUND_AT + 8 * MAX_ARITY
_MESSAGE = "expected %zd arguments, got %zd"

_METH_FASTCALL = 0x0080
_HEADER = bytes.__basicsize__ - 1


# --- the machine code between Python and an entry


def _load(slot: str, kind: str = "ptr") -> str:
    """IR that loads a slot of the record into a variable of the same name."""
    return f"""
  %{slot}.at = getelementptr i8, ptr %self, i64 {RECORD_AT + 8 * _SLOTS.index(slot)}
  %{slot} = load {kind}, ptr %{slot}.at, align 8"""


def _copy_bound() -> str:
    """IR that copies all places of bound arguments, two by two: there are so few that counting them would cost more."""
    return "".join(
        f"""
  %from.{i} = getelementptr i8, ptr %self, i64 {_BOUND_AT + 8 * i}
  %pair.{i} = load <2 x i64>, ptr %from.{i}, align 8
  %to.{i} = getelementptr i64, ptr %values, i64 {i}
  store <2 x i64> %pair.{i}, ptr %to.{i}, align 16"""
        for i in range(0, MAX_ARITY, 2)
    )


def _call_with(arity: int) -> str:
    """IR of the block that calls the entry with a given count of arguments."""
    loads = [
        f"""
  %at.{arity}.{i} = getelementptr i64, ptr %values, i64 {i}
  %value.{arity}.{i} = load i64, ptr %at.{arity}.{i}, align 8"""
        for i in range(arity)
    ]
    values = ", ".join(f"i64 %value.{arity}.{i}" for i in range(arity))
    return f"""
call.{arity}:{"".join(loads)}
  %status.{arity} = call i64 %entry({values})
  br label %called
"""


def _caller_ir() -> str:
    """The text of `CALLER_IR`."""
    arities = range(1, MAX_ARITY + 1)
    cases = " ".join(f"i64 {arity}, label %call.{arity}" for arity in arities[:-1])
    statuses = ", ".join(f"[ %status.{arity}, %call.{arity} ]" for arity in arities)
    # no builtins: the optimizer must not replace a loop by a call of the C library
    # no jump tables: they would be data outside the code
    return f"""
define ptr @{CALLER}(ptr %self, ptr %objects, i64 %count) #0 {{
start:
  %values = alloca [{MAX_ARITY} x i64], align 16{_load("given", "i64")}
  %expected = icmp eq i64 %count, %given
  br i1 %expected, label %begin, label %miscounted

begin:{_load("bound", "i64")}{_load("PyLong_AsLongLong")}{_copy_bound()}
  %given.values = getelementptr i64, ptr %values, i64 %bound
  br label %next

next:
  %i = phi i64 [ 0, %begin ], [ %i.next, %keep ]
  %more = icmp slt i64 %i, %given
  br i1 %more, label %convert, label %release

convert:
  %object.at = getelementptr ptr, ptr %objects, i64 %i
  %object = load ptr, ptr %object.at, align 8
  %value = call i64 %PyLong_AsLongLong(ptr %object)
  %doubtful = icmp eq i64 %value, -1
  br i1 %doubtful, label %check, label %keep

check:{_load("PyErr_Occurred")}
  %error = call ptr %PyErr_Occurred()
  %fine = icmp eq ptr %error, null
  br i1 %fine, label %keep, label %failed

keep:
  %value.at = getelementptr i64, ptr %given.values, i64 %i
  store i64 %value, ptr %value.at, align 8
  %i.next = add nuw nsw i64 %i, 1
  br label %next

release:{_load("entry")}{_load("arity", "i64")}{_load("PyEval_SaveThread")}
  %thread = call ptr %PyEval_SaveThread()
  switch i64 %arity, label %call.{MAX_ARITY} [ {cases} ]
{"".join(_call_with(arity) for arity in arities)}
called:
  %status = phi i64 {statuses}{_load("PyEval_RestoreThread")}{_load("PyLong_FromLongLong")}
  call void %PyEval_RestoreThread(ptr %thread)
  %result = call ptr %PyLong_FromLongLong(i64 %status)
  ret ptr %result

miscounted:{_load("PyErr_Format")}{_load("TypeError")}
  %message = getelementptr i8, ptr %self, i64 {_MESSAGE_AT}
  %formatted = call ptr (ptr, ptr, ...) %PyErr_Format(ptr %TypeError, ptr %message, i64 %given, i64 %count)
  br label %failed

failed:
  ret ptr null
}}

attributes #0 = {{ nounwind "no-builtins" "no-jump-tables"="true" }}
"""


#: LLVM IR of the function between Python and all entries, for any 64-bit target. It exports `CALLER`.
CALLER_IR = _caller_ir()


# --- a builtin from an address


class _MethodDefinition(ctypes.Structure):
    """PyMethodDef of CPython."""

    _fields_ = (
        ("ml_name", ctypes.c_char_p),
        ("ml_meth", ctypes.c_void_p),
        ("ml_flags", ctypes.c_int),
        ("ml_doc", ctypes.c_char_p),
    )


@functools.cache
def _definition(caller: int) -> int:
    """Address of the method definition of all builtins of a caller.

    It stays in memory until the process ends: builtins read it also while the interpreter takes its modules apart.
    """
    definition = _MethodDefinition(CALLER.encode(), caller, _METH_FASTCALL, None)
    ctypes.pythonapi["Py_IncRef"](ctypes.py_object(definition))
    return ctypes.addressof(definition)


@functools.cache
def _new_builtin() -> Callable[[int, bytes, None], Callable[..., int]]:
    """PyCFunction_NewEx: definition, self and module give a builtin, which owns its self."""
    prototype = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    return prototype(("PyCFunction_NewEx", ctypes.pythonapi))


@functools.cache
def _functions() -> dict[str, int]:
    """Addresses of the functions of Python that the caller uses."""
    return {name: ctypes.cast(ctypes.pythonapi[name], ctypes.c_void_p).value or 0 for name in _FUNCTIONS}


def _record(entry: int, arity: int, bound: tuple[int, ...]) -> bytes:
    """The `self` of a builtin: what the caller must know about one entry."""
    slots = {"entry": entry, "arity": arity, "bound": len(bound), "given": arity - len(bound)}
    slots |= {"TypeError": id(TypeError)} | _functions()
    unused = (0,) * (MAX_ARITY - len(bound))
    integers = struct.pack(f"{len(_SLOTS) + MAX_ARITY}q", *(slots[name] for name in _SLOTS), *bound, *unused)
    return bytes(RECORD_AT - _HEADER) + integers + _MESSAGE.encode() + b"\0"


@functools.cache
def has_builtins() -> bool:
    """Can this interpreter make builtins from addresses: is it CPython, with bytes objects laid out as we expect?"""
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8 or not 0 < _HEADER <= RECORD_AT:
        return False
    probe = bytes(range(1, 32))
    return ctypes.string_at(id(probe) + _HEADER, len(probe)) == probe


# --- binding


def _checked(value: int) -> int:
    """The value as an int of 64 bits, with the errors of PyLong_AsLongLong."""
    index = operator.index(value)
    if not -(2**63) <= index < 2**63:
        raise OverflowError("int too big to convert")
    return index


def _bind_foreign(entry: int, arity: int, bound: tuple[int, ...]) -> Callable[..., int]:
    """As `bind`, by ctypes. Counts and sizes of arguments are checked here, since ctypes does not."""
    prototype = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arity)
    call = functools.partial(prototype(entry), *bound)
    expected = arity - len(bound)

    def checked_call(*given: int) -> int:
        if len(given) != expected:
            raise TypeError(_MESSAGE.replace("%zd", "%d") % (expected, len(given)))
        return call(*map(_checked, given))

    return checked_call


def bind(caller: int, entry: int, arity: int, *bound: int, through_ctypes: bool | None = None) -> Callable[..., int]:
    """A function that calls an entry with the bound arguments, then those it is given, and returns the status.

    It takes exactly the arguments that are not bound, as integers of 64 bits: other counts and types raise TypeError,
    larger integers OverflowError. Other threads of Python run while the entry does.

    Args:
        caller: address of the function `CALLER`, compiled from `CALLER_IR`.
        entry: address of the entry. Both must stay in memory as long as the function that is returned.
        arity: how many integers the entry takes, 1 to 12.
        bound: the leading arguments, fixed.
        through_ctypes: call by ctypes, without the caller; by default where the interpreter is not CPython.
    """
    if not 1 <= arity <= MAX_ARITY or len(bound) > arity:
        raise ValueError(f"an entry takes 1 to {MAX_ARITY} integers, not {arity} with {len(bound)} of them bound")
    values = tuple(map(_checked, bound))
    if through_ctypes is None:
        through_ctypes = not has_builtins()
    if through_ctypes:
        return _bind_foreign(entry, arity, values)
    return _new_builtin()(_definition(caller), _record(entry, arity, values), None)
