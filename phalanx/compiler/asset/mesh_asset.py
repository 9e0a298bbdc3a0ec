"""Mesh assets: from a file, from vertices, or made; and the mesh rows of the Model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from phalanx.compiler.asset.mesh_builtin import inertia_of, make_builtin, wrong_params
from phalanx.compiler.model_build import Build, starts_of
from phalanx.compiler.text.errors import ElementProblem, Wrong, quoted, refuse
from phalanx.compiler.text.files import Contents, stripped
from phalanx.mesh import InertiaMode, Mesh, MeshError, MeshSource, cache
from phalanx.mesh.read import READERS
from phalanx.tables.mjcf_schema import ELEMENTS

CONTENT_TYPES = {"model/obj": ".obj", "model/stl": ".stl", "model/vnd.mujoco.msh": ".msh"}
#: Numbers of each vertex, normal, point of a texture and face.
WIDTHS = {"vertex": 3, "normal": 3, "texcoord": 2, "face": 3}


_WAYS = ("builtin", "file", "vertex")


def stem(name: str) -> str:
    """A file name without folders and ending."""
    return stripped(name).rsplit(".", 1)[0]


def compile_mesh(build: Build, obj: Any) -> None:
    """Read or make a mesh; `obj.mesh` stays None if that fails."""
    has_source = build.check(obj, _wrong_ways(obj)) & build.check(obj, _wrong_lists(obj, "vertex", "face"))
    is_sound = build.check(obj, _wrong_lists(obj, "normal", "texcoord")) & build.all_of(
        obj, _check_limit, _check_turn, _check_scale, _check_params, _check_read
    )
    if not has_source:
        if obj.guess("file") is not None:
            _contents(obj)  # which may not be there either
        return
    if not is_sound:
        # what it is made of may be wrong, whatever the settings
        mesh = _meshed(lambda: Mesh(_source(obj), obj.name))
        build.check(obj, _wrong_shape(replace(mesh, inertia=_inertia(obj)), obj.needs_hull))
        return
    mesh = _made(obj, _inertia(obj))
    if build.check(obj, _wrong_shape(mesh, obj.needs_hull)):
        obj.mesh, obj.needs_hull = mesh, _needs_hull(mesh, obj.needs_hull)


def _inertia(obj: Any) -> InertiaMode:
    return inertia_of(obj["builtin"], obj["params"], InertiaMode[obj["inertia"].upper()])


def _needs_hull(mesh: Mesh, is_used: bool) -> bool:
    return is_used or len(mesh.source.faces) == 0 or mesh.inertia == InertiaMode.CONVEX


def _wrong_shape(mesh: Mesh, is_used: bool) -> Iterator[Wrong]:
    """Mass and hull fail here, where the place is known; `is_used`: something collides with the hull."""
    for part in ("mass", "hull") if _needs_hull(mesh, is_used) else ("mass",):
        try:
            getattr(mesh, part)
        except MeshError as problem:
            yield str(problem), ""


def _made(obj: Any, inertia: InertiaMode) -> Mesh:
    """The mesh, taken from those made before if it is one of them."""
    values = obj.values
    options = (
        values["scale"],
        values["refpos"],
        values["refquat"],
        inertia,
        values["smoothnormal"],
        values["maxhullvert"],
        obj.stretch,
    )
    obj.mesh_key = ""
    if values["file"] is None:
        return _meshed(lambda: Mesh(_source(obj), obj.name, *options))
    obj.mesh_key = cache.key_of(_contents(obj).digest, _ending(values), *options)
    mesh = cache.find(obj.mesh_key, obj.name, options)
    if mesh is None:
        mesh = _meshed(lambda: Mesh(_source(obj), obj.name, *options))
        cache.remember(obj.mesh_key, mesh)
    return mesh


def _meshed(make: Callable[[], Mesh]) -> Mesh:
    """A mesh, or all that is wrong with it."""
    try:
        return make()
    except MeshError as problem:
        refuse((message, "") for message in problem.messages)
        raise


def _contents(obj: Any) -> Contents:
    return obj.scope.find_asset(obj["file"], "meshdir", obj.element)


def _check_limit(obj: Any) -> None:
    limit = obj["maxhullvert"]
    if limit != -1 and limit < 4:
        raise ElementProblem(f"maxhullvert is {limit}; it must be -1 or at least 4", "maxhullvert")


def _check_turn(obj: Any) -> None:
    if not any(obj["refquat"]):
        raise ElementProblem("refquat has length zero", "refquat")


def _check_scale(obj: Any) -> None:
    if 0 in obj["scale"]:
        raise ElementProblem("scale is zero along an axis", "scale")


def _check_params(obj: Any) -> None:
    if obj["builtin"] in (None, "none") and obj["params"] is not None:
        raise ElementProblem("params is given without builtin", "params")


def _check_read(obj: Any) -> None:
    """There is no mesh without these: they must have been read."""
    for name in ("inertia", "smoothnormal", "refpos", *_WAYS):
        obj[name]


def _wrong_ways(obj: Any) -> Iterator[Wrong]:
    """A mesh is given in one way: as a file, as numbers, or as a shape to be made."""
    ways = [name for name in _WAYS if obj.guess(name) not in (None, "none")]
    if not ways and all(obj[name] in (None, "none") for name in _WAYS):
        yield "a mesh needs a file, vertices or a builtin shape", ""
        return
    if len(ways) > 1:
        yield f"both {ways[0]} and {ways[1]} are given", ways[0]
    if "vertex" not in ways:
        for name in ("face", "normal", "texcoord"):
            if obj.guess(name) is not None:
                yield f"both {ways[0]} and {name} are given", name
    if "file" in ways and _ending(obj) not in READERS:
        yield f"file {quoted(obj['file'])}: a mesh file ends in {', '.join(READERS)}", "file"
    if "builtin" in ways:
        yield from ((message, "params") for message in wrong_params(obj["builtin"], obj["params"]))


def _wrong_lists(obj: Any, *names: str) -> Iterator[Wrong]:
    for name in names:
        count = len(obj.guess(name) or ())
        if count % WIDTHS[name]:
            yield f"{name} has {count} numbers, not a multiple of {WIDTHS[name]}", name


def _extras(obj: Any, name: str) -> np.ndarray:
    """Normals or texture coordinates, none if they are wrong: the rest can be checked without."""
    given = obj.guess(name) or ()
    return np.array(() if len(given) % WIDTHS[name] else given, np.float32).reshape(-1, WIDTHS[name])


def _ending(values: Any) -> str:
    """Format of a mesh file, as the ending of its name."""
    return CONTENT_TYPES.get(values["content_type"] or "", "." + values["file"].rsplit(".", 1)[-1].lower())


def _source(obj: Any) -> MeshSource:
    """Vertices and faces as they are given."""
    if obj["file"] is not None:
        data = _contents(obj).data
        if not data:
            raise ElementProblem(f"file {quoted(obj['file'])} is empty", "file")
        return READERS[_ending(obj)](data, obj["file"])
    if obj["vertex"] is None:
        return make_builtin(obj["builtin"], obj["params"])
    with np.errstate(over="ignore"):  # what is too large for single precision is refused as not finite
        return MeshSource(
            np.array(obj["vertex"], np.float32).reshape(-1, 3),
            np.array(obj["face"] or (), np.int32).reshape(-1, 3),
            _extras(obj, "normal"),
            _extras(obj, "texcoord"),
        )


def write_meshes(build: Build) -> None:
    """Columns of meshes and their bounding volumes."""
    objects, columns, sizes = build.objects["mesh"], build.columns, build.sizes
    if not objects:
        return
    meshes: list[Mesh] = [obj.mesh for obj in objects]
    build.copy_plain(ELEMENTS["asset/mesh"], objects)
    has_hull = [obj.needs_hull for obj in objects]
    counted = {
        "vert": [len(mesh.vertices) for mesh in meshes],
        "face": [len(mesh.faces) for mesh in meshes],
        "normal": [len(mesh.normals) for mesh in meshes],
        "texcoord": [len(mesh.texcoords) for mesh in meshes],
        "poly": [len(mesh.polygons) if hull else 0 for mesh, hull in zip(meshes, has_hull, strict=True)],
    }
    for name, counts in counted.items():
        columns[f"mesh_{name}num"], columns[f"mesh_{name}adr"] = counts, starts_of(counts)
        sizes[f"nmesh{name}"] = sum(counts)
    columns["mesh_texcoordadr"] = [
        start if count else -1 for start, count in zip(columns["mesh_texcoordadr"], counted["texcoord"], strict=True)
    ]
    columns["mesh_pos"] = [mesh.pos for mesh in meshes]
    columns["mesh_quat"] = [mesh.quat for mesh in meshes]
    for name, parts in {
        "mesh_vert": [mesh.vertices for mesh in meshes],
        "mesh_normal": [mesh.normals for mesh in meshes],
        "mesh_texcoord": [mesh.texcoords for mesh in meshes],
        "mesh_face": [mesh.faces for mesh in meshes],
        "mesh_facenormal": [mesh.facenormals for mesh in meshes],
        "mesh_facetexcoord": [
            mesh.facetexcoords if len(mesh.facetexcoords) else np.zeros((len(mesh.faces), 3), np.int32)
            for mesh in meshes
        ],
    }.items():
        build.pieces[name] = parts
    _write_hulls(build, meshes, has_hull)
    _write_octrees(build, objects)
    trees = [mesh.bvh for mesh in meshes]
    first = sum(len(tree) for tree in build.trees)
    columns["mesh_bvhnum"] = [len(tree) for tree in trees]
    columns["mesh_bvhadr"] = [first + start for start in starts_of(columns["mesh_bvhnum"])]
    build.trees += trees
    for obj in objects:
        if obj.mesh_key:
            cache.keep(obj.mesh_key, obj.mesh)


def _write_octrees(build: Build, objects: list[Any]) -> None:
    """Signed distances of the meshes that geoms of type sdf have."""
    octrees = [obj.mesh.octree if obj.needs_sdf else None for obj in objects]
    counts = [0 if octree is None else len(octree) for octree in octrees]
    build.columns["mesh_octnum"] = counts
    build.columns["mesh_octadr"] = [
        start if count else -1 for start, count in zip(starts_of(counts), counts, strict=True)
    ]
    build.sizes["noct"] = sum(counts)
    if any(counts):
        for name in ("depth", "child", "aabb", "coeff"):
            build.pieces[f"oct_{name}"] = [getattr(octree, name) for octree in octrees if octree is not None]


def _write_hulls(build: Build, meshes: list[Mesh], has_hull: list[bool]) -> None:
    """Convex hulls: the graph of each, its polygons, and the vertices farthest in the directions of a grid."""
    columns, sizes = build.columns, build.sizes
    graphs = [mesh.hull.graph if hull else np.zeros(0, np.int32) for mesh, hull in zip(meshes, has_hull, strict=True)]
    starts = starts_of([len(graph) for graph in graphs])
    columns["mesh_graph"] = np.concatenate(graphs) if graphs else []
    sizes["nmeshgraph"] = len(columns["mesh_graph"])
    columns["mesh_graphadr"] = [start if hull else -1 for start, hull in zip(starts, has_hull, strict=True)]
    columns["mesh_extrema"] = [
        mesh.extrema if hull else np.zeros(27, np.int32) for mesh, hull in zip(meshes, has_hull, strict=True)
    ]
    hulls = [mesh.polygons if hull else None for mesh, hull in zip(meshes, has_hull, strict=True)]
    normals = [mesh.polygon_normals for mesh, hull in zip(meshes, has_hull, strict=True) if hull]
    vertices = [polygons.vertices for polygons in hulls if polygons]
    maps = [polygons.map for polygons in hulls if polygons]
    columns["mesh_polynormal"] = np.concatenate(normals) if normals else []
    columns["mesh_polyvert"] = np.concatenate(vertices) if vertices else []
    columns["mesh_polymap"] = np.concatenate(maps) if maps else []
    sizes["nmeshpolyvert"], sizes["nmeshpolymap"] = len(columns["mesh_polyvert"]), len(columns["mesh_polymap"])
    addresses: dict[str, list[np.ndarray]] = {name: [] for name in ("vertadr", "vertnum", "mapadr", "mapnum")}
    vert_start = map_start = 0
    for mesh, polygons in zip(meshes, hulls, strict=True):
        if polygons is None:
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
        columns[f"mesh_poly{name}"] = np.concatenate(arrays) if arrays else []
