"""Textures: pictures from files, or painted patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from phalanx.compiler.asset.mesh_asset import starts_or_none
from phalanx.compiler.asset.png import check_pixels, colors, is_srgb, known_size
from phalanx.compiler.asset.texture_builtin import bytes_of, make_cube, make_flat
from phalanx.compiler.model_build import Build
from phalanx.compiler.model_object import ModelObject
from phalanx.compiler.text.attribute_values import AttributeValue
from phalanx.compiler.text.defaults import Values
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, Wrong, quoted
from phalanx.compiler.text.file_settings import Scope
from phalanx.compiler.text.files import Contents
from phalanx.tables.mjcf_schema import ELEMENTS

SIDES = ("right", "left", "up", "down", "front", "back")
#: Letter of each side in gridlayout.
LETTERS = "RLUDFB"
#: Largest value of a color.
LARGEST_COLOR = 1e6
#: Most pixels of pictures of which several are kept for the next model.
KEPT = 2**22
SPACES = ELEMENTS["asset/texture"].attributes["colorspace"].keywords


class Texture(ModelObject):
    """A texture; `pixels` are (height, width, channels), a cube has six pictures below each other."""

    pixels: np.ndarray = np.zeros((0, 0, 3), np.uint8)
    #: counts the bytes of a picture before it is decoded
    take: Callable[[int], None] | None = None
    #: code of the color space, AUTO until a file says more
    colorspace: int = SPACES["auto"]

    def __init__(self, element: Element, values: Values, scope: Scope):
        super().__init__(element, values, scope)
        #: picture of each attribute that names a file
        self.pictures: dict[str, np.ndarray] = {}


#: Yields the mistakes of a texture, and computes the pixels of one without mistakes.
Way = tuple[Callable[[Texture], Iterator[Wrong]], Callable[[Texture], np.ndarray]]


def compile_textures(build: Build) -> None:
    """Pixels of all textures."""
    build.each(build.textures, lambda texture: _compile_texture(build, texture))


def _compile_texture(build: Build, texture: Texture) -> None:
    texture.colorspace = SPACES[texture.guess("colorspace")]
    texture.take = build.take
    is_sound = build.check(texture, _wrong_channels(texture)) & build.check(texture, _wrong_colors(texture))
    find_mistakes, compute = _way_of(texture)
    if build.check(texture, find_mistakes(texture)) and is_sound:
        texture.pixels = compute(texture)


def _way_of(texture: Texture) -> Way:
    """How the pixels of a texture come about."""
    is_flat, has_file = texture["type"] == "2d", texture["file"] is not None
    if has_file and _is_ktx(texture):
        return _wrong_ktx, _ktx_bytes
    if _is_left_out(texture):
        return _nothing_wrong, _no_pixels
    if texture["builtin"] != "none":
        return _wrong_size, _painted
    if is_flat:
        return _wrong_files, _flat_picture
    return (_wrong_grid, _cut) if has_file else (_wrong_sides, _join)


def _wrong_colors(texture: Texture) -> Iterator[Wrong]:
    """Colors go from 0 to 1; those beyond are wrapped around as bytes, if they are not absurd."""
    for name in ("rgb1", "rgb2", "markrgb"):
        if max(map(abs, texture.guess(name) or (0.0,))) > LARGEST_COLOR:
            yield f"{name} is beyond {LARGEST_COLOR:g}; colors are between 0 and 1", name


def _wrong_channels(texture: Texture) -> Iterator[Wrong]:
    channels = texture["nchannel"]
    if channels not in (1, 3, 4):
        yield f"nchannel is {channels}; it must be 1, 3 or 4", "nchannel"
        return
    is_cube_of_files = texture["type"] != "2d" and texture["builtin"] == "none" and _files(texture)
    is_converted = not _is_left_out(texture) and not _is_ktx(texture)
    if channels != 3 and is_cube_of_files and is_converted:
        yield "a cube needs pictures with 3 channels", "nchannel"


# --- files that are not converted


def _is_left_out(texture: Texture) -> bool:
    """Is the file not read? With compiler/passthrough viewers read it, unless its pixels are to be changed here."""
    values = texture.values
    if texture.scope["passthrough"] != "textures" or values["file"] is None or values["builtin"] != "none":
        return False
    is_unchanged = not values["hflip"] and not values["vflip"] and values["gridsize"] == (1, 1)
    return is_unchanged and not texture.scope.is_in_memory(values["file"], "texturedir", texture.element)


def _nothing_wrong(texture: Texture) -> Iterator[Wrong]:
    return iter(())


def _no_pixels(texture: Texture) -> np.ndarray:
    return np.zeros((0, 0, texture["nchannel"]), np.uint8)


def _is_ktx(texture: Texture) -> bool:
    """Is the file, if there is one, in the KTX format of OpenGL?"""
    kind, name = texture["content_type"] or "", texture["file"] or ""
    return kind == "image/ktx" or (not kind and name.lower().endswith(".ktx"))


def _wrong_ktx(texture: Texture) -> Iterator[Wrong]:
    for name in ("hflip", "vflip"):
        if texture[name]:
            yield "a KTX picture cannot be flipped", name
    if not _is_left_out(texture):
        if texture["type"] != "2d":
            yield "a cube needs pictures with 3 channels, not KTX", "file"
        texture.scope.find_asset(texture["file"], "texturedir", texture.element)  # it may be missing, too


def _ktx_bytes(texture: Texture) -> np.ndarray:
    """The bytes of a KTX file, which viewers decode, as a picture of height 1."""
    if _is_left_out(texture):
        return np.zeros((0, 0, 1), np.uint8)
    data = texture.scope.find_asset(texture["file"], "texturedir", texture.element).data
    if texture.colorspace == SPACES["auto"]:
        texture.colorspace = SPACES["linear"]
    return np.frombuffer(data, np.uint8).reshape(1, -1, 1)


# --- patterns

#: Attributes that a pattern depends on, besides its size.
PATTERN = ("builtin", "rgb1", "rgb2", "mark", "markrgb", "random")


@lru_cache(maxsize=8)
def _pattern(is_flat: bool, width: int, height: int, settings: tuple[AttributeValue, ...]) -> np.ndarray:
    """Pixels of a pattern; cached, because most models have the same few."""
    pixels = (make_flat if is_flat else make_cube)(dict(zip(PATTERN, settings, strict=True)), width, height)
    pixels.flags.writeable = False
    return pixels


def _size(texture: Texture) -> tuple[int, int]:
    """Width and height of a pattern, of all six sides for a cube."""
    return texture["width"], texture["height"] if texture["type"] == "2d" else 6 * texture["width"]


def _wrong_size(texture: Texture) -> Iterator[Wrong]:
    width, height = _size(texture)
    if width < 1:
        yield "a builtin texture needs a positive width and height", "width"
    if height < 1 and texture["type"] == "2d":
        yield "a builtin texture needs a positive width and height", "height"
    limits = texture.scope.files.limits
    if min(width, height) > 0 and width * height > limits.texture_pixels:
        yield f"a picture of {width} x {height} is too large, {limits.beyond('texture_pixels')}", "width"
    elif min(width, height) > 0:
        _take(texture, width * height)


def _painted(texture: Texture) -> np.ndarray:
    width, height = _size(texture)
    channels = texture["nchannel"]
    pixels = _pattern(texture["type"] == "2d", width, height, tuple(texture[name] for name in PATTERN))
    if channels == 3:
        return pixels
    # MuJoCo writes patterns three bytes at a time, whatever the count of channels
    flat = np.zeros(height * width * channels, np.uint8)
    count = min(len(flat), pixels.size)
    flat[:count] = pixels.ravel()[:count]
    return flat.reshape(height, width, channels)


# --- pictures


def _files(texture: Texture) -> list[str]:
    """Attributes that name a picture."""
    if texture["file"] is not None:
        return ["file"]
    return [f"file{side}" for side in SIDES if texture[f"file{side}"] and texture["type"] != "2d"]


def _wrong_files(texture: Texture) -> Iterator[Wrong]:
    """Read the pictures into `texture.pictures`; it stays empty if one of them cannot be read."""
    attributes, pictures = _files(texture), {}
    if not attributes:
        raise ElementProblem("a texture needs a file or a builtin pattern")
    for attribute in attributes:
        try:
            pictures[attribute] = _read(texture, texture[attribute])
        except ElementProblem as problem:
            yield str(problem), attribute
    if len(pictures) == len(attributes):
        texture.pictures = pictures


def _take(texture: Texture, pixels: int) -> None:
    """Count the bytes of so many pixels."""
    if texture.take is not None:
        texture.take(pixels * texture["nchannel"])


@lru_cache(maxsize=16)
def _picture(contents: Contents, name: str, channels: int) -> tuple[np.ndarray, str]:
    """Pixels of a file and their color space; cached."""
    pixels = colors(contents.data, name, channels)
    pixels.flags.writeable = False
    return pixels, "sRGB" if is_srgb(contents.data) else "linear"


#: The same for pictures of which only the last one is kept.
_large_picture = lru_cache(maxsize=1)(_picture.__wrapped__)


def _read(texture: Texture, name: str) -> np.ndarray:
    """Pixels of one file, flipped as the texture asks for."""
    kind = texture["content_type"] or ""
    if kind not in ("", "image/png") or not (kind or name.lower().endswith(".png")):
        raise ElementProblem(f"file {quoted(name)}: only PNG pictures can be read", "file")
    # a wrong count of channels is reported already; the file may be wrong, too
    channels = texture["nchannel"] if texture["nchannel"] in (1, 3, 4) else 3
    contents = texture.scope.find_asset(name, "texturedir", texture.element)
    width, height = known_size(contents, name)
    check_pixels(width, height, texture.scope.files.limits)
    _take(texture, width * height)
    pixels, space = (_picture if width * height <= KEPT else _large_picture)(contents, name, channels)
    if texture.colorspace == SPACES["auto"]:
        texture.colorspace = SPACES[space]
    pixels = pixels[:, ::-1] if texture["hflip"] else pixels
    return pixels[::-1] if texture["vflip"] else pixels


def _flat_picture(texture: Texture) -> np.ndarray:
    return texture.pictures["file"]


def _wrong_grid(texture: Texture) -> Iterator[Wrong]:
    """Mistakes of a picture that is cut into the squares of a grid, as far as it could be read."""
    yield from _wrong_files(texture)
    rows, columns = texture["gridsize"]
    if rows < 1 or columns < 1 or rows * columns > 12:
        yield "gridsize must be positive, with at most 12 squares", "gridsize"
    else:
        for picture in texture.pictures.values():
            height, width = picture.shape[:2]
            if width // columns != height // rows or width % columns or height % rows:
                yield f"a picture of {width} x {height} is not a grid of {rows} x {columns} squares", "gridsize"
    layout = texture["gridlayout"]
    if layout and (rows, columns) != (1, 1):
        if len(layout) != rows * columns:
            yield f"gridlayout has {len(layout)} letters, not {rows * columns}", "gridlayout"
        if set(layout) - set("." + LETTERS):
            yield f"gridlayout={layout!r} may hold only the letters .{LETTERS}", "gridlayout"


def _cut(texture: Texture) -> np.ndarray:
    """The sides of a cube, cut out of one picture."""
    picture, (rows, columns) = texture.pictures["file"], texture["gridsize"]
    if rows == columns == 1:
        return picture
    size = picture.shape[1] // columns
    sides = _unpainted(texture, size, picture.shape[2])
    for k, letter in enumerate(texture["gridlayout"] or ""):
        if letter != ".":
            row, column = size * (k // columns), size * (k % columns)
            sides[LETTERS.index(letter)] = picture[row : row + size, column : column + size]
    return sides.reshape(6 * size, size, -1)


def _unpainted(texture: Texture, size: int, channels: int) -> np.ndarray:
    """Six sides in the color rgb1, which those without a picture keep."""
    color = bytes_of(texture["rgb1"])
    return np.broadcast_to((*color, 255)[:channels], (6, size, size, channels)).astype(np.uint8)


def _wrong_sides(texture: Texture) -> Iterator[Wrong]:
    """Mistakes of a cube with a file for each side."""
    yield from _wrong_files(texture)
    size = next((picture.shape[0] for picture in texture.pictures.values()), 0)
    for attribute, picture in texture.pictures.items():
        if picture.shape[:2] != (size, size):
            yield "the sides of a cube must be squares of one size", attribute


def _join(texture: Texture) -> np.ndarray:
    """The sides of a cube, one file each."""
    size = next(iter(texture.pictures.values())).shape[0]
    sides = _unpainted(texture, size, texture["nchannel"])
    for attribute, picture in texture.pictures.items():
        sides[SIDES.index(attribute.removeprefix("file"))] = picture
    return sides.reshape(6 * size, size, -1)


def write_textures(build: Build) -> None:
    """Columns of textures, their pixels one after another."""
    textures, columns = build.textures, build.columns
    if not textures:
        return
    build.copy_plain(ELEMENTS["asset/texture"], textures)
    columns["tex_colorspace"] = [texture.colorspace for texture in textures]
    for k, name in enumerate(("height", "width", "nchannel")):
        columns[f"tex_{name}"] = [texture.pixels.shape[k] for texture in textures]
    counts = [texture.pixels.size for texture in textures]
    columns["tex_adr"] = starts_or_none(counts)
    build.pieces["tex_data"] = [texture.pixels.ravel() for texture in textures]
    build.sizes["ntexdata"] = sum(counts)
