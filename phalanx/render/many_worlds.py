"""Pictures of many worlds in one call: each thread takes a world, brings its poses into place, and draws it."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load9, store3, store9
from phalanx.algebra.sharing import shared_add
from phalanx.render.bundle import arrange_shapes
from phalanx.render.tile import count_blocks, draw_block


@kernel
def bring_into_place(f, world):
    """Poses of shapes, camera and lights of a world, and where its pixels begin."""
    first = world * f.nshape
    for shape in range(f.nshape):
        store3(f.shape_pos, shape, load3(f.world_pos, first + shape))
        store9(f.shape_mat, shape, load9(f.world_mat, first + shape))
    store3(f.eye, 0, load3(f.world_eye, world))
    store9(f.axes, 0, load9(f.world_axes, world))
    first = world * f.nlight
    for light in range(f.nlight):
        store3(f.light_pos, light, load3(f.world_light_pos, first + light))
        store3(f.light_dir, light, load3(f.world_light_dir, first + light))
    f.first_pixel[0] = world * f.width * f.height


@kernel
def draw_worlds(f, taken, amount):
    """At most so many worlds that no other thread has taken; `taken[0]` counts them."""
    for _ in range(amount):
        world = shared_add(taken, 0, 1)
        if world >= f.nworld:
            break
        bring_into_place(f, world)
        arrange_shapes(f)
        for block in range(count_blocks(f)):
            draw_block(f, block)
