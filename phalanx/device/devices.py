"""Devices that run the worlds of a batch: what each must offer, the one that the CPU emulates, and which ones are here."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.number_type import NumberType
from phalanx.device.world_kernel import device_entry
from phalanx.memory.errors import DeviceError, suggestion
from phalanx.native.device_entry import LOOP
from phalanx.native.notice import say
from phalanx.native.runtime import NativeEntry, address_of

#: Names that `BatchSim(..., device=...)` takes beside "cpu" and "auto".
CUDA, EMULATED = "cuda", "emulated"

#: A kernel of a device: called with the integers of `world_kernel.py` and the count of threads, it runs them all.
Launch = Callable[..., None]


class Device(Protocol):
    """What runs kernels, one thread for each world.

    Attributes:
        name: "cuda" or "emulated".
        label: what the user knows it by, with its model.
    """

    name: str
    label: str

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """Zeroed memory that kernels of the device and Python can reach at the same addresses.

        Raises:
            MemoryError: there is not so much.
        """

    def flags(self, count: int) -> np.ndarray:
        """A few 64-bit integers through which kernels tell Python something."""

    def kernel(self, number: NumberType, varied: bool, parts: tuple[str, ...], hooks: Mapping[str, Any]) -> Launch:
        """The kernel that has these parts and functions of the user, compiled and loaded."""

    def shown(self, array: np.ndarray) -> Any:
        """An array of `zeros`, or a part of it, as users get it."""


class EmulatedDevice:
    """The CPU in place of a GPU: the same kernels with the same memory, one thread after another.

    It is there to prove what a GPU computes, and to debug it; `BatchSim` on the CPU is many times faster.
    """

    name = EMULATED
    label = "a device that the CPU emulates"

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """Zeroed memory."""
        return aligned_zeros(shape, dtype)

    def flags(self, count: int) -> np.ndarray:
        """A few integers."""
        return aligned_zeros((count,), np.int64)

    def kernel(self, number: NumberType, varied: bool, parts: tuple[str, ...], hooks: Mapping[str, Any]) -> Launch:
        """The kernel as a loop over threads."""
        entry = device_entry(number, varied, parts, LOOP, hooks)
        call = NativeEntry(address_of(entry, entry.name), entry.integers).call

        def launch(*arguments: int) -> None:
            *given, count = arguments
            call(*given, 0, count)

        return launch

    def shown(self, array: np.ndarray) -> np.ndarray:
        """The array itself."""
        return array


# --- which devices there are


def device_named(name: Any) -> Device:
    """The device of this name.

    Raises:
        DeviceError: there is no such device, or it cannot be used here; the message says why.
    """
    if name == EMULATED:
        return _emulated()
    if name == CUDA:
        from phalanx.device.cuda import cuda_device

        return cuda_device()
    known = ("cpu", "auto", CUDA, EMULATED)
    raise DeviceError(f"there is no device {name!r}{suggestion(str(name), known)}; devices are {', '.join(known)}")


@functools.cache
def _emulated() -> EmulatedDevice:
    return EmulatedDevice()


def try_device(name: str = CUDA) -> str:
    """The name of a device if it can be used here, else "cpu"; then one line on the terminal says why, once.

    Example:
        >>> batch = phalanx.BatchSim(model, 4096, device=phalanx.try_device())      # doctest: +SKIP
    """
    try:
        device_named(name)
    except DeviceError as error:
        _say_once(f"phalanx: {error}; worlds run on the CPU")
        return "cpu"
    return name


@functools.cache
def _say_once(words: str) -> None:
    say(words)
