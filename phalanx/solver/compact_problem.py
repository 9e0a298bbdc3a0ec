"""The dual problem without gaps: f' AR f / 2 + b' f over the rows of one world, or of worlds with the same rows.

In a lane worlds have different rows, and mostly each its own. Its rows are then numbered anew and copied to memory of
their own, where the numbers of a single world are neighbors: what is one instruction for a lane is one for eight rows.

A problem is a tuple of fields, those of a world of a lane or those of the lane itself, in the order below. Rows of the
matrix consist of stretches of eight columns, the first of which is a multiple of eight. A stretch without an entry that
is not zero may be left out; the others are stored as a whole, one after another. Rows are filled up to a multiple of
eight with some that have no force and no entries.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load8, store8
from phalanx.algebra.number import and_, any_, is_single, lane_count, lane_get, lane_set, splat, where
from phalanx.constraint.dual_matrix import has_dual_matrix
from phalanx.constraint.rows import is_dense
from phalanx.tables.enums import ConstraintState, ConstraintType

#: Fields of a problem: the matrix, Y by columns, AR f + b,
MATRIX, WHITE, SLOPES = 0, 1, 2
#: forces and their limits, the diagonal of the matrix and its inverse, b, forces before and after an extrapolation,
FORCE, LOW, HIGH, DIAGONAL, INVERSE, LINEAR, OLD, POINT = 3, 4, 5, 6, 7, 8, 9, 10
#: states, and what they are at the limits and between them; coefficients of friction, their inverses; R.
STATE, AT_LOW, AT_HIGH, WITHIN, FRICTION, UNSCALE, REGULAR = 11, 12, 13, 14, 15, 16, 17

UNLIMITED = float("inf")


# --- one world, or the whole lane


@kernel
def lane_problem(d):
    """Memory of a problem of all worlds of a lane."""
    return (
        d.lane_matrix, d.lane_white, d.lane_slopes,
        d.lane_force, d.lane_low, d.lane_high, d.lane_diagonal, d.lane_inverse, d.lane_linear, d.lane_old, d.lane_point,
        d.lane_state, d.lane_at_low, d.lane_at_high, d.lane_within, d.lane_friction, d.lane_unscale, d.lane_regular,
    )  # fmt: skip


@kernel
def world_problem(d):
    """Memory of the problem of one world."""
    return (
        d.world_matrix, d.world_white, d.world_slopes,
        d.world_force, d.world_low, d.world_high, d.world_diagonal, d.world_inverse, d.world_linear, d.world_old,
        d.world_point, d.world_state, d.world_at_low, d.world_at_high, d.world_within,
        d.world_friction, d.world_unscale, d.world_regular,
    )  # fmt: skip


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


@kernel
def first_world(chosen, worlds):
    """The first world where the condition holds."""
    for world in range(worlds):
        if lane_get(chosen, world):
            return world
    return 0


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
    for k in range(0, d.compact_nrow, 8):
        clear_rows(problem, k)
    for i in range(d.compact_nrow):
        row, diagonal = d.compact_row[i], d.compact_diagonal[i]
        force, state = take(d.efc_force[row], world), take(float(d.efc_state[row]), world)
        problem[FORCE][i] = force
        problem[OLD][i] = force
        problem[DIAGONAL][i] = problem[MATRIX][diagonal >> 3, diagonal & 7]
        problem[INVERSE][i] = 1.0 / problem[DIAGONAL][i]
        problem[LINEAR][i] = take(d.efc_b[row], world)
        problem[REGULAR][i] = take(d.efc_R[row], world)
        problem[STATE][i] = state
        problem[WITHIN][i] = splat(force, ConstraintState.QUADRATIC)
        if d.compact_dim[i] == 1:
            limit_row(d, problem, i, take, world)
        else:
            # those of a cone are limited together
            problem[LOW][i] = splat(force, -UNLIMITED)
            problem[HIGH][i] = splat(force, UNLIMITED)
            fill_cone(d, problem, i, take, world)


@kernel
def clear_rows(problem, k):
    """Eight rows without force."""
    none = eight_zeros(problem)
    for column in problem[SLOPES:]:
        store8(column, k, none)


@kernel
def limit_row(d, problem, i, take, world):
    """Limits of the force of a single row, and the states there."""
    row, low, high = d.compact_row[i], splat(problem[FORCE][i], -UNLIMITED), splat(problem[FORCE][i], UNLIMITED)
    at_low, at_high = ConstraintState.QUADRATIC, ConstraintState.QUADRATIC
    if d.efc_type[row] > ConstraintType.FRICTION_TENDON:
        low, at_low = splat(low, 0.0), ConstraintState.SATISFIED
    elif d.efc_type[row] > ConstraintType.EQUALITY:
        high = take(d.efc_frictionloss[row], world)
        low, at_low, at_high = -high, ConstraintState.LINEARPOS, ConstraintState.LINEARNEG
    problem[LOW][i] = low
    problem[HIGH][i] = high
    problem[AT_LOW][i] = splat(low, at_low)
    problem[AT_HIGH][i] = splat(low, at_high)


@kernel
def fill_cone(d, problem, i, take, world):
    """Coefficients of friction of the contact that begins at a row, if one does."""
    contact = d.efc_id[d.compact_row[i]]
    for j in range(d.compact_dim[i]):
        coefficient = d.contact_mu[contact] if j == 0 else d.contact_friction[contact, j - 1]
        problem[FRICTION][i + j] = take(coefficient, world)
        problem[UNSCALE][i + j] = 1.0 / problem[FRICTION][i + j]


# --- the matrix


@kernel
def make_matrix(m, d, problem, take, world):
    """AR between the rows; returns whether there is memory for it."""
    if has_dual_matrix(m, d):
        return gather_matrix(m, d, problem, take, world)
    return multiply_matrix(m, d, problem, take, world)


@kernel
def reserve(d, stretches):
    """Is there memory for the rows and for so many stretches of the matrix?"""
    width = (d.compact_nrow + 7) >> 3
    d.compact_is_full = stretches == width * d.compact_nrow
    d.ncompact = max(d.ncompact, 8 * width)
    d.ndual = max(d.ndual, stretches)
    return d.ndual <= d.dual_capacity and d.ncompact <= d.compact_capacity


@kernel
def gather_matrix(m, d, problem, take, world):
    """The matrix from efc_AR."""
    count, entries, n = 0, 0, d.compact_nrow
    for i in range(n):
        d.compact_rowadr[i] = count
        if n == d.nefc and d.efc_AR_rownnz[i] == n:
            count = copy_row(d, problem, i, count, take, world)
            entries += n
        else:
            count, found = gather_row(d, problem, i, count, take, world)
            entries += found
        d.compact_rownnz[i] = count - d.compact_rowadr[i]
    d.compact_entries = n * n if is_dense(m) else entries
    return reserve(d, count)


@kernel
def copy_row(d, problem, i, count, take, world):
    """A row that has an entry in each column, where all rows are at hand; returns the count of stretches after it."""
    matrix, start, n = problem[MATRIX], d.efc_AR_rowadr[i], d.compact_nrow
    last = n >> 3
    d.compact_diagonal[i] = 8 * count + i
    after = count + ((n + 7) >> 3)
    if after <= d.dual_capacity:
        for k in range(after - count):
            d.compact_stretch[count + k] = k
        for k in range(last):
            entries = load8(d.efc_AR, start + 8 * k)
            store8(matrix, count + k, tuple(take(entry, world) for entry in entries))
        if 8 * last < n:
            clear(matrix, count + last)
        for j in range(8 * last, n):
            matrix[count + last, j & 7] = take(d.efc_AR[start + j], world)
    return after


@kernel
def gather_row(d, problem, i, count, take, world):
    """Any row; returns the counts of stretches after it and of its entries."""
    matrix, row, last, entries = problem[MATRIX], d.compact_row[i], -1, 0
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
    return count, entries


@kernel
def multiply_matrix(m, d, problem, take, world):
    """The matrix as a product of rows of Y; it has all stretches."""
    matrix, white, n = problem[MATRIX], problem[WHITE], d.compact_nrow
    width = (n + 7) >> 3
    d.compact_entries = n * n
    has_room = reserve(d, width * max(n, d.solve_ndof))
    d.compact_is_full = 1
    if not has_room:
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
        # in single precision eight products take less time than a copy of eight numbers
        first = 0 if is_single(d.efc_R[row]) else i >> 3
        for_stretches(d, problem, i, first, multiply_stretches)
        # it is symmetric: what stands before the stretch of the diagonal is there already
        for j in range(8 * first):
            matrix[width * i + (j >> 3), j & 7] = matrix[width * j + (i >> 3), i & 7]
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
def add_stretches(totals, field, first, stretches, factor):
    """Sums of stretches, with multiples of those of a row added; the row begins at the first."""
    return tuple(
        times_and_add(total, load8(field, first + stretch), factor)
        for total, stretch in zip(totals, stretches, strict=True)
    )


@kernel
def for_stretches(d, problem, i, first, compute):
    """compute(d, problem, i, stretches), for a few stretches at a time from the first on.

    As many as have room for their sums in registers: one in lanes, and several in one world, where they would wait.
    """
    width = (d.compact_nrow + 7) >> 3
    k = first
    while k < width:
        if lane_count(problem[FORCE][0]) > 1:
            compute(d, problem, i, (k,))
            k += 1
        elif width - k == 3 or width - k > 4:
            compute(d, problem, i, (k, k + 1, k + 2))
            k += 3
        elif width - k > 1:
            compute(d, problem, i, (k, k + 1))
            k += 2
        else:
            compute(d, problem, i, (k,))
            k += 1


@kernel
def multiply_stretches(d, problem, i, stretches):
    """Some stretches of a row of Y Y'."""
    white, width, row = problem[WHITE], (d.compact_nrow + 7) >> 3, d.compact_row[i]
    totals = tuple(eight_zeros(problem) for _ in stretches)
    start = d.efc_Y_rowadr[row]
    for k in range(start, start + d.efc_Y_rownnz[row]):
        column = width * d.solve_place[d.efc_Y_colind[k]]
        entry = white[column + (i >> 3), i & 7]
        totals = add_stretches(totals, white, column, stretches, entry)
    for total, stretch in zip(totals, stretches, strict=True):
        store8(problem[MATRIX], width * i + stretch, total)


