"""Deletion of an element with everything that refers to it, or to an element inside it.

The schema says which attributes are names of other elements (`Holds.REFERENCE`), whether an element can do without
what it names (`Attribute.optional`), and which elements are pieces of others (`ElementRow.is_piece`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from phalanx.compiler.edit.references import Names, named, object_name, own_references
from phalanx.compiler.edit.resolve import defaults_of, resolved_value, root_of
from phalanx.compiler.text.defaults import Defaults
from phalanx.compiler.text.element import Element
from phalanx.memory.errors import FieldError, ModelError
from phalanx.tables.mjcf_row import Holds

#: What may be done with elements that refer to a deleted one.
POLICIES = ("delete", "refuse")
#: Elements that a message lists, at most.
_LISTED = 8

#: An element, and the attribute that names another one.
Use = tuple[Element, str]


@dataclass(frozen=True)
class Deletion:
    """What a deletion did.

    Attributes:
        removed: elements that went, the deleted one first; those inside an element go with it and are not listed.
        cleared: elements that stay, with the attribute that named a deleted element and is empty now.
    """

    removed: tuple[Element, ...]
    cleared: tuple[Use, ...] = ()

    def __str__(self) -> str:
        gone = f"deleted {', '.join(map(str, self.removed))}"
        return gone + (f"; cleared {_listed(self.cleared)}" if self.cleared else "")


def delete(element: Element, references: str = "delete") -> Deletion:
    """Take an element out of its model, with all that refers to it or to an element inside it.

    Args:
        element: in the tree of its model.
        references: "delete" takes the elements that refer to it along; "refuse" raises, and says which they are.

    Raises:
        ModelError: elements refer to it, with "refuse"; or to a default class, which cannot be missed.
        FieldError: an element that every model has.
    """
    if references not in POLICIES:
        raise FieldError(f'references is "delete" or "refuse", not {references!r}')
    if element.parent is None or element.tag == "worldbody":
        raise FieldError(f"{element} cannot be deleted; delete the elements inside it")
    root = root_of(element)
    _refuse_used_classes(root, element)
    search = _Search(root, element)
    if references == "refuse" and search.uses:
        raise ModelError(f'{element} is used by {_listed(search.uses)}; references="delete" takes them along')
    # everything is found before anything changes
    for other in search.removed:
        other.remove()
    for holder, name in search.cleared:
        del holder.attributes[name]
    return Deletion(tuple(search.removed), tuple(search.cleared))


class _Search:
    """Everything that goes with an element: those that refer to it, those that refer to them, and so on.

    Attributes:
        removed: elements that go, in the order in which they are found.
        cleared: references of elements that stay.
        uses: references of both.
    """

    def __init__(self, root: Element, element: Element):
        self.root = root
        self.removed: list[Element] = [element]
        self.cleared: list[Use] = []
        self.uses: list[Use] = []
        self.gone: set[int] = {id(inner) for inner in element.walk()}
        self.defaults: Defaults = defaults_of(root)
        names = self._names_of(element)
        while names:
            names = self._follow(names)

    def _follow(self, names: Names) -> Names:
        """Note what refers to some names; the names that go with it."""
        lost: Names = {}
        for holder in self.root.walk():
            if id(holder) in self.gone:
                continue
            for name, kind, value in self._references(holder):
                if value not in names.get(kind, ()):
                    continue
                self.uses.append((holder, name))
                row = holder.row.attributes[name]
                if row.optional or holder.row.key.startswith("default/"):
                    if name in holder.attributes:
                        self.cleared.append((holder, name))
                    continue
                for lost_kind, more in self._remove(_whole(holder)).items():
                    lost.setdefault(lost_kind, set()).update(more)
                break
        return lost

    def _remove(self, element: Element) -> Names:
        """Note that an element goes; the names that go with it."""
        self.removed.append(element)
        self.gone.update(id(inner) for inner in element.walk())
        # an element that goes as a whole needs no reference cleared
        self.cleared = [use for use in self.cleared if id(use[0]) not in self.gone]
        return self._names_of(element)

    def _references(self, holder: Element) -> Iterator[tuple[str, str, str]]:
        """(attribute, kind, name) of everything that an element refers to, also through its default class."""
        for name, kind in own_references(holder):
            yield from ((name, kind, value) for value in named(holder.attributes[name]))
        if holder.tag == "attach" and "model" not in holder:
            yield from ((tag, tag, holder.attributes[tag]) for tag in ("body", "frame") if tag in holder)
        if "class" in holder.row.attributes:
            for name, row in holder.row.attributes.items():
                if row.holds is Holds.REFERENCE and row.inherits and name not in holder:
                    value = resolved_value(holder, name, self.defaults)
                    if value is not None:
                        yield name, row.kind, value

    def _names_of(self, element: Element) -> Names:
        """Names of all objects that an element is or holds, by kind."""
        names: Names = {}
        for inner in element.walk():
            if inner.tag == "attach":
                for kind, more in self._names_of_attached(inner).items():
                    names.setdefault(kind, set()).update(more)
            elif inner.row.kind and inner.row.kind != "default" and object_name(inner):
                names.setdefault(inner.row.kind, set()).add(object_name(inner))
            if inner.tag == "flexcomp":
                names.setdefault("flex", set()).add(inner.name)
        return names

    def _names_of_attached(self, attach: Element) -> Names:
        """Names that an attached part gives to the model, as far as others refer to them.

        They begin with its prefix, and no element of the model itself has them.
        """
        prefix = attach.attributes.get("prefix", "")
        others = [e for e in self.root.walk() if e.tag == "attach" and id(e) not in self.gone and e is not attach]
        if any(other.attributes.get("prefix", "") == prefix for other in others):
            return {}
        defined = {(e.row.kind, object_name(e)) for e in self.root.walk() if e.row.kind}
        names: Names = {}
        for holder in self.root.walk():
            for name, kind in own_references(holder):
                for value in named(holder.attributes[name]):
                    if value.startswith(prefix) and (kind, value) not in defined:
                        names.setdefault(kind, set()).add(value)
        return names


def _whole(element: Element) -> Element:
    """The element that an element is a piece of: a tendon, for a site on its path."""
    while element.row.is_piece and element.parent is not None:
        element = element.parent
    return element


def _refuse_used_classes(root: Element, element: Element) -> None:
    """Refuse to delete a default class that elements are in: without it they would be different objects."""
    classes = {inner.name for inner in element.walk() if inner.tag == "default" and inner.name}
    if not classes:
        return
    inside = {id(inner) for inner in element.walk()}
    users = [
        (other, name)
        for other in root.walk()
        for name in ("class", "childclass")
        if other.tag != "default" and other.attributes.get(name) in classes and id(other) not in inside
    ]
    if users:
        raise ModelError(f"{element} is the class of {_listed(users)}; give them another class first")


def _listed(uses: tuple[Use, ...] | list[Use]) -> str:
    """References in words: "motor 'hip' (joint), weld (body1)"."""
    words = [f"{holder} ({name})" for holder, name in uses[:_LISTED]]
    more = len(uses) - _LISTED
    return ", ".join(words) + (f" and {more} more" if more > 0 else "")
