"""Products with J, a pack of rows at a time (`constraint/row_packs.py`).

They read the columns and the vector once for the whole pack, and its sums do not wait for each other.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import any_, is_nonzero, or_, where
from phalanx.algebra.vector import add_scaled
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
    elif is_edge(d, row):
        result[row] = edge_times(d, start, x)
    else:
        result[row] = row_times(d, row, x)


@kernel
def is_edge(d, row):
    """Is it the row of an edge between two points that move freely? There may be thousands."""
    return row < d.ne and d.efc_edge[row] != 0


@kernel
def edge_times(d, k, x):
    """The row of an edge, whose entries begin at k, times x."""
    i, j = d.efc_J_colind[k], d.efc_J_colind[k + 3]
    a, b, u, v = load3(d.efc_J, k), load3(d.efc_J, k + 3), load3(x, i), load3(x, j)
    return (a[0] * u[0] + b[0] * v[0]) + (a[1] * u[1] + b[1] * v[1]) + (a[2] * u[2] + b[2] * v[2])


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
    for i in range(d.solve_npack):
        row = d.solve_pack[i]
        size = d.efc_pack[row]
        if is_edge(d, row):
            add_edge(d, row, total)
            continue
        forces = pack_values(d.efc_force, row, size)
        if any_(is_any_felt(forces)):
            if size == 4:
                add_transposed(d, row, plus4, forces, total)
            elif size == 3:
                add_transposed(d, row, plus3, forces, total)
            else:
                add_transposed(d, row, plus1, forces, total)
    for dof in island_dofs(d):
        d.qfrc_constraint[dof] = where(chosen, total[dof], d.qfrc_constraint[dof])


@kernel
def add_edge(d, row, result):
    """result += J' efc_force, for an edge."""
    k, force = d.efc_J_rowadr[row], d.efc_force[row]
    i, j = d.efc_J_colind[k], d.efc_J_colind[k + 3]
    store3(result, i, add_scaled(load3(result, i), load3(d.efc_J, k), force))
    store3(result, j, add_scaled(load3(result, j), load3(d.efc_J, k + 3), force))


@kernel
def is_any_felt(values):
    """Worlds where one of the four values is not zero."""
    return or_(or_(is_nonzero(values[0]), is_nonzero(values[1])), or_(is_nonzero(values[2]), is_nonzero(values[3])))
