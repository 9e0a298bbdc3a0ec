"""Files that are whole, or as they were: written under another name in the same folder, and renamed at the end.

A symbolic link stays one: the file that it leads to is written. Pipes and devices are written as they are, and so is a
file in a folder where none can be made.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from phalanx.memory.errors import ModelError


class WholeFile:
    """A file that gets its name when it is complete.

    Attributes:
        path: the name that it will get.
        unfinished: its name until then, hidden, in the same folder; the same for what cannot be renamed to.
    """

    def __init__(self, path: Path):
        check_folder(path)
        try:
            self.path = path.resolve(strict=True) if path.exists() or path.is_symlink() else path
        except FileNotFoundError:  # a link to what is not there yet
            self.path = path.resolve()
        except (OSError, RuntimeError) as error:  # links in a circle
            raise _unwritable(path, error) from None
        self._mode = self.path.stat().st_mode if self.path.exists() else None
        self.unfinished = self.path
        if self._mode is None or stat.S_ISREG(self._mode):
            self._begin(path)

    def _begin(self, path: Path) -> None:
        # names are at most 255 bytes long
        stem, suffix = path.stem[:20], path.suffix
        try:
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{stem}-", suffix=suffix)
        except PermissionError as error:
            if self._mode is None:
                raise _unwritable(path, error) from None
        except OSError as error:
            raise _unwritable(path, error) from None
        else:
            os.close(handle)
            self.unfinished = Path(name)

    def keep(self) -> None:
        """It is complete: give it its name."""
        if self.unfinished != self.path:
            # as if it had been opened by its own name
            mask = os.umask(0)
            os.umask(mask)
            self.unfinished.chmod(0o666 & ~mask if self._mode is None else stat.S_IMODE(self._mode))
            self.unfinished.replace(self.path)

    def drop(self) -> None:
        """Nothing of it remains."""
        if self.unfinished != self.path:
            self.unfinished.unlink(missing_ok=True)


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
