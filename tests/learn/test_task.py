"""Tasks: the same bits alone and in vectors, in lanes and on threads, compiled and interpreted."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx import Row, Signal, Task
from phalanx.algebra.jit import interpreted
from phalanx.kernels import where
from phalanx.learn.task_worlds import TaskWorlds

NACTION = 40


class Balance(Task):
    """A cart-pole with everything that a task can have."""

    model = "cartpole"
    observation = (Signal("position", 2), Signal("velocity", 2), Signal("goal"))
    state = (Row("goal"), Row("before"), Row("moved", info=True), Row("episodes", lasting=True), Row("past", (2, 2)))
    frame_skip = 2
    max_steps = 25
    spread = 0.1
    weights = np.array([0.5, 2.0])

    def cost(self, d, x):
        return self.weights[0] * x * x

    def before(self, m, d):
        d.task.before = d.qpos[0]
        for i in range(2):
            d.task.past[1, i] = d.task.past[0, i]
            d.task.past[0, i] = d.qpos[i]

    def after(self, m, d):
        d.task.moved = d.qpos[0] - d.task.before

    def control(self, m, d):
        d.ctrl[0] = 5.0 * d.action[0] - 0.1 * d.qvel[0]

    def reward(self, m, d):
        return 1.0 - self.cost(d, d.qpos[0] - d.task.goal) - 0.1 * abs(d.action[0] - d.last_action[0])

    def terminated(self, m, d):
        return abs(d.qpos[1]) > 0.2

    def observe(self, m, d, out):
        for i in range(2):
            out[i] = d.qpos[i] + 0.01 * d.rng.normal()
            out[2 + i] = d.qvel[i] + d.task.past[1, i]
        out[4] = d.task.goal

    def reset(self, m, d, rng):
        d.task.goal = rng.uniform(-1.0, 1.0)
        d.task.episodes = d.task.episodes + 1.0
        for i in range(m.nq):
            d.qpos[i] = rng.uniform(-self.spread, self.spread)
        d.qvel[1] = where_chance(rng)


def where_chance(rng):
    """A function outside of the task."""
    return where(rng.chance(0.5), rng.integer(3) * 0.1, 0.0)


ACTIONS = np.random.default_rng(0).uniform(-1, 1, (60, NACTION, 1))


def run(autoreset, n=NACTION, steps=60, **options):
    """Everything that steps write, one row for each step."""
    worlds = TaskWorlds(Balance(), n, autoreset=autoreset, observation_dtype="float64", **options)
    worlds.seed(7)
    worlds.reset()
    log = [np.concatenate([worlds.observation, np.zeros((n, 9))], 1)]
    for k in range(steps):
        worlds.action[...] = ACTIONS[k, :n]
        worlds.step()
        columns = (
            worlds.reward, worlds.terminated, worlds.truncated, worlds.rows["moved"], worlds.rows["episodes"],
            worlds.episode_return, worlds.episode_steps, worlds.batch.time, worlds.batch.qpos[:, 1],
        )  # fmt: skip
        log.append(np.concatenate([worlds.observation, np.stack(columns, 1)], 1))
    return np.array(log)


@pytest.fixture(scope="module")
def same_step():
    return run("same_step")


@pytest.mark.parametrize("options", [{"lanes": 1}, {"threads": 1}, {"threads": 3}, {"n": 3}, {"n": 1}], ids=str)
def test_a_world_does_not_depend_on_lanes_threads_and_other_worlds(same_step, options):
    found = run("same_step", **options)
    assert np.array_equal(found, same_step[:, : found.shape[1]])


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
def test_interpreted_gives_the_same_bits(autoreset):
    compiled = run(autoreset, n=2, steps=12)
    with interpreted():
        assert np.array_equal(run(autoreset, n=2, steps=12), compiled)


def test_episodes_end_and_begin(same_step):
    terminated, truncated, episodes = same_step[1:, :, 6], same_step[1:, :, 7], same_step[1:, :, 9]
    assert terminated.any() and truncated.any()
    assert np.array_equal(episodes[-1], 1 + (terminated + truncated > 0).sum(0))
