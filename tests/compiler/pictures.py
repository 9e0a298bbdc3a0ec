"""A writer of PNG files of every kind: color types, depths, transparency, interlaced or not."""

from __future__ import annotations

import struct
import zlib

import numpy as np

#: Color type -> channels; type 3 has a palette.
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
#: First row and column, and steps, of the passes of an interlaced picture.
PASSES = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1))


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def packed(pixels: np.ndarray, depth: int) -> bytes:
    """Rows of samples (height, width, channels), each after the mark of no filter."""
    rows = []
    for row in pixels.reshape(len(pixels), -1):
        if depth == 16:
            data = row.astype(">u2").tobytes()
        elif depth == 8:
            data = row.astype(np.uint8).tobytes()
        else:
            bits = (row[:, None] >> np.arange(depth)[::-1]) & 1
            data = np.packbits(bits.astype(np.uint8).ravel()).tobytes()
        rows.append(b"\0" + data)
    return b"".join(rows)


def write_png(
    pixels: np.ndarray, color: int, depth: int, interlaced: bool = False, extra: tuple[tuple[bytes, bytes], ...] = ()
) -> bytes:
    """A PNG file of samples (height, width, channels); `extra` chunks come before the data."""
    height, width = pixels.shape[:2]
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, int(interlaced))
    parts = [pixels] if not interlaced else [pixels[r::dr, c::dc] for r, c, dr, dc in PASSES]
    data = b"".join(packed(part, depth) for part in parts if part.size)
    chunks = [(b"IHDR", header), *extra, (b"IDAT", zlib.compress(data)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*item) for item in chunks)


def random_png(color: int, depth: int, interlaced: bool, transparent: bool, seed: int = 0) -> bytes:
    """A picture of 13 x 11 random samples, or of half as many palette entries."""
    rng = np.random.default_rng(seed)
    pixels = rng.integers(0, 1 << depth, (13, 11, CHANNELS[color]))
    extra: list[tuple[bytes, bytes]] = []
    if color == 3:
        extra.append((b"PLTE", rng.integers(0, 256, (1 << depth) * 3, np.uint8).tobytes()))
        if transparent:
            extra.append((b"tRNS", rng.integers(0, 256, max(1, (1 << depth) // 2), np.uint8).tobytes()))
    elif transparent and color in (0, 2):
        extra.append((b"tRNS", pixels[0, 0].astype(">u2").tobytes()))
    return write_png(pixels, color, depth, interlaced, tuple(extra))
