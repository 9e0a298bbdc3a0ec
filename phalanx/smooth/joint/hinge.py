"""A hinge: rotation about an axis through the anchor. The position is the angle."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store6
from phalanx.algebra.quaternion import from_axis_angle
from phalanx.smooth.joint.anchor import place_joint, rotate_about_anchor, rotation_about
from phalanx.smooth.joint.scalar import from_reference
from phalanx.smooth.joint.table import joint_axes, move_frame
from phalanx.tables.enums import JointType


@move_frame.row(JointType.HINGE)
@kernel
def move_hinge(m, d, joint, pos, quat):
    """Rotation about the axis, by the angle from qpos0."""
    anchor, _ = place_joint(m, d, joint, pos, quat)
    rotation = from_axis_angle(load3(m.jnt_axis, joint), from_reference(m, d, joint))
    return rotate_about_anchor(m, joint, anchor, quat, rotation)


@joint_axes.row(JointType.HINGE)
@kernel
def hinge_axes(m, d, joint, offset):
    """A rotation about the axis."""
    store6(d.cdof, m.jnt_dofadr[joint], rotation_about(load3(d.xaxis, joint), offset))
