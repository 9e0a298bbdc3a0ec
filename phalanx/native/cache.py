"""Images on disk: those shipped with the package, and those compiled here.

An image is a file `name-key.so`. It holds its own checksum (`image.py`), so that one that is cut off or damaged is
never loaded. Files appear whole or not at all.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

from phalanx.native.target import Target

#: Where compiled kernels are kept; default is the user's cache folder.
CACHE_VARIABLE = "PHALANX_CACHE_DIR"
#: Folder of ready-made images in the package, one folder per target inside.
SHIPPED = Path(__file__).resolve().parent.parent / "prebuilt"
#: Images of one unit that are kept; older ones are deleted.
KEPT = 4


def root_folder() -> Path:
    """The folder of everything that Phalanx keeps for this user."""
    root = os.environ.get(CACHE_VARIABLE)
    return Path(root) if root else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "phalanx"


def cache_folder(target: Target) -> Path:
    """The folder of images compiled here, for a target."""
    return root_folder() / "kernels" / target.name


def shipped_folder(target: Target) -> Path:
    """The folder of images that came with the package, for a target."""
    return SHIPPED / target.name


# --- files


def find(name: str, shipped_key: str, local_key: str, target: Target) -> Path | None:
    """The file of an image, shipped or compiled here."""
    for path in (shipped_folder(target) / f"{name}-{shipped_key}.so", cache_folder(target) / f"{name}-{local_key}.so"):
        if path.is_file():
            return path
    return None


def is_kept_here(path: Path, target: Target) -> bool:
    """Is it a file of the cache, which may be deleted?"""
    return path.parent == cache_folder(target)


def keep(name: str, key: str, target: Target, image: bytes) -> Path:
    """Write an image to the cache; raises OSError if the folder cannot be written."""
    folder = cache_folder(target)
    path = folder / f"{name}-{key}.so"
    write_atomically(path, image)
    _forget_old(folder, name)
    return path


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file that appears whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _forget_old(folder: Path, name: str) -> None:
    """Delete images of other sources that have not been made lately."""
    with contextlib.suppress(OSError):
        files = [path for path in folder.glob(f"{name}-*.so") if path.stem.rpartition("-")[0] == name]
        for path in sorted(files, key=lambda path: path.stat().st_mtime, reverse=True)[KEPT:]:
            path.unlink()


@contextlib.contextmanager
def alone(name: str, target: Target) -> Iterator[None]:
    """Keep other processes from compiling the same unit at the same time, where the system offers file locks."""
    try:
        import fcntl

        folder = cache_folder(target)
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / f"{name}.lock").open("a")
    except (ImportError, OSError):
        yield
        return
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# --- how long compiling took


def _times_file(target: Target) -> Path:
    return cache_folder(target) / "times.json"


def known_times(target: Target) -> dict[str, float]:
    """Seconds that units took to compile here, by name."""
    try:
        found = json.loads(_times_file(target).read_text())
        return {str(name): float(seconds) for name, seconds in found.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def note_times(target: Target, times: dict[str, float]) -> None:
    """Remember how long units took."""
    with contextlib.suppress(OSError):
        write_atomically(_times_file(target), json.dumps(known_times(target) | times).encode())
