"""Loaded machine code: entries that Python calls, and the addresses of parts."""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any

from phalanx.native import build, cache, call, runtime_checks
from phalanx.native.entry import Entry, TextUnit, Unit
from phalanx.native.errors import CheckError, NativeError
from phalanx.native.load import LoadedImage, load_image
from phalanx.native.target import host_target

_lock = threading.RLock()
#: Cache of loaded code, by name of the image; kept for the process, as code cannot be unloaded. `forget` drops one.
_images: dict[str, LoadedImage] = {}

#: Python calls every entry through this.
CALLER = TextUnit("caller", call.CALLER_IR, "phalanx.native.runtime:caller_unit")


def caller_unit(name: str) -> TextUnit:
    """The unit of the caller, for processes that compile."""
    return CALLER


class NativeEntry:
    """A loaded entry. Calling it with integers runs the machine code, without the GIL, and returns its status."""

    def __init__(self, address: int, arity: int):
        self.address, self.arity = address, arity
        self.call = self.bound()

    def bound(self, *arguments: int) -> Callable[..., int]:
        """A function that has the first arguments bound: the fastest call."""
        function = call.bind(_image(CALLER).address(call.CALLER), self.address, self.arity, *arguments)
        return _checked(function) if runtime_checks.is_checked() else function

    def __call__(self, *arguments: int) -> int:
        return self.call(*arguments)


def load(entry: Entry) -> NativeEntry:
    """The entry as machine code: from memory, from disk, or compiled now."""
    return NativeEntry(address_of(entry, entry.name), entry.arity)


def address_of(unit: Unit, symbol: str) -> int:
    """The address of an exported function of a unit, which is loaded if it was not."""
    return _image(unit).address(symbol)


def is_ready(unit: Unit) -> bool:
    """Is the unit loaded, or on disk for the present sources?"""
    return _name_of(unit) in _images or build.find(unit) is not None


def prepare(units: Sequence[Unit]) -> None:
    """Load units, compiling what is missing, several at a time."""
    with _lock:
        unloaded = [unit for unit in (CALLER, *units) if _name_of(unit) not in _images]
        build.ensure(unloaded)
        for unit in unloaded:
            _image(unit)


def _name_of(unit: Unit) -> str:
    return build.file_name(unit, runtime_checks.is_checked())


def _image(unit: Unit) -> LoadedImage:
    name = _name_of(unit)
    image = _images.get(name)
    if image is not None:
        return image
    with _lock:
        if name not in _images:
            image = _images[name] = _loaded(unit)
            if runtime_checks.is_checked() and not isinstance(unit, TextUnit):
                _notes.append(_note_of(image))
        return _images[name]


def _loaded(unit: Unit) -> LoadedImage:
    """The image of a unit from disk; what is missing or damaged is compiled."""
    build.ensure([unit])
    path = build.find(unit) or build.compile_and_keep(unit)
    try:
        return load_image(path)
    except NativeError as error:
        if not cache.is_kept_here(path, host_target()):
            raise
        build.say(f"phalanx: {error}; compiling it again")
        path.unlink(missing_ok=True)
        return load_image(build.compile_and_keep(unit))


def forget(unit: Unit) -> None:
    """Load the unit anew when it is asked for again; for tests. Code that is loaded stays where it is."""
    _images.pop(_name_of(unit), None)


# --- checks

#: Where checks of each loaded image write what failed; grows with `_images`, empty unless code is checked.
_notes: list[Any] = []
#: Counts failures over all images, to know which was first.
_failures = ctypes.c_int64(0)


def _note_of(image: LoadedImage) -> Any:
    """The memory where checks of an image write what failed."""
    address = ctypes.CFUNCTYPE(ctypes.c_int64)(image.address(runtime_checks.NOTE_SYMBOL))()
    note = (ctypes.c_int64 * runtime_checks.NOTE_LENGTH).from_address(address)
    note[runtime_checks.COUNTER] = ctypes.addressof(_failures)
    return note


def _checked(function: Callable[..., int]) -> Callable[..., int]:
    """A call that raises what checks found."""

    @functools.wraps(function, assigned=())
    def checked(*arguments: int) -> int:
        status = function(*arguments)
        failed = [note for note in _notes if note[runtime_checks.COUNT]]
        if failed:
            raise _first_failure(failed)
        return status

    return checked


def _first_failure(notes: list[Any]) -> CheckError:
    """What the first check that failed has noted; all notes are cleared."""
    count = sum(note[runtime_checks.COUNT] for note in notes)
    first = min(notes, key=lambda note: note[runtime_checks.ORDER])
    index, bound = first[runtime_checks.INDEX], first[runtime_checks.BOUND]
    words = ctypes.string_at(first[runtime_checks.TEXT]).decode().split("|")
    for note in notes:
        note[runtime_checks.COUNT] = 0
    kind, field, axis, file, line, kernel = words
    return CheckError(kind, field, int(axis), index, bound, file, int(line), kernel, count)


__all__ = ["CALLER", "Entry", "NativeEntry", "address_of", "caller_unit", "forget", "is_ready", "load", "prepare"]
