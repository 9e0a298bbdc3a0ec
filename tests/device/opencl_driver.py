"""A driver of OpenCL, called by ctypes: it runs the kernels of a device that shares its memory with the CPU (pocl)."""

from __future__ import annotations

import ctypes
import functools
import shutil
import subprocess
import tempfile
from ctypes.util import find_library
from pathlib import Path
from typing import Any

from phalanx.device.emulated import EmulatedDevice
from phalanx.device.gpu_batch import GpuBatchSim
from phalanx.device.protocol import Device, Launch
from phalanx.memory.errors import DeviceError
from phalanx.native.device_entry import OPENCL, DeviceEntry
from phalanx.native.opencl_code import spir_text

_TYPE_CPU, _PLATFORM_NAME, _DEVICE_NAME, _BUILD_LOG = 2, 0x0902, 0x102B, 0x1183
#: The optimizer of LLVM whose bitcode Debian's pocl reads: that of the version that it was built with. Older ones do
#: not know our pointers, which say nothing of what they point to.
_OPTIMIZER = "opt-15"
_OPTIONS = ("-O2", "-vectorize-loops=false", "-vectorize-slp=false")


def find_optimizer() -> str | None:
    """Makes bitcode of the text of a module."""
    return shutil.which(_OPTIMIZER)


class OpenClDevice(EmulatedDevice):
    """A CPU that a driver of OpenCL runs. Memory is that of the process, which such a device can reach."""

    threads = OPENCL

    def __init__(self, optimizer: str):
        self._optimizer = optimizer
        self._api = ctypes.CDLL(find_library("OpenCL"))
        for name in ("clCreateContext", "clCreateCommandQueue", "clCreateProgramWithBinary", "clCreateKernel"):
            getattr(self._api, name).restype = ctypes.c_void_p
        platform, self._id, error = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int()
        self._check("clGetPlatformIDs", 1, ctypes.byref(platform), None)
        self._check("clGetDeviceIDs", platform, ctypes.c_uint64(_TYPE_CPU), 1, ctypes.byref(self._id), None)
        words = [self._info("clGetPlatformInfo", platform, _PLATFORM_NAME)]
        words.append(self._info("clGetDeviceInfo", self._id, _DEVICE_NAME))
        self.label = " ".join(words)
        ids, place = ctypes.byref(self._id), ctypes.byref(error)
        self._context = ctypes.c_void_p(self._api.clCreateContext(None, 1, ids, None, None, place))
        queue = self._api.clCreateCommandQueue(self._context, self._id, ctypes.c_uint64(0), place)
        self._queue = ctypes.c_void_p(queue)

    def _check(self, name: str, *arguments: Any) -> None:
        code = getattr(self._api, name)(*arguments)
        if code != 0:
            raise DeviceError(f"{name} fails with {code}")

    def _info(self, name: str, *whose: Any) -> str:
        text = ctypes.create_string_buffer(1 << 16)
        self._check(name, *whose, ctypes.c_size_t(len(text)), text, None)
        return text.value.decode()

    def kernel(self, entry: DeviceEntry) -> Launch:
        """The kernel as the driver builds it."""
        with tempfile.TemporaryDirectory() as folder:
            source, result = Path(folder) / "kernel.ll", Path(folder) / "kernel.bc"
            source.write_text(spir_text(entry))
            subprocess.run([self._optimizer, *_OPTIONS, source, "-o", result], check=True)
            code = result.read_bytes()
        length, binary, error = ctypes.c_size_t(len(code)), ctypes.c_char_p(code), ctypes.c_int()
        ids, none = ctypes.byref(self._id), ctypes.c_int()
        given = ctypes.byref(length), ctypes.byref(binary), ctypes.byref(none), ctypes.byref(error)
        program = ctypes.c_void_p(self._api.clCreateProgramWithBinary(self._context, 1, ids, *given))
        if error.value:
            raise DeviceError(f"clCreateProgramWithBinary fails with {error.value}")
        if self._api.clBuildProgram(program, 1, ids, b"-x spir -spir-std=1.2", None, None):
            raise DeviceError(self._info("clGetProgramBuildInfo", program, self._id, _BUILD_LOG))
        made = ctypes.c_void_p(self._api.clCreateKernel(program, entry.name.encode(), ctypes.byref(error)))
        if error.value:
            raise DeviceError(f"clCreateKernel fails with {error.value}")

        def launch(*arguments: int) -> None:
            for place, value in enumerate(arguments):
                self._check("clSetKernelArg", made, place, ctypes.c_size_t(8), ctypes.byref(ctypes.c_int64(value)))
            count, one = ctypes.byref(ctypes.c_size_t(arguments[-1])), ctypes.byref(ctypes.c_size_t(1))
            self._check("clEnqueueNDRangeKernel", self._queue, made, 1, None, count, one, 0, None, None)
            self._check("clFinish", self._queue)

        return launch


@functools.cache
def opencl_device() -> OpenClDevice | None:
    """The device, or None if there is no driver here or nothing that assembles for it."""
    optimizer = find_optimizer()
    if optimizer is None or find_library("OpenCL") is None:
        return None
    try:
        return OpenClDevice(optimizer)
    except DeviceError:
        return None


class OpenClBatch(GpuBatchSim):
    """Worlds on a driver of OpenCL."""

    def _find_device(self, name: str) -> Device:
        device = opencl_device()
        assert device is not None
        return device
