"""From the MJCF elements of a compiled model to a URDF file, with a list of what is left out."""

from __future__ import annotations

from typing import NamedTuple

from phalanx.compiler.object.rotation import IDENTITY, ORIGIN, Vector, subtract
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.mjcf_writer import write_xml
from phalanx.compiler.text.notes import Note
from phalanx.compiler.urdf.link_tree import WORLD
from phalanx.compiler.urdf.losses import Losses
from phalanx.compiler.urdf.write_joint import make, motions_of, put_motions
from phalanx.compiler.urdf.write_shape import LinkWriter
from phalanx.memory.errors import ModelError


class UrdfText(NamedTuple):
    """A robot as URDF.

    Attributes:
        text: of the file.
        files: meshes that it names, by their path beside it.
        lost: what URDF cannot say.
    """

    text: str
    files: dict[str, bytes]
    lost: tuple[Note, ...]


def urdf_of(model: Element, folder: str) -> UrdfText:
    """The URDF text of a model.

    Args:
        model: the mujoco element of a compiled model; it is changed.
        folder: where its meshes will be, beside the file.

    Raises:
        ModelError: two links or joints of the file would have the same name.
    """
    losses = Losses()
    losses.check_sections(model)
    robot = make("robot", name=model.attributes.get("model", "robot"))
    _put_settings(robot, model)
    writer = LinkWriter(model, folder, losses)
    world = next(child for child in model.children if child.tag == "worldbody")
    # of each body: its element, the name of its parent link, and where that link is in the parent body
    stack: list[tuple[Element, str, Vector]] = [(world, "", ORIGIN)]
    unnamed = 0
    while stack:
        body, parent, shift = stack.pop()
        name, offset = WORLD, ORIGIN
        if body is not world:
            unnamed += not body.name
            name = body.name or f"body_{unnamed}"
            offset = _put_body(robot, body, name, (parent, shift), losses)
        link = make("link", robot, name=name)
        writer.put(link, body, offset)
        stack += [(child, name, offset) for child in reversed(body.children) if child.tag == "body"]
    _put_mimics(robot, model, losses)
    _put_transmissions(robot, model, losses)
    _check_names(robot)
    robot.children.sort(key=lambda child: _ORDER.index(child.tag))
    return UrdfText('<?xml version="1.0"?>\n' + write_xml(robot), writer.files, tuple(losses.notes))


#: Order of the elements of a file.
_ORDER = ("mujoco", "material", "link", "joint", "transmission")


def _put_body(robot: Element, body: Element, name: str, holder: tuple[str, Vector], losses: Losses) -> Vector:
    """The joints of a body; where its link is in it."""
    parent, shift = holder
    losses.check(body)
    motions = motions_of(body, name, losses)
    if len(motions) > 1:
        losses.add(
            body, f"it has {len(motions)} joints: links without mass are between them, which a reader must repair"
        )
    pose = subtract(body.attributes.get("pos", ORIGIN), shift), body.attributes.get("quat", IDENTITY)
    offset = put_motions(robot, parent, name, pose, motions)
    if offset != ORIGIN:
        losses.add(body, "its frame is moved to its joint")
    return offset


def _put_settings(robot: Element, model: Element) -> None:
    """Options of the simulation, in the extension that MuJoCo and Phalanx read."""
    for section in [child for child in model.children if child.tag == "option"]:
        if section.attributes or section.children:
            section.remove()
            make("mujoco", robot).append(section)


def _sections(model: Element, tag: str) -> list[Element]:
    return [child for section in model.children if section.tag == tag for child in section.children]


def _put_mimics(robot: Element, model: Element, losses: Losses) -> None:
    """Equalities of two joints along a line."""
    joints = {child.name: child for child in robot.children if child.tag == "joint"}
    known = {"joint1", "joint2", "polycoef", "name"}
    for equality in _sections(model, "equality"):
        written = equality.attributes
        offset, multiplier, *powers = written.get("polycoef", (0.0, 1.0, 0.0, 0.0, 0.0))
        joint = joints.get(written.get("joint1", ""))
        is_line = equality.tag == "joint" and "joint2" in written and not any(powers) and set(written) <= known
        if not is_line or joint is None or any(child.tag == "mimic" for child in joint.children):
            losses.add(equality, "URDF has no such equality")
            continue
        make("mimic", joint, joint=written["joint2"], multiplier=multiplier, offset=offset)


def _put_transmissions(robot: Element, model: Element, losses: Losses) -> None:
    """Motors at joints, as simple transmissions."""
    joints = {child.name: child for child in robot.children if child.tag == "joint"}
    for k, actuator in enumerate(_sections(model, "actuator")):
        written = actuator.attributes
        if set(written) - {"name", "joint", "gear", "ctrlrange", "ctrllimited", "group"} or "joint" not in written:
            losses.add(actuator, "URDF has no such actuator: only motors at joints")
            continue
        gear, *others = written.get("gear", (1.0,))
        if any(others) or written["joint"] not in joints:
            losses.add(actuator, "URDF has no such gear")
            continue
        name = actuator.name or f"actuator_{k}"
        transmission = make("transmission", robot, name=f"{name}_transmission")
        make("type", transmission).text = "transmission_interface/SimpleTransmission"
        joint = make("joint", transmission, name=written["joint"])
        make("hardwareInterface", joint).text = "hardware_interface/EffortJointInterface"
        make("mechanicalReduction", make("actuator", transmission, name=name)).text = repr(gear)
        if not _is_implied(joints[written["joint"]], written.get("ctrlrange"), gear):
            losses.add(actuator, "its control range is not that of the effort of its joint")


def _is_implied(joint: Element, ctrlrange: tuple[float, float] | None, gear: float) -> bool:
    """Is the range of a control what the effort limit of the joint says?"""
    limit = next((child for child in joint.children if child.tag == "limit"), None)
    effort = limit.attributes.get("effort") if limit is not None else None
    expected = (-effort / abs(gear), effort / abs(gear)) if effort else None
    return ctrlrange == expected


def _check_names(robot: Element) -> None:
    """Names of links and joints, also of those that were made up, are given once."""
    for tag in ("link", "joint"):
        seen: set[str] = set()
        for element in robot.children:
            if element.tag == tag:
                if element.name in seen:
                    raise ModelError(f"two {tag}s of the URDF file would have the name {element.name!r}: rename one")
                seen.add(element.name)
