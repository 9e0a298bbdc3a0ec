"""When trees wake up: what the user changed, contacts, tendons at their limits, equalities (as MuJoCo's mj_wake)."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load3, load4
from phalanx.algebra.number import any_, bits, not_, or_
from phalanx.constraint.equality.anchor import OF_FLEXES, state_of_body, tied_bodies
from phalanx.hook.calls import has_hook
from phalanx.memory.awake import asleep_bodies, asleep_dofs, asleep_positions
from phalanx.memory.growth import lacks_memory
from phalanx.sleep.awake_lists import WIDE_AWAKE, renew_awake
from phalanx.smooth.contact_body import contact_bodies
from phalanx.smooth.flex.carrying_trees import carrier_total, carrier_tree
from phalanx.smooth.kinematics import body_frame
from phalanx.tables.enums import SleepPolicy, SleepState
from phalanx.tables.scratch_fields import WAKING

#: Where is_unseen has each of the rows that wake.
POSITION, VELOCITY, JOINT_FORCE, BODY_FORCE = (
    WAKING.index(name) for name in ("qpos", "qvel", "qfrc_applied", "xfrc_applied")
)
#: Policies of trees that never sleep.
SLEEPLESS = (SleepPolicy.NEVER, SleepPolicy.AUTO_NEVER)


# --- one island


@kernel
def first_position(m, tree):
    """Where the positions of a tree begin in qpos."""
    return m.jnt_qposadr[m.dof_jntid[m.tree_dofadr[tree]]]


@kernel
def last_position(m, tree):
    """Where they end."""
    joint = m.dof_jntid[m.tree_dofadr[tree] + m.tree_dofnum[tree] - 1] + 1
    return m.jnt_qposadr[joint] if joint < m.njnt else m.nq


@kernel
def wake_island(m, d, tree, value):
    """Wake a tree and all that sleep with it; one that is awake stays so for as long as `value` says. How many woke."""
    if d.tree_asleep[tree] < 0:
        d.tree_asleep[tree] = min(value, d.tree_asleep[tree])
        return 0
    woken = 0
    # the cycle ends where it began, as that tree is awake by then; one that a user made up may end anywhere
    while tree >= 0 and tree < m.ntree and d.tree_asleep[tree] >= 0:
        following = d.tree_asleep[tree]
        d.tree_asleep[tree] = value
        for k in range(first_position(m, tree), last_position(m, tree)):
            d.asleep_qpos[k] = 0.0
        woken += 1
        tree = following
    return woken


@kernel
def first_of_island(m, d, tree):
    """The smallest of the trees that sleep together with one."""
    smallest, current, count = tree, d.tree_asleep[tree], 0
    while current != tree and current >= 0 and current < m.ntree and count < m.ntree:
        smallest = min(smallest, current)
        current = d.tree_asleep[current]
        count += 1
    return smallest


# --- what the user changed


@kernel
def is_touched(x):
    """Does a number have a bit that is not zero? Minus zero has: setting it is the way to wake a tree and no more."""
    return bits(x) != 0


@kernel
def may_rest(m, d, tree):
    """Does the policy let a tree sleep, and does the user apply no force to it?"""
    if m.tree_sleep_policy[tree] in SLEEPLESS:
        return False
    first = m.tree_bodyadr[tree]
    is_forced = is_touched(d.qfrc_applied[m.tree_dofadr[tree]])
    for dof in range(m.tree_dofadr[tree], m.tree_dofadr[tree] + m.tree_dofnum[tree]):
        is_forced = or_(is_forced, is_touched(d.qfrc_applied[dof]))
    for body in range(first, first + m.tree_bodynum[tree]):
        for k in range(6):
            is_forced = or_(is_forced, is_touched(d.xfrc_applied[body, k]))
    return not any_(is_forced)


@kernel
def is_disturbed(m, d, tree):
    """Has the user touched the velocity of a sleeping tree, its position, or the forces on it?"""
    if not may_rest(m, d, tree):
        return True
    is_moved = is_touched(d.qvel[m.tree_dofadr[tree]])
    for dof in range(m.tree_dofadr[tree], m.tree_dofadr[tree] + m.tree_dofnum[tree]):
        is_moved = or_(is_moved, is_touched(d.qvel[dof]))
    if any_(is_moved):
        return True
    for k in range(first_position(m, tree), last_position(m, tree)):
        is_moved = or_(is_moved, not_(d.qpos[k] == d.asleep_qpos[k]))
    return any_(is_moved) and has_other_frames(m, d, tree)


@kernel
def swap_positions(m, d, tree):
    """Exchange the position of a tree and that in which it fell asleep."""
    for k in range(first_position(m, tree), last_position(m, tree)):
        position = d.qpos[k]
        d.qpos[k] = d.asleep_qpos[k]
        d.asleep_qpos[k] = position


@kernel
def has_other_frames(m, d, tree):
    """Are bodies of a sleeping tree elsewhere? Another qpos may mean the same frames, if quaternions are longer."""
    first = m.tree_bodyadr[tree]
    swap_positions(m, d, tree)
    for body in range(first, first + m.tree_bodynum[tree]):
        body_frame(m, d, body)
    swap_positions(m, d, tree)
    is_elsewhere = not_(d.xpos[first, 0] == d.xpos[first, 0])
    for body in range(first, first + m.tree_bodynum[tree]):
        pos, quat = load3(d.xpos, body), load4(d.xquat, body)
        body_frame(m, d, body)
        for k in range(3):
            is_elsewhere = or_(is_elsewhere, not_(d.xpos[body, k] == pos[k]))
        for k in range(4):
            is_elsewhere = or_(is_elsewhere, not_(d.xquat[body, k] == quat[k]))
    if any_(is_elsewhere):
        return True
    for k in range(first_position(m, tree), last_position(m, tree)):
        d.asleep_qpos[k] = d.qpos[k]
    return False


@kernel
def is_carried(m, d, tree):
    """Does a tree hang on a mocap body that was moved since the last step?"""
    mocap = m.body_mocapid[m.body_rootid[m.tree_bodyadr[tree]]]
    if mocap < 0:
        return False
    is_moved = not_(d.mocap_pos[mocap, 0] == d.asleep_mocap[mocap, 0])
    for k in range(3):
        is_moved = or_(is_moved, not_(d.mocap_pos[mocap, k] == d.asleep_mocap[mocap, k]))
    for k in range(4):
        is_moved = or_(is_moved, not_(d.mocap_quat[mocap, k] == d.asleep_mocap[mocap, 3 + k]))
    return any_(is_moved)


@kernel
def keep_mocaps(m, d):
    """asleep_mocap: where mocap bodies are now."""
    for mocap in range(m.nmocap):
        for k in range(3):
            d.asleep_mocap[mocap, k] = d.mocap_pos[mocap, k]
        for k in range(4):
            d.asleep_mocap[mocap, 3 + k] = d.mocap_quat[mocap, k]


@kernel
def may_differ(d, row):
    """May somebody have changed a row of WAKING? Functions of the user can, and whoever has its array."""
    return d.is_unseen[row] == 0 or has_hook(d)


@kernel
def is_any_disturbed(m, d):
    """Has a number of anything that sleeps changed? Without branches: mostly nothing has, and memory sets the pace."""
    changed = 0
    if may_differ(d, POSITION):
        for k in asleep_positions(m, d):
            changed |= bits(d.qpos[k]) ^ bits(d.asleep_qpos[k])
    if may_differ(d, VELOCITY):
        for dof in asleep_dofs(m, d):
            changed |= bits(d.qvel[dof])
    if may_differ(d, JOINT_FORCE):
        for dof in asleep_dofs(m, d):
            changed |= bits(d.qfrc_applied[dof])
    if may_differ(d, BODY_FORCE):
        for body in asleep_bodies(m, d):
            for k in range(6):
                changed |= bits(d.xfrc_applied[body, k])
    return changed != 0


@part()
def wake_disturbed(m, d):
    """Wake trees that the user disturbed since the last step; the first stage of all."""
    if m.nsleep == 0:
        return
    if d.is_undisturbed != 0:
        if d.has_fallen != 0:
            rest(m, d)
        keep_mocaps(m, d)
        return
    woken = 0
    if d.has_fallen != 0 or m.nmocap > 0 or is_any_disturbed(m, d):
        for tree in range(m.ntree):
            if d.tree_asleep[tree] >= 0 and (is_carried(m, d, tree) or is_disturbed(m, d, tree)):
                woken += wake_island(m, d, tree, WIDE_AWAKE)
    keep_mocaps(m, d)
    if woken > 0:
        renew_awake(m, d)
    if d.has_fallen != 0:
        rest(m, d)


@kernel
def rest(m, d):
    """Nothing acts on trees that sleep."""
    d.has_fallen = 0
    for dof in range(m.nv):
        if d.tree_awake[m.dof_treeid[dof]] == 0:
            d.qfrc_constraint[dof] = 0.0
            d.qfrc_actuator[dof] = 0.0
            d.dof_island[dof] = -1
    for tree in range(m.ntree):
        if d.tree_awake[tree] == 0:
            d.tree_island[tree] = -1


# --- worlds that come into memory


@kernel
def has_sleepers(m, d):
    """Does a tree sleep?"""
    if m.nsleep == 0:
        return False
    count = 0
    for tree in range(m.ntree):
        count += d.tree_asleep[tree] >= 0
    return count > 0


@kernel
def is_unsettled(m, d):
    """Is something asleep, or awake, that was not when the lists were made? A world came into memory."""
    if m.nsleep == 0:
        return False
    if d.is_undisturbed != 0:
        return False
    count = 0
    for tree in range(m.ntree):
        count += (d.tree_asleep[tree] >= 0) == (d.tree_awake[tree] != 0)
    return d.is_settled == 0 or count > 0


@part()
def settle_down(m, d):
    """Frames and inertias of what sleeps are those of this world: from now on, loops leave it out."""
    if m.nsleep == 0:
        return
    d.is_settled = 1
    d.has_fallen = 1
    renew_awake(m, d)


# --- contacts, tendons, equalities


@kernel
def wake_by(m, d, tree1, tree2):
    """Wake the one of two trees that sleeps; it may fall asleep as soon as the other. How many woke."""
    if d.tree_awake[tree1] == d.tree_awake[tree2]:
        return 0
    if d.tree_awake[tree1] != 0:
        return wake_island(m, d, tree2, d.tree_asleep[tree1])
    return wake_island(m, d, tree1, d.tree_asleep[tree2])


@kernel
def wake_by_contact(m, d, contact):
    """Wake what a contact disturbs: of a tree that is awake, or of a mocap body. How many woke."""
    body1, body2 = contact_bodies(m, d, contact)
    tree1, tree2 = m.body_treeid[body1], m.body_treeid[body2]
    if tree1 >= 0 and tree2 >= 0:
        return wake_by(m, d, tree1, tree2)
    tree, fixed = (tree2, body1) if tree1 < 0 else (tree1, body2)
    if tree >= 0 and d.tree_awake[tree] == 0 and d.body_awake[fixed] == SleepState.AWAKE:
        return wake_island(m, d, tree, WIDE_AWAKE)
    return 0


@part("md", "i")
def wake_touched(m, d):
    """Wake trees with contacts; returns whether any woke, so that contacts must be found anew."""
    if m.nsleep == 0:
        return 0
    if lacks_memory(d):
        return 0
    woken = 0
    for contact in range(d.ncon):
        woken += wake_by_contact(m, d, contact)
    if woken > 0:
        renew_awake(m, d)
    return woken


@kernel
def is_at_limit(m, d, tendon):
    """Is a tendon at an end of its range?"""
    if m.tendon_limited[tendon] == 0:
        return False
    length, margin = d.ten_length[tendon], m.tendon_margin[tendon]
    return any_(or_(length - m.tendon_range[tendon, 0] < margin, m.tendon_range[tendon, 1] - length < margin))


@part()
def wake_pulled(m, d):
    """Wake trees that a tendon at its limit ties to one that is awake."""
    if m.nsleep == 0:
        return
    woken = 0
    for tendon in range(m.ntendon):
        if m.tendon_treenum[tendon] == 2 and is_at_limit(m, d, tendon):
            woken += wake_by(m, d, m.tendon_treeid[tendon, 0], m.tendon_treeid[tendon, 1])
    if woken > 0:
        renew_awake(m, d)


@kernel
def wake_by_equality(m, d, equality):
    """Wake what an equality ties to something awake, or to something that sleeps apart. How many woke."""
    if m.eq_type[equality] in OF_FLEXES:
        return wake_flex(m, d, m.eq_obj1id[equality])
    body1, body2 = tied_bodies(m, equality)
    state1, state2 = state_of_body(d, body1), state_of_body(d, body2)
    if state1 == SleepState.STATIC or state2 == SleepState.STATIC:
        return 0
    if state1 != SleepState.ASLEEP and state2 != SleepState.ASLEEP:
        return 0
    tree1, tree2 = m.body_treeid[body1], m.body_treeid[body2]
    if tree1 == tree2:
        return 0
    if state1 == SleepState.AWAKE:
        return wake_tied_island(m, d, tree2, WIDE_AWAKE)
    if state2 == SleepState.AWAKE:
        return wake_tied_island(m, d, tree1, WIDE_AWAKE)
    # MuJoCo looks at the cycles as they are by now: an equality before this one may have woken a tree
    are_asleep = d.tree_asleep[tree1] >= 0 and d.tree_asleep[tree2] >= 0
    if are_asleep and first_of_island(m, d, tree1) == first_of_island(m, d, tree2):
        return 0
    return wake_tied_island(m, d, tree1, WIDE_AWAKE) + wake_tied_island(m, d, tree2, WIDE_AWAKE)


@kernel
def wake_flex(m, d, flex):
    """Wake the trees that an equality of a flex ties to one that is awake. How many woke."""
    awake, asleep = -1, -1
    for k in range(carrier_total(m, flex)):
        tree = carrier_tree(m, flex, k)
        if tree >= 0:
            if d.tree_awake[tree] != 0:
                awake = tree if awake < 0 else awake
            else:
                asleep = tree if asleep < 0 else asleep
    if awake < 0 or asleep < 0:
        return 0
    # those that sleep do so together
    return wake_tied_island(m, d, asleep, d.tree_asleep[awake])


@kernel
def wake_tied_island(m, d, tree, value):
    """Wake an island, and note who slept: if the step lacks memory, it begins again with them asleep."""
    current, count = tree, 0
    while current >= 0 and current < m.ntree and d.tree_asleep[current] >= 0 and (current != tree or count == 0):
        if d.ntied < m.ntree:
            d.tied_tree[d.ntied] = current
            d.tied_value[d.ntied] = d.tree_asleep[current]
            d.ntied = d.ntied + 1
        current = d.tree_asleep[current]
        count += 1
    return wake_island(m, d, tree, value)


@part()
def sleep_again(m, d):
    """After a pass that lacks memory: those that an equality woke sleep, as their contacts were not looked for yet.

    MuJoCo looks for no contacts after equalities, either, so that they feel the floor one step later.
    """
    if m.nsleep == 0:
        return
    if d.ntied > 0:
        for k in range(d.ntied):
            tree = d.tied_tree[k]
            d.tree_asleep[tree] = d.tied_value[k]
            for position in range(first_position(m, tree), last_position(m, tree)):
                d.asleep_qpos[position] = d.qpos[position]
        d.ntied = 0
        renew_awake(m, d)


@part()
def wake_tied(m, d):
    """Wake trees that equalities tie to others."""
    if m.nsleep == 0:
        return
    woken = 0
    d.ntied = 0
    for equality in range(m.neq):
        if any_(d.eq_active[equality] != 0):
            woken += wake_by_equality(m, d, equality)
    if woken > 0:
        renew_awake(m, d)
