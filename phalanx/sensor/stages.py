"""The stages that fill in `sensordata`, after positions, velocities and accelerations.

A sensor without history is computed. One with a delay is read from its history, which `advance_sensor_history` extends
once a step; one with an interval is computed when it is due and else read from there (`history.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import all_, and_, any_, clamp, minimum, or_, where
from phalanx.model.growth import lacks_memory
from phalanx.sensor.delay import is_due, read_reading
from phalanx.sensor.post_constraint import rne_post_constraint
from phalanx.sensor.table import measure
from phalanx.smooth.subtree import subtree_vel
from phalanx.tables.enums import DataType, DisableBit, SensorType, Stage

SENSOR = int(DisableBit.SENSOR)
POS, VEL, ACC = int(Stage.POS), int(Stage.VEL), int(Stage.ACC)
REAL, POSITIVE = int(DataType.REAL), int(DataType.POSITIVE)
SUBTREELINVEL, SUBTREEANGMOM = int(SensorType.SUBTREELINVEL), int(SensorType.SUBTREEANGMOM)
ACCELEROMETER, FORCE, TORQUE = int(SensorType.ACCELEROMETER), int(SensorType.FORCE), int(SensorType.TORQUE)
FRAMELINACC, FRAMEANGACC = int(SensorType.FRAMELINACC), int(SensorType.FRAMEANGACC)
CONTACT, GEOMFROMTO, USER = int(SensorType.CONTACT), int(SensorType.GEOMFROMTO), int(SensorType.USER)


# --- what sensors need first


@kernel
def needs_subtree_vel(m, sensor):
    kind = m.sensor_type[sensor]
    return kind in (SUBTREELINVEL, SUBTREEANGMOM) or (kind == USER and m.sensor_needstage[sensor] == VEL)


@kernel
def needs_forces(m, sensor):
    """Does a sensor read what `rne_post_constraint` writes?"""
    kind = m.sensor_type[sensor]
    if kind in (ACCELEROMETER, FORCE, TORQUE, FRAMELINACC, FRAMEANGACC):
        return True
    return kind == USER and m.sensor_needstage[sensor] == ACC


@kernel
def is_delayed(m, sensor):
    """Is the sensor read from its history in every world?"""
    return m.sensor_history[sensor, 0] > 0 and all_(m.sensor_delay[sensor] > 0.0)


@kernel
def prepare_velocities(m, d, is_late):
    """Momentum of subtrees, if sensors need it: those without delay, or (late) those with one."""
    for sensor in range(m.nsensor):
        if needs_subtree_vel(m, sensor) and is_delayed(m, sensor) == is_late:
            subtree_vel(m, d)
            return


@kernel
def prepare_forces(m, d, is_late):
    """Forces between bodies, if sensors need them; late only if they are not there yet."""
    is_needed = False
    for sensor in range(m.nsensor):
        if needs_forces(m, sensor):
            if is_late and not is_delayed(m, sensor):
                return
            is_needed = is_needed or is_delayed(m, sensor) == is_late
    if is_needed:
        rne_post_constraint(m, d)


# --- one sensor


@kernel
def compute(m, d, sensor):
    """sensor_value: the present reading, within the cutoff."""
    address, dim = m.sensor_adr[sensor], m.sensor_dim[sensor]
    kind, cutoff = m.sensor_type[sensor], m.sensor_cutoff[sensor]
    measure(kind, m, d, sensor, address)
    if kind in (CONTACT, GEOMFROMTO) or not any_(cutoff > 0.0):
        return
    value = d.sensor_value
    for k in range(address, address + dim):
        if m.sensor_datatype[sensor] == REAL:
            value[k] = where(cutoff > 0.0, clamp(value[k], -cutoff, cutoff), value[k])
        elif m.sensor_datatype[sensor] == POSITIVE:
            value[k] = where(cutoff > 0.0, minimum(cutoff, value[k]), value[k])


@kernel
def update(m, d, sensor):
    """sensordata of one sensor: computed where it is fresh, else read from its history."""
    address, dim = m.sensor_adr[sensor], m.sensor_dim[sensor]
    delay = m.sensor_delay[sensor]
    is_read = m.sensor_history[sensor, 0] > 0 and any_(or_(delay > 0.0, m.sensor_interval[sensor, 0] > 0.0))
    if not is_delayed(m, sensor):
        compute(m, d, sensor)
    for k in range(address, address + dim):
        if is_read:
            is_fresh = and_(delay <= 0.0, is_due(m, d, sensor))
            d.sensordata[k] = where(is_fresh, d.sensor_value[k], read_reading(m, d, sensor, k - address))
        else:
            d.sensordata[k] = d.sensor_value[k]


# --- stages


@kernel
def is_off(m, d):
    """Are there no sensors to update, or contacts that memory has no room for?"""
    return m.nsensor == 0 or (m.opt.disableflags & SENSOR) != 0 or lacks_memory(d)


@kernel
def update_all(m, d, stage):
    for sensor in range(m.nsensor):
        if m.sensor_needstage[sensor] == stage:
            update(m, d, sensor)


@kernel
def sensor_pos(m, d):
    """sensordata of the sensors that need positions."""
    if not is_off(m, d):
        update_all(m, d, POS)


@kernel
def sensor_vel(m, d):
    """sensordata of the sensors that need velocities."""
    if not is_off(m, d):
        prepare_velocities(m, d, False)
        update_all(m, d, VEL)


@kernel
def sensor_acc(m, d):
    """sensordata of the sensors that need accelerations or forces."""
    if not is_off(m, d):
        prepare_forces(m, d, False)
        update_all(m, d, ACC)


@kernel
def compute_late(m, d):
    """sensor_value of the sensors with a delay, as their histories will keep it."""
    prepare_velocities(m, d, True)
    prepare_forces(m, d, True)
    for sensor in range(m.nsensor):
        if m.sensor_history[sensor, 0] > 0 and any_(m.sensor_delay[sensor] > 0.0):
            compute(m, d, sensor)
