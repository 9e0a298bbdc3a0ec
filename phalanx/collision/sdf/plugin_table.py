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


@kernel
def no_distance(config, point):
    """Distance to the surface, negative inside, from six numbers of a configuration. Without a row: far away."""
    return 1e10


#: By plugin_type.
plugin_distance = Table("plugin_distance", no_distance, modules_of(PluginKind.SDF))
