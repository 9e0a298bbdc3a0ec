"""Textures: pictures from files, or made."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np

from phalanx.compiler.asset.png import colors, is_srgb
from phalanx.compiler.asset.texture_builtin import bytes_of, make_cube, make_flat
from phalanx.compiler.model_build import Build
from phalanx.compiler.text.errors import ElementProblem, Wrong, quoted
from phalanx.compiler.text.files import Contents
from phalanx.tables.mjcf_schema import ELEMENTS

SIDES = ("right", "left", "up", "down", "front", "back")
LETTERS = "RLUDFB"
#: No picture has more bytes.
LARGEST = 2**28
SPACES = ELEMENTS["asset/texture"].attributes["colorspace"].keywords


def compile_textures(build: Build) -> None:
    build.each(build.objects["texture"], lambda texture: _compile_texture(build, texture))


def _compile_texture(build: Build, texture: Any) -> None:
    """Pixels (height, width, channels); a cube has six pictures below each other."""
    texture.pixels, texture.colorspace = np.zeros((0, 0, 3), np.uint8), SPACES[texture.guess("colorspace")]
    is_sound = build.check(texture, _wrong_channels(texture))
    is_flat = texture["type"] == "2d"
    if texture["file"] is not None and _is_ktx(texture, texture["file"]):
        if build.check(texture, _wrong_ktx(texture)) and is_sound:
            texture.pixels = _raw(texture)
    elif _is_left_out(texture):
        texture.pixels = np.zeros((0, 0, texture["nchannel"]), np.uint8)
    elif texture["builtin"] != "none":
        if build.check(texture, _wrong_size(texture)) and is_sound:
            texture.pixels = _make(texture.values, is_flat)
    else:
        pictures = _read_files(build, texture)
        if not is_flat and texture["file"] is not None:
            is_sound &= build.check(texture, _wrong_grid(texture, pictures))
        elif not is_flat:
            is_sound &= build.check(texture, _wrong_sides(pictures))
        if is_sound and pictures:
            join = _plain if is_flat else _cut if texture["file"] is not None else _join
            texture.pixels = join(texture, pictures)


def _wrong_channels(texture: Any) -> Iterator[Wrong]:
    channels = texture["nchannel"]
    if channels not in (1, 3, 4):
        yield f"nchannel is {channels}; it must be 1, 3 or 4", "nchannel"
        return
    is_cube_of_files = texture["type"] != "2d" and texture["builtin"] == "none" and _files(texture)
    is_converted = not _is_left_out(texture) and not _is_ktx(texture, texture["file"] or "")
    if channels != 3 and is_cube_of_files and is_converted:
        yield "a cube needs pictures with 3 channels", "nchannel"


def _files(texture: Any) -> list[str]:
    """Attributes that name a picture."""
    if texture["file"] is not None:
        return ["file"]
    return [f"file{side}" for side in SIDES if texture[f"file{side}"] and texture["type"] != "2d"]


def _read_files(build: Build, texture: Any) -> dict[str, np.ndarray]:
    """The picture that each attribute names; none if one of them cannot be read."""
    attributes, pictures = _files(texture), {}
    if not attributes:
        raise ElementProblem("a texture needs a file or a builtin pattern")
    for attribute in attributes:
        try:
            pictures[attribute] = _read(texture, texture[attribute])
        except ElementProblem as problem:
            build.report(texture.element, str(problem), attribute)
    return pictures if len(pictures) == len(attributes) else {}


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


def _wrong_ktx(texture: Any) -> Iterator[Wrong]:
    for name in ("hflip", "vflip"):
        if texture[name]:
            yield "a KTX picture cannot be flipped", name
    if texture["type"] != "2d" and not _is_left_out(texture):
        yield "a cube needs pictures with 3 channels, not KTX", "file"
    if not _is_left_out(texture):
        texture.scope.find_asset(texture["file"], "texturedir", texture.element)


def _raw(texture: Any) -> np.ndarray:
    """The bytes of a KTX file, which only viewers understand."""
    if _is_left_out(texture):
        return np.zeros((0, 0, 1), np.uint8)
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


def _size(values: Any) -> tuple[int, int]:
    return values["width"], values["height"] if values["type"] == "2d" else 6 * values["width"]


def _wrong_size(texture: Any) -> Iterator[Wrong]:
    """What is wrong with the size of a pattern."""
    width, height = _size(texture.values)
    if width < 1:
        yield "a builtin texture needs a positive width and height", "width"
    if height < 1 and texture["type"] == "2d":
        yield "a builtin texture needs a positive width and height", "height"
    if min(width, height) > 0 and width * height * texture["nchannel"] > LARGEST:
        yield f"a picture of {width} x {height} is too large", "width"


def _make(values: Any, is_flat: bool) -> np.ndarray:
    width, height = _size(values)
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
    channels = texture["nchannel"] if texture["nchannel"] in (1, 3, 4) else 3
    pixels, space = _picture(texture.scope.find_asset(name, "texturedir", texture.element), name, channels)
    if texture.colorspace == SPACES["auto"]:
        texture.colorspace = SPACES[space]
    pixels = pixels[:, ::-1] if texture["hflip"] else pixels
    return pixels[::-1] if texture["vflip"] else pixels


def _plain(texture: Any, pictures: dict[str, np.ndarray]) -> np.ndarray:
    return pictures["file"]


def _wrong_grid(texture: Any, pictures: dict[str, np.ndarray]) -> Iterator[Wrong]:
    """What is wrong with the squares of a picture that is to be cut, if it could be read."""
    rows, columns = texture["gridsize"]
    if rows < 1 or columns < 1 or rows * columns > 12:
        yield "gridsize must be positive, with at most 12 squares", "gridsize"
    else:
        for picture in pictures.values():
            height, width = picture.shape[:2]
            if width // columns != height // rows or width % columns or height % rows:
                yield f"a picture of {width} x {height} is not a grid of {rows} x {columns} squares", "gridsize"
    layout = texture["gridlayout"]
    if layout and (rows, columns) != (1, 1):
        if len(layout) != rows * columns:
            yield f"gridlayout has {len(layout)} letters, not {rows * columns}", "gridlayout"
        if set(layout) - set("." + LETTERS):
            yield f"gridlayout={layout!r} may hold only the letters .{LETTERS}", "gridlayout"


def _cut(texture: Any, pictures: dict[str, np.ndarray]) -> np.ndarray:
    """The sides of a cube out of one picture."""
    picture, (rows, columns) = pictures["file"], texture["gridsize"]
    if rows == columns == 1:
        return picture
    size = picture.shape[1] // columns
    sides = _unpainted(texture, size, picture.shape[2])
    for k, letter in enumerate(texture["gridlayout"] or ""):
        if letter != ".":
            row, column = size * (k // columns), size * (k % columns)
            sides[LETTERS.index(letter)] = picture[row : row + size, column : column + size]
    return sides.reshape(6 * size, size, -1)


def _unpainted(texture: Any, size: int, channels: int) -> np.ndarray:
    color = bytes_of(texture["rgb1"])
    return np.broadcast_to((*color, 255)[:channels], (6, size, size, channels)).astype(np.uint8)


def _wrong_sides(pictures: dict[str, np.ndarray]) -> Iterator[Wrong]:
    size = next((picture.shape[0] for picture in pictures.values()), 0)
    for attribute, picture in pictures.items():
        if picture.shape[:2] != (size, size):
            yield "the sides of a cube must be squares of one size", attribute


def _join(texture: Any, pictures: dict[str, np.ndarray]) -> np.ndarray:
    """The sides of a cube, one file each."""
    size = next(iter(pictures.values())).shape[0]
    sides = _unpainted(texture, size, texture["nchannel"])
    for attribute, picture in pictures.items():
        sides[SIDES.index(attribute.removeprefix("file"))] = picture
    return sides.reshape(6 * size, size, -1)


def write_textures(build: Build) -> None:
    textures, columns, sizes = build.objects["texture"], build.columns, build.sizes
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
