"""Geoms and sites: frames, sizes, fitted primitives, masses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from phalanx.compiler.model_build import Build
from phalanx.compiler.model_object import Carried, ModelObject
from phalanx.compiler.object import geom_shape
from phalanx.compiler.object.rotation import (
    EPSILON,
    ORIGIN,
    Vector,
    add,
    compose,
    conjugate,
    cross,
    orientation_of,
    placed,
    quaternion,
    rotate,
    unit,
    vector3,
)
from phalanx.compiler.scale.scaled_shape import scale_geom, scale_site
from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.geoms import GEOMS, GEOMS_BY_TAG
from phalanx.tables.mjcf_body import SITE_TYPES
from phalanx.tables.mjcf_schema import ELEMENTS

if TYPE_CHECKING:
    from phalanx.compiler.asset.heightfield_asset import HeightField
    from phalanx.compiler.asset.mesh_asset import MeshAsset
    from phalanx.compiler.object.plugin import PluginInstance
    from phalanx.mesh import Mesh

#: Types whose shape is a mesh.
MESH_KINDS = tuple(row.tag for row in GEOMS.values() if row.asset == "mesh")


class Shaped(Carried):
    """A geom or a site: what has a shape, and may have a mesh."""

    #: its type, a tag of the geom rows
    kind: str = "sphere"
    size: Vector = ORIGIN
    #: the mesh it names; with type mesh or sdf this is its shape, other types are fitted to it
    mesh_asset: MeshAsset | None = None
    #: the compiled form of that mesh; None once another shape is fitted to it
    mesh: Mesh | None = None
    hfield: HeightField | None = None
    #: the asset that *_dataid refers to
    data: MeshAsset | HeightField | None = None
    matid: int = -1


class Geom(Shaped):
    """A geom; mass and inertia are 0 unless the body takes its own from its geoms."""

    mass: float = 0.0
    #: principal moments
    inertia: Vector = ORIGIN
    #: is all known that its mass depends on?
    is_whole: bool = False
    #: center and half sizes of the bounding box, in the geom
    aabb: tuple[float, ...] = (0.0,) * 6
    rbound: float = 0.0
    surfacevel: tuple[float, ...] = (0.0,) * 6
    #: the plugin that gives its signed distances
    plugin: PluginInstance | None = None


class Site(Shaped):
    """A site: a frame with a shape that nothing collides with."""


def compile_geom(build: Build, geom: Geom, infer_inertia: bool) -> None:
    """Frame, size, bounding box and mass of a geom; mass and inertia only if the body takes its own from it."""
    geom.kind, geom.pos, geom.size = geom.guess("type"), geom["pos"], geom.guess("size")
    geom.surfacevel = geom.guess("surfacevel")
    # each step is tried whatever the others find, so that one mistake does not hide another
    build.all_of(geom, check_condim)
    has_weight = not infer_inertia or build.all_of(geom, _check_weight)
    geom.is_whole = _is_weightless(geom)
    is_known = build.all_of(geom, _check_assets)
    is_placed = build.all_of(geom, _check_plane, _place_geom)
    if not is_known or not build.all_of(geom, _measure) or not is_placed:
        return
    _bound(geom)
    if infer_inertia and has_weight:
        _weigh(geom)
    geom.is_whole = has_weight
    geom.pos, geom.quat = placed(geom, geom.pos, geom.quat)


def compile_site(build: Build, site: Site) -> None:
    """Frame and size of a site."""
    site.kind, site.pos, site.size = site.guess("type"), site["pos"], site.guess("size")
    is_known = build.all_of(site, _check_site_type)
    is_placed = build.all_of(site, _place)
    if is_known and build.all_of(site, _measure_site) and is_placed:
        site.pos, site.quat = placed(site, site.pos, site.quat)
        site.quat = unit(site.quat)


# --- checks


def check_condim(obj: ModelObject) -> None:
    """The dimension of contacts is one that there is, for a geom or a pair."""
    if obj["condim"] not in (1, 3, 4, 6):
        raise ElementProblem(f"condim is {obj['condim']}; it must be 1, 3, 4 or 6", "condim")


def _is_weightless(geom: Geom) -> bool:
    """Is it known to have no mass, whatever else may be wrong with it?"""
    weight = "density" if geom.guess("mass") is None else "mass"
    return geom.knows("mass") and geom.knows(weight) and geom.guess(weight) == 0


def _check_weight(geom: Geom) -> None:
    weight = "mass" if geom["mass"] is not None else "density"
    if geom[weight] < 0:
        raise ElementProblem(f"the {weight} is negative: {geom[weight]:g}", weight)


def _check_assets(geom: Geom) -> None:
    """Has it the mesh or height field that its type needs? One that failed to compile is a problem already."""
    kind = geom["type"]
    if kind in MESH_KINDS and geom.mesh is None:
        raise ElementProblem(f"a geom of type {kind!r} needs a mesh" if geom["mesh"] is None else "")
    if kind == "hfield" and geom.hfield is None:
        raise ElementProblem("a geom of type 'hfield' needs an hfield" if geom["hfield"] is None else "")
    if kind != "hfield" and geom.hfield is not None:
        raise ElementProblem(f"hfield is given, but the type is {kind!r}", "hfield")
    if kind in MESH_KINDS and geom["shellinertia"]:
        raise ElementProblem("for mesh geoms, set inertia='shell' in the mesh", "shellinertia")


def _check_plane(geom: Geom) -> None:
    if geom["type"] == "plane" and geom.body.weld.parent is not None and not geom.body.weld["mocap"]:
        raise ElementProblem("a plane can only be on a body that does not move")


def _check_site_type(site: Site) -> None:
    kind = site["type"]
    if kind not in SITE_TYPES:
        raise ElementProblem(f"a site cannot be a {kind}", "type")
    if kind == "mesh" and site.mesh is None:
        raise ElementProblem("a site of type 'mesh' needs a mesh" if site["mesh"] is None else "")


def _check_size(obj: Shaped) -> None:
    # a size that could not be read ends the check here
    if obj["size"]:
        geom_shape.check_size(obj["type"], obj.size)


# --- frame and size


def _place_geom(geom: Geom) -> None:
    if geom.guess("fromto") is not None and geom.mesh_asset is not None:
        raise ElementProblem("fromto cannot be used with a mesh", "fromto")
    _place(geom)


def _place(obj: Shaped) -> None:
    """The frame of a geom or site, and the size of one that is given by two points."""
    values = obj.values
    if obj.knows("fromto") and values["fromto"] is None:
        obj.quat = orientation_of(values, obj.scope)
        return
    kind, size = values["type"], values["size"]
    if kind in geom_shape.BETWEEN_POINTS:
        obj.size = (size[0],) * 3  # should the points be wrong, the rest of the size is not
    obj.pos, obj.quat, obj.size = geom_shape.from_ends(kind, values["fromto"], values["pos"], size)


def _measure(geom: Geom) -> None:
    """The size, scaled with the frames around the geom, and fitted to its mesh if it names one."""
    kind = geom["type"]
    if geom.scale is not None:
        scale_geom(geom, kind)
    if geom.mesh is not None:
        _place_on_mesh(geom, kind, geom.mesh)
    elif geom["mesh"] is not None:
        raise ElementProblem("")  # the mesh could not be compiled
    else:
        _check_size(geom)


def _measure_site(site: Site) -> None:
    kind = site["type"]
    if site.scale is not None:
        scale_site(site, kind)
    if kind == "mesh" and site.mesh is not None:
        site.size = vector3(site.mesh.size)
    else:
        _check_size(site)


def _place_on_mesh(geom: Geom, kind: str, mesh: Mesh) -> None:
    """The compiled mesh has a frame of its own, in its principal axes: the geom takes it over."""
    center = ORIGIN
    if kind not in MESH_KINDS:
        geom.size, center = geom_shape.fitted(kind, mesh, geom.scope["fitaabb"], geom.values["fitscale"])
        geom_shape.check_size(kind, geom.size)
        geom.mesh = None
    mesh_pos, mesh_quat = vector3(mesh.pos), quaternion(mesh.quat)
    offset = add(rotate(center, mesh_quat), mesh_pos)
    geom.pos, geom.quat = compose(geom.pos, geom.quat, offset, mesh_quat)
    if any(geom.surfacevel):
        # the velocity field of the surface stays where it was: v + w x offset, seen from the new frame
        vx, vy, vz, wx, wy, wz = geom.surfacevel
        angular = (wx, wy, wz)
        linear = add((vx, vy, vz), cross(angular, offset))
        back = conjugate(mesh_quat)
        geom.surfacevel = (*rotate(linear, back), *rotate(angular, back))


# --- bounds and mass


def _bound(geom: Geom) -> None:
    """Size, box and bounding radius."""
    if geom.mesh is not None:
        geom.size = vector3(geom.mesh.size)
        geom.aabb, geom.rbound = tuple(geom.mesh.aabb.tolist()), geom.mesh.rbound
    elif geom.kind == "hfield" and geom.hfield is not None:
        x, y, top, base = geom.hfield["size"]
        geom.size = (x, y, 0.25 * top + 0.5 * base)
        geom.aabb = (0.0, 0.0, (top - base) / 2, x, y, (top + base) / 2)
        geom.rbound = (x * x + y * y + max(top * top, base * base)) ** 0.5
    else:
        geom.aabb = geom_shape.bounding_box(geom.kind, geom.size)
        geom.rbound = geom_shape.bounding_radius(geom.kind, geom.size)


def _weigh(geom: Geom) -> None:
    """Mass and inertia, from the mass or the density."""
    values = geom.values
    mass, density = values["mass"], values["density"]
    if (density if mass is None else mass) == 0:
        return
    is_shell = values["shellinertia"]
    amount = geom.mesh.mass.volume if geom.mesh is not None else geom_shape.volume(geom.kind, geom.size, is_shell)
    if mass is not None and amount <= EPSILON:
        return
    geom.mass = density * amount if mass is None else mass
    if geom.mesh is not None:
        # the box with the inertia of the mesh
        x, y, z = (half * half for half in geom.mesh.mass.box.tolist())
        geom.inertia = (geom.mass * (y + z) / 3, geom.mass * (x + z) / 3, geom.mass * (x + y) / 3)
    else:
        geom.inertia = geom_shape.inertia(geom.kind, geom.size, geom.mass, is_shell)


# --- columns


def write_geoms(build: Build) -> None:
    """Columns of geoms."""
    geoms, columns = build.geoms, build.columns
    build.copy_plain(ELEMENTS["geom"], geoms)
    build.copy_user("geom", geoms)
    columns["geom_type"] = [GEOMS_BY_TAG[geom.kind].type for geom in geoms]
    columns["geom_bodyid"] = [geom.body.id for geom in geoms]
    columns["geom_dataid"] = [geom.data.id if geom.data is not None else -1 for geom in geoms]
    columns["geom_plugin"] = [geom.plugin.id if geom.plugin is not None else -1 for geom in geoms]
    for name in ("size", "aabb", "rbound", "pos", "quat", "surfacevel", "matid"):
        columns[f"geom_{name}"] = [getattr(geom, name) for geom in geoms]
    columns["geom_fluid"] = [
        (1.0, *geom["fluidcoef"], *(0.0,) * 6) if geom["fluidshape"] == "ellipsoid" else (0.0,) * 12 for geom in geoms
    ]


def write_sites(build: Build) -> None:
    """Columns of sites."""
    sites, columns = build.sites, build.columns
    build.copy_plain(ELEMENTS["site"], sites)
    build.copy_user("site", sites)
    columns["site_bodyid"] = [site.body.id for site in sites]
    columns["site_dataid"] = [site.data.id if site.data is not None else -1 for site in sites]
    for name in ("size", "pos", "quat", "matid"):
        columns[f"site_{name}"] = [getattr(site, name) for site in sites]
