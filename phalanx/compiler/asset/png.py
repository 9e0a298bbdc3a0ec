"""PNG pictures as MuJoCo's reader converts them: what height fields and textures need. Pillow does the decoding."""

from __future__ import annotations

import io
import struct
import warnings
from typing import Any

import numpy as np

from phalanx.compiler.text.errors import ElementProblem, quoted

SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: Depth and color type of pictures with 16 bits for red, green and blue.
_COLOR_16 = b"\x10\x02"
#: No picture has more pixels.
MOST_PIXELS = 2**27


def decode(data: bytes, name: str) -> np.ndarray:
    """Pixels (height, width, 4) in 8 bits: red, green, blue, alpha. Of 16 bits the upper 8 are kept."""
    from PIL import Image  # not before there is a picture: it takes a while to import

    fail = ElementProblem(f"file {quoted(name)} is not a PNG picture that can be read", "file")
    if not data.startswith(SIGNATURE) or len(data) < 33:
        raise fail
    width, height = struct.unpack(">II", data[16:24])
    if not 0 < width * height <= MOST_PIXELS:
        raise fail
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
                image.load()
                pixels = _with_alpha(image, data[24])
            clear = image.info.get("transparency")
            if data[24:26] == _COLOR_16 and clear is not None:
                low = _low_bytes(data)
                pixels[((pixels[..., :3].astype(np.int32) << 8 | low) == clear).all(axis=2), 3] = 0
            return pixels
    except (OSError, ValueError, SyntaxError, struct.error, EOFError, IndexError):
        raise fail from None


def _low_bytes(data: bytes) -> np.ndarray:
    """The lower 8 bits of each of 16, which Pillow leaves out: read as if the bytes of a number were in reverse."""
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
        image.tile = [tile._replace(args="RGB;16L") for tile in image.tile]
        return np.array(image, np.uint8)


def _with_alpha(image: Any, depth: int) -> np.ndarray:
    """Pixels (height, width, 4) of an open picture; a color that stands for transparency gets alpha 0."""
    pixels = np.asarray(image)
    shape = pixels.shape[:2]
    clear = image.info.get("transparency")
    if image.mode == "P":
        return _palette(image, clear)[pixels]
    if image.mode == "1":
        pixels = pixels * np.uint8(255)
    raw = pixels.reshape(*shape, -1)
    shade = raw.astype(np.uint8) if raw.dtype == np.uint8 else (raw >> 8).astype(np.uint8)
    out = np.full((*shape, 4), 255, np.uint8)
    out[..., :3] = shade[..., :3] if shade.shape[2] >= 3 else shade[..., :1]
    if shade.shape[2] in (2, 4):
        out[..., 3] = shade[..., -1]
    elif clear is not None and (shade.shape[2] == 1 or depth == 8):
        # few bits are stretched to 8, but not the color that is transparent
        stretched = np.array(clear) * (255 // ((1 << depth) - 1) if depth in (2, 4) else 1)
        out[(raw == stretched).all(axis=2), 3] = 0
    return out


def _palette(image: Any, clear: Any) -> np.ndarray:
    """Color and alpha of each of 256 indices."""
    table = np.zeros((256, 4), np.uint8)
    table[:, 3] = 255
    colors = np.frombuffer(bytes(image.getpalette("RGB")), np.uint8).reshape(-1, 3)
    table[: len(colors), :3] = colors
    if isinstance(clear, bytes):
        table[: len(clear), 3] = np.frombuffer(clear, np.uint8)
    elif clear is not None:
        table[clear, 3] = 0
    return table


def gray_levels(data: bytes, name: str) -> np.ndarray:
    """Brightness (height, width), as MuJoCo's reader converts it: gray, or red of colors."""
    return decode(data, name)[:, :, 0]


def colors(data: bytes, name: str, channels: int) -> np.ndarray:
    """Pixels (height, width, channels): gray, gray and alpha, color, or color and alpha."""
    pixels = decode(data, name)
    kept = {1: slice(1), 2: slice(None, None, 3), 3: slice(3), 4: slice(4)}[channels]
    return np.ascontiguousarray(pixels[:, :, kept])


def is_srgb(data: bytes) -> bool:
    """Does the picture say that its numbers are sRGB?"""
    start = 8
    # parts of a file: length, kind, contents, checksum
    while start + 8 <= len(data) and (kind := data[start + 4 : start + 8]) != b"IDAT":
        if kind == b"sRGB":
            return True
        start += 12 + int.from_bytes(data[start : start + 4], "big")
    return False
