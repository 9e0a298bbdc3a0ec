"""Animated WebP files, frame by frame: Pillow compresses each picture, this file puts them into one container.

Each frame holds only what changed. Source: the specification of the WebP container.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
from PIL import Image

from phalanx.show.film.changed import changed_box

#: Quality of pictures, 0 to 100.
QUALITY = 85
#: Chunks of a still picture that hold its pixels.
_PIXELS = (b"VP8 ", b"VP8L", b"ALPH")
_IS_ANIMATED, _REPLACE = 0x02, 0x02


def _three_bytes(value: int) -> bytes:
    return struct.pack("<I", value)[:3]


def chunk(kind: bytes, content: bytes) -> bytes:
    """A chunk with its name and length, of an even number of bytes."""
    return kind + struct.pack("<I", len(content)) + content + bytes(len(content) % 2)


class WebpWriter:
    """Writes pictures of one size to an open file; durations are thousandths of a second."""

    def __init__(self, file: BinaryIO, width: int, height: int):
        self._file = file
        self._before: np.ndarray | None = None
        header = struct.pack("<I", _IS_ANIMATED) + _three_bytes(width - 1) + _three_bytes(height - 1)
        # the length of all is written at the end
        file.write(b"RIFF\0\0\0\0WEBP" + chunk(b"VP8X", header) + chunk(b"ANIM", struct.pack("<IH", 0, 0)))

    def add(self, picture: np.ndarray, duration: int) -> None:
        """The next picture, (height, width, 3) uint8."""
        left, upper, right, lower = changed_box(self._before, picture, step=2)
        self._before = picture.copy()
        still = io.BytesIO()
        Image.fromarray(picture[upper:lower, left:right]).save(still, "WEBP", quality=QUALITY, method=2)
        numbers = (left // 2, upper // 2, right - left - 1, lower - upper - 1, duration)
        place = b"".join(_three_bytes(number) for number in numbers) + bytes([_REPLACE])
        self._file.write(chunk(b"ANMF", place + b"".join(_pixel_chunks(still.getvalue()))))

    def finish(self) -> None:
        """Write the length of the file."""
        length = self._file.tell() - 8
        self._file.seek(4)
        self._file.write(struct.pack("<I", length))


def _pixel_chunks(data: bytes) -> Iterator[bytes]:
    """The chunks of a WebP file with one picture that hold its pixels."""
    place = 12
    while place < len(data):
        kind, (length,) = data[place : place + 4], struct.unpack("<I", data[place + 4 : place + 8])
        if kind in _PIXELS:
            yield chunk(kind, data[place + 8 : place + 8 + length])
        place += 8 + length + length % 2
