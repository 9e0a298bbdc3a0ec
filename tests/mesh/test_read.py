"""Mesh files are read as MuJoCo reads them."""

from __future__ import annotations

import os
import struct

import numpy as np
import pytest

from phalanx.mesh import Mesh, MeshError, read, read_mesh
from phalanx.mesh.read import merge_equal_rows, parse_msh, parse_obj, parse_stl, triangulate
from tests.mesh.oracle import assert_equal, compile_file

TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], np.int32)


def stl_bytes(corners: np.ndarray, header: bytes = b"binary") -> bytes:
    data = header.ljust(80, b"\0") + struct.pack("<i", len(corners))
    return data + b"".join(b"\0" * 12 + triangle.astype("<f4").tobytes() + b"\0\0" for triangle in corners)


def msh_bytes(vertices, normals, texcoords, faces) -> bytes:
    counts = struct.pack("<4i", *(len(rows) for rows in (vertices, normals, texcoords, faces)))
    return counts + b"".join(np.ascontiguousarray(rows).tobytes() for rows in (vertices, normals, texcoords, faces))


def prism(sides: int, seed: int) -> str:
    """OBJ text of a prism over a star-shaped polygon, with one face of many corners at either end."""
    rng = np.random.default_rng(seed)
    angle, radius = np.sort(rng.uniform(0, 2 * np.pi, sides)), rng.uniform(0.4, 1, sides)
    bottom = np.stack([radius * np.cos(angle), radius * np.sin(angle), 0 * angle], axis=1) + 2 * rng.normal(size=3)
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    points = np.concatenate([bottom + [0, 0, 1], bottom]) @ turn.T
    lines = [f"v {x:.6g} {y:.6g} {z:.6g}" for x, y, z in points]
    upper, lower = np.arange(1, sides + 1), np.arange(sides + 1, 2 * sides + 1)
    lines += ["f " + " ".join(map(str, upper)), "f " + " ".join(map(str, lower[::-1]))]
    lines += [f"f {upper[k - 1]} {lower[k - 1]} {lower[k]} {upper[k]}" for k in range(sides)]
    return "\n".join(lines)


@pytest.mark.parametrize("sides", range(4, 12))
@pytest.mark.parametrize("seed", range(3))
def test_polygons_of_obj_are_cut_as_in_mujoco(tmp_path, sides, seed):
    path = tmp_path / "prism.obj"
    path.write_text(prism(sides, seed))
    assert_equal(compile_file(path), Mesh.from_file(path))


OBJ = """# a comment
mtllib none.mtl
o first
v 0 0 0 1.0 0.5 0.5
v 1 0 0
v 0 1 0
  v 0 0 1
vt 0.25 0.75
vt 0 1
vn 0 0 1
vn 1 0 0
s off
usemtl stone
f 1/1/1 3/2/1 2/1/2
f -4/1/1 2/2/1 -1/1/1
f 1/2/1 4/1/2 3/1/1
f 2/1/1 3/1/1 4/1/1
g second
v 5 5 5
f 1/1/1 2/1/1 5/1/1
"""


def test_statements_of_obj(tmp_path):
    path = tmp_path / "mesh.obj"
    path.write_text(OBJ)
    source = read_mesh(path)
    assert source.vertices.shape == (5, 3)
    np.testing.assert_array_equal(source.faces, FACES)
    np.testing.assert_array_equal(source.texcoords, np.array([[0.25, 0.25], [0, 0]], np.float32))
    model = compile_file(path)
    for ours, theirs in (
        (source.faces, model.mesh_face),
        (source.facenormals, model.mesh_facenormal),
        (source.facetexcoords, model.mesh_facetexcoord),
        (source.texcoords, model.mesh_texcoord),
    ):
        np.testing.assert_array_equal(ours, theirs)


