"""Arrays of a device in the words of DLPack: the tensor that other libraries get is the memory itself."""

from __future__ import annotations

import copy
import ctypes
import pickle

import numpy as np
import pytest

from phalanx.device.device_array import DLPACK_CPU, DLPACK_CUDA, DeviceArray, moved


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


def test_the_cpu_may_have_the_memory_of_the_gpu_or_a_copy():
    memory = np.arange(6.0).reshape(2, 3)
    array = DeviceArray(memory, 0, True)
    seen = np.from_dlpack(array, device="cpu")
    assert np.shares_memory(seen, memory)
    apart = np.from_dlpack(array, device="cpu", copy=True)
    np.testing.assert_array_equal(apart, memory)
    assert not np.shares_memory(apart, memory)
    with pytest.raises(BufferError, match=r"on device \(2, 1\)"):
        array.__dlpack__(dl_device=(DLPACK_CUDA, 1))
    with pytest.raises(BufferError, match="own library copies"):
        array.__dlpack__(copy=True)
    assert array.__dlpack__(dl_device=(DLPACK_CPU, 0), copy=False)


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda array: pickle.loads(pickle.dumps(array)), lambda array: array.copy()]
)
def test_copies_are_memory_of_the_cpu_and_do_not_claim_to_be_of_the_gpu(copied):
    memory = np.arange(6.0).reshape(2, 3)
    found = copied(DeviceArray(memory, 0, False))
    assert type(found) is np.ndarray and found.flags.writeable and not np.shares_memory(found, memory)
    np.testing.assert_array_equal(found, memory)


def test_functions_of_numpy_take_it_as_an_array():
    memory = np.zeros((2, 3))
    array = DeviceArray(memory, 0, True)
    np.copyto(array, 2.0)
    np.put(array, [0], 5.0)
    np.clip(array, 0.0, 4.0, out=array)
    np.add(array, 1.0, out=array, where=array > 2.0)
    assert memory.tolist() == [[5.0, 2.0, 2.0], [2.0, 2.0, 2.0]]
    assert np.concatenate([array, array]).shape == (4, 3) and 5.0 in array
    assert np.einsum("ij,ij->", array, memory) == (memory**2).sum()
    with pytest.raises(ValueError, match="read-only"):
        np.copyto(DeviceArray(memory, 0, False), 1.0)
