"""Worlds of a task as a `VecEnv` of Stable-Baselines3 (`pip install stable-baselines3`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from phalanx.learn.spaces import grouped
from phalanx.learn.task import Task
from phalanx.learn.vector_env import TaskVectorEnv


class Sb3VecEnv(VecEnv):
    """n worlds of a task; episodes begin anew in the step in which they end, as Stable-Baselines3 expects it.

    Args:
        task: the task.
        num_envs: how many worlds.
        **options: of `TaskVectorEnv`.
    """

    def __init__(self, task: Task, num_envs: int, **options: Any):
        self.envs = TaskVectorEnv(task, num_envs, **{**options, "autoreset_mode": "same_step"})
        super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)
        self.metadata = self.envs.metadata
        self._actions: Any = None

    def seed(self, seed: int | None = None) -> list[int | None]:
        """World i gets seed + i at the next reset."""
        self._seeds = [None if seed is None else seed + world for world in range(self.num_envs)]
        return self._seeds

    def reset(self) -> Any:
        """Begin all episodes, with the seeds and options that were set before."""
        observation, _ = self.envs.reset(seed=self._seeds)
        for world, options in enumerate(self._options):
            if options:
                observation = self.envs.set_state([world], **options)
        self.reset_infos = [self._rows(self.envs.worlds.rows, world) for world in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return observation

    def step_async(self, actions: np.ndarray) -> None:
        """Note the actions of the next step."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Do the actions; infos of episodes that ended have their last observation and the last rows of the task."""
        observation, reward, terminated, truncated, info = self.envs.step(self._actions)
        done = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        worlds = self.envs.worlds
        for world in np.flatnonzero(done).tolist():
            infos[world] = {
                **self._rows(info["final_info"], world),
                "terminal_observation": grouped(self.envs.task, worlds.final_observation[world].copy()),
                "TimeLimit.truncated": bool(truncated[world] and not terminated[world]),
                "episode": {"r": float(worlds.final_total[world]), "l": int(worlds.final_steps[world])},
            }
            if "failed" in info and info["failed"][world]:
                infos[world] |= {key: info[key][world] for key in ("failed", "bad_files") if key in info}
        return observation, reward.astype(np.float32), done, infos

    def _rows(self, info: Mapping[str, Any], world: int) -> dict[str, Any]:
        """Rows of the task that are shown, of one world."""
        shown = {row.name: info[row.name][world] for row in self.envs.task.state if row.info}
        return {name: value.copy() if np.ndim(value) else value.item() for name, value in shown.items()}

    def close(self) -> None:
        """End the threads."""
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the environment, once for each world."""
        return [getattr(self.envs, attr_name)] * len(self._indices(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of the environment."""
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call a method of the environment; its result, once for each world."""
        result = getattr(self.envs, method_name)(*method_args, **method_kwargs)
        return [result] * len(self._indices(indices))

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """There are no wrappers inside."""
        return [False] * len(self._indices(indices))

    def get_images(self) -> Sequence[np.ndarray | None]:
        """Pictures of all worlds."""
        return self.envs.render() or [None] * self.num_envs

    def _indices(self, indices: Any) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        return [indices] if isinstance(indices, int) else list(indices)
