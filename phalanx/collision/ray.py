"""Rays against geoms: the shapes in lanes; meshes and height fields one world at a time.

`nearest` finds the first visible geom that a ray hits, `rays` does so for all rays of Data. A distance counts in
lengths of `direction`, which need not be a unit vector.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, load4, load6, load9, store3
from phalanx.algebra.number import (
    abs_,
    and_,
    any_,
    clamp,
    floor,
    is_single,
    lane_count,
    lane_get,
    lane_set,
    maximum,
    minimum,
    not_,
    or_,
    splat,
    sqrt,
    where,
    widen,
)
from phalanx.algebra.vector import MINVAL, add_scaled, cross, dot, norm, normalize, scale, sub, where3
from phalanx.collision.ray_table import no_hit, ray_asset, ray_shape
from phalanx.tables.enums import GeomType
from phalanx.tables.sizes import MAXTREEDEPTH, NGROUP

HFIELD, MESH, SDF = int(GeomType.HFIELD), int(GeomType.MESH), int(GeomType.SDF)
#: Places in `ray_filter`.
GROUPS, WITH_STATIC, EXCLUDED_BODY = 0, 1, 2
#: The mask that lets all groups pass.
ALL_GROUPS = (1 << NGROUP) - 1
ZERO = (0.0, 0.0, 0.0)
#: Distance from which the point of a ray without a hit is computed.
NOWHERE = float("nan")
#: Part of a length by which bounds are widened, so that rounding never leaves out what a ray hits.
BEYOND, BEYOND_SINGLE = 1e-9, 1e-3


# --- what all shapes need


@kernel
def to_local(pos, mat, origin, direction):
    """Origin and direction of the ray in the frame of the geom."""
    return multiply_transposed(mat, sub(origin, pos)), multiply_transposed(mat, direction)


@kernel
def is_nearer(candidate, x):
    """Is the candidate a hit, nearer than the hit (or miss) x?"""
    return and_(candidate >= 0.0, or_(x < 0.0, candidate < x))


@kernel
def roots(a, b, c):
    """Both solutions of a x^2 + 2 b x + c = 0, the smaller first; twice -1 if there are none."""
    square = b * b - a * c
    is_real = not_(or_(square < 0.0, a < MINVAL))
    root = sqrt(where(is_real, square, 0.0))
    divisor = where(is_real, a, 1.0)
    return where(is_real, (-b - root) / divisor, -1.0), where(is_real, (-b + root) / divisor, -1.0)


@kernel
def first_root(a, b, c):
    """The smallest solution that is not negative, or -1."""
    x0, x1 = roots(a, b, c)
    return where(x0 >= 0.0, x0, where(x1 >= 0.0, x1, -1.0))


@kernel
def sphere_distance(center, radius2, origin, direction):
    """Distance to a sphere of given squared radius."""
    offset = sub(origin, center)
    return first_root(dot(direction, direction), dot(direction, offset), dot(offset, offset) - radius2)


@kernel
def world_normal(is_hit, mat, local):
    """The normal in the world; zero where nothing was hit."""
    return where3(is_hit, multiply_vector(mat, local), ZERO)


# --- shapes, in lanes


@ray_shape.row(GeomType.PLANE)
@kernel
def ray_plane(pos, mat, size, origin, direction):
    """The front of a plane, inside its rectangle; a size of zero is endless."""
    p, v = to_local(pos, mat, origin, direction)
    is_facing = v[2] <= -MINVAL
    x = -p[2] / where(is_facing, v[2], -1.0)
    in_x = or_(size[0] <= 0.0, abs_(p[0] + x * v[0]) <= size[0])
    in_y = or_(size[1] <= 0.0, abs_(p[1] + x * v[1]) <= size[1])
    is_hit = and_(and_(is_facing, x >= 0.0), and_(in_x, in_y))
    return where(is_hit, x, -1.0), where3(is_hit, (mat[2], mat[5], mat[8]), ZERO)


@ray_shape.row(GeomType.SPHERE)
@kernel
def ray_sphere(pos, mat, size, origin, direction):
    x = sphere_distance(pos, size[0] * size[0], origin, direction)
    normal = normalize(sub(add_scaled(origin, direction, x), pos))
    return x, where3(x >= 0.0, normal, ZERO)


@ray_shape.row(GeomType.CAPSULE)
@kernel
def ray_capsule(pos, mat, size, origin, direction):
    radius, half = size[0], size[1]
    reach = radius + half
    may_hit = sphere_distance(pos, reach * reach, origin, direction) >= 0.0
    p, v = to_local(pos, mat, origin, direction)

    # the round side, where `cap` is 0
    side = side_distance(p, v, radius, half)
    x, cap = where(side >= 0.0, side, -1.0), splat(p[0], 0.0)
    # the outer halves of the spheres at the ends
    speed2 = dot(v, v)
    top = (p[0], p[1], p[2] - half)
    t0, t1 = roots(speed2, dot(v, top), dot(top, top) - radius * radius)
    bottom = (p[0], p[1], p[2] + half)
    b0, b1 = roots(speed2, dot(v, bottom), dot(bottom, bottom) - radius * radius)
    x, cap = nearer_cap(x, cap, t0, p[2] + t0 * v[2] >= half, 1.0)
    x, cap = nearer_cap(x, cap, t1, p[2] + t1 * v[2] >= half, 1.0)
    x, cap = nearer_cap(x, cap, b0, p[2] + b0 * v[2] <= -half, -1.0)
    x, cap = nearer_cap(x, cap, b1, p[2] + b1 * v[2] <= -half, -1.0)

    x = where(may_hit, x, -1.0)
    point = add_scaled(p, v, x)
    local = normalize((point[0], point[1], where(cap == 0.0, 0.0, point[2] - half * cap)))
    return x, world_normal(x >= 0.0, mat, local)


@kernel
def side_distance(p, v, radius, half):
    """Distance to the round side of a cylinder: to the first point on the endless one, if it is between the ends."""
    x = first_root(v[0] * v[0] + v[1] * v[1], v[0] * p[0] + v[1] * p[1], p[0] * p[0] + p[1] * p[1] - radius * radius)
    return where(and_(x >= 0.0, abs_(p[2] + x * v[2]) <= half), x, -1.0)


@kernel
def nearer_cap(x, cap, candidate, is_on_cap, sign):
    """(distance, end) after a candidate on the end with the given sign."""
    is_better = and_(is_on_cap, is_nearer(candidate, x))
    return where(is_better, candidate, x), where(is_better, sign, cap)


@ray_shape.row(GeomType.ELLIPSOID)
@kernel
def ray_ellipsoid(pos, mat, size, origin, direction):
    p, v = to_local(pos, mat, origin, direction)
    s = (1.0 / (size[0] * size[0]), 1.0 / (size[1] * size[1]), 1.0 / (size[2] * size[2]))
    a = s[0] * v[0] * v[0] + s[1] * v[1] * v[1] + s[2] * v[2] * v[2]
    b = s[0] * v[0] * p[0] + s[1] * v[1] * p[1] + s[2] * v[2] * p[2]
    c = s[0] * p[0] * p[0] + s[1] * p[1] * p[1] + s[2] * p[2] * p[2] - 1.0
    x = first_root(a, b, c)
    point = add_scaled(p, v, x)
    local = normalize((s[0] * point[0], s[1] * point[1], s[2] * point[2]))
    return x, world_normal(x >= 0.0, mat, local)


@ray_shape.row(GeomType.CYLINDER)
@kernel
def ray_cylinder(pos, mat, size, origin, direction):
    radius, half = size[0], size[1]
    may_hit = sphere_distance(pos, radius * radius + half * half, origin, direction) >= 0.0
    p, v = to_local(pos, mat, origin, direction)

    # the flat ends, bottom first, then the round side, where `cap` is 0
    bottom, on_bottom = disk_distance(p, v, -half, radius)
    top, on_top = disk_distance(p, v, half, radius)
    x, cap = nearer_cap(splat(p[0], -1.0), splat(p[0], 0.0), bottom, on_bottom, -1.0)
    x, cap = nearer_cap(x, cap, top, on_top, 1.0)
    x, cap = nearer_cap(x, cap, side_distance(p, v, radius, half), may_hit, 0.0)

    x = where(may_hit, x, -1.0)
    point = add_scaled(p, v, x)
    round_normal = normalize((point[0], point[1], 0.0 * point[2]))
    local = where3(cap == 0.0, round_normal, (0.0, 0.0, cap))
    return x, world_normal(x >= 0.0, mat, local)


@kernel
def disk_distance(p, v, height, radius):
    """Distance to the plane at a height, and whether it is met inside a circle."""
    is_crossing = abs_(v[2]) > MINVAL
    x = (height - p[2]) / where(is_crossing, v[2], 1.0)
    p0, p1 = p[0] + x * v[0], p[1] + x * v[1]
    return x, and_(is_crossing, p0 * p0 + p1 * p1 <= radius * radius)


@ray_shape.row(GeomType.BOX)
@kernel
def ray_box(pos, mat, size, origin, direction):
    x, _, local = box_distances(pos, mat, size, origin, direction)
    return x, world_normal(x >= 0.0, mat, local)


@kernel
def box_distances(pos, mat, size, origin, direction):
    """(distance, distances to the faces -x +x -y +y -z +z, normal in the frame of the box); -1 if there is no hit."""
    may_hit = sphere_distance(pos, dot(size, size), origin, direction) >= 0.0
    p, v = to_local(pos, mat, origin, direction)
    x_faces = face_pair((p[0], p[1], p[2]), (v[0], v[1], v[2]), size, may_hit)
    y_faces = face_pair((p[1], p[0], p[2]), (v[1], v[0], v[2]), (size[1], size[0], size[2]), may_hit)
    z_faces = face_pair((p[2], p[0], p[1]), (v[2], v[0], v[1]), (size[2], size[0], size[1]), may_hit)
    # the first of equals wins
    x = splat(p[0], -1.0)
    zero = splat(p[0], 0.0)
    x, normal = nearer_face(x, (zero, zero, zero), x_faces[0], (-1.0, 0.0, 0.0))
    x, normal = nearer_face(x, normal, x_faces[1], (1.0, 0.0, 0.0))
    x, normal = nearer_face(x, normal, y_faces[0], (0.0, -1.0, 0.0))
    x, normal = nearer_face(x, normal, y_faces[1], (0.0, 1.0, 0.0))
    x, normal = nearer_face(x, normal, z_faces[0], (0.0, 0.0, -1.0))
    x, normal = nearer_face(x, normal, z_faces[1], (0.0, 0.0, 1.0))
    return x, (x_faces[0], x_faces[1], y_faces[0], y_faces[1], z_faces[0], z_faces[1]), normal


@kernel
def face_pair(p, v, size, may_hit):
    """Distances to the two faces across the first axis; -1 where the ray misses them."""
    is_crossing = and_(may_hit, abs_(v[0]) > MINVAL)
    speed = where(is_crossing, v[0], 1.0)
    low, high = (-size[0] - p[0]) / speed, (size[0] - p[0]) / speed
    is_low = and_(and_(is_crossing, low >= 0.0), is_on_face(p, v, size, low))
    is_high = and_(and_(is_crossing, high >= 0.0), is_on_face(p, v, size, high))
    return where(is_low, low, -1.0), where(is_high, high, -1.0)


@kernel
def is_on_face(p, v, size, x):
    return and_(abs_(p[1] + x * v[1]) <= size[1], abs_(p[2] + x * v[2]) <= size[2])


@kernel
def nearer_face(x, normal, candidate, candidate_normal):
    """(distance, normal) after a candidate."""
    is_better = is_nearer(candidate, x)
    return where(is_better, candidate, x), where3(is_better, candidate_normal, normal)


# --- triangles, in one world


@kernel
def across(v):
    """Two unit vectors normal to the ray and to each other: the plane that triangles are projected on."""
    x, y, z = abs_(v[0]), abs_(v[1]), abs_(v[2])
    is_x = and_(x >= y, x >= z)
    is_y = and_(not_(is_x), y >= z)
    is_z = and_(not_(is_x), not_(is_y))
    most = (where(is_x, 0.0, 1.0), where(is_y, 0.0, 1.0), where(is_z, 0.0, 1.0))
    second = normalize(add_scaled(most, v, -dot(v, most) / dot(v, v)))
    return normalize(cross(second, v)), second


@kernel
def triangle_distance(a, b, c, p, v, across1, across2):
    """Distance along the line to the triangle, negative behind the origin; -1 if it misses."""
    a0, b0, c0 = dot(across1, sub(a, p)), dot(across1, sub(b, p)), dot(across1, sub(c, p))
    miss = splat(a0, -1.0)
    if any_(or_(are_beyond(a0, b0, c0), are_beyond(-a0, -b0, -c0))):
        return miss
    a1, b1, c1 = dot(across2, sub(a, p)), dot(across2, sub(b, p)), dot(across2, sub(c, p))
    if any_(or_(are_beyond(a1, b1, c1), are_beyond(-a1, -b1, -c1))):
        return miss
    # weights of the first two corners
    ac0, bc0, ac1, bc1 = a0 - c0, b0 - c0, a1 - c1, b1 - c1
    determinant = ac0 * bc1 - bc0 * ac1
    if any_(abs_(determinant) < MINVAL):
        return miss
    weight_a = (bc1 * -c0 - bc0 * -c1) / determinant
    weight_b = (-ac1 * -c0 + ac0 * -c1) / determinant
    if any_(or_(or_(weight_a < 0.0, weight_b < 0.0), weight_a + weight_b > 1.0)):
        return miss
    normal = cross(sub(a, c), sub(b, c))
    approach = dot(v, normal)
    if any_(abs_(approach) < MINVAL):
        return miss
    return -dot(sub(p, c), normal) / approach


@kernel
def are_beyond(a, b, c):
    return and_(and_(a > 0.0, b > 0.0), c > 0.0)


# --- meshes, in one world


@ray_asset.row(GeomType.MESH)
@kernel
def ray_mesh(m, d, geom, world, origin, direction):
    """The triangles of a mesh, seen from any side, through its tree of boxes."""
    pos, mat, size, mesh = geom
    best, normal = no_hit(pos[0])
    box, _ = ray_box(pos, mat, size, origin, direction)
    if any_(box < 0.0):
        return best, normal
    p, v = to_local(pos, mat, origin, direction)
    inverse = (1.0 / v[0], 1.0 / v[1], 1.0 / v[2])
    across1, across2 = across(v)
    slack = BEYOND_SINGLE if is_single(best) else BEYOND
    root = m.mesh_bvhadr[mesh]
    nearest_face = -1
    d.ray_stack[0] = 0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = root + d.ray_stack[waiting]
        enter, leave = box_interval(load6(m.bvh_aabb, node), p, inverse)
        if is_single(best):
            leave = leave + slack * abs_(leave)  # the box of a flat face has no thickness left
        is_beyond = and_(best >= 0.0, enter > best + slack * best)
        if not any_(enter < leave) or any_(is_beyond):
            continue
        face = m.bvh_nodeid[node]
        if face >= 0:
            a, b, c = mesh_triangle(m, mesh, face)
            x = triangle_distance(a, b, c, p, v, across1, across2)
            if any_(is_nearer(x, best)):
                best, nearest_face = x, face
            continue
        for k in range(2):
            child = m.bvh_child[node, k]
            if child >= 0 and waiting < MAXTREEDEPTH:
                d.ray_stack[waiting] = child
                waiting += 1
    if nearest_face >= 0:
        a, b, c = mesh_triangle(m, mesh, nearest_face)
        normal = multiply_vector(mat, triangle_normal(a, b, c, best))
    return best, normal


@kernel
def mesh_triangle(m, mesh, face):
    """The corners of a face of a mesh, in double precision."""
    row = m.mesh_faceadr[mesh] + face
    return mesh_vertex(m, mesh, row, 0), mesh_vertex(m, mesh, row, 1), mesh_vertex(m, mesh, row, 2)


@kernel
def mesh_vertex(m, mesh, row, corner):
    vertex = load3(m.mesh_vert, m.mesh_vertadr[mesh] + m.mesh_face[row, corner])
    return (widen(vertex[0]), widen(vertex[1]), widen(vertex[2]))


@kernel
def triangle_normal(a, b, c, like):
    """Unit normal of a triangle, in the number type of `like`."""
    normal = normalize(cross(sub(a, c), sub(b, c)))
    return (splat(like, normal[0]), splat(like, normal[1]), splat(like, normal[2]))


@kernel
def box_interval(box, p, inverse):
    """Where a ray enters and leaves a box (center, half sizes); it meets the box if it enters before it leaves."""
    x0, x1 = (box[0] - box[3] - p[0]) * inverse[0], (box[0] + box[3] - p[0]) * inverse[0]
    y0, y1 = (box[1] - box[4] - p[1]) * inverse[1], (box[1] + box[4] - p[1]) * inverse[1]
    z0, z1 = (box[2] - box[5] - p[2]) * inverse[2], (box[2] + box[5] - p[2]) * inverse[2]
    enter, leave = larger(0.0, smaller(x0, x1)), larger(x1, x0)
    enter, leave = larger(enter, smaller(y0, y1)), smaller(leave, larger(y1, y0))
    return larger(enter, smaller(z0, z1)), smaller(leave, larger(z1, z0))


@kernel
def smaller(a, b):
    """The smaller, `b` when in doubt: 0 * inf of a ray inside the plane of a side is NaN, and then the ray misses."""
    return where(a < b, a, b)


@kernel
def larger(a, b):
    """The larger, `b` when in doubt."""
    return where(a > b, a, b)


# --- height fields, in one world


@ray_asset.row(GeomType.HFIELD)
@kernel
def ray_heightfield(m, d, geom, world, origin, direction):
    """The base box, the surface above it, and the walls below the surface."""
    pos, mat, _, field = geom
    stored = load4(m.hfield_size, field)
    like = d.geom_xpos[0, 0]
    extent_x, extent_y = of_world(like, stored[0], world), of_world(like, stored[1], world)
    height, depth = of_world(like, stored[2], world), of_world(like, stored[3], world)
    up = (mat[2], mat[5], mat[8])
    base, top = (extent_x, extent_y, depth * 0.5), (extent_x, extent_y, height * 0.5)
    best, _, normal = box_distances(add_scaled(pos, up, -0.5 * depth), mat, base, origin, direction)
    entry, walls, _ = box_distances(add_scaled(pos, up, 0.5 * height), mat, top, origin, direction)
    if any_(entry >= 0.0):
        p, v = to_local(pos, mat, origin, direction)
        grid = (field, extent_x, extent_y, height)
        best, normal = surface_hit(m, grid, p, v, entry, walls, best, normal)
        best, normal = wall_hits(m, grid, p, v, walls, best, normal)
    return best, world_normal(best >= 0.0, mat, normal)


@kernel
def surface_hit(m, grid, p, v, entry, walls, best, normal):
    """(distance, normal) after the triangles under the ray, two in each cell of the grid."""
    field, extent_x, extent_y, _ = grid
    rows, columns = m.hfield_nrow[field], m.hfield_ncol[field]
    dx, dy = 2.0 * extent_x / (columns - 1), 2.0 * extent_y / (rows - 1)
    # the part of the ray inside the box around the surface, and the cells below it with one around
    leave = maximum(maximum(walls[0], walls[1]), maximum(walls[2], walls[3]))
    leave = maximum(leave, maximum(walls[4], walls[5]))
    enter = where(leave > entry, entry, 0.0)
    x0, x1 = (p[0] + enter * v[0] + extent_x) / dx, (p[0] + leave * v[0] + extent_x) / dx
    y0, y1 = (p[1] + enter * v[1] + extent_y) / dy, (p[1] + leave * v[1] + extent_y) / dy
    first_column, last_column = cell_range(x0, x1, 0, columns - 1)
    first_row, last_row = cell_range(y0, y1, 0, rows - 1)
    across1, across2 = across(v)
    for r in range(first_row, last_row):
        first, last = first_column, last_column
        if any_(abs_(v[1]) > MINVAL):
            # of a slanting ray only what is in this row or its neighbors
            low, high = (dy * (r - 1) - extent_y - p[1]) / v[1], (dy * (r + 2) - extent_y - p[1]) / v[1]
            x0, x1 = (p[0] + low * v[0] + extent_x) / dx, (p[0] + high * v[0] + extent_x) / dx
            first, last = cell_range(x0, x1, first_column, last_column)
        for c in range(first, last):
            near = surface_point(m, grid, r, c, dx, dy)
            right = surface_point(m, grid, r, c + 1, dx, dy)
            far = surface_point(m, grid, r + 1, c + 1, dx, dy)
            left = surface_point(m, grid, r + 1, c, dx, dy)
            x = triangle_distance(near, right, far, p, v, across1, across2)
            if any_(is_nearer(x, best)):
                best, normal = x, normalize(cross(sub(near, far), sub(right, far)))
            x = triangle_distance(near, far, left, p, v, across1, across2)
            if any_(is_nearer(x, best)):
                best, normal = x, normalize(cross(sub(near, left), sub(far, left)))
    return best, normal


@kernel
def cell_range(a, b, first, last):
    """The cells between two places on the grid with one more at each end, inside [first, last): (from, to)."""
    low, high = floor(minimum(a, b)) - 1.0, 1.0 - floor(-maximum(a, b))
    return int(widen(clamp(low, first, last))), int(widen(clamp(high, first, last)))


@kernel
def surface_point(m, grid, row, column, dx, dy):
    """A point of the grid in the frame of the height field."""
    field, extent_x, extent_y, height = grid
    elevation = m.hfield_data[m.hfield_adr[field] + row * m.hfield_ncol[field] + column]
    return (dx * column - extent_x, dy * row - extent_y, elevation * height)


@kernel
def wall_hits(m, grid, p, v, walls, best, normal):
    """(distance, normal) after the four sides, each up to the edge of the surface."""
    field, extent_x, extent_y, height = grid
    rows, columns = m.hfield_nrow[field], m.hfield_ncol[field]
    start = m.hfield_adr[field]
    dx, dy = 2.0 * extent_x / (columns - 1), 2.0 * extent_y / (rows - 1)
    side = (splat(best, 1.0), splat(best, 0.0), splat(best, 0.0))
    for k in range(4):
        # along x for the two sides across y
        is_along_y = k < 2
        x = where(k == 0, walls[0], where(k == 1, walls[1], where(k == 2, walls[2], walls[3])))
        if any_(is_nearer(x, best)):
            edge = start
            if k == 1:
                edge = start + columns - 1
            if k == 3:
                edge = start + (rows - 1) * columns
            along_x, along_y = (p[0] + x * v[0] + extent_x) / dx, (p[1] + x * v[1] + extent_y) / dy
            place = where(is_along_y, along_y, along_x)
            count, stride = (rows, columns) if is_along_y else (columns, 1)
            if any_((p[2] + x * v[2]) / height < edge_elevation(m, edge, stride, count, place)):
                sign = -1.0 if k % 2 == 0 else 1.0
                best = x
                normal = scale(side if is_along_y else (side[1], side[0], side[2]), sign)
    return best, normal


@kernel
def edge_elevation(m, start, stride, count, place):
    """Elevation at a place, counted in cells, on an edge of the surface."""
    cell = clamp(floor(place), 0.0, count - 2.0)
    k = start + stride * int(widen(cell))
    return m.hfield_data[k] * (cell + 1.0 - place) + m.hfield_data[k + stride] * (place - cell)


# --- the scene


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
def of_world(like, x, world):
    """The number of one world; a number that all worlds of the lane `like` share is the same in each."""
    return lane_get(splat(like, x), world)


@kernel
def of_world3(like, v, world):
    return (of_world(like, v[0], world), of_world(like, v[1], world), of_world(like, v[2], world))


@kernel
def ray_geom(m, d, geom, origin, direction):
    """(distance, normal) of a ray and one geom of the model."""
    kind = m.geom_type[geom]
    pos, mat, size = load3(d.geom_xpos, geom), load9(d.geom_xmat, geom), load3(m.geom_size, geom)
    if kind != MESH and kind != HFIELD and kind != SDF:
        return ray_shape(kind, pos, mat, size, origin, direction)
    like = pos[0]
    best, normal = no_hit(like)
    for w in range(lane_count(like)):
        frame = (
            of_world3(like, (mat[0], mat[1], mat[2]), w)
            + of_world3(like, (mat[3], mat[4], mat[5]), w)
            + of_world3(like, (mat[6], mat[7], mat[8]), w)
        )
        asset = (of_world3(like, pos, w), frame, of_world3(like, size, w), m.geom_dataid[geom])
        x, n = ray_asset(kind, m, d, asset, w, of_world3(like, origin, w), of_world3(like, direction, w))
        best = lane_set(best, w, x)
        normal = (lane_set(normal[0], w, n[0]), lane_set(normal[1], w, n[1]), lane_set(normal[2], w, n[2]))
    return best, normal


@kernel
def list_visible(m, d, groups, with_static, excluded_body):
    """How many geoms a ray can see; their numbers go to `ray_visible`."""
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
            x, n = ray_geom(m, d, geom, origin, direction)
            is_better = and_(has_direction, is_nearer(x, best))
            best, found = where(is_better, x, best), where(is_better, float(geom), found)
            normal = where3(is_better, n, normal)
    return best, found, normal


@kernel
def nearest(m, d, origin, direction, groups, with_static, excluded_body):
    """(distance, geom, normal) of the first visible surface on a ray; distance and geom -1 and normal zero without one.

    The geom is a number of each world. `groups` has bit k set if geoms of group k count (ALL_GROUPS: all do);
    `with_static` is 0 if geoms fixed to the world do not; geoms of `excluded_body` do not (-1: none). A direction
    without length hits nothing.
    """
    return nearest_visible(m, d, list_visible(m, d, groups, with_static, excluded_body), origin, direction)


@kernel
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
