"""Which integers the results of a Data may hold: kernels index with them, so that snapshots and files are checked.

Python cannot assign them; state, inputs and results that are numbers it can (`is_settable`).
"""

from __future__ import annotations

from phalanx.tables.enums import ConstraintState, ConstraintType, ErrorPolicy, Request
from phalanx.tables.field import BOOL, BYTE, INT, SIZE, WHOLE, Field

REPORTED = ("error_code", "error_id")
"""Numbers by which kernels say why a world has stopped: not for the user to set."""


def is_settable(row: Field) -> bool:
    """May the user write the row of a Data: is it state, an input, or a result that no kernel indexes or counts with?

    >>> from phalanx.tables.field import REAL
    >>> is_settable(Field("xpos", REAL, (), "")), is_settable(Field("ncon", INT, (), ""))
    (True, False)
    """
    if row.scratch or row.name in REPORTED:
        return False
    return row.state or row.kind not in (BOOL, BYTE, INT, SIZE, WHOLE)


COUNTS: dict[str, str] = {
    "nisland": "ntree",
    "nidof": "nv",
    "nefmT": "ntendon",
    "nefmA": "nactuator",
    "nefmdof": "nv",
    "nbody_awake": "nbody",
    "nparent_awake": "nbody",
    "nv_awake": "nv",
    "ntree_awake": "ntree",
    "ne": "nefc",
    "nf": "nefc",
    "nl": "nefc",
}
"""Count -> the size or count that it cannot exceed."""

ASKED_FOR: tuple[str, ...] = ("nefmK", "nefmcon", "nefmdof", "nefmL")
"""Counts of rows that get their memory when they are asked for."""

INDICES: dict[str, tuple[int, str]] = {
    "contact_geom1": (-1, "ngeom"),
    "contact_geom2": (-1, "ngeom"),
    "contact_geom": (-1, "ngeom"),
    "contact_flex": (-1, "nflex"),
    "contact_elem": (-1, "nflexelem"),
    "contact_vert": (-1, "nflexvert"),
    "contact_efc_address": (-1, "nefc"),
    "efc_J_colind": (0, "nv"),
    "efc_Y_colind": (0, "nv"),
    "efc_AR_colind": (0, "nefc"),
    "tendon_efcadr": (-1, "nefc"),
    "tree_island": (-1, "ntree"),
    "dof_island": (-1, "ntree"),
    "efc_island": (-1, "ntree"),
    "island_dofadr": (0, "nv"),
    "map_itree2tree": (0, "ntree"),
    "map_dof2idof": (0, "nv"),
    "map_idof2dof": (0, "nv"),
    "map_efc2iefc": (0, "nefc"),
    "map_iefc2efc": (0, "nefc"),
    "moment_colind": (0, "nv"),
    "wrap_obj": (-2, "ngeom"),
    "body_awake_ind": (0, "nbody"),
    "parent_awake_ind": (0, "nbody"),
    "dof_awake_ind": (0, "nv"),
    "efm_tid": (0, "ntendon"),
    "efm_aid": (0, "nactuator"),
    "efm_K_colind": (0, "nv"),
    "efm_dofid": (0, "nv"),
}
"""Index -> the lowest value, and the size or count that it stays below; 0 is always allowed, as rows begin with it."""

VALUES: dict[str, tuple[int, ...]] = {
    "contact_dim": (1, 3, 4, 6),
    "contact_exclude": (0, 1, 2, 3, 4),
    "efc_type": tuple(ConstraintType),
    "iefc_type": tuple(ConstraintType),
    "efc_state": tuple(ConstraintState),
    "iefc_state": tuple(ConstraintState),
    "error_policy": tuple(ErrorPolicy),
    "requests": tuple(range(2 ** len(Request))),
    "efm_active": (0, 1, 2),
    "tree_awake": (0, 1),
    "body_awake": (-1, 0, 1),
}
"""Kind -> its values."""

STRETCHES: dict[str, tuple[str, str, int]] = {
    "efc_J_rowadr": ("efc_J_rownnz", "nJ", 1),
    "efc_Y_rowadr": ("efc_Y_rownnz", "nY", 1),
    "efc_AR_rowadr": ("efc_AR_rownnz", "nA", 1),
    "moment_rowadr": ("moment_rownnz", "nJmom", 1),
    "efm_K_rowadr": ("efm_K_rownnz", "nefmK", 1),
    "island_itreeadr": ("island_ntree", "ntree", 1),
    "island_idofadr": ("island_nv", "nv", 1),
    "island_iefcadr": ("island_nefc", "nefc", 1),
    "ten_wrapadr": ("ten_wrapnum", "nwrap", 2),
}
"""Start of a stretch -> how long it is, the size or count that stretches are cut from, and elements for each of it."""

OWNERS: dict[ConstraintType, str] = {
    ConstraintType.EQUALITY: "neq",
    ConstraintType.FRICTION_DOF: "nv",
    ConstraintType.FRICTION_TENDON: "ntendon",
    ConstraintType.LIMIT_JOINT: "njnt",
    ConstraintType.LIMIT_TENDON: "ntendon",
    ConstraintType.CONTACT_FRICTIONLESS: "ncon",
    ConstraintType.CONTACT_PYRAMIDAL: "ncon",
    ConstraintType.CONTACT_ELLIPTIC: "ncon",
}
"""Kind of a constraint row -> what its id counts."""
TYPED_IDS: dict[str, str] = {"efc_id": "efc_type", "iefc_id": "iefc_type"}
"""Ids of the owners of constraint rows -> their kinds."""

FOLLOWERS: dict[str, str] = {"efc_J_rowsuper": "nefc", "island_ne": "nefc", "island_nf": "nefc", "island_nefc": "nefc"}
"""Numbers of elements, counted from an element on or in it -> how many there are in all."""
