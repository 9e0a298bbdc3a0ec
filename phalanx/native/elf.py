"""Reading ELF files: headers, sections, symbols and relocations, with every offset checked.

The codes of the format (ELF-64, little endian) are written here once; the linker and the image reader use them. A
damaged file gives a LinkError, whatever the damage.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from phalanx.native.errors import LinkError

# --- layout of the records

FILE_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")
PROGRAM_HEADER = struct.Struct("<IIQQQQQQ")
SYMBOL = struct.Struct("<IBBHQQ")
RELOCATION = struct.Struct("<QQq")
DYNAMIC = struct.Struct("<qQ")

#: The first bytes of a file: 64 bits, little endian, version 1, System V.
IDENT = b"\x7fELF" + bytes((2, 1, 1)) + bytes(9)

# --- kinds of files and machines

ET_REL, ET_DYN = 1, 3
EM_X86_64, EM_AARCH64 = 62, 183
MACHINES = {EM_X86_64: "x86-64", EM_AARCH64: "aarch64"}

# --- sections

SHT_NULL, SHT_PROGBITS, SHT_SYMTAB, SHT_STRTAB, SHT_RELA, SHT_HASH = range(6)
SHT_DYNAMIC, SHT_NOTE, SHT_NOBITS, SHT_REL = 6, 7, 8, 9
SHT_DYNSYM, SHT_INIT_ARRAY, SHT_FINI_ARRAY, SHT_PREINIT_ARRAY, SHT_GROUP, SHT_SYMTAB_SHNDX = 11, 14, 15, 16, 17, 18
SHF_WRITE, SHF_ALLOC, SHF_EXECINSTR, SHF_INFO_LINK, SHF_TLS = 1, 2, 4, 64, 1024
SHN_UNDEF, SHN_LORESERVE, SHN_ABS, SHN_COMMON = 0, 0xFF00, 0xFFF1, 0xFFF2

# --- symbols

STB_LOCAL, STB_GLOBAL, STB_WEAK = 0, 1, 2
STT_NOTYPE, STT_OBJECT, STT_FUNC, STT_SECTION, STT_FILE = range(5)
STT_TLS, STT_GNU_IFUNC = 6, 10
STV_DEFAULT = 0

# --- segments and the dynamic section

PT_LOAD, PT_DYNAMIC, PT_NOTE = 1, 2, 4
PT_GNU_STACK, PT_GNU_RELRO = 0x6474E551, 0x6474E552
PF_X, PF_W, PF_R = 1, 2, 4
DT_NULL, DT_HASH, DT_STRTAB, DT_SYMTAB, DT_RELA, DT_RELASZ, DT_RELAENT = 0, 4, 5, 6, 7, 8, 9
DT_STRSZ, DT_SYMENT, DT_FLAGS, DT_RELACOUNT = 10, 11, 30, 0x6FFFFFF9
DF_BIND_NOW = 8
R_RELATIVE = {EM_X86_64: 8, EM_AARCH64: 1027}


@dataclass(frozen=True, slots=True)
class Section:
    """A section header, with its name looked up."""

    index: int
    name: str
    type: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol. `section` is the index of a section, or one of the reserved indices SHN_..."""

    name: str
    value: int
    size: int
    section: int
    binding: int
    type: int
    visibility: int


