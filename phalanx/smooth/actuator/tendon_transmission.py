"""Transmission to a tendon: its length and Jacobian, times the gear; limits of the total force on a tendon."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, and_, clamp, or_, splat, where
from phalanx.smooth.actuator.reflected import drives_tendon
from phalanx.smooth.actuator.table import is_target_saturated, rounding_of_cut, transmit
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


# --- limits of the total force


@kernel
def tendon_force(m, d, tendon):
    """Sum of the forces of the actuators that pull on a tendon."""
    total = splat(d.ten_length[tendon], 0.0)
    for actuator in range(m.nactuator):
        if drives_tendon(m, actuator, tendon):
            total = total + d.actuator_force[m.actuator_outadr[actuator]]
    return total


@kernel
def limit_tendon_forces(m, d):
    """actuator_force on tendons that limit the sum: all in proportion, so that the sum is within the limits."""
    for tendon in range(m.ntendon):
        if m.tendon_actfrclimited[tendon]:
            total = tendon_force(m, d, tendon)
            bound = clamp(total, m.tendon_actfrcrange[tendon, 0], m.tendon_actfrcrange[tendon, 1])
            is_beyond = and_(total != 0.0, bound != total)
            factor = where(is_beyond, bound / where(is_beyond, total, 1.0), 1.0)
            for actuator in range(m.nactuator):
                if drives_tendon(m, actuator, tendon):
                    out = m.actuator_outadr[actuator]
                    d.actuator_force[out] = d.actuator_force[out] * factor


@is_target_saturated.row(TrnType.TENDON)
@kernel
def is_tendon_saturated(m, d, actuator):
    """Is the total actuator force on the tendon at a limit? Scaling to the limit may round it to less."""
    tendon = m.actuator_trnid[actuator, 0]
    if m.tendon_actfrclimited[tendon]:
        total = tendon_force(m, d, tendon)
        low, high = m.tendon_actfrcrange[tendon, 0], m.tendon_actfrcrange[tendon, 1]
        margin = rounding_of_cut(total)
        is_low = total <= low + margin * abs_(low)
        is_high = total >= high - margin * abs_(high)
        return or_(is_low, is_high)
    return False
