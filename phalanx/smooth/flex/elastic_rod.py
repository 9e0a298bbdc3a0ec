"""Elastic rods: bending and twist of chains of edges (Bergou et al., "Discrete elastic rods").

An edge has a reference frame of its tangent t and a unit vector u across it, and a material frame, which is rotated by
an angle about t: the position of a hinge joint, or what a body says that clamps the edge. Reference frames are state:
in each step they go along with the tangent by the shortest rotation. Frames that are all zero are unstarted: then that
of the first edge comes from the reference pose and is carried along the rod.

A hinge between two edges has the curvature binormal kb = 2 e0 x e1 / (l0 l1 + e0.e1). Its components in the material
frames of both edges are held at those of the reference pose, with the stiffness of the axes of the cross-section; the
twist between the frames is held at zero. Rods without twist joints hold the size of kb, and the angle between the
planes of neighboring hinges.

Damping acts on the rates of |kb| and of the twist, so that rotations of the whole rod are free.
"""

from __future__ import annotations

from phalanx.algebra.elementary import atan2, sincos
from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_vector
from phalanx.algebra.memory import load3, load4, load9, store3
from phalanx.algebra.number import and_, floor, sqrt, where
from phalanx.algebra.quaternion import conjugate, multiply, rotate
from phalanx.algebra.vector import MINVAL, add, add_scaled, cross, dot, norm, scale, sub, where3
from phalanx.smooth.flex.carriers import push, push_torque, velocity_of
from phalanx.smooth.jacobian import last_dof

#: Numbers of a record: a hinge, or a pair of neighboring hinges.
RECORD = 10
#: Squares of curvatures, as parts of those at rest, below which the planes of a pair of hinges fade out.
FADING = 1e-8
TWO_PI = 6.283185307179586


@kernel
def hinge_count(m, flex):
    """How many records a rod has."""
    start = m.flex_bendingadr[flex]
    if m.flex_dim[flex] != 1 or start < 0:
        return 0
    return int(m.flex_bending[start])


@kernel
def record_of(m, flex, hinge):
    """Address of a record."""
    return m.flex_bendingadr[flex] + 1 + RECORD * hinge


@kernel
def has_frames(m, flex):
    """Has a rod twist joints, and so frames?"""
    return m.flex_plasticadr[flex] >= 0


@kernel
def is_boxed(m, flex):
    """Has a rod with frames a box section? The last number of a record is its smaller half size, 0 of a round one."""
    return hinge_count(m, flex) > 0 and has_frames(m, flex) and m.flex_bending[record_of(m, flex, 0) + 9] != 0.0


@kernel
def vertex_at(m, flex, place):
    """The vertex at a place of the chain of a rod with frames."""
    hinge = max(place - 2, 0)
    return m.flex_vertadr[flex] + int(m.flex_bending[record_of(m, flex, hinge) + place - hinge])


@kernel
def twist_joint(m, flex, edge):
    """The hinge joint that rotates the material frame of an edge, counted along the chain; -1 if a body clamps it."""
    if edge > 0:
        return int(m.flex_bending[record_of(m, flex, edge - 1) + 7])
    if is_first_clamped(m, flex):
        return -1
    return int(m.flex_bending[record_of(m, flex, 0) + 7]) - 1


@kernel
def is_first_clamped(m, flex):
    """Are both ends of the first edge fixed to one body?"""
    body1, body2 = m.flex_vertbodyid[vertex_at(m, flex, 0)], m.flex_vertbodyid[vertex_at(m, flex, 1)]
    return m.body_weldid[body1] == m.body_weldid[body2]


@kernel
def clamp_body(m, flex, edge):
    """The body at the start of an edge, which clamps it if both ends are fixed to one."""
    return m.flex_vertbodyid[vertex_at(m, flex, edge)]


# --- frames


