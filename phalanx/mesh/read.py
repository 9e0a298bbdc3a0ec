"""Readers of mesh files: OBJ, STL, MuJoCo's MSH, and with an extra COLLADA, glTF and PLY.

A reader takes the bytes of a file, so that files in an archive can be read too, and gives the arrays as they are in the
file, in the precision in which MuJoCo keeps them. A new format is a function and a row of `READERS`.
"""

from __future__ import annotations

import re
import struct
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from phalanx.memory.errors import MjcfWarning, warn_user
from phalanx.memory.regular_file import MOST_BYTES, read_regular
from phalanx.mesh.ascii_stl import ascii_corners, ascii_faces, is_ascii_stl
from phalanx.mesh.errors import MeshError
from phalanx.mesh.mesh_source import MeshSource as MeshSource
from phalanx.mesh.scene_file import parse_dae, parse_glb, parse_gltf, parse_ply

#: Binary STL: bytes before the first triangle, bytes of a triangle, most triangles, largest coordinate.
STL_HEADER = 84
STL_TRIANGLE = 50
STL_MAX_FACES = 200_000
STL_MAX_COORDINATE = 2.0**30

#: MSH: four counts come first.
MSH_HEADER = 16

#: OBJ: faces with more corners are left out, as in MuJoCo.
MOST_CORNERS = 100


# --- OBJ


#: A point of the plane, in single precision.
_Point = tuple[np.float32, np.float32]


def _holds_any(triangle: tuple[_Point, _Point, _Point], x: np.ndarray, y: np.ndarray) -> bool:
    """Does a ray from some point (x, y) cross the sides of the triangle an odd number of times?"""
    is_inside = np.zeros(len(x), bool)
    for k in range(3):
        (ax, ay), (bx, by) = triangle[k], triangle[k - 1]
        is_crossed = (y < ay) != (y < by)
        if is_crossed.any():
            is_inside ^= is_crossed & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return bool(is_inside.any())


def _flat(corners: np.ndarray) -> np.ndarray:
    """The polygon in the two coordinates in which its first true corner is widest."""
    first, second = 1, 2
    edges = np.roll(corners, -1, axis=0) - corners
    for cross in np.abs(np.cross(edges, np.roll(edges, -1, axis=0))):
        if (cross > np.finfo(np.float32).eps).any():
            x, y, z = cross
            if not (x > y and x > z):
                first, second = 0, 1 if z > x and z > y else 2
            break
    return corners[:, [first, second]]


def _split_quad(corners: np.ndarray) -> list[tuple[int, int, int]]:
    """Two triangles on the two sides of the shorter diagonal."""
    a, b = corners[2] - corners[0], corners[3] - corners[1]
    if a[0] * a[0] + a[1] * a[1] + a[2] * a[2] < b[0] * b[0] + b[1] * b[1] + b[2] * b[2]:
        return [(0, 1, 2), (0, 2, 3)]
    return [(0, 1, 3), (1, 2, 3)]


def triangulate(corners: np.ndarray) -> list[tuple[int, int, int]]:
    """Cut a polygon into triangles by its ears, in the order of tinyobjloader, which MuJoCo reads OBJ files with."""
    if len(corners) == 4:
        return _split_quad(corners)
    # sides along the axis and vertices that are not finite make no crossing
    with np.errstate(all="ignore"):
        return _cut_ears(_flat(corners))


def _cut_ears(flat: np.ndarray) -> list[tuple[int, int, int]]:
    """Triangles of a polygon in the plane."""
    left = list(range(len(flat)))
    points = [(x, y) for x, y in flat]
    triangles: list[tuple[int, int, int]] = []
    start, tries, before = 0, len(left), len(left)
    # cut off ears until a triangle is left, or a whole round finds none
    while len(left) > 3 and tries > 0:
        count = len(left)
        start %= count
        tries = count if count != before else tries - 1
        before = count
        around = left[start:] + left[:start]
        a, b, c = points[around[0]], points[around[1]], points[around[2]]
        bend = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
        area = (a[0] * b[1] - a[1] * b[0]) * np.float32(0.5)
        # no ear if the corner looks inwards, or others are inside
        others = flat[around[3:]]
        if bend * area < 0 or _holds_any((a, b, c), others[:, 0], others[:, 1]):
            start += 1
            continue
        triangles.append((around[0], around[1], around[2]))
        del left[(start + 1) % count]
    if len(left) == 3:
        triangles.append((left[0], left[1], left[2]))
    return triangles


