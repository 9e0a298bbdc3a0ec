"""Numbers that make no sense: stop the world, or reset it as MuJoCo does.

Each world is checked alone. A world that stops keeps its last good state; `error_code` and `error_id` say why.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, any_, where
from phalanx.integrator.advance import is_alive
from phalanx.pipeline.initial_state import initial_state
from phalanx.tables.enums import UNSOLVED, ErrorPolicy, WarningType
from phalanx.tables.sizes import MAXVAL

UNSOLVED_CODE = float(UNSOLVED)


@kernel
def is_sane(x):
    """Neither NaN nor beyond MuJoCo's largest value."""
    return and_(x <= MAXVAL, x >= -MAXVAL)


@kernel
def first_bad(values, n):
    """Index of the first number that is not sane, or -1, in each world."""
    index = -1.0
    for k in range(n - 1, -1, -1):
        index = where(is_sane(values[k]), index, float(k))
    return index


@kernel
def check_state(m, d):
    """qpos and qvel before a step."""
    report_bad(m, d, first_bad(d.qpos, m.nq), WarningType.BADQPOS)
    report_bad(m, d, first_bad(d.qvel, m.nv), WarningType.BADQVEL)


@kernel
def check_acc(m, d):
    """qacc after forward. True if some world was reset, so that forward must run again."""
    return report_bad(m, d, first_bad(d.qacc, m.nv), WarningType.BADQACC)


@kernel
def report_bad(m, d, index, warning):
    """Deal with the worlds whose `index` names a bad number; True if any was reset."""
    is_bad = and_(is_alive(d), index >= 0.0)
    if not any_(is_bad):
        return False
    d.warning_number[warning] = where(is_bad, d.warning_number[warning] + 1.0, d.warning_number[warning])
    d.warning_lastinfo[warning] = where(is_bad, index, d.warning_lastinfo[warning])
    if d.error_policy == ErrorPolicy.RESET:
        reset_worlds(m, d, is_bad)
        return True
    d.error_code = where(is_bad, 1.0 + warning, d.error_code)
    d.error_id = where(is_bad, index, d.error_id)
    return False


@kernel
def check_solver(m, d):
    """Stop worlds whose constraints were not solved, where that is asked for."""
    if d.is_strict:
        is_bad = and_(is_alive(d), d.solver_unsolved >= 0.0)
        d.error_code = where(is_bad, UNSOLVED_CODE, d.error_code)
        d.error_id = where(is_bad, d.solver_unsolved, d.error_id)


@kernel
def reset_worlds(m, d, chosen):
    """Begin anew in the chosen worlds; accelerations of the bad state are forgotten."""
    initial_state(m, d, chosen)
    for dof in range(m.nv):
        d.qacc[dof] = where(chosen, 0.0, d.qacc[dof])


@kernel
def has_stopped(d):
    """Has every world failed?"""
    return not any_(is_alive(d))
