"""Who is awake: lists of trees, bodies and dofs from `tree_asleep`, and the stretches that loops run over."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import lane_count, where
from phalanx.algebra.vector import add, scale
from phalanx.tables.enums import SleepState
from phalanx.tables.sizes import MINAWAKE

#: tree_asleep of a tree that is wide awake.
WIDE_AWAKE = -(1 + MINAWAKE)


@kernel
def forget_poses(m, d, chosen):
    """asleep_qpos: no tree sleeps."""
    for k in range(m.nsleep * m.nq):
        d.asleep_qpos[k] = where(chosen, 0.0, d.asleep_qpos[k])


@kernel
def forget_readings(m, d, chosen):
    """asleep_reading: sensors have not been read."""
    for k in range(m.nsleep * m.nsensordata):
        d.asleep_reading[k] = where(chosen, 0.0, d.asleep_reading[k])


@kernel
def forget_rates(m, d, chosen):
    """asleep_act_dot: activations are at rest."""
    for k in range(m.nsleep * m.na):
        d.asleep_act_dot[k] = where(chosen, 0.0, d.asleep_act_dot[k])


@kernel
def forget_mocaps(m, d, chosen):
    """asleep_mocap: nothing was compared yet."""
    for mocap in range(m.nsleep * m.nmocap):
        for k in range(7):
            d.asleep_mocap[mocap, k] = where(chosen, 0.0, d.asleep_mocap[mocap, k])


@kernel
def wake_all(m, d, chosen):
    """tree_asleep: all trees are wide awake; lists and stretches follow."""
    for tree in range(m.ntree):
        d.tree_asleep[tree] = where(chosen, WIDE_AWAKE, d.tree_asleep[tree])
    if lane_count(d.time) == 1:
        update_awake(m, d)
        run_over_all(d)


# --- lists as MuJoCo has them


@kernel
def update_awake(m, d):
    """tree_awake, body_awake, body_awake_ind, parent_awake_ind, dof_awake_ind and their counts."""
    d.ntree_awake = 0
    for tree in range(m.ntree):
        d.tree_awake[tree] = 1 if d.tree_asleep[tree] < 0 else 0
        d.ntree_awake = d.ntree_awake + d.tree_awake[tree]
    d.nbody_awake = 0
    d.nparent_awake = 0
    for body in range(m.nbody):
        d.body_awake[body] = body_state(m, d, body)
        if d.body_awake[body] != SleepState.ASLEEP:
            d.body_awake_ind[d.nbody_awake] = body
            d.nbody_awake = d.nbody_awake + 1
        if body > 0 and d.body_awake[m.body_parentid[body]] != SleepState.ASLEEP:
            d.parent_awake_ind[d.nparent_awake] = body
            d.nparent_awake = d.nparent_awake + 1
    d.nv_awake = 0
    for dof in range(m.nv):
        if d.tree_awake[m.dof_treeid[dof]] != 0:
            d.dof_awake_ind[d.nv_awake] = dof
            d.nv_awake = d.nv_awake + 1


@kernel
def body_state(m, d, body):
    """A body without dofs is static, unless it is or hangs on a mocap body, which the user may move."""
    tree = m.body_treeid[body]
    if tree < 0:
        return SleepState.AWAKE if m.body_mocapid[m.body_rootid[body]] >= 0 else SleepState.STATIC
    return SleepState.AWAKE if d.tree_awake[tree] != 0 else SleepState.ASLEEP


# --- stretches


@kernel
def run_over_all(d):
    """Loops run over everything, as the results of what sleeps are not those of this world, or not there yet."""
    d.is_settled = 0
    d.rest_is_made = 0
    d.is_undisturbed = 0
    clear_stretches(d, d.awake_tree)
    clear_stretches(d, d.awake_body)
    clear_stretches(d, d.awake_joint)
    clear_stretches(d, d.awake_position)
    clear_stretches(d, d.awake_dof)
    clear_stretches(d, d.awake_geom)
    clear_stretches(d, d.awake_site)
    d.more_trees = 0
    d.more_bodies = 0
    d.more_joints = 0
    d.more_dofs = 0
    d.more_geoms = 0
    d.more_sites = 0


@kernel
def clear_stretches(d, stretches):
    """One stretch: the whole."""
    stretches[0, 0] = 0
    stretches[0, 1] = 0


@kernel
def run_over_awake(m, d):
    """Loops run over what does not sleep."""
    d.more_trees = divide(d, d.awake_tree, m.tree_bodyadr, m.ntree)
    d.more_joints = divide(d, d.awake_joint, m.jnt_bodyid, m.njnt)
    for k in range(d.more_joints + 1):
        first, after = d.awake_joint[k, 0], d.awake_joint[k, 1]
        d.awake_position[k, 0] = m.jnt_qposadr[first] if first < m.njnt else m.nq
        d.awake_position[k, 1] = m.nq - m.jnt_qposadr[m.njnt - after] if after > 0 else 0
    d.more_dofs = divide(d, d.awake_dof, m.dof_bodyid, m.nv)
    d.more_geoms = divide(d, d.awake_geom, m.geom_bodyid, m.ngeom)
    d.more_sites = divide(d, d.awake_site, m.site_bodyid, m.nsite)
    d.more_bodies = divide_bodies(m, d)


@kernel
def divide(d, stretches, bodyid, n):
    """Stretches of objects on bodies that do not sleep; returns how many there are beside the first."""
    count, first = 0, -1
    for k in range(n):
        is_awake = d.body_awake[bodyid[k]] != SleepState.ASLEEP
        if is_awake and first < 0:
            first = k
        elif not is_awake and first >= 0:
            count = put_stretch(stretches, count, first, n - k)
            first = -1
    if first >= 0 or count == 0:
        count = put_stretch(stretches, count, first if first >= 0 else n, 0)
    return count - 1


@kernel
def divide_bodies(m, d):
    """The same for bodies but the world."""
    count, first = 0, -1
    for body in range(1, m.nbody):
        is_awake = d.body_awake[body] != SleepState.ASLEEP
        if is_awake and first < 0:
            first = body
        elif not is_awake and first >= 0:
            count = put_stretch(d.awake_body, count, first - 1, m.nbody - body)
            first = -1
    if first >= 0 or count == 0:
        count = put_stretch(d.awake_body, count, first - 1 if first >= 0 else m.nbody - 1, 0)
    return count - 1


@kernel
def put_stretch(stretches, count, before, after):
    """Note a stretch; returns how many there are now."""
    stretches[count, 0] = before
    stretches[count, 1] = after
    return count + 1


@kernel
def start_from_smooth(m, d):
    """qacc_warmstart of trees that just fell asleep: without constraints, as MuJoCo has it when they wake up."""
    for tree in range(m.ntree):
        if d.tree_asleep[tree] >= 0 and d.tree_awake[tree] != 0:
            for dof in range(m.tree_dofadr[tree], m.tree_dofadr[tree] + m.tree_dofnum[tree]):
                d.qacc_warmstart[dof] = d.qacc_smooth[dof]


@kernel
def renew_awake(m, d):
    """Lists and stretches, after trees fell asleep or woke up."""
    update_awake(m, d)
    run_over_awake(m, d)
    sum_moments(m, d)
    d.rest_is_made = 0


@kernel
def sum_moments(m, d):
    """asleep_moment: masses times centers of the trees that sleep, of the body that they hang on."""
    for body in range(m.nbody):
        store3(d.asleep_moment, body, (0.0, 0.0, 0.0))
    for tree in range(m.ntree):
        if d.tree_awake[tree] == 0:
            root = m.tree_bodyadr[tree]
            parent, moment = m.body_parentid[root], scale(load3(d.subtree_com, root), m.body_subtreemass[root])
            store3(d.asleep_moment, parent, add(load3(d.asleep_moment, parent), moment))
