"""Vectors of positions, such as qpos: moved along velocities, and subtracted, on the manifold of each joint."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.smooth.joint.table import advance_joint, subtract_joint


@kernel
def advance_positions(m, qpos, velocity, step, alive):
    """qpos moved along `velocity` for `step`, in the chosen worlds."""
    for joint in range(m.njnt):
        advance_joint(m.jnt_type[joint], m, qpos, joint, velocity, step, alive)


@kernel
def subtract_positions(m, qpos1, qpos2, velocity, step):
    """The velocity that takes qpos1 to qpos2 in the time `step`."""
    for joint in range(m.njnt):
        subtract_joint(m.jnt_type[joint], m, qpos1, qpos2, joint, velocity, step)
