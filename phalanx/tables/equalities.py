"""Kinds of equality: one row each. MJCF elements, checks, row counts and the list of kernel files derive from it."""

from __future__ import annotations

from dataclasses import dataclass

from phalanx.tables.enums import EqType
from phalanx.tables.joints import SCALAR_TAGS
from phalanx.tables.mjcf_row import Attribute, integer, real, refers


@dataclass(frozen=True)
class EqualityRow:
    """One kind of equality.

    Attributes:
        kind: its type in the Model.
        tag: its element in MJCF, "" if model files cannot have it.
        of: kinds of object that it ties; the attributes that name them end in 1 and 2.
        rows: most rows of the constraint Jacobian, as `nemax` counts them.
        module: the file in `phalanx/constraint/equality` that holds its kernels, "" if it is not supported.
        doc: what it holds, in one line.
        attributes: of its element, besides those that all equalities have.
        data: attributes whose numbers begin eq_data; connect and weld have a layout of their own.
        joints: types of joint it can be of, () for all.
        lengths: attributes that scale with lengths in frames that scale, separated by spaces.
        unsupported: why its element is refused.
    """

    kind: EqType
    tag: str
    of: tuple[str, ...]
    rows: int
    module: str
    doc: str
    attributes: tuple[Attribute, ...] = ()
    data: tuple[str, ...] = ()
    joints: tuple[str, ...] = ()
    lengths: str = ""
    unsupported: str = ""


_BODIES = refers("body1", "body", "first body"), refers("body2", "body", "second body, the world if absent")
_POLYCOEF = real("polycoef", "coefficients of the quartic that links the two", (0.0, 1.0, 0.0, 0.0, 0.0), count=(1, 5))
_FLEX = refers("flex", "flex", "the flex", required=True)


def _follows(kind: str) -> tuple[Attribute, ...]:
    """Attributes of a scalar that follows another."""
    return (
        refers(f"{kind}1", kind, f"the {kind} that follows", required=True),
        refers(f"{kind}2", kind, f"the {kind} that leads; a constant if absent"),
        _POLYCOEF,
    )


EQUALITIES: dict[EqType, EqualityRow] = {row.kind: row for row in (
    EqualityRow(EqType.CONNECT, "connect", ("body", "site"), 3, "connect", "two points coincide", (
        *_BODIES,
        real("anchor", "the point, in the first body", None, count=3),
        refers("site1", "site", "point of the first body"), refers("site2", "site", "point of the second body"),
    )),
    # six rows: MuJoCo leaves room for a quaternion
    EqualityRow(EqType.WELD, "weld", ("body", "site"), 7, "weld", "two frames coincide", (
        *_BODIES,
        real("relpose", "pose of the second body in the first, the initial one if the quaternion is zero",
             (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0), count=7),
        real("anchor", "the point, in the second body", None, count=3),
        refers("site1", "site", "frame on the first body"), refers("site2", "site", "frame on the second body"),
        real("torquescale", "weight of rotation relative to translation", 1.0),
    ), lengths="torquescale"),
    EqualityRow(EqType.JOINT, "joint", ("joint",), 1, "joint", "a joint follows another", _follows("joint"),
                data=("polycoef",), joints=SCALAR_TAGS),
    EqualityRow(EqType.TENDON, "tendon", ("tendon",), 1, "tendon", "a tendon follows another", _follows("tendon"),
                data=("polycoef",)),
    EqualityRow(EqType.FLEX, "flex", ("flex",), 1, "flex", "edges of a flex keep their length", (_FLEX,)),
    EqualityRow(EqType.FLEXVERT, "", ("flex",), 1, "", "reserved in MuJoCo"),
    EqualityRow(EqType.FLEXSTRAIN, "flexstrain", ("flex",), 1, "flex_strain", "cells of a flex keep their shape",
                (_FLEX, integer("cell", "the cell, counted along each axis", None, count=3))),
    EqualityRow(EqType.DISTANCE, "", ("body", "site"), 1, "distance", "two points keep their distance"),
)}  # fmt: skip

EQUALITIES_BY_TAG: dict[str, EqualityRow] = {row.tag: row for row in EQUALITIES.values() if row.tag}

#: The files that hold the kernels.
MODULES: tuple[str, ...] = tuple(dict.fromkeys(row.module for row in EQUALITIES.values() if row.module))

#: Attributes of any equality that scale with lengths.
LENGTHS: str = " ".join(row.lengths for row in EQUALITIES.values() if row.lengths)
