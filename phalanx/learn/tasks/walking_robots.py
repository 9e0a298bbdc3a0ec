"""Robots that walk as commanded: the built-in quadruped and humanoid, all alike or in worlds that differ."""

from __future__ import annotations

from phalanx.learn.tasks.commanded_walk import Velocity


class QuadrupedVelocity(Velocity):
    """The built-in quadruped follows commands of velocity: forward, to the left, rotation."""

    model = "quadruped"
    body = "trunk"
    feet = ("foot_front_left", "foot_front_right", "foot_hind_left", "foot_hind_right")


class HumanoidVelocity(Velocity):
    """The built-in humanoid follows commands of velocity: forward, to the left, rotation."""

    model = "humanoid"
    body = "pelvis"
    feet = ("foot_left", "foot_right")
    command_low, command_high = (-0.4, -0.2, -0.5), (0.8, 0.2, 0.5)
    weights = {"torque": -1e-5, "power": -2e-4, "tilt": -2.0, "air_time": 2.0}  # noqa: RUF012  (never changed)
    least_air_time = 0.2
    action_scale = 0.5
    least_upright = 0.6
    joint_spread = 0.05


class DifferingWorlds(Velocity):
    """Robots that differ: friction, masses, and gains of servos are drawn anew for each episode.

    Attributes:
        friction_range: factors of sliding friction.
        mass_range: factors of the masses of all bodies.
        gain_range: factors of the stiffness and damping of all servos.
        friction_loss: largest dry friction of joints [N m].
    """

    vary = ("geom_friction", "body_mass", "body_inertia", "actuator_gainprm", "actuator_biasprm", "dof_frictionloss")
    friction_range = (0.5, 1.25)
    mass_range = (0.85, 1.15)
    gain_range = (0.85, 1.15)
    friction_loss = 0.2

    def randomize(self, m, d, rng):
        """Another robot, on another ground."""
        slide = rng.uniform(self.friction_range[0], self.friction_range[1])
        for geom in range(m.ngeom):
            m.geom_friction[geom, 0] = m.geom_friction[geom, 0] * slide
        # inertia grows with mass: a body has another density
        for body in range(1, m.nbody):
            factor = rng.uniform(self.mass_range[0], self.mass_range[1])
            m.body_mass[body] = m.body_mass[body] * factor
            for i in range(3):
                m.body_inertia[body, i] = m.body_inertia[body, i] * factor
        for i in range(m.nu):
            stiffness = rng.uniform(self.gain_range[0], self.gain_range[1])
            damping = rng.uniform(self.gain_range[0], self.gain_range[1])
            m.actuator_gainprm[i, 0] = m.actuator_gainprm[i, 0] * stiffness
            m.actuator_biasprm[i, 1] = m.actuator_biasprm[i, 1] * stiffness
            m.actuator_biasprm[i, 2] = m.actuator_biasprm[i, 2] * damping
            m.dof_frictionloss[6 + i] = rng.uniform(0.0, self.friction_loss)


class DifferingQuadruped(DifferingWorlds, QuadrupedVelocity):
    """The quadruped, with friction, masses and gains that are drawn anew for each episode."""


class DifferingHumanoid(DifferingWorlds, HumanoidVelocity):
    """The humanoid, with friction, masses and gains that are drawn anew for each episode."""
