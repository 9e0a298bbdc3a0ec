"""qDeriv: the derivative of the smooth forces (actuator + passive - bias) by the velocities, in the square pattern D.

A force that acts on bodies is projected on the motion axes of the joints, force_j = cdof_j . f, where f sums over the
bodies that both dofs move. Its derivative is therefore cdof_j . B cdof_c with a 6x6 matrix B of the subtree of the
deeper dof, and one pass over the tree that sums such matrices serves all entries:

* in a fluid B is the slope of drag and lift;
* for the bias force B is built of the composite inertia, its rate of change and the momentum of the subtree.

Actuators and tendons add slope times the outer product of a sparse row with itself, dampers add to the diagonal.
"""

from __future__ import annotations

from phalanx.algebra.elementary import exp
from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import matmul, multiply_transposed, multiply_vector, transpose
from phalanx.algebra.memory import load3, load6, load9, load10, store6, store9, store10
from phalanx.algebra.number import abs_, and_, any_, maximum, not_, or_, sqrt, where
from phalanx.algebra.spatial import (
    add6,
    cross_force,
    cross_motion,
    dot6,
    inertia_times_motion,
    sub6,
)
from phalanx.algebra.vector import MINVAL, add, dot, multiply_elements, norm, scale, sub, where3
from phalanx.smooth.activation import force_activation, is_disabled
from phalanx.smooth.dc_motor import (
    BRISTLE_DAMPING,
    CURRENT_RATE,
    ELECTRIC_TIME,
    KD,
    KI,
    KP,
    MOTOR_CONSTANT,
    RESISTANCE,
    SETPOINTS,
    VOLTAGE_LIMIT,
    back_emf,
    hot_resistance,
    motor_force,
    motor_slots,
    state_at,
)
from phalanx.smooth.fluid import (
    ANGULAR_DRAG,
    BLUNT_DRAG,
    INTERACTION,
    KUTTA_LIFT,
    MAGNUS_LIFT,
    PI,
    SLENDER_DRAG,
    fourth_power,
    geom_added_inertia,
    geom_added_mass,
    inertia_box,
    moment,
    motion_in_fluid,
    semiaxes,
    sorted_axes,
    uses_ellipsoids,
)
from phalanx.smooth.linear_force import first_control
from phalanx.smooth.muscle import force_length, optimal_length, peak_force, relative_length
from phalanx.smooth.passive import add_lent_damping, dof_damping_slope, polynomial_slope
from phalanx.smooth.setpoint import servo_inputs
from phalanx.smooth.velocity import add_axes
from phalanx.tables.enums import BiasType, DisableBit, GainType, JointType, TrnType

FREE, BALL = int(JointType.FREE), int(JointType.BALL)
ACTUATION, SPRING, DAMPER = int(DisableBit.ACTUATION), int(DisableBit.SPRING), int(DisableBit.DAMPER)
JOINT, JOINT_IN_PARENT, TENDON = int(TrnType.JOINT), int(TrnType.JOINTINPARENT), int(TrnType.TENDON)
AFFINE_GAIN, MUSCLE_GAIN = int(GainType.AFFINE), int(GainType.MUSCLE)
DC_MOTOR_GAIN, SO3_GAIN = int(GainType.DCMOTOR), int(GainType.SO3)
AFFINE_BIAS, SO3_BIAS = int(BiasType.AFFINE), int(BiasType.SO3)

#: The sum of forces on a tendon counts as held by a limit this close to it, relative to the limit.
TENDON_MARGIN = 1e-10

ZERO9 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def deriv_smooth_vel(m, d, with_bias):
    """qDeriv. Without the bias force what remains is made symmetric, except in trees of a single free body."""
    for k in range(m.nD):
        d.qDeriv[k] = 0.0
    actuator_derivative(m, d)
    passive_derivative(m, d, not with_bias)
    if with_bias:
        bias_derivative(m, d)


@kernel
def is_free_tree(m, tree):
    """Is the tree one free body, with nothing but welded bodies on it?"""
    return m.tree_dofnum[tree] == 6 and m.jnt_type[m.dof_jntid[m.tree_dofadr[tree]]] == FREE


