"""Past samples of controls and sensors: ring buffers in d.history, read at a time with interpolation.

How a buffer lies in memory is in `tables/history.py`. Samples are kept in the order of their times; a new one takes the
place of the oldest. Each world has its own buffers, so all this is done world by world, in double precision.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, any_, lane_count, lane_get, lane_set, where, widen
from phalanx.algebra.vector import MINVAL
from phalanx.smooth.actuator.orientation_servo import takes_quaternion
from phalanx.tables.history import HOLD, LINEAR, NEWEST, OWNER, TIMES

# --- one buffer in one world


@kernel
def get(d, address, world):
    """An element of the history of one world."""
    return widen(lane_get(d.history[address], world))


@kernel
def put(d, address, world, value):
    """Set an element of the history of one world."""
    d.history[address] = lane_set(d.history[address], world, value)


@kernel
def slot_of(d, start, count, age, world):
    """Slot of a sample: 0 is the oldest, count - 1 the newest."""
    return (int(get(d, start + NEWEST, world)) + 1 + age) % count


@kernel
def time_of(d, start, count, age, world):
    """When a sample was taken; ages as in `slot_of`."""
    return get(d, start + TIMES + slot_of(d, start, count, age, world), world)


@kernel
def value_address(d, start, count, dim, age, world):
    """Where the first value of a sample is."""
    return start + TIMES + count + dim * slot_of(d, start, count, age, world)


@kernel
def first_not_before(d, start, count, time, world):
    """The oldest sample that is not older than `time`, or `count`."""
    age = 0
    while age < count and time_of(d, start, count, age, world) < time:
        age += 1
    return age


@kernel
def insert_sample(d, start, count, dim, time, world):
    """Make room for a sample taken at `time`; returns the address of its first value.

    A sample of the same time is replaced, else the oldest one is lost, even if the new one is older.
    """
    age = first_not_before(d, start, count, time, world)
    if age < count and abs_(time - time_of(d, start, count, age, world)) < MINVAL:
        return value_address(d, start, count, dim, age, world)
    if age == count:
        put(d, start + NEWEST, world, float(slot_of(d, start, count, 0, world)))
    for k in range(age - 1 if age < count else 0):
        move_sample(d, start, count, dim, k, world)
    kept = count - 1 if age == count else (age - 1 if age > 0 else 0)
    put(d, start + TIMES + slot_of(d, start, count, kept, world), world, time)
    return value_address(d, start, count, dim, kept, world)


@kernel
def move_sample(d, start, count, dim, age, world):
    """Overwrite a sample by the next younger one."""
    put(d, start + TIMES + slot_of(d, start, count, age, world), world, time_of(d, start, count, age + 1, world))
    source = value_address(d, start, count, dim, age + 1, world)
    target = value_address(d, start, count, dim, age, world)
    for k in range(dim):
        put(d, target + k, world, get(d, source + k, world))


@kernel
def read_sample(d, start, count, dim, component, time, order, world):
    """A component at `time`: between samples held (order 0), linear (1) or cubic (2); beyond them the nearest."""
    newest = count - 1
    # outside, or at a sample: no interpolation
    if time <= time_of(d, start, count, 0, world) + MINVAL:
        return get(d, value_address(d, start, count, dim, 0, world) + component, world)
    if time >= time_of(d, start, count, newest, world) - MINVAL:
        return get(d, value_address(d, start, count, dim, newest, world) + component, world)
    after = first_not_before(d, start, count, time, world)
    x1 = get(d, value_address(d, start, count, dim, after, world) + component, world)
    t1 = time_of(d, start, count, after, world)
    if abs_(time - t1) < MINVAL:
        return x1
    x0 = get(d, value_address(d, start, count, dim, after - 1, world) + component, world)
    if order == HOLD:
        return x0
    t0 = time_of(d, start, count, after - 1, world)
    place = (time - t0) / (t1 - t0)
    if order == LINEAR:
        return x0 + place * (x1 - x0)
    # slopes of a Catmull-Rom spline, flat at the oldest and the newest sample
    slope0, slope1 = 0.0, 0.0
    if after > 1:
        x = get(d, value_address(d, start, count, dim, after - 2, world) + component, world)
        slope0 = (x1 - x) / (t1 - time_of(d, start, count, after - 2, world))
    if after < newest:
        x = get(d, value_address(d, start, count, dim, after + 1, world) + component, world)
        slope1 = (x - x0) / (time_of(d, start, count, after + 1, world) - t0)
    return hermite(place, x0, (t1 - t0) * slope0, x1, (t1 - t0) * slope1)


@kernel
def hermite(s, x0, slope0, x1, slope1):
    """The cubic with given values and slopes at 0 and 1."""
    s2 = s * s
    s3 = s2 * s
    return (
        (2.0 * s3 - 3.0 * s2 + 1.0) * x0
        + (s3 - 2.0 * s2 + s) * slope0
        + (-2.0 * s3 + 3.0 * s2) * x1
        + (s3 - s2) * slope1
    )


# --- controls


@kernel
def read_controls(m, d):
    """actuation_ctrl: the controls, those of actuators with a delay as they were then."""
    for k in range(m.nu):
        d.actuation_ctrl[k] = d.ctrl[k]
    for actuator in range(m.nactuator):
        count, order = m.actuator_history[actuator, 0], m.actuator_history[actuator, 1]
        delay = m.actuator_delay[actuator]
        if count > 0 and any_(delay != 0.0):
            first, dim = m.actuator_ctrladr[actuator], m.actuator_ctrlnum[actuator]
            start, then = m.actuator_historyadr[actuator], d.time - delay
            for world in range(lane_count(d.time)):
                for k in range(dim):
                    past = read_sample(d, start, count, dim, k, widen(lane_get(then, world)), order, world)
                    d.actuation_ctrl[first + k] = lane_set(d.actuation_ctrl[first + k], world, past)
            for k in range(first, first + dim):
                d.actuation_ctrl[k] = where(delay != 0.0, d.actuation_ctrl[k], d.ctrl[k])


@kernel
def advance_control_history(m, d):
    """history: the present controls, with the present time. A world that has failed keeps what it has."""
    for actuator in range(m.nactuator):
        count, dim = m.actuator_history[actuator, 0], m.actuator_ctrlnum[actuator]
        if count > 0:
            first, start = m.actuator_ctrladr[actuator], m.actuator_historyadr[actuator]
            for world in range(lane_count(d.time)):
                if lane_get(d.error_code == 0.0, world):
                    address = insert_sample(d, start, count, dim, widen(lane_get(d.time, world)), world)
                    for k in range(dim):
                        put(d, address + k, world, widen(lane_get(d.ctrl[first + k], world)))


# --- reset


@kernel
def reset_buffer(d, start, count, dim, chosen):
    """Samples of zeros, in the chosen worlds; the newest is in the last slot. Times are left to the caller."""
    d.history[start + OWNER] = where(chosen, 0.0, d.history[start + OWNER])
    d.history[start + NEWEST] = where(chosen, float(count - 1), d.history[start + NEWEST])
    values = start + TIMES + count
    for address in range(values, values + count * dim):
        d.history[address] = where(chosen, 0.0, d.history[address])


@kernel
def reset_control_history(m, d, chosen):
    """history of controls at rest, one sample per step before the start, in the chosen worlds."""
    for actuator in range(m.nactuator):
        count, dim = m.actuator_history[actuator, 0], m.actuator_ctrlnum[actuator]
        if count > 0:
            start = m.actuator_historyadr[actuator]
            reset_buffer(d, start, count, dim, chosen)
            for k in range(count):
                address = start + TIMES + k
                d.history[address] = where(chosen, -float(count - k) * m.opt.timestep, d.history[address])
                if takes_quaternion(m, actuator):
                    address = start + TIMES + count + dim * k
                    d.history[address] = where(chosen, 1.0, d.history[address])
