"""Jacobians of points, frames, subtrees, and forces mapped through them.

Columns are dofs: a Jacobian of three rows is kept as one 3-vector per dof. Only the dofs between a body and the root
can be nonzero; `last_dof` and `dof_parentid` walk that chain.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, load6, load9, store3, store6
from phalanx.algebra.number import any_, or_, where
from phalanx.algebra.spatial import add6, cross_motion, dot6, transport_force
from phalanx.algebra.vector import add, add_scaled, cross, multiply_elements, scale, sub
from phalanx.memory.awake import awake_bodies_backward, awake_dofs
from phalanx.tables.joints import BODY_AXES

#: Adding this changes no value, not even the sign of a zero.
NOTHING = -0.0


@kernel
def last_dof(m, body):
    """The dof nearest to a body on its way to the root, or -1."""
    weld = m.body_weldid[body]
    if m.body_dofnum[weld] == 0:
        return -1
    return m.body_dofadr[weld] + m.body_dofnum[weld] - 1


@kernel
def apply_force(m, d, qfrc, body, point, force, torque):
    """qfrc += J' (force, torque) for a force at a world point of `body`. A world where both are zero is left alone."""
    acts = or_(any_component(force), any_component(torque))
    if any_(acts):
        center = load3(d.subtree_com, m.body_rootid[body])
        wrench = transport_force(force, torque, sub(point, center))
        dof = last_dof(m, body)
        while dof >= 0:
            qfrc[dof] = qfrc[dof] + where(acts, dot6(load6(d.cdof, dof), wrench), NOTHING)
            dof = m.dof_parentid[dof]


@kernel
def project_subtree_forces(m, d, qfrc, cfrc):
    """qfrc from forces on bodies about the center of their tree; cfrc becomes the force on each body's subtree."""
    for body in awake_bodies_backward(m, d):
        parent = m.body_parentid[body]
        if parent > 0:
            store6(cfrc, parent, add6(load6(cfrc, parent), load6(cfrc, body)))
    for dof in awake_dofs(m, d):
        qfrc[dof] = dot6(load6(d.cdof, dof), load6(cfrc, m.dof_bodyid[dof]))


@kernel
def any_component(v):
    """Is some component nonzero?"""
    return or_(v[0] != 0.0, or_(v[1] != 0.0, v[2] != 0.0))


@kernel
def clear_jacobian(m, d):
    """jacp and jacr of zero: a walk from a body to the root reaches only some dofs."""
    for dof in range(m.nv):
        store3(d.jacp, dof, (0.0, 0.0, 0.0))
        store3(d.jacr, dof, (0.0, 0.0, 0.0))


@kernel
def jac(m, d, body, point):
    """jacp, jacr: velocity of a world point fixed to `body`, and angular velocity of the body."""
    clear_jacobian(m, d)
    jac_of_chain(m, d, body, point)


@kernel
def jac_of_chain(m, d, body, point):
    """The same for the dofs that move the body; columns of others stay as they are."""
    offset = sub(point, load3(d.subtree_com, m.body_rootid[body]))
    dof = last_dof(m, body)
    while dof >= 0:
        axis = load6(d.cdof, dof)
        rotation = (axis[0], axis[1], axis[2])
        store3(d.jacr, dof, rotation)
        store3(d.jacp, dof, add((axis[3], axis[4], axis[5]), cross(rotation, offset)))
        dof = m.dof_parentid[dof]


@kernel
def jac_dot(m, d, body, point):
    """jacp, jacr: time derivative of the Jacobian of a point that moves with `body`."""
    clear_jacobian(m, d)
    offset = sub(point, load3(d.subtree_com, m.body_rootid[body]))
    velocity = load6(d.cvel, body)
    spin = (velocity[0], velocity[1], velocity[2])
    point_velocity = add((velocity[3], velocity[4], velocity[5]), cross(spin, offset))
    dof = last_dof(m, body)
    while dof >= 0:
        axis = load6(d.cdof, dof)
        rate = axis_rate(m, d, dof)
        rotation_rate = (rate[0], rate[1], rate[2])
        linear = add((rate[3], rate[4], rate[5]), cross(rotation_rate, offset))
        store3(d.jacr, dof, rotation_rate)
        store3(d.jacp, dof, add(linear, cross((axis[0], axis[1], axis[2]), point_velocity)))
        dof = m.dof_parentid[dof]


@kernel
def axis_rate(m, d, dof):
    """Rate of change of a motion axis; axes fixed in the body itself rotate with it."""
    joint = m.dof_jntid[dof]
    if dof >= m.jnt_dofadr[joint] + BODY_AXES[m.jnt_type[joint]]:
        return cross_motion(load6(d.cvel, m.dof_bodyid[dof]), load6(d.cdof, dof))
    return load6(d.cdof_dot, dof)


@kernel
def in_subtree(m, body, root):
    """Is `body` the root or a descendant of it?"""
    while body > root:
        body = m.body_parentid[body]
    return body == root


@kernel
def jac_subtree_com(m, d, body):
    """jacp: velocity of the center of mass of a subtree."""
    clear_jacobian(m, d)
    for part in range(body, m.nbody):
        if in_subtree(m, part, body):
            offset = sub(load3(d.xipos, part), load3(d.subtree_com, m.body_rootid[part]))
            dof = last_dof(m, part)
            while dof >= 0:
                axis = load6(d.cdof, dof)
                velocity = add((axis[3], axis[4], axis[5]), cross((axis[0], axis[1], axis[2]), offset))
                store3(d.jacp, dof, add_scaled(load3(d.jacp, dof), velocity, m.body_mass[part]))
                dof = m.dof_parentid[dof]
    inverse_mass = 1.0 / m.body_subtreemass[body]
    for dof in range(m.nv):
        store3(d.jacp, dof, scale(load3(d.jacp, dof), inverse_mass))


@kernel
def angmom_mat(m, d, body):
    """jacr: angular momentum of a subtree about its center of mass, per unit velocity of each dof."""
    clear_jacobian(m, d)
    for part in range(body, m.nbody):
        if in_subtree(m, part, body):
            offset = sub(load3(d.xipos, part), load3(d.subtree_com, m.body_rootid[part]))
            arm = scale(sub(load3(d.xipos, part), load3(d.subtree_com, body)), m.body_mass[part])
            frame, inertia = load9(d.ximat, part), load3(m.body_inertia, part)
            dof = last_dof(m, part)
            while dof >= 0:
                axis = load6(d.cdof, dof)
                spin = (axis[0], axis[1], axis[2])
                velocity = add((axis[3], axis[4], axis[5]), cross(spin, offset))
                own = multiply_vector(frame, multiply_elements(multiply_transposed(frame, spin), inertia))
                store3(d.jacr, dof, add(load3(d.jacr, dof), add(own, cross(arm, velocity))))
                dof = m.dof_parentid[dof]
