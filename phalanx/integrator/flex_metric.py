"""Flexes in the metric of a step: their stiffness and damping, as couplings.

The stiffness of a triangle or tetrahedron is that of the squared lengths of its edges, and what tension adds to it;
pressure is left out, so that it stays positive. That of bending and of cells is constant, but for the rotation of the
cell. Damping is proportional to stiffness. Each is a sum of squares of linear functions of the velocities: a row each.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.matrix import multiply_vector
from phalanx.algebra.memory import load3
from phalanx.algebra.number import any_, lane_count, maximum
from phalanx.algebra.vector import negate, scale, sub
from phalanx.constraint.passive_contact import has_passive_contacts, is_passive, put_contact_row
from phalanx.integrator.flex_row import (
    add_to_axes,
    add_to_each,
    add_to_row,
    begin_row,
    end_axes,
    end_one_of_three,
    end_row,
    end_three,
    end_twist,
)
from phalanx.integrator.rod_metric import rod_terms
from phalanx.memory.flags import is_disabled
from phalanx.smooth.flex.bending import BENDING
from phalanx.smooth.flex.cells import cell_rotation, is_elastic_cell
from phalanx.smooth.flex.elastic_rod import hinge_count
from phalanx.smooth.flex.faces import corner_count, face_rotation, part_count, part_node
from phalanx.smooth.flex.forces import resists_stretching
from phalanx.smooth.flex.stretching import (
    SOLID_METRIC,
    SOLID_ROWS,
    TRIANGLE_METRIC,
    TRIANGLE_ROWS,
    corner,
    elongation,
    pull,
)
from phalanx.tables.enums import DisableBit

#: Corners at the ends of the edges of a triangle and of a tetrahedron.
TRIANGLE_EDGES = ((1, 2), (2, 0), (0, 1))
SOLID_EDGES = ((0, 1), (1, 2), (2, 0), (2, 3), (0, 3), (1, 3))
#: Pivots below this part of the largest entry count as zero.
LEAST_PIVOT = 1e-12


@part()
def flex_terms(m, d):
    """Couplings of all flexes, and the shift of the smooth force by what they will do."""
    for flex in range(m.nflex):
        if m.flex_rigid[flex] == 0:
            if m.flex_interp[flex] != 0:
                # bending of shells is explicit
                if is_elastic_cell(m, flex):
                    cell_terms(m, d, flex)
            elif m.flex_interp[flex] == 0 and m.flex_dim[flex] > 1:
                if resists_stretching(m, flex):
                    stretch_terms(m, d, flex)
                if m.flex_dim[flex] == 2 and m.flex_bendingadr[flex] >= 0:
                    bend_terms(m, d, flex)
            elif m.flex_interp[flex] == 0 and hinge_count(m, flex) > 0:
                rod_terms(m, d, flex, damping_weight(m, flex), spring_weights(m, flex), end_row, end_twist)
    if lane_count(d.time) == 1 and has_passive_contacts(m, d):
        contact_terms(m, d)


@kernel
def weights(m, flex):
    """What multiplies the stiffness of a flex in the metric, and in the shift of the force; each has its flag."""
    step = m.opt.timestep
    shift = 0.0 * step if is_disabled(m, DisableBit.SPRING) else step
    return step * shift + damping_weight(m, flex), shift


@kernel
def damping_weight(m, flex):
    """What multiplies the damping of a flex in the metric, per stiffness."""
    damping = m.opt.timestep * m.flex_damping[flex]
    return 0.0 * damping if is_disabled(m, DisableBit.DAMPER) else damping


@kernel
def spring_weights(m, flex):
    """The same without damping."""
    step = m.opt.timestep
    shift = 0.0 * step if is_disabled(m, DisableBit.SPRING) else step
    return step * shift, shift


# --- passive contacts


@kernel
def contact_terms(m, d):
    """A row along the normal of each passive contact, be it closed or not; no flag takes it away."""
    step = m.opt.timestep
    for contact in range(d.ncon):
        if is_passive(m, d, contact):
            begin_row(d)
            stiffness = put_contact_row(m, d, contact)
            end_row(d, step * step * stiffness, step * stiffness)


# --- triangles and tetrahedra


@kernel
def stretch_terms(m, d, flex):
    """Elements: rows of the factor of the stiffness of squared lengths, and edges under tension."""
    factors = weights(m, flex)
    for edge in range(m.flex_edgeadr[flex], m.flex_edgeadr[flex] + m.flex_edgenum[flex]):
        d.edge_tension[edge] = 0.0
    for element in range(m.flex_elemnum[flex]):
        if m.flex_dim[flex] == 2:
            triangle_terms(m, d, flex, element, factors)
        else:
            solid_terms(m, d, flex, element, factors)
    first = m.flex_vertadr[flex]
    for edge in range(m.flex_edgeadr[flex], m.flex_edgeadr[flex] + m.flex_edgenum[flex]):
        if any_(d.edge_tension[edge] > 0.0):
            start, end = first + m.flex_edge[edge, 0], first + m.flex_edge[edge, 1]
            begin_row(d)
            add_to_axes(m, d, start, 1.0)
            add_to_axes(m, d, end, -1.0)
            end_axes(d, d.edge_tension[edge] * factors[0], d.edge_tension[edge] * factors[1])


@kernel
def add_tension(m, d, flex, element, count, k, tension):
    """Add what pulls on an edge of an element; what presses is left out."""
    edge = m.flex_edgeadr[flex] + m.flex_elemedge[m.flex_elemedgeadr[flex] + element * count + k]
    d.edge_tension[edge] = d.edge_tension[edge] + maximum(tension, 0.0)


@kernel
def triangle_terms(m, d, flex, t, factors):
    """One triangle."""
    e = (elongation(m, d, flex, t, 3, 0), elongation(m, d, flex, t, 3, 1), elongation(m, d, flex, t, 3, 2))
    start = m.flex_stiffnessadr[flex] + TRIANGLE_METRIC * t
    add_tension(m, d, flex, t, 3, 0, pull(TRIANGLE_ROWS[0], start, m, e))
    add_tension(m, d, flex, t, 3, 1, pull(TRIANGLE_ROWS[1], start, m, e))
    add_tension(m, d, flex, t, 3, 2, pull(TRIANGLE_ROWS[2], start, m, e))
    unpack(m, d, start, 3)
    factor(d, 3)
    begin_row(d)
    for a in range(3):
        add_edge_of(m, d, flex, t, TRIANGLE_EDGES[a], a, 0)
    end_columns(d, 0, factors)


@kernel
def solid_terms(m, d, flex, t, factors):
    """One tetrahedron."""
    e = (
        elongation(m, d, flex, t, 6, 0), elongation(m, d, flex, t, 6, 1), elongation(m, d, flex, t, 6, 2),
        elongation(m, d, flex, t, 6, 3), elongation(m, d, flex, t, 6, 4), elongation(m, d, flex, t, 6, 5),
    )  # fmt: skip
    start = m.flex_stiffnessadr[flex] + SOLID_METRIC * t
    add_tension(m, d, flex, t, 6, 0, pull(SOLID_ROWS[0], start, m, e))
    add_tension(m, d, flex, t, 6, 1, pull(SOLID_ROWS[1], start, m, e))
    add_tension(m, d, flex, t, 6, 2, pull(SOLID_ROWS[2], start, m, e))
    add_tension(m, d, flex, t, 6, 3, pull(SOLID_ROWS[3], start, m, e))
    add_tension(m, d, flex, t, 6, 4, pull(SOLID_ROWS[4], start, m, e))
    add_tension(m, d, flex, t, 6, 5, pull(SOLID_ROWS[5], start, m, e))
    unpack(m, d, start, 6)
    factor(d, 6)
    begin_row(d)
    for a in range(6):
        add_edge_of(m, d, flex, t, SOLID_EDGES[a], a, 0)
    end_columns(d, 0, factors)
    begin_row(d)
    for a in range(3, 6):
        add_edge_of(m, d, flex, t, SOLID_EDGES[a], a, 3)
    end_columns(d, 3, factors)


@kernel
def add_edge_of(m, d, flex, element, ends, a, first):
    """Add the rate of half the squared length of edge a, times the entries of three columns of the factor, to rows."""
    start, end = corner(m, d, flex, element, ends[0]), corner(m, d, flex, element, ends[1])
    edge = sub(load3(d.flexvert_xpos, start), load3(d.flexvert_xpos, end))
    one, two = scale(edge, factor_entry(d, a, first)), scale(edge, factor_entry(d, a, first + 1))
    three = scale(edge, factor_entry(d, a, first + 2))
    add_to_each(m, d, start, (one, two, three))
    add_to_each(m, d, end, (negate(one), negate(two), negate(three)))


@kernel
def factor_entry(d, row, column):
    """An entry of L; there are none above the diagonal."""
    return d.metric_factor[6 * row + column] if row >= column else 0.0


@kernel
def end_columns(d, first, factors):
    """The three rows at hand become couplings with pivots from `first` on: a pack, if none of these is zero."""
    a, b, c = 2.0 * d.metric_pivot[first], 2.0 * d.metric_pivot[first + 1], 2.0 * d.metric_pivot[first + 2]
    if a > 0.0 and b > 0.0 and c > 0.0:
        row, (weight, pull) = d.nefc + d.coupling_num, factors
        end_three(d, (a * weight, b * weight, c * weight), (a * pull, b * pull, c * pull))
        if d.point_num > 0:
            d.efc_pack[row] = 3
            d.efc_pack[row + 1] = 0
            d.efc_pack[row + 2] = 0
        return
    for k in range(3):
        pivot = d.metric_pivot[first + k]
        if pivot > 0.0:
            end_one_of_three(d, k, 2.0 * pivot * factors[0], 2.0 * pivot * factors[1])


@kernel
def unpack(m, d, start, size):
    """metric_factor: the lower triangle of a matrix whose upper triangle the Model has, by rows."""
    address = start
    for row in range(size):
        for column in range(row, size):
            d.metric_factor[6 * column + row] = m.flex_stiffness[address]
            address += 1


@kernel
def factor(d, size):
    """metric_factor, metric_pivot: L and D of L D L', of a matrix that is positive but for rounding."""
    largest = 0.0
    for k in range(size):
        largest = maximum(largest, d.metric_factor[6 * k + k])
    for k in range(size):
        pivot = d.metric_factor[6 * k + k]
        is_positive = pivot > LEAST_PIVOT * largest
        d.metric_pivot[k] = pivot if is_positive else 0.0
        d.metric_factor[6 * k + k] = 1.0
        for row in range(k + 1, size):
            d.metric_factor[6 * row + k] = d.metric_factor[6 * row + k] / pivot if is_positive else 0.0
        for column in range(k + 1, size):
            for row in range(column, size):
                product = d.metric_factor[6 * row + k] * d.metric_factor[6 * column + k] * d.metric_pivot[k]
                d.metric_factor[6 * row + column] = d.metric_factor[6 * row + column] - product


