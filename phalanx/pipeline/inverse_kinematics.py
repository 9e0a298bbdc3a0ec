"""Inverse kinematics: joint positions that bring frames to goals, by damped least squares (Levenberg-Marquardt).

    (J'J + damping 1) move = J' residual,    damping = caution * cost

Damping that vanishes with the cost keeps steps short far from the goal and converges quadratically near it (Sugihara,
"Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method", 2011). A pose that is worse than the
best one so far is given up, and the next step is more cautious. Dofs at a limit that the step would cross are locked.
`p` is the memory of a problem (`tables/ik_fields.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load4, load6, store4, store6
from phalanx.algebra.number import and_, any_, clamp, maximum, minimum, not_, or_, sqrt, where
from phalanx.algebra.quaternion import (
    conjugate,
    from_axis_angle,
    multiply,
    normalize4,
    rotate,
    to_rotation_vector,
    where4,
)
from phalanx.algebra.spatial import dot6
from phalanx.algebra.vector import add, cross, norm, normalize, scale, sub
from phalanx.constraint.equality.joint import joint_displacement
from phalanx.constraint.equality.polynomial import coefficients, polynomial, polynomial_slope
from phalanx.smooth.center_of_mass import motion_axes
from phalanx.smooth.jacobian import last_dof
from phalanx.smooth.joint.positions import advance_positions
from phalanx.smooth.kinematics import body_frames
from phalanx.tables.enums import JointType

#: Caution to begin with, how it changes after good and bad steps, and its bounds.
FIRST_CAUTION, BOLDER, WARIER, LEAST_CAUTION, MOST_CAUTION = 1.0, 0.25, 8.0, 1e-4, 1e12
#: Damping below this share of the mean diagonal of J'J would leave redundant dofs undetermined.
LEAST_DAMPING = 1e-10
#: A step that improves the cost by less than this share ends a search: it is at a minimum that is not a solution.
STALLED = 1e-7
#: A cost that every pose improves on.
HUGE = 1e300


@kernel
def solve_ik(m, d, p, iterations):
    """qpos of `p` becomes the best pose found, with its errors. `d` is working memory: frames and motion axes."""
    start(m, d, p)
    for _ in range(iterations):
        if not any_(p.active > 0.0):
            break
        body_frames(m, d)
        motion_axes(m, d)
        cost = residuals(m, d, p)
        accepts = and_(p.active > 0.0, cost < p.cost)
        note_progress(p, cost, accepts)
        take_pose(m, d, p, cost, accepts)
        next_step(m, d, p)


@kernel
def start(m, d, p):
    """The first pose to try: the given one, within the limits."""
    p.active, p.cost, p.caution, p.converged, p.rounds = 1.0, HUGE, FIRST_CAUTION, 0.0, 0.0
    for k in range(m.nq):
        d.qpos[k] = p.qpos[k]
    for dof in range(m.nv):
        p.move[dof] = 0.0
    # quaternions become unit
    advance_positions(m, d.qpos, p.move, 1.0, True)
    keep_limits(m, d)
    # motion axes are taken about the origin of the world
    for body in range(m.nbody):
        for k in range(3):
            d.subtree_com[body, k] = 0.0


@kernel
def keep_limits(m, d):
    """qpos of joints that have limits, moved to the nearest position within them."""
    for joint in range(m.njnt):
        if m.jnt_limited[joint]:
            address, kind = m.jnt_qposadr[joint], m.jnt_type[joint]
            if kind == JointType.BALL:
                store4(d.qpos, address, within_cone(load4(d.qpos, address), m.jnt_range[joint, 1]))
            elif kind != JointType.FREE:
                d.qpos[address] = clamp(d.qpos[address], m.jnt_range[joint, 0], m.jnt_range[joint, 1])


@kernel
def within_cone(quat, limit):
    """The rotation about the same axis by at most an angle."""
    vector = to_rotation_vector(quat)
    return where4(norm(vector) > limit, from_axis_angle(normalize(vector), limit), quat)


# --- residuals


@kernel
def residuals(m, d, p):
    """Residuals of all blocks and their derivatives at d.qpos; returns half the sum of squares."""
    for entry in range(p.nentry):
        store6(p.column, entry, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for target in range(p.ntarget):
        target_block(m, d, p, target)
    for k in range(p.ncoupling):
        coupling_block(m, d, p, k)
    cost = 0.0 * p.cost
    for block in range(p.nblock):
        e = load6(p.residual, block)
        cost = cost + 0.5 * dot6(e, e)
    return cost


@kernel
def target_block(m, d, p, target):
    """Weighted errors of a frame, in world axes, and their columns."""
    moved, fixed = p.target_body[target, 0], p.target_body[target, 1]
    place, quat = pose_on(d, moved, load3(p.target_point, target), load4(p.target_frame, target))
    goal, wanted = pose_on(d, fixed, load3(p.goal_pos, target), load4(p.goal_quat, target))
    weight, weight_of_rotation = p.target_weight[target, 0], p.target_weight[target, 1]
    gap = sub(goal, place)
    rotation = rotate(to_rotation_vector(multiply(conjugate(quat), wanted)), quat)
    a, b = scale(gap, weight), scale(rotation, weight_of_rotation)
    store6(p.residual, target, (a[0], a[1], a[2], b[0], b[1], b[2]))
    put_columns(m, d, p, target, moved, place, 1.0)
    put_columns(m, d, p, target, fixed, goal, -1.0)


@kernel
def pose_on(d, body, point, frame):
    """World position and orientation of a frame on a body."""
    quat = load4(d.xquat, body)
    return add(load3(d.xpos, body), rotate(point, quat)), normalize4(multiply(quat, frame))


@kernel
def put_columns(m, d, p, target, body, point, sign):
    """Add the velocity of a point on a body, and its rotation, per dof that moves it."""
    weight, weight_of_rotation = sign * p.target_weight[target, 0], sign * p.target_weight[target, 1]
    dof = last_dof(m, body)
    while dof >= 0:
        axis = load6(d.cdof, dof)
        spin = (axis[0], axis[1], axis[2])
        linear = add((axis[3], axis[4], axis[5]), cross(spin, point))
        entry = target * m.nv + dof
        for k in range(3):
            p.column[entry, k] = p.column[entry, k] + weight * linear[k]
            p.column[entry, 3 + k] = p.column[entry, 3 + k] + weight_of_rotation * spin[k]
        dof = m.dof_parentid[dof]


@kernel
def coupling_block(m, d, p, k):
    """Violation of a joint equality: the first joint less the polynomial of the second."""
    equality, block = p.coupling[k], p.ntarget + k
    joint1, joint2 = m.eq_obj1id[equality], m.eq_obj2id[equality]
    c, violation = coefficients(m, equality), joint_displacement(m, d, joint1)
    p.column[block * m.nv + m.jnt_dofadr[joint1], 0] = 1.0
    if joint2 >= 0:
        x = joint_displacement(m, d, joint2)
        violation = violation - polynomial(c, x)
        p.column[block * m.nv + m.jnt_dofadr[joint2], 0] = -polynomial_slope(c, x)
    else:
        violation = violation - c[0]
    store6(p.residual, block, (-violation, 0.0, 0.0, 0.0, 0.0, 0.0))


# --- progress


@kernel
def note_progress(p, cost, accepts):
    """Caution, and whether a better pose is still to be looked for, after a pose was tried."""
    is_active = p.active > 0.0
    p.rounds = p.rounds + where(is_active, 1.0, 0.0)
    is_stalled = and_(accepts, and_(p.cost < HUGE, p.cost - cost <= STALLED * p.cost))
    caution = where(accepts, maximum(LEAST_CAUTION, BOLDER * p.caution), WARIER * p.caution)
    p.caution = where(is_active, caution, p.caution)
    gives_up = or_(is_stalled, p.caution > MOST_CAUTION)
    p.active = where(and_(is_active, not_(gives_up)), 1.0, 0.0)


@kernel
def take_pose(m, d, p, cost, accepts):
    """Where the pose at hand is the best so far: keep it with its errors, J'J and gradient."""
    p.cost = where(accepts, cost, p.cost)
    for k in range(m.nq):
        p.qpos[k] = where(accepts, d.qpos[k], p.qpos[k])
    is_solved = accepts
    for block in range(p.nblock):
        distance, angle = errors_of(p, block)
        p.position_error[block] = where(accepts, distance, p.position_error[block])
        p.rotation_error[block] = where(accepts, angle, p.rotation_error[block])
        is_solved = and_(is_solved, and_(distance <= p.tolerance[0], angle <= p.tolerance[1]))
    p.converged = where(is_solved, 1.0, p.converged)
    p.active = where(is_solved, 0.0, p.active)
    if any_(p.active > 0.0):
        for dof in range(m.nv):
            take_row(m, p, dof, accepts)


