"""Ahead-of-time builds: entries as one shared library that needs neither Numba nor Python nor a C library.

LLVM may turn a loop that copies or clears into a call of memcpy or memset. The library brings its own, in a few lines
of LLVM IR, so that nothing at all is left undefined.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from phalanx.algebra.compile import Entry, NativeEntry, compile_object, target_machine

_RUNTIME = """
define void @memcpy_bytes(ptr %to, ptr %from, i64 %n) {
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %done, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr %from, i64 %i
  %q = getelementptr i8, ptr %to, i64 %i
  %b = load volatile i8, ptr %p
  store volatile i8 %b, ptr %q
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
define ptr @memcpy(ptr %to, ptr %from, i64 %n) {
  call void @memcpy_bytes(ptr %to, ptr %from, i64 %n)
  ret ptr %to
}
define ptr @memset(ptr %to, i32 %value, i64 %n) {
entry:
  %byte = trunc i32 %value to i8
  %none = icmp eq i64 %n, 0
  br i1 %none, label %done, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i8, ptr %to, i64 %i
  store volatile i8 %byte, ptr %q
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret ptr %to
}
"""


def runtime_object(cpu: str | None = None) -> bytes:
    """Object code of memcpy and memset."""
    import llvmlite.binding as llvm

    return target_machine(cpu).emit_object(llvm.parse_assembly(_RUNTIME))


def link_shared(objects: Sequence[bytes], output: Path) -> None:
    """Link objects into a shared library; a symbol left undefined is an error."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise RuntimeError("linking a shared library needs a C toolchain: install gcc or clang")
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for k, code in enumerate(objects):
            files.append(Path(folder) / f"{k}.o")
            files[-1].write_bytes(code)
        options = ["-shared", "-nostdlib", "-Wl,-z,defs", "-Wl,-Bsymbolic", "-o", str(output)]
        done = subprocess.run([compiler, *options, *map(str, files)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"linking failed:\n{done.stderr}")


def build_library(entries: Sequence[Entry], output: Path, cpu: str | None = None) -> None:
    """Compile entries for a CPU level and link them into a shared library."""
    link_shared([*(compile_object(entry, cpu) for entry in entries), runtime_object(cpu)], output)


def load_library(path: Path, entries: Sequence[Entry]) -> dict[str, NativeEntry]:
    """The entries of a shared library, ready to call."""
    library = ctypes.CDLL(str(path))
    return {
        entry.name: NativeEntry(ctypes.cast(getattr(library, entry.name), ctypes.c_void_p).value or 0, entry.arity)
        for entry in entries
    }