@kernel
def transported(u, before, after):
    """A vector across a unit vector, rotated with it by the shortest rotation."""
    axis, cosine = cross(before, after), dot(before, after)
    rotated = add(scale(u, cosine), cross(axis, u))
    return add_scaled(rotated, axis, dot(axis, u) / (1.0 + cosine))


@kernel
def across(t):
    """A unit vector across another: along y, or along z where that is too near."""
    is_flat = t[1] * t[1] < 0.25
    y, z = where(is_flat, 1.0, 0.0), where(is_flat, 0.0, 1.0)
    u = add_scaled((0.0 * y, y, z), t, -(t[1] * y + t[2] * z))
    return scale(u, 1.0 / norm(u))


@kernel
def section_across(m, flex, t):
    """The same for an edge of a rod: a quarter rotation on if the record has the smaller half size with a minus."""
    u = across(t)
    return cross(t, u) if m.flex_bending[record_of(m, flex, 0) + 9] < 0.0 else u


@kernel
def unit(v):
    """v / |v|"""
    return scale(v, 1.0 / norm(v))


@kernel
def rest_point(m, flex, vertex):
    """A vertex at the reference pose, from the middle of the flex."""
    return (
        (2.0 * m.flex_vert0[vertex, 0] - 1.0) * m.flex_size[flex, 0],
        (2.0 * m.flex_vert0[vertex, 1] - 1.0) * m.flex_size[flex, 1],
        (2.0 * m.flex_vert0[vertex, 2] - 1.0) * m.flex_size[flex, 2],
    )


@kernel
def rest_edge(m, flex, edge):
    """An edge at the reference pose."""
    start, end = vertex_at(m, flex, edge), vertex_at(m, flex, edge + 1)
    return sub(rest_point(m, flex, end), rest_point(m, flex, start))


@kernel
def rest_rotation(m, body):
    """Orientation of a body at the reference pose, where joints rotation nothing."""
    quat = load4(m.body_quat, body)
    parent = m.body_parentid[body]
    while parent > 0:
        quat = multiply(load4(m.body_quat, parent), quat)
        parent = m.body_parentid[parent]
    return quat


@kernel
def clamped_normal(m, flex):
    """u of a first edge that is clamped, in the frame of the body."""
    first, second = vertex_at(m, flex, 0), vertex_at(m, flex, 1)
    body1, body2 = m.flex_vertbodyid[first], m.flex_vertbodyid[second]
    if body1 == body2:
        return section_across(m, flex, unit(sub(load3(m.flex_vert, second), load3(m.flex_vert, first))))
    # welded bodies: the edge in the frame of the first one
    quat = rest_rotation(m, body1)
    return section_across(m, flex, unit(rotate(rest_edge(m, flex, 0), conjugate(quat))))


@kernel
def needs_rest(m, flex):
    """Do frames at the reference pose matter behind the first edge? Where the rod is curved, or its end is clamped."""
    count = hinge_count(m, flex)
    for hinge in range(count):
        if m.flex_bending[record_of(m, flex, hinge) + 6] != 0.0:
            return True
    return twist_joint(m, flex, count) < 0


@kernel
def rest_normals(m, d, flex):
    """rod_rest: u of all edges at the reference pose, without twist along the rod."""
    first, count = m.flex_edgeadr[flex], hinge_count(m, flex) + 1
    tangent = unit(rest_edge(m, flex, 0))
    # across the edge as the body of the first vertex sees it
    quat = rest_rotation(m, clamp_body(m, flex, 0))
    if is_first_clamped(m, flex):
        u = rotate(clamped_normal(m, flex), quat)
    else:
        u = rotate(section_across(m, flex, rotate(tangent, conjugate(quat))), quat)
    store3(d.rod_rest, first, u)
    for edge in range(1, count if needs_rest(m, flex) else 1):
        following = unit(rest_edge(m, flex, edge))
        u = transported(u, tangent, following)
        store3(d.rod_rest, first + edge, u)
        tangent = following


