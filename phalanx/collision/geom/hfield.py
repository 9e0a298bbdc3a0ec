"""A height field: a grid of elevations, two triangles per cell, with walls down to a flat base.

Its sizes are those of the asset; `pair/hfield.py` has its contacts. The signed distance is that to the plane of the
triangle above or below, cut by the sides and the base, in double precision, one point at a time. Rays take one world at
a time.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load4
from phalanx.algebra.number import (
    abs_,
    any_,
    clamp,
    floor,
    is_single,
    maximum,
    minimum,
    or_,
    splat,
    sqrt,
    where,
    widen,
)
from phalanx.algebra.vector import MINVAL, add_scaled, cross, normalize, scale, sub
from phalanx.collision.geom.box import box_distances, box_inertia, box_volume
from phalanx.collision.geom.table import inertia, volume
from phalanx.collision.pair.hfield import field_sizes
from phalanx.collision.ray.crossing import BEYOND, BEYOND_SINGLE, is_after, is_nearer, of_world, to_local, world_normal
from phalanx.collision.ray.table import ray_asset
from phalanx.collision.ray.triangle import across, triangle_distance
from phalanx.collision.sdf.table import field_gradient, field_value
from phalanx.tables.enums import GeomType

#: Part of a cell by which the ray is taken to be wider than it is, so that rounding leaves out no triangle.
CELL_EDGE, CELL_EDGE_SINGLE = 1e-6, 1e-2

# --- mass: that of the box of its sizes; and bounds

volume.row(GeomType.HFIELD)(box_volume)
inertia.row(GeomType.HFIELD)(box_inertia)


@kernel
def hfield_bounds(size):
    """(sizes of the geom, box, radius) from the sizes of the asset: from the base to the highest elevation."""
    x, y, top, base = size
    box = (0.0, 0.0, (top - base) * 0.5, x, y, (top + base) * 0.5)
    return (x, y, 0.25 * top + 0.5 * base), box, sqrt(x * x + y * y + maximum(top * top, base * base))


# --- rays


@ray_asset.row(GeomType.HFIELD)
@kernel
def ray_heightfield(m, d, geom, world, origin, direction, limit):
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
        best, normal = surface_hit(m, grid, p, v, (entry, limit), walls, best, normal)
        best, normal = wall_hits(m, grid, p, v, walls, best, normal)
    return best, world_normal(best >= 0.0, mat, normal)


@kernel
def surface_hit(m, grid, p, v, bounds, walls, best, normal):
    """(distance, normal) after the triangles under the ray, two in each cell of the grid; bounds = (entry, limit)."""
    entry, limit = bounds
    field, extent_x, extent_y, _ = grid
    rows, columns = m.hfield_nrow[field], m.hfield_ncol[field]
    dx, dy = 2.0 * extent_x / (columns - 1), 2.0 * extent_y / (rows - 1)
    # the part of the ray inside the box around the surface, and the cells below it with one around
    leave = maximum(maximum(walls[0], walls[1]), maximum(walls[2], walls[3]))
    leave = maximum(leave, maximum(walls[4], walls[5]))
    enter = where(leave > entry, entry, 0.0)
    x0, x1 = (p[0] + enter * v[0] + extent_x) / dx, (p[0] + leave * v[0] + extent_x) / dx
    y0, y1 = (p[1] + enter * v[1] + extent_y) / dy, (p[1] + leave * v[1] + extent_y) / dy
    first_column, last_column = cell_range(x0, x1, 0, columns - 1, 1.0)
    first_row, last_row = cell_range(y0, y1, 0, rows - 1, 1.0)
    across1, across2 = across(v)
    slack = BEYOND_SINGLE if is_single(best) else BEYOND
    whole = (splat(leave, 0.0), leave)
    edge = CELL_EDGE_SINGLE if is_single(best) else CELL_EDGE
    # time per unit of y; zero for a ray that stays in its row
    slowness_y = where(abs_(v[1]) > MINVAL, 1.0 / v[1], 0.0)
    for r in range(first_row, last_row):
        # of a slanting ray only the cells of this row that it passes over
        in_row = crossing_interval(whole, dy * (r - edge) - extent_y - p[1], dy * (1.0 + 2.0 * edge), slowness_y)
        if any_(is_out_of_reach(in_row, best, limit, slack)):
            continue
        x0, x1 = (p[0] + in_row[0] * v[0] + extent_x) / dx, (p[0] + in_row[1] * v[0] + extent_x) / dx
        first, last = cell_range(x0, x1, first_column, last_column, edge)
        lowest, highest = height_range(p[2] + in_row[0] * v[2], p[2] + in_row[1] * v[2], slack)
        for c in range(first, last):
            near = surface_point(m, grid, r, c, dx, dy)
            right = surface_point(m, grid, r, c + 1, dx, dy)
            far = surface_point(m, grid, r + 1, c + 1, dx, dy)
            left = surface_point(m, grid, r + 1, c, dx, dy)
            top = maximum(maximum(near[2], right[2]), maximum(far[2], left[2]))
            bottom = minimum(minimum(near[2], right[2]), minimum(far[2], left[2]))
            if any_(or_(top < lowest, bottom > highest)):
                continue
            x = triangle_distance(near, right, far, p, v, across1, across2)
            if any_(is_nearer(x, best)):
                best, normal = x, normalize(cross(sub(near, far), sub(right, far)))
            x = triangle_distance(near, far, left, p, v, across1, across2)
            if any_(is_nearer(x, best)):
                best, normal = x, normalize(cross(sub(near, left), sub(far, left)))
    return best, normal


@kernel
def crossing_interval(interval, start, length, slowness):
    """The part of an interval of the ray in which one of its coordinates is between start and start + length."""
    if any_(slowness == 0.0):
        return interval
    a = start * slowness
    b = a + length * slowness
    return maximum(interval[0], minimum(a, b)), minimum(interval[1], maximum(a, b))


@kernel
def is_out_of_reach(interval, best, limit, slack):
    """Is an interval of the ray empty, or behind a hit that is known?"""
    is_late = or_(is_after(interval[0], best, slack), is_after(interval[0], limit, slack))
    return or_(interval[0] > interval[1], is_late)


@kernel
def height_range(z0, z1, slack):
    """Between which heights a piece of a ray is that ends at two of them, rounding included."""
    more = slack * (1.0 + abs_(z0) + abs_(z1))
    return minimum(z0, z1) - more, maximum(z0, z1) + more


@kernel
def cell_range(a, b, first, last, edge):
    """The cells between two places on the grid, widened by a part of a cell, inside [first, last): (from, to)."""
    low, high = floor(minimum(a, b) - edge), 1.0 + floor(maximum(a, b) + edge)
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


# --- signed distance


@kernel
def surface_at(m, dataid, sizes, point):
    """(height, normal) of the triangle over a point, extended beyond the edge of the field."""
    rows, columns = m.hfield_nrow[dataid], m.hfield_ncol[dataid]
    dx, dy = 2.0 * sizes[0] / (columns - 1), 2.0 * sizes[1] / (rows - 1)
    x, y = clamp((point[0] + sizes[0]) / dx, 0.0, columns - 1.0), clamp((point[1] + sizes[1]) / dy, 0.0, rows - 1.0)
    column, row = int(clamp(floor(x), 0.0, columns - 2.0)), int(clamp(floor(y), 0.0, rows - 2.0))
    x, y = x - column, y - row
    adr = m.hfield_adr[dataid] + row * columns + column
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
def hfield_value(m, d, size, dataid, point):
    """The largest of the distances to the triangle, to the sides and to the base."""
    sizes = field_sizes(m, d, dataid)
    height, normal = surface_at(m, dataid, sizes, point)
    side, base = edge_excess(sizes, point)
    return maximum((point[2] - height) * normal[2], maximum(side, base))


@field_gradient.row(GeomType.HFIELD)
@kernel
def hfield_gradient(m, d, size, dataid, point):
    """The normal of what decides: the triangle, a side or the base."""
    sizes = field_sizes(m, d, dataid)
    height, normal = surface_at(m, dataid, sizes, point)
    side, base = edge_excess(sizes, point)
    above = (point[2] - height) * normal[2]
    if above >= side and above >= base:
        return normal
    if base >= side:
        return (0.0, 0.0, -1.0)
    if abs_(point[0]) - sizes[0] >= abs_(point[1]) - sizes[1]:
        return (1.0 if point[0] > 0.0 else -1.0, 0.0, 0.0)
    return (0.0, 1.0 if point[1] > 0.0 else -1.0, 0.0)
