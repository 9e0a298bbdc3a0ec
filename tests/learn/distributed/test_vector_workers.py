"""Vector environments on workers are those of one process, bit by bit."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx import FieldError, LostWorkerWarning, PhalanxError
from phalanx.learn.distributed import make_vec
from phalanx.learn.task_worlds import TaskWorlds
from phalanx.learn.tasks.cart_pole import CartPole
from tests.learn.distributed.crews import Differing, Fragile

gymnasium = pytest.importorskip("gymnasium")
N = 11
ACTIONS = np.random.default_rng(0).uniform(-1, 1, (30, N, 1))


def play(envs, steps=30):
    """All that an environment returns."""
    log = [envs.reset(seed=3)]
    for actions in ACTIONS[:steps]:
        log.append(envs.step(actions))
    mask = np.arange(N) % 4 == 0
    log.append(envs.reset(seed=[*range(N)], options={"reset_mask": mask, "qvel": np.full((N, 2), 0.25)}))
    mask[:] = np.arange(N) == 7  # worlds of one worker only
    log.append(envs.reset(options={"reset_mask": mask}))
    return log


def assert_same(found, expected):
    assert type(found) is type(expected)
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key in expected:
            assert_same(found[key], expected[key])
    elif isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other)
    elif expected is not None:
        assert found.dtype == expected.dtype
        if expected.dtype == object:
            assert_same([*found], [*expected])
        else:
            assert np.array_equal(found, expected)


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
@pytest.mark.parametrize("workers", [1, 3])
def test_vectors_on_workers_are_those_of_one_process(mode, workers):
    expected = play(Differing().make_vec(N, autoreset_mode=mode))
    envs = make_vec(Differing(), N, workers=workers, autoreset_mode=mode, place="local")
    assert isinstance(envs, gymnasium.vector.VectorEnv) and envs.autoreset_mode.name.lower() == mode
    assert_same(play(envs), expected)
    assert envs.np_random_seed == tuple(world if world % 4 == 0 else 3 + world for world in range(N))
    envs.close()


@pytest.mark.parametrize("fatal", [(12,), (23, 40)], ids=str)
def test_a_lost_worker_changes_nothing(fatal):
    expected = play(Differing().make_vec(N, autoreset_mode="next_step"))
    envs = make_vec(Differing(), N, workers=2, checkpoint=8, place=Fragile(fatal))
    with pytest.warns(LostWorkerWarning):
        assert_same(play(envs), expected)
    assert envs.crew.losses == len(fatal)
    # no more is repeated than the steps since the last snapshot
    assert all(len(post.journal) < 8 for post in envs.crew.posts)


def test_wrong_use_is_refused():
    envs = make_vec(Differing(), N, workers=2, place="local")
    with pytest.raises(FieldError, match="call reset"):
        envs.step(ACTIONS[0])
    with pytest.raises(FieldError, match="reset all worlds once"):
        envs.reset(options={"reset_mask": np.arange(N) > 0})
    with pytest.raises(FieldError, match="11 seeds"):
        envs.reset(seed=[1, 2])
    first, _ = envs.reset()
    with pytest.raises(FieldError, match="actions of Differing"):
        envs.step(np.zeros((N, 2)))
    assert envs.observation_space.contains(first)
    envs.close()
    for call in (envs.reset, lambda: envs.step(ACTIONS[0])):
        with pytest.raises(PhalanxError, match="Differing: the environment is closed"):
            call()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"num_envs": "3"}, "the count of worlds is a whole number"),
        ({"retries": -1}, "retries must be at least 0"),
        ({"retries": "x"}, "retries is a whole number"),
        ({"render_mode": "rgb_array"}, "DistributedVectorEnv got an unexpected keyword argument 'render_mode'"),
        ({"copy": False}, "unexpected keyword argument 'copy'"),
        ({"vary": 3}, "values by name, not int"),
        ({"vary": {"dof_damping": 0.5}}, "the first axis is that of 11 worlds"),
    ],
)
def test_wrong_options_are_refused(options, words):
    with pytest.raises(FieldError, match=words):
        make_vec(CartPole(), **{"num_envs": N, "workers": 2, "place": "local", **options})


def test_options_of_a_reset_are_by_name():
    envs = make_vec(CartPole(), N, workers=2, place="local")
    with pytest.raises(FieldError, match="options of a reset are values by name"):
        envs.reset(options=3)


def test_workers_have_their_share_of_models_that_differ():
    damping = np.linspace(0.1, 3.0, 2 * N).reshape(N, 2)
    envs = make_vec(CartPole(), N, workers=3, place="local", vary={"dof_damping": damping})
    expected = CartPole().make_vec(N, vary={"dof_damping": damping})
    assert_same(play(envs), play(expected))


@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "disabled"])
@pytest.mark.parametrize("dtype", ["float64", pytest.param("float32", marks=pytest.mark.conformance)])
def test_worlds_go_on_from_a_snapshot(autoreset, dtype):
    def going(worlds):
        log = []
        for actions in ACTIONS[:15]:
            worlds.action[...] = actions
            worlds.step()
            log.append(np.column_stack([worlds.observation, worlds.reward, worlds.terminated, worlds.rows["episodes"]]))
        return np.array(log)

    worlds = TaskWorlds(Differing(), N, autoreset=autoreset, dtype=dtype)
    worlds.seed(1)
    worlds.reset()
    going(worlds)
    snapshot = worlds.snapshot()
    expected = going(worlds)
    other = TaskWorlds(Differing(), N, autoreset=autoreset, dtype=dtype)
    other.restore(snapshot)
    assert np.array_equal(other.observation, snapshot["observation"])
    assert np.array_equal(going(other), expected)
    worlds.restore(snapshot)
    assert np.array_equal(going(worlds), expected)
