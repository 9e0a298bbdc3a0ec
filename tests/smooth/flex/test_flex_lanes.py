"""Flexes are the same bits interpreted, compiled and in lanes, with any number of threads."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.batch.binding import KEPT
from tests.conformance.states import kept_by_batches
from tests.quiet import quiet
from tests.smooth.flex.deformed import deform, load, twin

LANES, STEPS = 8, 3
EULER, DISCRETE = 0, 4
#: A few models with every kind of force between them: integrator, model.
EVERYDAY = ((EULER, "yield both"), (EULER, "rod box equality"), (DISCRETE, "trilinear pinned"))
SWEEP = (
    *((EULER, name) for name in ("yield solid", "rod ring", "rod in body", "edge stiffness", "two")),
    *((EULER, name) for name in ("quadratic yield", "trilinear shell yield")),
    *((DISCRETE, name) for name in ("both", "solid", "rod", "rod ring", "pin to free")),
    *((DISCRETE, name) for name in ("bend and equality", "rod branched", "trilinear shell both")),
    (1, "rod"),
    (1, "yield both"),
)
NUMBERS = (
    "flexvert_xpos", "flexelem_aabb", "flexedge_length", "flexedge_J", "flexedge_velocity", "qfrc_spring",
    "qfrc_damper", "qfrc_passive", "qacc_smooth",
)  # fmt: skip
NO_CONTACT = int(mujoco.mjtDisableBit.mjDSBL_CONTACT)


def worlds_of(name: str, integrator: int, count: int) -> tuple[phalanx.Model, list]:
    theirs, ours = load(name, integrator=integrator, disableflags=NO_CONTACT, timestep=1e-3)
    worlds = []
    for number in range(count):
        mjdata = mujoco.MjData(theirs)
        # one world is at rest
        if number != 1:
            deform(theirs, mjdata, np.random.default_rng(number), 0.01)
        worlds.append(mjdata)
    return ours, worlds


def check_lanes(integrator: int, name: str) -> None:
    model, worlds = worlds_of(name, integrator, LANES)
    with quiet():
        sims = [phalanx.BatchSim(model, LANES, lanes=lanes, threads=threads) for lanes, threads in ((LANES, 1), (1, 2))]
    for sim in sims:
        for number, mjdata in enumerate(worlds):
            for field, values in kept_by_batches(mjdata).items():
                if field in KEPT:
                    getattr(sim, field)[number] = values
        sim.step(STEPS)
        sim.forward()
    arrays = sims[0]._workers[0].workspace.arrays
    for number, mjdata in enumerate(worlds):
        alone = twin(model, mjdata).step(STEPS).forward()._store.arrays
        for field in KEPT:
            for sim in sims:
                assert np.asarray(getattr(sim, field)[number]).tobytes() == alone[field].tobytes(), (field, number)
        for field in NUMBERS:
            lane = np.ascontiguousarray(arrays[field][..., number])
            assert (lane + 0.0).tobytes() == (alone[field] + 0.0).tobytes(), (field, number)


@pytest.mark.parametrize(("integrator", "name"), EVERYDAY)
def test_a_flex_in_a_lane_is_that_flex_alone(integrator: int, name: str) -> None:
    check_lanes(integrator, name)


@pytest.mark.conformance
@pytest.mark.parametrize(("integrator", "name"), SWEEP)
def test_other_flexes_in_lanes_are_those_alone(integrator: int, name: str) -> None:
    check_lanes(integrator, name)


def check_interpreted(integrator: int, name: str) -> None:
    model, worlds = worlds_of(name, integrator, 1)
    data = twin(model, worlds[0]).step(2)
    with interpreted():
        plain = twin(model, worlds[0]).step(2)
    kept = plain.snapshot()
    for field, values in data.snapshot().items():
        assert values.tobytes() == kept[field].tobytes(), field
    for field in NUMBERS:
        assert data._store.arrays[field].tobytes() == plain._store.arrays[field].tobytes(), field


@pytest.mark.parametrize(("integrator", "name"), ((EULER, "rod of two"), (EULER, "bend folded")))
def test_interpreted_flexes_are_compiled_ones(integrator: int, name: str) -> None:
    check_interpreted(integrator, name)


@pytest.mark.conformance
@pytest.mark.parametrize(("integrator", "name"), (*EVERYDAY, *SWEEP))
def test_other_interpreted_flexes_are_compiled_ones(integrator: int, name: str) -> None:
    check_interpreted(integrator, name)


def test_single_precision_is_finite_and_near() -> None:
    model, worlds = worlds_of("both", EULER, 1)
    single, double = twin(model, worlds[0], dtype="float32").forward(), twin(model, worlds[0]).forward()
    scale = np.abs(np.asarray(double.qfrc_spring)).max()
    np.testing.assert_allclose(single.qfrc_spring, double.qfrc_spring, rtol=0, atol=1e-4 * scale)
    assert np.isfinite(single.step(10).qpos).all()
