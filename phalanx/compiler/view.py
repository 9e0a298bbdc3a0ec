"""Cameras and lights."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from phalanx.compiler.build import Build
from phalanx.compiler.errors import ElementProblem
from phalanx.compiler.rotation import EPSILON, length_of, placed, rotate, unit
from phalanx.compiler.tree import turn
from phalanx.tables.enums import LightType
from phalanx.tables.mjcf_schema import ELEMENTS


def compile_camera(build: Build, camera: Any) -> None:
    """Frame, intrinsics and field of view of a camera."""
    values = camera.values
    camera.fovy, camera.intrinsic, camera.target = values["fovy"], (0.01, 0.01, 0.0, 0.0), -1
    camera.pos, camera.quat = placed(camera, values["pos"], turn(values, camera.scope))
    camera.quat = unit(camera.quat)
    if camera.fovy >= 180:
        build.report(camera.element, f"fovy is {camera.fovy:g}; it must be less than 180", "fovy")
    has_intrinsic = any(any(values[name]) for name in ("focal", "focalpixel", "principal", "principalpixel"))
    width, height = values["sensorsize"]
    has_chip = width > 0 and height > 0
    if has_intrinsic and not has_chip:
        raise ElementProblem("focal lengths and principal points need a sensorsize", "sensorsize")
    if has_chip:
        if "fovy" in camera.element and "sensorsize" in camera.element:
            raise ElementProblem("both fovy and sensorsize are given", "fovy")
        if min(values["resolution"]) <= 0:
            raise ElementProblem("sensorsize needs a positive resolution", "resolution")
        camera.intrinsic = _intrinsic(values)
        half = np.arctan2(np.float32(height) / np.float32(2), np.float32(camera.intrinsic[1]))
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
    values = light.values
    light.target, light.texid = -1, -1
    light.pos, _ = placed(light, values["pos"])
    light.dir = rotate(values["dir"], light.frame[1])
    if "directional" in light.element and "type" in light.element:
        raise ElementProblem("both directional and type are given", "directional")
    light.kind = values["type"]
    # an older way to write the type, which counts only where the type is not nearer
    if values["directional"] is not None and "type" not in light.element:
        light.kind = "directional" if values["directional"] else "spot"
    if not 0 <= values["softness"] <= 1:
        build.report(light.element, f"softness is {values['softness']:g}; it must be between 0 and 1", "softness")
    if length_of(light.dir) ** 2 < EPSILON:
        raise ElementProblem("the direction has length zero", "dir")
    light.dir = unit(light.dir)


def link_views(build: Build) -> None:
    """What cameras and lights refer to."""
    cameras, lights = build.things["camera"], build.things["light"]
    for things in (cameras, lights):
        build.each(things, lambda thing: _find_target(build, thing))
    build.each(lights, lambda light: _find_texture(build, light))


def write_views(build: Build) -> None:
    """Columns of cameras and lights."""
    columns, cameras, lights = build.columns, build.things["camera"], build.things["light"]
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
    for prefix, things in (("cam", cameras), ("light", lights)):
        columns[f"{prefix}_bodyid"] = [thing.body.id for thing in things]
        columns[f"{prefix}_targetbodyid"] = [thing.target for thing in things]


def _find_target(build: Build, thing: Any) -> None:
    if thing["target"] is not None:
        thing.target = build.find("body", thing["target"], "target").id


def _find_texture(build: Build, light: Any) -> None:
    if light["texture"] is not None:
        light.texid = build.find("texture", light["texture"], "texture").id
