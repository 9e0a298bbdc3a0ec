"""Tendons, transmissions and delays are the same bits interpreted, compiled and in lanes, and finite in float32."""

from __future__ import annotations

from functools import cache
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.batch.binding import KEPT
from phalanx.pipeline.operations import run_interpreted
from tests.conformance.models import load, make_data
from tests.conformance.states import kept_by_batches
from tests.quiet import quiet

LANES = 8
MODELS = ("own/tendon_paths", "own/tendon_forces", "own/tendon_plastic", "own/transmissions", "own/actuator_delays")
#: Rows of numbers, one per world in lanes.
NUMBERS = (
    "ten_length", "ten_J", "ten_velocity", "M", "qLD", "qfrc_bias", "qfrc_spring", "qfrc_damper", "qfrc_passive",
    "actuator_length", "actuator_velocity", "actuator_force", "qfrc_actuator", "act_dot", "energy", "qacc_smooth",
)  # fmt: skip
INPUTS = ("qvel", "act", "ctrl")
STEPS = 5


@cache
def random_worlds(name: str, count: int) -> list[dict[str, np.ndarray]]:
    """States and inputs in motion; the second world is at rest in the reference pose."""
    m, rng, worlds = load(name).mujoco, np.random.default_rng(5), []
    for number in range(count):
        mjdata = mujoco.MjData(m)
        if number != 1:
            mujoco.mj_integratePos(m, mjdata.qpos, rng.normal(size=m.nv), rng.choice([0.1, 0.5, 1.5]))
            for field in INPUTS:
                getattr(mjdata, field)[...] = rng.normal(size=getattr(mjdata, field).shape)
        worlds.append(kept_by_batches(mjdata))
    return worlds


def single(name: str, world: dict[str, np.ndarray], dtype: str = "float64") -> phalanx.Data:
    data = make_data(load(name).phalanx, dtype=dtype)
    for field, values in world.items():
        data._store.arrays[field][...] = values
    return data


def group(name: str, worlds: list[dict[str, np.ndarray]], dtype: str = "float64") -> phalanx.BatchSim:
    """One lane group."""
    with quiet():
        sim = phalanx.BatchSim(load(name).phalanx, len(worlds), lanes=LANES, threads=1, dtype=dtype)
    for number, world in enumerate(worlds):
        for field in KEPT:
            getattr(sim, field)[number] = world[field]
    return sim


def dense_moments(arrays: Any, nout: int, nv: int, moments: np.ndarray) -> np.ndarray:
    """The moment matrix; zeros are without sign."""
    matrix = np.zeros((nout, nv))
    for out in range(nout):
        start = arrays["moment_rowadr"][out]
        for address in range(start, start + arrays["moment_rownnz"][out]):
            matrix[out, arrays["moment_colind"][address]] = moments[address]
    return matrix + 0.0


@pytest.mark.parametrize("name", MODELS)
def test_a_world_in_a_lane_is_that_world_alone(name: str) -> None:
    worlds, m = random_worlds(name, LANES), load(name).mujoco
    sim = group(name, worlds)
    sim.step(STEPS)
    sim.forward()
    arrays = sim._workers[0].workspace.arrays
    for number, world in enumerate(worlds):
        data = single(name, world).step(STEPS).forward()
        alone = data._store.arrays
        for field in KEPT:
            assert np.asarray(getattr(sim, field)[number]).tobytes() == alone[field].tobytes(), (field, number)
        for field in NUMBERS:
            lane = np.ascontiguousarray(arrays[field][..., number])
            assert lane.tobytes() == alone[field].tobytes(), (field, number)
        lane = dense_moments(arrays, m.nout, m.nv, arrays["actuator_moment"][..., number])
        assert lane.tobytes() == dense_moments(alone, m.nout, m.nv, alone["actuator_moment"]).tobytes(), number
        assert_same_paths(arrays, alone, number)


def assert_same_paths(arrays: Any, alone: Any, world: int) -> None:
    """Each world has a path of its own."""
    for field in ("ten_wrapadr", "ten_wrapnum"):
        np.testing.assert_array_equal(arrays[field][..., world], alone[field])
    count = int((alone["ten_wrapadr"] + alone["ten_wrapnum"]).max(initial=0))
    for field, size in (("wrap_obj", 1), ("wrap_xpos", 3)):
        lane = np.ascontiguousarray(arrays[field][..., world]).reshape(-1, size)[:count]
        np.testing.assert_array_equal(lane, alone[field].reshape(-1, size)[:count])


def test_paths_differ_between_the_worlds_of_a_lane() -> None:
    """The test above would prove little if all worlds wrapped alike."""
    name = MODELS[0]
    numbers = [tuple(single(name, world).forward().ten_wrapnum) for world in random_worlds(name, LANES)]
    assert len(set(numbers)) > 2


@pytest.mark.parametrize("name", MODELS)
def test_interpreted_is_compiled(name: str) -> None:
    world = random_worlds(name, LANES)[0]
    data, plain = single(name, world), single(name, world)
    data.step(2)
    run_interpreted("step", load(name).phalanx.store_for("float64"), plain._store, 2)
    kept = plain.snapshot()
    for field, values in data.snapshot().items():
        assert values.tobytes() == kept[field].tobytes(), field
    for field in (*NUMBERS, "ten_wrapnum", "wrap_obj", "wrap_xpos", "actuator_moment"):
        assert data._store.arrays[field].tobytes() == plain._store.arrays[field].tobytes(), field


@pytest.mark.parametrize("name", MODELS)
def test_single_precision_is_finite_and_near(name: str) -> None:
    for world in random_worlds(name, LANES)[:3]:
        data, exact = single(name, world, "float32").forward(), single(name, world).forward()
        for field in ("ten_length", "actuator_length", "actuator_force"):
            ours, double = np.asarray(getattr(data, field)), np.asarray(getattr(exact, field))
            assert np.isfinite(ours).all(), field
            np.testing.assert_allclose(ours, double, rtol=2e-3, atol=2e-3, err_msg=field)
        assert np.isfinite(data.step(STEPS).qvel).all()