@kernel
def add_outer_product(m, d, row, colind, start, count, slope):
    """qDeriv += slope row' row, for a sparse row with increasing columns; entries outside the pattern are dropped."""
    acts = slope != 0.0
    if any_(acts):
        for a in range(start, start + count):
            factor = row[a] * slope
            address = m.D_rowadr[colind[a]]
            end = address + m.D_rownnz[colind[a]]
            for b in range(start, start + count):
                while address < end and m.D_colind[address] < colind[b]:
                    address += 1
                if address < end and m.D_colind[address] == colind[b]:
                    entry = d.qDeriv[address]
                    d.qDeriv[address] = where(acts, entry + factor * row[b], entry)


# --- actuators


@kernel
def actuator_derivative(m, d):
    """Add the derivative of qfrc_actuator."""
    if (m.opt.disableflags & ACTUATION) == 0:
        for actuator in range(m.nactuator):
            if not is_disabled(m, actuator):
                slope = where_target_yields(m, d, actuator, force_slope(m, d, actuator))
                first = m.actuator_outadr[actuator]
                for out in range(first, first + m.actuator_outnum[actuator]):
                    start, count = d.moment_rowadr[out], d.moment_rownnz[out]
                    add_outer_product(m, d, d.actuator_moment, d.moment_colind, start, count, slope)


@kernel
def force_slope(m, d, actuator):
    """Derivative of the force of an actuator by its own velocity; zero where forcerange holds the force."""
    out = m.actuator_outadr[actuator]
    kind = m.actuator_gaintype[actuator]
    if kind == DC_MOTOR_GAIN:
        return motor_slope(m, d, actuator, out)
    slope = 0.0
    if m.actuator_biastype[actuator] in (AFFINE_BIAS, SO3_BIAS):
        slope = slope + m.actuator_biasprm[actuator, 2]
    if kind == AFFINE_GAIN:
        slope = driven_slope(m, d, actuator, slope, m.actuator_gainprm[actuator, 2])
    elif kind == MUSCLE_GAIN:
        slope = driven_slope(m, d, actuator, slope, muscle_slope(m, d, actuator, out))
    if m.actuator_forcelimited[actuator]:
        if kind == SO3_GAIN:
            is_held = norm(load3(d.actuator_force, out)) >= m.actuator_forcerange[actuator, 1]
        else:
            is_held = is_outside(d.actuator_force[out], m.actuator_forcerange, actuator)
        slope = where(is_held, 0.0, slope)
    return slope


@kernel
def driven_slope(m, d, actuator, slope, gain_slope):
    """`slope` with that of the gain, times the activation or control that the gain multiplies."""
    if m.actuator_actnum[actuator] > 0:
        signal = force_activation(m, d, actuator)
    else:
        signal = first_control(m, d, actuator)
    return where(gain_slope != 0.0, slope + gain_slope * signal, slope)


@kernel
def is_outside(x, bounds, row):
    """Is x at a bound or beyond?"""
    return or_(x <= bounds[row, 0], x >= bounds[row, 1])


@kernel
def where_target_yields(m, d, actuator, slope):
    """`slope`, but zero where a limit of the joint or tendon that the actuator drives holds the total force."""
    kind = m.actuator_trntype[actuator]
    target = m.actuator_trnid[actuator, 0]
    if kind in (JOINT, JOINT_IN_PARENT):
        if m.jnt_actfrclimited[target]:
            is_held = is_outside(d.qfrc_actuator[m.jnt_dofadr[target]], m.jnt_actfrcrange, target)
            slope = where(is_held, 0.0, slope)
    elif kind == TENDON and m.tendon_actfrclimited[target]:
        total = 0.0
        for other in range(m.nactuator):
            if m.actuator_trntype[other] == TENDON and m.actuator_trnid[other, 0] == target:
                total = total + d.actuator_force[m.actuator_outadr[other]]
        low, high = m.tendon_actfrcrange[target, 0], m.tendon_actfrcrange[target, 1]
        is_low = total <= low + TENDON_MARGIN * abs_(low)
        is_high = total >= high - TENDON_MARGIN * abs_(high)
        slope = where(or_(is_low, is_high), 0.0, slope)
    return slope


