"""Tendons: length, Jacobian, velocity, and the path of those that run through space.

A fixed tendon is a sum of joint positions. A spatial one runs straight from site to site, around geoms between two
sites, and in several branches that pulleys separate. Whether a geom is touched is data: in lanes each world has its
own path, so the straight line and the two pieces up to the geom and away from it all enter the Jacobian, with weight
zero in the worlds where they are not there.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import all_, and_, any_, lane_count, lane_get, lane_set, where, widen
from phalanx.algebra.vector import dot, norm, normalize, scale, sub, where3
from phalanx.smooth.chain import difference_column, from_tree_center, step_back
from phalanx.smooth.jacobian import last_dof
from phalanx.smooth.tendon.wrap import wrap
from phalanx.tables.enums import WrapType

#: wrap_obj of path points that are on no geom.
AT_SITE, AT_PULLEY = -1.0, -2.0
ZERO3 = (0.0, 0.0, 0.0)


@part()
def tendon(m, d):
    """ten_length, ten_J, and the points of the paths: ten_wrapadr, ten_wrapnum, wrap_obj, wrap_xpos."""
    for k in range(m.nJten):
        d.ten_J[k] = 0.0
    place = 0.0
    for tendon in range(m.ntendon):
        d.ten_wrapadr[tendon] = place
        if m.wrap_type[m.tendon_adr[tendon]] == WrapType.JOINT:
            fixed_tendon(m, d, tendon)
            after = place
        else:
            after = spatial_tendon(m, d, tendon, place)
        d.ten_wrapnum[tendon] = after - place
        place = after


@kernel
def tendon_velocity(m, d):
    """ten_velocity = ten_J qvel"""
    for tendon in range(m.ntendon):
        d.ten_velocity[tendon] = tendon_rate(m, d, tendon, d.qvel)


@kernel
def tendon_rate(m, d, tendon, velocity):
    """Rate of the length of a tendon when the dofs move with the given velocity."""
    rate, start = 0.0, m.ten_J_rowadr[tendon]
    for address in range(start, start + m.ten_J_rownnz[tendon]):
        rate = rate + d.ten_J[address] * velocity[m.ten_J_colind[address]]
    return rate


@kernel
def add_tendon_force(m, d, qfrc, tendon, force):
    """qfrc += ten_J' force, for one tendon."""
    start = m.ten_J_rowadr[tendon]
    for address in range(start, start + m.ten_J_rownnz[tendon]):
        dof = m.ten_J_colind[address]
        qfrc[dof] = qfrc[dof] + d.ten_J[address] * force


# --- fixed


@kernel
def fixed_tendon(m, d, tendon):
    """A weighted sum of the positions of scalar joints."""
    first, length = m.tendon_adr[tendon], 0.0
    for k in range(first, first + m.tendon_num[tendon]):
        joint, weight = m.wrap_objid[k], m.wrap_prm[k]
        length = length + weight * d.qpos[m.jnt_qposadr[joint]]
        address = m.ten_J_rowadr[tendon]
        while m.ten_J_colind[address] != m.jnt_dofadr[joint]:
            address += 1
        d.ten_J[address] = d.ten_J[address] + weight
    d.ten_length[tendon] = length


# --- spatial


@kernel
def spatial_tendon(m, d, tendon, place):
    """The path of one tendon, its points from `place` on; returns the next free place."""
    first, last = m.tendon_adr[tendon], m.tendon_adr[tendon] + m.tendon_num[tendon] - 1
    length, inverse_divisor, always = 0.0, 1.0, place >= 0.0
    k = first
    while k < last:
        # a pulley starts a branch, whose length counts divided
        if m.wrap_type[k] == WrapType.PULLEY:
            inverse_divisor = 1.0 / m.wrap_prm[k]
            place = put_point(d, place, always, AT_PULLEY, ZERO3)
            k += 1
        elif m.wrap_type[k + 1] == WrapType.PULLEY:
            k += 1
        else:
            place = put_point(d, place, always, AT_SITE, load3(d.site_xpos, m.wrap_objid[k]))
            if m.wrap_type[k + 1] in (WrapType.SPHERE, WrapType.CYLINDER):
                piece, place = around_geom(m, d, tendon, k, inverse_divisor, place)
                k += 2
            else:
                piece = straight(m, d, tendon, m.wrap_objid[k], m.wrap_objid[k + 1], inverse_divisor, always)
                k += 1
            length = length + piece * inverse_divisor
            # the end of a branch is a point of its own: no piece starts there
            if k == last or m.wrap_type[k + 1] == WrapType.PULLEY:
                place = put_point(d, place, always, AT_SITE, load3(d.site_xpos, m.wrap_objid[k]))
    d.ten_length[tendon] = length
    return place


