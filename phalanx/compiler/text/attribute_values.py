"""From the text of an attribute to its value and back. The row of the attribute says what type the value has."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf, isfinite
from typing import Any, TypeAlias, cast

import numpy as np

from phalanx.compiler.text.errors import ElementProblem, nearest, quoted
from phalanx.tables.mjcf_row import MANY, Attribute, Holds
from phalanx.tables.sizes import LARGEST_INT

#: The value of an attribute: float, int, bool, str, a tuple of one of them, or None, as its row in the schema says.
AttributeValue: TypeAlias = Any
#: Reads the text of an attribute.
TextReader = Callable[[str], AttributeValue]


def _is_foreign(text: str) -> bool:
    """Python reads digits of other scripts and underscores between digits; model files do not have them."""
    return "_" in text or not text.isascii()


def _parsed(row: Attribute, text: str, convert: Callable[[str], float]) -> tuple[float, ...]:
    """The values of a text that lists numbers; `convert` is float or int."""
    try:
        values = tuple(map(convert, text.split()))
    except (ValueError, OverflowError):
        raise _unparsable(row, text, convert) from None
    if _is_foreign(text):
        raise _unparsable(row, text, convert)
    return values


def _unparsable(row: Attribute, text: str, convert: Callable[[str], float]) -> ElementProblem:
    """The problem of a text that is not a list of numbers: its first wrong word."""
    kind = "a number" if convert is float else "a whole number"
    for word in text.split():
        try:
            is_wrong = _is_foreign(word)
            convert(word)
        except (ValueError, OverflowError):
            is_wrong = True
        if is_wrong:
            return ElementProblem(f"{row.name}={quoted(text)}: {quoted(word)} is not {kind}", row.name)
    return ElementProblem(f"{row.name}={quoted(text)} is not a list of numbers", row.name)


def _check_values(row: Attribute, values: tuple[float, ...]) -> None:
    """Refuse values that are not finite, too many, too few, or outside of the bounds of the row."""
    if row.holds is Holds.REAL:
        if not isfinite(sum(values)):
            for value in values:
                if not isfinite(value):
                    raise ElementProblem(f"{row.name} holds {value}, which is not a finite number", row.name)
    elif values and not -LARGEST_INT - 1 <= min(values) <= max(values) <= LARGEST_INT:
        raise ElementProblem(f"{row.name} holds a number beyond 32 bits", row.name)
    if not row.least <= len(values) <= row.most:
        raise ElementProblem(f"{row.name} takes {arity(row)}, not {len(values)}", row.name)
    if row.lowest is not None and values and min(values) < row.lowest:
        bound = "negative" if row.lowest == 0 else f"below {row.lowest:g}"
        raise ElementProblem(f"{row.name} is {min(values):g}; it cannot be {bound}", row.name)
    if row.highest is not None and values and max(values) > row.highest:
        raise ElementProblem(f"{row.name} is {max(values):g}; it is at most {row.highest:g}", row.name)


def arity(row: Attribute) -> str:
    """How many values a row takes, in words."""
    if row.most >= MANY:
        return "any number of values" if row.least == 0 else f"at least {row.least} values"
    if row.least == row.most:
        return "one value" if row.most == 1 else f"{row.most} values"
    return f"{row.least} to {row.most} values"


def _as_row(row: Attribute, values: tuple[float, ...]) -> float | tuple[float, ...]:
    """Checked values in the form in which elements keep them: a scalar, or a tuple."""
    _check_values(row, values)
    if row.repeats and len(values) == 1:
        return values * row.most
    return values[0] if row.is_scalar else values


def _real(row: Attribute, text: str) -> float | tuple[float, ...]:
    return _as_row(row, _parsed(row, text, float))


def _int(row: Attribute, text: str) -> int | tuple[int, ...]:
    return cast(int | tuple[int, ...], _as_row(row, _parsed(row, text, int)))


def _bool(row: Attribute, text: str) -> bool:
    word = text.strip()
    if word not in ("true", "false"):
        raise ElementProblem(f"{row.name}={quoted(text)} must be 'true' or 'false'", row.name)
    return word == "true"


def _keyword(row: Attribute, text: str) -> str:
    word = text.strip()
    if word not in row.keywords:
        raise ElementProblem(f"{row.name}={quoted(text)} is not a valid keyword{nearest(word, row.keywords)}", row.name)
    return word


def _keywords(row: Attribute, text: str) -> tuple[str, ...]:
    words = tuple(text.split())
    order = list(row.keywords)
    for word in words:
        if word not in row.keywords:
            raise ElementProblem(
                f"{row.name}={quoted(text)}: {quoted(word)} is not valid{nearest(word, order)}", row.name
            )
    ranks = [order.index(word) for word in words]
    if ranks != sorted(set(ranks)):
        raise ElementProblem(f"{row.name}={quoted(text)}: the words must be in the order {', '.join(order)}", row.name)
    if not words:
        raise ElementProblem(f"{row.name} is empty", row.name)
    return words


def _text(row: Attribute, text: str) -> str:
    if "\0" in text:
        raise ElementProblem(f"{row.name} holds a zero character", row.name)
    return text


def _names(row: Attribute, text: str) -> tuple[str, ...]:
    names = tuple(_text(row, text).split())
    if not names:
        raise ElementProblem(f"{row.name} is empty", row.name)
    return names


_READ: dict[Holds, Callable[[Attribute, str], AttributeValue]] = {
    Holds.REAL: _real,
    Holds.INT: _int,
    Holds.BOOL: _bool,
    Holds.TEXT: _text,
    Holds.FILE: _text,
    Holds.KEYWORD: _keyword,
    Holds.KEYWORDS: _keywords,
    Holds.NAME: _text,
    Holds.REFERENCE: _text,
    Holds.REFERENCES: _names,
}


def reader_of(row: Attribute) -> TextReader:
    """A function of the text alone that gives what `read_value` gives, faster."""
    if row.holds is Holds.REAL and not row.repeats:
        return _real_reader(row)
    return partial(_READ[row.holds], row)


def _real_reader(row: Attribute) -> TextReader:
    """Reads floats. Most attributes of a file are such, so a valid text takes few steps."""
    least, most, is_scalar = row.least, row.most, row.is_scalar
    is_bounded = row.lowest is not None or row.highest is not None
    lowest = -inf if row.lowest is None else row.lowest
    highest = inf if row.highest is None else row.highest

    def read(text: str) -> float | tuple[float, ...]:
        # whatever is not plainly valid goes the slow way, which knows what to say about it
        try:
            values = tuple(map(float, text.split()))
        except ValueError:
            return _real(row, text)
        if not (least <= len(values) <= most and isfinite(sum(values)) and text.isascii()) or "_" in text:
            return _real(row, text)
        if is_bounded and values and not lowest <= min(values) <= max(values) <= highest:
            return _real(row, text)
        return values[0] if is_scalar else values

    return read


def read_value(row: Attribute, text: str) -> AttributeValue:
    """The value of an attribute, from its text.

    Raises:
        ElementProblem: the text does not fit the row.
    """
    return _READ[row.holds](row, text)


def check_value(row: Attribute, value: object) -> AttributeValue:
    """A value given in Python, in the form in which elements keep it.

    Raises:
        ElementProblem: the value does not fit the row.
    """
    if isinstance(value, str):
        return read_value(row, value)
    if row.holds is Holds.BOOL and isinstance(value, (bool, np.bool_)):
        return bool(value)
    if row.holds in (Holds.REAL, Holds.INT):
        values = _numeric(row.holds, value)
        if values is not None:
            return _as_row(row, values)
    if row.holds is Holds.KEYWORDS and isinstance(value, (tuple, list)):
        return _keywords(row, " ".join(map(str, value)))
    if row.holds is Holds.REFERENCES and isinstance(value, (tuple, list)):
        return _names(row, " ".join(map(str, value)))
    raise ElementProblem(f"{row.name} takes {row.holds.value}, not {value!r}", row.name)


def _numeric(holds: Holds, value: object) -> tuple[float, ...] | None:
    """A scalar, a sequence or an array as floats or ints; None if it is none of them, or not whole for ints."""
    try:
        given = np.atleast_1d(np.asarray(value)).ravel().tolist()
        if any(isinstance(one, (bool, str)) for one in given):
            return None
        if holds is Holds.REAL:
            return tuple(map(float, given))
        return tuple(map(int, given)) if all(one == int(one) for one in given) else None
    except (TypeError, ValueError, OverflowError):
        return None


def write_value(row: Attribute, value: AttributeValue) -> str:
    """The text of a value. Reading it gives the same value, bit by bit."""
    if row.holds is Holds.BOOL:
        return "true" if value else "false"
    if isinstance(value, tuple):
        return " ".join(map(_word, value))
    return _word(value)


def _word(value: float | str) -> str:
    """One value as text; floats that are whole are written without a point, except -0.0, which would lose its sign."""
    if isinstance(value, float):
        return str(int(value)) if value == int(value) and abs(value) < 1e15 and str(value) != "-0.0" else repr(value)
    return str(value)
