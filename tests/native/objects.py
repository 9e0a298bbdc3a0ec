"""Objects for the tests of the linker and the loader, made by LLVM from small texts."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm

from phalanx.native.load import LoadedImage
from phalanx.native.target import TARGETS, host_target

CASES = 12

_LABELS = "\n".join(f"i64 {case}, label %case{case}" for case in range(CASES))
_BLOCKS = "\n".join(
    f"case{case}:\n %r{case} = call double @kernel.1(double %x, double {case * case + 0.5})\n ret double %r{case}"
    for case in range(CASES)
)

#: Functions that call each other, constants of all sizes, a table of jumps, addresses in data, and variables.
PROGRAM = f"""
@table = internal constant [4 x double] [double 1.0, double 2.0, double 4.0, double 8.0]
@letters = internal constant [4 x i8] c"abcd"
@shared = constant [4 x i32] [i32 10, i32 20, i32 30, i32 40]
@counter = global i64 5
@zeros = internal global [100 x i64] zeroinitializer, align 4096
@places = internal constant [2 x ptr] [ptr @kernel.1, ptr @pick]

define internal double @kernel.1(double %x, double %y) noinline {{
  %sum = fadd double %x, %y
  ret double %sum
}}
define double @pick(i64 %k, double %x) {{
  switch i64 %k, label %other [ {_LABELS} ]
{_BLOCKS}
other:
  ret double -1.0
}}
define double @look(i64 %k) {{
  %p = getelementptr double, ptr @table, i64 %k
  %a = load double, ptr %p
  %q = getelementptr i8, ptr @letters, i64 %k
  %b = load i8, ptr %q
  %c = uitofp i8 %b to double
  %r = getelementptr i32, ptr @shared, i64 %k
  %d = load i32, ptr %r
  %e = uitofp i32 %d to double
  %f = fadd double %a, %c
  %g = fadd double %f, %e
  ret double %g
}}
define i64 @count() {{
  %old = load i64, ptr @counter
  %new = add i64 %old, 1
  store i64 %new, ptr @counter
  %zero = getelementptr i64, ptr @zeros, i64 7
  %seen = load volatile i64, ptr %zero
  store volatile i64 %new, ptr %zero
  %sum = add i64 %new, %seen
  ret i64 %sum
}}
define ptr @place(i64 %k) {{
  %p = getelementptr ptr, ptr @places, i64 %k
  %q = load ptr, ptr %p
  ret ptr %q
}}
define ptr @place_of_pick() {{ ret ptr @pick }}
define void @add_vector(ptr %p) {{
  %a = load <8 x double>, ptr %p, align 8
  %b = fadd <8 x double> %a, <double 1.0, double 2.0, double 3.0, double 4.0,
                              double 5.0, double 6.0, double 7.0, double 8.0>
  store <8 x double> %b, ptr %p, align 8
  ret void
}}
define hidden double @kernel.2(double %x) {{
  %y = call double @kernel.1(double %x, double 3.25)
  %z = call double @pick(i64 3, double %y)
  ret double %z
}}
define double @chain(double %x) {{
  %y = call double @kernel.2(double %x)
  %z = fmul double %y, 1.5
  ret double %z
}}
"""
EXPORTED = {"pick", "look", "count", "place", "place_of_pick", "add_vector", "chain"}
LOCAL = {"kernel.1", "kernel.2"}

_COUNT_DOWN = """
declare i64 @{other}(i64)
define i64 @{name}(i64 %n) {{
  %done = icmp eq i64 %n, 0
  br i1 %done, label %yes, label %more
yes:
  ret i64 {at_zero}
more:
  %less = sub i64 %n, 1
  %r = call i64 @{other}(i64 %less)
  ret i64 %r
}}
define ptr @where_is_{other}() {{ ret ptr @{other} }}
"""
#: Two objects that need each other.
EVEN = _COUNT_DOWN.format(name="even", other="odd", at_zero=1)
ODD = _COUNT_DOWN.format(name="odd", other="even", at_zero=0)


def compiled(text: str, target: str | None = None, reloc: str = "pic") -> bytes:
    """The object of a text of LLVM IR, for a target by name or for this machine."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    row = TARGETS[target] if target else host_target()
    machine = llvm.Target.from_triple(row.triple).create_target_machine(
        cpu=row.cpu, features=row.features, opt=2, reloc=reloc, codemodel="default"
    )
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = row.triple, str(machine.target_data)
    module.verify()
    return machine.emit_object(module)


def function(image: LoadedImage, name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """An exported function as a Python function."""
    return ctypes.CFUNCTYPE(result, *arguments)(image.address(name))


def check_program(image: LoadedImage) -> None:
    """Every function of PROGRAM does what it says."""
    real, integer = ctypes.c_double, ctypes.c_int64
    pick = function(image, "pick", real, integer, real)
    assert [pick(case, 0.25) for case in range(CASES)] == [case * case + 0.75 for case in range(CASES)]
    assert pick(CASES, 0.25) == pick(-1, 0.25) == -1.0
    look = function(image, "look", real, integer)
    assert [look(k) for k in range(4)] == [2.0**k + ord("abcd"[k]) + 10 * (k + 1) for k in range(4)]
    count = function(image, "count", integer)
    assert [count(), count(), count()] == [6, 7 + 6, 8 + 7]
    place = function(image, "place", integer, integer)
    assert place(1) == function(image, "place_of_pick", integer)() == image.address("pick")
    assert ctypes.CFUNCTYPE(real, real, real)(place(0))(1.0, 2.0) == 3.0
    numbers = (real * 8)(*[0.5] * 8)
    function(image, "add_vector", None, ctypes.c_void_p)(ctypes.addressof(numbers))
    assert list(numbers) == [k + 1.5 for k in range(8)]
    assert function(image, "chain", real, real)(1.0) == (1.0 + 3.25 + 9.5) * 1.5
