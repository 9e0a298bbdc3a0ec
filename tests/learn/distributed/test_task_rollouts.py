"""Rollouts on workers: the same bits for any count of workers, and if workers are lost."""

from __future__ import annotations

import dataclasses
import sys

import numpy as np
import pytest

from phalanx import FieldError, LostWorkerWarning, MissingPackageError, TaskError, WorkerError
from phalanx.learn.distributed import TaskRollouts
from phalanx.learn.task_worlds import TaskWorlds
from tests.learn.distributed.crews import Differing, Fragile, Wrong, half_in_the_third, parameters, policy

N, BLOCK = 22, 4


def flat(run):
    """Everything that a run has, by name."""
    found = {}
    for field in dataclasses.fields(run):
        value = getattr(run, field.name)
        if isinstance(value, dict):
            found |= {f"{field.name}.{name}": array for name, array in value.items()}
        else:
            found[field.name] = np.asarray(value)
    return found


def play(rollouts, rounds=3, steps=7):
    """Some rollouts with changing parameters."""
    rollouts.reset(seed=5)
    return [flat(rollouts.rollout(steps, parameters(k))) for k in range(rounds)]


def assert_same(found, expected):
    for one, other in zip(found, expected, strict=True):
        assert one.keys() == other.keys()
        for name, array in one.items():
            assert array.dtype == other[name].dtype and np.array_equal(array, other[name]), name


@pytest.fixture(scope="module")
def alone():
    return play(TaskRollouts(Differing(), N, policy, workers=1, block=BLOCK, place="local"))


@pytest.mark.parametrize("workers", [2, 3, 6])
def test_results_do_not_depend_on_how_many_workers_there_are(alone, workers):
    with TaskRollouts(Differing(), N, policy, workers=workers, block=BLOCK, place="local") as rollouts:
        assert_same(play(rollouts), alone)


def test_results_are_those_of_worlds_in_this_process(alone):
    worlds = TaskWorlds(Differing(), N, autoreset="same_step")
    worlds.seed(5)
    worlds.reset()
    ends = 0
    for run in alone:
        for step in range(7):
            assert np.array_equal(worlds.observation, run["observation"][step])
            worlds.action[...] = run["action"][step]
            worlds.step()
            assert np.array_equal(worlds.reward, run["reward"][step])
            assert np.array_equal(worlds.terminated, run["terminated"][step])
            for world in np.flatnonzero(worlds.chosen):
                place = np.flatnonzero((run["ended"] == (step, world)).all(1)).item()
                assert np.array_equal(run["final_observation"][place], worlds.final_observation[world])
                assert run["episode_return"][place] == worlds.final_total[world]
                assert run["episode_length"][place] == worlds.final_steps[world]
                assert run["final_rows.episodes"][place] == worlds.final_rows["episodes"][world]
                ends += 1
        assert np.array_equal(worlds.observation, run["last_observation"])
    assert ends == sum(len(run["ended"]) for run in alone) > N


@pytest.mark.parametrize("fatal", [(3,), (5,), (6, 7), (9, 10, 12)], ids=str)
def test_a_lost_worker_changes_nothing(alone, fatal):
    backend = Fragile(fatal)
    with (
        TaskRollouts(Differing(), N, policy, workers=2, block=BLOCK, place=backend) as rollouts,
        pytest.warns(LostWorkerWarning, match="a new one repeats"),
    ):
        assert_same(play(rollouts), alone)
        assert rollouts.crew.losses == len(fatal)


def test_other_workers_take_over_where_there_is_no_room_for_a_new_one(alone):
    backend = Fragile((7,), places=2)
    with (
        TaskRollouts(Differing(), N, policy, workers=2, block=BLOCK, place=backend) as rollouts,
        pytest.warns(LostWorkerWarning, match="another one repeats"),
    ):
        assert_same(play(rollouts), alone)
        assert len({id(post.worker) for post in rollouts.crew.posts}) == 1


def test_workers_that_are_always_lost_are_an_error():
    with TaskRollouts(
        Differing(), N, policy, workers=2, block=BLOCK, place=Fragile(range(5, 99)), retries=2
    ) as rollouts:
        rollouts.reset(seed=0)
        with (
            pytest.warns(LostWorkerWarning),
            pytest.raises(WorkerError, match="worlds 0 to 11 was lost 3 times in a row"),
        ):
            rollouts.rollout(3, parameters())
        with pytest.raises(WorkerError, match="earlier call failed"):
            rollouts.rollout(3, parameters())
    with pytest.raises(WorkerError, match="are closed"):
        rollouts.rollout(3, parameters())


def test_workers_that_cannot_be_started_are_an_error():
    with pytest.raises(WorkerError, match="2 workers could not be started: there is no room"):
        TaskRollouts(Differing(), N, policy, workers=2, block=BLOCK, place=Fragile(places=1))


def test_mistakes_of_a_task_are_told_and_not_repeated():
    # blocks of 4, 4 and 2 worlds: the first worker has 4, the second the others
    with TaskRollouts(Wrong(), 10, half_in_the_third, block=4, workers=2, place=Fragile()) as rollouts:
        rollouts.reset()
        with pytest.raises(TaskError, match=r"Wrong.reward: returned a number that is NaN or infinite in world 2 "):
            rollouts.rollout(5)
        assert rollouts.crew.losses == 0
        post = rollouts.crew.posts[1]
        with pytest.raises(TaskError, match="in world 6 "):
            post.worker.rollout(post.share, 1, (0, 0), None)


def test_wrong_arguments_are_refused(monkeypatch):
    with pytest.raises(FieldError, match=r"phalanx\.Task"):
        TaskRollouts("CartPole", 4, policy)
    with pytest.raises(FieldError, match="'ray', 'local', not on 'cloud'"):
        TaskRollouts(Differing(), 4, policy, block=2, place="cloud")
    rollouts = TaskRollouts(Differing(), 4, policy, block=2, place="local")
    with pytest.raises(FieldError, match="call reset"):
        rollouts.rollout(3)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'phalanx\[ray\]'"):
        TaskRollouts(Differing(), 4, policy, block=2)
