"""Rays against the geoms of a scene.

`nearest` finds the first visible geom that a ray hits, `rays` does so for all rays of Data. A distance counts in
lengths of `direction`, which need not be a unit vector.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load3, load9, store3
from phalanx.algebra.number import and_, any_, is_single, lane_count, lane_set, not_, or_, sqrt, where
from phalanx.algebra.vector import MINVAL, add_scaled, dot, norm, sub, where3
from phalanx.collision.ray.crossing import BEYOND, BEYOND_SINGLE, is_nearer, of_world, of_world3
from phalanx.collision.ray.table import no_hit, ray_asset, ray_shape
from phalanx.collision.sdf.table import shape_of
from phalanx.tables.geoms import WITH_ASSET
from phalanx.tables.sizes import NGROUP

#: Places in `ray_filter`.
GROUPS, WITH_STATIC, EXCLUDED_BODY = 0, 1, 2
#: The mask that lets all groups pass.
ALL_GROUPS = (1 << NGROUP) - 1
#: Distance from which the point of a ray without a hit is computed.
NOWHERE = float("nan")


@kernel
def is_cast_at(m, geom, groups, with_static, excluded_body):
    """Does a ray see the geom? Not if its body is excluded, it is fully transparent, static or of a group left out."""
    body = m.geom_bodyid[geom]
    material = m.geom_matid[geom]
    alpha = m.geom_rgba[geom, 3] if material < 0 else m.mat_rgba[material, 3]
    group = min(NGROUP - 1, max(0, m.geom_group[geom]))
    if body == excluded_body or alpha == 0.0:
        return False
    if not with_static and m.body_weldid[body] == 0:
        return False
    return ((groups >> group) & 1) != 0


@kernel
def ray_geom(m, d, geom, origin, direction, limit):
    """(distance, normal) of a ray and one geom of the model; hits beyond `limit` need not be found (-1: all are)."""
    kind = m.geom_type[geom]
    pos, mat, size = load3(d.geom_xpos, geom), load9(d.geom_xmat, geom), load3(m.geom_size, geom)
    if kind not in WITH_ASSET:
        return ray_shape(kind, pos, mat, size, origin, direction)
    like = pos[0]
    best, normal = no_hit(like)
    for w in range(lane_count(like)):
        frame = (
            of_world3(like, (mat[0], mat[1], mat[2]), w)
            + of_world3(like, (mat[3], mat[4], mat[5]), w)
            + of_world3(like, (mat[6], mat[7], mat[8]), w)
        )
        asset = (of_world3(like, pos, w), frame, of_world3(like, size, w), shape_of(m, geom))
        ray = of_world3(like, origin, w), of_world3(like, direction, w)
        x, n = ray_asset(kind, m, d, asset, w, ray[0], ray[1], of_world(like, limit, w))
        best = lane_set(best, w, x)
        normal = (lane_set(normal[0], w, n[0]), lane_set(normal[1], w, n[1]), lane_set(normal[2], w, n[2]))
    return best, normal


@kernel
def list_visible(m, d, groups, with_static, excluded_body):
    """How many geoms a ray can see; their ids go to `ray_visible`."""
    count = 0
    for geom in range(m.ngeom):
        if is_cast_at(m, geom, groups, with_static, excluded_body):
            d.ray_visible[count] = geom
            count += 1
    return count


@kernel
def may_be_nearer(m, d, geom, origin, direction, best):
    """Can the ray hit the geom before `best`? No if it passes by the bounding sphere, or meets that too late."""
    radius = m.geom_rbound[geom]
    slack = BEYOND_SINGLE if is_single(best) else BEYOND
    reach = radius + slack * radius
    offset = sub(load3(d.geom_xpos, geom), origin)
    speed2, along = dot(direction, direction), dot(offset, direction)
    outside = dot(offset, offset) - reach * reach
    passes = along * along - speed2 * outside < -slack * along * along
    is_off = and_(outside > 0.0, or_(along < 0.0, passes))
    is_late = and_(best >= 0.0, along - reach * sqrt(speed2) > (best + slack * best) * speed2)
    return or_(radius <= 0.0, not_(or_(is_off, is_late)))


@kernel
def nearest_visible(m, d, count, origin, direction):
    """(distance, geom, normal) of a ray and the first `count` geoms of `ray_visible`; see `nearest`."""
    best, normal = no_hit(direction[0])
    found = best
    has_direction = norm(direction) >= MINVAL
    for k in range(count):
        geom = d.ray_visible[k]
        if any_(may_be_nearer(m, d, geom, origin, direction, best)):
            x, n = ray_geom(m, d, geom, origin, direction, best)
            is_better = and_(has_direction, is_nearer(x, best))
            best, found = where(is_better, x, best), where(is_better, float(geom), found)
            normal = where3(is_better, n, normal)
    return best, found, normal


@kernel
def nearest(m, d, origin, direction, groups, with_static, excluded_body):
    """(distance, geom, normal) of the first visible surface on a ray; distance and geom -1 and normal zero without one.

    The id of the geom is a number, as it differs between worlds. `groups` has bit k set if geoms of group k count
    (ALL_GROUPS: all do); `with_static` is 0 if geoms fixed to the world do not; geoms of `excluded_body` do not
    (-1: none). A direction without length hits nothing.
    """
    return nearest_visible(m, d, list_visible(m, d, groups, with_static, excluded_body), origin, direction)


@part("mdi")
def rays(m, d, n):
    """Cast the first n rays of `ray_origin` and `ray_direction`; answers in the other rows of the same length."""
    count = list_visible(m, d, d.ray_filter[GROUPS], d.ray_filter[WITH_STATIC], d.ray_filter[EXCLUDED_BODY])
    for k in range(n):
        origin, direction = load3(d.ray_origin, k), load3(d.ray_direction, k)
        x, geom, normal = nearest_visible(m, d, count, origin, direction)
        d.ray_dist[k] = x
        d.ray_geomid[k] = geom
        store3(d.ray_normal, k, normal)
        store3(d.ray_point, k, add_scaled(origin, direction, where(x >= 0.0, x, NOWHERE)))
