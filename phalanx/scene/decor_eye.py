"""Decor of cameras and lights: bodies of cameras with what they see, and lamps."""

from __future__ import annotations

import numpy as np

from phalanx.scene.lens import frustum
from phalanx.scene.placement import CORNERS, apart, axes_along, box_edges, labels_of, placed
from phalanx.scene.shapes import Shapes
from phalanx.scene.style import Style
from phalanx.scene.subject import Data, Model
from phalanx.tables.enums import GeomType, ObjType, Projection

#: Half sizes of a camera, then radius and half length of its lens and how far the lens is in front, in units of
#: `vis.scale.camera`.
CAMERA_BODY, LENS, LENS_DISTANCE = (1.0, 0.8, 0.4), (0.4, 0.3, 0.0), 0.6
#: How much darker the lens is, and how opaque a camera is that shows what it sees.
LENS_COLOR, CAMERA_ALPHA = 0.5, 0.3
#: Radius and half length of a lamp in units of `vis.scale.light`.
LAMP = (0.8, 1.0, 0.0)
#: How far a lamp is behind its light, besides its size [m]: it must not cover it.
BEHIND = 1e-4


def cameras(model: Model, data: Data, style: Style) -> Shapes:
    """A box and a lens for each camera; lines around what it sees if the model gives it a resolution."""
    ids, unit = np.arange(model.ncam), style.scale["camera"]
    sees = (np.asarray(model.cam_resolution) > 1).any(axis=1)
    rgba = np.tile(style.rgba["camera"], (model.ncam, 1))
    rgba[sees, 3] = CAMERA_ALPHA
    columns = {"objtype": ObjType.CAMERA, "objid": ids, "bodyid": model.cam_bodyid}
    names = labels_of(model, "camera", ids) if style.show.labels == "camera" else ()
    front = apart(data.cam_xpos, data.cam_xmat, np.array([0, 0, -LENS_DISTANCE * unit]))
    lens_rgba = rgba * np.array([LENS_COLOR] * 3 + [1], np.float32)
    return Shapes.joined([
        placed(
            GeomType.BOX, data.cam_xpos, data.cam_xmat, size=np.multiply(CAMERA_BODY, unit), rgba=rgba, labels=names,
            **columns,
        ),
        placed(GeomType.CYLINDER, front, data.cam_xmat, size=np.multiply(LENS, unit), rgba=lens_rgba, **columns),
        *(_frustum_edges(model, data, style, int(k)) for k in np.flatnonzero(sees)),
    ])  # fmt: skip


def _frustum_edges(model: Model, data: Data, style: Style, camera: int) -> Shapes:
    """Edges of the space that a camera sees, up to the distance `vis.scale.frustum`."""
    near = model.vis.map.znear * model.stat.extent
    width, height = np.asarray(model.cam_resolution)[camera].tolist()
    left, right, bottom, top = frustum(model, camera, width / height)
    is_parallel = model.cam_projection[camera] == Projection.ORTHOGRAPHIC
    far = ((right - left) + (top - bottom)) / 4 if is_parallel else style.scale["frustum"]
    # corners in the frame of the camera: the near ones first, as it looks along -z
    depth = np.where(CORNERS[:, 2] < 0, near, far)
    reach = np.ones(8) if is_parallel else depth
    x, y = np.where(CORNERS[:, 0] < 0, left, right), np.where(CORNERS[:, 1] < 0, bottom, top)
    corners = np.stack([x * reach, y * reach, -depth], axis=1)
    places = data.cam_xpos[camera] + corners @ data.cam_xmat[camera].reshape(3, 3).T
    return box_edges(
        places, style.line_width, rgba=style.rgba["frustum"], objtype=ObjType.CAMERA, objid=camera,
        bodyid=model.cam_bodyid[camera],
    )  # fmt: skip


def lights(model: Model, data: Data, style: Style) -> Shapes:
    """A lamp behind each light, along its direction."""
    ids, unit = np.arange(model.nlight), style.scale["light"]
    pos = data.light_xpos - data.light_xdir * (unit + BEHIND)
    return placed(
        GeomType.CYLINDER, pos, axes_along(np.asarray(data.light_xdir)), size=np.multiply(LAMP, unit),
        rgba=style.rgba["light"], objtype=ObjType.LIGHT, objid=ids, bodyid=model.light_bodyid,
        labels=labels_of(model, "light", ids) if style.show.labels == "light" else (),
    )  # fmt: skip
