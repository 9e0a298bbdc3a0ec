"""Frames of bodies, joints, geoms and sites from qpos."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import IDENTITY, from_quaternion, multiply_vector
from phalanx.algebra.memory import load3, load4, load9, store3, store4, store9
from phalanx.algebra.quaternion import multiply, normalize4
from phalanx.algebra.vector import add
from phalanx.memory.awake import awake_bodies, awake_geoms, awake_sites
from phalanx.smooth.joint.table import move_frame
from phalanx.tables.joints import IS_FLOATING


@kernel
def kinematics(m, d):
    """Body frames from root to leaves, then everything that is fixed to a body."""
    body_frames(m, d)
    inertial_frames(m, d)
    geom_frames(m, d)
    site_frames(m, d)


@kernel
def body_frames(m, d):
    """xpos, xquat, xmat of bodies; xanchor and xaxis of joints.

    The frame of the parent is moved by the offset of the body (or the mocap pose), then by one joint after another.
    """
    xpos, xquat, xmat = d.xpos, d.xquat, d.xmat
    store3(xpos, 0, (0.0, 0.0, 0.0))
    store4(xquat, 0, (1.0, 0.0, 0.0, 0.0))
    store9(xmat, 0, IDENTITY)
    for body in awake_bodies(m, d):
        body_frame(m, d, body)


@kernel
def body_frame(m, d, body):
    """The frame of one body; its parent has one."""
    pos, quat = offset_frame(m, d, body)
    pos, quat = apply_joints(m, d, body, pos, quat)
    quat = normalize4(quat)
    store3(d.xpos, body, pos)
    store4(d.xquat, body, quat)
    store9(d.xmat, body, from_quaternion(quat))


@kernel
def offset_frame(m, d, body):
    """The frame of a body before its joints move it; of a floating one that of the world, as it does not matter."""
    if m.body_jntnum[body] == 1 and IS_FLOATING[m.jnt_type[m.body_jntadr[body]]]:
        return load3(d.xpos, 0), load4(d.xquat, 0)
    parent = m.body_parentid[body]
    mocap = m.body_mocapid[body]
    if mocap >= 0:
        return offset_from(d, parent, load3(d.mocap_pos, mocap), normalize4(load4(d.mocap_quat, mocap)))
    return offset_from(d, parent, load3(m.body_pos, body), load4(m.body_quat, body))


@kernel
def offset_from(d, parent, pos, quat):
    """A pose given in the frame of `parent`, in the world."""
    xpos = add(multiply_vector(load9(d.xmat, parent), pos), load3(d.xpos, parent))
    return xpos, multiply(load4(d.xquat, parent), quat)


@kernel
def apply_joints(m, d, body, pos, quat):
    """Move a frame by the joints of its body; each joint records where it acts."""
    for joint in range(m.body_jntadr[body], m.body_jntadr[body] + m.body_jntnum[body]):
        pos, quat = move_frame(m.jnt_type[joint], m, d, joint, pos, quat)
    return pos, quat


@kernel
def fixed_frame(d, body, pos, quat):
    """World position and orientation of a frame fixed to a body."""
    xpos = add(multiply_vector(load9(d.xmat, body), pos), load3(d.xpos, body))
    return xpos, multiply(load4(d.xquat, body), quat)


@kernel
def inertial_frames(m, d):
    """xipos, xiquat, ximat: the frames in which body inertias are diagonal."""
    store3(d.xipos, 0, (0.0, 0.0, 0.0))
    store4(d.xiquat, 0, (1.0, 0.0, 0.0, 0.0))
    store9(d.ximat, 0, IDENTITY)
    for body in awake_bodies(m, d):
        pos, quat = fixed_frame(d, body, load3(m.body_ipos, body), load4(m.body_iquat, body))
        store3(d.xipos, body, pos)
        store4(d.xiquat, body, quat)
        store9(d.ximat, body, from_quaternion(quat))


@kernel
def geom_frames(m, d):
    """geom_xpos, geom_xquat, geom_xmat."""
    for geom in awake_geoms(m, d):
        pos, quat = fixed_frame(d, m.geom_bodyid[geom], load3(m.geom_pos, geom), load4(m.geom_quat, geom))
        store3(d.geom_xpos, geom, pos)
        store4(d.geom_xquat, geom, quat)
        store9(d.geom_xmat, geom, from_quaternion(quat))


@kernel
def site_frames(m, d):
    """site_xpos, site_xquat, site_xmat."""
    for site in awake_sites(m, d):
        pos, quat = fixed_frame(d, m.site_bodyid[site], load3(m.site_pos, site), load4(m.site_quat, site))
        store3(d.site_xpos, site, pos)
        store4(d.site_xquat, site, quat)
        store9(d.site_xmat, site, from_quaternion(quat))
