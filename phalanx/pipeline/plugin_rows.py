"""Rows of a Model about plugins that only we have: which plugin an instance is, and the numbers of its
configuration.

A Model from outside has texts and numbers of MuJoCo; what is derived here is proven safe for kernels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from phalanx.algebra.number_type import NumberType
from phalanx.memory.errors import ModelError
from phalanx.memory.layout import MODEL_SCHEMA, dtype_of, shape_of
from phalanx.memory.names import NameIndex
from phalanx.tables.enums import DynType, ObjType, SensorType
from phalanx.tables.plugins import PLUGINS, PluginKind, PluginRow, type_of

Arrays = Mapping[str, np.ndarray]
Sizes = Mapping[str, int]

#: The rows that are derived.
DERIVED_ROWS = ("plugin_type", "plugin_config")
#: What an object of a kind can have a plugin of.
_HOLDERS = {
    "actuator": PluginKind.ACTUATOR,
    "sensor": PluginKind.SENSOR,
    "geom": PluginKind.SDF,
    "body": PluginKind.PASSIVE,
}
#: Dynamics whose one activation comes after those of a plugin.
_WITH_ACTIVATION = (DynType.INTEGRATOR, DynType.FILTER, DynType.FILTEREXACT)


def plugin_rows(sizes: Sizes, arrays: Arrays) -> dict[str, np.ndarray]:
    """The derived rows, in new memory.

    Raises:
        ModelError: a configuration, or what has it, that the plugin refuses.
    """
    number = NumberType("float64")
    schema = MODEL_SCHEMA.fields
    rows = {name: np.zeros(shape_of(schema[name], sizes), dtype_of(schema[name], number)) for name in DERIVED_ROWS}
    for instance in range(sizes["nplugin"]):
        row = row_of(arrays, instance)
        rows["plugin_type"][instance] = -1 if row is None else row.type
        if row is not None:
            config = numbers_of(arrays, instance, row)
            rows["plugin_config"][instance, : len(config)] = config
            _check_holders(sizes, arrays, instance, row, config)
    return rows


def texts_of(arrays: Arrays, instance: int) -> list[str]:
    """The texts of the configuration of an instance, one for each key."""
    starts = arrays["plugin_attradr"].tolist()
    end = starts[instance + 1] if instance + 1 < len(starts) else len(arrays["plugin_attr"])
    data = arrays["plugin_attr"][starts[instance] : end].tobytes()
    return [text.decode(errors="replace") for text in data.split(b"\0")[:-1]]


def row_of(arrays: Arrays, instance: int) -> PluginRow | None:
    """The plugin that an instance is, None if it is none of ours."""
    held = {kind for holder, kind in _HOLDERS.items() if (arrays[f"{holder}_plugin"] == instance).any()}
    count = len(texts_of(arrays, instance))
    slot = int(arrays["plugin"][instance])
    found = [kind for kind in (type_of(slot, kind, count) for kind in held or set(PluginKind)) if kind is not None]
    return PLUGINS[found[0]] if len(found) == 1 else None


def numbers_of(arrays: Arrays, instance: int, row: PluginRow) -> tuple[float, ...]:
    """The numbers of a configuration."""
    try:
        return row.numbers(texts_of(arrays, instance))
    except ValueError as problem:
        raise ModelError(f"{_label(arrays, instance)} of {row.name}: {problem}") from None


def _label(arrays: Arrays, instance: int) -> str:
    return NameIndex(dict(arrays)).label("plugin", instance)


# --- what has a plugin


def _check_holders(sizes: Sizes, arrays: Arrays, instance: int, row: PluginRow, config: tuple[float, ...]) -> None:
    """Refuse actuators and sensors that kernels of their plugin would leave the memory with."""
    wrong = _CHECKS.get(row.kind, lambda *arguments: iter(()))
    for message in wrong(sizes, arrays, instance, row, config):
        raise ModelError(message)


def _wrong_actuators(
    sizes: Sizes, arrays: Arrays, instance: int, row: PluginRow, config: tuple[float, ...]
) -> Iterator[str]:
    for actuator in np.flatnonzero(arrays["actuator_plugin"] == instance):
        has_own = arrays["actuator_dyntype"][actuator] in _WITH_ACTIVATION
        needed, found = row.activations(config) + int(has_own), int(arrays["actuator_actnum"][actuator])
        if found != needed:
            label = NameIndex(dict(arrays)).label("actuator", int(actuator))
            yield f'{label} has {found} activations; {row.name} needs actdim="{needed}"'
        if arrays["actuator_ctrlnum"][actuator] != 1 or arrays["actuator_outnum"][actuator] != 1:
            label = NameIndex(dict(arrays)).label("actuator", int(actuator))
            yield f"{label} has several controls or outputs; {row.name} has one"


def _wrong_sensors(
    sizes: Sizes, arrays: Arrays, instance: int, row: PluginRow, config: tuple[float, ...]
) -> Iterator[str]:
    for sensor in np.flatnonzero(arrays["sensor_plugin"] == instance):
        if arrays["sensor_type"][sensor] != SensorType.PLUGIN:
            continue
        label = NameIndex(dict(arrays)).label("sensor", int(sensor))
        if arrays["sensor_objtype"][sensor] != ObjType.SITE or not 0 <= arrays["sensor_objid"][sensor] < sizes["nsite"]:
            yield f"{label} of {row.name} must be attached to a site"
        if arrays["sensor_dim"][sensor] != row.readings(config):
            yield f"{label} has {arrays['sensor_dim'][sensor]} numbers; its configuration gives {row.readings(config)}"


_CHECKS = {PluginKind.ACTUATOR: _wrong_actuators, PluginKind.SENSOR: _wrong_sensors}
