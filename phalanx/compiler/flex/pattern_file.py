"""Points and elements of a flexcomp from a mesh file, a mesh asset or a GMSH file."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from phalanx.compiler.asset.mesh_asset import MeshAsset, placed_source
from phalanx.compiler.flex.flex_pattern import Pattern
from phalanx.compiler.flex.gmsh import read_gmsh
from phalanx.compiler.text.defaults import overlay
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, nearest, quoted
from phalanx.compiler.text.file_settings import Scope
from phalanx.mesh.errors import MeshError
from phalanx.mesh.mesh_source import MeshSource
from phalanx.mesh.read import READERS, merge_equal_rows
from phalanx.tables.mjcf_schema import ELEMENTS

#: Vertices and faces of a mesh asset, by its name.
MeshFinder = Callable[[str], tuple[np.ndarray, MeshSource]]


def find_mesh(root: Element, scope: Scope, name: str) -> tuple[np.ndarray, MeshSource]:
    """Vertices in the frame of a mesh asset of a model, and what it was made from.

    Raises:
        ElementProblem: there is no such mesh, or it cannot be read.
    """
    row, names = ELEMENTS["asset/mesh"], []
    for section in root.children:
        for element in section.children if section.tag == "asset" else ():
            if element.tag == "mesh":
                default = scope.defaults.find(element, "class", []) or scope.defaults.main
                asset = MeshAsset(element, overlay(default.values(row.key), element.attributes, row), scope)
                asset.name = asset.name or _stem(element)
                if asset.name == name:
                    return placed_source(asset)
                names.append(asset.name)
    raise ElementProblem(f"mesh={name!r}: there is no such mesh{nearest(name, names)}", "mesh")


def _stem(element: Element) -> str:
    return str(element.attributes.get("file", "")).replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]


def read_pattern(kind: str, values: Any, element: Element, scope: Scope, find: MeshFinder) -> Pattern:
    """Points and elements of a type that is read: mesh or gmsh."""
    dim: int = values["dim"]
    # a mesh asset is a surface, whatever the type says
    if kind == "gmsh" and values["mesh"] is None:
        data = scope.find_asset(values["file"], "meshdir", element).data
        points, elements, dim = read_gmsh(data, values["file"])
        if "dim" in element and values["dim"] != dim:
            raise ElementProblem(f"dim is {values['dim']}, but the elements of the file have dim {dim}", "dim")
        # MuJoCo keeps surfaces in single precision, as those of meshes
        return _pattern(points.astype(np.float32).astype(float) if dim == 2 else points, elements, dim)
    if values["mesh"] is not None:
        vertices, source = find(values["mesh"])
    else:
        source = _source(values["file"], element, scope)
        vertices = source.vertices.astype(float)
        source, vertices = _merged(source)
    return _surface(vertices, source, dim, values["origin"])


def _source(name: str, element: Element, scope: Scope) -> MeshSource:
    """A mesh file; the old MSH format has another meaning here."""
    ending = "." + name.rsplit(".", 1)[-1].lower()
    if ending == ".obj":
        lines = _lines(scope.find_asset(name, "meshdir", element).data)
        if lines is not None:
            return lines
    if ending == ".msh" or ending not in READERS:
        known = ", ".join(other for other in READERS if other != ".msh")
        raise ElementProblem(f"file {quoted(name)}: a mesh file of a flexcomp ends in {known}", "file")
    data = scope.find_asset(name, "meshdir", element).data
    try:
        return READERS[ending](data, name)
    except MeshError as problem:
        raise ElementProblem(str(problem), "file") from None


def _lines(data: bytes) -> MeshSource | None:
    """The lines of an OBJ file without faces, each as a triangle whose last two corners are one; None if there are
    none, or if the file has faces.
    """
    if not re.search(rb"(?m)^\s*l\s", data) or re.search(rb"(?m)^\s*f\s", data):
        return None
    vertices, faces = [], []
    try:
        for line in data.decode("utf-8", "replace").splitlines():
            words = line.split()
            if words[:1] == ["v"]:
                vertices.append([float(word) for word in words[1:4]])
            elif words[:1] == ["l"]:
                numbers = [int(word.split("/")[0]) for word in words[1:]]
                ids = [k - 1 if k > 0 else len(vertices) + k for k in numbers]
                faces += [[a, b, b] for a, b in pairwise(ids)]
        corners = np.array(vertices, np.float32).reshape(-1, 3)
        found = np.array(faces, np.int32).reshape(-1, 3)
    except (ValueError, OverflowError):
        raise ElementProblem("the OBJ file is damaged", "file") from None
    if len(found) and not (found.min() >= 0 and found.max() < len(corners)):
        raise ElementProblem("a line of the OBJ file has a vertex that does not exist", "file")
    return MeshSource(corners, found)


def _merged(source: MeshSource) -> tuple[MeshSource, np.ndarray]:
    """A mesh whose vertices at the same place are one."""
    # adding zero makes both signs of it equal
    vertices, number = merge_equal_rows(source.vertices + np.float32(0))
    if len(vertices) == len(source.vertices):
        return source, source.vertices.astype(float)
    faces = number[source.faces]
    merged = MeshSource(vertices, faces, texcoords=source.texcoords, facetexcoords=source.facetexcoords)
    return merged, vertices.astype(float)


def _surface(vertices: np.ndarray, source: MeshSource, dim: int, origin: tuple[float, ...] | None) -> Pattern:
    """Triangles of a mesh, or tetrahedra between them and an origin, or the first sides of degenerate triangles."""
    faces = source.faces.astype(np.int64)
    if not len(vertices) or not len(faces):
        raise ElementProblem("the mesh has no triangles; those that are a hull of points, or solid, are not supported")
    texcoords, chosen = source.texcoords, source.facetexcoords.astype(np.int64)
    chosen = chosen if len(chosen) else faces
    if dim < 3:
        found = _pattern(vertices, faces[:, : dim + 1], dim)
        if len(texcoords):
            found = found._replace(texcoords=texcoords, elemtexcoords=chosen[:, : dim + 1])
        return found
    center = np.array(origin or (0.0, 0.0, 0.0), float)
    corners = vertices[faces] - center
    is_outside = (np.cross(corners[:, 0], corners[:, 1]) * corners[:, 2]).sum(axis=1) >= 1e-15
    elements = np.hstack([np.zeros((len(faces), 1), np.int64), faces + 1])[is_outside]
    found = _pattern(np.vstack([center, vertices]), elements, 3)
    if len(texcoords):
        chosen = np.hstack([np.zeros((len(faces), 1), np.int64), chosen + 1])[is_outside]
        found = found._replace(texcoords=np.vstack([np.zeros((1, 2), np.float32), texcoords]), elemtexcoords=chosen)
    return found


def _pattern(points: np.ndarray, elements: np.ndarray, dim: int) -> Pattern:
    elements = np.asarray(elements, np.int64).reshape(-1, dim + 1)
    return Pattern(np.asarray(points, float), elements, np.zeros((0, 2), np.float32), elements[:0], dim)
