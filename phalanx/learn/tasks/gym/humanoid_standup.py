"""Stand up from lying: HumanoidStandup-v5."""

from __future__ import annotations

from phalanx.algebra.number import clamp
from phalanx.learn.task_rows import Row
from phalanx.learn.tasks.gym.humanoid import PersonTask
from phalanx.learn.tasks.signals import sum_of_squares


class HumanoidStandup(PersonTask):
    """The reward is for the height of the torso, less the costs of controls and impacts; time ends an episode.

    `uph_cost_weight` is there because Gymnasium has the argument; it is not used there either.
    """

    xml_file = "humanoidstandup.xml"
    state = (
        Row("x_position", info=True, doc="[m]"),
        Row("y_position", info=True, doc="[m]"),
        Row("z_distance_from_origin", info=True, doc="height above that of the model [m]"),
        Row("tendon_length", 2, info=True, doc="[rad]"),
        Row("tendon_velocity", 2, info=True, doc="[rad/s]"),
        Row("reward_linup", info=True, doc="what height is paid"),
        Row("reward_quadctrl", info=True, doc="what controls cost, negative"),
        Row("reward_impact", info=True, doc="what forces of contacts cost, negative"),
    )
    uph_cost_weight = 1.0
    ctrl_cost_weight = 0.1
    impact_cost_weight = 0.5e-6
    impact_cost_range = (-float("inf"), 10.0)

    def reward(self, m, d):
        """Height per time step, less costs, and one."""
        cost = self.impact_cost_weight * self.squared_forces(m, d)
        d.task.reward_linup = d.qpos[2] / m.opt.timestep
        d.task.reward_quadctrl = -self.ctrl_cost_weight * sum_of_squares(d.ctrl, m.nu)
        d.task.reward_impact = -clamp(cost, self.impact_cost_range[0], self.impact_cost_range[1])
        return d.task.reward_linup + d.task.reward_quadctrl + d.task.reward_impact + 1.0

    def info(self, m, d):
        """Where the person is, and how the tendons are."""
        d.task.x_position = d.qpos[0]
        d.task.y_position = d.qpos[1]
        d.task.z_distance_from_origin = d.qpos[2] - m.qpos0[2]
        for i in range(2):
            d.task.tendon_length[i] = d.ten_length[i]
            d.task.tendon_velocity[i] = d.ten_velocity[i]
