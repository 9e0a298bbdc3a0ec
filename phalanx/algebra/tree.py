"""Matrices with the sparsity of a kinematic tree, in CSR with the diagonal last in each row.

Row i holds the ancestors of degree of freedom i in increasing order, then i itself. The factorization M = L' D L runs
from the leaves to the root and fills in nothing: the row of an ancestor is a prefix of the row of its descendant
(Featherstone, Rigid Body Dynamics Algorithms, section 6.5).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, independent, sqrt, where
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
    k = rows[1] - 1
    while k >= rows[0]:
        bad_row = invert_pivot(bad_row, matrix, inverse_diagonal, k, rowadr[k] + rownnz[k] - 1)
        if not is_nested(k, k - 1, rownnz, rowadr, colind):
            eliminate_row(matrix, inverse_diagonal, k, rownnz, rowadr, colind)
            k -= 1
        else:
            # rows of the ancestors that both have are read and written once
            reduce_nested(matrix, rowadr[k], rowadr[k - 1], rownnz[k - 1], inverse_diagonal[k])
            bad_row = invert_pivot(bad_row, matrix, inverse_diagonal, k - 1, rowadr[k - 1] + rownnz[k - 1] - 1)
            eliminate_pair(matrix, inverse_diagonal, k, rownnz, rowadr, colind)
            k -= 2
    return bad_row


@kernel
def is_nested(dof, parent, rownnz, rowadr, colind):
    """Has the row of a dof the entries of the row of another one, and one more?"""
    count = rownnz[dof] - 1
    if count < 1 or colind[rowadr[dof] + count - 1] != parent:
        return False
    return rownnz[parent] == count


@kernel
def invert_pivot(bad_row, matrix, inverse_diagonal, k, diagonal):
    """Write 1 / the pivot of row k, replaced where it is not positive; returns the first row in which it was."""
    pivot = matrix[diagonal]
    is_bad = pivot < MIN_PIVOT
    pivot = where(is_bad, MIN_PIVOT, pivot)
    matrix[diagonal] = pivot
    inverse_diagonal[k] = 1.0 / pivot
    return where(and_(is_bad, bad_row < 0.0), float(k), bad_row)


@kernel
def reduce_nested(matrix, start, target, count, inverse):
    """Take what the dof of one row does to that of another, whose row is the first `count` entries of it, out of it."""
    factor = matrix[start + count - 1] * inverse
    for k in independent(count):
        matrix[target + k] = matrix[target + k] - factor * matrix[start + k]
    matrix[start + count - 1] = factor


@kernel
def eliminate_row(matrix, inverse_diagonal, k, rownnz, rowadr, colind):
    """Take what dof k does to its ancestors out of their rows; its own becomes that of L."""
    start, inverse = rowadr[k], inverse_diagonal[k]
    for e in range(rownnz[k] - 2, -1, -1):
        first, factor = rowadr[colind[start + e]], matrix[start + e] * inverse
        for j in independent(e + 1):
            matrix[first + j] = matrix[first + j] - factor * matrix[start + j]
        matrix[start + e] = factor


@kernel
def eliminate_pair(matrix, inverse_diagonal, k, rownnz, rowadr, colind):
    """The same for dof k and its parent k - 1, out of the rows of the ancestors of both."""
    start1, start2 = rowadr[k], rowadr[k - 1]
    inverse1, inverse2 = inverse_diagonal[k], inverse_diagonal[k - 1]
    for e in range(rownnz[k - 1] - 2, -1, -1):
        first = rowadr[colind[start1 + e]]
        factor1, factor2 = matrix[start1 + e] * inverse1, matrix[start2 + e] * inverse2
        for j in independent(e + 1):
            matrix[first + j] = matrix[first + j] - factor1 * matrix[start1 + j] - factor2 * matrix[start2 + j]
        matrix[start1 + e] = factor1
        matrix[start2 + e] = factor2


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
    i = rows[1] - 1
    while i >= rows[0]:
        if is_nested(i, i - 1, rownnz, rowadr, colind):
            spread_pair(x, factor, i, i - 1, rownnz, rowadr, colind)
            i -= 2
        else:
            spread_row(x, factor, i, rownnz, rowadr, colind)
            i -= 1
    for i in range(rows[0], rows[1]):
        x[i] = x[i] * inverse_diagonal[i]
    i = rows[0]
    while i < rows[1]:
        if i + 1 < rows[1] and is_nested(i + 1, i, rownnz, rowadr, colind):
            collect_pair(x, factor, i + 1, i, rownnz, rowadr, colind)
            i += 2
        else:
            collect_row(x, factor, i, rownnz, rowadr, colind)
            i += 1


@kernel
def spread_row(x, factor, dof, rownnz, rowadr, colind):
    """x -= L' x, the row of a dof: what it does to its ancestors."""
    start, value = rowadr[dof], x[dof]
    for address in range(start, start + rownnz[dof] - 1):
        x[colind[address]] = x[colind[address]] - factor[address] * value


