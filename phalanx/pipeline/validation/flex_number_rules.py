"""Numbers of flexes: stiffness, bending and plastic state lie where they are said to be, and those that count or name
something name what the flex has."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phalanx.pipeline.validation.flex_rules import cells_of, faces_of
from phalanx.pipeline.validation.stretches import Broken, Sizes
from phalanx.tables.domain import Arrays
from phalanx.tables.enums import EqType

#: Numbers of an element that resists stretching, by dimension, and its edges; numbers of an edge that resists bending,
#: and of a record of rods or of shells of cells.
_STRETCHING = np.array([0, 0, 21, 24])
_EDGES = np.array([0, 1, 3, 6])
_BENDING, _RECORD = 17, 10
#: Bits of flex_plasticmode.
_BENDS, _STRETCHES = 1, 2
_SIZES = {
    "flex_stiffnessadr": "nflexstiffness",
    "flex_bendingadr": "nflexbending",
    "flex_plasticadr": "nplastic",
}


def flex_numbers(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Where the numbers of a flex begin: all that kernels read of it lies there."""
    needed = {"flex_stiffnessadr": _stiffness, "flex_bendingadr": _bending, "flex_plasticadr": _plastic}[name](arrays)
    top, start = sizes[_SIZES[name]], array.astype(np.int64)
    bad = (start < -1) | ((start >= 0) & (start + np.maximum(needed, 1) > top))
    yield bad, f"its numbers must lie in {_SIZES[name]}, which is {top}, or -1 for none"
    if name == "flex_stiffnessadr":
        # the thickness of what is bent for good is a number of stretching
        bends = (arrays["flex_plasticadr"] >= 0) & ((arrays["flex_plasticmode"] & _BENDS) != 0)
        yield (start < 0) & bends & (arrays["flex_bendingadr"] >= 0), "a flex that is bent for good has a thickness"


def _matrix(arrays: Arrays) -> np.ndarray:
    """Rows of the matrix of a cell, or of a face of a shell."""
    interp = arrays["flex_interp"].astype(np.int64)
    along = np.abs(interp) + 1
    rows: np.ndarray = 3 * along * along * np.where(interp > 0, along, 1)
    return rows


def _parts(arrays: Arrays) -> np.ndarray:
    """Cells of a flex, or faces of a shell."""
    return np.where(arrays["flex_interp"] > 0, cells_of(arrays), faces_of(arrays))


def _stiffness(arrays: Arrays) -> np.ndarray:
    elements = _STRETCHING[arrays["flex_dim"]] * arrays["flex_elemnum"]
    # what asks whether there is any looks at six numbers
    return np.where(arrays["flex_interp"] != 0, _matrix(arrays) ** 2 * _parts(arrays), np.maximum(elements, 6))


def _bending(arrays: Arrays) -> np.ndarray:
    """Edges of surfaces have numbers each; of rods and shells there are at least a count and, of rods, a record."""
    is_surface = (arrays["flex_dim"] == 2) & (arrays["flex_interp"] == 0)
    is_rod = (arrays["flex_dim"] == 1) & (arrays["flex_interp"] == 0)
    return np.where(is_surface, _BENDING * arrays["flex_edgenum"].astype(np.int64), np.where(is_rod, 1 + _RECORD, 1))


def _plastic(arrays: Arrays) -> np.ndarray:
    dim, interp, mode = arrays["flex_dim"], arrays["flex_interp"], arrays["flex_plasticmode"]
    edges = arrays["flex_edgenum"].astype(np.int64)
    of_elements = np.where(mode & _STRETCHES, _EDGES[dim] * arrays["flex_elemnum"], 0) + np.where(
        mode & _BENDS, edges, 0
    )
    of_cells = np.where(mode & _STRETCHES, np.where(interp > 0, 6 * cells_of(arrays), 3 * faces_of(arrays)), 0)
    # frames of the edges of a rod, and twists between them
    of_others = np.where(dim == 1, 7 * edges - 1, of_elements)
    return np.where(interp != 0, of_cells, of_others)


