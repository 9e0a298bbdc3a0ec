"""Sensors and forces between bodies are the same bits interpreted, compiled and in lanes, and finite in float32."""

from __future__ import annotations

from functools import cache
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.batch.binding import KEPT, requests_of
from phalanx.pipeline.operations import run_interpreted
from phalanx.tables.enums import SensorType
from tests.conformance.models import OWN, make_data
from tests.conformance.states import kept_by_batches
from tests.quiet import quiet
from tests.sensor.harness import BODY_FORCES, moving_state
from tests.sensor.scenes import FAMILIES, frame_sensors, scene
from tests.sensor.test_tactile import pad

LANES = 8
STEPS = 3
SEEN = (*BODY_FORCES, "sensordata")


@cache
def model_of(name: str) -> Any:
    if name == "delays":
        return mujoco.MjModel.from_xml_path(str(OWN / "sensor_delays.xml"))
    if name == "tactile":
        return pad("plate", 'type="box" size=".3 .3 .1"')
    if name == "frame":
        return scene(frame_sensors()[::5])
    return scene(FAMILIES[name](), 'cone="elliptic"' if name == "contact" else "")


NAMES = (*FAMILIES, "delays", "tactile")


@cache
def worlds_of(name: str) -> list[dict[str, np.ndarray]]:
    states = [moving_state(model_of(name), seed, 0.15) for seed in range(LANES)]
    return [kept_by_batches(state) for state in states]


def single(name: str, world: dict[str, np.ndarray], dtype: str = "float64") -> phalanx.Data:
    data = make_data(phalanx.Model.from_mujoco(model_of(name)), dtype=dtype)
    for field, values in world.items():
        data._store.arrays[field][...] = values
    return data


@pytest.mark.parametrize("name", NAMES)
def test_a_world_in_a_lane_is_that_world_alone(name: str) -> None:
    worlds = worlds_of(name)
    with quiet():
        sim = phalanx.BatchSim(phalanx.Model.from_mujoco(model_of(name)), LANES, lanes=LANES, threads=1)
    for number, world in enumerate(worlds):
        for field in KEPT:
            getattr(sim, field)[number] = world[field]
    sim.bind(*SEEN)
    for run in (lambda both: both.step(STEPS), lambda both: both.forward()):
        run(sim)
        for number, world in enumerate(worlds):
            # forces that no sensor needs are computed because they are bound: in one world, on request or by a call
            data = single(name, world)
            data._store.arrays["requests"].fill(requests_of(SEEN))
            run(data)
            if data.time == world["time"]:
                data.rne_post_constraint()
            for field in (*SEEN, "history"):
                lane, alone = np.asarray(getattr(sim, field)[number]), np.asarray(getattr(data, field))
                assert lane.tobytes() == alone.tobytes(), (field, number, different(data, lane, alone))
            for field in KEPT:
                world[field] = data._store.arrays[field].copy()


def different(data: phalanx.Data, lane: np.ndarray, alone: np.ndarray) -> set[str]:
    """Types of the sensors that differ."""
    m = data.model
    owner = np.repeat(np.arange(m.nsensor), m.sensor_dim)
    if len(owner) != len(lane):
        return set()
    return {
        SensorType(kind).name
        for kind in m.sensor_type[owner[(lane != alone) | (np.signbit(lane) != np.signbit(alone))]]
    }


@pytest.mark.parametrize("name", NAMES)
def test_interpreted_is_compiled(name: str) -> None:
    world = worlds_of(name)[1]
    data, plain = single(name, world), single(name, world)
    data.step()
    while plain._store.arrays["is_short"] or plain._store.arrays["steps_done"] == 0:
        run_interpreted("step", plain.model.store_for("float64"), plain._store, 1)
        if plain._store.arrays["is_short"]:
            plain._store.grow()
    for field in (*SEEN, "history"):
        assert getattr(data, field).tobytes() == getattr(plain, field).tobytes(), field


@pytest.mark.parametrize("name", ["simple", "ray", "distance", "inside", "enclosed", "delays"])
def test_worlds_with_their_own_parameters(name: str) -> None:
    """Cutoffs, delays, zones and lenses that differ by world."""
    model, rng = phalanx.Model.from_mujoco(model_of(name)), np.random.default_rng(3)
    vary = {
        field: np.asarray(getattr(model, field)) * rng.uniform(0.5, 1.5, (LANES, *getattr(model, field).shape))
        for field in ("sensor_cutoff", "sensor_delay", "sensor_interval", "site_size", "cam_fovy", "geom_size")
        if getattr(model, field).any()
    }
    with quiet():
        sim = phalanx.BatchSim(model, LANES, lanes=LANES, threads=1, vary=vary)
    for number, world in enumerate(worlds_of(name)):
        for field in KEPT:
            getattr(sim, field)[number] = world[field]
    sim.bind("sensordata")
    sim.step(STEPS)
    sim.forward()
    for number in range(LANES):
        alone = sim.env(number).sensordata
        assert sim.sensordata[number].tobytes() == alone.tobytes(), number


@pytest.mark.conformance
@pytest.mark.parametrize("name", NAMES)
def test_single_precision_is_finite_and_near(name: str) -> None:
    for world in worlds_of(name)[:2]:
        data, exact = single(name, world, "float32").forward(), single(name, world).forward()
        assert np.isfinite(data.sensordata).all()
        if data.ncon == exact.ncon and name not in ("contact", "ray", "inside"):  # those decide by comparing
            size = max(1.0, np.abs(exact.sensordata).max())
            np.testing.assert_allclose(data.sensordata, exact.sensordata, rtol=0, atol=5e-3 * size)
