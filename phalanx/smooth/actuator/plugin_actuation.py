"""Actuators of plugins: the loops over them, compiled apart, as few models have one.

A plugin is a row of `tables/plugins.py` and two kernels in the file that it names. Its actuators may have activations
of their own, before the one that their dynamics have.
"""

from __future__ import annotations

from phalanx.algebra.jit import part
from phalanx.smooth.actuator.table import plugin_force, plugin_rate


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
