"""Tasks: physics, observation, reward and reset in one compiled pass, and environments made of them."""

from __future__ import annotations

import contextlib

from phalanx.learn import distributed
from phalanx.learn.bad_worlds import BadWorld, replay_bad
from phalanx.learn.env_table import ENVS, EnvRow, task_named
from phalanx.learn.task import Task, check_gymnasium
from phalanx.learn.task_rows import Row, Signal
from phalanx.learn.task_worlds import TaskWorlds
from phalanx.memory.errors import MissingPackageError

__all__ = [
    "ENVS", "BadWorld", "EnvRow", "Row", "Signal", "Task", "TaskWorlds", "distributed", "register_envs", "replay_bad",
    "task_named",
]  # fmt: skip


def register_envs() -> None:
    """Make the environments of `ENVS` known to `gymnasium.make`, as "phalanx/CartPole-v0" and so on."""
    check_gymnasium()
    import gymnasium

    module = "phalanx.learn.gym_envs"  # imported when the first environment is made
    for row in ENVS.values():
        if row.id not in gymnasium.registry:
            gymnasium.register(
                row.id, entry_point=f"{module}:make_env", vector_entry_point=f"{module}:make_vector_env",
                kwargs={"name": row.name},
            )  # fmt: skip


# Gymnasium looks for no plugins: who imports Phalanx finds its environments, where Gymnasium is installed
with contextlib.suppress(MissingPackageError):
    register_envs()
