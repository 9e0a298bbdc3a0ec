"""Mesh assets: from a file, from vertices, or made from parameters; and the mesh rows of the Model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from phalanx.compiler.asset.instanced_asset import InstancedAsset
from phalanx.compiler.asset.mesh_builtin import inertia_of, make_builtin, wrong_params
from phalanx.compiler.asset.plugin_mesh import plugin_surface
from phalanx.compiler.model_build import Build, starts_of
from phalanx.compiler.text.errors import ElementProblem, Wrong, quoted, refuse
from phalanx.compiler.text.files import Contents, stripped
from phalanx.mesh import InertiaMode, Mesh, MeshError, MeshSource, cache
from phalanx.mesh.polygons import Polygons
from phalanx.mesh.read import READERS, counts_of, left_out
from phalanx.tables.mjcf_schema import ELEMENTS

if TYPE_CHECKING:
    from phalanx.compiler.object.plugin import PluginInstance

CONTENT_TYPES = {"model/obj": ".obj", "model/stl": ".stl", "model/vnd.mujoco.msh": ".msh"}
#: Values per vertex, normal, texture coordinate and face.
WIDTHS = {"vertex": 3, "normal": 3, "texcoord": 2, "face": 3}

#: Memory of a mesh with its hull, polygons and tree of boxes, for each vertex and face, about.
VERTEX_BYTES, FACE_BYTES = 300, 200

#: Attributes that say what a mesh is made of; each mesh has one of them.
_SOURCES = ("builtin", "file", "vertex")
#: Attributes that must have been read before a mesh can be made, besides those with a check of their own.
_NEEDED = ("inertia", "smoothnormal", "refpos", *_SOURCES)


class MeshAsset(InstancedAsset):
    """A mesh of the model."""

    #: the compiled mesh, None until then, and if something is wrong with it
    mesh: Mesh | None = None
    #: key in the cache of compiled meshes, "" for meshes that are not from a file
    mesh_key: str = ""
    #: does it need its convex hull?
    needs_hull: bool = False
    #: does it need its octree of signed distances?
    needs_sdf: bool = False
    #: the plugin whose surface it is
    plugin: PluginInstance | None = None


def stem(name: str) -> str:
    """A file name without folders and ending."""
    return stripped(name).rsplit(".", 1)[0]


def compile_mesh(build: Build, asset: MeshAsset) -> None:
    """Read or make a mesh; `asset.mesh` stays None if that fails."""
    if not check_mesh(build, asset):
        return
    mesh = _made(asset)
    _check_size(build, asset, mesh)
    if mesh.source.dropped:
        asset.scope.files.warn(str(asset.element.problem(left_out(mesh.source), "file")))
    if build.check(asset, _wrong_shape(mesh, asset.needs_hull)):
        asset.mesh, asset.needs_hull = mesh, _needs_hull(mesh, asset.needs_hull)


# --- checks


def check_mesh(build: Build, asset: MeshAsset) -> bool:
    """Report mistakes in the attributes of a mesh; True if it can be made.

    If it cannot, what is wrong with its file or its shape is reported here, as far as that can be told.
    """
    has_source = build.check(asset, _wrong_source(asset)) & build.check(asset, _wrong_lists(asset, "vertex", "face"))
    is_sound = build.check(asset, _wrong_lists(asset, "normal", "texcoord")) & build.all_of(asset, *_CHECKS)
    if not has_source:
        if asset.guess("file") is not None:
            _contents(asset)  # the file may be missing, too
    elif not is_sound:
        # the wrong settings are left out: the shape alone may be wrong, too
        mesh = _or_refuse(lambda: Mesh(_source(asset), asset.name))
        build.check(asset, _wrong_shape(replace(mesh, inertia=_inertia(asset)), asset.needs_hull))
    return has_source and is_sound


def _wrong_source(asset: MeshAsset) -> Iterator[Wrong]:
    """A mesh has one source: a file, vertices, or a shape to be made."""
    given = [name for name in _SOURCES if asset.guess(name) not in (None, "none")]
    if any(child.tag == "plugin" for child in asset.element.children):
        yield from _wrong_plugin(asset, given)
        return
    if not given and all(asset[name] in (None, "none") for name in _SOURCES):
        yield "a mesh needs a file, vertices or a builtin shape", ""
        return
    if len(given) > 1:
        yield f"both {given[0]} and {given[1]} are given", given[0]
    if "vertex" not in given:
        for name in ("face", "normal", "texcoord"):
            if asset.guess(name) is not None:
                yield f"both {given[0]} and {name} are given", name
    if "file" in given and _ending(asset) not in READERS:
        yield f"file {quoted(asset['file'])}: a mesh file ends in {', '.join(READERS)}", "file"
    if "builtin" in given:
        yield from ((message, "params") for message in wrong_params(asset["builtin"], asset["params"]))


def _wrong_plugin(asset: MeshAsset, given: list[str]) -> Iterator[Wrong]:
    """A mesh of the surface of a plugin has no other source, and is as large as the plugin says."""
    for name in given:
        yield f"both {name} and a plugin are given", name
    if asset.guess("scale") != (1.0, 1.0, 1.0) or asset.stretch is not None:
        yield "a mesh of a plugin cannot be scaled", "scale"
    if asset.plugin is None and not given:
        yield "", ""


def _wrong_lists(asset: MeshAsset, *names: str) -> Iterator[Wrong]:
    for name in names:
        count = len(asset.guess(name) or ())
        if count % WIDTHS[name]:
            yield f"{name} has {count} numbers, not a multiple of {WIDTHS[name]}", name


def _check_counts(asset: MeshAsset, vertices: int, faces: int) -> None:
    limits = asset.scope.files.limits
    for name, count in (("mesh_vertices", vertices), ("mesh_faces", faces)):
        if count > getattr(limits, name):
            what = name.removeprefix("mesh_")
            raise ElementProblem(f"the mesh has {count} {what}, {limits.beyond(name)}", "file")


def _check_size(build: Build, asset: MeshAsset, mesh: Mesh) -> None:
    """Refuse a mesh that is too large, or that makes all assets too large, before anything is computed of it."""
    vertices, faces = len(mesh.source.vertices), len(mesh.source.faces)
    _check_counts(asset, vertices, faces)
    build.take(VERTEX_BYTES * vertices + FACE_BYTES * faces)


def _check_hull_limit(asset: MeshAsset) -> None:
    limit = asset["maxhullvert"]
    if limit != -1 and limit < 4:
        raise ElementProblem(f"maxhullvert is {limit}; it must be -1 or at least 4", "maxhullvert")


def _check_rotation(asset: MeshAsset) -> None:
    if not any(asset["refquat"]):
        raise ElementProblem("refquat has length zero", "refquat")


def _check_scale(asset: MeshAsset) -> None:
    if 0 in asset["scale"]:
        raise ElementProblem("scale is zero along an axis", "scale")


def _check_params(asset: MeshAsset) -> None:
    if asset["builtin"] in (None, "none") and asset["params"] is not None:
        raise ElementProblem("params is given without builtin", "params")


def _check_read(asset: MeshAsset) -> None:
    """Reading a value whose text was wrong ends the check, so that no mesh is made."""
    for name in _NEEDED:
        asset[name]


_CHECKS = (_check_hull_limit, _check_rotation, _check_scale, _check_params, _check_read)


def _wrong_shape(mesh: Mesh, is_used: bool) -> Iterator[Wrong]:
    """Mass and hull, computed here, where their problems can be reported; `is_used`: something collides with it."""
    for part in ("mass", "hull") if _needs_hull(mesh, is_used) else ("mass",):
        try:
            getattr(mesh, part)
        except MeshError as problem:
            yield str(problem), ""


# --- computing


def _inertia(asset: MeshAsset) -> InertiaMode:
    return inertia_of(asset["builtin"], asset["params"], InertiaMode[asset["inertia"].upper()])


def _needs_hull(mesh: Mesh, is_used: bool) -> bool:
    """Points without faces have no other shape than their hull, and mode convex takes the mass from it."""
    return is_used or len(mesh.source.faces) == 0 or mesh.inertia == InertiaMode.CONVEX


def _made(asset: MeshAsset) -> Mesh:
    """The mesh, from the cache if its file was compiled before with the same settings."""
    values = asset.values
    options = (
        values["scale"],
        values["refpos"],
        values["refquat"],
        _inertia(asset),
        values["smoothnormal"],
        values["maxhullvert"],
        asset.stretch,
        asset.plugin is not None,
    )
    if asset.plugin is not None:
        assert asset.plugin.row is not None
        return _kept(asset, repr((asset.plugin.row.name, asset.plugin.config)).encode(), "plugin", options)
    if values["file"] is None:
        return _or_refuse(lambda: Mesh(_source(asset), asset.name, *options))
    return _kept(asset, _contents(asset).digest, _ending(asset), options)


def _kept(asset: MeshAsset, digest: bytes, ending: str, options: tuple[Any, ...]) -> Mesh:
    """The mesh from the cache if it was compiled before, else made and remembered."""
    asset.mesh_key = cache.key_of(digest, ending, *options)
    mesh = cache.find(asset.mesh_key, asset.name, options)
    if mesh is None:
        mesh = _or_refuse(lambda: Mesh(_source(asset), asset.name, *options))
        cache.remember(asset.mesh_key, mesh)
    return mesh


def _or_refuse(make: Callable[[], Mesh]) -> Mesh:
    """A mesh; its mistakes become those of the element."""
    try:
        return make()
    except MeshError as problem:
        refuse((message, "") for message in problem.messages)
        raise


def _contents(asset: MeshAsset) -> Contents:
    return asset.scope.find_asset(asset["file"], "meshdir", asset.element)


def _extras(asset: MeshAsset, name: str) -> np.ndarray:
    """Normals or texture coordinates; none if their count is wrong, so that the rest can be checked without them."""
    given = asset.guess(name) or ()
    return np.array(() if len(given) % WIDTHS[name] else given, np.float32).reshape(-1, WIDTHS[name])


def _ending(asset: MeshAsset) -> str:
    """Format of a mesh file, as the ending of its name."""
    return CONTENT_TYPES.get(asset["content_type"] or "", "." + asset["file"].rsplit(".", 1)[-1].lower())


def _source(asset: MeshAsset) -> MeshSource:
    """Vertices and faces before they are scaled and centered."""
    if asset["file"] is not None:
        data = _contents(asset).data
        if not data:
            raise ElementProblem(f"file {quoted(asset['file'])} is empty", "file")
        _check_counts(asset, *counts_of(data, _ending(asset)))
        return READERS[_ending(asset)](data, asset["file"])
    if asset.plugin is not None:
        assert asset.plugin.row is not None
        return plugin_surface(asset.plugin.row, asset.plugin.config)
    if asset["vertex"] is None:
        return make_builtin(asset["builtin"], asset["params"])
    with np.errstate(over="ignore"):  # a value that is too large for single precision is refused as not finite
        return MeshSource(
            np.array(asset["vertex"], np.float32).reshape(-1, 3),
            np.array(asset["face"] or (), np.int32).reshape(-1, 3),
            _extras(asset, "normal"),
            _extras(asset, "texcoord"),
        )


def placed_source(asset: MeshAsset) -> tuple[np.ndarray, MeshSource]:
    """Vertices of a mesh scaled and moved as its attributes say, but not centered, and what it was made from.

    Raises:
        ElementProblem: it cannot be read.
    """
    mesh = _made(asset)
    return mesh.scaled_vertices, MeshSource(
        mesh.vertices, mesh.faces, texcoords=mesh.texcoords, facetexcoords=mesh.facetexcoords
    )


# --- columns


def write_meshes(build: Build) -> None:
    """Columns of meshes: vertices, faces, hulls, octrees and bounding volume trees."""
    assets = build.meshes
    if not assets:
        return
    build.copy_plain(ELEMENTS["asset/mesh"], assets)
    meshes = [compiled(asset) for asset in assets]
    has_hull = [asset.needs_hull for asset in assets]
    _write_surfaces(build, meshes, has_hull)
    _write_hulls(build, meshes, has_hull)
    _write_octrees(build, assets)
    _write_trees(build, meshes)
    # everything lazy has been computed now: the cache on disk gets it all
    for asset, mesh in zip(assets, meshes, strict=True):
        if asset.mesh_key:
            cache.keep(asset.mesh_key, mesh)


def compiled(asset: MeshAsset) -> Mesh:
    """The compiled mesh of an asset without problems."""
    assert asset.mesh is not None
    return asset.mesh


def _write_surfaces(build: Build, meshes: list[Mesh], has_hull: list[bool]) -> None:
    """Counts, addresses, frames and arrays of vertices, normals, texture coordinates and faces."""
    columns = build.columns
    counted = {
        "vert": [len(mesh.vertices) for mesh in meshes],
        "face": [len(mesh.faces) for mesh in meshes],
        "normal": [len(mesh.normals) for mesh in meshes],
        "texcoord": [len(mesh.texcoords) for mesh in meshes],
        "poly": [len(mesh.polygons) if hull else 0 for mesh, hull in zip(meshes, has_hull, strict=True)],
    }
    for name, counts in counted.items():
        columns[f"mesh_{name}num"], columns[f"mesh_{name}adr"] = counts, starts_of(counts)
        build.sizes[f"nmesh{name}"] = sum(counts)
    columns["mesh_texcoordadr"] = starts_or_none(counted["texcoord"])
    columns["mesh_pos"] = [mesh.pos for mesh in meshes]
    columns["mesh_quat"] = [mesh.quat for mesh in meshes]
    build.pieces.update(
        mesh_vert=[mesh.vertices for mesh in meshes],
        mesh_normal=[mesh.normals for mesh in meshes],
        mesh_texcoord=[mesh.texcoords for mesh in meshes],
        mesh_face=[mesh.faces for mesh in meshes],
        mesh_facenormal=[mesh.facenormals for mesh in meshes],
        # every face has a row here, also in meshes without texture coordinates
        mesh_facetexcoord=[
            mesh.facetexcoords if len(mesh.facetexcoords) else np.zeros((len(mesh.faces), 3), np.int32)
            for mesh in meshes
        ],
    )


def starts_or_none(counts: list[int]) -> list[int]:
    """Where the parts of a column begin, -1 for empty parts."""
    return [start if count else -1 for start, count in zip(starts_of(counts), counts, strict=True)]


def _write_trees(build: Build, meshes: list[Mesh]) -> None:
    """Bounding volume trees, which follow those of bodies."""
    trees = [mesh.bvh for mesh in meshes]
    first = sum(len(tree) for tree in build.trees)
    build.columns["mesh_bvhnum"] = [len(tree) for tree in trees]
    build.columns["mesh_bvhadr"] = [first + start for start in starts_of(build.columns["mesh_bvhnum"])]
    build.trees += trees


def _write_octrees(build: Build, assets: list[MeshAsset]) -> None:
    """Octrees of signed distances, of the meshes that geoms of type sdf have."""
    octrees = [compiled(asset).octree if asset.needs_sdf and asset.plugin is None else None for asset in assets]
    counts = [0 if octree is None else len(octree) for octree in octrees]
    build.columns["mesh_octnum"] = counts
    build.columns["mesh_octadr"] = starts_or_none(counts)
    build.sizes["noct"] = sum(counts)
    if any(counts):
        for name in ("depth", "child", "aabb", "coeff"):
            build.pieces[f"oct_{name}"] = [getattr(octree, name) for octree in octrees if octree is not None]


def _write_hulls(build: Build, meshes: list[Mesh], has_hull: list[bool]) -> None:
    """Convex hulls: the graph of each, its polygons, and the vertices farthest in the directions of a grid."""
    columns, sizes = build.columns, build.sizes
    graphs = [mesh.hull.graph if hull else np.zeros(0, np.int32) for mesh, hull in zip(meshes, has_hull, strict=True)]
    columns["mesh_graph"] = np.concatenate(graphs)
    sizes["nmeshgraph"] = len(columns["mesh_graph"])
    starts = starts_of([len(graph) for graph in graphs])
    columns["mesh_graphadr"] = [start if hull else -1 for start, hull in zip(starts, has_hull, strict=True)]
    columns["mesh_extrema"] = [
        mesh.extrema if hull else np.zeros(27, np.int32) for mesh, hull in zip(meshes, has_hull, strict=True)
    ]
    hulls = [mesh.polygons if hull else None for mesh, hull in zip(meshes, has_hull, strict=True)]
    columns["mesh_polynormal"] = _joined(
        [mesh.polygon_normals for mesh, hull in zip(meshes, has_hull, strict=True) if hull]
    )
    columns["mesh_polyvert"] = _joined([polygons.vertices for polygons in hulls if polygons])
    columns["mesh_polymap"] = _joined([polygons.map for polygons in hulls if polygons])
    sizes["nmeshpolyvert"], sizes["nmeshpolymap"] = len(columns["mesh_polyvert"]), len(columns["mesh_polymap"])
    _write_polygon_addresses(build, meshes, hulls)


def _write_polygon_addresses(build: Build, meshes: list[Mesh], hulls: list[Polygons | None]) -> None:
    """Where the vertices of each polygon and the polygons of each vertex are, counted over all meshes."""
    addresses: dict[str, list[np.ndarray]] = {name: [] for name in ("vertadr", "vertnum", "mapadr", "mapnum")}
    vert_start = map_start = 0
    for mesh, polygons in zip(meshes, hulls, strict=True):
        if polygons is None:
            # every vertex has a row, also in meshes without hull
            addresses["mapadr"].append(np.full(len(mesh.vertices), map_start))
            addresses["mapnum"].append(np.zeros(len(mesh.vertices), np.int32))
            continue
        addresses["vertadr"].append(polygons.vertadr + vert_start)
        addresses["vertnum"].append(polygons.vertnum)
        addresses["mapadr"].append(polygons.mapadr + map_start)
        addresses["mapnum"].append(polygons.mapnum)
        vert_start += len(polygons.vertices)
        map_start += len(polygons.map)
    for name, arrays in addresses.items():
        build.columns[f"mesh_poly{name}"] = _joined(arrays)


def _joined(arrays: list[np.ndarray]) -> np.ndarray | list[int]:
    """Arrays one after another; an empty list, which fits any column, if there are none."""
    return np.concatenate(arrays) if arrays else []