@dataclass(frozen=True, slots=True)
class Relocation:
    """A place in a section that depends on where a symbol ends up. `symbol` is an index into the symbols."""

    offset: int
    type: int
    symbol: int
    addend: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A program header: a part of the file that is mapped, or a note to the loader."""

    type: int
    flags: int
    offset: int
    address: int
    file_size: int
    memory_size: int
    alignment: int

    @property
    def end(self) -> int:
        """First address behind the segment."""
        return self.address + self.memory_size


@dataclass(frozen=True)
class ElfFile:
    """A file whose headers make sense: tables lie inside it, and names are text."""

    data: bytes
    type: int
    machine: int
    sections: tuple[Section, ...]
    segments: tuple[Segment, ...]

    def content(self, section: Section) -> bytes:
        """The bytes of a section; a section without any, such as .bss, is empty."""
        return b"" if section.type == SHT_NOBITS else slice_of(self.data, section.offset, section.size, section.name)

    def find(self, kind: int) -> Section | None:
        """The first section of a type."""
        return next((section for section in self.sections if section.type == kind), None)

    def symbols(self, kind: int) -> list[Symbol]:
        """The symbols of the table of a type, SHT_SYMTAB or SHT_DYNSYM; empty if there is none."""
        table = self.find(kind)
        return _read_symbols(self, table) if table else []

    def relocations(self, section: Section) -> list[Relocation]:
        """The rows of a relocation section."""
        rows = _rows(self.content(section), RELOCATION, section.name)
        return [Relocation(offset, info & 0xFFFFFFFF, info >> 32, addend) for offset, info, addend in rows]


def read_elf(data: bytes) -> ElfFile:
    """The headers of an ELF file.

    Raises:
        LinkError: it is none, it is cut off, or it is for a machine we do not know.
    """
    header = FILE_HEADER.unpack(slice_of(data, 0, FILE_HEADER.size, "file header"))
    ident, kind, machine, _, _, program_offset, section_offset, _, _, *sizes, names = header
    program_entry, programs, entry, count = sizes
    if ident[:7] != IDENT[:7]:
        raise LinkError("not an ELF file of 64 bits, little endian")
    if kind not in (ET_REL, ET_DYN) or machine not in MACHINES:
        raise LinkError(f"unknown kind of ELF file: type {kind}, machine {machine}")
    if (count and entry != SECTION_HEADER.size) or (programs and program_entry != PROGRAM_HEADER.size):
        raise LinkError("headers of an unexpected size")
    section_rows = slice_of(data, section_offset, count * SECTION_HEADER.size, "section headers")
    segment_rows = slice_of(data, program_offset, programs * PROGRAM_HEADER.size, "program headers")
    segments = tuple(
        Segment(row[0], row[1], row[2], row[3], row[5], row[6], row[7])
        for row in PROGRAM_HEADER.iter_unpack(segment_rows)
    )
    return ElfFile(data, kind, machine, _read_sections(data, section_rows, names), segments)


def read_object(data: bytes) -> ElfFile:
    """The headers of a relocatable object."""
    elf = read_elf(data)
    if elf.type != ET_REL:
        raise LinkError("not a relocatable object")
    return elf


def slice_of(data: bytes, offset: int, size: int, what: str) -> bytes:
    """A part of a file, or a LinkError that says what should have been there."""
    if offset + size > len(data):
        raise LinkError(f"{what}: {size} bytes at {offset} lie outside the file of {len(data)} bytes")
    return data[offset : offset + size]


def text_at(table: bytes, offset: int, what: str) -> str:
    """A name in a table of strings."""
    end = table.find(b"\0", offset)
    if offset >= len(table) or end < 0:
        raise LinkError(f"{what}: its name lies outside the table of strings")
    try:
        return table[offset:end].decode()
    except UnicodeDecodeError:
        raise LinkError(f"{what}: its name is no text") from None


def _read_sections(data: bytes, rows: bytes, names: int) -> tuple[Section, ...]:
    headers = list(SECTION_HEADER.iter_unpack(rows))
    if not headers:
        return ()
    if names >= len(headers):
        raise LinkError("the section of section names does not exist")
    table = slice_of(data, headers[names][4], headers[names][5], "section names")
    sections = []
    for index, (name, kind, flags, address, offset, size, link, info, alignment, _) in enumerate(headers):
        text = text_at(table, name, f"section {index}") if kind != SHT_NULL else ""
        if alignment & (alignment - 1):
            raise LinkError(f"section {text}: its alignment {alignment} is no power of two")
        sections.append(Section(index, text, kind, flags, address, offset, size, link, info, max(alignment, 1)))
    return tuple(sections)


def _read_symbols(elf: ElfFile, table: Section) -> list[Symbol]:
    if table.link >= len(elf.sections):
        raise LinkError(f"section {table.name}: its table of strings does not exist")
    strings = elf.content(elf.sections[table.link])
    symbols = []
    for name, info, other, section, value, size in _rows(elf.content(table), SYMBOL, table.name):
        text = text_at(strings, name, f"a symbol of {table.name}") if name else ""
        if SHN_UNDEF < section < SHN_LORESERVE and section >= len(elf.sections):
            raise LinkError(f"symbol {text}: its section {section} does not exist")
        symbols.append(Symbol(text, value, size, section, info >> 4, info & 15, other & 3))
    return symbols


def _rows(content: bytes, record: struct.Struct, name: str) -> list[tuple[int, ...]]:
    if len(content) % record.size:
        raise LinkError(f"section {name}: {len(content)} bytes are not a whole number of rows")
    return list(record.iter_unpack(content))
