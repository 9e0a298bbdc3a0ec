"""What runs the kernels of a batch with one thread for each world: what each device must offer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from phalanx.native.device_entry import DeviceEntry

#: Names that `BatchSim(..., device=...)` takes beside "cpu" and "auto".
CUDA, EMULATED = "cuda", "emulated"

#: A kernel of a device: called with the integers of its entry and the count of threads, it runs them all.
Launch = Callable[..., None]


class Device(Protocol):
    """What runs kernels, one thread for each world.

    Attributes:
        name: "cuda" or "emulated".
        label: what the user knows it by, with its model.
        threads: what its threads are, LOOP or CUDA of `native/device_entry.py`.
    """

    name: str
    label: str
    threads: str

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """Zeroed memory that kernels of the device and Python can reach at the same addresses.

        Raises:
            MemoryError: there is not so much.
        """

    def flags(self, count: int) -> np.ndarray:
        """A few 64-bit integers through which kernels tell Python something."""

    def kernel(self, entry: DeviceEntry) -> Launch:
        """The kernel of an entry that has its kind of threads, compiled and loaded."""

    def shown(self, array: np.ndarray, is_settable: bool) -> Any:
        """An array of `zeros`, or a part of it, as users get it; those that they may not write are read-only."""