@kernel
def muscle_slope(m, d, actuator, out):
    """Derivative of the gain of a muscle by its velocity."""
    p = m.actuator_gainprm
    length = relative_length(m, p, actuator, out, d.actuator_length[out])
    speed = maximum(MINVAL, optimal_length(m, p, actuator, out) * p[actuator, 6])
    velocity, y = d.actuator_velocity[out] / speed, p[actuator, 8] - 1.0
    lengthening = where(velocity <= y, 2.0 * (y - velocity) / maximum(MINVAL, y), 0.0)
    curve = where(velocity <= -1.0, 0.0, where(velocity <= 0.0, 2.0 * velocity + 2.0, lengthening))
    force = -peak_force(p, actuator, m.actuator_acc0[out]) * force_length(length, p[actuator, 4], p[actuator, 5])
    return force * curve / speed


@kernel
def motor_slope(m, d, actuator, out):
    """Derivative of the torque of a DC motor by its velocity: electrical, unless a limit holds it, and friction."""
    p, q = m.actuator_dynprm, m.actuator_gainprm
    constant, time = q[actuator, MOTOR_CONSTANT], p[actuator, ELECTRIC_TIME]
    _, integral, temperature, _, current = motor_slots(m, actuator)
    resistance = maximum(MINVAL, hot_resistance(m, actuator, state_at(m, d.act, actuator, temperature)))
    drive = drive_slope(m, d, actuator, out, state_at(m, d.act, actuator, integral))
    slope = constant * (drive - constant) / resistance

    # a current that is an activation has moved only part of the way, or no faster than it may
    has_current = time > 0.0
    if any_(has_current):
        followed = 1.0 - exp(-m.opt.timestep / where(has_current, time, 1.0))
        slope = where(has_current, slope * followed, slope)
        limit = p[actuator, CURRENT_RATE]
        is_fast = abs_(state_at(m, d.act_dot, actuator, current)) >= limit
        slope = where(and_(has_current, and_(limit > 0.0, is_fast)), 0.0, slope)

    if m.actuator_forcelimited[actuator]:
        is_held = is_outside(electrical_torque(m, d, actuator, out), m.actuator_forcerange, actuator)
        slope = where(is_held, 0.0, slope)
    friction = p[actuator, BRISTLE_DAMPING]
    return where(friction > 0.0, slope - friction, slope)


@kernel
def drive_slope(m, d, actuator, out, integral):
    """Derivative of the voltage of the controller of a DC motor by the velocity; zero beyond its limit."""
    slope = 0.0
    if m.actuator_ctrlspec[actuator] & SETPOINTS:
        q = m.actuator_gainprm
        position, velocity, feedforward, _ = servo_inputs(m, d, actuator)
        speed = d.actuator_velocity[out]
        torque = q[actuator, KP] * (position - d.actuator_length[out]) + q[actuator, KD] * (velocity - speed)
        torque = torque + q[actuator, KI] * integral + feedforward
        constant, resistance = q[actuator, MOTOR_CONSTANT], q[actuator, RESISTANCE]
        drive = resistance / constant * torque + constant * speed
        limit = q[actuator, VOLTAGE_LIMIT]
        is_held = and_(limit > 0.0, abs_(drive) >= limit)
        slope = where(is_held, 0.0, constant - q[actuator, KD] * resistance / constant)
    return slope


@kernel
def electrical_torque(m, d, actuator, out):
    """Torque of a DC motor before any limit and without the mechanical parts."""
    force = d.actuator_force[out]
    motor_force(m, d, actuator, out, force_activation(m, d, actuator))
    back_emf(m, d, actuator, out)
    torque = d.actuator_force[out]
    d.actuator_force[out] = force
    return torque


# --- passive forces


