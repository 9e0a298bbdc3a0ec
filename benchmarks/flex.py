"""One world of each model with flexes: those of MuJoCo's distribution and our own, next to `mj_step`.

    python -m benchmarks.flex [names of models ...]

MuJoCo's models are looked for in `mujoco/flex` and `mujoco/hammock` of the folder that `scenes.py` names. Each takes
`SETTLE` steps first; both engines then take the same few steps from that state, in turns. Models that MuJoCo refuses to
step are left out.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import phalanx
from benchmarks.contestants import Contestant
from benchmarks.scenes import ROOT, models_folder
from benchmarks.timing import best_own_times

#: Steps before the measurement.
SETTLE = 300
#: Seconds of a run of MuJoCo, which is short so that one of them is undisturbed; rounds, and seconds that they fill.
RUN, ROUNDS, SECONDS = 0.004, 5, 1.5
#: What both engines start from.
STATE = ("qpos", "qvel", "act", "qacc_warmstart", "mocap_pos", "mocap_quat", "plastic")
#: Our own models.
OWN = ("benchmarks/elastic_cloth.xml", "benchmarks/cloth.xml", "benchmarks/rope.xml", "phalanx/robots/cloth.xml",
       "phalanx/robots/soft_gripper.xml")  # fmt: skip


@dataclass(frozen=True)
class FlexModel:
    """A model that both engines step.

    Attributes:
        name: of its file.
        mjmodel: MuJoCo's.
        states: field -> values that both start from.
        steps: of a run.
    """

    name: str
    mjmodel: Any
    states: dict[str, np.ndarray]
    steps: int


def files() -> list[Path]:
    """Our models, and the files of MuJoCo's distribution that have flexes."""
    folders = [models_folder() / "mujoco" / name for name in ("flex", "hammock")]
    theirs = [path for folder in folders for path in sorted(folder.glob("*.xml"))]
    return [ROOT / inner for inner in OWN] + [path for path in theirs if "<flex" in path.read_text()]


def load(path: Path) -> FlexModel | None:
    """A model after the time in which it comes to what it is about, or None if MuJoCo refuses it."""
    try:
        mjmodel = mujoco.MjModel.from_xml_path(str(path))
        data = mujoco.MjData(mjmodel)
        began = time.perf_counter()
        mujoco.mj_step(mjmodel, data, SETTLE)
    except (ValueError, mujoco.FatalError):
        return None
    seconds = (time.perf_counter() - began) / SETTLE
    states = {name: np.array(getattr(data, name)) for name in STATE}
    return FlexModel(path.stem, mjmodel, states, max(1, round(RUN / seconds)))


def contestant(model: FlexModel, data: Any, step: Callable[[], None]) -> Contestant:
    """Steps from the state that both engines share."""

    def prepare() -> None:
        for name, values in model.states.items():
            getattr(data, name)[:] = values
        # what a first step finds out about memory and parts does not count
        step()
        for name, values in model.states.items():
            getattr(data, name)[:] = values

    def run() -> int:
        for _ in range(model.steps):
            step()
        return model.steps

    return Contestant(run, prepare)


def measure(model: FlexModel) -> list[str]:
    """A row of the table."""
    mjdata = mujoco.MjData(model.mjmodel)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", phalanx.UnsupportedFeatureWarning)
        data = phalanx.Model.from_mujoco(model.mjmodel).make_data()
    contestants = {
        "theirs": contestant(model, mjdata, lambda: mujoco.mj_step(model.mjmodel, mjdata)),
        "ours": contestant(model, data, data.step),
    }
    times = best_own_times(contestants, ROUNDS, SECONDS)
    contacts, rows = f"{mjdata.ncon}", f"{mjdata.nefc}"
    microseconds = [f"{1e6 * times[name]:.0f}" for name in ("theirs", "ours")]
    ratio = times["ours"] / times["theirs"]
    return [model.name, f"{model.mjmodel.nv}", contacts, rows, *microseconds, f"{ratio:.2f}"]


def main(names: list[str]) -> int:
    """Print the table."""
    table = Table(title="flexes: microseconds per step of one world")
    for column in ("model", "nv", "contacts", "rows", "mj_step", "step()", "ours / MuJoCo's"):
        table.add_column(column, justify="left" if column == "model" else "right")
    for path in files():
        if not names or path.stem in names:
            model = load(path)
            if model is not None:
                table.add_row(*measure(model))
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
