"""Centers of mass of subtrees, and inertias and motion axes seen from them."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load9, store3, store10
from phalanx.algebra.number import where
from phalanx.algebra.spatial import inertia_about
from phalanx.algebra.vector import MINVAL, add, scale, sub, where3
from phalanx.memory.awake import awake_bodies, awake_bodies_backward, awake_joints
from phalanx.smooth.joint.table import joint_axes


@kernel
def com_pos(m, d):
    """subtree_com, cinert, cdof: what the dynamics is written in."""
    subtree_centers(m, d)
    body_inertias(m, d)
    motion_axes(m, d)


@kernel
def subtree_centers(m, d):
    """subtree_com: center of mass of each body with all its descendants."""
    subtree_com = d.subtree_com
    store3(subtree_com, 0, scale(load3(d.xipos, 0), m.body_mass[0]))
    for body in awake_bodies(m, d):
        store3(subtree_com, body, scale(load3(d.xipos, body), m.body_mass[body]))
    if m.nsleep > 0 and d.is_settled != 0:
        # what trees that sleep hang on has the sum of their moments
        store3(subtree_com, 0, add(load3(subtree_com, 0), load3(d.asleep_moment, 0)))
        for body in awake_bodies(m, d):
            store3(subtree_com, body, add(load3(subtree_com, body), load3(d.asleep_moment, body)))
    for body in awake_bodies_backward(m, d):
        parent = m.body_parentid[body]
        store3(subtree_com, parent, add(load3(subtree_com, parent), load3(subtree_com, body)))
    divide_by_mass(m, d, 0)
    for body in awake_bodies(m, d):
        divide_by_mass(m, d, body)


@kernel
def divide_by_mass(m, d, body):
    """subtree_com of a body from the moment of its subtree; that of a subtree without mass is its own center."""
    mass = m.body_subtreemass[body]
    is_massless = mass < MINVAL
    center = scale(load3(d.subtree_com, body), 1.0 / where(is_massless, 1.0, mass))
    store3(d.subtree_com, body, where3(is_massless, load3(d.xipos, body), center))


@kernel
def body_inertias(m, d):
    """cinert: inertia of each body about the center of mass of its tree."""
    store10(d.cinert, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for body in awake_bodies(m, d):
        offset = sub(load3(d.xipos, body), load3(d.subtree_com, m.body_rootid[body]))
        inertia = inertia_about(load3(m.body_inertia, body), load9(d.ximat, body), offset, m.body_mass[body])
        store10(d.cinert, body, inertia)


@kernel
def motion_axes(m, d):
    """cdof: motion of the tree's center of mass frame for a unit velocity of each degree of freedom."""
    for joint in awake_joints(m, d):
        root = m.body_rootid[m.jnt_bodyid[joint]]
        offset = sub(load3(d.subtree_com, root), load3(d.xanchor, joint))
        joint_axes(m.jnt_type[joint], m, d, joint, offset)
