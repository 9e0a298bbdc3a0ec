"""Between points of flexes and the bodies that carry them: velocities of points, forces on points as forces on dofs."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load6
from phalanx.algebra.number import splat
from phalanx.algebra.spatial import transport_force
from phalanx.algebra.vector import dot
from phalanx.smooth.chain import from_tree_center, point_velocity
from phalanx.smooth.jacobian import last_dof
from phalanx.tables.enums import JointType

#: body_simple of a body that only slides, alone in its tree.
SLIDES_ONLY = 2


@kernel
def velocity_of(m, d, body, point):
    """Velocity of a world point that is fixed to a body."""
    velocity = load6(d.cvel, body)
    if m.body_simple[body] == SLIDES_ONLY:
        return (velocity[3], velocity[4], velocity[5])
    return point_velocity(velocity, from_tree_center(m, d, body, point))


@kernel
def push(m, d, qfrc, body, point, force):
    """qfrc += J' force, of a force at a world point of a body."""
    if m.body_simple[body] == SLIDES_ONLY:
        push_sliders(m, d, qfrc, body, force)
    else:
        nothing = splat(force[0], 0.0)
        wrench = transport_force(force, (nothing, nothing, nothing), from_tree_center(m, d, body, point))
        rotation, linear = (wrench[0], wrench[1], wrench[2]), (wrench[3], wrench[4], wrench[5])
        dof = last_dof(m, body)
        while dof >= 0:
            axis = load6(d.cdof, dof)
            along = dot((axis[0], axis[1], axis[2]), rotation) + dot((axis[3], axis[4], axis[5]), linear)
            qfrc[dof] = qfrc[dof] + along
            dof = m.dof_parentid[dof]


@kernel
def push_sliders(m, d, qfrc, body, force):
    """The same for the joints of a body that slides: those above do not feel the force."""
    for dof in range(m.body_dofadr[body], m.body_dofadr[body] + m.body_dofnum[body]):
        qfrc[dof] = qfrc[dof] + (d.cdof[dof, 3] * force[0] + d.cdof[dof, 4] * force[1] + d.cdof[dof, 5] * force[2])


@kernel
def push_torque(m, d, qfrc, body, torque):
    """qfrc += J' torque, of a torque on a body."""
    dof = last_dof(m, body)
    while dof >= 0:
        along = d.cdof[dof, 0] * torque[0] + d.cdof[dof, 1] * torque[1] + d.cdof[dof, 2] * torque[2]
        qfrc[dof] = qfrc[dof] + along
        dof = m.dof_parentid[dof]


@kernel
def push_vertices(m, d, qfrc, forces, flex):
    """The same for the vertices of a flex."""
    for vertex in range(m.flex_vertadr[flex], m.flex_vertadr[flex] + m.flex_vertnum[flex]):
        push(m, d, qfrc, m.flex_vertbodyid[vertex], load3(d.flexvert_xpos, vertex), load3(forces, vertex))


@kernel
def push_nodes(m, d, qfrc, forces, flex):
    """The same for its nodes; as in MuJoCo, joints above a node with sliders of its own do not feel its force."""
    for node in range(m.flex_nodeadr[flex], m.flex_nodeadr[flex] + m.flex_nodenum[flex]):
        body, force = m.flex_nodebodyid[node], load3(forces, node)
        if has_own_sliders(m, flex, node):
            push_sliders(m, d, qfrc, body, force)
        else:
            push(m, d, qfrc, body, load3(d.flexnode_xpos, node), force)


@kernel
def has_own_sliders(m, flex, node):
    """Is a node the origin of a body with three sliders?"""
    body = m.flex_nodebodyid[node]
    is_origin = m.flex_node[node, 0] == 0.0 and m.flex_node[node, 1] == 0.0 and m.flex_node[node, 2] == 0.0
    if m.body_jntnum[body] != 3 or not (m.flex_centered[flex] or is_origin):
        return False
    joint, last = m.body_jntadr[body], m.body_jntadr[body] + 3
    while joint < last and m.jnt_type[joint] == JointType.SLIDE:
        joint += 1
    return joint == last
