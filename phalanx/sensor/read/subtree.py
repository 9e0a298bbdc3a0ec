"""Sensors of subtrees: center of mass, its velocity, angular momentum."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.sensor.table import measure
from phalanx.tables.enums import SensorType


@measure.row(SensorType.SUBTREECOM)
@kernel
def subtree_com(m, d, sensor, address):
    """Center of mass, in the world."""
    store3(d.sensor_value, address, load3(d.subtree_com, m.sensor_objid[sensor]))


@measure.row(SensorType.SUBTREELINVEL)
@kernel
def subtree_linvel(m, d, sensor, address):
    """Velocity of the center of mass, in world axes."""
    store3(d.sensor_value, address, load3(d.subtree_linvel, m.sensor_objid[sensor]))


@measure.row(SensorType.SUBTREEANGMOM)
@kernel
def subtree_angmom(m, d, sensor, address):
    """Angular momentum about the center of mass, in world axes."""
    store3(d.sensor_value, address, load3(d.subtree_angmom, m.sensor_objid[sensor]))
