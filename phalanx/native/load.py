"""The loader: an image on disk becomes code in memory, with the addresses of its functions.

On Linux the system does it (`dlopen`), so that debuggers and profilers know the file. Where the system has another
format or refuses, for example because the folder is mounted noexec, the image is mapped by hand: anonymous memory, a
copy of the segments, the base added to addresses in data, and then protection. No memory is ever writable and
executable at the same time. Code stays for the life of the process.

An image is checked before it is mapped: every byte by a checksum, then its headers. What is mapped is the open file
that was checked, not what its path leads to by then.
"""

from __future__ import annotations

import ctypes
import itertools
import mmap
import os
import platform
import sys
from pathlib import Path
from typing import Any, ClassVar, Protocol

from phalanx.native import elf
from phalanx.native.errors import NativeError
from phalanx.native.image import Layout, check_whole, exported, functions, layout
from phalanx.native.seal import is_sealed, read_sealed

#: "memory" maps images by hand where the system could do it.
LOADER_VARIABLE = "PHALANX_LOADER"
#: Set to 1 to tell perf the names of functions that were mapped by hand.
PERF_VARIABLE = "PHALANX_PERF_MAP"

#: Asks the system for its record of a library, which begins with the base.
_RTLD_DI_LINKMAP = 2

_MACHINES = {"x86_64": elf.EM_X86_64, "amd64": elf.EM_X86_64, "aarch64": elf.EM_AARCH64, "arm64": elf.EM_AARCH64}


class LoadedImage:
    """An image in memory.

    Attributes:
        base: the address that offsets in the image are counted from.
        way: "dlopen" or "memory".
    """

    def __init__(self, base: int, offsets: dict[str, int], way: str):
        self.base = base
        self.way = way
        self._offsets = offsets

    def address(self, name: str) -> int:
        """Where an exported function starts.

        Raises:
            NativeError: the image exports no such function.
        """
        if name not in self._offsets:
            raise NativeError(f"no function {name} in the image; it has {', '.join(sorted(self._offsets))}")
        return self.base + self._offsets[name]


def load_image(path: Path) -> LoadedImage:
    """Map an image that `link` wrote.

    A file must not change once it is loaded: write a new one beside it and rename, as the code is read from it lazily.

    Raises:
        NativeError: the file cannot be read, is damaged or made for another machine, or the system refuses the memory.
    """
    try:
        with path.open("rb", buffering=0) as file:
            image = file.read()
            if is_sealed(image):
                image = read_sealed(file, path.stem)
            check_whole(image, layout(image))
            return load_checked(image, file.fileno())
    except (NativeError, OSError) as error:
        raise NativeError(f"{path}: {error}") from error


def load_checked(image: bytes, descriptor: int | None) -> LoadedImage:
    """Map an image whose bytes have been checked, from the open file they were read from, None if there is no file.

    Raises:
        NativeError: it is made for another machine, or the system refuses the memory.
    """
    plan, offsets = layout(image), exported(image)
    if _MACHINES.get(platform.machine().lower()) != plan.machine:
        raise NativeError(f"code for {elf.MACHINES[plan.machine]} cannot run on {platform.machine()}")
    if not offsets:
        raise NativeError("the image exports no function")
    if sys.platform == "linux" and _way() == "dlopen" and descriptor is not None:
        base = _open(descriptor, plan)
        if base is not None:
            return LoadedImage(base, offsets, "dlopen")
    base = map_by_hand(image, plan, _memory())
    if sys.platform == "linux" and os.environ.get(PERF_VARIABLE) == "1":
        _tell_perf(image, base)
    return LoadedImage(base, offsets, "memory")


def _way() -> str:
    way = os.environ.get(LOADER_VARIABLE) or "dlopen"
    if way not in ("dlopen", "memory"):
        raise NativeError(f"{LOADER_VARIABLE}={way}: it is dlopen or memory")
    return way


#: Counts the names that the system was given.
_names = itertools.count(1)


def _name_of(descriptor: int) -> str:
    """A path that leads to an open file, whatever has become of its name.

    The system goes by names, and the number of a descriptor comes back when it is closed, so no two names are alike: a
    count is written into each, in slashes and dots, which mean nothing.
    """
    return f"/proc/self/fd/{f'{next(_names):b}'.replace('0', '/').replace('1', './')}{descriptor}"


def _open(descriptor: int, plan: Layout) -> int | None:
    """The base of an image that the system has loaded, or None if it would not."""
    first = ctypes.c_void_p()
    try:
        # ctypes never closes a library, so the code stays
        library = ctypes.CDLL(_name_of(descriptor), mode=os.RTLD_NOW | os.RTLD_LOCAL)
        refused = ctypes.CDLL(None).dlinfo(ctypes.c_void_p(library._handle), _RTLD_DI_LINKMAP, ctypes.byref(first))
    except (OSError, AttributeError):
        return None
    if refused or not first.value:
        return None
    base = ctypes.c_size_t.from_address(first.value).value
    _tell_debuggers(first.value, descriptor)
    # a file that was loaded before is what the system returns, even if its content has been overwritten since
    return base if ctypes.string_at(base + plan.identity_at, len(plan.identity)) == plan.identity else None


