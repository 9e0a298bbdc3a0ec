"""Stretching of triangles and tetrahedra: the energy of Saint Venant and Kirchhoff, by squared lengths of edges.

The Green strain of an element is linear in the squared lengths l² of its edges, so that the energy is a quadratic form
of their changes e = l² - l0², half of e' K e; K is a symmetric matrix for each element. An edge pulls its ends together
with K e times the vector between them. Damping is that of Kharevych et al., "Geometric, variational integrators for
computer animation", section 5.2: e is the change within one step at the present rate.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import where
from phalanx.algebra.vector import add, scale, sub
from phalanx.smooth.flex.plastic_place import plastic_stretching

#: Numbers of an element, by its dimension: the upper triangle of K, and numbers of another material.
TRIANGLE_METRIC = 21
SOLID_METRIC = 24
#: Where the entries of each row of K are in its upper triangle, by rows: edges 12, 20, 01; 01, 12, 20, 23, 03, 13.
TRIANGLE_ROWS = ((0, 1, 2), (1, 3, 4), (2, 4, 5))
SOLID_ROWS = (
    (0, 1, 2, 3, 4, 5), (1, 6, 7, 8, 9, 10), (2, 7, 11, 12, 13, 14),
    (3, 8, 12, 15, 16, 17), (4, 9, 13, 16, 18, 19), (5, 10, 14, 17, 19, 20),
)  # fmt: skip


@kernel
def elongation(m, d, flex, element, count, k):
    """Change of the squared length of edge k of an element since it was at rest."""
    edge = m.flex_edgeadr[flex] + m.flex_elemedge[m.flex_elemedgeadr[flex] + element * count + k]
    length, rest = d.flexedge_length[edge], m.flexedge_length0[edge]
    change = length * length - rest * rest
    place = plastic_stretching(m, flex)
    if place < 0:
        return change
    return change - d.plastic[place + count * element + k]


@kernel
def elongation_rate(m, d, flex, element, count, k):
    """Change of the squared length of edge k of an element within a step at the present rate, times the damping."""
    edge = m.flex_edgeadr[flex] + m.flex_elemedge[m.flex_elemedgeadr[flex] + element * count + k]
    length = d.flexedge_length[edge]
    before = length - d.flexedge_velocity[edge] * m.opt.timestep
    factor = where(m.opt.timestep > 0.0, m.flex_damping[flex] / m.opt.timestep, 0.0)
    return (length * length - before * before) * factor


@kernel
def pull(row, start, m, e):
    """A row of K times e."""
    total = m.flex_stiffness[start + row[0]] * e[0]
    total = total + m.flex_stiffness[start + row[1]] * e[1]
    total = total + m.flex_stiffness[start + row[2]] * e[2]
    if len(row) > 3:
        total = total + m.flex_stiffness[start + row[3]] * e[3]
        total = total + m.flex_stiffness[start + row[4]] * e[4]
        total = total + m.flex_stiffness[start + row[5]] * e[5]
    return total


@kernel
def corner(m, d, flex, element, k):
    """Vertex k of an element, counted over all flexes."""
    return m.flex_vertadr[flex] + m.flex_elem[m.flex_elemdataadr[flex] + element * (m.flex_dim[flex] + 1) + k]


@kernel
def add_force(forces, vertex, force):
    """Add a force to that of a vertex."""
    store3(forces, vertex, add(load3(forces, vertex), force))


# --- triangles


@kernel
def stretch_triangles(m, d, flex):
    """flexvert_spring and flexvert_damper of triangles."""
    for t in range(m.flex_elemnum[flex]):
        e = (elongation(m, d, flex, t, 3, 0), elongation(m, d, flex, t, 3, 1), elongation(m, d, flex, t, 3, 2))
        pull_triangle(m, d, flex, t, d.flexvert_spring, e)
        if m.flex_damping[flex] != 0.0:
            rates = (
                elongation_rate(m, d, flex, t, 3, 0), elongation_rate(m, d, flex, t, 3, 1),
                elongation_rate(m, d, flex, t, 3, 2),
            )  # fmt: skip
            pull_triangle(m, d, flex, t, d.flexvert_damper, rates)


@kernel
def pull_triangle(m, d, flex, element, forces, e):
    """Forces of a triangle whose squared lengths have changed."""
    start = m.flex_stiffnessadr[flex] + TRIANGLE_METRIC * element
    v0, v1, v2 = corner(m, d, flex, element, 0), corner(m, d, flex, element, 1), corner(m, d, flex, element, 2)
    a, b, c = load3(d.flexvert_xpos, v0), load3(d.flexvert_xpos, v1), load3(d.flexvert_xpos, v2)
    # forces on the second end of each edge
    f12 = scale(sub(b, c), pull(TRIANGLE_ROWS[0], start, m, e))
    f20 = scale(sub(c, a), pull(TRIANGLE_ROWS[1], start, m, e))
    f01 = scale(sub(a, b), pull(TRIANGLE_ROWS[2], start, m, e))
    add_force(forces, v0, sub(f20, f01))
    add_force(forces, v1, sub(f01, f12))
    add_force(forces, v2, sub(f12, f20))


# --- tetrahedra


@kernel
def stretch_solids(m, d, flex):
    """flexvert_spring and flexvert_damper of tetrahedra."""
    for t in range(m.flex_elemnum[flex]):
        e = (
            elongation(m, d, flex, t, 6, 0), elongation(m, d, flex, t, 6, 1), elongation(m, d, flex, t, 6, 2),
            elongation(m, d, flex, t, 6, 3), elongation(m, d, flex, t, 6, 4), elongation(m, d, flex, t, 6, 5),
        )  # fmt: skip
        pull_solid(m, d, flex, t, d.flexvert_spring, e)
        if m.flex_damping[flex] != 0.0:
            rates = (
                elongation_rate(m, d, flex, t, 6, 0), elongation_rate(m, d, flex, t, 6, 1),
                elongation_rate(m, d, flex, t, 6, 2), elongation_rate(m, d, flex, t, 6, 3),
                elongation_rate(m, d, flex, t, 6, 4), elongation_rate(m, d, flex, t, 6, 5),
            )  # fmt: skip
            pull_solid(m, d, flex, t, d.flexvert_damper, rates)


@kernel
def pull_solid(m, d, flex, element, forces, e):
    """Forces of a tetrahedron whose squared lengths have changed."""
    start = m.flex_stiffnessadr[flex] + SOLID_METRIC * element
    v0, v1 = corner(m, d, flex, element, 0), corner(m, d, flex, element, 1)
    v2, v3 = corner(m, d, flex, element, 2), corner(m, d, flex, element, 3)
    p0, p1 = load3(d.flexvert_xpos, v0), load3(d.flexvert_xpos, v1)
    p2, p3 = load3(d.flexvert_xpos, v2), load3(d.flexvert_xpos, v3)
    # forces on the second end of each edge
    f01 = scale(sub(p0, p1), pull(SOLID_ROWS[0], start, m, e))
    f12 = scale(sub(p1, p2), pull(SOLID_ROWS[1], start, m, e))
    f20 = scale(sub(p2, p0), pull(SOLID_ROWS[2], start, m, e))
    f23 = scale(sub(p2, p3), pull(SOLID_ROWS[3], start, m, e))
    f03 = scale(sub(p0, p3), pull(SOLID_ROWS[4], start, m, e))
    f13 = scale(sub(p1, p3), pull(SOLID_ROWS[5], start, m, e))
    add_force(forces, v0, sub(sub(f20, f01), f03))
    add_force(forces, v1, sub(sub(f01, f12), f13))
    add_force(forces, v2, sub(sub(f12, f20), f23))
    add_force(forces, v3, add(add(f23, f03), f13))
