"""Sensors of the whole model: energies, whether or not the options ask for them, and time."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.sensor.table import measure
from phalanx.smooth.energy import energy_pos, energy_vel
from phalanx.tables.enums import SensorType


@measure.row(SensorType.E_POTENTIAL)
@kernel
def potential(m, d, sensor, address):
    """Of gravity and springs; computed here, as the option `energy` may be off."""
    energy_pos(m, d)
    d.flg_energypos = True
    d.sensor_value[address] = d.energy[0]


@measure.row(SensorType.E_KINETIC)
@kernel
def kinetic(m, d, sensor, address):
    """Half of qvel' M qvel; computed here, as the option `energy` may be off."""
    energy_vel(m, d)
    d.sensor_value[address] = d.energy[1]


@measure.row(SensorType.CLOCK)
@kernel
def clock(m, d, sensor, address):
    """Time of the world."""
    d.sensor_value[address] = d.time