#: Largest index, forward or backward, that an OBJ file can mean.
MOST_INDEX = 2**31
#: Most problems of an OBJ file that are collected.
MOST_PROBLEMS = 20


class _ObjParser:
    """Collects the statements of an OBJ file; only the faces of the first object or group that has some are kept."""

    def __init__(self, name: str):
        self.name, self.line = name, 0
        self.numbers: dict[str, list[list[float]]] = {"v": [], "vt": [], "vn": []}
        self.polygons: list[list[tuple[int, int, int]]] = []
        self.is_closed = False

    def error(self, message: str) -> MeshError:
        """An error that names the file and the line."""
        return MeshError(f"OBJ file {self.name!r}, line {self.line}: {message}")

    def add_numbers(self, kind: str, words: list[str]) -> None:
        """Keep the coordinates of a vertex, a texture point or a normal."""
        need = 2 if kind == "vt" else 3
        try:
            values = [float(word) for word in words[:need]]
        except ValueError as problem:
            raise self.error(f"{problem}") from None
        if len(values) < need:
            raise self.error(f"{kind!r} needs {need} numbers, not {len(values)}")
        self.numbers[kind].append(values)

    def index(self, word: str, kind: str) -> int:
        """Index from 0 of the one-based or, when negative, backward reference `word`; -1 when it is empty."""
        if not word:
            return -1
        try:
            value = int(word)
        except ValueError:
            raise self.error(f"{word!r:.50} is no index") from None
        if abs(value) > MOST_INDEX:
            raise self.error(f"there is no vertex {word:.50}")
        if value == 0:
            raise self.error("indices begin at 1, 0 is not allowed")
        return value - 1 if value > 0 else len(self.numbers[kind]) + value

    def add_face(self, words: list[str]) -> None:
        """Keep the corners of a polygon: vertex, texture coordinate and normal of each."""
        if self.is_closed or len(words) < 3:
            return
        polygon = []
        for word in words:
            v, vt, vn = (word.split("/") + ["", ""])[:3]
            polygon.append((self.index(v, "v"), self.index(vt, "vt"), self.index(vn, "vn")))
        self.polygons.append(polygon)

    def read(self, text: str) -> None:
        """Take the statements line by line; mistakes are collected, up to `MOST_PROBLEMS`."""
        wrong: list[str] = []
        before: list[str] = []
        for self.line, line in enumerate(text.splitlines(), 1):
            words = before + line.split()
            # a backslash at the end continues the numbers of a statement in the next line
            is_continued = line.endswith("\\") and words[0] in ("v", "vt", "vn", "f")
            before = [*words[:-1], *filter(None, [words[-1][:-1]])] if is_continued else []
            if words and not is_continued:
                try:
                    self.add(words[0], words[1:])
                except MeshError as problem:
                    wrong += problem.messages
                    if len(wrong) >= MOST_PROBLEMS:
                        break
        if wrong:
            raise MeshError(*wrong)

    def add(self, keyword: str, words: list[str]) -> None:
        """Take one statement; those that do not describe the surface are skipped."""
        if keyword in self.numbers:
            self.add_numbers(keyword, words)
        elif keyword == "f":
            self.add_face(words)
        elif keyword in ("g", "o"):
            self.is_closed = bool(self.polygons)

    def array(self, kind: str) -> np.ndarray:
        """The coordinates of one kind, in single precision."""
        columns = 2 if kind == "vt" else 3
        return np.array(self.numbers[kind], np.float64).reshape(-1, columns).astype(np.float32)


