"""Velocities of bodies, and how motion axes change."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load6, store6
from phalanx.algebra.spatial import ZERO6, add_scaled6, cross_motion
from phalanx.memory.awake import awake_bodies
from phalanx.tables.joints import CARRIED, CARRIERS


@kernel
def com_vel(m, d):
    """cvel and cdof_dot, from root to leaves."""
    cvel = d.cvel
    store6(cvel, 0, ZERO6)
    for body in awake_bodies(m, d):
        velocity = load6(cvel, m.body_parentid[body])
        for joint in range(m.body_jntadr[body], m.body_jntadr[body] + m.body_jntnum[body]):
            dof, kind = m.jnt_dofadr[joint], m.jnt_type[joint]
            # translations come first where there are both: they carry the axes of the rotations along
            if CARRIERS[kind] > 0:
                carry_axes(d, velocity, dof, CARRIERS[kind])
                velocity = add_axes(d, velocity, dof, CARRIERS[kind])
                dof += CARRIERS[kind]
            carry_axes(d, velocity, dof, CARRIED[kind])
            velocity = add_axes(d, velocity, dof, CARRIED[kind])
        store6(cvel, body, velocity)


@kernel
def carry_axes(d, velocity, dof, count):
    """cdof_dot of `count` degrees of freedom that act at once, on a body of this velocity."""
    for k in range(dof, dof + count):
        store6(d.cdof_dot, k, cross_motion(velocity, load6(d.cdof, k)))


@kernel
def add_axes(d, velocity, dof, count):
    """velocity plus the motion of `count` degrees of freedom."""
    for k in range(dof, dof + count):
        velocity = add_scaled6(velocity, load6(d.cdof, k), d.qvel[k])
    return velocity
