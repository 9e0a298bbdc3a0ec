"""Sensors of plugins: what each plugin reads, by type; compiled apart, as few models have one."""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import part
from phalanx.sensor.table import measure, no_reading
from phalanx.tables.enums import SensorType
from phalanx.tables.plugins import PluginKind, modules_of

#: By plugin_type; a row is a kernel like that of other sensors, with the sensor and the address of its reading.
plugin_reading = Table("plugin_reading", no_reading, modules_of(PluginKind.SENSOR))


@measure.row(SensorType.PLUGIN)
@part("mdii")
def plugin_sensor(m, d, sensor, address):
    """What the plugin reads."""
    plugin_reading(m.plugin_type[m.sensor_plugin[sensor]], m, d, sensor, address)
