"""Shapes of geoms, sites, flexes and skins: the same in every frame, except for their poses."""

from __future__ import annotations

import numpy as np

from phalanx.scene.colors import material_colors
from phalanx.scene.decor_frame import visible
from phalanx.scene.finite import check_poses
from phalanx.scene.flex_surface import EDGES, FACES, SKIN, VERTICES, flex_form, flex_parts
from phalanx.scene.placement import labels_of, placed
from phalanx.scene.shapes import Shapes
from phalanx.scene.style import Style
from phalanx.scene.subject import Data, Model
from phalanx.tables.enums import GeomType, ObjType

#: Geoms that have data of their own: `dataid` is a mesh or a height field.
WITH_DATA = (GeomType.MESH, GeomType.SDF, GeomType.HFIELD)


class Permanent:
    """Geoms, sites, flexes and skins of a model that are shown.

    Attributes:
        shapes: their rows; poses are those of the last update.
    """

    def __init__(self, model: Model, style: Style):
        self._geoms = visible(model, style, "geom")
        self._sites = visible(model, style, "site") if style.show.sites else np.empty(0, int)
        parts = [
            _geom_shapes(model, style, self._geoms),
            _site_shapes(model, style, self._sites),
            _flexes(model, style),
            _skins(model, style),
        ]
        self.shapes = Shapes.joined(parts)
        self._has_flexes = bool((self.shapes.kind == GeomType.FLEX).any())
        ngeom, posed = len(self._geoms), len(self._geoms) + len(self._sites)
        # memory that is written in each frame
        self._geom_pos, self._geom_mat = self.shapes.pos[:ngeom], self.shapes.mat[:ngeom]
        self._site_pos, self._site_mat = self.shapes.pos[ngeom:posed], self.shapes.mat[ngeom:posed]

    def updated(self, data: Data) -> Shapes:
        """The rows at the present poses of a Data."""
        if len(self._geoms):
            _take(data.geom_xpos, self._geoms, self._geom_pos)
            _take(data.geom_xmat, self._geoms, self._geom_mat)
            check_poses(data, "geom_xpos", self._geom_pos)
        if len(self._sites):
            _take(data.site_xpos, self._sites, self._site_pos)
            _take(data.site_xmat, self._sites, self._site_mat)
            check_poses(data, "site_xpos", self._site_pos)
        if self._has_flexes:
            check_poses(data, "flexvert_xpos", np.asarray(data.flexvert_xpos))
        return self.shapes


def _take(source: np.ndarray, ids: np.ndarray, target: np.ndarray) -> None:
    """Copy rows; in double precision without memory of its own."""
    if source.dtype == target.dtype:
        source.take(ids, 0, target, "clip")
    else:
        target[:] = source[ids]


def _faded(model: Model, style: Style, rgba: np.ndarray, bodies: np.ndarray) -> np.ndarray:
    """Colors with `transparent` applied to what can move."""
    if style.show.transparent:
        rgba[np.asarray(model.body_weldid)[bodies] != 0, 3] *= model.vis.map.alpha
    return rgba


def _geom_shapes(model: Model, style: Style, geoms: np.ndarray) -> Shapes:
    kind, matid = np.asarray(model.geom_type)[geoms], np.asarray(model.geom_matid)[geoms]
    bodies = np.asarray(model.geom_bodyid)[geoms]
    dataid = np.where(np.isin(kind, WITH_DATA), np.asarray(model.geom_dataid)[geoms], -1)
    if style.show.hulls:
        touches = (np.asarray(model.geom_contype)[geoms] != 0) | (np.asarray(model.geom_conaffinity)[geoms] != 0)
        is_mesh = np.isin(kind, (GeomType.MESH, GeomType.SDF)) & touches & (dataid >= 0) & (dataid < model.nmesh)
        has_hull = is_mesh.copy()
        has_hull[is_mesh] = np.asarray(model.mesh_graphadr)[dataid[is_mesh]] >= 0
        dataid = np.where(has_hull, dataid + model.nmesh + model.ngrid, dataid)
    rgba = material_colors(model, matid, np.asarray(model.geom_rgba)[geoms])
    return placed(
        kind, np.zeros((len(geoms), 3)), size=np.asarray(model.geom_size)[geoms], matid=matid, dataid=dataid,
        rgba=_faded(model, style, rgba, bodies), objtype=ObjType.GEOM, objid=geoms, bodyid=bodies, decor=False,
        labels=labels_of(model, "geom", geoms) if style.show.labels == "geom" else (),
    )  # fmt: skip


