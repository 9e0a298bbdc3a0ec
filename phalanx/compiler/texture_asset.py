"""Textures: pictures from files, or made."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np

from phalanx.compiler.build import Build
from phalanx.compiler.errors import ElementProblem, quoted
from phalanx.compiler.files import Contents
from phalanx.compiler.png import colors, is_srgb
from phalanx.compiler.texture_builtin import bytes_of, make_cube, make_flat
from phalanx.tables.mjcf_schema import ELEMENTS

SIDES = ("right", "left", "up", "down", "front", "back")
LETTERS = "RLUDFB"
#: No picture has more bytes.
LARGEST = 2**28
SPACES = ELEMENTS["asset/texture"].attributes["colorspace"].keywords


def compile_textures(build: Build) -> None:
    build.each(build.things["texture"], _compile_texture)


def _compile_texture(texture: Any) -> None:
    """Pixels (height, width, channels); a cube has six pictures below each other."""
    values = texture.values
    texture.pixels, texture.colorspace = np.zeros((0, 0, 3), np.uint8), SPACES[values["colorspace"]]
    if values["nchannel"] not in (1, 3, 4):
        raise ElementProblem(f"nchannel is {values['nchannel']}; it must be 1, 3 or 4", "nchannel")
    sides = [values[f"file{side}"] for side in SIDES]
    is_flat = values["type"] == "2d"
    if values["file"] is not None and _is_ktx(values, values["file"]):
        texture.pixels = _raw(texture, is_flat)
    elif _is_left_out(texture):
        texture.pixels = np.zeros((0, 0, values["nchannel"]), np.uint8)
    elif values["builtin"] != "none":
        texture.pixels = _make(values, is_flat)
    elif not is_flat and values["nchannel"] != 3 and (values["file"] is not None or any(sides)):
        raise ElementProblem("a cube needs pictures with 3 channels", "nchannel")
    elif values["file"] is not None:
        picture = _read(texture, values["file"])
        texture.pixels = picture if is_flat else _cut(texture, picture)
    elif is_flat or not any(sides):
        raise ElementProblem("a texture needs a file or a builtin pattern")
    else:
        texture.pixels = _join(texture, sides)


def _is_left_out(texture: Any) -> bool:
    """Does the file stay where it is? With passthrough the viewer reads it, unless its pixels are to be changed."""
    values = texture.values
    if texture.scope["passthrough"] != "textures" or values["file"] is None or values["builtin"] != "none":
        return False
    is_plain = not values["hflip"] and not values["vflip"] and values["gridsize"] == (1, 1)
    return is_plain and not texture.scope.is_in_memory(values["file"], "texturedir", texture.element)


def _is_ktx(values: Any, name: str) -> bool:
    kind = values["content_type"] or ""
    return kind == "image/ktx" or (not kind and name.lower().endswith(".ktx"))


def _raw(texture: Any, is_flat: bool) -> np.ndarray:
    """The bytes of a KTX file, which only viewers understand."""
    if texture["hflip"] or texture["vflip"]:
        raise ElementProblem("a KTX picture cannot be flipped", "hflip" if texture["hflip"] else "vflip")
    if _is_left_out(texture):
        return np.zeros((0, 0, 1), np.uint8)
    if not is_flat:
        raise ElementProblem("a cube needs pictures with 3 channels, not KTX", "file")
    data = texture.scope.find_asset(texture["file"], "texturedir", texture.element).data
    if texture.colorspace == SPACES["auto"]:
        texture.colorspace = SPACES["linear"]
    return np.frombuffer(data, np.uint8).reshape(1, -1, 1)


#: What a pattern depends on, besides its size.
PATTERN = ("builtin", "rgb1", "rgb2", "mark", "markrgb", "random")


@lru_cache(maxsize=8)
def _pattern(is_flat: bool, width: int, height: int, settings: tuple[Any, ...]) -> np.ndarray:
    """Pixels of a pattern, remembered: most models have the same few."""
    pixels = (make_flat if is_flat else make_cube)(dict(zip(PATTERN, settings, strict=True)), width, height)
    pixels.flags.writeable = False
    return pixels


def _make(values: Any, is_flat: bool) -> np.ndarray:
    width, height = values["width"], values["height"]
    if width < 1 or (is_flat and height < 1):
        raise ElementProblem("a builtin texture needs a positive width and height", "width" if width < 1 else "height")
    height = height if is_flat else 6 * width
    if width * height * values["nchannel"] > LARGEST:
        raise ElementProblem(f"a picture of {width} x {height} is too large", "width")
    pixels = _pattern(is_flat, width, height, tuple(values[name] for name in PATTERN))
    if values["nchannel"] == 3:
        return pixels
    # patterns are written three bytes at a time, whatever the number of channels
    flat = np.zeros(height * width * values["nchannel"], np.uint8)
    count = min(len(flat), pixels.size)
    flat[:count] = pixels.ravel()[:count]
    return flat.reshape(height, width, values["nchannel"])


@lru_cache(maxsize=16)
def _picture(contents: Contents, name: str, channels: int) -> tuple[np.ndarray, str]:
    """Pixels of a file and what their numbers stand for, remembered."""
    pixels = colors(contents.data, name, channels)
    pixels.flags.writeable = False
    return pixels, "sRGB" if is_srgb(contents.data) else "linear"


def _read(texture: Any, name: str) -> np.ndarray:
    kind = texture["content_type"] or ""
    if kind not in ("", "image/png") or not (kind or name.lower().endswith(".png")):
        raise ElementProblem(f"file {quoted(name)}: only PNG pictures can be read", "file")
    pixels, space = _picture(texture.scope.find_asset(name, "texturedir", texture.element), name, texture["nchannel"])
    if texture.colorspace == SPACES["auto"]:
        texture.colorspace = SPACES[space]
    pixels = pixels[:, ::-1] if texture["hflip"] else pixels
    return pixels[::-1] if texture["vflip"] else pixels


def _cut(texture: Any, picture: np.ndarray) -> np.ndarray:
    """The sides of a cube out of one picture."""
    rows, columns = texture["gridsize"]
    height, width = picture.shape[:2]
    if rows < 1 or columns < 1 or rows * columns > 12:
        raise ElementProblem("gridsize must be positive, with at most 12 squares", "gridsize")
    if width // columns != height // rows or width % columns or height % rows:
        raise ElementProblem(f"a picture of {width} x {height} is not a grid of {rows} x {columns} squares", "gridsize")
    if rows == columns == 1:
        return picture
    layout = texture["gridlayout"] or "." * (rows * columns)
    if len(layout) != rows * columns:
        raise ElementProblem(f"gridlayout has {len(layout)} letters, not {rows * columns}", "gridlayout")
    if set(layout) - set("." + LETTERS):
        raise ElementProblem(f"gridlayout={layout!r} may hold only the letters .{LETTERS}", "gridlayout")
    size = width // columns
    sides = _plain(texture, size, picture.shape[2])
    for k, letter in enumerate(layout):
        if letter != ".":
            row, column = size * (k // columns), size * (k % columns)
            sides[LETTERS.index(letter)] = picture[row : row + size, column : column + size]
    return sides.reshape(6 * size, size, -1)


def _plain(texture: Any, size: int, channels: int) -> np.ndarray:
    color = bytes_of(texture["rgb1"])
    return np.broadcast_to((*color, 255)[:channels], (6, size, size, channels)).astype(np.uint8)


def _join(texture: Any, files: list[str | None]) -> np.ndarray:
    """The sides of a cube, one file each."""
    pictures = {k: _read(texture, name) for k, name in enumerate(files) if name}
    size = next(iter(pictures.values())).shape[0]
    for k, picture in pictures.items():
        if picture.shape[:2] != (size, size):
            raise ElementProblem("the sides of a cube must be squares of one size", f"file{SIDES[k]}")
    sides = _plain(texture, size, texture["nchannel"])
    for k, picture in pictures.items():
        sides[k] = picture
    return sides.reshape(6 * size, size, -1)


def write_textures(build: Build) -> None:
    textures, columns, sizes = build.things["texture"], build.columns, build.sizes
    if not textures:
        return
    build.copy_plain(ELEMENTS["asset/texture"], textures)
    columns["tex_colorspace"] = [texture.colorspace for texture in textures]
    for k, name in enumerate(("height", "width", "nchannel")):
        columns[f"tex_{name}"] = [texture.pixels.shape[k] for texture in textures]
    counts = [texture.pixels.size for texture in textures]
    starts = accumulate(counts, initial=0)
    columns["tex_adr"] = [start if count else -1 for count, start in zip(counts, starts, strict=False)]
    build.pieces["tex_data"] = [texture.pixels.ravel() for texture in textures]
    sizes["ntexdata"] = sum(counts)
