"""Files from outside: regular ones of bounded size only, read without waiting for pipes or devices."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from phalanx.memory.errors import ModelError

#: Bytes of the largest file, unless the user says otherwise.
MOST_BYTES = 2**30
#: How files are opened: pipes and devices must not make us wait, and a program that we start does not inherit them.
_OPEN = os.O_RDONLY | sum(getattr(os, flag, 0) for flag in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"))
#: Bytes that are read at once.
_CHUNK = 2**24


def read_regular(path: str, most: int = MOST_BYTES) -> tuple[bytes, os.stat_result]:
    """The bytes of a regular file and its status. Pipes, devices, folders and endless files are refused.

    Args:
        path: of the file.
        most: largest size in bytes.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is none that may be read.
    """
    handle = os.open(path, _OPEN)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise ValueError(f"it is {_what(status.st_mode)}, not a regular file")
        if status.st_size > most:
            raise ValueError(f"it has {status.st_size} bytes; the limit is file_bytes={most} (phalanx.Limits)")
        # files of the kernel have no size, but contents, which may be endless
        data = _read(handle, status.st_size)
        if os.read(handle, 1):
            raise ValueError(f"it holds more than its size of {status.st_size} bytes, as files in /proc do")
    finally:
        os.close(handle)
    return data, status


def absolute(path: str | os.PathLike[str]) -> str:
    """A path from the root of all folders, links as they are."""
    return _placed(os.path.abspath, path)


def followed(path: str | os.PathLike[str]) -> str:
    """A path from the root of all folders, with what links lead to in their place."""
    return _placed(os.path.realpath, path)


def _placed(place: Callable[[str], str], path: str | os.PathLike[str]) -> str:
    try:
        return place(os.fspath(path))
    except FileNotFoundError:
        raise ModelError(f"{os.fspath(path)!r} names no file: the working folder does not exist any more") from None


def _read(handle: int, size: int) -> bytes:
    """So many bytes of an open file, or fewer if it ends before."""
    parts, left = [], size
    while left > 0:
        part = os.read(handle, min(left, _CHUNK))
        if not part:
            break
        parts.append(part)
        left -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _what(mode: int) -> str:
    """What a file is that is not regular."""
    kinds = {
        "a folder": stat.S_ISDIR, "a pipe": stat.S_ISFIFO, "a socket": stat.S_ISSOCK, "a device": stat.S_ISCHR,
        "a disk": stat.S_ISBLK,
    }  # fmt: skip
    return next((word for word, is_kind in kinds.items() if is_kind(mode)), "special")
