"""Cameras and lights."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, pi

import numpy as np

from phalanx.compiler.model_build import Build
from phalanx.compiler.model_object import Carried
from phalanx.compiler.object.rotation import EPSILON, Vector, length_of, orientation_of, placed, rotate, unit
from phalanx.compiler.text.errors import ElementProblem, Wrong
from phalanx.tables.enums import LightType
from phalanx.tables.mjcf_schema import ELEMENTS


class Camera(Carried):
    """A camera; it looks along -z of its frame."""

    #: vertical field of view in degrees
    fovy: float = 45.0
    #: focal lengths and principal point, in lengths
    intrinsic: tuple[float, ...] = (0.01, 0.01, 0.0, 0.0)
    #: id of the body it follows, -1 for none
    target: int = -1


class Light(Carried):
    """A light."""

    #: its type, a name of LightType in small letters
    kind: str = "spot"
    dir: Vector = (0.0, 0.0, -1.0)
    #: id of the body it follows, -1 for none
    target: int = -1
    #: id of its texture, -1 for none
    texid: int = -1


# --- cameras


def compile_camera(build: Build, camera: Camera) -> None:
    """Frame, intrinsics and field of view of a camera."""
    camera.fovy = camera.guess("fovy")
    is_placed = build.all_of(camera, _place_camera, _check_fovy)
    if build.check(camera, _check_sensor(camera)) and is_placed:
        _focus(build, camera)


def _place_camera(camera: Camera) -> None:
    camera.pos, camera.quat = placed(camera, camera["pos"], orientation_of(camera.values, camera.scope))
    camera.quat = unit(camera.quat)


def _check_fovy(camera: Camera) -> None:
    if camera["fovy"] >= 180:
        raise ElementProblem(f"fovy is {camera.fovy:g}; it must be less than 180", "fovy")


def _check_sensor(camera: Camera) -> Iterator[Wrong]:
    """What does not go together with the size of the image sensor, or without it."""
    values = camera.values
    has_intrinsic = any(any(camera.guess(name)) for name in ("focal", "focalpixel", "principal", "principalpixel"))
    has_sensor = min(values["sensorsize"]) > 0
    if has_intrinsic and not has_sensor:
        yield "focal lengths and principal points need a sensorsize", "sensorsize"
    if has_sensor and "fovy" in camera.element and "sensorsize" in camera.element:
        yield "both fovy and sensorsize are given", "fovy"
    if has_sensor and min(values["resolution"]) <= 0:
        yield "sensorsize needs a positive resolution", "resolution"


def _focus(build: Build, camera: Camera) -> None:
    """Intrinsics, and the field of view that follows from them if the size of the image sensor is given."""
    width, height = camera["sensorsize"]
    if width > 0 and height > 0:
        camera.intrinsic = _intrinsic(camera)
        # in double precision, then rounded: the arctan of NumPy in single precision depends on the CPU
        half = np.float32(atan2(np.float32(height) / np.float32(2), np.float32(camera.intrinsic[1])))
        camera.fovy = float(half) * 360.0 / pi
    else:
        near = _near_plane(build)
        camera.intrinsic = (near, near, 0.0, 0.0)


def _intrinsic(camera: Camera) -> tuple[float, ...]:
    """Focal lengths and principal point in lengths, computed in single precision as MuJoCo does."""
    density = [
        np.float32(pixels) / np.float32(size)
        for pixels, size in zip(camera["resolution"], camera["sensorsize"], strict=True)
    ]
    result = []
    for name in ("focal", "principal"):
        for axis in (0, 1):
            pixels = camera[f"{name}pixel"][axis]
            result.append(float(np.float32(pixels) / density[axis]) if pixels else camera[name][axis])
    return tuple(result)


def _near_plane(build: Build) -> float:
    """visual/map/znear, the last one written."""
    default = ELEMENTS["visual/map"].attributes["znear"].default
    assert isinstance(default, float)
    value: float = default
    for section in build.sections("visual"):
        if section.tag == "map":
            value = section.attributes.get("znear", value)
    return value


# --- lights


def compile_light(build: Build, light: Light) -> None:
    """Type, position and direction of a light."""
    light.kind, light.dir = light.guess("type"), light.guess("dir")
    light.pos, _ = placed(light, light["pos"])
    if build.all_of(light, _check_type, _check_softness, _check_direction):
        # `directional` is an older way to write the type; it counts only where no type is written on the light itself
        if light["directional"] is not None and "type" not in light.element:
            light.kind = "directional" if light["directional"] else "spot"
        light.dir = unit(_direction(light))


def _check_type(light: Light) -> None:
    if "directional" in light.element and "type" in light.element:
        raise ElementProblem("both directional and type are given", "directional")


def _check_softness(light: Light) -> None:
    if not 0 <= light["softness"] <= 1:
        raise ElementProblem(f"softness is {light['softness']:g}; it must be between 0 and 1", "softness")


def _check_direction(light: Light) -> None:
    if length_of(_direction(light)) ** 2 < EPSILON:
        raise ElementProblem("the direction has length zero", "dir")


def _direction(light: Light) -> Vector:
    """The direction in the body, of any length."""
    return rotate(light["dir"], light.frame[1])


# --- references


def link_views(build: Build) -> None:
    """What cameras and lights refer to."""
    build.each(build.cameras, lambda camera: _find_target(build, camera))
    build.each(build.lights, lambda light: _find_target(build, light))
    build.each(build.lights, lambda light: _find_texture(build, light))


def _find_target(build: Build, obj: Camera | Light) -> None:
    if obj["target"] is not None:
        obj.target = build.find("body", obj["target"], "target").id


def _find_texture(build: Build, light: Light) -> None:
    if light["texture"] is not None:
        light.texid = build.find("texture", light["texture"], "texture").id


# --- columns


def write_cameras(build: Build) -> None:
    """Columns of cameras."""
    columns, cameras = build.columns, build.cameras
    build.copy_plain(ELEMENTS["camera"], cameras)
    build.copy_user("camera", cameras)
    outputs = ELEMENTS["camera"].attributes["output"].keywords
    columns["cam_output"] = [sum(outputs[word] for word in camera["output"]) for camera in cameras]
    columns["cam_bodyid"] = [camera.body.id for camera in cameras]
    columns["cam_targetbodyid"] = [camera.target for camera in cameras]
    for name in ("pos", "quat", "fovy", "intrinsic"):
        columns[f"cam_{name}"] = [getattr(camera, name) for camera in cameras]


def write_lights(build: Build) -> None:
    """Columns of lights."""
    columns, lights = build.columns, build.lights
    build.copy_plain(ELEMENTS["light"], lights)
    columns["light_type"] = [LightType[light.kind.upper()] for light in lights]
    columns["light_bodyid"] = [light.body.id for light in lights]
    columns["light_targetbodyid"] = [light.target for light in lights]
    for name in ("pos", "dir", "texid"):
        columns[f"light_{name}"] = [getattr(light, name) for light in lights]
