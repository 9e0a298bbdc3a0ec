"""Environments that come with Phalanx: a row each. A task is a file in `learn/tasks/`."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from phalanx.learn.task import Task
from phalanx.learn.tasks.walking_ground import Terrain
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

    @property
    def kind(self) -> type[Task]:
        """The class of the task."""
        module, _, name = self.task.partition(":")
        return getattr(importlib.import_module(module), name)

    def make(self, **parameters: Any) -> Task:
        """The task, with parameters changed."""
        return self.kind(**{**self.parameters, **parameters})


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
        # those of dm_control
        EnvRow("dm-acrobot-swingup", f"{TASKS}.dm.acrobot:Acrobot",
               "bring the tip of two links to the top", options=DOUBLE),
        EnvRow("dm-acrobot-swingup_sparse", f"{TASKS}.dm.acrobot:Acrobot",
               "the same, paid all or nothing", {"sparse": True}, options=DOUBLE),
        EnvRow("dm-ball_in_cup-catch", f"{TASKS}.dm.ball_in_cup:BallInCup", "swing a ball into a cup", options=DOUBLE),
        EnvRow("dm-cartpole-balance", f"{TASKS}.dm.cartpole:Cartpole", "keep a pole upright", options=DOUBLE),
        EnvRow("dm-cartpole-balance_sparse", f"{TASKS}.dm.cartpole:Cartpole",
               "the same, paid all or nothing", {"sparse": True}, options=DOUBLE),
        EnvRow("dm-cartpole-swingup", f"{TASKS}.dm.cartpole:Cartpole",
               "swing a pole up and keep it there", {"swing_up": True}, options=DOUBLE),
        EnvRow("dm-cartpole-swingup_sparse", f"{TASKS}.dm.cartpole:Cartpole",
               "the same, paid all or nothing", {"swing_up": True, "sparse": True}, options=DOUBLE),
        EnvRow("dm-cartpole-two_poles", f"{TASKS}.dm.cartpole:Cartpole",
               "swing two poles up", {"swing_up": True, "num_poles": 2}, options=DOUBLE),
        EnvRow("dm-cartpole-three_poles", f"{TASKS}.dm.cartpole:Cartpole",
               "swing three poles up", {"swing_up": True, "num_poles": 3}, options=DOUBLE),
        EnvRow("dm-cheetah-run", f"{TASKS}.dm.cheetah:Cheetah", "run in a plane", options=DOUBLE),
        EnvRow("dm-dog-stand", f"{TASKS}.dm.dog:Dog", "stand as a dog", options=DOUBLE),
        EnvRow("dm-dog-walk", f"{TASKS}.dm.dog:Dog", "walk as a dog", {"move_speed": 1.0}, options=DOUBLE),
        EnvRow("dm-dog-trot", f"{TASKS}.dm.dog:Dog", "trot as a dog", {"move_speed": 3.0}, options=DOUBLE),
        EnvRow("dm-dog-run", f"{TASKS}.dm.dog:Dog", "run as a dog", {"move_speed": 9.0}, options=DOUBLE),
        EnvRow("dm-dog-fetch", f"{TASKS}.dm.dog:DogFetch", "fetch a ball as a dog", options=DOUBLE),
        EnvRow("dm-finger-spin", f"{TASKS}.dm.finger:FingerSpin", "spin a spinner", options=DOUBLE),
        EnvRow("dm-finger-turn_easy", f"{TASKS}.dm.finger:FingerAim",
               "rotate a spinner to a large target", options=DOUBLE),
        EnvRow("dm-finger-turn_hard", f"{TASKS}.dm.finger:FingerAim",
               "rotate a spinner to a small target", {"target_radius": 0.03}, options=DOUBLE),
        EnvRow("dm-fish-upright", f"{TASKS}.dm.fish:FishUpright", "float upright", options=DOUBLE),
        EnvRow("dm-fish-swim", f"{TASKS}.dm.fish:FishSwim", "swim to a target", options=DOUBLE),
        EnvRow("dm-hopper-stand", f"{TASKS}.dm.hopper:Hopper", "stand on one leg", options=DOUBLE),
        EnvRow("dm-hopper-hop", f"{TASKS}.dm.hopper:Hopper", "hop on one leg", {"hop_speed": 2.0}, options=DOUBLE),
        EnvRow("dm-humanoid-stand", f"{TASKS}.dm.humanoid:Humanoid", "stand", options=DOUBLE),
        EnvRow("dm-humanoid-walk", f"{TASKS}.dm.humanoid:Humanoid", "walk", {"move_speed": 1.0}, options=DOUBLE),
        EnvRow("dm-humanoid-run", f"{TASKS}.dm.humanoid:Humanoid", "run", {"move_speed": 10.0}, options=DOUBLE),
        EnvRow("dm-humanoid-run_pure_state", f"{TASKS}.dm.humanoid:Humanoid",
               "run, seeing the whole state", {"move_speed": 10.0, "pure_state": True}, options=DOUBLE),
        EnvRow("dm-humanoid_CMU-stand", f"{TASKS}.dm.humanoid:HumanoidCMU", "stand", options=DOUBLE),
        EnvRow("dm-humanoid_CMU-walk", f"{TASKS}.dm.humanoid:HumanoidCMU", "walk", {"move_speed": 1.0}, options=DOUBLE),
        EnvRow("dm-humanoid_CMU-run", f"{TASKS}.dm.humanoid:HumanoidCMU", "run", {"move_speed": 10.0}, options=DOUBLE),
        EnvRow("dm-lqr-lqr_2_1", f"{TASKS}.dm.lqr:Lqr", "bring two masses to rest", options=DOUBLE),
        EnvRow("dm-lqr-lqr_6_2", f"{TASKS}.dm.lqr:Lqr", "bring six masses to rest",
               {"bodies": 6, "actuators": 2}, options=DOUBLE),
        EnvRow("dm-manipulator-bring_ball", f"{TASKS}.dm.manipulator:Manipulator",
               "bring a ball to a place", options=DOUBLE),
        EnvRow("dm-manipulator-bring_peg", f"{TASKS}.dm.manipulator:Manipulator",
               "bring a peg to a place", {"use_peg": True}, options=DOUBLE),
        EnvRow("dm-manipulator-insert_ball", f"{TASKS}.dm.manipulator:Manipulator",
               "bring a ball into a cup", {"insert": True}, options=DOUBLE),
        EnvRow("dm-manipulator-insert_peg", f"{TASKS}.dm.manipulator:Manipulator",
               "bring a peg into a slot", {"use_peg": True, "insert": True}, options=DOUBLE),
        EnvRow("dm-pendulum-swingup", f"{TASKS}.dm.pendulum:Pendulum", "swing up a pendulum", options=DOUBLE),
        EnvRow("dm-point_mass-easy", f"{TASKS}.dm.point_mass:PointMass", "bring a point to the middle", options=DOUBLE),
        EnvRow("dm-point_mass-hard", f"{TASKS}.dm.point_mass:PointMassHard",
               "the same, with actuators in random directions", options=DOUBLE),
        EnvRow("dm-quadruped-walk", f"{TASKS}.dm.quadruped:Quadruped", "walk on four legs", options=DOUBLE),
        EnvRow("dm-quadruped-run", f"{TASKS}.dm.quadruped:Quadruped",
               "run on four legs", {"speed": 5.0}, options=DOUBLE),
        EnvRow("dm-quadruped-escape", f"{TASKS}.dm.quadruped:QuadrupedEscape", "climb out of a bowl", options=DOUBLE),
        EnvRow("dm-quadruped-fetch", f"{TASKS}.dm.quadruped:QuadrupedFetch",
               "bring a ball to the middle", options=DOUBLE),
        EnvRow("dm-reacher-easy", f"{TASKS}.dm.reacher:Reacher", "reach a large target in a plane", options=DOUBLE),
        EnvRow("dm-reacher-hard", f"{TASKS}.dm.reacher:Reacher",
               "reach a small target in a plane", {"target_size": 0.015}, options=DOUBLE),
        EnvRow("dm-stacker-stack_2", f"{TASKS}.dm.stacker:Stacker", "stack two boxes", options=DOUBLE),
        EnvRow("dm-stacker-stack_4", f"{TASKS}.dm.stacker:Stacker", "stack four boxes", {"boxes": 4}, options=DOUBLE),
        EnvRow("dm-swimmer-swimmer6", f"{TASKS}.dm.swimmer:Swimmer", "swim to a target with 6 links", options=DOUBLE),
        EnvRow("dm-swimmer-swimmer15", f"{TASKS}.dm.swimmer:Swimmer",
               "swim to a target with 15 links", {"links": 15}, options=DOUBLE),
        EnvRow("dm-walker-stand", f"{TASKS}.dm.walker:Walker", "stand in a plane", options=DOUBLE),
        EnvRow("dm-walker-walk", f"{TASKS}.dm.walker:Walker", "walk in a plane", {"move_speed": 1.0}, options=DOUBLE),
        EnvRow("dm-walker-run", f"{TASKS}.dm.walker:Walker", "run in a plane", {"move_speed": 8.0}, options=DOUBLE),
    )
}  # fmt: skip


def task_named(name: str, **parameters: Any) -> Task:
    """The task of an environment: "CartPole-v0", or "phalanx/CartPole-v0"."""
    return row_named(name).make(**parameters)


def row_named(name: str) -> EnvRow:
    """The row of an environment."""
    if not isinstance(name, str):
        raise UnknownNameError(f"an environment is asked for by name, not by {type(name).__name__}")
    # names of Gymnasium have one slash; "dm/cartpole-swingup" is understood, too
    plain = name.removeprefix(f"{NAMESPACE}/").replace("/", "-")
    if plain not in ENVS:
        raise UnknownNameError(f"there is no environment {name!r}{suggestion(plain, ENVS)}")
    return ENVS[plain]
