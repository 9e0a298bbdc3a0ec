"""Products with J, a pack of rows at a time (`constraint/row_packs.py`).

They read the columns and the vector once for the whole pack, and its sums do not wait for each other.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load6, store3, store6
from phalanx.algebra.number import any_, is_nonzero, or_, where
from phalanx.algebra.spatial import add_scaled6
from phalanx.algebra.vector import add_scaled
from phalanx.constraint.row_packs import BODY_FIRST, TWO_POINTS
from phalanx.solver.island_products import island_dofs, row_times


@kernel
def pack_times(d, row, x, result):
    """result <- J x for the rows of a pack."""
    J, columns, width, size = d.efc_J, d.efc_J_colind, d.efc_J_rownnz[row], d.efc_pack[row]
    start = d.efc_J_rowadr[row]
    # a sum for each row: none of them waits for another
    a, b, c = 0.0, 0.0, 0.0
    if size == 4:
        e = 0.0
        for k in range(start, start + width):
            value = x[columns[k]]
            a = a + J[k] * value
            b = b + J[k + width] * value
            c = c + J[k + 2 * width] * value
            e = e + J[k + 3 * width] * value
        result[row] = a
        result[row + 1] = b
        result[row + 2] = c
        result[row + 3] = e
    elif size == 3:
        for k in range(start, start + width):
            value = x[columns[k]]
            a = a + J[k] * value
            b = b + J[k + width] * value
            c = c + J[k + 2 * width] * value
        result[row] = a
        result[row + 1] = b
        result[row + 2] = c
    elif has_columns(d, row, TWO_POINTS):
        result[row] = points_times(d, start, x)
    elif has_columns(d, row, BODY_FIRST):
        result[row] = body_times(d, row, x)
    else:
        result[row] = row_times(d, row, x)


@kernel
def has_columns(d, row, kind):
    """Is it the row of an equality, alone, with columns of this kind?"""
    return row < d.ne and d.efc_columns[row] == kind


@kernel
def points_times(d, k, x):
    """A row that acts on two points, whose entries begin at k, times x."""
    i, j = d.efc_J_colind[k], d.efc_J_colind[k + 3]
    a, b, u, v = load3(d.efc_J, k), load3(d.efc_J, k + 3), load3(x, i), load3(x, j)
    return (a[0] * u[0] + b[0] * v[0]) + (a[1] * u[1] + b[1] * v[1]) + (a[2] * u[2] + b[2] * v[2])


@kernel
def body_times(d, row, x):
    """A row that acts on a free body first, times x."""
    k, end = d.efc_J_rowadr[row], d.efc_J_rowadr[row] + d.efc_J_rownnz[row]
    a, u = load6(d.efc_J, k), load6(x, d.efc_J_colind[k])
    total = (a[0] * u[0] + a[3] * u[3]) + (a[1] * u[1] + a[4] * u[4]) + (a[2] * u[2] + a[5] * u[5])
    for i in range(k + 6, end):
        total = total + d.efc_J[i] * x[d.efc_J_colind[i]]
    return total


@kernel
def all_rows_times(d, x, result):
    """result <- J x"""
    row = 0
    while row < d.nefc:
        pack_times(d, row, x, result)
        row += d.efc_pack[row]


@kernel
def island_rows_times(d, x, result):
    """result <- J x for the rows of the island at hand."""
    for i in range(d.solve_npack):
        pack_times(d, d.solve_pack[i], x, result)


@kernel
def row_steps(width):
    """How far the rows of a pack begin behind its first one."""
    return (0, width, 2 * width, 3 * width)


@kernel
def plus1(value, J, k, steps, scales):
    """A value and the entry k of a row times its scale; the row begins some steps behind the first of its pack."""
    return value + scales[0] * J[k + steps[0]]


@kernel
def plus2(value, J, k, steps, scales):
    """The same for two rows."""
    return value + scales[0] * J[k + steps[0]] + scales[1] * J[k + steps[1]]


@kernel
def plus3(value, J, k, steps, scales):
    """The same for three rows, added one after another, as MuJoCo does: conjugate gradients feel every rounding."""
    return value + scales[0] * J[k + steps[0]] + scales[1] * J[k + steps[1]] + scales[2] * J[k + steps[2]]


@kernel
def plus4(value, J, k, steps, scales):
    """The same for four rows."""
    return plus3(value, J, k, steps, scales) + scales[3] * J[k + steps[3]]


@kernel
def pack_values(field, row, size):
    """Values of the rows of a pack; four, the last of them repeated."""
    if size == 4:
        return field[row], field[row + 1], field[row + 2], field[row + 3]
    if size == 3:
        return field[row], field[row + 1], field[row + 2], field[row + 2]
    return field[row], field[row], field[row], field[row]


@kernel
def add_transposed(d, row, plus, scales, result):
    """result += J' scales, for the rows of a pack."""
    J, columns, width, start = d.efc_J, d.efc_J_colind, d.efc_J_rownnz[row], d.efc_J_rowadr[row]
    steps = row_steps(width)
    for k in range(start, start + width):
        dof = columns[k]
        result[dof] = plus(result[dof], J, k, steps, scales)


