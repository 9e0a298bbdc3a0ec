"""GMSH files of versions 2.2 and 4.1, text or binary: one block of nodes, one kind of element.

Triangles and tetrahedra of the first order; other sections of the file are passed over.
"""

from __future__ import annotations

import re
import struct

import numpy as np

from phalanx.compiler.text.errors import ElementProblem, quoted

#: Type of an element in GMSH -> its dimension.
_DIMENSIONS = {2: 2, 4: 3}
_HEADER_41 = struct.Struct("<4Q3iQ")

#: Points, elements and their dimension.
Contents = tuple[np.ndarray, np.ndarray, int]


def read_gmsh(data: bytes, name: str) -> Contents:
    """Points (n, 3), elements (m, dim + 1) with points counted from zero, and their dimension.

    Raises:
        ElementProblem: the file is damaged, or holds what is not supported.
    """
    try:
        return _read(data)
    except (_Damaged, struct.error, ValueError, OverflowError) as problem:
        reason = str(problem) if isinstance(problem, _Damaged) else "it is damaged"
        raise ElementProblem(f"GMSH file {quoted(name)}: {reason}", "file") from None


class _Damaged(Exception):
    """What is wrong with a file."""


def _read(data: bytes) -> Contents:
    if not data.startswith(b"$MeshFormat"):
        raise _Damaged("it must begin with $MeshFormat")
    words = data[11:200].split()
    if len(words) < 2:
        raise _Damaged("it has no header")
    version, is_binary = round(100 * float(words[0])), int(words[1]) != 0
    readers = {(220, False): _read_text_22, (220, True): _read_binary_22, (410, False): _read_text_41,
               (410, True): _read_binary_41}  # fmt: skip
    if (version, is_binary) not in readers:
        raise _Damaged("only versions 4.1 and 2.2 are supported")
    points, elements, dim = readers[version, is_binary](_section(data, b"Nodes"), _section(data, b"Elements"))
    if not np.isfinite(points).all():
        raise _Damaged("a node is not finite")
    return points, elements, dim


def _section(data: bytes, name: bytes) -> bytes:
    """What is between $Name and $EndName, after the end of the line."""
    start, end = data.find(b"$" + name), data.find(b"$End" + name)
    if start < 0:
        raise _Damaged(f"${name.decode()} is missing")
    start += len(name) + 2
    if end < start:
        raise _Damaged(f"$End{name.decode()} is missing after ${name.decode()}")
    return data[start:end]


def _words(section: bytes) -> list[bytes]:
    return section.split()


def _checked(elements: np.ndarray, count: int) -> np.ndarray:
    if elements.size and not (elements.min() >= 0 and elements.max() < count):
        raise _Damaged("an element has a node that does not exist")
    return elements


# --- version 4.1


def _check_41(nodes: tuple[int, ...], elements: tuple[int, ...] | None = None) -> int:
    """Check the headers; the dimension."""
    blocks, count, _, _, dim, _, _, inside = nodes
    if blocks != 1 or count != inside:
        raise _Damaged("all nodes must be in one block")
    if not 2 <= dim <= 3:
        raise _Damaged("nodes must belong to a surface or a volume")
    if elements is not None:
        blocks, count, _, _, entity, _, kind, inside = elements
        if blocks != 1 or count != inside:
            raise _Damaged("all elements must be in one block")
        if entity != dim:
            raise _Damaged("nodes and elements have different dimensions")
        if _DIMENSIONS.get(kind) != dim:
            raise _Damaged("the type of the elements does not fit their dimension")
    return dim


def _read_text_41(nodes: bytes, elements: bytes) -> Contents:
    words = _words(nodes)
    header = tuple(map(int, words[:8]))
    if len(header) < 8:
        raise _Damaged("the header of the nodes is too short")
    _check_41(header)
    count, lowest = header[1], header[2]
    if header[3] != header[7]:
        raise _Damaged("the highest node must be as high as there are nodes")
    tags = np.array(words[8 : 8 + count], np.int64)
    points = np.array(words[8 + count : 8 + 4 * count], float)
    if len(tags) < count or len(points) < 3 * count:
        raise _Damaged("nodes are missing")
    if not np.array_equal(tags, np.arange(lowest, lowest + count)):
        raise _Damaged("nodes must be numbered one after another")
    words = _words(elements)
    second = tuple(map(int, words[:8]))
    if len(second) < 8:
        raise _Damaged("the header of the elements is too short")
    dim = _check_41(header, second)
    rows = np.array(words[8 : 8 + second[1] * (dim + 2)], np.int64)
    if len(rows) < second[1] * (dim + 2):
        raise _Damaged("elements are missing")
    return points.reshape(-1, 3), _checked(rows.reshape(-1, dim + 2)[:, 1:] - lowest, count), dim


