"""How fluid forces change with velocity.

A slope is 6x6, kept as four 3x3 blocks: torque or force (row) by angular or linear velocity (column).
"""

from __future__ import annotations

from phalanx.algebra.elementary import PI
from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import (
    add9,
    add_diagonal,
    cross_matrix,
    matmul,
    multiply_transposed,
    multiply_vector,
    outer,
    rotated_diagonal,
    scale9,
    scale_columns,
    sub9,
    symmetric_part,
    transpose,
    where9,
)
from phalanx.algebra.memory import load3, load6, load9, store6, store9
from phalanx.algebra.number import abs_, and_, any_, maximum, not_, or_, sqrt, where
from phalanx.algebra.spatial import dot6
from phalanx.algebra.vector import MINVAL, add, dot, multiply_elements, norm, scale, sub, where3
from phalanx.integrator.bias_derivative import is_free_tree
from phalanx.smooth.passive.fluid import (
    ANGULAR_DRAG,
    BLUNT_DRAG,
    INTERACTION,
    KUTTA_LIFT,
    MAGNUS_LIFT,
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

ZERO9 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


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
def projection_terms(linear, axes):
    """What the area projected along the velocity depends on, as `fluid.projected_area` has it.

    Returns whether there is an area to speak of, the square of the longest semi-axis, the direction u of the velocity,
    the weights a of its components, and the sums a u² and a² u² (both 1 without an area).
    """
    length, speed = sorted_axes(axes)[0], norm(linear)
    is_moving = and_(length >= MINVAL, speed >= MINVAL)
    unit = scale(axes, 1.0 / where(is_moving, length, 1.0))
    u = scale(linear, 1.0 / where(is_moving, speed, 1.0))
    a = (unit[1] * unit[2], unit[2] * unit[0], unit[0] * unit[1])
    a = multiply_elements(a, a)
    normal = multiply_elements(a, u)
    product = dot(normal, u)
    has_area = and_(is_moving, product >= MINVAL)
    return (
        has_area,
        length * length,
        u,
        a,
        where(has_area, product, 1.0),
        where(has_area, dot(normal, normal), 1.0),
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
    has_area, size, u, a, product, square = projection_terms(linear, axes)
    projected = where(has_area, PI * size * sqrt(square / product), 0.0)
    area = projected * blunt + slender * (PI * longest * middle - projected)
    drag = -density * norm(linear) * area
    turning = PI * size * (blunt - slender) / (product * sqrt(product * square))
    gradient = scale(multiply_elements(multiply_elements(a, u), spread(a, u)), -density * turning)
    along = where3(has_area, add(scale(u, -density * area), gradient), scale(u, -density * area))
    stokes = m.opt.viscosity * (2.0 * PI * (axes[0] + axes[1] + axes[2]))
    return add_diagonal(outer(linear, along), drag - stokes)


@kernel
def kutta_slope(linear, axes, coefficient):
    """Derivative of the lift c pi size |v|² sqrt(p / q) (p - a) u, with p and q the sums a u² and a² u²."""
    has_area, size, u, a, product, square = projection_terms(linear, axes)
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
    return where9(has_area, scale9(slope, factor), ZERO9)
