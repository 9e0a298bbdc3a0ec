"""Forces of the surrounding fluid: drag, lift, viscosity and the momentum of the fluid that a body drags along.

A body whose geoms have no fluid coefficients moves through the fluid as the box of its inertia. If some geom has them,
the box is dropped and each such geom moves as the ellipsoid of its size. `integrator/fluid_derivative.py` has the
derivatives by velocity, of the same quantities.
"""

from __future__ import annotations

from phalanx.algebra.elementary import PI
from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, load6, load9, store6
from phalanx.algebra.number import abs_, and_, any_, maximum, minimum, not_, or_, sqrt, where
from phalanx.algebra.spatial import ZERO6, add6, transport_force
from phalanx.algebra.vector import MINVAL, add, cross, dot, multiply_elements, norm, scale, sub, where3
from phalanx.memory.awake import awake_bodies, awake_dofs
from phalanx.smooth.jacobian import project_subtree_forces
from phalanx.smooth.passive.semi_axes import semi_axes

# columns of geom_fluid
INTERACTION, BLUNT_DRAG, SLENDER_DRAG, ANGULAR_DRAG, KUTTA_LIFT, MAGNUS_LIFT = 0, 1, 2, 3, 4, 5
ADDED_MASS, ADDED_INERTIA = 6, 9


@kernel
def fluid(m, d):
    """qfrc_fluid, unless there is no fluid: neither density nor viscosity."""
    is_present = or_(m.opt.density != 0.0, m.opt.viscosity != 0.0)
    if any_(is_present):
        for body in awake_bodies(m, d):
            store6(d.passive_cfrc, body, ZERO6)
            # a body that nothing can move takes no part
            if m.body_dofnum[m.body_weldid[body]] > 0:
                body_fluid_force(m, d, body)
        project_subtree_forces(m, d, d.qfrc_fluid, d.passive_cfrc)
        for dof in awake_dofs(m, d):
            d.qfrc_fluid[dof] = where(is_present, d.qfrc_fluid[dof], 0.0)


@kernel
def where6(condition, a, b):
    """A 6-vector chosen as a whole, world by world."""
    return (
        where(condition, a[0], b[0]),
        where(condition, a[1], b[1]),
        where(condition, a[2], b[2]),
        where(condition, a[3], b[3]),
        where(condition, a[4], b[4]),
        where(condition, a[5], b[5]),
    )


# --- which model, and where it acts


@kernel
def body_fluid_force(m, d, body):
    """Add the force on one body to passive_cfrc, by the model that its geoms choose."""
    cfrc = d.passive_cfrc
    is_box, is_ellipsoid = fluid_models(m, body)
    if any_(is_box):
        force = box_force_at(m, d, body)
        store6(cfrc, body, where6(is_box, force, ZERO6))
    if any_(is_ellipsoid):
        for geom in range(m.body_geomadr[body], m.body_geomadr[body] + m.body_geomnum[body]):
            interacts = and_(is_ellipsoid, m.geom_fluid[geom, INTERACTION] != 0.0)
            if any_(interacts):
                before = load6(cfrc, body)
                after = add6(before, ellipsoid_force_at(m, d, geom))
                store6(cfrc, body, where6(interacts, after, before))


@kernel
def fluid_models(m, body):
    """Worlds in which a body moves as its inertia box, and those in which it moves as ellipsoids of its geoms.

    Ellipsoids replace the box if some geom has fluid coefficients. A body without mass feels no fluid.
    """
    largest = 0.0
    for geom in range(m.body_geomadr[body], m.body_geomadr[body] + m.body_geomnum[body]):
        largest = maximum(m.geom_fluid[geom, INTERACTION], largest)
    has_mass, has_ellipsoids = m.body_mass[body] >= MINVAL, largest > 0.0
    return and_(has_mass, not_(has_ellipsoids)), and_(has_mass, has_ellipsoids)


@kernel
def box_force_at(m, d, body):
    """Force on the inertia box of a body, in world axes about the center of its tree."""
    frame, offset, angular, linear = box_motion(m, d, body)
    viscous, drag_factors = box_coefficients(m, body)
    torque = resist(angular, viscous[0], drag_factors[0])
    force = resist(linear, viscous[1], drag_factors[1])
    return transport_force(multiply_vector(frame, force), multiply_vector(frame, torque), offset)


@kernel
def box_motion(m, d, body):
    """Frame of the inertia box, offset from the center of the tree, angular and linear velocity in the fluid."""
    frame = load9(d.ximat, body)
    offset = sub(load3(d.xipos, body), load3(d.subtree_com, m.body_rootid[body]))
    angular, linear = motion_in_fluid(load6(d.cvel, body), offset, frame, load3(m.opt.wind, 0))
    return frame, offset, angular, linear


@kernel
def ellipsoid_motion(m, d, geom):
    """The same of the ellipsoid of a geom."""
    body = m.geom_bodyid[geom]
    frame = load9(d.geom_xmat, geom)
    offset = sub(load3(d.geom_xpos, geom), load3(d.subtree_com, m.body_rootid[body]))
    angular, linear = motion_in_fluid(load6(d.cvel, body), offset, frame, load3(m.opt.wind, 0))
    return frame, offset, angular, linear


