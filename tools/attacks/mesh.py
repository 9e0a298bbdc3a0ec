"""Attack on the readers of meshes that other packages help with: COLLADA, glTF and PLY; and STL text.

Whatever a file holds, loading a model with it gives a Model or one of our own errors, in bounded time and memory.
"""

# ruff: noqa: E501 : a scene is easier to read in few lines

from __future__ import annotations

import base64
import json
import random
import struct
import zlib
from typing import Any, NamedTuple

import numpy as np

import phalanx
from tools.attack_damage import damaged_bytes, damaged_text
from tools.attack_worker import LONGEST, attack_with, work
from tools.attack_worker import finding as found_with

POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "<f4")
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], "<u2")
DAE = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="t"><lambert><diffuse><color>1 0 0 1</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common><accessor source="#a" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="3" material="m"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 1 2 3</p></triangles><polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3</vcount><p>2 0 3</p></polylist>
<polygons count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></polygons><lines count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1</p></lines></mesh></geometry></library_geometries>
<library_nodes><node id="n"><instance_geometry url="#g"/></node></library_nodes>
<library_visual_scenes><visual_scene id="s"><node><translate>100 0 0</translate><rotate>0 0 1 45</rotate><scale>1 2 1</scale><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="m" target="#m"/></technique_common></bind_material></instance_geometry><instance_node url="#n"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""
STL = "solid s\n" + "".join(
    "facet normal 0 0 1\n outer loop\n" + "".join(f"  vertex {' '.join(map(str, POINTS[k].tolist()))}\n" for k in face) + " endloop\nendfacet\n"
    for face in FACES.tolist()
) + "endsolid s\n"  # fmt: skip
PLY = (
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\n"
    "property list uchar int vertex_indices\nend_header\n"
    + "".join(" ".join(map(str, point)) + "\n" for point in POINTS.tolist())
    + "".join("3 " + " ".join(map(str, face)) + "\n" for face in FACES.tolist())
)
#: The same in binary.
BINARY_PLY = (
    PLY.partition("end_header\n")[0].replace("ascii", "binary_little_endian").encode()
    + b"end_header\n"
    + POINTS.tobytes()
    + b"".join(b"\3" + face.astype("<i4").tobytes() for face in FACES)
)
#: Numbers where programs go wrong.
ODD = (
    0,
    1,
    -1,
    2,
    3,
    7,
    2**31,
    -(2**31),
    2**62,
    10**30,
    0.5,
    1e308,
    -1e308,
    1e-320,
    "",
    "x",
    None,
    True,
    [],
    {},
    [0],
    5121,
    5126,
)


class Case(NamedTuple):
    """A mesh file, and what was done to it."""

    name: str
    data: bytes
    what: str


def gltf() -> dict[str, Any]:
    """A glTF scene with two nodes, without its numbers."""
    return {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "children": [1], "translation": [1, 0, 0], "rotation": [0, 0, 0, 1]},
                  {"mesh": 0, "scale": [1, 2, 1], "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 4, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "max": [1, 1, 1], "min": [0, 0, 0]},
                      {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
        "buffers": [{"byteLength": 72}],
    }  # fmt: skip


def _gltf_text(scene: dict[str, Any]) -> bytes:
    """A scene whose numbers are in the text."""
    numbers = POINTS.tobytes() + FACES.tobytes()
    buffers = scene.get("buffers")
    if isinstance(buffers, list) and buffers and isinstance(buffers[0], dict):
        buffers[0].setdefault("uri", "data:application/octet-stream;base64," + base64.b64encode(numbers).decode())
    return json.dumps(scene).encode()


def _glb(scene: dict[str, Any]) -> bytes:
    """A scene as binary glTF."""
    text = json.dumps(scene).encode()
    text += b" " * (-len(text) % 4)
    numbers = POINTS.tobytes() + FACES.tobytes()
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(numbers), b"BIN\0") + numbers
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def _changed(value: Any, rng: random.Random, chance: float) -> Any:
    """JSON with some values exchanged, left out or repeated."""
    if rng.random() < chance:
        return rng.choice(ODD)
    if isinstance(value, dict):
        kept = {name: _changed(inner, rng, chance) for name, inner in value.items() if rng.random() > chance / 2}
        return kept
    if isinstance(value, list):
        items = [_changed(inner, rng, chance) for inner in value]
        return items * 2 if rng.random() < chance / 2 else items
    return value