@kernel
def edges_of_rod(m, d, flex):
    """rod_tangent, rod_length, rod_motion: direction, length and velocity of the edges along the chain."""
    first, count = m.flex_edgeadr[flex], hinge_count(m, flex) + 1
    start = vertex_at(m, flex, 0)
    point = load3(d.flexvert_xpos, start)
    velocity = velocity_of(m, d, m.flex_vertbodyid[start], point)
    for edge in range(count):
        end = vertex_at(m, flex, edge + 1)
        following = load3(d.flexvert_xpos, end)
        motion = velocity_of(m, d, m.flex_vertbodyid[end], following)
        step = sub(following, point)
        length = norm(step)
        d.rod_length[first + edge] = length
        store3(d.rod_tangent, first + edge, scale(step, 1.0 / length))
        store3(d.rod_motion, first + edge, sub(motion, velocity))
        point, velocity = following, motion


@kernel
def frames_of_rod(m, d, flex):
    """rod_normal, rod_spin, rod_angle, rod_rate of all edges; rod_twist of all hinges.

    rod_spin is how a reference frame rotates about its tangent when the edge does: the shortest rotation from an older
    tangent is not without twist on the way from here.
    """
    first, count = m.flex_edgeadr[flex], hinge_count(m, flex) + 1
    rest_normals(m, d, flex)
    for edge in range(count):
        joint = twist_joint(m, flex, edge)
        if joint >= 0:
            free_frame(m, d, flex, edge, joint)
        else:
            clamped_frame(m, d, flex, edge)
    for hinge in range(count - 1):
        d.rod_twist[first + hinge] = reference_twist(m, d, flex, hinge)


@kernel
def free_frame(m, d, flex, edge, joint):
    """The frame of an edge that a joint rotates."""
    place, here = m.flex_plasticadr[flex] + 6 * edge, m.flex_edgeadr[flex] + edge
    tangent, old = load3(d.rod_tangent, here), load3(d.plastic, place)
    is_started = dot(old, old) > 0.0
    if edge == 0:
        u = transported(load3(d.rod_rest, here), unit(rest_edge(m, flex, 0)), tangent)
    else:
        u = normal_along(d, here)
    carried = transported(load3(d.plastic, place + 3), where3(is_started, old, tangent), tangent)
    store3(d.rod_normal, here, where3(is_started, carried, u))
    weight = where(is_started, 1.0, 0.0) / ((1.0 + dot(old, tangent)) * d.rod_length[here])
    store3(d.rod_spin, here, scale(cross(tangent, old), weight))
    d.rod_angle[here] = d.qpos[m.jnt_qposadr[joint]] - m.qpos0[m.jnt_qposadr[joint]]
    d.rod_rate[here] = d.qvel[m.jnt_dofadr[joint]]


@kernel
def clamped_frame(m, d, flex, edge):
    """The frame of an edge that a body clamps: fixed to the body, and not rotated."""
    here, body = m.flex_edgeadr[flex] + edge, clamp_body(m, flex, edge)
    if edge == 0:
        local = clamped_normal(m, flex)
    else:
        local = rotate(load3(d.rod_rest, here), conjugate(rest_rotation(m, body)))
    store3(d.rod_normal, here, multiply_vector(load9(d.xmat, body), local))
    store3(d.rod_spin, here, (0.0, 0.0, 0.0))
    d.rod_angle[here] = 0.0
    spin = (d.cvel[body, 0], d.cvel[body, 1], d.cvel[body, 2])
    d.rod_rate[here] = dot(spin, load3(d.rod_tangent, here))


@kernel
def normal_along(d, edge):
    """u of the edge before, carried to this one."""
    return transported(load3(d.rod_normal, edge - 1), load3(d.rod_tangent, edge - 1), load3(d.rod_tangent, edge))


