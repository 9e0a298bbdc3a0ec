"""Integers, flags and boxes of a Model that follow from its other rows: the part of mj_setConst without physics.

`derive_structure` comes before the kernels of `phalanx.pipeline.constants`, `derive_boxes` after the first of them.
Rows of numbers may have a trailing axis of worlds; integers are the same in all of them, so a flag is set when some
world needs it, and frames coincide when they do in every world.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from phalanx.pipeline.exact_frames import TOLERANCE as FRAME_TOLERANCE
from phalanx.pipeline.flex_constants import has_elastic_elements, link_edges
from phalanx.tables.actuators import TRANSMISSIONS
from phalanx.tables.enums import EnableBit, JointType, SameFrame, SleepPolicy, TrnType, WrapType
from phalanx.tables.joints import JOINTS
from phalanx.tables.sizes import EPSILON

Arrays = dict[str, np.ndarray]

#: Rows of numbers that bring structure where they are not zero: flags, reflecting actuators, trees that cannot sleep.
SWITCHES = (
    "body_gravcomp", "geom_surfacevel", "geom_adhesion", "pair_adhesion",
    "actuator_damping", "actuator_dampingpoly", "actuator_armature",
    "tendon_stiffness", "tendon_stiffnesspoly", "tendon_damping", "tendon_dampingpoly",
)  # fmt: skip
#: Rows of numbers that the structure of a compiled model restricts: simple bodies, trees that are to sleep.
CHECKED = (
    "body_ipos", "body_iquat", "jnt_pos", "jnt_axis",
    "tendon_stiffness", "tendon_stiffnesspoly", "tendon_damping", "tendon_dampingpoly",
)  # fmt: skip


def derive_structure(arrays: Arrays, sizes: dict[str, int]) -> None:
    """Recompute, in place, the integers and flags that depend on other rows."""
    _align_frames(arrays)
    _join_masks(arrays)
    _set_flags(arrays, sizes)
    _find_reflecting(arrays)
    _span_trees(arrays, sizes)
    _span_tendons(arrays)
    _link_tendons(arrays)
    if sizes["nflex"]:
        link_edges(arrays)
    _decide_sleep(arrays, sizes)


def _worlds(array: np.ndarray, inner: int = 1) -> np.ndarray:
    """The row with shape (n, inner, worlds)."""
    count = array.shape[0]
    return array.reshape(count, inner, array.size // (count * inner) if count else 1)


def _is_nonzero(array: np.ndarray) -> np.ndarray:
    """Which elements of a row have a number that is not zero, in some world."""
    return (array != 0).reshape(array.shape[0], -1).any(axis=1) if array.size else np.zeros(array.shape[0], bool)


# --- frames that coincide


def _is_same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (np.abs(a - b) < FRAME_TOLERANCE).all(axis=(1, 2))


def _is_same_rotation(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Equal quaternions up to the common sign, in every world."""
    plus = (np.abs(a - b) < FRAME_TOLERANCE).all(axis=1)
    minus = (np.abs(a + b) < FRAME_TOLERANCE).all(axis=1)
    return (plus | minus).all(axis=1)


_NO_ROTATION = np.array([1.0, 0.0, 0.0, 0.0]).reshape(1, 4, 1)


def _is_zero(pos: np.ndarray) -> np.ndarray:
    return (np.abs(pos) < FRAME_TOLERANCE).all(axis=(1, 2))


def _is_no_rotation(quat: np.ndarray) -> np.ndarray:
    """Near the identity, of either sign, in every world."""
    return _is_same(np.abs(quat), _NO_ROTATION)


def _inertial_frames(arrays: Arrays) -> tuple[np.ndarray, np.ndarray]:
    """Which bodies have their center of mass at the origin, and their principal axes along the body frame."""
    ipos, iquat = _worlds(arrays["body_ipos"], 3), _worlds(arrays["body_iquat"], 4)
    return _is_zero(ipos), _is_no_rotation(iquat)


