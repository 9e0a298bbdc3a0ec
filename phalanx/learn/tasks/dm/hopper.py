"""Stand or hop on one leg in a plane."""

from __future__ import annotations

from phalanx.algebra.elementary import log
from phalanx.learn.task_rows import Signal
from phalanx.learn.tasks.dm.suite_task import SuiteTask, random_joints, small_control
from phalanx.learn.tasks.dm.tolerance import INF, linear, tolerance, within
from phalanx.learn.tasks.signals import state_signals, write_state


class Hopper(SuiteTask):
    """The reward is for standing with small controls, or for hopping at `hop_speed` [m/s] if that is not zero."""

    xml_file = "hopper.xml"
    hop_speed, stand_height = 0.0, 0.6

    def setup(self) -> None:
        """Where torso, foot and sensors are."""
        model = self.model
        self.torso, self.foot = model.body("torso").id, model.body("foot").id
        self.speed = self.sensor("torso_subtreelinvel")
        self.touches = self.sensor("touch_toe"), self.sensor("touch_heel")
        self.frame_skip = round(0.02 / float(model.opt.timestep))
        self.observation = (*state_signals(model, 1), Signal("touch", 2, names=("toe", "heel"), unit="log(1 + N)"))

    def observe(self, m, d, out):
        """The state without the position along x, and touches."""
        first = write_state(m, d, out, 1)
        for k, place in enumerate(self.touches):
            out[first + k] = log(1.0 + d.sensordata[place])

    def reward(self, m, d):
        """Standing, or hopping."""
        height = d.xipos[self.torso, 2] - d.xipos[self.foot, 2]
        standing = within(height, self.stand_height, 2.0)
        if self.hop_speed > 0.0:
            return standing * tolerance(
                d.sensordata[self.speed], self.hop_speed, INF, 0.5 * self.hop_speed, linear, 0.5
            )
        return standing * small_control(m, d)

    def reset(self, m, d, rng):
        """Joints anywhere in their ranges."""
        random_joints(m, d, rng)
