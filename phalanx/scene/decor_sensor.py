"""Decor of sensors: rays of range finders, and the segment between the nearest points of two geoms."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.scene.placement import connectors, half_arrows, placed
from phalanx.scene.shapes import Shapes
from phalanx.scene.style import Style
from phalanx.scene.subject import Data, Model
from phalanx.sensor.read.camera import focal_lengths
from phalanx.sensor.read.rangefinder import principal_point
from phalanx.tables.enums import GeomType, ObjType, Projection, RayData, SensorType
from phalanx.tables.sensors import RAY_SIZES

#: Radius of the ball where a ray of a site or camera hits, and length of the normal there, in units of axes of frames.
HIT_SIZE, NORMAL_LENGTH = {ObjType.SITE: 1.5, ObjType.CAMERA: 1.3}, 2.0
#: Sensors that are drawn.
RAY_SENSORS = (SensorType.RANGEFINDER, SensorType.GEOMFROMTO)


def range_finders(model: Model, data: Data, style: Style) -> Shapes:
    """Rays of range finders up to what they hit, hit points and normals where sensors report them.

    Sensors of the two nearest points of geoms are drawn as segments.
    """
    parts = [Shapes.empty()]
    for sensor in np.flatnonzero(model.sensor_type == SensorType.RANGEFINDER):
        parts += _rays(model, data, style, int(sensor))
    readings = np.asarray(data.sensordata, float)
    for sensor in np.flatnonzero(model.sensor_type == SensorType.GEOMFROMTO):
        first = model.sensor_adr[sensor]
        ends = readings[first : first + 6].reshape(2, 3)
        if ends.any():
            parts.append(_lines(style, int(sensor), ends[:1], ends[1:]))
    return Shapes.joined(parts)


def _lines(style: Style, sensor: int, start: np.ndarray, end: np.ndarray) -> Shapes:
    return connectors(
        GeomType.CAPSULE, style.line_width, start, end, rgba=style.rgba["rangefinder"], objtype=ObjType.SENSOR,
        objid=sensor,
    )  # fmt: skip


def _rays(model: Model, data: Data, style: Style, sensor: int) -> list[Shapes]:
    """Lines, hits and normals of one range finder."""
    origins, directions = _directions(model, data, sensor)
    columns = ray_columns(model, data, sensor)
    distance = columns["dist"][:, 0] if "dist" in columns else np.full(len(origins), -1.0)
    is_hit = distance >= 0
    points = np.where(is_hit[:, None], origins + directions * distance[:, None], 0.0)
    parts = [_lines(style, sensor, origins[is_hit], points[is_hit])]
    own: dict[str, Any] = {"rgba": style.rgba["rangefinder"], "objtype": ObjType.SENSOR, "objid": sensor}
    if "point" in columns:
        is_reported = columns["point"].any(axis=1)
        points[is_reported] = columns["point"][is_reported]
        size = (HIT_SIZE[ObjType(model.sensor_objtype[sensor])] * style.scale["framewidth"], 0, 0)
        parts.append(placed(GeomType.SPHERE, points[is_reported], size=size, **own))
        is_hit = is_hit | is_reported
    if "normal" in columns:
        normals = NORMAL_LENGTH * style.scale["framelength"] * columns["normal"][is_hit]
        parts.append(half_arrows(style.scale["framewidth"], points[is_hit], normals, head=1.0, **own))
    return parts


def ray_columns(model: Model, data: Data, sensor: int) -> dict[str, np.ndarray]:
    """What a range finder reports of each of its n rays, by name, (n, 1) or (n, 3)."""
    asked = int(model.sensor_intprm[sensor, 0])
    names = [name for name in RAY_SIZES if asked >> RayData[name.upper()] & 1]
    first = model.sensor_adr[sensor]
    width = sum(RAY_SIZES[name] for name in names)
    readings = np.asarray(data.sensordata, float)[first : first + model.sensor_dim[sensor]].reshape(-1, width)
    ends = np.cumsum([RAY_SIZES[name] for name in names])
    return {name: readings[:, end - RAY_SIZES[name] : end] for name, end in zip(names, ends, strict=True)}


def _directions(model: Model, data: Data, sensor: int) -> tuple[np.ndarray, np.ndarray]:
    """Origins and unit directions of the rays of a range finder, (n, 3) each; through pixels row by row."""
    objid = model.sensor_objid[sensor]
    if model.sensor_objtype[sensor] == ObjType.SITE:
        return data.site_xpos[objid][None], data.site_xmat[objid][None, 2::3]
    width, height = np.asarray(model.cam_resolution)[objid].tolist()
    center_x, center_y = principal_point(model, objid)
    rows, columns = np.mgrid[:height, :width].reshape(2, -1) + 0.5
    x, y = columns - center_x, center_y - rows
    frame, origin = data.cam_xmat[objid].reshape(3, 3), data.cam_xpos[objid]
    if model.cam_projection[objid] == Projection.PERSPECTIVE:
        focal_x, focal_y = focal_lengths(model, objid)
        local = np.stack([x / focal_x, y / focal_y, np.full(len(x), -1.0)], axis=1)
        directions = local @ frame.T
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        return np.tile(origin, (len(x), 1)), directions
    # parallel rays; the field of view is the height of the image
    half = 0.5 * model.cam_fovy[objid]
    local = np.stack([x / (0.5 * width) * half, y / (0.5 * height) * half, np.zeros(len(x))], axis=1)
    return origin + local @ frame.T, np.tile(-frame[:, 2], (len(x), 1))
