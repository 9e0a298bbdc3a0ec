"""The inertia matrix: composite rigid bodies, factorization, solves and products."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load6, load10, store10
from phalanx.algebra.number import any_, where
from phalanx.algebra.spatial import dot6, inertia_times_motion
from phalanx.algebra.tree import factor_rows, multiply_half_tree, multiply_tree, solve_half_tree, solve_tree
from phalanx.memory.awake import awake_bodies, awake_bodies_backward, awake_dofs
from phalanx.smooth.actuator.reflected import joint_actuator_armature
from phalanx.smooth.tendon.tendon_armature import add_tendon_inertia
from phalanx.tables.enums import WarningType


@kernel
def make_m(m, d):
    """crb and M: inertia of each subtree, then M_ij = cdof_j . (crb_i cdof_i) over the ancestors j of i; tendons."""
    composite_inertias(m, d)
    inertia_matrix(m, d)
    add_tendon_inertia(m, d)


@kernel
def composite_inertias(m, d):
    """crb: inertia of each body with all its descendants."""
    cinert, crb = d.cinert, d.crb
    store10(crb, 0, load10(cinert, 0))
    for body in awake_bodies(m, d):
        store10(crb, body, load10(cinert, body))
    for body in awake_bodies_backward(m, d):
        parent = m.body_parentid[body]
        if parent > 0:
            for k in range(10):
                crb[parent, k] = crb[parent, k] + crb[body, k]


@kernel
def inertia_matrix(m, d):
    """M in CSR: row i holds the ancestors of dof i, then its diagonal."""
    M, cdof = d.M, d.cdof
    for dof in awake_dofs(m, d):
        address = m.M_rowadr[dof] + m.M_rownnz[dof] - 1
        if m.dof_simplenum[dof] > 0:
            M[address] = m.dof_M0[dof]
            continue
        momentum = inertia_times_motion(load10(d.crb, m.dof_bodyid[dof]), load6(cdof, dof))
        armature = m.dof_armature[dof] + joint_actuator_armature(m, m.dof_jntid[dof])
        M[address] = armature + dot6(load6(cdof, dof), momentum)
        ancestor = m.dof_parentid[dof]
        while ancestor >= 0:
            address -= 1
            M[address] = dot6(load6(cdof, ancestor), momentum)
            ancestor = m.dof_parentid[ancestor]


@kernel
def entries_before(m, dof):
    """Entries of M in the rows before a dof."""
    return m.M_rowadr[dof] if dof < m.nv else m.nC


@kernel
def factor_m(m, d):
    """qLD, qLDiagInv: M = L' D L."""
    qLD, M = d.qLD, d.M
    bad_dof = -1.0
    for k in range(m.nsleep * d.more_dofs, -1, -1):
        first, end = m.nsleep * d.awake_dof[k, 0], m.nv - m.nsleep * d.awake_dof[k, 1]
        for address in range(entries_before(m, first), entries_before(m, end)):
            qLD[address] = M[address]
        bad_dof = factor_rows(bad_dof, qLD, d.qLDiagInv, (first, end), m.M_rownnz, m.M_rowadr, m.M_colind)
    is_bad = bad_dof >= 0.0
    if any_(is_bad):
        d.warning_number[WarningType.INERTIA] = where(
            is_bad, d.warning_number[WarningType.INERTIA] + 1.0, d.warning_number[WarningType.INERTIA]
        )
        d.warning_lastinfo[WarningType.INERTIA] = where(is_bad, bad_dof, d.warning_lastinfo[WarningType.INERTIA])


@kernel
def solve_m(m, d, x):
    """x <- M^-1 x, in place."""
    solve_tree(x, d.qLD, d.qLDiagInv, m.nv, m.M_rownnz, m.M_rowadr, m.M_colind)


@kernel
def solve_m2(m, d, x):
    """x <- D^(-1/2) L'^-1 x, in place, with M = L' D L."""
    solve_half_tree(x, d.qLD, d.qLDiagInv, m.nv, m.M_rownnz, m.M_rowadr, m.M_colind)


@kernel
def mul_m2(m, d, result, x):
    """result <- D^(1/2) L x, with M = L' D L."""
    multiply_half_tree(result, d.qLD, x, m.nv, m.M_rownnz, m.M_rowadr, m.M_colind)


@kernel
def mul_m(m, d, result, x):
    """result <- M x"""
    multiply_tree(result, d.M, x, m.nv, m.M_rownnz, m.M_rowadr, m.M_colind)
