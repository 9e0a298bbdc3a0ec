"""Factor of the Hessian, L' D L, in the pattern of `hessian.py`, from the last dof to the first.

Rows that are nested, as those of a chain of bodies or of the sliders of a vertex, are taken together, up to four at a
time, and out of up to three others at a time.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import independent, where
from phalanx.algebra.tree import MIN_PIVOT, is_nested, reduce_nested
from phalanx.constraint.hessian_size import has_own_order
from phalanx.solver.hessian import add_cones
from phalanx.solver.island_products import solve_factored


@kernel
def factor_hessian(m, d):
    """hessian_factor, hessian_inverse: L' D L of the Hessian with its cones."""
    matrix, rowadr, rownnz = d.hessian_factor, d.hessian_rowadr, d.hessian_rownnz
    for i in range(d.solve_ndof):
        first = rowadr[d.hessian_place[i]]
        for k in range(first, first + rownnz[d.hessian_place[i]]):
            matrix[k] = d.hessian[k]
    add_cones(m, d, matrix)
    i = d.solve_ndof - 1
    while i >= 0:
        # dofs whose rows are nested are taken together: the rows of others are read and written once for all of them
        if not holds_row_before(d, i):
            eliminate_one(d, matrix, d.hessian_place[i])
            i -= 1
        elif holds_row_before(d, i - 1) and holds_row_before(d, i - 2):
            eliminate_four(d, matrix, i)
            i -= 4
        elif holds_row_before(d, i - 1):
            eliminate_three(d, matrix, i)
            i -= 3
        else:
            eliminate_two(d, matrix, d.hessian_place[i], d.hessian_place[i - 1])
            i -= 2


@kernel
def divide_by_factors(m, d, factors, x):
    """x <- H^-1 x on the dofs of the island; `factors` is where those of the Hessian are: d, or its values alone."""
    factor, inverse, places, count = factors.hessian_factor, factors.hessian_inverse, d.hessian_place, d.solve_ndof
    rownnz, rowadr, colind = d.hessian_rownnz, d.hessian_rowadr, d.hessian_colind
    if not has_own_order(m):
        solve_factored(x, places, count, factor, inverse, rownnz, rowadr, colind)
        return
    for i in range(count):
        d.hessian_x[places[i]] = x[m.place_dof[places[i]]]
    solve_factored(d.hessian_x, places, count, factor, inverse, rownnz, rowadr, colind)
    for i in range(count):
        x[m.place_dof[places[i]]] = d.hessian_x[places[i]]


@kernel
def holds_row_before(d, i):
    """Has the row of dof i of the island the entries of the row of the dof before it, and one more?"""
    if i < 1:
        return False
    return is_nested(d.hessian_place[i], d.hessian_place[i - 1], d.hessian_rownnz, d.hessian_rowadr, d.hessian_colind)


@kernel
def inverse_pivot(d, matrix, dof):
    """Inverse of the diagonal element of a row that is eliminated next."""
    pivot = matrix[d.hessian_rowadr[dof] + d.hessian_rownnz[dof] - 1]
    inverse = 1.0 / where(pivot < MIN_PIVOT, MIN_PIVOT, pivot)
    d.hessian_inverse[dof] = inverse
    return inverse


@kernel
def eliminate_one(d, matrix, dof):
    """Take what a dof does to the others out of their rows; its own becomes that of L."""
    start = d.hessian_rowadr[dof]
    inverse = inverse_pivot(d, matrix, dof)
    for e in range(d.hessian_rownnz[dof] - 2, -1, -1):
        factor = matrix[start + e] * inverse
        subtract_products(d, matrix, start, e, less1, (start, start, start, start), (factor, factor, factor, factor))
        matrix[start + e] = factor


@kernel
def eliminate_two(d, matrix, dof1, dof2):
    """The same for two dofs whose rows are nested."""
    first, second = d.hessian_rowadr[dof1], d.hessian_rowadr[dof2]
    inverse1 = inverse_pivot(d, matrix, dof1)
    reduce_nested(matrix, first, second, d.hessian_rownnz[dof2], inverse1)
    inverse2 = inverse_pivot(d, matrix, dof2)
    for e in range(d.hessian_rownnz[dof2] - 2, -1, -1):
        factor1, factor2 = matrix[first + e] * inverse1, matrix[second + e] * inverse2
        starts, factors = (first, second, second, second), (factor1, factor2, factor2, factor2)
        subtract_products(d, matrix, second, e, less2, starts, factors)
        matrix[first + e] = factor1
        matrix[second + e] = factor2


