"""Models with flexes, one step at a time along MuJoCo's trajectories: its state is copied before each step.

Ours are always there. Those of MuJoCo's distribution are taken where they are found: `mujoco/flex` and `mujoco/hammock`
in the folder that the variable PHALANX_BENCH_MODELS names, else in `../shared/models`. What they are about, models of
ours isolate: `tests/compiler/flexes.py` the forces, `tests/collision/flex/scenes.py` the contacts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from benchmarks.flex import files
from benchmarks.scenes import ROOT, models_folder
from tests.quiet import quiet
from tests.smooth.flex.deformed import assert_near, twin, with_gaps

FILES = {f"{path.parent.name}/{path.stem}": path for path in files() if path.is_relative_to(ROOT)}
THEIRS = {path.stem: path for path in files() if not path.is_relative_to(ROOT)}
#: Searches of both engines go on until they are exact.
SEARCH = {"ccd_tolerance": 1e-13, "ccd_iterations": 200}
#: So do solves, where the number of their iterations hangs on the last digits.
SOLVE = {"tolerance": 1e-14, "iterations": 1000}
SOLVED = ("gripper_trilinear", "drape", "poncho", "poncho_edgeequality")
#: Distances of searched contacts agree to 1e-14, their places to half of the digits.
PLACES = "places of contacts that are searched for are known to 1e-8: qvel differs by"
GAPS = {
    "bag": "triangles begin on the surface of a box: MuJoCo finds depths of 5e-8, and normals that point the other way",
    "drape": f"{PLACES} 1e-6",
    "poncho": f"{PLACES} 2e-7",
    "poncho_edgeequality": f"{PLACES} 2e-7",
    "robots/soft_gripper": "deep contacts of flexes that are searched for are not MuJoCo's",
    "strain": "flat sides touch along an area, of which MuJoCo takes other points: qvel differs by 4e-3",
}
#: Steps of the trajectory that are compared.
COMPARED = (0, 1, 2, 10, 50, 51, 100, 200)
NONE_FOUND = pytest.param("", marks=pytest.mark.skip(reason=f"no flexes of MuJoCo's distribution in {models_folder()}"))


def check_steps(path: Path) -> None:
    """Contacts, positions and velocities of single steps."""
    theirs = mujoco.MjModel.from_xml_path(str(path))
    for option, value in (SEARCH | (SOLVE if path.stem in SOLVED else {})).items():
        setattr(theirs.opt, option, value)
    with quiet():
        ours = phalanx.Model.from_mujoco(theirs)
    mjdata, done = mujoco.MjData(theirs), 0
    for step in COMPARED:
        if step > done:
            mujoco.mj_step(theirs, mjdata, step - done)
        compare_step(theirs, ours, mjdata, f"{path.stem}, step {step}")
        done = step + 1


def compare_step(theirs: Any, ours: phalanx.Model, mjdata: Any, what: str) -> None:
    """Take a step in both engines."""
    data, before = twin(ours, mjdata), np.array(mjdata.qvel)
    data.step()
    mujoco.mj_step(theirs, mjdata)
    assert data.ncon == mjdata.ncon, what
    assert_near(data.qpos, mjdata.qpos, 1e-9, f"{what}: qpos")
    scale = max(float(np.abs(values).max(initial=0.0)) for values in (before, mjdata.qvel))
    assert_near(data.qvel, mjdata.qvel, 1e-9, f"{what}: qvel", scale)


@pytest.mark.conformance
@pytest.mark.parametrize("name", with_gaps(FILES, GAPS))
def test_steps_of_our_flexes_are_those_of_mujoco(name: str) -> None:
    check_steps(FILES[name])


@pytest.mark.conformance
@pytest.mark.parametrize("name", with_gaps(THEIRS, GAPS) or [NONE_FOUND])
def test_steps_of_flexes_of_the_distribution_are_those_of_mujoco(name: str) -> None:
    check_steps(THEIRS[name])