@kernel
def passive_derivative(m, d, is_symmetric):
    """Add the derivative of qfrc_passive: fluid, dampers of dofs and of tendons."""
    has_dampers = (m.opt.disableflags & DAMPER) == 0
    if has_dampers or (m.opt.disableflags & SPRING) == 0:
        fluid_derivative(m, d, is_symmetric)
    if has_dampers:
        for dof in range(m.nv):
            address = m.D_rowadr[dof] + m.D_diag[dof]
            d.qDeriv[address] = d.qDeriv[address] - dof_damping_slope(m, d, dof)
        for tendon in range(m.ntendon):
            slope = -tendon_damping_slope(m, d, tendon)
            start, count = m.ten_J_rowadr[tendon], m.ten_J_rownnz[tendon]
            add_outer_product(m, d, d.ten_J, m.ten_J_colind, start, count, slope)


@kernel
def tendon_damping_slope(m, d, tendon):
    """b such that -b is the derivative of the force of the tendon's damper by ten_velocity."""
    c = (m.tendon_damping[tendon], m.tendon_dampingpoly[tendon, 0], m.tendon_dampingpoly[tendon, 1])
    lender = m.tendon_actuatorid[tendon]
    if lender >= 0:
        c = add_lent_damping(m, c, lender)
    elif lender < -1:
        # several of them
        for actuator in range(m.nactuator):
            if m.actuator_trntype[actuator] == TENDON and m.actuator_trnid[actuator, 0] == tendon:
                c = add_lent_damping(m, c, actuator)
    return polynomial_slope(c, abs_(d.ten_velocity[tendon]))


# --- fluid: 6x6 slopes as four blocks, torque or force (row) by angular or linear velocity (column)


@kernel
def fluid_derivative(m, d, is_symmetric):
    """Add the derivative of qfrc_fluid."""
    is_present = or_(m.opt.density > 0.0, m.opt.viscosity > 0.0)
    if any_(is_present):
        for body in range(1, m.nbody):
            store_blocks(d, body, ZERO9, ZERO9, ZERO9, ZERO9)
            # a body that nothing can move takes no part
            if m.body_dofnum[m.body_weldid[body]] > 0:
                is_free = is_free_tree(m, m.body_treeid[body])
                body_fluid_slope(m, d, body, is_symmetric and not is_free)
        for body in range(m.nbody - 1, 0, -1):
            if m.body_parentid[body] > 0:
                add_blocks(d, m.body_parentid[body], body)
        for dof in range(m.nv):
            project_blocks(m, d, dof)
        for dof in range(m.nv):
            diagonal = m.D_rowadr[dof] + m.D_diag[dof]
            axis, left = load6(d.cdof, dof), load6(d.deriv_left, dof)
            for address in range(m.D_rowadr[dof], m.D_rowadr[dof] + m.D_rownnz[dof]):
                column = m.D_colind[address]
                if address <= diagonal:
                    slope = dot6(left, load6(d.cdof, column))
                else:
                    slope = dot6(axis, load6(d.deriv_right, column))
                entry = d.qDeriv[address]
                d.qDeriv[address] = where(is_present, entry + slope, entry)


@kernel
def store_blocks(d, body, aa, al, la, ll):
    store9(d.deriv_fluid_aa, body, aa)
    store9(d.deriv_fluid_al, body, al)
    store9(d.deriv_fluid_la, body, la)
    store9(d.deriv_fluid_ll, body, ll)


@kernel
def add_blocks(d, parent, body):
    store9(d.deriv_fluid_aa, parent, add9(load9(d.deriv_fluid_aa, parent), load9(d.deriv_fluid_aa, body)))
    store9(d.deriv_fluid_al, parent, add9(load9(d.deriv_fluid_al, parent), load9(d.deriv_fluid_al, body)))
    store9(d.deriv_fluid_la, parent, add9(load9(d.deriv_fluid_la, parent), load9(d.deriv_fluid_la, body)))
    store9(d.deriv_fluid_ll, parent, add9(load9(d.deriv_fluid_ll, parent), load9(d.deriv_fluid_ll, body)))


