"""Environments that come with Phalanx: a row each. A task is a file in `learn/tasks/`."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from phalanx.learn.task import Task
from phalanx.memory.errors import UnknownNameError, suggestion

#: What the names of environments begin with, for Gymnasium.
NAMESPACE = "phalanx"


@dataclass(frozen=True)
class EnvRow:
    """An environment by name.

    Attributes:
        name: "CartPole-v0"; Gymnasium knows it as "phalanx/CartPole-v0".
        task: "module:class".
        doc: what is to be done, in a line.
        parameters: of the task.
        options: of environments, such as {"observation_dtype": "float64"}.
    """

    name: str
    task: str
    doc: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The name for Gymnasium."""
        return f"{NAMESPACE}/{self.name}"

    def make(self, **parameters: Any) -> Task:
        """The task, with parameters changed."""
        module, _, name = self.task.partition(":")
        kind = getattr(importlib.import_module(module), name)
        return kind(**{**self.parameters, **parameters})


ENVS: dict[str, EnvRow] = {
    row.name: row
    for row in (
        EnvRow("CartPole-v0", "phalanx.learn.tasks.cart_pole:CartPole", "keep a pole upright on a cart"),
    )
}  # fmt: skip


def task_named(name: str, **parameters: Any) -> Task:
    """The task of an environment: "CartPole-v0", or "phalanx/CartPole-v0"."""
    return row_named(name).make(**parameters)


def row_named(name: str) -> EnvRow:
    """The row of an environment."""
    plain = name.removeprefix(f"{NAMESPACE}/")
    if plain not in ENVS:
        raise UnknownNameError(f"there is no environment {name!r}{suggestion(plain, ENVS)}")
    return ENVS[plain]
