"""Sensors at a site, in its axes: acceleration, velocity, force from the parent body, magnetic field."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed
from phalanx.algebra.memory import load3, load6, load9, store3
from phalanx.algebra.vector import cross, sub
from phalanx.sensor.read.frame import frame_acceleration, frame_velocity
from phalanx.sensor.table import measure
from phalanx.smooth.chain import from_tree_center
from phalanx.tables.enums import ObjType, SensorType


@kernel
def put_in_site(m, d, sensor, address, v):
    """A vector of the world in the axes of the site of a sensor."""
    store3(d.sensor_value, address, multiply_transposed(load9(d.site_xmat, m.sensor_objid[sensor]), v))


@measure.row(SensorType.ACCELEROMETER)
@kernel
def accelerometer(m, d, sensor, address):
    """Linear acceleration in the axes of the site; at rest it points up, against gravity."""
    _, linear = frame_acceleration(m, d, ObjType.SITE, m.sensor_objid[sensor])
    put_in_site(m, d, sensor, address, linear)


@measure.row(SensorType.VELOCIMETER)
@kernel
def velocimeter(m, d, sensor, address):
    """Linear velocity in the axes of the site."""
    _, linear = frame_velocity(m, d, ObjType.SITE, m.sensor_objid[sensor])
    put_in_site(m, d, sensor, address, linear)


@measure.row(SensorType.GYRO)
@kernel
def gyro(m, d, sensor, address):
    """Angular velocity in the axes of the site."""
    angular, _ = frame_velocity(m, d, ObjType.SITE, m.sensor_objid[sensor])
    put_in_site(m, d, sensor, address, angular)


@measure.row(SensorType.FORCE)
@kernel
def force(m, d, sensor, address):
    """Force that the parent exerts on the body of the site."""
    wrench = load6(d.cfrc_int, m.site_bodyid[m.sensor_objid[sensor]])
    put_in_site(m, d, sensor, address, (wrench[3], wrench[4], wrench[5]))


@measure.row(SensorType.TORQUE)
@kernel
def torque(m, d, sensor, address):
    """Torque that the parent exerts on the body of the site, about the site."""
    site = m.sensor_objid[sensor]
    body = m.site_bodyid[site]
    wrench = load6(d.cfrc_int, body)
    offset = from_tree_center(m, d, body, load3(d.site_xpos, site))
    about = sub((wrench[0], wrench[1], wrench[2]), cross(offset, (wrench[3], wrench[4], wrench[5])))
    put_in_site(m, d, sensor, address, about)


@measure.row(SensorType.MAGNETOMETER)
@kernel
def magnetometer(m, d, sensor, address):
    """The magnetic flux of the options in the axes of the site."""
    put_in_site(m, d, sensor, address, load3(m.opt.magnetic, 0))
