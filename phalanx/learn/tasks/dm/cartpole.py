"""A pole, or a chain of them, on a cart."""

from __future__ import annotations

from phalanx.algebra.number import minimum
from phalanx.learn.task_rows import Signal
from phalanx.learn.tasks.dm.suite_task import PI, XZ, ZZ, SuiteTask, small_control, write_velocity
from phalanx.learn.tasks.dm.tolerance import gaussian, tolerance, within
from phalanx.world.spec import Spec


class Cartpole(SuiteTask):
    """Balance poles, from near the top or from hanging down (`swing_up`); pay smoothly or all or nothing (`sparse`)."""

    xml_file = "cartpole.xml"
    swing_up, sparse, num_poles = False, False, 1

    def edit(self, spec: Spec) -> None:
        """More poles on top of the first; the floor lower."""
        parent = spec.body("pole_1")
        for k in range(2, self.num_poles + 1):
            parent = parent.add_body(name=f"pole_{k}", pos=(0, 0, 1), childclass="pole")
            parent.add_joint(name=f"hinge_{k}")
            parent.add_geom(name=f"pole_{k}")
        if self.num_poles > 1:
            spec.geom("floor").pos = 0, 0, 1 - self.num_poles - 0.05

    def setup(self) -> None:
        """The first pole is body 2."""
        names = tuple(f"{word} of pole {k + 1}" for k in range(self.num_poles) for word in ("cosine", "sine"))
        position = Signal("position", 1 + len(names), names=("cart [m]", *names))
        self.observation = (position, self.velocity_signal())

    def observe(self, m, d, out):
        """Cart, angles, velocities."""
        out[0] = d.qpos[0]
        for k in range(self.num_poles):
            out[1 + 2 * k] = d.xmat[2 + k, ZZ]
            out[2 + 2 * k] = d.xmat[2 + k, XZ]
        write_velocity(m, d, out, 1 + 2 * self.num_poles)

    def reward(self, m, d):
        """Poles upright; smooth ones also pay for a cart in the middle, slowness and small controls."""
        if self.sparse:
            gain = within(d.qpos[0], -0.25, 0.25)
            for k in range(self.num_poles):
                gain = gain * within(d.xmat[2 + k, ZZ], 0.995, 1.0)
            return gain
        upright, slow = 0.0, 1.0
        for k in range(self.num_poles):
            upright = upright + 0.5 * (d.xmat[2 + k, ZZ] + 1.0)
            slow = minimum(slow, tolerance(d.qvel[1 + k], 0.0, 0.0, 5.0, gaussian))
        centered = 0.5 * (1.0 + tolerance(d.qpos[0], 0.0, 0.0, 2.0, gaussian))
        return upright / self.num_poles * small_control(m, d) * (0.5 * (1.0 + slow)) * centered

    def reset(self, m, d, rng):
        """Hanging down, or near the top."""
        if self.swing_up:
            d.qpos[0] = 0.01 * rng.normal()
            d.qpos[1] = PI + 0.01 * rng.normal()
            for i in range(2, m.nq):
                d.qpos[i] = 0.1 * rng.normal()
        else:
            d.qpos[0] = rng.uniform(-0.1, 0.1)
            for i in range(1, m.nq):
                d.qpos[i] = rng.uniform(-0.034, 0.034)
        for i in range(m.nv):
            d.qvel[i] = 0.01 * rng.normal()
