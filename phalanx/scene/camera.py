"""Cameras: free ones that a user places, and the view of any camera."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError, UnknownNameError, suggestion
from phalanx.memory.fill import flag, numbers, real, whole
from phalanx.memory.names import NamedObject
from phalanx.scene.finite import check_poses
from phalanx.scene.lens import frustum, half_height_of, has_intrinsics
from phalanx.scene.subject import Data, Model
from phalanx.scene.view import View
from phalanx.tables.enums import Projection

#: Distance of the default camera from the center of the model by the extent of the model.
DEFAULT_DISTANCE = 1.5


@dataclass(frozen=True)
class Camera:
    """A camera that looks at a point, or follows a body.

    Whatever is None is taken from the model: its center, 1.5 times its extent, and `vis.global_`.

    >>> Camera(distance=3.0, azimuth=120.0, elevation=-20.0)
    Camera(distance=3.0, azimuth=120.0, elevation=-20.0)

    Attributes:
        lookat: point that it looks at [m], (3,).
        distance: from that point [m].
        azimuth: direction in which it looks, about the vertical axis [deg]; 0 is along x, 90 along y.
        elevation: how far it looks upwards [deg]; -90 is straight down.
        orthographic: whether rays are parallel; then `fovy` is the height of the picture [m].
        fovy: vertical field of view [deg].
        track: body that it follows, by name or id: it looks at the center of mass of the body with its descendants.
    """

    lookat: Sequence[float] | None = None
    distance: float | None = None
    azimuth: float | None = None
    elevation: float | None = None
    orthographic: bool | None = None
    fovy: float | None = None
    track: str | int | None = None

    def __post_init__(self) -> None:
        checked: dict[str, Any] = {}
        if self.lookat is not None:
            point = numbers("lookat", self.lookat)
            if point.shape != (3,) or not np.isfinite(point).all():
                raise FieldError(f"lookat is a point, three finite numbers, not {self.lookat!r}")
            checked["lookat"] = tuple(float(x) for x in point)
        for name in ("distance", "azimuth", "elevation", "fovy"):
            if (value := getattr(self, name)) is not None:
                checked[name] = real(name, value)
                if not math.isfinite(checked[name]):
                    raise FieldError(f"{name} of a camera is finite, not {value!r}")
        if self.orthographic is not None:
            checked["orthographic"] = flag("orthographic", self.orthographic)
        if self.track is not None and self.lookat is not None:
            raise FieldError("a camera that tracks a body looks at the body: give either track or lookat")
        if checked.get("distance", 1.0) < 0:
            raise FieldError(f"distance of a camera is not negative, but {self.distance!r} is")
        if checked.get("fovy", 1.0) <= 0:
            raise FieldError(f"fovy of a camera is positive, not {self.fovy!r}")
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def replace(self, **settings: Any) -> Camera:
        """The same with other settings."""
        known = [row.name for row in fields(self)]
        for name in settings:
            if name not in known:
                raise FieldError(f"a camera has no setting {name!r}{suggestion(name, known)}")
        return replace(self, **settings)

    def filled(self, model: Model) -> Camera:
        """The same with the defaults of a model instead of None (mjv_defaultFreeCamera)."""
        if not hasattr(model, "vis"):
            raise FieldError(f"a camera looks at a Model, not at {type(model).__name__}")
        usual = model.vis.global_
        defaults: dict[str, Any] = {
            "distance": DEFAULT_DISTANCE * model.stat.extent, "azimuth": usual.azimuth, "elevation": usual.elevation,
            "orthographic": bool(usual.orthographic), "fovy": usual.fovy,
        }  # fmt: skip
        if self.track is None:
            defaults["lookat"] = tuple(np.asarray(model.stat.center).tolist())
        return replace(self, **{name: value for name, value in defaults.items() if getattr(self, name) is None})

    def __repr__(self) -> str:
        given = {row.name: getattr(self, row.name) for row in fields(self)}
        return f"Camera({', '.join(f'{name}={value!r}' for name, value in given.items() if value is not None)})"


def view_of(model: Model, data: Data, camera: Any, width: int, height: int) -> View:
    """Where a camera is and how it projects.

    Args:
        model: the Model.
        data: the Data, after forward.
        camera: None for MuJoCo's default free camera, a `Camera`, or a camera of the model: its name, its id, or
            `model.camera(...)`.
        width: of the picture [pixels].
        height: of the picture [pixels].

    Raises:
        UnknownNameError: the model has no such camera, or no body to track.
        FieldError: the state is not finite, or the size of the picture is not positive.
    """
    width, height = whole("width", width, 1), whole("height", height, 1)
    if camera is None or isinstance(camera, Camera):
        return _free_view(model, data, (camera or Camera()).filled(model))
    return _fixed_view(model, data, camera_id(model, camera), width / height)


def camera_id(model: Model, camera: Any) -> int:
    """The id of a camera of the model, given by name, by id, or as `model.camera(...)`."""
    if isinstance(camera, NamedObject):
        if camera.kind != "camera":
            raise FieldError(f"a picture is taken by a camera, not by a {camera.kind}")
        return camera.id
    names = model.names.names["camera"]
    if isinstance(camera, str):
        if camera in names and camera:
            return names.index(camera)
        listed = ", ".join(repr(name) for name in names if name) or "none"
        raise UnknownNameError(
            f"no camera is named {camera!r}{suggestion(camera, names)}; cameras of the model: {listed}; "
            "phalanx.Camera(...) is a free one"
        )
    index = whole("camera", camera, -1)
    if index == -1:
        raise FieldError("camera -1 is MuJoCo's free camera: give None, or a phalanx.Camera")
    if index >= model.ncam:
        listed = ", ".join(name or str(k) for k, name in enumerate(names)) or "none"
        raise FieldError(f"camera {index} does not exist; the model has {model.ncam}: {listed}")
    return index


def _clip_distances(model: Model) -> dict[str, Any]:
    """Nearest and farthest depth of pictures of a model."""
    return {"near": model.vis.map.znear * model.stat.extent, "far": model.vis.map.zfar * model.stat.extent}


def _free_view(model: Model, data: Data, camera: Camera) -> View:
    """The view of a camera whose settings are complete."""
    azimuth, elevation = math.radians(camera.azimuth or 0.0), math.radians(camera.elevation or 0.0)
    ca, sa, ce, se = math.cos(azimuth), math.sin(azimuth), math.cos(elevation), math.sin(elevation)
    forward = np.array([ce * ca, ce * sa, se])
    # columns: right, up, back
    mat = np.array([[sa, -se * ca, -forward[0]], [-ca, -se * sa, -forward[1]], [0.0, ce, -forward[2]]])
    center = np.array(camera.lookat) if camera.track is None else _tracked(model, data, camera.track)
    is_orthographic, fovy = bool(camera.orthographic), float(camera.fovy or 0.0)
    return View(
        pos=center - (camera.distance or 0.0) * forward, mat=mat, half_height=half_height_of(is_orthographic, fovy),
        orthographic=is_orthographic, **_clip_distances(model),
    )  # fmt: skip


def _tracked(model: Model, data: Data, body: str | int) -> np.ndarray:
    """Center of mass of a body with its descendants."""
    center = np.array(data.subtree_com[model.names.id_of("body", body)], float)
    check_poses(data, "subtree_com", center)
    return center


def _fixed_view(model: Model, data: Data, camera: int, aspect: float) -> View:
    """The view of a camera of the model."""
    pos, mat = np.array(data.cam_xpos[camera], float), np.array(data.cam_xmat[camera], float).reshape(3, 3)
    check_poses(data, "cam_xpos", pos)
    check_poses(data, "cam_xmat", mat)
    left, right, bottom, top = frustum(model, camera, aspect)
    half_height = (top - bottom) / 2
    return View(
        pos=pos, mat=mat, half_height=half_height, shift=((right + left) / 2, (top + bottom) / 2),
        aspect=(right - left) / 2 / (half_height * aspect) if has_intrinsics(model, camera) else 1.0,
        orthographic=bool(model.cam_projection[camera] == Projection.ORTHOGRAPHIC), **_clip_distances(model),
    )  # fmt: skip
