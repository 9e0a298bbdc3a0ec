"""Rows of a Frame: what the kernels of the renderer read and write.

`f` in a kernel is a view of a Frame, as `d` is one of a Data: `f.shape_size` is an array, `f.far` a number. Rows that
are `own` are working memory for a tile: every thread has its own.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Pixels along a side of a tile, in a tile, and along a side of a block of tiles.
SIDE, PIXELS, BLOCK = 8, 64, 64
#: Numbers of a bundle of rays, see `bundle.py`.
BUNDLE = 10
#: Nodes that wait while a tree is searched, at most.
STACK = 64
#: What `element` of a row may be besides a type of NumPy: a number in lanes, a pixel each.
LANE = "lane"


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

ROWS: dict[str, Row] = {
    row.name: row for row in (*VIEW, *SHAPES, *SURFACES, *TEXTURES, *LIGHTS, *SURROUNDINGS, *WORLDS, *OUTPUTS, *TILE)
}
#: Lists of shapes: in a block, in a tile, in a bundle of secondary rays. As long as there are shapes.
LISTS = ("block_list", "tile_list", "bundle_list")
ROWS |= {name: Row(name, "int64", (), "shapes that a bundle of rays may meet") for name in LISTS}
ROWS["sphere"] = Row("sphere", LANE, (4,), "bounding spheres in the order of shapes: center and radius [m]")
#: Place of each row in the table of addresses.
SLOTS = {name: slot for slot, name in enumerate(ROWS)}
