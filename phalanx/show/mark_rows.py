"""Debug drawing over time: the shapes of each row of a trajectory, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.scene.shapes import Shapes

#: Names of arrays in files begin with it.
PREFIX = "marks."
#: The array of counts, and that of texts.
_COUNTS, _LABELS = "counts", "labels"


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
        total = int(counts.sum()) if counts.dtype.kind in "iu" and counts.ndim == 1 else -1
        for name, array in found.items():
            expected = np.asarray(getattr(empty, name)) if name != _LABELS else np.array([], np.str_)
            if array.shape != (total, *expected.shape[1:]) or array.dtype.kind != expected.dtype.kind:
                raise FieldError(f"marks: {name} has shape {array.shape}, and counts add up to {total}")
        labels = [str(label) for label in found.pop(_LABELS)]
        return cls(counts, Shapes(**found, labels=labels))
