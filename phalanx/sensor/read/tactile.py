"""Touch at the vertices of a mesh: how deep each is in what the body touches, and how fast it slips.

Signed distance fields take one world at a time, in double precision.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, load6
from phalanx.algebra.number import abs_, any_, lane_count, lane_get, lane_set, maximum, splat, widen
from phalanx.algebra.vector import add, dot, sub
from phalanx.collision.collide import geom_of_world, load_geom
from phalanx.collision.convex.support import widen3
from phalanx.collision.ray.crossing import of_world3
from phalanx.collision.sdf.pair import field_of, has_field, widened
from phalanx.collision.sdf.table import field_value, shape_of
from phalanx.sensor.force.contact_wrench import contact_exists
from phalanx.sensor.table import measure
from phalanx.smooth.chain import from_tree_center, point_velocity
from phalanx.smooth.contact_body import contact_body
from phalanx.tables.enums import GeomType, SensorType
from phalanx.tables.geoms import OF_MESH


@measure.row(SensorType.TACTILE)
@kernel
def tactile(m, d, sensor, address):
    """Depths of all vertices, then the speeds of slip along their first and their second tangent."""
    for k in range(address, address + m.sensor_dim[sensor]):
        d.sensor_value[k] = 0.0
    for contact in range(d.ncon):
        exists = contact_exists(d, contact)
        for side in range(2):
            other = touched_geom(m, d, sensor, contact, side)
            if other >= 0 and any_(exists):
                for world in range(lane_count(d.time)):
                    if lane_get(exists, world) and is_first(m, d, sensor, contact, side, world):
                        feel(m, d, sensor, address, other, world)


@kernel
def touched_geom(m, d, sensor, contact, side):
    """The geom on the other side of a contact if this side is fixed to the geom of the sensor, or -1."""
    other = d.contact_geom[contact, 1 - side]
    # a flex has no distance that could be felt
    if other < 0:
        return -1
    is_ours = m.body_weldid[contact_body(m, d, contact, side)] == m.body_weldid[m.geom_bodyid[m.sensor_refid[sensor]]]
    kind = m.geom_type[other]
    if is_ours and (kind not in OF_MESH or has_field(m, shape_of(m, other))):
        return other
    return -1


@kernel
def is_first(m, d, sensor, contact, side, world):
    """Has no contact before, or the other side of this one, touched the same geom in this world?"""
    other = touched_geom(m, d, sensor, contact, side)
    for k in range(2 * contact + side):
        if touched_geom(m, d, sensor, k // 2, k % 2) == other and lane_get(contact_exists(d, k // 2), world):
            return False
    return True


@kernel
def vertex_position(m, sensor, taxel):
    """A vertex of the sensor's mesh, in the frame of its geom."""
    mesh = m.sensor_objid[sensor]
    return widen3(load3(m.mesh_vert, m.mesh_vertadr[mesh] + taxel))


@kernel
def feel(m, d, sensor, address, other, world):
    """Add what a geom does to each vertex, in one world."""
    count = m.mesh_vertnum[m.sensor_objid[sensor]]
    own = widened(geom_of_world(load_geom(m, d, m.sensor_refid[sensor]), world))
    geom = widened(geom_of_world(load_geom(m, d, other), world))
    kind = m.geom_type[other]
    field = field_of(m, GeomType.SDF if kind == GeomType.MESH else kind, geom)
    for taxel in range(count):
        point = add(multiply_vector(own[1], vertex_position(m, sensor, taxel)), own[0])
        local = multiply_transposed(geom[1], sub(point, geom[0]))
        depth = -field_value(field[0], m, d, field[1], field[2], local)
        if depth > 0.0:
            deepen(d, address + taxel, depth, world)
            if has_tangents(m, sensor):
                slip = multiply_transposed(own[1], slip_velocity(m, d, sensor, other, point, world))
                add_speed(m, d, sensor, address + count + taxel, taxel, 1, slip, world)
                add_speed(m, d, sensor, address + 2 * count + taxel, taxel, 2, slip, world)


@kernel
def deepen(d, address, depth, world):
    """Raise the reading of a vertex to a depth, in one world."""
    before = widen(lane_get(d.sensor_value[address], world))
    d.sensor_value[address] = lane_set(d.sensor_value[address], world, maximum(before, depth))


@kernel
def has_tangents(m, sensor):
    """Does the mesh have three axes at each vertex?"""
    mesh = m.sensor_objid[sensor]
    return m.mesh_normalnum[mesh] == 3 * m.mesh_vertnum[mesh]


@kernel
def add_speed(m, d, sensor, address, taxel, axis, slip, world):
    """Add the speed of slip along an axis of a vertex; both in the frame of the geom."""
    mesh = m.sensor_objid[sensor]
    along = widen3(load3(m.mesh_normal, m.mesh_normaladr[mesh] + 3 * taxel + axis))
    before = widen(lane_get(d.sensor_value[address], world))
    d.sensor_value[address] = lane_set(d.sensor_value[address], world, before + abs_(dot(slip, along)))


@kernel
def slip_velocity(m, d, sensor, other, point, world):
    """Velocity of a point of the sensor against the geom that it touches, in one world."""
    like = d.time
    place = (splat(like, point[0]), splat(like, point[1]), splat(like, point[2]))
    own = velocity_at(m, d, m.geom_bodyid[m.sensor_refid[sensor]], place)
    slip = sub(own, velocity_at(m, d, m.geom_bodyid[other], place))
    return widen3(of_world3(like, slip, world))


@kernel
def velocity_at(m, d, body, point):
    """Velocity of a body at a world point."""
    return point_velocity(load6(d.cvel, body), from_tree_center(m, d, body, point))