@kernel
def straight(m, d, tendon, site1, site2, weight, present):
    """Length of a straight line between two sites; ten_J of it in the worlds where it is present."""
    start, end = load3(d.site_xpos, site1), load3(d.site_xpos, site2)
    add_piece(m, d, tendon, m.site_bodyid[site1], m.site_bodyid[site2], start, end, where(present, weight, 0.0))
    return norm(sub(end, start))


@kernel
def around_geom(m, d, tendon, k, weight, place):
    """Length between the sites before and after the geom of path element k + 1, and the place after its points."""
    site1, geom, site2 = m.wrap_objid[k], m.wrap_objid[k + 1], m.wrap_objid[k + 2]
    start, end = load3(d.site_xpos, site1), load3(d.site_xpos, site2)
    # the same side site in all worlds
    side = int(widen(lane_get(m.wrap_prm[k + 1], 0)))
    touches, arc, first, last = wrap(
        start,
        end,
        load3(d.geom_xpos, geom),
        load9(d.geom_xmat, geom),
        m.geom_size[geom, 0],
        m.wrap_type[k + 1] == WrapType.SPHERE,
        side >= 0,
        load3(d.site_xpos, side if side >= 0 else site1),
    )
    length = norm(sub(end, start))
    if any_(touches):
        first, last = where3(touches, first, start), where3(touches, last, end)
        length = where(touches, norm(sub(first, start)) + arc + norm(sub(end, last)), length)
        body, part = m.geom_bodyid[geom], where(touches, weight, 0.0)
        add_piece(m, d, tendon, m.site_bodyid[site1], body, start, first, part)
        add_piece(m, d, tendon, body, m.site_bodyid[site2], last, end, part)
        place = put_point(d, place, touches, float(geom), first)
        place = put_point(d, place, touches, float(geom), last)
    if not all_(touches):
        part = where(touches, 0.0, weight)
        add_piece(m, d, tendon, m.site_bodyid[site1], m.site_bodyid[site2], start, end, part)
    return length, place


@kernel
def add_piece(m, d, tendon, body1, body2, start, end, weight):
    """ten_J of a straight line between points of two bodies, times a weight."""
    if body1 == body2:
        return
    direction = scale(normalize(sub(end, start)), weight)
    offset1, offset2 = from_tree_center(m, d, body1, start), from_tree_center(m, d, body2, end)
    dof1, dof2 = last_dof(m, body1), last_dof(m, body2)
    address = m.ten_J_rowadr[tendon] + m.ten_J_rownnz[tendon] - 1
    while dof1 >= 0 or dof2 >= 0:
        dof, velocity = difference_column(d, dof2, dof1, offset2, offset1)
        while m.ten_J_colind[address] != dof:
            address -= 1
        d.ten_J[address] = d.ten_J[address] + dot(direction, velocity)
        dof1, dof2 = step_back(m, dof1, dof2)


# --- points of the path


@kernel
def put_point(d, place, present, code, point):
    """Append a point to the path in the worlds where it is present; returns the next free place."""
    shared = lane_get(place, 0)
    if all_(and_(present, place == shared)):
        row, column = path_address(shared)
        d.wrap_obj[row, column] = code
        d.wrap_xpos[row, 3 * column] = point[0]
        d.wrap_xpos[row, 3 * column + 1] = point[1]
        d.wrap_xpos[row, 3 * column + 2] = point[2]
    else:
        for world in range(lane_count(place)):
            if lane_get(present, world):
                put_point_of_world(d, place, world, code, point)
    return place + where(present, 1.0, 0.0)


@kernel
def put_point_of_world(d, place, world, code, point):
    """Write a point of the path of one world, whose place differs from that of others."""
    row, column = path_address(lane_get(place, world))
    d.wrap_obj[row, column] = lane_set(d.wrap_obj[row, column], world, code)
    x, y, z = 3 * column, 3 * column + 1, 3 * column + 2
    d.wrap_xpos[row, x] = lane_set(d.wrap_xpos[row, x], world, lane_get(point[0], world))
    d.wrap_xpos[row, y] = lane_set(d.wrap_xpos[row, y], world, lane_get(point[1], world))
    d.wrap_xpos[row, z] = lane_set(d.wrap_xpos[row, z], world, lane_get(point[2], world))


@kernel
def path_address(place):
    """Row and column of a path point, two to a row, of one world."""
    index = int(widen(place))
    return index // 2, index % 2
