"""What is seen at the hits of a tile: point, normal, color and finish."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, load4, load9, store3, store4
from phalanx.algebra.number import abs_, any_, lane_count, lane_get, lane_set, where
from phalanx.algebra.vector import add_scaled, dot, negate, normalize, scale, sub, where3
from phalanx.render.entering import TRIANGLES
from phalanx.render.outward import outward
from phalanx.render.texture import textured
from phalanx.render.trace import chunks
from phalanx.render.weights import blend, weights_in, wide9
from phalanx.tables.enums import GeomType

#: What a plane that is seen from behind keeps of its alpha, as in MuJoCo.
FROM_BEHIND = 0.3
NOTHING = (0.0, 0.0, 0.0)
#: Cosine of rays that graze a surface.
GRAZING = 1e-4


@kernel
def triangle_normal(f, is_here, triangle, p):
    """Normals of a surface at points of its triangles, between those of the corners; each pixel by itself."""
    zero = 0.0 * p[0]
    x, y, z = zero, zero, zero
    for w in range(lane_count(zero)):
        if lane_get(is_here, w):
            found = int(lane_get(triangle, w))
            point = (lane_get(p[0], w), lane_get(p[1], w), lane_get(p[2], w))
            normal = blend(weights_in(wide9(f.triangle_corner, found), point), wide9(f.triangle_normal, found))
            x, y, z = lane_set(x, w, normal[0]), lane_set(y, w, normal[1]), lane_set(z, w, normal[2])
    return (x, y, z)


@kernel
def local_normal(f, shape, is_here, triangle, p):
    """The normal in the frame of the shape."""
    if f.shape_kind[shape] == TRIANGLES:
        return triangle_normal(f, is_here, triangle, p)
    return outward(f.shape_kind[shape], load3(f.shape_size, shape), p)


@kernel
def footprint(f, chunk, normal, aside):
    """The step on a surface to the next pixel, in the plane that touches it; `aside` is the step at depth 1."""
    direction = load3(f.ray_direction, chunk)
    depth = 1.0 if f.orthographic != 0 else f.seen_depth[chunk]
    facing = dot(normal, direction)
    along = dot(normal, aside) / where(abs_(facing) > GRAZING, facing, GRAZING)
    return scale(add_scaled(aside, direction, -along), depth)


@kernel
def find_surface(f, chunk, shape, with_color):
    """Normal, color and finish where the rays of a lane meet a shape."""
    is_here = f.hit_shape[chunk] == float(shape)
    if not any_(is_here):
        return
    mat = load9(f.shape_mat, shape)
    p = multiply_transposed(mat, sub(load3(f.point, chunk), load3(f.shape_pos, shape)))
    normal = multiply_vector(mat, local_normal(f, shape, is_here, f.hit_triangle[chunk], p))
    normal = normalize(normal)
    paint = load4(f.shape_rgba, shape)
    alpha = paint[3] + 0.0 * p[0]
    if f.shape_kind[shape] == GeomType.PLANE:
        is_behind = dot(normal, load3(f.ray_direction, chunk)) > 0.0
        normal = where3(is_behind, negate(normal), normal)
        alpha = where(is_behind, alpha * FROM_BEHIND, alpha)
    store3(f.normal, chunk, where3(is_here, normal, load3(f.normal, chunk)))
    if f.shape_texture[shape] >= 0 and with_color:
        right = multiply_transposed(mat, footprint(f, chunk, normal, load3(f.spread, 0)))
        down = multiply_transposed(mat, footprint(f, chunk, normal, load3(f.spread, 3)))
        pattern = textured(f, shape, is_here, f.hit_triangle[chunk], p, right, down)
        paint = (paint[0] * pattern[0], paint[1] * pattern[1], paint[2] * pattern[2], alpha)
    paint = (paint[0], paint[1], paint[2], alpha)
    store4(f.paint, chunk, where(is_here, paint, load4(f.paint, chunk)))
    store4(f.finish, chunk, where(is_here, load4(f.shape_finish, shape), load4(f.finish, chunk)))


@kernel
def find_surfaces(f, shapes, count, with_color):
    """Point, normal, color and finish at all hits of a tile; normal and alpha are zero where there is none."""
    for chunk in range(chunks(f)):
        origin, direction = load3(f.ray_origin, chunk), load3(f.ray_direction, chunk)
        is_hit = f.hit_shape[chunk] >= 0.0
        distance = where(is_hit, f.ray_to[chunk], 0.0)
        store3(f.point, chunk, add_scaled(origin, direction, distance))
        store3(f.normal, chunk, NOTHING)
        store4(f.paint, chunk, (0.0, 0.0, 0.0, 0.0))
        store4(f.finish, chunk, (0.0, 0.0, 0.0, 0.0))
        for k in range(count):
            find_surface(f, chunk, shapes[k], with_color)
