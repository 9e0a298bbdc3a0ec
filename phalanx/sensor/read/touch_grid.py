"""The plugin mujoco.sensor.touch_grid: forces of contacts around a site, in bins of a spherical image.

The image looks along -z of the site; azimuth is towards x, elevation towards y. A channel is a component of the contact
force in the frame of the site: along z, x, y, then the torques about them. Bins have one size, or are finer in the
middle: edges x from -1 to 1 become g x^5 + (1 - g) x.

Where a contact falls differs between worlds, so they are taken one after another.
"""

from __future__ import annotations

from phalanx.algebra.elementary import atan2, power
from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import any_, lane_count, lane_get, lane_set, sqrt
from phalanx.algebra.vector import sub
from phalanx.sensor.force.contact_wrench import contact_exists, contact_wrench
from phalanx.sensor.table import plugin_reading
from phalanx.smooth.contact_body import contact_bodies
from phalanx.tables.plugins import PLUGINS, PluginType

_ROW = PLUGINS[PluginType.TOUCH_GRID]
#: Places of the settings in the configuration.
NCHANNEL, SIZE, FOV, GAMMA = (_ROW.first(name) for name in ("nchannel", "size", "fov", "gamma"))
PI = 3.141592653589793


@plugin_reading.row(PluginType.TOUCH_GRID)
@kernel
def touch_grid(m, d, sensor, address):
    """Sums of the forces of contacts of the body of the site, bin by bin, channel by channel.

    Of several sensors that share an instance, the first one reads, as in MuJoCo.
    """
    for k in range(address, address + m.sensor_dim[sensor]):
        d.sensor_value[k] = 0.0
    if not is_first(m, sensor):
        return
    site = m.sensor_objid[sensor]
    body = m.body_weldid[m.site_bodyid[site]]
    for contact in range(d.ncon):
        body1, body2 = contact_bodies(m, d, contact)
        if m.body_weldid[body1] == body or m.body_weldid[body2] == body:
            exists = contact_exists(d, contact)
            if any_(exists):
                # the force is that on the second geom; what acts on the site is reported
                sign = -1.0 if m.body_weldid[body1] == body else 1.0
                add_contact(m, d, sensor, address, contact, sign, exists)


@kernel
def is_first(m, sensor):
    """Is no sensor before of the same instance?"""
    first = sensor
    for other in range(sensor - 1, -1, -1):
        if m.sensor_plugin[other] == m.sensor_plugin[sensor]:
            first = other
    return first == sensor


@kernel
def add_contact(m, d, sensor, address, contact, sign, exists):
    """Add what a contact does to the bin that it is in, in the worlds that have it."""
    instance, site = m.sensor_plugin[sensor], m.sensor_objid[sensor]
    frame, axes = load9(d.site_xmat, site), load9(d.contact_frame, contact)
    force, torque = contact_wrench(m, d, contact)
    force = multiply_transposed(frame, multiply_transposed(axes, force))
    torque = multiply_transposed(frame, multiply_transposed(axes, torque))
    channels = (force[2], force[0], force[1], torque[2], torque[0], torque[1])
    place = multiply_transposed(frame, sub(load3(d.contact_pos, contact), load3(d.site_xpos, site)))
    azimuth = atan2(place[0], -place[2])
    elevation = atan2(place[1], sqrt(place[0] * place[0] + place[2] * place[2]))
    columns, rows = int(m.plugin_config[instance, SIZE]), int(m.plugin_config[instance, SIZE + 1])
    for world in range(lane_count(d.time)):
        if lane_get(exists, world):
            column = bin_of(m, instance, 0, columns, lane_get(azimuth, world))
            row = bin_of(m, instance, 1, rows, lane_get(elevation, world))
            if column >= 0 and row >= 0:
                add_channels(m, d, sensor, address + row * columns + column, rows * columns, sign, channels, world)


@kernel
def add_channels(m, d, sensor, first, stride, sign, channels, world):
    """Add the components of a force to a bin of each channel, in one world."""
    count = m.sensor_dim[sensor] // stride
    for k in range(6):
        if k < count:
            place = first + k * stride
            total = d.sensor_value[place] + sign * channels[k]
            d.sensor_value[place] = lane_set(d.sensor_value[place], world, lane_get(total, world))


@kernel
def edge(m, instance, axis, x):
    """Where a bin ends, from its place between -1 and 1."""
    gamma = m.plugin_config[instance, GAMMA]
    bent = x
    if gamma != 0.0:
        bent = gamma * power(x, 5.0) + (1.0 - gamma) * x
    return bent * (m.plugin_config[instance, FOV + axis] * PI / 180.0)


@kernel
def bin_of(m, instance, axis, count, angle):
    """The bin of an angle, -1 if it is out of view: bins are open below, and edges are sums, as in MuJoCo."""
    step = 2.0 / count
    x, found = -1.0, -1
    for k in range(count + 1):
        if angle <= edge(m, instance, axis, x):
            break
        found = k
        x += step
    return found if found < count else -1
