"""What a value can be in compiled code, and which types mix.

Types are interned: the same type is the same object, so that types compare by identity and serve as keys. A type says
which LLVM types its operands have (`leaves`): a number has one, a tuple as many as its parts together, a function or
`None` none at all.
"""

from __future__ import annotations

import functools
from typing import Any, ClassVar, Protocol

from phalanx.native.diagnosis import Fault


class Type:
    """A type of the kernel language; `str` gives the word for it in messages, `f"{t:a}"` the word with its article."""

    leaves: tuple[str, ...] = ()
    word: ClassVar[str] = "value"

    def __str__(self) -> str:
        return self.word

    __repr__ = __str__

    def __format__(self, form: str) -> str:
        word = str(self)
        if form != "a":
            return word
        return f"an {word}" if word[0] in "aeiou" else f"a {word}"


# --- what one world computes with


class Integer(Type):
    """A 64-bit integer: ids, counts, addresses, flags. The same in all worlds."""

    leaves, word = ("i64",), "integer"


class Boolean(Type):
    """True or false, the same in all worlds."""

    leaves, word = ("i1",), "condition"


class Float(Type):
    """A double precision number of one world, or one that all worlds share."""

    leaves, word = ("double",), "number"
    base, width = "double", 0


INTEGER, BOOLEAN, FLOAT = Integer(), Boolean(), Float()


# --- what lanes compute with


def vector(element: str, width: int) -> str:
    """LLVM's type of one element for each world; of one world it is the element itself.

    A vector of one condition would do as well, but LLVM's code generator fails on it where masks have registers.
    """
    return element if width == 1 else f"<{width} x {element}>"


class Lane(Type):
    """One number for each of `width` worlds. A float32 of one world is a lane of width 1."""

    word = "number"

    def __init__(self, base: str, width: int):
        self.base, self.width = base, width
        self.leaves = (vector(base, width),)


class Mask(Type):
    """One condition for each of `width` worlds."""

    word = "condition of worlds"

    def __init__(self, base: str, width: int):
        self.base, self.width = base, width
        self.leaves = (vector("i1", width),)


class Dual(Type):
    """A number of one world with tangents: how it changes in `cells - 1` directions.

    The value is computed as in one world. The first cell of the vector stands for nothing: in memory it is the value.
    """

    word = "number"
    base = "double"

    def __init__(self, cells: int):
        self.cells = cells
        self.leaves = ("double", vector("double", cells))


@functools.cache
def dual(cells: int) -> Dual:
    """The number with `cells - 1` tangents."""
    return Dual(cells)


@functools.cache
def lane(base: str, width: int) -> Lane:
    """The lane of `width` numbers of LLVM type `base`: "double" or "float"."""
    return Lane(base, width)


@functools.cache
def mask(base: str, width: int) -> Mask:
    """The condition that a comparison of such lanes gives."""
    return Mask(base, width)


# --- compounds, and what only the compiler sees


class Nothing(Type):
    """None: what a function without a result returns."""

    word = "None"

    def __format__(self, form: str) -> str:
        return self.word


class Tuple(Type):
    """A tuple. It exists in the compiler only; its parts are separate operands."""

    def __init__(self, parts: tuple[Type, ...]):
        self.parts = parts
        self.leaves = tuple(leaf for part in parts for leaf in part.leaves)

    def __str__(self) -> str:
        return f"tuple of {len(self.parts)}"


class Known(Type):
    """A Python object that is known when compiling: a function, an enum, a module, a record of constants."""

    def __init__(self, object: Any):
        self.object = object

    def __str__(self) -> str:
        return str(getattr(self.object, "__name__", f"a Python {type(self.object).__name__}"))

    def __format__(self, form: str) -> str:
        return str(self)


class Conflict(Type):
    """A variable whose types on two paths have nothing in common; it must be assigned again before it is read."""

    def __init__(self, first: Type, second: Type):
        self.first, self.second = first, second


