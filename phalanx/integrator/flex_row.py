"""Rows of couplings of flexes: linear functions of velocities, put together from points of bodies."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load6, store6
from phalanx.algebra.number import any_, is_nonzero, or_
from phalanx.algebra.vector import dot, scale
from phalanx.constraint.couplings import append_coupling, describe_coupling, next_address
from phalanx.constraint.rows import put_entry
from phalanx.smooth.chain import from_tree_center, point_velocity
from phalanx.smooth.jacobian import last_dof
from phalanx.smooth.step_metric import FIRST_AXIS


@kernel
def begin_row(d):
    """A row without entries."""
    d.point_num = 0


@kernel
def add_to_row(m, d, body, point, coefficients):
    """Add coefficients . velocity of a world point of a body to the row at hand."""
    offset = from_tree_center(m, d, body, point)
    dof, place = last_dof(m, body), d.point_num
    while dof >= 0:
        value = dot(coefficients, point_velocity(load6(d.cdof, dof), offset))
        # dofs are listed in ascending order; both go down
        while place > 0 and d.point_dof[place - 1] > dof:
            place -= 1
        if place > 0 and d.point_dof[place - 1] == dof:
            d.row_value[place - 1] = d.row_value[place - 1] + value
        else:
            for k in range(d.point_num, place, -1):
                d.point_dof[k] = d.point_dof[k - 1]
                d.row_value[k] = d.row_value[k - 1]
            d.point_dof[place] = dof
            d.row_value[place] = value
            d.point_num = d.point_num + 1
        dof = m.dof_parentid[dof]


@kernel
def add_to_three(d, dof, place, values):
    """Add values to the entries of a dof in three rows at hand, in point_motion; returns its place, at most `place`."""
    while place > 0 and d.point_dof[place - 1] > dof:
        place -= 1
    if place > 0 and d.point_dof[place - 1] == dof:
        _, _, _, a, b, c = load6(d.point_motion, place - 1)
        store6(d.point_motion, place - 1, (0.0, 0.0, 0.0, a + values[0], b + values[1], c + values[2]))
    else:
        for k in range(d.point_num, place, -1):
            d.point_dof[k] = d.point_dof[k - 1]
            store6(d.point_motion, k, load6(d.point_motion, k - 1))
        d.point_dof[place] = dof
        store6(d.point_motion, place, (0.0, 0.0, 0.0, values[0], values[1], values[2]))
        d.point_num = d.point_num + 1
    return place


@kernel
def moves_alone(m, dof):
    """Is a dof the last of the three that a vertex has, and no other moves the vertex?"""
    if dof < 2 or m.dof_parentid[dof] != dof - 1 or m.dof_parentid[dof - 1] != dof - 2:
        return False
    return m.dof_parentid[dof - 2] < 0


@kernel
def room_for_vertex(d, dof):
    """The three rows at hand get entries of zero for three neighboring dofs, unless they have some; where these end."""
    place = d.point_num
    while place > 0 and d.point_dof[place - 1] > dof:
        place -= 1
    if place > 0 and d.point_dof[place - 1] == dof:
        return place
    for k in range(d.point_num - 1, place - 1, -1):
        d.point_dof[k + 3] = d.point_dof[k]
        store6(d.point_motion, k + 3, load6(d.point_motion, k))
    for k in (0, 1, 2):
        d.point_dof[place + k] = dof - 2 + k
        store6(d.point_motion, place + k, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    d.point_num = d.point_num + 3
    return place + 3


@kernel
def first_place(m, d, dof):
    """Where to look for the last dof of a vertex in the three rows at hand: not behind this."""
    return room_for_vertex(d, dof) if moves_alone(m, dof) else d.point_num


@kernel
def add_to_axes(m, d, vertex, factor):
    """Add a factor times the velocity of a vertex to three rows at hand: one for each axis."""
    body = m.flex_vertbodyid[vertex]
    offset = from_tree_center(m, d, body, load3(d.flexvert_xpos, vertex))
    dof = last_dof(m, body)
    place = first_place(m, d, dof)
    while dof >= 0:
        place = add_to_three(d, dof, place, scale(point_velocity(load6(d.cdof, dof), offset), factor))
        dof = m.dof_parentid[dof]


@kernel
def add_to_each(m, d, vertex, coefficients):
    """Add coefficients . velocity of a vertex to three rows at hand, with coefficients of their own."""
    body = m.flex_vertbodyid[vertex]
    offset = from_tree_center(m, d, body, load3(d.flexvert_xpos, vertex))
    dof = last_dof(m, body)
    place = first_place(m, d, dof)
    while dof >= 0:
        velocity = point_velocity(load6(d.cdof, dof), offset)
        values = dot(coefficients[0], velocity), dot(coefficients[1], velocity), dot(coefficients[2], velocity)
        place = add_to_three(d, dof, place, values)
        dof = m.dof_parentid[dof]


@kernel
def end_one_of_three(d, row, weight, pull):
    """One of the three rows at hand becomes a coupling."""
    for k in range(d.point_num):
        d.row_value[k] = d.point_motion[k, 3 + row]
    end_row(d, weight, pull)


@kernel
def end_three(d, weights, pulls):
    """The three rows at hand become couplings, as three calls of `end_row` would make them."""
    count, row, address = d.point_num, d.nefc + d.coupling_num, next_address(d)
    if count == 0:
        return
    a, b, c = 0.0, 0.0, 0.0
    for k in range(count):
        _, _, _, x, y, z = load6(d.point_motion, k)
        rate = d.qvel[d.point_dof[k]]
        a, b, c = a + x * rate, b + y * rate, c + z * rate
    a, b, c = pulls[0] * a, pulls[1] * b, pulls[2] * c
    for k in range(count):
        _, _, _, x, y, z = load6(d.point_motion, k)
        dof = d.point_dof[k]
        d.efm_c[dof] = d.efm_c[dof] - x * a - y * b - z * c
        put_entry(d, address + k, dof, x)
        put_entry(d, address + count + k, dof, y)
        put_entry(d, address + 2 * count + k, dof, z)
    for k in (0, 1, 2):
        weight = weights[k] + 0.0 * d.time
        describe_coupling(d, row + k, address + k * count, count, weight, d.time == d.time)


@kernel
def end_axes(d, weight, pull):
    """The same with one weight for all axes."""
    row, is_by_axis = d.nefc + d.coupling_num, moves_by_axis(d)
    end_three(d, (weight, weight, weight), (pull, pull, pull))
    if is_by_axis and d.point_num > 0:
        for k in (0, 1, 2):
            d.efc_id[row + k] = FIRST_AXIS - k


@kernel
def moves_by_axis(d):
    """Are all entries of the three rows at hand zero, but for every third of each, one after another?"""
    for k in range(0, d.point_num - 2, 3):
        _, _, _, _, b0, c0 = load6(d.point_motion, k)
        _, _, _, a1, _, c1 = load6(d.point_motion, k + 1)
        _, _, _, a2, b2, _ = load6(d.point_motion, k + 2)
        first, second = or_(is_nonzero(b0), is_nonzero(c0)), or_(is_nonzero(a1), is_nonzero(c1))
        if any_(or_(or_(first, second), or_(is_nonzero(a2), is_nonzero(b2)))):
            return False
    return d.point_num % 3 == 0


@kernel
def put_joint(m, d, joint, value):
    """Append an entry of a hinge joint to the row at hand; joints come in ascending order."""
    d.point_dof[d.point_num] = m.jnt_dofadr[joint]
    d.row_value[d.point_num] = value
    d.point_num = d.point_num + 1


@kernel
def add_vertex(m, d, vertex, coefficients):
    """`add_to_row` for a vertex."""
    add_to_row(m, d, m.flex_vertbodyid[vertex], load3(d.flexvert_xpos, vertex), coefficients)


@kernel
def end_row(d, weight, pull):
    """The row at hand becomes a coupling with a weight; `pull` times its rate shifts the smooth force."""
    count = d.point_num
    rate = 0.0
    for k in range(count):
        rate = rate + d.row_value[k] * d.qvel[d.point_dof[k]]
    force = pull * rate
    for k in range(count):
        dof = d.point_dof[k]
        d.efm_c[dof] = d.efm_c[dof] - d.row_value[k] * force
    append_coupling(d, d.row_value, d.point_dof, 0, count, weight + 0.0 * d.time, d.time == d.time)


@kernel
def end_twist(d, weight, pull):
    """The same for angles of twist joints, whose diagonal is part of the backbone."""
    for k in range(d.point_num):
        dof = d.point_dof[k]
        d.efm_sdiag[dof] = d.efm_sdiag[dof] + weight * d.row_value[k] * d.row_value[k]
    end_row(d, weight, pull)
