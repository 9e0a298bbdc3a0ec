"""Meshes that were processed before: in memory, and on disk for other processes; other arrays can be kept there too.

Hulls, polygons, inertia, normals and trees of boxes depend on the bytes of a file, on a few options and on the code of
this package; the hash of all three is the key. An entry is one file with the arrays as they are in memory, and a seal
(`native/seal.py`). It appears whole or not at all; one that is damaged counts as not there, and is written anew. The
oldest entries are deleted when all of them together become too large.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import os
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from phalanx.mesh.bvh import Bvh
from phalanx.mesh.hull import Hull
from phalanx.mesh.inertia import MassProperties
from phalanx.mesh.mesh import Mesh
from phalanx.mesh.octree import Octree
from phalanx.mesh.polygons import Polygons
from phalanx.mesh.read import MeshSource
from phalanx.native.cache import open_folder, root_folder
from phalanx.native.errors import CacheError, DamagedFileError
from phalanx.native.notice import say
from phalanx.native.seal import read_sealed, sealed

#: Set to 0 to keep no meshes on disk.
MESH_CACHE_VARIABLE = "PHALANX_MESH_CACHE"
#: Bytes of all entries on disk; meshes in memory, and bytes of all of them.
LARGEST, MOST, LARGEST_IN_MEMORY = 512 * 2**20, 512, 256 * 2**20
#: About how many bytes a mesh takes for each triangle (corners, normals, two boxes of the tree), and for each vertex.
_PER_FACE, _PER_VERTEX = 200, 40

_MAGIC = b"phalanx mesh 2\n\0"
#: What is kept of a mesh -> the class that holds its arrays, None for an array.
_KEPT: dict[str, Any] = {
    "source": MeshSource, "_given_hull": Hull, "mass": MassProperties, "polygons": Polygons, "bvh": Bvh,
    "octree": Octree, "vertices": None, "normals": None, "polygon_normals": None, "extrema": None, "aabb": None,
    "size": None,
}  # fmt: skip

#: Cache of the last meshes that were made; the oldest make room for new ones.
_in_memory: OrderedDict[tuple[str, str], Mesh] = OrderedDict()
#: Cache of what each entry on disk holds, as this process wrote or read it.
_on_disk: dict[str, frozenset[str]] = {}


def key_of(contents: bytes, *options: Any) -> str:
    """What tells a mesh, or something else, from all others: a hash of what it is made from, and how it is made."""
    return hashlib.sha256(repr((contents, _code_version(), options)).encode()).hexdigest()[:40]


@functools.cache
def _code_version() -> str:
    """Hash of the sources of this package, and versions of what it calls."""
    from importlib import metadata  # late: it takes longer to import than a small model to compile

    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return f"{digest.hexdigest()} {metadata.version('numpy')} {metadata.version('scipy')}"


def is_on() -> bool:
    """Are meshes kept on disk?"""
    return os.environ.get(MESH_CACHE_VARIABLE, "1") != "0"


def folder() -> Path:
    """Where meshes are kept: beside the compiled kernels, for all of their versions."""
    return root_folder() / "meshes"


# --- finding and keeping


def find(key: str, name: str, options: tuple[Any, ...]) -> Mesh | None:
    """The mesh with a key, from memory or from disk; `name` and `options` are those of a new Mesh."""
    known = _in_memory.get((key, name))
    if known is not None:
        _in_memory.move_to_end((key, name))
        return known
    try:
        parts = dict(_parts(read_arrays(key)))
        mesh = _restored(parts, name, options)
    except (ValueError, KeyError, TypeError):
        return None
    _on_disk[key] = frozenset(parts)
    remember(key, mesh)
    return mesh


def remember(key: str, mesh: Mesh) -> None:
    """Keep a mesh in memory."""
    _in_memory[key, mesh.name] = mesh
    total = sum(map(_bytes_of, _in_memory.values()))
    # a mesh that is too large by itself is kept until the next one comes
    while len(_in_memory) > 1 and (len(_in_memory) > MOST or total > LARGEST_IN_MEMORY):
        total -= _bytes_of(_in_memory.popitem(last=False)[1])


def _bytes_of(mesh: Mesh) -> int:
    """About how much memory a mesh takes when everything about it was asked."""
    return _PER_FACE * len(mesh.source.faces) + _PER_VERTEX * len(mesh.source.vertices)


def keep(key: str, mesh: Mesh) -> None:
    """Write what has been computed of a mesh to disk, unless it is there already."""
    parts = {name: vars(mesh)[name] for name in _KEPT if name in vars(mesh)}
    if is_on() and not frozenset(parts) <= _on_disk.get(key, frozenset()) and write_arrays(key, _arrays(parts)):
        _on_disk[key] = frozenset(parts)


def _delete_oldest(place: Path) -> None:
    """Delete entries that were not used for longest, until the rest is small enough."""
    entries = []
    for entry in os.scandir(place):
        with suppress(OSError):
            status = entry.stat()
            entries.append((status.st_mtime, status.st_size, entry.path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= LARGEST:
            return
        with suppress(OSError):
            os.unlink(path)
        total -= size


def clear_memory() -> None:
    """Forget the meshes in memory; those on disk stay."""
    _in_memory.clear()
    _on_disk.clear()


# --- files


def read_arrays(key: str) -> dict[str, np.ndarray]:
    """The arrays of an entry on disk.

    Raises:
        KeyError: there is no such entry, or it is damaged.
    """
    if not is_on():
        raise KeyError(key)
    try:
        with open_folder(folder()) as place, place.open(key) as file:
            arrays = _unpack(read_sealed(file, key))
            place.touch(key)
            return arrays
    except CacheError as error:
        _say_once(str(error))
    except (DamagedFileError, ValueError, TypeError) as error:
        say(f"phalanx: {folder() / key}: {error}; what it held is made again")
    except OSError:
        pass
    raise KeyError(key)


def write_arrays(key: str, arrays: Iterable[tuple[str, np.ndarray]]) -> bool:
    """Write an entry, unless arrays are not kept on disk or there is no place; True if it is there now."""
    if not is_on():
        return False
    try:
        with open_folder(folder(), create=True) as place:
            place.write(key, sealed(_pack(arrays), key))
            _delete_oldest(folder())
            return True
    except CacheError as error:
        _say_once(str(error))
    except OSError as error:
        _say_once(f"{folder()} cannot be written ({error.strerror})")
    return False


@functools.cache
def _say_once(reason: str) -> None:
    """Tell why nothing is kept: it costs time, and no more."""
    say(f"phalanx: meshes and textures are not kept on disk: {reason}")


def _pack(arrays: Iterable[tuple[str, np.ndarray]]) -> bytes:
    """Arrays with a header that says what they are."""
    rows, blocks, start = [], [], 0
    for name, array in arrays:
        block = np.ascontiguousarray(array).tobytes()
        block += b"\0" * (-len(block) % 8)
        rows.append((name, array.dtype.str, array.shape, start))
        blocks.append(block)
        start += len(block)
    header = json.dumps(rows).encode()
    header += b" " * (-len(header) % 8)
    body = len(header).to_bytes(8, "little") + header + b"".join(blocks)
    return _MAGIC + body


def _arrays(parts: dict[str, Any]) -> Iterator[tuple[str, np.ndarray]]:
    for name, value in parts.items():
        if _KEPT[name] is None:
            yield name, value
        else:
            yield from ((f"{name}.{row.name}", np.asarray(getattr(value, row.name))) for row in fields(value))


def _unpack(data: bytes) -> dict[str, np.ndarray]:
    """What `_pack` was given.

    Raises:
        ValueError: the file is damaged, or something else.
    """
    body = memoryview(data)[len(_MAGIC) :]
    if not data.startswith(_MAGIC) or len(body) < 8:
        raise ValueError("not an entry of ours")
    length = int.from_bytes(body[:8], "little")
    arrays = {}
    for name, kind, shape, start in json.loads(bytes(body[8 : 8 + length])):
        count = math.prod(shape)
        arrays[name] = np.frombuffer(body, kind, count, 8 + length + start).reshape(shape)
    return arrays


def _parts(arrays: dict[str, np.ndarray]) -> Iterable[tuple[str, Any]]:
    present = {name.partition(".")[0] for name in arrays}
    for name, kind in _KEPT.items():
        if name in present and kind is None:
            yield name, arrays[name]
        elif name in present:
            values = {row.name: arrays[f"{name}.{row.name}"] for row in fields(kind)}
            yield name, kind(**{k: v if v.ndim else v.item() for k, v in values.items()})


def _restored(parts: dict[str, Any], name: str, options: tuple[Any, ...]) -> Mesh:
    """A mesh that was checked when it was made, with what was computed of it."""
    mesh = object.__new__(Mesh)
    given = [row.name for row in fields(Mesh)][1:]
    vars(mesh).update(zip(given, (name, *options), strict=True))
    vars(mesh).update(parts)
    mesh.source, mesh.mass  # noqa: B018 : an entry without them is damaged
    return mesh