class Broken(Type):
    """The value of something that is wrong and has been reported: what follows from it is not reported again."""

    word = "error"


NOTHING, BROKEN = Nothing(), Broken()


@functools.cache
def tuple_of(parts: tuple[Type, ...]) -> Tuple:
    """The tuple with parts of these types."""
    return Tuple(parts)


#: Cache of `known`: id of an object -> its type; kept for the process, which compiles few.
_known: dict[int, Known] = {}


def known(object: Any) -> Known:
    """The type of one Python object. The type keeps the object alive, so that its identity stays its own."""
    found = _known.get(id(object))
    if found is None:
        found = _known[id(object)] = Known(object)
    return found


# --- memory


class Element:
    """What an array holds: its LLVM type in memory, and what a loaded element is.

    Attributes:
        storage: LLVM type in memory.
        cell: LLVM type of what is loaded and stored of it: all, or the value of a dual alone.
        loaded: type of an element once loaded; small integers widen to 64 bits, float32 to double precision.
        widen: instruction that widens, or "".
        nbytes: size of an element.
    """

    def __init__(self, storage: str, loaded: Type, nbytes: int, widen: str = "", cell: str = ""):
        self.storage, self.loaded, self.nbytes, self.widen = storage, loaded, nbytes, widen
        self.cell = cell or storage


FLOAT64_ELEMENT = Element("double", FLOAT, 8)
FLOAT32_ELEMENT = Element("float", FLOAT, 4, "fpext")
INT64_ELEMENT = Element("i64", INTEGER, 8)
INT32_ELEMENT = Element("i32", INTEGER, 4, "sext")
BYTE_ELEMENT = Element("i8", INTEGER, 1, "zext")

#: Bytes; every field begins at such a boundary.
ALIGNMENT = 64


@functools.cache
def number_element(number: Type) -> Element:
    """An array of numbers: plain doubles, or a lane each."""
    if isinstance(number, Lane):
        return Element(number.leaves[0], number, number.width * (8 if number.base == "double" else 4))
    if isinstance(number, Dual):
        return Element(number.leaves[1], number, 8 * number.cells)
    return FLOAT64_ELEMENT


@functools.cache
def value_element(element: Element) -> Element:
    """The values alone of an array of duals; any other element is itself."""
    if not isinstance(element.loaded, Dual):
        return element
    return Element(element.storage, FLOAT, element.nbytes, cell="double")


class Field(Type):
    """The address of an array whose first index is free and whose inner shape is known.

    Attributes:
        element: what it holds.
        inner: the inner shape; () for a flat array.
        alias: fields of different aliases never overlap; one with the alias "" may overlap with any.
        constant: nobody writes to it while a kernel runs, so its loads can be hoisted out of loops.
    """

    leaves: tuple[str, ...] = ("ptr",)
    word = "field"

    def __init__(self, element: Element, inner: tuple[int, ...], alias: str, constant: bool):
        self.element, self.inner, self.alias, self.constant = element, inner, alias, constant


class CheckedField(Field):
    """A field that knows its count of rows: see `runtime_checks.py`."""

    leaves = ("ptr", "i64")


class SpreadField(Field):
    """A field of one world among many on a device: the address of its first element, and how many elements of memory
    lie between two of its own, which is the number of worlds."""

    leaves = ("ptr", "i64")


@functools.cache
def field(element: Element, inner: tuple[int, ...] = (), alias: str = "", constant: bool = False) -> Field:
    """The type of an array in memory."""
    return Field(element, inner, alias, constant)


@functools.cache
def checked_field(plain: Field) -> CheckedField:
    """The same array with its bounds."""
    return CheckedField(plain.element, plain.inner, plain.alias, plain.constant)


@functools.cache
def spread_field(plain: Field) -> SpreadField:
    """The same array, spread over the worlds of a device."""
    return SpreadField(plain.element, plain.inner, plain.alias, plain.constant)


