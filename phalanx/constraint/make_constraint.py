"""The stage that makes constraint rows from positions."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import any_
from phalanx.constraint.contact_rows import contact_rows
from phalanx.constraint.couplings import keep_room_for_couplings
from phalanx.constraint.equality.anchor import is_equality_asleep
from phalanx.constraint.friction import dof_friction, tendon_friction
from phalanx.constraint.heap_order import may_have_heaps
from phalanx.constraint.heap_panels import heap_room
from phalanx.constraint.hessian_size import has_room_for_hessian
from phalanx.constraint.limit import joint_limits, tendon_limits
from phalanx.constraint.projection import project_constraint
from phalanx.constraint.table import equality_rows
from phalanx.hook.calls import has_hook
from phalanx.memory.flags import is_disabled
from phalanx.memory.growth import lacks_memory
from phalanx.smooth.step_metric import has_step_metric
from phalanx.tables.enums import DisableBit
from phalanx.tables.solvers import FACTORING


@kernel
def make_constraint(m, d):
    """Rows of equalities, friction loss, limits and contacts: Jacobian, positions, parameters and weights."""
    clear_rows(m, d)
    if not is_disabled(m, DisableBit.CONSTRAINT) and m.nv > 0 and not lacks_memory(d):
        append_all(m, d)
    keep_room_for_couplings(m, d)


@part()
def append_all(m, d):
    """Rows of all kinds, in MuJoCo's order."""
    if not is_disabled(m, DisableBit.EQUALITY):
        equalities(m, d)
    d.ne = d.nefc
    if not is_disabled(m, DisableBit.FRICTIONLOSS):
        dof_friction(m, d)
        tendon_friction(m, d)
    d.nf = d.nefc - d.ne
    if not is_disabled(m, DisableBit.LIMIT):
        joint_limits(m, d)
        tendon_limits(m, d)
    d.nl = d.nefc - d.ne - d.nf
    if not is_disabled(m, DisableBit.CONTACT):
        contact_rows(m, d)
    # with the metric of a step this waits for the forces of actuators
    if not has_step_metric(m) and not lacks_memory(d):
        project_constraint(m, d)
    if has_hook(d) and not lacks_memory(d):
        # a solver that finds too little memory would repeat the step after hooks were called
        has_room_for_hessian(m, d)
        if m.opt.solver in FACTORING and may_have_heaps(m) and d.nefc > 0:
            heap_room(m, d)


@kernel
def clear_rows(m, d):
    """No rows of any kind."""
    d.ne = 0
    d.nf = 0
    d.nl = 0
    d.nefc = 0
    d.nJ = 0
    d.nY = 0
    d.nA = 0
    d.nH = 0
    d.nfill = 0
    d.nheap = 0
    d.ndual = 0
    d.ncompact = 0
    d.coupling_num = 0
    for tendon in range(m.ntendon):
        d.tendon_efcadr[tendon] = -1


@kernel
def equalities(m, d):
    """Rows of the equalities that are active in some world."""
    for equality in range(m.neq):
        acts = d.eq_active[equality] != 0
        if any_(acts) and not is_equality_asleep(m, d, equality):
            equality_rows(m.eq_type[equality], m, d, equality, acts)
