"""Worlds of a task in the manner of Brax: `state = env.reset(seed)`, `state = env.step(state, action)`.

Unlike there, a state is no pure value: worlds live in one place, and only the last state can be stepped. Arrays are
those of NumPy; `jax.numpy.from_dlpack(state.obs)` takes them as they are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from phalanx.learn.spaces import grouped
from phalanx.learn.task import Task
from phalanx.learn.vector_env import TaskVectorEnv
from phalanx.memory.errors import FieldError


class BraxState(NamedTuple):
    """What a step gives.

    Attributes:
        obs: observations, (n, numbers).
        reward: (n,).
        done: (n,), 1 where an episode has ended, else 0; it begins anew in the same step.
        metrics: rows of the task that are shown.
        info: "truncation" (n,), "final_obs" (n, numbers) where episodes ended, and what else environments tell.
        age: how many steps there were before.
    """

    obs: Any
    reward: np.ndarray
    done: np.ndarray
    metrics: dict[str, np.ndarray]
    info: dict[str, Any]
    age: int


class BraxStyle:
    """n worlds of a task.

    Args:
        task: the task.
        batch_size: how many worlds.
        **options: of `TaskVectorEnv`.
    """

    def __init__(self, task: Task, batch_size: int, **options: Any):
        self.envs = TaskVectorEnv(task, batch_size, **{**options, "autoreset_mode": "same_step"})
        self.observation_size, self.action_size = task.observation_size, task.actions
        self._count = 0

    def reset(self, seed: int) -> BraxState:
        """Begin all episodes; world i gets seed + i."""
        observation, info = self.envs.reset(seed=int(seed))
        zeros = np.zeros(self.envs.num_envs)
        self._count += 1
        return BraxState(
            observation, zeros, zeros.copy(), self._metrics(info), {"truncation": zeros.copy()}, self._count
        )

    def step(self, state: BraxState, action: Any) -> BraxState:
        """Do actions in the worlds of the last state."""
        if state.age != self._count:
            raise FieldError("only the last state can be stepped: worlds live in one place")
        observation, reward, terminated, truncated, info = self.envs.step(action)
        self._count += 1
        done = (terminated | truncated).astype(reward.dtype)
        told = {**info, "truncation": (truncated & ~terminated).astype(reward.dtype)}
        if "final_obs" in told:
            told["final_obs"] = grouped(self.envs.task, self.envs.worlds.final_observation.copy())
        return BraxState(observation, reward, done, self._metrics(info), told, self._count)

    def _metrics(self, info: dict[str, Any]) -> dict[str, np.ndarray]:
        return {row.name: info[row.name] for row in self.envs.task.state if row.info}
