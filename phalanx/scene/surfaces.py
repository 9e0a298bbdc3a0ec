"""Surfaces of all kinds of shapes, and pictures on them, as MuJoCo draws them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.scene.flex_surface import MODES, flex_parts, flex_surface, flex_vertices
from phalanx.scene.grid_surface import zero_surface
from phalanx.scene.primitives import PRIMITIVES
from phalanx.scene.skin import skin_vertices
from phalanx.scene.subject import Data, Model
from phalanx.scene.surface import Surface, face_normals, flat, vertex_normals
from phalanx.tables.enums import GeomType

#: A corner whose normal is further from that of its triangle than this cosine gets the normal of the triangle: an edge.
#: Meshes with texture coordinates keep theirs, as in MuJoCo, unless they point behind the triangle.
SMOOTH, BEHIND = 0.8, 1e-3
#: An infinite plane is drawn up to this many times the farthest distance that is seen.
BEYOND = 1.05
#: Kinds whose triangles follow several bodies: they are in the world frame.
FOLLOWING = (GeomType.SKIN, GeomType.FLEX)
#: Places of the texture of a material: that of its color.
COLOR_ROLE = 1


def surface_of(model: Model, kind: int, dataid: int = -1, size: Any = (1, 1, 1), resolution: int = 28) -> Surface:
    """Triangles of a shape, in its frame.

    Args:
        model: the Model.
        kind: GeomType of the shape.
        dataid: mesh, height field, skin or flex. After the meshes come the grids of signed distances, and after those
            the convex hulls of the meshes; of flexes see `flex_form`.
        size: of the shape [m], (3,).
        resolution: how many slices round shapes have around their axis; along it there are about half as many.

    Returns:
        the surface. That of a skin is in the world frame, in the pose in which it was bound; that of a flex as it was
        compiled, around its center.

    Raises:
        FieldError: a kind that has no surface, or an id that does not exist.
    """
    size = np.asarray(size, float)
    if kind in PRIMITIVES:
        if kind == GeomType.PLANE:  # a negative size for an infinite side
            size = np.where(size > 0, size, -BEYOND * model.vis.map.zfar * model.stat.extent)
        return PRIMITIVES[GeomType(kind)](size, max(int(resolution), 3), max(int(resolution) * 4 // 7, 2))
    if kind not in WITH_DATA:
        raise FieldError(f"shapes of kind {GeomType(kind).name} have no surface")
    what, count, make = WITH_DATA[GeomType(kind)]
    _check_id(what, dataid, count(model))
    return make(model, dataid, size)


def _check_id(what: str, dataid: int, count: int) -> None:
    if not 0 <= dataid < count:
        raise FieldError(f"{what} {dataid} does not exist: there are {count}")


def _stretch(model: Model, row: str, first: int, count: int) -> np.ndarray:
    return np.asarray(getattr(model, row))[first : first + count]


def mesh_or_hull(model: Model, dataid: int, size: np.ndarray) -> Surface:
    """A mesh, the surface of a grid, or the convex hull of a mesh."""
    if dataid < model.nmesh:
        return mesh_surface(model, dataid, size)
    first_hull = model.nmesh + model.ngrid
    return (
        hull_of(model, dataid - first_hull) if dataid >= first_hull else grid_surface(model, dataid - model.nmesh, size)
    )


def grid_surface(model: Model, grid: int, size: Any = (1, 1, 1)) -> Surface:
    """Where the signed distances of a grid are zero."""
    shape = tuple(np.asarray(model.grid_shape)[grid].tolist())
    values = _stretch(model, "grid_value", model.grid_adr[grid], int(np.prod(shape))).reshape(shape)
    corners, normals = zero_surface(values, np.asarray(model.grid_cell)[grid], np.asarray(model.grid_origin)[grid])
    vertices = corners.reshape(-1, 3)
    faces = np.arange(len(vertices)).reshape(-1, 3)
    return Surface.of(vertices, normals.reshape(-1, 3), planar_texcoords(vertices, size), faces)


def mesh_surface(model: Model, mesh: int, size: Any = (1, 1, 1)) -> Surface:
    """A mesh; where it has no texture coordinates, its picture is projected along z onto `size`."""
    vertices = _stretch(model, "mesh_vert", model.mesh_vertadr[mesh], model.mesh_vertnum[mesh])
    first, count = model.mesh_faceadr[mesh], model.mesh_facenum[mesh]
    faces, normal_ids = (_stretch(model, row, first, count) for row in ("mesh_face", "mesh_facenormal"))
    normals = _stretch(model, "mesh_normal", model.mesh_normaladr[mesh], model.mesh_normalnum[mesh])
    start = model.mesh_texcoordadr[mesh]
    if start >= 0:
        pictures = _stretch(model, "mesh_texcoord", start, model.mesh_texcoordnum[mesh])
        picture_ids = _stretch(model, "mesh_facetexcoord", first, count)
    else:
        pictures, picture_ids = planar_texcoords(vertices, size), faces
    # at an edge, corners have the normal of their triangle; those are listed after the others
    of_faces = _unit(face_normals(vertices, faces))
    is_edge = np.einsum("kcx,kx->kc", normals[normal_ids], of_faces) < (SMOOTH if start < 0 else BEHIND)
    normal_ids = np.where(is_edge, len(normals) + np.arange(count)[:, None], normal_ids)
    normals = np.concatenate([normals, of_faces])
    # a vertex for each combination of position, normal and place in the picture
    corners = np.stack([faces.ravel(), normal_ids.ravel(), picture_ids.ravel()], axis=1)
    unique, index = np.unique(corners, axis=0, return_inverse=True)
    return Surface.of(vertices[unique[:, 0]], normals[unique[:, 1]], pictures[unique[:, 2]], index.reshape(-1, 3))


def _unit(vectors: np.ndarray) -> np.ndarray:
    """Vectors of unit length; those without a direction stay zero."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)


