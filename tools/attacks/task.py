"""Definitions of tasks with odd attributes; environments that are called with odd actions, seeds, masks and options.

What must not happen: a crash, a hang, an exception that is not ours (or Gymnasium's own), observations that are not
finite without an error.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import phalanx
from phalanx import Row, Signal, Task
from phalanx.learn.env_table import task_named
from tools.attack_calls import OURS, Call, attack_in_processes, odd, play_calls, small, sometimes

MODEL = """
<mujoco><option timestep=".01"/><worldbody><geom name="floor" type="plane" size="3 3 .1"/>
<body name="arm" pos="0 0 .5"><joint name="hinge" axis="0 1 0" range="-2 2" damping=".1"/>
<geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/></body></worldbody>
<actuator><motor name="motor" joint="hinge" ctrlrange="-1 1" ctrllimited="true"/></actuator></mujoco>"""


class Swing(Task):
    """An arm that swings: what is attacked."""

    model = phalanx.Model.from_xml_string(MODEL)
    observation = (Signal("angle", 1), Signal("velocity", 1))
    state = (Row("goal", 1),)
    vary = ("body_mass",)
    frame_skip = 2
    max_steps = 20
    weight = 1.0

    def observe(self, m: Any, d: Any, out: Any) -> None:
        """Angle and velocity."""
        out[0] = d.qpos[0]
        out[1] = d.qvel[0]

    def reward(self, m: Any, d: Any) -> Any:
        """Near the goal."""
        return -self.weight * abs(d.qpos[0] - d.task.goal[0])

    def terminated(self, m: Any, d: Any) -> Any:
        """Too fast."""
        return abs(d.qvel[0]) > 50.0

    def reset(self, m: Any, d: Any, rng: Any) -> None:
        """Another goal."""
        d.task.goal[0] = rng.uniform(-1.0, 1.0)

    def randomize(self, m: Any, d: Any, rng: Any) -> None:
        """Another mass."""
        m.body_mass[1] = rng.uniform(0.5, 2.0)


#: Attributes that a definition can set.
PARAMETERS = (
    "model", "observation", "state", "vary", "frame_skip", "max_steps", "refresh", "action_size", "action_low",
    "action_high", "action_count", "action_names", "reward_range", "weight", "nothing",
)  # fmt: skip


def _checked(result: tuple[Any, ...]) -> None:
    if not np.isfinite(np.asarray(result[0], float)).all():
        raise AssertionError("an observation that is not finite was given without an error")


def _actions(rng: random.Random, shape: tuple[int, ...]) -> Any:
    """Good actions, and bad ones of the right shape or not."""
    kind = rng.randrange(6)
    numbers = np.random.default_rng(rng.randrange(2**32)).uniform(-1.0, 1.0, shape)
    if kind == 0:
        return odd(rng)
    if kind == 1:
        numbers[(0,) * len(shape)] = rng.choice((np.nan, np.inf, 1e300, -1e300))
    if kind == 2:
        return numbers.astype(rng.choice(("f4", "i8", "?", "c16", "O", "f2")))
    if kind == 3:
        return numbers[..., None]
    return numbers


def calls_of_task(seed: int) -> list[Call]:
    """What can be asked of a task, of an environment and of a vector of them."""
    task = Swing()
    one, many = task.make(), task.make_vec(6, threads=2)
    one.reset(seed=seed)
    many.reset(seed=seed)
    shape = (6, 1)

    def define(rng: random.Random) -> None:
        """A definition with odd attributes, used if it is accepted."""
        given = {rng.choice(PARAMETERS): small(odd(rng)) for _ in range(rng.randint(1, 2))}
        env = Swing(**given).make_vec(2)
        env.reset(seed=1)
        env.step(env.action_space.sample())
        env.close()

    return [
        define,
        lambda rng: _checked(many.step(_actions(rng, shape))),
        lambda rng: _checked(one.step(_actions(rng, (1,)))),
        lambda rng: many.reset(seed=sometimes(rng, 3), options=sometimes(rng, None)),
        lambda rng: many.reset(options={"reset_mask": odd(rng)}),
        lambda rng: many.reset(options={"reset_mask": np.random.default_rng(rng.randrange(99)).random(6) < 0.5}),
        lambda rng: many.reset(seed=[sometimes(rng, 3) for _ in range(rng.choice((2, 6)))]),
        lambda rng: one.reset(seed=sometimes(rng, 3), options=sometimes(rng, None)),
        lambda rng: many.set_state(sometimes(rng, None), qpos=sometimes(rng, np.zeros(shape))),
        lambda rng: one.set_state(qvel=sometimes(rng, np.zeros(1))),
        lambda rng: one.set_state(**{str(odd(rng)): 1.0}),
        lambda rng: (many.describe(), one.describe(), task.describe(), repr(many)),
        lambda rng: task.make_vec(sometimes(rng, 2), threads=sometimes(rng, 1), autoreset_mode=odd(rng)),
        lambda rng: task.make(render_mode=sometimes(rng, None)).render(),
        lambda rng: task_named(sometimes(rng, "CartPole", 0.2)),
        lambda rng: (many.reset(seed=5), many.step(np.zeros(shape))),
    ]


def play(seed: int, rounds: int) -> list[str]:
    """A sequence of calls; what was found."""
    import gymnasium

    return play_calls(seed, rounds, calls_of_task(seed), (*OURS, gymnasium.error.Error))


def attack(seed: int, seconds: float) -> list[str]:
    """Play until the time is over; one line for each finding."""
    return attack_in_processes("task", seed, seconds, 80)
