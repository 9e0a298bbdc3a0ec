"""Bending of surfaces: a quadratic energy of four vertices for each edge between two triangles.

Wardetzky et al., "Discrete quadratic curvature energies"; what is curved at rest has a term proportional to the volume
that the four vertices span (Garg et al., "Cubic shells"), and so has what has been bent for good.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import splat
from phalanx.algebra.vector import add, add_scaled, cross, negate, scale, sub
from phalanx.smooth.flex.plastic_place import plastic_bending

#: Numbers of an edge: a matrix of four vertices, and the curvature at rest.
BENDING = 17


@kernel
def bend(m, d, flex):
    """flexvert_spring and flexvert_damper of bending."""
    first, damping = m.flex_vertadr[flex], m.flex_damping[flex]
    for k in range(m.flex_edgenum[flex]):
        edge = m.flex_edgeadr[flex] + k
        if m.flex_edgeflap[edge, 1] >= 0:
            corners = (
                first + m.flex_edge[edge, 0], first + m.flex_edge[edge, 1],
                first + m.flex_edgeflap[edge, 0], first + m.flex_edgeflap[edge, 1],
            )  # fmt: skip
            start = m.flex_bendingadr[flex] + BENDING * k
            add_quadratic(m, d.flexvert_xpos, d.flexvert_spring, corners, start, 1.0)
            add_curved(d, corners, rest_curvature(m, d, flex, k))
            if damping != 0.0:
                add_quadratic(m, d.flexvert_velocity, d.flexvert_damper, corners, start, damping)


@kernel
def add_quadratic(m, vectors, forces, corners, start, factor):
    """forces -= factor B vectors, with the matrix of an edge from an address on."""
    a, b = load3(vectors, corners[0]), load3(vectors, corners[1])
    c, e = load3(vectors, corners[2]), load3(vectors, corners[3])
    for k in range(4):
        row = start + 4 * k
        total = scale(a, m.flex_bending[row])
        total = add_scaled(total, b, m.flex_bending[row + 1])
        total = add_scaled(total, c, m.flex_bending[row + 2])
        total = add_scaled(total, e, m.flex_bending[row + 3])
        store3(forces, corners[k], add_scaled(load3(forces, corners[k]), total, -factor))


@kernel
def rest_curvature(m, d, flex, k):
    """Curvature of edge k at rest, and for good: a weight of the volume that its four vertices span."""
    at_rest = m.flex_bending[m.flex_bendingadr[flex] + BENDING * k + 16]
    place = plastic_bending(m, flex)
    if place < 0:
        return splat(d.flexvert_xpos[m.flex_vertadr[flex], 0], at_rest)
    return at_rest + d.plastic[place + k]


@kernel
def add_curved(d, corners, weight):
    """Forces of the energy weight * volume of the parallelepiped of four vertices."""
    origin = load3(d.flexvert_xpos, corners[0])
    a, b = sub(load3(d.flexvert_xpos, corners[1]), origin), sub(load3(d.flexvert_xpos, corners[2]), origin)
    c = sub(load3(d.flexvert_xpos, corners[3]), origin)
    one, two, three = cross(b, c), cross(c, a), cross(a, b)
    zero = negate(add(add(one, two), three))
    store3(d.flexvert_spring, corners[0], add_scaled(load3(d.flexvert_spring, corners[0]), zero, -weight))
    store3(d.flexvert_spring, corners[1], add_scaled(load3(d.flexvert_spring, corners[1]), one, -weight))
    store3(d.flexvert_spring, corners[2], add_scaled(load3(d.flexvert_spring, corners[2]), two, -weight))
    store3(d.flexvert_spring, corners[3], add_scaled(load3(d.flexvert_spring, corners[3]), three, -weight))