@kernel
def reference_twist(m, d, flex, hinge):
    """Angle from the reference frame before a hinge to that behind it, nearest to where it was."""
    edge = m.flex_edgeadr[flex] + hinge
    carried, u = normal_along(d, edge + 1), load3(d.rod_normal, edge + 1)
    angle = atan2(dot(cross(carried, u), load3(d.rod_tangent, edge + 1)), dot(carried, u))
    before = d.plastic[m.flex_plasticadr[flex] + 6 * (hinge_count(m, flex) + 1) + hinge]
    return angle + TWO_PI * floor((before - angle) / TWO_PI + 0.5)


@kernel
def advance_frames(m, d, flex, alive):
    """plastic: frames and reference twists of the last forward pass, in the worlds that are alive."""
    first, place, count = m.flex_edgeadr[flex], m.flex_plasticadr[flex], hinge_count(m, flex) + 1
    for edge in range(count):
        for k in range(3):
            t, u = place + 6 * edge + k, place + 6 * edge + 3 + k
            d.plastic[t] = where(alive, d.rod_tangent[first + edge, k], d.plastic[t])
            d.plastic[u] = where(alive, d.rod_normal[first + edge, k], d.plastic[u])
    for hinge in range(count - 1):
        twist = place + 6 * count + hinge
        d.plastic[twist] = where(alive, d.rod_twist[first + hinge], d.plastic[twist])


# --- curvature


@kernel
def binormal(t0, t1):
    """kb of two tangents: twice the tangent of half the angle between them, along the axis of the rotation."""
    return scale(cross(t0, t1), 2.0 / (1.0 + dot(t0, t1)))


@kernel
def pull_back(kb, w, t0, t1, l0, l1):
    """Derivatives of w.kb by the edges e0 and e1, for w that does not change."""
    divisor = 1.0 / (1.0 + dot(t0, t1))
    along = dot(w, kb) * divisor
    g0 = sub(scale(cross(t1, w), 2.0 * divisor), scale(add(t0, t1), along))
    g1 = sub(scale(cross(w, t0), 2.0 * divisor), scale(add(t0, t1), along))
    return scale(g0, 1.0 / l0), scale(g1, 1.0 / l1)


@kernel
def material_axes(t, u, angle):
    """The two axes of a material frame."""
    v = cross(t, u)
    sine, cosine = sincos(angle)
    return add(scale(u, cosine), scale(v, sine)), sub(scale(v, cosine), scale(u, sine))


@kernel
def components(kb, first, second):
    """kb in a material frame."""
    return dot(kb, second), -dot(kb, first)


@kernel
def rest_components(m, d, flex, hinge, edge):
    """kb of a hinge at the reference pose in the frame of an edge, zero where the rod is straight there."""
    if m.flex_bending[record_of(m, flex, hinge) + 6] == 0.0:
        return 0.0, 0.0
    t0, t1 = unit(rest_edge(m, flex, hinge)), unit(rest_edge(m, flex, hinge + 1))
    t = t0 if edge == hinge else t1
    u = load3(d.rod_rest, m.flex_edgeadr[flex] + edge)
    return components(binormal(t0, t1), u, cross(t, u))


@kernel
def section_stiffness(m, record):
    """Stiffness of both components of kb: u is along the longer side of the section, so that the first is strong."""
    return m.flex_bending[record + 4] + m.flex_bending[record + 5], m.flex_bending[record + 4]


@kernel
def section_damping(m, record):
    """The same for damping: the weak axis has the geometric mean of both."""
    strong, weak = section_stiffness(m, record)
    return strong, sqrt(weak * strong)


# --- forces


