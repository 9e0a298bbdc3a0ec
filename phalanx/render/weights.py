"""Points of triangles as weights of their corners; numbers of triangles in double precision."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load6, load9
from phalanx.algebra.number import where, widen
from phalanx.algebra.vector import cross, dot, sub


@kernel
def weights_in(corners, p):
    """Weights of the corners of a triangle at a point of its plane."""
    first = (corners[0], corners[1], corners[2])
    a, b = sub((corners[3], corners[4], corners[5]), first), sub((corners[6], corners[7], corners[8]), first)
    normal, offset = cross(a, b), sub(p, first)
    area = dot(normal, normal)
    inverse = 1.0 / where(area > 0.0, area, 1.0)
    u, w = dot(cross(offset, b), normal) * inverse, dot(cross(a, offset), normal) * inverse
    return (1.0 - u - w, u, w)


@kernel
def blend(weights, values):
    """Three vectors in a row, by weights."""
    return (
        weights[0] * values[0] + weights[1] * values[3] + weights[2] * values[6],
        weights[0] * values[1] + weights[1] * values[4] + weights[2] * values[7],
        weights[0] * values[2] + weights[1] * values[5] + weights[2] * values[8],
    )


@kernel
def wide6(field, i):
    """Row i of a field in single precision as six numbers."""
    return tuple(widen(x) for x in load6(field, i))


@kernel
def wide9(field, i):
    """Row i of a field in single precision as nine numbers."""
    return tuple(widen(x) for x in load9(field, i))
