"""Velocities of bodies, and how motion axes change."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load6, store6
from phalanx.algebra.spatial import ZERO6, add_scaled6, cross_motion
from phalanx.tables.enums import JointType


@kernel
def com_vel(m, d):
    """cvel and cdof_dot, from root to leaves."""
    cvel, cdof_dot = d.cvel, d.cdof_dot
    store6(cvel, 0, ZERO6)
    for body in range(1, m.nbody):
        velocity = load6(cvel, m.body_parentid[body])
        for joint in range(m.body_jntadr[body], m.body_jntadr[body] + m.body_jntnum[body]):
            dof = m.jnt_dofadr[joint]
            kind = m.jnt_type[joint]
            if kind == JointType.FREE:
                # translations along world axes do not turn; their velocity comes before the rotations
                for k in range(dof, dof + 3):
                    store6(cdof_dot, k, ZERO6)
                velocity = add_axes(d, velocity, dof, 3)
                dof += 3
            count = 3 if kind <= JointType.BALL else 1
            for k in range(dof, dof + count):
                store6(cdof_dot, k, cross_motion(velocity, load6(d.cdof, k)))
            velocity = add_axes(d, velocity, dof, count)
        store6(cvel, body, velocity)


@kernel
def add_axes(d, velocity, dof, count):
    """velocity plus the motion of `count` degrees of freedom."""
    for k in range(dof, dof + count):
        velocity = add_scaled6(velocity, load6(d.cdof, k), d.qvel[k])
    return velocity