@kernel
def ellipsoid_force_at(m, d, geom):
    """Force on the ellipsoid of a geom, in world axes about the center of its tree (MuJoCo: mj_ellipsoidFluidModel)."""
    frame, offset, angular, linear = ellipsoid_motion(m, d, geom)
    axes = semiaxes(m, geom)
    # momentum of the fluid that moves along
    torque, force = added_mass_force(angular, linear, geom_added_mass(m, geom), geom_added_inertia(m, geom))
    density, viscosity = m.opt.density, m.opt.viscosity
    # lift and drag both depend on the area that the flow sees
    area, circulation = area_and_circulation(linear, axes)
    circulation = scale(circulation, m.geom_fluid[geom, KUTTA_LIFT] * area * norm(linear))
    lift = lift_force(angular, linear, axes, m.geom_fluid[geom, MAGNUS_LIFT], circulation)
    blunt, slender = m.geom_fluid[geom, BLUNT_DRAG], m.geom_fluid[geom, SLENDER_DRAG]
    resistance = drag(linear, axes, area, density, viscosity, blunt, slender)
    angular_resistance = angular_drag(angular, axes, density, viscosity, m.geom_fluid[geom, ANGULAR_DRAG], slender)
    torque = sub(scale(torque, density), scale(angular, angular_resistance))
    force = sub(scale(add(force, lift), density), scale(linear, resistance))
    interaction = m.geom_fluid[geom, INTERACTION]
    force = multiply_vector(frame, scale(force, interaction))
    return transport_force(force, multiply_vector(frame, scale(torque, interaction)), offset)


@kernel
def motion_in_fluid(cvel, offset, frame, wind):
    """Angular and linear velocity at `offset` from the center of the tree, against the fluid, along local axes."""
    angular = (cvel[0], cvel[1], cvel[2])
    linear = add((cvel[3], cvel[4], cvel[5]), cross(angular, offset))
    return multiply_transposed(frame, angular), multiply_transposed(frame, sub(linear, wind))


# --- the inertia box


@kernel
def inertia_box(inertia, mass):
    """Full side lengths of the box of uniform density with this inertia."""
    factor = 6.0 / where(mass >= MINVAL, mass, 1.0)
    return (
        sqrt(maximum(MINVAL, inertia[1] + inertia[2] - inertia[0]) * factor),
        sqrt(maximum(MINVAL, inertia[0] + inertia[2] - inertia[1]) * factor),
        sqrt(maximum(MINVAL, inertia[0] + inertia[1] - inertia[2]) * factor),
    )


@kernel
def box_coefficients(m, body):
    """Resistance of the inertia box of a body, of torque and force: per velocity, and along its axes per velocity².

    Viscosity acts as on the sphere of mean diameter, drag as on the three pairs of faces
    (MuJoCo: mj_inertiaBoxFluidModel).
    """
    sides = inertia_box(load3(m.body_inertia, body), m.body_mass[body])
    diameter = (sides[0] + sides[1] + sides[2]) / 3.0
    viscosity = m.opt.viscosity
    viscous_torque = where(viscosity > 0.0, PI * diameter * diameter * diameter * viscosity, 0.0)
    viscous_force = where(viscosity > 0.0, 3.0 * PI * diameter * viscosity, 0.0)
    density = where(m.opt.density > 0.0, m.opt.density, 0.0)
    # integrals over the faces of the drag of their moving points
    x4, y4, z4 = fourth_power(sides[0]), fourth_power(sides[1]), fourth_power(sides[2])
    torque_factor, force_factor = density / 64.0, 0.5 * density
    torque = (
        torque_factor * sides[0] * (y4 + z4),
        torque_factor * sides[1] * (x4 + z4),
        torque_factor * sides[2] * (x4 + y4),
    )
    force = (
        force_factor * sides[1] * sides[2],
        force_factor * sides[0] * sides[2],
        force_factor * sides[0] * sides[1],
    )
    return (viscous_torque, viscous_force), (torque, force)


@kernel
def resist(velocity, linear, quadratic):
    """Force against a velocity, with a part that grows with the square of each component."""
    return (
        -velocity[0] * (linear + quadratic[0] * abs_(velocity[0])),
        -velocity[1] * (linear + quadratic[1] * abs_(velocity[1])),
        -velocity[2] * (linear + quadratic[2] * abs_(velocity[2])),
    )


@kernel
def resist_slope(velocity, linear, quadratic):
    """Derivative of `resist` by each component of the velocity."""
    return (
        -linear - 2.0 * quadratic[0] * abs_(velocity[0]),
        -linear - 2.0 * quadratic[1] * abs_(velocity[1]),
        -linear - 2.0 * quadratic[2] * abs_(velocity[2]),
    )


@kernel
def fourth_power(x):
    """x⁴, as a product of squares."""
    return (x * x) * (x * x)


# --- the ellipsoid


