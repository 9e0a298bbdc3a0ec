"""Loaded machine code: entries that Python calls, and the addresses of parts."""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any

from phalanx.native import build, cache, call, runtime_checks
from phalanx.native.entry import Entry, TextUnit, Unit
from phalanx.native.errors import CacheError, CheckError, DamagedFileError, NativeError
from phalanx.native.load import LoadedImage, load_checked
from phalanx.native.notice import say
from phalanx.native.target import host_target

_lock = threading.RLock()
#: Cache of loaded code, by name of the image; kept for the process, as code cannot be unloaded. `forget` drops one.
_images: dict[str, LoadedImage] = {}
#: How often an image is looked for that other processes delete, or that is damaged, before an error says so.
_ATTEMPTS = 3

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
        damaged = [unit for unit in unloaded if not _take(unit)]
        # several at a time, too
        build.ensure(damaged)
        for unit in damaged:
            _image(unit)


def _name_of(unit: Unit) -> str:
    return build.file_name(unit, runtime_checks.is_checked())


def _image(unit: Unit) -> LoadedImage:
    name = _name_of(unit)
    image = _images.get(name)
    if image is not None:
        return image
    with _lock:
        for _ in range(_ATTEMPTS):
            if name in _images:
                return _images[name]
            build.ensure([unit])
            _take(unit)
        # what is damaged could not be deleted, and this says why
        path = build.compile_and_keep(unit)
        if not _take(unit):
            raise NativeError(f"{path} changes as soon as it is written: check the disk, or {cache.ADVICE}")
        return _images[name]


def _take(unit: Unit) -> bool:
    """Load the image of a unit from disk, if it is there and whole; one that is damaged is discarded, with a word."""
    name, target = _name_of(unit), host_target()
    path = build.find(unit)
    if name in _images:
        return True
    if path is None:
        return _take_unkept(unit)
    try:
        with cache.opened(path, target) as (content, descriptor):
            image = load_checked(content, descriptor)
    except FileNotFoundError:
        return False  # another process has just deleted it
    except DamagedFileError as error:
        say(f"phalanx: {error}; compiling it again")
        cache.discard(path, target)
        return False
    except CacheError:
        raise
    except (NativeError, OSError) as error:
        raise NativeError(f"{path}: {error}") from error
    _add(unit, image)
    return True


def _take_unkept(unit: Unit) -> bool:
    """Load an image that was compiled for this process alone, if there is one."""
    content = build.take_unkept(unit)
    if content is None:
        return False
    _add(unit, load_checked(content, None))
    return True


def _add(unit: Unit, image: LoadedImage) -> None:
    _images[_name_of(unit)] = image
    if runtime_checks.is_checked() and not isinstance(unit, TextUnit):
        _notes.append(_note_of(image))


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
