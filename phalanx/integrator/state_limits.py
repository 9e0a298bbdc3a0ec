"""Which numbers a state may have, and what becomes of a world whose next state has others."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, any_, not_, or_, where
from phalanx.memory.awake import awake_dofs, awake_positions
from phalanx.tables.data_fields import WATCHED
from phalanx.tables.enums import BAD_ROW, WarningType
from phalanx.tables.sizes import MAXVAL

BAD_ACT = float(BAD_ROW + WATCHED.index("act"))


@kernel
def is_alive(d):
    """Worlds that have not failed."""
    return d.error_code == 0.0


@kernel
def is_sane(x):
    """Neither NaN nor beyond MuJoCo's largest value."""
    return and_(x <= MAXVAL, x >= -MAXVAL)


@kernel
def is_finite(x):
    """Neither NaN nor infinite."""
    return x - x == 0.0


@kernel
def first_bad(values, n):
    """Index of the first number that is not sane, or -1, in each world."""
    index = -1.0
    for k in range(n - 1, -1, -1):
        index = where(is_sane(values[k]), index, float(k))
    return index


@kernel
def first_endless(values, n):
    """Index of the first number that is not finite, or -1, in each world."""
    index = -1.0
    for k in range(n - 1, -1, -1):
        index = where(is_finite(values[k]), index, float(k))
    return index


@kernel
def stop_worlds(d, is_bad, code, index):
    """Stop worlds, and note why."""
    d.error_code = where(is_bad, code, d.error_code)
    d.error_id = where(is_bad, index, d.error_id)


@kernel
def count_warning(d, is_bad, warning, index):
    """Note a warning in the worlds it concerns."""
    d.warning_number[warning] = where(is_bad, d.warning_number[warning] + 1.0, d.warning_number[warning])
    d.warning_lastinfo[warning] = where(is_bad, index, d.warning_lastinfo[warning])


# --- the state before a step, in case that the next one is bad


@kernel
def keep_state(m, d):
    """rk_ rows: position, velocity and activation at the start of the step."""
    for k in awake_positions(m, d):
        d.rk_qpos0[k] = d.qpos[k]
    for dof in awake_dofs(m, d):
        d.rk_qvel0[dof] = d.qvel[dof]
    for k in range(m.na):
        d.rk_act0[k] = d.act[k]


@kernel
def has_bad_state(m, d):
    """Is a position, velocity or activation bad in some world?"""
    is_bad = not_(is_finite(d.time))
    for k in awake_positions(m, d):
        is_bad = or_(is_bad, not_(is_sane(d.qpos[k])))
    for dof in awake_dofs(m, d):
        is_bad = or_(is_bad, not_(is_sane(d.qvel[dof])))
    for k in range(m.na):
        is_bad = or_(is_bad, not_(is_finite(d.act[k])))
    return any_(is_bad)


@kernel
def take_back_bad(m, d):
    """Worlds whose next position, velocity or activation is bad stop, with those that `keep_state` has kept.

    Activations have no limit in MuJoCo: they must be finite.
    """
    if not has_bad_state(m, d):
        return
    qpos, qvel, act = first_bad(d.qpos, m.nq), first_bad(d.qvel, m.nv), first_endless(d.act, m.na)
    # a world that has failed before has not moved
    alive = is_alive(d)
    is_bad_qpos, is_bad_qvel, is_bad_act = and_(alive, qpos >= 0.0), and_(alive, qvel >= 0.0), and_(alive, act >= 0.0)
    # a bad velocity is the reason of a bad position
    stop_worlds(d, is_bad_act, BAD_ACT, act)
    stop_worlds(d, is_bad_qpos, 1.0 + WarningType.BADQPOS, qpos)
    stop_worlds(d, is_bad_qvel, 1.0 + WarningType.BADQVEL, qvel)
    count_warning(d, is_bad_qpos, WarningType.BADQPOS, qpos)
    count_warning(d, is_bad_qvel, WarningType.BADQVEL, qvel)
    stays = and_(alive, d.error_code != 0.0)
    for k in awake_positions(m, d):
        d.qpos[k] = where(stays, d.rk_qpos0[k], d.qpos[k])
    for dof in awake_dofs(m, d):
        d.qvel[dof] = where(stays, d.rk_qvel0[dof], d.qvel[dof])
    for k in range(m.na):
        d.act[k] = where(stays, d.rk_act0[k], d.act[k])
