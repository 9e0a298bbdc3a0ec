"""Libraries of others run with environments of Phalanx: their own checks pass, and a policy learns for a while.

A library that is not installed is skipped; `make test-torch` installs them.
"""

from __future__ import annotations

import copy
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from phalanx import Row
from phalanx.learn.tasks.cart_pole import CartPole

gymnasium = pytest.importorskip("gymnasium")

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
N = 16
ROOT = Path(__file__).resolve().parents[3]
WITH_SOURCES = {**os.environ, "PYTHONPATH": str(ROOT)}


class Short(CartPole):
    """Ends soon, and tells something."""

    max_steps = 20
    state = (Row("is_success", info=True),)

    def info(self, m, d):
        d.task.is_success = d.episode_steps


@pytest.fixture(autouse=True)
def one_thread():
    """Threads of torch wait for each other on a busy machine."""
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


# --- Stable-Baselines3


@pytest.mark.parametrize("mode", [None, "rgb_array"])
def test_stable_baselines_finds_nothing_wrong(mode):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(Short().make(render_mode=mode))


def test_stable_baselines_learns_and_wraps():
    sb3 = pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.evaluation import evaluate_policy
    from stable_baselines3.common.vec_env import VecCheckNan, VecMonitor, VecNormalize

    from phalanx.learn.adapters.sb3 import Sb3VecEnv

    envs = Sb3VecEnv(CartPole(max_steps=100), N)
    wrapped = VecMonitor(VecNormalize(VecCheckNan(envs, raise_exception=True), norm_obs=False), info_keywords=())
    policy = sb3.PPO("MlpPolicy", wrapped, n_steps=64, batch_size=256, n_epochs=4, seed=3, device="cpu")
    before, _ = evaluate_policy(policy, envs, 2 * N)
    policy.learn(8 * N * 64)
    after, _ = evaluate_policy(policy, envs, 2 * N)
    assert len(policy.ep_info_buffer) and after > 1.5 * before
    envs.close()


def test_stable_baselines_learns_with_one_world():
    sb3 = pytest.importorskip("stable_baselines3")
    small = {"net_arch": [16]}
    policy = sb3.SAC("MlpPolicy", Short().make(), learning_starts=20, batch_size=16, policy_kwargs=small, device="cpu")
    policy.learn(40)
    assert policy.num_timesteps == 40


def test_stable_baselines_sees_pictures():
    pytest.importorskip("stable_baselines3")
    from phalanx.learn.adapters.sb3 import Sb3VecEnv

    envs = Sb3VecEnv(Short(), 4, render_mode="rgb_array", width=32, height=24)
    envs.reset()
    assert envs.render_mode == "rgb_array" and envs.render().shape == (48, 64, 3)
    assert [picture.shape for picture in envs.get_images()] == [(24, 32, 3)] * 4


# --- TorchRL


@pytest.mark.parametrize("mode", ["one", "same_step", "disabled"])
def test_torchrl_finds_nothing_wrong(mode):
    envs = pytest.importorskip("torchrl.envs")
    task = Short(max_steps=5)
    env = envs.GymWrapper(task.make() if mode == "one" else task.make_vec(6, autoreset_mode=mode))
    envs.check_env_specs(env)
    env.set_seed(0)
    run = env.rollout(12, break_when_any_done=False)
    worlds = () if mode == "one" else (6,)
    assert run.batch_size == (*worlds, 12) and not run["next", "observation"].isnan().any()
    # an episode has five steps; what follows its last observation is the first of the next one
    done = run["next", "done"][..., 0].reshape(-1, 12)
    assert [np.flatnonzero(row).tolist() for row in done.numpy()] == [[4, 9]] * len(done)
    seen, follows = run["observation"].reshape(-1, 12, 4), run["next", "observation"].reshape(-1, 12, 4)
    assert (seen[:, 1:] == follows[:, :-1]).all(-1)[:, [0, 1, 2, 3, 5]].all()
    assert (seen[:, 5] != follows[:, 4]).any()


def test_torchrl_makes_environments_by_name():
    envs = pytest.importorskip("torchrl.envs")
    env = envs.GymEnv("phalanx/CartPole-v0")
    envs.check_env_specs(env)
    assert env.rollout(3)["action"].shape == (3, 1)


# --- torch and JAX


def test_torch_and_worlds_share_memory_both_ways():
    torch = pytest.importorskip("torch")
    envs = Short().make_vec(N, copy=False, observation_dtype="float64")
    observation, _ = envs.reset(seed=0)
    tensor = torch.from_dlpack(observation)
    assert tensor.data_ptr() == observation.ctypes.data
    # what torch writes, worlds have; what worlds write, torch sees
    state = torch.from_dlpack(envs.batch.qpos)
    state[:, 0] = 0.125
    assert (envs.batch.qpos[:, 0] == 0.125).all()
    envs.step(torch.zeros(N, 1, requires_grad=True))
    assert np.array_equal(state.numpy(), envs.batch.qpos) and (state[:, 0] != 0.125).all()
    for array in (envs.worlds.reward, envs.worlds.terminated, envs.worlds.truncated, envs.worlds.action):
        assert torch.from_dlpack(array).data_ptr() == array.ctypes.data