def parse_obj(data: bytes, name: str = "OBJ") -> MeshSource:
    """Read Wavefront OBJ. Polygons are cut into triangles; only the first object or group with faces is used.

    Texture coordinates are dropped when some corner of a face has none.
    """
    # most files are plain, and read much faster so
    found = _plain_obj(data)
    if found is not None:
        return found
    parser = _ObjParser(name)
    parser.read(data.decode("utf-8", "replace"))
    vertices = parser.array("v")
    corners: list[tuple[int, int, int]] = []
    dropped = 0
    for polygon in parser.polygons:
        if len(polygon) == 3:
            corners += polygon
            continue
        if len(polygon) > MOST_CORNERS:
            dropped += 1
            continue
        ids = [v for v, _, _ in polygon]
        if min(ids) < 0 or max(ids) >= len(vertices):
            raise MeshError(f"OBJ file {name!r}: a face refers to a vertex that does not exist")
        corners += [polygon[k] for triangle in triangulate(vertices[ids]) for k in triangle]
    table = np.array(corners, np.int32).reshape(-1, 3)
    faces, facetexcoords, facenormals = (np.ascontiguousarray(table[:, k]).reshape(-1, 3) for k in range(3))
    texcoords, normals = parser.array("vt"), parser.array("vn")
    # OBJ has the origin of pictures below, MuJoCo above
    texcoords[:, 1] = 1 - texcoords[:, 1]
    if not len(normals):
        facenormals = facenormals[:0]
    elif not _exist(facenormals, normals):
        raise MeshError(f"OBJ file {name!r}: a face has a corner without normal, or with one that does not exist")
    if not _exist(facetexcoords, texcoords):
        texcoords, facetexcoords = texcoords[:0], facetexcoords[:0]
    return MeshSource(vertices, faces, normals, texcoords, facenormals, facetexcoords, dropped)


#: What follows the keyword of each kind of statement.
_STATEMENTS = {kind: re.compile(rb"(?m)^" + kind + rb"([^\n]*)") for kind in (b"v ", b"vt", b"vn", b"f ")}
#: Faces whose corners all have the same form: which of vertex, texture coordinate and normal a corner has.
_FORMS = {
    form: re.compile(rb"(?: *" + corner + rb"(?: +" + corner + rb"){2,}[ \r]*(?:\n|\Z))+")
    for form, corner in (
        ((0,), rb"\d+"), ((0, 1), rb"\d+/\d+"), ((0, 2), rb"\d+//\d+"), ((0, 1, 2), rb"\d+/\d+/\d+"),
    )
}  # fmt: skip


def _plain_obj(data: bytes) -> MeshSource | None:
    """A file of faces that all have the same form and no group after the first one, read at once; else None."""
    data = b"\n" + data
    first = data.find(b"\nf ")
    # what may need the careful reader: other characters, tabs, continued lines, several groups
    if first < 0 or not data.isascii() or b"\t" in data or b"\\" in data or _has_odd_line(data):
        return None
    if data.find(b"\ng", first) >= 0 or data.find(b"\no", first) >= 0:
        return None
    tables = {}
    for kind, columns in ((b"v ", 3), (b"vt", 2), (b"vn", 3)):
        text, count = _statements(data, kind)
        table = _numbers(text, float)
        if table is None or len(table) != columns * count:
            return None
        tables[kind] = table.reshape(-1, columns).astype(np.float32)
    vertices, texcoords, normals = tables[b"v "], tables[b"vt"], tables[b"vn"]
    found = _plain_corners(*_statements(data, b"f "), vertices)
    if found is None:
        return None
    ids, dropped = found
    corners, facetexcoords, facenormals = (np.ascontiguousarray(ids[:, k]).reshape(-1, 3) for k in range(3))
    if not _exist(corners, vertices) or (len(normals) and not _exist(facenormals, normals)):
        return None
    texcoords[:, 1] = 1 - texcoords[:, 1]
    if not _exist(facetexcoords, texcoords):
        texcoords, facetexcoords = texcoords[:0], facetexcoords[:0]
    facenormals = facenormals if len(normals) else facenormals[:0]
    return MeshSource(vertices, corners, normals, texcoords, facenormals, facetexcoords, dropped)


def _has_odd_line(data: bytes) -> bool:
    """Are there lines that the quick reader does not know: indented, or other statements that begin with v or f?"""
    vertices = sum(data.count(b"\n" + kind) for kind in (b"v ", b"vt", b"vn"))
    return b"\n " in data or data.count(b"\nv") != vertices or data.count(b"\nf") != data.count(b"\nf ")


