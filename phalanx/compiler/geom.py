"""Geoms and sites: frames, sizes, fitted primitives, masses."""

from __future__ import annotations

from typing import Any

from phalanx.compiler import shape
from phalanx.compiler.build import Build
from phalanx.compiler.errors import ElementProblem
from phalanx.compiler.rotation import EPSILON, add, compose, conjugate, cross, placed, rotate, unit
from phalanx.compiler.scaled_shape import scale_geom, scale_site
from phalanx.compiler.tree import turn
from phalanx.tables.mjcf_body import GEOM_TYPES, SITE_TYPES
from phalanx.tables.mjcf_schema import ELEMENTS

MESH_KINDS = ("mesh", "sdf")


def compile_geom(build: Build, geom: Any, infer_inertia: bool) -> None:
    """Frame, size, box and mass of a geom."""
    values, scope = geom.values, geom.scope
    kind = values["type"]
    geom.kind, geom.mass, geom.inertia, geom.is_whole = kind, 0.0, (0.0, 0.0, 0.0), False
    geom.pos, geom.size = values["pos"], values["size"]
    geom.surfacevel = values["surfacevel"]
    geom.aabb, geom.rbound = (0.0,) * 6, 0.0
    if values["condim"] not in (1, 3, 4, 6):
        build.report(geom.element, f"condim is {values['condim']}; it must be 1, 3, 4 or 6", "condim")
    weight = "mass" if values["mass"] is not None else "density"
    is_negative = infer_inertia and values[weight] < 0
    if is_negative:
        build.report(geom.element, f"the {weight} is negative: {values[weight]:g}", weight)
    mesh = geom.mesh
    if kind in MESH_KINDS and mesh is None:
        if values["mesh"] is None:
            raise ElementProblem(f"a geom of type {kind!r} needs a mesh")
        return
    if kind == "hfield" and geom.hfield is None:
        if values["hfield"] is None:
            raise ElementProblem("a geom of type 'hfield' needs an hfield")
        return
    if kind != "hfield" and geom.hfield is not None:
        raise ElementProblem(f"hfield is given, but the type is {kind!r}", "hfield")
    if kind == "plane" and geom.body.weld.parent is not None and not geom.body.weld["mocap"]:
        raise ElementProblem("a plane can only be on a body that does not move")
    if values["fromto"] is not None:
        if mesh is not None:
            raise ElementProblem("fromto cannot be used with a mesh", "fromto")
        geom.pos, geom.quat, geom.size = shape.from_ends(kind, values["fromto"], values["pos"], values["size"])
    else:
        geom.quat = turn(values, scope)
    if geom.scale is not None:
        scale_geom(geom, kind)
    if mesh is not None:
        _place_on_mesh(geom, kind, mesh)
    else:
        shape.check_size(kind, geom.size)
    _bound(geom, kind)
    if infer_inertia and not is_negative:
        _weigh(geom, kind)
    geom.is_whole = not is_negative
    geom.pos, geom.quat = placed(geom, geom.pos, geom.quat)


def _place_on_mesh(geom: Any, kind: str, mesh: Any) -> None:
    """The compiled mesh has a frame of its own: the geom takes it over."""
    center = (0.0, 0.0, 0.0)
    if kind not in MESH_KINDS:
        geom.size, center = shape.fitted(kind, mesh, geom.scope["fitaabb"], geom.values["fitscale"])
        shape.check_size(kind, geom.size)
        geom.mesh = None
    elif geom.values["shellinertia"]:
        raise ElementProblem("for mesh geoms, set inertia='shell' in the mesh", "shellinertia")
    mesh_pos, mesh_quat = tuple(mesh.pos.tolist()), tuple(mesh.quat.tolist())
    offset = add(rotate(center, mesh_quat), mesh_pos)
    geom.pos, geom.quat = compose(geom.pos, geom.quat, offset, mesh_quat)
    velocity = geom.surfacevel
    if any(velocity):
        linear = add(velocity[:3], cross(velocity[3:], offset))
        back = conjugate(mesh_quat)
        geom.surfacevel = (*rotate(linear, back), *rotate(velocity[3:], back))


