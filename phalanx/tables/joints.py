"""Joint types: how many positions and dofs each has."""

from __future__ import annotations

from dataclasses import dataclass

from phalanx.tables.enums import JointType


@dataclass(frozen=True)
class JointRow:
    """A type of joint.

    Attributes:
        type: its number.
        tag: the word for it in model files.
        nq: positions, elements of qpos.
        nv: dofs, elements of qvel.
        doc: how it moves.
    """

    type: JointType
    tag: str
    nq: int
    nv: int
    doc: str


JOINTS: dict[JointType, JointRow] = {
    row.type: row
    for row in (
        JointRow(JointType.FREE, "free", 7, 6, "any way: position and unit quaternion"),
        JointRow(JointType.BALL, "ball", 4, 3, "rotation about a point: unit quaternion"),
        JointRow(JointType.SLIDE, "slide", 1, 1, "along an axis"),
        JointRow(JointType.HINGE, "hinge", 1, 1, "rotation about an axis"),
    )
}

#: Positions and dofs by number of the type, for kernels.
NQ: tuple[int, ...] = tuple(JOINTS[kind].nq for kind in JointType)
NV: tuple[int, ...] = tuple(JOINTS[kind].nv for kind in JointType)
