"""The table of what is reported: sensors by type.

A sensor is a kernel that writes its reading, `sensor_dim` numbers, to `sensor_value` from `address` on:

    @measure.row(SensorType.CLOCK)
    @kernel
    def clock(m, d, sensor, address):
        d.sensor_value[address] = d.time

It runs at the stage of the sensor (`sensor_needstage`), in lanes. Cutoff, delay and interval are not its business. The
row of the sensor in `tables/sensors.py` names the file that the kernel is in.
"""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.tables.plugins import PluginKind, modules_of
from phalanx.tables.sensors import MODULES


@kernel
def no_reading(m, d, sensor, address):
    """Write the reading of a sensor to `sensor_value`, from `address` on. Without a row: zeros."""
    for k in range(address, address + m.sensor_dim[sensor]):
        d.sensor_value[k] = 0.0


#: By sensor_type.
measure = Table("measure", no_reading, tuple(f"phalanx.sensor.read.{name}" for name in MODULES))
#: Sensors of plugins, by plugin_type.
plugin_reading = Table("plugin_reading", no_reading, modules_of(PluginKind.SENSOR))
