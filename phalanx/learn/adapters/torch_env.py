"""Worlds of a task with tensors of torch, which share memory with the worlds (`pip install torch`)."""

from __future__ import annotations

from typing import Any

import torch

from phalanx.learn.task import Task
from phalanx.learn.vector_env import TaskVectorEnv


class TorchEnvs:
    """n worlds of a task, begun anew in the step in which their episode ends; nothing is copied.

    A tensor of observations is there until the second step after it; rewards and ends of episodes until the next.

    Args:
        task: the task.
        num_envs: how many worlds.
        **options: of `TaskVectorEnv`.

    Attributes:
        envs: the environment of Gymnasium.
        final_observation: the last observations of episodes that ended in the last step.
    """

    def __init__(self, task: Task, num_envs: int, **options: Any):
        self.envs = TaskVectorEnv(task, num_envs, **{"autoreset_mode": "same_step", **options, "copy": False})
        self._share()

    def _share(self) -> None:
        """Tensors in the memory of the worlds."""
        worlds = self.envs.worlds
        self._tensors = {id(buffer): torch.from_numpy(buffer) for buffer in worlds._buffers}
        self._outcome = tuple(torch.from_numpy(x) for x in (worlds.reward, worlds.terminated, worlds.truncated))
        self.final_observation = torch.from_numpy(worlds.final_observation)

    def __getstate__(self) -> dict[str, Any]:
        return {"envs": self.envs}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.envs = state["envs"]
        self._share()

    def reset(self, seed: int | None = None, **options: Any) -> torch.Tensor:
        """Begin new episodes; the observations, (n, numbers)."""
        self.envs.reset(seed=seed, options=options or None)
        return self._tensors[id(self.envs.worlds.observation)]

    def step(
        self, actions: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, dict[str, Any]]:
        """Do actions: observations, rewards, terminated, truncated, infos."""
        *_, info = self.envs.step(actions)
        return self._tensors[id(self.envs.worlds.observation)], *self._outcome, info
