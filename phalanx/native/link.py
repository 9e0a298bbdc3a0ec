"""The linker: objects that LLVM wrote become one image, an ELF shared object that needs no other.

The image is what `dlopen` of Linux takes and what our own loader maps elsewhere. It refers to nothing outside itself:
calls between objects are resolved here, and the only work left to a loader is to add its base to the addresses that lie
in data (relative relocations), of which our code normally has none.

    R     headers, identity, exported symbols, read-only data, unwind tables
    RX    code
    RW    the dynamic section, tables of addresses: read-only after loading
    RW    variables, if there are any
          not mapped: names of all functions, section headers

Addresses that go through a table of addresses (GOT) keep doing so: every form of instruction then works as it is, and
internal symbols, which are nearly all, never do. Unwind tables (.eh_frame) are kept: they need nothing but relative
addresses, and debuggers and profilers see through kernels with them. A search table for them (.eh_frame_hdr) is left
out, as nothing is thrown through kernels. Debug information is dropped.

The same objects give the same bytes. The identity (a build id, as debuggers know it) is a hash of all other bytes, so a
damaged image can be told from a whole one.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from phalanx.native import elf
from phalanx.native.errors import LinkError
from phalanx.native.image import IDENTITY_SIZE, LARGEST, identity

#: Segments are kept apart by the largest page a machine may have [bytes].
_PAGE = {elf.EM_X86_64: 0x1000, elf.EM_AARCH64: 0x10000}
#: The smallest page there is: the best alignment a loader can promise, and what can be made read-only [bytes].
_SMALL_PAGE = 0x1000
#: What lies between functions of two objects: a trap.
_FILL = {elf.EM_X86_64: b"\xcc", elf.EM_AARCH64: b"\0"}
_NOTE = struct.pack("<III", 4, IDENTITY_SIZE, 3) + b"GNU\0"

_READ, _WRITE, _EXECUTE = elf.SHF_ALLOC, elf.SHF_ALLOC | elf.SHF_WRITE, elf.SHF_ALLOC | elf.SHF_EXECINSTR
#: Sections of the image in their order: name, type, flags, alignment, size of a row, section it refers to.
_SECTIONS = (
    (".note.gnu.build-id", elf.SHT_NOTE, _READ, 4, 0, ""),
    (".hash", elf.SHT_HASH, _READ, 8, 4, ".dynsym"),
    (".dynsym", elf.SHT_DYNSYM, _READ, 8, elf.SYMBOL.size, ".dynstr"),
    (".dynstr", elf.SHT_STRTAB, _READ, 1, 0, ""),
    (".rela.dyn", elf.SHT_RELA, _READ, 8, elf.RELOCATION.size, ".dynsym"),
    (".rodata", elf.SHT_PROGBITS, _READ, 1, 0, ""),
    (".eh_frame", elf.SHT_PROGBITS, _READ, 8, 0, ""),
    (".text", elf.SHT_PROGBITS, _EXECUTE, 64, 0, ""),
    (".data.rel.ro", elf.SHT_PROGBITS, _WRITE, 8, 0, ""),
    (".dynamic", elf.SHT_DYNAMIC, _WRITE, 8, elf.DYNAMIC.size, ".dynstr"),
    (".got", elf.SHT_PROGBITS, _WRITE, 8, 8, ""),
    (".data", elf.SHT_PROGBITS, _WRITE, 1, 0, ""),
    (".bss", elf.SHT_NOBITS, _WRITE, 1, 0, ""),
    (".symtab", elf.SHT_SYMTAB, 0, 8, elf.SYMBOL.size, ".strtab"),
    (".strtab", elf.SHT_STRTAB, 0, 1, 0, ""),
    (".shstrtab", elf.SHT_STRTAB, 0, 1, 0, ""),
)
#: Which sections are mapped together, and how. The third is made read-only once the loader has filled it.
_SEGMENTS = (
    (elf.PF_R, (".note.gnu.build-id", ".hash", ".dynsym", ".dynstr", ".rela.dyn", ".rodata", ".eh_frame")),
    (elf.PF_R | elf.PF_X, (".text",)),
    (elf.PF_R | elf.PF_W, (".data.rel.ro", ".dynamic", ".got")),
    (elf.PF_R | elf.PF_W, (".data", ".bss")),
)
_SEALED = 2
#: Sections with functions that a loader would call.
_RUN_BY_THEMSELVES = (elf.SHT_INIT_ARRAY, elf.SHT_FINI_ARRAY, elf.SHT_PREINIT_ARRAY)


def link(objects: Sequence[bytes]) -> bytes:
    """Combine relocatable objects of one machine into an image.

    Functions that are global and of default visibility are exported; the names of all others are kept for debuggers.

    Raises:
        LinkError: an object is damaged, needs what no object defines, defines what another defines too, or has
            relocations or sections that cannot be part of such an image.
    """
    return _Linker(objects).run()


# --- relocations


@dataclass(frozen=True, slots=True)
class _Rule:
    """How a type of relocation is applied: which quantity goes into which bits.

    Attributes:
        name: as the ABI of the machine has it.
        quantity: "distance" from the place to the target, "pages" between theirs, "low" twelve bits of the target, or
            "address": the target itself, to which the loader adds its base.
        bits: width of the field the quantity goes into.
        at: lowest bit of that field; -1 for ADR and ADRP, whose field is split.
        scale: count of its low bits that are dropped; they must be zero.
        size: bytes of the word that holds the field.
        through_table: the target is the entry of the symbol in the table of addresses.
    """

    name: str
    quantity: str
    bits: int
    at: int = 0
    scale: int = 0
    size: int = 4
    through_table: bool = False


_SPLIT = -1
_RULES = {
    elf.EM_X86_64: {
        1: _Rule("R_X86_64_64", "address", 64, size=8),
        2: _Rule("R_X86_64_PC32", "distance", 32),
        4: _Rule("R_X86_64_PLT32", "distance", 32),
        9: _Rule("R_X86_64_GOTPCREL", "distance", 32, through_table=True),
        24: _Rule("R_X86_64_PC64", "distance", 64, size=8),
        41: _Rule("R_X86_64_GOTPCRELX", "distance", 32, through_table=True),
        42: _Rule("R_X86_64_REX_GOTPCRELX", "distance", 32, through_table=True),
    },
    elf.EM_AARCH64: {
        257: _Rule("R_AARCH64_ABS64", "address", 64, size=8),
        260: _Rule("R_AARCH64_PREL64", "distance", 64, size=8),
        261: _Rule("R_AARCH64_PREL32", "distance", 32),
        274: _Rule("R_AARCH64_ADR_PREL_LO21", "distance", 21, at=_SPLIT),
        275: _Rule("R_AARCH64_ADR_PREL_PG_HI21", "pages", 21, at=_SPLIT),
        276: _Rule("R_AARCH64_ADR_PREL_PG_HI21_NC", "pages", 21, at=_SPLIT),
        277: _Rule("R_AARCH64_ADD_ABS_LO12_NC", "low", 12, at=10),
        278: _Rule("R_AARCH64_LDST8_ABS_LO12_NC", "low", 12, at=10),
        279: _Rule("R_AARCH64_TSTBR14", "distance", 14, at=5, scale=2),
        280: _Rule("R_AARCH64_CONDBR19", "distance", 19, at=5, scale=2),
        282: _Rule("R_AARCH64_JUMP26", "distance", 26, scale=2),
        283: _Rule("R_AARCH64_CALL26", "distance", 26, scale=2),
        284: _Rule("R_AARCH64_LDST16_ABS_LO12_NC", "low", 12, at=10, scale=1),
        285: _Rule("R_AARCH64_LDST32_ABS_LO12_NC", "low", 12, at=10, scale=2),
        286: _Rule("R_AARCH64_LDST64_ABS_LO12_NC", "low", 12, at=10, scale=3),
        299: _Rule("R_AARCH64_LDST128_ABS_LO12_NC", "low", 12, at=10, scale=4),
        311: _Rule("R_AARCH64_ADR_GOT_PAGE", "pages", 21, at=_SPLIT, through_table=True),
        312: _Rule("R_AARCH64_LD64_GOT_LO12_NC", "low", 12, at=10, scale=3, through_table=True),
    },
}


def _quantity(rule: _Rule, target: int, place: int) -> int:
    """What goes into the field, before the range is checked."""
    if rule.quantity == "distance":
        return target - place
    if rule.quantity == "pages":
        return (target >> 12) - (place >> 12)
    return target & 0xFFF if rule.quantity == "low" else target


def _patched(rule: _Rule, quantity: int, word: int) -> int | None:
    """The word with the quantity in its field, or None if it does not fit."""
    value, rest = divmod(quantity, 1 << rule.scale)
    half = 1 << (rule.bits - 1)
    if rest or (rule.quantity in ("distance", "pages") and not -half <= value < half):
        return None
    mask = (1 << rule.bits) - 1
    value &= mask
    if rule.at == _SPLIT:
        return word & ~0x60FFFFE0 | (value & 3) << 29 | (value >> 2) << 5
    return word & ~(mask << rule.at) | value << rule.at


# --- sections of the image, and the parts of objects they are made of


@dataclass(eq=False)
class _Output:
    """A section of the image. Its size is that of its content, except for .bss, which has none."""

    name: str
    type: int
    flags: int
    alignment: int
    row_size: int
    refers_to: str
    content: bytearray = field(default_factory=bytearray)
    reserved: int = 0
    info: int = 0
    address: int = 0
    offset: int = 0
    index: int = 0

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return self.reserved or len(self.content)

    def add(self, content: bytes, size: int, alignment: int, fill: bytes) -> int:
        """Append a part at its alignment; returns where it starts."""
        start = _align(self.size, alignment)
        self.alignment = max(self.alignment, alignment)
        if self.type == elf.SHT_NOBITS:
            self.reserved = start + size
        else:
            self.content += fill * (start - len(self.content)) + content
        return start


@dataclass(eq=False, slots=True)
class _Piece:
    """A section of an object, where it starts in a section of the image."""

    output: _Output
    start: int
    size: int
    name: str


#: Where something is: so many bytes into a piece.
_Place = tuple[_Piece, int]


def _address(place: _Place) -> int:
    """The address of a place, once sections have theirs."""
    piece, offset = place
    return piece.output.address + piece.start + offset


class _Input:
    """An object: its symbols, its pieces by index of the section, and the place of each symbol in the image."""

    def __init__(self, index: int, data: bytes):
        self.label = f"object {index}"
        self.elf = elf.read_object(data)
        self.symbols = self.elf.symbols(elf.SHT_SYMTAB)
        self.pieces: dict[int, _Piece] = {}
        self.places: list[_Place | None] = []

    def relocations(self) -> Iterator[tuple[_Piece, list[elf.Relocation]]]:
        """The relocations of every piece. Those of sections that are not part of the image do not matter."""
        for section in self.elf.sections:
            if section.type == elf.SHT_RELA and section.info in self.pieces:
                yield self.pieces[section.info], self.elf.relocations(section)
            elif section.type == elf.SHT_REL and section.info in self.pieces:
                raise LinkError(f"{self.label}, section {section.name}: relocations must have addends")

    def spot(self, piece: _Piece, row: elf.Relocation) -> str:
        """Where a relocation is and what it refers to; a symbol that stands for a section has no name of its own."""
        symbol = self.symbols[row.symbol]
        section = self.pieces.get(symbol.section)
        name = symbol.name or (section.name if section else "?")
        return f"{self.label}, section {piece.name}+{row.offset:#x}, symbol {name}"


#: A relocation to be done: of which object, in which piece, how, and where it leads.
_Step = tuple[_Input, _Piece, elf.Relocation, _Rule, _Place]


@dataclass(frozen=True, slots=True)
class _Function:
    """A function of the image, for its tables of symbols."""

    name: str
    place: _Place
    size: int
    is_exported: bool


class _Linker:
    """One run of the linker. The steps of `run` fill the attributes one after another."""

    def __init__(self, objects: Sequence[bytes]):
        self.inputs = [_Input(index, data) for index, data in enumerate(objects)]
        machines = {each.elf.machine for each in self.inputs}
        if len(machines) != 1:
            named = ", ".join(sorted(elf.MACHINES[machine] for machine in machines)) or "none"
            raise LinkError(f"objects of exactly one machine can be linked, not of {named}")
        self.machine = machines.pop()
        self.outputs = {row[0]: _Output(*row) for row in _SECTIONS}
        self.definitions: dict[str, _Place] = {}
        self.functions: list[_Function] = []
        self.steps: list[_Step] = []
        self.table: dict[_Place, int] = {}  # symbol -> offset of its entry in .got
        self.pointers: list[tuple[_Place, _Place, int]] = []  # place, target, addend of each address in data
        self.segments: list[elf.Segment] = []

    def run(self) -> bytes:
        """From objects to the bytes of the image."""
        for each in self.inputs:
            self._gather(each)
        self._define()
        for each in self.inputs:
            self._resolve(each)
        self._refuse_undefined()
        for each in self.inputs:
            self._survey(each)
        self._list_functions()
        self._reserve()
        self._lay_out()
        for step in self.steps:
            self._relocate(step)
        self._fill_tables()
        self._fill_pointers()
        return self._write()

    # --- sections and symbols of the objects

    def _gather(self, each: _Input) -> None:
        """Append the sections of an object that are mapped to those of the image."""
        for section in each.elf.sections:
            # notes and groups describe the object, and are not true of the image
            if not section.flags & elf.SHF_ALLOC or section.type in (elf.SHT_NOTE, elf.SHT_GROUP):
                continue
            output = self.outputs[_home(section, each.label)]
            if section.alignment > _SMALL_PAGE:
                raise LinkError(f"{each.label}, section {section.name}: alignment {section.alignment} is too large")
            fill = _FILL[self.machine] if output.name == ".text" else b"\0"
            start = output.add(each.elf.content(section), section.size, section.alignment, fill)
            each.pieces[section.index] = _Piece(output, start, section.size, section.name)

    def _define(self) -> None:
        """Collect the global symbols; a strong one wins over weak ones, and the first of these over the others."""
        strong: set[str] = set()
        duplicates: set[str] = set()
        for each in self.inputs:
            for symbol in each.symbols:
                if symbol.binding == elf.STB_LOCAL or symbol.section == elf.SHN_UNDEF:
                    continue
                is_strong = symbol.binding != elf.STB_WEAK
                if is_strong and symbol.name in strong:
                    duplicates.add(symbol.name)
                if is_strong or symbol.name not in self.definitions:
                    self.definitions[symbol.name] = self._defined_place(each, symbol)
                if is_strong:
                    strong.add(symbol.name)
        if duplicates:
            raise LinkError(f"defined more than once: {', '.join(sorted(duplicates))}")

    def _defined_place(self, each: _Input, symbol: elf.Symbol) -> _Place:
        piece = each.pieces.get(symbol.section)
        if piece is None or symbol.type in (elf.STT_TLS, elf.STT_GNU_IFUNC):
            raise LinkError(f"{each.label}: symbol {symbol.name} is of a kind that an image cannot hold")
        if symbol.value + symbol.size > piece.size:
            raise LinkError(f"{each.label}: symbol {symbol.name} lies outside its section {piece.name}")
        return piece, symbol.value

    def _resolve(self, each: _Input) -> None:
        """Find the place of every symbol of an object, where it has one."""
        for symbol in each.symbols:
            place: _Place | None = None
            if symbol.binding != elf.STB_LOCAL:
                place = self.definitions.get(symbol.name)
            elif symbol.section in each.pieces and symbol.type != elf.STT_FILE:
                place = self._defined_place(each, symbol)
            each.places.append(place)

    def _refuse_undefined(self) -> None:
        missing = {
            symbol.name
            for each in self.inputs
            for symbol, place in zip(each.symbols, each.places, strict=True)
            if symbol.binding != elf.STB_LOCAL and place is None
        }
        if missing:
            raise LinkError(f"code must need nothing from outside, but does: {', '.join(sorted(missing))}")

    def _list_functions(self) -> None:
        """All functions, the exported ones last, as tables of symbols want it."""
        for each in self.inputs:
            for symbol in each.symbols:
                piece = each.pieces.get(symbol.section)
                if symbol.type == elf.STT_FUNC and piece is not None and piece.output.name == ".text":
                    place = piece, symbol.value
                    is_visible = symbol.binding != elf.STB_LOCAL and symbol.visibility == elf.STV_DEFAULT
                    is_exported = is_visible and self.definitions[symbol.name] == place
                    self.functions.append(_Function(symbol.name, place, symbol.size, is_exported))
        if not self.functions:
            raise LinkError("there is no function in these objects")
        self.functions.sort(key=lambda function: function.is_exported)

    # --- relocations

    def _rule(self, each: _Input, piece: _Piece, row: elf.Relocation) -> tuple[_Rule, _Place]:
        """How to apply a relocation and where it leads; LinkError if it cannot be applied."""
        if row.symbol >= len(each.symbols):
            raise LinkError(f"{each.label}, section {piece.name}: a relocation of a symbol that does not exist")
        rule, place = _RULES[self.machine].get(row.type), each.places[row.symbol]
        if rule is None:
            reason = f"relocation type {row.type} of {elf.MACHINES[self.machine]} is not known"
        elif place is None:
            reason = f"{rule.name} leads to nothing in the image"
        elif row.offset + rule.size > piece.size or piece.output.type == elf.SHT_NOBITS:
            reason = f"{rule.name} lies outside the section"
        elif rule.quantity == "address" and not piece.output.flags & elf.SHF_WRITE:
            reason = f"{rule.name} would change read-only memory; compile with reloc=pic"
        elif rule.through_table and self.machine == elf.EM_AARCH64 and row.addend:
            reason = f"{rule.name} cannot lead beyond a symbol"
        else:
            return rule, place
        raise LinkError(f"{each.spot(piece, row)}: {reason}")

    def _survey(self, each: _Input) -> None:
        """List the relocations to be done, the entries of the table of addresses, and the addresses in data."""
        for piece, rows in each.relocations():
            for row in rows:
                rule, place = self._rule(each, piece, row)
                self.steps.append((each, piece, row, rule, place))
                if rule.through_table:
                    self.table.setdefault(place, 8 * len(self.table))
                elif rule.quantity == "address":
                    self.pointers.append(((piece, row.offset), place, row.addend))

    def _relocate(self, step: _Step) -> None:
        """Write a distance or an address, now that it is final, into the content of a section."""
        each, piece, row, rule, place = step
        target = self.outputs[".got"].address + self.table[place] if rule.through_table else _address(place)
        quantity = _quantity(rule, target + row.addend, piece.output.address + piece.start + row.offset)
        content, start = piece.output.content, piece.start + row.offset
        word = _patched(rule, quantity, int.from_bytes(content[start : start + rule.size], "little"))
        if word is None:
            raise LinkError(f"{each.spot(piece, row)}: {quantity} does not fit {rule.name}")
        content[start : start + rule.size] = word.to_bytes(rule.size, "little")

    # --- addresses

    def _reserve(self) -> None:
        """Give the tables of the image their final sizes, so that addresses can be fixed before they are filled."""
        self.outputs[".got"].content = bytearray(8 * len(self.table))
        self.outputs[".rela.dyn"].content = bytearray(elf.RELOCATION.size * (len(self.pointers) + len(self.table)))
        self._fill_tables()
        names = self.outputs[".shstrtab"]
        names.content = bytearray(1)
        kept = [output for output in self.outputs.values() if output.size]
        names.content += b"".join(output.name.encode() + b"\0" for output in kept)
        for index, output in enumerate(kept, start=1):
            output.index = index

    def _lay_out(self) -> None:
        """Fix the address and the place in the file of every section, and the segments.

        In the file segments follow one another; in memory each starts on a page of its own. Loaders map whole pages,
        so an address and its place in the file are the same within a page.
        """
        page = _PAGE[self.machine]
        present = [
            (index, flags, outputs)
            for index, (flags, names) in enumerate(_SEGMENTS)
            if (outputs := [self.outputs[name] for name in names if self.outputs[name].size])
        ]
        # a header for each of these, then for the dynamic section, the identity, the stack, and what is sealed
        offset = address = elf.FILE_HEADER.size + elf.PROGRAM_HEADER.size * (len(present) + 4)
        notes = []
        for index, flags, outputs in present:
            start_offset = start = 0  # the first begins with the headers
            if index:
                start_offset = offset = _align(offset, max(output.alignment for output in outputs))
                start = address = _align(address, page) + offset % page
            offset, address = _place(outputs, offset, address)
            sizes = offset - start_offset, address - start
            segment = elf.Segment(elf.PT_LOAD, flags, start_offset, start, *sizes, page)
            self.segments.append(segment)
            if index == _SEALED:
                notes.append(_sealed(segment))
        if address > LARGEST:
            raise LinkError(f"an image of {address} bytes is too large")
        self.segments += [
            _segment_of(elf.PT_DYNAMIC, elf.PF_R | elf.PF_W, self.outputs[".dynamic"]),
            _segment_of(elf.PT_NOTE, elf.PF_R, self.outputs[".note.gnu.build-id"]),
            elf.Segment(elf.PT_GNU_STACK, elf.PF_R | elf.PF_W, 0, 0, 0, 0, 16),
            *notes,
        ]
        _place([self.outputs[name] for name in (".symtab", ".strtab", ".shstrtab")], offset, None)

    # --- tables

    def _fill_tables(self) -> None:
        """Write the tables of symbols and the dynamic section. Their sizes do not depend on addresses."""
        outputs = self.outputs
        exported = [function for function in self.functions if function.is_exported]
        outputs[".note.gnu.build-id"].content = bytearray(_NOTE + bytes(IDENTITY_SIZE))
        outputs[".hash"].content = _hash_table([function.name for function in exported])
        for symbols, strings, functions in ((".dynsym", ".dynstr", exported), (".symtab", ".strtab", self.functions)):
            outputs[symbols].content, outputs[strings].content = _symbol_table(functions)
            outputs[symbols].info = 1 + sum(not function.is_exported for function in functions)
        outputs[".dynamic"].content = self._dynamic()

    def _fill_pointers(self) -> None:
        """The table of addresses, and the list of all addresses to which the loader adds its base."""
        table = self.outputs[".got"]
        rows = []
        for place, offset in self.table.items():
            struct.pack_into("<Q", table.content, offset, _address(place))
            rows.append((table.address + offset, _address(place)))
        for holder, place, addend in self.pointers:
            target = _address(place) + addend
            if not 0 <= target <= LARGEST:
                raise LinkError(f"section {holder[0].name}+{holder[1]:#x}: an address outside the image")
            rows.append((_address(holder), target))
        relative = elf.R_RELATIVE[self.machine]
        content = b"".join(elf.RELOCATION.pack(place, relative, target) for place, target in sorted(rows))
        self.outputs[".rela.dyn"].content[:] = content

    def _dynamic(self) -> bytearray:
        """What a loader of the system needs to know."""
        outputs = self.outputs
        rows = [
            (elf.DT_HASH, outputs[".hash"].address),
            (elf.DT_STRTAB, outputs[".dynstr"].address),
            (elf.DT_SYMTAB, outputs[".dynsym"].address),
            (elf.DT_STRSZ, outputs[".dynstr"].size),
            (elf.DT_SYMENT, elf.SYMBOL.size),
        ]
        moved = outputs[".rela.dyn"]
        if moved.size:
            rows += [
                (elf.DT_RELA, moved.address),
                (elf.DT_RELASZ, moved.size),
                (elf.DT_RELAENT, elf.RELOCATION.size),
                (elf.DT_RELACOUNT, moved.size // elf.RELOCATION.size),
            ]
        return bytearray(b"".join(elf.DYNAMIC.pack(*row) for row in [*rows, (elf.DT_NULL, 0)]))

    # --- the file

    def _write(self) -> bytes:
        """The bytes of the image, with its identity."""
        kept = [output for output in self.outputs.values() if output.index]
        last = self.outputs[".shstrtab"]
        headers_at = _align(last.offset + last.size, 8)
        image = bytearray(headers_at)
        image[: elf.FILE_HEADER.size] = self._file_header(headers_at, len(kept) + 1)
        programs = b"".join(_program_header(segment) for segment in self.segments)
        image[elf.FILE_HEADER.size : elf.FILE_HEADER.size + len(programs)] = programs
        for output in kept:
            image[output.offset : output.offset + len(output.content)] = output.content
        image += bytes(elf.SECTION_HEADER.size) + b"".join(self._section_header(output) for output in kept)
        note = self.outputs[".note.gnu.build-id"].offset + len(_NOTE)
        image[note : note + IDENTITY_SIZE] = identity(image, note)
        return bytes(image)

    def _file_header(self, headers_at: int, count: int) -> bytes:
        sizes = elf.FILE_HEADER.size, elf.PROGRAM_HEADER.size, len(self.segments), elf.SECTION_HEADER.size, count
        first = elf.IDENT, elf.ET_DYN, self.machine, 1, 0, elf.FILE_HEADER.size, headers_at, 0
        return elf.FILE_HEADER.pack(*first, *sizes, self.outputs[".shstrtab"].index)

    def _section_header(self, output: _Output) -> bytes:
        name = self.outputs[".shstrtab"].content.index(b"\0" + output.name.encode() + b"\0") + 1
        refers_to = self.outputs[output.refers_to].index if output.refers_to else 0
        place = output.address, output.offset, output.size, refers_to, output.info
        return elf.SECTION_HEADER.pack(name, output.type, output.flags, *place, output.alignment, output.row_size)


def _home(section: elf.Section, label: str) -> str:
    """The section of the image that a section of an object becomes part of."""
    is_written, is_code = section.flags & elf.SHF_WRITE, section.flags & elf.SHF_EXECINSTR
    runs_by_itself = section.type in _RUN_BY_THEMSELVES or section.name.startswith((".ctors", ".dtors"))
    has_no_content = section.type == elf.SHT_NOBITS
    if runs_by_itself or section.flags & elf.SHF_TLS or (is_code and is_written) or (has_no_content and not is_written):
        raise LinkError(f"{label}: section {section.name} is of a kind that an image cannot hold")
    if is_code:
        return ".text"
    if not is_written:
        return ".eh_frame" if section.name == ".eh_frame" else ".rodata"
    if has_no_content:
        return ".bss"
    return ".data.rel.ro" if section.name.startswith(".data.rel.ro") else ".data"


def _align(value: int, alignment: int) -> int:
    return (value + alignment - 1) & -alignment


def _place(outputs: Sequence[_Output], offset: int, address: int | None) -> tuple[int, int]:
    """Put sections one after another, in the file and, with an address, in memory; returns where both end."""
    for output in outputs:
        start = _align(offset, output.alignment)
        if address is not None:
            output.address = address + start - offset
            address = output.address + output.size
        output.offset, offset = start, start + len(output.content)
    return offset, address or 0


def _segment_of(kind: int, flags: int, output: _Output) -> elf.Segment:
    return elf.Segment(kind, flags, output.offset, output.address, output.size, output.size, output.alignment)


def _sealed(segment: elf.Segment) -> elf.Segment:
    """The note to make a segment read-only after loading: in whole pages, up to the end of its last one."""
    size = _align(segment.end, _SMALL_PAGE) - segment.address
    return elf.Segment(elf.PT_GNU_RELRO, elf.PF_R, segment.offset, segment.address, segment.file_size, size, 1)


def _program_header(segment: elf.Segment) -> bytes:
    place = segment.offset, segment.address, segment.address, segment.file_size, segment.memory_size
    return elf.PROGRAM_HEADER.pack(segment.type, segment.flags, *place, segment.alignment)


def _symbol_table(functions: Sequence[_Function]) -> tuple[bytearray, bytearray]:
    """A table of symbols and the table of their names."""
    rows, strings = bytearray(elf.SYMBOL.size), bytearray(1)
    for function in functions:
        address, section = _address(function.place), function.place[0].output.index
        binding = elf.STB_GLOBAL if function.is_exported else elf.STB_LOCAL
        rows += elf.SYMBOL.pack(len(strings), binding << 4 | elf.STT_FUNC, 0, section, address, function.size)
        strings += function.name.encode() + b"\0"
    return rows, strings


def _hash_table(names: Sequence[str]) -> bytearray:
    """The table by which loaders find the symbols 1, 2, ... of these names: as many chains as names."""
    count = max(len(names), 1)
    heads, links = [0] * count, [0] * (len(names) + 1)
    for symbol, name in enumerate(names, start=1):
        chain = _hash(name.encode()) % count
        links[symbol], heads[chain] = heads[chain], symbol
    return bytearray(struct.pack(f"<{2 + count + len(links)}I", count, len(links), *heads, *links))


def _hash(name: bytes) -> int:
    """The hash of a name that the ELF format prescribes."""
    value = 0
    for byte in name:
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ high >> 24) & ~high & 0xFFFFFFFF
    return value