@kernel
def project_blocks(m, d, dof):
    """deriv_right, deriv_left: the slope of the dof's subtree times its motion axis, from either side."""
    body = m.dof_bodyid[dof]
    aa, al = load9(d.deriv_fluid_aa, body), load9(d.deriv_fluid_al, body)
    la, ll = load9(d.deriv_fluid_la, body), load9(d.deriv_fluid_ll, body)
    axis = load6(d.cdof, dof)
    angular, linear = (axis[0], axis[1], axis[2]), (axis[3], axis[4], axis[5])
    torque = add(multiply_vector(aa, angular), multiply_vector(al, linear))
    force = add(multiply_vector(la, angular), multiply_vector(ll, linear))
    store6(d.deriv_right, dof, torque + force)
    torque = add(multiply_transposed(aa, angular), multiply_transposed(la, linear))
    force = add(multiply_transposed(al, angular), multiply_transposed(ll, linear))
    store6(d.deriv_left, dof, torque + force)


@kernel
def body_fluid_slope(m, d, body, is_symmetric):
    """Blocks of one body about the center of its tree, by the model that its geoms choose."""
    has_mass = m.body_mass[body] >= MINVAL
    has_ellipsoids = uses_ellipsoids(m, body)
    is_box = and_(has_mass, not_(has_ellipsoids))
    if any_(is_box):
        aa, la, ll = box_blocks(m, d, body)
        add_blocks_where(d, body, is_box, aa, transpose(la), la, ll)
    is_ellipsoid = and_(has_mass, has_ellipsoids)
    if any_(is_ellipsoid):
        for geom in range(m.body_geomadr[body], m.body_geomadr[body] + m.body_geomnum[body]):
            interacts = and_(is_ellipsoid, m.geom_fluid[geom, INTERACTION] != 0.0)
            if any_(interacts):
                aa, al, la, ll = ellipsoid_blocks(m, d, geom, is_symmetric)
                add_blocks_where(d, body, interacts, aa, al, la, ll)


@kernel
def add_blocks_where(d, body, chosen, aa, al, la, ll):
    add_where9(d.deriv_fluid_aa, body, chosen, aa)
    add_where9(d.deriv_fluid_al, body, chosen, al)
    add_where9(d.deriv_fluid_la, body, chosen, la)
    add_where9(d.deriv_fluid_ll, body, chosen, ll)


@kernel
def add_where9(field, row, chosen, a):
    before = load9(field, row)
    store9(field, row, where9(chosen, add9(before, a), before))


@kernel
def shifted(aa, al, la, ll, offset):
    """Blocks of a point at `offset`, about the origin: torques and velocities change, by offset x."""
    s = cross_matrix(offset)
    below = sub9(la, matmul(ll, s))
    return sub9(add9(aa, matmul(s, below)), matmul(al, s)), add9(al, matmul(s, ll)), below, ll


@kernel
def box_blocks(m, d, body):
    """(aa, la, ll) of the inertia box of a body; the slope is symmetric."""
    frame = load9(d.ximat, body)
    offset = sub(load3(d.xipos, body), load3(d.subtree_com, m.body_rootid[body]))
    angular, linear = motion_in_fluid(load6(d.cvel, body), offset, frame, load3(m.opt.wind, 0))
    sides = inertia_box(load3(m.body_inertia, body), m.body_mass[body])
    torque, force = box_slopes(angular, linear, sides, m.opt.density, m.opt.viscosity)
    ll = rotated_diagonal(frame, force)
    s = cross_matrix(offset)
    la = scale9(matmul(ll, s), -1.0)
    return add9(rotated_diagonal(frame, torque), matmul(s, la)), la, ll


