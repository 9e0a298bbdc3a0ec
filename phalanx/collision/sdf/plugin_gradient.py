"""Gradients of the fields of plugins: differences, or a row where a formula is known."""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.collision.sdf.plugin_table import plugin_distance
from phalanx.tables.plugins import PluginKind, modules_of

#: Step of the differences that stand for a gradient.
STEP = 1e-8


@kernel
def difference(kind, config, point):
    """Gradient of the distance by forward differences, as in MuJoCo; without a row of the table."""
    here = plugin_distance(kind, config, point)
    return (
        (plugin_distance(kind, config, (point[0] + STEP, point[1], point[2])) - here) / STEP,
        (plugin_distance(kind, config, (point[0], point[1] + STEP, point[2])) - here) / STEP,
        (plugin_distance(kind, config, (point[0], point[1], point[2] + STEP)) - here) / STEP,
    )


#: By plugin_type; a row is filed only where a formula is known.
plugin_gradient = Table("plugin_gradient", difference, modules_of(PluginKind.SDF))