def _align_frames(arrays: Arrays) -> None:
    """body_sameframe (but not of the world), geom_sameframe, site_sameframe."""
    ipos, iquat = _worlds(arrays["body_ipos"], 3), _worlds(arrays["body_iquat"], 4)
    is_centered, is_unrotated = _inertial_frames(arrays)
    kinds = arrays["body_sameframe"][1:]
    kinds[:] = SameFrame.NONE
    kinds[is_unrotated[1:]] = SameFrame.BODYROT
    kinds[(is_centered & is_unrotated)[1:]] = SameFrame.BODY
    for prefix in ("geom", "site"):
        body = arrays[f"{prefix}_bodyid"]
        if not len(body):
            continue
        pos, quat = _worlds(arrays[f"{prefix}_pos"], 3), _worlds(arrays[f"{prefix}_quat"], 4)
        is_unrotated = _is_no_rotation(quat)
        is_inertial = _is_same_rotation(quat, iquat[body])
        kinds = arrays[f"{prefix}_sameframe"]
        kinds[:] = SameFrame.NONE
        # what comes later counts more
        kinds[is_inertial] = SameFrame.INERTIAROT
        kinds[_is_same(pos, ipos[body]) & is_inertial] = SameFrame.INERTIA
        kinds[is_unrotated] = SameFrame.BODYROT
        kinds[_is_zero(pos) & is_unrotated] = SameFrame.BODY


# --- masks, flags, counts


def _join_masks(arrays: Arrays) -> None:
    """body_contype, body_conaffinity"""
    for mask in ("contype", "conaffinity"):
        joined = arrays[f"body_{mask}"]
        joined[:] = 0
        np.bitwise_or.at(joined, arrays["geom_bodyid"], arrays[f"geom_{mask}"])


def _set_flags(arrays: Arrays, sizes: dict[str, int]) -> None:
    """flg_*, and the sizes that are counted or maximized over rows."""
    is_compensated = (_worlds(arrays["body_gravcomp"]) > 0).any(axis=(1, 2))
    sizes["ngravcomp"] = int(is_compensated.sum())
    sizes["npolygonmax"] = int(arrays["mesh_polyvertnum"].max(initial=0))
    sizes["nmeshdegmax"] = int(arrays["mesh_polymapnum"].max(initial=0))
    arrays["flg_gravcomp"][()] = is_compensated.any()
    arrays["flg_surfacevel"][()] = (arrays["geom_surfacevel"] != 0).any()
    arrays["flg_adhesion"][()] = (arrays["geom_adhesion"] != 0).any() or (arrays["pair_adhesion"] != 0).any()


def _find_reflecting(arrays: Arrays) -> None:
    """jnt_actuatorid, tendon_actuatorid: whose damping or armature is reflected; -1 for none, -2 for several."""
    rows = {"joint": arrays["jnt_actuatorid"], "tendon": arrays["tendon_actuatorid"]}
    targets = {row.kind: rows[row.of] for row in TRANSMISSIONS.values() if row.reflects}
    for target in targets.values():
        target[:] = -1
    reflects = np.zeros(len(arrays["actuator_trntype"]), bool)
    for name in ("actuator_damping", "actuator_dampingpoly", "actuator_armature"):
        reflects |= _is_nonzero(arrays[name])
    for actuator in np.flatnonzero(reflects):
        kind = TrnType(arrays["actuator_trntype"][actuator])
        if kind in targets:
            reflecting, driven = targets[kind], arrays["actuator_trnid"][actuator, 0]
            reflecting[driven] = actuator if reflecting[driven] == -1 else -2


# --- kinematic trees


def _span_trees(arrays: Arrays, sizes: dict[str, int]) -> None:
    """body_treeid; first member and count of the bodies and dofs of each tree."""
    weld = arrays["body_weldid"]
    moves = arrays["body_dofnum"][weld] > 0
    arrays["body_treeid"][:] = -1
    arrays["body_treeid"][moves] = arrays["dof_treeid"][arrays["body_dofadr"][weld][moves]]
    for member, tree in (("body", arrays["body_treeid"]), ("dof", arrays["dof_treeid"])):
        first, count = arrays[f"tree_{member}adr"], arrays[f"tree_{member}num"]
        members = np.flatnonzero(tree >= 0)
        count[:] = np.bincount(tree[members], minlength=sizes["ntree"])
        # of several members the one written last counts: the first
        first[tree[members[::-1]]] = members[::-1]


