"""Triangles of a mesh against a signed distance field.

The tree of boxes of the mesh gives the triangles that come near; on each, a few searches of Frank and Wolfe go from
points spread over it to the corner that the field falls most towards, by ever smaller parts of the way.

An octree or a plugin is searched as in MuJoCo, which looks at no margin; a grid has contacts up to the margin. In
double precision, one world at a time.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import matmul, multiply_transposed, multiply_vector, transpose
from phalanx.algebra.memory import store3
from phalanx.algebra.number import abs_, maximum, sqrt, widen
from phalanx.algebra.vector import MINVAL, add, add_scaled, cross, dot, negate, norm, normalize, scale, sub
from phalanx.collision.geom.mesh import mesh_triangle
from phalanx.collision.sdf.grid_pair import BLUR, SAME, STEPS, place_of
from phalanx.collision.sdf.octree_pair import put_midway
from phalanx.collision.sdf.pair import box_of, field_of, halton, has_field, is_grid, mean_gradient, widened
from phalanx.collision.sdf.table import GRID, field_gradient, field_value
from phalanx.collision.table import collider
from phalanx.tables.enums import GeomType
from phalanx.tables.scratch_fields import SDF_STACK
from phalanx.tables.sizes import MAXCONPAIR, MAXVAL

#: A tetrahedron on a triangle, this part of the distance high, bounds what the triangle can reach; unless it is flat.
HEIGHT, FLAT = 0.1, 0.1


@kernel
def value_at(m, d, field, point):
    """Signed distance of a point in the frame of the field."""
    return field_value(field[0], m, d, field[1], field[2], point)


@kernel
def may_touch(m, d, field, a, b, c, margin):
    """May a triangle come within the margin? By the ball around it, or around it and a point above."""
    ab, ac = sub(b, a), sub(c, a)
    center = add_scaled(add_scaled(scale(a, 1.0 / 3.0), b, 1.0 / 3.0), c, 1.0 / 3.0)
    dist = value_at(m, d, field, center)
    height = -dist * HEIGHT
    if abs_(height) < FLAT:
        x, y, z = norm(ab), norm(sub(c, b)), norm(ac)
        half = 0.5 * (x + y + z)
        area = sqrt(maximum(half * (half - x) * (half - y) * (half - z), 0.0))
        return dist < x * y * z / (4.0 * maximum(area, MINVAL)) + margin
    top = add_scaled(center, normalize(cross(ab, ac)), -height)
    u, v, w = sub(a, top), sub(b, top), sub(c, top)
    vw = cross(v, w)
    denominator = 2.0 * dot(u, vw)
    if abs_(denominator) < MINVAL:
        return dist < norm(ab) + margin
    middle = add_scaled(scale(vw, dot(u, u)), cross(w, u), dot(v, v))
    middle = scale(add_scaled(middle, cross(u, v), dot(w, w)), 1.0 / denominator)
    return value_at(m, d, field, add(middle, top)) < norm(middle) + margin


@kernel
def deepest_point(m, d, field, a, b, c, point):
    """The point of a triangle that the search of Frank and Wolfe finds from a point of it."""
    steps = m.opt.sdf_iterations * (STEPS if field[0] == GRID else 1)
    for step in range(steps):
        slope = field_gradient(field[0], m, d, field[1], field[2], point)
        best, corner = MAXVAL, point
        on_a, on_b, on_c = dot(a, slope), dot(b, slope), dot(c, slope)
        if on_a < best:
            best, corner = on_a, a
        if on_b < best:
            best, corner = on_b, b
        if on_c < best:
            corner = c
        point = add_scaled(point, sub(corner, point), 2.0 / (step + 2.0))
    return point


@kernel
def surface_slope(m, d, field, point):
    """Direction of a contact: in a grid the mean over a few cells, as an edge has no gradient of its own."""
    if field[0] == GRID:
        return mean_gradient(m, d, field, point, BLUR * norm(field[1]))
    return field_gradient(field[0], m, d, field[1], field[2], point)


@kernel
def triangle_contacts(m, d, field, a, b, c, second, margin, same, found, count):
    """(found, count): candidates and contacts after the searches on a triangle; those nearer than `same` are one.

    MuJoCo stops after 50 candidates, of which many are the same; in a grid only different ones count, the deepest of
    each place.
    """
    if not may_touch(m, d, field, a, b, c, margin):
        return found, count
    for k in range(maximum(1, m.opt.sdf_initpoints)):
        if found >= MAXCONPAIR:
            break
        # points spread over the parallelogram, folded into the triangle
        u, v = halton(k + 1, 2), halton(k + 1, 3)
        if u + v > 1.0:
            u, v = 1.0 - u, 1.0 - v
        start = add_scaled(add_scaled(scale(a, 1.0 - u - v), b, u), c, v)
        point = deepest_point(m, d, field, a, b, c, start)
        dist = value_at(m, d, field, point)
        if dist < margin:
            # searches that end at one place are one contact
            place = place_of(d, count, point, same)
            is_new = place == count
            found += 1 if is_new or field[0] != GRID else 0
            slope = surface_slope(m, d, field, point)
            if norm(slope) >= MINVAL and (is_new or (field[0] == GRID and dist < d.sdf_dist[place])):
                store3(d.sdf_point, place, point)
                d.sdf_dist[place] = dist
                put_midway(d, place, second, dist, point, negate(normalize(slope)))
                count += 1 if is_new else 0
    return found, count


@collider(GeomType.MESH, GeomType.SDF, max_contacts=MAXCONPAIR, world_by_world=True)
@kernel
def mesh_sdf(m, d, mesh, sdf, margin):
    """Triangles of the mesh that are near, found in its tree, against the field."""
    if not has_field(m, sdf[3]):
        return 0
    first, second = widened(mesh), widened(sdf)
    field = field_of(m, GeomType.SDF, second)
    reach = widen(margin) if is_grid(m, sdf[3]) else 0.0
    mat, pos = matmul(transpose(second[1]), first[1]), multiply_transposed(second[1], sub(first[0], second[0]))
    _, half = box_of(m, field)
    same = SAME * norm(half) if is_grid(m, sdf[3]) else MINVAL
    root = m.mesh_bvhadr[first[3]]
    found, count, waiting = 0, 0, 1
    d.sdf_stack[0] = 0
    while waiting > 0:
        waiting -= 1
        node = root + d.sdf_stack[waiting]
        center = add(multiply_vector(mat, box_part(m, node, 0)), pos)
        # the ball around a box of the tree that the field is farther from holds no contact
        if value_at(m, d, field, center) < norm(box_part(m, node, 3)) + reach:
            face = m.bvh_nodeid[node]
            if face >= 0:
                a, b, c = mesh_triangle(m, first[3], face)
                a, b = add(multiply_vector(mat, a), pos), add(multiply_vector(mat, b), pos)
                c = add(multiply_vector(mat, c), pos)
                found, count = triangle_contacts(m, d, field, a, b, c, second, reach, same, found, count)
            else:
                for k in range(2):
                    child = m.bvh_child[node, k]
                    if child >= 0 and waiting < SDF_STACK:
                        d.sdf_stack[waiting] = child
                        waiting += 1
    return count


@kernel
def box_part(m, node, k):
    """Center (k = 0) or half sizes (k = 3) of a box of the tree."""
    return (m.bvh_aabb[node, k], m.bvh_aabb[node, k + 1], m.bvh_aabb[node, k + 2])