#: Names that debuggers may read at any time.
_told: list[Any] = []


def _tell_debuggers(record: int, descriptor: int) -> None:
    """Put the path of the file into the system's record of a library, whose second word is where debuggers look for it.

    The name that the system was given leads to the file in this process only, and only while it is open.
    """
    try:
        path = os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return
    _told.append(ctypes.create_string_buffer(os.fsencode(path)))
    name = ctypes.c_void_p.from_address(record + ctypes.sizeof(ctypes.c_void_p))
    name.value = ctypes.addressof(_told[-1])


# --- mapping by hand


class Memory(Protocol):
    """Memory of the operating system. Its methods raise OSError when the system refuses."""

    page: int

    def reserve(self, size: int) -> int:
        """Address of new memory that can be read and written."""

    def protect(self, address: int, size: int, flags: int) -> None:
        """Allow reading, writing or executing (PF_R, PF_W, PF_X) of whole pages, and nothing else."""

    def release(self, address: int, size: int) -> None:
        """Give memory back."""

    def flush(self, address: int, size: int) -> None:
        """Make new instructions visible to the CPU."""


def map_by_hand(image: bytes, plan: Layout, memory: Memory) -> int:
    """Copy an image to new memory, make its code executable, and return its base."""
    if any(segment.alignment % memory.page for segment in plan.segments):
        raise NativeError(f"the image is not made for memory pages of {memory.page} bytes")
    size = _whole_pages(plan.size, memory.page)
    base = memory.reserve(size)
    try:
        _copy(base, _content(image, plan, base))
        for segment in plan.segments:
            start = segment.address & -memory.page
            memory.protect(base + start, _whole_pages(segment.end - start, memory.page), segment.flags)
    except OSError as error:
        memory.release(base, size)
        if isinstance(error, PermissionError) and isinstance(memory, PosixMemory) and memory.has_jit_pages:
            return _map_as_jit(image, plan, memory)
        raise _refused(error) from error
    memory.flush(base, size)
    return base


def _content(image: bytes, plan: Layout, base: int) -> bytearray:
    """The bytes of the image as mapped at `base`, relocations applied."""
    content = bytearray(plan.size)
    for segment in plan.segments:
        part = image[segment.offset : segment.offset + segment.file_size]
        content[segment.address : segment.address + len(part)] = part
    for place, target in plan.relocations:
        content[place : place + 8] = (base + target).to_bytes(8, "little")
    return content


def _copy(address: int, content: bytearray) -> None:
    ctypes.memmove(address, (ctypes.c_char * len(content)).from_buffer(content), len(content))


def _refused(error: OSError) -> NativeError:
    return NativeError(f"the system refuses memory for code ({error}); PHALANX_INTERPRETED=1 runs without machine code")


def _whole_pages(size: int, page: int) -> int:
    return (size + page - 1) & -page


def _memory() -> Memory:
    if sys.platform == "win32":
        return WindowsMemory(ctypes.WinDLL("kernel32", use_last_error=True))
    return PosixMemory(ctypes.CDLL(None, use_errno=True))


class PosixMemory:
    """Memory of Linux and macOS."""

    def __init__(self, libc: Any):
        self.libc = libc
        self.page = mmap.PAGESIZE
        self.is_arm = platform.machine().lower() in ("aarch64", "arm64")
        self.has_jit_pages = sys.platform == "darwin" and self.is_arm
        word, address = ctypes.c_size_t, ctypes.c_void_p
        libc.mmap.argtypes = [address, word, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int64]
        libc.mmap.restype = address
        libc.mprotect.argtypes = [address, word, ctypes.c_int]
        libc.munmap.argtypes = [address, word]

    def reserve(self, size: int) -> int:
        """New pages, to be read and written."""
        return self.new_pages(size, mmap.PROT_READ | mmap.PROT_WRITE, 0)

    def new_pages(self, size: int, protection: int, more_flags: int) -> int:
        """Private memory that belongs to no file."""
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANON | more_flags
        address: int | None = self.libc.mmap(None, size, protection, flags, -1, 0)
        if address in (None, ctypes.c_void_p(-1).value):
            raise _posix_error()
        assert address is not None
        return address

    def protect(self, address: int, size: int, flags: int) -> None:
        """`mprotect` with the flags of ELF."""
        pairs = ((elf.PF_R, mmap.PROT_READ), (elf.PF_W, mmap.PROT_WRITE), (elf.PF_X, mmap.PROT_EXEC))
        if self.libc.mprotect(address, size, sum(theirs for ours, theirs in pairs if flags & ours)):
            raise _posix_error()

    def release(self, address: int, size: int) -> None:
        """`munmap`."""
        self.libc.munmap(address, size)

    def flush(self, address: int, size: int) -> None:
        """On ARM the caches of data and of instructions are apart; x86 keeps them equal by itself."""
        if not self.is_arm:
            return
        start, end = ctypes.c_void_p(address), ctypes.c_void_p(address + size)
        if sys.platform == "darwin":
            self.libc.sys_icache_invalidate(start, ctypes.c_size_t(size))
        else:
            _compiler_library()["__clear_cache"](start, end)


