"""Tables of what is reported: sensors by type, forces of equalities by type, zones of sensors by shape.

A sensor is a kernel that writes its reading, `sensor_dim` numbers, to `sensor_value` from `address` on:

    @measure.row(SensorType.CLOCK)
    @kernel
    def clock(m, d, sensor, address):
        d.sensor_value[address] = d.time

It runs at the stage of the sensor (`sensor_needstage`), in lanes. Cutoff, delay and interval are not its business. A
new sensor is a value of `SensorType`, a file with its kernel, and the name of the file below.
"""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_

_SENSORS = tuple(
    f"phalanx.sensor.{name}"
    for name in (
        "inertial", "joint", "tendon", "actuator", "frame", "subtree", "energy", "camera", "inside_site", "touch",
        "contact", "rangefinder", "distance", "tactile", "user",
    )
)  # fmt: skip


@kernel
def no_reading(m, d, sensor, address):
    """Write the reading of a sensor to `sensor_value`, from `address` on. Without a row: zeros."""
    for k in range(address, address + m.sensor_dim[sensor]):
        d.sensor_value[k] = 0.0


@kernel
def no_force(m, d, equality, row):
    """Add to cfrc_ext what an equality does to bodies; `row` is its first row. Returns how many rows it has.

    Without a row of the table: one row that acts on no body.
    """
    return 1


@kernel
def nothing_inside(m, mesh, size, point):
    """Is a point inside a shape, given in the frame of the shape? Without a row of the table: no."""
    return and_(point[0] < 0.0, point[0] > 0.0)


#: By sensor_type.
measure = Table("measure", no_reading, _SENSORS)
#: By eq_type.
equality_force = Table("equality_force", no_force, ("phalanx.sensor.equality_force",))
#: By site_type.
is_inside = Table("is_inside", nothing_inside, ("phalanx.sensor.inside_shape",))
