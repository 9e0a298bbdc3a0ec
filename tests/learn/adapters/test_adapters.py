"""Covers for other libraries; where a library is not installed, its base class stands in for it."""

from __future__ import annotations

import sys
import types

import numpy as np
import pytest

from phalanx import FieldError, Row
from phalanx.learn.tasks.cart_pole import CartPole

pytest.importorskip("gymnasium")
ACTIONS = np.random.default_rng(0).uniform(-1, 1, (30, 6, 1))


@pytest.fixture
def sb3(monkeypatch):
    """The cover for Stable-Baselines3."""
    try:
        import stable_baselines3  # noqa: F401
    except ImportError:
        vec_env = types.ModuleType("stable_baselines3.common.vec_env")

        class VecEnv:
            def __init__(self, num_envs, observation_space, action_space):
                self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
                self._reset_seeds()
                self._reset_options()

            def _reset_seeds(self):
                self._seeds = [None] * self.num_envs

            def _reset_options(self):
                self._options = [{}] * self.num_envs

            def step(self, actions):
                self.step_async(actions)
                return self.step_wait()

        vec_env.VecEnv = VecEnv
        for name in ("stable_baselines3", "stable_baselines3.common"):
            monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
        monkeypatch.setitem(sys.modules, vec_env.__name__, vec_env)
    monkeypatch.delitem(sys.modules, "phalanx.learn.adapters.sb3", raising=False)
    from phalanx.learn.adapters.sb3 import Sb3VecEnv

    yield Sb3VecEnv
    sys.modules.pop("phalanx.learn.adapters.sb3", None)


def test_stable_baselines_gets_last_observations(sb3):
    envs = sb3(CartPole(max_steps=10), 6)
    assert envs.seed(3) == [3, 4, 5, 6, 7, 8]
    first = envs.reset()
    expected = CartPole(max_steps=10).make_vec(6, autoreset_mode="same_step")
    assert np.array_equal(first, expected.reset(seed=3)[0])
    for actions in ACTIONS[:10]:
        observation, reward, done, infos = envs.step(actions)
        same, _, terminated, truncated, info = expected.step(actions)
    assert np.array_equal(observation, same) and reward.dtype == np.float32 and done.all()
    for world, told in enumerate(infos):
        assert np.array_equal(told["terminal_observation"], info["final_obs"][world])
        assert told["TimeLimit.truncated"] == (truncated[world] and not terminated[world])
        assert told["episode"]["l"] == 10
    assert envs.get_attr("num_envs") == [6] * 6 and envs.env_is_wrapped(None, [0, 1]) == [False, False]
    assert envs.env_method("describe", indices=0)[0].startswith("CartPole")
    envs.close()


class Successful(CartPole):
    """Tells whether the pole stood to the end."""

    state = (Row("is_success", info=True), Row("place", 2, info=True))
    max_steps = 4

    def info(self, m, d):
        d.task.is_success = d.episode_steps
        d.task.place[0] = d.qpos[0]


def test_stable_baselines_is_told_rows_and_takes_options(sb3):
    envs = sb3(Successful(), 3)
    envs._options = [{}, {"qpos": [0.25, 0.0]}, {}]
    first = envs.reset()
    assert first[1, 0] == 0.25 and envs.reset_infos[1]["place"][0] == 0.25 and first[0, 0] != 0.25
    for actions in ACTIONS[:4]:
        *_, infos = envs.step(actions[:3])
    assert [told["is_success"] for told in infos] == [3.0] * 3 and infos[0]["place"].shape == (2,)
    assert envs.reset()[1, 0] != 0.25
    envs.close()


def test_stable_baselines_is_told_of_worlds_that_fail(sb3, tmp_path):
    stiff = CartPole().model.replace(jnt_stiffness=np.full(2, 1e12))
    envs = sb3(CartPole(model=stiff), 3, dump_bad=tmp_path)
    envs.seed(0)
    envs.reset()
    *_, done, infos = envs.step(np.zeros((3, 1)))
    assert done.all() and all(told["failed"] and told["bad_files"].exists() for told in infos)
    envs.close()


def test_the_manner_of_brax():
    from phalanx.learn.adapters.brax_style import BraxStyle

    env = BraxStyle(CartPole(max_steps=5), 6)
    state = first = env.reset(0)
    assert state.obs.shape == (6, env.observation_size)
    for actions in ACTIONS[:5]:
        state = env.step(state, actions)
    assert state.done.all() and state.info["truncation"].all() and "final_obs" in state.info
    with pytest.raises(FieldError, match="last state"):
        env.step(first, ACTIONS[0])


def test_tensors_of_torch_share_memory():
    torch = pytest.importorskip("torch")
    from phalanx.learn.adapters.torch_env import TorchEnvs

    envs = TorchEnvs(CartPole(max_steps=5), 6)
    observation = envs.reset(seed=0)
    for actions in ACTIONS[:5]:
        observation, _, _, truncated, _ = envs.step(torch.from_numpy(actions))
    assert observation.data_ptr() == envs.envs.worlds.observation.ctypes.data and bool(truncated.all())
