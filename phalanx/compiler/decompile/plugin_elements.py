"""Elements of plugins, from their fields: the reverse of `compiler/object/plugin.py`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phalanx.compiler.asset.plugin_mesh import plugin_surface
from phalanx.compiler.decompile.compiled_fields import CompiledFields
from phalanx.compiler.text.element import Element
from phalanx.memory.errors import ModelError
from phalanx.pipeline.plugin_rows import numbers_of, texts_of
from phalanx.tables.mjcf_schema import ELEMENTS
from phalanx.tables.plugins import PLUGINS, PluginKind, PluginRow, PluginType

#: Fields that say which instance an object has.
_HELD = ("actuator_plugin", "sensor_plugin", "geom_plugin")


def plugin_of(m: CompiledFields, instance: int) -> PluginRow:
    """The plugin of an instance.

    Raises:
        ModelError: it is not known, so that its name cannot be written.
    """
    kind = m.integer("plugin_type", instance)
    if kind < 0:
        raise ModelError(f"plugin instance {instance} is of a plugin that is not known: MJCF needs its name")
    return PLUGINS[PluginType(kind)]


def extension_of(m: CompiledFields) -> Iterator[Element]:
    """Every plugin that the model uses, with the instances that have names."""
    plugins: dict[str, Element] = {}
    for instance in range(m.sizes["nplugin"]):
        row = plugin_of(m, instance)
        element = plugins.setdefault(row.name, Element(ELEMENTS["extension/plugin"]))
        element.attributes["plugin"] = row.name
        if m.names["plugin"][instance]:
            child = element.append(Element(ELEMENTS["extension/plugin/instance"]))
            child.attributes["name"] = m.names["plugin"][instance]
            _configure(m, child, instance)
    yield from plugins.values()


def _configure(m: CompiledFields, element: Element, instance: int) -> None:
    """The settings of an instance that are not empty."""
    row = plugin_of(m, instance)
    for key, text in zip(row.keys, texts_of(m.arrays, instance), strict=True):
        if text:
            child = element.append(Element(ELEMENTS["config"]))
            child.attributes.update(key=key.name, value=text)


def refer_to_plugin(m: CompiledFields, element: Element, instance: int) -> None:
    """Say on an element which instance it has: by name, or with the configuration of one that stands for itself."""
    name = m.names["plugin"][instance]
    if name:
        element.attributes["instance"] = name
    else:
        element.attributes["plugin"] = plugin_of(m, instance).name
        _configure(m, element, instance)


def add_plugin(m: CompiledFields, element: Element, instance: int) -> None:
    """A plugin inside an element, if there is one."""
    if instance >= 0:
        refer_to_plugin(m, element.append(Element(ELEMENTS["plugin"])), instance)


def maker_of(m: CompiledFields, mesh: int) -> int:
    """The instance whose surface a mesh is, -1 for none: a Model does not say it, but the vertices do.

    Of several that give the same mesh, one that nothing else has counts: it stands for itself at the mesh.
    """
    start, count = m.integer("mesh_vertadr", mesh), m.integer("mesh_vertnum", mesh)
    vertices = m["mesh_vert"][start : start + count]
    held = {int(instance) for field in _HELD for instance in m[field]}
    fields = [k for k in range(m.sizes["nplugin"]) if plugin_of(m, k).kind == PluginKind.SDF]
    for instance in sorted(fields, key=lambda k: bool(m.names["plugin"][k]) or k in held):
        row = plugin_of(m, instance)
        made = plugin_surface(row, numbers_of(m.arrays, instance, row)).vertices
        if np.array_equal(made, vertices):
            return instance
    return -1
