"""Is an object inside a site?"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import and_, where
from phalanx.algebra.vector import MINVAL, sub, where3
from phalanx.collision.geom.table import is_inside
from phalanx.sensor.read.enclosed import site_overhang
from phalanx.sensor.read.frame import frame_position
from phalanx.sensor.table import measure
from phalanx.tables.enums import ObjType, SensorType


@kernel
def is_in_site(m, d, site, point):
    """Worlds where a world point is inside a site."""
    local = multiply_transposed(load9(d.site_xmat, site), sub(point, load3(d.site_xpos, site)))
    return is_inside(m.site_type[site], m, m.site_dataid[site], load3(m.site_size, site), local)


@measure.row(SensorType.INSIDESITE)
@kernel
def inside_site(m, d, sensor, address):
    """One if the origin of the object is inside; where the whole object must be, how far it stands out.

    A body without mass is where its subtree is.
    """
    kind, objid = m.sensor_objtype[sensor], m.sensor_objid[sensor]
    if m.sensor_intprm[sensor, 0] != 0:
        d.sensor_value[address] = site_overhang(m, d, m.sensor_refid[sensor], kind, objid)
        return
    point = frame_position(d, kind, objid)
    if kind == ObjType.BODY and objid > 0:
        is_light = and_(m.body_mass[objid] < MINVAL, m.body_subtreemass[objid] >= MINVAL)
        point = where3(is_light, load3(d.subtree_com, objid), point)
    d.sensor_value[address] = where(is_in_site(m, d, m.sensor_refid[sensor], point), 1.0, 0.0)
