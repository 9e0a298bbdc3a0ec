"""Signed distance fields that are samples: octrees of meshes, grids, height fields.

An octree is read as MuJoCo reads it: trilinear in the leaf, and its gradient that of the leaf. A grid is sampled
trilinearly too; its gradient is the difference over one cell, which has no jumps. Beyond the box of either the distance
is that at the nearest point of the box plus the distance to it.

A height field has the distance to the plane of the triangle above or below, cut by the sides and the base.

In double precision, one point at a time.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import abs_, clamp, floor, maximum, sqrt, widen
from phalanx.algebra.vector import normalize
from phalanx.collision.pair.hfield import field_sizes
from phalanx.collision.sdf.table import GRID, field_gradient, field_value
from phalanx.tables.enums import GeomType

#: How far inside its box a point is put that is outside, and the step of a difference there.
INSIDE, STEP = 1e-6, 1e-8
#: More levels than an octree has.
LEVELS = 100


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
    node, x, y, z = octree_leaf(m, root, point)
    total = 0.0
    for k in range(8):
        weight = (x if k & 1 else 1.0 - x) * (y if k & 2 else 1.0 - y) * (z if k & 4 else 1.0 - z)
        total += weight * m.oct_coeff[node, k]
    return total


@field_value.row(GeomType.SDF)
@kernel
def octree_value(m, d, size, number, point):
    root = m.mesh_octadr[number]
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
def octree_gradient(m, d, size, number, point):
    root = m.mesh_octadr[number]
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
    here = octree_value(m, d, size, number, point)
    return (
        (octree_value(m, d, size, number, (point[0] + STEP, point[1], point[2])) - here) / STEP,
        (octree_value(m, d, size, number, (point[0], point[1] + STEP, point[2])) - here) / STEP,
        (octree_value(m, d, size, number, (point[0], point[1], point[2] + STEP)) - here) / STEP,
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
def grid_value(m, d, size, number, point):
    grid = number - m.nmesh
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
def grid_gradient(m, d, size, number, point):
    grid = number - m.nmesh
    cell = load3(m.grid_cell, grid)
    x, y, z = 0.5 * cell[0], 0.5 * cell[1], 0.5 * cell[2]
    right = grid_value(m, d, size, number, (point[0] + x, point[1], point[2]))
    left = grid_value(m, d, size, number, (point[0] - x, point[1], point[2]))
    front = grid_value(m, d, size, number, (point[0], point[1] + y, point[2]))
    back = grid_value(m, d, size, number, (point[0], point[1] - y, point[2]))
    above = grid_value(m, d, size, number, (point[0], point[1], point[2] + z))
    below = grid_value(m, d, size, number, (point[0], point[1], point[2] - z))
    return ((right - left) / cell[0], (front - back) / cell[1], (above - below) / cell[2])


# --- height fields


@kernel
def surface_at(m, number, sizes, point):
    """(height, normal) of the triangle over a point, extended beyond the edge of the field."""
    rows, columns = m.hfield_nrow[number], m.hfield_ncol[number]
    dx, dy = 2.0 * sizes[0] / (columns - 1), 2.0 * sizes[1] / (rows - 1)
    x, y = clamp((point[0] + sizes[0]) / dx, 0.0, columns - 1.0), clamp((point[1] + sizes[1]) / dy, 0.0, rows - 1.0)
    column, row = int(clamp(floor(x), 0.0, columns - 2.0)), int(clamp(floor(y), 0.0, rows - 2.0))
    x, y = x - column, y - row
    adr = m.hfield_adr[number] + row * columns + column
    near, right = widen(m.hfield_data[adr]), widen(m.hfield_data[adr + 1])
    left, far = widen(m.hfield_data[adr + columns]), widen(m.hfield_data[adr + columns + 1])
    if y > x:  # the triangle on the side of small x
        slope_x, slope_y = far - left, left - near
    else:
        slope_x, slope_y = right - near, far - right
    height = (near + slope_x * x + slope_y * y) * sizes[2]
    return height, normalize((-slope_x * sizes[2] / dx, -slope_y * sizes[2] / dy, 1.0))


@kernel
def edge_excess(sizes, point):
    """How far a point is beyond the sides (the larger of both axes) and below the base."""
    return maximum(abs_(point[0]) - sizes[0], abs_(point[1]) - sizes[1]), -sizes[3] - point[2]


@field_value.row(GeomType.HFIELD)
@kernel
def hfield_value(m, d, size, number, point):
    sizes = field_sizes(m, d, number)
    height, normal = surface_at(m, number, sizes, point)
    side, base = edge_excess(sizes, point)
    return maximum((point[2] - height) * normal[2], maximum(side, base))


@field_gradient.row(GeomType.HFIELD)
@kernel
def hfield_gradient(m, d, size, number, point):
    sizes = field_sizes(m, d, number)
    height, normal = surface_at(m, number, sizes, point)
    side, base = edge_excess(sizes, point)
    above = (point[2] - height) * normal[2]
    if above >= side and above >= base:
        return normal
    if base >= side:
        return (0.0, 0.0, -1.0)
    if abs_(point[0]) - sizes[0] >= abs_(point[1]) - sizes[1]:
        return (1.0 if point[0] > 0.0 else -1.0, 0.0, 0.0)
    return (0.0, 1.0 if point[1] > 0.0 else -1.0, 0.0)
