"""Files of trajectories: .npz with all arrays, .csv as a table for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import numpy as np

from phalanx.memory.array_file import named_file, open_arrays, suffix_of, write_arrays
from phalanx.memory.errors import FieldError, ModelError
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.whole_file import whole_file
from phalanx.show.columns import columns
from phalanx.show.mark_rows import PREFIX, MarkRows
from phalanx.world.model import Model

FILE_VERSION = 1
#: The array that says that a file is ours.
MARK = "phalanx_trajectory"


class Rows(Protocol):
    """What is written."""

    arrays: dict[str, np.ndarray]
    model: Model | None
    marks: MarkRows | None


def _write_npz(path: str | Path | io.IOBase, trajectory: Rows) -> None:
    """One array per field; those without elements are left out."""
    drawn = {} if trajectory.marks is None else trajectory.marks.arrays()
    filled = {name: array for name, array in trajectory.arrays.items() if array.size}
    write_arrays(path, {**filled, **drawn, MARK: np.array(FILE_VERSION)})


def _write_csv(path: str | Path | io.IOBase, trajectory: Rows) -> None:
    """One column per number, with the names of joints, actuators and sensors in the first line."""
    arrays = trajectory.arrays
    if arrays["time"].ndim == 2:
        raise FieldError(f"{path}: a table holds one world; write trajectory.world(0), or an .npz file")
    flat = {name: array.reshape(len(array), -1) for name, array in arrays.items()}
    with whole_file(named_file(path)) as file, io.TextIOWrapper(file, "utf-8", newline="") as text:
        writer = csv.writer(text)
        writer.writerow([head for name, array in flat.items() for head in _heads(trajectory.model, name, array)])
        writer.writerows(np.column_stack([array for array in flat.values() if array.size]).tolist())


def _heads(model: Model | None, name: str, array: np.ndarray) -> list[str]:
    """Names of columns; by rank if the model is not known."""
    if model is not None:
        return columns(model, name)
    return [name] if not DATA_SCHEMA.fields[name].shape else [f"{name}.{k}" for k in range(array.shape[1])]


#: Ending of a file -> what writes it.
WRITERS: Mapping[str, Callable[[str | Path | io.IOBase, Rows], None]] = {".npz": _write_npz, ".csv": _write_csv}


def write_trajectory(path: str | Path | io.IOBase, trajectory: Rows) -> None:
    """Write a trajectory to a file, in the format that its ending says; an open file gets the npz format."""
    if isinstance(path, (str, Path)):
        WRITERS[suffix_of(path, WRITERS, "writer of trajectories")](path, trajectory)
    else:
        _write_npz(path, trajectory)


def read_trajectory(path: str | Path | io.IOBase) -> tuple[dict[str, np.ndarray], MarkRows | None]:
    """Arrays by field, not checked yet, and the debug drawing."""
    with open_arrays(path, "trajectory", MARK, FILE_VERSION) as file:
        fields = [name for name in file if not name.startswith(PREFIX)]
        unknown = [name for name in fields if name not in DATA_SCHEMA.fields]
        if unknown:
            raise ModelError(f"{path} holds {', '.join(unknown)}, which no trajectory has")
        drawn = {name: file[name] for name in file if name.startswith(PREFIX)}
        return {name: file[name] for name in fields}, MarkRows.from_arrays(drawn)
