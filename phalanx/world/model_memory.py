"""Models compiled before in this process: the same files give the same Model, which nobody can change.

A model is found by the text of its main file, and only if every other file that it was compiled from still holds what
it held then, and those that were looked for in vain are still missing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from phalanx.compiler.compile import compile_text
from phalanx.compiler.finish.make_model import Compiled
from phalanx.compiler.text.files import Files, digest, known_digest, read_file

if TYPE_CHECKING:
    from phalanx.world.model import Model

#: How many models are kept, and how many bytes of them.
MOST, LARGEST = 16, 256 * 2**20

Key = tuple[Any, ...]


class Entry(NamedTuple):
    """A model, the files it was compiled from (path -> hash), and its bytes."""

    model: Model
    reads: dict[str, bytes | None]
    size: int


#: Cache of models by what they were compiled from; `keep` drops the oldest, `clear` all.
_kept: OrderedDict[Key, Entry] = OrderedDict()


def compiled_once(
    path: str, text: bytes, assets: Mapping[str, bytes | str] | None, make: Callable[[Compiled], Model]
) -> Model:
    """The Model of a file that holds `text`, taken from those compiled before if nothing has changed since."""
    key = key_of(path, text, assets)
    model = find(key)
    if model is None:
        compiled, files = compile_text(path, text, assets)
        model = make(compiled)
        keep(key, model, files)
    return model


def key_of(path: str, text: bytes, assets: Mapping[str, bytes | str] | None) -> Key:
    """What a model is compiled from, apart from files on disk."""
    given = {name: data.encode() if isinstance(data, str) else bytes(data) for name, data in (assets or {}).items()}
    return path, digest(text), tuple((name, digest(data)) for name, data in given.items())


def find(key: Key) -> Model | None:
    """The model with a key, if its files are as they were."""
    entry = _kept.get(key)
    if entry is None:
        return None
    if all(_is_unchanged(path, before) for path, before in entry.reads.items()):
        _kept.move_to_end(key)
        return entry.model
    del _kept[key]
    return None


def _is_unchanged(path: str, before: bytes | None) -> bool:
    try:
        return before == (known_digest(path) or read_file(path)[1])
    except (OSError, ValueError):
        return before is None


def keep(key: Key, model: Model, files: Files) -> None:
    """Remember a model, and forget those that were not asked for longest."""
    _kept[key] = Entry(model, dict(files.reads), model._store.nbytes)
    while len(_kept) > MOST or sum(entry.size for entry in _kept.values()) > LARGEST:
        _kept.popitem(last=False)


def clear() -> None:
    """Forget all models."""
    _kept.clear()
