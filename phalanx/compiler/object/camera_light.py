"""Cameras and lights."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, pi
from typing import Any

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


def compile_camera(build: Build, camera: Any) -> None:
    """Frame, intrinsics and field of view of a camera."""
    camera.fovy, camera.intrinsic, camera.target = camera.guess("fovy"), (0.01, 0.01, 0.0, 0.0), -1
    is_placed = build.all_of(camera, _place_camera, _check_fovy)
    if build.check(camera, _wrong_chip(camera)) and is_placed:
        _focus(build, camera)


def _place_camera(camera: Any) -> None:
    camera.pos, camera.quat = placed(camera, camera["pos"], orientation_of(camera.values, camera.scope))
    camera.quat = unit(camera.quat)


def _check_fovy(camera: Any) -> None:
    if camera["fovy"] >= 180:
        raise ElementProblem(f"fovy is {camera.fovy:g}; it must be less than 180", "fovy")


def _wrong_chip(camera: Any) -> Iterator[Wrong]:
    """What does not go together with the size of the sensor, or without it."""
    values = camera.values
    has_intrinsic = any(any(camera.guess(name)) for name in ("focal", "focalpixel", "principal", "principalpixel"))
    has_chip = min(values["sensorsize"]) > 0
    if has_intrinsic and not has_chip:
        yield "focal lengths and principal points need a sensorsize", "sensorsize"
    if has_chip and "fovy" in camera.element and "sensorsize" in camera.element:
        yield "both fovy and sensorsize are given", "fovy"
    if has_chip and min(values["resolution"]) <= 0:
        yield "sensorsize needs a positive resolution", "resolution"


def _focus(build: Build, camera: Any) -> None:
    width, height = camera["sensorsize"]
    if width > 0 and height > 0:
        camera.intrinsic = _intrinsic(camera.values)
        # in double precision, then rounded: the arctan of NumPy in single precision depends on the CPU
        half = np.float32(atan2(np.float32(height) / np.float32(2), np.float32(camera.intrinsic[1])))
        camera.fovy = float(half) * 360.0 / pi
    else:
        near = _near_plane(build)
        camera.intrinsic = (near, near, 0.0, 0.0)


def _intrinsic(values: Any) -> tuple[float, ...]:
    """Focal lengths and principal point in lengths, computed in single precision."""
    density = [
        np.float32(pixels) / np.float32(size)
        for pixels, size in zip(values["resolution"], values["sensorsize"], strict=True)
    ]
    result = []
    for name in ("focal", "principal"):
        for axis in (0, 1):
            pixels = values[f"{name}pixel"][axis]
            result.append(float(np.float32(pixels) / density[axis]) if pixels else values[name][axis])
    return tuple(result)


def _near_plane(build: Build) -> float:
    value = ELEMENTS["visual/map"].attributes["znear"].default
    for section in build.sections("visual"):
        if section.tag == "map":
            value = section.attributes.get("znear", value)
    return value  # type: ignore[return-value]


def compile_light(build: Build, light: Any) -> None:
    """Position and direction of a light."""
    light.target, light.texid, light.kind = -1, -1, light.guess("type")
    light.pos, _ = placed(light, light["pos"])
    light.dir = light.guess("dir")
    build.all_of(light, _choose_type, _check_softness, _direct)


def _choose_type(light: Any) -> None:
    if "directional" in light.element and "type" in light.element:
        raise ElementProblem("both directional and type are given", "directional")
    # an older way to write the type, which counts only where the type is not nearer
    if light["directional"] is not None and "type" not in light.element:
        light.kind = "directional" if light["directional"] else "spot"


def _check_softness(light: Any) -> None:
    if not 0 <= light["softness"] <= 1:
        raise ElementProblem(f"softness is {light['softness']:g}; it must be between 0 and 1", "softness")


def _direct(light: Any) -> None:
    direction = rotate(light["dir"], light.frame[1])
    if length_of(direction) ** 2 < EPSILON:
        raise ElementProblem("the direction has length zero", "dir")
    light.dir = unit(direction)


def link_views(build: Build) -> None:
    """What cameras and lights refer to."""
    cameras, lights = build.objects["camera"], build.objects["light"]
    for objects in (cameras, lights):
        build.each(objects, lambda obj: _find_target(build, obj))
    build.each(lights, lambda light: _find_texture(build, light))


def write_views(build: Build) -> None:
    """Columns of cameras and lights."""
    columns, cameras, lights = build.columns, build.objects["camera"], build.objects["light"]
    build.copy_plain(ELEMENTS["camera"], cameras)
    build.copy_user("camera", cameras)
    outputs = ELEMENTS["camera"].attributes["output"].keywords
    columns["cam_output"] = [sum(outputs[word] for word in camera["output"]) for camera in cameras]
    for name in ("pos", "quat", "fovy", "intrinsic"):
        columns[f"cam_{name}"] = [getattr(camera, name) for camera in cameras]
    build.copy_plain(ELEMENTS["light"], lights)
    columns["light_type"] = [LightType[light.kind.upper()] for light in lights]
    columns["light_texid"] = [light.texid for light in lights]
    for name in ("pos", "dir"):
        columns[f"light_{name}"] = [getattr(light, name) for light in lights]
    for prefix, objects in (("cam", cameras), ("light", lights)):
        columns[f"{prefix}_bodyid"] = [obj.body.id for obj in objects]
        columns[f"{prefix}_targetbodyid"] = [obj.target for obj in objects]


def _find_target(build: Build, obj: Any) -> None:
    if obj["target"] is not None:
        obj.target = build.find("body", obj["target"], "target").id


def _find_texture(build: Build, light: Any) -> None:
    if light["texture"] is not None:
        light.texid = build.find("texture", light["texture"], "texture").id
