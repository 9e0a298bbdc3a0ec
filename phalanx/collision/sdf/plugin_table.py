"""Signed distance fields of plugins: the distance by type of plugin, from the numbers of the configuration.

Rows are in the files that the table of plugins names (`tables/plugins.py`). Points are in the frame of the geom,
everything in double precision, one point at a time:

    @plugin_distance.row(PluginType.TORUS)
    @kernel
    def torus_distance(config, point): ...
"""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.tables.plugins import PluginKind, modules_of

#: Step of the differences that stand for a gradient.
STEP = 1e-8


@kernel
def no_distance(config, point):
    """Distance to the surface, negative inside, from six numbers of a configuration. Without a row: far away."""
    return 1e10


@kernel
def difference(kind, config, point):
    """Gradient of the distance by forward differences, as in MuJoCo; without a row of the table."""
    here = plugin_distance(kind, config, point)
    return (
        (plugin_distance(kind, config, (point[0] + STEP, point[1], point[2])) - here) / STEP,
        (plugin_distance(kind, config, (point[0], point[1] + STEP, point[2])) - here) / STEP,
        (plugin_distance(kind, config, (point[0], point[1], point[2] + STEP)) - here) / STEP,
    )


#: By plugin_type.
plugin_distance = Table("plugin_distance", no_distance, modules_of(PluginKind.SDF))
plugin_gradient = Table("plugin_gradient", difference, modules_of(PluginKind.SDF))
