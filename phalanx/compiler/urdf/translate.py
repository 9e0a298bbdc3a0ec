"""From a URDF file to a tree of MJCF elements, which the compiler and the Spec take like that of an MJCF file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from phalanx.compiler.compile import deep_trees
from phalanx.compiler.object.rotation import compose
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import MjcfError, Problem, Source
from phalanx.compiler.text.file_language import URDF
from phalanx.compiler.text.files import Files
from phalanx.compiler.text.limits import USUAL, Limits
from phalanx.compiler.text.mjcf_reader import Reader
from phalanx.compiler.text.notes import Note, note_of
from phalanx.compiler.urdf.addresses import Addresses
from phalanx.compiler.urdf.drives import add_actuators
from phalanx.compiler.urdf.link_inertia import add_inertial, check_masses
from phalanx.compiler.urdf.link_motion import add_joint
from phalanx.compiler.urdf.link_shapes import Shapes
from phalanx.compiler.urdf.link_tree import Link, link_tree
from phalanx.compiler.urdf.mimic import add_mimics
from phalanx.compiler.urdf.settings import UrdfSettings
from phalanx.compiler.urdf.translation import Translation, child_of, frame_of, origin_of, put
from phalanx.tables.urdf_schema import EXTENSION


class Translated(NamedTuple):
    """A URDF file as elements of MJCF.

    Attributes:
        root: the mujoco element.
        files: where its assets are.
        problems: what is wrong.
        notes: what was assumed, and what has no effect.
    """

    root: Element
    files: Files
    problems: list[Problem]
    notes: tuple[Note, ...]


def translate_urdf(
    path: str,
    text: bytes,
    settings: UrdfSettings,
    assets: Mapping[str, bytes | str] | None = None,
    limits: Limits = USUAL,
    trusted: bool = True,
) -> Translated:
    """The MJCF elements of a URDF file.

    Args:
        path: of the file; empty for a text without one.
        text: what the file holds.
        settings: how it is read.
        assets: files in memory by name, looked at before the disk.
        limits: how large the model may be.
        trusted: may it read files outside of its folder, or any files if it is a text?

    Raises:
        MjcfError: the file cannot be read.
    """
    folder = os.path.dirname(path)
    files = Files(folder, assets, limits, trusted, (folder or ".") if path else "")
    files.main = path
    problems: list[Problem] = []
    with deep_trees(path):
        reader = Reader(files, problems, URDF)
        robot = reader.read(Source(path, text))
        if robot is None:
            raise MjcfError(problems or [Problem("the file holds no robot", path)])
        translation = Translation(robot, settings, files, problems)
        # what the reader passed over is in the report, too
        for first, count in reader.passed.values():
            translation.notes += [note_of(first)] * count
        _translate(translation)
    return Translated(translation.model, files, problems, tuple(translation.notes))


def _translate(translation: Translation) -> None:
    """Settings, then link by link what each becomes, then what connects several of them."""
    _add_settings(translation)
    links = link_tree(translation)
    shapes = Shapes(translation, Addresses(translation.files, translation.settings.packages))
    world = put(translation.model, "worldbody", translation.robot)
    moving: set[str] = set()
    for link in links:
        body = _body_of(translation, world, link)
        translation.bodies[link.name] = body
        if _add_joints(translation, body, link):
            moving.add(link.name)
    # meshes are in the order of the links in the file, bodies in that of the tree
    for link in sorted(links, key=lambda link: link.element.place):
        body = translation.bodies[link.name]
        if not link.is_world:
            add_inertial(translation, body, link)
        elif child_of(link.element, "inertial") is not None:
            translation.note(link.element, "the link 'world' is the world itself: its inertial has no effect")
        shapes.add_geoms(body, link)
    shapes.settle_meshes()
    for body in translation.bodies.values():
        body.children.sort(key=lambda child: child.tag == "body")
    if not translation.style.is_mujoco:
        check_masses(translation, links, moving)
    followers = add_mimics(translation)
    add_actuators(translation, followers)


def _add_settings(translation: Translation) -> None:
    """The name of the model, and its sections compiler, option and size."""
    model, robot = translation.model, translation.robot
    # an empty name is one in MuJoCo
    if robot.attributes.get("name") or (translation.style.is_mujoco and "name" in robot):
        model["model"] = robot.attributes["name"]
    extension = child_of(robot, "mujoco")
    for tag in EXTENSION:
        given = child_of(extension, tag) if extension is not None else None
        if given is not None:
            given.remove()
            model.append(given)
    compiler = child_of(model, "compiler")
    if compiler is None:
        compiler = put(model, "compiler", robot)
        compiler.remove()
        model.children.insert(0, compiler)
        compiler.parent = model
    for name, value in translation.style.compiler.items():
        if name not in compiler:
            compiler[name] = value
    compiler["angle"] = "radian"
    translation.compiler = compiler


# --- bodies


def _body_of(translation: Translation, world: Element, link: Link) -> Element:
    """The body of a link, in that of its parent; the world for the link of this name."""
    if link.is_world:
        return world
    holder = world if link.parent is None else translation.bodies[link.parent.name]
    frame = frame_of(link.joint) if link.joint is not None else {}
    if link.joint is not None and not translation.style.is_mujoco and link.joint.attributes.get("type") == "floating":
        holder, frame = _beside_world(translation, world, link)
    return put(holder, "body", link.element, name=link.name, **frame)


def _beside_world(translation: Translation, world: Element, link: Link) -> tuple[Element, dict[str, object]]:
    """Where the body of a floating joint is: free joints are joints of the world.

    Its parent links must not move; the body hangs on the world then, at the same pose.
    """
    assert link.joint is not None and link.parent is not None
    pos, quat = origin_of(link.joint)
    at: Link | None = link.parent
    while at is not None and at.joint is not None:
        if translation.joints.get(at.joint.name):
            message = f"a floating joint must hang on a link that does not move, and {at.name!r} does"
            translation.report(link.joint, message)
            break
        pos, quat = compose(*origin_of(at.joint), pos, quat)
        at = at.parent
    if not link.parent.is_world:
        translation.note(link.joint, "a floating joint belongs to the world: the body is a child of the world")
    return world, {"pos": pos, "quat": quat}


def _add_joints(translation: Translation, body: Element, link: Link) -> bool:
    """The joints of a body; does it move?"""
    if link.joint is not None:
        add_joint(translation, body, link.joint)
    if translation.settings.base == "floating" and _is_base(link) and not translation.style.is_mujoco:
        put(body, "freejoint", link.element, name=f"{link.name}_free_joint")
        return True
    return link.joint is not None and bool(translation.joints.get(link.joint.name))


def _is_base(link: Link) -> bool:
    """Is a link what a floating base moves: a root, or what is fixed to a root that is the world itself?"""
    if link.parent is None:
        return not link.is_world
    is_fixed = link.joint is not None and link.joint.attributes.get("type") == "fixed"
    return link.parent.is_world and is_fixed