#: What a tendon passes -> the row that says on which body it is.
_PASSED = {
    int(WrapType.JOINT): "jnt_bodyid",
    int(WrapType.SITE): "site_bodyid",
    int(WrapType.SPHERE): "geom_bodyid",
    int(WrapType.CYLINDER): "geom_bodyid",
}


def _path(arrays: Arrays, tendon: int) -> list[tuple[int, int]]:
    """What a tendon passes: kind and id."""
    first = int(arrays["tendon_adr"][tendon])
    part = slice(first, first + int(arrays["tendon_num"][tendon]))
    return list(zip(arrays["wrap_type"][part].tolist(), arrays["wrap_objid"][part].tolist(), strict=True))


def _trees_of_tendon(arrays: Arrays, tendon: int) -> list[int]:
    """The trees that a tendon touches, in the order of its path."""
    tree_of = arrays["body_treeid"]
    passed = [tree_of[arrays[_PASSED[kind]][target]] for kind, target in _path(arrays, tendon) if kind in _PASSED]
    return [int(tree) for tree in dict.fromkeys(passed) if tree >= 0]


def _span_tendons(arrays: Arrays) -> None:
    """tendon_treenum, tendon_treeid"""
    for tendon in range(len(arrays["tendon_adr"])):
        trees = _trees_of_tendon(arrays, tendon)
        arrays["tendon_treenum"][tendon] = len(trees)
        arrays["tendon_treeid"][tendon] = (*trees, -1, -1)[:2]


def dofs_of_tendon(arrays: Arrays, tendon: int) -> list[int]:
    """The dofs that can change the length of a tendon, in increasing order."""
    parent = arrays["dof_parentid"]
    dofs: set[int] = set()
    for kind, target in _path(arrays, tendon):
        if kind == WrapType.JOINT:
            dofs.add(int(arrays["jnt_dofadr"][target]))
        elif kind in _PASSED:
            weld = arrays["body_weldid"][arrays[_PASSED[kind]][target]]
            dofnum = arrays["body_dofnum"][weld]
            dof = int(arrays["body_dofadr"][weld] + dofnum - 1) if dofnum else -1
            while dof >= 0:
                dofs.add(dof)
                dof = int(parent[dof])
    return sorted(dofs)


def _link_tendons(arrays: Arrays) -> None:
    """ten_J_rownnz, ten_J_rowadr, ten_J_colind, if the pattern is as large as before."""
    if not len(arrays["tendon_adr"]):
        return
    rows = [dofs_of_tendon(arrays, tendon) for tendon in range(len(arrays["tendon_adr"]))]
    if sum(map(len, rows)) == len(arrays["ten_J_colind"]):
        arrays["ten_J_rownnz"][:] = [len(row) for row in rows]
        arrays["ten_J_rowadr"][:] = np.cumsum([0, *arrays["ten_J_rownnz"]])[:-1]
        arrays["ten_J_colind"][:] = [dof for row in rows for dof in row]


# --- sleep


def count_sleep(arrays: Mapping[str, np.ndarray]) -> int:
    """nsleep: 1 if the option lets trees fall asleep, else 0."""
    return int(bool(int(arrays["opt.enableflags"]) & EnableBit.SLEEP))


def _actuated_trees(arrays: Arrays) -> set[int]:
    """The trees that actuators pull on, and -1 if one pulls on a static body."""
    tree_of = arrays["body_treeid"]
    body_of = {"joint": arrays["jnt_bodyid"], "site": arrays["site_bodyid"], "body": np.arange(len(tree_of))}
    trees: set[int] = set()
    for kind, ids in zip(arrays["actuator_trntype"].tolist(), arrays["actuator_trnid"].tolist(), strict=True):
        if kind not in TRANSMISSIONS:
            continue
        of = TRANSMISSIONS[kind].acts_on(has_second=ids[1] >= 0)
        if of == "tendon":
            trees.update(_trees_of_tendon(arrays, ids[0]))
        else:
            trees.update(int(tree_of[body_of[of][target]]) for target in ids if target >= 0)
    return trees


