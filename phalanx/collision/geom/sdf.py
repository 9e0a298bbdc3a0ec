"""A signed distance field: the octree of a mesh, a grid of distances, or the formula of a plugin.

An octree is read as MuJoCo reads it: trilinear in the leaf, and its gradient that of the leaf. A grid is sampled
trilinearly too; its gradient is the difference over one cell, which has no jumps. Beyond the box of either the distance
is that at the nearest point of the box plus the distance to it.

Rays take steps as long as the distance to the surface. A sampled distance may be a little too large, so steps are
somewhat shorter, and a change of sign shows a surface that was stepped over; it is found by halving.

In double precision, one point or one world at a time. Bounds and mass come with the mesh or the grid.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_vector
from phalanx.algebra.memory import load3
from phalanx.algebra.number import abs_, clamp, floor, maximum, narrow, primal, sqrt
from phalanx.algebra.vector import MINVAL, add_scaled, norm, normalize, scale
from phalanx.collision.convex.support import widen3
from phalanx.collision.geom.box import ray_box
from phalanx.collision.ray.crossing import to_local
from phalanx.collision.ray.table import no_hit, ray_asset
from phalanx.collision.sdf.pair import field_of, has_field, widened
from phalanx.collision.sdf.plugin_field import plugin_field, plugin_field_gradient
from phalanx.collision.sdf.table import GRID, PLUGIN, field_gradient, field_value
from phalanx.tables.enums import GeomType

#: How far inside its box a point is put that is outside, and the step of a difference there.
INSIDE, STEP = 1e-6, 1e-8
#: More levels than an octree has.
LEVELS = 100
#: Of a ray: most steps, part of the distance that a step takes, shortest step relative to the size of the geom.
STEPS, PART, SHORTEST = 500, 0.9, 1e-4
#: How far a formula may reach beyond the mesh that was made of it, relative to the size of the geom.
AROUND = 0.02
#: Halvings of the interval around a crossing.
HALVINGS = 60


# --- octrees


@kernel
def box_excess(m, root, point):
    """How far a point is beyond the box of an octree, by axis."""
    return (
        abs_(point[0] - m.oct_aabb[root, 0]) - m.oct_aabb[root, 3],
        abs_(point[1] - m.oct_aabb[root, 1]) - m.oct_aabb[root, 4],
        abs_(point[2] - m.oct_aabb[root, 2]) - m.oct_aabb[root, 5],
    )


@kernel
def pulled_in(x, center, excess):
    """A coordinate moved into the box."""
    if excess < 0.0:
        return x
    return x - (excess + INSIDE) if x - center > 0.0 else x + (excess + INSIDE)


@kernel
def place_in(center, half, x):
    """A coordinate in units of an interval: 0 at its start, 1 at its end."""
    low, high = center - half, center + half
    return (x - low) / (high - low)


@kernel
def edge(m, node, axis):
    """Length of a node along an axis."""
    center, half = m.oct_aabb[node, axis], m.oct_aabb[node, 3 + axis]
    return (center + half) - (center - half)


@kernel
def octree_leaf(m, root, point):
    """(node, x, y, z): the leaf that holds a point of the box, and where in it, from 0 to 1."""
    node = root
    x, y, z = 0.0, 0.0, 0.0
    for _ in range(LEVELS):
        x = place_in(m.oct_aabb[node, 0], m.oct_aabb[node, 3], point[0])
        y = place_in(m.oct_aabb[node, 1], m.oct_aabb[node, 4], point[1])
        z = place_in(m.oct_aabb[node, 2], m.oct_aabb[node, 5], point[2])
        if m.oct_child[node, 0] < 0:
            break
        node = root + m.oct_child[node, (0 if x < 0.5 else 1) + (0 if y < 0.5 else 2) + (0 if z < 0.5 else 4)]
    return node, x, y, z


@kernel
def octree_inside_value(m, root, point):
    """Trilinear in the leaf that holds a point of the box."""
    node, x, y, z = octree_leaf(m, root, point)
    total = 0.0
    for k in range(8):
        weight = (x if k & 1 else 1.0 - x) * (y if k & 2 else 1.0 - y) * (z if k & 4 else 1.0 - z)
        total += weight * m.oct_coeff[node, k]
    return total


@field_value.row(GeomType.SDF)
@kernel
def octree_value(m, d, size, dataid, point):
    """In the box that of the leaf; outside that at the box, plus the distance to the box."""
    root = m.mesh_octadr[dataid]
    excess = box_excess(m, root, point)
    if excess[0] <= 0.0 and excess[1] <= 0.0 and excess[2] <= 0.0:
        return octree_inside_value(m, root, point)
    square = 0.0
    for axis in range(3):
        e = excess[axis]
        if e >= 0.0:
            square += e * e
    inside = (
        pulled_in(point[0], m.oct_aabb[root, 0], excess[0]),
        pulled_in(point[1], m.oct_aabb[root, 1], excess[1]),
        pulled_in(point[2], m.oct_aabb[root, 2], excess[2]),
    )
    return octree_inside_value(m, root, inside) + sqrt(square)


@field_gradient.row(GeomType.SDF)
@kernel
def octree_gradient(m, d, size, dataid, point):
    """In the box that of the leaf; outside a difference."""
    root = m.mesh_octadr[dataid]
    excess = box_excess(m, root, point)
    if excess[0] <= 0.0 and excess[1] <= 0.0 and excess[2] <= 0.0:
        node, x, y, z = octree_leaf(m, root, point)
        gx, gy, gz = 0.0, 0.0, 0.0
        for k in range(8):
            wx, wy, wz = x if k & 1 else 1.0 - x, y if k & 2 else 1.0 - y, z if k & 4 else 1.0 - z
            value = m.oct_coeff[node, k]
            gx += (1.0 if k & 1 else -1.0) * wy * wz * value
            gy += wx * (1.0 if k & 2 else -1.0) * wz * value
            gz += wx * wy * (1.0 if k & 4 else -1.0) * value
        return (gx / edge(m, node, 0), gy / edge(m, node, 1), gz / edge(m, node, 2))
    here = octree_value(m, d, size, dataid, point)
    return (
        (octree_value(m, d, size, dataid, (point[0] + STEP, point[1], point[2])) - here) / STEP,
        (octree_value(m, d, size, dataid, (point[0], point[1] + STEP, point[2])) - here) / STEP,
        (octree_value(m, d, size, dataid, (point[0], point[1], point[2] + STEP)) - here) / STEP,
    )


# --- grids


@kernel
def grid_place(m, grid, axis, x):
    """(cell, part, excess): the cell of a coordinate, where in it from 0 to 1, and how far the grid is away."""
    cell, points = m.grid_cell[grid, axis], m.grid_shape[grid, axis]
    place = (x - m.grid_origin[grid, axis]) / cell
    inside = clamp(place, 0.0, points - 1.0)
    first = int(clamp(floor(inside), 0.0, points - 2.0))
    return first, inside - first, (place - inside) * cell


@field_value.row(GRID)
@kernel
def grid_value(m, d, size, dataid, point):
    """Trilinear in the cell; outside that at the edge of the grid, plus the distance to it."""
    grid = dataid - m.nmesh
    i, x, out0 = grid_place(m, grid, 0, point[0])
    j, y, out1 = grid_place(m, grid, 1, point[1])
    k, z, out2 = grid_place(m, grid, 2, point[2])
    row = m.grid_shape[grid, 2]
    sheet = row * m.grid_shape[grid, 1]
    adr = m.grid_adr[grid] + i * sheet + j * row + k
    v = m.grid_value
    along00, along01 = v[adr] * (1.0 - z) + v[adr + 1] * z, v[adr + row] * (1.0 - z) + v[adr + row + 1] * z
    adr += sheet
    along10, along11 = v[adr] * (1.0 - z) + v[adr + 1] * z, v[adr + row] * (1.0 - z) + v[adr + row + 1] * z
    near, far = along00 * (1.0 - y) + along01 * y, along10 * (1.0 - y) + along11 * y
    return near * (1.0 - x) + far * x + sqrt(out0 * out0 + out1 * out1 + out2 * out2)


@field_gradient.row(GRID)
@kernel
def grid_gradient(m, d, size, dataid, point):
    """Differences over one cell around the point."""
    grid = dataid - m.nmesh
    cell = load3(m.grid_cell, grid)
    x, y, z = 0.5 * cell[0], 0.5 * cell[1], 0.5 * cell[2]
    right = grid_value(m, d, size, dataid, (point[0] + x, point[1], point[2]))
    left = grid_value(m, d, size, dataid, (point[0] - x, point[1], point[2]))
    front = grid_value(m, d, size, dataid, (point[0], point[1] + y, point[2]))
    back = grid_value(m, d, size, dataid, (point[0], point[1] - y, point[2]))
    above = grid_value(m, d, size, dataid, (point[0], point[1], point[2] + z))
    below = grid_value(m, d, size, dataid, (point[0], point[1], point[2] - z))
    return ((right - left) / cell[0], (front - back) / cell[1], (above - below) / cell[2])


# --- plugins


@field_value.row(PLUGIN)
@kernel
def plugin_value(m, d, size, dataid, point):
    """The formula of the plugin of a geom; a part of plain numbers, without tangents."""
    return plugin_field(m, d, dataid, primal(point[0]), primal(point[1]), primal(point[2]))


@field_gradient.row(PLUGIN)
@kernel
def plugin_slope(m, d, size, dataid, point):
    """Its gradient; through memory, as a part gives one number."""
    plugin_field_gradient(m, d, dataid, primal(point[0]), primal(point[1]), primal(point[2]))
    return load3(d.sdf_gradient, 0)


# --- rays


@kernel
def crossing(m, d, field, p, u, low, high, is_inside):
    """Where between two places on a ray the surface is crossed."""
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        value = field_value(field[0], m, d, field[1], field[2], add_scaled(p, u, middle))
        if (value < 0.0) == is_inside:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@kernel
def march(m, d, field, p, u, start, end, size):
    """Distance to the surface along a unit vector, between two places; -1 if there is none."""
    place = start
    value = field_value(field[0], m, d, field[1], field[2], add_scaled(p, u, place))
    is_inside = value < 0.0
    for _ in range(STEPS):
        if place > end:
            break
        ahead = place + maximum(PART * abs_(value), SHORTEST * size)
        value = field_value(field[0], m, d, field[1], field[2], add_scaled(p, u, ahead))
        if (value < 0.0) != is_inside:
            return crossing(m, d, field, p, u, place, ahead, is_inside)
        place = ahead
    return -1.0


@ray_asset.row(GeomType.SDF)
@kernel
def ray_sdf(m, d, geom, world, origin, direction, limit):
    """The surface of an SDF, from outside or inside."""
    miss, none = no_hit(geom[0][0])
    speed = norm(widen3(direction))
    if not has_field(m, geom[3]) or speed < MINVAL:
        return miss, none
    pos, mat, _, _ = widened(geom)
    size = widen3(geom[2])
    origin, direction = widen3(origin), scale(widen3(direction), 1.0 / speed)
    box, _ = ray_box(pos, mat, size, origin, direction)
    if box < 0.0:
        return miss, none
    p, u = to_local(pos, mat, origin, direction)
    is_within = abs_(p[0]) <= size[0] and abs_(p[1]) <= size[1] and abs_(p[2]) <= size[2]
    start = 0.0 if is_within else box
    field = field_of(m, GeomType.SDF, geom)
    around = 0.0
    if field[0] == PLUGIN:
        # the box is that of a mesh, which a formula may reach a little beyond
        around = AROUND * norm(size)
        start = maximum(start - around, 0.0)
    x = march(m, d, field, p, u, start, start + 2.0 * (norm(size) + around), norm(size))
    if x < 0.0:
        return miss, none
    slope = field_gradient(field[0], m, d, field[1], field[2], add_scaled(p, u, x))
    normal = multiply_vector(mat, normalize(slope))
    like = geom[0][0]
    return narrow(like, x / speed), (narrow(like, normal[0]), narrow(like, normal[1]), narrow(like, normal[2]))
