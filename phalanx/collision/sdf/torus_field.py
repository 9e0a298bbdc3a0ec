"""Signed distance of a torus about z (plugin mujoco.sdf.torus)."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import maximum, sqrt
from phalanx.algebra.vector import MINVAL
from phalanx.collision.sdf.plugin_gradient import plugin_gradient
from phalanx.collision.sdf.plugin_table import plugin_distance
from phalanx.tables.plugins import PluginType


@plugin_distance.row(PluginType.TORUS)
@kernel
def torus_distance(config, point):
    """Distance from the ring, less the radius of the tube."""
    out = sqrt(point[0] * point[0] + point[1] * point[1]) - config[0]
    return sqrt(out * out + point[2] * point[2]) - config[1]


@plugin_gradient.row(PluginType.TORUS)
@kernel
def torus_gradient(kind, config, point):
    """Away from the nearest point of the ring."""
    across = sqrt(point[0] * point[0] + point[1] * point[1])
    out = across - config[0]
    length = maximum(sqrt(out * out + point[2] * point[2]), MINVAL)
    return (out * (point[0] / across) / length, out * (point[1] / across) / length, point[2] / length)
