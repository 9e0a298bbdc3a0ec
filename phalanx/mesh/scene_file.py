"""Scenes as one mesh: COLLADA by pycollada, glTF and PLY by trimesh, which the extra `phalanx[meshes]` installs.

All triangles of a scene count, each where its node puts it. Lengths of COLLADA are taken in meters; its up axis is
ignored, as in the programs of ROS. Colors and pictures of a scene are left out.
"""

from __future__ import annotations

import io
import json
import re
import warnings
from typing import Any

import numpy as np

from phalanx.memory.errors import MissingPackageError
from phalanx.mesh.errors import MeshError
from phalanx.mesh.mesh_source import MeshSource

#: A scene has no more parts.
MOST_PARTS = 10_000
#: Which materials the parts of a shape have.
_MATERIALS = re.compile(rb"<bind_material\b.*?</bind_material\s*>", re.DOTALL)


def parse_dae(data: bytes, name: str = "DAE") -> MeshSource:
    """Read COLLADA."""
    try:
        import collada
    except ImportError:
        raise _missing(name) from None
    # entities could expand to any size
    if b"<!ENTITY" in data or b"<!DOCTYPE" in data:
        raise MeshError(f"COLLADA file {name!r} declares entities, which are not read")
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            # shapes with a broken material would be left out, and materials do not matter here
            shapes = _MATERIALS.sub(b"", data)
            document = collada.Collada(io.BytesIO(shapes), ignore=[collada.common.DaeError])
            scale = document.assetInfo.unitmeter or 1.0
            parts = [] if document.scene is None else list(_triangles(document.scene))
        except MemoryError:
            raise
        except Exception as error:
            raise MeshError(f"COLLADA file {name!r} cannot be read: {_reason(error)}") from None
    return _joined(name, [(points * scale, faces) for points, faces in parts])


def _triangles(scene: Any) -> Any:
    """Points and triangles of each part of a COLLADA scene, in its frame; lines are no shapes."""
    # nodes may be copies of nodes that are full of copies
    count = 0
    for geometry in scene.objects("geometry"):
        count += 1
        for part in geometry.primitives():
            count += 1
            if count > MOST_PARTS:
                raise MeshError(f"the scene has more than {MOST_PARTS} parts")
            part = part.triangleset() if hasattr(part, "triangleset") else part
            if getattr(part, "vertex", None) is not None and np.shape(part.vertex_index)[1:] == (3,):
                yield np.asarray(part.vertex, np.float64), np.asarray(part.vertex_index)


def parse_glb(data: bytes, name: str = "GLB") -> MeshSource:
    """Read binary glTF."""
    return _parse_scene(data, name, "glTF", "glb")


def parse_ply(data: bytes, name: str = "PLY") -> MeshSource:
    """Read PLY, text or binary."""
    return _parse_scene(data, name, "PLY", "ply")


def parse_gltf(data: bytes, name: str = "glTF") -> MeshSource:
    """Read glTF whose buffers are in the file itself."""
    try:
        buffers = json.loads(data).get("buffers", [])
        outside = [buffer["uri"] for buffer in buffers if not buffer["uri"].startswith("data:")]
    except (ValueError, AttributeError, TypeError, KeyError):
        raise MeshError(f"glTF file {name!r} is no JSON text with buffers") from None
    if outside:
        raise MeshError(f"glTF file {name!r} has its numbers in {outside[0]!r}: save it as one file, .glb")
    return _parse_scene(data, name, "glTF", "gltf")


def _parse_scene(data: bytes, name: str, language: str, kind: str) -> MeshSource:
    """Read a format of trimesh."""
    try:
        import trimesh
    except ImportError:
        raise _missing(name) from None
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            scene = trimesh.load_scene(io.BytesIO(data), file_type=kind, process=False)
            parts = [
                (trimesh.transform_points(scene.geometry[mesh].vertices, frame), np.asarray(scene.geometry[mesh].faces))
                for frame, mesh in (scene.graph[node] for node in scene.graph.nodes_geometry)
                if hasattr(scene.geometry[mesh], "faces")
            ]
        except MemoryError:
            raise
        except Exception as error:
            raise MeshError(f"{language} file {name!r} cannot be read: {_reason(error)}") from None
    return _joined(name, parts)


def _joined(name: str, parts: list[tuple[np.ndarray, np.ndarray]]) -> MeshSource:
    """Several parts as one mesh."""
    parts = [(points, faces) for points, faces in parts if len(faces)]
    if not parts:
        raise MeshError(f"scene {name!r} has no triangles")
    starts = np.cumsum([0, *(len(points) for points, _ in parts)])
    with np.errstate(over="ignore"):  # a value that is too large for single precision is refused as not finite
        vertices = np.concatenate([points for points, _ in parts]).astype(np.float32)
    faces = np.concatenate([faces + start for (_, faces), start in zip(parts, starts, strict=False)])
    if faces.min() < 0 or faces.max() >= len(vertices):
        raise MeshError(f"scene {name!r} has a triangle with a vertex that does not exist")
    return MeshSource(vertices, faces.astype(np.int32))


def _missing(name: str) -> MissingPackageError:
    return MissingPackageError(f"{name}: meshes of this format need an extra: pip install 'phalanx[meshes]'")


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