def _coupling_tendons(arrays: Arrays) -> Iterator[tuple[int, str]]:
    """Tendons that keep the trees they touch awake, and why."""
    if not len(arrays["tendon_treenum"]):
        return
    acts = arrays["tendon_actuatorid"] != -1
    for name in ("tendon_stiffness", "tendon_stiffnesspoly", "tendon_damping", "tendon_dampingpoly"):
        acts = acts | _is_nonzero(arrays[name])
    for tendon, count in enumerate(arrays["tendon_treenum"]):
        if count > 2:
            yield tendon, f"tendon {tendon} touches more than two trees"
        elif count == 2 and acts[tendon]:
            yield tendon, f"tendon {tendon} has stiffness or damping and touches two trees"


def _free_flex_trees(arrays: Arrays) -> set[int]:
    """The trees that carry a flex without constraints and elastic elements, which would never come to rest."""
    trees: set[int] = set()
    for flex in np.flatnonzero(arrays["flex_edgeequality"] == 0).tolist():
        if has_elastic_elements(arrays, flex):
            continue
        what = "node" if arrays["flex_interp"][flex] else "vert"
        start = int(arrays[f"flex_{what}adr"][flex])
        bodies = arrays[f"flex_{what}bodyid"][start : start + int(arrays[f"flex_{what}num"][flex])]
        trees.update(arrays["body_treeid"][bodies].tolist())
    return trees


_AUTOMATIC = frozenset((SleepPolicy.AUTO, SleepPolicy.AUTO_NEVER, SleepPolicy.AUTO_ALLOWED))


def _decide_sleep(arrays: Arrays, sizes: dict[str, int]) -> None:
    """tree_sleep_policy, where it is automatic: a tree may sleep unless it is actuated, a tendon couples it, or it
    carries a flex without constraints.
    """
    policy = arrays["tree_sleep_policy"]
    never = _actuated_trees(arrays) | _free_flex_trees(arrays)
    for tendon, _ in _coupling_tendons(arrays):
        never.update(_trees_of_tendon(arrays, tendon))
    policy[:] = [
        kind if kind not in _AUTOMATIC
        else SleepPolicy.AUTO_NEVER if tree in never
        else SleepPolicy.AUTO_ALLOWED
        for tree, kind in enumerate(policy.tolist())
    ]  # fmt: skip


def check_sleep(arrays: Arrays, sizes: dict[str, int]) -> list[tuple[int, str]]:
    """Trees that the user lets sleep but that a tendon couples to others: (tree, reason)."""
    asked = (SleepPolicy.ALLOWED, SleepPolicy.INIT)
    return [
        (tree, reason)
        for tendon, reason in _coupling_tendons(arrays)
        for tree in _trees_of_tendon(arrays, tendon)
        if arrays["tree_sleep_policy"][tree] in asked
    ]


# --- simple bodies


def check_simple(arrays: Arrays, sizes: dict[str, int]) -> list[tuple[int, str]]:
    """Bodies compiled as simple (`body_simple`) whose block of M is no longer diagonal: (body, reason).

    A simple body has its inertial frame in the body frame, joints at the origin, and hinges and slides along
    coordinate axes.
    """
    is_centered, is_unrotated = _inertial_frames(arrays)
    problems = []
    for body in np.flatnonzero(arrays["body_simple"][1:]) + 1:
        if not (is_centered[body] and is_unrotated[body]):
            problems.append((int(body), "its inertial frame (body_ipos, body_iquat) is not its body frame"))
        first = arrays["body_jntadr"][body]
        for joint in range(first, first + arrays["body_jntnum"][body]):
            problems += [(int(body), reason) for reason in _joint_problems(arrays, joint)]
    return problems


