"""Files that are whole, or as they were: written under another name in the same folder, and renamed at the end.

A symbolic link stays one: the file that it leads to is written. Pipes and devices are written as they are, and so is a
file in a folder where none can be made.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from phalanx.memory.errors import ModelError

#: Rights of new files, of which the system takes those that the user does not give to others (umask), and of what
#: is to take the place of a file until it has the rights of that.
_NEW, _PRIVATE = 0o666, 0o600


class WholeFile:
    """A file that gets its name when it is complete.

    Attributes:
        path: the name that it will get.
        unfinished: its name until then, hidden, in the same folder; the same for what cannot be renamed to.
    """

    def __init__(self, path: Path):
        check_folder(path)
        self.path, self._mode = path, _mode_of(path)
        if self._mode is None or stat.S_ISREG(self._mode):
            try:
                self.path = path.resolve()
            except OSError as error:  # a working folder that was deleted
                raise _unwritable(path, error) from None
        self.unfinished = self.path
        if self._mode is None or stat.S_ISREG(self._mode):
            self._begin(path)

    def _begin(self, path: Path) -> None:
        # a new file gets the rights that the system gives to new ones; nobody else reads one in place of another
        mode = _NEW if self._mode is None else _PRIVATE
        while self.unfinished == self.path:
            # names are at most 255 bytes long
            name = self.path.with_name(f".{path.stem[:20]}-{secrets.token_hex(4)}{path.suffix}")
            try:
                os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
            except FileExistsError:
                continue
            except OSError as error:
                if isinstance(error, PermissionError) and self._mode is not None:
                    return
                raise _unwritable(path, error) from None
            self.unfinished = name

    def keep(self) -> None:
        """It is complete: give it its name."""
        if self.unfinished != self.path:
            if self._mode is not None:
                self.unfinished.chmod(stat.S_IMODE(self._mode))
            self.unfinished.replace(self.path)

    def drop(self) -> None:
        """Nothing of it remains."""
        if self.unfinished != self.path:
            self.unfinished.unlink(missing_ok=True)


def _mode_of(path: Path) -> int | None:
    """Kind and rights of what a name or a link leads to; None if there is nothing."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None
    except OSError as error:  # links in a circle
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: Exception) -> ModelError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else error
    return ModelError(f"{path} cannot be written: {reason}")


def check_folder(path: Path) -> None:
    """Refuse a name whose folder does not exist, or that is a folder."""
    try:
        is_folder, has_folder = path.is_dir(), path.parent.is_dir()
    except OSError as error:  # a name that is too long, a folder that may not be searched
        raise _unwritable(path, error) from None
    if is_folder:
        raise ModelError(f"{path} is a folder, not the name of a file")
    if not has_folder:
        raise ModelError(f"{path} cannot be written: there is no folder {path.parent}")


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which is there when all of it is written; else what was there before is."""
    file = WholeFile(path)
    try:
        with open(file.unfinished, "wb") as stream:
            yield stream
        file.keep()
    except BaseException as error:
        file.drop()
        if isinstance(error, OSError):
            raise _unwritable(path, error) from None
        raise


def write_whole(path: Path, content: bytes) -> Path:
    """Write a file, all of it or nothing."""
    with whole_file(path) as file:
        file.write(content)
    return path
