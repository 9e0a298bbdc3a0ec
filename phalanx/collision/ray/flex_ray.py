"""Rays against flexes: their vertices as spheres, their edges as capsules, their elements as triangles.

MuJoCo's mj_rayFlex. Rays of `ray.py` see geoms only, as those of MuJoCo do. One world at a time: a triangle that a ray
misses ends the search in it.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import and_, any_, maximum, minimum, where
from phalanx.algebra.vector import MINVAL, add, add_scaled, norm, scale, sub, where3
from phalanx.collision.ray.crossing import is_nearer
from phalanx.collision.ray.ray import NOWHERE
from phalanx.collision.ray.table import no_hit, ray_shape
from phalanx.collision.ray.triangle import across, triangle_distance, triangle_normal
from phalanx.tables.enums import GeomType
from phalanx.tables.sizes import NGROUP

#: Places in `ray_filter`: the flex, or -1 for all; what is seen of it; the mask of groups.
CHOSEN, SEEN, GROUPS = 0, 1, 2
#: What is seen of a flex: sums of these, and the layer of solids whose faces are seen, from LAYER on.
VERTICES, EDGES, FACES, SKIN = 1, 2, 4, 8
LAYER = 16
EYE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@part("mdi")
def flex_rays(m, d, n):
    """Cast the first n rays of `ray_origin` and `ray_direction` at flexes; flexes go to `ray_geomid`."""
    seen, groups = d.ray_filter[SEEN], d.ray_filter[GROUPS]
    for k in range(n):
        origin, direction = load3(d.ray_origin, k), load3(d.ray_direction, k)
        distance, normal = no_hit(direction[0])
        d.ray_geomid[k] = distance
        d.ray_vertex[k] = distance
        for flex in range(m.nflex):
            group = min(NGROUP - 1, max(0, m.flex_group[flex]))
            is_seen = ((groups >> group) & 1) != 0 if d.ray_filter[CHOSEN] < 0 else d.ray_filter[CHOSEN] == flex
            if is_seen and any_(meets_box(m, d, flex, origin, direction)):
                distance, normal = ray_flex(m, d, flex, seen, k, distance, normal)
        d.ray_dist[k] = distance
        store3(d.ray_normal, k, normal)
        store3(d.ray_point, k, add_scaled(origin, direction, where(distance >= 0.0, distance, NOWHERE)))


@kernel
def meets_box(m, d, flex, origin, direction):
    """Does a ray meet the box around a flex?"""
    first = m.flex_vertadr[flex]
    low = load3(d.flexvert_xpos, first)
    high = low
    for vertex in range(first + 1, first + m.flex_vertnum[flex]):
        x = load3(d.flexvert_xpos, vertex)
        low = (minimum(low[0], x[0]), minimum(low[1], x[1]), minimum(low[2], x[2]))
        high = (maximum(high[0], x[0]), maximum(high[1], x[1]), maximum(high[2], x[2]))
    radius = m.flex_radius[flex]
    center = (0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2]))
    size = (0.5 * (high[0] - low[0]) + radius, 0.5 * (high[1] - low[1]) + radius, 0.5 * (high[2] - low[2]) + radius)
    distance, _ = ray_shape(GeomType.BOX, center, EYE, size, origin, direction)
    return distance >= 0.0


@kernel
def ray_flex(m, d, flex, seen, ray, distance, normal):
    """(distance, normal) of a ray after one more flex; what it hits nearer is noted."""
    is_skin = m.flex_dim[flex] > 1 and (seen & SKIN) != 0
    if (seen & EDGES) != 0 or is_skin:
        distance, normal = ray_edges(m, d, flex, ray, distance, normal)
    elif (seen & VERTICES) != 0:
        distance, normal = ray_vertices(m, d, flex, ray, distance, normal)
    if m.flex_dim[flex] > 1 and ((seen & FACES) != 0 or is_skin):
        distance, normal = ray_faces(m, d, flex, 0 if is_skin else seen // LAYER, ray, distance, normal)
    return distance, normal


@kernel
def note(d, ray, is_better, flex, vertex):
    """Note what a ray hits: the flex, and the vertex that is nearest."""
    d.ray_geomid[ray] = where(is_better, float(flex), d.ray_geomid[ray])
    d.ray_vertex[ray] = where(is_better, vertex, d.ray_vertex[ray])


@kernel
def ray_edges(m, d, flex, ray, distance, normal):
    """Edges, as capsules."""
    origin, direction = load3(d.ray_origin, ray), load3(d.ray_direction, ray)
    first = m.flex_vertadr[flex]
    for edge in range(m.flex_edgeadr[flex], m.flex_edgeadr[flex] + m.flex_edgenum[flex]):
        one, two = m.flex_edge[edge, 0], m.flex_edge[edge, 1]
        a, b = load3(d.flexvert_xpos, first + one), load3(d.flexvert_xpos, first + two)
        center, frame, half = edge_frame(a, b)
        x, local = ray_shape(GeomType.CAPSULE, center, frame, (m.flex_radius[flex], half, half), origin, direction)
        is_better = is_nearer(x, distance)
        point = add_scaled(origin, direction, x)
        is_first = norm(sub(a, point)) < norm(sub(b, point))
        note(d, ray, is_better, flex, where(is_first, float(one), float(two)))
        distance, normal = where(is_better, x, distance), where3(is_better, local, normal)
    return distance, normal


@kernel
def edge_frame(a, b):
    """Middle of an edge, a rotation with its z axis along it, and half of its length."""
    along = sub(b, a)
    length = norm(along)
    z = scale(along, 1.0 / where(length >= MINVAL, length, 1.0))
    z = where3(length >= MINVAL, z, (0.0, 0.0, 1.0))
    x, y = across(z)
    return scale(add(a, b), 0.5), (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]), 0.5 * length


@kernel
def ray_vertices(m, d, flex, ray, distance, normal):
    """Vertices, as spheres."""
    origin, direction = load3(d.ray_origin, ray), load3(d.ray_direction, ray)
    radius, first = m.flex_radius[flex], m.flex_vertadr[flex]
    for vertex in range(m.flex_vertnum[flex]):
        center = load3(d.flexvert_xpos, first + vertex)
        x, local = ray_shape(GeomType.SPHERE, center, EYE, (radius, radius, radius), origin, direction)
        is_better = is_nearer(x, distance)
        note(d, ray, is_better, flex, float(vertex))
        distance, normal = where(is_better, x, distance), where3(is_better, local, normal)
    return distance, normal


@kernel
def ray_faces(m, d, flex, layer, ray, distance, normal):
    """Triangles, or the sides of the tetrahedra of one layer."""
    direction, dim = load3(d.ray_direction, ray), m.flex_dim[flex]
    across1, across2 = across(direction)
    for element in range(m.flex_elemnum[flex]):
        if dim == 2 or m.flex_elemlayer[m.flex_elemadr[flex] + element] == layer:
            start = m.flex_elemdataadr[flex] + element * (dim + 1)
            for side in range(1 if dim == 2 else 4):
                # corners of a side, in the order of MuJoCo
                one, two = (1 if side == 3 else 0), (2 if side > 1 else 1)
                corners = m.flex_elem[start + one], m.flex_elem[start + two], m.flex_elem[start + (3 if side else 2)]
                distance, normal = ray_triangle(m, d, flex, corners, ray, (across1, across2), (distance, normal))
    return distance, normal


@kernel
def ray_triangle(m, d, flex, corners, ray, plane, known):
    """(distance, normal) of a ray after one more triangle."""
    origin, direction = load3(d.ray_origin, ray), load3(d.ray_direction, ray)
    first = m.flex_vertadr[flex]
    a, b = load3(d.flexvert_xpos, first + corners[0]), load3(d.flexvert_xpos, first + corners[1])
    c = load3(d.flexvert_xpos, first + corners[2])
    x = triangle_distance(a, b, c, origin, direction, plane[0], plane[1])
    is_better = is_nearer(x, known[0])
    point = add_scaled(origin, direction, x)
    to_a, to_b, to_c = norm(sub(a, point)), norm(sub(b, point)), norm(sub(c, point))
    later = where(to_b <= to_c, float(corners[1]), float(corners[2]))
    note(d, ray, is_better, flex, where(and_(to_a <= to_b, to_a <= to_c), float(corners[0]), later))
    return where(is_better, x, known[0]), where3(is_better, triangle_normal(a, b, c, x), known[1])
