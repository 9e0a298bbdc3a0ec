"""What can be plotted: fields of a Data by name, as users write them in the page.

`qpos`, `qpos[2]`, `xpos[1:3, 2]`, `time`; fields of an object, `body torso xpos`, `joint knee qvel[0]`; and a sensor,
`sensor gyro`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.names import KIND_BY_ACCESSOR
from phalanx.world.data import PUBLIC_FIELDS, Data

#: Lines in one plot.
MOST_LINES = 16
#: The field that a kind of object is about, when none is named.
USUAL_FIELD = {"sensor": "data", "joint": "qpos", "body": "xpos", "geom": "xpos", "site": "xpos", "actuator": "ctrl"}

#: A field with indices or slices behind it.
_INDEXED = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*(?:\[(?P<index>[-\d\s:,]*)\])?")
_SLICE = re.compile(r"(-?\d+)?(?::(-?\d+)?)?")


@dataclass(frozen=True)
class PlotField:
    """Numbers of a Data that are plotted together.

    Attributes:
        text: as the user wrote it.
        labels: a name for each number.
        read: the numbers, (len(labels),), of a Data.
    """

    text: str
    labels: tuple[str, ...]
    read: Callable[[Data], np.ndarray]


def plot_field(text: str, data: Data) -> PlotField:
    """What a text names in a Data.

    Raises:
        FieldError: it names nothing, or more than one plot can show; the message says what was meant.
    """
    words = text.split(maxsplit=1)
    if not words:
        raise FieldError("name a field to plot: qpos[2], sensordata, body torso xpos")
    if words[0] in KIND_BY_ACCESSOR and len(words) > 1:
        name, index, find = _of_object(words[0], words[1], data)
    else:
        name, index = _split(text)
        known = [*PUBLIC_FIELDS, *KIND_BY_ACCESSOR]
        if name not in PUBLIC_FIELDS:
            raise FieldError(f"there is no field {name!r} to plot{suggestion(name, known)}")

        def find(data: Data, field: str = name) -> Any:
            return getattr(data, field)

    def numbers(data: Data) -> np.ndarray:
        return np.asarray(find(data), np.float64)[index]

    return PlotField(text.strip(), _labels(name, index, _checked(text, lambda: numbers(data))), _flat(numbers))


def _flat(numbers: Callable[[Data], np.ndarray]) -> Callable[[Data], np.ndarray]:
    """The same numbers in one row."""
    return lambda data: numbers(data).reshape(-1)


def _of_object(kind: str, rest: str, data: Data) -> tuple[str, tuple[Any, ...], Callable[[Data], Any]]:
    """Field, index and reader of `body torso xpos[2]`; a name may hold spaces, the last word may be left out."""
    names = data.model.names.names[kind]
    name, _, field = rest.rpartition(" ")
    if rest in names or not name:
        name, field = rest, USUAL_FIELD.get(kind, "")
    if not field:
        raise FieldError(f"which field of {kind} {rest!r}? write: {kind} {rest} <field>")
    objid = data.model.names.id_of(kind, name.strip())
    field, index = _split(field)
    return field, index, lambda data: getattr(getattr(data, kind)(objid), field)


def _split(text: str) -> tuple[str, tuple[Any, ...]]:
    """`xpos[1:3, 2]` as ("xpos", (slice(1, 3), 2))."""
    match = _INDEXED.fullmatch(text.strip())
    if match is None:
        raise FieldError(f"{text!r} is no field: write for example qpos, qpos[2] or xpos[1:3, 2]")
    if match["index"] is None:
        return match["name"], ()
    return match["name"], tuple(_index(part.strip(), text) for part in match["index"].split(","))


def _index(part: str, text: str) -> int | slice:
    """One index or slice."""
    match = _SLICE.fullmatch(part)
    if match is None or not part:
        raise FieldError(f"{part!r} in {text!r} is no index: write 2, 1:3 or :")
    start, stop = (None if bound is None else int(bound) for bound in match.groups())
    return slice(start, stop) if ":" in part else int(part)


def _checked(text: str, read: Callable[[], np.ndarray]) -> np.ndarray:
    """The numbers as they are now, if they can be plotted."""
    try:
        found = read()
    except IndexError as error:
        raise FieldError(f"{text!r} is outside of the field: {error}") from None
    if not 0 < found.size <= MOST_LINES:
        reason = "is empty" if not found.size else f"has {found.size} numbers; a plot shows {MOST_LINES} at most"
        raise FieldError(f"{text!r} {reason}: choose some, for example {text.split('[')[0].strip()}[0:3]")
    return found


def _labels(name: str, index: tuple[Any, ...], found: np.ndarray) -> tuple[str, ...]:
    """A label for each number: the field with the index that the number has in the whole field."""
    if found.ndim == 0:
        return (f"{name}{list(index) if index else ''}",)
    labels = []
    for place in np.ndindex(found.shape):
        # indices of what was chosen -> indices of the field
        rest = iter(place)
        whole = [part if isinstance(part, int) else (part.start or 0) + next(rest) for part in index]
        labels.append(f"{name}{[*whole, *rest]}")
    return tuple(labels)
