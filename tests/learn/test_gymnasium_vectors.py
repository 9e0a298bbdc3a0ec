"""What Gymnasium asks of vector environments: ours beside its SyncVectorEnv, which its own tests are about.

Its tests of vectors (1.4) can be aimed at ours, by names of environments and by vectors in place of SyncVectorEnv. What
they ask is asked here in words of our own:

| file of Gymnasium | asked here |
|---|---|
| `vector/test_vector_env.py` | same as that of Gymnasium, seeds, partial resets and their errors, counts of actions |
| `vector/test_sync_vector_env.py` | arrays, metadata, pictures and lists of them, spaces and what is drawn from them |
| `vector/test_async_vector_env.py` | ours in processes; choices as actions; copied arrays; calls after closing |
| `vector/test_autoreset_mode.py` | counted episodes in each mode, modes by name and by value |
| `vector/test_vector_env_info.py` | infos with masks, exactly those of Gymnasium |
| `vector/test_vector_wrapper.py`, `wrappers/vector/*` | wrappers around ours and its; attributes world by world |

What is left out asks for environments inside a vector: `envs` (`test_metadata_sync_vector_env`), functions of Python,
different spaces, observations that are no boxes (`test_step_sync_vector_env`); for processes: their time limits and the
order of their calls (`test_reset_out_of_order_async_vector_env`); and `test_render_modes` of `HumanRendering`, which no
vector passes that gives lists of pictures, not that of Gymnasium either.
"""

from __future__ import annotations

import copy
import re
from typing import Any

import numpy as np
import pytest

from phalanx import FieldError, PhalanxError, Row, Signal
from phalanx.learn import ENVS
from phalanx.learn.tasks.cart_pole import CartPole

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import data_equivalence  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402
from gymnasium.wrappers import RenderCollection  # noqa: E402
from gymnasium.wrappers import vector as wrappers  # noqa: E402

N, STEPS = 5, 30
ACTIONS = np.random.default_rng(2).uniform(-1, 1, (STEPS, N, 1)).astype(np.float32)
MODES = list(AutoresetMode)
UNBOUNDED = np.full(4, np.inf, np.float32)


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


def played(envs: Any, mode: AutoresetMode) -> list[Any]:
    """All that is returned; without automatic resets, those worlds are reset whose episode has ended."""
    seen, info = envs.reset(seed=3)
    log, ends = [(seen, info)], 0
    for actions in ACTIONS:
        *outcome, terminated, truncated, info = envs.step(actions)
        # wrappers keep some of the arrays that they give
        log.append(copy.deepcopy((*outcome, terminated, truncated, info)))
        ended = terminated | truncated
        ends += ended.sum()
        if mode == AutoresetMode.DISABLED and ended.any():
            seen, info = envs.reset(options={"reset_mask": ended})
            log.append((np.array(seen), info))
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


# --- what a reset does


class Counted(CartPole):
    """Counts its steps, and ends when the count is that of a row, which stays; the action is the reward."""

    observation = (Signal("count"),)
    state = (Row("count"), Row("last", default=3.0, lasting=True))
    action_low, action_high = 0.0, 5.0

    def control(self, m, d):
        d.ctrl[0] = 0.0

    def after(self, m, d):
        d.task.count = d.task.count + 1.0

    def observe(self, m, d, out):
        out[0] = d.task.count

    def reward(self, m, d):
        return d.action[0]

    def terminated(self, m, d):
        return d.task.count == d.task.last

    def reset(self, m, d, rng):
        d.qpos[0] = rng.uniform(-0.1, 0.1)


#: Counts that are seen, rewards and ends, step by step; the first world ends after two steps, the others after three.
COUNTED = {
    AutoresetMode.NEXT_STEP: [
        ([1, 1, 1], [1, 2, 3], [0, 0, 0]), ([2, 2, 2], [1, 2, 3], [1, 0, 0]),
        ([0, 3, 3], [0, 2, 3], [0, 1, 1]), ([1, 0, 0], [1, 0, 0], [0, 0, 0]),
    ],
    AutoresetMode.SAME_STEP: [
        ([1, 1, 1], [1, 2, 3], [0, 0, 0]), ([0, 2, 2], [1, 2, 3], [1, 0, 0]),
        ([1, 0, 0], [1, 2, 3], [0, 1, 1]), ([0, 1, 1], [1, 2, 3], [1, 0, 0]),
    ],
    AutoresetMode.DISABLED: [
        ([1, 1, 1], [1, 2, 3], [0, 0, 0]), ([2, 2, 2], [1, 2, 3], [1, 0, 0]),
        ([1, 3, 3], [1, 2, 3], [0, 1, 1]), ([2, 1, 1], [1, 2, 3], [1, 0, 0]),
    ],
}  # fmt: skip


