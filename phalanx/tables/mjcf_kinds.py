"""Kinds of named elements of a model file, as an editable model lists, finds and adds them."""

from __future__ import annotations

from dataclasses import dataclass

from phalanx.tables.mjcf_schema import ELEMENTS

#: Kind -> its plural, which is the name of the list of all elements of the kind.
PLURALS = {
    "body": "bodies", "frame": "frames", "joint": "joints", "geom": "geoms", "site": "sites", "camera": "cameras",
    "light": "lights", "flexcomp": "flexcomps", "flex": "flexes", "mesh": "meshes", "hfield": "hfields",
    "skin": "skins", "texture": "textures",
    "material": "materials", "model": "models", "pair": "pairs", "exclude": "excludes", "equality": "equalities",
    "tendon": "tendons", "actuator": "actuators", "sensor": "sensors", "numeric": "numerics", "text": "texts",
    "tuple": "tuples", "key": "keys", "default": "defaults",
}  # fmt: skip

#: Sections that hold settings, and no elements with names.
SETTINGS = ("compiler", "option", "size", "statistic", "visual")
#: Elements that disappear into the body that holds them.
TRANSPARENT = ("frame", "replicate")


@dataclass(frozen=True)
class KindRow:
    """One kind.

    Attributes:
        name: of the kind ("actuator").
        plural: name of the list of all of them ("actuators").
        keys: rows of the schema that elements of the kind have, by tag.
        section: tag of the section that a new element is added to, "" if bodies hold the kind.
    """

    name: str
    plural: str
    keys: dict[str, str]
    section: str

    @property
    def has_types(self) -> bool:
        """Does the tag say which of several types an element is ("motor")?"""
        return len(self.keys) > 1


def _row(name: str, plural: str) -> KindRow:
    members = {row.tag: key for key, row in ELEMENTS.items() if row.kind == name and not row.unsupported}
    sections = [
        tag for tag in ELEMENTS["mujoco"].children if tag != "worldbody" and set(members.values()) & _children(tag)
    ]
    return KindRow(name, plural, members, sections[0] if sections else "")


def _children(tag: str) -> set[str]:
    """Keys of the rows that a section can hold directly."""
    return {key for key, _ in ELEMENTS[tag].children.values()}


KINDS: dict[str, KindRow] = {name: _row(name, plural) for name, plural in PLURALS.items()}
"""Every kind by its name."""

BY_PLURAL: dict[str, KindRow] = {row.plural: row for row in KINDS.values()}
"""Every kind by its plural."""
