"""The signed distance field of the plugin of a geom, compiled apart: few models have one.

In double precision, one point at a time.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import store3
from phalanx.collision.sdf.plugin_gradient import plugin_gradient
from phalanx.collision.sdf.plugin_table import plugin_distance


@kernel
def config_of(m, instance):
    """The six numbers of a configuration."""
    c = m.plugin_config
    return (
        c[instance, 0], c[instance, 1], c[instance, 2], c[instance, 3], c[instance, 4], c[instance, 5],
    )  # fmt: skip


@part("mdifff", "f")
def plugin_field(m, d, geom, x, y, z):
    """Distance of a point in the frame of a geom from its surface."""
    instance = m.geom_plugin[geom]
    return plugin_distance(m.plugin_type[instance], config_of(m, instance), (x, y, z))


@part("mdifff")
def plugin_field_gradient(m, d, geom, x, y, z):
    """sdf_gradient: that of the distance."""
    instance = m.geom_plugin[geom]
    kind = m.plugin_type[instance]
    store3(d.sdf_gradient, 0, plugin_gradient(kind, kind, config_of(m, instance), (x, y, z)))
