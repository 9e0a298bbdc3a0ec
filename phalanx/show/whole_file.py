"""Files that are whole or not there: written under another name in the same folder, and renamed at the end."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from phalanx.memory.errors import ModelError


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A name to write to; what is there at the end gets the name `path`, and nothing remains after an error."""
    check_folder(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix)
    os.close(handle)
    unfinished = Path(name)
    try:
        yield unfinished
        # as if it had been opened by its own name
        mask = os.umask(0)
        os.umask(mask)
        unfinished.chmod(0o666 & ~mask)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def check_folder(path: Path) -> None:
    """Refuse a name whose folder does not exist, or that is a folder."""
    if path.is_dir():
        raise ModelError(f"{path} is a folder, not the name of a file")
    if not path.parent.is_dir():
        raise ModelError(f"{path}: there is no folder {path.parent}")


def write_whole(path: Path, content: bytes) -> Path:
    """Write a file, all of it or nothing."""
    with whole_file(path) as unfinished:
        unfinished.write_bytes(content)
    return path
