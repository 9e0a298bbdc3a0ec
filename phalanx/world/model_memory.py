"""A cache of compiled models in this process: the same files give the same Model, which is read-only.

The key is the main file. A hit also needs that all other files of the model are unchanged, and that files that were
looked for and not found are still missing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from phalanx.compiler.compile import compile_text
from phalanx.compiler.finish.make_model import Compiled
from phalanx.compiler.text.files import Files, bytes_by_name, digest, known_digest, read_file
from phalanx.compiler.text.limits import USUAL, Limits
from phalanx.memory.errors import MjcfWarning, warn_user

if TYPE_CHECKING:
    from phalanx.world.model import Model

#: Most models that are kept, and most bytes of all of them.
MOST, LARGEST = 16, 256 * 2**20

#: Path of the main file, hash of its text, names and hashes of the files given in memory, limits, and whether it is
#: trusted.
Key = tuple[str, bytes, tuple[tuple[str, bytes], ...], Limits, bool]


class Entry(NamedTuple):
    """A model, the files it was compiled from (path -> hash, None if missing), its size in bytes, and its warnings."""

    model: Model
    reads: dict[str, bytes | None]
    size: int
    warnings: tuple[str, ...]


#: Cache of models by what they were compiled from; `keep` drops the oldest, `clear` all.
_kept: OrderedDict[Key, Entry] = OrderedDict()


def compiled_once(
    path: str,
    text: bytes,
    assets: Mapping[str, bytes | str] | None,
    make: Callable[[Compiled], Model],
    limits: Limits | None = None,
    trusted: bool = True,
) -> Model:
    """The Model of a file with the contents `text`: from the cache if no file has changed, or made and kept there."""
    limits = limits or USUAL
    key = key_of(path, text, assets, limits, trusted)
    entry = find(key)
    if entry is not None:
        for message in entry.warnings:
            warn_user(message, MjcfWarning)
        return entry.model
    compiled, files = compile_text(path, text, assets, limits, trusted)
    model = make(compiled)
    keep(key, model, files)
    return model


def key_of(
    path: str,
    text: bytes,
    assets: Mapping[str, bytes | str] | None,
    limits: Limits = USUAL,
    trusted: bool = True,
) -> Key:
    """The key of a model in the cache."""
    given = tuple((name, digest(data)) for name, data in bytes_by_name(assets).items())
    return path, digest(text), given, limits, trusted


def find(key: Key) -> Entry | None:
    """The entry with a key, None if there is none or one of its files has changed."""
    entry = _kept.get(key)
    if entry is None:
        return None
    if all(_is_unchanged(path, before) for path, before in entry.reads.items()):
        _kept.move_to_end(key)
        return entry
    del _kept[key]
    return None


def _is_unchanged(path: str, before: bytes | None) -> bool:
    """Has a file the hash it had, or is it still missing?"""
    try:
        return before == (known_digest(path) or read_file(path)[1])
    except (OSError, ValueError):
        return before is None


def keep(key: Key, model: Model, files: Files) -> None:
    """Put a model into the cache; the least recently used ones leave it when there are too many."""
    _kept[key] = Entry(model, dict(files.reads), model._store.nbytes, tuple(files.warnings))
    while len(_kept) > MOST or sum(entry.size for entry in _kept.values()) > LARGEST:
        _kept.popitem(last=False)


def clear() -> None:
    """Forget all models."""
    _kept.clear()
