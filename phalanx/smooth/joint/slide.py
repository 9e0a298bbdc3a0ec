"""A slide: translation along an axis. The position is the distance."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store6
from phalanx.algebra.vector import add_scaled
from phalanx.smooth.joint.anchor import place_joint
from phalanx.smooth.joint.scalar import from_reference
from phalanx.smooth.joint.table import joint_axes, move_frame
from phalanx.tables.enums import JointType


@move_frame.row(JointType.SLIDE)
@kernel
def move_slide(m, d, joint, pos, quat):
    """Translation along the axis, by the distance from qpos0."""
    _, axis = place_joint(m, d, joint, pos, quat)
    return add_scaled(pos, axis, from_reference(m, d, joint)), quat


@joint_axes.row(JointType.SLIDE)
@kernel
def slide_axes(m, d, joint, offset):
    """A translation along the axis, the same for all points."""
    axis = load3(d.xaxis, joint)
    store6(d.cdof, m.jnt_dofadr[joint], (0.0, 0.0, 0.0, axis[0], axis[1], axis[2]))
