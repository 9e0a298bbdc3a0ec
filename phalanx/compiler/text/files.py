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

#: Largest model file or asset, in bytes.
LARGEST_FILE = 2**30
#: A file older than this, in nanoseconds, has other times after its next change. Clocks of file systems are coarse: a
#: younger one could change again within the same tick.
SETTLED = 2_000_000_000
#: Most files whose hashes are remembered.
MOST_FILES = 10_000


def _joined(*parts: str) -> str:
    """Parts of a path joined; an absolute part replaces those before it."""
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
    """SHA-256 of the contents of a file."""
    return hashlib.sha256(data).digest()


# --- hashes of files on disk, so that an unchanged file is not read again

#: path -> status of the file when it was read, and the hash of its contents
_known: dict[str, tuple[tuple[int, ...], bytes]] = {}


def _mark(status: os.stat_result) -> tuple[int, ...]:
    """The part of a file's status that changes whenever its contents do."""
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
    """Forget all hashes, so that every file is read again."""
    _known.clear()


class Contents:
    """The contents of a file, read when they are needed. Equal bytes make equal Contents, so it can key a cache."""

    def __init__(self, digest: bytes, read: Callable[[], bytes]):
        self.digest, self._read = digest, read

    @cached_property
    def data(self) -> bytes:
        """The bytes of the file."""
        return self._read()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Contents) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


def contents_of(data: bytes, known: bytes | None = None) -> Contents:
    """Contents that are in memory already; `known` is their hash, computed if None."""
    return Contents(digest(data) if known is None else known, lambda: data)


class Files:
    """Finds the files of one model, in memory and on disk.

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
        #: path -> hash of the file that was read there, None if there was no file
        self.reads: dict[str, bytes | None] = {}

    # --- assets

    def find(self, name: str, folder: str = "", strip: bool = False, source: Source | None = None) -> Contents:
        """The contents of an asset file.

        Args:
            name: as written in the model.
            folder: meshdir or texturedir.
            strip: drop the folders in the name (compiler/strippath).
            source: the model file that names it; assets of an included file may be in the folder of that file.
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
        """The path of an asset on disk, where it is or should be.

        It is normalized: in "a/../b.stl" the folder a need not exist, as in MuJoCo.
        """
        path = os.path.normpath(_joined(self.folder, folder, stripped(name) if strip else name))
        beside = self._beside(name, source)
        if strip or not beside or os.path.exists(path) or not os.path.exists(beside):
            return path
        self.reads[path] = None
        return beside

    def _beside(self, name: str, source: Source | None) -> str:
        """The path of an asset in the folder of an included file, "" for the main file."""
        if source is None or source.name == self.main:
            return ""
        return os.path.normpath(_joined(os.path.dirname(source.name), name))

    def given(self, name: str, folder: str = "", strip: bool = False, source: Source | None = None) -> bytes | None:
        """The bytes of an asset that the user gave in memory, None if it is not among them."""
        if not self.assets:
            return None
        name = stripped(name) if strip else name
        for candidate in dict.fromkeys((_joined(folder, name), name, self._beside(name, source), stripped(name))):
            found = self.assets.get(str(PurePosixPath(candidate)))
            if found is not None:
                return found
        return None

    def path_of(self, name: str, folder: str = "", strip: bool = False, source: Source | None = None) -> str:
        """The normalized path of an asset on disk."""
        return self._place(name, folder, strip, source)

    def _from_disk(self, path: str, name: str) -> Contents:
        """Contents of a file on disk, which is read only if its hash is not known."""
        with suppress(OSError, ValueError):
            known = known_digest(path)
            if known is not None:
                self.reads[path] = known
                return Contents(known, lambda: self._loaded(path, name).data)
        return self._loaded(path, name)

    def _loaded(self, path: str, name: str) -> Contents:
        """Contents of a file on disk, read now."""
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
        """A file with a similar name, for the message about one that is missing."""
        try:
            there = os.listdir(os.path.dirname(path) or ".")
        except (OSError, ValueError):
            there = []
        return nearest(os.path.basename(path), [*there, *self.assets])

    # --- included files

    def open_include(self, name: str, source: Source) -> tuple[Source, str]:
        """An included file, and a key by which a second inclusion of it is noticed."""
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
