"""Passive contacts of flexes: forces along their normals instead of constraint rows, without friction.

A contact of a flex that asks for it is a spring on the distance, pushed together only, whose stiffness is that of a
frequency: the square of it times the mass at the contact. The mass is the smallest of the vertices that touch; that of
interpolated flexes is what a force at the place of the contact has to move, shared by as many vertices as a node
stands for. What moves by itself, as bodies with joints do, keeps its rows. Equations of MuJoCo; its metric has the
stiffness even where the sides are apart (`phalanx/integrator/flex_metric.py`).

One world at a time.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load3, load6
from phalanx.algebra.number import any_, lane_count, minimum, where
from phalanx.algebra.vector import dot
from phalanx.collision.flex.flex_element import corner_vertex
from phalanx.constraint.flex_rows import add_motions, is_interpolated, list_dofs, side_node, side_span, side_weights
from phalanx.memory.flags import is_disabled
from phalanx.memory.growth import lacks_memory
from phalanx.smooth.step_metric import has_step_metric
from phalanx.tables.enums import DisableBit

#: Square of the frequency of a passive contact, in 1/s².
FREQUENCY_SQUARED = 5e7
#: Dofs of a body that is a point.
POINT = 3


@kernel
def asks_for_passive(m, flex):
    """Has a flex passive contacts? Rigid ones and lines have none."""
    return flex >= 0 and m.flex_passive[flex] != 0 and m.flex_rigid[flex] == 0 and m.flex_dim[flex] > 1


@kernel
def is_passive(m, d, contact):
    """Is a contact a passive force? Of two flexes, or with a geom that never moves, if one of the flexes asks."""
    if m.nflex == 0:
        return False
    flex1, flex2 = d.contact_flex[contact, 0], d.contact_flex[contact, 1]
    if not (asks_for_passive(m, flex1) or asks_for_passive(m, flex2)):
        return False
    if flex1 >= 0 and flex2 >= 0:
        return True
    geom = max(d.contact_geom[contact, 0], d.contact_geom[contact, 1])
    return m.body_weldid[m.geom_bodyid[geom]] == 0


@kernel
def has_passive_contacts(m, d):
    """Can there be passive contacts? None with springs and dampers both disabled."""
    if not has_step_metric(m) or m.nflex == 0 or d.ncon == 0:
        return False
    if is_disabled(m, DisableBit.SPRING) and is_disabled(m, DisableBit.DAMPER):
        return False
    flex = 0
    while flex < m.nflex and not asks_for_passive(m, flex):
        flex += 1
    return flex < m.nflex


@part()
def passive_contacts(m, d):
    """Add forces of passive contacts to qfrc_spring and qfrc_passive."""
    if lane_count(d.time) == 1:
        for contact in range(d.ncon if not lacks_memory(d) else 0):
            if is_passive(m, d, contact):
                stiffness = put_contact_row(m, d, contact)
                force = -stiffness * minimum(d.contact_dist[contact], 0.0)
                for k in range(d.point_num):
                    dof, push = d.point_dof[k], d.row_value[k] * force
                    d.qfrc_spring[dof] = d.qfrc_spring[dof] + push
                    d.qfrc_passive[dof] = d.qfrc_passive[dof] + push


@kernel
def put_contact_row(m, d, contact):
    """point_dof, row_value: how fast the sides of a contact part along its normal, per dof; returns its stiffness."""
    weights = (side_weights(m, d, contact, 0), side_weights(m, d, contact, 1))
    stiffness = FREQUENCY_SQUARED * contact_mass(m, d, contact, weights)
    is_apart = list_dofs(m, d, contact, weights)
    # sides that no dof moves apart, or that no point carries, are left alone
    if any_(is_apart) and any_(stiffness > 0.0):
        add_motions(m, d, contact, weights)
    else:
        d.point_num = 0
    normal = load3(d.contact_frame, contact)
    for k in range(d.point_num):
        motion = load6(d.point_motion, k)
        d.row_value[k] = dot(normal, (motion[3], motion[4], motion[5]))
    return stiffness


# --- the mass at a contact


@kernel
def contact_mass(m, d, contact, weights):
    """The smaller mass of both sides; zero if neither has one."""
    first, second = side_mass(m, d, contact, 0, weights[0]), side_mass(m, d, contact, 1, weights[1])
    return smaller(first, second)


@kernel
def smaller(a, b):
    """The smaller of two masses; one of zero does not count."""
    return where(a > 0.0, where(b > 0.0, minimum(a, b), a), b)


@kernel
def side_mass(m, d, contact, side, weights):
    """Mass of a side of a contact; zero if no point with three dofs carries it."""
    flex, element, vertex = d.contact_flex[contact, side], d.contact_elem[contact, side], d.contact_vert[contact, side]
    if flex < 0:
        return 0.0
    if is_interpolated(m, d, contact, side):
        return interpolated_mass(m, d, contact, side, weights)
    if vertex >= 0:
        return point_mass(m, d, m.flex_vertbodyid[m.flex_vertadr[flex] + vertex])
    least = 0.0
    for k in range(m.flex_dim[flex] + 1):
        least = smaller(least, point_mass(m, d, m.flex_vertbodyid[corner_vertex(m, flex, element, k)]))
    return least


@kernel
def point_mass(m, d, body):
    """Inertia of the first dof of a body with three; zero for others."""
    if m.body_dofnum[body] != POINT:
        return 0.0
    dof = m.body_dofadr[body]
    return d.M[m.M_rowadr[dof] + m.M_rownnz[dof] - 1]


@kernel
def interpolated_mass(m, d, contact, side, weights):
    """What a force at the place of a contact has to move, times the nodes that move, per vertex."""
    flex = d.contact_flex[contact, side]
    span, first = side_span(m, d, contact, side, weights), m.flex_nodeadr[flex]
    # several ways may lead to one node, so weights are summed first
    for k in range(span[0]):
        node, _ = side_node(m, d, contact, side, weights, span, k)
        d.node_share[first + node] = 0.0
    for k in range(span[0]):
        node, weight = side_node(m, d, contact, side, weights, span, k)
        d.node_share[first + node] = d.node_share[first + node] + weight
    inverse = 0.0
    for k in range(span[0]):
        node, _ = side_node(m, d, contact, side, weights, span, k)
        mass, share = point_mass(m, d, m.flex_nodebodyid[first + node]), d.node_share[first + node]
        inverse = inverse + where(mass > 0.0, share * share / where(mass > 0.0, mass, 1.0), 0.0)
        d.node_share[first + node] = 0.0
    is_carried = inverse > 0.0
    nodes, vertices = float(moving_nodes(m, flex)), float(m.flex_vertnum[flex])
    return where(is_carried, nodes / (where(is_carried, inverse, 1.0) * vertices), 0.0)


@kernel
def moving_nodes(m, flex):
    """How many nodes of a flex are points with three dofs."""
    count = 0
    for node in range(m.flex_nodeadr[flex], m.flex_nodeadr[flex] + m.flex_nodenum[flex]):
        count += m.body_dofnum[m.flex_nodebodyid[node]] == POINT
    return count
