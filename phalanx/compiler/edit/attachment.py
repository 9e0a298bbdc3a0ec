"""Checks of an attachment before it is made: names that the model would have twice."""

from __future__ import annotations

from collections.abc import Mapping

from phalanx.compiler.edit.references import Names, find_in_tree, names_inside
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem
from phalanx.memory.errors import ModelError


def check_attachment(
    root: Element, other: Element, prefix: str, body: str, frame: str, attached: Mapping[str, Element]
) -> None:
    """Refuse an attachment that names what does not exist, or brings names that are there already.

    Args:
        root: the model that takes the part.
        other: the model that the part is of.
        prefix: text before all names of the part.
        body, frame: name of the part; the whole model if both are empty.
        attached: roots of the models that are attached already, by name.

    Raises:
        ModelError: with the name, and what to do.
    """
    if body and frame:
        raise ModelError("attach takes a body or a frame, not both")
    new = _names_of(other, prefix, body, frame)
    # what the model has itself, and what its other attachments give to it
    there = names_inside([section for section in root.children if section.tag == "worldbody"])
    for element in root.walk():
        model = attached.get(element.attributes.get("model", "")) if element.tag == "attach" else None
        if model is not None:
            values = element.attributes
            part = _names_of(model, values.get("prefix", ""), values.get("body", ""), values.get("frame", ""))
            for kind, names in part.items():
                there.setdefault(kind, set()).update(names)
    for kind, names in new.items():
        twice = sorted(names & there.get(kind, set()))
        if twice:
            has = f"the prefix {prefix!r} gives" if prefix else "without a prefix it gives"
            raise ModelError(f"there is a {kind} {twice[0]!r} already, and {has} another: attach with another prefix")


def _names_of(root: Element, prefix: str, body: str, frame: str) -> Names:
    """Names of the objects of a part of a model, with a prefix, by kind."""
    tops = [section for section in root.children if section.tag == "worldbody"]
    if body or frame:
        try:
            tops = [find_in_tree(root, "body" if body else "frame", body or frame)]
        except ElementProblem as problem:
            raise ModelError(str(problem)) from None
    return {kind: {prefix + name for name in names} for kind, names in names_inside(tops).items()}
