"""Rods in the metric of a step: the stiffness of curvature and twist, as couplings.

Curvature and twist are taken as linear in positions, with the curvature of the energy by them; angles of twist joints
have a system of their own, as MuJoCo has it.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import and_, maximum, splat, sqrt, where
from phalanx.algebra.vector import MINVAL, add_scaled, cross, dot, negate, norm, scale, sub
from phalanx.integrator.flex_row import add_vertex, begin_row, put_joint
from phalanx.smooth.flex.elastic_rod import (
    FADING,
    binormal,
    components,
    edges_of_rod,
    faded_size,
    frames_of_rod,
    has_frames,
    hinge_count,
    material_axes,
    pull_back,
    record_of,
    record_vertex,
    rest_components,
    section_damping,
    section_stiffness,
    step_between,
    twist_joint,
    vertex_at,
)


@kernel
def rod_terms(m, d, flex, damped, factors, put, put_twist):
    """Rows of one rod; `damped` multiplies the damping, `factors` the stiffness in the metric and in the shift.

    `put` and `put_twist` take the row at hand, of positions and of twist joints: `end_row` and `end_twist` do.
    """
    if has_frames(m, flex):
        edges_of_rod(m, d, flex)
        frames_of_rod(m, d, flex)
        first = m.flex_edgeadr[flex]
        for edge in range(first, first + hinge_count(m, flex) + 1):
            d.rod_torque[edge] = 0.0
        for hinge in range(hinge_count(m, flex)):
            hinge_terms(m, d, flex, hinge, damped, factors, put, put_twist)
        for edge in range(hinge_count(m, flex) + 1):
            joint = twist_joint(m, flex, edge)
            if joint >= 0:
                begin_row(d)
                put_joint(m, d, joint, 1.0)
                stiffness = d.rod_torque[first + edge]
                put_twist(d, stiffness * factors[0], stiffness * factors[1])
    else:
        for hinge in range(hinge_count(m, flex)):
            plain_terms(m, d, flex, record_of(m, flex, hinge), damped, factors, put)


@kernel
def put_hinge(m, d, vertices, g0, g1):
    """The row at hand: derivatives by both edges of a hinge, at its three vertices."""
    begin_row(d)
    add_hinge(m, d, vertices, (g0, g1))


@kernel
def add_hinge(m, d, vertices, gradients):
    """Add such derivatives to the row at hand."""
    add_vertex(m, d, vertices[0], negate(gradients[0]))
    add_vertex(m, d, vertices[1], sub(gradients[0], gradients[1]))
    add_vertex(m, d, vertices[2], gradients[1])


@kernel
def hinge_terms(m, d, flex, hinge, damped, factors, put, put_twist):
    """Curvature, its damping and the twist of one hinge; rod_torque gets the stiffness of the angles of its edges."""
    edge, record = m.flex_edgeadr[flex] + hinge, record_of(m, flex, hinge)
    t0, t1 = load3(d.rod_tangent, edge), load3(d.rod_tangent, edge + 1)
    l0, l1 = d.rod_length[edge], d.rod_length[edge + 1]
    kb = binormal(t0, t1)
    size = norm(kb)
    is_bent = size >= MINVAL
    n = scale(kb, 1.0 / where(is_bent, size, 1.0))
    stiff1, stiff2 = section_stiffness(m, record)
    drag1, drag2 = section_damping(m, record)
    vertices = (vertex_at(m, flex, hinge), vertex_at(m, flex, hinge + 1), vertex_at(m, flex, hinge + 2))
    drag = splat(size, 0.0)
    for k in range(2):
        t = t0 if k == 0 else t1
        m1, m2 = material_axes(t, load3(d.rod_normal, edge + k), d.rod_angle[edge + k])
        x, y = components(kb, m1, m2)
        x0, y0 = rest_components(m, d, flex, hinge, hinge + k)
        bending_slope = stiff1 * x * x0 + stiff2 * y * y0 + (stiff1 - stiff2) * (y * y - x * x)
        d.rod_torque[edge + k] = d.rod_torque[edge + k] + maximum(bending_slope, 0.0)
        along1, along2 = dot(n, m2), dot(n, m1)
        drag = drag + (drag1 * along1 * along1 + drag2 * along2 * along2)
        # a straight hinge has no direction of its own: both are damped
        g0, g1 = pull_back(kb, m2, t0, t1, l0, l1)
        put_hinge(m, d, vertices, g0, g1)
        put(d, stiff1 * factors[0] + where(is_bent, 0.0, drag1 * damped), stiff1 * factors[1])
        g0, g1 = pull_back(kb, m1, t0, t1, l0, l1)
        put_hinge(m, d, vertices, g0, g1)
        put(d, stiff2 * factors[0] + where(is_bent, 0.0, drag2 * damped), stiff2 * factors[1])
    g0, g1 = pull_back(kb, n, t0, t1, l0, l1)
    put_hinge(m, d, vertices, g0, g1)
    put(d, where(is_bent, drag * damped, 0.0), 0.0)
    twist = 2.0 * m.flex_bending[record + 8]
    put_hinge(m, d, vertices, scale(kb, 0.5 / l0), scale(kb, 0.5 / l1))
    put(d, twist * (factors[0] + damped), 0.0)
    begin_row(d)
    before, behind = twist_joint(m, flex, hinge), twist_joint(m, flex, hinge + 1)
    if before >= 0:
        put_joint(m, d, before, -1.0)
    if behind >= 0:
        put_joint(m, d, behind, 1.0)
    put_twist(d, twist * (factors[0] + damped), twist * factors[1])


# --- without frames


@kernel
def plain_terms(m, d, flex, record, damped, factors, put):
    """A record of a rod without twist joints: sizes of curvatures, and the angle between their planes."""
    plain_hinge(m, d, flex, record, 0, damped, factors, put)
    if is_pair(m, record):
        plain_hinge(m, d, flex, record, 1, damped, factors, put)
        plane_terms(m, d, flex, record, damped, factors, put)


@kernel
def is_pair(m, record):
    """Is a record a pair of neighboring hinges?"""
    return m.flex_bending[record + 3] >= 0.0


@kernel
def hinge_of(m, d, flex, record, k):
    """(vertices, tangents, lengths, kb) of a hinge of a record."""
    vertices = (
        record_vertex(m, flex, record, k), record_vertex(m, flex, record, k + 1),
        record_vertex(m, flex, record, k + 2),
    )  # fmt: skip
    e0, _ = step_between(m, d, vertices[0], vertices[1])
    e1, _ = step_between(m, d, vertices[1], vertices[2])
    l0, l1 = norm(e0), norm(e1)
    t0, t1 = scale(e0, 1.0 / l0), scale(e1, 1.0 / l1)
    return vertices, (t0, t1), (l0, l1), binormal(t0, t1)


@kernel
def plain_hinge(m, d, flex, record, k, damped, factors, put):
    """One hinge: its energy k (s - s0)², with s² = |kb|² + faded, by the length and by the direction of kb.

    The second falls with a curvature below that at rest: then it is left out. Next to another hinge, only directions
    across the edge between both count.
    """
    vertices, tangents, lengths, kb = hinge_of(m, d, flex, record, k)
    stiffness, rest = 2.0 * m.flex_bending[record + 4 + k], m.flex_bending[record + 6 + k]
    size = norm(kb)
    is_bent = size >= MINVAL
    n = scale(kb, 1.0 / where(is_bent, size, 1.0))
    faded = FADING * rest * rest
    square = where(is_bent, size * size + faded, 1.0)
    held = sqrt(rest * rest + faded) / sqrt(square)
    # d²E/ds² and the slope of E, by the length of kb
    radial = stiffness * maximum(where(is_bent, 1.0 - held * faded / square, 1.0), 0.0)
    across = stiffness * maximum(where(is_bent, 1.0 - held, 1.0), 0.0)
    g0, g1 = pull_back(kb, n, tangents[0], tangents[1], lengths[0], lengths[1])
    put_hinge(m, d, vertices, g0, g1)
    if is_pair(m, record):
        put(d, radial * factors[0] + stiffness * damped, radial * factors[1])
        aside = cross(tangents[1] if k == 0 else tangents[0], n)
        g0, g1 = pull_back(kb, aside, tangents[0], tangents[1], lengths[0], lengths[1])
        put_hinge(m, d, vertices, g0, g1)
        put(d, across * factors[0], across * factors[1])
    else:
        more = radial - across
        put(d, where(is_bent, more * factors[0] + stiffness * damped, 0.0), where(is_bent, more * factors[1], 0.0))
        whole = across * factors[0] + where(is_bent, 0.0, stiffness * damped)
        for axis in range(3):
            w = (1.0 if axis == 0 else 0.0, 1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0)
            g0, g1 = pull_back(kb, w, tangents[0], tangents[1], lengths[0], lengths[1])
            put_hinge(m, d, vertices, g0, g1)
            put(d, whole, across * factors[1])


@kernel
def plane_terms(m, d, flex, record, damped, factors, put):
    """The normals p, q of the planes of two neighboring hinges, each of a length that fades out with the curvature.

    The energy is S |p - q|², with q rotated to p as at rest; its rows are both components of d(p - q), along p and
    across. Damping is that of the angle between the planes.
    """
    vertices, tangents, lengths, kb = hinge_of(m, d, flex, record, 0)
    others, tangents2, lengths2, kb2 = hinge_of(m, d, flex, record, 1)
    t, square, square2 = tangents[1], dot(kb, kb), dot(kb2, kb2)
    has_planes = and_(square > MINVAL * MINVAL, square2 > MINVAL * MINVAL)
    size, size2 = where(has_planes, sqrt(square), 1.0), where(has_planes, sqrt(square2), 1.0)
    n, n2 = scale(kb, 1.0 / size), scale(kb2, 1.0 / size2)
    p, q = faded_size(m, record + 6, square), faded_size(m, record + 7, square2)
    held1, held2 = m.flex_bending[record + 8], m.flex_bending[record + 9]
    stiffness = maximum(norm((held1, held2, 0.0)), MINVAL)
    cosine, sine = dot(n, n2), dot(cross(n, n2), t)
    c, s = (held1 * cosine + held2 * sine) / stiffness, (held1 * sine - held2 * cosine) / stiffness
    # changes of lengths, of angles, and of the component of p - q along p
    longer, longer2 = fading_slope(m, record + 6, p, size), fading_slope(m, record + 7, q, size2)
    aside, aside2 = scale(cross(t, n), 1.0 / size), scale(cross(t, n2), 1.0 / size2)
    weight, pull = 2.0 * stiffness * factors[0], 2.0 * stiffness * factors[1]
    acts = where(has_planes, 1.0, 0.0)
    for row in range(3):
        w, w2 = scale(n, longer), add_scaled(scale(n2, -c * longer2), aside2, q * s)
        if row == 1:
            w, w2 = scale(aside, p), add_scaled(scale(n2, -s * longer2), aside2, -q * c)
        elif row == 2:
            w, w2 = scale(aside, -1.0), scale(aside2, 1.0)
        begin_row(d)
        add_hinge(m, d, vertices, pull_back(kb, w, tangents[0], tangents[1], lengths[0], lengths[1]))
        add_hinge(m, d, others, pull_back(kb2, w2, tangents2[0], tangents2[1], lengths2[0], lengths2[1]))
        if row < 2:
            put(d, acts * weight, acts * pull)
        else:
            put(d, acts * (2.0 * stiffness * damped * (p * p * q * q / (1.0 + FADING))), 0.0 * acts)


@kernel
def fading_slope(m, rest, faded_length, size):
    """Derivative of `faded_size` by the length of kb; `rest` is where its rest is."""
    faded = FADING * m.flex_bending[rest] * m.flex_bending[rest]
    return faded_length * faded / (size * (size * size + faded))
