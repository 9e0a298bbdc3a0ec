"""Sensors that the user computes."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.hook.calls import user_sensor
from phalanx.sensor.table import measure
from phalanx.tables.enums import SensorType


@measure.row(SensorType.USER)
@kernel
def user_reading(m, d, sensor, address):
    """What the hook of the user writes to `sensordata`; zero without one, as in MuJoCo."""
    first, last = address, address + m.sensor_dim[sensor]
    for k in range(first, last):
        d.sensordata[k] = 0.0
    user_sensor(m, d, sensor)
    for k in range(first, last):
        d.sensor_value[k] = d.sensordata[k]
