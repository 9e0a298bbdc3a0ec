"""Collects the rows of a trajectory while a world, or a batch of worlds, is stepped."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import numpy as np

from phalanx.batch.batch import BatchSim
from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.exclusive import check_idle
from phalanx.memory.fill import words
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.pipeline.supported import unsupported
from phalanx.scene.shapes import Shapes
from phalanx.show.mark_rows import MarkRows
from phalanx.tables.data_fields import DATA
from phalanx.tables.enums import EnableBit
from phalanx.world.data import Data
from phalanx.world.model import Model

#: What a step starts from and is driven by. The start of the solver is left out: it changes forces by less than its
#: tolerance.
STATE = tuple(row.name for key in ("state", "input") for row in DATA[key] if row.name != "qacc_warmstart")
#: Fields that a trajectory can have: of a size that does not change.
RECORDABLE = tuple(name for name, row in DATA_SCHEMA.fields.items() if not (row.scratch or row.live))
#: Kept even if they never differ from those of a new Data.
_ALWAYS = ("time", "qpos", "qvel", "act", "ctrl")
#: Rows that there is room for at first.
_FIRST_ROWS = 64

Made = TypeVar("Made")


class Recorder(Generic[Made]):
    """Rows of state, inputs and results; each call of `capture` adds one.

    Args:
        source: the Data or BatchSim.
        fields: further fields, by name.
        marks: debug drawing that is recorded with each row.
        make: makes the trajectory of arrays, model and marks.
    """

    def __init__(
        self,
        source: Data | BatchSim,
        fields: Iterable[str],
        marks: Any,
        make: Callable[[dict[str, np.ndarray], Model, MarkRows | None], Made],
    ):
        if not isinstance(source, (Data, BatchSim)):
            raise FieldError(f"a recorder takes a Data or a BatchSim, not {type(source).__name__}")
        is_batch = isinstance(source, BatchSim)
        if marks is not None and is_batch:
            raise FieldError("marks are recorded with a Data; in a BatchSim nobody could tell whose they are")
        self._source, self._make, self._marks = source, make, marks
        self._results = tuple(dict.fromkeys([*self._usual_results(), *self._checked(fields)]))
        if is_batch:
            source.bind(*self._results)
        names = [name for name in STATE if np.size(getattr(source, name))]
        self._begun = tuple(name for name in names if name not in self._results)
        self._rows = {name: self._room(name, _FIRST_ROWS) for name in (*self._begun, *self._results)}
        self._drawn: list[Shapes] = []
        self._count, self._is_open = 0, False
        # a Data as it is at first, made when it is asked for
        self._new: Data | None = None

    def _usual_results(self) -> list[str]:
        """What is computed in every step of the model, and recorded of a Data."""
        model = self._source.model
        if isinstance(self._source, BatchSim):
            return []
        has_sensors = model.nsensordata and not any(name.endswith("sensors") for name in unsupported(model))
        has_energy = model.opt.enableflags & EnableBit.ENERGY
        return [*["sensordata"] * bool(has_sensors), *["energy"] * bool(has_energy), "ncon"]

    @staticmethod
    def _checked(fields: Iterable[str]) -> list[str]:
        names = words("fields", fields)
        for name in names:
            if name not in RECORDABLE:
                reason = "its size changes" if name in DATA_SCHEMA.fields else "Data has no such field"
                raise FieldError(f"{name!r} cannot be recorded: {reason}{suggestion(str(name), RECORDABLE)}")
        return names

    def _room(self, name: str, rows: int) -> np.ndarray:
        value = np.asarray(getattr(self._source, name))
        return np.zeros((rows, *value.shape), value.dtype)

    def __len__(self) -> int:
        return self._count + self._is_open

    def __repr__(self) -> str:
        return f"<Recorder of {self._source!r:.60}: {len(self)} rows of {', '.join(self._rows)}>"

    # --- rows

    def capture(self) -> None:
        """Add a row: what the Data or BatchSim holds now."""
        self.begin()
        self.finish()

    def begin(self) -> None:
        """Start a row with the present state and inputs, before a step."""
        check_idle(self._source)
        if self._count == len(self._rows["time"]):
            for name, array in self._rows.items():
                self._rows[name] = np.concatenate([array, self._room(name, len(array))])
        for name in self._begun:
            self._rows[name][self._count] = getattr(self._source, name)
        if self._marks is not None:
            self._drawn[self._count :] = [_copied(self._marks.shapes(float(self._source.time)))]
        self._is_open = True

    def finish(self) -> None:
        """Complete the row with what the step, or a forward pass, computed from that state."""
        if not self._is_open:
            raise FieldError("a row is finished that was not begun: call `begin` before the step, or only `capture`")
        check_idle(self._source)
        for name in self._results:
            self._rows[name][self._count] = getattr(self._source, name)
        self._count, self._is_open = self._count + 1, False

    @property
    def trajectory(self) -> Made:
        """The rows so far. In a row whose step failed, results are NaN, or 0 where they are whole numbers.

        Inputs that were those of a new Data all the time are left out.
        """
        if not len(self):
            raise FieldError("nothing was recorded yet: call `capture` after each step")
        if self._is_open:
            for name in self._results:
                row = self._rows[name][self._count : self._count + 1]
                row[...] = np.nan if row.dtype.kind == "f" else 0
        kept = {name: array[: len(self)] for name, array in self._rows.items() if self._is_telling(name)}
        if isinstance(self._source, BatchSim):
            kept = {name: np.moveaxis(array, 0, 1) for name, array in kept.items()}
        marks = None if self._marks is None else MarkRows.of(self._drawn)
        return self._make({name: array.copy() for name, array in kept.items()}, self._source.model, marks)

    def _is_telling(self, name: str) -> bool:
        """Does a field say what a new Data would not?"""
        if name in _ALWAYS or name in self._results:
            return True
        return not np.array_equal(
            self._rows[name][: len(self)], np.broadcast_to(self._initial(name), self._shape(name))
        )

    def _initial(self, name: str) -> np.ndarray:
        if self._new is None:
            self._new = self._source.model.make_data()
        return np.asarray(getattr(self._new, name))

    def _shape(self, name: str) -> tuple[int, ...]:
        return (len(self), *self._rows[name].shape[1:])


def _copied(shapes: Shapes) -> Shapes:
    """Shapes in memory of their own."""
    return Shapes.joined([shapes])
