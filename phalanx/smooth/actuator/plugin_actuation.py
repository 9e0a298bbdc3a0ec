"""Actuators of plugins: what each plugin does, by type, and the loops over actuators, compiled apart.

A plugin is a row of `tables/plugins.py` and two kernels in the file that it names. Its actuators may have activations
of their own, before the one that their dynamics have.
"""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel, part
from phalanx.tables.plugins import PluginKind, modules_of


@kernel
def no_rate(m, d, actuator, instance):
    """Write act_dot of the activations of its own. Without a row: they stay zero."""
    return


@kernel
def no_force(m, d, actuator, instance):
    """Write actuator_force. Without a row: it stays zero."""
    return


#: By plugin_type.
plugin_rate = Table("plugin_rate", no_rate, modules_of(PluginKind.ACTUATOR))
plugin_force = Table("plugin_force", no_force, modules_of(PluginKind.ACTUATOR))


@part()
def plugin_rates(m, d):
    """act_dot of the activations that plugins have."""
    for actuator in range(m.nactuator):
        instance = m.actuator_plugin[actuator]
        if instance >= 0:
            plugin_rate(m.plugin_type[instance], m, d, actuator, instance)


@part()
def plugin_forces(m, d):
    """actuator_force of plugins; a group that is switched off does not concern them, as in MuJoCo."""
    for actuator in range(m.nactuator):
        instance = m.actuator_plugin[actuator]
        if instance >= 0:
            plugin_force(m.plugin_type[instance], m, d, actuator, instance)
