"""How actuator forces change with velocity: moment' (slope) moment, where no limit holds the force.

The slope of each kind of actuator is next to its force, in `phalanx/smooth/actuator`.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import any_, is_nonzero, where
from phalanx.memory.flags import is_disabled
from phalanx.smooth.actuator.activation import is_switched_off
from phalanx.smooth.actuator.slope import force_slope
from phalanx.smooth.actuator.table import is_target_saturated
from phalanx.tables.enums import DisableBit


@kernel
def actuator_derivative(m, d):
    """Add the derivative of qfrc_actuator."""
    if not is_disabled(m, DisableBit.ACTUATION):
        for actuator in range(m.nactuator):
            if not is_switched_off(m, actuator):
                add_force_derivative(m, d, actuator, m.actuator_outadr[actuator])


@kernel
def add_force_derivative(m, d, actuator, first):
    """Add the derivative of the joint forces of one actuator; zero where a limit of its target holds the total."""
    slope = force_slope(m.actuator_gaintype[actuator], m, d, actuator, first)
    # motors have no slope, so whether a limit holds them need not be known
    if any_(is_nonzero(slope)):
        slope = where(is_target_saturated(m.actuator_trntype[actuator], m, d, actuator), 0.0, slope)
        for out in range(first, first + m.actuator_outnum[actuator]):
            start, count = d.moment_rowadr[out], d.moment_rownnz[out]
            add_outer_product(m, d, d.actuator_moment, d.moment_colind, start, count, slope)


@kernel
def add_outer_product(m, d, row, colind, start, count, slope):
    """qDeriv += slope row' row, for a sparse row with increasing columns; entries outside the pattern are dropped."""
    acts = is_nonzero(slope)
    if any_(acts):
        for a in range(start, start + count):
            factor = row[a] * slope
            address = m.D_rowadr[colind[a]]
            end = address + m.D_rownnz[colind[a]]
            for b in range(start, start + count):
                while address < end and m.D_colind[address] < colind[b]:
                    address += 1
                if address < end and m.D_colind[address] == colind[b]:
                    entry = d.qDeriv[address]
                    d.qDeriv[address] = where(acts, entry + factor * row[b], entry)
