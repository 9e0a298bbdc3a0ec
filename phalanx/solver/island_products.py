"""Sums over the dofs and rows of the island at hand: products with J and M, solves with sparse factors."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, loop_source
from phalanx.algebra.memory import load8
from phalanx.algebra.number import and_, independent, not_, splat
from phalanx.algebra.tree import (
    collect_pair,
    collect_row,
    is_nested,
    multiply_pair,
    multiply_row,
    spread_pair,
    spread_row,
)
from phalanx.smooth.step_metric import add_couplings, metric_matrix
from phalanx.solver.compact_problem import sum8

#: Sums over so many dofs are eight sums at once.
MANY_DOFS = 64


@loop_source
def island_dofs(d):
    """Dofs of the island at hand, stretch by stretch."""
    for k in range(d.solve_nstretch):
        yield from range(d.solve_stretch[k, 0], d.solve_stretch[k, 1])


@kernel
def row_times(d, row, x):
    """J x, one row of it."""
    J, columns, start = d.efc_J, d.efc_J_colind, d.efc_J_rowadr[row]
    total = 0.0
    for k in range(start, start + d.efc_J_rownnz[row]):
        total = total + J[k] * x[columns[k]]
    return total


@kernel
def multiply_inertia(m, d, result, x):
    """result <- M x on the dofs of the island, or the metric of a step with its couplings times x."""
    M, dofs, rownnz, rowadr, colind = metric_matrix(m, d), d.solve_coupled, m.M_rownnz, m.M_rowadr, m.M_colind
    i = 0
    while i < d.solve_ncoupled:
        if i + 1 < d.solve_ncoupled and is_nested(dofs[i + 1], dofs[i], rownnz, rowadr, colind):
            multiply_pair(result, M, x, dofs[i + 1], dofs[i], rownnz, rowadr, colind)
            i += 2
        else:
            multiply_row(result, M, x, dofs[i], rownnz, rowadr, colind)
            i += 1
    # rows of simple dofs have one entry each
    for k in range(d.solve_nsimple):
        first = d.solve_simple[k, 0]
        start = rowadr[first]
        for j in independent(d.solve_simple[k, 1] - first):
            result[first + j] = M[start + j] * x[first + j]
    for i in range(d.solve_npack - d.solve_ncoupling, d.solve_npack):
        add_couplings(d, d.solve_pack[i], result, x)


@kernel
def dot_dofs(d, a, b):
    """Scalar product over the dofs of the island."""
    if d.solve_ndof >= MANY_DOFS:
        return long_dot(d, a, b)
    dofs = d.solve_dof
    total = 0.0
    for i in range(d.solve_ndof):
        total = total + a[dofs[i]] * b[dofs[i]]
    return total


@kernel
def long_dot(d, a, b):
    """The same of many dofs: eight sums that do not wait for each other, added at the end, and what remains."""
    dofs, count = d.solve_dof, d.solve_ndof
    end = count & -8
    zero = splat(a[dofs[0]], 0.0)
    sums = (zero, zero, zero, zero, zero, zero, zero, zero)
    if has_no_gaps(d):
        for k in range(dofs[0], dofs[0] + end, 8):
            x, y = load8(a, k), load8(b, k)
            sums = tuple(sums[j] + x[j] * y[j] for j in range(8))
    else:
        for i in range(0, end, 8):
            sums = tuple(sums[j] + a[dofs[i + j]] * b[dofs[i + j]] for j in range(8))
    total = sum8(sums)
    for i in range(end, count):
        total = total + a[dofs[i]] * b[dofs[i]]
    return total


@kernel
def has_no_gaps(d):
    """Are the dofs of the island, which are in ascending order, neighbors of each other?"""
    return d.solve_dof[d.solve_ndof - 1] - d.solve_dof[0] == d.solve_ndof - 1


@kernel
def inertia_trace(m, d):
    """Sum of the diagonal of M over the island, couplings left out."""
    total, M = 0.0, metric_matrix(m, d)
    for i in range(d.solve_ndof):
        dof = d.solve_dof[i]
        total = total + M[m.M_rowadr[dof] + m.M_rownnz[dof] - 1]
    return total


@kernel
def divide_by_factored_inertia(m, d, x, factor, inverse):
    """x <- M^-1 x on the dofs of the island, with the factors of M given."""
    solve_factored(x, d.solve_coupled, d.solve_ncoupled, factor, inverse, m.M_rownnz, m.M_rowadr, m.M_colind)
    for k in range(d.solve_nsimple):
        for dof in independent(d.solve_simple[k, 0], d.solve_simple[k, 1]):
            x[dof] = x[dof] * inverse[dof]


@kernel
def solve_factored(x, dofs, n, factor, inverse_diagonal, rownnz, rowadr, colind):
    """x <- A^-1 x on a list of dofs, with A = L' D L as `algebra.tree` factors it."""
    i = n - 1
    while i >= 0:
        if i > 0 and is_nested(dofs[i], dofs[i - 1], rownnz, rowadr, colind):
            spread_pair(x, factor, dofs[i], dofs[i - 1], rownnz, rowadr, colind)
            i -= 2
        else:
            spread_row(x, factor, dofs[i], rownnz, rowadr, colind)
            i -= 1
    for i in range(n):
        x[dofs[i]] = x[dofs[i]] * inverse_diagonal[dofs[i]]
    i = 0
    while i < n:
        if i + 1 < n and is_nested(dofs[i + 1], dofs[i], rownnz, rowadr, colind):
            collect_pair(x, factor, dofs[i + 1], dofs[i], rownnz, rowadr, colind)
            i += 2
        else:
            collect_row(x, factor, dofs[i], rownnz, rowadr, colind)
            i += 1


@kernel
def is_plain(d, row):
    """Worlds where the contact of an elliptic row has only its normal: the row is then as one without friction."""
    return and_(d.efc_D[row] != 0.0, d.efc_D[row + 1] == 0.0)


@kernel
def has_cone(d, row):
    """Worlds where the elliptic contact that begins at this row has friction; others must not read its parameters."""
    return and_(d.efc_D[row] != 0.0, d.efc_D[row + 1] != 0.0)


@kernel
def cone_zone(normal, tangent, mu):
    """(top, bottom): nothing pushes, everything pushes; between them the force slides along the cone."""
    top = normal >= mu * tangent
    return top, and_(not_(top), mu * normal + tangent <= 0.0)
