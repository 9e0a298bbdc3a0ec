"""How a point of a flex moves with the dofs: a list of the dofs that move it, and a column of its Jacobian for each.

A point of an element is a weighted sum of vertices, and each of those of bodies. All of them count as if the point were
fixed to each body, as MuJoCo has it. The list is ascending; the other side of a contact is added with weights below
zero. First `clear_point`, then all chains, then all motions:

    clear_point(d)
    add_vertex_chain(m, d, flex, vertex)                     for each vertex
    add_vertex_motion(m, d, flex, vertex, point, weight)     for each vertex
    ... point_num, point_dof, point_motion
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load6, store6
from phalanx.algebra.spatial import ZERO6, add_scaled6
from phalanx.smooth.chain import from_tree_center, point_velocity
from phalanx.smooth.flex.interpolation import carrier, carrier_count
from phalanx.smooth.jacobian import last_dof


@kernel
def clear_point(d):
    """No dof moves the point."""
    d.point_num = 0


@kernel
def add_body_chain(m, d, body):
    """List the dofs that move a body, with columns of zero; those that are listed stay as they are."""
    dof, place = last_dof(m, body), d.point_num
    while dof >= 0:
        # both go down: a search begins where the last one ended
        while place > 0 and d.point_dof[place - 1] > dof:
            place -= 1
        if place == 0 or d.point_dof[place - 1] != dof:
            for k in range(d.point_num, place, -1):
                d.point_dof[k] = d.point_dof[k - 1]
                store6(d.point_motion, k, load6(d.point_motion, k - 1))
            d.point_dof[place] = dof
            store6(d.point_motion, place, ZERO6)
            d.point_num = d.point_num + 1
        dof = m.dof_parentid[dof]


@kernel
def add_body_motion(m, d, body, point, weight):
    """Add the motion of a world point that is fixed to a body, times a weight: angular, then linear."""
    offset = from_tree_center(m, d, body, point)
    dof, place = last_dof(m, body), d.point_num - 1
    while dof >= 0:
        while d.point_dof[place] != dof:
            place -= 1
        axis = load6(d.cdof, dof)
        linear = point_velocity(axis, offset)
        motion = (axis[0], axis[1], axis[2], linear[0], linear[1], linear[2])
        store6(d.point_motion, place, add_scaled6(load6(d.point_motion, place), motion, weight))
        dof = m.dof_parentid[dof]


@kernel
def add_vertex_chain(m, d, flex, vertex):
    """List the dofs that move a vertex, counted over all flexes."""
    for k in range(carrier_count(m, flex)):
        body, _ = carrier(m, flex, vertex, k)
        add_body_chain(m, d, body)


@kernel
def add_vertex_motion(m, d, flex, vertex, point, weight):
    """Add the motion of a world point that moves with a vertex, times a weight."""
    for k in range(carrier_count(m, flex)):
        body, share = carrier(m, flex, vertex, k)
        add_body_motion(m, d, body, point, weight * share)
