"""Walk on two legs in a plane: Walker2d-v5."""

from __future__ import annotations

from phalanx.algebra.number import and_
from phalanx.learn.tasks.gym.hopper import Hopper


class Walker2d(Hopper):
    """Walk along x as fast as possible without falling; an episode ends when height or angle are out of range."""

    xml_file = "walker2d_v5.xml"
    healthy_z_range = (0.8, 2.0)
    healthy_angle_range = (-1.0, 1.0)

    def is_healthy(self, m, d):
        """Height and angle are in their ranges."""
        z, angle = d.qpos[1], d.qpos[2]
        return and_(and_(self.healthy_z_range[0] < z, z < self.healthy_z_range[1]),
                    and_(self.healthy_angle_range[0] < angle, angle < self.healthy_angle_range[1]))  # fmt: skip
