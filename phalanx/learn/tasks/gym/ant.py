"""Walk on four legs: Ant-v5."""

from __future__ import annotations

from phalanx.algebra.number import and_, clamp, not_, sqrt, where
from phalanx.learn.task_rows import Row, Signal
from phalanx.learn.tasks.gym.gymnasium_task import GymnasiumTask, shake_normal
from phalanx.learn.tasks.signals import body_signal, state_signals, sum_of_squares, write_state

#: Numbers of a spatial force, in the order of MuJoCo.
WRENCH = ("torque x", "torque y", "torque z", "force x", "force y", "force z")

#: Rows of tasks that pay for speed along x, and tell the place in the plane.
PLANE_ROWS = (
    Row("x_before", doc="x of the robot when the action began [m]"),
    Row("y_before", doc="y of the robot when the action began [m]"),
    Row("x_position", info=True, doc="[m]"),
    Row("y_position", info=True, doc="[m]"),
    Row("distance_from_origin", info=True, doc="[m]"),
    Row("x_velocity", info=True, doc="average speed during the action [m/s]"),
    Row("y_velocity", info=True, doc="average speed during the action [m/s]"),
    Row("reward_forward", info=True, doc="what speed is paid"),
    Row("reward_survive", info=True, doc="what being healthy is paid"),
    Row("reward_ctrl", info=True, doc="what controls cost, negative"),
    Row("reward_contact", info=True, doc="what forces of contacts cost, negative"),
)


class Ant(GymnasiumTask):
    """Walk along x as fast as possible; an episode ends when the torso is too low or too high."""

    xml_file = "ant.xml"
    frame_skip = 5
    state = PLANE_ROWS
    forward_reward_weight = 1.0
    ctrl_cost_weight = 0.5
    contact_cost_weight = 5e-4
    healthy_reward = 1.0
    main_body: int | str = 1
    terminate_when_unhealthy = True
    healthy_z_range = (0.2, 1.0)
    contact_force_range = (-1.0, 1.0)
    reset_noise_scale = 0.1
    exclude_current_positions_from_observation = True
    include_cfrc_ext_in_observation = True

    def setup(self) -> None:
        """Without the position in the plane, unless it is asked for."""
        self.skipped = 2 * int(self.exclude_current_positions_from_observation)
        self.body = self.model.body(self.main_body).id
        signals = state_signals(self.model, self.skipped)
        if self.include_cfrc_ext_in_observation:
            forces = body_signal(self.model, "contact force", WRENCH)
            signals += (Signal(forces.name, forces.count, *self.contact_force_range, names=forces.names),)
        self.observation = signals

    def is_healthy(self, d):
        """Is the torso high enough, and not too high?"""
        return and_(self.healthy_z_range[0] <= d.qpos[2], d.qpos[2] <= self.healthy_z_range[1])

    def force(self, d, body, i):
        """A number of the contact force on a body, cut off; none when an episode begins."""
        force = clamp(d.cfrc_ext[body, i], self.contact_force_range[0], self.contact_force_range[1])
        return where(d.episode_steps > 0.0, force, 0.0)

    def begin(self, m, d):
        """Where the torso is."""
        d.task.x_before = d.xpos[self.body, 0]
        d.task.y_before = d.xpos[self.body, 1]

    def after(self, m, d):
        """How fast it went."""
        duration = m.opt.timestep * self.frame_skip
        d.task.x_velocity = (d.xpos[self.body, 0] - d.task.x_before) / duration
        d.task.y_velocity = (d.xpos[self.body, 1] - d.task.y_before) / duration
        d.task.x_before = d.xpos[self.body, 0]
        d.task.y_before = d.xpos[self.body, 1]

    def reward(self, m, d):
        """Speed and health less the costs of controls and contacts."""
        total = 0.0
        for body in range(m.nbody):
            for i in range(6):
                force = clamp(d.cfrc_ext[body, i], self.contact_force_range[0], self.contact_force_range[1])
                total = total + force * force
        d.task.reward_forward = d.task.x_velocity * self.forward_reward_weight
        d.task.reward_survive = where(self.is_healthy(d), self.healthy_reward, 0.0)
        d.task.reward_ctrl = -self.ctrl_cost_weight * sum_of_squares(d.action, m.nu)
        d.task.reward_contact = -self.contact_cost_weight * total
        return d.task.reward_forward + d.task.reward_survive + (d.task.reward_ctrl + d.task.reward_contact)

    def terminated(self, m, d):
        """It is not healthy."""
        return and_(not_(self.is_healthy(d)), self.terminate_when_unhealthy)

    def info(self, m, d):
        """Where the robot is."""
        d.task.x_position = d.qpos[0]
        d.task.y_position = d.qpos[1]
        d.task.distance_from_origin = sqrt(d.qpos[0] * d.qpos[0] + d.qpos[1] * d.qpos[1])

    def observe(self, m, d, out):
        """State and forces of contacts."""
        k = write_state(m, d, out, self.skipped)
        if self.include_cfrc_ext_in_observation:
            for body in range(1, m.nbody):
                for i in range(6):
                    out[k + 6 * (body - 1) + i] = self.force(d, body, i)

    def reset(self, m, d, rng):
        """Near rest."""
        shake_normal(m, d, rng, self.reset_noise_scale)