@kernel
def errors_of(p, block):
    """Distance and angle that a block is off, without its weights; zero where the weight is."""
    e = load6(p.residual, block)
    distance, angle = norm((e[0], e[1], e[2])), norm((e[3], e[4], e[5]))
    if block < p.ntarget:
        weight, weight_of_rotation = p.target_weight[block, 0], p.target_weight[block, 1]
        distance = distance / where(weight > 0.0, weight, 1.0)
        angle = angle / where(weight_of_rotation > 0.0, weight_of_rotation, 1.0)
    return distance, angle


@kernel
def take_row(m, p, dof, accepts):
    """A row of J'J and an element of the gradient, where the pose is taken."""
    slope = 0.0 * p.cost
    for block in range(p.nblock):
        slope = slope + dot6(load6(p.column, block * m.nv + dof), load6(p.residual, block))
    p.gradient[dof] = where(accepts, slope, p.gradient[dof])
    for other in range(dof + 1):
        product = 0.0 * p.cost
        for block in range(p.nblock):
            product = product + dot6(load6(p.column, block * m.nv + dof), load6(p.column, block * m.nv + other))
        k = dof * m.nv + other
        p.matrix[k] = where(accepts, product, p.matrix[k])


# --- steps


@kernel
def next_step(m, d, p):
    """d.qpos: the next pose to try, from the best one; worlds that are done stay there."""
    if not any_(p.active > 0.0):
        return
    lock(m, p)
    damp_and_factor(m, p)
    solve_factor(m, p)
    for dof in range(m.nv):
        p.move[dof] = where(p.active > 0.0, p.move[dof], 0.0)
    for k in range(m.nq):
        d.qpos[k] = p.qpos[k]
    advance_positions(m, d.qpos, p.move, 1.0, True)
    keep_limits(m, d)