# --- bending


@kernel
def bend_terms(m, d, flex):
    """Edges between two triangles: their matrix is the square of one row."""
    factors, first = weights(m, flex), m.flex_vertadr[flex]
    for k in range(m.flex_edgenum[flex]):
        edge, start = m.flex_edgeadr[flex] + k, m.flex_bendingadr[flex] + BENDING * k
        # what is folded at rest by more than a right angle would have less than nothing
        if m.flex_edgeflap[edge, 1] >= 0 and largest_diagonal(m, start) > 0.0:
            row = largest_row(m, start)
            scaled = 1.0 / m.flex_bending[start + 5 * row]
            begin_row(d)
            add_to_axes(m, d, first + m.flex_edge[edge, 0], m.flex_bending[start + 4 * row])
            add_to_axes(m, d, first + m.flex_edge[edge, 1], m.flex_bending[start + 4 * row + 1])
            add_to_axes(m, d, first + m.flex_edgeflap[edge, 0], m.flex_bending[start + 4 * row + 2])
            add_to_axes(m, d, first + m.flex_edgeflap[edge, 1], m.flex_bending[start + 4 * row + 3])
            end_axes(d, scaled * factors[0], scaled * factors[1])


@kernel
def largest_row(m, start):
    """The row of the matrix of an edge with the largest diagonal entry."""
    best = 0
    for k in range(1, 4):
        if m.flex_bending[start + 5 * k] > m.flex_bending[start + 5 * best]:
            best = k
    return best