@kernel
def eliminate_three(d, matrix, i):
    """The same for three dofs whose rows are nested, as those of a vertex: dof i of the island and those before it."""
    dofs = (d.hessian_place[i], d.hessian_place[i - 1], d.hessian_place[i - 2])
    rowadr, count = d.hessian_rowadr, d.hessian_rownnz[dofs[2]]
    starts = (rowadr[dofs[0]], rowadr[dofs[1]], rowadr[dofs[2]], rowadr[dofs[2]])
    inverse0 = inverse_pivot(d, matrix, dofs[0])
    reduce_nested(matrix, starts[0], starts[1], count + 1, inverse0)
    inverse1 = inverse_pivot(d, matrix, dofs[1])
    reduce_by_two(matrix, starts, count, inverse0, inverse1)
    inverse2 = inverse_pivot(d, matrix, dofs[2])
    reduce_others(d, matrix, count - 2, less3, put_factors3, starts, (inverse0, inverse1, inverse2, inverse2))


@kernel
def reduce_others(d, matrix, e, less, put, starts, inverses):
    """Take nested rows out of the rows of the dofs that they share, from entry e down; they become those of L."""
    while e >= 0:
        if ends_with_three(d, starts[3], e):
            # all factors first: entries of L are no longer those that are subtracted
            one, two = factors_of(matrix, e, starts, inverses), factors_of(matrix, e - 1, starts, inverses)
            three = factors_of(matrix, e - 2, starts, inverses)
            subtract_from_three(d, matrix, starts[3], e, less, starts, (one, two, three))
            put(matrix, e, starts, one)
            put(matrix, e - 1, starts, two)
            put(matrix, e - 2, starts, three)
            e -= 3
        else:
            factors = factors_of(matrix, e, starts, inverses)
            subtract_products(d, matrix, starts[3], e, less, starts, factors)
            put(matrix, e, starts, factors)
            e -= 1


@kernel
def factors_of(matrix, e, starts, inverses):
    """Entry e of each of four rows by the pivot of the row."""
    a, b = matrix[starts[0] + e] * inverses[0], matrix[starts[1] + e] * inverses[1]
    return a, b, matrix[starts[2] + e] * inverses[2], matrix[starts[3] + e] * inverses[3]


@kernel
def put_factors3(matrix, e, starts, factors):
    """Entry e of three rows."""
    matrix[starts[0] + e] = factors[0]
    matrix[starts[1] + e] = factors[1]
    matrix[starts[2] + e] = factors[2]


@kernel
def eliminate_four(d, matrix, i):
    """The same for four dofs whose rows are nested: dof i of the island and those before it."""
    dofs = (d.hessian_place[i], d.hessian_place[i - 1], d.hessian_place[i - 2], d.hessian_place[i - 3])
    rowadr, count = d.hessian_rowadr, d.hessian_rownnz[dofs[3]]
    starts = (rowadr[dofs[0]], rowadr[dofs[1]], rowadr[dofs[2]], rowadr[dofs[3]])
    # among themselves one after another, then all four out of the rows that they share
    inverse0 = inverse_pivot(d, matrix, dofs[0])
    reduce_nested(matrix, starts[0], starts[1], count + 2, inverse0)
    inverse1 = inverse_pivot(d, matrix, dofs[1])
    reduce_by_two(matrix, starts, count + 1, inverse0, inverse1)
    inverse2 = inverse_pivot(d, matrix, dofs[2])
    reduce_by_three(matrix, starts, count, inverse0, inverse1, inverse2)
    inverse3 = inverse_pivot(d, matrix, dofs[3])
    reduce_others(d, matrix, count - 2, less4, put_factors4, starts, (inverse0, inverse1, inverse2, inverse3))


@kernel
def put_factors4(matrix, e, starts, factors):
    """Entry e of four rows."""
    put_factors3(matrix, e, starts, factors)
    matrix[starts[3] + e] = factors[3]


@kernel
def reduce_by_two(matrix, starts, count, inverse0, inverse1):
    """Take what two dofs do to that of the third row, which has the first `count` entries of theirs, out of it."""
    last = count - 1
    factors = (matrix[starts[0] + last] * inverse0, matrix[starts[1] + last] * inverse1)
    # the fourth row, if there is one, has fewer entries
    pair = (starts[0], starts[1], starts[1], starts[1])
    for k in independent(count):
        matrix[starts[2] + k] = less2(matrix[starts[2] + k], entries_of(matrix, k, pair), factors)
    matrix[starts[0] + last] = factors[0]
    matrix[starts[1] + last] = factors[1]


