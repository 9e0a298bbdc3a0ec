"""Sensors that the user computes."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.sensor.table import measure
from phalanx.tables.enums import SensorType


@measure.row(SensorType.USER)
@kernel
def user_sensor(m, d, sensor, address):
    """Zero, as in MuJoCo where no callback fills it in."""
    for k in range(address, address + m.sensor_dim[sensor]):
        d.sensor_value[k] = 0.0
