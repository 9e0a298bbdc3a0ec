"""Swing a ball on a string into a cup."""

from __future__ import annotations

import numpy as np

from phalanx.algebra.number import abs_, and_, where
from phalanx.learn.task_rows import Signal
from phalanx.learn.tasks.dm.suite_task import PosesTask
from phalanx.learn.tasks.signals import state_signals, write_state
from phalanx.world.data import Data


class BallInCup(PosesTask):
    """One is paid while the ball is in the cup."""

    xml_file = "ball_in_cup.xml"
    observation: tuple[Signal, ...]

    def setup(self) -> None:
        """Where ball and cup are."""
        model = self.model
        self.ball, self.target = model.body("ball").id, model.site("target").id
        room = model.site_size[self.target] - model.geom_size[model.geom("ball").id, 0]
        self.room = float(room[0]), float(room[2])
        self.frame_skip = round(0.02 / float(model.opt.timestep))
        self.observation = state_signals(model)
        self.starts = self.find_poses()

    def find_pose(self, data: Data, rng: np.random.Generator) -> None:
        """The ball anywhere above the cup, not in its walls."""
        for name, low, high in (("ball_x", -0.2, 0.2), ("ball_z", 0.2, 0.5)):
            data.qpos[int(self.model.jnt_qposadr[self.model.joint(name).id])] = rng.uniform(low, high)
        data.forward()

    def observe(self, m, d, out):
        """The whole state."""
        write_state(m, d, out, 0)

    def reward(self, m, d):
        """One if the ball is in the cup."""
        x = abs_(d.site_xpos[self.target, 0] - d.xpos[self.ball, 0])
        z = abs_(d.site_xpos[self.target, 2] - d.xpos[self.ball, 2])
        return where(and_(x < self.room[0], z < self.room[1]), 1.0, 0.0)

    def reset(self, m, d, rng):
        """A pose without contacts."""
        self.begin_in_pose(m, d, rng)
