"""Composite joints and couplings in Python: plain elements are added to a Spec at once."""

from __future__ import annotations

from phalanx.compiler.edit.resolve import root_of
from phalanx.compiler.edit.typed_element import TypedElement, typed
from phalanx.compiler.mechanism.expand_all import expand_element, mechanism_element
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, nearest
from phalanx.memory.errors import FieldError
from phalanx.tables.mechanisms import IN_EQUALITY, INSIDE, MECHANISMS
from phalanx.world.spec import Spec


def add(holder: Spec | Element, kind: str, **attributes: object) -> list[TypedElement]:
    """Add a composite joint or a coupling to a model: as plain elements, which MuJoCo and MJCF know.

    Model files can have them, too: `<universal name="u" axis2="0 1 0"/>` in a body, `<gear joint1="a" joint2="b"
    ratio="5"/>` in the section equality. docs/mechanisms.md lists all kinds.

    Args:
        holder: the body (or frame) that a joint moves, or that holds a linkage; the Spec, for couplings and for a
            linkage in the world.
        kind: the word for it, such as "universal" or "gear".
        **attributes: as in the file; elements will do where names are asked for.

    Returns:
        The plain elements: bodies and joints, then tendons, then equalities.

    Raises:
        FieldError: no such kind, a holder that cannot have it, or values that make no mechanism; nothing is added.

    Example:
        >>> import phalanx
        >>> spec = phalanx.Spec()
        >>> nut = spec.worldbody.add_body(name="nut")
        >>> _ = nut.add_geom(size=0.1)
        >>> [str(made) for made in add(nut, "screw", name="spindle", pitch=0.005)]
        ["joint 'spindle_1'", "joint 'spindle_2'", "joint 'spindle'"]
    """
    if not isinstance(kind, str) or kind not in MECHANISMS:
        raise FieldError(f"there is no mechanism {kind!r}{nearest(str(kind), MECHANISMS)}")
    row = MECHANISMS[kind]
    parent = _holder(holder, kind)
    element = mechanism_element(kind)
    missing = [name for name, attribute in row.element.attributes.items() if attribute.required]
    for name, value in attributes.items():
        element[name.removesuffix("_")] = value
    missing = [name for name in missing if name not in element]
    if missing:
        raise FieldError(f"{element} needs {', '.join(missing)}")
    parent.append(element)
    # a mechanism that makes no sense leaves no trace
    try:
        made = expand_element(element, root_of(parent))
    except ElementProblem as problem:
        element.remove()
        raise FieldError(f"{element}: {problem}") from None
    return [typed(each) for each in made]


def _holder(holder: Spec | Element, kind: str) -> Element:
    """The element that a mechanism is put into."""
    inside = MECHANISMS[kind].inside
    if isinstance(holder, Spec):
        if inside == IN_EQUALITY:
            return holder.section("equality")
        holder = holder.worldbody
    if not isinstance(holder, Element) or kind not in INSIDE.get(holder.tag, ()):
        words = "the Spec" if inside == IN_EQUALITY else " or ".join(inside)
        raise FieldError(f"{kind} is added to {words}, not to {holder}")
    return holder
