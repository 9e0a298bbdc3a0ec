"""What stays the same in all frames of a page: bodies, shapes on them, surfaces, textures, cameras, the light."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.scene.camera import Camera, view_of
from phalanx.scene.quaternions import quats_of
from phalanx.scene.scene import SceneBuilder
from phalanx.scene.shapes import Shapes
from phalanx.scene.style import Style
from phalanx.show.replay.packed import Packed
from phalanx.show.replay.page_assets import BY_COORDINATES, Surfaces, TextureUse, flex_row, material_rows, skin_row
from phalanx.show.replay.tracks import kind_names, rotated_back
from phalanx.tables.enums import GeomType, ObjType
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Direction of the first view unless the model says otherwise [deg].
_AZIMUTH, _ELEVATION = 128.0, -18.0
#: How much more than what moves is in the first view.
_MARGIN = 1.3
#: Where light comes from, if no light of the model casts shadows.
_LIGHT = (-0.35, 0.45, -0.82)
#: Kinds of objects that have groups: the field, and what the page calls them.
_GROUPED = {
    ObjType.GEOM: ("geom_group", "geoms"), ObjType.SITE: ("site_group", "sites"),
    ObjType.FLEX: ("flex_group", "flexes"), ObjType.SKIN: ("skin_group", "skins"),
}  # fmt: skip
#: Kinds that follow several bodies, as the page names them.
_FOLLOWING = {GeomType.SKIN: "skin", GeomType.FLEX: "flex"}


class Still:
    """The part of a page that does not move.

    Attributes:
        data: a Data that frames are computed in.
        surfaces: those of shapes that are not basic.
        labels: texts of the page -> their indices.
        flexes: surfaces of flexes, by `dataid` -> their indices.
    """

    def __init__(self, model: Model, builder: SceneBuilder):
        self.model, self.builder, self.data = model, builder, model.make_data()
        self.style = Style.of(model, builder.show)
        self.extent = float(model.stat.extent)
        self.surfaces = Surfaces(model)
        self.labels: dict[str, int] = {}
        self.flexes: dict[int, int] = {}
        self.cameras = list(range(model.ncam))

    @property
    def moving(self) -> np.ndarray:
        """Bodies that can move, (nbody,)."""
        is_mocap = self.model.body_mocapid[self.model.body_rootid] >= 0
        return (self.model.body_weldid != 0) | is_mocap

    def manifest(self, packed: Packed, first: Data) -> dict[str, Any]:
        """What the page knows of it.

        Args:
            packed: where arrays go.
            first: the first frame.
        """
        shapes = self.builder.shapes(first)
        textures = TextureUse(self.model)
        rows = [self._shape_row(shapes, k, first, textures) for k in range(self.builder.persistent)]
        return {
            "bodies": self._bodies(), "shapes": [row for row in rows if row["kind"]],
            "groups": sorted({row["group"] for row in rows}),
            "meshes": self.surfaces.rows(packed),
            "skins": [skin_row(packed, self.model, skin) for skin in range(self.model.nskin)],
            "flexes": [flex_row(packed, self.model, dataid) for dataid in self.flexes],
            "materials": material_rows(self.model), "textures": textures.rows(),
            "labels": list(self.labels), "extent": self.extent, "light": self._light(first),
            "cameras": [self._camera_row(first, camera) for camera in self.cameras],
        }  # fmt: skip

    def _bodies(self) -> list[dict[str, Any]]:
        m, names, moving = self.model, self.model.names.names["body"], self.moving
        is_root = (m.body_parentid == 0) & moving
        return [
            {
                "name": names[k] or f"body {k}", "parent": int(m.body_parentid[k]), "mass": float(m.body_mass[k]),
                "isRoot": bool(is_root[k]), "isMoving": bool(moving[k]),
            }
            for k in range(m.nbody)
        ]  # fmt: skip

    def _shape_row(self, shapes: Shapes, k: int, data: Data, textures: TextureUse) -> dict[str, Any]:
        """A shape in the frame of its body."""
        kind, dataid = int(shapes.kind[k]), int(shapes.dataid[k])
        # a skin or flex belongs to several bodies; it is placed in the world
        body = max(int(shapes.bodyid[k]), 0)
        frame = data.xmat[body].reshape(1, 3, 3)
        (name,) = kind_names(shapes.kind[k : k + 1])
        local = frame[0].T @ shapes.mat[k].reshape(3, 3)
        matid = int(shapes.matid[k])
        texture = textures.of(kind, dataid, matid if self.builder.show.textures else -1, shapes.size[k])
        # a basic shape of the page has no picture around it
        has_picture = texture["mode"] == BY_COORDINATES
        name = "mesh" if has_picture and name else name
        size = shapes.size[k] if has_picture else (1.0, 1.0, 1.0)
        mesh = self.surfaces.index(kind, dataid, size) if name == "mesh" else None
        if kind in _FOLLOWING:
            name = _FOLLOWING[GeomType(kind)]
            mesh = self.flexes.setdefault(dataid, len(self.flexes)) if kind == GeomType.FLEX else dataid
        return {
            "kind": name, "mesh": mesh, "body": body, "size": shapes.size[k].tolist(),
            "pos": rotated_back(frame, (shapes.pos[k] - data.xpos[body])[None])[0].tolist(),
            "quat": quats_of(local)[0].tolist(), "rgba": np.asarray(shapes.rgba[k], float).round(5).tolist(),
            "material": matid, "group": self._group(int(shapes.objtype[k]), int(shapes.objid[k])),
            "isFixed": kind not in _FOLLOWING and not self.moving[body], **texture,
        }  # fmt: skip

    def _group(self, objtype: int, objid: int) -> str:
        if objtype not in _GROUPED:
            return "others"
        field, name = _GROUPED[ObjType(objtype)]
        return f"{name} {int(getattr(self.model, field)[objid])}"

    def _light(self, data: Data) -> list[float]:
        """The direction of the first light that casts shadows from above."""
        lights = self.builder.lights(data)
        found = lights.dir[np.asarray(lights.castshadow, bool) & (lights.dir[:, 2] < -0.1)]
        direction = np.asarray(found[0] if len(found) else _LIGHT, float)
        return (direction / np.linalg.norm(direction)).tolist()

    def _camera_row(self, data: Data, camera: int) -> dict[str, Any]:
        view = view_of(self.model, data, camera, 640, 480)
        name = self.model.names.names["camera"][camera] or str(camera)
        return {
            "name": name, "halfHeight": view.half_height, "shift": list(view.shift),
            "isParallel": view.orthographic, "near": view.near, "far": view.far,
        }  # fmt: skip

    def first_camera(self, camera: Camera | None, first: Data) -> dict[str, Any]:
        """Where the page looks from at first: at what can move, unless a camera is given."""
        if not isinstance(camera, Camera | None):
            words = "a page begins with a phalanx.Camera or None; cameras of the model are chosen in the page"
            raise FieldError(f"{words}, not {type(camera).__name__}")
        written = self.model.vis.written.get("global", {})
        chosen = camera if camera is not None else Camera()
        azimuth = written.get("azimuth", _AZIMUTH) if chosen.azimuth is None else chosen.azimuth
        elevation = written.get("elevation", _ELEVATION) if chosen.elevation is None else chosen.elevation
        fovy = self.model.vis.global_.fovy if chosen.fovy is None else chosen.fovy
        center, radius = self._moving_ball(first)
        distance = _MARGIN * radius / np.sin(np.radians(fovy / 2))
        return {
            "lookat": [float(x) for x in (center if chosen.lookat is None else chosen.lookat)],
            "distance": float(distance if chosen.distance is None else chosen.distance),
            "azimuth": float(azimuth), "elevation": float(elevation), "fovy": float(fovy),
        }  # fmt: skip

    def _moving_ball(self, data: Data) -> tuple[np.ndarray, float]:
        """Center and radius of a ball around all geoms that can move; those of the model if none can."""
        geoms = self.moving[self.model.geom_bodyid] & (self.model.geom_rbound > 0)
        if not geoms.any():
            return self.model.stat.center, self.extent
        points, reach = data.geom_xpos[geoms], self.model.geom_rbound[geoms][:, None]
        low, high = (points - reach).min(axis=0), (points + reach).max(axis=0)
        return (low + high) / 2, float(np.linalg.norm(high - low)) / 2


def model_title(model: Model) -> str:
    """The name of the model, as its file gives it."""
    # MuJoCo's buffer of names begins with that of the model
    return bytes(model._store.arrays["names"]).split(b"\0")[0].decode(errors="backslashreplace") or "unnamed model"
