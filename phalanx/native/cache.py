"""Images on disk: those shipped with the package, and those compiled here.

An image compiled here is a file `name-key.so` with a seal at its end (`seal.py`), in a folder that only this user can
write (`folder.py`). One that was shipped is described by the manifest beside it. Either is checked before it is used,
and what was checked is what is used: the bytes that were read, and the open file they were read from.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import math
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from phalanx.native.errors import CacheError, DamagedFileError, NativeError
from phalanx.native.folder import Folder, cannot_be_written, private_folder
from phalanx.native.seal import read_sealed, sealed
from phalanx.native.target import Target

#: Where compiled kernels are kept; default is the user's cache folder.
CACHE_VARIABLE = "PHALANX_CACHE_DIR"
#: What to do about a folder that cannot be used.
ADVICE = f"set {CACHE_VARIABLE} to a folder of yours, where compiled kernels can be kept"
#: Folder of ready-made images in the package, one folder per target inside.
SHIPPED = Path(__file__).resolve().parent.parent / "prebuilt"
#: What describes the images of such a folder: their sizes and checksums.
MANIFEST = "manifest.json"
#: Images of one unit that are kept; older ones are deleted.
KEPT = 4

#: Damaged images that cannot be deleted: those of the package, and those in a folder that cannot be written.
_rejected: set[Path] = set()


# --- folders


def root_folder() -> Path:
    """The folder of everything that Phalanx keeps for this user.

    Raises:
        CacheError: nobody knows where that is.
    """
    root = os.environ.get(CACHE_VARIABLE)
    if root:
        return Path(root)
    try:
        given = os.environ.get("XDG_CACHE_HOME", "")
        # a relative one is none, says the standard: what runs as code is not looked for wherever a program is started
        return (Path(given) if os.path.isabs(given) else Path.home() / ".cache") / "phalanx"
    except RuntimeError:
        raise CacheError(f"there is no home folder (HOME is not set, and the user is unknown): {ADVICE}") from None


def cache_folder(target: Target) -> Path:
    """The folder of images compiled here, for a target."""
    return root_folder() / "kernels" / target.name


def shipped_folder(target: Target) -> Path:
    """The folder of images that came with the package, for a target."""
    return SHIPPED / target.name


def open_folder(path: Path, create: bool = False) -> Folder:
    """Open a folder of the cache, if it is ours and nobody else can write it.

    Raises:
        FileNotFoundError: there is no such folder, and it is not to be created.
        CacheError: it must not be used, or cannot be made; the message says what to do.
    """
    return private_folder(path, root_folder(), ADVICE, create)


def check_can_keep(target: Target) -> None:
    """Raise CacheError, which says what to do, unless images can be written to the cache."""
    with open_folder(cache_folder(target), create=True) as folder:
        folder.check_writable()


def sweep(target: Target) -> None:
    """Delete what processes left behind that were ended while they wrote."""
    with contextlib.suppress(OSError, CacheError), open_folder(cache_folder(target)) as folder:
        folder.sweep()


# --- images


def find(name: str, shipped_key: str, local_key: str, target: Target) -> Path | None:
    """The file of an image, shipped or compiled here. It has not been checked yet."""
    shipped = find_shipped(name, shipped_key, target)
    if shipped is not None:
        return shipped
    kept = cache_folder(target) / f"{name}-{local_key}.so"
    return kept if kept not in _rejected and os.path.lexists(kept) else None


def find_shipped(name: str, key: str, target: Target) -> Path | None:
    """The file of an image that came with the package."""
    path = shipped_folder(target) / f"{name}-{key}.so"
    return path if path.is_file() and path not in _rejected else None


def is_shipped(path: Path, target: Target) -> bool:
    """Is it a file of the package, which is never changed?"""
    return path.parent == shipped_folder(target)


@contextlib.contextmanager
def opened(path: Path, target: Target) -> Iterator[tuple[bytes, int]]:
    """An image that is whole and the one that its name says: its bytes, and the descriptor of the open file.

    Raises:
        FileNotFoundError: it is not there (any more).
        DamagedFileError: it is not what was written there.
        CacheError: the folder must not be used.
    """
    if is_shipped(path, target):
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb", buffering=0) as file:
            yield _read_shipped(file, path), descriptor
        return
    with open_folder(path.parent) as folder, folder.open(path.name) as file:
        try:
            content = read_sealed(file, path.stem)
        except (DamagedFileError, OSError) as error:
            raise DamagedFileError(f"{path}: {error}") from None
        yield content, file.fileno()


def is_whole(path: Path, target: Target) -> bool:
    """Is it an image that can be used?"""
    try:
        with opened(path, target):
            return True
    except (OSError, CacheError, DamagedFileError):
        return False


def discard(path: Path, target: Target) -> None:
    """Never find this file again: it is damaged. A file of the package stays where it is."""
    if is_shipped(path, target):
        _rejected.add(path)
        return
    with contextlib.suppress(OSError, CacheError), open_folder(path.parent) as folder:
        folder.remove(path.name)
    if os.path.lexists(path):
        _rejected.add(path)


def keep(name: str, key: str, target: Target, image: bytes) -> Path:
    """Write an image to the cache.

    Raises:
        CacheError: it cannot be written; the message says what to do.
    """
    label = f"{name}-{key}"
    path = cache_folder(target) / f"{label}.so"
    with open_folder(path.parent, create=True) as folder:
        try:
            folder.write(path.name, sealed(image, label))
        except OSError as error:
            raise cannot_be_written(path.parent, error.strerror or str(error), ADVICE) from None
        _forget_old(folder, name)
    _rejected.discard(path)
    return path


def _forget_old(folder: Folder, name: str) -> None:
    """Delete images of other sources that have not been made lately."""
    files = [row for row in folder.names() if row[0].endswith(".so") and row[0].rpartition("-")[0] == name]
    for file, _ in sorted(files, key=lambda row: row[1], reverse=True)[KEPT:]:
        folder.remove(file)


@contextlib.contextmanager
def alone(name: str, target: Target) -> Iterator[None]:
    """Keep other processes from compiling the same unit at the same time, where the system offers file locks."""
    with open_folder(cache_folder(target), create=True) as folder, folder.lock(f"{name}.lock"):
        yield


# --- images of the package


def _read_shipped(file: Any, path: Path) -> bytes:
    """An image as the manifest describes it. Links are allowed: some installers make the package of them."""
    row = _manifest(path.parent).get(path.name)
    if row is None:
        raise DamagedFileError(f"{path}: {MANIFEST} beside it does not describe it; install phalanx again")
    size, digest = row
    status = os.fstat(file.fileno())
    if stat.S_ISREG(status.st_mode) and status.st_size == size:
        image: bytes = file.read()
        if hashlib.sha256(image).hexdigest() == digest:
            return image
    raise DamagedFileError(f"{path}: it is not the image that {MANIFEST} describes; install phalanx again")


@functools.cache
def _manifest(folder: Path) -> dict[str, tuple[int, str]]:
    """Size and checksum of each shipped image, by file name; empty if the manifest cannot be read."""
    found = _read_json(folder / MANIFEST)
    try:
        return {str(row["file"]): (int(row["size"]), str(row["sha256"])) for row in found["units"].values()}
    except (KeyError, TypeError, ValueError, AttributeError):
        return {}


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


# --- how long compiling took


_TIMES = "times.json"
#: No file of times is larger [bytes], and no unit takes longer [s].
_MOST_TEXT, _LONGEST = 1 << 20, 1e5


def known_times(target: Target) -> dict[str, float]:
    """Seconds that units took to compile here, by name."""
    try:
        with open_folder(cache_folder(target)) as folder, folder.open(_TIMES) as file:
            found = json.loads(file.read(_MOST_TEXT))
        times = {str(name): float(seconds) for name, seconds in found.items()}
    except (OSError, NativeError, ValueError, AttributeError, TypeError, RecursionError, OverflowError):
        return {}
    return {name: seconds for name, seconds in times.items() if math.isfinite(seconds) and 0.0 <= seconds <= _LONGEST}


def note_times(target: Target, times: dict[str, float]) -> None:
    """Remember how long units took."""
    text = json.dumps(known_times(target) | times).encode()
    with contextlib.suppress(OSError, CacheError), open_folder(cache_folder(target), create=True) as folder:
        folder.write(_TIMES, text)
