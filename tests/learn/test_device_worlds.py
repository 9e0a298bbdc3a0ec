"""Worlds of a task on a device are those on the CPU, bit for bit: the emulated device runs the kernels of a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx import Row, Signal, Task
from phalanx.device.device_array import DeviceArray
from phalanx.kernels import where
from phalanx.learn.device_worlds import DeviceTaskWorlds, worlds_on
from phalanx.learn.task_worlds import TaskWorlds
from tests.device.fake_driver import installed
from tests.learn.test_task_pass import Dropped
from tests.quiet import quiet

#: A ball that is thrown onto a floor, and a bat that is driven.
XML = """<mujoco><option timestep="0.01"/><worldbody><geom type="plane" size="2 2 .1"/>
<body name="ball" pos="0 0 .3"><freejoint/><geom size=".1"/></body>
<body pos=".5 0 .2"><joint name="hinge" axis="0 1 0" damping=".1"/>
<geom type="capsule" size=".03" fromto="0 0 0 -.3 0 0"/></body>
</worldbody><actuator><motor joint="hinge"/></actuator></mujoco>"""


class Bat(Task):
    """Throws a ball, which is lost when it has rolled away."""

    model = phalanx.Model.from_xml_string(XML)
    state = (Row("aim", 2, info=True), Row("level", default=1.0, lasting=True), Row("hits", default=3.0))
    observation = (Signal("ball", 3), Signal("aim", 2), Signal("energy"), Signal("hits"))
    frame_skip = 2
    max_steps = 9
    vary = ("geom_friction", "body_mass")

    def control(self, m, d):
        d.ctrl[0] = d.action[0] + 0.1 * d.rng.normal()
        d.task.hits = d.task.hits + where(d.action[0] > 0.5, 1.0, 0.0)

    def observe(self, m, d, out):
        for k in range(3):
            out[k] = d.xpos[1, k]
        out[3] = d.task.aim[0]
        out[4] = d.task.aim[1] * m.body_mass[1]
        out[5] = d.energy[0] + d.energy[1]
        out[6] = d.task.hits

    def reward(self, m, d):
        return d.qpos[2] - d.task.aim[0] * d.action[0]

    def terminated(self, m, d):
        return d.qpos[0] > 0.3

    def reset(self, m, d, rng):
        d.task.aim[0] = rng.uniform(-1.0, 1.0)
        d.task.aim[1] = rng.normal()
        d.task.level = d.task.level + 1.0
        d.qpos[2] = 0.12 + 0.4 * rng.uniform()
        d.qvel[0] = 2.0 * rng.normal()

    def randomize(self, m, d, rng):
        m.geom_friction[0, 0] = rng.uniform(0.2, 1.0)
        m.body_mass[1] = rng.uniform(0.5, 2.0)


class PlainBat(Bat):
    """The same with the same Model in all worlds."""

    vary = ()
    randomize = Task.randomize


@quiet()
def pair(task: Task, n: int = 5, **options: Any) -> tuple[TaskWorlds, TaskWorlds]:
    """Worlds on the CPU, and on the emulated device, at the start of the same episodes."""
    worlds = tuple(worlds_on(device, task, n, **options) for device in ("cpu", "emulated"))
    for each in worlds:
        each.seed(3)
        each.reset()
    assert isinstance(worlds[1], DeviceTaskWorlds)
    return worlds


def check_same(cpu: TaskWorlds, device: TaskWorlds) -> None:
    mine, other = cpu.snapshot(), device.snapshot()
    assert mine.keys() == other.keys()
    for name, values in mine.items():
        assert values.dtype == other[name].dtype and values.shape == other[name].shape
        if not name.startswith("state.row_pattern"):
            np.testing.assert_array_equal(other[name], values, err_msg=name)


def play(cpu: TaskWorlds, device: TaskWorlds, steps: int) -> int:
    """Steps with the same random actions; how many episodes began."""
    rng, begun = np.random.default_rng(7), 0
    for _ in range(steps):
        actions = rng.uniform(-1, 1, cpu.action.shape)
        for worlds in (cpu, device):
            worlds.action[...] = actions
            worlds.step()
        check_same(cpu, device)
        begun += int(cpu.chosen.sum())
    return begun


def test_worlds_on_a_device_are_those_on_the_cpu_bit_for_bit():
    cpu, device = pair(PlainBat(), autoreset="next_step")
    check_same(cpu, device)
    room = device.batch._store.sizes["nefc"]
    assert play(cpu, device, 25) >= 5
    assert device.batch._store.sizes["nefc"] > room, "memory grew in the midst of actions"
    # a step is one launch
    launches = device.batch.use.launches
    device.step()
    cpu.step()
    assert device.batch.use.launches == launches + 1
    for worlds in (cpu, device):
        worlds.reset(np.arange(5) % 2 == 0)
    check_same(cpu, device)
    for worlds in (cpu, device):
        worlds.batch.qpos[:, 2] = 1.0
        worlds.look([1, 3])
    check_same(cpu, device)


def test_environments_on_a_gpu(monkeypatch: pytest.MonkeyPatch):
    """Through a driver without a GPU: arrays are those of the device, a step is one launch."""
    with installed(monkeypatch) as driver, quiet():
        envs = [PlainBat().make_vec(5, device=device, copy=False) for device in ("cpu", "cuda")]
        seen = [each.reset(seed=4)[0] for each in envs]
        np.testing.assert_array_equal(np.asarray(seen[1]), seen[0])
        for k in range(12):
            actions = np.full((5, 1), 0.1 * k)
            mine, other = (each.step(actions) for each in envs)
            for values, others in zip(mine[:4], other[:4], strict=True):
                np.testing.assert_array_equal(np.asarray(others), values)
        worlds = envs[1].worlds
        assert isinstance(worlds.action, DeviceArray) and isinstance(worlds.observation, DeviceArray)
        assert isinstance(worlds.rows["aim"], DeviceArray)
        driver.calls.clear()
        worlds.step()
        assert driver.calls == ["launch", "synchronize"]
        # a number that is none is named, as on the CPU
        worlds.action[2] = np.nan
        with pytest.raises(phalanx.FieldError, match=r"action\[0\] is nan in world 2"):
            worlds.step()


def test_requests_that_a_device_refuses():
    with pytest.raises(phalanx.DeviceError, match="there is no device 'gpu'"):
        PlainBat().make_vec(2, device="gpu")
    with pytest.raises(phalanx.FieldError, match="lanes cannot be 8"):
        PlainBat().make_vec(2, device="emulated", lanes=8)


@pytest.mark.conformance
@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "disabled"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("kind", [Bat, PlainBat, Dropped])
def test_models_that_tasks_change(kind: type[Task], autoreset: str, dtype: str):
    cpu, device = pair(kind(), autoreset=autoreset, dtype=dtype, lanes=1, observation_dtype="float64")
    check_same(cpu, device)
    play(cpu, device, 25)
    if kind is not PlainBat:
        assert len(np.unique(device.batch.vary["body_mass"][:, 1])) == 5
    # the models of worlds are read back and written again
    snapshot = device.snapshot()
    play(cpu, device, 5)
    for worlds in (cpu, device):
        worlds.restore(snapshot)
    play(cpu, device, 8)
