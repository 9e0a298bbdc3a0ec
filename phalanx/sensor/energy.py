"""Sensors of the whole model: energies and time."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.sensor.table import measure
from phalanx.smooth.energy import kinetic_energy, potential_energy
from phalanx.tables.enums import SensorType


@measure.row(SensorType.E_POTENTIAL)
@kernel
def potential(m, d, sensor, address):
    d.sensor_value[address] = potential_energy(m, d)


@measure.row(SensorType.E_KINETIC)
@kernel
def kinetic(m, d, sensor, address):
    d.sensor_value[address] = kinetic_energy(m, d)


@measure.row(SensorType.CLOCK)
@kernel
def clock(m, d, sensor, address):
    d.sensor_value[address] = d.time
