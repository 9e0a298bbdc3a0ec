"""Forces that the motion itself needs: gravity, Coriolis and centrifugal."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load6, load10, store6
from phalanx.algebra.spatial import ZERO6, add6, add_scaled6, cross_force, inertia_times_motion
from phalanx.memory.awake import awake_bodies
from phalanx.memory.flags import is_disabled
from phalanx.smooth.jacobian import project_subtree_forces
from phalanx.smooth.tendon.tendon_armature import add_tendon_bias
from phalanx.tables.enums import DisableBit


@kernel
def rne(m, d):
    """qfrc_bias by the recursive Newton-Euler algorithm without joint accelerations, and of the armature of tendons."""
    joint_forces(m, d, d.qfrc_bias, False)
    add_tendon_bias(m, d)


@kernel
def joint_forces(m, d, qfrc, has_acceleration):
    """qfrc: what the motion of the bodies needs; that of qacc is part of it, if asked for. Without armature."""
    body_forces(m, d, has_acceleration)
    project_subtree_forces(m, d, qfrc, d.rne_cfrc)


@kernel
def world_acceleration(m):
    """Acceleration of the world body: gravity acts as if the world accelerated upwards."""
    if is_disabled(m, DisableBit.GRAVITY):
        return (0.0, 0.0, 0.0, 0.0 * m.opt.gravity[0], 0.0, 0.0)
    return (0.0, 0.0, 0.0, -m.opt.gravity[0], -m.opt.gravity[1], -m.opt.gravity[2])


@kernel
def body_forces(m, d, has_acceleration):
    """rne_cacc and rne_cfrc: accelerations outwards, and the force each body needs by itself."""
    cacc, cfrc = d.rne_cacc, d.rne_cfrc
    store6(cacc, 0, world_acceleration(m))
    store6(cfrc, 0, ZERO6)
    for body in awake_bodies(m, d):
        acceleration = load6(cacc, m.body_parentid[body])
        for dof in range(m.body_dofadr[body], m.body_dofadr[body] + m.body_dofnum[body]):
            acceleration = add_scaled6(acceleration, load6(d.cdof_dot, dof), d.qvel[dof])
        if has_acceleration:
            for dof in range(m.body_dofadr[body], m.body_dofadr[body] + m.body_dofnum[body]):
                acceleration = add_scaled6(acceleration, load6(d.cdof, dof), d.qacc[dof])
        store6(cacc, body, acceleration)
        inertia, velocity = load10(d.cinert, body), load6(d.cvel, body)
        gyroscopic = cross_force(velocity, inertia_times_motion(inertia, velocity))
        store6(cfrc, body, add6(inertia_times_motion(inertia, acceleration), gyroscopic))