CORNERS = ("1 2 3", "1/1 2/1 3/1", "1//1 2//1 3//1", "1/1/1 2/1/1 3/1/1", "1/1/1 2//1 3/1", "1/1/ 2/1/1 3/1/1",
           "1 2  3 ", "1 2 3 4", "1//1 2//1 3//1 4//1", "1 2", "-1 -2 -3", "1/2/3/4 5 6/7", "1 2 x")  # fmt: skip


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("corners", CORNERS)
def test_the_quick_reader_of_obj_reads_the_same(corners, ending, monkeypatch):
    lines = ["v 0 0 0", "v 1 0 0", "v 0 1 0", "v 0 0 1", "vt 0 1", "vn 0 0 1"]
    mixed = [lines[4], *lines[:2], "# between", *lines[2:4], lines[5]]
    for statements in (lines, mixed):
        for faces in ([f"f {corners}"], [f"f {corners}", f"f {corners}"], ["f 1 3 2", f"f {corners}"]):
            data = ending.join([*statements, *faces]).encode()
            quick = read._plain_obj(data)
            if quick is not None:
                with monkeypatch.context() as patched:
                    patched.setattr(read, "_plain_obj", lambda data: None)
                    slow = parse_obj(data)
                for name, array in vars(slow).items():
                    np.testing.assert_array_equal(getattr(quick, name), array)


@pytest.mark.parametrize("end", ["\\\n", "\\\r\n"])
def test_a_backslash_continues_a_statement(end):
    plain = "# a\\\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nf 1//1 3//1 2//1 4//1\n"
    continued = plain.replace("vn 0 0", f"vn 0 0 {end}").replace("f 1//1", f"f 1//1{end}").replace("v 1", f"v {end}1")
    a, b = (parse_obj(text.encode()) for text in (plain, continued))
    assert all(np.array_equal(value, getattr(b, name)) for name, value in vars(a).items())
    assert len(a.vertices) == 4 and len(a.faces) == 2


def test_texture_coordinates_of_some_corners_only_are_dropped(tmp_path):
    path = tmp_path / "mesh.obj"
    path.write_text(OBJ.replace("f 1/2/1", "f 1//1"))
    source = read_mesh(path)
    assert len(source.texcoords) == len(source.facetexcoords) == 0
    assert compile_file(path).nmeshtexcoord == 0


def test_normals_of_some_corners_only_are_refused(tmp_path):
    path = tmp_path / "mesh.obj"
    path.write_text(OBJ.replace("f 1/2/1", "f 1/2"))
    with pytest.raises(MeshError, match="corner without normal"):
        read_mesh(path)
    with pytest.raises(ValueError, match="normal index"):
        compile_file(path)


def test_an_obj_of_vertices_only_is_its_hull(tmp_path):
    path = tmp_path / "points.obj"
    path.write_text("\n".join(line for line in OBJ.splitlines() if line.strip().startswith("v ")))
    assert_equal(compile_file(path), Mesh.from_file(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("v 1 2", "line 1: 'v' needs 3 numbers"),
        ("v 0 0 0\nv 1 x 0", "line 2: could not convert"),
        ("v 0 0 0\nf 0 1 1", "begin at 1"),
        ("v 0 0 0\nf 1 a 1", "'a' is no index"),
        ("v 0 0 0\nf 1 1 1 7", "does not exist"),
        ("v 0 0 0\nf 1 1 -99999999999999999999", "line 2: there is no vertex -99999999999999999999"),
    ],
)
def test_a_faulty_obj_names_the_line(text, message):
    with pytest.raises(MeshError, match=message) as raised:
        parse_obj(text.encode(), "broken.obj")
    assert "'broken.obj'" in str(raised.value)


def test_corners_of_stl_become_vertices(tmp_path):
    path = tmp_path / "mesh.stl"
    path.write_bytes(stl_bytes(TETRAHEDRON[FACES]))
    source = read_mesh(path)
    assert source.vertices.shape == (4, 3)
    np.testing.assert_array_equal(source.vertices[source.faces], TETRAHEDRON[FACES])
    assert_equal(compile_file(path), Mesh.from_file(path))


def test_zeros_of_either_sign_are_different_vertices():
    rows, became = merge_equal_rows(np.array([[0, 0, 1], [-0.0, 0, 1], [0, 0, 1]], np.float32))
    assert len(rows) == 2
    assert became.tolist() == [0, 1, 0]