@kernel
def rod_forces(m, d, flex, has_springs, has_dampers):
    """qfrc_spring and qfrc_damper of a rod."""
    first, count = m.flex_vertadr[flex], m.flex_vertnum[flex]
    for vertex in range(first, first + count):
        store3(d.flexvert_spring, vertex, (0.0, 0.0, 0.0))
        store3(d.flexvert_damper, vertex, (0.0, 0.0, 0.0))
    if has_frames(m, flex):
        edges_of_rod(m, d, flex)
        frames_of_rod(m, d, flex)
        twisted_rod(m, d, flex)
        twist_edges(m, d, flex, has_springs, has_dampers)
    else:
        plain_rod(m, d, flex)
    for vertex in range(first, first + count):
        body, point = m.flex_vertbodyid[vertex], load3(d.flexvert_xpos, vertex)
        if has_springs:
            push(m, d, d.qfrc_spring, body, point, load3(d.flexvert_spring, vertex))
        if has_dampers and m.flex_damping[flex] != 0.0:
            push(m, d, d.qfrc_damper, body, point, load3(d.flexvert_damper, vertex))


@kernel
def add_edge_force(forces, start, end, gradient):
    """Forces at the ends of an edge, from the derivative of an energy by the edge."""
    store3(forces, start, add(load3(forces, start), gradient))
    store3(forces, end, sub(load3(forces, end), gradient))


@kernel
def twisted_rod(m, d, flex):
    """Forces on vertices, and torques about edges, of a rod with frames."""
    first = m.flex_edgeadr[flex]
    for edge in range(first, first + hinge_count(m, flex) + 1):
        d.rod_torque[edge] = 0.0
        d.rod_drag[edge] = 0.0
    for hinge in range(hinge_count(m, flex)):
        bend_hinge(m, d, flex, hinge)
        if m.flex_damping[flex] != 0.0:
            damp_hinge(m, d, flex, hinge)


@kernel
def hinge_twist(d, edge):
    """Twist of the hinge behind an edge."""
    return d.rod_angle[edge + 1] - d.rod_angle[edge] + d.rod_twist[edge]


@kernel
def bend_hinge(m, d, flex, hinge):
    """Bending and twist of one hinge."""
    edge, record = m.flex_edgeadr[flex] + hinge, record_of(m, flex, hinge)
    t0, t1 = load3(d.rod_tangent, edge), load3(d.rod_tangent, edge + 1)
    l0, l1 = d.rod_length[edge], d.rod_length[edge + 1]
    kb = binormal(t0, t1)
    stiff1, stiff2 = section_stiffness(m, record)
    # a round rod that is straight at rest does not care about its frames
    is_plain = m.flex_bending[record + 9] == 0.0 and m.flex_bending[record + 6] == 0.0
    w = scale(kb, 2.0 * stiff1 if is_plain else 0.0)
    for k in range(0 if is_plain else 2):
        t = t0 if k == 0 else t1
        m1, m2 = material_axes(t, load3(d.rod_normal, edge + k), d.rod_angle[edge + k])
        x, y = components(kb, m1, m2)
        x0, y0 = rest_components(m, d, flex, hinge, hinge + k)
        moment1, moment2 = stiff1 * (x - x0), stiff2 * (y - y0)
        w = sub(add_scaled(w, m2, moment1), scale(m1, moment2))
        d.rod_torque[edge + k] = d.rod_torque[edge + k] - (moment1 * y - moment2 * x)
    tension = 2.0 * m.flex_bending[record + 8] * hinge_twist(d, edge)
    d.rod_torque[edge] = d.rod_torque[edge] + tension
    d.rod_torque[edge + 1] = d.rod_torque[edge + 1] - tension
    g0, g1 = pull_back(kb, w, t0, t1, l0, l1)
    g0, g1 = add_scaled(g0, kb, tension / (2.0 * l0)), add_scaled(g1, kb, tension / (2.0 * l1))
    start, middle, end = vertex_at(m, flex, hinge), vertex_at(m, flex, hinge + 1), vertex_at(m, flex, hinge + 2)
    add_edge_force(d.flexvert_spring, start, middle, g0)
    add_edge_force(d.flexvert_spring, middle, end, g1)