@kernel
def lock(m, p):
    """locked: dofs that are not free, and joints at a limit that the gradient would push across."""
    for dof in range(m.nv):
        p.locked[dof] = 1.0 - p.free[dof]
        joint = m.dof_jntid[dof]
        kind = m.jnt_type[joint]
        if m.jnt_limited[joint] and kind != JointType.BALL and kind != JointType.FREE:
            position, slope = p.qpos[m.jnt_qposadr[joint]], p.gradient[dof]
            is_low = and_(position <= m.jnt_range[joint, 0], slope < 0.0)
            is_high = and_(position >= m.jnt_range[joint, 1], slope > 0.0)
            p.locked[dof] = where(or_(is_low, is_high), 1.0, p.locked[dof])


@kernel
def damp_and_factor(m, p):
    """factor: L of L L' = J'J + damping, with unit rows for locked dofs."""
    nv, trace = m.nv, 0.0 * p.cost
    for dof in range(nv):
        trace = trace + p.matrix[dof * nv + dof]
    damping = p.caution * p.cost + LEAST_DAMPING * maximum(1e-6, trace / nv)
    for i in range(nv):
        is_locked = p.locked[i] > 0.0
        for j in range(i + 1):
            value = where(or_(is_locked, p.locked[j] > 0.0), 0.0, p.matrix[i * nv + j])
            if i == j:
                value = where(is_locked, 1.0, value + damping)
            for k in range(j):
                value = value - p.factor[i * nv + k] * p.factor[j * nv + k]
            if i == j:
                # rounding must not make a pivot vanish
                p.factor[i * nv + i] = sqrt(maximum(value, minimum(1.0, LEAST_DAMPING * damping)))
            else:
                p.factor[i * nv + j] = value / p.factor[j * nv + j]


@kernel
def solve_factor(m, p):
    """move: L L' move = gradient, zero for locked dofs."""
    nv = m.nv
    for i in range(nv):
        value = where(p.locked[i] > 0.0, 0.0, p.gradient[i])
        for k in range(i):
            value = value - p.factor[i * nv + k] * p.move[k]
        p.move[i] = value / p.factor[i * nv + i]
    for i in range(nv - 1, -1, -1):
        value = p.move[i]
        for k in range(i + 1, nv):
            value = value - p.factor[k * nv + i] * p.move[k]
        p.move[i] = value / p.factor[i * nv + i]
