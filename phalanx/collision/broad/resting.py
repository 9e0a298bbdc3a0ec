"""Boxes that overlap when most bodies sleep: those that are awake look for neighbors in a sorted list of the others.

The list is made when the first step needs it after someone woke up or fell asleep. Bodies are sorted by where their
boxes begin along one axis, as in `sweep.py`; a box that is awake meets those that begin before it ends, and not so long
before it begins that they have ended. A few that are much larger than the others are compared with every box.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import maximum
from phalanx.collision.broad.bounds import find_body_box
from phalanx.collision.broad.sweep import SWEPT, measure_axis, place_of, sort_along, sweep_listed, widest_axis
from phalanx.memory.awake import awake_bodies
from phalanx.tables.enums import SleepState

#: With more than one body in so many awake, all are swept.
FEW_AWAKE = 8
#: How many mean extents make a box large.
LARGE = 4.0


@kernel
def few_are_awake(m, d):
    """Is it worth while to look for the neighbors of those that are awake only?"""
    return m.nsleep > 0 and FEW_AWAKE * d.nv_awake < m.nv


# --- bodies that rest


@kernel
def list_resting(m, d):
    """Boxes of bodies that sleep or are static, their ids in sweep_order; how many there are."""
    count = 0
    for body in range(1, m.nbody):
        if m.body_sweep[body] == SWEPT and d.body_awake[body] != SleepState.AWAKE:
            find_body_box(m, d, body)
            d.sweep_order[count] = body
            count += 1
    return count


@kernel
def set_large_apart(d, count, axis):
    """Large bodies go to the end of rest_body, as many as rest_large; returns how many are left in sweep_order."""
    d.rest_large = 0
    d.rest_extent = 0.0
    usual = 0
    for k in range(count):
        body = d.sweep_order[k]
        extent = d.body_high[body, axis] - d.body_low[body, axis]
        if extent > LARGE * d.axis_extent[axis]:
            d.rest_large = d.rest_large + 1
            d.rest_body[count - d.rest_large] = body
        else:
            d.rest_extent = maximum(d.rest_extent, extent)
            d.sweep_order[usual] = body
            usual += 1
    return usual


@kernel
def make_list(m, d):
    """rest_body and its boxes."""
    count = list_resting(m, d)
    d.rest_count = 0
    d.rest_large = 0
    d.rest_is_made = 1
    if count == 0:
        return
    for axis in range(3):
        measure_axis(d, count, axis)
    d.rest_axis = widest_axis(d, -1)
    d.rest_count = set_large_apart(d, count, d.rest_axis)
    if d.rest_count > 0:
        ruler = sort_along(d, d.rest_count, d.rest_axis)
        d.rest_ruler[0] = ruler[0]
        d.rest_ruler[1] = ruler[1]
    for k in range(d.rest_count):
        d.rest_body[k] = d.sweep_order[k]
        d.rest_key[k] = d.body_key[d.sweep_order[k]]
    for k in range(count):
        store3(d.rest_low, k, load3(d.body_low, d.rest_body[k]))
        store3(d.rest_high, k, load3(d.body_high, d.rest_body[k]))


# --- bodies that are awake


@kernel
def list_awake(m, d):
    """Boxes of bodies that are awake, their ids in sweep_order; how many there are."""
    count = 0
    for body in awake_bodies(m, d):
        if m.body_sweep[body] == SWEPT and d.body_awake[body] == SleepState.AWAKE:
            find_body_box(m, d, body)
            d.sweep_order[count] = body
            count += 1
    return count


@kernel
def first_from(d, key):
    """The first place in the list with a key that is not smaller."""
    low, high = 0, d.rest_count
    while low < high:
        middle = (low + high) // 2
        if d.rest_key[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def meet(d, low, high, body, k):
    """Append a body that is awake and one of the list, if their boxes overlap. Most do not: nothing is written then."""
    overlap = (
        (low[0] <= d.rest_high[k, 0])
        & (d.rest_low[k, 0] <= high[0])
        & (low[1] <= d.rest_high[k, 1])
        & (d.rest_low[k, 1] <= high[1])
        & (low[2] <= d.rest_high[k, 2])
        & (d.rest_low[k, 2] <= high[2])
    )
    if overlap:
        if d.nsweep < d.sweep_capacity:
            d.sweep_body1[d.nsweep] = body
            d.sweep_body2[d.nsweep] = d.rest_body[k]
        d.nsweep = d.nsweep + 1


@kernel
def meet_resting(d, body):
    """Append a body that is awake and its neighbors in the list."""
    axis, ruler = d.rest_axis, (d.rest_ruler[0], d.rest_ruler[1])
    low, high = load3(d.body_low, body), load3(d.body_high, body)
    last = place_of(d.body_high[body, axis], ruler)
    k = first_from(d, place_of(d.body_low[body, axis] - d.rest_extent, ruler))
    while k < d.rest_count and d.rest_key[k] <= last:
        meet(d, low, high, body, k)
        k += 1
    for large in range(d.rest_count, d.rest_count + d.rest_large):
        meet(d, low, high, body, large)


@kernel
def sweep_awake(m, d):
    """Append pairs of bodies whose boxes overlap, of which one at least is awake."""
    if d.rest_is_made == 0:
        make_list(m, d)
    d.nexamined = 0
    count = list_awake(m, d)
    for k in range(count):
        meet_resting(d, d.sweep_order[k])
    sweep_listed(d, count)