@kernel
def box_slopes(angular, linear, sides, density, viscosity):
    """Derivative of torque and force on the inertia box by the velocities along its axes."""
    diameter = (sides[0] + sides[1] + sides[2]) / 3.0
    viscous_torque = where(viscosity > 0.0, PI * diameter * diameter * diameter * viscosity, 0.0)
    viscous_force = where(viscosity > 0.0, 3.0 * PI * diameter * viscosity, 0.0)
    density = where(density > 0.0, density, 0.0)
    x4, y4, z4 = fourth_power(sides[0]), fourth_power(sides[1]), fourth_power(sides[2])
    per_spin = density / 32.0
    torque = (
        -viscous_torque - per_spin * sides[0] * (y4 + z4) * abs_(angular[0]),
        -viscous_torque - per_spin * sides[1] * (x4 + z4) * abs_(angular[1]),
        -viscous_torque - per_spin * sides[2] * (x4 + y4) * abs_(angular[2]),
    )
    force = (
        -viscous_force - density * sides[1] * sides[2] * abs_(linear[0]),
        -viscous_force - density * sides[0] * sides[2] * abs_(linear[1]),
        -viscous_force - density * sides[0] * sides[1] * abs_(linear[2]),
    )
    return torque, force


@kernel
def ellipsoid_blocks(m, d, geom, is_symmetric):
    """(aa, al, la, ll) of the ellipsoid of a geom."""
    body = m.geom_bodyid[geom]
    frame = load9(d.geom_xmat, geom)
    offset = sub(load3(d.geom_xpos, geom), load3(d.subtree_com, m.body_rootid[body]))
    angular, linear = motion_in_fluid(load6(d.cvel, body), offset, frame, load3(m.opt.wind, 0))
    aa, al, la, ll = ellipsoid_slopes(m, geom, angular, linear)
    if is_symmetric:
        aa, ll = symmetric_part(aa), symmetric_part(ll)
        la = scale9(add9(la, transpose(al)), 0.5)
        al = transpose(la)
    back = transpose(frame)
    aa, al = matmul(matmul(frame, aa), back), matmul(matmul(frame, al), back)
    la, ll = matmul(matmul(frame, la), back), matmul(matmul(frame, ll), back)
    return shifted(aa, al, la, ll, offset)


@kernel
def ellipsoid_slopes(m, geom, angular, linear):
    """Blocks along the axes of the ellipsoid: momentum of the fluid that moves along, lift, and drag."""
    density, axes = m.opt.density, semiaxes(m, geom)
    mass = scale(geom_added_mass(m, geom), density)
    inertia = scale(geom_added_inertia(m, geom), density)
    magnus = m.geom_fluid[geom, MAGNUS_LIFT] * density * (4.0 / 3.0 * PI * axes[0] * axes[1] * axes[2])
    momentum, turning = cross_matrix(multiply_elements(mass, linear)), cross_matrix(angular)
    spin, moving = cross_matrix(multiply_elements(inertia, angular)), cross_matrix(linear)
    aa = sub9(spin, scale_columns(turning, inertia))
    al = sub9(momentum, scale_columns(moving, mass))
    la = sub9(momentum, scale9(moving, magnus))
    ll = sub9(scale9(turning, magnus), scale_columns(turning, mass))
    aa = add9(aa, angular_drag_slope(m, geom, angular, axes))
    ll = add9(ll, kutta_slope(linear, axes, m.geom_fluid[geom, KUTTA_LIFT] * density))
    return aa, al, la, add9(ll, drag_slope(m, geom, linear, axes))


@kernel
def angular_drag_slope(m, geom, angular, axes):
    """Derivative of the drag torque: -(stokes + density |r|) 1 - density w (k r)' / |r|, with r = k w."""
    density, coefficient, slender = m.opt.density, m.geom_fluid[geom, ANGULAR_DRAG], m.geom_fluid[geom, SLENDER_DRAG]
    longest, middle = sorted_axes(axes)
    largest = moment(middle, longest)
    x = moment(axes[0], maximum(axes[1], axes[2]))
    y = moment(axes[1], maximum(axes[2], axes[0]))
    z = moment(axes[2], maximum(axes[0], axes[1]))
    k = (
        coefficient * x + slender * (largest - x),
        coefficient * y + slender * (largest - y),
        coefficient * z + slender * (largest - z),
    )
    resistance = multiply_elements(k, angular)
    factor = density / maximum(MINVAL, norm(resistance))
    gradient = scale(multiply_elements(k, resistance), -factor)
    diameter = 2.0 / 3.0 * (axes[0] + axes[1] + axes[2])
    stokes = m.opt.viscosity * (PI * diameter * diameter * diameter)
    along = angular[0] * gradient[0] + angular[1] * gradient[1] + angular[2] * gradient[2]
    return add_diagonal(outer(angular, gradient), along - stokes)


