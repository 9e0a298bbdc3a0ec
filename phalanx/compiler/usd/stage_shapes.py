"""Geoms of a stage: colliders and what is only seen, with the mass of bodies."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

import numpy as np

from phalanx.compiler.object.rotation import IDENTITY, Vector, multiply
from phalanx.compiler.text.element import Element
from phalanx.compiler.usd.stage_units import FROM_Z, Pose, StageUnits, relative

#: What a shape becomes: type of geom, its sizes, the axis that is its z, and its volume.
Shape = tuple[str, tuple[float, ...], str, float]


def _cube(prim: Any, scale: Vector) -> Shape:
    from pxr import UsdGeom

    size = float(UsdGeom.Cube(prim).GetSizeAttr().Get())
    x, y, z = (abs(factor) * size / 2 for factor in scale)
    return "box", (x, y, z), "Z", 8 * x * y * z


def _sphere(prim: Any, scale: Vector) -> Shape:
    from pxr import UsdGeom

    radius = float(UsdGeom.Sphere(prim).GetRadiusAttr().Get())
    x, y, z = (abs(factor) * radius for factor in scale)
    volume = 4 / 3 * pi * x * y * z
    return ("sphere", (x,), "Z", volume) if x == y == z else ("ellipsoid", (x, y, z), "Z", volume)


def _round(kind: str) -> Callable[[Any, Vector], Shape]:
    def shape(prim: Any, scale: Vector) -> Shape:
        from pxr import UsdGeom

        given = (UsdGeom.Capsule if kind == "capsule" else UsdGeom.Cylinder)(prim)
        axis = str(given.GetAxisAttr().Get())
        along = "XYZ".index(axis)
        across = max(abs(factor) for k, factor in enumerate(scale) if k != along)
        radius = float(given.GetRadiusAttr().Get()) * across
        half = float(given.GetHeightAttr().Get()) * abs(scale[along]) / 2
        volume = 2 * pi * radius**2 * half + (4 / 3 * pi * radius**3 if kind == "capsule" else 0.0)
        return kind, (radius, half), axis, volume

    return shape


def _plane(prim: Any, scale: Vector) -> Shape:
    from pxr import UsdGeom

    return "plane", (0.0, 0.0, 1.0), str(UsdGeom.Plane(prim).GetAxisAttr().Get()), 0.0


#: Type of a prim -> its shape.
SHAPES: dict[str, Callable[[Any, Vector], Shape]] = {
    "Cube": _cube, "Sphere": _sphere, "Capsule": _round("capsule"), "Cylinder": _round("cylinder"), "Plane": _plane,
}  # fmt: skip


def mesh_arrays(prim: Any, scale: Vector) -> tuple[np.ndarray, np.ndarray]:
    """Points and triangles of a mesh; polygons are cut into fans."""
    from pxr import UsdGeom

    mesh = UsdGeom.Mesh(prim)
    points = np.array(mesh.GetPointsAttr().Get() or [], np.float64).reshape(-1, 3) * scale
    corners = [int(k) for k in mesh.GetFaceVertexIndicesAttr().Get() or []]
    faces: list[tuple[int, int, int]] = []
    start = 0
    for count in mesh.GetFaceVertexCountsAttr().Get() or []:
        ring = corners[start : start + count]
        faces += [(ring[0], ring[k], ring[k + 1]) for k in range(1, len(ring) - 1)]
        start += count
    return points, np.array(faces, np.int64).reshape(-1, 3)


class ShapeWriter:
    """Writes the geoms of bodies.

    Args:
        units: of the stage.
        assets: the asset section of the model.
        note: says what is left out, at a prim.
        name: gives an object of a kind a name, from its prim.
    """

    def __init__(
        self,
        units: StageUnits,
        assets: Element,
        note: Callable[[Any, str], None],
        name: Callable[[str, Any], str],
    ):
        self.units, self.assets, self.note, self.name = units, assets, note, name

    def put(self, body: Element, pose: Pose, prim: Any, collides: bool) -> tuple[Element, float] | None:
        """The geom of a prim, and its volume; None if its shape is not known."""
        where, scale = self.units.world_pose(prim)
        pos, quat = relative(pose, where)
        kind = str(prim.GetTypeName())
        geom = body.add("geom", name=self.name("geom", prim))
        if kind == "Mesh":
            volume = self._put_mesh(geom, prim, scale)
        elif kind in SHAPES:
            word, size, axis, volume = SHAPES[kind](prim, scale)
            geom["type"], geom["size"] = word, size
            quat = multiply(quat, FROM_Z[axis])
        else:
            volume = -1.0
        if volume < 0:
            geom.remove()
            self.note(prim, f"a shape of type {kind} is left out" if kind != "Mesh" else "a mesh without triangles")
            return None
        geom["pos"] = pos
        if quat != IDENTITY:
            geom["quat"] = quat
        self._put_looks(geom, prim, collides)
        return geom, volume

    def _put_mesh(self, geom: Element, prim: Any, scale: Vector) -> float:
        """A mesh with the points of a prim; the volume is that of its box, -1 if it has no triangles."""
        points, faces = mesh_arrays(prim, scale)
        if len(points) < 4 or not len(faces) or faces.min() < 0 or faces.max() >= len(points):
            return -1.0
        mesh = self.assets.add("mesh", name=self.name("mesh", prim), inertia="convex")
        mesh["vertex"], mesh["face"] = tuple(points.ravel().tolist()), tuple(faces.ravel().tolist())
        geom["type"], geom["mesh"] = "mesh", mesh.name
        return float(np.prod(np.ptp(points, axis=0)))

    def _put_looks(self, geom: Element, prim: Any, collides: bool) -> None:
        """Color and group; what does not collide weighs nothing."""
        from pxr import UsdGeom

        colors = UsdGeom.Gprim(prim).GetDisplayColorAttr().Get()
        if colors:
            geom["rgba"] = (*(min(max(float(c), 0.0), 1.0) for c in colors[0]), 1.0)
        if collides:
            self._put_friction(geom, prim)
        else:
            geom["contype"], geom["conaffinity"], geom["group"], geom["mass"] = 0, 0, 2, 0.0

    def _put_friction(self, geom: Element, prim: Any) -> None:
        """The friction of the physics material that is bound to a collider."""
        from pxr import UsdPhysics, UsdShade

        material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")
        if not material or not material.GetPrim().HasAPI(UsdPhysics.MaterialAPI):
            return
        given = UsdPhysics.MaterialAPI(material.GetPrim())
        geom["friction"] = max(float(given.GetDynamicFrictionAttr().Get()), 0.0)
        if float(given.GetRestitutionAttr().Get()) > 0:
            self.note(material.GetPrim(), "restitution has no effect")
        density = float(given.GetDensityAttr().Get())
        if density > 0:
            geom["density"] = density * self.units.kilograms / self.units.meters**3