@kernel
def semiaxes(m, geom):
    """Semi-axes of the ellipsoid that stands for a geom."""
    return semi_axes(m.geom_type[geom], load3(m.geom_size, geom))


@kernel
def geom_added_mass(m, geom):
    """Mass of the fluid that moves along with a geom, along its axes, per density."""
    fluid_ = m.geom_fluid
    return (fluid_[geom, ADDED_MASS], fluid_[geom, ADDED_MASS + 1], fluid_[geom, ADDED_MASS + 2])


@kernel
def geom_added_inertia(m, geom):
    """Inertia of the fluid that rotates along with a geom, about its axes, per density."""
    fluid_ = m.geom_fluid
    return (fluid_[geom, ADDED_INERTIA], fluid_[geom, ADDED_INERTIA + 1], fluid_[geom, ADDED_INERTIA + 2])


@kernel
def added_mass_force(angular, linear, mass, inertia):
    """Torque and force, per density, that change the direction of the momentum of the fluid that moves along."""
    momentum = multiply_elements(mass, linear)
    spin = multiply_elements(inertia, angular)
    return add(cross(momentum, linear), cross(spin, angular)), cross(momentum, angular)


@kernel
def projection_terms(linear, axes):
    """What the area projected along the velocity depends on, for an ellipsoid of unit length in a flow of unit speed.

    Returns whether there is an area to speak of, the square of the longest semi-axis, the direction u of the velocity,
    the weights a of its components (squares of the other two semi-axes' product), and the sums a u² and a² u² (both 1
    without an area).
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
def projected_area(has_area, size, product, square):
    """Area of the ellipsoid projected along the velocity, from `projection_terms`."""
    return where(has_area, PI * size * sqrt(square / product), 0.0)


@kernel
def area_and_circulation(linear, axes):
    """Projected area, and the direction of circulation times the cosine of its attack; zero without an area."""
    has_area, size, u, a, product, square = projection_terms(linear, axes)
    circulation = scale(cross(multiply_elements(a, u), u), product / square)
    return projected_area(has_area, size, product, square), where3(has_area, circulation, (0.0, 0.0, 0.0))


@kernel
def ellipsoid_volume(axes):
    """4/3 π x y z"""
    return 4.0 / 3.0 * PI * axes[0] * axes[1] * axes[2]


@kernel
def lift_force(angular, linear, axes, magnus, circulation):
    """Force across the velocity, per density: spin (Magnus) and circulation (Kutta-Joukowski)."""
    return add(scale(cross(angular, linear), magnus * ellipsoid_volume(axes)), cross(circulation, linear))


@kernel
def sorted_axes(axes):
    """Longest and middle semi-axis."""
    longest = maximum(maximum(axes[0], axes[1]), axes[2])
    shortest = minimum(minimum(axes[0], axes[1]), axes[2])
    return longest, axes[0] + axes[1] + axes[2] - longest - shortest


@kernel
def drag(linear, axes, area, density, viscosity, blunt, slender):
    """Force against the velocity, per velocity: Stokes' law of the mean sphere, and a part for the projected area."""
    return viscosity * stokes_drag(axes) + density * norm(linear) * drag_area(axes, area, blunt, slender)


@kernel
def stokes_drag(axes):
    """Force of viscosity on the sphere of mean radius, per viscosity and velocity: 6 π r."""
    return 2.0 * PI * (axes[0] + axes[1] + axes[2])


@kernel
def drag_area(axes, area, blunt, slender):
    """Area that resists: the projected one, and what it lacks of the largest, each with its coefficient."""
    longest, middle = sorted_axes(axes)
    return area * blunt + slender * (PI * longest * middle - area)


@kernel
def angular_drag(angular, axes, density, viscosity, coefficient, slender):
    """Torque against the angular velocity, per angular velocity: Stokes' law of the mean sphere, and drag."""
    resistance = multiply_elements(angular_drag_moments(axes, coefficient, slender), angular)
    return viscosity * stokes_angular_drag(axes) + density * norm(resistance)


@kernel
def stokes_angular_drag(axes):
    """Torque of viscosity on the sphere of mean diameter, per viscosity and angular velocity: π d³."""
    diameter = 2.0 / 3.0 * (axes[0] + axes[1] + axes[2])
    return PI * diameter * diameter * diameter


@kernel
def angular_drag_moments(axes, coefficient, slender):
    """Moments that resist spinning about each axis: that of its spheroid, and with the slender coefficient the rest."""
    longest, middle = sorted_axes(axes)
    largest = moment(middle, longest)
    x = moment(axes[0], maximum(axes[1], axes[2]))
    y = moment(axes[1], maximum(axes[2], axes[0]))
    z = moment(axes[2], maximum(axes[0], axes[1]))
    return (
        coefficient * x + slender * (largest - x),
        coefficient * y + slender * (largest - y),
        coefficient * z + slender * (largest - z),
    )


@kernel
def moment(axis, across):
    """Moment of a spheroid that resists spinning about `axis`, `across` its larger semi-axis normal to it."""
    return 8.0 / 15.0 * PI * axis * fourth_power(across)
