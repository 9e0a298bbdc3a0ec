"""GLB: a textured surface as a binary glTF file, which browsers read."""

from __future__ import annotations

import io
import json
import struct
from typing import Any

import numpy as np

from phalanx.scene.surface import Surface

#: Numbers of the file format: types of elements, uses of buffers, the two chunks.
FLOAT, UNSIGNED_INT = 5126, 5125
VERTICES, INDICES = 34962, 34963
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942
MAGIC, VERSION = 0x46546C67, 2
#: How rough a surface is; MuJoCo's materials have no such number.
ROUGHNESS = 0.7


def glb_of(surface: Surface, texture: np.ndarray, rgba: tuple[float, float, float, float]) -> bytes:
    """A surface with a texture (height, width, channels) that is multiplied with a color."""
    assert surface.texcoords is not None, "a texture needs coordinates"
    picture = _png(texture)
    blocks = [
        np.ascontiguousarray(surface.vertices, np.float32).tobytes(),
        np.ascontiguousarray(surface.normals, np.float32).tobytes(),
        np.ascontiguousarray(surface.texcoords, np.float32).tobytes(),
        np.ascontiguousarray(surface.faces, np.uint32).tobytes(),
        picture,
    ]
    views, binary = [], b""
    for block, target in zip(blocks, (VERTICES, VERTICES, VERTICES, INDICES, None), strict=True):
        binary += bytes(-len(binary) % 4)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(binary), "byteLength": len(block)}
        views.append(view if target is None else {**view, "target": target})
        binary += block
    return _file(_description(surface, views, len(binary), rgba), binary)


def _description(surface: Surface, views: list[Any], length: int, rgba: tuple[float, ...]) -> dict[str, Any]:
    """What the file says about its contents."""
    count = len(surface.vertices)
    attributes = {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2}
    material = {
        "pbrMetallicRoughness": {
            "baseColorFactor": list(rgba),
            "baseColorTexture": {"index": 0},
            "metallicFactor": 0.0,
            "roughnessFactor": ROUGHNESS,
        },
        "alphaMode": "OPAQUE" if rgba[3] >= 1 else "BLEND",
    }
    # one mesh in one scene; accessors say how the buffer is read
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": 3, "material": 0}]}],
        "materials": [material],
        "textures": [{"source": 0}],
        "images": [{"bufferView": 4, "mimeType": "image/png"}],
        "accessors": [
            {
                "bufferView": 0, "componentType": FLOAT, "count": count, "type": "VEC3",
                "min": surface.vertices.min(axis=0).tolist(), "max": surface.vertices.max(axis=0).tolist(),
            },
            {"bufferView": 1, "componentType": FLOAT, "count": count, "type": "VEC3"},
            {"bufferView": 2, "componentType": FLOAT, "count": count, "type": "VEC2"},
            {"bufferView": 3, "componentType": UNSIGNED_INT, "count": surface.faces.size, "type": "SCALAR"},
        ],
        "bufferViews": views,
        "buffers": [{"byteLength": length}],
    }  # fmt: skip


def _file(description: dict[str, Any], binary: bytes) -> bytes:
    """The two chunks, each padded to four bytes, behind the head of the file."""
    text = json.dumps(description, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    binary += bytes(-len(binary) % 4)
    chunks = struct.pack("<II", len(text), JSON_CHUNK) + text + struct.pack("<II", len(binary), BINARY_CHUNK) + binary
    return struct.pack("<III", MAGIC, VERSION, 12 + len(chunks)) + chunks


def _png(texture: np.ndarray) -> bytes:
    """A texture as a picture file; one channel is gray."""
    from PIL import Image

    content = io.BytesIO()
    Image.fromarray(texture[..., 0] if texture.shape[2] == 1 else texture).save(content, "png")
    return content.getvalue()
