"""Names and references: which elements name which others, and how both are renamed together."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from phalanx.compiler.asset.mesh_asset import stem
from phalanx.compiler.model_build import KINDS
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, nearest
from phalanx.compiler.text.file_settings import Scope
from phalanx.tables.mjcf_row import Holds

#: Sections whose elements are copied when an object they refer to is copied, in this order.
REFERRING = ("contact", "deformable", "tendon", "equality", "actuator", "sensor", "custom")
ASSETS = ("mesh", "skin", "hfield", "texture", "material")
_TREE_KINDS = {"body", "frame", "joint", "freejoint", "geom", "site", "camera", "light"}

Names = dict[str, set[str]]
Rename = Callable[[str], str]


def kind_of(element: Element) -> str:
    """Kind of object that an element is."""
    if element.tag == "freejoint":
        return "joint"
    if element.row.key.startswith("tendon/"):
        return "tendon"
    head = element.row.key.split("/")[0]
    return head if head in ("actuator", "sensor", "equality") else element.tag


def object_name(element: Element) -> str:
    """The name by which others refer to an element: an asset without a name has that of its file."""
    if element.tag in ASSETS and not element.name and "file" in element:
        return stem(element.attributes["file"])
    return element.name


def names_inside(elements: list[Element]) -> Names:
    """Names of all objects of the tree that some elements are or hold, by kind."""
    names: Names = {}
    for top in elements:
        for element in top.walk():
            if element.tag in _TREE_KINDS and element.name:
                names.setdefault(kind_of(element), set()).add(element.name)
    return names


def assets_of(root: Element) -> Names:
    """Names of all assets of a model, by kind; one without a name has that of its file."""
    names: Names = {}
    for section in root.children:
        if section.tag in ("asset", "deformable"):
            for asset in section.children:
                if asset.tag in ASSETS:
                    names.setdefault(asset.tag, set()).add(object_name(asset))
    return names


def instances_of(root: Element) -> set[str]:
    """Names of the instances of plugins that something in a model refers to."""
    return {element.attributes["instance"] for element in root.walk() if "instance" in element.attributes}


def referring(root: Element) -> Iterator[Element]:
    """Elements outside the tree that refer to others, in the order in which they are copied."""
    for tag in REFERRING:
        for section in root.children:
            if section.tag == tag:
                for element in section.children:
                    if (tag != "custom" or element.tag == "tuple") and element.tag != "skin":
                        yield element


def references(element: Element) -> Iterator[tuple[Element, str, str]]:
    """(element, attribute, kind) of every name of another object that an element, or one inside it, holds."""
    for inner in (element, *element.children):
        for name, kind in own_references(inner):
            yield inner, name, kind


def own_references(element: Element) -> Iterator[tuple[str, str]]:
    """(attribute, kind) of every name of another object that is written on an element."""
    for name in element.attributes:
        row = element.row.attributes.get(name)
        if row is None:
            continue
        if row.holds in (Holds.REFERENCE, Holds.REFERENCES) and row.kind not in ("default", "model"):
            yield name, row.kind
        elif name in ("objname", "refname"):
            word = element.attributes.get(name[:3] + "type", "")
            yield name, "body" if word == "xbody" else word


def touches(element: Element, names: Names) -> bool:
    """Does an element, or one inside it, refer to one of some names?"""
    return any(
        not names.get(kind, set()).isdisjoint(named(holder.attributes[name]))
        for holder, name, kind in references(element)
    )


def named(value: str | tuple[str, ...]) -> tuple[str, ...]:
    """The names that a reference holds: one, or several."""
    return value if isinstance(value, tuple) else (value,)


def renamed(value: str | tuple[str, ...], names: set[str], rename: Rename) -> str | tuple[str, ...]:
    """A reference with new names for some of those that it holds."""
    if isinstance(value, tuple):
        return tuple(rename(word) if word in names else word for word in value)
    return rename(value) if value in names else value


def rename_references(element: Element, names: Names, rename: Rename, strict: bool = True) -> bool:
    """Let a copy of an element refer to the new names of copied objects.

    Args:
        element: the copy; its attributes change.
        names: of the copied objects, by kind.
        rename: old name -> new name.
        strict: do not keep copies of equalities and actuators that refer also to objects that are not copied.

    Returns:
        Should the copy be kept?
    """
    has_others = False
    for holder, name, kind in list(references(element)):
        value, known = holder.attributes[name], names.get(kind, set())
        holder.attributes[name] = renamed(value, known, rename)
        if kind in KINDS and not known.issuperset(named(value)):
            has_others = True
    needs_all = element.row.key.startswith(("equality/", "actuator/")) and strict
    return not (has_others and needs_all)


def rename_tree(top: Element, names: Names, rename: Rename) -> None:
    """New names for all objects of a part of the tree, and for its references to some names."""
    for element in top.walk():
        if element.tag in _TREE_KINDS and element.name:
            element.attributes["name"] = rename(element.name)
        for name in list(element.attributes):
            row = element.row.attributes.get(name)
            if row is not None and row.holds in (Holds.REFERENCE, Holds.REFERENCES):
                element.attributes[name] = renamed(element.attributes[name], names.get(row.kind, set()), rename)


def find_in_tree(root: Element, tag: str, name: str) -> Element:
    """The element of the kinematic tree with a tag and name."""
    names = []
    for section in root.children:
        if section.tag == "worldbody":
            for element in section.walk():
                if element.tag == tag:
                    if element.name == name:
                        return element
                    names.append(element.name)
    raise ElementProblem(f"{tag}={name!r}: there is no such {tag}{nearest(name, names)}", tag)


def class_around(element: Element) -> str:
    """The childclass of the nearest element around an element that has one, "main" if none has."""
    here = element.parent
    while here is not None:
        if "childclass" in here.attributes:
            return here.attributes["childclass"]
        here = here.parent
    return "main"


def scope_of(element: Element) -> Scope | None:
    """Settings of the attached model that an element comes from; None for an element of the outer model."""
    here: Element | None = element
    while here is not None:
        if here.scope is not None:
            return here.scope
        here = here.parent
    return None