@kernel
def add_to_slopes(problem, stretch, k, step):
    """The share of one stretch of the matrix in AR f, after a change of one force."""
    slopes = problem[SLOPES]
    store8(slopes, 8 * stretch, times_and_add(load8(slopes, 8 * stretch), load8(problem[MATRIX], k), step))


@kernel
def add_row(d, problem, i, step):
    """AR f + b after a change of one force."""
    start = d.compact_rowadr[i]
    for k in range(start, start + d.compact_rownnz[i]):
        add_to_slopes(problem, d.compact_stretch[k], k, step)


@kernel
def full_width(d):
    """Stretches of each row if the matrix has all of them, else zero."""
    return (d.compact_nrow + 7) >> 3 if d.compact_is_full else 0


@kernel
def add_full_row(problem, i, step, width):
    """The same for a row that has all stretches."""
    for k in range(width):
        add_to_slopes(problem, k, width * i + k, step)


@kernel
def entry_between(d, problem, i, j, width):
    """The entry of the matrix between two rows; zero if the stretch is left out."""
    if width > 0:
        return problem[MATRIX][width * i + (j >> 3), j & 7]
    start = d.compact_rowadr[i]
    for k in range(start, start + d.compact_rownnz[i]):
        if d.compact_stretch[k] == j >> 3:
            return problem[MATRIX][k, j & 7]
    return splat(problem[FORCE][0], 0.0)


