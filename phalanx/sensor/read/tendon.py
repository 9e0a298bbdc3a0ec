"""Sensors of tendons."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.sensor.read.limit import DISTANCE, FORCE, VELOCITY, of_first_limit
from phalanx.sensor.table import measure
from phalanx.smooth.actuator.tendon_transmission import tendon_force
from phalanx.tables.enums import ConstraintType, SensorType


@measure.row(SensorType.TENDONPOS)
@kernel
def tendon_pos(m, d, sensor, address):
    """Length of a tendon."""
    d.sensor_value[address] = d.ten_length[m.sensor_objid[sensor]]


@measure.row(SensorType.TENDONVEL)
@kernel
def tendon_vel(m, d, sensor, address):
    """Rate of the length."""
    d.sensor_value[address] = d.ten_velocity[m.sensor_objid[sensor]]


@measure.row(SensorType.TENDONACTFRC)
@kernel
def tendon_actuator_force(m, d, sensor, address):
    """Sum of the actuator forces on a tendon."""
    d.sensor_value[address] = tendon_force(m, d, m.sensor_objid[sensor])


@measure.row(SensorType.TENDONLIMITPOS)
@kernel
def tendon_limit_pos(m, d, sensor, address):
    """Distance from the limit less the margin; zero where the limit is not active."""
    d.sensor_value[address] = of_first_limit(d, ConstraintType.LIMIT_TENDON, m.sensor_objid[sensor], DISTANCE)


@measure.row(SensorType.TENDONLIMITVEL)
@kernel
def tendon_limit_vel(m, d, sensor, address):
    """Rate of that distance."""
    d.sensor_value[address] = of_first_limit(d, ConstraintType.LIMIT_TENDON, m.sensor_objid[sensor], VELOCITY)


@measure.row(SensorType.TENDONLIMITFRC)
@kernel
def tendon_limit_force(m, d, sensor, address):
    """Force of the limit, not negative."""
    d.sensor_value[address] = of_first_limit(d, ConstraintType.LIMIT_TENDON, m.sensor_objid[sensor], FORCE)
