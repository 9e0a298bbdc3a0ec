"""Sensors of joints."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load4, store3, store4
from phalanx.algebra.quaternion import normalize4
from phalanx.sensor.read.limit import DISTANCE, FORCE, VELOCITY, of_first_limit
from phalanx.sensor.table import measure
from phalanx.tables.enums import ConstraintType, SensorType


@measure.row(SensorType.JOINTPOS)
@kernel
def joint_pos(m, d, sensor, address):
    """Position of a slide or hinge."""
    d.sensor_value[address] = d.qpos[m.jnt_qposadr[m.sensor_objid[sensor]]]


@measure.row(SensorType.JOINTVEL)
@kernel
def joint_vel(m, d, sensor, address):
    """Velocity of a slide or hinge."""
    d.sensor_value[address] = d.qvel[m.jnt_dofadr[m.sensor_objid[sensor]]]


@measure.row(SensorType.JOINTACTFRC)
@kernel
def joint_actuator_force(m, d, sensor, address):
    """Sum of the actuator forces on a slide or hinge, after its limits."""
    d.sensor_value[address] = d.qfrc_actuator[m.jnt_dofadr[m.sensor_objid[sensor]]]


@measure.row(SensorType.BALLQUAT)
@kernel
def ball_quat(m, d, sensor, address):
    """Orientation of a ball joint; qpos need not be of unit length."""
    store4(d.sensor_value, address, normalize4(load4(d.qpos, m.jnt_qposadr[m.sensor_objid[sensor]])))


@measure.row(SensorType.BALLANGVEL)
@kernel
def ball_angvel(m, d, sensor, address):
    """Angular velocity of a ball joint, in the axes of the child body."""
    store3(d.sensor_value, address, load3(d.qvel, m.jnt_dofadr[m.sensor_objid[sensor]]))


@measure.row(SensorType.JOINTLIMITPOS)
@kernel
def joint_limit_pos(m, d, sensor, address):
    """Distance from the limit less the margin; zero where the limit is not active."""
    d.sensor_value[address] = of_first_limit(d, ConstraintType.LIMIT_JOINT, m.sensor_objid[sensor], DISTANCE)


@measure.row(SensorType.JOINTLIMITVEL)
@kernel
def joint_limit_vel(m, d, sensor, address):
    """Rate of that distance."""
    d.sensor_value[address] = of_first_limit(d, ConstraintType.LIMIT_JOINT, m.sensor_objid[sensor], VELOCITY)


@measure.row(SensorType.JOINTLIMITFRC)
@kernel
def joint_limit_force(m, d, sensor, address):
    """Force of the limit, not negative."""
    d.sensor_value[address] = of_first_limit(d, ConstraintType.LIMIT_JOINT, m.sensor_objid[sensor], FORCE)
