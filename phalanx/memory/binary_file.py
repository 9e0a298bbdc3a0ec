"""MuJoCo's binary model file (.mjb), read and written without MuJoCo.

The layout derives from the rows of the Model, see `tables/mujoco_binary.py`. Nothing of a file is believed: how long it
must be follows from its sizes, and is compared with how long it is before memory is taken. What its integers mean is
checked above, by whoever makes a Model of it.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from phalanx.algebra.number_type import NumberType
from phalanx.memory.errors import ModelError
from phalanx.memory.layout import dtype_of, shape_of
from phalanx.memory.visual import GROUPS, Visual
from phalanx.tables.field import Field, rows
from phalanx.tables.mjcf_row import Attribute, Holds
from phalanx.tables.model_fields import MODEL
from phalanx.tables.mujoco_binary import (
    ARRAY_ALIGNMENT,
    BYTE_COUNTS,
    GLOBAL_SETTINGS,
    MARK,
    MAY_BE_AUTOMATIC,
    MUJOCO_VERSION,
    NUMBER_BYTES,
    version_code,
    version_of,
)
from phalanx.tables.option_fields import OPTION, STATISTIC
from phalanx.tables.sizes import SIZES


class Contents(NamedTuple):
    """What a file holds, as it is: nothing is checked but lengths.

    Attributes:
        sizes: MuJoCo's sizes.
        arrays: MuJoCo's rows by name, views of the bytes of the file.
        vis: settings of pictures.
    """

    sizes: dict[str, int]
    arrays: dict[str, np.ndarray]
    vis: Visual


# --- layout, from the tables

_NUMBER = NumberType("float64")


def _dtype(row: Field) -> np.dtype:
    return dtype_of(row, _NUMBER)


def _record(members: Iterator[Field]) -> np.dtype:
    """The C struct of some rows, with the gaps that a C compiler leaves."""
    return np.dtype([(row.name, _dtype(row), shape_of(row, {})) for row in members], align=True)


def _attribute(group: str) -> str:
    """What a group of settings is called as a member; `global` is a word of Python."""
    return "global_" if group == "global" else group


def _setting(row: Attribute) -> tuple[str, Any, tuple[int, ...]]:
    kind = np.float32 if row.holds is Holds.REAL else np.int32
    return row.name, kind, () if row.is_scalar else (row.most,)


def _settings() -> np.dtype:
    """The C struct of all settings of pictures, group by group."""
    groups = []
    for group, element in GROUPS.items():
        names = GLOBAL_SETTINGS if group == "global" else tuple(element.attributes)
        groups.append((_attribute(group), np.dtype([_setting(element.attributes[name]) for name in names])))
    return np.dtype(groups)


#: Names of MuJoCo's sizes, in the order of the file.
NAMES_OF_SIZES = tuple(size.name for size in SIZES if not size.departs)
#: Flags: one byte each.
FLAGS = tuple(row.name for row in MODEL["flags"])
#: Arrays and the types of their elements, in the order of the file.
ARRAYS: dict[str, tuple[Field, np.dtype]] = {
    row.name: (row, _dtype(row)) for row in rows(MODEL) if row.mujoco != "-" and row.name not in FLAGS
}

#: The integers that a file of our version begins with.
_HEADER = (MARK, NUMBER_BYTES, len(NAMES_OF_SIZES), version_code(MUJOCO_VERSION), len(ARRAYS))

#: Everything before the arrays.
HEAD = np.dtype([
    ("header", np.int32, (len(_HEADER),)),
    ("sizes", np.int64, (len(NAMES_OF_SIZES),)),
    ("opt", _record(rows(OPTION))),
    ("vis", _settings()),
    ("stat", _record(rows(STATISTIC))),
    ("flags", np.uint8, (len(FLAGS),)),
])  # fmt: skip
_RECORDS = ("opt", "stat")


class Place(NamedTuple):
    """An array in the file: its name, type and shape, how many bytes it has, and where they begin after the head."""

    name: str
    dtype: np.dtype
    shape: tuple[int, ...]
    length: int
    start: int


def places(sizes: Mapping[str, int]) -> list[Place]:
    """All arrays of a model of these sizes."""
    found, start = [], 0
    for name, (row, dtype) in ARRAYS.items():
        shape = shape_of(row, sizes)
        length = math.prod(shape) * dtype.itemsize
        found.append(Place(name, dtype, shape, length, start))
        start += length
    return found


def buffer_bytes(arrays: list[Place]) -> int:
    """Bytes of the memory in which MuJoCo keeps all arrays of a model (nbuffer)."""
    end = 0
    for place in arrays:
        end += -end % ARRAY_ALIGNMENT + place.length
    return end + ARRAY_ALIGNMENT - 1


# --- reading


def read_binary(path: str | Path | io.IOBase) -> Contents:
    """The contents of a file.

    Args:
        path: the file, or an open one that can be searched.

    Raises:
        ModelError: it is no such file, of another version, or its length does not fit its sizes.
    """
    name = str(path) if isinstance(path, (str, Path)) else "the file"
    if isinstance(path, (str, Path)) and not Path(path).is_file():
        raise ModelError(f"{name} is not a file")
    try:
        if not isinstance(path, (str, Path)):
            return _read(path, name)  # type: ignore[arg-type]
        with open(path, "rb") as file:
            return _read(file, name)
    except OSError as error:
        raise ModelError(f"{name} cannot be read: {error.strerror or error}") from None


def _read(file: BinaryIO, name: str) -> Contents:
    start = file.tell()
    length = file.seek(0, io.SEEK_END) - start
    file.seek(start)
    head = _head(file.read(HEAD.itemsize), name)
    sizes = _sizes(head, name)
    arrays = places(sizes)
    wanted = HEAD.itemsize + arrays[-1].start + arrays[-1].length
    # before memory is taken for what the sizes ask for
    if length != wanted:
        fault = "it is cut short" if length < wanted else "something is appended to it"
        raise ModelError(f"{name} is damaged: it has {length} bytes, its sizes ask for {wanted}; {fault}")
    if sizes["nbuffer"] != buffer_bytes(arrays):
        raise ModelError(f"{name} is damaged: nbuffer is {sizes['nbuffer']}, its sizes give {buffer_bytes(arrays)}")
    data = file.read(wanted - HEAD.itemsize)
    if len(data) != wanted - HEAD.itemsize:
        raise ModelError(f"{name} became shorter while it was read")
    return Contents(sizes, _arrays(head, arrays, data, name), Visual.from_mujoco(_shown(head)))


def parse_binary(data: bytes, name: str = "the model") -> Contents:
    """The contents of a file in memory; `name` is for messages."""
    return _read(io.BytesIO(data), name)


def is_binary(start: bytes) -> bool:
    """Do these bytes begin a file of this format, of whatever version?"""
    return start[:4] == np.int32(MARK).tobytes()


def _head(data: bytes, name: str) -> np.ndarray:
    """What is before the arrays, of our version."""
    if not is_binary(data):
        raise ModelError(f"{name} is not a binary model of MuJoCo (.mjb): it does not begin as one")
    header = HEAD["header"]
    if len(data) < header.itemsize:
        raise ModelError(f"{name} is damaged: it ends within its header")
    _, number, nsize, code, nfield = np.frombuffer(data, header.base, len(_HEADER)).tolist()
    # the version first: what else differs follows from it
    if code != version_code(MUJOCO_VERSION):
        if code < 100:
            raise ModelError(f"{name} is damaged, or of a very old MuJoCo: {code} is no version")
        raise ModelError(
            f"{name} was saved by MuJoCo {version_of(code)}; Phalanx reads files of MuJoCo {MUJOCO_VERSION}. "
            "Load the XML file of the model, or save it again with that version"
        )
    if number != NUMBER_BYTES:
        raise ModelError(
            f"{name} has numbers of {number} bytes; Phalanx reads files of a MuJoCo in double precision, "
            f"which has {NUMBER_BYTES}"
        )
    if (nsize, nfield) != (len(NAMES_OF_SIZES), len(ARRAYS)):
        raise ModelError(
            f"{name} has {nsize} sizes and {nfield} fields; those of MuJoCo {MUJOCO_VERSION} have "
            f"{len(NAMES_OF_SIZES)} and {len(ARRAYS)}: it is damaged, or from another build of MuJoCo"
        )
    if len(data) < HEAD.itemsize:
        raise ModelError(f"{name} is damaged: it is cut short")
    return np.frombuffer(data, HEAD)


def _sizes(head: np.ndarray, name: str) -> dict[str, int]:
    """All sizes, none so large that their products could not be compared with the length of the file."""
    sizes = dict(zip(NAMES_OF_SIZES, head["sizes"][0].tolist(), strict=True))
    for size, count in sizes.items():
        least = -1 if size in MAY_BE_AUTOMATIC else 0
        most = 2**40 if size in BYTE_COUNTS else 2**31
        if not least <= count < most:
            raise ModelError(f"{name} is damaged: the size {size} is {count}")
    return sizes


def _arrays(head: np.ndarray, stored: list[Place], data: bytes, name: str) -> dict[str, np.ndarray]:
    """Rows by name; those of `opt` and `stat` under their dotted names."""
    arrays = {flag: _flags(head["flags"][0, k, ...], flag, name) for k, flag in enumerate(FLAGS)}
    for record in _RECORDS:
        for member in head.dtype[record].names or ():
            arrays[f"{record}.{member}"] = head[record][member][0, ...]
    for field, dtype, shape, length, start in stored:
        if dtype == np.bool_:
            arrays[field] = _flags(np.frombuffer(data, np.uint8, length, start).reshape(shape), field, name)
        else:
            arrays[field] = np.frombuffer(data, dtype, length // dtype.itemsize, start).reshape(shape)
    return arrays


def _flags(array: np.ndarray, field: str, name: str) -> np.ndarray:
    """Bytes that are 0 or 1, as truth values."""
    if (array > 1).any():
        raise ModelError(f"{name} is damaged: {field} has a byte {array.max()}, which is neither 0 nor 1")
    return array.astype(np.bool_)


def _shown(head: np.ndarray) -> Any:
    """Settings of pictures with the members of MuJoCo's `mjModel.vis`."""
    return head["vis"].view(np.recarray)[0]