@pytest.mark.parametrize("way", [lambda mode: mode, lambda mode: mode.value, lambda mode: mode.name])
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_episodes_begin_anew_when_the_mode_says_so(mode, way):
    envs = Counted().make_vec(3, autoreset_mode=way(mode))
    assert envs.metadata["autoreset_mode"] == mode
    envs.worlds.rows["last"][...] = [2, 3, 3]
    seen, info = envs.reset()
    assert (seen[:, 0] == 0).all() and info == {}
    for count, gain, ends in COUNTED[mode]:
        seen, reward, terminated, truncated, info = envs.step([1, 2, 3])
        assert np.array_equal(seen[:, 0], count) and np.array_equal(reward, gain)
        assert np.array_equal(terminated, np.array(ends, bool)) and not truncated.any()
        if mode == AutoresetMode.SAME_STEP and any(ends):
            lasts = [np.array([last], np.float32) if end else None for last, end in zip((2, 3, 3), ends, strict=True)]
            expected = np.empty(3, object)
            expected[:] = lasts
            mask = np.array(ends, bool)
            final = {"final_obs": expected, "_final_obs": mask, "final_info": {}, "_final_info": mask}
            assert data_equivalence(info, final, exact=True)
        else:
            assert info == {}
        if mode == AutoresetMode.DISABLED and any(ends):
            begun, _ = envs.reset(options={"reset_mask": terminated})
            assert np.array_equal(begun[:, 0], np.where(ends, 0, count))
    envs.close()


def test_a_world_begins_again_with_its_seed_while_others_go_on():
    envs = Told().make_vec(3, autoreset_mode="disabled")
    first, _ = envs.reset(seed=[0, 1, 2])
    for actions in ACTIONS[:3, :3]:
        seen, *_ = envs.step(actions)
    mask = np.array([True, True, False])
    again, info = envs.reset(seed=[0, 1, 0], options={"reset_mask": mask})
    assert np.array_equal(again[:2], first[:2]) and np.array_equal(again[2], seen[2])
    assert np.array_equal(info["_place"], mask) and info["place"][2] == 0.0
    assert envs.np_random_seed == (0, 1, 2)
    envs.close()


def test_a_mask_of_all_worlds_is_a_reset_of_all():
    envs, expected = Told().make_vec(3), Told().make_vec(3)
    whole = envs.reset(seed=4, options={"reset_mask": np.ones(3, bool)})
    assert data_equivalence(whole, expected.reset(seed=4), exact=True)
    with pytest.raises(FieldError, match="once before some"):
        Told().make_vec(3).reset(options={"reset_mask": np.arange(3) == 1})


def test_errors_are_of_the_kinds_that_gymnasium_raises():
    envs = Told().make_vec(3)
    envs.reset()
    for mask in (np.ones(1, bool), np.ones(4, bool), np.ones((1, 3), bool), np.zeros(3, bool)):
        words = f"must have shape `(3,)`, got {mask.shape}" if mask.shape != (3,) else "at least one True value"
        with pytest.raises(ValueError, match=f"`options.*reset_mask.*{re.escape(words)}"):
            envs.reset(options={"reset_mask": mask})
    for mask in (np.array([1, 1, 0]), np.array([1.0, 1.0, 0.0])):
        with pytest.raises(TypeError, match=re.escape(f"must have `dtype=np.bool_`, got {mask.dtype}")):
            envs.reset(options={"reset_mask": mask})
    for actions in (ACTIONS[0, :2], ACTIONS[0, :4]):
        with pytest.raises(ValueError, match="actions of Told"):
            envs.step(actions)
    with pytest.raises(TypeError, match="actions of Told"):
        envs.step(0)
    with pytest.raises(ValueError, match="3 seeds"):
        envs.reset(seed=[1, 2])
    envs.close()


