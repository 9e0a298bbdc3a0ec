"""A driver of CUDA without a GPU: functions of the same names, and the emulated device instead of threads.

It shows that a CudaDevice asks for the right things in the right order; it cannot show what a GPU does with them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import IntEnum
from typing import Any

import pytest

from phalanx.device import cuda, devices
from phalanx.device.cuda import cuda_device
from phalanx.native.device_entry import LOOP, DeviceEntry
from phalanx.native.runtime import NativeEntry, address_of
from phalanx.native.target import Target

OutOfMemory = 2


class CUresult(IntEnum):
    """What the driver answers."""

    CUDA_SUCCESS = 0
    CUDA_ERROR_INVALID_VALUE = 1
    CUDA_ERROR_OUT_OF_MEMORY = OutOfMemory


class CUdevice_attribute(IntEnum):
    """What can be asked of a GPU."""

    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83


class FakeDriver:
    """A driver with one GPU, or none.

    Args:
        capability: compute capability of the GPU.
        count: how many GPUs there are.
        room: bytes of memory.
    """

    CUresult, CUdevice_attribute = CUresult, CUdevice_attribute

    def __init__(self, capability: tuple[int, int] = (8, 6), count: int = 1, room: float = 1e9, managed: int = 1):
        self.capability, self.count, self.room, self.managed = capability, count, room, managed
        self.blocks: dict[int, Any] = {}
        self.calls: list[str] = []
        self.entries: dict[str, DeviceEntry] = {}
        self.is_current = False

    def cuInit(self, flags: int) -> tuple[Any, ...]:
        return (CUresult.CUDA_SUCCESS,)

    def cuDeviceGetCount(self) -> tuple[Any, ...]:
        return CUresult.CUDA_SUCCESS, self.count

    def cuDeviceGet(self, ordinal: int) -> tuple[Any, ...]:
        return CUresult.CUDA_SUCCESS, f"device {ordinal}"

    def cuDeviceGetName(self, length: int, device: Any) -> tuple[Any, ...]:
        return CUresult.CUDA_SUCCESS, b"Fake GPU".ljust(length, b"\0")

    def cuDeviceGetAttribute(self, which: CUdevice_attribute, device: Any) -> tuple[Any, ...]:
        values = dict(zip(CUdevice_attribute, (*self.capability, self.managed), strict=True))
        return CUresult.CUDA_SUCCESS, values[which]

    def cuDevicePrimaryCtxRetain(self, device: Any) -> tuple[Any, ...]:
        return CUresult.CUDA_SUCCESS, "context"

    def cuCtxSetCurrent(self, context: Any) -> tuple[Any, ...]:
        assert context == "context"
        self.is_current = True
        return (CUresult.CUDA_SUCCESS,)

    def cuCtxSynchronize(self) -> tuple[Any, ...]:
        self.calls.append("synchronize")
        return (CUresult.CUDA_SUCCESS,)

    def cuMemAllocManaged(self, size: int, flags: int) -> tuple[Any, ...]:
        assert self.is_current and flags == 1
        if size > self.room:
            return CUresult.CUDA_ERROR_OUT_OF_MEMORY, None
        return CUresult.CUDA_SUCCESS, self._block(size)

    def cuMemHostAlloc(self, size: int, flags: int) -> tuple[Any, ...]:
        return CUresult.CUDA_SUCCESS, self._block(size)

    def _block(self, size: int) -> int:
        # memory of a GPU is not zero when it is fresh
        block = (ctypes.c_uint8 * (size + 256))(*b"\xcd" * min(size, 4096))
        address = -(-ctypes.addressof(block) // 256) * 256
        self.blocks[address] = block
        return address

    def cuMemsetD8(self, address: int, value: int, size: int) -> tuple[Any, ...]:
        ctypes.memset(address, value, size)
        return (CUresult.CUDA_SUCCESS,)

    def cuMemFree(self, address: int) -> tuple[Any, ...]:
        del self.blocks[address]
        return (CUresult.CUDA_SUCCESS,)

    cuMemFreeHost = cuMemFree

    def code(self, entry: DeviceEntry, target: Target) -> bytes:
        """What stands for the code of an entry."""
        self.entries[entry.name] = entry
        return f"code of {entry.name} {target.name}".encode()

    def cuModuleLoadData(self, image: int) -> tuple[Any, ...]:
        assert ctypes.string_at(image).startswith(b"code of ")
        return CUresult.CUDA_SUCCESS, "module"

    def cuModuleGetFunction(self, module: Any, name: bytes) -> tuple[Any, ...]:
        # what a GPU would run in threads, as a loop
        entry = self.entries[name.decode()]
        entry = replace(entry, name=entry.name.replace("_cuda_", "_loop_"), threads=LOOP)
        return CUresult.CUDA_SUCCESS, NativeEntry(address_of(entry, entry.name), entry.integers)

    def cuLaunchKernel(self, function: Any, *arguments: Any) -> tuple[Any, ...]:
        *shape, shared, stream, (values, types), extra = arguments
        assert shape[1:3] == [1, 1] and shape[4:] == [1, 1] and (shared, stream, extra) == (0, 0, 0)
        assert len(values) == len(types) and all(t is ctypes.c_int64 for t in types)
        assert shape[0] * shape[3] >= values[-1] > (shape[0] - 1) * shape[3]
        function(*values[:-1], 0, values[-1])
        self.calls.append("launch")
        return (CUresult.CUDA_SUCCESS,)

    def cuGetErrorString(self, error: Any) -> tuple[Any, ...]:
        return CUresult.CUDA_SUCCESS, b"it went wrong"


@contextmanager
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDriver]:
    """A machine with this driver and one GPU."""
    driver = FakeDriver()
    monkeypatch.setattr(cuda, "driver", lambda: driver)
    monkeypatch.setattr(cuda, "cuda_code", driver.code)
    cuda_device.cache_clear()
    devices._say_once.cache_clear()
    yield driver
    cuda_device.cache_clear()
    devices._say_once.cache_clear()
