"""WebAssembly objects as LLVM writes them: sections, symbols, and places that a linker fills in.

Only what kernels need is understood; anything else is an error that names it. The format is that of the WebAssembly
tool conventions ("Linking").
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from phalanx.native.errors import LinkError

MAGIC = b"\0asm\1\0\0\0"
#: Sections by number.
CUSTOM, TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, CODE, DATA, DATA_COUNT = range(13)
#: What is imported, and what symbols stand for.
FUNCTION_KIND, TABLE_KIND, MEMORY_KIND, GLOBAL_KIND = range(4)
FUNCTION_SYMBOL, DATA_SYMBOL, GLOBAL_SYMBOL, SECTION_SYMBOL, TAG_SYMBOL, TABLE_SYMBOL = range(6)
#: Flags of symbols.
BINDING, LOCAL, UNDEFINED, EXPLICIT_NAME = 3, 2, 0x10, 0x40
#: Subsections of the section "linking".
SEGMENTS, SYMBOLS = 5, 8
#: Places to fill in. Those with an addend are addresses.
FUNCTION_INDEX, MEMORY_ADDRESS, MEMORY_ADDRESS_SIGNED = 0, 3, 4
TYPE_INDEX, GLOBAL_INDEX, TABLE_NUMBER = 6, 7, 20
_WITH_ADDEND = (MEMORY_ADDRESS, MEMORY_ADDRESS_SIGNED)
KNOWN = (FUNCTION_INDEX, *_WITH_ADDEND, TYPE_INDEX, GLOBAL_INDEX, TABLE_NUMBER)
#: Bytes that LLVM leaves for a number that a linker fills in.
ROOM = 5


class Reader:
    """Reads numbers and texts one after another; what ends early is damaged."""

    def __init__(self, content: bytes, at: int = 0, end: int | None = None):
        self.content, self.at, self.end = content, at, len(content) if end is None else end

    def take(self, count: int) -> bytes:
        """The next bytes."""
        start = self.at
        if count < 0 or start + count > self.end:
            raise LinkError("a WebAssembly object ends in the middle of something")
        self.at += count
        return self.content[start : self.at]

    def byte(self) -> int:
        """The next byte."""
        return self.take(1)[0]

    def number(self) -> int:
        """An unsigned number in LEB128: seven bits a byte, the lowest first."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def signed(self) -> int:
        """A signed number in LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value - (1 << shift) if byte & 0x40 else value

    def text(self) -> str:
        """A name."""
        return self.take(self.number()).decode()

    @property
    def is_done(self) -> bool:
        """Is there nothing left?"""
        return self.at >= self.end


class Symbol(NamedTuple):
    """What a place refers to.

    Attributes:
        kind: one of FUNCTION_SYMBOL, DATA_SYMBOL, GLOBAL_SYMBOL, TABLE_SYMBOL.
        name: its name.
        flags: see BINDING and so on.
        number: of the function, the table or the global; of the segment, if it is data.
        offset: in the segment.
    """

    kind: int
    name: str
    flags: int
    number: int = 0
    offset: int = 0


class Place(NamedTuple):
    """A number in the code that a linker fills in: its kind, where it is, what it refers to."""

    kind: int
    offset: int
    number: int
    addend: int


class Segment(NamedTuple):
    """Constant data."""

    content: bytes
    alignment: int


class Body(NamedTuple):
    """The code of a function with its places, offsets counted from its start."""

    content: bytes
    places: list[Place]


@dataclass
class WasmObject:
    """An object file.

    Attributes:
        types: signatures, as bytes.
        imported: names of what it imports, by kind; an undefined symbol has the name of its import.
        functions: types of the functions that it defines.
        bodies: their code.
        segments: constant data.
        symbols: what places refer to.
    """

    types: list[bytes] = field(default_factory=list)
    imported: dict[int, list[str]] = field(default_factory=dict)
    functions: list[int] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    symbols: list[Symbol] = field(default_factory=list)


def read_object(content: bytes) -> WasmObject:
    """Read an object file.

    Raises:
        LinkError: it is none, or has something that kernels do not have.
    """
    try:
        return _read(content)
    except (IndexError, KeyError, ValueError) as error:
        raise LinkError(f"a WebAssembly object is damaged: {error}") from None


def _read(content: bytes) -> WasmObject:
    if content[:8] != MAGIC:
        raise LinkError("not a WebAssembly object")
    found, reader = WasmObject(), Reader(content, 8)
    code: list[tuple[int, int]] = []
    code_start = 0
    places: list[Place] = []
    data: list[bytes] = []
    alignments: list[int] = []
    # sections come in any order; what refers to others is put together at the end
    while not reader.is_done:
        kind, size = reader.byte(), reader.number()
        start = reader.at
        reader.take(size)
        section = Reader(content, start, start + size)
        if kind == TYPE:
            found.types = [_type(section) for _ in range(section.number())]
        elif kind == IMPORT:
            found.imported = _imports(section)
        elif kind == FUNCTION:
            found.functions = [section.number() for _ in range(section.number())]
        elif kind == CODE:
            code_start, code = section.at, _spans(section)
        elif kind == DATA:
            data = _segments(section)
        elif kind == CUSTOM:
            name = section.text()
            if name == "linking":
                found.symbols, alignments = _linking(section, found.imported)
            elif name == "reloc.CODE":
                places = _places(section)
            elif name.startswith("reloc."):
                raise LinkError(f"the section {name} is not understood: constants of kernels hold no addresses")
        elif kind != DATA_COUNT:
            raise LinkError(f"section {kind} of a WebAssembly object is not understood")
    if len(found.functions) != len(code) or not found.symbols:
        raise LinkError("a WebAssembly object is incomplete")
    found.segments = [Segment(*row) for row in zip(data, alignments, strict=True)]
    found.bodies = _bodies(content, code, code_start, places)
    return found


def _type(section: Reader) -> bytes:
    """A signature: parameters and results."""
    start = section.at
    if section.byte() != 0x60:
        raise LinkError("a signature of a WebAssembly object is not that of a function")
    section.take(section.number())
    section.take(section.number())
    return section.content[start : section.at]


def _imports(section: Reader) -> dict[int, list[str]]:
    """Names of imports by kind. Memory, table and the stack pointer are imported: the linker makes them."""
    found: dict[int, list[str]] = {kind: [] for kind in (FUNCTION_KIND, TABLE_KIND, MEMORY_KIND, GLOBAL_KIND)}
    for _ in range(section.number()):
        section.text()
        name, kind = section.text(), section.byte()
        if kind not in found:
            raise LinkError(f"an import of kind {kind} is not understood")
        found[kind].append(name)
        if kind == FUNCTION_KIND:
            section.number()
        elif kind == GLOBAL_KIND:
            section.take(2)
        else:
            if kind == TABLE_KIND:
                section.byte()
            has_most = section.byte() & 1
            section.number()
            if has_most:
                section.number()
    return found


def _spans(section: Reader) -> list[tuple[int, int]]:
    """First and last byte of each function body."""
    found = []
    for _ in range(section.number()):
        size = section.number()
        found.append((section.at, section.at + size))
        section.take(size)
    return found


def _segments(section: Reader) -> list[bytes]:
    """Contents of data; where LLVM thinks that they are does not count."""
    found = []
    for _ in range(section.number()):
        if section.number() != 0:
            raise LinkError("data of kernels is not understood: it has a memory of its own")
        if section.byte() != 0x41:
            raise LinkError("data of kernels is not understood: its place is no constant")
        section.signed()
        section.byte()
        found.append(section.take(section.number()))
    return found


def _linking(section: Reader, imported: dict[int, list[str]]) -> tuple[list[Symbol], list[int]]:
    """Symbols, and alignments of segments [bytes]."""
    symbols: list[Symbol] = []
    alignments: list[int] = []
    if section.number() != 2:
        raise LinkError("the version of a WebAssembly object is not understood")
    while not section.is_done:
        kind, size = section.byte(), section.number()
        part = Reader(section.content, section.at, section.at + size)
        if kind == SYMBOLS:
            symbols = [_symbol(part, imported) for _ in range(part.number())]
        elif kind == SEGMENTS:
            for _ in range(part.number()):
                part.text()
                alignments.append(1 << part.number())
                part.number()
        section.take(size)
    return symbols, alignments


#: Symbols of what can be imported, by the kind of the import.
_IMPORTED = {FUNCTION_SYMBOL: FUNCTION_KIND, GLOBAL_SYMBOL: GLOBAL_KIND, TABLE_SYMBOL: TABLE_KIND}


def _symbol(part: Reader, imported: dict[int, list[str]]) -> Symbol:
    kind, flags = part.byte(), part.number()
    is_defined = not flags & UNDEFINED
    if kind == DATA_SYMBOL:
        name = part.text()
        if not is_defined:
            return Symbol(kind, name, flags)
        segment, offset, _ = part.number(), part.number(), part.number()
        return Symbol(kind, name, flags, segment, offset)
    if kind not in _IMPORTED:
        raise LinkError(f"a symbol of kind {kind} is not understood")
    number = part.number()
    name = part.text() if is_defined or flags & EXPLICIT_NAME else imported[_IMPORTED[kind]][number]
    return Symbol(kind, name, flags, number)


def _places(section: Reader) -> list[Place]:
    section.number()  # the section that they are in: the code
    found = []
    for _ in range(section.number()):
        kind, offset, number = section.byte(), section.number(), section.number()
        if kind not in KNOWN:
            raise LinkError(f"relocation type {kind} of a WebAssembly object is not understood")
        found.append(Place(kind, offset, number, section.signed() if kind in _WITH_ADDEND else 0))
    return found


def _bodies(content: bytes, spans: list[tuple[int, int]], start: int, places: list[Place]) -> list[Body]:
    """Function bodies with their places, both of which come in order."""
    found, k = [], 0
    for first, end in spans:
        own = []
        while k < len(places) and start + places[k].offset < end:
            own.append(places[k]._replace(offset=start + places[k].offset - first))
            k += 1
        found.append(Body(content[first:end], own))
    if k < len(places):
        raise LinkError("a WebAssembly object has places outside of its functions")
    return found
