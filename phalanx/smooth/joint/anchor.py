"""Where a joint acts: its anchor and axis in the world, and rotations about them."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.quaternion import multiply, rotate
from phalanx.algebra.vector import add, cross, sub


@kernel
def place_joint(m, d, joint, pos, quat):
    """xanchor and xaxis of a joint that finds its body at this frame; returned as well."""
    axis = rotate(load3(m.jnt_axis, joint), quat)
    anchor = add(rotate(load3(m.jnt_pos, joint), quat), pos)
    store3(d.xaxis, joint, axis)
    store3(d.xanchor, joint, anchor)
    return anchor, axis


@kernel
def rotate_about_anchor(m, joint, anchor, quat, rotation):
    """The frame of a body after a rotation in that frame about the anchor, which stays where it is."""
    quat = multiply(quat, rotation)
    return sub(anchor, rotate(load3(m.jnt_pos, joint), quat)), quat


@kernel
def rotation_about(axis, offset):
    """Motion of the point at `offset` from the axis of a unit rotation."""
    linear = cross(axis, offset)
    return (axis[0], axis[1], axis[2], linear[0], linear[1], linear[2])