# --- seeds


def test_seeds_are_told_and_begin_the_same_again():
    envs = Told().make_vec(4)
    drawn = envs.np_random_seed
    assert len({*drawn}) == 4
    first, _ = envs.reset()
    assert np.array_equal(envs.reset(seed=drawn)[0], first)
    envs.reset(seed=42)
    assert envs.np_random_seed == (42, 43, 44, 45)
    envs.reset()
    assert envs.np_random_seed == (42, 43, 44, 45)
    envs.reset(seed=[7, None, 8, None])
    assert envs.np_random_seed == (7, 43, 8, 45)
    envs.worlds.restore(envs.worlds.snapshot())
    assert envs.np_random_seed == (-1,) * 4
    env = Told().make()
    seen, _ = env.reset()
    assert np.array_equal(env.reset(seed=env.np_random_seed)[0], seen)
    envs.close()


# --- arrays


@pytest.mark.parametrize("is_copied", [True, False])
def test_arrays_have_the_shapes_and_types_of_the_spaces(is_copied):
    envs = Told().make_vec(8, copy=is_copied)
    seen, _ = envs.reset(seed=0)
    kept = seen.copy()
    outcome = envs.step(envs.action_space.sample())
    assert isinstance(envs.observation_space, gymnasium.spaces.Box) and envs.num_envs == 8
    for array in (seen, outcome[0]):
        assert type(array) is np.ndarray and array.dtype == envs.observation_space.dtype
        assert array.shape == envs.observation_space.shape == (8, *envs.single_observation_space.shape)
    assert [array.dtype for array in outcome[1:4]] == [np.float64, np.bool_, np.bool_]
    assert all(type(array) is np.ndarray and array.shape == (8,) for array in outcome[1:4])
    # what is a copy may be written, and nobody writes it but its owner
    outcome[0][...] = 7.0
    envs.step([envs.single_action_space.sample() for _ in range(8)])
    assert np.array_equal(seen, kept) == is_copied and (outcome[0] == 7.0).all()
    envs.close()
    envs.close()
    assert envs.closed


def test_a_vector_does_not_change_metadata_of_others():
    one, other = Told().make_vec(1), Told().make_vec(1, autoreset_mode="same_step")
    assert one.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    assert other.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    env = Told().make()
    assert "autoreset_mode" not in env.metadata and "autoreset_mode" not in type(env).metadata


def test_last_observations_of_groups_are_those_of_gymnasium():
    class Pair(Told):
        observation = (Signal("position", 2, group="policy"), Signal("velocity", 2, group="critic"))

    mode = AutoresetMode.SAME_STEP
    ours, theirs = Pair().make_vec(N, autoreset_mode=mode), SyncVectorEnv([Pair().make] * N, autoreset_mode=mode)
    for k in range(-1, 12):
        mine, other = (envs.reset(seed=1) if k < 0 else envs.step(ACTIONS[k]) for envs in (ours, theirs))
        assert data_equivalence(mine, other, exact=True)
    ours.close()
    theirs.close()


# --- attributes of worlds


def test_attributes_are_asked_for_and_set_world_by_world():
    envs = Counted().make_vec(3)
    assert envs.get_attr("last") == envs.call("last") == (3.0, 3.0, 3.0)
    envs.set_attr("last", [1, 2, 3])
    wrapped = wrappers.ClipReward(envs, 0.0, 1.0)
    assert wrapped.env.get_attr("last") == (1.0, 2.0, 3.0)
    envs.reset()
    assert envs.step([0, 0, 0])[2].tolist() == [True, False, False]
    envs.set_attr("last", 7)
    assert envs.get_attr("last") == (7.0,) * 3 and envs.get_attr("force") == (Counted.force,) * 3
    assert envs.call("describe") == (envs.describe(),) * 3 and envs.call("render") == (None,) * 3
    with pytest.raises(FieldError, match="force is a constant of compiled code"):
        envs.set_attr("force", [1, 2, 3])
    with pytest.raises(AttributeError, match="neither a row nor an attribute 'lsat'; did you mean 'last'"):
        envs.get_attr("lsat")
    with pytest.raises(FieldError, match="has no row 'lsat'"):
        envs.set_attr("lsat", 1)
    with pytest.raises(FieldError, match="last has shape"):
        envs.set_attr("last", [1, 2])
    pictured = Told().make_vec(2, render_mode="rgb_array", width=16, height=12)
    pictured.reset(seed=0)
    assert [picture.shape for picture in pictured.call("render")] == [(12, 16, 3)] * 2


