"""Trajectories: states of one world, or of several, over time, and what was measured meanwhile."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from phalanx.batch.batch import BatchSim
from phalanx.batch.rollout import Rollout
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.exclusive import check_idle
from phalanx.memory.fill import MOST, numbers, whole
from phalanx.memory.layout import DATA_SCHEMA, shape_of
from phalanx.scene.shapes import Shapes
from phalanx.show.mark_rows import MarkRows
from phalanx.show.recorder import RECORDABLE, STATE, Recorder
from phalanx.show.trajectory_file import read_trajectory, write_trajectory
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Without these, no pose is known.
NEEDED = ("time", "qpos")


class Trajectory:
    """Fields of Data at many moments: attributes `time`, `qpos`, `qvel`, `ctrl`, `sensordata`, ... with a row for each.

    Arrays have shape (rows, ...), those of several worlds (worlds, rows, ...). A field that was not recorded was what
    it is in a new Data.

    Args:
        arrays: arrays by name of the field; `time` [s] and `qpos` are needed.
        model: the model, if it is known: then sizes are checked, and columns have names.
        marks: debug drawing of each row, see `recorder`.

    Example:
        >>> import numpy as np
        >>> Trajectory({"time": np.arange(3) * 0.01, "qpos": np.zeros((3, 7))})
        <Trajectory of 3 rows, 0 s to 0.02 s: time, qpos>
    """

    @arguments_checked
    def __init__(self, arrays: Mapping[str, Any], model: Model | None = None, marks: MarkRows | None = None):
        if not isinstance(arrays, Mapping):
            raise FieldError(f"a trajectory is made of arrays by name of the field, not of {type(arrays).__name__}")
        self.arrays: dict[str, np.ndarray] = checked_arrays(arrays, model)
        self.model, self.marks = model, marks
        if marks is not None and (self.worlds is not None or len(marks) != len(self)):
            raise FieldError(f"marks of {len(marks)} rows do not fit a trajectory of {self._extent()}")

    def __len__(self) -> int:
        return self.arrays["time"].shape[-1]

    @property
    def worlds(self) -> int | None:
        """How many worlds the arrays have an axis for; None without such an axis."""
        return len(self.arrays["time"]) if self.arrays["time"].ndim == 2 else None

    def world(self, index: int) -> Trajectory:
        """The trajectory of one of the worlds."""
        index = whole("world", index, 0, (self.worlds or 1) - 1)
        if self.worlds is None:
            return self
        return Trajectory({name: array[index] for name, array in self.arrays.items()}, self.model)

    def rows(self, start: int | None = None, stop: int | None = None, step: int | None = None) -> Trajectory:
        """Some of the rows, chosen as a slice does."""
        chosen = slice(*(None if end is None else whole("rows", end, -MOST, MOST) for end in (start, stop, step)))
        if chosen.step == 0:
            raise FieldError("rows are chosen by a step that is not zero")
        if not len(range(*chosen.indices(len(self)))):
            raise FieldError(f"no row is left of {len(self)} by rows({start}, {stop}, {step})")
        axes = (slice(None), chosen) if self.worlds is not None else (chosen,)
        marks = None if self.marks is None else self.marks.rows(chosen)
        return Trajectory({name: array[axes] for name, array in self.arrays.items()}, self.model, marks)

    @arguments_checked
    def put(self, row: int, data: Data, world: int = 0) -> None:
        """Set state and inputs of a Data to those of a row; `data.forward()` computes what follows from them."""
        row = whole("row", row, -len(self), len(self) - 1)
        check_idle(data)
        where = (whole("world", world, 0, self.worlds - 1), row) if self.worlds is not None else (row,)
        for name in STATE:
            if name in self.arrays:
                setattr(data, name, self.arrays[name][where])

    def shown_marks(self, row: int) -> Shapes | None:
        """Debug drawing of a row, None if none was recorded."""
        return None if self.marks is None else self.marks.shapes(row)

    @arguments_checked
    def check(self, model: Model) -> None:
        """Refuse a model that the trajectory is not of."""
        checked_arrays(self.arrays, model)

    def __getattr__(self, name: str) -> np.ndarray:
        arrays = self.__dict__.get("arrays", {})
        if name.startswith("__") or name not in arrays:
            hint = "" if name not in RECORDABLE else "; it was not recorded"
            raise FieldError(f"the trajectory has no {name!r}{hint or suggestion(name, arrays)}")
        return arrays[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.arrays]

    def __repr__(self) -> str:
        drawing = "" if self.marks is None else ", with marks"
        return f"<Trajectory of {self._extent()}: {', '.join(self.arrays)}{drawing}>"

    def _extent(self) -> str:
        times = self.arrays["time"]
        worlds = "" if self.worlds is None else f"{self.worlds} worlds, "
        span = f", {times.min():g} s to {times.max():g} s" if times.size else ""
        return f"{worlds}{len(self)} rows{span}"

    # --- where trajectories come from, and where they go

    @classmethod
    def recorder(cls, source: Data | BatchSim, fields: Iterable[str] = (), marks: Any = None) -> Recorder[Trajectory]:
        """A recorder of a Data or of a BatchSim: call its `capture` after each step, then ask for its `trajectory`.

        Args:
            source: what is recorded: state, inputs, sensors, energy and the count of contacts.
            fields: names of further fields, such as "xpos" or "actuator_force".
            marks: a `phalanx.Marks` whose drawing is recorded, too (of a Data).

        Example:
            >>> import phalanx
            >>> data = phalanx.load("cartpole").make_data()
            >>> recorder = phalanx.Trajectory.recorder(data)
            >>> for _ in range(100):
            ...     _ = data.step()
            ...     recorder.capture()
            >>> recorder.trajectory.qpos.shape
            (100, 2)
        """
        return Recorder(source, fields, marks, cls)

    @classmethod
    def from_rollout(cls, rollout: Rollout) -> Trajectory:
        """All worlds of a rollout, as far as its outputs are fields; `qpos` must be one of them."""
        if not isinstance(rollout, Rollout):
            raise FieldError(f"from_rollout takes what phalanx.rollout gives, not {type(rollout).__name__}")
        arrays = {name: array for name, array in rollout.items() if name in RECORDABLE}
        return cls({"time": rollout.time, **arrays}, rollout.batch.model)

    def save(self, path: str | Path | io.IOBase) -> None:
        """Write the trajectory to a file: .npz holds all of it, .csv is a table of one world for other programs."""
        write_trajectory(path, self)

    @classmethod
    def load(cls, path: str | Path | io.IOBase, model: Model | None = None) -> Trajectory:
        """Read an .npz file that `save` or `phalanx simulate --out` wrote.

        Args:
            path: the file, or an open one.
            model: the model of the trajectory, if sizes are to be checked.

        Raises:
            ModelError: there is no such file, or it holds no trajectory, or is damaged.
            FieldError: its arrays do not fit together, or do not fit the model.
        """
        arrays, marks = read_trajectory(path)
        return cls(arrays, model, marks)


def checked_arrays(arrays: Mapping[str, Any], model: Model | None) -> dict[str, np.ndarray]:
    """Arrays by name that fit together and, if it is given, the model."""
    missing = [name for name in NEEDED if name not in arrays]
    if missing:
        there = ", ".join(map(str, arrays)) or "nothing"
        raise FieldError(f"a trajectory needs {' and '.join(missing)}; there is {there}")
    found = {name: numbers(name, array) for name, array in arrays.items()}
    lead = found["time"].shape
    if len(lead) not in (1, 2) or 0 in lead:
        raise FieldError(f"time has shape {lead}, but (rows,) or (worlds, rows) is needed, and at least one row")
    for name, array in found.items():
        if name not in RECORDABLE:
            raise FieldError(f"a trajectory cannot have {name!r}{suggestion(name, RECORDABLE)}")
        row = DATA_SCHEMA.fields[name]
        inner = array.shape[len(lead) :]
        expected = row.shape if model is None else shape_of(row, model._store.sizes)
        is_fit = len(inner) == len(expected) if model is None else inner == expected
        if array.shape[: len(lead)] != lead or not is_fit:
            of_model = "" if model is None else f" with {model!r:.40}"
            raise FieldError(f"{name} has shape {array.shape}, but {(*lead, *expected)} is needed{of_model}")
    return found
