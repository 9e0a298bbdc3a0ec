"""Forces of the surrounding fluid: drag, lift, viscosity and the momentum of the fluid that a body drags along.

A body whose geoms have no fluid coefficients moves through the fluid as the box of its inertia. If some geom has them,
the box is dropped and each such geom moves as the ellipsoid of its size.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, load6, load9, store6
from phalanx.algebra.number import abs_, and_, any_, maximum, minimum, not_, or_, sqrt, where
from phalanx.algebra.spatial import ZERO6, add6, transport_force
from phalanx.algebra.vector import MINVAL, add, cross, dot, multiply_elements, norm, scale, sub, where3
from phalanx.smooth.jacobian import project_subtree_forces
from phalanx.smooth.passive.semi_axes import semi_axes

PI = 3.141592653589793

# columns of geom_fluid
INTERACTION, BLUNT_DRAG, SLENDER_DRAG, ANGULAR_DRAG, KUTTA_LIFT, MAGNUS_LIFT = 0, 1, 2, 3, 4, 5
ADDED_MASS, ADDED_INERTIA = 6, 9


@kernel
def fluid(m, d):
    """qfrc_fluid, unless there is no fluid: neither density nor viscosity."""
    is_present = or_(m.opt.density != 0.0, m.opt.viscosity != 0.0)
    if any_(is_present):
        for body in range(1, m.nbody):
            store6(d.passive_cfrc, body, ZERO6)
            # a body that nothing can move takes no part
            if m.body_dofnum[m.body_weldid[body]] > 0:
                body_fluid_force(m, d, body)
        project_subtree_forces(m, d, d.qfrc_fluid, d.passive_cfrc)
        for dof in range(m.nv):
            d.qfrc_fluid[dof] = where(is_present, d.qfrc_fluid[dof], 0.0)


@kernel
def where6(condition, a, b):
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
    has_mass = m.body_mass[body] >= MINVAL
    has_ellipsoids = uses_ellipsoids(m, body)
    is_box = and_(has_mass, not_(has_ellipsoids))
    if any_(is_box):
        force = box_force_at(m, d, body)
        store6(cfrc, body, where6(is_box, force, ZERO6))
    is_ellipsoid = and_(has_mass, has_ellipsoids)
    if any_(is_ellipsoid):
        for geom in range(m.body_geomadr[body], m.body_geomadr[body] + m.body_geomnum[body]):
            interacts = and_(is_ellipsoid, m.geom_fluid[geom, INTERACTION] != 0.0)
            if any_(interacts):
                before = load6(cfrc, body)
                after = add6(before, ellipsoid_force_at(m, d, geom))
                store6(cfrc, body, where6(interacts, after, before))


@kernel
def uses_ellipsoids(m, body):
    """Has some geom of the body fluid coefficients?"""
    largest = 0.0
    for geom in range(m.body_geomadr[body], m.body_geomadr[body] + m.body_geomnum[body]):
        largest = maximum(m.geom_fluid[geom, INTERACTION], largest)
    return largest > 0.0


@kernel
def box_force_at(m, d, body):
    """Force on the inertia box of a body, in world axes about the center of its tree."""
    frame = load9(d.ximat, body)
    offset = sub(load3(d.xipos, body), load3(d.subtree_com, m.body_rootid[body]))
    angular, linear = motion_in_fluid(load6(d.cvel, body), offset, frame, load3(m.opt.wind, 0))
    sides = inertia_box(load3(m.body_inertia, body), m.body_mass[body])
    torque, force = box_force(angular, linear, sides, m.opt.density, m.opt.viscosity)
    return transport_force(multiply_vector(frame, force), multiply_vector(frame, torque), offset)


@kernel
def ellipsoid_force_at(m, d, geom):
    """Force on the ellipsoid of a geom, in world axes about the center of its tree."""
    body = m.geom_bodyid[geom]
    frame = load9(d.geom_xmat, geom)
    offset = sub(load3(d.geom_xpos, geom), load3(d.subtree_com, m.body_rootid[body]))
    angular, linear = motion_in_fluid(load6(d.cvel, body), offset, frame, load3(m.opt.wind, 0))
    axes = semiaxes(m, geom)
    torque, force = added_mass_force(angular, linear, geom_added_mass(m, geom), geom_added_inertia(m, geom))
    density, viscosity = m.opt.density, m.opt.viscosity
    area, circulation = projected_area(linear, axes)
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
def box_force(angular, linear, sides, density, viscosity):
    """Torque and force: viscosity as on the sphere of mean diameter, drag as on the three pairs of faces."""
    diameter = (sides[0] + sides[1] + sides[2]) / 3.0
    viscous_torque = where(viscosity > 0.0, PI * diameter * diameter * diameter * viscosity, 0.0)
    viscous_force = where(viscosity > 0.0, 3.0 * PI * diameter * viscosity, 0.0)
    density = where(density > 0.0, density, 0.0)
    x4, y4, z4 = fourth_power(sides[0]), fourth_power(sides[1]), fourth_power(sides[2])
    torque_factor, force_factor = density / 64.0, 0.5 * density
    torque = (
        resist(angular[0], viscous_torque, torque_factor * sides[0] * (y4 + z4)),
        resist(angular[1], viscous_torque, torque_factor * sides[1] * (x4 + z4)),
        resist(angular[2], viscous_torque, torque_factor * sides[2] * (x4 + y4)),
    )
    force = (
        resist(linear[0], viscous_force, force_factor * sides[1] * sides[2]),
        resist(linear[1], viscous_force, force_factor * sides[0] * sides[2]),
        resist(linear[2], viscous_force, force_factor * sides[0] * sides[1]),
    )
    return torque, force


@kernel
def resist(velocity, linear, quadratic):
    """Force against a velocity, with a part that grows with its square."""
    return -velocity * (linear + quadratic * abs_(velocity))


@kernel
def fourth_power(x):
    return (x * x) * (x * x)


# --- the ellipsoid


@kernel
def semiaxes(m, geom):
    """Semi-axes of the ellipsoid that stands for a geom."""
    return semi_axes(m.geom_type[geom], load3(m.geom_size, geom))


@kernel
def geom_added_mass(m, geom):
    fluid_ = m.geom_fluid
    return (fluid_[geom, ADDED_MASS], fluid_[geom, ADDED_MASS + 1], fluid_[geom, ADDED_MASS + 2])


@kernel
def geom_added_inertia(m, geom):
    fluid_ = m.geom_fluid
    return (fluid_[geom, ADDED_INERTIA], fluid_[geom, ADDED_INERTIA + 1], fluid_[geom, ADDED_INERTIA + 2])


@kernel
def added_mass_force(angular, linear, mass, inertia):
    """Torque and force, per density, that turn the momentum of the fluid that moves along."""
    momentum = multiply_elements(mass, linear)
    spin = multiply_elements(inertia, angular)
    return add(cross(momentum, linear), cross(spin, angular)), cross(momentum, angular)


@kernel
def projected_area(linear, axes):
    """Area projected along the velocity, and the direction of circulation times the cosine of its attack.

    Both are computed for an ellipsoid of unit length in a flow of unit speed; with no length, no speed or no area to
    speak of they are zero.
    """
    length, speed = sorted_axes(axes)[0], norm(linear)
    is_moving = and_(length >= MINVAL, speed >= MINVAL)
    a = scale(axes, 1.0 / where(is_moving, length, 1.0))
    u = scale(linear, 1.0 / where(is_moving, speed, 1.0))
    across = (a[1] * a[2], a[2] * a[0], a[0] * a[1])
    across = multiply_elements(across, across)
    normal = multiply_elements(across, u)
    product = dot(normal, u)
    has_area = and_(is_moving, product >= MINVAL)
    product = where(has_area, product, 1.0)
    square = where(has_area, dot(normal, normal), 1.0)
    area = where(has_area, PI * (length * length) * sqrt(square / product), 0.0)
    circulation = scale(cross(normal, u), product / square)
    return area, where3(has_area, circulation, (0.0, 0.0, 0.0))


@kernel
def lift_force(angular, linear, axes, magnus, circulation):
    """Force across the velocity, per density: spin (Magnus) and circulation (Kutta-Joukowski)."""
    volume = 4.0 / 3.0 * PI * axes[0] * axes[1] * axes[2]
    return add(scale(cross(angular, linear), magnus * volume), cross(circulation, linear))


@kernel
def sorted_axes(axes):
    """Longest and middle semi-axis."""
    longest = maximum(maximum(axes[0], axes[1]), axes[2])
    shortest = minimum(minimum(axes[0], axes[1]), axes[2])
    return longest, axes[0] + axes[1] + axes[2] - longest - shortest


@kernel
def drag(linear, axes, area, density, viscosity, blunt, slender):
    """Force against the velocity, per velocity: Stokes' law of the mean sphere, and a part for the projected area."""
    longest, middle = sorted_axes(axes)
    area = area * blunt + slender * (PI * longest * middle - area)
    stokes = 2.0 * PI * (axes[0] + axes[1] + axes[2])
    return viscosity * stokes + density * norm(linear) * area


@kernel
def angular_drag(angular, axes, density, viscosity, coefficient, slender):
    """Torque against the angular velocity, per angular velocity: Stokes' law of the mean sphere, and drag."""
    longest, middle = sorted_axes(axes)
    largest = moment(middle, longest)
    x = moment(axes[0], maximum(axes[1], axes[2]))
    y = moment(axes[1], maximum(axes[2], axes[0]))
    z = moment(axes[2], maximum(axes[0], axes[1]))
    resistance = (
        angular[0] * (coefficient * x + slender * (largest - x)),
        angular[1] * (coefficient * y + slender * (largest - y)),
        angular[2] * (coefficient * z + slender * (largest - z)),
    )
    diameter = 2.0 / 3.0 * (axes[0] + axes[1] + axes[2])
    stokes = PI * diameter * diameter * diameter
    return viscosity * stokes + density * norm(resistance)


@kernel
def moment(axis, across):
    """Moment of a spheroid that resists spinning about `axis`, `across` its larger semi-axis normal to it."""
    return 8.0 / 15.0 * PI * axis * fourth_power(across)
