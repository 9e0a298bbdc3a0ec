"""Arrays as text of a page: whole numbers, differences from frame to frame, deflated, in base64.

Rows of a track are stored channel by channel, each number as its difference to the row of the same rank in the frame
before. What moves evenly becomes small numbers, and what rests becomes zeros; bytes of equal weight stand together, so
that deflate finds them. `phalanx/show/page/unpack.js` reads it.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np

#: Types of plain arrays, as the page knows them.
_TYPES = ("u1", "i1", "u2", "i2", "u4", "f4")
#: Arrays start at multiples of so many bytes.
_ALIGNMENT = 4
#: Where an array is, as the manifest says it.
Place = dict[str, Any]


class Packed:
    """Collects arrays; each gets a place, which the manifest names."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def plain(self, array: np.ndarray, kind: str) -> Place:
        """An array as it is, of one of the types u1, i1, u2, i2, u4, f4."""
        assert kind in _TYPES
        data = np.ascontiguousarray(array, np.dtype(kind).newbyteorder("<"))
        return {"type": kind, "start": self._add(data.tobytes()), "count": data.size}

    def track(self, values: np.ndarray, counts: np.ndarray, scales: list[float]) -> Place:
        """Whole numbers (rows, channels) of frames with these counts of rows; a unit of a channel is its scale."""
        codes = zigzag(differences(values, counts))
        planes = max(1, (int(codes.max(initial=0)).bit_length() + 7) // 8)
        assert planes <= 4
        split = codes.T.astype("<u4")[..., None].view(np.uint8)[..., :planes]  # (channels, rows, bytes)
        start = self._add(np.ascontiguousarray(np.moveaxis(split, 2, 1)).tobytes())
        return {"counts": self.plain(counts, "u4"), "planes": planes, "start": start, "scales": scales}

    def _add(self, data: bytes) -> int:
        start = self._size
        padded = data + bytes(-len(data) % _ALIGNMENT)
        self._parts.append(padded)
        self._size += len(padded)
        return start

    def text(self) -> str:
        """All of it, deflated, in base64."""
        return base64.b64encode(zlib.compress(b"".join(self._parts), 9)).decode("ascii")


def differences(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Each row minus that of the same rank in the frame before, where there is one.

    >>> differences(np.array([[5], [7], [6], [9], [2]]), np.array([2, 2, 1])).T
    array([[ 5,  7,  1,  2, -4]])
    """
    rows = np.asarray(values, np.int64)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(int)
    frame = np.repeat(np.arange(len(counts)), counts)
    rank = np.arange(len(rows)) - starts[frame]
    before = np.where(frame > 0, frame - 1, 0)
    has_before = (frame > 0) & (rank < np.asarray(counts)[before]) if len(rows) else np.zeros(0, bool)
    previous = rows[np.where(has_before, starts[before] + rank, 0)] if len(rows) else rows
    return rows - np.where(has_before[:, None], previous, 0)


def zigzag(values: np.ndarray) -> np.ndarray:
    """Whole numbers without sign: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4.

    >>> zigzag(np.array([0, -1, 1, -2])).tolist()
    [0, 1, 2, 3]
    """
    return (values << 1) ^ (values >> 63)