@kernel
def shadow_shape(linear, axes):
    """What the area of the shadow cast along the velocity depends on, as `fluid.shadow` has it.

    Returns whether there is a shadow to speak of, the square of the longest semi-axis, the direction u of the velocity,
    the weights a of its components, and the sums a u² and a² u² (both 1 without a shadow).
    """
    length, speed = sorted_axes(axes)[0], norm(linear)
    is_moving = and_(length >= MINVAL, speed >= MINVAL)
    unit = scale(axes, 1.0 / where(is_moving, length, 1.0))
    u = scale(linear, 1.0 / where(is_moving, speed, 1.0))
    a = (unit[1] * unit[2], unit[2] * unit[0], unit[0] * unit[1])
    a = multiply_elements(a, a)
    normal = multiply_elements(a, u)
    product = dot(normal, u)
    has_shadow = and_(is_moving, product >= MINVAL)
    return (
        has_shadow,
        length * length,
        u,
        a,
        where(has_shadow, product, 1.0),
        where(has_shadow, dot(normal, normal), 1.0),
    )


@kernel
def spread(a, u):
    """Sums over the other components k of a_k u_k² (a_j - a_k): how the weights differ from their mean."""
    x, y, z = a[0] * (u[0] * u[0]), a[1] * (u[1] * u[1]), a[2] * (u[2] * u[2])
    return (
        y * (a[0] - a[1]) + z * (a[0] - a[2]),
        x * (a[1] - a[0]) + z * (a[1] - a[2]),
        x * (a[2] - a[0]) + y * (a[2] - a[1]),
    )


@kernel
def drag_slope(m, geom, linear, axes):
    """Derivative of the drag force -(stokes + density |v| area) v; the area depends on the direction of v."""
    density, blunt, slender = m.opt.density, m.geom_fluid[geom, BLUNT_DRAG], m.geom_fluid[geom, SLENDER_DRAG]
    longest, middle = sorted_axes(axes)
    has_shadow, size, u, a, product, square = shadow_shape(linear, axes)
    shadow = where(has_shadow, PI * size * sqrt(square / product), 0.0)
    area = shadow * blunt + slender * (PI * longest * middle - shadow)
    drag = -density * norm(linear) * area
    turning = PI * size * (blunt - slender) / (product * sqrt(product * square))
    gradient = scale(multiply_elements(multiply_elements(a, u), spread(a, u)), -density * turning)
    along = where3(has_shadow, add(scale(u, -density * area), gradient), scale(u, -density * area))
    stokes = m.opt.viscosity * (2.0 * PI * (axes[0] + axes[1] + axes[2]))
    return add_diagonal(outer(linear, along), drag - stokes)


@kernel
def kutta_slope(linear, axes, coefficient):
    """Derivative of the lift c pi size |v|² sqrt(p / q) (p - a) u, with p and q the sums a u² and a² u²."""
    has_shadow, size, u, a, product, square = shadow_shape(linear, axes)
    factor = PI * coefficient * size * norm(linear) / sqrt(square * product)
    ratio = product / square
    rest = (product - a[0], product - a[1], product - a[2])
    column = (
        a[0] - a[0] * a[0] * ratio - product,
        a[1] - a[1] * a[1] * ratio - product,
        a[2] - a[2] * a[2] * ratio - product,
    )
    twice = scale(a, 2.0 * product)
    slope = (
        (rest[0] * column[0]) * (u[0] * u[0]) + product * rest[0],
        (rest[0] * column[1] + (twice[1] - twice[0])) * (u[0] * u[1]),
        (rest[0] * column[2] + (twice[2] - twice[0])) * (u[0] * u[2]),
        (rest[1] * column[0] + (twice[0] - twice[1])) * (u[1] * u[0]),
        (rest[1] * column[1]) * (u[1] * u[1]) + product * rest[1],
        (rest[1] * column[2] + (twice[2] - twice[1])) * (u[1] * u[2]),
        (rest[2] * column[0] + (twice[0] - twice[2])) * (u[2] * u[0]),
        (rest[2] * column[1] + (twice[1] - twice[2])) * (u[2] * u[1]),
        (rest[2] * column[2]) * (u[2] * u[2]) + product * rest[2],
    )
    return where9(has_shadow, scale9(slope, factor), ZERO9)