class Member:
    """An attribute of a view, at a slot of the table that the view points to.

    Attributes:
        slot: position in the table.
        element: what the array or the scalar holds; None for a plain integer that stands in the table itself.
        inner: inner shape of an array; None for a scalar.
        extent: name of the size that the first index stays below, or a number; "" if no attribute tells it.
        alias: see `Field`.
        is_spread: see `SpreadField`.
        known: a plain integer that is known when compiling.
    """

    def __init__(
        self,
        slot: int,
        element: Element | None = None,
        inner: tuple[int, ...] | None = None,
        extent: str | int = "",
        alias: str = "",
        is_spread: bool = False,
        known: int | None = None,
    ):
        self.slot, self.element, self.inner, self.extent, self.alias = slot, element, inner, extent, alias
        self.is_spread, self.known = is_spread, known


class Schema(Protocol):
    """What the compiler must know of a view: its attributes by name. `memory/view.py` has those of Model and Data."""

    name: str
    #: Has it members that are spread over the worlds of a device?
    is_spread: bool

    @property
    def base(self) -> Any:
        """The schema whose table is the beginning of this one's, or None."""

    @property
    def digest(self) -> str:
        """Hash of the whole layout; part of the key of compiled code."""

    def __hash__(self) -> int: ...

    def member(self, path: str) -> Member | None:
        """The attribute at a dotted path, or None."""

    def is_record(self, path: str) -> bool:
        """Do attributes begin with this path and a dot?"""

    def explain(self, path: str) -> str:
        """Why there is no such attribute, and what to write instead."""

    def method(self, path: str) -> Any:
        """The kernel that a call of the attribute runs, with the view as its first argument, or None."""


class ValuesSchema:
    """The attributes of a schema whose numbers are duals, of which only the values are read and written."""

    def __init__(self, whole: Schema):
        self.name, self.is_spread, self._whole = whole.name, whole.is_spread, whole
        self._members: dict[str, Member | None] = {}
        self.is_record, self.explain, self.method = whole.is_record, whole.explain, whole.method

    @property
    def base(self) -> Any:
        """The schema whose table is the beginning of this one's, without tangents, too."""
        return None if self._whole.base is None else values_schema(self._whole.base)

    @property
    def digest(self) -> str:
        """Hash of the layout."""
        return f"values of {self._whole.digest}"

    def member(self, path: str) -> Member | None:
        """The attribute at a dotted path, or None."""
        if path not in self._members:
            found = self._whole.member(path)
            if found is not None and found.element is not None:
                element = value_element(found.element)
                found = Member(found.slot, element, found.inner, found.extent, found.alias, found.is_spread)
            self._members[path] = found
        return self._members[path]


@functools.cache
def values_schema(whole: Schema) -> Schema:
    """The attributes of a view, without tangents."""
    return ValuesSchema(whole)


class View(Type):
    """A pointer to a table of sizes and addresses: `m` and `d`. On a device also which world it is, and of how many.

    Attributes:
        schema: the attributes.
        constant: fields do not change while a kernel runs.
        prefix: nested record, "" or "opt.".
    """

    def __init__(self, schema: Schema, constant: bool, prefix: str):
        self.schema, self.constant, self.prefix = schema, constant, prefix
        self.leaves = ("ptr", "i64", "i64") if schema.is_spread else ("ptr",)
        self.fields: dict[str, Field] = {}

    def __str__(self) -> str:
        return self.schema.name.capitalize()


@functools.cache
def view(schema: Schema, constant: bool, prefix: str = "") -> View:
    """The type of a view of a schema."""
    return View(schema, constant, prefix)


# --- which types mix


def has_tangents(t: Type) -> bool:
    """Is it a dual, or a tuple that has one?"""
    return isinstance(t, Dual) or (isinstance(t, Tuple) and any(has_tangents(part) for part in t.parts))


def is_plain(t: Type) -> bool:
    """Is it an integer, a condition or a number that is the same in all worlds?"""
    return t is INTEGER or t is FLOAT or t is BOOLEAN


