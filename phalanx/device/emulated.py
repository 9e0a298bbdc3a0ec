"""The device that the CPU emulates."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.device.protocol import EMULATED, Launch
from phalanx.native.device_entry import LOOP, DeviceEntry
from phalanx.native.runtime import NativeEntry, address_of


class EmulatedDevice:
    """The CPU in place of a GPU: the same kernels with the same memory, one thread after another.

    It is there to prove what a GPU computes, and to debug it; `BatchSim` on the CPU is many times faster.
    """

    name = EMULATED
    label = "a device that the CPU emulates"
    threads = LOOP

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """Zeroed memory."""
        return aligned_zeros(shape, dtype)

    def flags(self, count: int) -> np.ndarray:
        """A few integers."""
        return aligned_zeros((count,), np.int64)

    def kernel(self, entry: DeviceEntry) -> Launch:
        """The kernel as a loop over threads."""
        call = NativeEntry(address_of(entry, entry.name), entry.integers).call

        def launch(*arguments: int) -> None:
            *given, count = arguments
            call(*given, 0, count)

        return launch

    def shown(self, array: np.ndarray, is_settable: bool) -> np.ndarray:
        """The array itself."""
        view = array.view()
        view.setflags(write=is_settable)
        return view