# --- wrappers


WRAPPERS = {
    "statistics": wrappers.RecordEpisodeStatistics,
    "clipped actions": wrappers.ClipAction,
    "rescaled actions": lambda envs: wrappers.RescaleAction(envs, np.float32(-2.0), np.float32(2.0)),
    "normalized observations": wrappers.NormalizeObservation,
    "normalized rewards": wrappers.NormalizeReward,
    "other observations": lambda envs: wrappers.TransformObservation(envs, lambda seen: 2.0 * seen),
    "other type": lambda envs: wrappers.DtypeObservation(envs, np.float64),
    "other shape": lambda envs: wrappers.ReshapeObservation(envs, (2, 2)),
    "flat": wrappers.FlattenObservation,
    "other bounds": lambda envs: wrappers.RescaleObservation(envs, -UNBOUNDED, UNBOUNDED),
    "other rewards": lambda envs: wrappers.ClipReward(envs, -0.5, 0.5),
}


#: A SyncVectorEnv takes the mask out of the options before the wrapper of statistics has read it, which counts wrong
#: then; that ours counts right is tested by itself.
WRAPPED = [
    (name, mode) for name in WRAPPERS for mode in MODES if (name, mode) != ("statistics", AutoresetMode.DISABLED)
]


@pytest.mark.parametrize(("name", "mode"), WRAPPED, ids=lambda part: str(getattr(part, "name", part)))
def test_wrappers_of_vectors_do_the_same_with_ours(name, mode):
    mine, other = both(mode)
    try:
        theirs = WRAPPERS[name](other)
    except ValueError:  # Gymnasium has none for this mode
        with pytest.raises(ValueError, match="autoreset_mode"):
            WRAPPERS[name](mine)
        return
    ours = WRAPPERS[name](mine)
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
    assert envs.metadata["render_fps"] > 0
    assert {"rgb_array", "rgb_array_list", "human"} == {*envs.metadata["render_modes"]}
    assert Told().make_vec(2).render_mode is None


# --- pictures of episodes


SIZE = {"width": 16, "height": 12}


def collected() -> Any:
    """An environment whose pictures Gymnasium collects."""
    return RenderCollection(Told(force=200.0).make(render_mode="rgb_array", **SIZE))


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_lists_of_pictures_are_those_that_gymnasium_collects(mode):
    options = {"autoreset_mode": mode}
    ours = Told(force=200.0).make_vec(2, render_mode="rgb_array_list", **SIZE, **options)
    theirs = SyncVectorEnv([collected] * 2, **options)
    assert ours.render_mode == theirs.render_mode == "rgb_array_list"
    for envs in (ours, theirs):
        assert envs.render() == ([], [])
        envs.reset(seed=3)
    lengths = set()
    for k, actions in enumerate(ACTIONS[:17, :2]):
        *_, terminated, truncated, _ = ours.step(actions)
        theirs.step(actions)
        ended = terminated | truncated
        if mode == AutoresetMode.DISABLED and ended.any():
            for envs in (ours, theirs):
                envs.reset(options={"reset_mask": ended})
        if k % 5 != 4:
            continue
        mine, other = ours.call("render"), theirs.render()
        assert all(type(film) is list for film in mine) and data_equivalence(mine, other, exact=True)
        lengths.update(len(film) for film in mine)
    # the first has that of the reset, later ones those of five steps, or since an episode began
    assert max(lengths) == 6 and 5 in lengths and min(lengths) < 3
    assert ours.render() != ([], []) and ours.render() == ([], [])
    ours.close()
    theirs.close()


def test_one_world_collects_pictures_however_it_is_made():
    made = gymnasium.make("phalanx/CartPole-v0", render_mode="rgb_array_list", **SIZE)
    alone = CartPole().make(render_mode="rgb_array_list", **SIZE)
    expected = RenderCollection(CartPole().make(render_mode="rgb_array", **SIZE))
    films = []
    for env in (made, alone, expected):
        env.reset(seed=0)
        for action in ACTIONS[:3, 0]:
            env.step(action)
        films.append(env.render())
        assert len(films[-1]) == 4 and env.render() == []
        env.step(ACTIONS[3, 0])
        env.reset()
        films.append(env.render())
    assert data_equivalence(films[:2], films[2:4], exact=True) and data_equivalence(films[:2], films[4:], exact=True)


