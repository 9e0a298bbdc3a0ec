"""Positions of flexes at the start of a step whose stages have moved them, for what yields; as MuJoCo has it."""

from __future__ import annotations

from phalanx.algebra.jit import part
from phalanx.smooth.center_of_mass import com_pos
from phalanx.smooth.flex.vertices import flex
from phalanx.smooth.kinematics import kinematics


@part()
def restore_flexes(m, d):
    """Frames of bodies, and vertices of flexes, at qpos."""
    kinematics(m, d)
    com_pos(m, d)
    flex(m, d)
