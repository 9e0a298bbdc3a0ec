"""Flexes and trees that sleep on the emulated device: worlds are those of a BatchSim, bit for bit."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import phalanx
from tests.collision.flex.test_flex_worlds import MIXED
from tests.compiler.flexes import MODELS as FLEXES
from tests.device.test_gpu_batch import check_same
from tests.device.whole_kernel import whole_kernel
from tests.quiet import quiet
from tests.sleep.test_flex import SCENES as SLEEPING
from tests.sleep.test_ways import XML as BOXES

WORLDS = 3
HEAD = '<mujoco><option sleep_tolerance=".05"><flag sleep="enable"/></option><worldbody>'
FLOOR = '<geom type="plane" size="2 2 .1"/>'
#: Scenes in which trees fall asleep and are woken, and how long that takes [steps].
SLEEP = {"boxes": BOXES} | {name: f"{HEAD}{FLOOR}{inside}</worldbody></mujoco>" for name, inside in SLEEPING.items()}
FALLING_ASLEEP = 150


@cache
@quiet()
def model_of(text: str) -> phalanx.Model:
    return phalanx.load(text) if "<" not in text else phalanx.Model.from_xml_string(text)


@quiet()
@whole_kernel()
def check(text: str, steps: int, dtype: str = "float64", size: float = 0.01) -> phalanx.GpuBatchSim:
    """Step worlds of a model on the CPU and on the device, from random states; one begins at rest."""
    model = model_of(text)
    cpu = phalanx.BatchSim(model, WORLDS, lanes=1, dtype=dtype)
    device = phalanx.GpuBatchSim(model, WORLDS, device="emulated", dtype=dtype)
    for batch in (cpu, device):
        rng = np.random.default_rng(5)
        batch.qvel[1:] = size * rng.normal(size=(WORLDS - 1, model.nv))
        batch.qpos[1:] += 0.1 * size * rng.normal(size=(WORLDS - 1, model.nq))
        batch.ctrl[...] = rng.normal(size=(WORLDS, model.nu))
    for count in (1, steps):
        with np.errstate(all="ignore"):
            for batch in (cpu, device):
                batch.step(count)
        check_same(cpu, device)
    return device


@pytest.mark.conformance
@pytest.mark.filterwarnings("ignore:.*also stretched:phalanx.MjcfWarning")
@pytest.mark.parametrize("name", FLEXES)
def test_flexes(name: str):
    check(FLEXES[name], 5)


@pytest.mark.conformance
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("text", [MIXED, "cloth", "soft_gripper"], ids=["mixed", "cloth", "soft gripper"])
def test_flexes_that_touch(text: str, dtype: str):
    assert check(text, 60 if text is MIXED else 12, dtype).use.launches > 2


@pytest.mark.conformance
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", SLEEP)
def test_trees_that_sleep(name: str, dtype: str):
    device = check(SLEEP[name], FALLING_ASLEEP, dtype)
    asleep = (np.asarray(device.tree_asleep) >= 0).sum()
    # a push wakes them
    cpu = device.on_cpu()
    with whole_kernel():
        for batch in (cpu, device):
            batch.xfrc_applied[:, 1, 2] = 5.0
            batch.step(20)
    check_same(cpu, device)
    assert asleep or name != "boxes"