def promote(*types: Type) -> Type:
    """The common number type of operands: integer < number < lane; conditions count as the integers 0 and 1."""
    widest: Lane | None = None
    result: Type = INTEGER
    for t in types:
        if isinstance(t, Dual):
            return _dual_of(types)
        if isinstance(t, Lane):
            widest = t if widest is None else _wider_lane(widest, t)
        elif t is FLOAT:
            result = FLOAT
        elif t is BROKEN:
            raise Fault("")
        elif t is not INTEGER and t is not BOOLEAN:
            raise Fault(f"{_misfit(t)} stands where a number is needed")
    return widest or result


def _dual_of(types: tuple[Type, ...]) -> Type:
    """The common type of operands one of which is a dual: plain numbers are duals that do not change."""
    duals = [t for t in types if isinstance(t, Dual)]
    promote(*(t for t in types if not isinstance(t, Dual)))
    if any(isinstance(t, Lane) or (isinstance(t, Dual) and t is not duals[0]) for t in types):
        raise Fault("duals mix with plain numbers only")
    return duals[0]


def _misfit(t: Type) -> str:
    return f"{t:a} (choose by it with where, any_ or all_)" if isinstance(t, Mask) else f"{t:a}"


def _lanes_mix(a: Lane, b: Lane) -> bool:
    """Lanes of one base mix if they have as many worlds, or if one has a number that all worlds share."""
    return a.base == b.base and (a.width == b.width or 1 in (a.width, b.width))


def _wider_lane(a: Lane, b: Lane) -> Lane:
    if not _lanes_mix(a, b):
        raise Fault(f"lanes of {a.leaves[0]} and {b.leaves[0]} do not mix")
    return a if a.width >= b.width else b


def number_of(t: Type) -> Type:
    """The number type of an operand: a lane or a dual stays itself, anything plain is a double."""
    return t if isinstance(t, Lane) else promote(FLOAT, t)


def one_world(t: Type) -> Type:
    """The number type of a single world taken out of a number."""
    if isinstance(t, Dual):
        return t
    return lane("float", 1) if isinstance(t, Lane) and t.base == "float" else FLOAT


def condition_of(*types: Type) -> Type:
    """The common condition type: a mask if one of them is one."""
    widest: Type = BOOLEAN
    for t in types:
        if isinstance(t, Mask):
            if not isinstance(widest, Mask) or t.width > widest.width:
                widest = t
        elif t is BROKEN:
            raise Fault("")
        elif t is not BOOLEAN:
            raise Fault(f"{t:a} stands where a condition is needed")
    return widest


def unify(a: Type, b: Type) -> Type | None:
    """The type of a variable that is `a` on one path and `b` on another, or None if there is none."""
    if a is b:
        return a
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.parts) == len(b.parts):
        parts = [unify(x, y) for x, y in zip(a.parts, b.parts, strict=True)]
        return None if None in parts else tuple_of(tuple(part for part in parts if part is not None))
    if isinstance(a, Mask | Boolean) and isinstance(b, Mask | Boolean):
        return condition_of(a, b)
    if isinstance(a, Field) and isinstance(b, Field):
        return _either_field(a, b)
    if isinstance(a, Lane) and isinstance(b, Lane) and not _lanes_mix(a, b):
        return None
    if isinstance(a, Dual | Lane) and isinstance(b, Dual | Lane) and Dual in (type(a), type(b)):
        return None
    if isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS):
        return promote(a, b)
    return None


_NUMBERS = (Lane, Dual, Integer, Float, Boolean)


def _either_field(a: Field, b: Field) -> Field | None:
    """The type of a field that is one of two, which may overlap with any; None if their elements differ."""
    if type(a) is not type(b) or a.element is not b.element or a.inner != b.inner:
        return None
    either = field(a.element, a.inner, constant=a.constant and b.constant)
    if isinstance(a, SpreadField):
        return spread_field(either)
    return checked_field(either) if isinstance(a, CheckedField) else either
