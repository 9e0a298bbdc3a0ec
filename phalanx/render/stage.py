"""From a scene to the memory of a picture: shapes, lights, view and surroundings."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from phalanx.render.assets import Assets
from phalanx.render.following_surface import FollowingSurfaces
from phalanx.render.picture_memory import Frame
from phalanx.render.picture_rows import PIXELS, ROWS
from phalanx.render.shape_rows import COLUMNS, ShapeRows, split_arrows, taken
from phalanx.scene.scene import SceneBuilder
from phalanx.scene.shapes import Shapes
from phalanx.scene.surfaces import FOLLOWING
from phalanx.scene.view import Lights, View
from phalanx.tables.enums import GeomType, LightType

#: Rows of a Frame that change with every picture.
POSES = {"shape_pos": (3,), "shape_mat": (9,), "shape_center": (3,), "shape_depth": (), "shape_order": ()}
#: Light from all sides where there is no light at all, as in MuJoCo.
DARK = 0.3
#: Alpha from which on a mirror counts as one.
OPAQUE = 0.995


class Stage:
    """Keeps a Frame up to date with a scene.

    Args:
        model: the Model.
        builder: makes its scenes.
        assets: its surfaces and textures.
        frame: what to keep up to date.
        width: of pictures [pixels].
        height: of pictures [pixels].
    """

    def __init__(self, model: Any, builder: SceneBuilder, assets: Assets, frame: Frame, width: int, height: int):
        self._model, self._builder, self._assets, self._frame = model, builder, assets, frame
        self._size = width, height
        self._shape_rows = ShapeRows(model, assets, builder.show.textures)
        self._arrays: dict[str, np.ndarray] = {}
        self._count, self._surface_count = -1, -1
        self._persistent: dict[str, np.ndarray] = {}
        self._following: FollowingSurfaces | None = None
        self._lit = False
        self._bind_tiles()
        self._bind_rows({"haze": np.zeros(5), "fog": np.zeros(6), "eye": np.zeros(3), "axes": np.zeros(9)})
        frame.set(sky_texture=-1, haze_shape=-1, mirror_shape=-1, nlight=0, has_fog=0)

    def _bind_tiles(self) -> None:
        """Pixels of a tile, neighbors together: bits of the index are those of column and row in turn."""
        index = np.arange(PIXELS)
        column = (index & 1) | (index >> 1 & 2) | (index >> 2 & 4)
        row = (index >> 1 & 1) | (index >> 2 & 2) | (index >> 3 & 4)
        for name, values in (("tile_x", column), ("tile_y", row), ("tile_column", column), ("tile_row", row)):
            self._frame.fill(name, values)

    def _bind_rows(self, rows: dict[str, np.ndarray]) -> None:
        for name, array in rows.items():
            self._frame.bind(name, array)

    def set(self, data: Any, shapes: Shapes, view: View, with_color: bool) -> None:
        """Take over a scene.

        Args:
            data: the Data.
            shapes: of the scene.
            view: of the camera.
            with_color: whether lights and textures are needed.
        """
        self._set_shapes(shapes)
        if self._following is not None:
            self._following.update(data)
        self._set_view(view)
        if with_color:
            self._set_look(data, view)
        else:
            self._frame.set(nlight=0)

    def lights(self, data: Any, view: View) -> Lights:
        """Lights of a world; a bit of light from all sides where none is on."""
        lights = self._builder.lights(data, view)
        return lights if len(lights.kind) else _no_lights()

    @property
    def has_following(self) -> bool:
        """Whether there are shapes whose triangles move."""
        return self._following is not None

    # --- shapes

    def _set_shapes(self, shapes: Shapes) -> None:
        """Poses of shapes that were there before, and all columns of those that were not."""
        kept = self._builder.persistent
        if not self._persistent:
            self._persistent = self._shape_rows.columns(taken(shapes, np.arange(kept)))
        if len(shapes) == kept:
            tail, count = None, kept
        else:
            tail = split_arrows(taken(shapes, np.arange(kept, len(shapes))))
            count = kept + len(tail)
        self._reserve(count)
        arrays = self._arrays
        arrays["shape_pos"][:kept], arrays["shape_mat"][:kept] = shapes.pos[:kept], shapes.mat[:kept]
        if tail is not None:
            arrays["shape_pos"][kept:count], arrays["shape_mat"][kept:count] = tail.pos, tail.mat
            for name, column in self._shape_rows.columns(tail).items():
                arrays[name][kept:count] = column
        if count != self._count:
            arrays["shape_order"][:count] = np.arange(count)
            self._count = count
            self._frame.set(nshape=count)
        if len(self._assets.surfaces) != self._surface_count:
            self._bind_surfaces(shapes)

    def _reserve(self, count: int) -> None:
        """Room for so many shapes."""
        if self._arrays and len(self._arrays["shape_kind"]) >= count:
            return
        room = count if not self._arrays else 2 * count
        kept = self._builder.persistent
        for name, inner in {**COLUMNS, **POSES}.items():
            self._arrays[name] = np.zeros((max(room, 1), *inner), ROWS[name].element)
            if name in COLUMNS:
                self._arrays[name][:kept] = self._persistent[name]
        self._bind_rows(self._arrays)
        self._frame.reserve_lists(room)
        self._count = -1

    def _bind_surfaces(self, shapes: Shapes) -> None:
        """Triangles of all surfaces; those of skins and flexes move, so that they are in memory of our own."""
        surfaces = self._assets.surfaces
        rows = surfaces.rows()
        self._surface_count = len(surfaces)
        moving = np.flatnonzero(np.isin(shapes.kind, FOLLOWING))
        self._following = None
        if len(moving):
            rows = {name: array.copy() for name, array in rows.items()}
            surface = self._persistent["shape_surface"]
            places = {(int(shapes.kind[row]), int(shapes.dataid[row])): (int(row), int(surface[row])) for row in moving}
            self._following = FollowingSurfaces(self._model, surfaces, rows, places, self._arrays)
        self._bind_rows(rows)

    # --- view

    def _set_view(self, view: View) -> None:
        """The camera, and the size of a pixel at depth 1."""
        frame, (width, height) = self._frame, self._size
        frame["eye"][:], frame["axes"][:] = view.pos, view.mat.ravel()
        step = 2 * view.half_height / height
        step_x = step * view.aspect
        frame.set(
            left=view.shift[0] - step_x * width / 2, top=view.shift[1] + view.half_height, step_x=step_x, step_y=step,
            near=view.near, far=view.far, orthographic=view.orthographic, width=width, height=height,
        )  # fmt: skip

    # --- look

    def _set_look(self, data: Any, view: View) -> None:
        """Lights and surroundings."""
        frame, show = self._frame, self._builder.show
        if not self._lit:
            self._bind_rows(self._assets.textures.rows)
            frame.set(
                shadows=show.shadows,
                sky_texture=self._assets.textures.sky if show.skybox else -1,
                mirror_shape=self._mirror() if show.reflections else -1,
            )
            self._set_fog()
            self._set_haze()
            self._lit = True
        self._set_lights(self.lights(data, view))

    def _set_lights(self, lights: Lights) -> None:
        frame = self._frame
        rows = {
            "light_kind": lights.kind, "light_pos": lights.pos, "light_dir": lights.dir,
            "light_ambient": lights.ambient, "light_diffuse": lights.diffuse, "light_specular": lights.specular,
            "light_fade": lights.attenuation, "light_casts": lights.castshadow,
            "light_cone": np.column_stack([np.cos(np.radians(lights.cutoff)), lights.exponent]),
        }  # fmt: skip
        for name, values in rows.items():
            frame.fill(name, values)
        frame.set(nlight=len(lights.kind))

    def _set_fog(self) -> None:
        model = self._model
        setting, extent = model.vis.map, model.stat.extent
        self._frame["fog"][:] = (*np.asarray(model.vis.rgba.fog), setting.fogstart * extent, setting.fogend * extent)
        self._frame.set(has_fog=self._builder.show.fog)

    def _mirror(self) -> int:
        """The only shape that reflects: the first plane or box whose material does, as in MuJoCo."""
        rows = self._persistent
        is_flat = np.isin(rows["shape_kind"], (GeomType.PLANE, GeomType.BOX))
        found = np.flatnonzero(is_flat & (rows["shape_finish"][:, 3] > 0) & (rows["shape_rgba"][:, 3] >= OPAQUE))
        return int(found[0]) if len(found) else -1

    def _haze_plane(self) -> int:
        """The first plane without ends."""
        rows = self._persistent
        is_endless = (rows["shape_kind"] == GeomType.PLANE) & (rows["shape_size"][:, :2] == 0).all(axis=1)
        found = np.flatnonzero(is_endless)
        return int(found[0]) if len(found) else -1

    def _set_haze(self) -> None:
        """The ring of haze at the end of an endless plane."""
        model, frame = self._model, self._frame
        amount = float(model.vis.map.haze)
        # it is densest where the floor meets the sky (haze in MuJoCo's render_context.c)
        angle = math.atan2(1.0, amount)
        densest = math.sqrt(0.5) * amount * math.sin(angle) / math.sin(0.75 * math.pi - angle)
        frame["haze"][:] = (*np.asarray(model.vis.rgba.haze)[:3], amount, max(densest, 1e-12))
        has_haze = self._builder.show.haze and frame["sky_texture"][0] >= 0
        frame.set(haze_shape=self._haze_plane() if has_haze else -1)


def _no_lights() -> Lights:
    """What there is where no light is on: a bit of light from all sides."""
    zero, dim = np.zeros((1, 3)), np.full((1, 3), DARK)
    down = np.array([[0.0, 0.0, -1.0]])
    flat = np.zeros(1)
    return Lights(np.array([LightType.DIRECTIONAL]), zero, down, dim, zero, zero, zero, flat, flat, np.zeros(1, bool))
