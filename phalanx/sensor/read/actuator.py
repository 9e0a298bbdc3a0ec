"""Sensors of actuators, a value for each of their outputs."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.sensor.table import measure
from phalanx.tables.enums import SensorType


@kernel
def put_outputs(m, d, sensor, address, values):
    """One value for each output of an actuator."""
    out = m.actuator_outadr[m.sensor_objid[sensor]]
    for k in range(m.sensor_dim[sensor]):
        d.sensor_value[address + k] = values[out + k]


@measure.row(SensorType.ACTUATORPOS)
@kernel
def actuator_pos(m, d, sensor, address):
    """Lengths of the outputs."""
    put_outputs(m, d, sensor, address, d.actuator_length)


@measure.row(SensorType.ACTUATORVEL)
@kernel
def actuator_vel(m, d, sensor, address):
    """Velocities of the outputs."""
    put_outputs(m, d, sensor, address, d.actuator_velocity)


@measure.row(SensorType.ACTUATORFRC)
@kernel
def actuator_force(m, d, sensor, address):
    """Forces of the outputs."""
    put_outputs(m, d, sensor, address, d.actuator_force)