@kernel
def force_to_dofs(d, chosen):
    """qfrc_constraint <- J' efc_force on the island, in the chosen worlds."""
    total = d.solve_Mgrad
    for dof in island_dofs(d):
        total[dof] = 0.0
    i = 0
    while i < d.solve_npack:
        row = d.solve_pack[i]
        if has_columns(d, row, BODY_FIRST):
            i += add_rows_of_body(d, i, total)
        elif has_columns(d, row, TWO_POINTS):
            add_points(d, row, total)
            i += 1
        else:
            add_pack_force(d, row, total)
            i += 1
    for dof in island_dofs(d):
        d.qfrc_constraint[dof] = where(chosen, total[dof], d.qfrc_constraint[dof])


@kernel
def add_pack_force(d, row, result):
    """result += J' efc_force, for the rows of a pack."""
    size = d.efc_pack[row]
    forces = pack_values(d.efc_force, row, size)
    if any_(is_any_felt(forces)):
        if size == 4:
            add_transposed(d, row, plus4, forces, result)
        elif size == 3:
            add_transposed(d, row, plus3, forces, result)
        else:
            add_transposed(d, row, plus1, forces, result)


@kernel
def add_points(d, row, result):
    """The same for a row that acts on two points."""
    k, force = d.efc_J_rowadr[row], d.efc_force[row]
    i, j = d.efc_J_colind[k], d.efc_J_colind[k + 3]
    store3(result, i, add_scaled(load3(result, i), load3(d.efc_J, k), force))
    store3(result, j, add_scaled(load3(result, j), load3(d.efc_J, k + 3), force))


@kernel
def add_rows_of_body(d, first, result):
    """The same for all rows from a place on that act on the same free body first: its six sums wait for no memory.

    Returns how many rows.
    """
    columns, count = d.efc_J_colind, 0
    body = columns[d.efc_J_rowadr[d.solve_pack[first]]]
    sums = load6(result, body)
    while first + count < d.solve_npack:
        row = d.solve_pack[first + count]
        k, force = d.efc_J_rowadr[row], d.efc_force[row]
        if not has_columns(d, row, BODY_FIRST) or columns[k] != body:
            break
        sums = add_scaled6(sums, load6(d.efc_J, k), force)
        for i in range(k + 6, k + d.efc_J_rownnz[row]):
            result[columns[i]] = result[columns[i]] + force * d.efc_J[i]
        count += 1
    store6(result, body, sums)
    return count


@kernel
def is_any_felt(values):
    """Worlds where one of the four values is not zero."""
    return or_(or_(is_nonzero(values[0]), is_nonzero(values[1])), or_(is_nonzero(values[2]), is_nonzero(values[3])))
