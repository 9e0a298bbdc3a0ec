"""Distance of two geoms or bodies, and the line between their nearest points."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import store3
from phalanx.algebra.number import splat, where
from phalanx.algebra.vector import normalize, sub, where3
from phalanx.collision.distance import geom_distance
from phalanx.sensor.table import measure
from phalanx.smooth.jacobian import any_component
from phalanx.tables.enums import ObjType, SensorType


@kernel
def geoms_of(m, kind, objid):
    """First geom of an object, and how many it has."""
    if kind == ObjType.BODY:
        return m.body_geomadr[objid], m.body_geomnum[objid]
    return objid, 1


@kernel
def least_distance(m, d, sensor):
    """(dist, from, to) of the nearest pair of geoms, if it is nearer than the cutoff; else the cutoff and zeros."""
    first1, count1 = geoms_of(m, m.sensor_objtype[sensor], m.sensor_objid[sensor])
    first2, count2 = geoms_of(m, m.sensor_reftype[sensor], m.sensor_refid[sensor])
    cutoff = m.sensor_cutoff[sensor]
    dist, nothing = splat(d.time, cutoff), splat(d.time, 0.0)
    start, end = (nothing, nothing, nothing), (nothing, nothing, nothing)
    for geom1 in range(first1, first1 + count1):
        for geom2 in range(first2, first2 + count2):
            x, a, b = geom_distance(m, d, geom1, geom2, cutoff)
            is_nearer = x < dist
            dist = where(is_nearer, x, dist)
            start, end = where3(is_nearer, a, start), where3(is_nearer, b, end)
    return dist, start, end


@measure.row(SensorType.GEOMDIST, SensorType.GEOMNORMAL, SensorType.GEOMFROMTO)
@part("mdii")
def distance(m, d, sensor, address):
    """Distance, direction or end points of the shortest connection; its direction is zero where both ends coincide."""
    kind = m.sensor_type[sensor]
    dist, start, end = least_distance(m, d, sensor)
    if kind == SensorType.GEOMDIST:
        d.sensor_value[address] = dist
    elif kind == SensorType.GEOMNORMAL:
        line = sub(end, start)
        store3(d.sensor_value, address, where3(any_component(line), normalize(line), line))
    else:
        store3(d.sensor_value, address, start)
        store3(d.sensor_value, address + 3, end)