def _bound(geom: Any, kind: str) -> None:
    """Size, box and bounding radius."""
    if geom.mesh is not None:
        geom.size = tuple(geom.mesh.size.tolist())
        geom.aabb, geom.rbound = tuple(geom.mesh.aabb.tolist()), geom.mesh.rbound
    elif kind == "hfield":
        x, y, top, base = geom.hfield["size"]
        geom.size = (x, y, 0.25 * top + 0.5 * base)
        geom.aabb = (0.0, 0.0, (top - base) / 2, x, y, (top + base) / 2)
        geom.rbound = (x * x + y * y + max(top * top, base * base)) ** 0.5
    else:
        geom.aabb, geom.rbound = shape.bounding_box(kind, geom.size), shape.bounding_radius(kind, geom.size)


def _weigh(geom: Any, kind: str) -> None:
    """Mass and inertia, from the mass or the density."""
    values = geom.values
    mass, density, shell = values["mass"], values["density"], values["shellinertia"]
    amount = geom.mesh.mass.volume if geom.mesh is not None else shape.volume(kind, geom.size, shell)
    if mass is not None:
        if mass == 0 or amount <= EPSILON:
            return
        geom.mass = mass
    else:
        geom.mass = density * amount
        if density == 0:
            return
    if geom.mesh is not None:
        x, y, z = (half * half for half in geom.mesh.mass.box.tolist())
        geom.inertia = (geom.mass * (y + z) / 3, geom.mass * (x + z) / 3, geom.mass * (x + y) / 3)
    else:
        geom.inertia = shape.inertia(kind, geom.size, geom.mass, shell)


def compile_site(build: Build, site: Any) -> None:
    """Frame and size of a site."""
    values, scope = site.values, site.scope
    kind = values["type"]
    site.kind, site.pos, site.size = kind, values["pos"], values["size"]
    if kind not in SITE_TYPES:
        raise ElementProblem(f"a site cannot be a {kind}", "type")
    if values["fromto"] is not None:
        site.pos, site.quat, site.size = shape.from_ends(kind, values["fromto"], values["pos"], values["size"])
    else:
        site.quat = turn(values, scope)
    if site.scale is not None:
        scale_site(site, kind)
    if kind == "mesh":
        mesh = site.mesh
        if mesh is None:
            if values["mesh"] is None:
                raise ElementProblem("a site of type 'mesh' needs a mesh")
            return
        site.size = tuple(mesh.size.tolist())
    else:
        shape.check_size(kind, site.size)
    site.pos, site.quat = placed(site, site.pos, site.quat)
    site.quat = unit(site.quat)


def write_geoms(build: Build) -> None:
    """Columns of geoms and sites."""
    geoms, sites, columns = build.things["geom"], build.things["site"], build.columns
    build.copy_plain(ELEMENTS["geom"], geoms)
    build.copy_user("geom", geoms)
    columns["geom_type"] = [GEOM_TYPES.index(geom.kind) for geom in geoms]
    columns["geom_bodyid"] = [geom.body.id for geom in geoms]
    columns["geom_dataid"] = [geom.data.id if geom.data is not None else -1 for geom in geoms]
    columns["geom_matid"] = [geom.matid for geom in geoms]
    columns["geom_plugin"] = [-1] * len(geoms)
    for name in ("size", "aabb", "rbound", "pos", "quat", "surfacevel"):
        columns[f"geom_{name}"] = [getattr(geom, name) for geom in geoms]
    columns["geom_fluid"] = [
        (1.0, *geom["fluidcoef"], *(0.0,) * 6) if geom["fluidshape"] == "ellipsoid" else (0.0,) * 12 for geom in geoms
    ]
    build.copy_plain(ELEMENTS["site"], sites)
    build.copy_user("site", sites)
    columns["site_bodyid"] = [site.body.id for site in sites]
    columns["site_dataid"] = [site.data.id if site.data is not None else -1 for site in sites]
    columns["site_matid"] = [site.matid for site in sites]
    for name in ("size", "pos", "quat"):
        columns[f"site_{name}"] = [getattr(site, name) for site in sites]
