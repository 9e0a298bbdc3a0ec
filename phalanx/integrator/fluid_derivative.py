"""How fluid forces change with velocity.

The forces are those of `smooth/passive/fluid.py`, whose quantities are used here (MuJoCo: mjd_inertiaBoxFluid,
mjd_ellipsoidFluid). A slope is 6x6, kept as four 3x3 blocks: torque or force (row) by angular or linear velocity
(column).
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
from phalanx.algebra.memory import load6, load9, store6, store9
from phalanx.algebra.number import and_, any_, maximum, or_, sqrt, where
from phalanx.algebra.spatial import dot6
from phalanx.algebra.vector import MINVAL, add, multiply_elements, norm, scale, where3
from phalanx.integrator.bias_derivative import is_free_tree
from phalanx.smooth.passive.fluid import (
    ANGULAR_DRAG,
    BLUNT_DRAG,
    INTERACTION,
    KUTTA_LIFT,
    MAGNUS_LIFT,
    SLENDER_DRAG,
    angular_drag_moments,
    box_coefficients,
    box_motion,
    drag_area,
    ellipsoid_motion,
    ellipsoid_volume,
    fluid_models,
    geom_added_inertia,
    geom_added_mass,
    projected_area,
    projection_terms,
    resist_slope,
    semiaxes,
    stokes_angular_drag,
    stokes_drag,
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
    """The slope of the force on one body, about the center of its tree."""
    store9(d.deriv_fluid_aa, body, aa)
    store9(d.deriv_fluid_al, body, al)
    store9(d.deriv_fluid_la, body, la)
    store9(d.deriv_fluid_ll, body, ll)


@kernel
def add_blocks(d, parent, body):
    """Add the slope of a body to that of its parent, which moves it."""
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
    is_box, is_ellipsoid = fluid_models(m, body)
    if any_(is_box):
        aa, la, ll = box_blocks(m, d, body)
        add_blocks_where(d, body, is_box, aa, transpose(la), la, ll)
    if any_(is_ellipsoid):
        for geom in range(m.body_geomadr[body], m.body_geomadr[body] + m.body_geomnum[body]):
            interacts = and_(is_ellipsoid, m.geom_fluid[geom, INTERACTION] != 0.0)
            if any_(interacts):
                aa, al, la, ll = ellipsoid_blocks(m, d, geom, is_symmetric)
                add_blocks_where(d, body, interacts, aa, al, la, ll)


@kernel
def add_blocks_where(d, body, chosen, aa, al, la, ll):
    """Add to the slope of a body in the chosen worlds."""
    add_where9(d.deriv_fluid_aa, body, chosen, aa)
    add_where9(d.deriv_fluid_al, body, chosen, al)
    add_where9(d.deriv_fluid_la, body, chosen, la)
    add_where9(d.deriv_fluid_ll, body, chosen, ll)


@kernel
def add_where9(field, row, chosen, a):
    """Add a 3x3 matrix to a row of a field in the chosen worlds; the others keep their bits."""
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
    frame, offset, angular, linear = box_motion(m, d, body)
    viscous, drag_factors = box_coefficients(m, body)
    torque = resist_slope(angular, viscous[0], drag_factors[0])
    ll = rotated_diagonal(frame, resist_slope(linear, viscous[1], drag_factors[1]))
    s = cross_matrix(offset)
    la = scale9(matmul(ll, s), -1.0)
    return add9(rotated_diagonal(frame, torque), matmul(s, la)), la, ll


@kernel
def ellipsoid_blocks(m, d, geom, is_symmetric):
    """(aa, al, la, ll) of the ellipsoid of a geom."""
    frame, offset, angular, linear = ellipsoid_motion(m, d, geom)
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
    magnus = m.geom_fluid[geom, MAGNUS_LIFT] * density * ellipsoid_volume(axes)
    momentum, spinning = cross_matrix(multiply_elements(mass, linear)), cross_matrix(angular)
    spin, moving = cross_matrix(multiply_elements(inertia, angular)), cross_matrix(linear)
    aa = sub9(spin, scale_columns(spinning, inertia))
    al = sub9(momentum, scale_columns(moving, mass))
    la = sub9(momentum, scale9(moving, magnus))
    ll = sub9(scale9(spinning, magnus), scale_columns(spinning, mass))
    aa = add9(aa, angular_drag_slope(m, geom, angular, axes))
    ll = add9(ll, kutta_slope(linear, axes, m.geom_fluid[geom, KUTTA_LIFT] * density))
    return aa, al, la, add9(ll, drag_slope(m, geom, linear, axes))


@kernel
def drag_blocks(m, d, geom):
    """(aa, al, la, ll) of drag alone, symmetric: the part of the slope that always takes energy."""
    frame, offset, angular, linear = ellipsoid_motion(m, d, geom)
    axes, back = semiaxes(m, geom), transpose(frame)
    aa = matmul(matmul(frame, symmetric_part(angular_drag_slope(m, geom, angular, axes))), back)
    ll = matmul(matmul(frame, symmetric_part(drag_slope(m, geom, linear, axes))), back)
    return shifted(aa, ZERO9, ZERO9, ll, offset)


@kernel
def angular_drag_slope(m, geom, angular, axes):
    """Derivative of the drag torque: -(stokes + density |r|) 1 - density w (k r)' / |r|, with r = k w."""
    density, coefficient, slender = m.opt.density, m.geom_fluid[geom, ANGULAR_DRAG], m.geom_fluid[geom, SLENDER_DRAG]
    k = angular_drag_moments(axes, coefficient, slender)
    resistance = multiply_elements(k, angular)
    factor = density / maximum(MINVAL, norm(resistance))
    gradient = scale(multiply_elements(k, resistance), -factor)
    stokes = m.opt.viscosity * stokes_angular_drag(axes)
    along = angular[0] * gradient[0] + angular[1] * gradient[1] + angular[2] * gradient[2]
    return add_diagonal(outer(angular, gradient), along - stokes)


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
    has_area, size, u, a, product, square = projection_terms(linear, axes)
    area = drag_area(axes, projected_area(has_area, size, product, square), blunt, slender)
    drag = -density * norm(linear) * area
    # by how much the area changes when the direction does
    change = PI * size * (blunt - slender) / (product * sqrt(product * square))
    gradient = scale(multiply_elements(multiply_elements(a, u), spread(a, u)), -density * change)
    along = where3(has_area, add(scale(u, -density * area), gradient), scale(u, -density * area))
    stokes = m.opt.viscosity * stokes_drag(axes)
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
