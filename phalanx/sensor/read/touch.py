"""Touch: the normal forces of contacts in a zone."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import and_, any_, splat, where
from phalanx.algebra.vector import negate, normalize, scale, where3
from phalanx.collision.ray.table import ray_shape
from phalanx.sensor.force.contact_wrench import ZERO3, contact_pushes, contact_wrench
from phalanx.sensor.table import measure
from phalanx.smooth.contact_body import contact_bodies
from phalanx.tables.enums import SensorType


@measure.row(SensorType.TOUCH)
@kernel
def touch(m, d, sensor, address):
    """Sum over contacts of the site's body whose normal, out of that body, meets the site."""
    site = m.sensor_objid[sensor]
    body, total = m.site_bodyid[site], splat(d.time, 0.0)
    for contact in range(d.ncon):
        acts = contact_pushes(d, contact)
        body1, body2 = contact_bodies(m, d, contact)
        if body in (body1, body2) and any_(acts):
            force, _ = contact_wrench(m, d, contact)
            point = where3(acts, load3(d.contact_pos, contact), ZERO3)
            frame = load9(d.contact_frame, contact)
            outward = normalize(scale((frame[0], frame[1], frame[2]), force[0]))
            if body == body2:
                outward = negate(outward)
            is_met = meets_site(m, d, site, point, outward)
            total = total + where(and_(and_(acts, force[0] > 0.0), is_met), force[0], 0.0)
    d.sensor_value[address] = total


@kernel
def meets_site(m, d, site, origin, direction):
    """Does a ray hit a site? It does if it starts inside."""
    pos, mat, size = load3(d.site_xpos, site), load9(d.site_xmat, site), load3(m.site_size, site)
    x, _ = ray_shape(m.site_type[site], pos, mat, size, origin, direction)
    return x >= 0.0
