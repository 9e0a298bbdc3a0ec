"""The stiffness of flexes as MuJoCo stores it: rotated matrices of cells, Hessians of stretching, a sparse matrix.

A step does not need them: it has the same as couplings (`flex_metric.py`). They are computed when they are asked for,
at the state of the last forward pass, under the discrete integrator as in MuJoCo. Who is in the sparse matrix, and
where its entries are, `phalanx/pipeline/stiffness_pattern.py` finds out.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.matrix import multiply_transposed
from phalanx.algebra.memory import load3, load6
from phalanx.algebra.number import any_, maximum, minimum
from phalanx.algebra.vector import dot, sub
from phalanx.constraint.passive_contact import has_passive_contacts, is_passive, put_contact_row
from phalanx.constraint.rows import is_dense
from phalanx.integrator.flex_metric import (
    SOLID_EDGES,
    TRIANGLE_EDGES,
    damping_weight,
    largest_diagonal,
    spring_weights,
    weights,
)
from phalanx.integrator.rod_metric import rod_terms
from phalanx.smooth.chain import from_tree_center, point_velocity
from phalanx.smooth.flex.bending import BENDING
from phalanx.smooth.flex.cells import cell_rotation, is_elastic_cell
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
from phalanx.smooth.jacobian import last_dof
from phalanx.smooth.step_metric import has_step_metric

#: Numbers before the entries of a contact row: how many, and which contact; the weight, and the force.
HEADER = 2
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@part()
def flex_blocks(m, d):
    """flexelem_krot, flexvert_hessian, flexedge_hessian, flex_hessian_valid; nothing without the metric of a step."""
    if not has_step_metric(m):
        return
    for k in range(m.nflexstiffness):
        d.flexelem_krot[k] = 0.0
    for flex in range(m.nflex):
        if m.flex_rigid[flex] == 0:
            if m.flex_interp[flex] != 0:
                if is_elastic_cell(m, flex):
                    rotate_cells(m, d, flex)
            elif m.flex_dim[flex] > 1 and resists_stretching(m, flex) and any_(weights(m, flex)[0] != 0.0):
                stretch_hessian(m, d, flex)


# --- cells


@kernel
def rotate_cells(m, d, flex):
    """flexelem_krot of the cells of a flex, or of faces of its shell: R K R', of each pair of nodes."""
    count = corner_count(m, flex)
    size = 3 * count
    for cell in range(part_count(m, flex)):
        matrix = m.flex_stiffnessadr[flex] + cell * size * size
        # cells without mesh have no stiffness; faces have none across
        if m.flex_interp[flex] < 0 or m.flex_stiffness[matrix] != 0.0:
            is_face = m.flex_interp[flex] < 0
            rotation = face_rotation(m, d, flex, cell) if is_face else cell_rotation(m, d, flex, cell)
            for i in range(count):
                for j in range(count):
                    rotate_block(m, d, matrix + 3 * i * size + 3 * j, size, rotation)


@kernel
def rotate_block(m, d, start, size, rotation):
    """R B R' of the block of 3 by 3 numbers that begins at an address."""
    for row in range(3):
        for column in range(3):
            total = 0.0 * rotation[0]
            for k in range(3):
                inner = m.flex_stiffness[start + k * size] * rotation[3 * column]
                inner = inner + m.flex_stiffness[start + k * size + 1] * rotation[3 * column + 1]
                inner = inner + m.flex_stiffness[start + k * size + 2] * rotation[3 * column + 2]
                total = total + rotation[3 * row + k] * inner
            d.flexelem_krot[start + row * size + column] = total


# --- triangles and tetrahedra