def _posix_error() -> OSError:
    code = ctypes.get_errno()
    return OSError(code, os.strerror(code))


def _compiler_library() -> ctypes.CDLL:
    """GCC's library, which knows how to flush the caches of AArch64."""
    try:
        return ctypes.CDLL("libgcc_s.so.1")
    except OSError as error:
        raise NativeError(f"mapping code by hand on AArch64 needs libgcc_s.so.1 ({error})") from error


#: macOS: memory for code that each thread sees as either writable or executable.
_MAP_JIT = 0x800


def _map_as_jit(image: bytes, plan: Layout, memory: PosixMemory) -> int:
    """Map an image in a macOS process that is hardened: only pages meant for compilers may hold new code.

    Protection of such pages cannot be changed; a thread switches between writing all of them and executing all of them.
    So there can be no variables among them, and between the two switches nothing runs but the copy.
    """
    if any(segment.flags & elf.PF_W for segment in plan.segments):
        raise NativeError("code with variables cannot be loaded in a hardened process")
    size = _whole_pages(plan.size, memory.page)
    everything = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
    try:
        base = memory.new_pages(size, everything, _MAP_JIT)
    except OSError as error:
        raise _refused(error) from error
    content, switch = _content(image, plan, base), memory.libc.pthread_jit_write_protect_np
    switch.argtypes, switch.restype = [ctypes.c_int], None
    switch(0)
    try:
        _copy(base, content)
    finally:
        switch(1)
    memory.flush(base, size)
    return base


class WindowsMemory:
    """Memory of Windows.

    Args:
        kernel32: the library of the system, with `use_last_error`.
    """

    page = 0x1000
    _RESERVE_AND_COMMIT, _RELEASE = 0x3000, 0x8000
    _PROTECTIONS: ClassVar = {elf.PF_R: 0x02, elf.PF_R | elf.PF_W: 0x04, elf.PF_R | elf.PF_X: 0x20}

    def __init__(self, kernel32: Any):
        self.kernel32 = kernel32
        word, address, flags = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_uint32
        kernel32.VirtualAlloc.argtypes = [address, word, flags, flags]
        kernel32.VirtualAlloc.restype = address
        kernel32.VirtualProtect.argtypes = [address, word, flags, address]
        kernel32.VirtualFree.argtypes = [address, word, flags]
        kernel32.GetCurrentProcess.restype = address
        kernel32.FlushInstructionCache.argtypes = [address, address, word]

    def reserve(self, size: int) -> int:
        """Reserve and commit in one call."""
        writable = self._PROTECTIONS[elf.PF_R | elf.PF_W]
        address: int | None = self.kernel32.VirtualAlloc(None, size, self._RESERVE_AND_COMMIT, writable)
        if not address:
            raise self._error()
        return address

    def protect(self, address: int, size: int, flags: int) -> None:
        """`VirtualProtect`, which also wants to return the old protection."""
        before = ctypes.c_uint32()
        if not self.kernel32.VirtualProtect(address, size, self._PROTECTIONS[flags], ctypes.addressof(before)):
            raise self._error()

    def release(self, address: int, size: int) -> None:
        """`VirtualFree` of the whole reservation; the size must be given as zero."""
        self.kernel32.VirtualFree(address, 0, self._RELEASE)

    def flush(self, address: int, size: int) -> None:
        """`FlushInstructionCache`; on x86 it costs next to nothing."""
        self.kernel32.FlushInstructionCache(self.kernel32.GetCurrentProcess(), address, size)

    @staticmethod
    def _error() -> OSError:
        if sys.platform == "win32":
            return ctypes.WinError(ctypes.get_last_error())
        return OSError("refused")


# --- profilers


def _tell_perf(image: bytes, base: int) -> None:
    """Append the functions to the file in which perf looks up names of code that has no file."""
    lines = [f"{base + offset:x} {size:x} phalanx:{name}\n" for name, offset, size in functions(image)]
    with Path(f"/tmp/perf-{os.getpid()}.map").open("a", encoding="utf-8") as names:
        names.writelines(lines)