def hull_of(model: Model, mesh: int) -> Surface:
    """The convex hull of a mesh.

    Raises:
        FieldError: the mesh has none, because nothing collides with it.
    """
    start = model.mesh_graphadr[mesh]
    if start < 0:
        name = model.names.names["mesh"][mesh] or mesh
        raise FieldError(f"mesh {name!r} has no convex hull: it does not collide")
    vertices = _stretch(model, "mesh_vert", model.mesh_vertadr[mesh], model.mesh_vertnum[mesh])
    graph = np.asarray(model.mesh_graph)[start:]
    nvert, nface = int(graph[0]), int(graph[1])
    first = 2 + 3 * nvert + 3 * nface
    return flat(vertices, graph[first : first + 3 * nface].reshape(-1, 3))


def hfield_surface(model: Model, hfield: int, size: Any = None) -> Surface:
    """A height field: its top, four sides and the base. Cells are split from their first corner to the opposite one."""
    nrow, ncol = int(model.hfield_nrow[hfield]), int(model.hfield_ncol[hfield])
    radius_x, radius_y, top, base = np.asarray(model.hfield_size)[hfield].tolist()
    heights = _stretch(model, "hfield_data", model.hfield_adr[hfield], nrow * ncol).astype(float) * top
    y, x = (axis.ravel() for axis in np.mgrid[-radius_y : radius_y : nrow * 1j, -radius_x : radius_x : ncol * 1j])
    grid = np.arange(nrow * ncol).reshape(nrow, ncol)
    a, b, c, d = (part.ravel() for part in (grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]))
    top_faces = np.concatenate([np.stack([d, a, c], axis=1), np.stack([a, b, c], axis=1)])
    vertices = np.stack([x, y, heights], axis=1)
    half = (radius_x, radius_y)
    upper = Surface.of(vertices, vertex_normals(vertices, top_faces), planar_texcoords(vertices, half), top_faces)
    # the border, counter-clockwise from above
    border = np.concatenate([grid[0, :-1], grid[:-1, -1], grid[-1, :0:-1], grid[:0:-1, 0]])
    rim = vertices[border]
    foot = rim * (1, 1, 0) - (0, 0, base)
    here, count = np.arange(len(border)), len(border)
    after = (here + 1) % count
    walls = np.stack([here + count, after + count, after, here + count, after, here], axis=1).reshape(-1, 3)
    base_faces = np.stack([np.full(count, 2 * count), after + count, here + count], axis=1)
    corners = np.concatenate([rim, foot, [(0, 0, -base)]])
    lower = flat(corners, np.concatenate([walls, base_faces]), planar_texcoords(corners, half))
    return Surface.joined([upper, lower])


