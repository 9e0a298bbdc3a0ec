"""Files that are whole or not there: written under another name in the same folder, and renamed at the end."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from phalanx.memory.errors import ModelError


class WholeFile:
    """A file that gets its name when it is complete.

    Attributes:
        path: the name that it will get.
        unfinished: its name until then, hidden, in the same folder.
    """

    def __init__(self, path: Path):
        check_folder(path)
        self.path = path
        try:
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix)
        except OSError as error:
            raise ModelError(f"{path} cannot be written: {error.strerror or error}") from None
        os.close(handle)
        self.unfinished = Path(name)

    def keep(self) -> None:
        """It is complete: give it its name."""
        # as if it had been opened by its own name
        mask = os.umask(0)
        os.umask(mask)
        self.unfinished.chmod(0o666 & ~mask)
        self.unfinished.replace(self.path)

    def drop(self) -> None:
        """Nothing of it remains."""
        self.unfinished.unlink(missing_ok=True)


def check_folder(path: Path) -> None:
    """Refuse a name whose folder does not exist, or that is a folder."""
    try:
        is_folder, has_folder = path.is_dir(), path.parent.is_dir()
    except OSError as error:  # a name that is too long, a folder that may not be searched
        raise ModelError(f"{path} cannot be written: {error.strerror or error}") from None
    if is_folder:
        raise ModelError(f"{path} is a folder, not the name of a file")
    if not has_folder:
        raise ModelError(f"{path}: there is no folder {path.parent}")


def write_whole(path: Path, content: bytes) -> Path:
    """Write a file, all of it or nothing."""
    file = WholeFile(path)
    try:
        file.unfinished.write_bytes(content)
        file.keep()
    except BaseException as error:
        file.drop()
        if isinstance(error, OSError):
            raise ModelError(f"{path} cannot be written: {error.strerror or error}") from None
        raise
    return path
