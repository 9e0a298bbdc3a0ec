"""The tree of elements that compiles to a given model, made from its fields.

Everything is written as compiled: angles in radians, inertias of bodies, general actuators, no default classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from phalanx.compiler.decompile.compiled_fields import CompiledFields, stored
from phalanx.compiler.decompile.flex_elements import flexes_of
from phalanx.compiler.decompile.plugin_elements import extension_of
from phalanx.compiler.decompile.section_elements import (
    actuators_of,
    assets_of,
    contacts_of,
    custom_of,
    equalities_of,
    keys_of,
    new,
    tendons_of,
)
from phalanx.compiler.decompile.sensor_elements import sensor_of
from phalanx.compiler.decompile.tree_elements import worldbody_of
from phalanx.compiler.text.element import Element
from phalanx.memory.errors import ModelError
from phalanx.memory.visual import GROUPS, Visual
from phalanx.tables.mjcf_global import DISABLE_FLAGS, ENABLE_FLAGS
from phalanx.tables.mjcf_row import Holds

#: Sizes of objects that MJCF has no words for, or that Phalanx does not support, with what messages call them.
_UNWRITTEN = {"ngrid": "signed distance grids (with_sdf)"}
#: Sizes that the size element asks for.
_SIZES = ("nuserdata", "nkey", "nuser_body", "nuser_jnt", "nuser_geom", "nuser_site", "nuser_cam", "nuser_tendon",
          "nuser_actuator", "nuser_sensor")  # fmt: skip


def tree_of_model(sizes: Mapping[str, int], arrays: Mapping[str, np.ndarray], vis: Visual) -> Element:
    """The mujoco element of a compiled model.

    Raises:
        ModelError: the model has what MJCF cannot say.
    """
    for size, what in _UNWRITTEN.items():
        if sizes.get(size):
            raise ModelError(f"a model with {what} cannot be written as MJCF")
    m = CompiledFields(sizes, arrays)
    root = new("mujoco")
    name = bytes(arrays["names"]).split(b"\0")[0].decode()
    if name:
        root.attributes["model"] = name
    # settings first, then sections in the order of their references
    for section in (_compiler(), _option(m), _size(m), _visual(vis), _statistic(m)):
        root.append(section)
    _add(root, "extension", extension_of(m))
    _add(root, "asset", assets_of(m))
    root.append(worldbody_of(m))
    _add(root, "deformable", flexes_of(m))
    _add(root, "contact", contacts_of(m))
    _add(root, "equality", equalities_of(m))
    _add(root, "tendon", tendons_of(m))
    _add(root, "actuator", actuators_of(m))
    _add(root, "sensor", (sensor_of(m, sensor) for sensor in range(sizes["nsensor"])))
    _add(root, "custom", custom_of(m))
    _add(root, "keyframe", keys_of(m))
    return root


def _add(root: Element, tag: str, elements: Iterable[Element]) -> None:
    """A section with some elements, if there are any."""
    section = new(tag)
    for element in elements:
        section.append(element)
    if section.children:
        root.append(section)


def _compiler() -> Element:
    """Nothing is computed from what is written: it is written as compiled."""
    element = new("compiler")
    element.attributes.update(angle="radian", autolimits=False, inertiafromgeom="false")
    return element


def _option(m: CompiledFields) -> Element:
    element = new("option")
    for name, row in element.row.attributes.items():
        if row.field.startswith("opt."):
            m.put(element, name, stored(row, m[row.field]))
    disabled = m.integer("opt.disableactuator")
    m.put(element, "actuatorgroupdisable", tuple(group for group in range(31) if disabled >> group & 1))
    flags = new("option/flag")
    for names, field, word in (
        (DISABLE_FLAGS, "opt.disableflags", "disable"),
        (ENABLE_FLAGS, "opt.enableflags", "enable"),
    ):
        flags.attributes.update({name: word for name, bit in names.items() if m.integer(field) & bit})
    if flags.attributes:
        element.append(flags)
    return element


def _size(m: CompiledFields) -> Element:
    element = new("size")
    for name in _SIZES:
        m.put(element, name, m.sizes[name])
    return element


def _statistic(m: CompiledFields) -> Element:
    element = new("statistic")
    for name, row in element.row.attributes.items():
        element.attributes[name] = stored(row, m[f"stat.{name}"])
    return element


def _visual(vis: Visual) -> Element:
    element = new("visual")
    for group, row in GROUPS.items():
        child = new(row.key)
        for name, value in vis.written.get(group, {}).items():
            attribute = row.attributes[name]
            if attribute.holds is Holds.KEYWORD:
                value = next(word for word, code in attribute.keywords.items() if code == value)
            child.attributes[name] = bool(value) if attribute.holds is Holds.BOOL else value
        if child.attributes:
            element.append(child)
    return element