def _read_binary_41(nodes: bytes, elements: bytes) -> Contents:
    header = _HEADER_41.unpack_from(nodes)
    _check_41(header)
    count, lowest = header[1], header[2]
    size = _HEADER_41.size
    if len(nodes) < size + 32 * count:
        raise _Damaged("nodes are missing")
    tags = np.frombuffer(nodes, "<u8", count, size)
    if not np.array_equal(tags, np.arange(lowest, lowest + count, dtype=np.uint64)):
        raise _Damaged("nodes must be numbered one after another")
    points = np.frombuffer(nodes, "<f8", 3 * count, size + 8 * count)
    second = _HEADER_41.unpack_from(elements)
    dim = _check_41(header, second)
    if len(elements) < size + 8 * (dim + 2) * second[1]:
        raise _Damaged("elements are missing")
    rows = np.frombuffer(elements, "<i8", (dim + 2) * second[1], size).reshape(-1, dim + 2)
    return points.reshape(-1, 3).astype(float), _checked(rows[:, 1:] - lowest, count), dim


# --- version 2.2


def _count_22(section: bytes, what: str) -> tuple[int, int]:
    """How many rows there are, and where they begin."""
    found = re.match(rb"\s*(\d{1,10})\r?\n?", section)
    if found is None:
        raise _Damaged(f"the number of {what} is missing")
    return int(found.group(1)), found.end()


def _dimension_22(kind: int) -> int:
    if kind not in (2, 4):
        raise _Damaged("only triangles and tetrahedra are supported in version 2.2")
    return _DIMENSIONS[kind]


def _read_text_22(nodes: bytes, elements: bytes) -> Contents:
    words = _words(nodes)
    count, _ = _count_22(nodes, "nodes")
    points = np.array(words[1 : 1 + 4 * count], float)
    if len(points) < 4 * count:
        raise _Damaged("nodes are missing")
    words = _words(elements)
    number, _ = _count_22(elements, "elements")
    if len(words) < 4:
        raise _Damaged("elements are missing")
    dim = _dimension_22(int(words[2]))
    found, at = [], 1
    for _ in range(number):
        # number, type, count of tags; two tags if there are some, then the nodes
        at += 3 + (2 if int(words[at + 2] if at + 2 < len(words) else b"x") > 0 else 0)
        row = words[at : at + dim + 1]
        if len(row) <= dim:
            raise _Damaged("elements are missing")
        found.append([int(word) - 1 for word in row])
        at += dim + 1
    rows = np.array(found, np.int64).reshape(-1, dim + 1)
    return points.reshape(-1, 4)[:, 1:], _checked(rows, count), dim


def _read_binary_22(nodes: bytes, elements: bytes) -> Contents:
    count, start = _count_22(nodes, "nodes")
    if len(nodes) < start + 28 * count:
        raise _Damaged("nodes are missing")
    kind = np.dtype([("tag", "<i4"), ("place", "<f8", 3)])
    points = np.frombuffer(nodes, kind, count, start)["place"].astype(float)
    number, start = _count_22(elements, "elements")
    first, _, tags = struct.unpack_from("<3i", elements, start)
    dim = _dimension_22(first)
    if tags > 0:
        # a header before each element: type, one element, two tags
        width = 6 + dim + 1
        rows = np.frombuffer(elements, "<i4", number * width, start).reshape(-1, width)[:, 6:]
    else:
        width = 1 + dim + 1
        rows = np.frombuffer(elements, "<i4", number * width, start + 12).reshape(-1, width)[:, 1:]
    return points, _checked(rows.astype(np.int64) - 1, count), dim
