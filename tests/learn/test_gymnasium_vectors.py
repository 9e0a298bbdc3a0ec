"""What Gymnasium asks of vector environments, in the manner of its own tests: ours beside its SyncVectorEnv."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phalanx import Row
from phalanx.learn import ENVS
from phalanx.learn.tasks.cart_pole import CartPole

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import data_equivalence  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402
from gymnasium.wrappers import vector as wrappers  # noqa: E402

N, STEPS = 5, 30
ACTIONS = np.random.default_rng(2).uniform(-1, 1, (STEPS, N, 1)).astype(np.float32)
MODES = list(AutoresetMode)


class Told(CartPole):
    """A cart-pole that falls soon, and tells where it is."""

    state = (Row("place", info=True),)
    max_steps = 9
    force = 20.0

    def info(self, m, d):
        d.task.place = d.qpos[0]


def both(mode: AutoresetMode) -> tuple[Any, Any]:
    """Our vector, and that of Gymnasium around single environments."""
    return Told().make_vec(N, autoreset_mode=mode), SyncVectorEnv([lambda: Told().make()] * N, autoreset_mode=mode)


def where_told(info: dict[str, Any]) -> dict[str, Any]:
    """Infos without what the masks leave open."""
    found: dict[str, Any] = {key: values for key, values in info.items() if key.startswith("_")}
    for key in info.keys() - found.keys():
        values, mask = info[key], info.get(f"_{key}", np.ones(N, bool))
        if isinstance(values, dict):
            found[key] = where_told(values)
        else:
            found[key] = [np.asarray(values[world], float) for world in np.flatnonzero(mask)]
    return found


def played(envs: Any, mode: AutoresetMode) -> list[Any]:
    """All that is returned; without automatic resets, those worlds are reset whose episode has ended."""
    seen, info = envs.reset(seed=3)
    log, ends = [(seen, where_told(info))], 0
    for actions in ACTIONS:
        *outcome, terminated, truncated, info = envs.step(actions)
        log.append((*(np.array(x) for x in (*outcome, terminated, truncated)), where_told(info)))
        ended = terminated | truncated
        ends += ended.sum()
        if mode == AutoresetMode.DISABLED and ended.any():
            seen, info = envs.reset(options={"reset_mask": ended})
            # Gymnasium tells of the worlds that were reset only
            told = {key: values[ended] for key, values in info.items() if not key.startswith("_")}
            log.append((np.array(seen), told))
    assert ends > 2 * N
    return log


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_a_vector_is_the_same_as_that_of_gymnasium(mode):
    ours, theirs = both(mode)
    for name in ("num_envs", "single_observation_space", "single_action_space", "observation_space", "action_space"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"] == mode
    for mine, other in zip(played(ours, mode), played(theirs, mode), strict=True):
        assert data_equivalence(mine, other, exact=True)
    ours.close()
    theirs.close()


WRAPPERS = {
    "statistics": wrappers.RecordEpisodeStatistics,
    "clipped actions": wrappers.ClipAction,
    "rescaled actions": lambda envs: wrappers.RescaleAction(envs, np.float32(-2.0), np.float32(2.0)),
    "normalized observations": wrappers.NormalizeObservation,
    "normalized rewards": wrappers.NormalizeReward,
    "other observations": lambda envs: wrappers.TransformObservation(envs, lambda seen: 2.0 * seen),
    "other type": lambda envs: wrappers.DtypeObservation(envs, np.float64),
    "other rewards": lambda envs: wrappers.ClipReward(envs, -0.5, 0.5),
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_wrappers_of_vectors_do_the_same_with_ours(name):
    mode = AutoresetMode.NEXT_STEP
    ours, theirs = (WRAPPERS[name](envs) for envs in both(mode))
    assert ours.single_observation_space == theirs.single_observation_space
    for mine, other in zip(played(ours, mode), played(theirs, mode), strict=True):
        for info in (mine[-1], other[-1]):
            info.get("episode", {}).pop("t", None)  # the time that passed
        assert data_equivalence(mine, other, exact=True)
    ours.close()
    theirs.close()


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_statistics_of_episodes_are_right_with_every_kind_of_reset(mode):
    class Nine(Told):
        def terminated(self, m, d):
            return d.qpos[0] > 1e9

        def reward(self, m, d):
            return 1.0

    envs = wrappers.RecordEpisodeStatistics(Nine().make_vec(N, autoreset_mode=mode))
    envs.reset(seed=0)
    for actions in ACTIONS:
        *_, terminated, truncated, info = envs.step(actions)
        ended = terminated | truncated
        assert ("episode" in info) == ended.any()
        if ended.any():
            assert (info["episode"]["r"][ended] == 9.0).all() and (info["episode"]["l"][ended] == 9).all()
            if mode == AutoresetMode.DISABLED:
                envs.reset(options={"reset_mask": ended})
    assert envs.episode_count >= 3 * N and set(envs.length_queue) == {9}
    envs.close()


def test_infos_become_a_list_and_pictures_a_film(tmp_path):
    listed = wrappers.DictInfoToList(Told().make_vec(N))
    _, infos = listed.reset(seed=0)
    assert [sorted(info) for info in infos] == [["place"]] * N
    envs = Told().make_vec(2, render_mode="rgb_array", width=16, height=12)
    envs.reset(seed=0)
    pictures = envs.render()
    assert isinstance(pictures, tuple) and [picture.shape for picture in pictures] == [(12, 16, 3)] * 2
    assert envs.metadata["render_fps"] > 0 and {"rgb_array", "human"} == {*envs.metadata["render_modes"]}


@pytest.mark.conformance
@pytest.mark.parametrize("name", ENVS)
def test_every_environment_is_the_same_alone_and_among_others(name):
    many = gymnasium.make_vec(ENVS[name].id, num_envs=3, max_steps=4)
    one = gymnasium.make(ENVS[name].id, max_steps=4)
    seen, _ = many.reset(seed=10)
    alone, _ = one.reset(seed=12)
    rng, is_over = np.random.default_rng(0), False
    assert np.array_equal(alone, seen[2])
    for _ in range(11):
        low, high = many.single_action_space.low, many.single_action_space.high
        actions = rng.uniform(np.maximum(low, -1), np.minimum(high, 1), (3, *low.shape)).astype(low.dtype)
        seen, *outcome, _ = many.step(actions)
        if is_over:
            (alone, _), expected = one.reset(), (0.0, False, False)
        else:
            alone, *expected, _ = one.step(actions[2])
        assert np.array_equal(alone, seen[2]) and [each[2] for each in outcome] == [*expected]
        is_over = expected[1] or expected[2]
    one.close()
    many.close()


def test_make_vec_takes_a_device():
    envs = gymnasium.make_vec("phalanx/CartPole-v0", num_envs=2, device="emulated")
    expected = gymnasium.make_vec("phalanx/CartPole-v0", num_envs=2)
    assert np.array_equal(envs.reset(seed=1)[0], expected.reset(seed=1)[0])
    assert np.array_equal(envs.step(ACTIONS[0, :2])[0], expected.step(ACTIONS[0, :2])[0])


@pytest.mark.parametrize("way", ["vector_entry_point", "sync", "async"])
def test_make_vec_takes_our_names_in_every_way(way):
    reset = {"autoreset_mode": AutoresetMode.SAME_STEP}
    options = reset if way == "vector_entry_point" else {"vector_kwargs": reset}
    envs = gymnasium.make_vec("phalanx/CartPole-v0", num_envs=3, vectorization_mode=way, max_steps=4, **options)
    expected = CartPole(max_steps=4).make_vec(3, autoreset_mode="same_step")
    assert np.array_equal(envs.reset(seed=6)[0], expected.reset(seed=6)[0])
    for actions in ACTIONS[:6, :3]:
        mine, other = envs.step(actions), expected.step(actions)
        assert all(np.array_equal(a, b) for a, b in zip(mine[:4], other[:4], strict=True))
    envs.close()
    expected.close()