@kernel
def stretch_hessian(m, d, flex):
    """flexedge_hessian: how the force on the first end of an edge changes with the second; flexvert_hessian: the rest.

    The stiffness of squared lengths, and what tension adds to it; pressure is left out. A motion of all vertices alike
    changes nothing: so blocks of vertices are minus the sum of those of their edges.
    """
    first, last = m.flex_edgeadr[flex], m.flex_edgeadr[flex] + m.flex_edgenum[flex]
    vertices = m.flex_vertadr[flex]
    for edge in range(first, last):
        for k in range(9):
            d.flexedge_hessian[edge, k] = 0.0
    for vertex in range(vertices, vertices + m.flex_vertnum[flex]):
        for k in range(6):
            d.flexvert_hessian[vertex, k] = 0.0
    for element in range(m.flex_elemnum[flex]):
        if m.flex_dim[flex] == 2:
            triangle_hessian(m, d, flex, element)
        else:
            solid_hessian(m, d, flex, element)
    # upper triangles of the sums, by rows
    for edge in range(first, last):
        start, end = vertices + m.flex_edge[edge, 0], vertices + m.flex_edge[edge, 1]
        place = 0
        for row in range(3):
            for column in range(row, 3):
                there, back = d.flexedge_hessian[edge, 3 * row + column], d.flexedge_hessian[edge, 3 * column + row]
                d.flexvert_hessian[start, place] = d.flexvert_hessian[start, place] - there
                d.flexvert_hessian[end, place] = d.flexvert_hessian[end, place] - back
                place += 1
    d.flex_hessian_valid[flex] = True


@kernel
def triangle_hessian(m, d, flex, t):
    """One triangle."""
    e = (elongation(m, d, flex, t, 3, 0), elongation(m, d, flex, t, 3, 1), elongation(m, d, flex, t, 3, 2))
    start = m.flex_stiffnessadr[flex] + TRIANGLE_METRIC * t
    d.element_tension[0] = maximum(pull(TRIANGLE_ROWS[0], start, m, e), 0.0)
    d.element_tension[1] = maximum(pull(TRIANGLE_ROWS[1], start, m, e), 0.0)
    d.element_tension[2] = maximum(pull(TRIANGLE_ROWS[2], start, m, e), 0.0)
    for k in range(3):
        add_edge_block(m, d, (flex, t, k), start, TRIANGLE_EDGES, TRIANGLE_ROWS)


@kernel
def solid_hessian(m, d, flex, t):
    """One tetrahedron."""
    e = (
        elongation(m, d, flex, t, 6, 0), elongation(m, d, flex, t, 6, 1), elongation(m, d, flex, t, 6, 2),
        elongation(m, d, flex, t, 6, 3), elongation(m, d, flex, t, 6, 4), elongation(m, d, flex, t, 6, 5),
    )  # fmt: skip
    start = m.flex_stiffnessadr[flex] + SOLID_METRIC * t
    d.element_tension[0] = maximum(pull(SOLID_ROWS[0], start, m, e), 0.0)
    d.element_tension[1] = maximum(pull(SOLID_ROWS[1], start, m, e), 0.0)
    d.element_tension[2] = maximum(pull(SOLID_ROWS[2], start, m, e), 0.0)
    d.element_tension[3] = maximum(pull(SOLID_ROWS[3], start, m, e), 0.0)
    d.element_tension[4] = maximum(pull(SOLID_ROWS[4], start, m, e), 0.0)
    d.element_tension[5] = maximum(pull(SOLID_ROWS[5], start, m, e), 0.0)
    for k in range(6):
        add_edge_block(m, d, (flex, t, k), start, SOLID_EDGES, SOLID_ROWS)


@kernel
def add_edge_block(m, d, place, start, edges, rows):
    """Add the block of edge k of an element: 2 sum of K_ab d_a d_b', over edges a at its first end, b at its second.

    The tension of the edge itself is on the diagonal.
    """
    flex, element, k = place
    count = len(edges)
    edge = m.flex_edgeadr[flex] + m.flex_elemedge[m.flex_elemedgeadr[flex] + element * count + k]
    first, second = edges[k][0], edges[k][1]
    # an element may have the edge the other way round
    if corner(m, d, flex, element, first) != m.flex_vertadr[flex] + m.flex_edge[edge, 0]:
        first, second = second, first
    for a in range(count):
        sign = end_sign(edges[a], first)
        if sign != 0.0:
            along = edge_vector(m, d, flex, element, edges[a])
            for b in range(count):
                other = end_sign(edges[b], second)
                if other != 0.0:
                    across = edge_vector(m, d, flex, element, edges[b])
                    factor = 2.0 * sign * other * m.flex_stiffness[start + rows[a][b]]
                    for row in range(3):
                        for column in range(3):
                            entry = d.flexedge_hessian[edge, 3 * row + column]
                            d.flexedge_hessian[edge, 3 * row + column] = entry + factor * along[row] * across[column]
    for row in range(3):
        d.flexedge_hessian[edge, 4 * row] = d.flexedge_hessian[edge, 4 * row] - d.element_tension[k]


