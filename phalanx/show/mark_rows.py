"""Debug drawing over time: the shapes of each row of a trajectory, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.scene.shapes import Shapes
from phalanx.tables.enums import GeomType

#: Names of arrays in files begin with it.
PREFIX = "marks."
#: The array of counts, and that of texts.
_COUNTS, _LABELS = "counts", "labels"

#: What marks can be: all that needs no mesh or picture of a model.
_KINDS = frozenset((
    GeomType.PLANE, GeomType.SPHERE, GeomType.CAPSULE, GeomType.ELLIPSOID, GeomType.CYLINDER, GeomType.BOX,
    GeomType.ARROW, GeomType.LABEL,
))  # fmt: skip
#: How large the numbers of marks can be: positions and sizes as those of a state, rotations and colors around 1.
_LIMITS = {"pos": 1e10, "mat": 2.0, "size": 1e10, "rgba": 2.0}
#: Marks stand for no object of the model.
_NOTHING = {"matid": -1, "dataid": -1, "objid": -1, "bodyid": -1, "objtype": 0}


@dataclass(frozen=True)
class MarkRows:
    """Shapes of many rows.

    Attributes:
        counts: how many shapes each row has, (rows,).
        all: the shapes of all rows.
    """

    counts: np.ndarray
    all: Shapes

    @classmethod
    def of(cls, rows: Sequence[Shapes]) -> MarkRows:
        """Shapes of each row, as they were drawn."""
        return cls(np.array([len(row) for row in rows], int), Shapes.joined([Shapes.empty(), *rows]))

    def __len__(self) -> int:
        return len(self.counts)

    def shapes(self, row: int) -> Shapes:
        """The shapes of one row."""
        end = int(self.counts[: row + 1].sum())
        chosen = slice(end - int(self.counts[row]), end)
        return Shapes(**{column.name: getattr(self.all, column.name)[chosen] for column in fields(Shapes)})

    def rows(self, chosen: slice) -> MarkRows:
        """Those of some rows."""
        return MarkRows.of([self.shapes(row) for row in range(len(self))[chosen]])

    # --- as arrays of a file

    def arrays(self) -> dict[str, np.ndarray]:
        """Arrays by name, for a file."""
        columns = {column.name: np.asarray(getattr(self.all, column.name)) for column in fields(Shapes)}
        columns[_LABELS] = np.array(self.all.labels, np.str_)
        return {PREFIX + name: array for name, array in {_COUNTS: self.counts, **columns}.items()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> MarkRows | None:
        """What `arrays` gave, checked; None if there is none."""
        found = {name.removeprefix(PREFIX): array for name, array in arrays.items()}
        if not found:
            return None
        empty = Shapes.empty()
        names = {_COUNTS, *(column.name for column in fields(Shapes))}
        if set(found) != names:
            raise FieldError(f"marks lack {', '.join(sorted(names - set(found))) or 'nothing'}, or have others")
        counts = found.pop(_COUNTS)
        if counts.dtype.kind not in "iu" or counts.ndim != 1 or (counts < 0).any():
            raise FieldError("marks: counts are whole numbers of shapes, one for each row")
        total = sum(counts.tolist())
        for name, array in found.items():
            expected = np.asarray(getattr(empty, name)) if name != _LABELS else np.array([], np.str_)
            is_alike = array.dtype == expected.dtype or (name == _LABELS and array.dtype.kind == "U")
            if array.shape != (total, *expected.shape[1:]) or not is_alike:
                words = f"has shape {array.shape} of {array.dtype}, and counts add up to {total}"
                raise FieldError(f"marks: {name} {words}")
        _check(found)
        labels = [str(label) for label in found.pop(_LABELS)]
        return cls(counts, Shapes(**found, labels=labels))


def _check(columns: Mapping[str, np.ndarray]) -> None:
    """Refuse what no mark is: other shapes, shapes of a model, and numbers that are not finite."""
    unknown = sorted(set(columns["kind"].tolist()) - _KINDS)
    if unknown:
        raise FieldError(f"marks: kind {unknown[0]} is no shape that can be drawn")
    for name, value in _NOTHING.items():
        if (columns[name] != value).any():
            raise FieldError(f"marks: {name} is {value} for what is drawn by hand")
    for name, limit in _LIMITS.items():
        if not (np.abs(columns[name]) <= limit).all():
            raise FieldError(f"marks: {name} holds numbers beyond {limit:g}, or that are not finite")