# --- writing


def binary_of(sizes: Mapping[str, int], arrays: Mapping[str, np.ndarray], vis: Visual) -> bytes:
    """The file of a model that has only what MuJoCo has, as bytes."""
    head = np.zeros((), HEAD)
    head["header"] = _HEADER
    # MuJoCo's memory is its own matter: a model that we compiled has none
    written = {**sizes, "nbuffer": buffer_bytes(places(sizes))}
    head["sizes"] = [written[size] for size in NAMES_OF_SIZES]
    for record in _RECORDS:
        for member in HEAD[record].names or ():
            head[record][member] = arrays[f"{record}.{member}"]
    for group in GROUPS:
        _write_settings(head["vis"][_attribute(group)], group, vis)
    head["flags"] = [bool(arrays[flag]) for flag in FLAGS]
    return b"".join([head.tobytes(), *(np.ascontiguousarray(arrays[name]).tobytes() for name in ARRAYS)])


def _write_settings(record: np.ndarray, group: str, vis: Visual) -> None:
    shown = getattr(vis, group)
    for setting in record.dtype.names or ():
        try:
            with np.errstate(over="ignore"):
                record[setting] = getattr(shown, setting)
        except (OverflowError, TypeError, ValueError):
            value = getattr(shown, setting)
            raise ModelError(f"vis.{group}.{setting} is {value!r}, which MuJoCo's format cannot hold") from None
