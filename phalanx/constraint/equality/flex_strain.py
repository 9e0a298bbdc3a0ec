"""The strain equality of flexes: a cell, or a face of a shell, keeps its shape.

Each of its modes of deformation is a row: a weighted sum of the displacements of its nodes, in a frame that rotates
with it. The rotation counts as given: the Jacobian is that of the displacements.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, load6, store3
from phalanx.algebra.number import any_, lane_get, where
from phalanx.algebra.vector import dot, sub
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
    size = 3 * count
    address = m.flex_stiffnessadr[flex] + element * size * size
    modes = int(m.flex_stiffness[address]) if m.flex_stiffnessadr[flex] >= 0 else 0
    if modes == 0:
        return 0
    rotation = element_rotation(m, d, flex, element)
    diagonal = 0.0
    clear_point(d)
    for k in range(count):
        node = element_node(m, flex, element, k)
        body = m.flex_nodebodyid[node]
        place = multiply_transposed(rotation, load3(d.flexnode_xpos, node))
        store3(d.cell_vector, 3 * k, sub(place, load3(m.flex_node0, node)))
        diagonal += m.body_invweight0[body, 0]
        add_body_chain(m, d, body)
    for mode in range(modes):
        mode_row(m, d, equality, acts, (flex, element, address + 1 + mode * size), rotation, diagonal / count)
    return 0


@kernel
def mode_row(m, d, equality, acts, mode, rotation, diagonal):
    """The row of one mode (flex, cell or face, address of weights); point_dof lists the dofs that move its nodes."""
    flex, element, address = mode
    row, start, width = d.nefc, d.nJ, d.point_num
    if width == 0 or not reserve(d, 1, width):
        return
    for k in range(width):
        put_entry(d, start + k, d.point_dof[k], where(acts, 0.0, 0.0))
    violation = 0.0 * rotation[0]
    for k in range(node_count(m, flex)):
        weight = load3(m.flex_stiffness, address + 3 * k)
        violation = violation + dot(weight, load3(d.cell_vector, 3 * k))
        add_node(m, d, element_node(m, flex, element, k), multiply_vector(rotation, weight), acts, start)
    acts = where_felt(m, d, acts, start, width)
    if not any_(acts):
        release(d, 1, width)
        return
    describe(d, row, start, 1, width, ConstraintType.EQUALITY, equality)
    put_scalar_equality(m, d, row, equality, acts, violation, diagonal)


@kernel
def add_node(m, d, node, weight, acts, start):
    """Add how a node moves along a vector to the entries of a row."""
    body = m.flex_nodebodyid[node]
    offset = from_tree_center(m, d, body, load3(d.flexnode_xpos, node))
    dof, place = last_dof(m, body), d.point_num - 1
    while dof >= 0:
        while d.point_dof[place] != dof:
            place -= 1
        speed = dot(weight, point_velocity(load6(d.cdof, dof), offset))
        d.efc_J[start + place] = d.efc_J[start + place] + where(acts, speed, 0.0)
        dof = m.dof_parentid[dof]


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
