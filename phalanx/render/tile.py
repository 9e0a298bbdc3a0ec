"""A picture, tile by tile: rays, hits, light, and the outputs that are asked for."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import clamp, lane_count, lane_get
from phalanx.algebra.sharing import shared_add
from phalanx.render.bundle import bundle_of_view, select_from_all, select_shapes
from phalanx.render.coloring import add_color, aim
from phalanx.render.picture_rows import BLOCK, SIDE
from phalanx.render.seen_surface import find_surfaces
from phalanx.render.trace import TO_SEE, chunks, trace

#: Bits of `wanted`.
RGB, DEPTH, SEGMENTATION, BODY, NORMALS = 1, 2, 4, 8, 16
#: Outputs that look at the middle of a pixel.
GEOMETRY = DEPTH | SEGMENTATION | BODY | NORMALS


@kernel
def write_geometry(f, x0, y0):
    """What the middle of each pixel shows: depth, object, body, normal."""
    width = lane_count(f.tile_x[0])
    for chunk in range(chunks(f)):
        depth, shape, normal = f.ray_to[chunk], f.hit_shape[chunk], load3(f.normal, chunk)
        for w in range(width):
            pixel = chunk * width + w
            x, y = x0 + f.tile_column[pixel], y0 + f.tile_row[pixel]
            if x < f.width and y < f.height:
                place, seen = f.first_pixel[0] + y * f.width + x, int(lane_get(shape, w))
                if (f.wanted & DEPTH) != 0:
                    f.depth[place] = lane_get(depth, w)
                if (f.wanted & SEGMENTATION) != 0:
                    f.segmentation[place, 0] = f.shape_label[seen, 0] if seen >= 0 else -1
                    f.segmentation[place, 1] = f.shape_label[seen, 1] if seen >= 0 else -1
                if (f.wanted & BODY) != 0:
                    f.body[place] = f.shape_label[seen, 2] if seen >= 0 else -1
                if (f.wanted & NORMALS) != 0:
                    for k in (0, 1, 2):
                        f.normals[place, k] = lane_get(normal[k], w)


@kernel
def write_color(f, x0, y0):
    """The color of each pixel, the mean of its samples, as bytes."""
    width, mean = lane_count(f.tile_x[0]), 1.0 / (f.samples * f.samples)
    for chunk in range(chunks(f)):
        color = load3(f.color, chunk)
        bytes_ = tuple(255.0 * clamp(color[k] * mean, 0.0, 1.0) + 0.5 for k in range(3))
        for w in range(width):
            pixel = chunk * width + w
            x, y = x0 + f.tile_column[pixel], y0 + f.tile_row[pixel]
            if x < f.width and y < f.height:
                place = f.first_pixel[0] + y * f.width + x
                for k in (0, 1, 2):
                    f.rgb[place, k] = int(lane_get(bytes_[k], w))


@kernel
def draw_tile(f, x0, y0, count):
    """All outputs of a tile; the first `count` shapes of `tile_list` may be seen in it."""
    if (f.wanted & GEOMETRY) != 0:
        aim(f, x0, y0, 0.5, 0.5)
        trace(f, f.tile_list, count, TO_SEE)
        if (f.wanted & NORMALS) != 0:
            find_surfaces(f, f.tile_list, count, False)
        write_geometry(f, x0, y0)
    if (f.wanted & RGB) == 0:
        return
    for chunk in range(chunks(f)):
        store3(f.color, chunk, (0.0, 0.0, 0.0))
    for row in range(f.samples):
        for column in range(f.samples):
            add_color(f, x0, y0, (column + 0.5) / f.samples, (row + 0.5) / f.samples, count)
    write_color(f, x0, y0)


@kernel
def block_columns(f):
    """How many blocks a row of the picture has."""
    return (f.width + BLOCK - 1) // BLOCK


@kernel
def count_blocks(f):
    """How many blocks the picture has."""
    return block_columns(f) * ((f.height + BLOCK - 1) // BLOCK)


@kernel
def draw_block(f, block):
    """The tiles of a block."""
    x0, y0 = (block % block_columns(f)) * BLOCK, (block // block_columns(f)) * BLOCK
    right, bottom = min(x0 + BLOCK, f.width), min(y0 + BLOCK, f.height)
    bundle_of_view(f, float(x0), float(y0), float(right), float(bottom))
    count = select_from_all(f, f.block_list)
    for y in range(y0, bottom, SIDE):
        for x in range(x0, right, SIDE):
            bundle_of_view(f, float(x), float(y), float(x + SIDE), float(y + SIDE))
            found = select_shapes(f, f.block_list, count, f.tile_list)
            draw_tile(f, x, y, found)


@kernel
def draw_blocks(f, taken, amount):
    """At most so many blocks of the picture that no other thread has taken; `taken[0]` counts them."""
    for _ in range(amount):
        block = shared_add(taken, 0, 1)
        if block >= count_blocks(f):
            break
        draw_block(f, block)
