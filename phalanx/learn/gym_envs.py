"""The environments of the table for `gymnasium.make`."""

from __future__ import annotations

import inspect
from typing import Any

from phalanx.learn.env_table import row_named
from phalanx.learn.gym_env import TaskEnv
from phalanx.learn.task import Task
from phalanx.learn.vector_env import TaskVectorEnv
from phalanx.memory.errors import suggestion

#: Arguments that belong to the environment; all others are parameters of the task.
_OPTIONS = (
    *(name for name, row in inspect.signature(TaskVectorEnv).parameters.items() if row.kind is row.KEYWORD_ONLY),
    "vary",
)


def make_env(name: str, **arguments: Any) -> TaskEnv:
    """An environment of the table."""
    task, options = _divided(name, arguments)
    return TaskEnv(task, **options)


#: By this Gymnasium knows what it can make of pictures: "rgb_array_list" is a list of those of an episode.
make_env.metadata = TaskEnv.metadata  # type: ignore[attr-defined]


def make_vector_env(name: str, num_envs: int = 1, **arguments: Any) -> TaskVectorEnv:
    """Many worlds of an environment of the table."""
    task, options = _divided(name, arguments)
    return TaskVectorEnv(task, num_envs, **options)


def _divided(name: str, arguments: dict[str, Any]) -> tuple[Task, dict[str, Any]]:
    """The task, and options of the environment."""
    row = row_named(name)
    options = {**row.options, **{key: value for key, value in arguments.items() if key in _OPTIONS}}
    parameters = {key: value for key, value in arguments.items() if key not in _OPTIONS}
    if "max_episode_steps" in parameters:
        parameters["max_steps"] = parameters.pop("max_episode_steps")
    known = row.kind.parameter_names()
    for key in parameters:
        if key not in known:  # as Python says it, which is what callers of gymnasium.make look for
            hint = suggestion(key, [*known, *_OPTIONS])
            raise TypeError(f"{row.id} got an unexpected keyword argument {key!r}{hint}")
    return row.make(**parameters), options
