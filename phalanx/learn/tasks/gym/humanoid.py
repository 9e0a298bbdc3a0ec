"""Walk on two legs: Humanoid-v5."""

from __future__ import annotations

from phalanx.algebra.number import and_, clamp, not_, sqrt, where
from phalanx.learn.task_rows import Row, Signal
from phalanx.learn.tasks.gym.ant import PLANE_ROWS, WRENCH
from phalanx.learn.tasks.gym.gymnasium_task import GymnasiumTask, shake
from phalanx.learn.tasks.signals import body_signal, state_signals, sum_of_squares, velocity_names, write_state

#: Numbers of the spatial inertia of a body about the center of mass of its tree.
INERTIA = ("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz", "m x", "m y", "m z", "mass")
TWIST = ("rotation x", "rotation y", "rotation z", "moving x", "moving y", "moving z")

#: Degrees of freedom of the free joint, whose actuator forces are not observed.
ROOT = 6


class PersonTask(GymnasiumTask):
    """What the two tasks with a person observe."""

    frame_skip = 5
    exclude_current_positions_from_observation = True
    include_cinert_in_observation = True
    include_cvel_in_observation = True
    include_qfrc_actuator_in_observation = True
    include_cfrc_ext_in_observation = True
    reset_noise_scale = 1e-2

    def setup(self) -> None:
        """Everything that is asked for."""
        model = self.model
        self.skipped = 2 * int(self.exclude_current_positions_from_observation)
        self.total_mass = float(model.body_mass.sum())
        joints = tuple(name.rpartition(" ")[0] for name in velocity_names(model)[ROOT:])
        choices = (
            (self.include_cinert_in_observation, body_signal(model, "inertia", INERTIA)),
            (self.include_cvel_in_observation, body_signal(model, "velocity", TWIST)),
            (self.include_qfrc_actuator_in_observation, Signal("actuator force", model.nv - ROOT, names=joints)),
            (self.include_cfrc_ext_in_observation, body_signal(model, "contact force", WRENCH)),
        )
        chosen = tuple(signal for is_chosen, signal in choices if is_chosen)
        self.observation = (*state_signals(model, self.skipped), *chosen)

    def observe(self, m, d, out):
        """State, inertias, velocities, forces; no forces of contacts when an episode begins."""
        k = write_state(m, d, out, self.skipped)
        if self.include_cinert_in_observation:
            for body in range(1, m.nbody):
                for i in range(10):
                    out[k + 10 * (body - 1) + i] = d.cinert[body, i]
            k = k + 10 * (m.nbody - 1)
        if self.include_cvel_in_observation:
            for body in range(1, m.nbody):
                for i in range(6):
                    out[k + 6 * (body - 1) + i] = d.cvel[body, i]
            k = k + 6 * (m.nbody - 1)
        if self.include_qfrc_actuator_in_observation:
            for i in range(ROOT, m.nv):
                out[k + i - ROOT] = d.qfrc_actuator[i]
            k = k + m.nv - ROOT
        if self.include_cfrc_ext_in_observation:
            for body in range(1, m.nbody):
                for i in range(6):
                    out[k + 6 * (body - 1) + i] = where(d.episode_steps > 0.0, d.cfrc_ext[body, i], 0.0)

    def squared_forces(self, m, d):
        """Sum of the squares of all forces of contacts."""
        total = 0.0
        for body in range(m.nbody):
            for i in range(6):
                total = total + d.cfrc_ext[body, i] * d.cfrc_ext[body, i]
        return total

    def reset(self, m, d, rng):
        """Near rest."""
        shake(m, d, rng, self.reset_noise_scale)


class Humanoid(PersonTask):
    """Walk along x as fast as possible; an episode ends when the torso is too low or too high."""

    xml_file = "humanoid.xml"
    state = (
        *PLANE_ROWS,
        Row("tendon_length", 2, info=True, doc="[rad]"),
        Row("tendon_velocity", 2, info=True, doc="[rad/s]"),
    )
    forward_reward_weight = 1.25
    ctrl_cost_weight = 0.1
    contact_cost_weight = 5e-7
    contact_cost_range = (-float("inf"), 10.0)
    healthy_reward = 5.0
    terminate_when_unhealthy = True
    healthy_z_range = (1.0, 2.0)

    def is_healthy(self, d):
        """Is the torso high enough, and not too high?"""
        return and_(self.healthy_z_range[0] < d.qpos[2], d.qpos[2] < self.healthy_z_range[1])

    def center(self, m, d, axis):
        """A coordinate of the center of mass."""
        total = 0.0
        for body in range(m.nbody):
            total = total + m.body_mass[body] * d.xipos[body, axis]
        return total / self.total_mass

    def begin(self, m, d):
        """Where the center of mass is."""
        d.task.x_before = self.center(m, d, 0)
        d.task.y_before = self.center(m, d, 1)

    def after(self, m, d):
        """How fast it went."""
        duration = m.opt.timestep * self.frame_skip
        x, y = self.center(m, d, 0), self.center(m, d, 1)
        d.task.x_velocity = (x - d.task.x_before) / duration
        d.task.y_velocity = (y - d.task.y_before) / duration
        d.task.x_before = x
        d.task.y_before = y

    def reward(self, m, d):
        """Speed and health less the costs of controls and contacts."""
        cost = self.contact_cost_weight * self.squared_forces(m, d)
        d.task.reward_forward = self.forward_reward_weight * d.task.x_velocity
        d.task.reward_survive = where(self.is_healthy(d), self.healthy_reward, 0.0)
        d.task.reward_ctrl = -self.ctrl_cost_weight * sum_of_squares(d.ctrl, m.nu)
        d.task.reward_contact = -clamp(cost, self.contact_cost_range[0], self.contact_cost_range[1])
        return d.task.reward_forward + d.task.reward_survive + (d.task.reward_ctrl + d.task.reward_contact)

    def terminated(self, m, d):
        """It is not healthy."""
        return and_(not_(self.is_healthy(d)), self.terminate_when_unhealthy)

    def info(self, m, d):
        """Where the person is, and how the tendons are."""
        d.task.x_position = d.qpos[0]
        d.task.y_position = d.qpos[1]
        d.task.distance_from_origin = sqrt(d.qpos[0] * d.qpos[0] + d.qpos[1] * d.qpos[1])
        for i in range(2):
            d.task.tendon_length[i] = d.ten_length[i]
            d.task.tendon_velocity[i] = d.ten_velocity[i]
