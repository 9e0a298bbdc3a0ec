"""Plugins: instances and their configurations, who has which, and the rows of the Model.

An instance is declared in the extension section and shared by name, or stands for itself at what has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from phalanx.compiler.model_build import Build, starts_of
from phalanx.compiler.model_object import ModelObject
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, nearest
from phalanx.tables.plugins import PLUGINS_BY_NAME, PluginKind, PluginRow, known_plugins

if TYPE_CHECKING:
    from phalanx.compiler.asset.mesh_asset import MeshAsset
    from phalanx.compiler.object.geom import Geom

#: Sections that may hold instances of their own, in the order in which MuJoCo numbers them.
_HOLDING = ("asset", "actuator", "sensor", "worldbody")
#: What messages call the objects that a kind of plugin is for.
_WORDS = {
    PluginKind.ACTUATOR: "actuators", PluginKind.SENSOR: "sensors", PluginKind.SDF: "signed distance fields",
    PluginKind.PASSIVE: "bodies",
}  # fmt: skip


class PluginInstance(ModelObject):
    """An instance of a plugin."""

    #: the plugin, None if it is not known, which is reported
    row: PluginRow | None = None
    #: texts of all keys
    texts: tuple[str, ...] = ()
    #: their numbers, empty if some are wrong
    config: tuple[float, ...] = ()


# --- collecting


def collect_plugins(build: Build) -> None:
    """File all instances: those that are declared, then those that stand for themselves."""
    declared: dict[str, PluginRow | None] = {}
    for element in build.sections("extension"):
        name = element.attributes.get("plugin", "")
        declared[name] = PLUGINS_BY_NAME.get(name)
        if name and declared[name] is None:
            build.report(element, f"plugin={name!r} is not known; there are {known_plugins()}", "plugin")
        for child in element.children:
            _add_instance(build, child, child.attributes.get("name"), declared[name])
    for tag in _HOLDING:
        for section in build.root.children:
            if section.tag == tag:
                for element in section.walk():
                    if element.tag == "plugin" and "instance" not in element:
                        _add_own_instance(build, element, declared)


def _add_own_instance(build: Build, element: Element, declared: dict[str, PluginRow | None]) -> None:
    """An instance that stands for itself, of a plugin that the model declares."""
    name = element.attributes.get("plugin")
    if not name:
        build.report(element, "neither plugin nor instance is given")
    elif name not in declared:
        hint = nearest(name, declared) if declared else ""
        build.report(element, f"plugin={name!r} is not declared in the extension section{hint}", "plugin")
    build.own_plugins[id(element)] = _add_instance(build, element, None, declared.get(name or ""))


def _add_instance(build: Build, element: Element, name: str | None, row: PluginRow | None) -> PluginInstance:
    instance = PluginInstance(element, {"name": name}, element.scope or build.scope)
    instance.row = row
    build.add("plugin", instance)
    if row is not None:
        with build.at(element):
            _configure(build, instance, row)
    return instance


def _configure(build: Build, instance: PluginInstance, row: PluginRow) -> None:
    """Texts and numbers of the configuration."""
    given: dict[str, str] = {}
    keys = [key.name for key in row.keys]
    for child in instance.element.children:
        key = child.attributes.get("key", "")
        if key in given:
            build.report(child, f"key {key!r} is given twice", "key")
        elif key not in keys:
            build.report(child, f"{row.name} has no key {key!r}{nearest(key, keys)}", "key")
        given[key] = child.attributes.get("value") or ""
    instance.texts = row.texts(given)
    try:
        instance.config = row.numbers(instance.texts)
    except ValueError as problem:
        raise ElementProblem(str(problem)) from None


# --- who has which


def plugin_at(build: Build, element: Element, kind: PluginKind) -> PluginInstance | None:
    """The instance that a plugin element means; None if there is a problem with it, which is reported."""
    name = element.attributes.get("instance")
    if name is None:
        found = build.own_plugins.get(id(element))
    else:
        found = build.find("plugin", name, "instance")
        if element.children:
            raise ElementProblem(f"the configuration is that of instance {name!r}; it cannot be given here")
        wanted = element.attributes.get("plugin")
        if wanted and found.row is not None and wanted != found.row.name:
            raise ElementProblem(f"instance {name!r} is one of {found.row.name}, not of {wanted}", "plugin")
    if found is None or found.row is None:
        return None
    if found.row.kind != kind:
        raise ElementProblem(f"{found.row.name} is for {_WORDS[found.row.kind]}, not for {_WORDS[kind]}")
    return found if found.config else None


def child_plugin(build: Build, obj: ModelObject, kind: PluginKind) -> PluginInstance | None:
    """The instance that a plugin element inside that of an object means; None if there is none."""
    found = None
    for child in obj.element.children:
        if child.tag == "plugin":
            if found is not None:
                raise ElementProblem("there are two plugins")
            with build.at(child):
                found = plugin_at(build, child, kind)
    return found


def link_plugins(build: Build) -> None:
    """Give meshes and geoms their plugins; there is none for bodies."""

    def link(obj: MeshAsset | Geom) -> None:
        obj.plugin = child_plugin(build, obj, PluginKind.SDF)

    build.each(build.meshes, link)
    build.each(build.geoms, link)
    for body in build.bodies[1:]:
        with build.at(body):
            child_plugin(build, body, PluginKind.PASSIVE)


# --- columns


def write_plugins(build: Build) -> None:
    """Columns of instances: the texts of their keys follow each other, each closed by a zero."""
    columns, instances = build.columns, build.plugins
    rows = [instance.row for instance in instances]
    texts = [b"".join(text.encode() + b"\0" for text in instance.texts) for instance in instances]
    states = [row.states if row is not None else 0 for row in rows]
    columns["plugin"] = [int(row.type) if row is not None else -1 for row in rows]
    columns["plugin_attradr"] = starts_of([len(text) for text in texts])
    columns["plugin_attr"] = np.frombuffer(b"".join(texts), np.uint8)
    columns["plugin_statenum"], columns["plugin_stateadr"] = states, starts_of(states)
    build.sizes["npluginattr"], build.sizes["npluginstate"] = len(columns["plugin_attr"]), sum(states)
