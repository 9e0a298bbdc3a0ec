"""Run with two legs in a plane: HalfCheetah-v5."""

from __future__ import annotations

from phalanx.learn.tasks.gym.gymnasium_task import ForwardTask, shake_normal
from phalanx.learn.tasks.signals import state_signals, write_state


class HalfCheetah(ForwardTask):
    """Run along x as fast as possible; episodes end by time only."""

    xml_file = "half_cheetah.xml"
    frame_skip = 5

    def setup(self) -> None:
        """Without the position along x, unless it is asked for."""
        self.skipped = int(self.exclude_current_positions_from_observation)
        self.observation = state_signals(self.model, self.skipped)

    def observe(self, m, d, out):
        """Positions and velocities."""
        write_state(m, d, out, self.skipped)

    def reset(self, m, d, rng):
        """Near rest."""
        shake_normal(m, d, rng, self.reset_noise_scale)
