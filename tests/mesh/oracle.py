"""Meshes compiled by MuJoCo, beside ours, field by field."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from phalanx.mesh import Mesh

#: Relative tolerances: rows that MuJoCo keeps in single precision, and in double precision.
SINGLE, DOUBLE = 1e-6, 1e-9

MODE_NAMES = ("convex", "exact", "legacy", "shell")


def compile_mesh(attributes: str, folder: str | Path = "", density: float = 1000.0) -> mujoco.MjModel:
    """A free body with a mesh geom, where `attributes` are those of the mesh element."""
    return mujoco.MjModel.from_xml_string(
        f"""<mujoco><compiler meshdir="{folder}"/>
        <asset><mesh name="mesh" {attributes}/></asset>
        <worldbody><body><freejoint/><geom type="mesh" mesh="mesh" density="{density}"/></body></worldbody></mujoco>"""
    )


def numbers(values: Any) -> str:
    return " ".join(repr(value) for value in np.asarray(values).ravel().tolist())


def compile_arrays(vertices: np.ndarray, faces: np.ndarray | None = None, attributes: str = "") -> mujoco.MjModel:
    face = "" if faces is None else f'face="{numbers(faces)}"'
    return compile_mesh(f'vertex="{numbers(np.asarray(vertices, np.float32).astype(float))}" {face} {attributes}')


def compile_file(path: Path, attributes: str = "") -> mujoco.MjModel:
    return compile_mesh(f'file="{path.name}" {attributes}', path.parent)


def graph_of(model: mujoco.MjModel, mesh: int = 0) -> dict[str, np.ndarray]:
    """The hull record of a mesh, taken apart."""
    record = model.mesh_graph[model.mesh_graphadr[mesh] :]
    nvert, nface = record[:2]
    ends = np.cumsum([2, nvert, nvert, nvert + 3 * nface, 3 * nface])
    parts = [record[a:b].copy() for a, b in pairwise(ends)]
    return dict(zip(("edgeadr", "vertices", "edges", "faces"), parts, strict=True))


def neighbor_sets(edgeadr: np.ndarray, vertices: np.ndarray, edges: np.ndarray) -> dict[int, set[int]]:
    """Neighbors of each hull vertex, all as mesh vertices."""
    found = {}
    for vertex, address in zip(vertices.tolist(), edgeadr.tolist(), strict=True):
        end = address + int(np.argmax(edges[address:] < 0))
        found[vertex] = set(vertices[edges[address:end]].tolist())
    return found


def exact_rows(model: mujoco.MjModel, mesh: Mesh) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """(name, ours, MuJoCo's) of the rows that hold whole numbers."""
    tree, polygons = mesh.bvh, mesh.polygons
    yield "mesh_face", mesh.faces, model.mesh_face
    yield "mesh_facenormal", mesh.facenormals, model.mesh_facenormal
    if model.nmeshtexcoord:
        yield "mesh_facetexcoord", mesh.facetexcoords, model.mesh_facetexcoord
    first, last = model.mesh_bvhadr[0], model.mesh_bvhadr[0] + model.mesh_bvhnum[0]
    yield "bvh_child", tree.child, model.bvh_child[first:last]
    yield "bvh_nodeid", tree.nodeid, model.bvh_nodeid[first:last]
    yield "bvh_depth", tree.depth, model.bvh_depth[first:last]
    yield "hull faces", mesh.hull.faces.ravel(), graph_of(model)["faces"]
    yield "hull vertices", np.sort(mesh.hull.vertices), np.sort(graph_of(model)["vertices"])
    yield "mesh_polyvertadr", polygons.vertadr, model.mesh_polyvertadr
    yield "mesh_polyvertnum", polygons.vertnum, model.mesh_polyvertnum
    yield "mesh_polyvert", polygons.vertices, model.mesh_polyvert
    yield "mesh_polymapadr", polygons.mapadr, model.mesh_polymapadr
    yield "mesh_polymapnum", polygons.mapnum, model.mesh_polymapnum
    yield "mesh_polymap", polygons.map, model.mesh_polymap


def float_rows(model: mujoco.MjModel, mesh: Mesh) -> Iterator[tuple[str, Any, Any, float]]:
    """(name, ours, MuJoCo's, relative tolerance) of the rows that hold numbers."""
    yield "mesh_pos", mesh.pos, model.mesh_pos, DOUBLE
    yield "mesh_quat", mesh.quat, model.mesh_quat, DOUBLE
    yield "mesh_vert", mesh.vertices, model.mesh_vert, SINGLE
    yield "mesh_normal", mesh.normals, model.mesh_normal, SINGLE
    yield "mesh_texcoord", mesh.texcoords, model.mesh_texcoord, SINGLE
    yield "mesh_polynormal", mesh.polygon_normals, model.mesh_polynormal, DOUBLE
    yield "bvh_aabb", mesh.bvh.aabb, model.bvh_aabb[model.mesh_bvhadr[0] :][: len(mesh.bvh)], DOUBLE
    yield "geom_aabb", mesh.aabb, model.geom_aabb, DOUBLE
    yield "geom_size", mesh.size, model.geom_size, DOUBLE
    yield "geom_rbound", mesh.rbound, model.geom_rbound, DOUBLE
    mass = 1000 * mesh.mass.volume
    box = mesh.mass.box**2
    yield "body_mass", mass, model.body_mass[1], DOUBLE
    yield "body_inertia", mass / 3 * (box.sum() - box), model.body_inertia[1], DOUBLE


def assert_equal(model: mujoco.MjModel, mesh: Mesh) -> None:
    """Every row of the mesh is MuJoCo's. The order of hull vertices and of their neighbors is checked elsewhere."""
    for name, ours, theirs in exact_rows(model, mesh):
        np.testing.assert_array_equal(np.asarray(ours).ravel(), np.asarray(theirs).ravel(), err_msg=name)
    for name, ours, theirs, tolerance in float_rows(model, mesh):
        ours, theirs = np.asarray(ours, float).ravel(), np.asarray(theirs, float).ravel()
        size = np.abs(theirs).max() if len(theirs) else 0.0
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=tolerance * size, err_msg=name)
    graph = graph_of(model)
    hull = mesh.hull
    assert neighbor_sets(hull.edgeadr, hull.vertices, hull.edges) == neighbor_sets(
        graph["edgeadr"], graph["vertices"], graph["edges"]
    )
    # equally far vertices are told apart by their order in the hull
    extremes = [m.astype(float)[i] for m, i in _extreme_vertices(model, mesh)]
    steps = np.array([[i, j, k] for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)])
    far = [(steps * points).sum(axis=1) for points in extremes]
    np.testing.assert_allclose(far[0], far[1], rtol=0, atol=SINGLE * mesh.rbound)


def _extreme_vertices(model: mujoco.MjModel, mesh: Mesh) -> list[tuple[np.ndarray, np.ndarray]]:
    theirs = graph_of(model)["vertices"][model.mesh_extrema[0]]
    return [(mesh.vertices, mesh.hull.vertices[mesh.extrema]), (model.mesh_vert, theirs)]


def mesh_files() -> list[Path]:
    """Every mesh file of the shared models, dm_control and gymnasium that can be found."""
    import dm_control
    import gymnasium

    shared = Path(__file__).resolve().parents[2].parent / "shared" / "models"
    roots = [shared, *(Path(module.__path__[0]) for module in (dm_control, gymnasium))]
    found = [
        Path(folder) / name
        for root in roots
        for folder, _, names in os.walk(root)
        for name in names
        if name.lower().endswith((".obj", ".stl", ".msh"))
    ]
    return sorted(found)
