"""Readings of the past: when a sensor is due, and what its history says."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import lane_count, lane_get, lane_set, or_, splat, widen
from phalanx.smooth.history import read_sample


@kernel
def is_due(m, d, sensor):
    """Worlds where a sensor with an interval takes a new reading now; one without always does."""
    period = m.sensor_interval[sensor, 0]
    return or_(period <= 0.0, d.history[m.sensor_historyadr[sensor]] + period <= d.time)


@kernel
def read_reading(m, d, sensor, component):
    """A number of the reading that the delay lets through now, world by world."""
    start, count, order = m.sensor_historyadr[sensor], m.sensor_history[sensor, 0], m.sensor_history[sensor, 1]
    then, reading = d.time - m.sensor_delay[sensor], splat(d.time, 0.0)
    for world in range(lane_count(reading)):
        time, dim = widen(lane_get(then, world)), m.sensor_dim[sensor]
        reading = lane_set(reading, world, read_sample(d, start, count, dim, component, time, order, world))
    return reading
