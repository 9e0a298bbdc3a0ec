"""The discrete integrator: constraints and the change of smooth forces within a step are solved for together.

`effective_metric` makes the inertia of a whole step, M + h D + h² K, of what resists: springs and dampers of joints and
tendons, gains of actuators, drag of the fluid. Only what makes it larger counts, so that it stays positive definite;
gyroscopic forces are left to `free_flight.py`. With it forward dynamics gives qacc = (v' - v) / h, which is all that
there is to integrate: the integrator has no kernel of its own.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import any_, maximum, or_, where
from phalanx.algebra.tree import factor_tree
from phalanx.constraint.couplings import append_coupling, has_couplings
from phalanx.constraint.projection import project_constraint
from phalanx.integrator.flex_metric import flex_terms
from phalanx.integrator.fluid_drag import fluid_drag
from phalanx.integrator.implicit import warn_of_pivot
from phalanx.memory.flags import is_disabled
from phalanx.memory.growth import lacks_memory
from phalanx.smooth.actuator.activation import is_switched_off
from phalanx.smooth.actuator.reflected import tendon_damping_coefficients
from phalanx.smooth.actuator.slope import force_length_slope, force_slope
from phalanx.smooth.actuator.table import is_target_saturated
from phalanx.smooth.joint.table import joint_stiffness
from phalanx.smooth.passive.passive import dof_damping_slope, tendon_damping_slope, tendon_stretch
from phalanx.smooth.passive.spring import (
    any_nonzero,
    polynomial_slope,
    stiffness_coefficients,
    tendon_stiffness_coefficients,
)
from phalanx.tables.enums import BiasType, DisableBit, GainType
from phalanx.tables.joints import NV


@part()
def effective_metric(m, d):
    """efm_ rows, qH and its couplings; weights and references of the constraint rows in this metric."""
    if lacks_memory(d):
        return
    d.efm_active = 1
    d.coupling_num = 0
    d.nH = 0
    dof_terms(m, d)
    fluid_drag(m, d)
    for dof in range(m.nv):
        d.efm_c[dof] = -d.efm_ck[dof] * d.qvel[dof]
        d.efm_ca[dof] = 0.0
        d.efm_sdiag[dof] = d.efm_diag[dof]
    d.nefmT = 0
    d.nefmA = 0
    if has_couplings(m):
        tendon_terms(m, d)
        if m.nflex > 0:
            flex_terms(m, d)
        if not is_disabled(m, DisableBit.ACTUATION):
            actuator_terms(m, d)
    backbone(m, d)
    if d.nefc > 0:
        project_constraint(m, d)


# --- dofs


@kernel
def dof_terms(m, d):
    """efm_ck and efm_diag: springs and dampers of joints."""
    step, has_springs = m.opt.timestep, not is_disabled(m, DisableBit.SPRING)
    for joint in range(m.njnt):
        first, c = m.jnt_dofadr[joint], stiffness_coefficients(m, joint)
        last, is_spring = first + NV[m.jnt_type[joint]], any_nonzero(c)
        for dof in range(first, last):
            d.efm_ck[dof] = 0.0
        if has_springs and any_(is_spring):
            joint_stiffness(m.jnt_type[joint], m, d, joint, c, d.efm_ck)
            for dof in range(first, last):
                d.efm_ck[dof] = where(is_spring, step * maximum(0.0, d.efm_ck[dof]), 0.0)
    has_dampers = not is_disabled(m, DisableBit.DAMPER)
    for dof in range(m.nv):
        d.efm_diag[dof] = step * d.efm_ck[dof]
        if has_dampers:
            d.efm_diag[dof] = d.efm_diag[dof] + step * maximum(0.0, dof_damping_slope(m, d, dof))


# --- tendons


@kernel
def tendon_terms(m, d):
    """efm_tid, efm_ts, efm_tk of the tendons that have a spring or a damper, and what follows from them."""
    for tendon in range(m.ntendon):
        c, b = tendon_stiffness_coefficients(m, tendon), tendon_damping_coefficients(m, tendon)
        is_spring, is_damper = any_nonzero(c), any_nonzero(b)
        # a flag that is set takes springs or dampers from all worlds
        resists = is_damper if is_disabled(m, DisableBit.SPRING) else or_(is_spring, is_damper)
        resists = is_spring if is_disabled(m, DisableBit.DAMPER) else resists
        is_idle = is_disabled(m, DisableBit.SPRING) and is_disabled(m, DisableBit.DAMPER)
        if any_(resists) and not is_idle:
            put_tendon_terms(m, d, tendon, where(is_spring, tendon_slope(m, d, tendon, c), 0.0), resists)


@kernel
def tendon_slope(m, d, tendon, coefficients):
    """Stiffness of the spring at its stretch; none where it is at rest."""
    stretch = tendon_stretch(m, d, tendon)
    return where(stretch != 0.0, maximum(0.0, polynomial_slope(coefficients, stretch)), 0.0)


@kernel
def put_tendon_terms(m, d, tendon, stiffness, resists):
    """One more tendon in the metric."""
    step, place = m.opt.timestep, d.nefmT
    pull, weight = 0.0, 0.0
    if not is_disabled(m, DisableBit.SPRING):
        pull = step * stiffness
        weight = step * pull
    if not is_disabled(m, DisableBit.DAMPER):
        weight = weight + step * maximum(0.0, tendon_damping_slope(m, d, tendon))
    d.efm_tid[place] = tendon
    d.efm_ts[place] = weight
    d.efm_tk[place] = pull
    d.nefmT = place + 1
    start, count = m.ten_J_rowadr[tendon], m.ten_J_rownnz[tendon]
    add_resistance(d, d.efm_c, d.ten_J, m.ten_J_colind, start, count, weight, pull * d.ten_velocity[tendon])
    append_coupling(d, d.ten_J, m.ten_J_colind, start, count, weight, resists)


@kernel
def add_resistance(d, shift, entries, columns, start, count, weight, force):
    """What a coupling does to the diagonal of the backbone, and the shift of the smooth force by what it will do."""
    for k in range(start, start + count):
        dof, entry = columns[k], entries[k]
        d.efm_sdiag[dof] = d.efm_sdiag[dof] + weight * (entry * entry)
        shift[dof] = shift[dof] - entry * force


# --- actuators


@kernel
def may_resist(m, actuator):
    """Can the force of an actuator fall with its length or velocity? That of a motor cannot."""
    return m.actuator_biastype[actuator] != BiasType.NONE or m.actuator_gaintype[actuator] != GainType.FIXED


@kernel
def actuator_terms(m, d):
    """efm_aid, efm_as, efm_ak of the actuators whose force falls with length or velocity, and what follows from them.

    An actuator at a limit of its force has none.
    """
    step = m.opt.timestep
    for actuator in range(m.nactuator):
        if may_resist(m, actuator) and not is_switched_off(m, actuator):
            kind, first = m.actuator_gaintype[actuator], m.actuator_outadr[actuator]
            pull = step * maximum(0.0, -force_length_slope(kind, m, d, actuator, first))
            weight = step * (pull + maximum(0.0, -force_slope(kind, m, d, actuator, first)))
            is_held = is_target_saturated(m.actuator_trntype[actuator], m, d, actuator)
            put_actuator_terms(m, d, actuator, where(is_held, 0.0, weight), where(is_held, 0.0, pull))


@kernel
def put_actuator_terms(m, d, actuator, weight, pull):
    """One more actuator in the metric; one that does not resist at the moment still joins trees."""
    if any_(weight != 0.0):
        d.efm_aid[d.nefmA] = actuator
        d.efm_as[d.nefmA] = weight
        d.efm_ak[d.nefmA] = pull
        d.nefmA = d.nefmA + 1
    first = m.actuator_outadr[actuator]
    for out in range(first, first + m.actuator_outnum[actuator]):
        start, count = d.moment_rowadr[out], d.moment_rownnz[out]
        force = pull * d.actuator_velocity[out]
        add_resistance(d, d.efm_ca, d.actuator_moment, d.moment_colind, start, count, weight, force)
        append_coupling(d, d.actuator_moment, d.moment_colind, start, count, weight, True)


# --- the backbone


@kernel
def backbone(m, d):
    """metric, and qH, qHDiagInv: factors of it with the diagonal of the couplings; efm_sdiag gets that of the drag."""
    for k in range(m.nC):
        d.metric[k] = d.M[k] + d.efm_fluid[k]
        d.qH[k] = d.metric[k]
    for dof in range(m.nv):
        diagonal = m.M_rowadr[dof] + m.M_rownnz[dof] - 1
        d.metric[diagonal] = d.metric[diagonal] + d.efm_diag[dof]
        d.efm_sdiag[dof] = d.efm_sdiag[dof] + d.efm_fluid[diagonal]
        d.qH[diagonal] = d.M[diagonal] + d.efm_sdiag[dof]
    bad_dof = factor_tree(d.qH, d.qHDiagInv, m.nv, m.M_rownnz, m.M_rowadr, m.M_colind)
    warn_of_pivot(d, bad_dof, bad_dof >= 0.0)