@kernel
def add_rows(d, problem, rows, steps):
    """AR f + b after changes of several forces, added one after another."""
    if d.compact_is_full:
        slopes, matrix, width = problem[SLOPES], problem[MATRIX], (d.compact_nrow + 7) >> 3
        for k in range(width):
            total = load8(slopes, 8 * k)
            for row, step in zip(rows, steps, strict=True):
                total = times_and_add(total, load8(matrix, width * row + k), step)
            store8(slopes, 8 * k, total)
    else:
        for row, step in zip(rows, steps, strict=True):
            add_row(d, problem, row, step)


@kernel
def compute_slopes(d, problem):
    """AR f + b anew."""
    if d.compact_is_full:
        for_stretches(d, problem, 0, 0, slopes_of_stretches)
        return
    slopes, n = problem[SLOPES], d.compact_nrow
    for k in range(0, n, 8):
        store8(slopes, k, eight_zeros(problem))
    for i in range(n):
        force = problem[FORCE][i]
        if any_(force != 0.0):
            add_row(d, problem, i, force)
    for k in range(0, n, 8):
        store_slopes(problem, k, load8(slopes, k))


@kernel
def slopes_of_stretches(d, problem, first, stretches):
    """AR f + b of the rows of some stretches, where the matrix has all of them; rows of f from the first on."""
    matrix, width = problem[MATRIX], (d.compact_nrow + 7) >> 3
    totals = tuple(eight_zeros(problem) for _ in stretches)
    for i in range(first, d.compact_nrow):
        totals = add_stretches(totals, matrix, width * i, stretches, problem[FORCE][i])
    for total, stretch in zip(totals, stretches, strict=True):
        store_slopes(problem, 8 * stretch, total)


@kernel
def store_slopes(problem, k, total):
    """The slopes of eight rows, from AR f."""
    linear = load8(problem[LINEAR], k)
    store8(problem[SLOPES], k, tuple(linear[j] + total[j] for j in range(8)))


# --- eight rows, or those of a block


@kernel
def eight_zeros(problem):
    """Zeros of eight rows."""
    return tuple(splat(problem[FORCE][0], 0.0) for _ in range(8))


@kernel
def sum8(x):
    """The sum of eight numbers, in a fixed order."""
    return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]))


@kernel
def has_cones(d):
    """Are there blocks of several rows?"""
    return d.compact_nblock < d.compact_nrow


@kernel
def load_rows(field, rows):
    """Numbers of some rows."""
    return tuple(field[row] for row in rows)


@kernel
def load_entry(matrix, address):
    """An entry of the matrix."""
    return matrix[address >> 3, address & 7]


@kernel
def load_matrix(d, problem, rows):
    """The matrix between rows that follow one another and have the same stretches."""
    matrix, n = problem[MATRIX], len(rows)
    return tuple(tuple(load_entry(matrix, d.compact_diagonal[rows[j]] + k - j) for k in range(n)) for j in range(n))


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
    for i in range(d.compact_nrow):
        keep(d.efc_force, d.compact_row[i], problem[FORCE][i], worlds, world)
        keep(d.efc_state, d.compact_row[i], problem[STATE][i], worlds, world)
