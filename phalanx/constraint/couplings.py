"""Couplings of the metric of a step: tendons and actuators that resist, as rows after the last constraint row.

A coupling adds J' D J to the inertia. Its row has entries in efc_J and a weight in efc_D as a constraint has, so that
solvers find it where they find those. It is always quadratic, its force is zero, as the smooth force has it already.
efc_R is one in the worlds where trees that it acts on belong together, whatever its weight is at the moment.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import where
from phalanx.constraint.flex_room import flex_metric_room
from phalanx.constraint.rows import put_entry
from phalanx.memory.growth import lacks_memory
from phalanx.smooth.step_metric import COUPLING, FIRST_AXIS, has_step_metric
from phalanx.tables.enums import ConstraintState, ConstraintType
from phalanx.tables.solvers import DUAL


@kernel
def has_couplings(m):
    """Can the inertia have couplings? Solvers that work on forces need its factors, so tendons and actuators wait."""
    return has_step_metric(m) and m.opt.solver not in DUAL


@kernel
def keep_room_for_couplings(m, d):
    """Memory after the last row for all couplings that there can be. If there is none, counts are raised to say so."""
    rows, entries = m.ntendon + m.nout, m.nJten + m.nJmom
    if not has_couplings(m) or lacks_memory(d):
        return
    if m.nflex > 0:
        flex_metric_room(m, d)
        rows, entries = rows + d.metric_rows, entries + d.metric_entries
    if d.nefc + rows > d.efc_capacity or d.nJ + entries > d.J_capacity:
        d.nefc = d.nefc + rows
        d.nJ = d.nJ + entries


@kernel
def append_coupling(d, entries, columns, start, count, weight, is_joined):
    """A row with `count` entries from `start` on; it joins trees in the worlds where `is_joined`."""
    if count == 0:
        return
    row, address = d.nefc + d.coupling_num, next_address(d)
    for k in range(count):
        put_entry(d, address + k, columns[start + k], entries[start + k])
    describe_coupling(d, row, address, count, weight, is_joined)


@kernel
def describe_coupling(d, row, address, count, weight, is_joined):
    """What a coupling has besides its entries."""
    d.efc_J_rowadr[row] = address
    d.efc_J_rownnz[row] = count
    d.efc_type[row] = ConstraintType.EQUALITY
    d.efc_id[row] = COUPLING
    d.efc_D[row] = weight
    d.efc_R[row] = where(is_joined, 1.0, 0.0)
    d.efc_force[row] = 0.0
    d.efc_state[row] = ConstraintState.QUADRATIC
    d.efc_pack[row] = 1
    d.coupling_num = d.coupling_num + 1


@kernel
def is_along_axis(d, row):
    """Is a row a coupling along one of the axes?"""
    return row >= d.nefc and d.efc_id[row] <= FIRST_AXIS


@kernel
def next_address(d):
    """Where the entries of the next coupling begin."""
    if d.coupling_num == 0:
        return d.nJ
    last = d.nefc + d.coupling_num - 1
    return d.efc_J_rowadr[last] + d.efc_J_rownnz[last]
