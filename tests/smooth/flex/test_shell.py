"""Shells of cells: nodes inside, forces of stretching and bending are MuJoCo's; all ways of running agree."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.pipeline.operations import run_interpreted
from tests.compiler.flexes import MODELS, random_cells
from tests.quiet import quiet
from tests.smooth.flex.deformed import assert_near, deform, pair, twin

NO_CONTACT = int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
FEW = ("trilinear shell both", "quadratic shell bend")
OTHERS = tuple(name for name in MODELS if "shell" in name and name not in FEW)


def compare(text: str, seeds: int) -> None:
    theirs, ours = pair(text, disableflags=NO_CONTACT)
    for seed in range(seeds):
        mjdata = mujoco.MjData(theirs)
        deform(theirs, mjdata, np.random.default_rng(seed), 0.01)
        data = twin(ours, mjdata).forward()
        mujoco.mj_forward(theirs, mjdata)
        for field in ("flexvert_xpos", "qfrc_spring", "qfrc_damper"):
            assert_near(data._store.arrays[field], getattr(mjdata, field), 1e-12, field)
        assert_near(data.qacc, mjdata.qacc, 1e-9, "qacc")


@pytest.mark.parametrize("name", FEW)
def test_forces_of_shells_are_those_of_mujoco(name: str) -> None:
    compare(MODELS[name], 2)


@pytest.mark.conformance
@pytest.mark.parametrize("name", OTHERS)
def test_forces_of_other_shells_are_those_of_mujoco(name: str) -> None:
    compare(MODELS[name], 10)


@pytest.mark.conformance
@pytest.mark.parametrize("seed", range(40))
def test_random_cells_move_as_in_mujoco(seed: int) -> None:
    compare(random_cells(seed), 2)


def test_interpreted_forces_of_shells_have_the_same_bits() -> None:
    theirs, ours = pair(MODELS["trilinear shell both"], disableflags=NO_CONTACT)
    mjdata = mujoco.MjData(theirs)
    deform(theirs, mjdata, np.random.default_rng(0), 0.01)
    data = twin(ours, mjdata).forward()
    plain = data.copy()
    fields = ("flexvert_xpos", "flexnode_xpos", "qfrc_spring", "qfrc_damper")
    for field in fields:
        plain._store.arrays[field][...] = 0
    run_interpreted("forward", ours.store_for("float64"), plain._store)
    for field in fields:
        assert plain._store.arrays[field].tobytes() == data._store.arrays[field].tobytes(), field


@pytest.mark.parametrize("name", ["trilinear shell both", "trilinear strain"])
def test_batches_of_cells_have_the_bits_of_one_world(name: str) -> None:
    _, ours = pair(MODELS[name], disableflags=NO_CONTACT)
    with quiet():
        batch = phalanx.BatchSim(ours, 5, threads=2)
        worlds = [ours.make_data() for _ in range(5)]
    for k, data in enumerate(worlds):
        data.qpos[:] += 0.01 * np.random.default_rng(k).normal(size=ours.nq)
        batch.qpos[k] = data.qpos
    batch.step(3)
    for k, data in enumerate(worlds):
        data.step(3)
        assert batch.qpos[k].tobytes() == data.qpos.tobytes()
        assert batch.qvel[k].tobytes() == data.qvel.tobytes()