@kernel
def damp_hinge(m, d, flex, hinge):
    """Damping of bending and twist of one hinge."""
    edge, record, damping = m.flex_edgeadr[flex] + hinge, record_of(m, flex, hinge), m.flex_damping[flex]
    t0, t1 = load3(d.rod_tangent, edge), load3(d.rod_tangent, edge + 1)
    l0, l1 = d.rod_length[edge], d.rod_length[edge + 1]
    e0, e1 = load3(d.rod_motion, edge), load3(d.rod_motion, edge + 1)
    kb = binormal(t0, t1)
    rate = binormal_rate(kb, t0, t1, scale(e0, 1.0 / l0), scale(e1, 1.0 / l1))
    stiff1, stiff2 = section_damping(m, record)
    size = norm(kb)
    is_bent = size >= MINVAL
    # only the rate of its size, where there is one
    n = scale(kb, 1.0 / where(is_bent, size, 1.0))
    measured = where3(is_bent, scale(n, dot(n, rate)), rate)
    is_round = m.flex_bending[record + 9] == 0.0
    w = scale(measured, 2.0 * stiff1 if is_round else 0.0)
    for k in range(0 if is_round else 2):
        t = t0 if k == 0 else t1
        m1, m2 = material_axes(t, load3(d.rod_normal, edge + k), d.rod_angle[edge + k])
        w = add_scaled(w, m2, stiff1 * dot(m2, measured))
        w = add_scaled(w, m1, stiff2 * dot(m1, measured))
    w = where3(is_bent, scale(n, dot(n, w)), w)
    g0, g1 = pull_back(kb, scale(w, damping), t0, t1, l0, l1)
    twist_rate = d.rod_rate[edge + 1] - d.rod_rate[edge] + (dot(kb, e0) * (0.5 / l0) + dot(kb, e1) * (0.5 / l1))
    tension = 2.0 * damping * m.flex_bending[record + 8] * twist_rate
    d.rod_drag[edge] = d.rod_drag[edge] + tension
    d.rod_drag[edge + 1] = d.rod_drag[edge + 1] - tension
    g0, g1 = add_scaled(g0, kb, tension / (2.0 * l0)), add_scaled(g1, kb, tension / (2.0 * l1))
    start, middle, end = vertex_at(m, flex, hinge), vertex_at(m, flex, hinge + 1), vertex_at(m, flex, hinge + 2)
    add_edge_force(d.flexvert_damper, start, middle, g0)
    add_edge_force(d.flexvert_damper, middle, end, g1)


@kernel
def binormal_rate(kb, t0, t1, e0, e1):
    """Rate of kb, from the rates of both edges as parts of their lengths."""
    divisor = 1.0 / (1.0 + dot(t0, t1))
    change = scale(add(cross(e0, t1), cross(t0, e1)), 2.0 * divisor)
    both = add(t0, t1)
    return add_scaled(change, kb, -(dot(both, e0) + dot(both, e1)) * divisor)


@kernel
def twist_edges(m, d, flex, has_springs, has_dampers):
    """Torques about edges, on their joints or on the bodies that clamp them; and on vertices, by rod_spin."""
    first = m.flex_edgeadr[flex]
    for edge in range(hinge_count(m, flex) + 1):
        torque, drag = d.rod_torque[first + edge], d.rod_drag[first + edge]
        joint, start, end = twist_joint(m, flex, edge), vertex_at(m, flex, edge), vertex_at(m, flex, edge + 1)
        if joint >= 0:
            dof, spin = m.jnt_dofadr[joint], load3(d.rod_spin, first + edge)
            add_edge_force(d.flexvert_spring, start, end, scale(spin, -torque))
            if has_springs:
                d.qfrc_spring[dof] = d.qfrc_spring[dof] + torque
            if has_dampers:
                d.qfrc_damper[dof] = d.qfrc_damper[dof] + drag
        else:
            body, tangent = clamp_body(m, flex, edge), load3(d.rod_tangent, first + edge)
            if last_dof(m, body) >= 0:
                if has_springs:
                    push_torque(m, d, d.qfrc_spring, body, scale(tangent, torque))
                if has_dampers:
                    push_torque(m, d, d.qfrc_damper, body, scale(tangent, drag))