def test_a_copy_has_tensors_of_its_own():
    torch = pytest.importorskip("torch")
    from phalanx.learn.adapters.torch_env import TorchEnvs

    envs = TorchEnvs(CartPole(), 4)
    envs.reset(seed=0)
    envs.step(torch.ones(4, 1))
    other = copy.deepcopy(envs)
    told = [x.clone() for x in other.step(torch.ones(4, 1))[:4]]
    assert all(torch.equal(some, same) for some, same in zip(envs.step(torch.ones(4, 1))[:4], told, strict=True))


def test_two_processes_learn_as_the_page_tells(tmp_path):
    """The program of the page, with what it leaves out: each process tells which policy it has in the end."""
    pytest.importorskip("torch")
    page = (ROOT / "docs" / "learning.md").read_text()
    program = page.partition("```text\nimport torch\n")[2].partition("```")[0]
    # into files: what both print at the same time may mix
    told = 'open(f"policy_{rank}", "w").write(repr([each.tolist() for each in policy.parameters()]))'
    (tmp_path / "train.py").write_text(f"import torch\ntorch.set_num_threads(1)\n{program}\n{told}\n")
    run = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "--standalone", "train.py"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False, env=WITH_SOURCES)
    assert done.returncode == 0, done.stderr
    policies = [(tmp_path / f"policy_{rank}").read_text() for rank in range(2)]
    assert len(policies[0]) > 1000 and policies[0] == policies[1]
    ends = [float(x) for _, x in re.findall(r"^(\d+) (\S+)$", done.stdout, re.MULTILINE)]
    assert len(ends) == 40 and np.mean(ends[-4:]) < 0.5 * ends[0], ends


@pytest.mark.parametrize("kind", ["float32", "float64", "bfloat16", "float16", "int64"])
def test_actions_of_torch_have_any_type(kind):
    torch = pytest.importorskip("torch")
    ours, expected = Short().make_vec(N), Short().make_vec(N)
    ours.reset(seed=1)
    expected.reset(seed=1)
    actions = torch.ones(N, 1, dtype=getattr(torch, kind))
    assert np.array_equal(ours.step(actions)[0], expected.step(np.ones((N, 1)))[0])


def test_jax_and_worlds_share_memory_both_ways():
    jax = pytest.importorskip("jax")
    envs = Short().make_vec(N, copy=False)
    observation, _ = envs.reset(seed=0)
    array = jax.numpy.from_dlpack(observation)
    assert array.unsafe_buffer_pointer() == observation.ctypes.data
    assert np.array_equal(np.from_dlpack(array), observation)
    actions = jax.jit(lambda x: jax.numpy.tanh(x[:, :1]))(array)
    expected = Short().make_vec(N)
    expected.reset(seed=0)
    assert np.array_equal(envs.step(actions)[0], expected.step(np.asarray(actions))[0])
    for flags in (envs.worlds.terminated, envs.worlds.truncated):
        assert jax.numpy.from_dlpack(flags).unsafe_buffer_pointer() == flags.ctypes.data


@pytest.mark.parametrize("kind", ["float32", "bfloat16", "float16", "int32"])
def test_actions_of_jax_have_any_type(kind):
    jax = pytest.importorskip("jax")
    ours, expected = Short().make_vec(N), Short().make_vec(N)
    ours.reset(seed=1)
    expected.reset(seed=1)
    actions = jax.numpy.ones((N, 1), kind)
    assert np.array_equal(ours.step(actions)[0], expected.step(np.ones((N, 1)))[0])
    one = Short().make()
    one.reset(seed=1)
    assert np.array_equal(one.step(actions[0])[0], ours.worlds.observation[0])


# --- loops as people write them


def test_a_loop_in_the_manner_of_cleanrl_runs():
    """What CleanRL does with `gymnasium.make_vec`: wrappers around a vector, episodes read from infos."""
    envs = gymnasium.make_vec("phalanx/CartPole-v0", num_envs=N, max_steps=20)
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    envs = gymnasium.wrappers.vector.ClipAction(envs)
    envs = gymnasium.wrappers.vector.NormalizeObservation(envs)
    envs = gymnasium.wrappers.vector.TransformObservation(envs, lambda seen: np.clip(seen, -10, 10))
    envs = gymnasium.wrappers.vector.NormalizeReward(envs, gamma=0.99)
    assert isinstance(envs.single_action_space, gymnasium.spaces.Box)
    observation, _ = envs.reset(seed=1)
    lengths = []
    for _ in range(64):
        observation, reward, terminated, truncated, info = envs.step(3.0 * observation[:, 1:2])
        assert observation.shape == (N, 4) and np.isfinite(observation).all() and reward.shape == (N,)
        if "episode" in info:
            ended = info["_episode"]
            assert np.array_equal(ended, terminated | truncated)
            lengths += info["episode"]["l"][ended].tolist()
    assert lengths and max(lengths) <= 20
    envs.close()