def _joint_problems(arrays: Arrays, joint: int) -> Iterator[str]:
    """Why a joint does not suit a simple body."""
    if not (np.abs(arrays["jnt_pos"][joint]) < FRAME_TOLERANCE).all():
        yield f"its joint {joint} is not at the origin of the body (jnt_pos)"
    row = JOINTS[JointType(arrays["jnt_type"][joint])]
    if not row.simple:
        yield f"its joint {joint} rotates and translates at once (jnt_type)"
    if row.scalar:
        along = np.abs(arrays["jnt_axis"][joint]) > EPSILON
        if not (along.sum(axis=0) == 1).all():
            yield f"its joint {joint} is not along a coordinate axis (jnt_axis)"


# --- bounding volumes of bodies


def _rotate(v: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Vectors of shape (..., 3) rotated by quaternions of shape (..., 4)."""
    u = q[..., 1:]
    return v + 2.0 * np.cross(u, q[..., :1] * v + np.cross(u, v))


_CORNERS = np.array([[x, y, z] for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)])


def _body_nodes(arrays: Arrays) -> list[range]:
    """The bounding volumes of each body that has some, root first."""
    starts = zip(arrays["body_bvhadr"], arrays["body_bvhnum"], strict=True)
    return [range(adr, adr + count) for adr, count in starts if count]


def check_colliding(arrays: Arrays, sizes: dict[str, int]) -> list[tuple[int, str]]:
    """Geoms that collide but were compiled not to, so that no bounding volume of their body holds them: (geom, reason).

    A body that has no bounding volumes misses none.
    """
    held = {int(arrays["bvh_nodeid"][node]) for nodes in _body_nodes(arrays) for node in nodes}
    collides = (arrays["geom_contype"] | arrays["geom_conaffinity"]) != 0
    geoms = np.flatnonzero(collides & (arrays["body_bvhnum"][arrays["geom_bodyid"]] > 0))
    return [(int(geom), "it collides but was not compiled to collide") for geom in geoms if int(geom) not in held]


def derive_boxes(arrays: Arrays, sizes: dict[str, int]) -> None:
    """bvh_aabb of the bodies: boxes around their geoms, in the inertial frame; around all worlds if they differ."""
    nodes = _body_nodes(arrays)
    if not nodes:
        return
    low, high = np.empty((2, sizes["nbvhstatic"], 3))
    every = np.concatenate(nodes)
    leaves = every[arrays["bvh_nodeid"][every] >= 0]
    low[leaves], high[leaves] = _geom_bounds(arrays, arrays["bvh_nodeid"][leaves])
    for tree in nodes:
        for node in reversed(tree):
            if arrays["bvh_nodeid"][node] < 0:
                children = [tree[0] + child for child in arrays["bvh_child"][node] if child >= 0]
                low[node], high[node] = low[children].min(axis=0), high[children].max(axis=0)
    low, high = low[every], high[every]
    is_flat = np.abs(low - high) < EPSILON
    low, high = np.where(is_flat, low - EPSILON, low), np.where(is_flat, high + EPSILON, high)
    arrays["bvh_aabb"][every] = np.hstack([(high + low) / 2, (high - low) / 2])


def _geom_bounds(arrays: Arrays, geoms: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner of geoms along the axes of the inertial frames of their bodies, over all worlds."""

    def by_world(name: str, inner: int, rows: np.ndarray) -> np.ndarray:
        """Shape (rows, worlds, 1 for the corners, inner)."""
        return np.moveaxis(_worlds(arrays[name], inner)[rows], 1, 2)[:, :, None, :]

    bodies = arrays["geom_bodyid"][geoms]
    box = by_world("geom_aabb", 6, geoms)
    back = by_world("body_iquat", 4, bodies) * np.array([1.0, -1.0, -1.0, -1.0])
    corners = _rotate(box[..., :3] + _CORNERS * box[..., 3:], by_world("geom_quat", 4, geoms))
    corners = _rotate(corners + (by_world("geom_pos", 3, geoms) - by_world("body_ipos", 3, bodies)), back)
    return corners.min(axis=(1, 2)), corners.max(axis=(1, 2))