def scene_case(rng: random.Random) -> Case:
    """A damaged glTF scene: its values, or its bytes."""
    is_binary = rng.random() < 0.5
    scene = gltf() if rng.random() < 0.3 else _changed(gltf(), rng, 0.02)
    scene = scene if isinstance(scene, dict) else {"buffers": scene}
    data = _glb(scene) if is_binary else _gltf_text(scene)
    if rng.random() < 0.4:
        data = damaged_bytes(data, rng)
    return Case("a.glb" if is_binary else "a.gltf", data, f"damaged glTF {zlib.crc32(data)}")


def text_case(rng: random.Random) -> Case:
    """A damaged COLLADA file, STL text or PLY file."""
    name, text = rng.choice((("a.dae", DAE), ("a.dae", DAE), ("a.dae", DAE), ("a.stl", STL), ("a.ply", PLY)))
    if name == "a.ply" and rng.random() < 0.5:
        data = damaged_bytes(BINARY_PLY, rng)
        return Case(name, data, f"damaged {name} {zlib.crc32(data)}")
    data = (
        damaged_text(text, rng).encode("utf-8", "replace") if rng.random() < 0.7 else damaged_bytes(text.encode(), rng)
    )
    return Case(name, data, f"damaged {name} {zlib.crc32(data)}")


def greedy_case(rng: random.Random) -> Case:
    """A small file that asks for much."""
    n = rng.choice((100, 1000, 20_000))
    kind = rng.randrange(6)
    if kind == 0:
        data = DAE.replace("<translate>100", "<node>" * n + "<translate>100").replace(
            "</node></visual_scene>", "</node>" * (n + 1) + "</visual_scene>"
        )
        return Case("a.dae", data.encode(), f"{n} COLLADA nodes in each other")
    if kind == 1:
        return Case(
            "a.dae",
            DAE.replace('<instance_node url="#n"/>', '<instance_node url="#n"/>' * n).encode(),
            f"{n} copies of a node",
        )
    if kind == 2:
        nodes = "".join(f'<node id="n{k}">' + f'<instance_node url="#n{k + 1}"/>' * 10 + "</node>" for k in range(12))
        text = DAE.replace(
            "<library_nodes>", f'<library_nodes>{nodes}<node id="n12"><instance_geometry url="#g"/></node>'
        )
        return Case("a.dae", text.replace('url="#n"/>', 'url="#n0"/>').encode(), "copies of copies of a node")
    if kind == 3:
        scene = gltf()
        scene["nodes"] = [{"children": [k + 1, k + 1]} for k in range(n)] + [{"mesh": 0}]
        return Case("a.glb", _glb(scene), f"{n} glTF nodes in each other, twice")
    if kind == 4:
        scene = gltf()
        scene["accessors"][1]["count"] = scene["accessors"][0]["count"] = rng.choice((10**6, 10**9, 2**40))
        return Case("a.gltf", _gltf_text(scene), "an accessor with many elements")
    return Case("a.stl", ("solid\n" + "facet normal 0 0 0\nouter loop\n" * n).encode(), f"{n} facets in each other")


def sound_files() -> dict[str, bytes]:
    """A file of each kind, without damage; PLY as text and as binary."""
    return {
        "a.dae": DAE.encode(), "a.stl": STL.encode(), "a.glb": _glb(gltf()), "a.gltf": _gltf_text(gltf()),
        "a.ply": PLY.encode(), "b.ply": BINARY_PLY,
    }  # fmt: skip


def case_of(number: int) -> Case:
    """The case with a number."""
    rng = random.Random(number)
    kind = rng.random()
    if kind < 0.5:
        return scene_case(rng)
    return text_case(rng) if kind < 0.98 else greedy_case(rng)


def read(case: Case) -> None:
    """Load a model with the mesh, in both languages that can name one."""
    text = f'<mujoco><asset><mesh name="m" file="{case.name}" inertia="shell"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    phalanx.Model.from_xml_string(text, {case.name: case.data})
    robot = f'<robot><link name="a"><collision><geometry><mesh filename="{case.name}"/></geometry></collision></link></robot>'
    phalanx.Spec.from_urdf(robot, assets={case.name: case.data}).compile()


def finding(case: Case, seconds: float = LONGEST) -> str:
    """What is wrong with how a case is treated, "" if nothing is."""
    return found_with(case.what, lambda: read(case), seconds)


def attack(seed: int, seconds: float) -> list[str]:
    """Read damaged and greedy meshes for some seconds; everything that was found, one line each."""
    return attack_with("mesh", seed, seconds)


if __name__ == "__main__":
    work(lambda number: finding(case_of(number)))
