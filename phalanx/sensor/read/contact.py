"""Contacts between given objects: the first, the nearest or the strongest ones, or the sum of their forces.

Which contacts match, and which way round, depends on the model; which worlds have them is data. Contacts are ranked by
a number of each world, ties by their order, so that the k-th one is found in lanes without a list.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, load6, load9, store3
from phalanx.algebra.number import and_, any_, maximum, or_, splat, where
from phalanx.algebra.vector import MINVAL, add, add_scaled, cross, dot, norm, scale, sub, where3
from phalanx.sensor.force.contact_wrench import ZERO3, contact_exists, contact_wrench
from phalanx.sensor.read.inside_site import is_in_site
from phalanx.sensor.table import measure
from phalanx.smooth.chain import from_tree_center, point_velocity
from phalanx.smooth.contact_body import contact_bodies, contact_body
from phalanx.smooth.jacobian import in_subtree
from phalanx.tables.enums import ContactData, ObjType, SensorType

NFIELD = len(ContactData)
#: How contacts are chosen.
NEAREST, STRONGEST, SUM = 1, 2, 3
#: Larger than any rank.
LAST = 1e300


# --- which contacts


@kernel
def matches(m, d, contact, side, kind, objid):
    """Is a side what a sensor asks for: that geom, of that body or subtree? Anything matches nothing in particular."""
    if kind == ObjType.GEOM:
        return d.contact_geom[contact, side] == objid
    if kind == ObjType.BODY:
        return contact_body(m, d, contact, side) == objid
    if kind == ObjType.XBODY:
        return in_subtree(m, contact_body(m, d, contact, side), objid)
    return True


@kernel
def direction(m, d, sensor, contact):
    """0 if the contact does not match the sensor, 1 if it does, -1 if it does the other way round."""
    kind1, first = m.sensor_objtype[sensor], m.sensor_objid[sensor]
    kind2, second = m.sensor_reftype[sensor], m.sensor_refid[sensor]
    regular = matches(m, d, contact, 0, kind1, first) and matches(m, d, contact, 1, kind2, second)
    reverse = matches(m, d, contact, 1, kind1, first) and matches(m, d, contact, 0, kind2, second)
    if regular:
        return 1
    return -1 if reverse else 0


@kernel
def has_match(m, d, sensor, contact):
    """Worlds that have the contact, inside the site of the sensor if it has one."""
    exists = contact_exists(d, contact)
    if m.sensor_objtype[sensor] == ObjType.SITE:
        point = where3(exists, load3(d.contact_pos, contact), ZERO3)
        return and_(exists, is_in_site(m, d, m.sensor_objid[sensor], point))
    return exists


@kernel
def rank(m, d, sensor, contact):
    """Contacts with a smaller rank come first."""
    choice = m.sensor_intprm[sensor, 1]
    if choice == NEAREST:
        return d.contact_dist[contact]
    if choice == STRONGEST:
        force, _ = contact_wrench(m, d, contact)
        return -dot(force, force)
    return splat(d.contact_dist[contact], 0.0)


@kernel
def next_match(m, d, sensor, after, last):
    """(rank, contact) of the first match that comes after another in each world; contact -1 where there is none."""
    best, found = splat(after, LAST), splat(after, -1.0)
    for contact in range(d.ncon):
        if direction(m, d, sensor, contact) != 0:
            x, place = rank(m, d, sensor, contact), float(contact)
            is_later = or_(x > after, and_(x == after, place > last))
            is_better = and_(and_(has_match(m, d, sensor, contact), is_later), x < best)
            best, found = where(is_better, x, best), where(is_better, place, found)
    return best, found


@kernel
def count_matches(m, d, sensor):
    """How many contacts match in each world."""
    count = splat(d.time, 0.0)
    for contact in range(d.ncon):
        if direction(m, d, sensor, contact) != 0:
            count = count + where(has_match(m, d, sensor, contact), 1.0, 0.0)
    return count


# --- what is reported


@kernel
def field_size(field):
    """How many values a part of the report has: one, or the three of a vector."""
    return 1 if field in (ContactData.FOUND, ContactData.DIST) else 3


@kernel
def relative_velocity(m, d, contact):
    """(angular, linear) velocity of the second body against the first at the contact, in the frame of the contact."""
    body1, body2 = contact_bodies(m, d, contact)
    point, frame = load3(d.contact_pos, contact), load9(d.contact_frame, contact)
    velocity1, velocity2 = load6(d.cvel, body1), load6(d.cvel, body2)
    linear1 = point_velocity(velocity1, from_tree_center(m, d, body1, point))
    linear2 = point_velocity(velocity2, from_tree_center(m, d, body2, point))
    spin = sub((velocity2[0], velocity2[1], velocity2[2]), (velocity1[0], velocity1[1], velocity1[2]))
    return multiply_vector(frame, spin), multiply_vector(frame, sub(linear2, linear1))


@kernel
def contact_vector(m, d, contact, field, sign):
    """A vector of a contact. Seen the other way round, its frame is rotated by 180 degrees about the third axis."""
    frame = load9(d.contact_frame, contact)
    if field == ContactData.POS:
        return load3(d.contact_pos, contact)
    if field == ContactData.NORMAL:
        return scale((frame[0], frame[1], frame[2]), sign)
    if field == ContactData.TANGENT:
        return scale((frame[3], frame[4], frame[5]), sign)
    if field in (ContactData.FORCE, ContactData.TORQUE):
        v, about = contact_wrench(m, d, contact)
        if field == ContactData.TORQUE:
            v = about
    else:
        v, linear = relative_velocity(m, d, contact)
        if field == ContactData.LINVEL:
            v = linear
    return (v[0], v[1], v[2] * sign)


@kernel
def put_contact(m, d, sensor, address, contact, count, chosen):
    """What is reported of a contact, in the chosen worlds."""
    fields, value = m.sensor_intprm[sensor, 0], d.sensor_value
    sign = float(direction(m, d, sensor, contact))
    for field in range(NFIELD):
        if (fields >> field) & 1:
            if field == ContactData.FOUND:
                value[address] = where(chosen, count, value[address])
            elif field == ContactData.DIST:
                value[address] = where(chosen, d.contact_dist[contact], value[address])
            else:
                v = contact_vector(m, d, contact, field, sign)
                store3(value, address, where3(chosen, v, load3(value, address)))
            address += field_size(field)


@measure.row(SensorType.CONTACT)
@kernel
def contact_sensor(m, d, sensor, address):
    """Slots of `found force torque ...`, those asked for, one for each contact; the sum has one slot."""
    dim, slots = m.sensor_dim[sensor], m.sensor_intprm[sensor, 2]
    for k in range(address, address + dim):
        d.sensor_value[k] = 0.0
    count = count_matches(m, d, sensor)
    if m.sensor_intprm[sensor, 1] == SUM:
        put_sum(m, d, sensor, address, count)
        return
    after, last = splat(count, -LAST), splat(count, -1.0)
    for slot in range(slots):
        after, last = next_match(m, d, sensor, after, last)
        if not any_(last >= 0.0):
            return
        start = address + slot * (dim // slots)
        for contact in range(d.ncon):
            chosen = last == float(contact)
            if any_(chosen):
                put_contact(m, d, sensor, start, contact, count, chosen)


# --- the sum


@kernel
def sum_center(m, d, sensor):
    """Mean of the contact points, weighted by force."""
    nothing = splat(d.time, 0.0)
    point, total = (nothing, nothing, nothing), nothing
    for contact in range(d.ncon):
        if direction(m, d, sensor, contact) != 0:
            force, _ = contact_wrench(m, d, contact)
            chosen = has_match(m, d, sensor, contact)
            weight = where(chosen, norm(force), 0.0)
            point = add_scaled(point, where3(chosen, load3(d.contact_pos, contact), ZERO3), weight)
            total = total + weight
    return scale(point, 1.0 / maximum(total, MINVAL))


@kernel
def sum_wrench(m, d, sensor, center):
    """Force and torque of all matches about a point, in the world."""
    nothing = splat(d.time, 0.0)
    force, torque = (nothing, nothing, nothing), (nothing, nothing, nothing)
    for contact in range(d.ncon):
        sign = float(direction(m, d, sensor, contact))
        if sign != 0.0:
            chosen, frame = has_match(m, d, sensor, contact), load9(d.contact_frame, contact)
            along, about = contact_wrench(m, d, contact)
            push = where3(chosen, multiply_transposed(frame, scale(along, sign)), ZERO3)
            twist = where3(chosen, multiply_transposed(frame, scale(about, sign)), ZERO3)
            arm = where3(chosen, sub(load3(d.contact_pos, contact), center), ZERO3)
            force, torque = add(force, push), add(torque, add(twist, cross(arm, push)))
    return force, torque


@kernel
def put_sum(m, d, sensor, address, count):
    """One slot: the sum of forces and torques about their center, in the world; a distance of zero, and world axes."""
    fields, value = m.sensor_intprm[sensor, 0], d.sensor_value
    center = sum_center(m, d, sensor)
    force, torque = sum_wrench(m, d, sensor, center)
    has_any = where(count > 0.0, 1.0, 0.0)
    for field in range(NFIELD):
        if (fields >> field) & 1:
            if field == ContactData.FOUND:
                value[address] = count
            elif field == ContactData.FORCE:
                store3(value, address, force)
            elif field == ContactData.TORQUE:
                store3(value, address, torque)
            elif field == ContactData.POS:
                store3(value, address, center)
            elif field == ContactData.NORMAL:
                value[address] = has_any
            elif field == ContactData.TANGENT:
                value[address + 1] = has_any
            address += field_size(field)
