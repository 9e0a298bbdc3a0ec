"""A small PNG decoder: what height fields and textures need."""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache

import numpy as np

from phalanx.compiler.errors import ElementProblem, quoted

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
#: No picture has more pixels.
MOST_PIXELS = 2**28


def _chunks(data: bytes, fail: ElementProblem) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    position = len(SIGNATURE)
    while position + 8 <= len(data):
        length, kind = struct.unpack(">I4s", data[position : position + 8])
        body = data[position + 8 : position + 8 + length]
        if len(body) != length:
            raise fail
        found[kind] = found.get(kind, b"") + body if kind == b"IDAT" else body
        position += 12 + length
    return found


def _unfilter(rows: np.ndarray, step: int) -> np.ndarray:
    """Undo the filters of the rows; `step` is bytes per pixel."""
    kinds, out = rows[:, 0], rows[:, 1:].astype(np.uint8)
    above = np.zeros(out.shape[1], np.uint8)
    for row, kind in zip(out, kinds, strict=True):
        if kind == 2:
            row += above
        elif kind == 1:
            for k in range(step):
                row[k::step] = np.cumsum(row[k::step], dtype=np.uint64).astype(np.uint8)
        elif kind in (3, 4):
            _unfilter_slowly(row, above, step, kind == 4)
        above = row
    return out


def _unfilter_slowly(row: np.ndarray, above: np.ndarray, step: int, paeth: bool) -> None:
    """Filters that look at the pixel to the left as it will be: byte by byte."""
    for first in range(min(step, len(row))):
        line, up = row[first::step].tolist(), above[first::step].tolist()
        a = c = 0
        if paeth:
            for k, b in enumerate(up):
                pa, pb = b - c, a - c
                pc = pa + pb
                pa, pb, pc = pa if pa >= 0 else -pa, pb if pb >= 0 else -pb, pc if pc >= 0 else -pc
                guess = a if pa <= pb and pa <= pc else b if pb <= pc else c
                line[k] = a = (line[k] + guess) & 255
                c = b
        else:
            for k, b in enumerate(up):
                line[k] = a = (line[k] + (a + b) // 2) & 255
        row[first::step] = line


@lru_cache(maxsize=16)
def decode(data: bytes, name: str) -> np.ndarray:
    """Pixels (height, width, channels) in 8 bits: gray, gray and alpha, color, or color and alpha."""
    fail = ElementProblem(f"file {quoted(name)} is not a PNG picture that can be read", "file")
    if not data.startswith(SIGNATURE):
        raise fail
    chunks = _chunks(data, fail)
    try:
        width, height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
        if not 0 < width * height <= MOST_PIXELS or color not in CHANNELS or interlace or depth not in (1, 2, 4, 8, 16):
            raise fail
        channels = CHANNELS[color]
        stride = (width * channels * depth + 7) // 8
        raw = zlib.decompressobj().decompress(chunks[b"IDAT"], height * (stride + 1))
        rows = np.frombuffer(raw, np.uint8).reshape(height, stride + 1)
    except (KeyError, struct.error, zlib.error, ValueError):
        raise fail from None
    out = _unfilter(rows.copy(), max(1, channels * depth // 8))
    if depth == 16:
        out = out[:, ::2]
    elif depth < 8:
        bits = np.unpackbits(out, axis=1).reshape(height, -1, depth)
        out = (bits @ (1 << np.arange(depth)[::-1])).astype(np.uint8)[:, : width * channels]
        if color == 0:
            out = (out.astype(np.uint16) * (255 // ((1 << depth) - 1))).astype(np.uint8)
    pixels = out.reshape(height, width, channels)
    if color == 3:
        palette = np.frombuffer(chunks.get(b"PLTE", b""), np.uint8).reshape(-1, 3)
        if pixels.max(initial=0) >= len(palette):
            raise fail
        pixels = palette[pixels[:, :, 0]]
    return pixels


def gray_levels(data: bytes, name: str) -> np.ndarray:
    """Brightness (height, width), as MuJoCo's reader converts it: the first channel of gray, or red of colors."""
    return decode(data, name)[:, :, 0]


def colors(data: bytes, name: str, channels: int) -> np.ndarray:
    """Pixels (height, width, channels) with 1 to 4 channels."""
    pixels = decode(data, name)
    has_alpha = pixels.shape[2] in (2, 4)
    shade = pixels[:, :, :-1] if has_alpha else pixels
    alpha = pixels[:, :, -1:] if has_alpha else np.full((*pixels.shape[:2], 1), 255, np.uint8)
    if channels >= 3 and shade.shape[2] == 1:
        shade = np.repeat(shade, 3, axis=2)
    elif channels < 3 and shade.shape[2] == 3:
        shade = shade[:, :, :1]
    return np.concatenate([shade, alpha], axis=2) if channels in (2, 4) else shade


def is_srgb(data: bytes) -> bool:
    """Does the picture say that its numbers are sRGB?"""
    return b"sRGB" in data[: data.find(b"IDAT")]
