"""Rotate a spinner with a finger of two joints."""

from __future__ import annotations

from typing import Any

from phalanx.algebra.elementary import log, sincos
from phalanx.algebra.number import sqrt, where
from phalanx.learn.task_rows import Row, Signal
from phalanx.learn.tasks.dm.suite_task import PI, PosesTask
from phalanx.world.spec import Spec

#: Places of x and z.
X, Z = 0, 2


class FingerTask(PosesTask):
    """What both tasks observe: the finger, the place of the spinner's tip, and touches."""

    xml_file = "finger.xml"
    frame_skip = 2

    def setup(self) -> None:
        """Where the sensors are."""
        self.joints = self.sensor("proximal"), self.sensor("distal")
        self.speeds = tuple(self.sensor(f"{name}_velocity") for name in ("proximal", "distal", "hinge"))
        self.touches = self.sensor("touchtop"), self.sensor("touchbottom")
        self.tip, self.spinner = self.sensor("tip"), self.sensor("spinner")
        self.observation = (
            Signal("position", 4, names=("proximal [rad]", "distal [rad]", "tip x [m]", "tip z [m]")),
            Signal("velocity", 3, names=("proximal", "distal", "hinge"), unit="rad/s"),
            Signal("touch", 2, names=("top", "bottom"), unit="log(1 + N)"),
        )
        self.starts = self.find_poses()

    def tip_x(self, d):
        """Tip of the spinner, from its axis."""
        return d.sensordata[self.tip + X] - d.sensordata[self.spinner + X]

    def tip_z(self, d):
        """Tip of the spinner, from its axis."""
        return d.sensordata[self.tip + Z] - d.sensordata[self.spinner + Z]

    def observe_finger(self, d, out):
        """The first nine numbers."""
        for k, place in enumerate(self.joints):
            out[k] = d.sensordata[place]
        out[2] = self.tip_x(d)
        out[3] = self.tip_z(d)
        for k, place in enumerate(self.speeds):
            out[4 + k] = d.sensordata[place]
        for k, place in enumerate(self.touches):
            out[7 + k] = log(1.0 + d.sensordata[place])

    def reset(self, m, d, rng):
        """Any angles without contacts."""
        self.begin_in_pose(m, d, rng)


class FingerSpin(FingerTask):
    """One is paid while the spinner rotates fast enough."""

    speed = 15.0

    def edit(self, spec: Spec) -> None:
        """A spinner that is easier to rotate."""
        hinge: Any = spec.joint("hinge")
        hinge.damping = 0.03

    def observe(self, m, d, out):
        """The finger."""
        self.observe_finger(d, out)

    def reward(self, m, d):
        """Fast enough."""
        return where(d.sensordata[self.speeds[2]] <= -self.speed, 1.0, 0.0)


class FingerAim(FingerTask):
    """One is paid while the tip of the spinner is in the target, whose radius is `target_radius` [m]."""

    target_radius = 0.07
    state = (Row("target", 2, info=True, doc="x and z of the target, from the axis of the spinner [m]"),)

    def setup(self) -> None:
        """The target is on the circle that the ends of the spinner move on."""
        super().setup()
        self.circle = float(self.model.geom_size[self.model.geom("cap1").id].sum())
        target = Signal("target_position", 2, names=("target x", "target z"), unit="m")
        self.observation = (*self.observation, target, Signal("dist_to_target", unit="m"))

    def distance(self, d):
        """From the tip to the edge of the target."""
        x, z = d.task.target[0] - self.tip_x(d), d.task.target[1] - self.tip_z(d)
        return sqrt(x * x + z * z) - self.target_radius

    def observe(self, m, d, out):
        """The finger and the target."""
        self.observe_finger(d, out)
        out[9] = d.task.target[0]
        out[10] = d.task.target[1]
        out[11] = self.distance(d)

    def reward(self, m, d):
        """In the target."""
        return where(self.distance(d) <= 0.0, 1.0, 0.0)

    def reset(self, m, d, rng):
        """Any angles without contacts, any target."""
        self.begin_in_pose(m, d, rng)
        sine, cosine = sincos(rng.uniform(-PI, PI))
        d.task.target[0] = self.circle * sine
        d.task.target[1] = self.circle * cosine
