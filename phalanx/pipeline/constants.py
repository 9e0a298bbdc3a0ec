"""Constants of a Model that follow from its other rows: what MuJoCo's mj_setConst computes with numbers.

Three stages, run in this order on a Data of their own: what no pose enters into, what the reference pose gives, and
what the inertia at that pose gives. Each is a separate call, because `m` is constant while a kernel runs: a stage
writes through `c` (the same Model, writable), reads its own results back through `c`, and sees those of the stages
before it through `m`. Integers and flags are derived in `phalanx.pipeline.derive`.

Not here yet: flexes.
"""

from __future__ import annotations

from phalanx.algebra.elementary import PI, power
from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import from_quaternion
from phalanx.algebra.memory import load3, load4, load6, load10, store3, store4, store6, store9
from phalanx.algebra.number import abs_, any_, maximum, not_, pick, sqrt, where
from phalanx.algebra.quaternion import rotate
from phalanx.algebra.spatial import dot6, inertia_times_motion
from phalanx.algebra.vector import MINVAL, add_scaled, dot, norm, normalize, sub
from phalanx.collision.geom.hfield import hfield_bounds
from phalanx.collision.geom.table import bounds
from phalanx.constraint.equality.anchor import body_point
from phalanx.constraint.table import equality_reference
from phalanx.smooth.actuator.reflected import joint_actuator_armature
from phalanx.smooth.actuator.transmission import transmission
from phalanx.smooth.center_of_mass import com_pos
from phalanx.smooth.inertia import composite_inertias, factor_m, make_m, solve_m
from phalanx.smooth.jacobian import jac_of_chain, last_dof
from phalanx.smooth.kinematics import fixed_frame, kinematics
from phalanx.smooth.passive.semi_axes import semi_axes
from phalanx.smooth.tendon.tendon import tendon
from phalanx.tables.enums import GeomType
from phalanx.tables.geoms import WITH_ASSET
from phalanx.tables.joints import ROTATIONS, TRANSLATIONS
from phalanx.tables.sizes import EPSILON

#: body_simple of a body that only slides.
SLIDES_ONLY = 2
#: Smallest size of a body.
MINSIZE = 1e-5


# --- stage 1: without a pose


@kernel
def constants_fixed(m, c, d):
    """Masses of subtrees, margins of bodies, bounding volumes and added masses of geoms."""
    subtree_masses(m, c)
    body_margins(m, c)
    for geom in range(m.ngeom):
        geom_bounds(m, c, geom)
        added_mass(m, c, geom)


@kernel
def subtree_masses(m, c):
    """body_subtreemass"""
    for body in range(m.nbody):
        c.body_subtreemass[body] = m.body_mass[body]
    for body in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[body]
        c.body_subtreemass[parent] = c.body_subtreemass[parent] + c.body_subtreemass[body]


@kernel
def body_margins(m, c):
    """body_margin: the largest distance at which a geom of the body is felt, never negative."""
    for body in range(m.nbody):
        c.body_margin[body] = 0.0
    for geom in range(m.ngeom):
        body = m.geom_bodyid[geom]
        c.body_margin[body] = maximum(c.body_margin[body], m.geom_margin[geom] + m.geom_gap[geom])


@kernel
def geom_bounds(m, c, geom):
    """geom_aabb and geom_rbound from the sizes of a geom. Those of a mesh or an SDF come with the asset and stay."""
    kind = m.geom_type[geom]
    if kind == GeomType.HFIELD:
        size, box, radius = hfield_bounds(load4(m.hfield_size, m.geom_dataid[geom]))
        store3(c.geom_size, geom, size)
        store6(c.geom_aabb, geom, box)
        c.geom_rbound[geom] = radius
    elif kind not in WITH_ASSET:
        box, radius = bounds(kind, load3(c.geom_size, geom))
        store6(c.geom_aabb, geom, box)
        c.geom_rbound[geom] = radius


# --- added mass of the fluid that an ellipsoid carries along (H. Lamb, Hydrodynamics, §§114-115)

