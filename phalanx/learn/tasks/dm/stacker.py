"""Stack boxes."""

from __future__ import annotations

import numpy as np

from phalanx.algebra.number import minimum
from phalanx.learn.task_rows import Signal
from phalanx.learn.tasks.dm.planar_arm import CLOSE, PlanarArm
from phalanx.learn.tasks.dm.suite_task import PI
from phalanx.learn.tasks.dm.tolerance import INF, gaussian, tolerance
from phalanx.memory.errors import FieldError
from phalanx.world.data import Data
from phalanx.world.spec import Spec

#: Boxes of the model.
MOST = 4
#: How far the hand has to be from the target [m].
FAR = 0.1


class Stacker(PlanarArm):
    """The reward is for one of `boxes` boxes at the target, which is on the floor or above, and the hand away."""

    xml_file = "stacker.xml"
    boxes = 2

    def edit(self, spec: Spec) -> None:
        """Only as many boxes; the target is placed anew in each episode."""
        if not 1 <= self.boxes <= MOST:
            raise FieldError(f"a stacker has 1 to {MOST} boxes, not {self.boxes}")
        for k in range(self.boxes, MOST):
            spec.delete(spec.body(f"box{k}"))
        spec.body("target").mocap = True

    def setup(self) -> None:
        """Where boxes and target are."""
        model = self.model
        self.setup_arm()
        names = [f"box{k}" for k in range(self.boxes)]
        self.bodies = tuple(model.body(name).id for name in names)
        self.sites = tuple(model.site(name).id for name in names)
        self.target_site, self.target_body = model.site("target").id, model.body("target").id
        self.size = float(model.geom_size[model.geom("target").id, 0])
        joints = [f"{name}_{axis}" for name in names for axis in "xyz"]
        self.box_speeds = tuple(int(model.jnt_dofadr[model.joint(name).id]) for name in joints)
        self.box_places = {name: int(model.jnt_qposadr[model.joint(name).id]) for name in joints}
        pose = ("x [m]", "z [m]", "quaternion w", "quaternion y")
        seen = (
            Signal("hand_pos", 4, names=tuple(f"hand {word}" for word in pose)),
            Signal("box_pos", 4 * self.boxes, names=tuple(f"{name} {word}" for name in names for word in pose)),
            Signal("box_vel", len(joints), names=tuple(joints)),
            Signal("target_pos", 2, names=("target x", "target z"), unit="m"),
        )
        self.observation = self.arm_signals() + (seen if self.fully_observable else ())
        self.starts = self.find_poses()

    def find_pose(self, data: Data, rng: np.random.Generator) -> None:
        """Any arm, any boxes to the right of it, any target on the floor or above."""
        self.draw_arm(data, rng)
        height = self.size * (2 * int(rng.integers(self.boxes)) + 1)
        self.place(data, "target", rng.uniform(-0.37, 0.37), height)
        for k in range(self.boxes):
            data.qpos[self.box_places[f"box{k}_x"]] = rng.uniform(0.1, 0.3)
            data.qpos[self.box_places[f"box{k}_z"]] = rng.uniform(0.0, 0.7)
            data.qpos[self.box_places[f"box{k}_y"]] = rng.uniform(0.0, 2 * PI)
        data.forward()

    def observe(self, m, d, out):
        """The arm; hand, boxes and target."""
        place = self.observe_arm(d, out)
        if self.fully_observable:
            place = self.observe_body(d, out, place, self.hand)
            for body in self.bodies:
                place = self.observe_body(d, out, place, body)
            for k, dof in enumerate(self.box_speeds):
                out[place + k] = d.qvel[dof]
            place = place + len(self.box_speeds)
            out[place] = d.xpos[self.target_body, 0]
            out[place + 1] = d.xpos[self.target_body, 2]

    def reward(self, m, d):
        """A box at the target, the hand away."""
        nearest = self.distance(d, self.sites[0], self.target_site)
        for site in self.sites:
            nearest = minimum(nearest, self.distance(d, site, self.target_site))
        away = tolerance(self.distance(d, self.grasp, self.target_site), FAR, INF, CLOSE, gaussian)
        return tolerance(nearest, 0.0, 0.0, 2.0 * self.size, gaussian) * away
