"""The strain equality of flexes: a cell, or a face of a shell, keeps its shape.

Each of its modes of deformation is a row: a weighted sum of the displacements of its nodes, in a frame that rotates
with it. The rotation counts as given: the Jacobian is that of the displacements.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.matrix import multiply_transposed
from phalanx.algebra.memory import load3, load6, store3
from phalanx.algebra.number import any_, lane_get, splat, where
from phalanx.algebra.vector import dot, sub, where3
from phalanx.constraint.equality.polynomial import put_scalar_equality
from phalanx.constraint.rows import describe, put_entry, release, reserve, where_felt
from phalanx.constraint.table import equality_rows
from phalanx.smooth.chain import from_tree_center, point_velocity
from phalanx.smooth.flex.cells import cell_rotation
from phalanx.smooth.flex.faces import face_rotation, node_of_face
from phalanx.smooth.flex.interpolation import node_of_cell, order_of
from phalanx.smooth.flex.point import add_body_chain, clear_point
from phalanx.smooth.jacobian import last_dof
from phalanx.tables.enums import ConstraintType, EqType


@equality_rows.row(EqType.FLEXSTRAIN)
@kernel
def flex_strain(m, d, equality, acts):
    """A row for each mode of deformation."""
    return flex_strain_rows(m, d, equality, acts)


@part("mdic", "i")
def flex_strain_rows(m, d, equality, acts):
    """The rows of a cell or face: its modes are in the Model, each scaled by the root of its stiffness."""
    flex = m.eq_obj1id[equality]
    element, count = constrained_element(m, flex, equality), node_count(m, flex)
    size, address = 3 * count, m.flex_stiffnessadr[flex]
    modes = int(m.flex_stiffness[address + element * size * size]) if address >= 0 else 0
    if modes == 0:
        return 0
    rotation, weights = element_rotation(m, d, flex, element), address + element * size * size + 1
    diagonal = 0.0
    clear_point(d)
    for k in range(count):
        node = element_node(m, flex, element, k)
        body = m.flex_nodebodyid[node]
        place = multiply_transposed(rotation, load3(d.flexnode_xpos, node))
        store3(d.cell_vector, 3 * k, sub(place, load3(m.flex_node0, node)))
        diagonal += m.body_invweight0[body, 0]
        add_body_chain(m, d, body)
    # rows of all modes at once: how a node moves is the same for each
    row, start, width = d.nefc, d.nJ, d.point_num
    if width == 0 or not reserve(d, modes, width):
        return 0
    clear_entries(d, acts, start, modes)
    for k in range(count):
        add_node(m, d, element_node(m, flex, element, k), acts, rotation, (modes, start, weights + 3 * k, size))
    kept = 0
    for mode in range(modes):
        violation = deformation_in(m, d, weights + mode * size, count)
        kept += put_mode(m, d, equality, acts, (mode, kept, row, start), violation, diagonal / count)
    release(d, modes - kept, width)
    return 0


@kernel
def clear_entries(d, acts, start, modes):
    """Columns of the rows of all modes: the dofs that move the nodes. Entries are zero."""
    for mode in range(modes):
        for k in range(d.point_num):
            put_entry(d, start + mode * d.point_num + k, d.point_dof[k], where(acts, 0.0, 0.0))


@kernel
def add_node(m, d, node, acts, rotation, modes):
    """Add how a node moves to the rows of all modes: (their count, address of the first, weights of the node, step)."""
    count, start, weights, step = modes
    body = m.flex_nodebodyid[node]
    offset = from_tree_center(m, d, body, load3(d.flexnode_xpos, node))
    dof, place = last_dof(m, body), d.point_num - 1
    while dof >= 0:
        while d.point_dof[place] != dof:
            place -= 1
        velocity = multiply_transposed(rotation, point_velocity(load6(d.cdof, dof), offset))
        velocity = where3(acts, velocity, (0.0, 0.0, 0.0))
        for mode in range(count):
            entry, weight = start + mode * d.point_num + place, load3(m.flex_stiffness, weights + mode * step)
            d.efc_J[entry] = d.efc_J[entry] + dot(weight, velocity)
        dof = m.dof_parentid[dof]


@kernel
def deformation_in(m, d, weights, count):
    """How far a cell or face is deformed in one mode, whose weights begin at an address."""
    total = splat(d.time, 0.0)
    for k in range(count):
        total = total + dot(load3(m.flex_stiffness, weights + 3 * k), load3(d.cell_vector, 3 * k))
    return total


@kernel
def put_mode(m, d, equality, acts, places, violation, diagonal):
    """Keep the row of a mode if it acts; places = (mode, how many are kept, first row, its entries). Returns 1 or 0."""
    mode, kept, first, start = places
    row, width = first + kept, d.point_num
    address, found = start + kept * width, start + mode * width
    acts = where_felt(m, d, acts, found, width)
    if not any_(acts):
        return 0
    for k in range(width if kept < mode else 0):
        put_entry(d, address + k, d.efc_J_colind[found + k], d.efc_J[found + k])
    describe(d, row, address, 1, width, ConstraintType.EQUALITY, equality)
    put_scalar_equality(m, d, row, equality, acts, violation, diagonal)
    return 1


# --- cells and faces


@kernel
def is_shell(m, flex):
    """Is a flex the shell around its cells?"""
    return m.flex_interp[flex] < 0


@kernel
def node_count(m, flex):
    """How many nodes a cell or face has."""
    along = order_of(m, flex) + 1
    return along * along if is_shell(m, flex) else along * along * along


@kernel
def constrained_element(m, flex, equality):
    """The cell or face that an equality holds, the same in all worlds."""
    first = int(lane_get(m.eq_data[equality, 0], 0))
    if is_shell(m, flex):
        return first
    across, deep = m.flex_cellnum[flex, 1], m.flex_cellnum[flex, 2]
    return (first * across + int(lane_get(m.eq_data[equality, 1], 0))) * deep + int(lane_get(m.eq_data[equality, 2], 0))


@kernel
def element_node(m, flex, element, k):
    """Node k of a cell or face, counted over all flexes."""
    if is_shell(m, flex):
        return m.flex_nodeadr[flex] + node_of_face(m, flex, element, k)
    return m.flex_nodeadr[flex] + node_of_cell(m, flex, element, k)


@kernel
def element_rotation(m, d, flex, element):
    """The rotation of a cell or face."""
    if is_shell(m, flex):
        return face_rotation(m, d, flex, element)
    return cell_rotation(m, d, flex, element)
