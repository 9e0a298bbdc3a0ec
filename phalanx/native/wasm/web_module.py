"""Units for browsers: compiled to objects, kept in the cache like images, joined to one module."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from phalanx.native import build, cache
from phalanx.native.entry import Unit
from phalanx.native.errors import DamagedFileError, NativeError
from phalanx.native.notice import say
from phalanx.native.target import WASM
from phalanx.native.wasm.wasm_link import link_module

#: How often an object is looked for that other processes delete, or that is damaged.
_ATTEMPTS = 3


def web_module(
    units: Sequence[Unit],
    custom: Mapping[str, bytes] | None = None,
    renamed: Mapping[str, Mapping[str, str]] | None = None,
    tell: Callable[[str, float], None] | None = None,
) -> bytes:
    """A WebAssembly module of units; what is not in the cache is compiled, several at a time.

    Args:
        units: entries, which the module exports by name, and parts, by slot.
        custom: what else the module carries, by name.
        renamed: by the name of a unit, other names for functions that it exports.
        tell: as in `build.ensure`.
    """
    places = {k: renamed[unit.name] for k, unit in enumerate(units) if renamed and unit.name in renamed}
    return link_module(_objects(units, tell), custom, places)


def _objects(units: Sequence[Unit], tell: Callable[[str, float], None] | None) -> list[bytes]:
    """The object of each unit."""
    found: dict[str, bytes] = {}
    for _ in range(_ATTEMPTS):
        wanted = [unit for unit in units if unit.name not in found]
        build.ensure(wanted, tell, WASM)
        for unit in wanted:
            content = _taken(unit)
            if content is not None:
                found[unit.name] = content
        if len(found) == len(units):
            return [found[unit.name] for unit in units]
    lacking = ", ".join(unit.name for unit in units if unit.name not in found)
    raise NativeError(f"{lacking} of {cache.cache_folder(WASM)} change as soon as they are written: {cache.ADVICE}")


def _taken(unit: Unit) -> bytes | None:
    """The object of a unit, if it is there and whole; one that is damaged is discarded, with a word."""
    content = build.take_unkept(unit, WASM)
    if content is not None:
        return content
    path = build.find(unit, WASM)
    if path is None:
        return None
    try:
        with cache.opened(path, WASM) as (kept, _):
            return kept
    except FileNotFoundError:
        return None
    except DamagedFileError as error:
        say(f"phalanx: {error}; compiling it again")
        cache.discard(path, WASM)
        return None
