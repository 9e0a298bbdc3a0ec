"""Integers that follow from the tree of bodies and the types of joints: what they must be."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from phalanx.pipeline.validation.stretches import Sizes, owners
from phalanx.tables.domain import (
    Arrays,
)
from phalanx.tables.model_domains import dofs, positions


def _joint_owners(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    return owners(arrays["body_jntadr"], arrays["body_jntnum"], sizes["njnt"])


def _dof_joints(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    return owners(arrays["jnt_dofadr"], dofs(arrays), sizes["nv"])


def _dof_bodies(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    return owners(arrays["body_dofadr"], arrays["body_dofnum"], sizes["nv"])


def _body_dof_counts(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    return np.bincount(arrays["jnt_bodyid"], weights=dofs(arrays), minlength=sizes["nbody"]).astype(np.int64)


def _dof_parents(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    """The dof before it on the same body, or the last one of the nearest ancestor that has any."""
    first, num = arrays["body_dofadr"].tolist(), arrays["body_dofnum"].tolist()
    last, parents = [-1] * sizes["nbody"], [-1] * sizes["nv"]
    for body, above in enumerate(arrays["body_parentid"].tolist()):
        last[body] = last[above] if body else -1
        for dof in range(first[body], first[body] + num[body]):
            parents[dof], last[body] = last[body], dof
    return np.array(parents, np.int64)


def _dof_trees(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    return np.cumsum(arrays["dof_parentid"] == -1) - 1


def _welded(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    moves = (arrays["body_dofnum"] > 0) | (arrays["body_mocapid"] >= 0)
    return _inherited(arrays, moves)


def _roots(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    return _inherited(arrays, arrays["body_parentid"] == 0)


def _inherited(arrays: Arrays, is_own: np.ndarray) -> np.ndarray:
    """Each body where `is_own` holds, and what its parent has elsewhere."""
    found: list[int] = []
    for body, (parent, own) in enumerate(zip(arrays["body_parentid"].tolist(), is_own.tolist(), strict=True)):
        found.append(body if own or body == 0 else found[parent])
    return np.array(found, np.int64)


def _simple_runs(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    """How many dofs of simple bodies follow each other from each dof on."""
    run, counts = 0, []
    for is_simple in reversed((arrays["body_simple"][arrays["dof_bodyid"]] > 0).tolist()):
        run = run + 1 if is_simple else 0
        counts.append(run)
    return np.array(counts[::-1], np.int64)


def _tree_first_dofs(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    return np.flatnonzero(arrays["dof_parentid"] == -1)[: sizes["ntree"]]


def _tree_dof_counts(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    return np.bincount(arrays["dof_treeid"], minlength=sizes["ntree"])


def _running(counts: np.ndarray) -> np.ndarray:
    return np.cumsum(counts) - counts


#: Row -> what it must be; each reads only rows before it, and rows that are sound by themselves.
EXPECTED: dict[str, Callable[[Sizes, Arrays], np.ndarray]] = {
    "jnt_bodyid": _joint_owners,
    "jnt_qposadr": lambda sizes, arrays: _running(positions(arrays)),
    "jnt_dofadr": lambda sizes, arrays: _running(dofs(arrays)),
    "body_dofnum": _body_dof_counts,
    "dof_jntid": _dof_joints,
    "dof_bodyid": _dof_bodies,
    "dof_parentid": _dof_parents,
    "dof_treeid": _dof_trees,
    "dof_simplenum": _simple_runs,
    "body_weldid": _welded,
    "body_rootid": _roots,
    "geom_bodyid": lambda sizes, arrays: owners(arrays["body_geomadr"], arrays["body_geomnum"], sizes["ngeom"]),
    "tree_dofadr": _tree_first_dofs,
    "tree_dofnum": _tree_dof_counts,
}