@kernel
def largest_diagonal(m, start):
    """That entry."""
    return m.flex_bending[start + 5 * largest_row(m, start)]


# --- cells


@kernel
def cell_terms(m, d, flex):
    """Cells, or faces of a shell: rows of the factor of their stiffness, which rotates with them."""
    factors, count = weights(m, flex), corner_count(m, flex)
    size = 3 * count
    for cell in range(part_count(m, flex)):
        matrix = m.flex_stiffnessadr[flex] + cell * size * size
        # cells without mesh have no stiffness; faces have none across
        if m.flex_interp[flex] < 0 or m.flex_stiffness[matrix] != 0.0:
            rotation = part_rotation(m, d, flex, cell)
            factor_cell(m, d, matrix, size)
            for k in range(size):
                if d.cell_pivot[k] > 0.0:
                    begin_row(d)
                    for n in range(count):
                        node = m.flex_nodeadr[flex] + part_node(m, flex, cell, n)
                        column = (
                            d.cell_factor[(3 * n) * size + k],
                            d.cell_factor[(3 * n + 1) * size + k],
                            d.cell_factor[(3 * n + 2) * size + k],
                        )
                        rotated = multiply_vector(rotation, column)
                        add_to_row(m, d, m.flex_nodebodyid[node], load3(d.flexnode_xpos, node), rotated)
                    end_row(d, d.cell_pivot[k] * factors[0], d.cell_pivot[k] * factors[1])