def _site_shapes(model: Model, style: Style, sites: np.ndarray) -> Shapes:
    matid, bodies = np.asarray(model.site_matid)[sites], np.asarray(model.site_bodyid)[sites]
    rgba = material_colors(model, matid, np.asarray(model.site_rgba)[sites])
    return placed(
        np.asarray(model.site_type)[sites], np.zeros((len(sites), 3)), size=np.asarray(model.site_size)[sites],
        matid=matid, rgba=_faded(model, style, rgba, bodies), objtype=ObjType.SITE, objid=sites, bodyid=bodies,
        decor=False, labels=labels_of(model, "site", sites) if style.show.labels == "site" else (),
    )  # fmt: skip


def _flexes(model: Model, style: Style) -> Shapes:
    """Flexes, one shape of each material; their vertices are in the world frame, so they stay at its origin."""
    show, parts = style.show, flex_parts(model)
    mode = SKIN if show.flex_skin else VERTICES * show.flex_vertices + EDGES * show.flex_edges + FACES * show.flex_faces
    if not parts or not (show.flex_skin or mode):
        return Shapes.empty()
    flexes, matid = np.array([part.flex for part in parts]), np.array([part.matid for part in parts])
    # a material needs places in its texture, as in MuJoCo, but its color does not
    rgba = material_colors(model, matid, np.asarray(model.flex_rgba, np.float32)[flexes])
    matid = np.where(np.asarray(model.flex_texcoordadr)[flexes] >= 0, matid, -1)
    shown = np.flatnonzero(show.in_group("flexgroup", np.asarray(model.flex_group)[flexes]) & (rgba[:, 3] != 0))
    # lines have no faces
    shown = np.array([k for k in shown.tolist() if len(flex_form(model, k + mode * len(parts)).faces)], np.int64)
    if show.transparent:
        rgba[:, 3] *= model.vis.map.alpha
    # the first part of a flex has its name
    names = labels_of(model, "flex", flexes[shown])
    names = [name if k == 0 or flexes[shown[k - 1]] != flexes[shown[k]] else "" for k, name in enumerate(names)]
    return placed(
        GeomType.FLEX, np.zeros((len(shown), 3)), matid=matid[shown], rgba=rgba[shown],
        dataid=shown + mode * len(parts), objtype=ObjType.FLEX, objid=flexes[shown], decor=False,
        labels=names if show.labels == "flex" else (),
    )  # fmt: skip


def _skins(model: Model, style: Style) -> Shapes:
    """Skins; their vertices are in the world frame, so they stay at its origin."""
    matid, colors = np.asarray(model.skin_matid), np.asarray(model.skin_rgba, np.float32).reshape(-1, 4)
    rgba = material_colors(model, matid, colors)
    shown = style.show.in_group("skingroup", model.skin_group) & (rgba[:, 3] != 0) & style.show.skins
    skins = np.flatnonzero(shown)
    if style.show.transparent:
        rgba[:, 3] *= model.vis.map.alpha
    return placed(
        GeomType.SKIN, np.zeros((len(skins), 3)), matid=matid[skins], rgba=rgba[skins], dataid=skins,
        objtype=ObjType.SKIN, objid=skins, decor=False,
        labels=labels_of(model, "skin", skins) if style.show.labels == "skin" else (),
    )  # fmt: skip
