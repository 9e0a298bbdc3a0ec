"""COLLADA, glTF and STL text as meshes."""

# ruff: noqa: E501 : a file is easier to read in few lines

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from phalanx import MissingPackageError
from phalanx.mesh import MeshError
from phalanx.mesh.read import READERS, counts_of, parse_stl
from phalanx.mesh.scene_file import parse_dae, parse_glb, parse_gltf

POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], np.int32)

DAE = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="12">{points}</float_array>
<technique_common><accessor source="#a" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4" material="m"><input semantic="VERTEX" source="#v" offset="0"/><p>{faces}</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><translate>100 0 0</translate><instance_geometry url="#g">
<bind_material><technique_common><instance_material symbol="m" target="#gone"/></technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def dae() -> bytes:
    points, faces = (" ".join(map(str, array.ravel())) for array in (POINTS, FACES))
    return DAE.format(points=points, faces=faces).encode()


def test_collada_is_in_meters_and_where_its_nodes_put_it():
    mesh = parse_dae(dae())
    np.testing.assert_allclose(mesh.vertices, 0.01 * (POINTS + [100, 0, 0]), rtol=1e-6)
    assert np.array_equal(mesh.faces, FACES)


def glb() -> bytes:
    trimesh = pytest.importorskip("trimesh")
    scene = trimesh.Scene()
    for shift in (0.0, 5.0):
        mesh = trimesh.Trimesh(POINTS, FACES, process=False)
        scene.add_geometry(mesh, transform=trimesh.transformations.translation_matrix([shift, 0, 0]))
    return scene.export(file_type="glb")


def test_all_nodes_of_a_gltf_scene_are_taken():
    mesh = parse_glb(glb())
    assert (len(mesh.vertices), len(mesh.faces)) == (8, 8)
    assert np.ptp(mesh.vertices[:, 0]) == 6


PLY = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n"


@pytest.mark.parametrize("is_binary", [False, True])
def test_ply_is_text_or_binary(is_binary):
    pytest.importorskip("trimesh")
    data = "\n".join([*(" ".join(map(str, p)) for p in POINTS), *("3 " + " ".join(map(str, f)) for f in FACES), ""])
    text = (PLY + data).encode()
    if is_binary:
        corners = b"".join(b"\3" + np.array(face, "<i4").tobytes() for face in FACES)
        text = PLY.replace("ascii", "binary_little_endian").encode() + np.array(POINTS, "<f4").tobytes() + corners
    mesh = READERS[".ply"](text, "m.ply")
    assert np.array_equal(mesh.vertices, POINTS) and np.array_equal(mesh.faces, FACES)


def test_gltf_reads_no_other_files():
    with pytest.raises(MeshError, match=r"save it as one file, \.glb"):
        parse_gltf(json.dumps({"buffers": [{"uri": "secret.bin", "byteLength": 3}]}).encode(), "m.gltf")


TEXT = "solid s\n" + "".join(
    "facet normal 0 0 1\nouter loop\n" + "".join(f"vertex {x:e} {y:e} {z:e}\n" for x, y, z in POINTS[face]) + "endloop\nendfacet\n"
    for face in FACES
) + "endsolid s\n"  # fmt: skip


def test_stl_may_be_text():
    mesh = parse_stl(TEXT.encode())
    assert len(mesh.vertices) == 4
    assert np.array_equal(mesh.vertices[mesh.faces], POINTS[FACES])
    assert counts_of(TEXT.encode(), ".stl") == (0, 4)


DAMAGED = {
    "not xml": (".dae", b"<COLLADA"),
    "entities": (".dae", b'<!DOCTYPE x [<!ENTITY e "x">]><COLLADA/>'),
    "no scene": (".dae", dae().replace(b'<scene><instance_visual_scene url="#s"/></scene>', b"")),
    "wrong index": (".dae", dae().replace(b"<p>0 2 1", b"<p>0 2 9")),
    "cut": (".glb", glb()[:100]),
    "empty": (".glb", b"glTF"),
    "no json": (".gltf", b"{"),
    "no buffers": (".gltf", b"[]"),
    "half": (".ply", PLY.encode()),
    "two vertices": (".stl", TEXT.replace("vertex 0", "vrtx 0", 1).encode()),
    "words": (".stl", TEXT.replace("vertex 1.0", "vertex one", 1).encode()),
    "no triangles": (".stl", b"solid s\nfacet\nendsolid s\n"),
}


def test_copies_of_copies_are_bounded():
    nodes = "".join(f'<node id="n{k}">' + f'<instance_node url="#n{k + 1}"/>' * 10 + "</node>" for k in range(9))
    last = '<node id="n9"><instance_geometry url="#g"/></node>'
    text = (
        dae()
        .decode()
        .replace("<library_visual_scenes>", f"<library_nodes>{nodes}{last}</library_nodes><library_visual_scenes>")
    )
    text = text.replace("<node><translate>", '<node><instance_node url="#n0"/><translate>')
    with pytest.raises(MeshError, match="more than 10000 parts"):
        parse_dae(text.encode())


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files_are_refused(name):
    ending, data = DAMAGED[name]
    with pytest.raises(MeshError):
        READERS[ending](data, name)


@pytest.mark.parametrize(
    ("package", "read"), [("collada", lambda: parse_dae(dae())), ("trimesh", lambda: parse_glb(b""))]
)
def test_without_the_package_the_extra_is_named(package, read, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPackageError, match=r"phalanx\[meshes\]"):
        read()