# --- 3x3 matrices


@kernel
def add9(a, b):
    return (
        a[0] + b[0], a[1] + b[1], a[2] + b[2],
        a[3] + b[3], a[4] + b[4], a[5] + b[5],
        a[6] + b[6], a[7] + b[7], a[8] + b[8],
    )  # fmt: skip


@kernel
def sub9(a, b):
    return (
        a[0] - b[0], a[1] - b[1], a[2] - b[2],
        a[3] - b[3], a[4] - b[4], a[5] - b[5],
        a[6] - b[6], a[7] - b[7], a[8] - b[8],
    )  # fmt: skip


@kernel
def scale9(a, s):
    return (a[0] * s, a[1] * s, a[2] * s, a[3] * s, a[4] * s, a[5] * s, a[6] * s, a[7] * s, a[8] * s)


@kernel
def where9(condition, a, b):
    return (
        where(condition, a[0], b[0]), where(condition, a[1], b[1]), where(condition, a[2], b[2]),
        where(condition, a[3], b[3]), where(condition, a[4], b[4]), where(condition, a[5], b[5]),
        where(condition, a[6], b[6]), where(condition, a[7], b[7]), where(condition, a[8], b[8]),
    )  # fmt: skip


@kernel
def scale_columns(a, s):
    """a diag(s)"""
    return (
        a[0] * s[0], a[1] * s[1], a[2] * s[2],
        a[3] * s[0], a[4] * s[1], a[5] * s[2],
        a[6] * s[0], a[7] * s[1], a[8] * s[2],
    )  # fmt: skip


@kernel
def cross_matrix(v):
    """The matrix of v x."""
    return (0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0)


@kernel
def outer(a, b):
    """a b'"""
    return (
        a[0] * b[0], a[0] * b[1], a[0] * b[2],
        a[1] * b[0], a[1] * b[1], a[1] * b[2],
        a[2] * b[0], a[2] * b[1], a[2] * b[2],
    )  # fmt: skip


@kernel
def add_diagonal(a, s):
    """a + s 1"""
    return (a[0] + s, a[1], a[2], a[3], a[4] + s, a[5], a[6], a[7], a[8] + s)


@kernel
def symmetric_part(a):
    return scale9(add9(a, transpose(a)), 0.5)


@kernel
def rotated_diagonal(frame, s):
    """frame diag(s) frame'"""
    return matmul(scale_columns(frame, s), transpose(frame))


# --- the bias force


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
        if kind == FREE:
            velocity = axis_rates_of(d, velocity, dof, 3)
            dof += 3
        velocity = axis_rates_of(d, velocity, dof, 3 if kind <= BALL else 1)


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
    turned = inertia_times_motion(rate, axis)
    carried = cross_force(axis, load6(d.deriv_body_momentum, body))
    pushed = inertia_times_motion(total_inertia, load6(d.deriv_axis_rate, dof))
    store6(d.deriv_right, dof, add6(pushed, add6(turned, carried)))
    store6(d.deriv_left, dof, sub6(turned, carried))
    store6(d.deriv_momentum, dof, inertia_times_motion(total_inertia, axis))


@kernel
def inertia_rate(i, v, momentum):
    """Rate of change of the ten numbers of an inertia that moves with velocity v; its mass stays."""
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
