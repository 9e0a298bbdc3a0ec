"""NumPy arrays aligned for vector registers."""

from __future__ import annotations

import math

import numpy as np

#: Bytes; the widest vector register and one cache line.
ALIGNMENT = 64


def aligned_zeros(shape: tuple[int, ...], dtype: np.typing.DTypeLike) -> np.ndarray:
    """Zeros whose first element is aligned to a cache line, and whose memory is padded to whole lines."""
    dtype = np.dtype(dtype)
    size = math.prod(shape) * dtype.itemsize
    padded = -(-max(size, 1) // ALIGNMENT) * ALIGNMENT
    memory = np.zeros(padded + ALIGNMENT, np.uint8)
    start = -memory.__array_interface__["data"][0] % ALIGNMENT
    return memory[start : start + size].view(dtype).reshape(shape)