#: Points of the 15-point Gauss-Kronrod rule on [0, 1] up to the middle, and weights, to the digits that MuJoCo keeps.
_LOWER = (0.00427231, 0.02544604, 0.06756779, 0.12923441, 0.20695638, 0.29707742, 0.39610752)
_POINTS = (*_LOWER, 0.5, *(1.0 - x for x in reversed(_LOWER)))
_LIGHT = (0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236, 0.09517529, 0.10221647)
WEIGHTS = (*_LIGHT, 0.10474107, *reversed(_LIGHT))
#: The rule on [0, infinity) by the change of variable x³ / (1 - x)², and the derivative of that.
ABSCISSAS = tuple(x**3 / (1.0 - x) ** 2 for x in _POINTS)
RATES = tuple(x**2 * (3.0 - x) / (1.0 - x) ** 3 for x in _POINTS)
COUNT = len(_POINTS)


@kernel
def added_mass(m, c, geom):
    """geom_fluid from the sixth element on: added masses and inertias along the axes, if the geom has the model."""
    has_model = not_(c.geom_fluid[geom, 0] <= 0.0)
    if not any_(has_model):
        return
    x, y, z = semi_axes(m.geom_type[geom], load3(c.geom_size, geom))
    volume = 4.0 / 3.0 * PI * x * y * z
    kx, ky, kz = shape_factor(x, y, z), shape_factor(y, z, x), shape_factor(z, x, y)
    x2, y2, z2 = x * x, y * y, z * z
    masses = (volume * mass_factor(kx), volume * mass_factor(ky), volume * mass_factor(kz))
    inertias = (
        volume * inertia_factor(y2, z2, ky, kz) / 5.0,
        volume * inertia_factor(z2, x2, kz, kx) / 5.0,
        volume * inertia_factor(x2, y2, kx, ky) / 5.0,
    )
    for k in range(3):
        c.geom_fluid[geom, 6 + k] = where(has_model, masses[k], c.geom_fluid[geom, 6 + k])
        c.geom_fluid[geom, 9 + k] = where(has_model, inertias[k], c.geom_fluid[geom, 9 + k])


@kernel
def shape_factor(x, y, z):
    """The integral x y z dl / sqrt((x² + l)³ (y² + l) (z² + l)) from 0 to infinity."""
    inverse_x2, inverse_y2, inverse_z2 = 1.0 / (x * x), 1.0 / (y * y), 1.0 / (z * z)
    # l in units of a length² of the ellipsoid: the rule then serves all sizes alike
    scale = power(x * x * x * y * z, 0.4)
    total = 0.0
    for k in range(COUNT):
        l = scale * pick(ABSCISSAS, k)
        fx = 1.0 + l * inverse_x2
        denominator = fx * sqrt(fx * (1.0 + l * inverse_y2) * (1.0 + l * inverse_z2))
        total = total + scale * pick(RATES, k) / denominator * pick(WEIGHTS, k)
    return total * inverse_x2


@kernel
def mass_factor(k):
    """Added mass along an axis, per mass of fluid in the ellipsoid."""
    return k / maximum(EPSILON, 2.0 - k)


@kernel
def inertia_factor(y2, z2, ky, kz):
    """Five times the added inertia about the third axis, per mass of fluid in the ellipsoid."""
    difference = y2 - z2
    # numerator and denominator change sign together
    denominator = abs_(2.0 * difference + (y2 + z2) * (ky - kz))
    return difference * difference * abs_(kz - ky) / maximum(EPSILON, denominator)


# --- stage 2: at the reference pose


@kernel
def constants_at_qpos0(m, c, d):
    """Cameras, lights, equalities, lengths of tendons, actuators and dofs, and the diagonal of M, at qpos0."""
    reference_pose(m, d)
    kinematics(m, d)
    com_pos(m, d)
    if m.ntendon > 0:
        tendon(m, d)
    if m.nactuator > 0:
        transmission(m, d)
    for camera in range(m.ncam):
        camera_offsets(m, c, d, camera)
    for light in range(m.nlight):
        light_offsets(m, c, d, light)
    for equality in range(m.neq):
        equality_reference(m.eq_type[equality], m, c, d, equality)
    for index in range(m.ntendon):
        c.tendon_length0[index] = d.ten_length[index]
    for out in range(m.nout):
        c.actuator_length0[out] = d.actuator_length[out]
    dof_lengths(m, c, d)
    inertia_diagonal(m, c, d)


