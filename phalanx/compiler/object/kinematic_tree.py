"""The kinematic tree: bodies depth first, each with its joints, geoms, sites, cameras and lights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from phalanx.compiler.model_build import Build
from phalanx.compiler.model_object import Carried, known_values
from phalanx.compiler.object.body import Body, Inertial
from phalanx.compiler.object.camera_light import Camera, Light
from phalanx.compiler.object.geom import Geom, Site
from phalanx.compiler.object.joint import Joint
from phalanx.compiler.object.rotation import IDENTITY, ORIGIN, Quat, Vector, compose, orientation_of, unit
from phalanx.compiler.scale.frame_scale import Scale, inside_frame, scale_carried
from phalanx.compiler.text.defaults import DefaultClass, Values
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem
from phalanx.compiler.text.file_settings import Scope
from phalanx.tables.mjcf_schema import ELEMENTS

#: Bodies are counted in 16 bits.
MOST_BODIES = 65534

Kind = TypeVar("Kind", bound=Carried)


@dataclass(frozen=True)
class Place:
    """Where an element stands.

    Attributes:
        pos, quat: the frame element around it, in the body.
        default: the default class that counts here.
        scope: the settings that count here.
        scale: how frames scale what stands here, in coordinates of this place; None for not at all.
        written: `pos` before all scaling.
    """

    pos: Vector
    quat: Quat
    default: DefaultClass
    scope: Scope
    scale: Scale | None = None
    written: Vector = ORIGIN


def grow_tree(build: Build) -> None:
    """Make all objects of the tree, in the order of their ids."""
    scope = build.scope
    row = ELEMENTS["body"]
    world_element = Element(row)
    world_element.attributes["name"] = "world"
    world = Body(world_element, {**row.defaults, "name": "world"}, scope, None)
    start = Place(ORIGIN, IDENTITY, scope.defaults.main, scope)
    for section in build.root.children:
        if section.tag == "worldbody":
            if section.attributes:
                build.report(section, "the world body cannot have attributes")
            world_element.source, world_element.place = section.source, section.place
            _fill(build, world, section, start)
    _give_ids(build, world)
    if len(build.bodies) >= MOST_BODIES:
        build.report(world_element, f"the model has {len(build.bodies)} bodies; {MOST_BODIES} are too many")


def _give_ids(build: Build, world: Body) -> None:
    """Bodies depth first, and body by body what they carry."""
    stack = [world]
    while stack:
        body = stack.pop()
        build.add("body", body)
        for joint in body.joints:
            build.add("joint", joint)
        for geom in body.geoms:
            build.add("geom", geom)
        for site in body.sites:
            build.add("site", site)
        for camera in body.cameras:
            build.add("camera", camera)
        for light in body.lights:
            build.add("light", light)
        stack.extend(reversed(body.bodies))


def _fill(build: Build, body: Body, section: Element, place: Place) -> None:
    """Put what an element holds into a body."""
    for element in section.children:
        here = place if element.scope in (None, place.scope) else _entered(place, element.scope)
        if element.is_unframed:
            here = Place(ORIGIN, IDENTITY, here.default, here.scope)
        try:
            _FILL[element.tag](build, body, element, here)
        except ElementProblem as problem:
            build.report(element, str(problem), problem.attribute)


def _entered(place: Place, scope: Scope) -> Place:
    """The place of an attached part: its own settings and classes count."""
    return replace(place, scope=scope, default=scope.defaults.main)


def _class_of(build: Build, element: Element, place: Place, attribute: str = "class") -> DefaultClass:
    """The default class that an element names, or that of the place it stands in."""
    return place.scope.defaults.find(element, attribute, build.problems) or place.default


# --- one function for each element that a body can hold


def _add_body(build: Build, body: Body, element: Element, place: Place) -> None:
    default = _class_of(build, element, place, "childclass")
    child = Body(element, {**element.row.defaults, **element.attributes}, place.scope, body)
    child.frame = (place.pos, place.quat)
    body.bodies.append(child)
    if place.scale is not None:
        child.place, child.scale = place, place.scale
        child.values["pos"] = place.scale.of(child["pos"])
        with build.at(element):
            child.scale = place.scale.rotated(orientation_of(child.values, place.scope))
    _fill(build, child, element, Place(ORIGIN, IDENTITY, default, place.scope, child.scale))


def _add_frame(build: Build, body: Body, element: Element, place: Place) -> None:
    """What a frame holds belongs to the body around it; the frame is the place where that stands."""
    default = _class_of(build, element, place, "childclass")
    values = known_values(element, {**element.row.defaults, **element.attributes})
    quat, scale = IDENTITY, place.scale
    with build.at(element):
        quat = orientation_of(values, place.scope)
    written, _ = compose(place.written, place.quat, values["pos"], quat)
    scale_inside: Scale | None
    if element.settled is not None:
        # the frame takes the place of a body that was fused: its pose is scaled already
        scale, scale_inside = None, element.settled.scale
    else:
        scale_inside = scale.rotated(quat) if scale is not None else None
        with build.at(element):
            scale_inside = inside_frame(scale_inside, values)
    pos = values["pos"] if scale is None else scale.of(values["pos"])
    pos, quat = compose(place.pos, place.quat, pos, quat)
    _fill(build, body, element, Place(pos, unit(quat), default, place.scope, scale_inside, written))


def _add_inertial(build: Build, body: Body, element: Element, place: Place) -> None:
    if body.parent is None:
        raise ElementProblem("the world body cannot have an inertial")
    if body.inertial is not None:
        raise ElementProblem("the body has two inertials")
    inertial = Inertial(element, {**element.row.defaults, **element.attributes}, place.scope)
    inertial.frame = (place.pos, place.quat)
    inertial.scale = place.scale if element.settled is None else None
    body.inertial = inertial


def _add_joint(build: Build, body: Body, element: Element, place: Place) -> None:
    _check_moves(body)
    values = build.complete(element, _class_of(build, element, place))
    values["align"] = "auto"
    _carry("joint", Joint, body.joints, element, values, body, place)


def _add_freejoint(build: Build, body: Body, element: Element, place: Place) -> None:
    _check_moves(body)
    values = {**ELEMENTS["joint"].defaults, "type": "free", "align": "auto", **element.attributes}
    _carry("joint", Joint, body.joints, element, values, body, place)


def _check_moves(body: Body) -> None:
    if body.parent is None:
        raise ElementProblem("the world body cannot have joints")


def _add_geom(build: Build, body: Body, element: Element, place: Place) -> None:
    values = build.complete(element, _class_of(build, element, place))
    _carry("geom", Geom, body.geoms, element, values, body, place)


def _add_site(build: Build, body: Body, element: Element, place: Place) -> None:
    values = build.complete(element, _class_of(build, element, place))
    _carry("site", Site, body.sites, element, values, body, place)


def _add_camera(build: Build, body: Body, element: Element, place: Place) -> None:
    values = build.complete(element, _class_of(build, element, place))
    _carry("camera", Camera, body.cameras, element, values, body, place)


def _add_light(build: Build, body: Body, element: Element, place: Place) -> None:
    values = build.complete(element, _class_of(build, element, place))
    _carry("light", Light, body.lights, element, values, body, place)


def _carry(
    kind: str, made: type[Kind], members: list[Kind], element: Element, values: Values, body: Body, place: Place
) -> None:
    """A new object of a body, scaled with the frames around it."""
    obj = made(element, values, place.scope, body, (place.pos, place.quat))
    members.append(obj)
    if place.scale is not None:
        obj.scale = place.scale
        scale_carried(kind, obj)


def _skip(build: Build, body: Body, element: Element, place: Place) -> None:
    """An element that Phalanx does not support; it has been reported."""


_FILL = {
    "body": _add_body,
    "frame": _add_frame,
    "inertial": _add_inertial,
    "joint": _add_joint,
    "freejoint": _add_freejoint,
    "geom": _add_geom,
    "site": _add_site,
    "camera": _add_camera,
    "light": _add_light,
    "plugin": _skip,
}
