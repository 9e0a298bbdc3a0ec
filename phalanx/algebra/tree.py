"""Matrices with the sparsity of a kinematic tree, in CSR with the diagonal last in each row.

Row i holds the ancestors of degree of freedom i in increasing order, then i itself. The factorization M = L' D L runs
from the leaves to the root and fills in nothing: the row of an ancestor is a prefix of the row of its descendant
(Featherstone, Rigid Body Dynamics Algorithms, section 6.5).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, sqrt, where
from phalanx.algebra.vector import MINVAL

#: A pivot that is not positive is replaced by this.
MIN_PIVOT = MINVAL


@kernel
def factor_tree(matrix, inverse_diagonal, n, rownnz, rowadr, colind):
    """Replace M by L and D in place, and write 1 / diag(D).

    Returns the first row whose pivot had to be replaced, or -1: a number, since it differs between worlds.
    """
    return factor_rows(-1.0, matrix, inverse_diagonal, (0, n), rownnz, rowadr, colind)


@kernel
def factor_rows(bad_row, matrix, inverse_diagonal, rows, rownnz, rowadr, colind):
    """`factor_tree` for a stretch of rows, (first, end), of whole trees; `bad_row` is what was found before."""
    for k in range(rows[1] - 1, rows[0] - 1, -1):
        start = rowadr[k]
        diagonal = start + rownnz[k] - 1
        pivot = matrix[diagonal]
        is_bad = pivot < MIN_PIVOT
        bad_row = where(and_(is_bad, bad_row < 0.0), float(k), bad_row)
        pivot = where(is_bad, MIN_PIVOT, pivot)
        matrix[diagonal] = pivot
        inverse = 1.0 / pivot
        inverse_diagonal[k] = inverse
        for address in range(diagonal - 1, start - 1, -1):
            ancestor = colind[address]
            factor = matrix[address] * inverse
            first = rowadr[ancestor]
            for j in range(rownnz[ancestor]):
                matrix[first + j] = matrix[first + j] - factor * matrix[start + j]
            matrix[address] = factor
    return bad_row


@kernel
def solve_half_tree(x, factor, inverse_diagonal, n, rownnz, rowadr, colind):
    """x <- D^(-1/2) L'^-1 x with the factor of `factor_tree`: half of `solve_tree`, x' x becomes x' M^-1 x."""
    for i in range(n - 1, -1, -1):
        start = rowadr[i]
        value = x[i]
        for address in range(start, start + rownnz[i] - 1):
            j = colind[address]
            x[j] = x[j] - factor[address] * value
    for i in range(n):
        x[i] = x[i] * sqrt(inverse_diagonal[i])


@kernel
def multiply_half_tree(result, factor, x, n, rownnz, rowadr, colind):
    """result <- D^(1/2) L x with the factor of `factor_tree`: x' M x is the square of its length."""
    for i in range(n):
        start = rowadr[i]
        diagonal = start + rownnz[i] - 1
        total = x[i]
        for address in range(start, diagonal):
            total = total + factor[address] * x[colind[address]]
        result[i] = total * sqrt(factor[diagonal])


@kernel
def solve_tree(x, factor, inverse_diagonal, n, rownnz, rowadr, colind):
    """x <- M^-1 x with the factor of `factor_tree`."""
    solve_rows(x, factor, inverse_diagonal, (0, n), rownnz, rowadr, colind)


@kernel
def solve_rows(x, factor, inverse_diagonal, rows, rownnz, rowadr, colind):
    """The same for a stretch of rows, (first, end), of whole trees."""
    # L' from the leaves, D, then L from the root
    for i in range(rows[1] - 1, rows[0] - 1, -1):
        start = rowadr[i]
        value = x[i]
        for address in range(start, start + rownnz[i] - 1):
            j = colind[address]
            x[j] = x[j] - factor[address] * value
    for i in range(rows[0], rows[1]):
        x[i] = x[i] * inverse_diagonal[i]
    for i in range(rows[0], rows[1]):
        start = rowadr[i]
        value = x[i]
        for address in range(start, start + rownnz[i] - 1):
            value = value - factor[address] * x[colind[address]]
        x[i] = value


@kernel
def multiply_tree(result, matrix, x, n, rownnz, rowadr, colind):
    """result <- M x for a symmetric M of which the lower half is stored."""
    multiply_rows(result, matrix, x, (0, n), rownnz, rowadr, colind)


@kernel
def multiply_rows(result, matrix, x, rows, rownnz, rowadr, colind):
    """The same for a stretch of rows, (first, end), of whole trees."""
    for i in range(rows[0], rows[1]):
        start = rowadr[i]
        diagonal = start + rownnz[i] - 1
        value = x[i]
        total = matrix[diagonal] * value
        for address in range(start, diagonal):
            j = colind[address]
            total = total + matrix[address] * x[j]
            result[j] = result[j] + matrix[address] * value
        result[i] = total