@kernel
def reference_pose(m, d):
    """qpos0, and mocap bodies where the Model has them."""
    for k in range(m.nq):
        d.qpos[k] = m.qpos0[k]
    for body in range(m.nbody):
        mocap = m.body_mocapid[body]
        if mocap >= 0:
            store3(d.mocap_pos, mocap, load3(m.body_pos, body))
            store4(d.mocap_quat, mocap, load4(m.body_quat, body))


@kernel
def center_followed(d, body, target):
    """Center of mass that a camera or light of `body` keeps its distance from."""
    if target >= 0:
        return load3(d.subtree_com, target)
    return load3(d.subtree_com, body)


@kernel
def camera_offsets(m, c, d, camera):
    """cam_pos0, cam_poscom0, cam_mat0: where the camera is when it is fixed to its body."""
    body = m.cam_bodyid[camera]
    pos, quat = fixed_frame(d, body, load3(m.cam_pos, camera), load4(m.cam_quat, camera))
    center = center_followed(d, body, m.cam_targetbodyid[camera])
    store3(c.cam_pos0, camera, sub(pos, load3(d.xpos, body)))
    store3(c.cam_poscom0, camera, sub(pos, center))
    store9(c.cam_mat0, camera, from_quaternion(quat))


@kernel
def light_offsets(m, c, d, light):
    """light_pos0, light_poscom0, light_dir0: where the light is when it is fixed to its body."""
    body = m.light_bodyid[light]
    pos = body_point(d, body, load3(m.light_pos, light))
    center = center_followed(d, body, m.light_targetbodyid[light])
    store3(c.light_pos0, light, sub(pos, load3(d.xpos, body)))
    store3(c.light_poscom0, light, sub(pos, center))
    store3(c.light_dir0, light, normalize(rotate(load3(m.light_dir, light), load4(d.xquat, body))))


@kernel
def dof_lengths(m, c, d):
    """dof_length: 1 for a translation, the size of the body for a rotation."""
    body_sizes(m, d)
    for dof in range(m.nv):
        joint = m.dof_jntid[dof]
        if dof < m.jnt_dofadr[joint] + TRANSLATIONS[m.jnt_type[joint]]:
            c.dof_length[dof] = 1.0
        else:
            c.dof_length[dof] = d.constants_size[m.dof_bodyid[dof]]


@kernel
def body_sizes(m, d):
    """How far a body reaches from its center of mass: to its joints, those of its children, and its geoms."""
    for body in range(m.nbody):
        d.constants_size[body] = MINSIZE
    for joint in range(m.njnt):
        body = m.jnt_bodyid[joint]
        anchor = load3(d.xanchor, joint)
        reach_to(d, body, norm(sub(load3(d.xipos, body), anchor)))
        reach_to(d, m.body_parentid[body], norm(sub(load3(d.xipos, m.body_parentid[body]), anchor)))
    for geom in range(m.ngeom):
        body = m.geom_bodyid[geom]
        radius = m.geom_rbound[geom]
        reach = radius + norm(sub(load3(d.xipos, body), load3(d.geom_xpos, geom)))
        reach_to(d, body, where(radius > 0.0, reach, 0.0))


@kernel
def reach_to(d, body, distance):
    """Let the size of a body be at least a distance from its center of mass."""
    d.constants_size[body] = maximum(d.constants_size[body], distance)


@kernel
def inertia_diagonal(m, c, d):
    """dof_M0: the diagonal of M."""
    composite_inertias(m, d)
    for dof in range(m.nv):
        axis = load6(d.cdof, dof)
        momentum = inertia_times_motion(load10(d.crb, m.dof_bodyid[dof]), axis)
        armature = m.dof_armature[dof] + joint_actuator_armature(m, m.dof_jntid[dof])
        c.dof_M0[dof] = armature + dot6(axis, momentum)


# --- stage 3: with the inertia at the reference pose


@kernel
def constants_inertia(m, c, d):
    """body_invweight0, dof_invweight0, tendon_invweight0, actuator_acc0. `d` is as stage 2 left it."""
    make_m(m, d)
    factor_m(m, d)
    for body in range(m.nbody):
        body_invweight(m, c, d, body)
    for joint in range(m.njnt):
        joint_invweight(m, c, d, joint)
    for index in range(m.ntendon):
        c.tendon_invweight0[index] = tendon_invweight(m, d, index)
    for out in range(m.nout):
        c.actuator_acc0[out] = unit_acceleration(m, d, out)


