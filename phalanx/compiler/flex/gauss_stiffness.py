"""The stiffness of whole cells, and of faces of shells: sums over Gauss points, in MuJoCo's order of additions.

Modes of strain that are equally stiff, as those of a cube, are told apart by the last bits of the matrix only: what
differs by rounding has another basis, and a constraint of strain another force.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

#: Gauss points from 0 to 1, and their weights, by the order of the polynomials.
_POINTS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((-0.5 / math.sqrt(3.0) + 0.5, 0.5), (0.5 / math.sqrt(3.0) + 0.5, 0.5)),
    2: (
        (0.5, 8.0 / 9.0 * 0.5),
        (-0.5 * math.sqrt(3.0 / 5.0) + 0.5, 5.0 / 9.0 * 0.5),
        (0.5 * math.sqrt(3.0 / 5.0) + 0.5, 5.0 / 9.0 * 0.5),
    ),
}


def gauss_stiffness(
    corners: np.ndarray, axes: tuple[int, ...], order: int, constants: tuple[float, float], thickness: float = 1.0
) -> np.ndarray:
    """Minus the stiffness of a cell, or of a face along two axes: forces by displacements of the nodes.

    `corners` are the first and the last node. The last of the axes is that along which nodes follow each other;
    `constants` are Lamé's.
    """
    la, mu = constants
    sides = [float(corners[1, axis]) - float(corners[0, axis]) for axis in axes]
    count = (order + 1) ** len(axes)
    found = np.zeros((3 * count, 3 * count))
    moving = np.array([3 * node + axis for node in range(count) for axis in sorted(axes)])
    block = np.ix_(moving, moving)
    for points in itertools.product(_POINTS[order], repeat=len(axes)):
        part = math.prod(weight for _, weight in points) * math.prod(sides) * thickness
        shapes = [_shapes(point, order) for point, _ in points]
        gradients = np.zeros((count, 3))
        for node, place in enumerate(itertools.product(range(order + 1), repeat=len(axes))):
            for along, axis in enumerate(axes):
                values = (shapes[k][k == along][at] for k, at in enumerate(place))
                gradients[node, axis] = 1.0 / sides[along] * math.prod(values)
        _add(found, block, gradients, sorted(axes), (la, 2 * mu, part))
    return found


def _shapes(s: float, order: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Values and slopes of the polynomials of the nodes along an axis."""
    if order == 1:
        return (1 - s, s), (-1.0, 1.0)
    return (2 * s * s - 3 * s + 1, 4 * (s - s * s), 2 * s * s - s), (4 * s - 3, 4 * (1 - 2 * s), 4 * s - 1)


def _add(
    found: np.ndarray, block: tuple[np.ndarray, ...], gradients: np.ndarray, axes: list[int],
    constants: tuple[float, float, float],
) -> None:  # fmt: skip
    """What one point adds: lambda div u div v + 2 mu e(u):e(v), of all pairs of displacements."""
    la, twice_mu, part = constants
    # strain by the displacement of a node along an axis
    moved = np.zeros((len(gradients), len(axes), 3, 3))
    for k, axis in enumerate(axes):
        moved[:, k, axis] = gradients
    strain = ((moved + moved.transpose(0, 1, 3, 2)) / 2).reshape(-1, 3, 3)
    widening = gradients[:, axes].ravel()
    products = [
        strain[:, a, 0, None] * strain[None, :, 0, a]
        + strain[:, a, 1, None] * strain[None, :, 1, a]
        + strain[:, a, 2, None] * strain[None, :, 2, a]
        for a in range(3)
    ]
    found[block] -= la * widening[:, None] * widening[None, :] * part
    found[block] -= twice_mu * (products[0] + products[1] + products[2]) * part