def _statements(data: bytes, kind: bytes) -> tuple[bytes, int]:
    """What follows the keyword in all statements of a kind, one in each line, and how many there are."""
    start = b"\n" + kind
    count = data.count(start)
    last = data.rfind(start)
    block = data[data.find(start) : last + len(data[last:].split(b"\n", 2)[1]) + 1] if count else b""
    if block.count(b"\n") == count:
        return block[len(start) :].replace(start, b"\n"), count
    return b"\n".join(_STATEMENTS[kind].findall(data)), count


def _plain_corners(text: bytes, count: int, vertices: np.ndarray) -> tuple[np.ndarray, int] | None:
    """Vertex, texture coordinate and normal of the corners of all triangles, -1 for none, and how many faces are left
    out; None if the forms differ.

    `text` has so many faces as `count` says, one in each line.
    """
    table = _numbers(text.replace(b"/", b" "), np.int64)
    if table is None or (table <= 0).any():
        return None
    form = _form_of_triangles(text, count, len(table))
    if form is None:
        form = next((form for form, pattern in _FORMS.items() if pattern.fullmatch(text)), None)
    if form is None:
        return None
    # columns that the form lacks stay -1; indices begin at 0
    given = np.full((len(table) // len(form), 3), -1, np.int32)
    given[:, form] = table.reshape(-1, len(form)) - 1
    if len(given) == 3 * count:
        return given, 0
    order: list[int] = []
    start = dropped = 0
    for face in text.split(b"\n"):
        cornernum = len(face.split())
        if not cornernum:
            continue
        if cornernum == 3:
            order += (start, start + 1, start + 2)
        elif cornernum > MOST_CORNERS:
            dropped += 1
        else:
            polygon = given[start : start + cornernum, 0]
            if polygon.max() >= len(vertices):
                return None
            order += [start + k for triangle in triangulate(vertices[polygon]) for k in triangle]
        start += cornernum
    return given[np.array(order, np.int64)], dropped


def _form_of_triangles(text: bytes, count: int, indexnum: int) -> tuple[int, ...] | None:
    """Form of the corners of triangles that have blanks just where they must be; None if the file is not so plain."""
    slashes = {b"": ((0,),), b"/": ((0, 1),), b"//": ((0, 1, 2), (0, 2))}
    signs = text.translate(None, b"0123456789\r")
    for between, forms in slashes.items():
        if signs + b"\n" == (between + b" " + between + b" " + between + b"\n") * count:
            for form in forms:
                # with two slashes and two indices, the one in the middle is missing everywhere
                is_whole = form != (0, 2) or text.count(b"//") == 3 * count
                if indexnum == 3 * count * len(form) and is_whole:
                    return form
    return None


def _numbers(text: bytes, kind: type) -> np.ndarray | None:
    """Numbers between blanks; None if something else is among them."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(text.decode("ascii"), dtype=kind, sep=" ")
        except (DeprecationWarning, ValueError):
            return None


def _exist(indices: np.ndarray, rows: np.ndarray) -> bool:
    """Whether all indices are those of rows."""
    return bool(len(rows)) and bool(((indices >= 0) & (indices < len(rows))).all())


# --- STL


def parse_stl(data: bytes, name: str = "STL") -> MeshSource:
    """Read STL. Corners with the same bits become one vertex, in the order in which they appear."""
    corners = ascii_corners(data, name) if is_ascii_stl(data) else _binary_corners(data, name)
    if (np.abs(corners) > STL_MAX_COORDINATE).any():
        raise MeshError(f"STL file {name!r} has a vertex beyond {STL_MAX_COORDINATE:g}")
    vertices, faces = merge_equal_rows(corners)
    return MeshSource(vertices.astype(np.float32), faces.reshape(-1, 3))


def _binary_corners(data: bytes, name: str) -> np.ndarray:
    """Corners of the triangles of binary STL."""
    if len(data) < STL_HEADER:
        raise MeshError(f"STL file {name!r} is too short for a header ({len(data)} bytes)")
    (count,) = struct.unpack_from("<i", data, STL_HEADER - 4)
    if not 1 <= count <= STL_MAX_FACES:
        raise MeshError(f"STL file {name!r} has {count} faces, not between 1 and {STL_MAX_FACES}")
    if STL_TRIANGLE * count != len(data) - STL_HEADER:
        raise MeshError(f"STL file {name!r} has the wrong size for {count} faces")
    triangles = np.frombuffer(data, np.uint8, offset=STL_HEADER).reshape(count, STL_TRIANGLE)
    return np.ascontiguousarray(triangles[:, 12:48]).view("<f4").reshape(-1, 3)


def merge_equal_rows(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows without bitwise duplicates, in order of first appearance, and the row that each input row became."""
    bits = np.ascontiguousarray(corners).view(np.int32)
    ranked = np.lexsort(bits.T)
    is_new = np.ones(len(bits), bool)
    is_new[1:] = (np.diff(bits[ranked], axis=0) != 0).any(axis=1)
    first = ranked[is_new]
    inverse = np.empty(len(bits), np.int64)
    inverse[ranked] = np.cumsum(is_new) - 1
    order = np.argsort(first)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return corners[first[order]], rank[inverse]


# --- MSH


def parse_msh(data: bytes, name: str = "MSH") -> MeshSource:
    """Read MuJoCo's binary format: counts of vertices, normals, texture coordinates and faces, then the arrays."""
    if len(data) < MSH_HEADER:
        raise MeshError(f"MSH file {name!r} is too short for a header ({len(data)} bytes)")
    nvert, nnormal, ntexcoord, nface = struct.unpack_from("<4i", data)
    if nvert < 4 or nface < 0 or nnormal not in (0, nvert) or ntexcoord not in (0, nvert):
        raise MeshError(
            f"MSH file {name!r} has invalid sizes: {nvert} vertices, {nnormal} normals, "
            f"{ntexcoord} texture coordinates, {nface} faces"
        )
    if len(data) != MSH_HEADER + 4 * (3 * nvert + 3 * nnormal + 2 * ntexcoord + 3 * nface):
        raise MeshError(f"MSH file {name!r} has the wrong size ({len(data)} bytes) for the counts in its header")
    arrays, offset = [], MSH_HEADER
    for rows, columns, kind in ((nvert, 3, "<f4"), (nnormal, 3, "<f4"), (ntexcoord, 2, "<f4"), (nface, 3, "<i4")):
        arrays.append(np.frombuffer(data, kind, rows * columns, offset).reshape(rows, columns))
        offset += 4 * rows * columns
    vertices, normals, texcoords, faces = arrays
    return MeshSource(vertices, faces, normals, texcoords, faces, faces if ntexcoord else faces[:0])


#: Reader of each file name ending.
READERS: dict[str, Callable[[bytes, str], MeshSource]] = {
    ".obj": parse_obj,
    ".stl": parse_stl,
    ".msh": parse_msh,
    ".dae": parse_dae,
    ".gltf": parse_gltf,
    ".glb": parse_glb,
    ".ply": parse_ply,
}


def read_mesh(path: str | Path, most: int = MOST_BYTES) -> MeshSource:
    """Read a mesh file of at most `most` bytes; its name's ending says the format."""
    path = Path(path)
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise MeshError(f"no reader for mesh file {str(path)!r}; formats are {', '.join(READERS)}")
    try:
        data, _ = read_regular(str(path), most)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise MeshError(f"cannot read mesh file {str(path)!r}: {reason}") from problem
    if not data:
        raise MeshError(f"mesh file {str(path)!r} is empty")
    source = reader(data, str(path))
    if source.dropped:
        warn_user(f"mesh file {str(path)!r}: {left_out(source)}", MjcfWarning)
    return source


def counts_of(data: bytes, ending: str) -> tuple[int, int]:
    """Vertices and faces that a mesh file has at least, told without reading it: counted in text, else in the header.

    Those of a scene are known only when it has been read: 0.
    """
    if ending == ".obj":
        return data.count(b"\nv "), data.count(b"\nf")
    if ending == ".stl" and is_ascii_stl(data):
        return 0, ascii_faces(data)
    if ending not in (".stl", ".msh"):
        return 0, 0
    start, form = (STL_HEADER - 4, "<i") if ending == ".stl" else (0, "<4i")
    if len(data) < start + struct.calcsize(form):
        return 0, 0
    counts = struct.unpack_from(form, data, start)
    return (0 if ending == ".stl" else counts[0]), counts[-1]


def left_out(source: MeshSource) -> str:
    """What to say about the faces that were left out."""
    return f"{source.dropped} faces with more than {MOST_CORNERS} corners are left out, as in MuJoCo"
