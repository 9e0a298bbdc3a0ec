"""Where files come from: folders on disk, or a dict of bytes given by the user. Path rules are MuJoCo's."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from phalanx.compiler.errors import ElementProblem, Source, nearest, quoted

#: No model file or asset is larger.
LARGEST_FILE = 2**30


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

    # --- assets

    def read(self, name: str, folder: str = "", strip: bool = False) -> bytes:
        """The bytes of an asset.

        Args:
            name: as written.
            folder: meshdir or texturedir.
            strip: drop the folders in the name.
        """
        if not name:
            raise ElementProblem("the file name is empty", "file")
        if "\0" in name:
            raise ElementProblem("the file name holds a zero character", "file")
        name = stripped(name) if strip else name
        relative = _joined(folder, name)
        for candidate in dict.fromkeys((relative, name, stripped(name))):
            found = self.assets.get(str(PurePosixPath(candidate)))
            if found is not None:
                return found
        return self._from_disk(_joined(self.folder, relative), name)

    def path_of(self, name: str, folder: str = "", strip: bool = False) -> str:
        """Where an asset is, as a path without detours."""
        path = _joined(self.folder, folder, stripped(name) if strip else name)
        return os.path.normpath(path) if path else ""

    def _from_disk(self, path: str, name: str) -> bytes:
        try:
            if os.path.getsize(path) > LARGEST_FILE:
                raise ElementProblem(f"file {quoted(name)} is larger than {LARGEST_FILE} bytes", "file")
            with open(path, "rb") as file:
                return file.read()
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise ElementProblem(f"file {quoted(path)} cannot be read: {reason}{self._hint(path)}", "file") from None

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
            beside = _joined(os.path.dirname(source.name), name)
            path = beside if os.path.exists(beside) else path
        key = os.path.realpath(path)
        if self.main and key == os.path.realpath(self.main):
            raise ElementProblem(f"{quoted(name)} is the file that includes it", "file")
        return Source(path, self._from_disk(path, name)), key
