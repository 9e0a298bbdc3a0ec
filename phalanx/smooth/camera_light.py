"""Frames of cameras and lights, by mode: fixed to a body, following it, or looking at another."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import from_quaternion, multiply_vector
from phalanx.algebra.memory import load3, load4, load9, store3, store9
from phalanx.algebra.quaternion import multiply, rotate
from phalanx.algebra.vector import add, cross, normalize, sub
from phalanx.tables.enums import CamLightMode


@kernel
def camera_light(m, d):
    """cam_xpos, cam_xmat, light_xpos, light_xdir."""
    for camera in range(m.ncam):
        camera_frame(m, d, camera)
    for light in range(m.nlight):
        light_frame(m, d, light)


@kernel
def looking_at(eye, target):
    """Camera frame at `eye` whose -z axis points at `target` and whose x axis is horizontal."""
    z = normalize(sub(eye, target))
    x = normalize(cross((0.0, 0.0, 1.0), z))
    y = normalize(cross(z, x))
    return (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])


@kernel
def camera_frame(m, d, camera):
    """cam_xpos, cam_xmat. Tracking keeps the offset and orientation of qpos0; targeting looks at another body."""
    body, target, mode = m.cam_bodyid[camera], m.cam_targetbodyid[camera], m.cam_mode[camera]
    pos = add(multiply_vector(load9(d.xmat, body), load3(m.cam_pos, camera)), load3(d.xpos, body))
    if mode == CamLightMode.TRACK:
        store3(d.cam_xpos, camera, add(load3(d.xpos, body), load3(m.cam_pos0, camera)))
        store9(d.cam_xmat, camera, load9(m.cam_mat0, camera))
    elif mode == CamLightMode.TRACKCOM:
        store3(d.cam_xpos, camera, add(load3(d.subtree_com, body), load3(m.cam_poscom0, camera)))
        store9(d.cam_xmat, camera, load9(m.cam_mat0, camera))
    elif mode == CamLightMode.TARGETBODY and target >= 0:
        store3(d.cam_xpos, camera, pos)
        store9(d.cam_xmat, camera, looking_at(pos, load3(d.xpos, target)))
    elif mode == CamLightMode.TARGETBODYCOM and target >= 0:
        store3(d.cam_xpos, camera, pos)
        store9(d.cam_xmat, camera, looking_at(pos, load3(d.subtree_com, target)))
    else:
        store3(d.cam_xpos, camera, pos)
        store9(d.cam_xmat, camera, from_quaternion(multiply(load4(d.xquat, body), load4(m.cam_quat, camera))))


@kernel
def light_frame(m, d, light):
    """light_xpos, light_xdir, by the same modes as cameras; a light has a direction instead of a frame."""
    body, target, mode = m.light_bodyid[light], m.light_targetbodyid[light], m.light_mode[light]
    pos = add(multiply_vector(load9(d.xmat, body), load3(m.light_pos, light)), load3(d.xpos, body))
    direction = rotate(load3(m.light_dir, light), load4(d.xquat, body))
    if mode == CamLightMode.TRACK:
        pos = add(load3(d.xpos, body), load3(m.light_pos0, light))
        store3(d.light_xdir, light, normalize(load3(m.light_dir0, light)))
    elif mode == CamLightMode.TRACKCOM:
        pos = add(load3(d.subtree_com, body), load3(m.light_poscom0, light))
        store3(d.light_xdir, light, normalize(load3(m.light_dir0, light)))
    elif mode == CamLightMode.TARGETBODY and target >= 0:
        store3(d.light_xdir, light, normalize(sub(load3(d.xpos, target), pos)))
    elif mode == CamLightMode.TARGETBODYCOM and target >= 0:
        store3(d.light_xdir, light, normalize(sub(load3(d.subtree_com, target), pos)))
    else:
        store3(d.light_xdir, light, normalize(direction))
    store3(d.light_xpos, light, pos)
