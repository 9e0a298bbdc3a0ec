"""The rays of a tile and the shapes on a list: what they meet first."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import and_, any_, lane_count, where
from phalanx.algebra.vector import sub
from phalanx.render.entering import TRIANGLES, crossing
from phalanx.render.picture_rows import PIXELS
from phalanx.render.triangles import meet_surface

#: What `ray_to` is of a ray that looks for nothing any more.
DONE = -1.0
#: What rays are for: what the camera sees, what a mirror shows, whether a light is seen.
TO_SEE, TO_MIRROR, TO_LIGHT = range(3)


@kernel
def chunks(f):
    """How many lanes the pixels of a tile are."""
    return PIXELS // lane_count(f.tile_x[0])


@kernel
def local_ray(f, shape, chunk):
    """Origin and direction of the rays of a lane in the frame of a shape."""
    pos, mat = load3(f.shape_pos, shape), load9(f.shape_mat, shape)
    origin = multiply_transposed(mat, sub(load3(f.ray_origin, chunk), pos))
    return origin, multiply_transposed(mat, load3(f.ray_direction, chunk))


@kernel
def meet_shape(f, shape, chunk, kind, size, is_any):
    """(distance, triangle) where the rays of a lane enter a shape before what they have met so far."""
    p, v = local_ray(f, shape, chunk)
    start, best = f.ray_from[chunk], f.ray_to[chunk]
    if kind == TRIANGLES:
        surface = f.shape_surface[shape]
        return meet_surface(f, surface, p, v, start, best, f.hit_triangle[chunk], is_any)
    x = crossing(kind, size, p, v)
    return where(and_(x >= start, x < best), x, best), f.hit_triangle[chunk]


@kernel
def trace(f, shapes, count, purpose):
    """What the rays of a tile meet among shapes: nearest hits in `ray_to`, `hit_shape` and `hit_triangle`.

    These hold what is known before. Of rays to a light only those are left that meet nothing; others are DONE.
    """
    for k in range(count):
        shape = shapes[k]
        kind, size = f.shape_kind[shape], load3(f.shape_size, shape)
        nearest = f.shape_depth[shape] if purpose == TO_SEE else 0.0
        if purpose == TO_LIGHT and f.shape_casts[shape] == 0:
            continue
        for chunk in range(chunks(f)):
            best = f.ray_to[chunk]
            if any_(best > nearest):
                x, triangle = meet_shape(f, shape, chunk, kind, size, purpose == TO_LIGHT)
                if purpose == TO_LIGHT:
                    f.ray_to[chunk] = where(x < best, DONE, best)
                else:
                    f.hit_shape[chunk] = where(x < best, float(shape), f.hit_shape[chunk])
                    f.hit_triangle[chunk] = triangle
                    f.ray_to[chunk] = x
