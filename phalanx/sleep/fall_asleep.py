"""When trees fall asleep: islands of which every tree has been slow enough for a while (MuJoCo's mj_sleep)."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import abs_, any_, lane_count, or_
from phalanx.memory.awake import awake_trees
from phalanx.sleep.awake_lists import WIDE_AWAKE
from phalanx.sleep.wake import first_position, is_touched, last_position, may_rest
from phalanx.smooth.flex.carrying_trees import carrier_total, carrier_tree, is_elastic
from phalanx.tables.enums import Integrator, SleepPolicy

#: tree_asleep of a tree that may sleep with the next step.
READY = -1


@kernel
def is_slow(m, d, tree):
    """Is every dof of a tree slower than the tolerance, rotations at the surface of the bodies that they move?"""
    tolerance, first = m.opt.sleep_tolerance, m.tree_dofadr[tree]
    # without a tolerance only what does not move at all is slow
    is_fast = m.dof_length[first] * abs_(d.qvel[first]) >= tolerance
    is_moved = is_touched(d.qvel[first])
    for dof in range(first + 1, first + m.tree_dofnum[tree]):
        is_fast = or_(is_fast, m.dof_length[dof] * abs_(d.qvel[dof]) >= tolerance)
        is_moved = or_(is_moved, is_touched(d.qvel[dof]))
    return not any_(is_fast if tolerance != 0.0 else is_moved)


@kernel
def count_down(m, d):
    """tree_asleep of trees that are awake: one step nearer to sleep, or wide awake."""
    for tree in awake_trees(m, d):
        can_rest = may_rest(m, d, tree) and is_slow(m, d, tree)
        d.tree_asleep[tree] = min(d.tree_asleep[tree] + 1, READY) if can_rest else WIDE_AWAKE


@kernel
def keep_flexes_awake(m, d):
    """Trees that carry an elastic flex without constraints do not sleep, unless the integrator couples them."""
    for flex in range(m.nflex):
        if m.flex_edgeequality[flex] == 0 and m.opt.integrator != Integrator.DISCRETE and is_elastic(m, flex):
            for k in range(carrier_total(m, flex)):
                tree = carrier_tree(m, flex, k)
                if tree >= 0 and d.tree_asleep[tree] < 0:
                    d.tree_asleep[tree] = WIDE_AWAKE


@kernel
def put_to_sleep(m, d, tree, following):
    """A tree sleeps: it has no velocity, and its position is that to which others are compared."""
    d.tree_asleep[tree] = following
    for k in range(first_position(m, tree), last_position(m, tree)):
        d.asleep_qpos[k] = d.qpos[k]
    for dof in range(m.tree_dofadr[tree], m.tree_dofadr[tree] + m.tree_dofnum[tree]):
        d.qvel[dof] = 0.0
        d.qacc[dof] = 0.0


@kernel
def is_ready(d, first, end):
    """May all trees of an island sleep?"""
    ready = 0
    for place in range(first, end):
        ready += d.tree_asleep[d.map_itree2tree[place]] == READY
    return ready == end - first


@kernel
def sleep_islands(m, d):
    """Put islands to sleep, and trees without constraints. Returns how many trees fell asleep."""
    fallen = 0
    for island in range(d.nisland):
        first = d.island_itreeadr[island]
        end = first + d.island_ntree[island]
        if is_ready(d, first, end):
            for place in range(first, end):
                following = d.map_itree2tree[place + 1 if place + 1 < end else first]
                put_to_sleep(m, d, d.map_itree2tree[place], following)
            fallen += end - first
    # trees in no island
    for tree in awake_trees(m, d):
        if d.tree_asleep[tree] == READY and (d.nisland == 0 or d.tree_island[tree] < 0):
            put_to_sleep(m, d, tree, tree)
            fallen += 1
    return fallen


@part("md", "i")
def fall_asleep(m, d):
    """Which trees sleep from now on: state only, lists follow. Returns how many. Without islands none does."""
    if lane_count(d.time) > 1:
        return 0
    if d.nefc > 0 and d.nisland == 0:
        return 0
    count_down(m, d)
    keep_flexes_awake(m, d)
    return sleep_islands(m, d)


@kernel
def has_first_sleepers(m):
    """Is a tree to sleep from the start?"""
    count = 0
    for tree in range(m.ntree):
        count += m.tree_sleep_policy[tree] == SleepPolicy.INIT
    return count > 0


@kernel
def ready_first_sleepers(m, d):
    """Trees with the policy `init` are ready to sleep, all others wide awake."""
    for tree in range(m.ntree):
        d.tree_asleep[tree] = READY if m.tree_sleep_policy[tree] == SleepPolicy.INIT else WIDE_AWAKE


@kernel
def wake_first_sleepers(m, d):
    """Trees with the policy `init` that cannot sleep, as others move that they touch, begin awake."""
    for tree in range(m.ntree):
        if m.tree_sleep_policy[tree] == SleepPolicy.INIT and d.tree_asleep[tree] < 0:
            d.tree_asleep[tree] = WIDE_AWAKE
