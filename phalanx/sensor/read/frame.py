"""Frames of bodies, geoms, sites and cameras: where they are, how they move and accelerate."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import column, multiply_transposed
from phalanx.algebra.memory import load3, load4, load6, load9, store3, store4
from phalanx.algebra.quaternion import conjugate, multiply
from phalanx.algebra.vector import add, cross, sub
from phalanx.sensor.table import measure
from phalanx.smooth.chain import from_tree_center, point_velocity
from phalanx.tables.enums import ObjType, SensorType

# --- what a frame is


@kernel
def frame_body(m, kind, objid):
    """Body that carries a frame."""
    if kind == ObjType.GEOM:
        return m.geom_bodyid[objid]
    if kind == ObjType.SITE:
        return m.site_bodyid[objid]
    if kind == ObjType.CAMERA:
        return m.cam_bodyid[objid]
    return objid


@kernel
def frame_position(d, kind, objid):
    """World position; BODY stands for the inertial frame of a body, XBODY for the body frame."""
    if kind == ObjType.BODY:
        return load3(d.xipos, objid)
    if kind == ObjType.GEOM:
        return load3(d.geom_xpos, objid)
    if kind == ObjType.SITE:
        return load3(d.site_xpos, objid)
    if kind == ObjType.CAMERA:
        return load3(d.cam_xpos, objid)
    return load3(d.xpos, objid)


@kernel
def frame_rotation(d, kind, objid):
    """Rotation matrix in the world, with the same meaning of BODY and XBODY."""
    if kind == ObjType.BODY:
        return load9(d.ximat, objid)
    if kind == ObjType.GEOM:
        return load9(d.geom_xmat, objid)
    if kind == ObjType.SITE:
        return load9(d.site_xmat, objid)
    if kind == ObjType.CAMERA:
        return load9(d.cam_xmat, objid)
    return load9(d.xmat, objid)


@kernel
def frame_quaternion(m, d, kind, objid):
    """Orientation as it is fixed to the body, also of a camera that rotates by itself."""
    quat = load4(d.xquat, frame_body(m, kind, objid))
    if kind == ObjType.BODY:
        return multiply(quat, load4(m.body_iquat, objid))
    if kind == ObjType.GEOM:
        return multiply(quat, load4(m.geom_quat, objid))
    if kind == ObjType.SITE:
        return multiply(quat, load4(m.site_quat, objid))
    if kind == ObjType.CAMERA:
        return multiply(quat, load4(m.cam_quat, objid))
    return quat


@kernel
def frame_velocity(m, d, kind, objid):
    """(angular, linear) velocity in world axes."""
    body = frame_body(m, kind, objid)
    velocity = load6(d.cvel, body)
    offset = from_tree_center(m, d, body, frame_position(d, kind, objid))
    return (velocity[0], velocity[1], velocity[2]), point_velocity(velocity, offset)


@kernel
def frame_acceleration(m, d, kind, objid):
    """(angular, linear) acceleration in world axes, that of a world which gravity pushes up."""
    body = frame_body(m, kind, objid)
    acceleration = load6(d.cacc, body)
    offset = from_tree_center(m, d, body, frame_position(d, kind, objid))
    angular, linear = frame_velocity(m, d, kind, objid)
    drawn = add(point_velocity(acceleration, offset), cross(angular, linear))
    return (acceleration[0], acceleration[1], acceleration[2]), drawn


@kernel
def measured(m, sensor):
    """Type and id of the object, and of the reference, whose id is -1 for the world."""
    return m.sensor_objtype[sensor], m.sensor_objid[sensor], m.sensor_reftype[sensor], m.sensor_refid[sensor]


# --- sensors


@measure.row(SensorType.FRAMEPOS)
@kernel
def frame_pos(m, d, sensor, address):
    """Position in the world, or in the frame of the reference."""
    kind, objid, reference, origin = measured(m, sensor)
    position = frame_position(d, kind, objid)
    if origin >= 0:
        offset = sub(position, frame_position(d, reference, origin))
        position = multiply_transposed(frame_rotation(d, reference, origin), offset)
    store3(d.sensor_value, address, position)


@measure.row(SensorType.FRAMEXAXIS, SensorType.FRAMEYAXIS, SensorType.FRAMEZAXIS)
@kernel
def frame_axis(m, d, sensor, address):
    """An axis in the world, or in the frame of the reference."""
    kind, objid, reference, origin = measured(m, sensor)
    axis = column(frame_rotation(d, kind, objid), m.sensor_type[sensor] - SensorType.FRAMEXAXIS)
    if origin >= 0:
        axis = multiply_transposed(frame_rotation(d, reference, origin), axis)
    store3(d.sensor_value, address, axis)


@measure.row(SensorType.FRAMEQUAT)
@kernel
def frame_quat(m, d, sensor, address):
    """Orientation in the world, or in the frame of the reference."""
    kind, objid, reference, origin = measured(m, sensor)
    quat = frame_quaternion(m, d, kind, objid)
    if origin >= 0:
        quat = multiply(conjugate(frame_quaternion(m, d, reference, origin)), quat)
    store4(d.sensor_value, address, quat)


@measure.row(SensorType.FRAMELINVEL)
@kernel
def frame_linvel(m, d, sensor, address):
    """Velocity as seen from the reference, which may rotate."""
    kind, objid, reference, origin = measured(m, sensor)
    _, linear = frame_velocity(m, d, kind, objid)
    if origin >= 0:
        spin, carried = frame_velocity(m, d, reference, origin)
        offset = sub(frame_position(d, kind, objid), frame_position(d, reference, origin))
        seen = add(sub(linear, carried), cross(offset, spin))
        linear = multiply_transposed(frame_rotation(d, reference, origin), seen)
    store3(d.sensor_value, address, linear)


@measure.row(SensorType.FRAMEANGVEL)
@kernel
def frame_angvel(m, d, sensor, address):
    """Angular velocity in the world, or against the reference and in its axes."""
    kind, objid, reference, origin = measured(m, sensor)
    angular, _ = frame_velocity(m, d, kind, objid)
    if origin >= 0:
        spin, _ = frame_velocity(m, d, reference, origin)
        angular = multiply_transposed(frame_rotation(d, reference, origin), sub(angular, spin))
    store3(d.sensor_value, address, angular)


@measure.row(SensorType.FRAMELINACC)
@kernel
def frame_linacc(m, d, sensor, address):
    """Linear acceleration in world axes; at rest it points up, against gravity."""
    _, linear = frame_acceleration(m, d, m.sensor_objtype[sensor], m.sensor_objid[sensor])
    store3(d.sensor_value, address, linear)


@measure.row(SensorType.FRAMEANGACC)
@kernel
def frame_angacc(m, d, sensor, address):
    """Angular acceleration in world axes."""
    angular, _ = frame_acceleration(m, d, m.sensor_objtype[sensor], m.sensor_objid[sensor])
    store3(d.sensor_value, address, angular)
