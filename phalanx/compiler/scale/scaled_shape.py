"""Shapes of geoms and sites inside frames that scale, and the instances of meshes and height fields they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from phalanx.compiler.asset.instanced_asset import Instanced
from phalanx.compiler.model_build import Build
from phalanx.compiler.object.rotation import orientation_of, rotate, rotation_of_z, unit
from phalanx.compiler.scale.frame_scale import ALIGNED, ONES, Scale
from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.geoms import GEOMS

if TYPE_CHECKING:
    from phalanx.compiler.object.geom import Geom, Shaped, Site

_ROUND = tuple(row.tag for row in GEOMS.values() if row.along == "rz")


def scale_geom(geom: Geom, kind: str) -> None:
    """Scale the pose, size, mass and surface velocity of a geom; `pos`, `quat` and `size` are as written before."""
    values, scale = geom.values, geom.scale
    assert scale is not None
    local = scale.rotated(geom.quat)
    if kind not in ("mesh", "hfield") and geom.mesh is None:
        _check(kind, local, is_round=kind in _ROUND or values["fromto"] is not None)
        _stretch(geom, kind, local)
    geom.pos = scale.of(geom.pos)
    velocity = geom.surfacevel
    geom.surfacevel = (*local.of(velocity[:3]), *velocity[3:])
    factors = scale.factors
    if values["mass"] is not None:
        values["mass"] *= factors.mass
    is_shell = values["shellinertia"]
    if kind == "mesh" and geom.mesh_asset is not None:
        is_shell = geom.mesh_asset["inertia"] == "shell"
    values["density"] *= factors.mass / factors.length ** (2 if is_shell else 3)


def scale_site(site: Site, kind: str) -> None:
    """Scale the pose and size of a site; every site can be stretched, some only approximately."""
    assert site.scale is not None
    if kind != "mesh":
        _stretch(site, kind, site.scale.rotated(site.quat))
    site.pos = site.scale.of(site.pos)


def _check(kind: str, local: Scale, is_round: bool) -> None:
    """Refuse a stretch that would give another shape."""
    x, y, z = local.axes()
    if kind == "sphere":
        if max(x, y, z) - min(x, y, z) > ALIGNED * max(x, y, z):
            raise ElementProblem("a sphere can only be scaled equally along all axes; use an ellipsoid")
        return
    if not local.keeps_axes():
        raise ElementProblem(f"the {kind} is not aligned with the axes of the frame that scales it")
    if is_round and abs(x - y) > ALIGNED * max(x, y):
        raise ElementProblem(f"the {kind} can only be scaled equally across its axis")


def _stretch(obj: Shaped, kind: str, local: Scale) -> None:
    """Stretch the size of a shape along its own axes; one that is given by two points is rotated with them."""
    assert obj.scale is not None
    a, b, c = obj.size
    x, y, z = local.axes()
    is_between_points = obj["fromto"] is not None
    if local.matrix is not None and (kind in _ROUND or is_between_points):
        x = y = (x * y) ** 0.5
    if kind == "sphere":
        obj.size = (a * local.factors.length, b, c)
    elif kind in _ROUND:
        obj.size = (a * x, b * z, c)
    else:
        obj.size = (a * x, b * y, c * (local.factors.length if kind == "plane" else z))
    if local.matrix is not None and is_between_points:
        obj.quat = rotation_of_z(unit(obj.scale.of(rotate((0.0, 0.0, 1.0), obj.quat))))


# --- meshes and height fields: one instance per stretch


def instance_of(build: Build, asset: Instanced, user: Shaped) -> Instanced:
    """The instance of a mesh or height field for the stretch of a geom or site; the first is the asset itself."""
    scale: Scale = user.scale or Scale(ONES)
    if scale.matrix is not None:
        scale = scale.rotated(orientation_of(user.values, user.scope))
    key = scale.factors.length if scale.matrix is None else scale.matrix
    if key not in asset.instances:
        asset.instances[key] = _instance(build, asset, scale)
    return asset.instances[key]  # type: ignore[return-value]  # instances are of the class of the asset


def _instance(build: Build, asset: Instanced, scale: Scale) -> Instanced:
    """A new instance of an asset; heights and widths of a height field scale, or the vertices of a mesh."""
    kind = asset.element.tag
    values = asset.written.copy()
    stretch = None
    if kind == "hfield":
        if not scale.keeps_axes():
            raise ElementProblem("the height field is not aligned with the axes of the frame that scales it")
        x, y, z = scale.axes()
        a, b, top, base = values["size"] or (1.0, 1.0, 1.0, 1.0)
        values["size"] = (a * x, b * y, top * z, base * z)
    elif scale.diagonal is None:
        stretch = scale.matrix
    else:
        values["scale"] = tuple(a * b for a, b in zip(values["scale"], scale.diagonal, strict=True))
    if not asset.instances:
        asset.values, asset.stretch = values, stretch
        return asset
    made = asset.scaled_instance(values, stretch)
    build.add(kind, made)
    return made
