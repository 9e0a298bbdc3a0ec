"""Boxes around bodies that overlap, in time close to linear in the number of bodies, in a plain of robots as in a heap.

Boxes are sorted along the axis on which they are spread most, dealt into strips along the next and, in a heap, into
layers along the third. In each cell a box meets those that begin before it ends. Strips and layers are as wide as two
boxes and counted round and round, so that a body that flew away makes none of them wider.

Sorting goes by two digits of whole numbers, in linear time. No branch depends on whether two boxes overlap: a processor
could not foresee it, and a wrong guess costs more than to compare. Pairs come in any order; `broadphase` sorts them.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import maximum, minimum
from phalanx.collision.broad.bounds import find_body_box

#: Role of a body in the sweep (`broad/candidates.py`).
SWEPT = 1
#: Widths of strips and layers, in mean boxes.
BOXES_WIDE = 2.0
#: Boxes that one meets in a strip, above which strips are cut into layers.
FEW_BOXES = 1.0
#: Largest index of a place along an axis.
MOST_PLACES = 1073741823.0
#: Bits of half a place along the sweep, at most.
MOST_BITS = 15
#: Cells per body that memory has room for.
CELLS_PER_BODY = 4


# --- where boxes are


@kernel
def list_swept(m, d):
    """Boxes of all bodies that are swept, their ids in sweep_order; how many there are."""
    count = 0
    for body in range(1, m.nbody):
        if m.body_sweep[body] == SWEPT:
            find_body_box(m, d, body)
            d.sweep_order[count] = body
            count += 1
    return count


@kernel
def measure_axis(d, count, axis):
    """How boxes lie along an axis: variance of their centers, where they begin, how far they go, their mean extent."""
    total, square, extent = 0.0, 0.0, 0.0
    low, high = d.body_low[d.sweep_order[0], axis], d.body_high[d.sweep_order[0], axis]
    for k in range(count):
        body = d.sweep_order[k]
        first, last = d.body_low[body, axis], d.body_high[body, axis]
        total += first + last
        square += (first + last) * (first + last)
        extent += last - first
        low, high = minimum(low, first), maximum(high, last)
    d.axis_spread[axis] = square - total * total / count
    d.axis_start[axis] = low
    d.axis_length[axis] = high - low
    d.axis_extent[axis] = extent / count


@kernel
def widest_axis(d, other):
    """The axis, but not the other, along which the centers of the boxes are spread most."""
    best, most = (other + 1) % 3, -1.0
    for axis in range(3):
        if axis != other and d.axis_spread[axis] > most:
            best, most = axis, d.axis_spread[axis]
    return best


@kernel
def places_per_length(places, length):
    """How many places a unit of length has; all is in one place if there is no length."""
    return places / length if length > 0.0 else 0.0


@kernel
def place_of(x, ruler):
    """A coordinate as a whole number that grows with it, 0 if it is no number. A ruler: (start, places per length)."""
    place = (x - ruler[0]) * ruler[1]
    return int(minimum(place, MOST_PLACES)) if place > 0.0 else 0


# --- sorting


@kernel
def starts_from_counts(counts, size):
    """How many there are in each bucket becomes where it starts; the sum."""
    start = 0
    for bucket in range(size):
        count = counts[bucket]
        counts[bucket] = start
        start += count
    return start


@kernel
def sort_by_digit(d, source, target, count, shift, size):
    """Bodies of the source by one digit of their key; equal ones stay in order. A digit is less than the size."""
    for digit in range(size):
        d.bucket_end[digit] = 0
    for k in range(count):
        d.bucket_end[(d.body_key[source[k]] >> shift) & (size - 1)] += 1
    starts_from_counts(d.bucket_end, size)
    for k in range(count):
        body = source[k]
        digit = (d.body_key[body] >> shift) & (size - 1)
        target[d.bucket_end[digit]] = body
        d.bucket_end[digit] += 1


@kernel
def bits_of(count):
    """Bits of a digit: about as many digits as bodies."""
    bits = 1
    while bits < MOST_BITS and (1 << bits) < count:
        bits += 1
    return bits


@kernel
def sort_along(d, count, axis):
    """Put sweep_order in the order of the places where boxes begin; the ruler of the places."""
    bits = bits_of(count)
    size = 1 << bits
    ruler = (d.axis_start[axis], places_per_length(1.0 * size * size, d.axis_length[axis]))
    for k in range(count):
        body = d.sweep_order[k]
        d.body_key[body] = minimum(place_of(d.body_low[body, axis], ruler), size * size - 1)
    sort_by_digit(d, d.sweep_order, d.sweep_spare, count, 0, size)
    sort_by_digit(d, d.sweep_spare, d.sweep_order, count, bits, size)
    return ruler


# --- cells


@kernel
def ruler_across(d, axis):
    """The ruler of strips or layers."""
    return d.axis_start[axis], places_per_length(1.0, BOXES_WIDE * d.axis_extent[axis])


@kernel
def strips_for(count):
    """Number of strips: a power of two, at least the root of the number of boxes."""
    strips = 1
    while strips * strips < count:
        strips *= 2
    return strips


@kernel
def meets_many(d, count, axes, strips):
    """Does a box meet more than a few in its strip? Estimated from the middle half of them along the sweep."""
    along, across, _ = axes
    quarter = count // 4
    first, last = d.sweep_order[quarter], d.sweep_order[count - 1 - quarter]
    length = maximum(2.0 * (d.body_low[last, along] - d.body_low[first, along]), d.axis_extent[along])
    filled = minimum(d.axis_length[across] * ruler_across(d, across)[1], 1.0 * strips)
    return count * d.axis_extent[along] > FEW_BOXES * length * maximum(filled, 1.0)


@kernel
def layers_for(d, count, axes, strips):
    """Number of layers: one, or if a box meets many in its strip, a power of two; never more cells than boxes."""
    levels = d.axis_length[axes[2]] * ruler_across(d, axes[2])[1]
    layers = 1
    if meets_many(d, count, axes, strips):
        while layers < levels and 2 * layers * strips <= count:
            layers *= 2
    return layers


@kernel
def list_cells(d, k, rank, ruler, cells):
    """First and last cell of a box along an axis, none twice."""
    first, last = place_of(d.sweep_low[k, rank], ruler), place_of(d.sweep_high[k, rank], ruler)
    d.cell_first[k, rank] = first
    d.cell_last[k, rank] = minimum(last, first + cells - 1)


@kernel
def list_boxes(d, count, axes, along, grid):
    """Boxes in sorted order, axes in the order of their use: corners, where they end along the sweep, cells across."""
    strips, layers = grid
    across, third = ruler_across(d, axes[1]), ruler_across(d, axes[2])
    for k in range(count):
        body = d.sweep_order[k]
        for rank in range(3):
            axis = axes[0] if rank == 0 else axes[1] if rank == 1 else axes[2]
            d.sweep_low[k, rank] = d.body_low[body, axis]
            d.sweep_high[k, rank] = d.body_high[body, axis]
        d.cell_first[k, 0] = d.body_key[body]
        d.cell_last[k, 0] = place_of(d.sweep_high[k, 0], along)
        list_cells(d, k, 1, across, strips)
        list_cells(d, k, 2, third, layers)


@kernel
def cell_of(strip, layer, grid):
    """The cell of a strip and a layer, which are counted round and round."""
    return (strip & (grid[0] - 1)) * grid[1] + (layer & (grid[1] - 1))


@kernel
def deal_into_cells(d, count, grid):
    """cell_place: the boxes of each cell, in sorted order; bucket_end: where those of a cell end. Is there memory?"""
    cells = grid[0] * grid[1]
    for cell in range(cells):
        d.bucket_end[cell] = 0
    for k in range(count):
        for strip in range(d.cell_first[k, 1], d.cell_last[k, 1] + 1):
            for layer in range(d.cell_first[k, 2], d.cell_last[k, 2] + 1):
                d.bucket_end[cell_of(strip, layer, grid)] += 1
    if starts_from_counts(d.bucket_end, cells) > CELLS_PER_BODY * count:
        return False
    for k in range(count):
        for strip in range(d.cell_first[k, 1], d.cell_last[k, 1] + 1):
            for layer in range(d.cell_first[k, 2], d.cell_last[k, 2] + 1):
                cell = cell_of(strip, layer, grid)
                d.cell_place[d.bucket_end[cell]] = k
                d.bucket_end[cell] += 1
    return True


# --- sweeping


@kernel
def later(i, j):
    """The larger of two whole numbers."""
    return i if i > j else j


@kernel
def sweep_cell(d, first, last, cell, grid):
    """Pairs of a cell; a pair that is in several cells belongs to the one where both boxes have begun."""
    count, capacity = d.nsweep, d.sweep_capacity
    for a in range(first, last):
        i = d.cell_place[a]
        body, end = d.sweep_order[i], d.cell_last[i, 0]
        low, high = load3(d.sweep_low, i), load3(d.sweep_high, i)
        strip, layer = d.cell_first[i, 1], d.cell_first[i, 2]
        b = a + 1
        while b < last and d.cell_first[d.cell_place[b], 0] <= end:
            j = d.cell_place[b]
            # the pair is always written and only counted if it overlaps: no branch to guess wrong
            if count < capacity:
                d.sweep_body1[count] = body
                d.sweep_body2[count] = d.sweep_order[j]
            count += (
                (low[0] <= d.sweep_high[j, 0])
                & (d.sweep_low[j, 0] <= high[0])
                & (low[1] <= d.sweep_high[j, 1])
                & (d.sweep_low[j, 1] <= high[1])
                & (low[2] <= d.sweep_high[j, 2])
                & (d.sweep_low[j, 2] <= high[2])
                & (cell_of(later(strip, d.cell_first[j, 1]), later(layer, d.cell_first[j, 2]), grid) == cell)
            )
            b += 1
        d.nexamined += b - a - 1
    d.nsweep = count


@kernel
def sweep(m, d):
    """Append pairs of swept bodies whose boxes overlap; if memory is short, only their count is right."""
    d.nexamined = 0
    sweep_listed(d, list_swept(m, d))


@kernel
def sweep_listed(d, count):
    """The same for the first bodies in sweep_order, which have boxes."""
    if count < 2:
        return
    for axis in range(3):
        measure_axis(d, count, axis)
    along = widest_axis(d, -1)
    across = widest_axis(d, along)
    axes = (along, across, 3 - along - across)
    ruler = sort_along(d, count, along)
    strips = strips_for(count)
    grid = (strips, layers_for(d, count, axes, strips))
    list_boxes(d, count, axes, ruler, grid)
    if not deal_into_cells(d, count, grid):
        grid = (strips, 1)
        list_boxes(d, count, axes, ruler, grid)
        deal_into_cells(d, count, grid)
    first = 0
    for cell in range(grid[0] * grid[1]):
        sweep_cell(d, first, d.bucket_end[cell], cell, grid)
        first = d.bucket_end[cell]
