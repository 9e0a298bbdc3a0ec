"""Tasks: the same bits alone and in vectors, in lanes and on threads, compiled and interpreted."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx import PhalanxError, Row, Signal, Task, TaskError
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


WIDE = pytest.param({"lanes": 4}, marks=pytest.mark.conformance)  # compiles all parts for that


@pytest.mark.parametrize("options", [{"lanes": 1}, WIDE, {"threads": 1}, {"threads": 3}, {"n": 3}, {"n": 1}], ids=str)
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


# --- models that differ


class Changing(Task):
    """Masses, damping and gravity of its own in each episode."""

    model = "cartpole"
    observation = (Signal("position", 2), Signal("velocity", 2))
    vary = ("body_mass", "dof_damping", "opt.gravity", "dof_armature")
    max_steps = 4

    def randomize(self, m, d, rng):
        for body in range(m.nbody):
            m.body_mass[body] = m.body_mass[body] * rng.uniform(0.5, 2.0)
        for dof in range(m.nv):
            m.dof_damping[dof] = m.dof_damping[dof] * rng.uniform(0.5, 2.0)
            m.dof_armature[dof] = rng.uniform(0.0, 0.1)
        m.opt.gravity[2] = rng.uniform(-11.0, -9.0)

    def observe(self, m, d, out):
        for i in range(2):
            out[i] = d.qpos[i]
            out[2 + i] = d.qvel[i]

    def reward(self, m, d):
        return m.body_mass[1]

    def terminated(self, m, d):
        return d.qpos[1] > 0.03

    def reset(self, m, d, rng):
        d.qpos[1] = rng.uniform(-0.02, 0.03)


def run_changing(n, steps=10, **options):
    worlds = TaskWorlds(Changing(), n, autoreset="same_step", observation_dtype="float64", **options)
    worlds.seed(3)
    worlds.reset()
    log = []
    for k in range(steps):
        worlds.action[...] = 5.0 * ACTIONS[k, :n]
        worlds.step()
        log.append(np.column_stack([worlds.observation, worlds.reward, worlds.terminated | worlds.truncated]))
    return np.array(log), worlds


def test_models_change_when_episodes_begin():
    found, worlds = run_changing(11)
    masses = found[:, :, 4]
    assert np.array_equal(masses[1:] != masses[:-1], found[:-1, :, 5] != 0)
    # what follows from the new numbers is what Model.replace computes
    for world in (0, 10):
        model = worlds.task.model.replace(**{name: values[world] for name, values in worlds.batch.vary.items()})
        store, lane = worlds.batch._models[world // worlds.number.worlds], world % worlds.number.worlds
        for name in ("body_subtreemass", "dof_M0", "dof_invweight0", "body_invweight0", "actuator_acc0"):
            assert np.array_equal(store.arrays[name][..., lane], model._store.arrays[name]), name


def test_changing_models_do_not_depend_on_lanes_and_other_worlds():
    found, _ = run_changing(11)
    alone, _ = run_changing(1)
    assert np.array_equal(alone, found[:, :1])
    with interpreted():
        assert np.array_equal(run_changing(2, steps=5)[0], found[:5, :2])


@pytest.mark.parametrize("name", ["body_ipos", "nbody", "no_such_field"])
def test_fields_that_need_checks_are_refused(name):
    with pytest.raises(PhalanxError, match=name):
        type("Wrong", (Changing,), {"vary": (name,)})()


def test_only_fields_of_vary_can_be_changed():
    with pytest.raises(TaskError, match="a Model does not change"):
        type("Wrong", (Changing,), {"vary": ("body_mass",)})().make()
