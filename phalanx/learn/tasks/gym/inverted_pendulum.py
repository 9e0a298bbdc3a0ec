"""Balance a pole on a cart: InvertedPendulum-v5."""

from __future__ import annotations

from phalanx.algebra.number import abs_, where
from phalanx.learn.task_rows import Row
from phalanx.learn.tasks.gym.gymnasium_task import GymnasiumTask, shake
from phalanx.learn.tasks.signals import state_signals, write_state


class InvertedPendulum(GymnasiumTask):
    """The reward is 1 as long as the pole leans by less than 0.2 rad; then the episode ends."""

    xml_file = "inverted_pendulum.xml"
    frame_skip = 2
    state = (Row("reward_survive", info=True, doc="the reward"),)
    reset_noise_scale = 0.01

    def setup(self) -> None:
        """The whole state is observed."""
        self.observation = state_signals(self.model)

    def observe(self, m, d, out):
        """Positions and velocities."""
        write_state(m, d, out, 0)

    def reward(self, m, d):
        """One unless the pole has fallen."""
        d.task.reward_survive = where(abs_(d.qpos[1]) > 0.2, 0.0, 1.0)
        return d.task.reward_survive

    def terminated(self, m, d):
        """The pole leans too far."""
        return abs_(d.qpos[1]) > 0.2

    def reset(self, m, d, rng):
        """Near rest, the pole upright."""
        shake(m, d, rng, self.reset_noise_scale)
