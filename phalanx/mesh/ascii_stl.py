"""STL files that are text: triangles as `vertex x y z` between `facet` and `endfacet`."""

from __future__ import annotations

import re
import struct

import numpy as np

from phalanx.mesh.errors import MeshError

#: Bytes of a binary file before its first triangle, and of a triangle.
_HEADER, _TRIANGLE = 84, 50
_FACET = re.compile(rb"\bfacet\b", re.IGNORECASE)
_END = re.compile(rb"\bendfacet\b", re.IGNORECASE)
_VERTEX = re.compile(rb"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)", re.IGNORECASE)


def is_ascii_stl(data: bytes) -> bool:
    """Is an STL file text? Binary files may begin with `solid` too, but have the length that their header says."""
    if data[:5].lower() != b"solid" or not _FACET.search(data, 0, 4096):
        return False
    if len(data) < _HEADER:
        return True
    (count,) = struct.unpack_from("<i", data, _HEADER - 4)
    return bool(len(data) != _HEADER + _TRIANGLE * count)


def ascii_faces(data: bytes) -> int:
    """How many triangles a text has."""
    return sum(1 for _ in _END.finditer(data))


def ascii_corners(data: bytes, name: str) -> np.ndarray:
    """Corners of all triangles, (3 n, 3) float32."""
    faces = ascii_faces(data)
    words = [word for match in _VERTEX.finditer(data) for word in match.groups()]
    if not faces or len(words) != 9 * faces:
        raise MeshError(
            f"ASCII STL file {name!r} has {len(words) // 3} vertices in {faces} triangles, not three in each"
        )
    try:
        corners = np.array([float(word) for word in words], np.float64)
    except ValueError as error:
        raise MeshError(f"ASCII STL file {name!r}: {error}") from None
    with np.errstate(over="ignore"):
        return corners.astype(np.float32).reshape(-1, 3)
