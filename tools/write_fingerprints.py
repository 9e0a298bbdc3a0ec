"""Write or check the table of trajectory fingerprints: the proof that a machine computes the same bits as the others.

Usage: python -m tools.write_fingerprints [--check] [--models NAME ...]

For each built-in model, and each of `tests/models`, dm_control's suite and Gymnasium: the fingerprint of the Model as
our compiler makes it, and those of a batch after some steps with random controls, in double and single precision.
Starting states and controls come from integers by division alone, so that they are the same everywhere.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import phalanx

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests" / "properties" / "fingerprints.json"
#: Models of packages, which other releases may change: folder by name of the package.
PACKAGES = {"dm_control": "suite", "gymnasium": "envs/mujoco/assets"}
#: More worlds than a lane group has, and not a multiple of one.
WORLDS, STEPS, CONTROL_PERIOD = 20, 40, 10
#: Larger models are stepped one by one; they have no lanes to compare.
LARGEST = 100
PRECISIONS = ("float64", "float32")


def model_files() -> dict[str, Path]:
    """Every model of the table by name."""
    folders = {"own": ROOT / "tests" / "models", "robots": ROOT / "phalanx" / "robots"}
    for package, folder in PACKAGES.items():
        spec = find_spec(package)
        if spec is not None and spec.origin:
            folders[package] = Path(spec.origin).parent / folder
    return {f"{name}/{path.stem}": path for name, folder in folders.items() for path in sorted(folder.glob("*.xml"))}


def load(path: Path) -> phalanx.Model | None:
    """The model of a file, None if it cannot be simulated or is too large for lanes; those that come with Phalanx never
    are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = phalanx.load(path)
            model.make_data()
        except phalanx.PhalanxError:
            return None
    return model if model.nv <= LARGEST or path.parent.name == "robots" else None


def spread(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers between -1 and 1 with a few digits: exact in either precision."""
    return rng.integers(-1024, 1025, shape) / 1024.0


def controls_of(model: phalanx.Model, rng: np.random.Generator) -> np.ndarray:
    """Controls of each period and world, within half their ranges."""
    shape = (STEPS // CONTROL_PERIOD, WORLDS, model.nu)
    return 0.5 * spread(rng, shape)


def start(model: phalanx.Model) -> tuple[np.ndarray, np.ndarray]:
    """Velocities of all worlds, and the controls of each period."""
    rng = np.random.default_rng(0)
    return 0.125 * spread(rng, (WORLDS, model.nv)), controls_of(model, rng)


def run_batch(model: phalanx.Model, dtype: str, **options: Any) -> phalanx.BatchSim:
    """A batch after the steps of a trajectory; `options` are lanes and threads."""
    velocities, controls = start(model)
    batch = phalanx.BatchSim(model, WORLDS, dtype=dtype, **options)
    batch.qvel[:] = velocities
    for control in controls:
        batch.ctrl[:] = control
        batch.step(CONTROL_PERIOD)
    return batch


def run_world(model: phalanx.Model, dtype: str, world: int, periods: int = STEPS // CONTROL_PERIOD) -> phalanx.Data:
    """One world of the batch, alone; stops where it fails, as the batch does."""
    velocities, controls = start(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = model.make_data(dtype)
    data.qvel[:] = velocities[world]
    for control in controls[:periods]:
        data.ctrl[:] = control[world]
        try:
            data.step(CONTROL_PERIOD)
        except phalanx.WorldError:
            continue
    return data


def entry(model: phalanx.Model) -> dict[str, str]:
    """The line of a model in the table."""
    found = {"model": model.fingerprint()}
    return found | {dtype: run_batch(model, dtype).fingerprint() for dtype in PRECISIONS}


def read_table() -> dict[str, dict[str, str]]:
    """The committed table."""
    table: dict[str, dict[str, str]] = json.loads(TABLE.read_text())
    return table


def main() -> int:
    """Write the table, or compare with it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the table, change nothing")
    parser.add_argument("--models", nargs="*", help="names of models, such as own/ball; default: all")
    arguments = parser.parse_args()
    names = arguments.models or list(model_files())
    models = {name: load(model_files()[name]) for name in names}
    found = {name: entry(model) for name, model in models.items() if model is not None}
    if not arguments.check:
        kept = read_table() if arguments.models else {}
        TABLE.write_text(json.dumps(dict(sorted({**kept, **found}.items())), indent=1) + "\n")
        return 0
    table = read_table()
    different = [name for name in found if found[name] != table.get(name)]
    for name in different:
        print(f"{name}: {found[name]}, in the table {table.get(name)}")
    print(f"{len(found)} models, {len(different)} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
