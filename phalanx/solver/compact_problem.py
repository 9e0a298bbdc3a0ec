"""The dual problem without gaps: f' AR f / 2 + b' f over the rows of one world, or of worlds with the same rows.

In a lane worlds have different rows, and mostly each its own. Its rows are then numbered anew and copied to memory of
their own, where the numbers of a single world are neighbors: what is one instruction for a lane is one for eight rows.

A problem is a tuple of fields, those of a world of a lane or those of the lane itself, in the order below. Rows of the
matrix consist of stretches of eight columns, the first of which is a multiple of eight. A stretch without an entry that
is not zero may be left out; the others are stored as a whole, one after another.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load8, store8
from phalanx.algebra.number import and_, any_, lane_count, lane_get, lane_set, splat, where
from phalanx.constraint.projection import has_dual_matrix
from phalanx.constraint.rows import is_dense
from phalanx.tables.enums import ConstraintType

#: Fields of a problem: the matrix, AR f + b, the columns below of each row, the block at hand.
MATRIX, SLOPES, ROWS, BLOCK, BLOCK_MATRIX, WHITE = 0, 1, 2, 3, 4, 5

#: Columns of a row: its force and the limits of it, the inverse of its diagonal, b, state, forces before and after the
#: last extrapolation, coefficient of friction (of the normal row, that of the contact) and its inverse.
FORCE, LOW, HIGH, INVERSE, LINEAR, STATE, OLD, POINT, FRICTION, UNSCALE = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9

UNLIMITED = float("inf")


# --- one world, or the whole lane


@kernel
def lane_problem(d):
    """Memory of a problem of all worlds of a lane."""
    return d.lane_matrix, d.lane_slopes, d.lane_rows, d.block_rows, d.block_matrix, d.lane_white


@kernel
def world_problem(d):
    """Memory of the problem of one world."""
    return d.world_matrix, d.world_slopes, d.world_rows, d.world_block, d.world_block_matrix, d.world_white


@kernel
def all_worlds(x, world):
    """The number of each world."""
    return x


@kernel
def one_world(x, world):
    """The number of one world."""
    return lane_get(x, world)


@kernel
def only(like, world):
    """The condition that holds in one world."""
    return lane_set(splat(like, 0.0), world, 1.0) != 0.0


# --- rows and blocks


@kernel
def list_compact_rows(d, worlds):
    """Rows of the island at hand that act in some worlds, and the blocks that they form."""
    for row in range(d.nefc):
        d.compact_place[row] = -1
    count = 0
    for i in range(d.solve_nrow):
        row = d.solve_row[i]
        if any_(and_(worlds, d.efc_D[row] != 0.0)):
            d.compact_place[row] = count
            d.compact_row[count] = row
            count += 1
    d.compact_nrow = count
    blocks, i = 0, 0
    while i < count:
        dim = block_size(d, i)
        for k in range(dim):
            d.compact_dim[i + k] = 0
        d.compact_dim[i] = dim
        d.compact_next[blocks] = i
        blocks += 1
        i += dim
    d.compact_nblock = blocks


@kernel
def block_size(d, i):
    """Rows of the block that begins at a row: those of an elliptic contact with friction, or one."""
    row = d.compact_row[i]
    if d.efc_type[row] != ConstraintType.CONTACT_ELLIPTIC or i + 1 >= d.compact_nrow:
        return 1
    following = d.compact_row[i + 1]
    is_cone = following == row + 1 and d.efc_id[following] == d.efc_id[row]
    return d.contact_dim[d.efc_id[row]] if is_cone else 1


@kernel
def fill_rows(d, problem, take, world):
    """Numbers of the rows; the matrix must be there."""
    rows, matrix = problem[ROWS], problem[MATRIX]
    for i in range(d.compact_nrow):
        row, diagonal = d.compact_row[i], d.compact_diagonal[i]
        rows[i, FORCE] = take(d.efc_force[row], world)
        rows[i, INVERSE] = 1.0 / matrix[diagonal >> 3, diagonal & 7]
        rows[i, LINEAR] = take(d.efc_b[row], world)
        rows[i, STATE] = take(float(d.efc_state[row]), world)
        rows[i, OLD] = rows[i, FORCE]
        low, high = splat(rows[i, FORCE], -UNLIMITED), splat(rows[i, FORCE], UNLIMITED)
        if d.efc_type[row] > ConstraintType.FRICTION_TENDON:
            low = splat(low, 0.0)
        elif d.efc_type[row] > ConstraintType.EQUALITY:
            high = take(d.efc_frictionloss[row], world)
            low = -high
        rows[i, LOW] = low
        rows[i, HIGH] = high
        for j in range(d.compact_dim[i] if d.compact_dim[i] > 1 else 0):
            contact = d.efc_id[row]
            coefficient = d.contact_mu[contact] if j == 0 else d.contact_friction[contact, j - 1]
            rows[i + j, FRICTION] = take(coefficient, world)
            rows[i + j, UNSCALE] = 1.0 / rows[i + j, FRICTION]


# --- the matrix


@kernel
def make_matrix(m, d, problem, take, world):
    """AR between the rows; returns whether there is memory for it."""
    if has_dual_matrix(m, d):
        return gather_matrix(m, d, problem, take, world)
    return multiply_matrix(m, d, problem, take, world)


@kernel
def reserve(d, stretches):
    """Is there memory for so many stretches?"""
    d.ndual = max(d.ndual, stretches)
    return d.ndual <= d.dual_capacity


@kernel
def gather_matrix(m, d, problem, take, world):
    """The matrix from efc_AR."""
    matrix, count, entries = problem[MATRIX], 0, 0
    for i in range(d.compact_nrow):
        row, last = d.compact_row[i], -1
        d.compact_rowadr[i] = count
        start = d.efc_AR_rowadr[row]
        for k in range(start, start + d.efc_AR_rownnz[row]):
            j = d.compact_place[d.efc_AR_colind[k]]
            if j >= 0:
                if j >> 3 != last:
                    last = j >> 3
                    if count < d.dual_capacity:
                        d.compact_stretch[count] = last
                        clear(matrix, count)
                    count += 1
                if count <= d.dual_capacity:
                    matrix[count - 1, j & 7] = take(d.efc_AR[k], world)
                if j == i:
                    d.compact_diagonal[i] = 8 * (count - 1) + (i & 7)
                entries += 1
        d.compact_rownnz[i] = count - d.compact_rowadr[i]
    d.compact_entries = d.compact_nrow * d.compact_nrow if is_dense(m) else entries
    return reserve(d, count)


@kernel
def multiply_matrix(m, d, problem, take, world):
    """The matrix as a product of rows of Y; it has all stretches."""
    matrix, white, n = problem[MATRIX], problem[WHITE], d.compact_nrow
    width = (n + 7) >> 3
    d.compact_entries = n * n
    if not reserve(d, width * max(n, d.solve_ndof)):
        return False
    # Y by columns, so that the products of an entry with all others of its column are neighbors
    for k in range(width * d.solve_ndof):
        clear(white, k)
    for i in range(n):
        start = d.efc_Y_rowadr[d.compact_row[i]]
        for k in range(start, start + d.efc_Y_rownnz[d.compact_row[i]]):
            white[width * d.solve_place[d.efc_Y_colind[k]] + (i >> 3), i & 7] = take(d.efc_Y[k], world)
    for i in range(n):
        row = d.compact_row[i]
        d.compact_rowadr[i] = width * i
        d.compact_rownnz[i] = width
        for k in range(width):
            d.compact_stretch[width * i + k] = k
            clear(matrix, width * i + k)
        start = d.efc_Y_rowadr[row]
        for k in range(start, start + d.efc_Y_rownnz[row]):
            column = width * d.solve_place[d.efc_Y_colind[k]]
            entry = white[column + (i >> 3), i & 7]
            for stretch in range(width):
                add_stretch(matrix, width * i + stretch, white, column + stretch, entry)
        d.compact_diagonal[i] = 8 * width * i + i
        matrix[width * i + (i >> 3), i & 7] = matrix[width * i + (i >> 3), i & 7] + take(d.efc_R[row], world)
    return True


@kernel
def clear(field, i):
    """No entries in a stretch."""
    for k in (0, 1, 2, 3, 4, 5, 6, 7):
        field[i, k] = 0.0


@kernel
def times_and_add(total, stretch, factor):
    """total + factor * stretch"""
    return tuple(total[k] + stretch[k] * factor for k in range(8))


@kernel
def add_stretch(target, i, source, k, factor):
    """Add a multiple of a stretch to another."""
    store8(target, i, times_and_add(load8(target, i), load8(source, k), factor))


@kernel
def add_row(d, problem, i, step):
    """AR f + b after a change of one force."""
    slopes, matrix, start = problem[SLOPES], problem[MATRIX], d.compact_rowadr[i]
    for k in range(start, start + d.compact_rownnz[i]):
        add_stretch(slopes, d.compact_stretch[k], matrix, k, step)


@kernel
def compute_slopes(d, problem):
    """AR f + b anew."""
    slopes, rows, n = problem[SLOPES], problem[ROWS], d.compact_nrow
    for k in range((n + 7) >> 3):
        clear(slopes, k)
    i = 0
    while i < n:
        if i + 3 < n and is_full(d, i) and is_full(d, i + 1) and is_full(d, i + 2) and is_full(d, i + 3):
            add_four_rows(d, problem, i)
            i += 4
        else:
            force = rows[i, FORCE]
            if any_(force != 0.0):
                add_row(d, problem, i, force)
            i += 1
    for i in range(n):
        slopes[i >> 3, i & 7] = rows[i, LINEAR] + slopes[i >> 3, i & 7]


@kernel
def is_full(d, i):
    """Does a row of the matrix have all stretches?"""
    return d.compact_rownnz[i] == (d.compact_nrow + 7) >> 3


@kernel
def add_four_rows(d, problem, i):
    """AR f after changes of four forces from zero, whose rows of the matrix have all stretches."""
    slopes, matrix, rows, start = problem[SLOPES], problem[MATRIX], problem[ROWS], d.compact_rowadr[i]
    width = (d.compact_nrow + 7) >> 3
    f0, f1, f2, f3 = rows[i, FORCE], rows[i + 1, FORCE], rows[i + 2, FORCE], rows[i + 3, FORCE]
    for k in range(width):
        total = times_and_add(load8(slopes, k), load8(matrix, start + k), f0)
        total = times_and_add(total, load8(matrix, start + width + k), f1)
        total = times_and_add(total, load8(matrix, start + 2 * width + k), f2)
        store8(slopes, k, times_and_add(total, load8(matrix, start + 3 * width + k), f3))


# --- results


@kernel
def keep_in_lane(field, row, value, worlds, world):
    """Store a number of each of some worlds."""
    field[row] = where(worlds, value, field[row])


@kernel
def keep_in_world(field, row, value, worlds, world):
    """Store the number of one world."""
    field[row] = lane_set(field[row], world, value) if lane_count(field[row]) > 1 else value


@kernel
def store_rows(d, problem, keep, worlds, world):
    """efc_force and efc_state."""
    rows = problem[ROWS]
    for i in range(d.compact_nrow):
        keep(d.efc_force, d.compact_row[i], rows[i, FORCE], worlds, world)
        keep(d.efc_state, d.compact_row[i], rows[i, STATE], worlds, world)
