"""The compiled pass against a slow, obvious one: a Data and a loop in Python for each world, bit for bit.

The task has what tasks can have: control at every substep, a delay of its own in each episode, noise, commands that
change, models that differ, rows that last, a time limit.
"""

from __future__ import annotations

import types

import numpy as np
import pytest

from phalanx import Row, Signal, Task
from phalanx.algebra.jit import interpreted
from phalanx.kernels import where
from phalanx.learn.random_stream import METHODS, stream_keys
from phalanx.learn.task_worlds import TaskWorlds

N, STEPS = 11, 40
ACTIONS = np.random.default_rng(4).uniform(-1, 1, (STEPS, N))


class Everything(Task):
    """A cart that is to follow commands, with a delayed motor, a servo inside and noisy sensors."""

    model = "cartpole"
    observation = (Signal("sensors", 2), Signal("command"), Signal("steps"), Signal("start"))
    state = (
        Row("command"), Row("past", (3, 1)), Row("delay", info=True), Row("start"), Row("bonus", default=0.25),
        Row("episodes", lasting=True),
    )  # fmt: skip
    frame_skip = 3
    max_steps = 12
    vary = ("dof_damping",)

    def before(self, m, d):
        for k in range(2):
            d.task.past[2 - k, 0] = d.task.past[1 - k, 0]
        d.task.past[0, 0] = d.action[0]

    def control(self, m, d):
        late = where(d.task.delay == 1.0, d.task.past[1, 0], d.task.past[2, 0])
        d.ctrl[0] = 9.0 * where(d.task.delay == 0.0, d.task.past[0, 0], late) - 0.3 * d.qvel[0]

    def after(self, m, d):
        drawn = d.rng.uniform(-1.0, 1.0)
        d.task.command = where(d.rng.chance(0.3), drawn, d.task.command)

    def reward(self, m, d):
        return d.task.bonus - abs(d.qpos[0] - d.task.command) + 0.01 * d.episode_steps

    def terminated(self, m, d):
        return abs(d.qpos[1]) > 0.1

    def observe(self, m, d, out):
        for i in range(2):
            out[i] = d.qpos[i] + 0.01 * d.rng.normal()
        out[2] = d.task.command
        out[3] = d.episode_steps
        out[4] = d.task.start

    def randomize(self, m, d, rng):
        for i in range(m.nv):
            m.dof_damping[i] = (m.dof_damping[i] + 0.1) * rng.uniform(0.5, 2.0)

    def reset(self, m, d, rng):
        d.task.command = rng.uniform(-1.0, 1.0)
        d.task.delay = rng.integer(3)
        d.task.episodes = d.task.episodes + 1.0
        d.qpos[1] = rng.uniform(-0.05, 0.05)

    def begin(self, m, d):
        d.task.start = d.xipos[2, 0]


class SlowWorld:
    """One world of that, as one would write it without a compiler."""

    def __init__(self, task, seed):
        self.task, self.episodes = task, 0.0
        self.rng = types.SimpleNamespace(state=np.array([stream_keys([seed])[0], 0, 0]), zero=np.float64(0.0))
        self.begin()

    def draw(self, name, *arguments):
        with interpreted():
            return METHODS[name](self.rng, *arguments)

    def begin(self):
        """A new episode; its first observation."""
        nominal = self.task.model.dof_damping
        damping = [(x + 0.1) * self.draw("uniform", 0.5, 2.0) for x in nominal]
        self.data = self.task.model.replace(dof_damping=damping).make_data()
        self.command, self.delay = self.draw("uniform", -1.0, 1.0), self.draw("integer", 3)
        self.data.qpos[1] = self.draw("uniform", -0.05, 0.05)
        self.data.forward()
        self.start, self.past, self.steps, self.total = self.data.xipos[2, 0], [0.0] * 3, 0.0, 0.0
        self.episodes += 1.0
        return self.observe()

    def observe(self):
        seen = [self.data.qpos[i] + 0.01 * self.draw("normal") for i in range(2)]
        return [*seen, self.command, self.steps, self.start]

    def step(self, action):
        """Observation, reward, terminated, truncated."""
        data = self.data
        self.past = [action, *self.past[:2]]
        for _ in range(3):
            data.ctrl[0] = 9.0 * self.past[int(self.delay)] - 0.3 * data.qvel[0]
            data.step()
        drawn = self.draw("uniform", -1.0, 1.0)
        self.command = drawn if self.draw("chance", 0.3) else self.command
        reward = 0.25 - abs(data.qpos[0] - self.command) + 0.01 * self.steps
        is_end = abs(data.qpos[1]) > 0.1
        self.steps, self.total = self.steps + 1.0, self.total + reward
        return self.observe(), reward, is_end, self.steps >= 12


@pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
def test_a_pass_is_what_a_loop_in_python_does(mode):
    worlds = TaskWorlds(Everything(), N, autoreset=mode, observation_dtype="float64", threads=2)
    worlds.seed(8)
    worlds.reset()
    slow = [SlowWorld(worlds.task, 8 + world) for world in range(N)]
    ended, ends = np.zeros(N, bool), 0
    # the first observation was drawn when these began
    for world in slow:
        world.rng.state[1] -= 2
    assert np.array_equal(worlds.observation, [world.observe() for world in slow])
    for actions in ACTIONS:
        worlds.action[:, 0] = actions
        worlds.step()
        for k, world in enumerate(slow):
            if mode == "next_step" and ended[k]:
                seen, outcome = world.begin(), (0.0, False, False)
            else:
                seen, *outcome = world.step(actions[k])
            total, is_over = world.total, outcome[1] or outcome[2]
            if mode == "same_step" and is_over:
                assert np.array_equal(worlds.final_observation[k], seen)
                assert worlds.final_total[k] == total and worlds.final_steps[k] == world.steps
                seen = world.begin()
            found = worlds.reward[k], worlds.terminated[k], worlds.truncated[k]
            assert found == tuple(outcome) and np.array_equal(worlds.observation[k], seen)
            assert worlds.rows["episodes"][k] == world.episodes
            ended[k] = is_over
            ends += is_over
    assert ends > N
