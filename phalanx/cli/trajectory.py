"""A trajectory: the states of one world over time, and the files it is written to."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from phalanx.cli.console import CommandError
from phalanx.pipeline.supported import unsupported
from phalanx.world.data import Data
from phalanx.world.model import Model


@dataclass
class Trajectory:
    """Rows of one moment each: state, controls, and what follows from them. `model` names the columns."""

    model: Model
    time: np.ndarray
    qpos: np.ndarray
    qvel: np.ndarray
    act: np.ndarray
    ctrl: np.ndarray
    sensordata: np.ndarray
    energy: np.ndarray
    ncon: np.ndarray

    def arrays(self) -> dict[str, np.ndarray]:
        """The columns by name, without those that the model has none of."""
        found = {row.name: getattr(self, row.name) for row in fields(self) if row.name != "model"}
        return {name: array for name, array in found.items() if array.ndim == 1 or array.shape[1]}


class Recorder:
    """Collects the rows of a trajectory: `begin` before a step takes the state, `finish` after it what was computed."""

    #: what a step does not change before it has used it
    STATE = ("time", "qpos", "qvel", "act", "ctrl")
    RESULTS = ("sensordata", "energy", "ncon")

    def __init__(self, model: Model, capacity: int):
        has_sensors = not any(feature.endswith("sensors") for feature in unsupported(model))
        widths = {
            "qpos": model.nq, "qvel": model.nv, "act": model.na, "ctrl": model.nu,
            "sensordata": model.nsensordata if has_sensors else 0, "energy": 2,
        }  # fmt: skip
        self._rows = Trajectory(
            model=model,
            time=np.zeros(capacity),
            ncon=np.zeros(capacity, int),
            **{name: np.zeros((capacity, width)) for name, width in widths.items()},
        )
        self._results = [name for name in self.RESULTS if name != "sensordata" or has_sensors]
        self._count, self._is_open = 0, False

    def begin(self, data: Data) -> None:
        """Start a row with the present state."""
        for name in self.STATE:
            getattr(self._rows, name)[self._count] = getattr(data, name)
        self._is_open = True

    def finish(self, data: Data) -> None:
        """Complete the row with results of a step or forward pass from that state."""
        for name in self._results:
            getattr(self._rows, name)[self._count] = getattr(data, name)
        self._count, self._is_open = self._count + 1, False

    @property
    def trajectory(self) -> Trajectory:
        """The rows so far; a row whose step failed has its state, and NaN energy."""
        rows = self._rows
        if self._is_open:
            rows.energy[self._count] = np.nan
        end = self._count + self._is_open
        return Trajectory(rows.model, *(getattr(rows, row.name)[:end] for row in fields(rows) if row.name != "model"))


# --- files


def write_npz(path: Path, trajectory: Trajectory) -> None:
    """One array per quantity."""
    np.savez_compressed(path, **trajectory.arrays())  # type: ignore[arg-type]


def write_csv(path: Path, trajectory: Trajectory) -> None:
    """One column per number, with the names of joints, actuators and sensors in the first line."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        arrays = trajectory.arrays()
        writer.writerow([name for array in arrays for name in columns(trajectory.model, array)])
        for row in np.column_stack(list(arrays.values())).tolist():
            writer.writerow(row)


def columns(model: Model, array: str) -> Iterator[str]:
    """Names of the columns of an array."""
    widths = model.structure
    if array == "qpos":
        yield from numbered(array, model.names.names["joint"], widths["qposnum"])
    elif array == "qvel":
        yield from numbered(array, model.names.names["joint"], widths["dofnum"])
    elif array == "ctrl":
        yield from numbered(array, model.names.names["actuator"], model.actuator_ctrlnum)
    elif array == "act":
        yield from numbered(array, model.names.names["actuator"], model.actuator_actnum)
    elif array == "sensordata":
        yield from numbered(array, model.names.names["sensor"], model.sensor_dim)
    elif array == "energy":
        yield from ("energy.potential", "energy.kinetic")
    else:
        yield array


def numbered(array: str, names: tuple[str, ...], widths: np.ndarray) -> Iterator[str]:
    """A column for each number of each object: qpos.knee, or qpos.root.0, qpos.root.1, ..."""
    for k, (name, width) in enumerate(zip(names, widths, strict=True)):
        for part in range(width):
            yield ".".join([array, name or str(k), *([str(part)] if width > 1 else [])])


WRITERS: dict[str, Callable[[Path, Trajectory], None]] = {".npz": write_npz, ".csv": write_csv}


def writer_for(path: Path) -> Callable[[Path, Trajectory], None]:
    """The function that writes a file with this ending."""
    try:
        return WRITERS[path.suffix.lower()]
    except KeyError:
        ending = repr(path.suffix) if path.suffix else "a name without ending"
        raise CommandError(f"--out {path}: {ending} is not known; choose one of {', '.join(WRITERS)}") from None
