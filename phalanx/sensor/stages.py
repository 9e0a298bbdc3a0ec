"""The stages that fill in `sensordata`, after positions, velocities and accelerations.

Every sensor is computed. What one with a delay reports is read from its history, which the present reading joins at the
end of the step; one with an interval reports the present reading when it is due and else its history (`history.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import and_, any_, clamp, minimum, or_, where
from phalanx.memory.awake import object_state
from phalanx.memory.flags import is_disabled
from phalanx.memory.growth import lacks_memory
from phalanx.sensor.force.post_constraint import rne_post_constraint
from phalanx.sensor.history import is_due, read_reading
from phalanx.sensor.table import measure
from phalanx.smooth.subtree import subtree_vel
from phalanx.tables.enums import DataType, DisableBit, ObjType, SensorType, SleepState, Stage
from phalanx.tables.sensors import FORCES, SUBTREE_VEL, UNBOUNDED, needing

# --- what sensors need first

NEED_SUBTREE_VEL = needing(SUBTREE_VEL)
NEED_FORCES = needing(FORCES)
#: Sensors whose reading does not follow from whether their object sleeps.
ALWAYS_AWAKE = (SensorType.USER, SensorType.PLUGIN, SensorType.RANGEFINDER)


@kernel
def is_on(m):
    """Are sensors part of the physics? If not, sensordata stays as it was."""
    return not is_disabled(m, DisableBit.SENSOR)


@kernel
def is_computed(m, sensor):
    """Is there a reading? With sensors disabled, those with a delay still keep their histories."""
    return is_on(m) or (m.sensor_history[sensor, 0] > 0 and any_(m.sensor_delay[sensor] > 0.0))


@kernel
def needs_subtree_vel(m, sensor):
    """Does a sensor read what `subtree_vel` writes?"""
    kind = m.sensor_type[sensor]
    is_open = kind == SensorType.USER or kind == SensorType.PLUGIN
    return kind in NEED_SUBTREE_VEL or (is_open and m.sensor_needstage[sensor] == Stage.VEL)


@kernel
def needs_forces(m, sensor):
    """Does a sensor read what `rne_post_constraint` writes?"""
    kind = m.sensor_type[sensor]
    is_open = kind == SensorType.USER or kind == SensorType.PLUGIN
    return kind in NEED_FORCES or (is_open and m.sensor_needstage[sensor] == Stage.ACC)


@kernel
def prepare_velocities(m, d):
    """Momentum of subtrees, if a sensor needs it."""
    for sensor in range(m.nsensor):
        if needs_subtree_vel(m, sensor) and is_computed(m, sensor):
            subtree_vel(m, d)
            return


@kernel
def prepare_forces(m, d):
    """Forces between bodies, if a sensor needs them."""
    for sensor in range(m.nsensor):
        if needs_forces(m, sensor) and is_computed(m, sensor):
            rne_post_constraint(m, d)
            return


# --- one sensor


@kernel
def compute(m, d, sensor):
    """sensor_value: the present reading, within the cutoff."""
    address, dim = m.sensor_adr[sensor], m.sensor_dim[sensor]
    kind, cutoff = m.sensor_type[sensor], m.sensor_cutoff[sensor]
    measure(kind, m, d, sensor, address)
    if kind in UNBOUNDED or not any_(cutoff > 0.0):
        return
    value = d.sensor_value
    for k in range(address, address + dim):
        if m.sensor_datatype[sensor] == DataType.REAL:
            value[k] = where(cutoff > 0.0, clamp(value[k], -cutoff, cutoff), value[k])
        elif m.sensor_datatype[sensor] == DataType.POSITIVE:
            value[k] = where(cutoff > 0.0, minimum(cutoff, value[k]), value[k])


@kernel
def keep(m, d, sensor):
    """Remember the present reading, in case that what it is about falls asleep."""
    for k in range(m.sensor_adr[sensor], m.sensor_adr[sensor] + m.sensor_dim[sensor]):
        d.asleep_reading[k] = d.sensor_value[k]


@kernel
def repeat(m, d, sensor):
    """What sleeps has the reading that it had; histories go on with it."""
    for k in range(m.sensor_adr[sensor], m.sensor_adr[sensor] + m.sensor_dim[sensor]):
        d.sensor_value[k] = d.asleep_reading[k]


@kernel
def report(m, d, sensor):
    """sensordata of one sensor: the present reading where it is fresh, else what its history says."""
    address, dim = m.sensor_adr[sensor], m.sensor_dim[sensor]
    delay = m.sensor_delay[sensor]
    is_read = m.sensor_history[sensor, 0] > 0 and any_(or_(delay > 0.0, m.sensor_interval[sensor, 0] > 0.0))
    for k in range(address, address + dim):
        if is_read:
            is_fresh = and_(delay <= 0.0, is_due(m, d, sensor))
            d.sensordata[k] = where(is_fresh, d.sensor_value[k], read_reading(m, d, sensor, k - address))
        else:
            d.sensordata[k] = d.sensor_value[k]


@kernel
def is_sensor_asleep(m, d, sensor):
    """Does all sleep that a sensor is about, so that it keeps its reading? Some look at more than their objects."""
    kind, of, reference = m.sensor_type[sensor], m.sensor_objtype[sensor], m.sensor_reftype[sensor]
    if m.nsleep == 0 or kind in ALWAYS_AWAKE:
        return False
    if kind == SensorType.CONTACT and (of == ObjType.SITE or reference == ObjType.SITE):
        return False
    first = object_state(m, d, of, m.sensor_objid[sensor])
    second = object_state(m, d, reference, m.sensor_refid[sensor])
    # without an object, or without a reference, the other one decides; static is awake
    if of == ObjType.UNKNOWN:
        return reference != ObjType.UNKNOWN and second == SleepState.ASLEEP
    if reference == ObjType.UNKNOWN:
        return first == SleepState.ASLEEP
    return first != SleepState.AWAKE and second != SleepState.AWAKE


# --- stages


@kernel
def update(m, d, stage):
    """Readings and reports of the sensors that need a stage."""
    for sensor in range(m.nsensor):
        if m.sensor_needstage[sensor] == stage and is_computed(m, sensor):
            if is_sensor_asleep(m, d, sensor):
                repeat(m, d, sensor)
            else:
                compute(m, d, sensor)
                if m.nsleep > 0:
                    keep(m, d, sensor)
            if is_on(m):
                report(m, d, sensor)


@part()
def sensor_pos(m, d):
    """sensordata of the sensors that need positions."""
    if not lacks_memory(d):
        update(m, d, Stage.POS)


@part()
def sensor_vel(m, d):
    """sensordata of the sensors that need velocities."""
    if not lacks_memory(d):
        prepare_velocities(m, d)
        update(m, d, Stage.VEL)


@part()
def sensor_acc(m, d):
    """sensordata of the sensors that need accelerations or forces."""
    if not lacks_memory(d):
        prepare_forces(m, d)
        update(m, d, Stage.ACC)
