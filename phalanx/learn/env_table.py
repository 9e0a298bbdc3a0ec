"""Environments that come with Phalanx: a row each. A task is a file in `learn/tasks/`."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from phalanx.learn.task import Task
from phalanx.learn.tasks.terrain import Terrain
from phalanx.memory.errors import UnknownNameError, suggestion

#: What the names of environments begin with, for Gymnasium.
NAMESPACE = "phalanx"
#: Where the tasks are.
TASKS = "phalanx.learn.tasks"
#: Grounds with tiles of rising difficulty.
ROUGH, STAIRS = Terrain("rough", levels=6), Terrain("stairs", levels=6)
#: Observations in double precision, as those of Gymnasium and of dm_control are.
DOUBLE = {"observation_dtype": "float64"}


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
        EnvRow("CartPole-v0", f"{TASKS}.cart_pole:CartPole", "keep a pole upright on a cart"),
        # built-in robots
        EnvRow("QuadrupedVelocity-v0", f"{TASKS}.walking_robots:QuadrupedVelocity", "walk on four legs as commanded"),
        EnvRow("QuadrupedRough-v0", f"{TASKS}.walking_robots:QuadrupedVelocity",
               "walk as commanded on rough ground, with a curriculum", {"terrain": ROUGH}),
        EnvRow("QuadrupedStairs-v0", f"{TASKS}.walking_robots:QuadrupedVelocity",
               "walk as commanded on stairs, with a curriculum", {"terrain": STAIRS}),
        EnvRow("QuadrupedDiffering-v0", f"{TASKS}.walking_robots:DifferingQuadruped",
               "walk as commanded: friction, masses and gains differ"),
        EnvRow("HumanoidVelocity-v0", f"{TASKS}.walking_robots:HumanoidVelocity", "walk on two legs as commanded"),
        EnvRow("HumanoidRough-v0", f"{TASKS}.walking_robots:HumanoidVelocity",
               "walk as commanded on rough ground, with a curriculum", {"terrain": ROUGH}),
        EnvRow("HumanoidDiffering-v0", f"{TASKS}.walking_robots:DifferingHumanoid",
               "walk as commanded: friction, masses and gains differ"),
        EnvRow("ArmReach-v0", f"{TASKS}.arm_reach:ArmReach", "bring the tool of an arm to a point"),
        EnvRow("GripperPick-v0", f"{TASKS}.gripper_pick:GripperPick", "pick up a cube and bring it to a point"),
        # those of Gymnasium
        EnvRow("Reacher-v5", f"{TASKS}.gym.reacher:Reacher", "reach a target in a plane", options=DOUBLE),
        EnvRow("Pusher-v5", f"{TASKS}.gym.pusher:Pusher", "push an object to a goal", options=DOUBLE),
        EnvRow("InvertedPendulum-v5", f"{TASKS}.gym.inverted_pendulum:InvertedPendulum",
               "balance a pole", options=DOUBLE),
        EnvRow("InvertedDoublePendulum-v5", f"{TASKS}.gym.inverted_double_pendulum:InvertedDoublePendulum",
               "balance two poles on top of each other", options=DOUBLE),
        EnvRow("HalfCheetah-v5", f"{TASKS}.gym.half_cheetah:HalfCheetah", "run in a plane", options=DOUBLE),
        EnvRow("Hopper-v5", f"{TASKS}.gym.hopper:Hopper", "hop on one leg in a plane", options=DOUBLE),
        EnvRow("Swimmer-v5", f"{TASKS}.gym.swimmer:Swimmer", "swim in a plane", options=DOUBLE),
        EnvRow("Walker2d-v5", f"{TASKS}.gym.walker2d:Walker2d", "walk on two legs in a plane", options=DOUBLE),
        EnvRow("Ant-v5", f"{TASKS}.gym.ant:Ant", "walk on four legs", options=DOUBLE),
        EnvRow("Humanoid-v5", f"{TASKS}.gym.humanoid:Humanoid", "walk on two legs", options=DOUBLE),
        EnvRow("HumanoidStandup-v5", f"{TASKS}.gym.humanoid_standup:HumanoidStandup", "stand up", options=DOUBLE),
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