FAULTY_STL = {
    b"solid name\nfacet normal 0 0 0\n outer loop\n  vertex 0 0 0\n" * 5: "ASCII",
    b"short": "too short",
    stl_bytes(TETRAHEDRON[FACES])[:-1]: "wrong size",
    stl_bytes(TETRAHEDRON[FACES] * np.float32(1e10)): "beyond",
    stl_bytes(TETRAHEDRON[FACES][:0]): "0 faces",
}


@pytest.mark.parametrize("data", FAULTY_STL, ids=list(FAULTY_STL.values()))
def test_a_faulty_stl_is_refused_as_mujoco_does(tmp_path, data):
    with pytest.raises(MeshError, match=FAULTY_STL[data]):
        parse_stl(data, "broken.stl")
    path = tmp_path / "broken.stl"
    path.write_bytes(data)
    with pytest.raises(ValueError):
        compile_file(path)


@pytest.mark.parametrize("scale", ["1 1 1", "1 -1 1"])
@pytest.mark.parametrize("parts", ["v", "vf", "vnf", "vtf", "vntf"])
def test_msh(tmp_path, parts, scale):
    rng = np.random.default_rng(0)
    arrays = {"v": TETRAHEDRON, "n": rng.normal(size=(4, 3)), "t": rng.uniform(size=(4, 2)), "f": FACES}
    kinds = {"v": np.float32, "n": np.float32, "t": np.float32, "f": np.int32}
    given = [arrays[k].astype(kinds[k]) if k in parts else arrays[k][:0].astype(kinds[k]) for k in "vntf"]
    path = tmp_path / "mesh.msh"
    path.write_bytes(msh_bytes(*given))
    mesh = Mesh.from_file(path, scale=[float(x) for x in scale.split()])
    assert_equal(compile_file(path, f'scale="{scale}"'), mesh)


def test_a_faulty_msh():
    none = np.empty((0, 3), np.float32)
    good = msh_bytes(TETRAHEDRON, none, none, FACES)
    for data, message in (
        (b"", "too short"),
        (good + b"1", "wrong size"),
        (msh_bytes(TETRAHEDRON[:3], none, none, FACES), "invalid sizes: 3 vertices"),
        (msh_bytes(TETRAHEDRON, TETRAHEDRON[:2], none, FACES), "invalid sizes"),
    ):
        with pytest.raises(MeshError, match=message):
            parse_msh(data)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(MeshError, match=r"no reader .* \.obj, \.stl, \.msh"):
        read_mesh(tmp_path / "mesh.step")
    with pytest.raises(MeshError, match=r"cannot read .*missing\.stl.*No such file"):
        read_mesh(tmp_path / "missing.stl")
    (tmp_path / "empty.obj").write_bytes(b"")
    with pytest.raises(MeshError, match="is empty"):
        read_mesh(tmp_path / "empty.obj")


def test_only_regular_files_of_bounded_size_are_read(tmp_path):
    os.mkfifo(tmp_path / "pipe.obj")
    with pytest.raises(MeshError, match=r"it is a pipe, not a regular file"):
        Mesh.from_file(tmp_path / "pipe.obj")
    (tmp_path / "endless.stl").symlink_to("/dev/zero")
    with pytest.raises(MeshError, match=r"it is a device, not a regular file"):
        Mesh.from_file(tmp_path / "endless.stl")
    (tmp_path / "large.obj").write_bytes(b"v 0 0 0\n" * 10)
    with pytest.raises(MeshError, match=r"it has 80 bytes; the limit is file_bytes=79"):
        read_mesh(tmp_path / "large.obj", most=79)


def test_a_square_is_cut_along_its_shorter_diagonal():
    assert triangulate(np.array([[0, 0, 0], [3, 0, 0], [1, 1, 0], [0, 3, 0]], np.float32)) == [(0, 1, 2), (0, 2, 3)]
    assert triangulate(np.array([[0, 0, 0], [1, 0, 0], [3, 3, 0], [0, 1, 0]], np.float32)) == [(0, 1, 3), (1, 2, 3)]
