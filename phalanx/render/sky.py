"""What is seen where there is nothing: the sky, and the haze in front of it at the end of an endless floor."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load4, load9
from phalanx.algebra.number import and_, any_, clamp, maximum, minimum, or_, sqrt, where
from phalanx.algebra.vector import dot, sub, where3
from phalanx.render.texture import cube_place, level_of, mixed, sampled

#: Places in `haze`: color, how much of it there is, and the part of its height at which it is densest.
COLOR, AMOUNT, DENSEST = 0, 3, 4
#: Distance of the sky by the greatest depth that is drawn, as in MuJoCo.
SKY = 0.7
ENDLESS = 1e300


@kernel
def sky_color(f, chunk, is_here):
    """The color of the sky in the direction of rays; black without a sky."""
    zero = 0.0 * f.ray_to[chunk]
    if f.sky_texture < 0 or not any_(is_here):
        return (zero, zero, zero)
    direction = load3(f.sight, chunk)
    # the top of the sky is at +z, that of other cubes at +y
    face, u, v, long = cube_place((direction[0], direction[2], -direction[1]))
    size = 0.5 * f.level_width[f.texture_level[f.sky_texture]] * f.step_y / long
    return sampled(f, f.sky_texture, is_here, face, u, v, level_of(size * size))


@kernel
def elevation(f):
    """Height of the camera above the endless plane by the distance of the sky; negative if there is none."""
    if f.haze_shape < 0:
        return -1.0
    mat, offset = load9(f.shape_mat, f.haze_shape), sub(load3(f.eye, 0), load3(f.shape_pos, f.haze_shape))
    return dot(offset, (mat[2], mat[5], mat[8])) / (SKY * f.far)


@kernel
def with_sky(f, chunk, color):
    """Colors with the sky where nothing is seen, and with haze where the floor ends."""
    is_empty = f.hit_shape[chunk] < 0.0
    height = elevation(f)
    if height < 0.0:
        return where3(is_empty, sky_color(f, chunk, is_empty), color)
    direction, mat = load3(f.sight, chunk), load9(f.shape_mat, f.haze_shape)
    descent = -dot(direction, (mat[2], mat[5], mat[8]))
    level = sqrt(maximum(dot(direction, direction) - descent * descent, 1e-300))
    distance = where(is_empty, ENDLESS, f.seen_depth[chunk] * level)
    # an endless floor ends at the sky
    is_floor = f.hit_shape[chunk] == float(f.haze_shape)
    is_sky = or_(is_empty, and_(is_floor, distance > SKY * f.far))
    color = where3(is_sky, sky_color(f, chunk, is_sky), color)
    return mixed(color, load3(f.haze, COLOR), haze_part(f, maximum(descent / level, 0.0), distance, height))


@kernel
def haze_part(f, slope, distance, height):
    """How dense the haze is on rays that descend by a slope, in front of what is at a distance.

    The haze is a ring around the camera that rises from the floor to the horizon, mjrHAZE in MuJoCo.
    """
    amount, densest = f.haze[AMOUNT], f.haze[DENSEST]
    below = slope / maximum(height + amount * slope, 1e-12)
    above = 1.0 - below
    dense = where(above < densest, above / densest, below / maximum(1.0 - densest, 1e-12))
    is_hazy = and_(and_(below > 0.0, below <= 1.0), distance > SKY * f.far * (1.0 - amount * below))
    return where(is_hazy, clamp(dense, 0.0, 1.0), 0.0)


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
