"""Bring a ball or a peg to a place, or into a receptacle."""

from __future__ import annotations

import numpy as np

from phalanx.algebra.number import maximum
from phalanx.learn.task_rows import Signal
from phalanx.learn.tasks.dm.planar_arm import CLOSE, PlanarArm
from phalanx.learn.tasks.dm.suite_task import PI, XX, ZX
from phalanx.learn.tasks.dm.tolerance import gaussian, tolerance
from phalanx.world.data import Data
from phalanx.world.spec import Spec

#: What there is besides the arm.
PROPS = ("ball", "target_ball", "cup", "peg", "target_peg", "slot")
#: How often an episode begins with the object in the hand, or at the target.
IN_HAND, IN_TARGET = 0.1, 0.1
#: Numbers of a pose of a body in the plane.
POSE = ("x [m]", "z [m]", "quaternion w", "quaternion y")


class Manipulator(PlanarArm):
    """The reward is for the object at the target: a ball, or a peg (`use_peg`); in a receptacle if `insert`."""

    xml_file = "manipulator.xml"
    use_peg, insert = False, False

    def edit(self, spec: Spec) -> None:
        """Only what is needed; target and receptacle are placed anew in each episode."""
        all_three = ("peg", "target_peg", "slot") if self.use_peg else ("ball", "target_ball", "cup")
        needed: tuple[str, ...] = all_three if self.insert else all_three[:2]
        for name in PROPS:
            if name not in needed:
                spec.delete(spec.body(name))
        for name in needed[1:]:
            spec.body(name).mocap = True

    def setup(self) -> None:
        """Where object and target are."""
        model = self.model
        self.setup_arm()
        self.prop = "peg" if self.use_peg else "ball"
        self.goal, self.receptacle = f"target_{self.prop}", "slot" if self.use_peg else "cup"
        names = [f"{self.prop}_{axis}" for axis in "xzy"]
        self.object, self.target = model.body(self.prop).id, model.body(self.goal).id
        self.object_speeds = tuple(int(model.jnt_dofadr[model.joint(name).id]) for name in names)
        self.object_places = [int(model.jnt_qposadr[model.joint(name).id]) for name in names]
        self.sites = self.grasps = self.pinches = self.tips = model.site(self.prop).id, model.site(self.goal).id
        if self.use_peg:
            pairs = ("peg_grasp", "grasp"), ("peg_pinch", "pinch"), ("target_peg_tip", "peg_tip")
            self.grasps, self.pinches, self.tips = (tuple(model.site(name).id for name in pair) for pair in pairs)
        seen = (
            Signal("hand_pos", 4, names=tuple(f"hand {word}" for word in POSE)),
            Signal("object_pos", 4, names=tuple(f"{self.prop} {word}" for word in POSE)),
            Signal("object_vel", 3, names=tuple(names)),
            Signal("target_pos", 4, names=tuple(f"target {word}" for word in POSE)),
        )
        self.observation = self.arm_signals() + (seen if self.fully_observable else ())
        self.starts = self.find_poses()

    def find_pose(self, data: Data, rng: np.random.Generator) -> None:
        """Any arm and target; the object in the hand, at the target or anywhere, then with some speed."""
        self.draw_arm(data, rng)
        x, z = rng.uniform(-0.4, 0.4), rng.uniform(0.1, 0.4)
        angle = rng.uniform(-PI / 3, PI / 3) if self.insert else rng.uniform(-PI, PI)
        self.place(data, self.goal, x, z, angle)
        if self.insert:
            self.place(data, self.receptacle, x, z, angle)
        chance = rng.uniform()
        if chance < IN_HAND:
            data.forward()
            x, z = data.site_xpos[self.grasp, [0, 2]]
            along = data.site_xmat[self.grasp].ravel()
            angle = PI - np.arctan2(along[ZX], along[XX])
        elif chance > IN_HAND + IN_TARGET:
            x, z, angle = rng.uniform(-0.5, 0.5), rng.uniform(0.0, 0.7), rng.uniform(0.0, 2 * PI)
            data.qvel[self.object_speeds[0]] = rng.uniform(-5.0, 5.0)
        data.qpos[self.object_places] = x, z, angle
        data.forward()

    def observe(self, m, d, out):
        """The arm; hand, object and target."""
        place = self.observe_arm(d, out)
        if self.fully_observable:
            place = self.observe_body(d, out, place, self.hand)
            place = self.observe_body(d, out, place, self.object)
            for k, dof in enumerate(self.object_speeds):
                out[place + k] = d.qvel[dof]
            self.observe_body(d, out, place + 3, self.target)

    def nearness(self, d, pair):
        """One if two sites are near each other, less if not."""
        return tolerance(self.distance(d, pair[0], pair[1]), 0.0, CLOSE, 2.0 * CLOSE, gaussian)

    def reward(self, m, d):
        """Near the target; a peg is to be there with both ends, and a third is paid for holding it."""
        near = self.nearness(d, self.sites)
        if self.use_peg:
            holding = 0.5 * (self.nearness(d, self.grasps) + self.nearness(d, self.pinches))
            return maximum(0.5 * (near + self.nearness(d, self.tips)), holding / 3.0)
        return near
