"""Pairs and equalities: objects of the kind that they tie."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phalanx.pipeline.validation.stretches import Broken, Sizes
from phalanx.tables.domain import (
    Arrays,
)
from phalanx.tables.enums import (
    JointType,
    ObjType,
)
from phalanx.tables.equalities import EQUALITIES


def signature(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """body1 * 65536 + body2."""
    first, second = array.astype(np.int64) >> 16, array.astype(np.int64) & 0xFFFF
    n = sizes["nbody"]
    yield (first < 0) | (first >= n) | (second >= n), f"it must be body1 * 65536 + body2 (nbody is {n})"


#: Size that counts objects of a type.
COUNTED: dict[int, str] = {
    ObjType.BODY: "nbody", ObjType.XBODY: "nbody", ObjType.JOINT: "njnt", ObjType.DOF: "nv", ObjType.GEOM: "ngeom",
    ObjType.SITE: "nsite", ObjType.CAMERA: "ncam", ObjType.LIGHT: "nlight", ObjType.FLEX: "nflex",
    ObjType.MESH: "nmesh", ObjType.TENDON: "ntendon", ObjType.ACTUATOR: "nactuator", ObjType.SENSOR: "nsensor",
    ObjType.EQUALITY: "neq",
}  # fmt: skip


def counts(kinds: np.ndarray, sizes: Sizes) -> np.ndarray:
    """How many objects there are of the type of each element; none of types that nothing is attached to."""
    count = {kind: sizes[size] for kind, size in COUNTED.items()}
    return np.array([count.get(kind, 0) for kind in kinds.tolist()], np.int64)


#: What equalities of a type tie: objects of eq_objtype if there are several kinds.
_TIED = {
    kind: COUNTED[ObjType[row.of[0].upper()]] if len(row.of) == 1 else None
    for kind, row in EQUALITIES.items()
    if row.module
}


def ends(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Objects that an equality ties; couplings of joints and tendons may have no second one."""
    kinds = arrays["eq_type"]
    for kind, size in _TIED.items():
        chosen = kinds == kind
        if not chosen.any():
            continue
        if size is None:
            objtype = arrays["eq_objtype"]
            is_placed = (objtype == ObjType.BODY) | (objtype == ObjType.SITE)
            top = np.where(is_placed, counts(objtype, sizes), 0)
        else:
            top = np.full(len(kinds), sizes[size])
        bad = chosen & ((array < 0) | (array >= top))
        if name == "eq_obj2id" and size is not None:
            bad &= array != -1
        yield bad, "it must be an object of the kind that the equality ties"
        if size == "njnt":
            joint = arrays["jnt_type"][np.clip(array, 0, max(sizes["njnt"] - 1, 0))] if sizes["njnt"] else array
            is_scalar = (joint == JointType.HINGE) | (joint == JointType.SLIDE)
            yield chosen & (array >= 0) & ~is_scalar, "only hinges and slides can be coupled"
