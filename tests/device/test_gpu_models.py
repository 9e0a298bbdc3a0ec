"""Every model of the matrix on the emulated device: worlds are those of a BatchSim, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.batch.binding import KEPT
from phalanx.batch.rollout import rollout
from tests.batch.test_batch import fill, random_worlds
from tests.conformance.models import MODELS, load
from tests.device.test_gpu_batch import check_same, links
from tests.device.test_gpu_batch import pair as pair_of_links
from tests.device.whole_kernel import whole_kernel
from tests.quiet import quiet

WORLDS = 3
#: What a step fills in most models, and some that it computes on request.
OUTPUTS = ("xpos", "geom_xpos", "M", "qfrc_bias", "qfrc_passive", "qfrc_constraint", "qacc", "sensordata", "energy")


@quiet()
def pair(name: str, **options: Any) -> tuple[phalanx.BatchSim, phalanx.GpuBatchSim]:
    """A batch of the CPU, and one of the emulated device, in the same random state."""
    model = load(name).phalanx
    worlds = random_worlds(name, WORLDS)
    cpu = phalanx.BatchSim(model, WORLDS, lanes=1, **options)
    device = phalanx.GpuBatchSim(model, WORLDS, device="emulated", **options)
    for batch in (cpu, device):
        fill(batch, worlds)
    return cpu, device


@pytest.mark.conformance
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", MODELS)
def test_worlds_of_every_model(name: str, dtype: str):
    with whole_kernel():
        cpu, device = pair(name, dtype=dtype)
        for steps in (1, 5):
            with np.errstate(all="ignore"):
                for batch in (cpu, device):
                    batch.step(steps)
            check_same(cpu, device)


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["own/everything", "suite/humanoid"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_outputs_in_both_precisions(name: str, dtype: str):
    cpu, device = pair(name, dtype=dtype)
    for batch in (cpu, device):
        batch.bind(*OUTPUTS)
        batch.step(4)
    check_same(cpu, device, *OUTPUTS)


@pytest.mark.conformance
def test_lanes_are_the_same_worlds():
    _, device = pair("own/everything")
    lanes = phalanx.BatchSim(device.model, WORLDS, lanes=8)
    fill(lanes, random_worlds("own/everything", WORLDS))
    for batch in (lanes, device):
        batch.step(5)
    assert lanes.fingerprint() == device.fingerprint()


@pytest.mark.conformance
def test_questions_leave_worlds_as_they_are():
    cpu, device = pair_of_links(links(), WORLDS)
    for batch in (cpu, device):
        batch.bind("xpos")
        batch.step(10)
    before = {name: device._arrays[name].copy() for name in (*KEPT, "xpos", "error_code")}
    rng = np.random.default_rng(0)
    origins, directions = rng.normal(size=(WORLDS, 4, 3)) + [0, 0, 3], np.tile([0.0, 0.1, -1.0], (WORLDS, 4, 1))
    for ask in (
        lambda batch: batch.rays(origins, directions).dist,
        lambda batch: batch.jac_body(2)[0],
        lambda batch: batch.inverse(np.ones(batch.model.nv)),
        lambda batch: batch.contact_table().force1,
        lambda batch: batch.contact_table([1]).force1,
        lambda batch: batch.rne_post_constraint().cfrc_int,
        lambda batch: batch.env(1).qacc,
        lambda batch: batch.transition().A,
        lambda batch: batch.render(width=8, height=8),
    ):
        np.testing.assert_array_equal(ask(device), ask(cpu))
    for name, values in before.items():
        np.testing.assert_array_equal(device._arrays[name], values, err_msg=name)


@pytest.mark.conformance
def test_rollouts():
    model, worlds = load("own/actuators_with_state").phalanx, random_worlds("own/actuators_with_state", WORLDS)
    controls = np.random.default_rng(2).normal(size=(WORLDS, 6, model.nu))
    start = {name: worlds[name] for name in ("qpos", "qvel", "act")}
    cpu, device = (
        rollout(model, start, controls=controls, outputs=("qpos", "qvel", "xpos"), device=device)
        for device in ("cpu", "emulated")
    )
    for name in ("qpos", "qvel", "xpos"):
        np.testing.assert_array_equal(device[name], cpu[name], err_msg=name)


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["suite/humanoid", "own/everything"])
def test_worlds_that_vary(name: str):
    model = load(name).phalanx
    rng = np.random.default_rng(3)
    masses = model.body_mass * rng.uniform(0.8, 1.2, (WORLDS, model.nbody))
    gravity = model.opt.gravity * rng.uniform(0.5, 1.5, (WORLDS, 1))
    cpu, device = pair(name, vary={"body_mass": masses, "opt.gravity": gravity})
    for batch in (cpu, device):
        batch.step(5)
        batch.set_vary([0, 2], geom_friction=model.geom_friction * 0.5)
        batch.reset([2])
        batch.step(5)
    check_same(cpu, device)
