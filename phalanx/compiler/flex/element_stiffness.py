"""Elastic constants of flexes whose vertices move by themselves: stretching of triangles and tetrahedra, bending.

Stretching is the energy of Saint Venant and Kirchhoff, mu tr(E²) + lambda/2 tr(E)², with the Green strain E of an
element with linear shape functions. E is a combination of the changes of the squared lengths of the edges, so that the
energy is a quadratic form of these: a metric for each element (Weischedel, "A discrete geometric view on
shear-deformable shell models", section 4.1). Bending is that of Wardetzky et al., "Discrete quadratic curvature
energies", with a term for curved surfaces from Garg et al., "Cubic shells".
"""

from __future__ import annotations

import numpy as np

#: Numbers of the metric of an element, by its dimension: the upper triangle of a matrix of six edges; three more of a
#: solid are for another material, which model files cannot ask for.
METRIC = {1: 21, 2: 21, 3: 24}
#: Numbers of the bending of an edge: a matrix of four vertices, and the curvature at rest.
BENDING = 17

#: The two sides of an element that do not hold an edge, by their vertices.
_TRIANGLE_SIDES = ((1, 2), (2, 0), (0, 1))
_TRIANGLE_OTHERS = ((1, 2), (2, 0), (0, 1))
_SOLID_SIDES = ((2, 1, 0), (0, 1, 3), (1, 2, 3), (2, 0, 3))
_SOLID_OTHERS = ((2, 3), (1, 3), (2, 1), (1, 0), (0, 2), (0, 3))


def lame(young: float, poisson: float, dim: int) -> tuple[float, float]:
    """Lamé's constants: lambda, of plane stress if the elements are triangles, and mu."""
    mu = young / (2 * (1 + poisson))
    if dim == 2:
        return young * poisson / (1 - poisson * poisson), mu
    return young * poisson / (1 + poisson) / (1 - 2 * poisson), mu


def stretch_metric(
    points: np.ndarray, elements: np.ndarray, young: float, poisson: float, thickness: float
) -> np.ndarray:
    """(n, METRIC) upper triangle of the metric of each element, filled up with zeros."""
    dim = elements.shape[1] - 1
    corners = points[elements]
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normal = np.cross(a, b)
    if dim == 2:
        volume = np.sqrt((normal * normal).sum(axis=1)) / 2
        basis = _triangle_basis(corners, volume)
    else:
        volume = (normal * (corners[:, 3] - corners[:, 0])).sum(axis=1) / 6
        basis = _solid_basis(corners, volume)
        thickness = 1.0
    # energy of a pair of edges: mu tr(E F) + lambda/2 tr(E) tr(F)
    la, mu = lame(young, poisson, dim)
    weight = np.abs(volume) * thickness
    trace = np.trace(basis, axis1=2, axis2=3)
    square = np.einsum("neij,nfji->nef", basis, basis)
    metric = (mu * weight)[:, None, None] * square
    metric += (la / 2 * weight)[:, None, None] * (trace[:, :, None] * trace[:, None, :])
    upper = np.triu_indices(basis.shape[1])
    found = np.zeros((len(elements), METRIC[dim]))
    found[:, : len(upper[0])] = metric[:, upper[0], upper[1]]
    return found


def _triangle_basis(corners: np.ndarray, area: np.ndarray) -> np.ndarray:
    """(n, 3, 3, 3): the strain per change of the squared length of each edge, from the normals of the two others."""
    found = []
    for left, right in _TRIANGLE_OTHERS:
        (p, q), (r, s) = _TRIANGLE_SIDES[left], _TRIANGLE_SIDES[right]
        one, two = corners[:, p] - corners[:, q], corners[:, s] - corners[:, r]
        normal = np.cross(two, one)
        size = np.sqrt((normal * normal).sum(axis=1, keepdims=True))
        normal = normal / np.where(size > 0, size, 1.0)
        found.append(_symmetric(np.cross(normal, one), np.cross(two, normal)) / (8 * area * area)[:, None, None])
    return np.stack(found, axis=1)


def _solid_basis(corners: np.ndarray, volume: np.ndarray) -> np.ndarray:
    """(n, 6, 3, 3): the strain per change of the squared length of each edge, from the sides that do not hold it."""
    normals = [np.cross(corners[:, b] - corners[:, a], corners[:, c] - corners[:, a]) for a, b, c in _SOLID_SIDES]
    divisor = (36 * 2 * volume * volume)[:, None, None]
    return np.stack([_symmetric(normals[one], normals[two]) / divisor for one, two in _SOLID_OTHERS], axis=1)


def _symmetric(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a bᵀ + b aᵀ, row by row."""
    return a[:, :, None] * b[:, None, :] + b[:, :, None] * a[:, None, :]


def bending(points: np.ndarray, flaps: np.ndarray, young: float, poisson: float, thickness: float) -> np.ndarray:
    """(n, 17) bending of each edge between two triangles; zero at the border."""
    found = np.zeros((len(flaps), BENDING))
    inner = np.flatnonzero(flaps[:, 3] >= 0)
    if not len(inner):
        return found
    v = [points[flaps[inner, k]] for k in range(4)]
    a01, a02 = _cotangent(v[0], v[1], v[2]), _cotangent(v[0], v[3], v[1])
    a03, a04 = _cotangent(v[1], v[2], v[0]), _cotangent(v[1], v[0], v[3])
    weights = np.stack([a03 + a04, a01 + a02, -(a01 + a03), -(a02 + a04)], axis=1)
    area = _area(v[0], v[1], v[2]) + _area(v[1], v[0], v[3])
    rigidity = young * thickness**3 / (12 * (1 - poisson * poisson))
    stiffness = rigidity / area
    e0, e1, e2, e3, e4 = v[1] - v[0], v[2] - v[0], v[3] - v[0], v[2] - v[1], v[3] - v[1]
    t0 = -(a03[:, None] * e1 + a01[:, None] * e3)
    t1 = -(a04[:, None] * e2 + a02[:, None] * e4)
    square = (e0 * e0).sum(axis=1)
    cosine = -(t0 * t1).sum(axis=1) / square
    matrix = weights[:, :, None] * weights[:, None, :] * (cosine * stiffness)[:, None, None]
    found[inner, :16] = matrix.reshape(-1, 16)
    triple = (np.cross(e0, e1) * e2).sum(axis=1)
    curved = (a01 + a03) * (a02 + a04) / square
    found[inner, 16] = -triple * curved * curved * stiffness
    return found


def _cotangent(corner: np.ndarray, one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Of the angle at a corner of triangles."""
    a, b = one - corner, two - corner
    normal = np.cross(a, b)
    return (a * b).sum(axis=1) / np.sqrt((normal * normal).sum(axis=1))


def _area(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    normal = np.cross(b - a, c - a)
    return np.sqrt((normal * normal).sum(axis=1)) / 2
