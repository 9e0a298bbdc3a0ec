"""Keyframes that follow the objects they are about: through attachment, and through edits of a Spec.

The vectors of a keyframe are cut into pieces, one per joint, actuator or mocap body. A piece stays with its element;
the vectors are put together again when the whole model is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from phalanx.compiler.object.actuator import actuator_sizes
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.file_settings import Scope
from phalanx.tables.enums import JointType
from phalanx.tables.joints import BY_TAG, JOINTS, JointRow
from phalanx.tables.mjcf_schema import ELEMENTS

if TYPE_CHECKING:
    from phalanx.compiler.model_build import Build

#: Vectors of a keyframe, by the elements their pieces belong to.
JOINT_VECTORS, MOCAP_VECTORS, ACTUATOR_VECTORS = ("qpos", "qvel"), ("mpos", "mquat"), ("ctrl", "act")


def _carried(holder: Element, tags: tuple[str, ...]) -> Iterator[Element]:
    """Elements of a body with some tags, also those in frames, but not those of other bodies."""
    for child in holder.children:
        if child.tag in tags:
            yield child
        elif child.tag == "frame":
            yield from _carried(child, tags)


def _bodies(holder: Element) -> Iterator[Element]:
    """All bodies inside, depth first."""
    for body in _carried(holder, ("body",)):
        yield body
        yield from _bodies(body)


def _joint_row(joint: Element, scope: Scope) -> JointRow:
    """The row of a joint's type, which is written on it or comes from its default class."""
    if joint.tag == "freejoint":
        return JOINTS[JointType.FREE]
    here: Element | None = joint
    name = joint.attributes.get("class")
    while name is None and here is not None:
        here = here.parent
        name = here.attributes.get("childclass") if here is not None else None
    default = scope.defaults.classes.get(name or "main", scope.defaults.main)
    return BY_TAG[joint.attributes.get("type") or default.values("joint")["type"]]


#: An element with the count of its values in each vector.
Piece = tuple[Element, dict[str, int]]
#: Vector -> (element, its values), in order.
Parts = dict[str, list[tuple[Element, tuple[float, ...]]]]


def pieces_of(root: Element, scope: Scope) -> list[Piece]:
    """Every joint, mocap body and actuator of an expanded model, in the order of their values in the vectors."""
    found: list[Piece] = []
    for section in root.children:
        if section.tag == "worldbody":
            for body in _bodies(section):
                if body.attributes.get("mocap"):
                    found.append((body, {"mpos": 3, "mquat": 4}))
                for joint in _carried(body, ("joint", "freejoint")):
                    row = _joint_row(joint, scope)
                    found.append((joint, {"qpos": row.nq, "qvel": row.nv}))
    for section in root.children:
        if section.tag == "actuator":
            for actuator in section.children:
                controls, activations = actuator_sizes(actuator, scope)
                found.append((actuator, {"ctrl": controls, "act": activations}))
    return found


def cut(key: Element, pieces: list[Piece]) -> Parts | None:
    """The vectors of a keyframe by element; None if their lengths are not those of the model."""
    result: Parts = {}
    for vector in (*JOINT_VECTORS, *MOCAP_VECTORS, *ACTUATOR_VECTORS):
        values = key.attributes.get(vector)
        if values is None:
            continue
        start, result[vector] = 0, []
        for element, lengths in pieces:
            if vector in lengths:
                part = values[start : start + lengths[vector]]
                if len(part) == lengths[vector]:
                    result[vector].append((element, part))
                start += lengths[vector]
        if len(values) > start:
            return None
    return result


def merge_keyframes(root: Element, other: Element, scope: Scope, twins: dict[int, Element], prefix: str) -> None:
    """Add the keyframes of an attached model; `twins` maps its elements (by id) to their copies."""
    keys = [key for section in other.children if section.tag == "keyframe" for key in section.children]
    if not keys:
        return
    pieces = pieces_of(other, scope)
    section = next((s for s in reversed(root.children) if s.tag == "keyframe"), None)
    section = section or root.append(Element(ELEMENTS["keyframe"]))
    for key in keys:
        parts = key.pieces.parts if key.pieces is not None else cut(key, pieces)
        if parts is None:
            continue
        twin = Element(key.row, key.source, key.place)
        twin.attributes["name"] = prefix + key.name
        if "time" in key.attributes:
            twin.attributes["time"] = key.attributes["time"]
        twin.pieces = Pieces(
            {v: [(twins[id(e)], x) for e, x in found if id(e) in twins] for v, found in parts.items()}
        )  # fmt: skip
        section.append(twin)


def move_pieces(root: Element, twins: dict[int, Element]) -> None:
    """Let keyframes follow elements to their first copies."""
    for section in root.children:
        if section.tag == "keyframe":
            for key in section.children:
                if key.pieces is not None:
                    key.pieces = Pieces(
                        {v: [(twins.get(id(e), e), x) for e, x in found] for v, found in key.pieces.parts.items()}
                    )  # fmt: skip


class Pieces:
    """Vectors of a keyframe by element, in place of the vectors themselves."""

    def __init__(self, parts: Parts):
        self.parts = parts

    def assemble(self, vector: str, rest: list[float], starts: dict[int, int]) -> list[float] | None:
        """A complete vector; `starts` maps elements (by id) to where their values begin."""
        if vector not in self.parts:
            return None
        result = list(rest)
        for element, values in self.parts[vector]:
            start = starts.get(id(element))
            if start is not None and start + len(values) <= len(result):
                result[start : start + len(values)] = values
        return result


def starts_of(build: Build) -> dict[str, dict[int, int]]:
    """Vector -> element (by id) -> where its values begin, in the compiled model."""
    joints, actuators = build.joints, build.actuators
    mocap = [body for body in build.bodies if body["mocap"]]
    columns = build.columns
    return {
        "qpos": {id(joint.element): joint.qposadr for joint in joints},
        "qvel": {id(joint.element): joint.dofadr for joint in joints},
        "mpos": {id(body.element): 3 * k for k, body in enumerate(mocap)},
        "mquat": {id(body.element): 4 * k for k, body in enumerate(mocap)},
        "ctrl": {id(a.element): columns["actuator_ctrladr"][a.id] for a in actuators},
        "act": {id(a.element): columns["actuator_actadr"][a.id] for a in actuators},
        "plastic": {},
    }


def fill_keyframes(root: Element, scope: Scope) -> None:
    """Write the vectors of keyframes that are in pieces; joints without a piece get zeros and unit quaternions."""
    pieces = pieces_of(root, scope)
    for section in root.children:
        for key in section.children if section.tag == "keyframe" else ():
            if key.pieces is None:
                continue
            for vector, found in key.pieces.parts.items():
                known = {id(element): part for element, part in found}
                values: list[float] = []
                for element, lengths in pieces:
                    if vector in lengths:
                        values += known.get(id(element), _rest(vector, lengths[vector]))
                key.attributes[vector] = tuple(values)
            key.pieces = None


def _rest(vector: str, length: int) -> tuple[float, ...]:
    """Values of an element that a keyframe says nothing about."""
    if vector == "qpos" and length == 7:
        return (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    return (1.0, 0.0, 0.0, 0.0) if length == 4 else (0.0,) * length
