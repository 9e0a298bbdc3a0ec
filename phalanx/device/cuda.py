"""GPUs of NVIDIA, through their driver: memory that the GPU and Python share, kernels, launches.

Memory is *managed*: it has the same address on both sides, and the driver moves pages to where they are touched. What
Python does not touch stays on the GPU. Launches go to the default stream, on which they wait for work of torch and
cupy, and are waited for themselves, so Python never sees memory that a kernel still writes.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import math
import weakref
from typing import Any

import numpy as np

from phalanx.device.device_array import DeviceArray
from phalanx.device.protocol import CUDA, Launch
from phalanx.memory.errors import DeviceError
from phalanx.native.device_code import cuda_code, cuda_target
from phalanx.native.device_entry import CUDA as CUDA_THREADS
from phalanx.native.device_entry import DeviceEntry
from phalanx.native.notice import say
from phalanx.native.target import Target

#: Threads that start together: one warp, so that few worlds are spread over many processors. Registers, not blocks,
#: decide how many warps a processor holds.
BLOCK = 32
#: Managed memory that any stream may use; memory of the CPU that the GPU writes.
_ATTACH_GLOBAL, _PORTABLE_MAPPED = 1, 3

_INSTALL = "pip install 'phalanx[cuda]'"


def driver() -> Any:
    """The driver's functions.

    Raises:
        DeviceError: the package, or the driver itself, is not installed.
    """
    try:
        from cuda.bindings import driver as found  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        raise DeviceError(f"CUDA needs the package cuda-bindings: {_INSTALL}") from None
    return found


class CudaDevice:
    """One GPU.

    Args:
        api: the driver's functions.
        ordinal: number of the GPU.
    """

    name = CUDA
    threads = CUDA_THREADS

    def __init__(self, api: Any, ordinal: int = 0):
        self._api, self._ordinal = api, ordinal
        self._handle = self._call("cuDeviceGet", ordinal)
        model = self._call("cuDeviceGetName", 256, self._handle).split(b"\0")[0].decode()
        attribute = api.CUdevice_attribute
        major, minor, is_managed = (
            int(self._call("cuDeviceGetAttribute", which, self._handle))
            for which in (
                attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                attribute.CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY,
            )
        )
        self.label = f"{model} (compute capability {major}.{minor})"
        target = cuda_target(10 * major + minor)
        if target is None:
            raise DeviceError(f"{self.label} is too old: GPUs from compute capability 7.5 on can be used")
        if not is_managed:
            raise DeviceError(f"{self.label} has no managed memory, which Python and the GPU could share")
        self._target: Target = target
        self._context = self._call("cuDevicePrimaryCtxRetain", self._handle)

    def _call(self, name: str, *arguments: Any) -> Any:
        """Call a function of the driver; its result, if it has one."""
        try:
            error, *results = getattr(self._api, name)(*arguments)
        except RuntimeError as refusal:
            raise DeviceError(f"the driver of NVIDIA has no {name}: a newer one is needed") from refusal
        if int(error) == int(self._api.CUresult.CUDA_ERROR_OUT_OF_MEMORY):
            raise MemoryError(f"{name}: the GPU has not enough memory")
        if int(error) != 0:
            _, words = self._api.cuGetErrorString(error)
            reason = words.decode() if isinstance(words, bytes) else str(words)
            raise DeviceError(f"CUDA fails in {name}: {reason}")
        return results[0] if results else None

    def _enter(self) -> None:
        """Make the GPU the one that this thread uses."""
        self._call("cuCtxSetCurrent", self._context)

    # --- memory

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """Zeroed managed memory; zeroed by the GPU, so it begins there."""
        self._enter()
        dtype = np.dtype(dtype)
        size = max(math.prod(shape) * dtype.itemsize, 1)
        address = self._call("cuMemAllocManaged", size, _ATTACH_GLOBAL)
        memory = self._owned(int(address), size, functools.partial(self._free, "cuMemFree", address))
        self._call("cuMemsetD8", address, 0, size)
        self._call("cuCtxSynchronize")
        return memory[: math.prod(shape) * dtype.itemsize].view(dtype).reshape(shape)

    def flags(self, count: int) -> np.ndarray:
        """Memory of the CPU that the GPU writes when it has something to say: nothing moves if it has not."""
        self._enter()
        address = self._call("cuMemHostAlloc", 8 * count, _PORTABLE_MAPPED)
        array = self._owned(int(address), 8 * count, functools.partial(self._free, "cuMemFreeHost", address))
        array[...] = 0
        return array.view(np.int64)

    def _owned(self, address: int, size: int, free: Any) -> np.ndarray:
        """Memory at an address as an array, freed when nobody uses it any more."""
        owner = (ctypes.c_uint8 * size).from_address(address)
        weakref.finalize(owner, free).atexit = False
        return np.frombuffer(memoryview(owner).cast("B"), np.uint8)

    def _free(self, name: str, address: Any) -> None:
        # a driver that has gone has freed all of it
        with contextlib.suppress(DeviceError):
            self._enter()
            self._call(name, address)

    # --- kernels

    def kernel(self, entry: DeviceEntry) -> Launch:
        """The kernel, compiled for this generation of GPUs and loaded."""
        say(f"phalanx: preparing {entry.name} for {self.label} (compiled once, and kept) ...")
        code = ctypes.create_string_buffer(cuda_code(entry, self._target))
        self._enter()
        module = self._call("cuModuleLoadData", ctypes.addressof(code))
        function = self._call("cuModuleGetFunction", module, entry.name.encode())
        types = (ctypes.c_int64,) * entry.integers

        def launch(*arguments: int) -> None:
            count = arguments[-1]
            self._enter()
            grid = -(-count // BLOCK), 1, 1
            self._call("cuLaunchKernel", function, *grid, BLOCK, 1, 1, 0, 0, (arguments, types), 0)
            self._call("cuCtxSynchronize")

        return launch

    def shown(self, array: np.ndarray, is_settable: bool) -> DeviceArray:
        """An array that libraries of the GPU can use."""
        return DeviceArray(array, self._ordinal, is_settable)


@functools.cache
def cuda_device() -> CudaDevice:
    """The first GPU, which CUDA_VISIBLE_DEVICES chooses.

    Raises:
        DeviceError: there is none that can be used, and why.
    """
    api = driver()
    try:
        (error,) = api.cuInit(0)
    except RuntimeError as refusal:
        raise DeviceError("there is no driver of NVIDIA on this machine") from refusal
    if int(error) != 0:
        _, words = api.cuGetErrorString(error)
        reason = words.decode() if isinstance(words, bytes) else str(words)
        raise DeviceError(f"the driver of NVIDIA cannot be used: {reason}")
    error, count = api.cuDeviceGetCount()
    if int(error) != 0 or count == 0:
        raise DeviceError("there is no GPU of NVIDIA")
    return CudaDevice(api)