# --- without frames


@kernel
def plain_rod(m, d, flex):
    """Forces of a rod without twist joints."""
    for hinge in range(hinge_count(m, flex)):
        record = record_of(m, flex, hinge)
        bend_plain(m, d, flex, record, 0, m.flex_bending[record + 4], m.flex_bending[record + 6])
        if m.flex_bending[record + 3] >= 0.0:
            bend_plain(m, d, flex, record, 1, m.flex_bending[record + 5], m.flex_bending[record + 7])
            twist_pair(m, d, flex, record)


@kernel
def record_vertex(m, flex, record, k):
    """Vertex k of a record."""
    return m.flex_vertadr[flex] + int(m.flex_bending[record + k])


@kernel
def step_between(m, d, start, end):
    """Vector between two vertices, and its rate."""
    a, b = load3(d.flexvert_xpos, start), load3(d.flexvert_xpos, end)
    rate = sub(
        velocity_of(m, d, m.flex_vertbodyid[end], b),
        velocity_of(m, d, m.flex_vertbodyid[start], a),
    )
    return sub(b, a), rate


@kernel
def bend_plain(m, d, flex, record, k, stiffness, rest):
    """A hinge of three vertices of a record, from vertex k on, that holds the size of its curvature."""
    start, middle = record_vertex(m, flex, record, k), record_vertex(m, flex, record, k + 1)
    end = record_vertex(m, flex, record, k + 2)
    e0, v0 = step_between(m, d, start, middle)
    e1, v1 = step_between(m, d, middle, end)
    l0, l1 = norm(e0), norm(e1)
    t0, t1 = scale(e0, 1.0 / l0), scale(e1, 1.0 / l1)
    kb = binormal(t0, t1)
    size = norm(kb)
    is_bent = size >= MINVAL
    # the size is smooth where a hinge gets straight
    faded = FADING * rest * rest
    smooth = sqrt(size * size + faded)
    held = sqrt(rest * rest + faded) / where(is_bent, smooth, 1.0)
    w = scale(kb, 2.0 * stiffness * (1.0 - where(is_bent, held, 0.0)))
    g0, g1 = pull_back(kb, w, t0, t1, l0, l1)
    add_edge_force(d.flexvert_spring, start, middle, g0)
    add_edge_force(d.flexvert_spring, middle, end, g1)
    if m.flex_damping[flex] != 0.0:
        rate = binormal_rate(kb, t0, t1, scale(v0, 1.0 / l0), scale(v1, 1.0 / l1))
        n = scale(kb, 1.0 / where(is_bent, size, 1.0))
        w = where3(is_bent, scale(n, dot(n, rate)), rate)
        g0, g1 = pull_back(kb, scale(w, 2.0 * stiffness * m.flex_damping[flex]), t0, t1, l0, l1)
        add_edge_force(d.flexvert_damper, start, middle, g0)
        add_edge_force(d.flexvert_damper, middle, end, g1)


