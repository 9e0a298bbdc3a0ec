"""Sensors that come together, as plain sensors of MJCF: an IMU, forces and torques, touch patches, a lidar."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.compiler.edit.typed_element import TypedElement
from phalanx.compiler.text.element import Element
from phalanx.mechanism.lidar_patterns import directions_of
from phalanx.mechanism.quantities import between, pair, positive, triple
from phalanx.mechanism.undo import all_or_none
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError
from phalanx.memory.fill import numbers, whole
from phalanx.world.spec import Spec

#: Most rows and columns of a patch of touch sensors.
MOST_CELLS = 1000


@arguments_checked
def imu(
    spec: Spec,
    site: Element | str,
    name: str,
    *,
    accelerometer_noise: float = 0.0,
    gyro_noise: float = 0.0,
    magnetometer_noise: float | None = None,
    orientation: bool = False,
    **attributes: Any,
) -> list[TypedElement]:
    """An inertial measurement unit: accelerometer and gyro, with a magnetometer and an orientation if they are wanted.

    Args:
        spec: the model.
        site: where it is, and along which axes it measures.
        name: sensors are called name_accelerometer, name_gyro, name_magnetometer, name_orientation.
        accelerometer_noise: standard deviation [m/s²].
        gyro_noise: standard deviation [rad/s].
        magnetometer_noise: standard deviation [T]; None for no magnetometer.
        orientation: add a sensor of the orientation, without noise.
        **attributes: of all of them: `interval`, `delay`, `nsample`, ...
    """
    place, levels = _site(spec, site), {"accelerometer": accelerometer_noise, "gyro": gyro_noise}
    if magnetometer_noise is not None:
        levels["magnetometer"] = magnetometer_noise
    # the tags of these sensors are what they are called
    with all_or_none(spec.section("sensor")):
        made = [_add(spec, tag, f"{name}_{tag}", level, site=place, **attributes) for tag, level in levels.items()]
        if orientation:
            frame = {"objtype": "site", "objname": place.name}
            made.append(_add(spec, "framequat", f"{name}_orientation", 0.0, **frame, **attributes))
    return made


@arguments_checked
def force_torque(
    spec: Spec,
    site: Element | str,
    name: str,
    *,
    force_noise: float = 0.0,
    torque_noise: float = 0.0,
    **attributes: Any,
) -> list[TypedElement]:
    """A force-torque sensor: what the body of a site and all beyond it exert on its parent, in the frame of the site.

    Args:
        spec: the model.
        site: where it is; on the body beyond the sensor.
        name: sensors are called name_force and name_torque.
        force_noise: standard deviation [N].
        torque_noise: standard deviation [N·m].
        **attributes: of both: `interval`, `delay`, `cutoff`, ...
    """
    place, levels = _site(spec, site), {"force": force_noise, "torque": torque_noise}
    with all_or_none(spec.section("sensor")):
        return [_add(spec, tag, f"{name}_{tag}", level, site=place, **attributes) for tag, level in levels.items()]


@arguments_checked
def touch(
    spec: Spec,
    body: Element | str,
    name: str,
    *,
    pos: Any,
    xyaxes: Any = (1, 0, 0, 0, 1, 0),
    size: tuple[float, float] = (0.02, 0.02),
    shape: tuple[int, int] = (1, 1),
    thickness: float = 0.005,
    noise: float = 0.0,
    **attributes: Any,
) -> list[TypedElement]:
    """A rectangular patch of touch sensors: each sums the normal forces of contacts within its cell.

    Args:
        spec: the model.
        body: what carries the patch.
        name: cells and their sites are called name_row_column.
        pos: middle of the patch in the body [m].
        xyaxes: directions of columns and rows, six numbers.
        size: length along columns and rows [m].
        shape: how many rows and columns.
        thickness: how far contacts may be from the patch [m].
        noise: standard deviation [N].
        **attributes: of all sensors.
    """
    carrier = _body(spec, body)
    rows, columns = (whole("shape", count, 1, MOST_CELLS) for count in pair("shape", shape))
    length, breadth = (positive("size", each) for each in pair("size", size))
    axes = numbers("xyaxes", xyaxes).astype(float)
    if axes.shape != (6,):
        raise FieldError(f"xyaxes is six numbers, not {axes.shape}")
    x, y = axes[:3] / np.linalg.norm(axes[:3]), axes[3:] / np.linalg.norm(axes[3:])
    width, height = length / columns, breadth / rows
    half = (0.5 * width, 0.5 * height, positive("thickness", thickness))
    middle, made = triple("pos", pos), []
    with all_or_none(carrier, spec.section("sensor")):
        for row, column in np.ndindex(rows, columns):
            # cells are counted from the corner that is lowest along both axes
            offset = (column - 0.5 * (columns - 1)) * width * x + (row - 0.5 * (rows - 1)) * height * y
            cell = f"{name}_{row}_{column}"
            site = carrier.add("site", name=cell, type="box", pos=middle + offset, xyaxes=axes, size=half)
            made.append(_add(spec, "touch", cell, noise, site=site, **attributes))
    return made


@arguments_checked
def lidar(
    spec: Spec,
    body: Element | str,
    name: str,
    *,
    pos: Any = (0, 0, 0),
    pattern: str = "planar",
    rays: Any = 36,
    view: Any = None,
    distance: float = 0.0,
    noise: float = 0.0,
    **attributes: Any,
) -> list[TypedElement]:
    """A lidar: distances along rays that start at one point and do not see the body that carries them.

    Args:
        spec: the model.
        body: what carries it; rays go along its axes.
        name: rays and their sites are called name_0, name_1, ...
        pos: where rays start, in the body [m].
        pattern: "planar" (in the x-y plane), "spherical" (columns and rows of angles) or "cone" (about x).
        rays: how many; (rows, columns) of a spherical pattern.
        view: angle that is seen [rad]: of a planar pattern (2 pi if None), (vertical, horizontal) of a spherical one
            (pi/6 and 2 pi), half of the opening of a cone (pi/6).
        distance: farthest reading [m], 0 for no bound.
        noise: standard deviation [m].
        **attributes: of all sensors.

    Returns:
        The sensors; one that hits nothing reads -1.
    """
    carrier, made = _body(spec, body), []
    place, directions = triple("pos", pos), directions_of(pattern, rays, view)
    bound = {"cutoff": between("distance", distance, 0.0, np.inf)}
    bound = bound if bound["cutoff"] else {}
    # each ray has a site of its own, whose z axis it follows
    with all_or_none(carrier, spec.section("sensor")):
        for k, direction in enumerate(directions):
            site = carrier.add("site", name=f"{name}_{k}", pos=place, zaxis=direction)
            made.append(_add(spec, "rangefinder", f"{name}_{k}", noise, site=site, **bound, **attributes))
    return made


def _add(spec: Spec, tag: str, name: str, noise: float, **attributes: Any) -> TypedElement:
    """A sensor with noise, a plain element."""
    level = between("noise", noise, 0.0, np.inf)
    section: Any = spec.section("sensor")
    made: TypedElement = section.add(tag, name=name, **({"noise": level} if level else {}), **attributes)
    return made


def _site(spec: Spec, site: Element | str) -> Any:
    found: Any = spec.site(site) if isinstance(site, str) else site
    if not isinstance(found, Element) or found.tag != "site" or not found.name:
        raise FieldError(f"a site with a name carries such sensors, not {found}")
    return found


def _body(spec: Spec, body: Element | str) -> Any:
    found: Any = spec.body(body) if isinstance(body, str) else body
    if not isinstance(found, Element) or found.tag not in ("body", "worldbody", "frame"):
        raise FieldError(f"a body carries such sensors, not {found}")
    return found
