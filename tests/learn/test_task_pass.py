"""What functions of a task see: fields of the last substep or of the new state, and rows that are asked for."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import phalanx
from phalanx import Row, Signal, Task
from phalanx.algebra.jit import interpreted
from phalanx.kernels import where
from phalanx.learn.task_worlds import TaskWorlds

XML = """<mujoco><option timestep="0.004"/><worldbody><geom type="plane" size="2 2 .1"/>
<body name="bob" pos="0 0 .12"><freejoint/><geom size=".1"/>
<body pos=".2 0 0"><joint name="hinge" axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/></body>
</body>
</worldbody><actuator><motor joint="hinge"/></actuator>
<sensor><framepos objtype="body" objname="bob"/><framelinvel objtype="body" objname="bob"/></sensor></mujoco>"""


class Seen(Task):
    """Shows computed fields."""

    model = phalanx.Model.from_xml_string(XML)
    observation = (Signal("xpos", 6), Signal("sensors", 6), Signal("cfrc_ext", 12), Signal("subtree", 3))
    frame_skip = 3

    def observe(self, m, d, out):
        for k in range(3):
            out[k] = d.xpos[1, k]
            out[3 + k] = d.xpos[2, k]
            out[24 + k] = d.subtree_linvel[1, k]
        for k in range(6):
            out[6 + k] = d.sensordata[k]
            out[12 + k] = d.cfrc_ext[1, k]
            out[18 + k] = d.cfrc_ext[2, k]

    def reward(self, m, d):
        return d.qpos[2]


def seen(data):
    """The same of a Data."""
    data.rne_post_constraint()
    data.run("subtree_vel")
    return np.concatenate([data.xpos[1:].ravel(), data.sensordata, data.cfrc_ext[1:].ravel(), data.subtree_linvel[1]])


@pytest.mark.parametrize(
    "refresh, expected", [("", seen), ("velocity", None), ("forward", lambda data: seen(data.forward()))]
)
def test_fields_are_of_the_state_that_is_asked_for(refresh, expected):
    task = Seen(refresh=refresh)
    worlds = TaskWorlds(task, 9, observation_dtype="float64")
    worlds.reset()
    data = task.model.make_data()
    data.forward()
    for k in range(12):
        data.ctrl[0] = np.sin(k)
        worlds.action[...] = np.sin(k)
        worlds.step()
        data.step(task.frame_skip)
        if expected is None:
            positions = seen(data.copy().forward())
            assert np.array_equal(worlds.observation[4, :12], positions[:12])
        else:
            assert np.array_equal(worlds.observation[4], expected(data.copy()))
    assert data.ncon > 0


def test_a_reset_shows_the_new_state():
    worlds = TaskWorlds(Seen(), 3, observation_dtype="float64")
    worlds.reset()
    assert np.array_equal(worlds.observation[1], seen(Seen.model.make_data().forward()))


@pytest.mark.parametrize("is_interpreted", [False, True])
def test_a_look_leaves_what_came_of_the_last_step(is_interpreted):
    with interpreted() if is_interpreted else contextlib.nullcontext():
        worlds = TaskWorlds(Seen(max_steps=2), 20 if not is_interpreted else 2, threads=1, autoreset="disabled")
        worlds.reset()
        worlds.batch.qpos[:, 2] += 0.01 * np.arange(worlds.n)
        for _ in range(2):
            worlds.step()
        kept = [array.copy() for array in (worlds.reward, worlds.terminated, worlds.truncated, worlds.failed)]
        assert len({*kept[0]}) == worlds.n and kept[2].all()
        worlds.look([0, 1])
        worlds.look()
    for before, after in zip(kept, (worlds.reward, worlds.terminated, worlds.truncated, worlds.failed), strict=True):
        assert np.array_equal(before, after)


def test_controls_that_are_no_numbers_are_warned_of():
    class Endless(Seen):
        def control(self, m, d):
            d.ctrl[0] = 1e11 * d.action[0]

    worlds = TaskWorlds(Endless(), 3)
    worlds.reset()
    worlds.step()
    worlds.action[...] = 1.0
    with pytest.warns(phalanx.BadControlWarning, match="Endless"):
        worlds.step()
    worlds.action[...] = 0.0
    worlds.step()


class Dropped(Task):
    """A ball that hangs in the air in the first episode and lies on the floor in later ones, with another mass."""

    model = phalanx.Model.from_xml_string(XML)
    state = (Row("episodes", lasting=True),)
    observation = (Signal("height"), Signal("mass"))
    max_steps = 2
    vary = ("body_mass",)

    def observe(self, m, d, out):
        out[0] = d.qpos[2] + d.qvel[3] + d.qvel[6]
        out[1] = m.body_mass[1]

    def reward(self, m, d):
        return d.qfrc_bias[2]

    def reset(self, m, d, rng):
        d.qpos[2] = where(d.task.episodes < 1.0, 1.0, 0.08)
        d.task.episodes = d.task.episodes + 1.0

    def randomize(self, m, d, rng):
        m.body_mass[1] = rng.uniform(1.0, 9.0)


@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
def test_an_episode_that_lacks_memory_to_begin_does_not_change_the_one_that_ends(autoreset):
    """A pass that is repeated with more memory begins with the models that it began with."""
    worlds = TaskWorlds(Dropped(), 3, autoreset=autoreset, observation_dtype="float64", lanes=1)
    worlds.seed(5)
    worlds.reset()
    worlds.action[...] = 1.0
    worlds.step()
    before, found = worlds.snapshot(), []
    for _ in range(2):
        worlds.restore(before)
        for _ in range(3):
            worlds.step()
            found.append(worlds.snapshot())
    # the second time there was room from the start
    assert worlds.batch.contact_count.min() > 0
    for first, second in zip(found[:3], found[3:], strict=True):
        for name, values in first.items():
            np.testing.assert_array_equal(second[name], values, err_msg=name)


def test_the_physics_is_that_of_a_batch():
    """Positions of worlds are bit for bit those of BatchSim."""
    worlds, batch = TaskWorlds(Seen(), 9), phalanx.BatchSim(Seen.model, 9)
    worlds.reset()
    # a reset ends with a forward pass, which leaves a warm start
    batch.qacc_warmstart[...] = worlds.batch.qacc_warmstart
    rng = np.random.default_rng(0)
    for _ in range(20):
        batch.ctrl[...] = worlds.action[...] = rng.uniform(-1, 1, (9, 1))
        worlds.step()
        batch.step(3)
    assert np.array_equal(worlds.batch.get_state(), batch.get_state())
