"""What is seen where there is nothing: the sky, and the haze in front of it at the end of an endless floor."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load4
from phalanx.algebra.number import and_, any_, maximum, minimum, or_, sqrt, where
from phalanx.algebra.vector import dot, where3
from phalanx.render.texture import cube_place, level_of, mixed, sampled

#: Places in `haze`: color, normal of the floor, height of the camera above it by the distance of the sky, how much haze
#: there is, and the part of its height at which it is densest.
COLOR, NORMAL, ELEVATION, AMOUNT, DENSEST = 0, 3, 6, 7, 8
#: Distance of the sky by the greatest depth that is drawn, as in MuJoCo.
SKY = 0.7


@kernel
def sky_color(f, chunk, is_here):
    """The color of the sky in the direction of rays; black without a sky."""
    zero = 0.0 * f.ray_to[chunk]
    if f.sky_texture < 0 or not any_(is_here):
        return (zero, zero, zero)
    direction = load3(f.sight, chunk)
    # the sky is turned by 90 degrees around x, as in MuJoCo
    face, u, v, long = cube_place((direction[0], direction[2], -direction[1]))
    size = 0.5 * f.level_width[f.texture_level[f.sky_texture]] * f.step_y / long
    return sampled(f, f.sky_texture, is_here, face, u, v, level_of(size * size))


@kernel
def with_sky(f, chunk, color):
    """Colors with the sky where nothing is seen, and with haze where the floor ends."""
    shape = f.hit_shape[chunk]
    is_empty = shape < 0.0
    if f.haze_shape < 0:
        return where3(is_empty, sky_color(f, chunk, is_empty), color)
    # the haze is a ring around the camera that rises from the floor to the horizon, mjrHAZE in MuJoCo
    direction, normal = load3(f.sight, chunk), load3(f.haze, NORMAL)
    descent = -dot(direction, normal)
    level = sqrt(maximum(dot(direction, direction) - descent * descent, 1e-300))
    slope, elevation, amount = descent / level, f.haze[ELEVATION], f.haze[AMOUNT]
    depth = maximum(slope, 0.0) / maximum(elevation + amount * maximum(slope, 0.0), 1e-12)
    height, densest = 1.0 - depth, f.haze[DENSEST]
    dense = where(height < densest, height / densest, (1.0 - height) / maximum(1.0 - densest, 1e-12))
    distance = where(is_empty, 1e300, f.seen_depth[chunk] * level)
    # an endless floor ends at the sky
    is_floor_far = and_(shape == float(f.haze_shape), distance > SKY * f.far)
    is_sky = or_(is_empty, is_floor_far)
    color = where3(is_sky, sky_color(f, chunk, is_sky), color)
    is_hazy = and_(and_(slope > 0.0, depth <= 1.0), distance > SKY * f.far * (1.0 - amount * depth))
    part = where(is_hazy, maximum(minimum(dense, 1.0), 0.0), 0.0)
    return mixed(color, load3(f.haze, COLOR), part)


@kernel
def with_fog(f, chunk, color):
    """Colors that fade into fog with depth, where something is seen."""
    if f.has_fog == 0:
        return color
    fog = load4(f.fog, 0)
    start, end = f.fog[4], f.fog[5]
    part = minimum(maximum((f.seen_depth[chunk] - start) / maximum(end - start, 1e-12), 0.0), 1.0)
    part = where(f.hit_shape[chunk] >= 0.0, part, 0.0)
    return mixed(color, (fog[0], fog[1], fog[2]), part)
