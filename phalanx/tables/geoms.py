"""Geom types: one row each.

The words of MJCF, checks of sizes, shapes of sites, colliders of convex pairs and the list of files derive from it. The
functions of a type are in `phalanx/collision/geom`, in the file named like its tag, filed in tables by type: kernels
(bounds, support point, faces and edges, ray, inside test, signed distance) and, for the compiler, formulas (volume,
inertia, fit to a mesh).
"""

from __future__ import annotations

from dataclasses import dataclass

from phalanx.tables.enums import GeomType

#: Elements of `geom_size` that add up to a length.
Sum = tuple[int, ...]


@dataclass(frozen=True)
class GeomRow:
    """A type of geom. The frame of a solid is at its center of mass, its axes are the principal ones.

    Attributes:
        type: its value in the Model.
        tag: the word for it in MJCF, and the name of its file.
        sizes: what the leading elements of `geom_size` mean; () if they come from an asset.
        along: what each of these elements is measured along, a letter each: an axis (x, y, z), all directions across z
            (r), or all directions (s).
        semi_axes: the ellipsoid that stands for the geom in a fluid, as sums of sizes.
        doc: the shape, in words.
        convex: a convex solid, with a support point: it collides with all other convex types.
        polytope: a convex solid without round parts, for which a search is exact.
        contacts: how many contacts it can have with a flat face: 1 if it is round, 2 at a line, 4 at a face.
        ground: scenery that has no underside; two such geoms never collide.
        fromto: it can be given by its two ends on the z axis.
        asset: "mesh" or "hfield" if its surface is an asset of that kind.
        site: a site can have this shape.
        positive: the sizes must be positive.
    """

    type: GeomType
    tag: str
    sizes: tuple[str, ...]
    along: str
    semi_axes: tuple[Sum, Sum, Sum]
    doc: str
    convex: bool = False
    polytope: bool = False
    contacts: int = 1
    ground: bool = False
    fromto: bool = False
    asset: str = ""
    site: bool = False
    positive: bool = True


_BY_AXIS = ((0,), (1,), (2,))

GEOMS: dict[GeomType, GeomRow] = {row.type: row for row in (
    GeomRow(GeomType.PLANE, "plane", ("half size along x, 0 for no end", "half size along y, 0 for no end"), "xys",
            _BY_AXIS, "the half space below z = 0", ground=True, positive=False),
    GeomRow(GeomType.HFIELD, "hfield", (), "xyz", _BY_AXIS, "a grid of elevations, with walls down to a base",
            ground=True, asset="hfield"),
    GeomRow(GeomType.SPHERE, "sphere", ("radius",), "s", ((0,), (0,), (0,)), "a ball", convex=True, site=True),
    GeomRow(GeomType.CAPSULE, "capsule", ("radius", "half length without the ends"), "rz", ((0,), (0,), (1, 0)),
            "a cylinder about z with half balls at its ends", convex=True, contacts=2, fromto=True, site=True),
    GeomRow(GeomType.ELLIPSOID, "ellipsoid", ("radius along x", "radius along y", "radius along z"), "xyz", _BY_AXIS,
            "an ellipsoid", convex=True, fromto=True, site=True),
    GeomRow(GeomType.CYLINDER, "cylinder", ("radius", "half length"), "rz", ((0,), (0,), (1,)), "a cylinder about z",
            convex=True, contacts=4, fromto=True, site=True),
    GeomRow(GeomType.BOX, "box", ("half size along x", "half size along y", "half size along z"), "xyz", _BY_AXIS,
            "a box", convex=True, polytope=True, contacts=4, fromto=True, site=True),
    GeomRow(GeomType.MESH, "mesh", (), "xyz", _BY_AXIS, "the convex hull of a mesh; rays see its triangles",
            convex=True, polytope=True, contacts=4, asset="mesh", site=True),
    GeomRow(GeomType.SDF, "sdf", (), "xyz", _BY_AXIS, "the inside of a mesh or a grid, by signed distances",
            asset="mesh"),
)}  # fmt: skip

GEOMS_BY_TAG: dict[str, GeomRow] = {row.tag: row for row in GEOMS.values()}

#: The files that hold the functions, as modules.
MODULES: tuple[str, ...] = tuple(f"phalanx.collision.geom.{row.tag}" for row in GEOMS.values())

# types that a column selects, for kernels
CONVEX: tuple[GeomType, ...] = tuple(row.type for row in GEOMS.values() if row.convex)
POLYTOPES: tuple[GeomType, ...] = tuple(row.type for row in GEOMS.values() if row.polytope)
GROUND: tuple[GeomType, ...] = tuple(row.type for row in GEOMS.values() if row.ground)
WITH_ASSET: tuple[GeomType, ...] = tuple(row.type for row in GEOMS.values() if row.asset)
OF_MESH: tuple[GeomType, ...] = tuple(row.type for row in GEOMS.values() if row.asset == "mesh")
