"""MuJoCo's first-party plugins: one row each. Checks, numbers of the configuration and kernel files derive from it.

An *instance* of a plugin has a configuration: a text for each key. Kernels see the numbers of these texts, one after
another in the order of the keys (`plugin_config`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import inf, isfinite

#: A bound that nothing reaches, but that is finite.
UNBOUNDED = 1e300
#: The numbers of a configuration.
Numbers = tuple[float, ...]


class PluginKind(IntEnum):
    """What a plugin can be a plugin of, with MuJoCo's bits."""

    ACTUATOR = 1
    SENSOR = 2
    PASSIVE = 4
    SDF = 8


class PluginType(IntEnum):
    """The plugins, in the order in which MuJoCo's wheel registers them."""

    PID = 0
    TOUCH_GRID = 1
    BOLT = 2
    BOWL = 3
    GEAR = 4
    NUT = 5
    TORUS = 6


@dataclass(frozen=True)
class ConfigKey:
    """One setting of a plugin.

    Attributes:
        name: its key in MJCF.
        doc: what it means.
        default: its numbers where it is not given; None if it must be given.
        count: how many numbers it has.
        lowest, highest: bounds of each number.
        above: must they be larger than `lowest`?
        whole: are they whole numbers?
    """

    name: str
    doc: str
    default: tuple[float, ...] | None = (0.0,)
    count: int = 1
    lowest: float = -inf
    highest: float | tuple[float, ...] = inf
    above: bool = False
    whole: bool = False

    def numbers(self, text: str) -> tuple[float, ...]:
        """The numbers of a text.

        Raises:
            ValueError: with what is wrong.
        """
        words = text.split()
        if not words and self.default is None:
            raise ValueError(f"{self.name} is missing")
        if not words:
            assert self.default is not None
            return self.default
        try:
            values = tuple(float(word) for word in words)
        except ValueError:
            values = ()
        if len(values) != self.count:
            raise ValueError(f"{self.name} is {text!r}, not {self._needed}")
        # each number may have a bound of its own
        highest = self.highest if isinstance(self.highest, tuple) else (self.highest,) * self.count
        for value, most in zip(values, highest, strict=True):
            self._check(value, most)
        return tuple(float(int(value)) for value in values) if self.whole else values

    def _check(self, value: float, most: float) -> None:
        is_low = value <= self.lowest if self.above else value < self.lowest
        if isfinite(value) and not is_low and value <= most:
            return
        words = [f"{'above' if self.above else 'at least'} {self.lowest:g}"] if isfinite(self.lowest) else []
        words += [f"at most {most:g}"] if isfinite(most) else []
        raise ValueError(f"{self.name} is {value:g}; it must be {' and '.join(words) or 'finite'}")

    @property
    def _needed(self) -> str:
        return "a number" if self.count == 1 else f"{self.count} numbers"


@dataclass(frozen=True)
class PluginRow:
    """One plugin.

    Attributes:
        type: its number in `plugin_type`.
        name: its name in MJCF.
        kind: what it can be a plugin of.
        keys: its settings, in the order in which MuJoCo stores their texts.
        module: the file that holds its kernels.
        doc: what it does, in one line.
        states: how many state numbers an instance has.
        problem: what is wrong with numbers that do not go together, "" if nothing is.
        half_sizes: of a box around the surface, for signed distance fields.
        readings: how many numbers a sensor gives.
        activations: how many activations of its own an actuator has.
    """

    type: PluginType
    name: str
    kind: PluginKind
    keys: tuple[ConfigKey, ...]
    module: str
    doc: str
    states: int = 0
    problem: Callable[[Numbers], str] = lambda config: ""
    half_sizes: Callable[[Numbers], tuple[float, float, float]] = lambda config: (0.0, 0.0, 0.0)
    readings: Callable[[Numbers], int] = lambda config: 0
    activations: Callable[[Numbers], int] = lambda config: 0

    def first(self, key: str) -> int:
        """Where the numbers of a setting begin in `plugin_config`."""
        names = [other.name for other in self.keys]
        return sum(other.count for other in self.keys[: names.index(key)])

    def numbers(self, texts: Sequence[str]) -> tuple[float, ...]:
        """The numbers of a configuration, from the texts of all keys ("" for one that is not given).

        Raises:
            ValueError: with what is wrong.
        """
        found = tuple(value for key, text in zip(self.keys, texts, strict=True) for value in key.numbers(text))
        problem = self.problem(found)
        if problem:
            raise ValueError(problem)
        return found

    def texts(self, given: Mapping[str, str]) -> tuple[str, ...]:
        """The texts of all keys in order, from those that are given."""
        return tuple(given.get(key.name, "") for key in self.keys)