@kernel
def spread_pair(x, factor, dof, parent, rownnz, rowadr, colind):
    """The same for a dof and then for one whose row is nested in its own: what both change is read and written once."""
    start1, start2, count = rowadr[dof], rowadr[parent], rownnz[parent] - 1
    value1 = x[dof]
    value2 = x[parent] - factor[start1 + count] * value1
    x[parent] = value2
    for k in range(count):
        j = colind[start1 + k]
        x[j] = x[j] - factor[start1 + k] * value1 - factor[start2 + k] * value2


@kernel
def collect_row(x, factor, dof, rownnz, rowadr, colind):
    """x -= L x, the row of a dof: what its ancestors do to it."""
    start, value = rowadr[dof], x[dof]
    for address in range(start, start + rownnz[dof] - 1):
        value = value - factor[address] * x[colind[address]]
    x[dof] = value


@kernel
def collect_pair(x, factor, dof, parent, rownnz, rowadr, colind):
    """The same for a dof and one whose row is nested in its own: two sums that do not wait for each other."""
    start1, start2, count = rowadr[dof], rowadr[parent], rownnz[parent] - 1
    value1, value2 = x[dof], x[parent]
    for k in range(count):
        other = x[colind[start1 + k]]
        value1 = value1 - factor[start1 + k] * other
        value2 = value2 - factor[start2 + k] * other
    x[parent] = value2
    x[dof] = value1 - factor[start1 + count] * value2


@kernel
def multiply_tree(result, matrix, x, n, rownnz, rowadr, colind):
    """result <- M x for a symmetric M of which the lower half is stored."""
    multiply_rows(result, matrix, x, (0, n), rownnz, rowadr, colind)


@kernel
def multiply_rows(result, matrix, x, rows, rownnz, rowadr, colind):
    """The same for a stretch of rows, (first, end), of whole trees."""
    i = rows[0]
    while i < rows[1]:
        if i + 1 < rows[1] and is_nested(i + 1, i, rownnz, rowadr, colind):
            multiply_pair(result, matrix, x, i + 1, i, rownnz, rowadr, colind)
            i += 2
        else:
            multiply_row(result, matrix, x, i, rownnz, rowadr, colind)
            i += 1


@kernel
def multiply_row(result, matrix, x, i, rownnz, rowadr, colind):
    """Row i of M x, and what x[i] adds to the rows of its ancestors."""
    start = rowadr[i]
    diagonal = start + rownnz[i] - 1
    value = x[i]
    total = matrix[diagonal] * value
    for address in range(start, diagonal):
        j = colind[address]
        total = total + matrix[address] * x[j]
        result[j] = result[j] + matrix[address] * value
    result[i] = total


@kernel
def multiply_pair(result, matrix, x, i, parent, rownnz, rowadr, colind):
    """The same for row i and the one that is nested in it."""
    start1, start2, count = rowadr[i], rowadr[parent], rownnz[parent] - 1
    value1, value2 = x[i], x[parent]
    total1, total2 = matrix[start1 + count + 1] * value1, matrix[start2 + count] * value2
    for k in range(count):
        j = colind[start1 + k]
        total1 = total1 + matrix[start1 + k] * x[j]
        total2 = total2 + matrix[start2 + k] * x[j]
        result[j] = result[j] + matrix[start2 + k] * value2 + matrix[start1 + k] * value1
    result[parent] = total2 + matrix[start1 + count] * value1
    result[i] = total1 + matrix[start1 + count] * value2
