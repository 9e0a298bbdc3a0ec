"""Transmission to a tendon: its length and Jacobian, times the gear."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.smooth.actuator.table import transmit
from phalanx.tables.enums import TrnType


@transmit.row(TrnType.TENDON)
@kernel
def tendon_output(m, d, actuator, out, address):
    """length = gear ten_length"""
    tendon, gear = m.actuator_trnid[actuator, 0], m.actuator_gear[out, 0]
    start, count = m.ten_J_rowadr[tendon], m.ten_J_rownnz[tendon]
    d.actuator_length[out] = d.ten_length[tendon] * gear
    for k in range(count):
        d.moment_colind[address + k] = m.ten_J_colind[start + k]
        d.actuator_moment[address + k] = d.ten_J[start + k] * gear
    d.moment_rowadr[out] = address
    d.moment_rownnz[out] = count
    return address + count