@kernel
def end_sign(ends, vertex):
    """1 if an edge begins at a corner, -1 if it ends there, else 0."""
    if ends[0] == vertex:
        return 1.0
    return -1.0 if ends[1] == vertex else 0.0


@kernel
def edge_vector(m, d, flex, element, ends):
    """From the end of an edge of an element to its beginning."""
    start, end = corner(m, d, flex, element, ends[0]), corner(m, d, flex, element, ends[1])
    return sub(load3(d.flexvert_xpos, start), load3(d.flexvert_xpos, end))


# --- the sparse matrix, one world at a time


@part()
def flex_matrix(m, d):
    """efm_K_val, of the pattern that is there; efm_con_ind and efm_con_val. After `flex_blocks`."""
    for k in range(d.nefmK):
        d.efm_K_val[k] = 0.0
    for flex in range(m.nflex):
        if d.flex_in_matrix[flex] != 0:
            if m.flex_interp[flex] != 0:
                add_cells(m, d, flex)
            elif m.flex_dim[flex] == 1:
                rod_terms(m, d, flex, damping_weight(m, flex), spring_weights(m, flex), add_square, pass_over)
            else:
                if d.flex_hessian_valid[flex]:
                    add_stretching(m, d, flex)
                if m.flex_dim[flex] == 2 and m.flex_bendingadr[flex] >= 0:
                    add_bending(m, d, flex)
    put_contact_rows(m, d)


@kernel
def add_entry(d, row, column, value):
    """Add to an entry of the matrix, which is in its pattern; columns of a row ascend."""
    low, high = d.efm_K_rowadr[row], d.efm_K_rowadr[row] + d.efm_K_rownnz[row] - 1
    while low < high:
        middle = (low + high) // 2
        if d.efm_K_colind[middle] < column:
            low = middle + 1
        else:
            high = middle
    d.efm_K_val[low] = d.efm_K_val[low] + value


@kernel
def add_block(m, d, carrier1, carrier2, block, factor):
    """Add J1' B J2 of two points, each a body and where it is in the world, times a factor."""
    offset1 = from_tree_center(m, d, carrier1[0], carrier1[1])
    offset2 = from_tree_center(m, d, carrier2[0], carrier2[1])
    dof1 = last_dof(m, carrier1[0])
    while dof1 >= 0:
        pushed = multiply_transposed(block, point_velocity(load6(d.cdof, dof1), offset1))
        dof2 = last_dof(m, carrier2[0])
        while dof2 >= 0:
            add_entry(d, dof1, dof2, factor * dot(pushed, point_velocity(load6(d.cdof, dof2), offset2)))
            dof2 = m.dof_parentid[dof2]
        dof1 = m.dof_parentid[dof1]


@kernel
def vertex_carrier(m, d, vertex):
    """The body of a vertex, and where it is."""
    return m.flex_vertbodyid[vertex], load3(d.flexvert_xpos, vertex)


@kernel
def add_stretching(m, d, flex):
    """Blocks of vertices, and of edges in both directions."""
    factor, first = weights(m, flex)[0], m.flex_vertadr[flex]
    for vertex in range(first, first + m.flex_vertnum[flex]):
        xx, xy, xz, yy, yz, zz = load6(d.flexvert_hessian, vertex)
        carrier = vertex_carrier(m, d, vertex)
        add_block(m, d, carrier, carrier, (xx, xy, xz, xy, yy, yz, xz, yz, zz), factor)
    for edge in range(m.flex_edgeadr[flex], m.flex_edgeadr[flex] + m.flex_edgenum[flex]):
        start = vertex_carrier(m, d, first + m.flex_edge[edge, 0])
        end = vertex_carrier(m, d, first + m.flex_edge[edge, 1])
        block = (
            d.flexedge_hessian[edge, 0], d.flexedge_hessian[edge, 1], d.flexedge_hessian[edge, 2],
            d.flexedge_hessian[edge, 3], d.flexedge_hessian[edge, 4], d.flexedge_hessian[edge, 5],
            d.flexedge_hessian[edge, 6], d.flexedge_hessian[edge, 7], d.flexedge_hessian[edge, 8],
        )  # fmt: skip
        a, b, c, e, f, g, h, i, j = block
        add_block(m, d, start, end, block, factor)
        add_block(m, d, end, start, (a, e, h, b, f, i, c, g, j), factor)


