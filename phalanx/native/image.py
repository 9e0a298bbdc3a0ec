"""What is in an image that the linker wrote: its symbols, its segments, and whether it is whole.

An image is read as bytes and trusted in nothing: offsets and sizes are checked before they are used, and the identity
tells whether any byte has changed since it was linked.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from phalanx.native import elf
from phalanx.native.errors import LinkError, NativeError

#: Length of the identity of an image [bytes].
IDENTITY_SIZE = 20
#: No image may take more memory than this, as relative addresses reach no further [bytes].
LARGEST = 1 << 31
_SMALL_PAGE = 0x1000


@dataclass(frozen=True)
class Layout:
    """What a loader has to do for an image.

    Attributes:
        machine: the code that ELF has for the CPU.
        size: memory from the load base to the last byte, including gaps [bytes].
        segments: parts to be mapped, in the order of their addresses; their flags are those in the end, when addresses
            have been filled in.
        relocations: (place, target) of every address to which the load base is added.
        identity_at: where the identity is, in the file and from the load base.
        identity: what it says.
    """

    machine: int
    size: int
    segments: tuple[elf.Segment, ...]
    relocations: tuple[tuple[int, int], ...]
    identity_at: int
    identity: bytes


def exported(image: bytes) -> dict[str, int]:
    """The functions that can be called from outside: where each starts, counted from the load base."""
    file = _read(image)
    symbols = [symbol for symbol in file.symbols(elf.SHT_DYNSYM)[1:] if symbol.section != elf.SHN_UNDEF]
    _check_code(file, symbols)
    return {symbol.name: symbol.value for symbol in symbols}


def undefined(image: bytes) -> list[str]:
    """Names the image needs from outside, sorted. The linker lets none through."""
    file = _read(image)
    symbols = [*file.symbols(elf.SHT_DYNSYM)[1:], *file.symbols(elf.SHT_SYMTAB)[1:]]
    return sorted({symbol.name for symbol in symbols if symbol.section == elf.SHN_UNDEF})


def functions(image: bytes) -> list[tuple[str, int, int]]:
    """(name, offset from the load base, size) of every function, exported or not, by offset."""
    file = _read(image)
    symbols = [symbol for symbol in file.symbols(elf.SHT_SYMTAB) if symbol.type == elf.STT_FUNC]
    _check_code(file, symbols)
    return sorted(((symbol.name, symbol.value, symbol.size) for symbol in symbols), key=lambda row: row[1:])


def layout(image: bytes) -> Layout:
    """What a loader needs to know, with every value checked.

    Raises:
        NativeError: a value is out of range or contradicts another.
    """
    file = _read(image)
    segments = tuple(segment for segment in file.segments if segment.type == elf.PT_LOAD)
    _check_segments(image, segments)
    note = _only(file, elf.PT_NOTE)
    identity_at = note.offset + note.file_size - IDENTITY_SIZE
    first = segments[0]
    # it lies in the first page, which any file has that a system could have loaded in its place
    end = min(first.file_size, _SMALL_PAGE)
    if note.file_size < IDENTITY_SIZE or note.address != note.offset or note.offset + note.file_size > end:
        raise NativeError("the identity of the image is not where it should be")
    return Layout(
        file.machine,
        segments[-1].end,
        _sealed(file, segments),
        _relocations(file, segments),
        identity_at,
        image[identity_at : identity_at + IDENTITY_SIZE],
    )


def check_whole(image: bytes, plan: Layout) -> None:
    """Raise NativeError unless every byte is as it was when the image was linked."""
    if identity(image, plan.identity_at) != plan.identity:
        raise NativeError("the image is damaged: its bytes do not match its identity")


def identity(image: bytes | bytearray, at: int) -> bytes:
    """Hash of an image but for the bytes at `at` that hold the identity itself."""
    digest = hashlib.blake2b(digest_size=IDENTITY_SIZE)
    view = memoryview(image)
    digest.update(view[:at])
    digest.update(view[at + IDENTITY_SIZE :])
    return digest.digest()


# --- checks


def _read(image: bytes) -> elf.ElfFile:
    file = elf.read_elf(image)
    if file.type != elf.ET_DYN:
        raise LinkError("not an image of the linker")
    return file


def _only(file: elf.ElfFile, kind: int) -> elf.Segment:
    found = [segment for segment in file.segments if segment.type == kind]
    if len(found) != 1:
        raise NativeError(f"an image has one program header of type {kind:#x}, not {len(found)}")
    return found[0]


def _check_segments(image: bytes, segments: tuple[elf.Segment, ...]) -> None:
    """Segments lie in the file, follow one another on pages of their own, and none is both written and executed."""
    end = 0
    if not segments or segments[0].address or segments[0].offset:
        raise NativeError("an image starts with its headers")
    for segment in segments:
        page = segment.alignment
        if page < _SMALL_PAGE or page & (page - 1) or (segment.address - segment.offset) % page:
            raise NativeError("a segment is not aligned to pages")
        if segment.offset + segment.file_size > len(image) or segment.file_size > segment.memory_size:
            raise NativeError("a segment lies outside the image")
        if segment.address & -page < end or segment.end > LARGEST:
            raise NativeError("segments overlap, or are too large")
        if segment.flags & elf.PF_W and segment.flags & elf.PF_X:
            raise NativeError("a segment is both writable and executable")
        end = segment.end


def _check_code(file: elf.ElfFile, symbols: list[elf.Symbol]) -> None:
    """Functions lie in code that comes from the file."""
    code = [segment for segment in file.segments if segment.type == elf.PT_LOAD and segment.flags & elf.PF_X]
    for symbol in symbols:
        start, end = symbol.value, symbol.value + max(symbol.size, 1)
        if not any(segment.address <= start and end <= segment.address + segment.file_size for segment in code):
            raise NativeError(f"function {symbol.name} lies outside the code")


def _sealed(file: elf.ElfFile, segments: tuple[elf.Segment, ...]) -> tuple[elf.Segment, ...]:
    """The segments, the one with tables of addresses read-only."""
    note = _only(file, elf.PT_GNU_RELRO)
    if not any(segment.flags & elf.PF_W and segment.address == note.address for segment in segments):
        raise NativeError("what is to be made read-only is no writable segment")
    return tuple(
        replace(segment, flags=segment.flags & ~elf.PF_W) if segment.address == note.address else segment
        for segment in segments
    )


def _relocations(file: elf.ElfFile, segments: tuple[elf.Segment, ...]) -> tuple[tuple[int, int], ...]:
    table = file.find(elf.SHT_RELA)
    rows = file.relocations(table) if table else []
    written = [segment for segment in segments if segment.flags & elf.PF_W]
    for row in rows:
        if row.type != elf.R_RELATIVE[file.machine] or row.symbol:
            raise NativeError(f"relocation type {row.type} needs a linker")
        if not any(segment.address <= row.offset and row.offset + 8 <= segment.end for segment in written):
            raise NativeError("a relocation lies outside writable memory")
        if not 0 <= row.addend <= LARGEST:
            raise NativeError("a relocation leads outside the image")
    return tuple((row.offset, row.addend) for row in rows)
