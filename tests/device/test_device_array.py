"""Arrays of a device in the words of DLPack: the tensor that other libraries get is the memory itself."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from phalanx.device.device_array import DLPACK_CUDA, DeviceArray, moved


class OnCpu(DeviceArray):
    """The same array, said to be where NumPy can take it."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


@pytest.mark.parametrize("version", [None, (1, 0)])
def test_a_tensor_is_the_memory_itself(version: tuple[int, int] | None):
    memory = np.arange(12.0).reshape(3, 4)
    array = OnCpu(memory.T, 0, True)
    assert np.shares_memory(np.from_dlpack(array), memory)
    taken = np.from_dlpack(array)
    assert taken.shape == (4, 3) and taken.strides == memory.T.strides
    capsule = DeviceArray(memory.T, 3, True).__dlpack__(max_version=version)
    name = b"dltensor_versioned" if version else b"dltensor"
    pointer = ctypes.pythonapi.PyCapsule_GetPointer(ctypes.py_object(capsule), name)
    start = pointer + (32 if version else 0)
    assert ctypes.c_void_p.from_address(start).value == memory.ctypes.data
    assert ctypes.c_int32.from_address(start + 8).value == DLPACK_CUDA
    assert ctypes.c_int32.from_address(start + 12).value == 3
    assert ctypes.c_int32.from_address(start + 16).value == 2


def test_a_moved_tensor_goes_back():
    memory = np.zeros(3)
    capsule = moved(moved(memory.__dlpack__(), DLPACK_CUDA, 1), 1, 0)

    class Given:
        def __dlpack__(self, **_: object) -> object:
            return capsule

        def __dlpack_device__(self) -> tuple[int, int]:
            return 1, 0

    assert np.shares_memory(np.from_dlpack(Given()), memory)
