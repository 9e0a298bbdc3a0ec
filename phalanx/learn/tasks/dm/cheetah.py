"""Run with two legs in a plane."""

from __future__ import annotations

import numpy as np

from phalanx.learn.tasks.dm.suite_task import PosesTask
from phalanx.learn.tasks.dm.tolerance import INF, linear, tolerance
from phalanx.learn.tasks.signals import state_signals, write_state
from phalanx.world.data import Data

#: Steps until the robot lies still.
SETTLING = 200


class Cheetah(PosesTask):
    """The reward grows with speed, to 1 at `speed` [m/s]."""

    xml_file = "cheetah.xml"
    speed = 10.0
    poses = 64

    def setup(self) -> None:
        """Where the speed is measured."""
        self.measured = self.sensor("torso_subtreelinvel")
        self.observation = state_signals(self.model, 1)
        self.starts = self.find_poses()

    def find_pose(self, data: Data, rng: np.random.Generator) -> None:
        """Joints anywhere in their ranges, then some time to fall."""
        limited = self.model.jnt_limited.astype(bool)
        data.qpos[limited] = rng.uniform(*self.model.jnt_range[limited].T)
        for _ in range(SETTLING):
            data.step()

    def is_fine(self, data: Data) -> bool:
        """Any pose is."""
        return True

    def observe(self, m, d, out):
        """The state, without the position along x."""
        write_state(m, d, out, 1)

    def reward(self, m, d):
        """Speed."""
        return tolerance(d.sensordata[self.measured], self.speed, INF, self.speed, linear, 0.0)

    def reset(self, m, d, rng):
        """A robot that lies still."""
        self.begin_in_pose(m, d, rng)