@kernel
def twist_pair(m, d, flex, record):
    """The angle between the planes of two neighboring hinges is held at that of the reference pose."""
    p0, p1 = record_vertex(m, flex, record, 0), record_vertex(m, flex, record, 1)
    p2, p3 = record_vertex(m, flex, record, 2), record_vertex(m, flex, record, 3)
    e0, v0 = step_between(m, d, p0, p1)
    e1, v1 = step_between(m, d, p1, p2)
    e2, v2 = step_between(m, d, p2, p3)
    n1, n2, square = cross(e0, e1), cross(e1, e2), dot(e1, e1)
    length = sqrt(square)
    s1, s2 = dot(n1, n1), dot(n2, n2)
    # no plane where three vertices are in line
    has_planes = and_(s1 > MINVAL * MINVAL, s2 > MINVAL * MINVAL)
    g0 = scale(n1, where(has_planes, -length / where(has_planes, s1, 1.0), 0.0))
    g3 = scale(n2, where(has_planes, length / where(has_planes, s2, 1.0), 0.0))
    before, behind = dot(e0, e1) / square, dot(e2, e1) / square
    g1 = add_scaled(scale(g0, -(1.0 + before)), g3, behind)
    g2 = add_scaled(scale(g3, -(1.0 + behind)), g0, before)
    sizes = where(has_planes, sqrt(s1 * s2), 1.0)
    cosine, sine = dot(n1, n2) / sizes, dot(cross(n1, n2), e1) / (sizes * length)
    held1, held2 = m.flex_bending[record + 8], m.flex_bending[record + 9]
    # stiffness |p - q|² of the normals p, q of both planes, rotated to each other as at rest; they are of unit length
    # at rest, and shorter the straighter the hinges are
    kb1, kb2 = binormal(unit(e0), unit(e1)), binormal(unit(e1), unit(e2))
    p, q = faded_size(m, record + 6, dot(kb1, kb1)), faded_size(m, record + 7, dot(kb2, kb2))
    stiffness, both = sqrt(held1 * held1 + held2 * held2), held1 * cosine + held2 * sine
    vertices, gradients = (p0, p1, p2, p3), (g0, g1, g2, g3)
    add_four(d.flexvert_spring, vertices, gradients, 2.0 * p * q * (held1 * sine - held2 * cosine))
    fade_hinge(m, d, record + 6, vertices, e0, e1, kb1, 2.0 * (stiffness * p - both * q) * p)
    fade_hinge(m, d, record + 7, (p1, p2, p3, p3), e1, e2, kb2, 2.0 * (stiffness * q - both * p) * q)
    if m.flex_damping[flex] != 0.0:
        # rates of the vertices against the first one
        rate = dot(g1, v0) + dot(g2, add(v0, v1)) + dot(g3, add(add(v0, v1), v2))
        factor = 2.0 * stiffness * m.flex_damping[flex] * (p * p * q * q / (1.0 + FADING))
        add_four(d.flexvert_damper, vertices, gradients, factor * rate)


@kernel
def faded_size(m, rest, square):
    """Length of the normal of the plane of a hinge: 1 at rest, 0 if it is straight; `rest` is where its rest is."""
    faded = FADING * m.flex_bending[rest] * m.flex_bending[rest]
    return sqrt((1.0 + FADING) * square / (square + faded))


@kernel
def fade_hinge(m, d, rest, vertices, e0, e1, kb, slope):
    """Forces of the length of the normal of a hinge of three vertices; `slope` is by the logarithm of that length."""
    square = dot(kb, kb)
    faded = FADING * m.flex_bending[rest] * m.flex_bending[rest]
    is_bent = square > MINVAL * MINVAL
    w = scale(kb, where(is_bent, slope * faded / (where(is_bent, square, 1.0) * (square + faded)), 0.0))
    l0, l1 = norm(e0), norm(e1)
    g0, g1 = pull_back(kb, w, scale(e0, 1.0 / l0), scale(e1, 1.0 / l1), l0, l1)
    add_edge_force(d.flexvert_spring, vertices[0], vertices[1], g0)
    add_edge_force(d.flexvert_spring, vertices[1], vertices[2], g1)


@kernel
def add_four(forces, vertices, gradients, factor):
    """forces -= factor gradients, at four vertices."""
    for k in range(4):
        store3(forces, vertices[k], add_scaled(load3(forces, vertices[k]), pick3(gradients, k), -factor))


@kernel
def pick3(gradients, k):
    """One of four vectors."""
    if k == 0:
        return gradients[0]
    if k == 1:
        return gradients[1]
    if k == 2:
        return gradients[2]
    return gradients[3]
