"""Memory of a picture: what the kernels of the renderer read and write, a row each.

`f` in a kernel is a view of a `Frame`, as `d` is one of a Data: `f.shape_size` is an array, `f.far` a number. A table of
addresses, one slot for each row, is what compiled code gets. Rows that are `own` are working memory for a tile: every
thread has its own.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.number_type import NumberType
from phalanx.native.intrinsics import At
from phalanx.native.number import number_type
from phalanx.native.types import (
    BYTE_ELEMENT,
    FLOAT32_ELEMENT,
    FLOAT64_ELEMENT,
    INT32_ELEMENT,
    INT64_ELEMENT,
    Element,
    Member,
    number_element,
    view,
)

#: Pixels along a side of a tile, in a tile, and along a side of a block of tiles.
SIDE, PIXELS, BLOCK = 8, 64, 64
#: Numbers of a bundle of rays, see `bundle.py`.
BUNDLE = 10
#: Nodes that wait while a tree is searched, at most.
STACK = 64
#: What `element` of a row may be besides a type of NumPy: a number in lanes, a pixel each.
LANE = "lane"

_ELEMENTS = {
    "float64": FLOAT64_ELEMENT,
    "float32": FLOAT32_ELEMENT,
    "int64": INT64_ELEMENT,
    "int32": INT32_ELEMENT,
    "uint8": BYTE_ELEMENT,
}


@dataclass(frozen=True)
class Row:
    """An array, or a number, of a Frame.

    Attributes:
        name: attribute of the frame.
        element: NumPy type, or LANE.
        inner: shape of an element of the first axis; None for a single number.
        doc: what it is.
        own: how many elements each thread has of its own; 0 if all threads share the array.
    """

    name: str
    element: str
    inner: tuple[int, ...] | None
    doc: str
    own: int = 0


def _numbers(element: str, *rows: tuple[str, str]) -> tuple[Row, ...]:
    return tuple(Row(name, element, None, doc) for name, doc in rows)


def _tile(name: str, inner: tuple[int, ...], doc: str) -> Row:
    return Row(name, LANE, inner, doc, own=PIXELS)


VIEW = (
    Row("eye", "float64", (), "position of the camera [m]"),
    Row("axes", "float64", (), "rotation matrix of the camera"),
    *_numbers(
        "float64",
        ("left", "x in the frame of the camera of the left edge of the picture, at depth 1"),
        ("top", "y of its top edge"),
        ("step_x", "width of a pixel"),
        ("step_y", "height of a pixel"),
        ("near", "least depth that is seen [m]"),
        ("far", "greatest depth that is seen [m]"),
    ),
    *_numbers(
        "int64",
        ("orthographic", "are rays parallel?"),
        ("width", "pixels in a row"),
        ("height", "rows of pixels"),
        ("samples", "samples of a color in a row and in a column of a pixel"),
    ),
)

SHAPES = (
    *_numbers("int64", ("nshape", "how many shapes there are")),
    Row("shape_kind", "int64", (), "what a ray meets, see `entering.py`"),
    Row("shape_pos", "float64", (3,), "origin [m]"),
    Row("shape_mat", "float64", (9,), "rotation matrix"),
    Row("shape_size", "float64", (3,), "sizes [m]"),
    Row("shape_middle", "float64", (3,), "center of the bounding sphere, in the frame of the shape [m]"),
    Row("shape_radius", "float64", (), "radius of the bounding sphere; negative if there is none [m]"),
    Row("shape_center", "float64", (3,), "center of the bounding sphere in the world [m]"),
    Row("shape_depth", "float64", (), "least depth of the bounding sphere [m]"),
    Row("shape_order", "int64", (), "shapes from near to far"),
    Row("shape_rgba", "float64", (4,), "color"),
    Row("shape_finish", "float64", (4,), "emission, specular, shininess, reflectance"),
    Row("shape_surface", "int64", (), "its triangles, -1 if it has none"),
    Row("shape_texture", "int64", (), "its texture, -1 if it has none"),
    Row("shape_mapping", "float64", (4,), "scale and offset of texture coordinates"),
    Row("shape_casts", "int64", (), "does it cast a shadow?"),
    Row("shape_label", "int32", (3,), "id and type of the object, and its body"),
)

SURFACES = (
    Row("surface_node", "int64", (), "root of its tree among the nodes"),
    Row("surface_level", "int64", (), "levels of the tree below the root"),
    Row("surface_triangle", "int64", (), "its first triangle"),
    Row("node_box", "float32", (6,), "least and greatest corner of a node"),
    Row("triangle_corner", "float32", (9,), "corners of a triangle"),
    Row("triangle_normal", "float32", (9,), "normals at its corners"),
    Row("triangle_uv", "float32", (6,), "texture coordinates at its corners"),
)

TEXTURES = (
    Row("texture_kind", "int64", (), "flat or cube, see `texture.py`"),
    Row("texture_level", "int64", (), "its first level, the finest"),
    Row("texture_levels", "int64", (), "how many levels it has"),
    Row("level_texel", "int64", (), "first texel of a level"),
    Row("level_width", "int64", (), "texels in a row"),
    Row("level_height", "int64", (), "rows of texels, of one face of a cube"),
    Row("texel", "uint8", (3,), "colors"),
)

LIGHTS = (
    *_numbers("int64", ("nlight", "how many lights there are"), ("shadows", "are shadows drawn?")),
    Row("light_kind", "int64", (), "LightType"),
    Row("light_pos", "float64", (3,), "position [m]"),
    Row("light_dir", "float64", (3,), "direction"),
    Row("light_ambient", "float64", (3,), "color of light from all sides"),
    Row("light_diffuse", "float64", (3,), "color of light that is scattered"),
    Row("light_specular", "float64", (3,), "color of highlights"),
    Row("light_fade", "float64", (3,), "constant, linear and quadratic attenuation"),
    Row("light_cone", "float64", (2,), "cosine of the cutoff of a spot, and its exponent"),
    Row("light_casts", "int64", (), "does it cast shadows?"),
)

SURROUNDINGS = (
    *_numbers(
        "int64",
        ("sky_texture", "texture of the sky, -1 if there is none"),
        ("haze_shape", "endless plane that ends in haze, -1 if there is none"),
        ("mirror_shape", "plane or box that reflects, -1 if there is none"),
        ("has_fog", "is there fog?"),
    ),
    Row("haze", "float64", (), "see `sky.py`"),
    Row("fog", "float64", (), "color, and depths at which it begins and is complete [m]"),
)

WORLDS = (
    *_numbers("int64", ("nworld", "how many worlds are drawn in one call")),
    Row("world_pos", "float64", (3,), "origins of the shapes of each world, one world after another [m]"),
    Row("world_mat", "float64", (9,), "their rotation matrices"),
    Row("world_eye", "float64", (3,), "positions of the cameras [m]"),
    Row("world_axes", "float64", (9,), "their rotation matrices"),
    Row("world_light_pos", "float64", (3,), "positions of the lights of each world [m]"),
    Row("world_light_dir", "float64", (3,), "their directions"),
)

OUTPUTS = (
    *_numbers("int64", ("wanted", "bits of the outputs that are asked for, see `tile.py`")),
    Row("rgb", "uint8", (3,), "color"),
    Row("depth", "float32", (), "depth [m]"),
    Row("segmentation", "int32", (2,), "id and type of the object"),
    Row("body", "int32", (), "body"),
    Row("normals", "float32", (3,), "normal in the world"),
)

TILE = (
    Row("first_pixel", "int64", (), "where the pixels of the picture begin in the outputs", own=1),
    Row("tile_x", LANE, (), "column of each pixel in a tile"),
    Row("tile_y", LANE, (), "row of each pixel in a tile"),
    Row("tile_column", "int64", (), "the same columns as integers"),
    Row("tile_row", "int64", (), "the same rows as integers"),
    Row("bundle", "float64", (), "rays of the tile, as a cone", own=BUNDLE),
    Row("spread", "float64", (), "steps to the next pixel, to the right and down, at depth 1", own=6),
    Row("stack", "int64", (), "nodes of a tree that wait", own=STACK),
    _tile("ray_origin", (3,), "where rays begin [m]"),
    _tile("ray_direction", (3,), "where they go"),
    _tile("ray_from", (), "hits count from this distance on, in lengths of the direction"),
    _tile("ray_to", (), "distance of the nearest hit so far"),
    _tile("hit_shape", (), "shape of that hit, -1 without one"),
    _tile("hit_triangle", (), "triangle of that hit"),
    _tile("sight", (3,), "direction in which the camera, or a mirror, looks"),
    _tile("seen_depth", (), "depth of what is seen"),
    _tile("point", (3,), "point that is seen [m]"),
    _tile("normal", (3,), "normal there"),
    _tile("paint", (4,), "color there, before light, and alpha"),
    _tile("finish", (4,), "emission, specular, shininess, reflectance there"),
    _tile("light", (3,), "light that the point sends to the camera"),
    _tile("color", (3,), "color of the pixel so far"),
    _tile("share", (), "what part of the color is still open"),
    _tile("mirror", (), "what part of the color a mirror adds"),
    _tile("mirror_point", (3,), "where the mirror is seen [m]"),
    _tile("mirror_depth", (), "its depth"),
)

ROWS: dict[str, Row] = {row.name: row for row in (*VIEW, *SHAPES, *SURFACES, *TEXTURES, *LIGHTS, *SURROUNDINGS, *WORLDS, *OUTPUTS, *TILE)}
#: Lists of shapes: in a block, in a tile, in a bundle of secondary rays. As long as there are shapes.
LISTS = ("block_list", "tile_list", "bundle_list")
ROWS |= {name: Row(name, "int64", (), "shapes that a bundle of rays may meet") for name in LISTS}
_SLOTS = {name: slot for slot, name in enumerate(ROWS)}


class FrameSchema:
    """What the compiler must know of a Frame whose lanes have a number type: see `native/types.py`."""

    name = "frame"

    def __init__(self, number: NumberType):
        self._lane: Element = number_element(number_type(number))
        self._members = {name: self._member(row) for name, row in ROWS.items()}

    def _member(self, row: Row) -> Member:
        element = self._lane if row.element == LANE else _ELEMENTS[row.element]
        return Member(_SLOTS[row.name], element, row.inner, alias=f"frame.{row.name}")

    def member(self, path: str) -> Member | None:
        """The row of this name."""
        return self._members.get(path)

    @functools.cached_property
    def digest(self) -> str:
        """The whole layout, for the keys of compiled code."""
        text = repr([(row.name, row.element, row.inner) for row in ROWS.values()]) + self._lane.storage
        return hashlib.sha256(text.encode()).hexdigest()

    def is_record(self, path: str) -> bool:
        """A frame has no records inside."""
        return False

    def explain(self, path: str) -> str:
        """What to say of a name that is no row."""
        return f"a Frame has no {path!r}"


@functools.cache
def frame_schema(number: NumberType) -> FrameSchema:
    """The layout for a number type."""
    return FrameSchema(number)


def frame_at(number: NumberType) -> At:
    """The intrinsic that makes a view of the address of a Frame, in an entry."""
    return At(view(frame_schema(number), constant=False))


class Frame:
    """Arrays of the rows, and tables of their addresses, one for each thread.

    Args:
        threads: how many threads there are, each with its own working memory.
    """

    def __init__(self, threads: int = 1):
        self.threads = threads
        self._shared: dict[str, np.ndarray] = {}
        self._own: list[dict[str, np.ndarray]] = [{} for _ in range(threads)]
        self._tables = [aligned_zeros((len(ROWS),), np.int64) for _ in range(threads)]
        for row in ROWS.values():
            if row.inner is None:
                self.bind(row.name, np.zeros(1, row.element))
            elif row.own:
                for thread in range(threads):
                    self._bind_own(thread, row, row.own)
        self.reserve_lists(0)

    def bind(self, name: str, array: np.ndarray) -> None:
        """Let all threads use an array for a row."""
        self._shared[name] = array
        for table in self._tables:
            table[_SLOTS[name]] = array.ctypes.data

    def bind_own(self, thread: int, name: str, array: np.ndarray) -> None:
        """Let one thread use an array for a row."""
        self._own[thread][name] = array
        self._tables[thread][_SLOTS[name]] = array.ctypes.data

    def _bind_own(self, thread: int, row: Row, count: int) -> None:
        dtype = np.float64 if row.element == LANE else row.element
        self.bind_own(thread, row.name, aligned_zeros((count, *(row.inner or ())), dtype))

    def reserve_lists(self, nshape: int) -> None:
        """Make room in the lists of shapes."""
        for thread in range(self.threads):
            for name in LISTS:
                self._bind_own(thread, ROWS[name], nshape)

    def set(self, **numbers: float) -> None:
        """Set single numbers."""
        for name, value in numbers.items():
            self._shared[name][0] = value

    def fill(self, name: str, values: Any) -> np.ndarray:
        """Copy values into the array of a row, which is made or enlarged when it does not fit."""
        row = ROWS[name]
        given = np.asarray(values)
        array = self._shared.get(name)
        if array is None or array.shape != given.shape:
            array = aligned_zeros(given.shape, np.float64 if row.element == LANE else row.element)
            self.bind(name, array)
        array[...] = given
        return array

    def __contains__(self, name: str) -> bool:
        return name in self._shared

    def __getitem__(self, name: str) -> np.ndarray:
        return self._shared[name]

    def address(self, thread: int) -> int:
        """Address of the table of a thread."""
        return int(self._tables[thread].ctypes.data)

    def plain(self, thread: int) -> PlainFrame:
        """What `f` is when kernels run interpreted."""
        return PlainFrame({**self._shared, **self._own[thread]})


class PlainFrame:
    """Attributes for interpreted kernels: arrays, and numbers as they are."""

    def __init__(self, arrays: dict[str, np.ndarray]):
        for name, array in arrays.items():
            setattr(self, name, array[0] if ROWS[name].inner is None else array)
