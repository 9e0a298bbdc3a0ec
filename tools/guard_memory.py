"""A pytest plugin that stops a kernel at the first write outside of a field: `pytest -p tools.guard_memory`.

Kernels address memory without bounds. With this plugin each array of a Store lies at the end of its own pages, between
two pages that cannot be written, and a stray write ends the process with the name of the field, the test and the
distance. Needs Linux, and `sysctl vm.max_map_count` of a few millions: a Data has hundreds of arrays.
"""

from __future__ import annotations

import ctypes
import faulthandler
import mmap
import os
import signal
from typing import Any

import numpy as np

import phalanx
import phalanx.batch.batch
import phalanx.memory.store
from phalanx.algebra.arrays import ALIGNMENT
from phalanx.memory.store import Store

PAGE = mmap.PAGESIZE
PROTECT_READ = 1
#: Where `si_addr` is in `siginfo_t`, and the flag that asks for it.
FAULT_OFFSET, SA_SIGINFO = 16, 4

_libc = ctypes.CDLL(None, use_errno=True)
_Handler = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
#: Guarding page -> whose it is.
_guards: dict[int, str] = {}
_running = "no test yet"


class _SignalAction(ctypes.Structure):
    _fields_ = (
        ("handler", _Handler),
        ("mask", ctypes.c_ubyte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


def guarded_zeros(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Zeros between two pages that can only be read."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    padded = -(-size // ALIGNMENT) * ALIGNMENT
    pages = 1 + -(-max(padded, 1) // PAGE)
    memory = np.frombuffer(mmap.mmap(-1, (pages + 1) * PAGE), np.uint8)
    for page in (0, pages):
        address = ctypes.c_void_p(memory.ctypes.data + page * PAGE)
        if _libc.mprotect(address, ctypes.c_size_t(PAGE), PROTECT_READ):
            raise OSError(ctypes.get_errno(), "mprotect failed: raise vm.max_map_count")
    start = pages * PAGE - padded
    return memory[start : start + size].view(dtype).reshape(shape)


def _attach(store: Store, name: str, array: np.ndarray) -> None:
    _plain_attach(store, name, array)
    end = -(-(array.ctypes.data + array.nbytes) // ALIGNMENT) * ALIGNMENT
    for page in (end // PAGE, array.ctypes.data // PAGE - 1):
        _guards[page] = f"{store.schema.name}.{name} of shape {array.shape}"


def _allocate_all(store: Store) -> None:
    """Each field in memory of its own."""
    for name in store.schema.fields:
        store.attach(name, store.allocate(name))


def _stop(signal_id: int, information: int, context: int) -> None:
    address = ctypes.c_uint64.from_address(information + FAULT_OFFSET).value
    owner = _guards.get(address // PAGE, "no field")
    text = f"\nwrite outside of {owner}, {address % PAGE} bytes into the page {address // PAGE:#x}, in {_running}\n"
    os.write(2, text.encode())
    os._exit(1)


_plain_attach = Store.attach
_action = _SignalAction(_Handler(_stop), (ctypes.c_ubyte * 128)(), SA_SIGINFO, None)
Store.attach = _attach  # type: ignore[method-assign]
Store.allocate_all = _allocate_all  # type: ignore[method-assign]
for _module in (phalanx.memory.store, phalanx.batch.batch):
    _module.aligned_zeros = guarded_zeros  # type: ignore[attr-defined]


def pytest_runtest_setup(item: Any) -> None:
    """Remember the test that runs, and catch its faults; pytest's own handler would hide the address."""
    global _running
    _running = item.nodeid
    faulthandler.disable()
    _libc.sigaction(int(signal.SIGSEGV), ctypes.byref(_action), None)
