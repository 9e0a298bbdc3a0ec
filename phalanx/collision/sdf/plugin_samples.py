"""Distances of a plugin at many points, for the mesh that the compiler makes of its surface."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from phalanx.algebra.jit import kernel
from phalanx.collision.sdf.plugin_table import plugin_distance
from phalanx.native.entry import Entry
from phalanx.native.runtime import NativeEntry, load
from phalanx.tables.plugins import NCONFIG, PluginType

#: Points between which Python can handle signals.
_AT_ONCE = 1 << 18


@kernel
def sample(kind, config, n, points, values):
    """Distances at n points, three numbers each."""
    numbers = (config[0], config[1], config[2], config[3], config[4], config[5])
    for k in range(n):
        values[k] = plugin_distance(kind, numbers, (points[3 * k], points[3 * k + 1], points[3 * k + 2]))


def distances(kind: PluginType, config: tuple[float, ...], points: np.ndarray) -> np.ndarray:
    """Signed distances of points (n, 3) to the surface of a plugin.

    Args:
        kind: the plugin.
        config: the numbers of its configuration.
        points: in the frame of the field.
    """
    numbers = np.zeros(NCONFIG)
    numbers[: len(config)] = config
    points = np.ascontiguousarray(points, float)
    values = np.empty(len(points))
    for first in range(0, len(points), _AT_ONCE):
        some, out = points[first : first + _AT_ONCE], values[first : first + _AT_ONCE]
        native().call(int(kind), numbers.ctypes.data, len(some), some.ctypes.data, out.ctypes.data)
    return values


def build() -> Callable[..., int]:
    """The compiled form of `sample`: addresses instead of arrays."""
    from phalanx.native.number import array_at

    config_at = array_at("float64", alias="plugin.config", constant=True)
    points_at = array_at("float64", alias="plugin.points", constant=True)
    values_at = array_at("float64", alias="plugin.values")

    def entry(kind, config, n, points, values):
        sample(kind, config_at(config), n, points_at(points), values_at(values))
        return 0

    return entry


@functools.cache
def plugin_samples_entry() -> Entry:
    """The entry that samples."""
    return Entry("plugin_samples_f64", build, arity=5, origin="phalanx.collision.sdf.plugin_samples:entry_named")


def entry_named(name: str) -> Entry:
    """The entry, in a process that compiles."""
    return plugin_samples_entry()


@functools.cache
def native() -> NativeEntry:
    """The compiled entry, loaded once per process."""
    return load(plugin_samples_entry())
