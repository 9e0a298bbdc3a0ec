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
from phalanx.compiler.text.limits import USUAL, Limits
from phalanx.memory.errors import FieldError, MjcfWarning, warn_user
from phalanx.memory.regular_file import followed, read_regular

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


def bytes_by_name(assets: Mapping[str, bytes | str] | None) -> dict[str, bytes]:
    """Files in memory as the user gave them.

    Raises:
        FieldError: names that are no texts, or contents that are neither text nor bytes.
    """
    if assets is None:
        return {}
    if not isinstance(assets, Mapping):
        raise FieldError(f"assets has contents of files by name, unlike {type(assets).__name__}")
    found = {}
    for name, data in assets.items():
        if not isinstance(name, str) or not isinstance(data, (str, bytes, bytearray, memoryview)):
            raise FieldError(f"assets has text or bytes by name, not {type(data).__name__} by {type(name).__name__}")
        try:
            found[name] = data.encode() if isinstance(data, str) else bytes(data)
        except UnicodeEncodeError as error:
            raise FieldError(f"the asset {name!r:.60} holds halves of characters: {error.reason}") from None
    return found


# --- hashes of files on disk, so that an unchanged file is not read again

#: path -> status of the file when it was read, and the hash of its contents
_known: dict[str, tuple[tuple[int, ...], bytes]] = {}


def _mark(status: os.stat_result) -> tuple[int, ...]:
    """The part of a file's status that changes whenever its contents do."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def read_file(path: str, most: int = USUAL.file_bytes) -> tuple[bytes, bytes]:
    """The bytes of a regular file of at most `most` bytes, and their hash."""
    now = time.time_ns()
    data, status = read_regular(path, most)
    found = digest(data)
    if now - max(status.st_mtime_ns, status.st_ctime_ns) > SETTLED and len(data) == status.st_size:
        if len(_known) >= MOST_FILES:
            _known.clear()
        _known[path] = _mark(status), found
    return data, found


def known_digest(path: str, most: int = USUAL.file_bytes) -> bytes | None:
    """The hash of a file that was read before and has not changed since, None if it has to be read."""
    known = _known.get(path)
    if known is None:
        return None
    status = os.stat(path)
    return known[1] if known[0] == _mark(status) and status.st_size <= most else None


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
        limits: how large files may be, and the model that is made of them.
        is_trusted: may files anywhere be read? Otherwise only those in `home`.
        home: what a model that is not trusted may read: a folder with all inside; no file at all if it is "".
    """

    def __init__(
        self,
        folder: str | Path = "",
        assets: Mapping[str, bytes | str] | None = None,
        limits: Limits = USUAL,
        is_trusted: bool = True,
        home: str = "",
    ):
        self.folder = str(folder)
        self.limits, self.is_trusted, self.home = limits, is_trusted, home
        self.assets = {
            str(PurePosixPath(name.replace("\\", "/"))): data for name, data in bytes_by_name(assets).items()
        }
        self.main = ""
        #: are all files members of an archive? Then nothing on disk is read.
        self.is_archive = False
        #: path -> hash of the file that was read there, None if there was no file
        self.reads: dict[str, bytes | None] = {}
        #: what was said about parts of the model that have no effect
        self.warnings: list[str] = []

    def warn(self, message: str) -> None:
        """Say that a part of the model has no effect; it is said again when the model is taken from the cache."""
        self.warnings.append(message)
        warn_user(message, MjcfWarning)

    def attached(self, path: str) -> Files:
        """Where the files of another model are that is attached to this one; it may read no more than this one."""
        other = Files(path.rpartition("/")[0], None, self.limits, self.is_trusted, self.home)
        other.assets, other.reads, other.main = self.assets, self.reads, path
        other.warnings = self.warnings
        other.is_archive = self.is_archive
        return other

    def exists(self, path: str, name: str) -> bool:
        """Is there a file?

        Raises:
            ElementProblem: the model is not trusted, and the file is none that it may read.
        """
        self._check_trust(path, name)
        return os.path.exists(path)

    def _check_trust(self, path: str, name: str) -> None:
        """A model that is not trusted reads files in its folder only; links that lead out of it count as outside."""
        if self.is_archive:
            raise ElementProblem(f"file {quoted(name)} is not in the archive{nearest(name, self.assets)}", "file")
        if self.is_trusted:
            return
        if not self.home:
            raise ElementProblem(
                f"file {quoted(name)}: a text that is not trusted reads no files; give it in assets, or trusted=True",
                "file",
            )
        home = followed(self.home)
        try:
            is_inside = os.path.commonpath([home, followed(path)]) == home
        except ValueError:
            is_inside = False
        if os.path.isabs(name) or not is_inside:
            raise ElementProblem(
                f"file {quoted(name)} is outside of the folder of the model, which is not trusted (trusted=False)",
                "file",
            )

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
        name = stripped(name) if strip else name
        path = os.path.normpath(_joined(self.folder, folder, name))
        self._check_trust(path, name)
        beside = self._beside(name, source)
        if strip or not beside or os.path.exists(path) or not self.exists(beside, name):
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
        """The normalized path of an asset on disk, where one that was given in memory would be."""
        if self.is_archive or (not self.is_trusted and self.given(name, folder, strip, source) is not None):
            return os.path.normpath(_joined(self.folder, folder, stripped(name) if strip else name))
        return self._place(name, folder, strip, source)

    def _from_disk(self, path: str, name: str) -> Contents:
        """Contents of a file on disk, which is read only if its hash is not known."""
        self._check_trust(path, name)
        with suppress(OSError, ValueError):
            known = known_digest(path, self.limits.file_bytes)
            if known is not None:
                self.reads[path] = known
                return Contents(known, lambda: self._loaded(path, name).data)
        return self._loaded(path, name)

    def _loaded(self, path: str, name: str) -> Contents:
        """Contents of a file on disk, read now."""
        try:
            data, found = read_file(path, self.limits.file_bytes)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            hint = self._hint(path) if isinstance(error, FileNotFoundError) else ""
            message = f"file {quoted_path(path)} cannot be read: {reason}{hint}"
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
        if not self.exists(path, name):
            self.reads[path] = None
            beside = _joined(os.path.dirname(source.name), name)
            path = beside if self.exists(beside, name) else path
        key = followed(path)
        if self.main and key == followed(self.main):
            raise ElementProblem(f"{quoted(name)} is the file that includes it", "file")
        return Source(path, self._from_disk(path, name).data), key
