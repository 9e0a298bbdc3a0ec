"""From kernels to machine code: compile an entry, keep the object on disk, load it, call it by address.

An entry is a function of integers (addresses and counts) that returns an integer status. It compiles to one
position-independent object file that refers to nothing outside itself, is loaded by LLVM's linker without Numba, and is
called through ctypes, which releases the GIL. The order at run time: an object shipped with the package or kept on disk
whose key matches the kernel sources, the versions and this CPU; else compile, with one line that says so.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import os
import platform
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

#: Where compiled kernels are kept; default is the user's cache folder.
CACHE_VARIABLE = "PHALANX_CACHE_DIR"
#: Set to 1 to keep the "compiling" line off the terminal.
QUIET_VARIABLE = "PHALANX_QUIET"

_PACKAGE = Path(__file__).resolve().parent.parent
#: Folders and files whose sources decide what any kernel compiles to; other files count if they hold kernels.
_FOUNDATION = ("tables/", "algebra/", "model/layout.py", "model/view.py")

_lock = threading.RLock()


# --- the key of the cache


@functools.cache
def source_hash() -> str:
    """Hash of everything that decides the machine code: kernel sources, versions, CPU."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        name, source = path.relative_to(_PACKAGE).as_posix(), path.read_bytes()
        if name.startswith(_FOUNDATION) or b"@kernel" in source:
            digest.update(name.encode())
            digest.update(source)
    for package in ("numba", "llvmlite"):
        digest.update(f"{package} {metadata.version(package)}".encode())
    digest.update(f"python {sys.version_info[:2]} {platform.machine()} {cpu_target()}".encode())
    return digest.hexdigest()[:24]


@functools.cache
def cpu_target() -> str:
    """Name and features of the CPU that code is compiled for."""
    import llvmlite.binding as llvm

    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


def cache_folder() -> Path:
    """The folder of compiled kernels for the present sources, versions and CPU."""
    root = os.environ.get(CACHE_VARIABLE)
    base = Path(root) if root else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "phalanx"
    return base / source_hash()


# --- compiling


@dataclass(frozen=True)
class Entry:
    """Something to compile.

    Attributes:
        name: tells the entry from all others; the exported symbol.
        build: makes the Python function; called only when the entry must be compiled.
        arity: how many integers the function takes.
    """

    name: str
    build: Callable[[], Callable[..., int]]
    arity: int


def compile_module(entry: Entry) -> Any:
    """Compile an entry to an optimized LLVM module that exports the symbol `entry.name`."""
    import llvmlite.binding as llvm

    import phalanx.algebra.fields  # noqa: F401  (registers the types of the kernel language)
    from phalanx.algebra.kernel_compiler import compile_program

    with _lock:
        module, symbol = compile_program(entry.build(), entry.arity)
    text = str(module)
    return llvm.parse_assembly(text.replace(f'@"{symbol}"', f"@{entry.name}").replace(f"@{symbol}(", f"@{entry.name}("))


def target_machine(cpu: str | None = None) -> Any:
    """LLVM target machine for this CPU, or for a named level such as "x86-64-v3"."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    if cpu is not None:
        return target.create_target_machine(cpu=cpu, opt=3, reloc="pic", codemodel="default")
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="pic",
        codemodel="default",
    )


def compile_object(entry: Entry, cpu: str | None = None) -> bytes:
    """Compile an entry to an object file, for this CPU or for a named level."""
    return target_machine(cpu).emit_object(compile_module(entry))


# --- loading and calling


class NativeEntry:
    """A loaded entry. Calling it (or `call`, a little faster) with integers runs the machine code, without the GIL."""

    def __init__(self, address: int, arity: int):
        prototype = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * (arity + 2))
        self.address = address
        # Numba's convention: where to put the result and an exception. Kernels raise nothing and report through
        # fields, so all calls can share both.
        self._status, self._exception = ctypes.c_int64(0), ctypes.c_void_p(0)
        places = ctypes.addressof(self._status), ctypes.addressof(self._exception)
        self.call = functools.partial(prototype(address), *places)

    def __call__(self, *arguments: int) -> None:
        self.call(*arguments)


_engine: Any = None
_loaded: dict[str, NativeEntry] = {}


def _link(code: bytes, name: str, arity: int) -> NativeEntry:
    import llvmlite.binding as llvm

    global _engine
    if _engine is None:
        # llvmlite's memory manager keeps the sections of an object together. LLVM's puts them where there is room: in
        # a process with gigabytes of memory they can be too far apart for relative addresses, and it aborts.
        _engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine(), use_lmm=True)
    _engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    _engine.finalize_object()
    return NativeEntry(_engine.get_function_address(name), arity)


def _write_atomically(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}.tmp")
    temporary.write_bytes(data)
    temporary.replace(path)


def _say(message: str) -> None:
    if os.environ.get(QUIET_VARIABLE, "") in ("", "0"):
        print(message, file=sys.stderr, flush=True)


def prebuilt_folder() -> Path:
    """Where a distribution may ship compiled kernels for exactly these sources and this CPU."""
    return _PACKAGE / "prebuilt" / source_hash()


def find_object(entry: Entry) -> Path | None:
    """The object file of an entry: shipped with the package, or kept from an earlier compilation."""
    for folder in (prebuilt_folder(), cache_folder()):
        path = folder / f"{entry.name}.o"
        if path.exists():
            return path
    return None


def is_cached(entry: Entry) -> bool:
    """Is the entry loaded, or on disk for the present sources?"""
    return entry.name in _loaded or find_object(entry) is not None


def object_code(entry: Entry) -> bytes:
    """The object file of an entry: from disk, or compiled now."""
    path = find_object(entry)
    return path.read_bytes() if path else _compile_and_keep(entry)


def load(entry: Entry) -> NativeEntry:
    """The entry as machine code: from memory, from disk, or compiled now."""
    native = _loaded.get(entry.name)
    if native is not None:
        return native
    with _lock:
        if entry.name in _loaded:
            return _loaded[entry.name]
        native = _loaded[entry.name] = _link(object_code(entry), entry.name, entry.arity)
        return native


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other processes from compiling the same entry at the same time, where the system offers file locks."""
    try:
        import fcntl

        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.with_suffix(".lock").open("w")
    except (ImportError, OSError):
        yield
        return
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _compile_and_keep(entry: Entry) -> bytes:
    """Compile an entry, unless another process is about to have done it, and keep the object for next time."""
    path = cache_folder() / f"{entry.name}.o"
    with _alone(path):
        return path.read_bytes() if path.exists() else _compile(entry, path)


def _compile(entry: Entry, path: Path) -> bytes:
    """Compile an entry with a word to the user, and write the object if the disk allows."""
    start = time.perf_counter()
    _say(f"phalanx: compiling {entry.name} (once; kept in {path.parent}) ...")
    code = compile_object(entry)
    _say(f"phalanx: compiled {entry.name} in {time.perf_counter() - start:.1f} s")
    with contextlib.suppress(OSError):
        _write_atomically(path, code)
    return code