def _number(name: str, doc: str, default: float) -> ConfigKey:
    return ConfigKey(name, doc, (default,))


def _wrong_pid(config: Numbers) -> str:
    _, ki, _, imax, _ = config
    return "imax must be positive, or have the sign of ki" if imax < UNBOUNDED and imax * ki < 0 else ""


def _wrong_bowl(config: Numbers) -> str:
    height, radius, _ = config
    return f"height is {height:g}; it must be at most the radius, {radius:g}" if abs(height) > abs(radius) else ""


def _wrong_gear(config: Numbers) -> str:
    _, diameter, teeth, _, _ = config
    return "diameter and teeth must be positive" if not (diameter > 0 and teeth > 0) else ""


def _gear_half_sizes(config: Numbers) -> tuple[float, float, float]:
    _, diameter, teeth, thickness, _ = config
    # teeth are as high as the pitch diameter has for each
    outside = (diameter + 2.0 * (1.0 / (teeth / diameter))) / 2.0
    half = max(diameter / 2 * 1.25, outside * 1.05)
    return half, half, thickness / 2 * 1.1


PLUGINS: dict[PluginType, PluginRow] = {row.type: row for row in (
    PluginRow(PluginType.PID, "mujoco.pid", PluginKind.ACTUATOR, (
        ConfigKey("kp", "proportional gain"),
        ConfigKey("ki", "integral gain"),
        ConfigKey("kd", "derivative gain"),
        ConfigKey("imax", "largest force of the integral term; without it there is no bound", (UNBOUNDED,)),
        ConfigKey("slewmax", "largest rate of the setpoint; without it there is no bound", (-1.0,), lowest=0.0),
    ), "phalanx.smooth.actuator.pid_plugin", "a PID controller of the length of its actuators", problem=_wrong_pid,
        activations=lambda config: (config[1] != 0) + (config[4] >= 0)),
    PluginRow(PluginType.TOUCH_GRID, "mujoco.sensor.touch_grid", PluginKind.SENSOR, (
        ConfigKey("nchannel", "how many of normal force, two friction forces, torque and two more are reported", (1.0,),
                  lowest=0.0, highest=6.0, whole=True),
        ConfigKey("size", "bins along azimuth and elevation", None, 2, lowest=1.0, highest=2048.0, whole=True),
        ConfigKey("fov", "half angles of view along azimuth and elevation [deg]", None, 2, lowest=0.0,
                  highest=(180.0, 90.0), above=True),
        ConfigKey("gamma", "how much finer bins are in the middle, 0 for bins of one size", lowest=0.0, highest=1.0),
    ), "phalanx.sensor.read.touch_grid", "forces of contacts around a site, in bins of a spherical image",
        readings=lambda config: max(1, int(config[0])) * int(config[1]) * int(config[2])),
    PluginRow(PluginType.BOLT, "mujoco.sdf.bolt", PluginKind.SDF, (
        _number("radius", "radius of the thread [m]", 0.26),
    ), "phalanx.collision.sdf.thread_field", "a hexagonal bolt with a thread, 1 m long",
        half_sizes=lambda config: (max(0.6, 1.2 * config[0]), max(0.6, 1.2 * config[0]), 1.0)),
    PluginRow(PluginType.BOWL, "mujoco.sdf.bowl", PluginKind.SDF, (
        _number("height", "height of the rim [m]", 0.4),
        _number("radius", "radius of the sphere [m]", 1.0),
        _number("thickness", "half thickness of the wall [m]", 0.02),
    ), "phalanx.collision.sdf.bowl_field", "a bowl: the lower part of a hollow sphere", problem=_wrong_bowl,
        half_sizes=lambda config: (config[1] + config[2],) * 3),
    PluginRow(PluginType.GEAR, "mujoco.sdf.gear", PluginKind.SDF, (
        _number("alpha", "rotation about the axis [rad]", 0.0),
        _number("diameter", "pitch diameter [m]", 2.8),
        _number("teeth", "number of teeth", 25.0),
        _number("thickness", "thickness [m]", 0.2),
        _number("innerdiameter", "diameter of the hole, negative for automatic [m]", -1.0),
    ), "phalanx.collision.sdf.gear_field", "a gear with involute teeth", problem=_wrong_gear,
        half_sizes=_gear_half_sizes),
    PluginRow(PluginType.NUT, "mujoco.sdf.nut", PluginKind.SDF, (
        _number("radius", "radius of the thread [m]", 0.26),
    ), "phalanx.collision.sdf.thread_field", "a hexagonal nut with a thread, 1 m wide",
        half_sizes=lambda config: (0.6, 0.6, 1.0)),
    PluginRow(PluginType.TORUS, "mujoco.sdf.torus", PluginKind.SDF, (
        _number("radius1", "radius of the ring [m]", 0.35),
        _number("radius2", "radius of the tube [m]", 0.15),
    ), "phalanx.collision.sdf.torus_field", "a torus about z",
        half_sizes=lambda config: (config[0] + config[1], config[0] + config[1], config[1])),
)}  # fmt: skip

