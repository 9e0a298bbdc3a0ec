"""Every mechanism in a tree of elements, replaced by plain elements."""

from __future__ import annotations

import importlib

from phalanx.compiler.mechanism.expansion import Expander, Expansion
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, Problem
from phalanx.tables.mechanisms import MECHANISMS
from phalanx.tables.mjcf_schema import ELEMENTS


def expander_of(tag: str) -> Expander:
    """The function that expands mechanisms of a tag: that of its file with its name."""
    module = importlib.import_module(f"phalanx.compiler.mechanism.{tag}")
    found: Expander = getattr(module, tag)
    return found


def expand_element(element: Element, root: Element) -> list[Element]:
    """Replace one mechanism, which is in the tree, and return the plain elements that it became.

    Raises:
        ElementProblem: its values make no mechanism; the tree does not change.
    """
    parts = Expansion(element, is_degree(root))
    expander_of(element.tag)(parts)
    holder = element.parent
    assert holder is not None
    place = holder.children.index(element)
    in_place = parts.made if holder.tag != "equality" else parts.equalities
    holder.children[place : place + 1] = in_place
    for made in in_place:
        made.parent = holder
    element.parent = None
    if holder.tag != "equality" and parts.equalities:
        _append(root, "equality", parts.equalities)
    if parts.tendons:
        _append(root, "tendon", parts.tendons)
    return [*parts.made, *parts.tendons, *parts.equalities]


def expand_all(root: Element, mechanisms: list[Element], problems: list[Problem]) -> None:
    """Replace mechanisms of a tree; those that make no sense are reported and left out."""
    for element in mechanisms:
        # what could not be read is reported already
        try:
            if not element.bad:
                expand_element(element, root)
                continue
        except ElementProblem as problem:
            problems.append(element.problem(str(problem), problem.attribute))
        holder = element.parent
        element.remove()
        if holder is not None:
            holder.skipped += (element.name or f"<{element.tag}>",)


def is_degree(root: Element) -> bool:
    """Are angles of a model written in degrees?"""
    written = [child.attributes["angle"] for child in root.children if child.tag == "compiler" and "angle" in child]
    return not written or written[-1] == "degree"


def _append(root: Element, tag: str, elements: list[Element]) -> None:
    """Add elements to the last section of a tag, a new one if there is none."""
    sections = [child for child in root.children if child.tag == tag]
    section = sections[-1] if sections else root.append(Element(ELEMENTS[tag]))
    for element in elements:
        section.append(element)


def mechanism_element(tag: str) -> Element:
    """A new mechanism without attributes."""
    return Element(MECHANISMS[tag].element)
