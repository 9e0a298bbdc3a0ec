"""Mesh assets: from a file, from vertices, or made; and the mesh rows of the Model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from phalanx.compiler.build import Build, starts_of
from phalanx.compiler.errors import ElementProblem, quoted
from phalanx.compiler.files import stripped
from phalanx.compiler.mesh_builtin import inertia_of, make_builtin
from phalanx.mesh import InertiaMode, Mesh, MeshError, MeshSource, cache
from phalanx.mesh.read import READERS
from phalanx.tables.mjcf_schema import ELEMENTS

CONTENT_TYPES = {"model/obj": ".obj", "model/stl": ".stl", "model/vnd.mujoco.msh": ".msh"}
#: Numbers of each vertex, normal, point of a texture and face.
WIDTHS = {"vertex": 3, "normal": 3, "texcoord": 2, "face": 3}


def stem(name: str) -> str:
    """A file name without folders and ending."""
    return stripped(name).rsplit(".", 1)[0]


def compile_mesh(build: Build, thing: Any) -> None:
    """Read or make a mesh; `thing.mesh` stays None if that fails."""
    values = thing.values
    wrong = [*_wrong_numbers(values), *_wrong_ways(values)]
    if wrong:
        for message, attribute in wrong:
            build.report(thing.element, message, attribute)
        if values["file"] is not None:
            thing.scope.find_asset(values["file"], "meshdir", thing.element)  # which may not be there either
        return
    inertia = inertia_of(values["builtin"], values["params"], InertiaMode[values["inertia"].upper()])
    try:
        thing.mesh = _made(thing, inertia)
        if len(thing.mesh.source.faces) == 0 or inertia == InertiaMode.CONVEX:
            thing.needs_hull = True
        thing.mesh.mass  # noqa: B018 : fails here, where the place is known
        if thing.needs_hull:
            thing.mesh.hull  # noqa: B018
    except MeshError as problem:
        thing.mesh = None
        raise ElementProblem(str(problem)) from None


def _made(thing: Any, inertia: InertiaMode) -> Mesh:
    """The mesh, taken from those made before if it is one of them."""
    values = thing.values
    options = (
        values["scale"],
        values["refpos"],
        values["refquat"],
        inertia,
        values["smoothnormal"],
        values["maxhullvert"],
        thing.stretch,
    )
    thing.mesh_key = ""
    if values["file"] is None:
        return Mesh(_source(values, b""), thing.name, *options)
    contents = thing.scope.find_asset(values["file"], "meshdir", thing.element)
    thing.mesh_key = cache.key_of(contents.digest, _ending(values), *options)
    mesh = cache.find(thing.mesh_key, thing.name, options)
    if mesh is None:
        mesh = Mesh(_source(values, contents.data), thing.name, *options)
        cache.remember(thing.mesh_key, mesh)
    return mesh


def _wrong_numbers(values: Any) -> Iterator[tuple[str, str]]:
    """What is wrong with the settings of a mesh, and the attributes that say so."""
    limit = values["maxhullvert"]
    if limit != -1 and limit < 4:
        yield f"maxhullvert is {limit}; it must be -1 or at least 4", "maxhullvert"
    if not any(values["refquat"]):
        yield "refquat has length zero", "refquat"
    if 0 in values["scale"]:
        yield "scale is zero along an axis", "scale"


def _wrong_ways(values: Any) -> Iterator[tuple[str, str]]:
    """A mesh is given in one way: as a file, as numbers, or as a shape to be made."""
    ways = [name for name in ("builtin", "file", "vertex") if values[name] not in (None, "none")]
    if not ways:
        yield "a mesh needs a file, vertices or a builtin shape", ""
        return
    if len(ways) > 1:
        yield f"both {ways[0]} and {ways[1]} are given", ways[0]
    if values["params"] is not None and "builtin" not in ways:
        yield "params is given without builtin", "params"
    for name, width in WIDTHS.items():
        if values[name] is not None:
            if "vertex" not in ways:
                yield f"both {ways[0]} and {name} are given", name
            if len(values[name]) % width:
                yield f"{name} has {len(values[name])} numbers, not a multiple of {width}", name
    if "file" in ways and _ending(values) not in READERS:
        yield f"file {quoted(values['file'])}: a mesh file ends in {', '.join(READERS)}", "file"


def _ending(values: Any) -> str:
    """Format of a mesh file, as the ending of its name."""
    return CONTENT_TYPES.get(values["content_type"] or "", "." + values["file"].rsplit(".", 1)[-1].lower())


def _source(values: Any, data: bytes) -> MeshSource:
    """Vertices and faces as they are given; `data` are the bytes of the file."""
    if values["file"] is not None:
        if not data:
            raise ElementProblem(f"file {quoted(values['file'])} is empty", "file")
        return READERS[_ending(values)](data, values["file"])
    if values["vertex"] is None:
        return make_builtin(values["builtin"], values["params"])
    with np.errstate(over="ignore"):  # what is too large for single precision is refused as not finite
        return MeshSource(
            np.array(values["vertex"], np.float32).reshape(-1, 3),
            np.array(values["face"] or (), np.int32).reshape(-1, 3),
            np.array(values["normal"] or (), np.float32).reshape(-1, 3),
            np.array(values["texcoord"] or (), np.float32).reshape(-1, 2),
        )


def write_meshes(build: Build) -> None:
    """Columns of meshes and their bounding volumes."""
    things, columns, sizes = build.things["mesh"], build.columns, build.sizes
    if not things:
        return
    meshes: list[Mesh] = [thing.mesh for thing in things]
    build.copy_plain(ELEMENTS["asset/mesh"], things)
    has_hull = [thing.needs_hull for thing in things]
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
    _write_octrees(build, things)
    trees = [mesh.bvh for mesh in meshes]
    first = sum(len(tree) for tree in build.trees)
    columns["mesh_bvhnum"] = [len(tree) for tree in trees]
    columns["mesh_bvhadr"] = [first + start for start in starts_of(columns["mesh_bvhnum"])]
    build.trees += trees
    for thing in things:
        if thing.mesh_key:
            cache.keep(thing.mesh_key, thing.mesh)


def _write_octrees(build: Build, things: list[Any]) -> None:
    """Signed distances of the meshes that geoms of type sdf have."""
    octrees = [thing.mesh.octree if thing.needs_sdf else None for thing in things]
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
