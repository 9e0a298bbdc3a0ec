"""What a tendon pulls with, and on which bodies.

A positive tension pushes the ends apart: it is the force along the length, from springs, dampers, actuators,
constraints and the inertia of the tendon.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import abs_, any_, is_nonzero, lane_count, lane_get, lane_set, splat, where
from phalanx.algebra.vector import normalize, scale, sub, where3
from phalanx.constraint.equality.polynomial import coefficients
from phalanx.constraint.equality.tendon import tendon_slope
from phalanx.memory.flags import is_disabled
from phalanx.smooth.actuator.reflected import drives_tendon, tendon_damping_coefficients
from phalanx.smooth.passive.passive import tendon_stretch
from phalanx.smooth.passive.spring import polynomial, tendon_stiffness_coefficients
from phalanx.smooth.tendon.tendon import path_address, tendon_rate
from phalanx.smooth.tendon.tendon_armature import tendon_drift, total_armature
from phalanx.smooth.wrench import add_force
from phalanx.tables.enums import ConstraintType, DisableBit, EqType, WrapType


@kernel
def tendon_tension(m, d, tendon):
    """Sum of all forces along a tendon."""
    return passive_tension(m, d, tendon) + actuator_tension(m, d, tendon) + constraint_tension(m, d, tendon)


@kernel
def passive_tension(m, d, tendon):
    """Of the spring, the damper and the inertia of the tendon."""
    tension = splat(d.ten_length[tendon], 0.0)
    if not is_disabled(m, DisableBit.SPRING):
        stretch = tendon_stretch(m, d, tendon)
        tension = tension - stretch * polynomial(tendon_stiffness_coefficients(m, tendon), stretch)
    if not is_disabled(m, DisableBit.DAMPER):
        velocity = d.ten_velocity[tendon]
        tension = tension - velocity * polynomial(tendon_damping_coefficients(m, tendon), abs_(velocity))
    armature = total_armature(m, tendon)
    if any_(armature != 0.0):
        acceleration = tendon_rate(m, d, tendon, d.qacc) + tendon_drift(m, d, tendon)
        tension = tension - where(armature != 0.0, armature * acceleration, 0.0)
    return tension


@kernel
def actuator_tension(m, d, tendon):
    """Of the actuators that pull on the tendon, through their gears."""
    tension = splat(d.ten_length[tendon], 0.0)
    for actuator in range(m.nactuator):
        if drives_tendon(m, actuator, tendon):
            out = m.actuator_outadr[actuator]
            tension = tension + m.actuator_gear[out, 0] * d.actuator_force[out]
    return tension


@kernel
def constraint_tension(m, d, tendon):
    """Of equalities, friction loss and limits."""
    tension = splat(d.ten_length[tendon], 0.0)
    for row in range(d.ne):
        equality = d.efc_id[row]
        if m.eq_type[equality] == EqType.TENDON:
            if m.eq_obj1id[equality] == tendon:
                tension = tension + d.efc_force[row]
            if m.eq_obj2id[equality] == tendon:
                slope = tendon_slope(m, d, coefficients(m, equality), tendon)
                tension = tension - slope * d.efc_force[row]
    for row in range(d.ne, d.ne + d.nf + d.nl):
        if d.efc_id[row] == tendon:
            if d.efc_type[row] == ConstraintType.FRICTION_TENDON:
                tension = tension + d.efc_force[row]
            elif d.efc_type[row] == ConstraintType.LIMIT_TENDON:
                tension = tension + where(grows_with(m, d, row, tendon), d.efc_force[row], -d.efc_force[row])
    return tension


@kernel
def grows_with(m, d, row, tendon):
    """Does the distance of a limit row grow with the length: is it the lower limit?"""
    along, start, place = 0.0, m.ten_J_rowadr[tendon], d.efc_J_rowadr[row]
    for k in range(m.ten_J_rownnz[tendon]):
        along = along + d.ten_J[start + k] * d.efc_J[place + k]
    return along >= 0.0


# --- where it acts


@kernel
def apply_tension(m, d, cfrc, tendon, tension):
    """cfrc += the forces of a spatial tendon on the bodies along its path."""
    first, last = m.tendon_adr[tendon], m.tendon_adr[tendon] + m.tendon_num[tendon] - 1
    part, place, k = tension, d.ten_wrapadr[tendon] + splat(d.ten_length[tendon], 0.0), first
    while k < last:
        if m.wrap_type[k] == WrapType.PULLEY:
            part = tension / m.wrap_prm[k]
            place = place + 1.0
            k += 1
        elif m.wrap_type[k + 1] == WrapType.PULLEY:
            k += 1
        else:
            place = place + 1.0
            if m.wrap_type[k + 1] in (WrapType.SPHERE, WrapType.CYLINDER):
                place = pull_around(m, d, cfrc, k, part, place)
                k += 2
            else:
                site1, site2 = m.wrap_objid[k], m.wrap_objid[k + 1]
                start, end = load3(d.site_xpos, site1), load3(d.site_xpos, site2)
                pull(m, d, cfrc, m.site_bodyid[site1], m.site_bodyid[site2], start, end, part)
                k += 1
            if k == last or m.wrap_type[k + 1] == WrapType.PULLEY:
                place = place + 1.0


@kernel
def pull_around(m, d, cfrc, k, tension, place):
    """The forces between the sites before and after the geom of path element k + 1; returns the place after it."""
    site1, body, site2 = m.wrap_objid[k], m.geom_bodyid[m.wrap_objid[k + 1]], m.wrap_objid[k + 2]
    body1, body2 = m.site_bodyid[site1], m.site_bodyid[site2]
    start, end = load3(d.site_xpos, site1), load3(d.site_xpos, site2)
    code, first = path_point(d, place)
    touches = code >= 0.0
    next_place = place + where(touches, 2.0, 0.0)
    _, last = path_point(d, place + where(touches, 1.0, 0.0))
    first, last = where3(touches, first, end), where3(touches, last, start)
    around, direct = where(touches, tension, 0.0), where(touches, 0.0, tension)
    pull(m, d, cfrc, body1, body, start, first, around)
    pull(m, d, cfrc, body, body2, last, end, around)
    pull(m, d, cfrc, body1, body2, start, end, direct)
    return next_place


@kernel
def pull(m, d, cfrc, body1, body2, start, end, tension):
    """Push two bodies apart along a straight line; nothing between points of the same body."""
    if body1 != body2:
        force = scale(normalize(sub(end, start)), tension)
        add_force(m, d, cfrc, body1, start, scale(force, -1.0), is_nonzero(tension))
        add_force(m, d, cfrc, body2, end, force, is_nonzero(tension))


@kernel
def path_point(d, place):
    """What a point of the path is on (`wrap_obj`) and where it is, in each world at its own place."""
    code = splat(place, 0.0)
    x, y, z = code, code, code
    for world in range(lane_count(place)):
        row, column = path_address(lane_get(place, world))
        code = lane_set(code, world, lane_get(d.wrap_obj[row, column] + code, world))
        x = lane_set(x, world, lane_get(d.wrap_xpos[row, 3 * column], world))
        y = lane_set(y, world, lane_get(d.wrap_xpos[row, 3 * column + 1], world))
        z = lane_set(z, world, lane_get(d.wrap_xpos[row, 3 * column + 2], world))
    return code, (x, y, z)
