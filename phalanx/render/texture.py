"""Colors of textures at points of shapes, filtered: trilinear, from maps that halve from level to level."""

from __future__ import annotations

from phalanx.algebra.elementary import log
from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load4
from phalanx.algebra.number import abs_, and_, clamp, floor, lane_count, lane_get, lane_set, maximum, round_even, where
from phalanx.algebra.vector import add, dot, multiply_elements
from phalanx.render.entering import TRIANGLES
from phalanx.render.texture_place import texture_place
from phalanx.render.weights import weights_in, wide6, wide9
from phalanx.tables.enums import GeomType

#: Kinds of textures: a flat picture that is repeated, or six that are seen from the middle of a cube.
FLAT, CUBE = 0, 1
#: Shapes around which a picture is wrapped.
ROUND = (GeomType.SPHERE, GeomType.CAPSULE, GeomType.ELLIPSOID, GeomType.CYLINDER)
#: Twice the logarithm of 2.
TWO_LOG_2 = 1.3862943611198906


@kernel
def texel(f, place):
    """The color of a texel, 0 to 255."""
    r, g, b = load3(f.texel, place)
    return (float(r), float(g), float(b))


@kernel
def mixed(a, b, part):
    """Between two colors."""
    return (a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2]))


@kernel
def neighbors(x, count, repeats):
    """(texel before a place along an axis, texel behind it, part of the way between them); one world."""
    before = floor(x)
    first = int(before)
    if repeats:
        last = count - 1
        return first if first >= 0 else last, first + 1 if first < last else 0, x - before
    return max(first, 0), min(first + 1, count - 1), x - before


@kernel
def bilinear(f, level, face, u, v, repeats):
    """The color of a level at texture coordinates from 0 to 1, between its four nearest texels; one world."""
    width, height = f.level_width[level], f.level_height[level]
    left, right, across = neighbors(u * float(width) - 0.5, width, repeats)
    above, below, down = neighbors(v * float(height) - 0.5, height, repeats)
    address = f.level_texel[level] + face * width * height
    top, bottom = address + above * width, address + below * width
    upper = mixed(texel(f, top + left), texel(f, top + right), across)
    lower = mixed(texel(f, bottom + left), texel(f, bottom + right), across)
    return mixed(upper, lower, down)


@kernel
def sample(f, texture, face, u, v, level):
    """The color of a texture at a level that need not be whole; one world."""
    first, repeats = f.texture_level[texture], f.texture_kind[texture] == FLAT
    fine = int(level)
    color = bilinear(f, first + fine, face, u, v, repeats)
    part = level - float(fine)
    if part > 0.0:
        color = mixed(color, bilinear(f, first + fine + 1, face, u, v, repeats), part)
    return color


@kernel
def cube_place(p):
    """(face, u, v) where a direction leaves a cube, as OpenGL counts its faces: +x, -x, +y, -y, +z, -z."""
    x, y, z = abs_(p[0]), abs_(p[1]), abs_(p[2])
    is_x = and_(x >= y, x >= z)
    is_y = y >= z
    long = maximum(where(is_x, x, where(is_y, y, z)), 1e-300)
    main = where(is_x, p[0], where(is_y, p[1], p[2]))
    is_positive = main >= 0.0
    face = where(is_x, 0.0, where(is_y, 2.0, 4.0)) + where(is_positive, 0.0, 1.0)
    s = where(is_x, where(is_positive, -p[2], p[2]), where(is_y, p[0], where(is_positive, p[0], -p[0])))
    t = where(is_x, -p[1], where(is_y, where(is_positive, p[2], -p[2]), -p[1]))
    return face, 0.5 * (s / long + 1.0), 0.5 * (t / long + 1.0), long


@kernel
def corner_place(f, is_here, triangle, p):
    """Texture coordinates of points of triangles, between those of the corners; each pixel by itself."""
    u, v = 0.0 * p[0], 0.0 * p[0]
    for w in range(lane_count(u)):
        if lane_get(is_here, w):
            found = int(lane_get(triangle, w))
            point = (lane_get(p[0], w), lane_get(p[1], w), lane_get(p[2], w))
            weights, uv = weights_in(wide9(f.triangle_corner, found), point), wide6(f.triangle_uv, found)
            u = lane_set(u, w, weights[0] * uv[0] + weights[1] * uv[2] + weights[2] * uv[4])
            v = lane_set(v, w, weights[0] * uv[1] + weights[1] * uv[3] + weights[2] * uv[5])
    return u, v


@kernel
def flat_place(f, shape, is_here, triangle, p):
    """Texture coordinates of points of a shape, before they are scaled."""
    if f.shape_kind[shape] == TRIANGLES:
        return corner_place(f, is_here, triangle, p)
    return texture_place(f.shape_kind[shape], load3(f.shape_size, shape), p)


@kernel
def stretch(f, shape, a, b):
    """Square of the distance of two places of a shape in its flat picture, in texels."""
    level0, mapping = f.texture_level[f.shape_texture[shape]], load4(f.shape_mapping, shape)
    u, v = b[0] - a[0], b[1] - a[1]
    # around a round shape the picture has a seam, which does not count
    if f.shape_kind[shape] in ROUND:
        u = u - round_even(u)
    u, v = u * mapping[0] * float(f.level_width[level0]), v * mapping[1] * float(f.level_height[level0])
    return u * u + v * v


@kernel
def level_of(square):
    """The level at which texels are as far apart as the square root of this many of level 0."""
    return log(maximum(square, 1e-30)) / TWO_LOG_2


@kernel
def textured(f, shape, is_here, triangle, p, right, down):
    """The color of the texture of a shape at points p; `right` and `down` are steps to the next pixels on it."""
    texture, mapping = f.shape_texture[shape], load4(f.shape_mapping, shape)
    if f.texture_kind[texture] == FLAT:
        place = flat_place(f, shape, is_here, triangle, p)
        aside = flat_place(f, shape, is_here, triangle, add(p, right))
        below = flat_place(f, shape, is_here, triangle, add(p, down))
        square = maximum(stretch(f, shape, place, aside), stretch(f, shape, place, below))
        face, u, v = 0.0 * p[0], place[0] * mapping[0] + mapping[2], place[1] * mapping[1] + mapping[3]
    else:
        size = (mapping[0], mapping[1], mapping[2])
        face, u, v, long = cube_place(multiply_elements(p, size))
        right, down = multiply_elements(right, size), multiply_elements(down, size)
        half = 0.5 * float(f.level_width[f.texture_level[texture]]) / long
        square = maximum(dot(right, right), dot(down, down)) * half * half
    return sampled(f, texture, is_here, face, u, v, level_of(square))


@kernel
def sampled(f, texture, is_here, face, u, v, level):
    """Colors of a texture at the places of a lane, 0 to 1; each pixel by itself."""
    zero = 0.0 * u
    r, g, b = zero, zero, zero
    level = clamp(level, 0.0, float(f.texture_levels[texture] - 1))
    u, v = u - floor(u), v - floor(v)
    for w in range(lane_count(u)):
        if lane_get(is_here, w):
            place = lane_get(u, w), lane_get(v, w)
            color = sample(f, texture, int(lane_get(face, w)), place[0], place[1], lane_get(level, w))
            r, g, b = lane_set(r, w, color[0]), lane_set(g, w, color[1]), lane_set(b, w, color[2])
    return (r / 255.0, g / 255.0, b / 255.0)