@pytest.mark.parametrize("way", ["vector_entry_point", "sync", "async"])
def test_make_vec_collects_pictures_in_every_way(way):
    options = {"render_mode": "rgb_array_list", "vectorization_mode": way, **SIZE}
    envs = gymnasium.make_vec("phalanx/CartPole-v0", num_envs=2, **options)
    envs.reset(seed=0)
    envs.step(ACTIONS[0, :2])
    assert [[picture.shape for picture in film] for film in envs.call("render")] == [[(12, 16, 3)] * 2] * 2
    again = gymnasium.make_vec(envs.spec)
    assert again.spec == envs.spec and again.render_mode == "rgb_array_list"
    envs.close()
    again.close()


# --- after it was closed


AFTER = {
    "reset": lambda envs: envs.reset(seed=0),
    "step": lambda envs: envs.step(np.zeros(envs.action_space.shape)),
    "render": lambda envs: envs.render(),
    "set_state": lambda envs: envs.set_state(place=0.0),
    "get_attr": lambda envs: envs.get_attr("place"),
    "set_attr": lambda envs: envs.set_attr("place", 0.0),
    "call": lambda envs: envs.call("describe"),
}


@pytest.mark.parametrize("name", AFTER)
def test_a_closed_environment_says_so(name):
    makers = [lambda: Told().make_vec(2)]
    makers += [Told().make] if name in ("reset", "step", "render", "set_state") else []
    for make in makers:
        envs = make()
        envs.reset(seed=0)
        AFTER[name](envs)
        envs.close()
        envs.close()
        for kind in (PhalanxError, gymnasium.error.ClosedEnvironmentError):
            with pytest.raises(kind, match="Told: the environment is closed; make another one"):
                AFTER[name](envs)
        # what does not ask the worlds stays
        assert envs.action_space.sample() in envs.action_space and "place" in str(envs.worlds.rows)


# --- actions that are drawn


class Chosen(Told):
    """Pushes to the left or to the right."""

    action_count = 2
    action_low = action_high = None

    def control(self, m, d):
        d.ctrl[0] = 2.0 * d.action[0] - 1.0


@pytest.mark.parametrize("kind", [Told, Chosen])
def test_the_same_seed_draws_the_same_actions(kind):
    env = kind().make()
    env.action_space.seed(123)
    theirs = SyncVectorEnv([lambda: env] * 3)
    one, ours, again = (kind().make_vec(n) for n in (1, 3, 3))
    for envs in (one, ours, again):
        envs.action_space.seed(123)
    assert one.action_space.np_random.bit_generator.state == env.action_space.np_random.bit_generator.state
    for _ in range(20):
        drawn = ours.action_space.sample()
        assert drawn in ours.action_space
        assert np.array_equal(drawn, again.action_space.sample())
        assert np.array_equal(drawn, theirs.action_space.sample())
        # Gymnasium draws one choice in another way than several
        assert kind is Chosen or np.array_equal(one.action_space.sample(), env.action_space.sample()[None])
    # a seed of worlds is none of actions
    ours.reset(seed=5)
    assert np.array_equal(ours.action_space.sample(), again.action_space.sample())


@pytest.mark.parametrize("is_listed", [True, False])
def test_choices_are_made_world_by_world(is_listed):
    envs = Chosen().make_vec(8)
    envs.reset(seed=0)
    assert isinstance(envs.single_action_space, gymnasium.spaces.Discrete)
    assert isinstance(envs.action_space, gymnasium.spaces.MultiDiscrete)
    actions = [envs.single_action_space.sample() for _ in range(8)] if is_listed else envs.action_space.sample()
    seen, reward, *_ = envs.step(actions)
    assert seen.shape == envs.observation_space.shape and reward.shape == (8,)
    assert np.array_equal(envs.batch.ctrl[:, 0], 2.0 * np.asarray(actions) - 1.0)
    envs.close()


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


@pytest.mark.conformance
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
