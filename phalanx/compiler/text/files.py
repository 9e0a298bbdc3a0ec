"""Where files come from: folders on disk, or a dict of bytes given by the user. Path rules are MuJoCo's."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path, PurePosixPath

from phalanx.compiler.text.errors import ElementProblem, Source, nearest, quoted, quoted_path

#: No model file or asset is larger.
LARGEST_FILE = 2**30
#: Nanoseconds after which a file that did not change can be told from a later version by its times.
SETTLED = 2_000_000_000
#: Files whose hashes are remembered.
MOST_FILES = 10_000


def _joined(*parts: str) -> str:
    """Parts of a path, where an absolute part replaces those before it."""
    path = ""
    for part in parts:
        part = part.replace("\\", "/")
        if not part:
            continue
        path = part if not path or part.startswith("/") or part[1:2] == ":" else path.rstrip("/") + "/" + part
    return path


def stripped(name: str) -> str:
    """A file name without its folders."""
    return name.replace("\\", "/").rsplit("/", 1)[-1]


def digest(data: bytes) -> bytes:
    """A hash that tells contents of files apart."""
    return hashlib.sha256(data).digest()


# --- files on disk, which are not read again while they stay as they are

#: path -> what the system says about a file, and the hash of what it held then
_known: dict[str, tuple[tuple[int, ...], bytes]] = {}


def _mark(status: os.stat_result) -> tuple[int, ...]:
    """What the system says about a file that changes whenever its contents do."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def read_file(path: str) -> tuple[bytes, bytes]:
    """The bytes of a file and their hash."""
    with open(path, "rb") as file:
        status, now = os.fstat(file.fileno()), time.time_ns()
        data = file.read()
    found = digest(data)
    if now - max(status.st_mtime_ns, status.st_ctime_ns) > SETTLED and len(data) == status.st_size:
        if len(_known) >= MOST_FILES:
            _known.clear()
        _known[path] = _mark(status), found
    return data, found


def known_digest(path: str) -> bytes | None:
    """The hash of a file that was read before and has not changed since, None if it has to be read."""
    known = _known.get(path)
    return known[1] if known is not None and known[0] == _mark(os.stat(path)) else None


def forget_files() -> None:
    """Read every file anew."""
    _known.clear()


class Contents:
    """What a file holds, read when it is needed; contents with the same bytes are equal."""

    def __init__(self, digest: bytes, read: Callable[[], bytes]):
        self.digest, self._read = digest, read

    @cached_property
    def data(self) -> bytes:
        return self._read()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Contents) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


def contents_of(data: bytes, known: bytes | None = None) -> Contents:
    """Contents that are in memory; `known` is their hash if there is one already."""
    return Contents(digest(data) if known is None else known, lambda: data)


class Files:
    """Finds the files of one model.

    Args:
        folder: folder of the main file, "" for none.
        assets: files given in memory, by name.
    """

    def __init__(self, folder: str | Path = "", assets: Mapping[str, bytes | str] | None = None):
        self.folder = str(folder)
        self.assets = {
            str(PurePosixPath(name.replace("\\", "/"))): data.encode() if isinstance(data, str) else bytes(data)
            for name, data in (assets or {}).items()
        }
        self.main = ""
        #: path -> hash of what was read there, None where nothing was found
        self.reads: dict[str, bytes | None] = {}

    # --- assets

    def find(self, name: str, folder: str = "", strip: bool = False, source: Source | None = None) -> Contents:
        """An asset.

        Args:
            name: as written.
            folder: meshdir or texturedir.
            strip: drop the folders in the name.
            source: the file it is written in; if it is an included one, assets may be in its folder.
        """
        if not name:
            raise ElementProblem("the file name is empty", "file")
        if "\0" in name:
            raise ElementProblem("the file name holds a zero character", "file")
        found = self.given(name, folder, strip, source)
        if found is not None:
            return contents_of(found)
        return self._from_disk(self._place(name, folder, strip, source), stripped(name) if strip else name)

    def _place(self, name: str, folder: str, strip: bool, source: Source | None) -> str:
        """Where an asset is on disk, or should be, without detours: the folders on them need not exist."""
        path = os.path.normpath(_joined(self.folder, folder, stripped(name) if strip else name))
        beside = self._beside(name, source)
        if strip or not beside or os.path.exists(path) or not os.path.exists(beside):
            return path
        self.reads[path] = None
        return beside

    def _beside(self, name: str, source: Source | None) -> str:
        """An asset in the folder of an included file, "" for the main file."""
        if source is None or source.name == self.main:
            return ""
        return os.path.normpath(_joined(os.path.dirname(source.name), name))

    def given(self, name: str, folder: str = "", strip: bool = False, source: Source | None = None) -> bytes | None:
        """The bytes of an asset among those in memory, None if it is not one of them."""
        if not self.assets:
            return None
        name = stripped(name) if strip else name
        for candidate in dict.fromkeys((_joined(folder, name), name, self._beside(name, source), stripped(name))):
            found = self.assets.get(str(PurePosixPath(candidate)))
            if found is not None:
                return found
        return None

    def path_of(self, name: str, folder: str = "", strip: bool = False, source: Source | None = None) -> str:
        """Where an asset is, as a path without detours."""
        return self._place(name, folder, strip, source)

    def _from_disk(self, path: str, name: str) -> Contents:
        with suppress(OSError, ValueError):
            known = known_digest(path)
            if known is not None:
                self.reads[path] = known
                return Contents(known, lambda: self._loaded(path, name).data)
        return self._loaded(path, name)

    def _loaded(self, path: str, name: str) -> Contents:
        """Contents of a file that is read now."""
        try:
            if os.path.getsize(path) > LARGEST_FILE:
                raise ElementProblem(f"file {quoted(name)} is larger than {LARGEST_FILE} bytes", "file")
            data, found = read_file(path)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            message = f"file {quoted_path(path)} cannot be read: {reason}{self._hint(path)}"
            raise ElementProblem(message, "file") from None
        self.reads[path] = found
        return contents_of(data, found)

    def _hint(self, path: str) -> str:
        try:
            there = os.listdir(os.path.dirname(path) or ".")
        except (OSError, ValueError):
            there = []
        return nearest(os.path.basename(path), [*there, *self.assets])

    # --- included files

    def open_include(self, name: str, source: Source) -> tuple[Source, str]:
        """An included file, and what tells it from others."""
        if "\0" in name:
            raise ElementProblem("the file name holds a zero character", "file")
        for candidate in (name, _joined(os.path.dirname(source.name), name), stripped(name)):
            found = self.assets.get(str(PurePosixPath(candidate.replace("\\", "/"))))
            if found is not None:
                return Source(candidate, found), candidate
        path = _joined(self.folder, name)
        if not os.path.exists(path):
            self.reads[path] = None
            beside = _joined(os.path.dirname(source.name), name)
            path = beside if os.path.exists(beside) else path
        key = os.path.realpath(path)
        if self.main and key == os.path.realpath(self.main):
            raise ElementProblem(f"{quoted(name)} is the file that includes it", "file")
        return Source(path, self._from_disk(path, name).data), key
