"""Workers as actors of Ray: a cluster of two on this machine, of which one is killed in the middle."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import phalanx
from phalanx import LostWorkerWarning, TaskError, WorkerError
from phalanx.learn.distributed import TaskRollouts, make_vec, rollout
from tests.learn.distributed.crews import FATAL, Differing, Wrong, half_in_the_third, parameters, policy
from tests.learn.distributed.test_task_rollouts import assert_same, flat

ray = pytest.importorskip("ray", reason="Ray is not installed: make test-ray")
pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::ResourceWarning"
)
N, BLOCK = 22, 4


@pytest.fixture(scope="module", autouse=True)
def cluster():
    """Ray on this machine: two CPUs, little memory, no pages."""
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=80 * 2**20, log_to_driver=False)
    yield
    ray.shutdown()


def play(rollouts, fatal=None):
    """Three rollouts; in the second a worker may end its process."""
    rollouts.reset(seed=5)
    found = []
    for k in range(3):
        given = {"weights": parameters(k), FATAL: fatal or "/nowhere"} if k == 1 else parameters(k)
        found.append(flat(rollouts.rollout(7, given)))
    return found


def test_results_do_not_depend_on_workers_even_if_one_is_killed(tmp_path):
    expected = play(TaskRollouts(Differing(), N, policy, block=BLOCK, place="local"))
    fatal = tmp_path / "fatal"
    fatal.touch()
    with (
        TaskRollouts(Differing(), N, policy, workers=2, block=BLOCK) as rollouts,
        pytest.warns(LostWorkerWarning, match="a new one repeats its work"),
    ):
        assert_same(play(rollouts, str(fatal)), expected)
        assert rollouts.crew.losses == 1 and not fatal.exists()


def kill(actor):
    """End an actor, and wait until it is gone: it may answer for a while."""
    ray.kill(actor)
    with pytest.raises(ray.exceptions.RayActorError):
        while True:
            ray.get(actor.__ray_ready__.remote(), timeout=60.0)


def test_vectors_are_those_of_one_process_even_if_a_worker_is_killed():
    actions = np.random.default_rng(0).uniform(-1, 1, (9, N, 1))
    here = Differing().make_vec(N)
    envs = make_vec(Differing(), N, workers=2, checkpoint=4)
    assert np.array_equal(here.reset(seed=1)[0], envs.reset(seed=1)[0])
    for k in range(9):
        expected = here.step(actions[k])
        if k == 6:
            kill(envs.crew.posts[1].worker)
            with pytest.warns(LostWorkerWarning):
                found = envs.step(actions[k])
        else:
            found = envs.step(actions[k])
        for one, other in zip(found[:4], expected[:4], strict=True):
            assert np.array_equal(one, other)
    with pytest.raises(WorkerError, match="neither be copied nor pickled"):
        copy.deepcopy(envs)
    envs.close()


def test_models_are_rolled_out():
    model, starts = phalanx.load("cartpole"), np.random.default_rng(0).uniform(-0.1, 0.1, (6, 2))
    expected = phalanx.rollout(model, {"qpos": starts}, nsteps=20)
    found = rollout(model, {"qpos": starts}, nsteps=20, workers=2)
    assert np.array_equal(found.qpos, expected.qpos) and np.array_equal(found.time, expected.time)


def test_mistakes_come_as_they_are():
    with TaskRollouts(Wrong(), 8, half_in_the_third, block=4, workers=2) as rollouts:
        rollouts.reset()
        with pytest.raises(
            TaskError, match=r"Wrong.reward: returned a number that is NaN or infinite in world 2 "
        ) as caught:
            rollouts.rollout(1)
        assert caught.value.hook == "Wrong.reward" and "def reward" in caught.value.text


def test_a_cluster_that_is_too_small_is_told():
    with pytest.raises(WorkerError, match=r"3 workers could not be started: .* needs 1 CPUs, the cluster has 2 in all"):
        TaskRollouts(Differing(), N, policy, workers=3, block=BLOCK, start_timeout=8.0)
