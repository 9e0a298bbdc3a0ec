"""Objects joined into one WebAssembly module that needs nothing from outside: it has its memory, its table, its stack.

The stack is at the bottom of memory: one that overflows leaves memory and traps, instead of overwriting something. Data
comes next; the rest is for whoever runs the module, from the exported `heap_base` on. Parts are called through the
exported `table`, by the numbers that whoever runs the module gives them there. Numbers that LLVM leaves five bytes for
get as many as they take: code of WebAssembly has no distances that would change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from phalanx.native.errors import LinkError
from phalanx.native.wasm import wasm_object as w
from phalanx.native.wasm.wasm_object import Body, Place, Symbol, WasmObject, read_object

#: Bytes of the stack: kernels keep little there, as their working memory is declared.
STACK = 1 << 18
#: Bytes of a page of memory, and the most pages that addresses of 32 bits reach.
PAGE, MOST_PAGES = 1 << 16, 1 << 16
_I32, _FUNCTION_REFERENCE, _END = 0x7F, 0x70, 0x0B
_I32_CONST = 0x41
#: Subsection of the section "name".
_FUNCTION_NAMES = 1
#: What the module exports beside functions; kernels have no such names.
MEMORY_NAME, TABLE_NAME, HEAP_NAME = "memory", "table", "heap_base"
_STACK_POINTER, _TABLE_SYMBOL = "__stack_pointer", "__indirect_function_table"


def unsigned(value: int) -> bytes:
    """A number in LEB128.

    >>> unsigned(300).hex()
    'ac02'
    """
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def signed(value: int) -> bytes:
    """A number with a sign in LEB128.

    >>> signed(-1).hex(), signed(64).hex()
    ('7f', 'c000')
    """
    out = bytearray()
    while not -0x40 <= value <= 0x3F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value & 0x7F)
    return bytes(out)


def link_module(
    objects: Iterable[bytes],
    custom: Mapping[str, bytes] | None = None,
    renamed: Mapping[int, Mapping[str, str]] | None = None,
) -> bytes:
    """One module of all objects; functions that other modules may call are exported under their names.

    Args:
        objects: object files.
        custom: what else the module carries, by name.
        renamed: by the place of an object, other names for functions that it exports.

    Raises:
        LinkError: something is needed that no object has, or two have the same.
    """
    return _Linker([read_object(content) for content in objects], renamed or {}).module(custom or {})


class _Linker:
    """Numbers everything anew, then writes it."""

    def __init__(self, objects: Sequence[WasmObject], renamed: Mapping[int, Mapping[str, str]]):
        self._objects = objects
        self._types: dict[bytes, int] = {}
        self._exported: dict[str, int] = {}
        self._first: list[int] = []
        self._addresses: list[list[int]] = []
        self._count, self._end = 0, STACK
        for found in objects:
            self._first.append(self._count - len(found.imported.get(w.FUNCTION_KIND, ())))
            self._count += len(found.functions)
            for signature in found.types:
                self._types.setdefault(signature, len(self._types))
            self._addresses.append([self._placed(segment) for segment in found.segments])
        for k, found in enumerate(objects):
            for symbol in found.symbols:
                self._export(symbol, self._first[k], renamed.get(k, {}))

    def _placed(self, segment: w.Segment) -> int:
        """The address of data."""
        address = -(-self._end // segment.alignment) * segment.alignment
        self._end = address + len(segment.content)
        return address

    def _export(self, symbol: Symbol, first: int, renamed: Mapping[str, str]) -> None:
        if symbol.kind != w.FUNCTION_SYMBOL or symbol.flags & w.UNDEFINED or symbol.flags & w.BINDING == w.LOCAL:
            return
        name = renamed.get(symbol.name, symbol.name)
        if name in self._exported:
            raise LinkError(f"two objects have the function {name}")
        self._exported[name] = first + symbol.number

    # --- what a place refers to

    def _value(self, k: int, place: Place) -> bytes:
        """What stands at a place of object k."""
        found = self._objects[k]
        if place.kind == w.TYPE_INDEX:
            return unsigned(self._types[found.types[place.number]])
        symbol = found.symbols[place.number]
        if place.kind == w.FUNCTION_INDEX:
            return unsigned(self._function(k, symbol))
        if place.kind == w.GLOBAL_INDEX and symbol.name == _STACK_POINTER:
            return unsigned(0)
        if place.kind == w.TABLE_NUMBER and symbol.name == _TABLE_SYMBOL:
            return unsigned(0)
        if place.kind in (w.MEMORY_ADDRESS, w.MEMORY_ADDRESS_SIGNED) and not symbol.flags & w.UNDEFINED:
            address = self._addresses[k][symbol.number] + symbol.offset + place.addend
            return unsigned(address) if place.kind == w.MEMORY_ADDRESS else signed(address)
        raise LinkError(f"a kernel refers to {symbol.name}, which no object has")

    def _function(self, k: int, symbol: Symbol) -> int:
        if not symbol.flags & w.UNDEFINED:
            return self._first[k] + symbol.number
        if symbol.name not in self._exported:
            raise LinkError(f"a kernel calls {symbol.name}, which no object has")
        return self._exported[symbol.name]

    def _body(self, k: int, body: Body) -> bytes:
        """The code of a function, its places filled in."""
        parts, at = [], 0
        for place in body.places:
            parts += [body.content[at : place.offset], self._value(k, place)]
            at = place.offset + w.ROOM
        parts.append(body.content[at:])
        code = b"".join(parts)
        return unsigned(len(code)) + code

    # --- sections

    def module(self, custom: Mapping[str, bytes]) -> bytes:
        """The module."""
        heap = -(-self._end // PAGE) * PAGE
        types = [
            unsigned(self._types[found.types[kind]]) for found in self._objects for kind in found.functions
        ]  # fmt: skip
        bodies = [self._body(k, body) for k, found in enumerate(self._objects) for body in found.bodies]
        data = [
            b"\0" + bytes([_I32_CONST]) + signed(address) + bytes([_END]) + _sized(segment.content)
            for found, addresses in zip(self._objects, self._addresses, strict=True)
            for segment, address in zip(found.segments, addresses, strict=True)
        ]
        # sections must come in this order
        pages = heap // PAGE
        return w.MAGIC + b"".join((
            _section(w.TYPE, _vector(list(self._types))),
            _section(w.FUNCTION, _vector(types)),
            _section(w.TABLE, _vector([bytes([_FUNCTION_REFERENCE, 0]) + unsigned(1)])),
            _section(w.MEMORY, _vector([b"\1" + unsigned(pages) + unsigned(MOST_PAGES)])),
            _section(w.GLOBAL, _vector([_global(STACK, True), _global(heap, False)])),
            _section(w.EXPORT, _vector(self._exports())),
            _section(w.CODE, _vector(bodies)),
            _section(w.DATA, _vector(data)),
            *(
                _section(w.CUSTOM, _sized(name.encode()) + content)
                for name, content in {"name": self._names(), **custom}.items()
            ),
        ))  # fmt: skip

    def _names(self) -> bytes:
        """Names of all functions, which profilers and debuggers show."""
        named = sorted(
            (first + symbol.number, symbol.name)
            for found, first in zip(self._objects, self._first, strict=True)
            for symbol in found.symbols
            if symbol.kind == w.FUNCTION_SYMBOL and not symbol.flags & w.UNDEFINED
        )
        rows = [unsigned(index) + _sized(name.encode()) for index, name in named]
        return bytes([_FUNCTION_NAMES]) + _sized(_vector(rows))

    def _exports(self) -> list[bytes]:
        own = ((MEMORY_NAME, w.MEMORY_KIND, 0), (TABLE_NAME, w.TABLE_KIND, 0), (HEAP_NAME, w.GLOBAL_KIND, 1))
        functions = ((name, w.FUNCTION_KIND, index) for name, index in self._exported.items())
        return [_sized(name.encode()) + bytes([kind]) + unsigned(index) for name, kind, index in (*own, *functions)]


def _sized(content: bytes) -> bytes:
    return unsigned(len(content)) + content


def _vector(rows: Sequence[bytes]) -> bytes:
    return unsigned(len(rows)) + b"".join(rows)


def _section(kind: int, content: bytes) -> bytes:
    return bytes([kind]) + _sized(content)


def _global(value: int, is_variable: bool) -> bytes:
    return bytes([_I32, is_variable, _I32_CONST]) + signed(value) + bytes([_END])