PLUGINS_BY_NAME: dict[str, PluginRow] = {row.name: row for row in PLUGINS.values()}

#: Plugins that give geoms their shapes.
FIELDS: tuple[int, ...] = tuple(int(row.type) for row in PLUGINS.values() if row.kind == PluginKind.SDF)

#: Numbers of a configuration at most.
NCONFIG = max(sum(key.count for key in row.keys) for row in PLUGINS.values())


def modules_of(kind: PluginKind) -> tuple[str, ...]:
    """The files that hold the kernels of the plugins of a kind."""
    return tuple(dict.fromkeys(row.module for row in PLUGINS.values() if row.kind == kind))


def known_plugins() -> str:
    """The names of all plugins, for messages."""
    return ", ".join(PLUGINS_BY_NAME)


# --- which plugin a compiled model means

#: Plugins by the library that registers them, in order; in which order the libraries are loaded is not fixed.
_LIBRARIES = ((PluginType.PID,), (PluginType.TOUCH_GRID,), tuple(PluginType)[PluginType.BOLT :])
#: How many plugins may have been registered before those of a library.
_BEFORE = {
    library: {0, *(len(a) for a in others), sum(len(a) for a in others)}
    for library in _LIBRARIES
    for others in [[other for other in _LIBRARIES if other is not library]]
}


def type_of(slot: int, kind: PluginKind, keys: int) -> PluginType | None:
    """The plugin that a compiled model of MuJoCo means, None if it is none of these.

    A compiled model has neither names nor libraries: only the number under which the plugin was registered, what it is
    a plugin of, and how many settings it has. Together these tell first-party plugins apart.
    """
    for library in _LIBRARIES:
        for place, kind_of in enumerate(library):
            row = PLUGINS[kind_of]
            if row.kind == kind and len(row.keys) == keys and slot - place in _BEFORE[library]:
                return kind_of
    return None
