"""Files of arrays (npz), written and read: each header is read before memory is taken for its array."""

from __future__ import annotations

import contextlib
import io
import math
import os
import zipfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from phalanx.memory.errors import ModelError, PhalanxError
from phalanx.memory.whole_file import whole_file

#: Bytes of all arrays of a file when they are unpacked, unless the user says otherwise.
MOST_UNPACKED = 2**34


class ArrayFile(Mapping[str, np.ndarray]):
    """Arrays of an npz file by name. What a header declares can be asked before memory is taken for it."""

    def __init__(self, file: zipfile.ZipFile, name: str, mark: str, version: int):
        self._file, self._name = file, name
        members = {info.filename.removesuffix(".npy"): info for info in file.infolist()}
        self.is_marked = mark in members and self._is_of_version(members.pop(mark), version)
        self._members = members

    def _is_of_version(self, info: zipfile.ZipInfo, version: int) -> bool:
        shape, dtype, _ = self._header(info)
        return shape == () and dtype.kind in "iu" and int(self._read(info)) == version

    def declared(self, field: str) -> tuple[tuple[int, ...], np.dtype]:
        """Shape and type of an array, by its header."""
        return self._header(self._members[field])[:2]

    def __getitem__(self, field: str) -> np.ndarray:
        return self._read(self._members[field])

    def __contains__(self, field: object) -> bool:
        return field in self._members

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def _header(self, info: zipfile.ZipInfo) -> tuple[tuple[int, ...], np.dtype, int]:
        """Shape, type and place of the data of an array."""
        try:
            with self._file.open(info) as member:
                version = np.lib.format.read_magic(member)
                read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
                shape, is_fortran, dtype = read[version](member)
                if dtype.hasobject or (is_fortran and len(shape) > 1):
                    raise ValueError("it has objects, or axes in another order")
                return shape, dtype, member.tell()
        except Exception as error:  # damaged files raise whatever their readers stumble over
            raise self._damaged(info, error) from None

    def _read(self, info: zipfile.ZipInfo) -> np.ndarray:
        shape, dtype, start = self._header(info)
        try:
            length = math.prod(shape) * dtype.itemsize
            if info.file_size != start + length:
                raise ValueError(f"{info.file_size - start} bytes instead of {length}")
            with self._file.open(info) as member:
                data = member.read()[start:]
            found = np.frombuffer(data, dtype).reshape(shape)
            if dtype.kind == "U":
                _check_texts(found)
            return found
        except Exception as error:
            raise self._damaged(info, error) from None

    def _damaged(self, info: zipfile.ZipInfo, error: Exception) -> ModelError:
        field = info.filename.removesuffix(".npy")
        return ModelError(f"{self._name} is damaged: {field} cannot be read ({error or type(error).__name__})")


def _check_texts(array: np.ndarray) -> None:
    """Refuse numbers that are no characters: Python would stumble over them later."""
    codes = np.frombuffer(array.tobytes(), np.dtype("u4").newbyteorder(array.dtype.byteorder))
    if ((codes > 0x10FFFF) | ((codes >= 0xD800) & (codes < 0xE000))).any():
        raise ValueError("it holds numbers that are no characters")


@contextlib.contextmanager
def open_arrays(
    path: str | Path | io.IOBase, kind: str, mark: str, version: int, most: int = MOST_UNPACKED, advice: str = ""
) -> Iterator[ArrayFile]:
    """The arrays of a file, nothing of which is believed yet.

    Args:
        path: the file, or an open one.
        kind: what it holds, for messages: "data", "model".
        mark: name of the array that holds the version of the format.
        version: of the format.
        most: bytes of its arrays; a small file may unpack to any number of them.
        advice: what to do if there are more; the end of the message.
    """
    name = str(path) if isinstance(path, (str, Path)) else "the file"
    if isinstance(path, (str, Path)) and not is_file(path):
        raise ModelError(f"{name} is not a file")
    try:
        file = zipfile.ZipFile(path)
    except Exception as error:  # a damaged directory raises anything
        raise ModelError(f"{name} is not a {kind} file of Phalanx, or damaged ({error})") from None
    with file:
        # what is read of a member is never more than its size
        unpacked = sum(info.file_size for info in file.infolist())
        if unpacked > most:
            raise ModelError(f"{name} has {unpacked} bytes of arrays, more than the limit of {most}{advice}")
        arrays = ArrayFile(file, name, mark, version)
        if not arrays.is_marked:
            raise ModelError(f"{name} is not a {kind} file of this version of Phalanx")
        yield arrays


@contextlib.contextmanager
def writing(path: Any) -> Iterator[None]:
    """What goes wrong while a file of the user is written is an error of ours, with its name."""
    try:
        yield
    except PhalanxError:
        raise
    except (OSError, TypeError, ValueError) as error:  # a text file that is open takes no bytes
        name = str(path) if isinstance(path, (str, os.PathLike)) else "the file"
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise ModelError(f"{name[:200]!r} cannot be written: {reason}") from None


def write_arrays(path: str | Path | io.IOBase, arrays: Mapping[str, Any]) -> None:
    """Write arrays to a compressed file of exactly this name, which ends in .npz, or to an open one."""
    if isinstance(path, (str, os.PathLike)):
        suffix_of(path, (".npz",), "writer")
        # NumPy would add a suffix to a name that it does not like
        with writing(path), whole_file(named_file(path)) as file:
            np.savez_compressed(file, **arrays)
    else:
        with writing(path):
            np.savez_compressed(path, **arrays)


def is_file(path: str | Path) -> bool:
    """Is there a file of this name? None has a name that cannot be one."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def named_file(path: Any) -> Path:
    """What the user gave as the name of a file."""
    try:
        found = Path(os.fsdecode(path))
    except TypeError:
        raise ModelError(f"a file is named by a text or a path, not by {type(path).__name__}") from None
    if "\0" in str(found):
        raise ModelError(f"{str(found)!r} is no name of a file")
    return found


def suffix_of(path: str | Path, known: Collection[str], who: str) -> str:
    """The suffix of a file name in lower case, one of those that are known.

    >>> suffix_of("arm.mjb.gz", (".mjb", ".npz"), "writer")
    Traceback (most recent call last):
    phalanx.memory.errors.ModelError: arm.mjb.gz: no writer for '.gz'; known: .mjb, .npz
    """
    suffix = Path(path).suffix.lower()
    if suffix in known:
        return suffix
    if not suffix:
        raise ModelError(
            f"{path}: the suffix of a file says what is in it, and this one has none; known: {_list(known)}"
        )
    raise ModelError(f"{path}: no {who} for {suffix!r}; known: {_list(known)}")


def _list(known: Collection[str]) -> str:
    return ", ".join(known)