@kernel
def reduce_by_three(matrix, starts, count, inverse0, inverse1, inverse2):
    """Take what three dofs do to that of the fourth row, which has the first `count` entries of theirs, out of it."""
    last = count - 1
    factors = (
        matrix[starts[0] + last] * inverse0, matrix[starts[1] + last] * inverse1, matrix[starts[2] + last] * inverse2
    )  # fmt: skip
    for k in independent(count):
        matrix[starts[3] + k] = less3(matrix[starts[3] + k], entries_of(matrix, k, starts), factors)
    matrix[starts[0] + last] = factors[0]
    matrix[starts[1] + last] = factors[1]
    matrix[starts[2] + last] = factors[2]


@kernel
def entries_of(matrix, k, starts):
    """Entry k of each of four rows."""
    return matrix[starts[0] + k], matrix[starts[1] + k], matrix[starts[2] + k], matrix[starts[3] + k]


@kernel
def less1(value, entries, factors):
    """An entry without the product of a factor and an entry of one row."""
    return value - factors[0] * entries[0]


@kernel
def less2(value, entries, factors):
    """Without those of two rows."""
    return value - factors[0] * entries[0] - factors[1] * entries[1]


@kernel
def less3(value, entries, factors):
    """Without those of three rows."""
    return value - factors[0] * entries[0] - factors[1] * entries[1] - factors[2] * entries[2]


@kernel
def less4(value, entries, factors):
    """Without those of four rows."""
    return less3(value, entries, factors) - factors[3] * entries[3]


@kernel
def subtract_products(d, matrix, start, e, less, starts, factors):
    """Take factors times rows out of the row of the dof of entry e; the rows have the columns from `start` up to e."""
    columns = d.hessian_colind
    other = columns[start + e]
    place, k = d.hessian_rowadr[other], 0
    last = place + d.hessian_rownnz[other] - 1
    if last - place == e:
        for j in independent(e + 1):
            matrix[place + j] = less(matrix[place + j], entries_of(matrix, j, starts), factors)
        return
    while k <= e:
        # columns come in runs: the dofs of a body; the last one often has no gaps, as neighbors in a flex
        run = e - k + 1
        if other - columns[start + k] == e - k:
            place = last - (e - k)
        else:
            while columns[place] != columns[start + k]:
                place += 1
            run = 1
            while k + run <= e and columns[place + run] == columns[start + k + run]:
                run += 1
        for j in independent(run):
            matrix[place + j] = less(matrix[place + j], entries_of(matrix, k + j, starts), factors)
        place += run
        k += run


@kernel
def ends_with_three(d, start, e):
    """Have the dofs of entry e and the two before it, in a row from `start` on, nested rows, as those of a vertex?"""
    if e < 2:
        return False
    columns, rownnz, rowadr = d.hessian_colind, d.hessian_rownnz, d.hessian_rowadr
    middle = columns[start + e - 1]
    if not is_nested(columns[start + e], middle, rownnz, rowadr, columns):
        return False
    return is_nested(middle, columns[start + e - 2], rownnz, rowadr, columns)


@kernel
def subtract_from_three(d, matrix, start, e, less, starts, factors):
    """`subtract_products` for the nested rows of the dofs of entry e and the two before it, each with its factors."""
    columns, rowadr = d.hessian_colind, d.hessian_rowadr
    last, low = e - 2, columns[start + e - 2]
    one, two, three = rowadr[columns[start + e]], rowadr[columns[start + e - 1]], rowadr[low]
    end = d.hessian_rownnz[low] - 1
    k, place = 0, 0
    # columns are at the same places of all three, so they are searched once
    while k <= last:
        run = last - k + 1
        if low - columns[start + k] == last - k or end == last:
            place = end - (last - k)
        else:
            while columns[three + place] != columns[start + k]:
                place += 1
            run = 1
            while k + run <= last and columns[three + place + run] == columns[start + k + run]:
                run += 1
        for j in independent(run):
            # read before anything is written, which might be the same memory for all that the compiler knows
            entries, at = entries_of(matrix, k + j, starts), place + j
            first, second, third = matrix[one + at], matrix[two + at], matrix[three + at]
            matrix[one + at] = less(first, entries, factors[0])
            matrix[two + at] = less(second, entries, factors[1])
            matrix[three + at] = less(third, entries, factors[2])
        place += run
        k += run
    before, own = entries_of(matrix, e - 1, starts), entries_of(matrix, e, starts)
    matrix[one + end + 1] = less(matrix[one + end + 1], before, factors[0])
    matrix[two + end + 1] = less(matrix[two + end + 1], before, factors[1])
    matrix[one + end + 2] = less(matrix[one + end + 2], own, factors[0])
