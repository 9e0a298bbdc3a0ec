"""Histories of sensors: when one is due, what it reads from the past; longer after each step, empty after a reset."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, and_, floor, lane_count, lane_get, lane_set, maximum, or_, splat, where, widen
from phalanx.smooth.history import insert_sample, put, read_sample, reset_buffer
from phalanx.tables.history import OWNER, TIMES
from phalanx.tables.sizes import SAMPLE_SLACK


@kernel
def is_due(m, d, sensor):
    """Worlds where a sensor with an interval takes a new reading now; one without always does."""
    period = m.sensor_interval[sensor, 0]
    return or_(period <= 0.0, d.history[m.sensor_historyadr[sensor] + OWNER] + period <= d.time)


@kernel
def read_reading(m, d, sensor, component):
    """A component of the reading that the delay lets through now, world by world."""
    start, count, order = m.sensor_historyadr[sensor], m.sensor_history[sensor, 0], m.sensor_history[sensor, 1]
    then, reading = d.time - m.sensor_delay[sensor], splat(d.time, 0.0)
    for world in range(lane_count(reading)):
        time, dim = widen(lane_get(then, world)), m.sensor_dim[sensor]
        reading = lane_set(reading, world, read_sample(d, start, count, dim, component, time, order, world))
    return reading


@kernel
def advance_sensor_history(m, d):
    """history: the present readings, with the present time. A world that has failed keeps what it has."""
    for sensor in range(m.nsensor):
        if m.sensor_history[sensor, 0] > 0:
            keep_reading(m, d, sensor)


@kernel
def keep_reading(m, d, sensor):
    """Insert the reading of a sensor that is due; the time when it was due last moves on by one period."""
    start, period = m.sensor_historyadr[sensor], m.sensor_interval[sensor, 0]
    is_taken = and_(d.error_code == 0.0, is_due(m, d, sensor))
    due = d.history[start + OWNER]
    d.history[start + OWNER] = where(and_(is_taken, period > 0.0), due + period, due)
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
            d.history[start + OWNER] = where(chosen, last, d.history[start + OWNER])
            for k in range(count):
                # sampled at the first step that is not before it is due
                steps = (last - (count - 1 - k) * period) / step
                due = -floor(SAMPLE_SLACK * maximum(1.0, abs_(steps)) - steps)
                time = where(is_sampled, due, -float(count - k)) * step
                address = start + TIMES + k
                d.history[address] = where(chosen, time, d.history[address])
