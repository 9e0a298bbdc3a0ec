"""Elements of flexes, from their fields. A Model holds stiffness matrices, not the constants they were made from."""

from __future__ import annotations

from collections.abc import Iterator

from phalanx.compiler.decompile.compiled_fields import CompiledFields, numbers
from phalanx.compiler.text.element import Element
from phalanx.memory.errors import ModelError
from phalanx.tables.enums import FlexSelf
from phalanx.tables.mjcf_schema import ELEMENTS

_CONTACT = ("contype", "conaffinity", "condim", "priority", "friction", "solmix", "solref", "solimp", "margin", "gap",
            "activelayers")  # fmt: skip


def flexes_of(m: CompiledFields) -> Iterator[Element]:
    """Every flex.

    Raises:
        ModelError: one is elastic or interpolated: not all that it was made from is a field of a Model.
    """
    for flex in range(m.sizes["nflex"]):
        lost = ""
        if m.integer("flex_stiffnessadr", flex) >= 0 or m.integer("flex_bendingadr", flex) >= 0:
            lost = "elastic, and its constants are no fields of a model"
        elif m.integer("flex_interp", flex):
            lost = "interpolated, and the bodies of its vertices are no field of a model"
        if lost:
            name = m.names["flex"][flex] or flex
            raise ModelError(f"flex {name!r} cannot be written as MJCF: it is {lost}; write the Spec it was made from")
        yield _flex(m, flex)


def _part(m: CompiledFields, flex: int, what: str) -> slice:
    start = m.integer(f"flex_{what}adr", flex)
    return slice(start, start + m.integer(f"flex_{what}num", flex))


def _flex(m: CompiledFields, flex: int) -> Element:
    element = m.element("deformable/flex", "flex", flex)
    dim = m.integer("flex_dim", flex)
    m.put(element, "dim", dim)
    element.attributes["radius"] = float(m["flex_radius"][flex])
    vertices, elements = _part(m, flex, "vert"), _part(m, flex, "elem")
    bodies = m["flex_vertbodyid"][vertices].tolist()
    if m["flex_rigid"][flex]:
        bodies = bodies[:1]
    element.attributes["body"] = tuple(m.name_of("body", body, element) for body in bodies)
    local = m["flex_vert"][vertices]
    if m["flex_rigid"][flex] or local.any():
        element.attributes["vertex"] = numbers(local)
    start = m.integer("flex_elemdataadr", flex)
    ids = slice(start, start + (dim + 1) * (elements.stop - elements.start))
    element.attributes["element"] = numbers(m["flex_elem"][ids])
    _look(m, element, flex, elements)
    if m.integer("flex_texcoordadr", flex) >= 0:
        _texture(m, element, flex, ids)
    _children(m, element, flex)
    return element


def _look(m: CompiledFields, element: Element, flex: int, elements: slice) -> None:
    materials = m["flex_matid"][elements].tolist()
    if any(matid >= 0 for matid in materials):
        names = [m.name_of("material", matid, element) for matid in materials]
        element.attributes["material"] = tuple(dict.fromkeys(names)) if len(set(names)) == 1 else tuple(names)


def _texture(m: CompiledFields, element: Element, flex: int, ids: slice) -> None:
    """Texture coordinates up to those of the next flex that has some."""
    start = m.integer("flex_texcoordadr", flex)
    later = [adr for adr in m["flex_texcoordadr"].tolist() if adr > start]
    end = min(later, default=m.sizes["nflextexcoord"])
    element.attributes["texcoord"] = numbers(m["flex_texcoord"][start:end])
    element.attributes["elemtexcoord"] = numbers(m["flex_elemtexcoord"][ids])


def _children(m: CompiledFields, element: Element, flex: int) -> None:
    """Contact, edge and elasticity, where they differ from what they are anyway."""
    contact = Element(ELEMENTS["flexcomp/contact"])
    for name in _CONTACT:
        value = numbers(m[f"flex_{name}"][flex])
        m.put(contact, name, value if len(value) > 1 else value[0])
    m.put(contact, "selfcollide", FlexSelf(m.integer("flex_selfcollide", flex)).name.lower())
    m.put(contact, "passive", bool(m.integer("flex_passive", flex)))
    edge = Element(ELEMENTS["deformable/flex/edge"])
    for name in ("stiffness", "damping"):
        m.put(edge, name, float(m[f"flex_edge{name}"][flex]))
    elasticity = Element(ELEMENTS["flexcomp/elasticity"])
    m.put(elasticity, "damping", float(m["flex_damping"][flex]))
    m.put(elasticity, "yield", m.values("flex_yield", flex))
    for child in (contact, edge, elasticity):
        if child.attributes:
            element.append(child)
