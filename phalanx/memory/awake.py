"""What loops run over when some trees sleep: bodies, joints, dofs, geoms and sites of the others, stretch by stretch.

A tree has its bodies, and what belongs to them, one after the other, so that what is awake is a few stretches of each.
Static bodies are among those that are awake. `sleep/awake_lists.py` writes the stretches.

Whether trees may fall asleep (nsleep) is known when kernels are compiled: `NumberType.sleeps`. Where they may not, in
lanes among others, a loop over what is awake is a plain loop over everything.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from phalanx.algebra.jit import kernel, loop_source
from phalanx.memory.store import FieldsOnDemand, Store
from phalanx.tables.enums import ObjType, SleepState, TrnType
from phalanx.tables.scratch_fields import WAKING

#: Positions from which on it takes longer to compare them than to find out whether somebody may have changed them.
LARGE = 4096


def look_anew(arrays: Mapping[str, np.ndarray]) -> None:
    """After the state of a Data was written: loops run over everything until the next step has seen who sleeps."""
    for name in (
        "is_settled",
        "rest_is_made",
        "is_undisturbed",
        "more_trees",
        "more_bodies",
        "more_joints",
        "more_dofs",
        "more_geoms",
        "more_sites",
    ):
        arrays[name].fill(0)
    for name in ("awake_tree", "awake_body", "awake_joint", "awake_position", "awake_dof", "awake_geom", "awake_site"):
        arrays[name][0] = 0


def note_unseen(data: Store) -> FieldsOnDemand | None:
    """is_unseen of a new Data: rows that nobody asks for cannot have changed, and are not compared before each step.

    Large rows are made when they are asked for, and have not changed if nobody has them any more. The memory of the
    marks is apart from that of other fields: a reset, a snapshot that is restored or an interrupt changes nothing about
    who has got hold of an array. Returns the arrays if large rows are on loan.
    """
    assert isinstance(data.arrays, FieldsOnDemand)
    data.attach("is_unseen", data.allocate("is_unseen"))
    is_large = data.sizes["nq"] >= LARGE
    for k, name in enumerate(WAKING):
        mark = data.arrays["is_unseen"][k : k + 1]
        if is_large:
            data.arrays.put_on_loan(name, mark)
        else:
            data.arrays.tell_when_made(name, mark)
    return data.arrays if is_large else None


# --- loops


@loop_source
def awake_trees(m, d):
    """Kinematic trees."""
    if m.nsleep == 0:
        yield from range(m.ntree)
    else:
        for k in range(d.more_trees + 1):
            yield from range(d.awake_tree[k, 0], m.ntree - d.awake_tree[k, 1])


@loop_source
def awake_bodies(m, d):
    """Bodies, without the world, from root to leaves."""
    if m.nsleep == 0:
        yield from range(1, m.nbody)
    else:
        for k in range(d.more_bodies + 1):
            yield from range(d.awake_body[k, 0] + 1, m.nbody - d.awake_body[k, 1])


@loop_source
def awake_bodies_backward(m, d):
    """The same from leaves to root."""
    if m.nsleep == 0:
        yield from range(m.nbody - 1, 0, -1)
    else:
        for k in range(d.more_bodies, -1, -1):
            yield from range(m.nbody - d.awake_body[k, 1] - 1, d.awake_body[k, 0], -1)


@loop_source
def awake_joints(m, d):
    """Joints."""
    if m.nsleep == 0:
        yield from range(m.njnt)
    else:
        for k in range(d.more_joints + 1):
            yield from range(d.awake_joint[k, 0], m.njnt - d.awake_joint[k, 1])


@loop_source
def awake_positions(m, d):
    """Elements of qpos."""
    if m.nsleep == 0:
        yield from range(m.nq)
    else:
        for k in range(d.more_joints + 1):
            yield from range(d.awake_position[k, 0], m.nq - d.awake_position[k, 1])


@loop_source
def awake_dofs(m, d):
    """Degrees of freedom."""
    if m.nsleep == 0:
        yield from range(m.nv)
    else:
        for k in range(d.more_dofs + 1):
            yield from range(d.awake_dof[k, 0], m.nv - d.awake_dof[k, 1])


@loop_source
def awake_dofs_backward(m, d):
    """The same, the last one first."""
    if m.nsleep == 0:
        yield from range(m.nv - 1, -1, -1)
    else:
        for k in range(d.more_dofs, -1, -1):
            yield from range(m.nv - d.awake_dof[k, 1] - 1, d.awake_dof[k, 0] - 1, -1)


@loop_source
def awake_geoms(m, d):
    """Geoms."""
    if m.nsleep == 0:
        yield from range(m.ngeom)
    else:
        for k in range(d.more_geoms + 1):
            yield from range(d.awake_geom[k, 0], m.ngeom - d.awake_geom[k, 1])


@loop_source
def awake_sites(m, d):
    """Sites."""
    if m.nsleep == 0:
        yield from range(m.nsite)
    else:
        for k in range(d.more_sites + 1):
            yield from range(d.awake_site[k, 0], m.nsite - d.awake_site[k, 1])


# --- what sleeps: before the first stretch, between them, after the last


@loop_source
def asleep_dofs(m, d):
    """Degrees of freedom that sleep."""
    for k in range(d.more_dofs + 2):
        yield from range(
            m.nv - d.awake_dof[k - 1, 1] if k > 0 else 0,
            d.awake_dof[k, 0] if k <= d.more_dofs else m.nv,
        )


@loop_source
def asleep_positions(m, d):
    """Elements of qpos of trees that sleep."""
    for k in range(d.more_joints + 2):
        yield from range(
            m.nq - d.awake_position[k - 1, 1] if k > 0 else 0,
            d.awake_position[k, 0] if k <= d.more_joints else m.nq,
        )


@loop_source
def asleep_bodies(m, d):
    """Bodies that sleep."""
    for k in range(d.more_bodies + 2):
        yield from range(
            m.nbody - d.awake_body[k - 1, 1] if k > 0 else 1,
            d.awake_body[k, 0] + 1 if k <= d.more_bodies else m.nbody,
        )


# --- single objects: static, asleep or awake (SleepState), as MuJoCo's mj_sleepState says


@kernel
def is_asleep(m, d, body):
    """Does a body sleep?"""
    return m.nsleep > 0 and d.body_awake[body] == SleepState.ASLEEP


@kernel
def tree_state(d, tree):
    """Is a tree awake?"""
    return SleepState.AWAKE if d.tree_awake[tree] != 0 else SleepState.ASLEEP


@kernel
def tendon_state(m, d, tendon):
    """A tendon over several trees sleeps if all of them do; with more than two trees none of them may."""
    trees = m.tendon_treenum[tendon]
    if trees == 0:
        return SleepState.STATIC
    if trees > 2:
        return SleepState.AWAKE
    first = tree_state(d, m.tendon_treeid[tendon, 0])
    if trees == 1 or first == SleepState.AWAKE:
        return first
    return tree_state(d, m.tendon_treeid[tendon, 1])


@kernel
def is_tendon_asleep(m, d, tendon):
    """Do all trees of a tendon sleep?"""
    return m.nsleep > 0 and tendon_state(m, d, tendon) == SleepState.ASLEEP


@kernel
def state_of_two(first, second):
    """What two objects act on together: awake if one of them is."""
    return SleepState.AWAKE if first == SleepState.AWAKE or second == SleepState.AWAKE else SleepState.ASLEEP


@kernel
def actuator_state(m, d, actuator):
    """What an actuator pulls on."""
    kind, first, second = m.actuator_trntype[actuator], m.actuator_trnid[actuator, 0], m.actuator_trnid[actuator, 1]
    if kind == TrnType.JOINT or kind == TrnType.JOINTINPARENT or (kind == TrnType.SO3 and second < 0):
        return d.body_awake[m.jnt_bodyid[first]]
    if kind == TrnType.TENDON:
        return tendon_state(m, d, first)
    if kind == TrnType.SITE:
        return d.body_awake[m.site_bodyid[first]]
    if kind == TrnType.BODY:
        return d.body_awake[first]
    if kind == TrnType.SLIDERCRANK or kind == TrnType.SO3:
        return state_of_two(d.body_awake[m.site_bodyid[first]], d.body_awake[m.site_bodyid[second]])
    return SleepState.AWAKE


@kernel
def is_actuator_asleep(m, d, actuator):
    """Does what an actuator pulls on sleep?"""
    return m.nsleep > 0 and actuator_state(m, d, actuator) == SleepState.ASLEEP


@kernel
def object_state(m, d, kind, objid):
    """Static, asleep or awake: an object of any kind that sensors are for; awake if it is none of them."""
    if kind == ObjType.BODY or kind == ObjType.XBODY:
        return d.body_awake[objid]
    if kind == ObjType.JOINT:
        return d.body_awake[m.jnt_bodyid[objid]]
    if kind == ObjType.GEOM:
        return d.body_awake[m.geom_bodyid[objid]]
    if kind == ObjType.SITE:
        return d.body_awake[m.site_bodyid[objid]]
    if kind == ObjType.CAMERA:
        return d.body_awake[m.cam_bodyid[objid]]
    if kind == ObjType.TENDON:
        return tendon_state(m, d, objid)
    if kind == ObjType.ACTUATOR:
        return actuator_state(m, d, objid)
    return SleepState.AWAKE
