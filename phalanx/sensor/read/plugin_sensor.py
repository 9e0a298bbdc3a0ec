"""Sensors of plugins: what each plugin reads, by type; compiled apart, as few models have one."""

from __future__ import annotations

from phalanx.algebra.jit import part
from phalanx.sensor.table import measure, plugin_reading
from phalanx.tables.enums import SensorType


@measure.row(SensorType.PLUGIN)
@part("mdii")
def plugin_sensor(m, d, sensor, address):
    """What the plugin reads."""
    plugin_reading(m.plugin_type[m.sensor_plugin[sensor]], m, d, sensor, address)