@kernel
def add_bending(m, d, flex):
    """Edges between two triangles: a matrix of their four vertices, the same along all axes."""
    factor = weights(m, flex)[0]
    for k in range(m.flex_edgenum[flex]):
        edge, start = m.flex_edgeadr[flex] + k, m.flex_bendingadr[flex] + BENDING * k
        # what is folded at rest by more than a right angle would have less than nothing
        if m.flex_edgeflap[edge, 1] >= 0 and largest_diagonal(m, start) > 0.0:
            for i in range(4):
                carrier1 = vertex_carrier(m, d, m.flex_vertadr[flex] + flap_vertex(m, edge, i))
                for j in range(4):
                    carrier2 = vertex_carrier(m, d, m.flex_vertadr[flex] + flap_vertex(m, edge, j))
                    add_block(m, d, carrier1, carrier2, IDENTITY, factor * m.flex_bending[start + 4 * i + j])


@kernel
def flap_vertex(m, edge, k):
    """Vertex k of an edge and the two triangles beside it."""
    return m.flex_edge[edge, k] if k < 2 else m.flex_edgeflap[edge, k - 2]


@kernel
def add_cells(m, d, flex):
    """Cells, or faces of a shell: flexelem_krot, which has the sign of forces."""
    factor, count, first = weights(m, flex)[0], corner_count(m, flex), m.flex_nodeadr[flex]
    size = 3 * count
    for cell in range(part_count(m, flex)):
        matrix = m.flex_stiffnessadr[flex] + cell * size * size
        if m.flex_interp[flex] < 0 or m.flex_stiffness[matrix] != 0.0:
            for i in range(count):
                for j in range(count):
                    node1, node2 = first + part_node(m, flex, cell, i), first + part_node(m, flex, cell, j)
                    a = matrix + 3 * i * size + 3 * j
                    b, c = a + size, a + 2 * size
                    block = (
                        d.flexelem_krot[a], d.flexelem_krot[a + 1], d.flexelem_krot[a + 2],
                        d.flexelem_krot[b], d.flexelem_krot[b + 1], d.flexelem_krot[b + 2],
                        d.flexelem_krot[c], d.flexelem_krot[c + 1], d.flexelem_krot[c + 2],
                    )  # fmt: skip
                    carrier1 = m.flex_nodebodyid[node1], load3(d.flexnode_xpos, node1)
                    carrier2 = m.flex_nodebodyid[node2], load3(d.flexnode_xpos, node2)
                    add_block(m, d, carrier1, carrier2, block, -factor)


@kernel
def add_square(d, weight, force):
    """The row at hand of a rod, times itself and a weight."""
    for a in range(d.point_num):
        for b in range(d.point_num):
            add_entry(d, d.point_dof[a], d.point_dof[b], weight * d.row_value[a] * d.row_value[b])


@kernel
def pass_over(d, weight, force):
    """Twist joints are no part of the matrix."""


# --- passive contacts


@kernel
def count_contact_rows(m, d):
    """nefmcon: how long the packed rows of passive contacts are at most."""
    d.nefmcon = 0
    if has_passive_contacts(m, d):
        for contact in range(d.ncon):
            if is_passive(m, d, contact):
                put_contact_row(m, d, contact)
                if d.point_num > 0:
                    d.nefmcon = d.nefmcon + HEADER + d.point_num


@kernel
def put_contact_rows(m, d):
    """efm_con_ind, efm_con_val: of each passive contact its entries, weight and force; nefmcon: how long they are."""
    d.nefmcon = 0
    if has_passive_contacts(m, d):
        step = m.opt.timestep
        for contact in range(d.ncon):
            if is_passive(m, d, contact):
                stiffness = put_contact_row(m, d, contact)
                if d.point_num > 0:
                    start, count = d.nefmcon, 0
                    for k in range(d.point_num):
                        # a dense Jacobian has no pattern: entries that are zero are left out
                        if not is_dense(m) or any_(d.row_value[k] != 0.0):
                            d.efm_con_ind[start + HEADER + count] = d.point_dof[k]
                            d.efm_con_val[start + HEADER + count] = d.row_value[k]
                            count += 1
                    d.efm_con_ind[start] = count
                    d.efm_con_ind[start + 1] = contact
                    d.efm_con_val[start] = step * step * stiffness
                    d.efm_con_val[start + 1] = -stiffness * minimum(d.contact_dist[contact], 0.0)
                    d.nefmcon = start + HEADER + count
