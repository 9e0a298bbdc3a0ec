"""Arrays in the memory of a GPU: for Python they behave as NumPy arrays, for torch, cupy and jax as their own."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from phalanx.memory.errors import DeviceError, FieldError

#: DLPack's words for memory of the CPU and of CUDA.
DLPACK_CPU, DLPACK_CUDA = 1, 2
#: Where the kind and the number of the device stand in a tensor of DLPack, and how far a tensor with a version begins
#: behind its start [bytes]: the version, two pointers and flags (dlpack.h).
_DEVICE, _VERSIONED = 8, 32


class DeviceArray(np.lib.mixins.NDArrayOperatorsMixin):
    """A live field of all worlds, (n, ...), in memory that the GPU and Python share.

    `array[...]`, arithmetic and `np.asarray(array)` work from Python: what is touched moves to the CPU, and back when
    the next step needs it. Libraries of the GPU get the memory itself, without a copy, by `__dlpack__` or
    `__cuda_array_interface__`. `worlds_last` is the same memory without strides, (..., n).

    Args:
        array: the memory as NumPy sees it.
        ordinal: number of the GPU.
        is_settable: may users write it?
    """

    __slots__ = ("_array", "_is_settable", "_ordinal")

    def __init__(self, array: np.ndarray, ordinal: int, is_settable: bool):
        self._array, self._ordinal, self._is_settable = array, ordinal, is_settable

    # --- for libraries of the GPU

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The memory in the words of cupy and numba."""
        array = self._array
        return {
            "shape": array.shape,
            "typestr": array.dtype.str,
            "data": (int(array.__array_interface__["data"][0]), False),
            "strides": None if array.flags.c_contiguous else array.strides,
            "version": 3,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return DLPACK_CUDA, self._ordinal

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """The memory in the words of DLPack. Steps wait until they are done, so there is nothing to wait for.

        Args:
            stream: the one on which the other library will use it.
            max_version: of DLPack, that the other library knows.
            dl_device: where it is wanted: on its GPU, or on the CPU, which sees the same memory; None for its GPU.
            copy: whether it must be another memory; only the CPU makes copies.

        Raises:
            BufferError: it cannot be had there.
        """
        is_versioned = max_version is not None and max_version[0] >= 1
        of_gpu = self.__dlpack_device__()
        wanted = of_gpu if dl_device is None else (int(dl_device[0]), int(dl_device[1]))
        if wanted not in (of_gpu, (DLPACK_CPU, 0)):
            raise BufferError(f"memory of device {of_gpu} cannot be had on device {wanted}")
        if copy and wanted == of_gpu:
            raise BufferError("the GPU's own library copies memory of the GPU")
        # NumPy writes the capsule, as of the CPU; then it is said where the memory is
        array = self._array.copy() if copy else self._array
        capsule = array.__dlpack__(max_version=max_version) if is_versioned else array.__dlpack__()
        return moved(capsule, *wanted, is_versioned)

    @property
    def worlds_last(self) -> DeviceArray:
        """The same memory as an array (..., n) whose elements lie one after another: what jax takes."""
        return DeviceArray(np.moveaxis(self._array, 0, -1), self._ordinal, self._is_settable)

    # --- for Python

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        seen = self._array.view()
        seen.setflags(write=self._is_settable)
        if dtype is not None and np.dtype(dtype) != seen.dtype:
            return seen.astype(dtype)
        return seen.copy() if copy else seen

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
        found = getattr(ufunc, method)(*_plain(inputs), **_plain(named))
        out = named.get("out")
        return out[0] if out is not None and len(out) == 1 else found

    def __array_function__(self, function: Any, types: Any, inputs: Any, named: Any) -> Any:
        return function(*_plain(inputs), **_plain(named))

    def __reduce__(self) -> tuple[Any, ...]:
        # copies and pickles are memory of the CPU
        return np.array, (np.asarray(self),)

    def __contains__(self, value: Any) -> bool:
        return value in np.asarray(self)

    def __getitem__(self, index: Any) -> Any:
        return np.asarray(self)[index]

    def __setitem__(self, index: Any, values: Any) -> None:
        if not self._is_settable:
            raise FieldError("an output is computed and cannot be written")
        check_source(values)
        self._array[index] = values

    def __len__(self) -> int:
        return len(self._array)

    def __getattr__(self, name: str) -> Any:
        # shape, dtype, strides, copy, sum, ...: as NumPy has them
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(np.asarray(self), name)

    def __repr__(self) -> str:
        return f"DeviceArray({np.asarray(self)!r})"


def _plain(value: Any) -> Any:
    """Arguments of a function of NumPy, with NumPy's arrays in place of ours."""
    if isinstance(value, DeviceArray):
        return np.asarray(value)
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    return type(value)(map(_plain, value)) if type(value) in (list, tuple) else value


def check_source(values: Any) -> None:
    """Refuse arrays of other libraries of the GPU, which Python could not read.

    Raises:
        DeviceError: how to do it instead.
    """
    if hasattr(values, "__cuda_array_interface__") and not isinstance(values, DeviceArray):
        raise DeviceError(
            "an array of the GPU is copied by its own library: ctrl = torch.from_dlpack(batch.ctrl) once, then "
            "ctrl[:] = values"
        )


def moved(capsule: Any, kind: int, ordinal: int, is_versioned: bool = False) -> Any:
    """A capsule of DLPack whose tensor is said to be on a device."""
    address_of = ctypes.pythonapi.PyCapsule_GetPointer
    address_of.restype, address_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    start = address_of(capsule, b"dltensor_versioned" if is_versioned else b"dltensor")
    place = start + (_VERSIONED if is_versioned else 0) + _DEVICE
    ctypes.c_int32.from_address(place).value = kind
    ctypes.c_int32.from_address(place + 4).value = ordinal
    return capsule
