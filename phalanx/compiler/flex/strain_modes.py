"""Constraints of strain: the ways in which a cell can deform, scaled by the roots of their stiffness.

A constraint that all of them are zero makes a cell rigid, and is as stiff in each as the material would be. The modes
are eigenvectors of the stiffness matrix, found by Jacobi's method: rotations of pairs of rows, in a fixed order. Where
several modes are equally stiff, as in a cube, rounding says which basis of these is found: of the same matrix it is
MuJoCo's, bit for bit.
"""

from __future__ import annotations

import math

import numpy as np

#: Elastic constants of the constraints; only the shape of a cell matters, not its material.
YOUNG, POISSON = 10.0, 0.3
#: Stiffness relative to the largest below which a mode moves the cell without deforming it.
RIGID = 1e-8
#: Sum of squares off the diagonal at which the rotations end, entries that are not rotated, and most sweeps.
_CONVERGED, _SMALL, _SWEEPS = 1e-24, 1e-15, 200


def modes_of(stiffness: np.ndarray) -> np.ndarray:
    """(k, n) modes of a stiffness matrix, in the order in which Jacobi's method leaves them."""
    # MuJoCo's sign: forces by displacements
    values, vectors = _eigen(-stiffness)
    least = float(np.abs(values).max(initial=0.0)) * RIGID
    found = [np.sqrt(-value) * vector for value, vector in zip(values, vectors, strict=True) if -value > least]
    return np.array(found).reshape(-1, len(stiffness))


def packed(modes: np.ndarray) -> np.ndarray:
    """Modes as flex_stiffness holds them: how many there are, then each; as long as the matrix would be."""
    count = modes.shape[1]
    found = np.zeros(count * count)
    found[0] = len(modes)
    found[1 : 1 + modes.size] = modes.ravel()
    return found


def _eigen(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues and eigenvectors, as rows, of a symmetric matrix."""
    a, vectors = matrix.copy(), np.eye(len(matrix))
    count = len(a)
    for _ in range(_SWEEPS):
        if float((np.triu(a, 1) ** 2).sum()) < _CONVERGED:
            break
        for p in range(count):
            for q in range(p + 1, count):
                if abs(a[p, q]) >= _SMALL:
                    _rotate(a, vectors, p, q)
    return np.diag(a).copy(), vectors


def _rotate(a: np.ndarray, vectors: np.ndarray, p: int, q: int) -> None:
    """Make one entry off the diagonal zero (Golub and Van Loan, "Matrix computations", section 8.5)."""
    app, aqq, apq = float(a[p, p]), float(a[q, q]), float(a[p, q])
    tau = (aqq - app) / (2.0 * apq)
    t = (1.0 if tau >= 0 else -1.0) / (abs(tau) + math.sqrt(1.0 + tau * tau))
    c = 1.0 / math.sqrt(1.0 + t * t)
    s = t * c
    # by columns: rounding leaves the matrix not quite symmetric
    one, two = c * a[:, p] - s * a[:, q], s * a[:, p] + c * a[:, q]
    a[p] = a[:, p] = one
    a[q] = a[:, q] = two
    a[p, p], a[q, q] = app - t * apq, aqq + t * apq
    a[p, q] = a[q, p] = 0.0
    one = c * vectors[p] - s * vectors[q]
    vectors[q] = s * vectors[p] + c * vectors[q]
    vectors[p] = one
