"""Animated GIF files, frame by frame: Pillow compresses each picture, this file puts them one after the other.

Each frame has 256 colors of its own and holds only what changed. Source: GIF89a specification.
"""

from __future__ import annotations

import io
import struct
from typing import BinaryIO

import numpy as np
from PIL import Image

from phalanx.show.film.changed import changed_box

#: Endless repetition, as browsers read it.
_LOOP = b"\x21\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", 0) + b"\0"
#: First bytes of an extension and of a picture, and the end of a file.
_EXTENSION, _PICTURE, _END = 0x21, 0x2C, b"\x3b"
#: The next picture is drawn over this one.
_KEEP = 1 << 2


class GifWriter:
    """Writes pictures of one size to an open file; durations are hundredths of a second."""

    def __init__(self, file: BinaryIO, width: int, height: int):
        self._file = file
        self._before: np.ndarray | None = None
        file.write(b"GIF89a" + struct.pack("<HHBBB", width, height, 0, 0, 0) + _LOOP)

    def add(self, picture: np.ndarray, duration: int) -> None:
        """The next picture, (height, width, 3) uint8."""
        left, upper, right, lower = changed_box(self._before, picture)
        self._before = picture.copy()
        part = Image.fromarray(picture[upper:lower, left:right])
        file = io.BytesIO()
        part.quantize(256, dither=Image.Dither.NONE).save(file, "GIF", interlace=0)
        colors, pixels = still_parts(file.getvalue())
        depth = max(len(colors) // 3 - 1, 1).bit_length()
        self._file.write(b"\x21\xf9\x04" + struct.pack("<BHB", _KEEP, duration, 0) + b"\0")
        place = struct.pack("<HHHHB", left, upper, right - left, lower - upper, 0x80 | (depth - 1))
        self._file.write(bytes([_PICTURE]) + place + colors.ljust(3 << depth, b"\0") + pixels)

    def finish(self) -> None:
        """The end of the file."""
        self._file.write(_END)


def still_parts(data: bytes) -> tuple[bytes, bytes]:
    """The table of colors and the compressed pixels of a GIF file with one picture."""
    flags = data[10]
    place = 13 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
    colors = data[13:place]
    while data[place] == _EXTENSION:
        place = _after_blocks(data, place + 2)
    own = data[place + 9]
    start = place + 10
    if own & 0x80:
        colors, start = data[start : start + (3 << (own & 7) + 1)], start + (3 << (own & 7) + 1)
    return colors, data[start : _after_blocks(data, start + 1)]


def _after_blocks(data: bytes, place: int) -> int:
    """Where a chain of blocks ends, each of which begins with its length."""
    while data[place]:
        place += data[place] + 1
    return place + 1
