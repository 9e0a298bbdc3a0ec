"""The tree of links: which link hangs on which, and what is wrong with that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import nearest
from phalanx.compiler.urdf.translation import Translation, child_of, children_of
from phalanx.tables.urdf_schema import URDF

#: The link that is the world itself, if a file has it.
WORLD = "world"


@dataclass(eq=False)
class Link:
    """A link with its place in the tree.

    Attributes:
        element: the link element.
        joint: the joint element that moves it, None for a root.
        parent: the link it hangs on, None for a root.
        children: links that hang on it, in the order of their joints.
    """

    element: Element
    joint: Element | None = None
    parent: Link | None = None
    children: list[Link] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name of the link."""
        return self.element.name

    @property
    def is_world(self) -> bool:
        """Is it the world itself?"""
        return self.parent is None and self.name == WORLD


def link_tree(translation: Translation) -> list[Link]:
    """The links depth first, roots in the order of the file."""
    links = _links(translation)
    for joint in _joints(translation):
        _connect(translation, links, joint)
    roots = [link for link in links.values() if link.parent is None]
    order = list(_depth_first(roots))
    _report_loops(translation, links, order)
    return order


def _links(translation: Translation) -> dict[str, Link]:
    """Links by name; a name may be given once."""
    links: dict[str, Link] = {}
    for element in children_of(translation.robot, "link"):
        if element.name in links:
            first = links[element.name].element.problem("").line
            translation.report(element, f"the name {element.name!r} is given to two links, first in line {first}",
                               "name")  # fmt: skip
        elif element.name:
            links[element.name] = Link(element)
    if not links and not translation.problems:
        tell = translation.note if translation.style.is_mujoco else translation.report
        tell(translation.robot, "the robot has no links")
    return links


def _joints(translation: Translation) -> Iterator[Element]:
    """Joint elements; a name may be given once."""
    names: dict[str, Element] = {}
    for element in children_of(translation.robot, "joint"):
        if element.name in names:
            first = names[element.name].problem("").line
            translation.report(element, f"the name {element.name!r} is given to two joints, first in line {first}",
                               "name")  # fmt: skip
        names[element.name] = element
        yield element


def _connect(translation: Translation, links: dict[str, Link], joint: Element) -> None:
    """Hang the child of a joint on its parent."""
    ends: list[Link | None] = []
    for tag in ("parent", "child"):
        element = child_of(joint, tag)
        if element is None:
            if f"<{tag}>" not in joint.skipped:
                translation.report(joint, f"the joint has no {tag} element: <{tag} link='...'/>")
            ends.append(None)
            continue
        name = element.attributes.get("link", "")
        # robots of Drake name the world without defining it
        if tag == "parent" and name == WORLD and name not in links and not translation.style.is_mujoco:
            links[WORLD] = _implied_world(translation, element)
        if name not in links:
            translation.report(element, f"link={name!r}: there is no such link{nearest(name, links)}", "link")
        ends.append(links.get(name))
    parent, child = ends
    if parent is None or child is None:
        return
    if child.joint is not None:
        message = f"link {child.name!r} is the child of two joints, {child.joint.name!r} and {joint.name!r}"
        translation.report(joint, message)
        return
    child.joint, child.parent = joint, parent
    parent.children.append(child)


def _implied_world(translation: Translation, element: Element) -> Link:
    """The link of the world, for robots that name it and do not define it, as in Drake."""
    translation.note(element, "there is no link 'world': it is the world itself", "link")
    world = Element(URDF["urdf/link"], element.source, element.place)
    world.attributes["name"] = WORLD
    return Link(world)


def _depth_first(roots: list[Link]) -> Iterator[Link]:
    stack = roots[::-1]
    while stack:
        link = stack.pop()
        yield link
        stack += link.children[::-1]


def _report_loops(translation: Translation, links: dict[str, Link], order: list[Link]) -> None:
    """Links that hang on each other in a loop are in no tree."""
    reached = {link.name for link in order}
    for link in links.values():
        if link.name in reached:
            continue
        loop, above = [link.name], link.parent
        reached.add(link.name)
        while above is not None and above.name not in reached:
            loop.append(above.name)
            reached.add(above.name)
            above = above.parent
        assert link.joint is not None
        translation.report(link.joint, f"links hang on each other in a loop: {', '.join(loop[:8])}; URDF is a tree")
