"""Rods in the metric of a step: the stiffness of curvature and twist, as couplings.

Curvature and twist are taken as linear in positions, with the curvature of the energy by them; angles of twist joints
have a system of their own, as MuJoCo has it.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import maximum, splat, where
from phalanx.algebra.vector import MINVAL, add, add_scaled, cross, dot, negate, norm, scale, sub
from phalanx.integrator.flex_row import add_vertex, begin_row, end_row, end_twist, put_joint
from phalanx.smooth.flex.elastic_rod import (
    binormal,
    components,
    edges_of_rod,
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
def rod_terms(m, d, flex, damped, factors):
    """Couplings of one rod; `damped` multiplies the damping, `factors` the stiffness in the metric and in the shift."""
    if has_frames(m, flex):
        edges_of_rod(m, d, flex)
        frames_of_rod(m, d, flex)
        first = m.flex_edgeadr[flex]
        for edge in range(first, first + hinge_count(m, flex) + 1):
            d.rod_torque[edge] = 0.0
        for hinge in range(hinge_count(m, flex)):
            hinge_terms(m, d, flex, hinge, damped, factors)
        for edge in range(hinge_count(m, flex) + 1):
            joint = twist_joint(m, flex, edge)
            if joint >= 0:
                begin_row(d)
                put_joint(m, d, joint, 1.0)
                stiffness = d.rod_torque[first + edge]
                end_twist(d, stiffness * factors[0], stiffness * factors[1])
    else:
        for hinge in range(hinge_count(m, flex)):
            plain_terms(m, d, flex, record_of(m, flex, hinge), damped, factors)


@kernel
def put_hinge(m, d, vertices, g0, g1):
    """The row at hand: derivatives by both edges of a hinge, at its three vertices."""
    begin_row(d)
    add_vertex(m, d, vertices[0], negate(g0))
    add_vertex(m, d, vertices[1], sub(g0, g1))
    add_vertex(m, d, vertices[2], g1)


@kernel
def hinge_terms(m, d, flex, hinge, damped, factors):
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
        end_row(d, stiff1 * factors[0] + where(is_bent, 0.0, drag1 * damped), stiff1 * factors[1])
        g0, g1 = pull_back(kb, m1, t0, t1, l0, l1)
        put_hinge(m, d, vertices, g0, g1)
        end_row(d, stiff2 * factors[0] + where(is_bent, 0.0, drag2 * damped), stiff2 * factors[1])
    g0, g1 = pull_back(kb, n, t0, t1, l0, l1)
    put_hinge(m, d, vertices, g0, g1)
    end_row(d, where(is_bent, drag * damped, 0.0), 0.0)
    twist = 2.0 * m.flex_bending[record + 8]
    put_hinge(m, d, vertices, scale(kb, 0.5 / l0), scale(kb, 0.5 / l1))
    end_row(d, twist * (factors[0] + damped), 0.0)
    begin_row(d)
    before, behind = twist_joint(m, flex, hinge), twist_joint(m, flex, hinge + 1)
    if before >= 0:
        put_joint(m, d, before, -1.0)
    if behind >= 0:
        put_joint(m, d, behind, 1.0)
    end_twist(d, twist * (factors[0] + damped), twist * factors[1])


@kernel
def plain_terms(m, d, flex, record, damped, factors):
    """A record of a rod without twist joints: sizes of curvatures, and the angle between their planes."""
    plain_hinge(m, d, flex, record, 0, 2.0 * m.flex_bending[record + 4], damped, factors)
    if m.flex_bending[record + 3] >= 0.0:
        plain_hinge(m, d, flex, record, 1, 2.0 * m.flex_bending[record + 5], damped, factors)
        plane_terms(m, d, flex, record, damped, factors)


@kernel
def plain_hinge(m, d, flex, record, k, stiffness, damped, factors):
    """One hinge: the size of its curvature, or all of it if it is straight at rest."""
    vertices = (
        record_vertex(m, flex, record, k), record_vertex(m, flex, record, k + 1),
        record_vertex(m, flex, record, k + 2),
    )  # fmt: skip
    e0, _ = step_between(m, d, vertices[0], vertices[1])
    e1, _ = step_between(m, d, vertices[1], vertices[2])
    l0, l1 = norm(e0), norm(e1)
    t0, t1 = scale(e0, 1.0 / l0), scale(e1, 1.0 / l1)
    kb = binormal(t0, t1)
    size = norm(kb)
    is_bent = size >= MINVAL
    n = scale(kb, 1.0 / where(is_bent, size, 1.0))
    g0, g1 = pull_back(kb, n, t0, t1, l0, l1)
    put_hinge(m, d, vertices, g0, g1)
    # straight at rest: also the direction of the curvature costs
    if m.flex_bending[record + 6 + k] != 0.0:
        end_row(d, stiffness * (factors[0] + damped), stiffness * factors[1])
    else:
        end_row(d, where(is_bent, stiffness * damped, 0.0), 0.0)
        whole = stiffness * factors[0] + where(is_bent, 0.0, stiffness * damped)
        for axis in range(3):
            w = (1.0 if axis == 0 else 0.0, 1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0)
            g0, g1 = pull_back(kb, w, t0, t1, l0, l1)
            put_hinge(m, d, vertices, g0, g1)
            end_row(d, whole, stiffness * factors[1])


@kernel
def plane_terms(m, d, flex, record, damped, factors):
    """The angle between the planes of two neighboring hinges."""
    p0, p1 = record_vertex(m, flex, record, 0), record_vertex(m, flex, record, 1)
    p2, p3 = record_vertex(m, flex, record, 2), record_vertex(m, flex, record, 3)
    e0, _ = step_between(m, d, p0, p1)
    e1, _ = step_between(m, d, p1, p2)
    e2, _ = step_between(m, d, p2, p3)
    n1, n2, square = cross(e0, e1), cross(e1, e2), dot(e1, e1)
    length, s1, s2 = norm(e1), dot(n1, n1), dot(n2, n2)
    is_bent = where(s1 > MINVAL * MINVAL, 1.0, 0.0) * where(s2 > MINVAL * MINVAL, 1.0, 0.0)
    g0 = scale(n1, -length * is_bent / maximum(s1, MINVAL * MINVAL))
    g3 = scale(n2, length * is_bent / maximum(s2, MINVAL * MINVAL))
    before, behind = dot(e0, e1) / square, dot(e2, e1) / square
    begin_row(d)
    add_vertex(m, d, p0, g0)
    add_vertex(m, d, p1, add_scaled(scale(g0, -(1.0 + before)), g3, behind))
    add_vertex(m, d, p2, add(scale(g3, -(1.0 + behind)), scale(g0, before)))
    add_vertex(m, d, p3, g3)
    stiffness = 2.0 * norm((m.flex_bending[record + 8], m.flex_bending[record + 9], 0.0))
    end_row(d, stiffness * (factors[0] + damped), stiffness * factors[1])
