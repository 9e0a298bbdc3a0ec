"""Elasticity of interpolated flexes: cells with a constant stiffness each, in a frame that rotates with the cell.

The rotation is that of the deformation gradient at the center of the cell. In its frame nodes have displacements from
where they are at rest, and forces are linear in them.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import matmul, multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import independent
from phalanx.algebra.vector import add_scaled, cross, dot, scale, sub
from phalanx.smooth.flex.interpolation import carrier_count, node_of_cell, order_of, shape, shape_slope
from phalanx.smooth.flex.plastic_place import plastic_stretching
from phalanx.smooth.flex.polar import rotation_of

ZERO3 = (0.0, 0.0, 0.0)
#: Strain is all that a constraint keeps: then cells have no forces of their own.
STRAIN_EQUALITY = 3


@kernel
def cell_count(m, flex):
    """How many cells a flex has."""
    return m.flex_cellnum[flex, 0] * m.flex_cellnum[flex, 1] * m.flex_cellnum[flex, 2]


@kernel
def is_elastic_cell(m, flex):
    """Do the cells of a flex resist deformation?"""
    return m.flex_stiffnessadr[flex] >= 0 and m.flex_edgeequality[flex] != STRAIN_EQUALITY


@kernel
def pushes_nodes(m, flex):
    """Has the elasticity of cells forces? Around lines MuJoCo has none; it is part of the discrete metric only."""
    return is_elastic_cell(m, flex) and (m.flex_dim[flex] > 1 or m.flex_interp[flex] < 0)


@kernel
def deform_cells(m, d, flex):
    """flexnode_spring and flexnode_damper of all cells."""
    size = 3 * carrier_count(m, flex)
    for cell in range(cell_count(m, flex)):
        matrix = m.flex_stiffnessadr[flex] + cell * size * size
        # cells without mesh have no stiffness
        if m.flex_stiffness[matrix] != 0.0:
            deform_cell(m, d, flex, cell, matrix)


@kernel
def put_displacements(m, d, flex, cell):
    """cell_vector: how far the nodes of a cell are from where they are at rest, in its frame; returns the rotation."""
    rotation, kept = cell_rotation(m, d, flex, cell), plastic_stretching(m, flex)
    for k in range(carrier_count(m, flex)):
        node = m.flex_nodeadr[flex] + node_of_cell(m, flex, cell, k)
        place, rest = multiply_transposed(rotation, load3(d.flexnode_xpos, node)), load3(m.flex_node0, node)
        if kept >= 0:
            place = sub(place, stretched(d, kept + 6 * cell, rest))
        store3(d.cell_vector, 3 * k, sub(place, rest))
    return rotation


@kernel
def deform_cell(m, d, flex, cell, matrix):
    """Forces of one cell."""
    count, first = carrier_count(m, flex), m.flex_nodeadr[flex]
    rotation = put_displacements(m, d, flex, cell)
    multiply_stiffness(m, d, matrix, 3 * count)
    add_cell_force(m, d, flex, cell, rotation, d.flexnode_spring, 1.0)
    damping = m.flex_damping[flex]
    if damping != 0.0:
        for k in range(count):
            node = first + node_of_cell(m, flex, cell, k)
            store3(d.cell_vector, 3 * k, multiply_transposed(rotation, load3(d.flexnode_velocity, node)))
        multiply_stiffness(m, d, matrix, 3 * count)
        add_cell_force(m, d, flex, cell, rotation, d.flexnode_damper, damping)


@kernel
def stretched(d, place, point):
    """The displacement of a point by a strain for good: xx, yy, zz, and twice xy, xz, yz."""
    xy, xz, yz = 0.5 * d.plastic[place + 3], 0.5 * d.plastic[place + 4], 0.5 * d.plastic[place + 5]
    return (
        d.plastic[place] * point[0] + xy * point[1] + xz * point[2],
        xy * point[0] + d.plastic[place + 1] * point[1] + yz * point[2],
        xz * point[0] + yz * point[1] + d.plastic[place + 2] * point[2],
    )


@kernel
def multiply_stiffness(m, d, matrix, size):
    """cell_product = K cell_vector, of a symmetric matrix K from an address on."""
    for row in independent(size):
        d.cell_product[row] = 0.0
    for column in range(size):
        x, start = d.cell_vector[column], matrix + column * size
        for row in independent(size):
            d.cell_product[row] = d.cell_product[row] + m.flex_stiffness[start + row] * x


@kernel
def add_cell_force(m, d, flex, cell, rotation, forces, factor):
    """Add cell_product, times a factor, to forces on the nodes of a cell; the Model has K with the sign of forces."""
    for k in range(carrier_count(m, flex)):
        node = m.flex_nodeadr[flex] + node_of_cell(m, flex, cell, k)
        force = multiply_vector(rotation, load3(d.cell_product, 3 * k))
        store3(forces, node, add_scaled(load3(forces, node), force, factor))


# --- rotation


@kernel
def center_slopes(k, order):
    """Derivatives of shape function k of a cell at its center, by the three coordinates in the cell."""
    along = order + 1
    i, j, l = k // (along * along), k // along % along, k % along
    x, y, z = shape(0.5, i, order), shape(0.5, j, order), shape(0.5, l, order)
    dx, dy, dz = shape_slope(0.5, i, order), shape_slope(0.5, j, order), shape_slope(0.5, l, order)
    return (dx * y * z, x * dy * z, x * y * dz)


@kernel
def center_gradient(m, flex, cell, points):
    """Derivatives of positions by the three coordinates in a cell, at its center: three vectors."""
    order = order_of(m, flex)
    x, y, z = ZERO3, ZERO3, ZERO3
    for k in range(carrier_count(m, flex)):
        point = load3(points, m.flex_nodeadr[flex] + node_of_cell(m, flex, cell, k))
        slopes = center_slopes(k, order)
        x, y, z = add_scaled(x, point, slopes[0]), add_scaled(y, point, slopes[1]), add_scaled(z, point, slopes[2])
    return x, y, z


@kernel
def deformation_gradient(m, points, flex, cell):
    """Derivatives of positions of nodes by those at rest, at the center of a cell."""
    a0, b0, c0 = center_gradient(m, flex, cell, m.flex_node0)
    a, b, c = center_gradient(m, flex, cell, points)
    # rows of the inverse of the gradient at rest
    volume = dot(a0, cross(b0, c0))
    u, v, w = scale(cross(b0, c0), 1.0 / volume), scale(cross(c0, a0), 1.0 / volume), scale(cross(a0, b0), 1.0 / volume)
    present = (a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2])
    return matmul(present, (u[0], u[1], u[2], v[0], v[1], v[2], w[0], w[1], w[2]))


@kernel
def cell_rotation(m, d, flex, cell):
    """The rotation of a cell."""
    return rotation_of(deformation_gradient(m, d.flexnode_xpos, flex, cell))