@kernel
def part_rotation(m, d, flex, cell):
    """The rotation of a cell, or of a face of a shell."""
    return face_rotation(m, d, flex, cell) if m.flex_interp[flex] < 0 else cell_rotation(m, d, flex, cell)


@kernel
def factor_cell(m, d, matrix, size):
    """cell_factor, cell_pivot: L and D of the stiffness of a cell, which the Model has with the sign of forces."""
    largest = 0.0
    for row in range(size):
        for column in range(size):
            d.cell_factor[row * size + column] = (
                -m.flex_stiffness[matrix + row * size + column] if column <= row else 0.0
            )
        largest = maximum(largest, d.cell_factor[row * size + row])
    for k in range(size):
        pivot = d.cell_factor[k * size + k]
        # rigid motions cost nothing
        is_positive = pivot > LEAST_PIVOT * largest
        d.cell_pivot[k] = pivot if is_positive else 0.0
        for row in range(k + 1, size):
            d.cell_factor[row * size + k] = d.cell_factor[row * size + k] / pivot if is_positive else 0.0
        d.cell_factor[k * size + k] = 1.0
        if is_positive:
            for row in range(k + 1, size):
                scaled = d.cell_factor[row * size + k] * pivot
                for column in range(k + 1, row + 1):
                    place = row * size + column
                    d.cell_factor[place] = d.cell_factor[place] - scaled * d.cell_factor[column * size + k]
