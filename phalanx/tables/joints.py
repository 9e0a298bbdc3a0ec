"""Joint types: one row each. Widths of qpos and qvel, the words of model files and the list of kernel files derive."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from phalanx.tables.enums import JointType


@dataclass(frozen=True)
class JointRow:
    """A type of joint. Its kernels are in the file of `phalanx/smooth/joint` that has the name of its tag.

    Translations come first among the dofs, then rotations.

    Attributes:
        type: its value in the Model.
        tag: the word for it in model files.
        nq: positions, elements of qpos.
        nv: dofs, elements of qvel.
        translations: how many of the dofs translate, the first ones; the others rotate.
        doc: how it moves.
        quaternion: the position, counted from the first, at which its unit quaternion starts; None without one.
        floating: its positions are the pose of the body in the world: it stands alone on a child of the world, has six
            dofs, no anchor, no limits and no spring that yields.
        simple: can a body of such joints have a diagonal inertia matrix (body_simple)? Not if one dof both rotates and
            translates.
    """

    type: JointType
    tag: str
    nq: int
    nv: int
    translations: int
    doc: str
    quaternion: int | None = None
    floating: bool = False
    simple: bool = True

    @property
    def rotations(self) -> int:
        """How many of the dofs rotate, the last ones."""
        return self.nv - self.translations

    @property
    def carriers(self) -> int:
        """How many translations carry the axes of rotations of the same joint along."""
        return self.translations if self.rotations else 0

    @property
    def scalar(self) -> bool:
        """Has it one position and one dof, along or about its axis? Equalities, fixed tendons and so on need that."""
        return self.nq == 1

    @property
    def angular(self) -> bool:
        """Are its range, the displacement of its spring and, if it is scalar, its position angles?"""
        return self.translations == 0

    @property
    def periodic(self) -> bool:
        """Is the length of an actuator on it the angle of a rotation in space, known up to whole revolutions?"""
        return self.angular and self.quaternion is not None

    @property
    def body_axes(self) -> int:
        """The dof, counted from the first, from which on axes are fixed in the moved body: those of a quaternion."""
        return self.nv if self.quaternion is None else self.translations

    @property
    def initial(self) -> tuple[float, ...]:
        """Positions where nothing says otherwise: zero, and the identity as quaternion."""
        return tuple(float(k == self.quaternion) for k in range(self.nq))


#: By type, in the order of the enum.
JOINTS: dict[JointType, JointRow] = {
    row.type: row
    for row in (
        JointRow(JointType.FREE, "free", 7, 6, 3, "any way: position and unit quaternion", quaternion=3, floating=True),
        JointRow(JointType.BALL, "ball", 4, 3, 0, "rotation about a point: unit quaternion", quaternion=0),
        JointRow(JointType.SLIDE, "slide", 1, 1, 1, "along an axis"),
        JointRow(JointType.HINGE, "hinge", 1, 1, 0, "rotation about an axis"),
    )
}

#: Words for joints with one position and one dof, in alphabetical order.
SCALAR_TAGS: tuple[str, ...] = tuple(sorted(row.tag for row in JOINTS.values() if row.scalar))
#: By tag.
BY_TAG: dict[str, JointRow] = {row.tag: row for row in JOINTS.values()}
#: The words of model files, with their types.
WORDS: dict[str, int] = {row.tag: int(row.type) for row in JOINTS.values()}


def _column(fact: Callable[[JointRow], int]) -> tuple[int, ...]:
    """A fact of each type, at the value of the type: what a kernel indexes with `m.jnt_type[joint]`."""
    return tuple(fact(JOINTS[JointType(value)]) for value in range(len(JointType)))


# the columns that kernels read
NQ = _column(lambda row: row.nq)
NV = _column(lambda row: row.nv)
TRANSLATIONS = _column(lambda row: row.translations)
CARRIERS = _column(lambda row: row.carriers)
CARRIED = _column(lambda row: row.nv - row.carriers)
ROTATIONS = _column(lambda row: row.rotations)
BODY_AXES = _column(lambda row: row.body_axes)
IS_FLOATING = _column(lambda row: row.floating)
IS_PERIODIC = _column(lambda row: row.periodic)
