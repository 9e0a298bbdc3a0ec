"""Light that the points of a tile send to the camera: Blinn and Phong's model, as fixed pipelines have it.

    light = emission paint + sum over lights of fade (ambient paint + diffuse paint (n l) + specular (n h)^shininess)

with unit vectors n of the surface, l to the light, and h halfway between l and the direction to the camera.
"""

from __future__ import annotations

from phalanx.algebra.elementary import exp, log
from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load3, load4, store3
from phalanx.algebra.number import and_, any_, lane_max, lane_min, maximum, sqrt, where
from phalanx.algebra.vector import add, add_scaled, dot, negate, norm, normalize, scale, sub
from phalanx.render.bundle import select_from_all, set_bundle
from phalanx.render.entering import greatest, least
from phalanx.render.trace import DONE, TO_LIGHT, chunks, trace
from phalanx.tables.enums import LightType

#: Greatest exponent of highlights.
SHARPEST = 128.0
#: Where rays to a light begin, in parts of the depth of the point: so far that rounding keeps them off its own surface.
LIFT = 1e-6
#: How far a light without a place is away, for rays.
ENDLESS = 1e9
#: Beyond all points.
NOWHERE = 1e300


@kernel
def raised(x, exponent):
    """A cosine to the power of an exponent that is not negative; 0 for one that is not positive."""
    return where(x > 0.0, exp(exponent * log(maximum(x, 1e-300))), 0.0)


@kernel
def to_light(f, light, point):
    """Vector from points to a light; of unit length if all its rays are parallel."""
    if f.light_kind[light] == LightType.DIRECTIONAL:
        zero = 0.0 * point[0]
        back = negate(load3(f.light_dir, light))
        return (back[0] + zero, back[1] + zero, back[2] + zero)
    return sub(load3(f.light_pos, light), point)


@kernel
def strength(f, light, toward, distance):
    """What is left of a light at points in a direction from it and at a distance."""
    if f.light_kind[light] == LightType.DIRECTIONAL:
        return 1.0
    fade, cone = load3(f.light_fade, light), load2(f.light_cone, light)
    weak = fade[0] + distance * (fade[1] + distance * fade[2])
    value = 1.0 / where(weak > 0.0, weak, 1.0)
    if f.light_kind[light] == LightType.SPOT:
        cosine = -dot(toward, load3(f.light_dir, light))
        value = where(cosine >= cone[0], value * raised(cosine, cone[1]), 0.0)
    return value


@kernel
def aim_at_light(f, light):
    """Rays to a light from the points of a tile on which it shines, and their bundle. Returns whether there are any."""
    is_directional = f.light_kind[light] == LightType.DIRECTIONAL
    zero = 0.0 * f.seen_depth[0]
    low, high = (zero + NOWHERE, zero + NOWHERE, zero + NOWHERE), (zero - NOWHERE, zero - NOWHERE, zero - NOWHERE)
    for chunk in range(chunks(f)):
        point, normal = load3(f.point, chunk), load3(f.normal, chunk)
        toward = to_light(f, light, point)
        is_lit = and_(f.hit_shape[chunk] >= 0.0, dot(toward, normal) > 0.0)
        store3(f.ray_origin, chunk, add_scaled(point, normal, LIFT * f.seen_depth[chunk]))
        store3(f.ray_direction, chunk, toward)
        f.ray_from[chunk] = 0.0
        f.ray_to[chunk] = where(is_lit, ENDLESS if is_directional else 1.0, DONE)
        low = where(is_lit, least3(point, low), low)
        high = where(is_lit, greatest3(point, high), high)
    low = (lane_min(low[0]), lane_min(low[1]), lane_min(low[2]))
    high = (lane_max(high[0]), lane_max(high[1]), lane_max(high[2]))
    if low[0] > high[0]:
        return False
    # a tube around the line from the middle of the points to the light
    middle = scale(add(low, high), 0.5)
    axis = to_light(f, light, middle)
    length = norm(axis)
    reach = ENDLESS if is_directional else length
    set_bundle(f, middle, scale(axis, 1.0 / maximum(length, 1e-12)), 1.0, 0.5 * norm(sub(high, low)), reach)
    return True


@kernel
def least3(a, b):
    """The smaller of each element."""
    return (least(a[0], b[0]), least(a[1], b[1]), least(a[2], b[2]))


@kernel
def greatest3(a, b):
    """The larger of each element."""
    return (greatest(a[0], b[0]), greatest(a[1], b[1]), greatest(a[2], b[2]))


@kernel
def add_light(f, light, chunk, is_lit):
    """Add what a light contributes where it reaches the points of a lane."""
    point, normal = load3(f.point, chunk), load3(f.normal, chunk)
    paint, finish = load4(f.paint, chunk), load4(f.finish, chunk)
    toward = to_light(f, light, point)
    distance = sqrt(dot(toward, toward))
    toward = scale(toward, 1.0 / maximum(distance, 1e-12))
    value = where(is_lit, strength(f, light, toward, distance), 0.0)
    facing = maximum(dot(toward, normal), 0.0)
    highlight = 0.0 * facing
    shines = and_(and_(finish[1] > 0.0, facing > 0.0), value > 0.0)
    # a power is expensive, and most points have no highlight
    if any_(shines):
        back = normalize(negate(load3(f.sight, chunk)))
        halfway = normalize(add(toward, back))
        gloss = dot(halfway, normal)
        highlight = where(shines, finish[1] * raised(gloss, finish[2] * SHARPEST), 0.0)
    ambient, diffuse, specular = (
        load3(f.light_ambient, light),
        load3(f.light_diffuse, light),
        load3(f.light_specular, light),
    )
    total = load3(f.light, chunk)
    added = tuple(
        total[k] + value * (paint[k] * (ambient[k] + facing * diffuse[k]) + highlight * specular[k]) for k in range(3)
    )
    store3(f.light, chunk, added)


@kernel
def light_tile(f, with_shadows):
    """Light of all points of a tile."""
    for chunk in range(chunks(f)):
        paint, finish = load4(f.paint, chunk), load4(f.finish, chunk)
        store3(f.light, chunk, (paint[0] * finish[0], paint[1] * finish[0], paint[2] * finish[0]))
    for light in range(f.nlight):
        casts = with_shadows and f.light_casts[light] != 0
        if casts and aim_at_light(f, light):
            found = select_from_all(f, f.bundle_list)
            trace(f, f.bundle_list, found, TO_LIGHT)
        for chunk in range(chunks(f)):
            is_seen = f.hit_shape[chunk] >= 0.0
            is_lit = and_(is_seen, f.ray_to[chunk] > 0.0) if casts else is_seen
            if any_(is_lit):
                add_light(f, light, chunk, is_lit)