@kernel
def body_invweight(m, c, d, body):
    """Mean inverse inertia of a body against forces at its center of mass, and against torques."""
    dof = last_dof(m, body)
    if dof < 0:
        c.body_invweight0[body, 0] = 0.0
        c.body_invweight0[body, 1] = 0.0
    elif m.body_simple[body] == SLIDES_ONLY:
        c.body_invweight0[body, 0] = 1.0 / maximum(MINVAL, m.body_mass[body])
        c.body_invweight0[body, 1] = 0.0
    else:
        jac_of_chain(m, d, body, load3(d.xipos, body))
        c.body_invweight0[body, 0] = mean_inverse(m, d, d.jacp, dof)
        c.body_invweight0[body, 1] = mean_inverse(m, d, d.jacr, dof)


@kernel
def mean_inverse(m, d, columns, last):
    """Mean of the diagonal of J M^-1 J' for three rows that end at the dof `last`, given by columns and destroyed.

    With M = L' D L it is the squared length of L^-T J' in the metric of D^-1, and L^-T never leaves the chain of dofs.
    """
    total = 0.0
    dof = last
    while dof >= 0:
        value = load3(columns, dof)
        start = m.M_rowadr[dof]
        for address in range(start, start + m.M_rownnz[dof] - 1):
            ancestor = m.M_colind[address]
            store3(columns, ancestor, add_scaled(load3(columns, ancestor), value, -d.qLD[address]))
        total = total + dot(value, value) * d.qLDiagInv[dof]
        dof = m.dof_parentid[dof]
    return total / 3.0


@kernel
def joint_invweight(m, c, d, joint):
    """The diagonal of M^-1, averaged over the translations and over the rotations of a joint."""
    dof, body, kind = m.jnt_dofadr[joint], m.jnt_bodyid[joint], m.jnt_type[joint]
    if m.body_simple[body] == SLIDES_ONLY:
        c.dof_invweight0[dof] = 1.0 / maximum(MINVAL, m.body_mass[body])
    else:
        average_invweight(m, c, d, dof, TRANSLATIONS[kind])
        average_invweight(m, c, d, dof + TRANSLATIONS[kind], ROTATIONS[kind])


@kernel
def average_invweight(m, c, d, first, count):
    """The same value for `count` dofs, so that no axis of a space of equals is preferred."""
    total = 0.0
    for dof in range(first, first + count):
        total = total + inverse_diagonal(m, d, dof)
    for dof in range(first, first + count):
        c.dof_invweight0[dof] = total / float(count)


@kernel
def inverse_diagonal(m, d, dof):
    """One element of the diagonal of M^-1, as in `mean_inverse`."""
    x = d.constants_vector
    ancestor = m.dof_parentid[dof]
    while ancestor >= 0:
        x[ancestor] = 0.0
        ancestor = m.dof_parentid[ancestor]
    x[dof] = 1.0
    total = 0.0
    while dof >= 0:
        value = x[dof]
        start = m.M_rowadr[dof]
        for address in range(start, start + m.M_rownnz[dof] - 1):
            ancestor = m.M_colind[address]
            x[ancestor] = x[ancestor] - d.qLD[address] * value
        total = total + value * value * d.qLDiagInv[dof]
        dof = m.dof_parentid[dof]
    return total


@kernel
def tendon_invweight(m, d, index):
    """ten_J M^-1 ten_J'"""
    x = d.constants_vector
    for dof in range(m.nv):
        x[dof] = 0.0
    start, end = m.ten_J_rowadr[index], m.ten_J_rowadr[index] + m.ten_J_rownnz[index]
    for address in range(start, end):
        x[m.ten_J_colind[address]] = d.ten_J[address]
    solve_m(m, d, x)
    total = 0.0
    for address in range(start, end):
        total = total + d.ten_J[address] * x[m.ten_J_colind[address]]
    return total


@kernel
def unit_acceleration(m, d, out):
    """Length of the acceleration that a unit force of an actuator output gives."""
    x = d.constants_vector
    for dof in range(m.nv):
        x[dof] = 0.0
    start = d.moment_rowadr[out]
    for address in range(start, start + d.moment_rownnz[out]):
        x[d.moment_colind[address]] = d.actuator_moment[address]
    solve_m(m, d, x)
    total = 0.0
    for dof in range(m.nv):
        total = total + x[dof] * x[dof]
    return sqrt(total)
