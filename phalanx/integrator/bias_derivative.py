"""How gyroscopic, Coriolis and centrifugal forces change with velocity.

The slope of a subtree needs only its composite inertia, the rate of that inertia, and its momentum.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load6, load10, store6, store10
from phalanx.algebra.spatial import add6, cross_force, cross_motion, dot6, inertia_times_motion, sub6
from phalanx.smooth.velocity import add_axes
from phalanx.tables.joints import CARRIED, CARRIERS, IS_FLOATING


@kernel
def bias_derivative(m, d):
    """Subtract the derivative of qfrc_bias."""
    for tree in range(m.ntree):
        bias_slopes(m, d, tree)
    for dof in range(m.nv):
        for address in range(m.D_rowadr[dof], m.D_rowadr[dof] + m.D_rownnz[dof]):
            d.qDeriv[address] = d.qDeriv[address] - bias_slope(d, dof, m.D_colind[address])


@kernel
def bias_slope(d, row, column):
    """Derivative of qfrc_bias[row] by qvel[column], two dofs of which one moves the other; `bias_slopes` came before.

    With S the axes, u the rate of an axis that is felt by what comes after it, I and P inertia and momentum of the
    subtree of the deeper dof: S_row . (I u_column + dI/dt S_column + S_column x P).
    """
    if column > row:
        return dot6(load6(d.cdof, row), load6(d.deriv_right, column))
    fixed = dot6(load6(d.deriv_left, row), load6(d.cdof, column))
    return fixed + dot6(load6(d.deriv_momentum, row), load6(d.deriv_axis_rate, column))


@kernel
def bias_slopes(m, d, tree):
    """deriv_right, deriv_left, deriv_momentum and deriv_axis_rate of the dofs of a tree."""
    first = m.tree_bodyadr[tree]
    end = first + m.tree_bodynum[tree]
    for body in range(first, end):
        inertia, velocity = load10(d.cinert, body), load6(d.cvel, body)
        momentum = inertia_times_motion(inertia, velocity)
        store6(d.deriv_body_momentum, body, momentum)
        store10(d.deriv_crb_rate, body, inertia_rate(inertia, velocity, momentum))
    for body in range(end - 1, first, -1):
        parent = m.body_parentid[body]
        for k in range(6):
            d.deriv_body_momentum[parent, k] = d.deriv_body_momentum[parent, k] + d.deriv_body_momentum[body, k]
        for k in range(10):
            d.deriv_crb_rate[parent, k] = d.deriv_crb_rate[parent, k] + d.deriv_crb_rate[body, k]
    for body in range(first, end):
        axis_rates(m, d, body)
        for dof in range(m.body_dofadr[body], m.body_dofadr[body] + m.body_dofnum[body]):
            project_bias(d, body, dof)


@kernel
def axis_rates(m, d, body):
    """deriv_axis_rate of a body's dofs: cdof_dot + velocity after the joint x cdof.

    An axis S of velocity v adds S_dot v to the acceleration, and S v x T to the rate of every later axis T.
    """
    velocity = load6(d.cvel, m.body_parentid[body])
    for joint in range(m.body_jntadr[body], m.body_jntadr[body] + m.body_jntnum[body]):
        dof, kind = m.jnt_dofadr[joint], m.jnt_type[joint]
        if CARRIERS[kind] > 0:
            velocity = axis_rates_of(d, velocity, dof, CARRIERS[kind])
        velocity = axis_rates_of(d, velocity, dof + CARRIERS[kind], CARRIED[kind])


@kernel
def axis_rates_of(d, velocity, dof, count):
    """The dofs that move at once; returns the velocity with theirs."""
    velocity = add_axes(d, velocity, dof, count)
    for k in range(dof, dof + count):
        store6(d.deriv_axis_rate, k, add6(load6(d.cdof_dot, k), cross_motion(velocity, load6(d.cdof, k))))
    return velocity


@kernel
def project_bias(d, body, dof):
    """What the subtree of `body` makes of the motion axis of one of its dofs."""
    axis, total_inertia, rate = load6(d.cdof, dof), load10(d.crb, body), load10(d.deriv_crb_rate, body)
    changed = inertia_times_motion(rate, axis)
    carried = cross_force(axis, load6(d.deriv_body_momentum, body))
    pushed = inertia_times_motion(total_inertia, load6(d.deriv_axis_rate, dof))
    store6(d.deriv_right, dof, add6(pushed, add6(changed, carried)))
    store6(d.deriv_left, dof, sub6(changed, carried))
    store6(d.deriv_momentum, dof, inertia_times_motion(total_inertia, axis))


@kernel
def inertia_rate(i, v, momentum):
    """Rate of change of the ten elements of an inertia that moves with velocity v; its mass stays."""
    x, y, z = v[0], v[1], v[2]
    cx, cy, cz = i[6] * v[3], i[7] * v[4], i[8] * v[5]
    return (
        2.0 * (y * i[4] - z * i[3] + (cy + cz)),
        2.0 * (z * i[3] - x * i[5] + (cx + cz)),
        2.0 * (x * i[5] - y * i[4] + (cx + cy)),
        y * i[5] - z * i[1] + (z * i[0] - x * i[4]) - (i[6] * v[4] + i[7] * v[3]),
        y * i[2] - z * i[5] + (x * i[3] - y * i[0]) - (i[6] * v[5] + i[8] * v[3]),
        z * i[4] - x * i[2] + (x * i[1] - y * i[3]) - (i[7] * v[5] + i[8] * v[4]),
        momentum[3],
        momentum[4],
        momentum[5],
        0.0,
    )


@kernel
def is_free_tree(m, tree):
    """Is the tree one free body, with nothing but welded bodies on it?"""
    return m.tree_dofnum[tree] == 6 and IS_FLOATING[m.jnt_type[m.dof_jntid[m.tree_dofadr[tree]]]]
