"""Forms: the few surfaces that shapes are made of in the page, each a mesh that is sent once and shown many times.

A box of any size is the unit box with three scales. What cannot be scaled from a unit shape (a capsule, a mesh, a
height field) is a form of its own, or is put together: an arrow is a cylinder and a head.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from phalanx.scene.primitives import HEAD_START
from phalanx.scene.shapes import Shapes
from phalanx.tables.enums import GeomType

#: Which surface: its kind, mesh or height field, and size; (1, 1, 1) for what is scaled.
Form = tuple[int, int, tuple[float, float, float]]

UNIT = (1.0, 1.0, 1.0)
SPHERE: Form = (GeomType.SPHERE, -1, UNIT)
BOX: Form = (GeomType.BOX, -1, UNIT)
CYLINDER: Form = (GeomType.CYLINDER, -1, UNIT)
#: The head of an arrow of unit length, with no shaft.
HEAD: Form = (GeomType.ARROW, -1, (0.0, 1.0, 1.0))

#: Kinds that have no surface.
INVISIBLE = (GeomType.LABEL, GeomType.NONE)


@dataclass(frozen=True)
class Pieces:
    """n copies of one form.

    Attributes:
        rows: the shape that each belongs to, (n,).
        pos: origin [m], (n, 3).
        mat: rotation matrix, (n, 9).
        scale: along the axes of the form, (n, 3).
    """

    rows: np.ndarray
    pos: np.ndarray
    mat: np.ndarray
    scale: np.ndarray

    def __len__(self) -> int:
        return len(self.rows)


#: What shapes of a kind are made of: the forms and their copies, from the Shapes and their rows.
Parts = list[tuple[Form, Pieces]]


def pieces_of(shapes: Shapes, rows: np.ndarray) -> dict[Form, Pieces]:
    """The forms that some shapes are made of, with all copies of each."""
    parts: Parts = []
    kinds = shapes.kind[rows]
    for kind in np.unique(kinds):
        if kind not in INVISIBLE:
            parts += COMPOSED.get(GeomType(kind), _as_they_are)(shapes, rows[kinds == kind])
    return {form: _joined([pieces for other, pieces in parts if other == form]) for form in dict(parts)}


def _scaled(form: Form, order: tuple[int, int, int]) -> Callable[[Shapes, np.ndarray], Parts]:
    """Shapes that are one form, scaled by some lengths of their size."""

    def parts(shapes: Shapes, rows: np.ndarray) -> Parts:
        return [(form, Pieces(rows, shapes.pos[rows], shapes.mat[rows], shapes.size[rows][:, order]))]

    return parts


def _capsules(shapes: Shapes, rows: np.ndarray) -> Parts:
    """A cylinder and a ball at each end."""
    pos, mat, size = shapes.pos[rows], shapes.mat[rows], shapes.size[rows]
    reach = size[:, 1:2] * mat[:, 2::3]
    ends = [Pieces(rows, pos + side * reach, mat, size[:, (0, 0, 0)]) for side in (-1, 1)]
    return [(CYLINDER, Pieces(rows, pos, mat, size[:, (0, 0, 1)])), *((SPHERE, end) for end in ends)]


def _arrows(shapes: Shapes, rows: np.ndarray) -> Parts:
    """A shaft and a head."""
    pos, mat, size = shapes.pos[rows], shapes.mat[rows], shapes.size[rows]
    half = 0.5 * HEAD_START * size[:, 2:3]
    shaft = np.hstack([size[:, (0, 0)], half])
    return [
        (CYLINDER, Pieces(rows, pos + half * mat[:, 2::3], mat, shaft)),
        (HEAD, Pieces(rows, pos, mat, size[:, (1, 1, 2)])),
    ]


def _as_they_are(shapes: Shapes, rows: np.ndarray) -> Parts:
    """Each shape a form of its own."""
    return [
        (own_form(shapes, row), Pieces(np.array([row]), shapes.pos[[row]], shapes.mat[[row]], np.ones((1, 3))))
        for row in rows
    ]


#: Kind -> the form that it is scaled from, and which lengths of its size scale x, y and z.
SCALED: dict[int, tuple[Form, tuple[int, int, int]]] = {
    GeomType.SPHERE: (SPHERE, (0, 0, 0)),
    GeomType.ELLIPSOID: (SPHERE, (0, 1, 2)),
    GeomType.CYLINDER: (CYLINDER, (0, 0, 1)),
    GeomType.BOX: (BOX, (0, 1, 2)),
}
#: Kind -> what its shapes are made of; those of other kinds are forms of their own.
COMPOSED: dict[int, Callable[[Shapes, np.ndarray], Parts]] = {
    **{kind: _scaled(*row) for kind, row in SCALED.items()},
    GeomType.CAPSULE: _capsules,
    GeomType.ARROW: _arrows,
}


def own_form(shapes: Shapes, row: int) -> Form:
    """The form of a shape as it is, not scaled."""
    dataid = int(shapes.dataid[row])
    size = UNIT if dataid >= 0 else tuple(float(length) for length in shapes.size[row])
    return int(shapes.kind[row]), dataid, size  # type: ignore[return-value]


def _joined(parts: list[Pieces]) -> Pieces:
    """All copies of a form."""
    if len(parts) == 1:
        return parts[0]
    return Pieces(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("rows", "pos", "mat", "scale"))
    )
