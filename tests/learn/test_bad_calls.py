"""Environments and definitions of tasks with arguments of another type: only our errors, which name the argument."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.learn.env_table import task_named
from tools.attacks.task import Swing

WORLDS = 3


@pytest.fixture(scope="module")
def envs() -> Any:
    task = Swing()
    one, many = task.make(), task.make_vec(WORLDS)
    one.reset(seed=1)
    many.reset(seed=1)
    return one, many


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"options": 3}, "options of a reset are values by name"),
        ({"options": np.float32(3)}, "options of a reset are values by name"),
        ({"options": {"reset_mask": [[1], [2, 3]]}}, "reset_mask takes numbers"),
        ({"options": {"reset_mask": np.zeros(WORLDS)}}, "reset_mask.* must have `dtype=np.bool_`, got float64"),
        ({"seed": "hinge"}, "a seed is a whole number, not str"),
        ({"seed": 2.5}, "a seed is a whole number, not float"),
        ({"seed": [1, [2], 3]}, "a seed is a whole number, not list"),
        ({"seed": [1, 2]}, "3 worlds need 3 seeds"),
    ],
)
def test_a_reset_names_what_does_not_fit(envs: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(phalanx.FieldError, match=words):
        envs[1].reset(**options)
    if "reset_mask" not in words and "3 seeds" not in words:
        with pytest.raises(phalanx.FieldError):
            envs[0].reset(**options)


def test_seeds_of_any_size_are_taken(envs: Any) -> None:
    for seed in (0, 2**70, np.int8(3), [1, None, 2**65], np.arange(WORLDS)):
        envs[1].reset(seed=seed)


@pytest.mark.parametrize(
    ("worlds", "value", "words"),
    [
        (object(), 0.0, "worlds are chosen by"),
        (2.5, 0.0, "world"),
        ([0, 7], 0.0, "world 7 does not exist"),
        (None, {}, "qpos takes numbers, not"),
        (None, "x", "qpos takes numbers"),
        (None, np.zeros((4, 4)), "qpos has shape"),
        (None, [[1], [2, 3]], "qpos takes an array of numbers"),
        (None, np.nan, "qpos takes numbers up to 1e\\+10"),
        (None, 1e300, "qpos takes numbers up to 1e\\+10"),
    ],
)
def test_a_state_names_what_does_not_fit(envs: Any, worlds: Any, value: Any, words: str) -> None:
    with pytest.raises(phalanx.FieldError, match=words):
        envs[1].set_state(worlds, qpos=value)


def test_a_state_that_does_not_fit_changes_nothing(envs: Any) -> None:
    before = envs[1].batch.qpos.copy()
    with pytest.raises(phalanx.FieldError, match="qvel"):
        envs[1].set_state(qpos=0.123, qvel=np.inf)
    np.testing.assert_array_equal(envs[1].batch.qpos, before)


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("observation", 3), ("observation", [1, 2]), ("state", print), ("frame_skip", {}), ("frame_skip", 2.5),
        ("frame_skip", 2**64), ("max_steps", "5"), ("refresh", np.zeros(3)), ("action_size", 1j),
        ("action_count", None), ("action_low", "x"), ("action_high", object()),
        ("vary", 7), ("vary", np.array("x")), ("action_names", [1]), ("action_names", np.zeros((0, 3))),
        ("reward_range", 1.0),
    ],
)  # fmt: skip
def test_a_definition_names_what_does_not_fit(attribute: str, value: Any) -> None:
    with pytest.raises(phalanx.FieldError, match=attribute):
        Swing(**{attribute: value})


@pytest.mark.parametrize("odd", [np.ones(2, bool), [1, 2], "page"])
@pytest.mark.parametrize("argument", ["render_mode", "autoreset_mode", "observation_dtype"])
def test_a_choice_that_there_is_not(argument: str, odd: Any) -> None:
    with pytest.raises(phalanx.FieldError):
        Swing().make_vec(1, **{argument: odd})


@pytest.mark.parametrize("action", [[[1], [2, 3]], object(), "x"])
def test_an_action_is_an_array_of_numbers(envs: Any, action: Any) -> None:
    for env in envs:
        with pytest.raises(phalanx.FieldError, match="action"):
            env.step(action)


def test_the_shape_of_an_action_is_that_of_one_world(envs: Any) -> None:
    one, _ = envs
    wrong = one.task.actions + 2
    with pytest.raises(phalanx.FieldError, match=rf"has shape \({wrong},\), but \({one.task.actions},\) is needed"):
        one.step(np.zeros(wrong))


@pytest.mark.parametrize("choice", [7, -1, 0.5, np.nan])
def test_a_choice_is_one_of_those_that_there_are(choice: float) -> None:
    chosen = type("Chosen", (Swing,), {"action_count": 3})()
    envs, env = chosen.make_vec(4), chosen.make()
    envs.reset(seed=0)
    env.reset(seed=0)
    with pytest.raises(phalanx.FieldError, match=r"Chosen has 3 choices, 0 to 2: \[.*\] in world 2 is none of them"):
        envs.step([0, 1, choice, 2])
    with pytest.raises(phalanx.FieldError, match="Chosen has 3 choices"):
        env.step(choice)
    envs.step([0, 1, 2.0, True])
    env.step(np.int64(2))


@pytest.mark.parametrize(
    ("make", "option", "words"),
    [
        ("make_vec", "autoreset", "TaskVectorEnv got an unexpected .* 'autoreset'; did you mean 'autoreset_mode'"),
        ("make_vec", "dytpe", "did you mean 'dtype'"),
        ("make", "autoreset_mode", "TaskEnv got an unexpected keyword argument 'autoreset_mode'"),
        ("make", "threads", "TaskEnv got an unexpected keyword argument 'threads'"),
    ],
)
def test_an_option_that_there_is_not(make: str, option: str, words: str) -> None:
    with pytest.raises(TypeError, match=words) as caught:
        getattr(Swing(), make)(*(2,) * (make == "make_vec"), **{option: "same_step"})
    assert isinstance(caught.value, phalanx.FieldError)


def test_an_action_is_blamed_before_the_reward_that_is_made_of_it() -> None:
    envs = task_named("CartPole-v0").make_vec(3)
    envs.reset(seed=0)
    with pytest.raises(phalanx.FieldError, match=r"action\[0\] is nan in world 1"):
        envs.step([0.0, np.nan, 0.0])


@pytest.mark.parametrize("name", [3, None, {}, np.zeros(3)])
def test_an_environment_has_a_name(name: Any) -> None:
    with pytest.raises(phalanx.UnknownNameError, match="by name"):
        task_named(name)
