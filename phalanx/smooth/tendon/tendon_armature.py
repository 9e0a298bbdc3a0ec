"""Inertia of tendons: what resists a change of their length, in M and in the bias force."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load6
from phalanx.algebra.number import any_, splat, where
from phalanx.algebra.vector import MINVAL, dot, norm, normalize, sub
from phalanx.smooth.actuator.reflected import tendon_actuator_armature
from phalanx.smooth.chain import from_tree_center, point_drift, point_velocity
from phalanx.smooth.tendon.tendon import add_tendon_force
from phalanx.tables.enums import WrapType


@kernel
def total_armature(m, tendon):
    """Armature of a tendon, with the reflected inertia of actuators on it."""
    return m.tendon_armature[tendon] + tendon_actuator_armature(m, tendon)


@kernel
def add_tendon_inertia(m, d):
    """M += armature ten_J' ten_J, in the pattern of M: both dofs in one tree."""
    for tendon in range(m.ntendon):
        armature = total_armature(m, tendon)
        if any_(armature != 0.0):
            start, end = m.ten_J_rowadr[tendon], m.ten_J_rowadr[tendon] + m.ten_J_rownnz[tendon]
            for a in range(start, end):
                add_inertia_row(m, d, start, a, m.ten_J_colind[a], armature * d.ten_J[a])


@kernel
def add_inertia_row(m, d, start, last, dof, factor):
    """Row `dof` of M gets factor ten_J, up to the diagonal."""
    address, end = m.M_rowadr[dof], m.M_rowadr[dof] + m.M_rownnz[dof]
    for k in range(start, last + 1):
        while address < end and m.M_colind[address] < m.ten_J_colind[k]:
            address += 1
        if address < end and m.M_colind[address] == m.ten_J_colind[k]:
            d.M[address] = d.M[address] + factor * d.ten_J[k]


@kernel
def add_tendon_bias(m, d):
    """qfrc_bias += ten_J' armature (rate of ten_J) qvel"""
    for tendon in range(m.ntendon):
        armature = total_armature(m, tendon)
        if any_(armature != 0.0) and m.wrap_type[m.tendon_adr[tendon]] != WrapType.JOINT:
            drift = tendon_drift(m, d, tendon)
            add_tendon_force(m, d, d.qfrc_bias, tendon, where(armature != 0.0, armature * drift, 0.0))


@kernel
def tendon_drift(m, d, tendon):
    """Second derivative of the length without qacc, of a tendon that only passes through sites."""
    first, last = m.tendon_adr[tendon], m.tendon_adr[tendon] + m.tendon_num[tendon] - 1
    total, divisor = 0.0, 1.0
    for k in range(first, last):
        if m.wrap_type[k] == WrapType.PULLEY:
            divisor = m.wrap_prm[k]
        elif m.wrap_type[k] == WrapType.SITE and m.wrap_type[k + 1] == WrapType.SITE:
            total = total + piece_drift(m, d, m.wrap_objid[k], m.wrap_objid[k + 1]) / divisor
    return total


@kernel
def piece_drift(m, d, site1, site2):
    """The same for a straight line between two sites: change along it, and by its rotation."""
    body1, body2 = m.site_bodyid[site1], m.site_bodyid[site2]
    if body1 == body2:
        return splat(d.site_xpos[site1, 0], 0.0)
    start, end = load3(d.site_xpos, site1), load3(d.site_xpos, site2)
    offset = sub(end, start)
    length, direction = norm(offset), normalize(offset)
    linear1, _ = point_drift(m, d, body1, start)
    linear2, _ = point_drift(m, d, body2, end)
    velocity = sub(site_velocity(m, d, body2, end), site_velocity(m, d, body1, start))
    along = dot(direction, velocity)
    has_length = length > MINVAL
    # a line that rotates accelerates its ends apart
    centrifugal = (dot(velocity, velocity) - along * along) / where(has_length, length, 1.0)
    return dot(direction, sub(linear2, linear1)) + where(has_length, centrifugal, 0.0)


@kernel
def site_velocity(m, d, body, point):
    """Velocity of a point of a body."""
    return point_velocity(load6(d.cvel, body), from_tree_center(m, d, body, point))
