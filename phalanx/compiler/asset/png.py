"""PNG pictures for height fields and textures, converted as MuJoCo's reader (lodepng) does. Pillow decodes them."""

from __future__ import annotations

import io
import struct
import warnings
from typing import TYPE_CHECKING

import numpy as np

from phalanx.compiler.text.errors import ElementProblem, quoted
from phalanx.compiler.text.files import Contents
from phalanx.compiler.text.limits import Limits

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: Depth and color type in the header of a picture with 16 bits for each of red, green and blue.
_COLOR_16 = b"\x10\x02"


def size_of(data: bytes, name: str) -> tuple[int, int]:
    """Width and height of a picture, as its header says: one that is too large need not even be opened."""
    if not data.startswith(SIGNATURE) or len(data) < 33:
        raise _unreadable(name)
    width, height = struct.unpack(">II", data[16:24])
    if not width * height:
        raise _unreadable(name)
    return width, height


#: Cache of sizes by the hash of the file, so that a file whose picture is known is not read; cleared when it is full.
_sizes: dict[bytes, tuple[int, int]] = {}
MOST_SIZES = 1000


def known_size(contents: Contents, name: str) -> tuple[int, int]:
    """Width and height of a picture; its file is read only the first time."""
    found = _sizes.get(contents.digest)
    if found is None:
        if len(_sizes) >= MOST_SIZES:
            _sizes.clear()
        found = _sizes[contents.digest] = size_of(contents.data, name)
    return found


def check_pixels(width: int, height: int, limits: Limits) -> None:
    """Refuse a picture, or a field of heights, with too many pixels."""
    if width * height > limits.texture_pixels:
        beyond = limits.beyond("texture_pixels")
        raise ElementProblem(f"a picture of {width} x {height} has {width * height} pixels, {beyond}", "file")


def _unreadable(name: str) -> ElementProblem:
    return ElementProblem(f"file {quoted(name)} is not a PNG picture that can be read", "file")


def decode(data: bytes, name: str) -> np.ndarray:
    """Pixels (height, width, 4) in 8 bits: red, green, blue, alpha. Of 16 bits the upper 8 are kept."""
    from PIL import Image  # imported late: few models have pictures, and it takes a while

    size_of(data, name)
    try:
        with warnings.catch_warnings():
            # the size was checked already, and Pillow's own limit is no error of ours
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
                image.load()
                pixels = _with_alpha(image, data[24])
            # a transparent color of 16 bits is compared in all bits, before the lower 8 are dropped
            clear = image.info.get("transparency")
            if data[24:26] == _COLOR_16 and clear is not None:
                low = _low_bytes(data)
                pixels[((pixels[..., :3].astype(np.int32) << 8 | low) == clear).all(axis=2), 3] = 0
            return pixels
    except Image.DecompressionBombError as error:
        raise ElementProblem(f"file {quoted(name)} is larger than Pillow decodes: {error}", "file") from None
    except (OSError, ValueError, SyntaxError, struct.error, EOFError, IndexError):
        raise _unreadable(name) from None


def _low_bytes(data: bytes) -> np.ndarray:
    """The lower 8 bits of each of 16, which Pillow drops: it is told that the bytes come in the reverse order."""
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
        image.tile = [tile._replace(args="RGB;16L") for tile in image.tile]
        return np.array(image, np.uint8)


def _with_alpha(image: Picture, depth: int) -> np.ndarray:
    """Pixels (height, width, 4) of an open picture with `depth` bits; its transparent color gets alpha 0."""
    pixels = np.asarray(image)
    if image.mode == "RGBA":
        return pixels  # nothing to convert, and pictures may be large
    shape = pixels.shape[:2]
    clear = image.info.get("transparency")
    if image.mode == "P":
        return _palette(image, clear)[pixels]
    if image.mode == "1":
        pixels = pixels * np.uint8(255)
    raw = pixels.reshape(*shape, -1)
    shade = raw if raw.dtype == np.uint8 else (raw >> 8).astype(np.uint8)
    out = np.full((*shape, 4), 255, np.uint8)
    out[..., :3] = shade[..., :3] if shade.shape[2] >= 3 else shade[..., :1]
    if shade.shape[2] in (2, 4):
        out[..., 3] = shade[..., -1]
    elif clear is not None and (shade.shape[2] == 1 or depth == 8):
        # Pillow stretches 2 and 4 bits to 8, but not the transparent color
        stretched = np.array(clear) * (255 // ((1 << depth) - 1) if depth in (2, 4) else 1)
        out[(raw == stretched).all(axis=2), 3] = 0
    return out


def _palette(image: Picture, clear: bytes | int | None) -> np.ndarray:
    """Color and alpha of each of 256 indices; `clear` holds the alpha of the first ones, or the transparent index."""
    table = np.zeros((256, 4), np.uint8)
    table[:, 3] = 255
    colors = np.frombuffer(bytes(image.getpalette("RGB") or ()), np.uint8).reshape(-1, 3)
    table[: len(colors), :3] = colors
    if isinstance(clear, bytes):
        table[: len(clear), 3] = np.frombuffer(clear, np.uint8)
    elif clear is not None:
        table[clear, 3] = 0
    return table


def gray_levels(data: bytes, name: str) -> np.ndarray:
    """Brightness (height, width): the gray value, or the red channel of a picture with colors, as in MuJoCo."""
    return decode(data, name)[:, :, 0]


def colors(data: bytes, name: str, channels: int) -> np.ndarray:
    """Pixels (height, width, channels): gray, gray and alpha, color, or color and alpha."""
    pixels = decode(data, name)
    kept = {1: slice(1), 2: slice(None, None, 3), 3: slice(3), 4: slice(4)}[channels]
    return np.ascontiguousarray(pixels[:, :, kept])


def is_srgb(data: bytes) -> bool:
    """Does the picture declare its values as sRGB?"""
    start = 8
    # a chunk of a file is length, kind, contents, checksum
    while start + 8 <= len(data) and (kind := data[start + 4 : start + 8]) != b"IDAT":
        if kind == b"sRGB":
            return True
        start += 12 + int.from_bytes(data[start : start + 4], "big")
    return False
