"""Histories of sensors: extended once a step, empty after a reset."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, floor, lane_count, lane_get, where, widen
from phalanx.sensor.delay import is_due
from phalanx.sensor.stages import compute_late
from phalanx.smooth.history import HEADER, insert_sample, put, reset_buffer


@kernel
def advance_sensor_history(m, d):
    """history: the present readings, with the present time. A world that has failed keeps what it has."""
    if m.nhistory == 0:
        return
    compute_late(m, d)
    for sensor in range(m.nsensor):
        if m.sensor_history[sensor, 0] > 0:
            keep_reading(m, d, sensor)


@kernel
def keep_reading(m, d, sensor):
    """Insert the reading of a sensor that is due; the time when it was due last moves on by one period."""
    start, period = m.sensor_historyadr[sensor], m.sensor_interval[sensor, 0]
    is_taken = and_(d.error_code == 0.0, is_due(m, d, sensor))
    d.history[start] = where(and_(is_taken, period > 0.0), d.history[start] + period, d.history[start])
    first, dim, count = m.sensor_adr[sensor], m.sensor_dim[sensor], m.sensor_history[sensor, 0]
    is_late = m.sensor_delay[sensor] > 0.0
    for world in range(lane_count(d.time)):
        if lane_get(is_taken, world):
            address = insert_sample(d, start, count, dim, widen(lane_get(d.time, world)), world)
            for k in range(dim):
                reading = where(is_late, d.sensor_value[first + k], d.sensordata[first + k])
                put(d, address + k, world, widen(lane_get(reading, world)))


@kernel
def reset_sensor_history(m, d, chosen):
    """Readings of zero, with the times at which they would have been taken before the start, in the chosen worlds."""
    step = m.opt.timestep
    for sensor in range(m.nsensor):
        count = m.sensor_history[sensor, 0]
        if count > 0:
            start, period = m.sensor_historyadr[sensor], m.sensor_interval[sensor, 0]
            phase, is_sampled = m.sensor_interval[sensor, 1], period > 0.0
            last = where(is_sampled, where(phase == 0.0, -period, phase), -step)
            reset_buffer(d, start, count, m.sensor_dim[sensor], chosen)
            d.history[start] = where(chosen, last, d.history[start])
            for k in range(count):
                # sampled at the first step that is not before it is due
                due = -floor(-(last - (count - 1 - k) * period) / step) * step
                time = where(is_sampled, due, -float(count - k) * step)
                address = start + HEADER + k
                d.history[address] = where(chosen, time, d.history[address])
