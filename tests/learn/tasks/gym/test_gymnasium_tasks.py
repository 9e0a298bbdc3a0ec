"""The tasks of Gymnasium: observation, reward, end of the episode and infos are those of Gymnasium and MuJoCo.

At every step our world gets the state of theirs, so differences do not grow.
"""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from phalanx.learn import ENVS, task_named

NAMES = [name for name in ENVS if name.endswith("-v5")]
#: Tasks of the everyday tests.
FEW = ("Ant-v5", "HalfCheetah-v5")
#: What a step depends on.
STATE = ("qpos", "qvel", "qacc_warmstart", "act", "time")


def assert_close(found, expected, what):
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    assert found.shape == expected.shape, what
    error = np.abs(found - expected) / np.maximum(1.0, np.abs(expected))
    assert error.max(initial=0.0) < 1e-9, (what, error.max(), int(error.argmax()))


def begin_both(ours, theirs, seed):
    """The same new episode."""
    expected, info = theirs.reset(seed=seed)
    data = theirs.data
    found, shown = ours.reset(options={"qpos": data.qpos.copy(), "qvel": data.qvel.copy()})
    assert_close(found, expected, "first observation")
    compare_infos(shown, info)


def compare_infos(found, expected):
    for key, value in expected.items():
        assert_close(found[key], value, key)


def compare(name, steps, **arguments):
    """Random actions, both from the same state at every step."""
    theirs = gymnasium.make(name, **arguments).unwrapped
    ours = task_named(name, **arguments).make(observation_dtype="float64")
    rng = np.random.default_rng(1)
    low, high = theirs.action_space.low, theirs.action_space.high
    assert np.array_equal(ours.action_space.low, low) and np.array_equal(ours.action_space.high, high)
    begin_both(ours, theirs, 0)
    ends = 0
    for k in range(steps):
        for field in STATE:
            ours.batch._arrays[field][0] = getattr(theirs.data, field)
        action = rng.uniform(low, high)
        expected, reward, terminated, _, info = theirs.step(action)
        found, our_reward, our_terminated, _, shown = ours.step(action)
        assert_close(found, expected, f"observation at step {k}")
        assert_close(our_reward, reward, f"reward at step {k}")
        assert our_terminated == terminated, k
        compare_infos(shown, info)
        if terminated:
            ends += 1
            begin_both(ours, theirs, k)
    return ends


@pytest.mark.parametrize("name", FEW)
def test_a_task_is_that_of_gymnasium(name):
    compare(name, 30)


@pytest.mark.conformance
@pytest.mark.parametrize("name", NAMES)
def test_every_task_is_that_of_gymnasium(name):
    ends = compare(name, 300)
    endless = ("HalfCheetah", "HumanoidStandup", "Pusher", "Reacher", "Swimmer")
    assert (ends > 0) == (not name.startswith(endless))


#: Arguments other than the defaults.
ARGUMENTS = {
    "Ant-v5": {
        "exclude_current_positions_from_observation": False, "contact_cost_weight": 0.01, "frame_skip": 2,
        "contact_force_range": (-5.0, 3.0), "main_body": 2, "healthy_z_range": (0.5, 0.9),
    },
    "Hopper-v5": {"healthy_state_range": (-3.0, 3.0), "ctrl_cost_weight": 0.5, "healthy_reward": 2.0},
    "HumanoidStandup-v5": {
        "include_cinert_in_observation": False, "include_cfrc_ext_in_observation": False, "impact_cost_weight": 1e-4,
        "impact_cost_range": (0.0, 2.0),
    },
    "Walker2d-v5": {"terminate_when_unhealthy": False, "forward_reward_weight": 3.0, "frame_skip": 3},
}  # fmt: skip


@pytest.mark.conformance
@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments_mean_what_they_mean_in_gymnasium(name):
    compare(name, 100, **ARGUMENTS[name])


@pytest.mark.conformance
def test_episodes_begin_where_those_of_gymnasium_do():
    reacher = task_named("Reacher-v5").make_vec(500, observation_dtype="float64")
    target = reacher.reset(seed=0)[0][:, 4:6]
    radius = np.linalg.norm(target, axis=1)
    assert radius.max() < 0.2 and abs(np.mean(radius < 0.1) - 0.25) < 0.08
    pusher = task_named("Pusher-v5").make_vec(500)
    pusher.reset(seed=0)
    x, y = pusher.batch.qpos[:, -4:-2].T
    assert np.hypot(x, y).min() > 0.17 and x.min() >= -0.3 and x.max() <= 0.0 and np.abs(y).max() <= 0.2
    # as in the rejection that Gymnasium uses
    places = np.random.default_rng(0).uniform((-0.3, -0.2), (0.0, 0.2), (100000, 2))
    places = places[np.linalg.norm(places, axis=1) > 0.17]
    assert np.abs(places.mean(0) - (x.mean(), y.mean())).max() < 0.02
    ant = task_named("Ant-v5", reset_noise_scale=0.3).make_vec(300)
    ant.reset(seed=0)
    assert 0.27 < np.abs(ant.batch.qpos - ant.task.model.qpos0).max() <= 0.3
    assert abs(ant.batch.qvel.std() - 0.3) < 0.02