def flex_records(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Records of rods name vertices and joints, those of shells name faces: whole numbers among other numbers."""
    bad = np.zeros(len(array), bool)
    faces = faces_of(arrays)
    for flex, start in enumerate(arrays["flex_bendingadr"].tolist()):
        is_rod = bool(arrays["flex_dim"][flex] == 1 and arrays["flex_interp"][flex] == 0)
        if start < 0 or not (is_rod or arrays["flex_interp"][flex] < 0):
            continue
        count = array[start]
        has_frames = is_rod and arrays["flex_plasticadr"][flex] >= 0
        least, most = (1 if is_rod else 0), (len(array) - start - 1) // _RECORD
        if has_frames:
            least = most = min(int(arrays["flex_edgenum"][flex]) - 1, most)
        if not (least <= count <= most) or count != np.floor(count) or (has_frames and least < 1):
            bad[start] = True
            continue
        records = slice(start + 1, start + 1 + _RECORD * int(count))
        wrong = _wrong_rod(array[records], flex, has_frames, sizes, arrays) if is_rod else _wrong_shell(
            array[records], int(faces[flex])
        )  # fmt: skip
        bad[records] |= wrong.reshape(-1)
    yield bad, "it counts the records of the flex, or names a vertex, a joint or a face of it"


def _wrong_rod(numbers: np.ndarray, flex: int, has_frames: bool, sizes: Sizes, arrays: Arrays) -> np.ndarray:
    records, vertices = numbers.reshape(-1, _RECORD), float(arrays["flex_vertnum"][flex])
    wrong = np.zeros(records.shape, bool)
    wrong[:, :3] = ~_is_among(records[:, :3], 0.0, vertices)
    wrong[:, 3] = ~_is_among(records[:, 3], -1.0, vertices)
    if has_frames:
        wrong[:, 7] = ~_is_among(records[:, 7], -1.0, float(sizes["njnt"]))
    return wrong


def _wrong_shell(numbers: np.ndarray, faces: int) -> np.ndarray:
    records = numbers.reshape(-1, _RECORD)
    wrong = np.zeros(records.shape, bool)
    wrong[:, :2] = ~_is_among(records[:, :2], 0.0, float(faces))
    return wrong


def _is_among(numbers: np.ndarray, low: float, end: float) -> np.ndarray:
    """Whole numbers from `low` on, below `end`."""
    found: np.ndarray = (numbers >= low) & (numbers < end) & (numbers == np.floor(numbers))
    return found


def _strained(arrays: Arrays) -> Iterator[tuple[int, int]]:
    """Equalities that hold the strain of a cell, and their flexes; of one that is none, another rule tells."""
    for equality in np.flatnonzero(arrays["eq_type"] == EqType.FLEXSTRAIN).tolist():
        flex = int(arrays["eq_obj1id"][equality])
        if 0 <= flex < len(arrays["flex_dim"]):
            yield equality, flex


def strain_modes(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """The first number of each cell whose strain is held counts the modes that follow it."""
    bad = np.zeros(len(array), bool)
    for flex in sorted({flex for _, flex in _strained(arrays)}):
        start = int(arrays["flex_stiffnessadr"][flex])
        if start >= 0:
            rows = int(_matrix(arrays)[flex])
            places = start + rows * rows * np.arange(int(_parts(arrays)[flex]))
            bad[places] = ~_is_among(array[places], 0.0, float(rows))
    yield bad, "it counts modes of strain, fewer than the numbers of a cell"


def strain_cells(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """The cell whose strain an equality holds: its place in the grid of cells of the flex, or a face of the shell."""
    bad = np.zeros(array.shape, bool)
    for equality, flex in _strained(arrays):
        interp = int(arrays["flex_interp"][flex])
        if interp < 0:
            bad[equality, 0] = not _is_among(array[equality, :1], 0.0, float(faces_of(arrays)[flex])).all()
        elif interp > 0:
            bad[equality, :3] = ~_is_among(array[equality, :3], 0.0, arrays["flex_cellnum"][flex].astype(float))
        else:
            bad[equality, :3] = True
    yield bad, "it must be the place of a cell of the flex, which is interpolated"
