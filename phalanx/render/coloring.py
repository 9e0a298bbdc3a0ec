"""Colors that the rays of a tile see: layer behind layer where surfaces let light through, and a mirror."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load4, load9, store3
from phalanx.algebra.number import abs_, and_, any_, where
from phalanx.algebra.vector import add_scaled, dot, scale, sub
from phalanx.render.bundle import APEX, AXIS, bundle_of_view, select_from_all, view_ray
from phalanx.render.lighting import LIFT, light_tile
from phalanx.render.picture_rows import SIDE
from phalanx.render.seen_surface import find_surfaces
from phalanx.render.sky import with_fog, with_sky
from phalanx.render.trace import DONE, TO_MIRROR, TO_SEE, chunks, trace
from phalanx.tables.enums import GeomType

#: Surfaces behind each other, at most.
LAYERS = 8
#: A part of a color that is less does not change a byte.
NO_SHARE = 1.0 / 512.0
#: Alpha from which on a surface hides what is behind it, as in MuJoCo.
OPAQUE = 0.995
#: Part of the depth of a layer at which the next one may begin.
BEHIND = 1e-9


@kernel
def aim(f, x0, y0, across, down):
    """Rays of the camera through a place in each pixel of a tile."""
    mat = load9(f.axes, 0)
    store3(f.spread, 0, scale((mat[0], mat[3], mat[6]), f.step_x))
    store3(f.spread, 3, scale((mat[1], mat[4], mat[7]), -f.step_y))
    for chunk in range(chunks(f)):
        origin, direction = view_ray(f, f.tile_x[chunk] + (x0 + across), f.tile_y[chunk] + (y0 + down))
        store3(f.ray_origin, chunk, origin)
        store3(f.ray_direction, chunk, direction)
        store3(f.sight, chunk, direction)
        f.ray_from[chunk] = f.near
        f.ray_to[chunk] = f.far
        f.hit_shape[chunk] = -1.0


@kernel
def note_mirror(f, chunk, share):
    """Keep where a mirror is seen; only the upper face of a box reflects."""
    shape = f.mirror_shape
    mat, normal = load9(f.shape_mat, shape), load3(f.normal, chunk)
    faces_up = normal[0] * mat[2] + normal[1] * mat[5] + normal[2] * mat[8] > 0.5
    is_front = dot(load3(f.sight, chunk), (mat[2], mat[5], mat[8])) < 0.0
    is_mirror = and_(and_(f.hit_shape[chunk] == float(shape), faces_up), is_front)
    f.mirror[chunk] = where(is_mirror, share * f.shape_finish[shape, 3], f.mirror[chunk])
    f.mirror_depth[chunk] = where(is_mirror, f.seen_depth[chunk], f.mirror_depth[chunk])
    store3(f.mirror_point, chunk, where(is_mirror, load3(f.point, chunk), load3(f.mirror_point, chunk)))


@kernel
def add_layer(f, count):
    """Add the color of what the rays have met. Returns whether some of them go on behind it."""
    for chunk in range(chunks(f)):
        f.seen_depth[chunk] = f.ray_to[chunk]
    find_surfaces(f, f.tile_list, count, True)
    light_tile(f, f.shadows != 0)
    goes_on = False
    for chunk in range(chunks(f)):
        paint, share, color = load4(f.paint, chunk), f.share[chunk], load3(f.color, chunk)
        is_hit = f.hit_shape[chunk] >= 0.0
        alpha = where(and_(is_hit, paint[3] < OPAQUE), paint[3], 1.0)
        here = with_sky(f, chunk, with_fog(f, chunk, load3(f.light, chunk)))
        store3(f.color, chunk, add_scaled(color, here, share * alpha))
        if f.mirror_shape >= 0:
            note_mirror(f, chunk, share * alpha)
        left = where(is_hit, share * (1.0 - alpha), 0.0)
        f.share[chunk] = where(left > NO_SHARE, left, 0.0)
        goes_on = goes_on or any_(left > NO_SHARE)
    return goes_on


@kernel
def go_behind(f, x0, y0, across, down):
    """Rays that begin behind what they have met, where that lets some light through."""
    aim(f, x0, y0, across, down)
    for chunk in range(chunks(f)):
        depth = f.seen_depth[chunk]
        f.ray_from[chunk] = depth + BEHIND * depth
        f.ray_to[chunk] = where(f.share[chunk] > 0.0, f.far, DONE)


@kernel
def reflect(f, x0, y0, normal):
    """Rays that a mirror sends back, and their bundle. Returns whether there are any."""
    wanted = False
    for chunk in range(chunks(f)):
        direction, point = load3(f.sight, chunk), load3(f.mirror_point, chunk)
        direction = add_scaled(direction, normal, -2.0 * dot(direction, normal))
        is_mirror = f.mirror[chunk] > 0.0
        store3(f.ray_origin, chunk, add_scaled(point, normal, LIFT * f.mirror_depth[chunk]))
        store3(f.ray_direction, chunk, direction)
        store3(f.sight, chunk, direction)
        f.ray_from[chunk] = 0.0
        f.ray_to[chunk] = where(is_mirror, f.far, DONE)
        f.hit_shape[chunk] = -1.0
        wanted = wanted or any_(is_mirror)
    # the bundle of the camera, mirrored
    if wanted:
        bundle_of_view(f, float(x0), float(y0), float(x0 + SIDE), float(y0 + SIDE))
        base = mirror_base(f)
        for place in (APEX, AXIS):
            v = load3(f.bundle, place)
            across = dot(sub(v, base) if place == APEX else v, normal)
            store3(f.bundle, place, add_scaled(v, normal, -2.0 * across))
        for place in (0, 3):
            v = load3(f.spread, place)
            store3(f.spread, place, add_scaled(v, normal, -2.0 * dot(v, normal)))
    return wanted


@kernel
def mirror_base(f):
    """A point of the plane that reflects: of a box, of its upper face."""
    shape = f.mirror_shape
    mat, pos = load9(f.shape_mat, shape), load3(f.shape_pos, shape)
    height = f.shape_size[shape, 2] if f.shape_kind[shape] == GeomType.BOX else 0.0
    return add_scaled(pos, (mat[2], mat[5], mat[8]), height)


@kernel
def add_mirror(f, x0, y0):
    """Add what the mirror shows, without shadows and without a mirror in it."""
    mat = load9(f.shape_mat, f.mirror_shape)
    if not reflect(f, x0, y0, (mat[2], mat[5], mat[8])):
        return
    count = select_from_all(f, f.bundle_list)
    trace(f, f.bundle_list, count, TO_MIRROR)
    for chunk in range(chunks(f)):
        f.seen_depth[chunk] = f.mirror_depth[chunk] + abs_(f.ray_to[chunk])
    find_surfaces(f, f.bundle_list, count, True)
    light_tile(f, False)
    for chunk in range(chunks(f)):
        is_hit = f.hit_shape[chunk] >= 0.0
        light = with_fog(f, chunk, load3(f.light, chunk))
        part = where(is_hit, f.mirror[chunk] * f.paint[chunk, 3], 0.0)
        store3(f.color, chunk, add_scaled(load3(f.color, chunk), light, part))


@kernel
def add_color(f, x0, y0, across, down, count):
    """Add the colors that rays through a place in each pixel see; `tile_list` has `count` shapes."""
    aim(f, x0, y0, across, down)
    for chunk in range(chunks(f)):
        f.share[chunk], f.mirror[chunk] = 1.0, 0.0
    goes_on, layer = True, 0
    while goes_on and layer < LAYERS:
        trace(f, f.tile_list, count, TO_SEE)
        goes_on = add_layer(f, count)
        layer = layer + 1
        if goes_on:
            go_behind(f, x0, y0, across, down)
    if f.mirror_shape >= 0:
        add_mirror(f, x0, y0)
