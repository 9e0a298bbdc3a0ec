"""Stand, walk or run on two legs in a plane."""

from __future__ import annotations

from phalanx.learn.task_rows import Signal
from phalanx.learn.tasks.dm.suite_task import XX, XZ, ZZ, SuiteTask, random_joints, write_velocity
from phalanx.learn.tasks.dm.tolerance import INF, gaussian, linear, tolerance


class Walker(SuiteTask):
    """The reward is for standing, times one for `move_speed` [m/s] if that is not zero."""

    xml_file = "walker.xml"
    frame_skip = 10
    move_speed, stand_height = 0.0, 1.2

    def setup(self) -> None:
        """Where torso and sensor are."""
        model = self.model
        self.torso, self.speed = model.body("torso").id, self.sensor("torso_subtreelinvel")
        bodies = [model.body(k).name for k in range(1, model.nbody)]
        names = tuple(f"{word} of {body}" for body in bodies for word in ("cosine", "sine"))
        self.observation = (
            Signal("orientations", len(names), names=names), Signal("height", unit="m"),
            self.velocity_signal(),
        )  # fmt: skip

    def observe(self, m, d, out):
        """Orientations, height, velocities."""
        for body in range(1, m.nbody):
            out[2 * body - 2] = d.xmat[body, XX]
            out[2 * body - 1] = d.xmat[body, XZ]
        first = 2 * (m.nbody - 1)
        out[first] = d.xpos[self.torso, 2]
        write_velocity(m, d, out, first + 1)

    def reward(self, m, d):
        """Standing, and moving."""
        height = tolerance(d.xpos[self.torso, 2], self.stand_height, INF, 0.5 * self.stand_height, gaussian)
        standing = (3.0 * height + 0.5 * (1.0 + d.xmat[self.torso, ZZ])) / 4.0
        if self.move_speed == 0.0:
            return standing
        move = tolerance(d.sensordata[self.speed], self.move_speed, INF, 0.5 * self.move_speed, linear, 0.5)
        return standing * (5.0 * move + 1.0) / 6.0

    def reset(self, m, d, rng):
        """Joints anywhere in their ranges."""
        random_joints(m, d, rng)
