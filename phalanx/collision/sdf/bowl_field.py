"""Signed distance of a bowl (plugin mujoco.sdf.bowl): a sphere cut at a height, hollow, with a wall around it.

The formula of the cut hollow sphere is that of https://iquilezles.org/articles/distfunctions.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, sqrt
from phalanx.collision.sdf.plugin_table import plugin_distance
from phalanx.tables.plugins import PluginType


@plugin_distance.row(PluginType.BOWL)
@kernel
def bowl_distance(config, point):
    """Distance from the rim for points above the cone through it, else from the sphere; less the wall."""
    height, radius, thickness = config[0], config[1], config[2]
    width = sqrt(radius * radius - height * height)
    across, z = sqrt(point[0] * point[0] + point[1] * point[1]), point[2]
    if height * across < width * z:
        x, y = across - width, z - height
        return sqrt(x * x + y * y) - thickness
    return abs_(sqrt(across * across + z * z) - radius) - thickness