def skin_surface(model: Model, skin: int, size: Any = None) -> Surface:
    """A skin in the pose in which it was bound to its bones."""
    first, count = model.skin_vertadr[skin], model.skin_vertnum[skin]
    vertices = _stretch(model, "skin_vert", first, count)
    faces = _stretch(model, "skin_face", model.skin_faceadr[skin], model.skin_facenum[skin])
    start = model.skin_texcoordadr[skin]
    texcoords = _stretch(model, "skin_texcoord", start, count) if start >= 0 else None
    return Surface.of(vertices, vertex_normals(vertices, faces), texcoords, faces)


#: Kinds whose triangles are in the Model -> what they are called, how many there are, and their surface, made from the
#: Model, an id and the size of the shape.
WITH_DATA: dict[GeomType, tuple[str, Callable[[Model], int], Callable[..., Surface]]] = {
    GeomType.MESH: ("mesh", lambda model: 2 * model.nmesh + model.ngrid, mesh_or_hull),
    GeomType.SDF: ("mesh or grid", lambda model: 2 * model.nmesh + model.ngrid, mesh_or_hull),
    GeomType.HFIELD: ("height field", lambda model: model.nhfield, hfield_surface),
    GeomType.SKIN: ("skin", lambda model: model.nskin, skin_surface),
    GeomType.FLEX: ("flex", lambda model: MODES * len(flex_parts(model)), flex_surface),
}


def following_vertices(model: Model, data: Data, kind: int, dataid: int) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and normals of a skin or flex in the world, float32 (n, 3) each; faces are those of `surface_of`."""
    return (skin_vertices if kind == GeomType.SKIN else flex_vertices)(model, data, dataid)


def planar_texcoords(vertices: np.ndarray, size: Any) -> np.ndarray:
    """Texture coordinates (n, 2) of a picture that is projected along z; it covers twice the half sizes."""
    half = np.maximum(np.asarray(size, float)[:2], 1e-15)
    return np.asarray(vertices)[:, :2] / half * (0.5, -0.5)


def texture_map(model: Model, matid: int, kind: int, dataid: int = -1, size: Any = (1, 1, 1)) -> np.ndarray:
    """How the texture of a material lies on a surface: texture coordinates are `texcoords * scale + offset`.

    Repetitions (`mat_texrepeat`) count along the whole object, with `mat_texuniform` along its half sizes in meters.

    Args:
        model: the Model.
        matid: material.
        kind: GeomType of the shape.
        dataid: its mesh, if it has one.
        size: of the shape [m], (3,); 0 for an infinite plane.

    Returns:
        scale and offset, (2, 2).
    """
    half = np.asarray(size, float)[:2]
    repeat = np.asarray(model.mat_texrepeat, float)[matid]
    is_uniform = bool(model.mat_texuniform[matid])
    is_mesh = kind in (GeomType.MESH, GeomType.SDF) and 0 <= dataid < model.nmesh
    has_texcoords = kind in PRIMITIVES or kind in FOLLOWING or (is_mesh and model.mesh_texcoordadr[dataid] >= 0)
    if has_texcoords:
        repeat = np.where(repeat > 0, repeat, 1.0)
    scale = repeat * np.where(half > 0, half, 1.0) if is_uniform else repeat
    # where coordinates are measured from the middle, so is the picture
    is_centered = not has_texcoords or (kind == GeomType.PLANE and bool((half <= 0).any()))
    return np.stack([scale, np.full(2, -0.5 if is_centered else 0.0)])


def texture_id(model: Model, matid: int) -> int:
    """The texture of the color of a material, -1 if it has none."""
    return int(np.asarray(model.mat_texid)[matid, COLOR_ROLE]) if matid >= 0 else -1


def texture_of(model: Model, texid: int) -> np.ndarray:
    """A texture, (height, width, channels) uint8, read-only.

    A cube has its faces one below the other, in the order right, left, up, down, front, back of OpenGL (+x, -x, +y, -y,
    +z, -z); one square is used for all faces.
    """
    _check_id("texture", texid, model.ntex)
    height, width, channels = (int(getattr(model, f"tex_{name}")[texid]) for name in ("height", "width", "nchannel"))
    return _stretch(model, "tex_data", model.tex_adr[texid], height * width * channels).reshape(height, width, channels)
