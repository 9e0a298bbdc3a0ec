"""The surface where a sampled field is zero, as triangles: marching cubes (Lorensen and Cline 1987).

Order of vertices and triangles, and single precision, are those that MuJoCo gets from MarchingCubeCpp, so that the mesh
rows of a Model are equal.
"""

from __future__ import annotations

import numpy as np

from phalanx.mesh.mesh_source import MeshSource

#: Triangles of a cube by which of its corners are inside, as edges in hexadecimal, "-" for none. Corner k is at bits
#: x, y, z of k; edges 0 to 3 are along x, 4 to 7 along y, 8 to b along z, each four by the other two coordinates.
_CASES = """
    - 048 509 495489 1a4 1801a8 1a4950 51a5a99a8 b15 5b1804 0b109b 14818bb89 a5ba45 05b0b88ba 40949aa9b 8ba89b 286
    062046 950628 295256654 41a286 a62a21120 0958621a4 61a621251295 28615b 604620b15 b09b10628 46162916919b 5a45ba286
    2a625a5ba052 286a9ba49409 2a629a9ba 927 048792 250275 827874475 1a4279 1801a8792 250275a41 827871175a81 b15279
    0485b1279 7b1712210 48242112717b a5ba45279 7928ba80b05b ba7a407a0702 7827b8ba8 879867 904947746 086065567 467475
    7867981a4 79661a916901 a41567506086 a51a65675 87986715b 15b746794904 08606bb6710b 17b147467 4ba45b698679
    670ba0a605b0790 ba06707b0860a40 67b6ba 36a a36048 36a095 94895436a 341364 680603301 341364950 958836538513 36a5b1
    15b48036a 0b109b6a3 6a3b89b18148 b36b65564 8368030b305b 6b360b09b406 6b368b89b 2a328a 4a3430032 a28a32509
    34a394954293 841812213 013032 509213281841 529512132 2a328a5b1 b150320434a3 38a32819b109 9b4324294a34b14
    5b4428b24b32 b05b30320 3249b4b34094284 32939b 792a36 2796a3048 527502a36 36a475487827 436413927 927301360680
    164136075027 138758518278368 36a79215b 0486a379215b a362102717b1 36ab17127142482 2795645b6b36 2798060360535b3
    02b64b40b36b27b 6838b387b827 37939aa98 a04a30390379 8a0a370a7075 34a374754 184178798371 937903013 758138378418508
    137175 5b1a98a39379 15ba34304370790 8a7107087b17a37 37a74a7147b1 4539838437935b3 9070370b305b 08437b 7b3 73b
    0483b7 5093b7 4954893b7 b7341a 81a80173b 1a4b73095 3b79a895a51a 173157 715731804 973930031 148187789317 3a4347745
    80aa7307a057 a40a03309397 3973a9a89 286b73 062046b73 2869503b7 b73654625295 3b7a41286 73b1201a2a62 1a48629503b7
    3b762a21a291951 173157862 246204357315 628031093973 469319149739629 8627457343a4 57a20a05a62a73a 2867393093a0a40
    2969a693a973 3923b9 3923b9480 b50b03302 54b482b42b23 93b92341a 0a801a2b923b 41a3023b0b50 235a858251a53b5 592521123
    804123152592 031023 814821231 3a4349945239 a852353a5925805 43a403023 23a2a8 63b6b88b9 63b6b00b9460 86383003b0b5
    b63b56546 1a48b986b63b 016b969063b61a6 1a450b03b083863 a616516b563b 985863583531 319469639049159 608630310 314346
    983453593a43863 3a6059 6383083403a4 3a6 6b76ab b6ab76048 6b76ab095 854895a76ab7 1b7174476 0680b6b761b0
    9504764171b7 891761681b71951 a15a56657 0486576a5a15 7696a1961910 7618919714816a1 476457 068056576 940974764 897876
    72878bb8a b7aa0470a720 095b8ab78728 ab25424a2952b72 4284121721b7 71b721201 0954181281b2b72 5191291721b7
    872817157a18 20a57a72a15a04a 1078a7a17287097 14a297 872847457 205257 842472497409 972 26a2a99ab 4809ab92a26a
    26a2a55ab025 542ab2b526a2482 4166921961b9 b960161b6806926 64b02b26b50b41b 2681b5 6a1612215259 0489252152616a1
    a26a12102 a16126182148 259265645 058568526592 026064 268 8ab8b9 4904a9ab9 0b508b8ab ab5a54 1841b8b98 01b0b9
    1b4b84b08b50 b51 5a159a98a 4a0a90a59a15 10818a 14a 459498 590 084 -
"""
#: Edges of all cases one after another, where each begins, and how many triangles it has.
_WORDS = [word.strip("-") for word in _CASES.split()]
_EDGES = np.array([int(edge, 16) for edge in "".join(_WORDS)], np.int64)
_COUNT = np.array([len(word) // 3 for word in _WORDS])
_START = 3 * (np.cumsum(_COUNT) - _COUNT)


def zero_surface(values: np.ndarray, low: np.ndarray, high: np.ndarray) -> MeshSource:
    """The surface between negative and other values of a grid.

    Args:
        values: (nz, ny, nx) single precision.
        low: first point of the grid, x, y, z.
        high: last point.
    """
    inside = values < 0
    edges = _crossed(inside)
    axis, corner = edges[:, 0], edges[:, 1:]
    points = corner.astype(np.float32)
    before = values[corner[:, 2], corner[:, 1], corner[:, 0]]
    far = corner + np.eye(3, dtype=np.int64)[axis]
    after = values[far[:, 2], far[:, 1], far[:, 0]]
    points[np.arange(len(points)), axis] += before / (before - after)
    faces = _triangles(inside, edges)
    shape = np.array(values.shape[::-1])
    # in the order of operations of MuJoCo (mjCMesh::LoadSDF)
    center, half = (high + low) / 2, (high - low) / 2
    vertices = (2 * half * points / (shape - 1) + center - half).astype(np.float32)
    return MeshSource(vertices, faces, _normals(points, faces))


def _crossed(inside: np.ndarray) -> np.ndarray:
    """Edges of the grid across the surface, rows (axis, x, y, z), in the order in which cubes are visited.

    A cube makes the vertices that no cube before it has made: of its twelve edges those at the far sides, and others at
    the sides of the grid.
    """
    found = []
    for axis in range(3):
        ahead = np.moveaxis(inside, 2 - axis, 0)
        crossed = np.moveaxis(ahead[:-1] != ahead[1:], 0, 2 - axis)
        place = np.stack(np.nonzero(crossed)[::-1], axis=1)
        first, second = (place[:, other] for other in range(3) if other != axis)
        slot = 4 * axis + (first > 0) + 2 * (second > 0)
        cube = np.maximum(place - 1, 0)
        cube[:, axis] = place[:, axis]
        found.append(np.column_stack([cube[:, ::-1], slot, np.full(len(place), axis), place]))
    rows = np.concatenate(found)
    return rows[np.lexsort(rows[:, 3::-1].T)][:, 4:]


def _triangles(inside: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Vertices of the triangles, cube by cube."""
    nz, ny, nx = inside.shape
    number = np.full((3, nx, ny, nz), -1, np.int32)
    number[tuple(edges.T)] = np.arange(len(edges))
    case = np.zeros((nz - 1, ny - 1, nx - 1), np.int64)
    for k in range(8):
        x, y, z = k & 1, k >> 1 & 1, k >> 2
        case |= inside[z : z + nz - 1, y : y + ny - 1, x : x + nx - 1].astype(np.int64) << k
    cubes = np.argwhere(_COUNT[case] > 0)
    codes = case[tuple(cubes.T)]
    # each cube has three edges per triangle, which follow each other in the table
    counts = 3 * _COUNT[codes]
    owner = np.repeat(np.arange(len(cubes)), counts)
    edge = _EDGES[_START[codes][owner] + np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)]
    axis, first, second = edge // 4, edge & 1, edge >> 1 & 1
    place = cubes[owner][:, ::-1]
    rows = np.arange(len(owner))
    place[rows, np.where(axis == 0, 1, 0)] += first
    place[rows, np.where(axis == 2, 1, 2)] += second
    return number[(axis, *place.T)].reshape(-1, 3)


def _normals(points: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Unit normals of the vertices, in cells of the grid: sums over the triangles around, one after another."""
    a, b, c = (points[faces[:, k]] for k in range(3))
    u, v = c - b, a - b
    across = np.stack([u[:, 1] * v[:, 2] - u[:, 2] * v[:, 1], u[:, 2] * v[:, 0] - u[:, 0] * v[:, 2],
                       u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]], axis=1)  # fmt: skip
    total = np.zeros_like(points)
    for axis in range(3):
        np.add.at(total[:, axis], faces.ravel(), np.repeat(across[:, axis], 3))
    x, y, z = total.T
    with np.errstate(invalid="ignore"):
        return total / np.sqrt(x * x + y * y + z * z)[:, None]
