"""What Python does with an object without a name for it: `[]`, `==`, `in`, iteration, copies, pickles and so on.

Tried on one of each class that users hold, with odd values where a second one takes part.
"""

from __future__ import annotations

import copy
import dataclasses
import itertools
import pickle
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tools.attack_calls import OURS, Call
from tools.attack_examples import EXAMPLES, Things

#: Elements of an iteration that are looked at.
MOST = 50


class Escaped(Exception):
    """An error that is not ours, with the operator that it came from."""


class Operator(NamedTuple):
    """What is done, and the methods by which a class takes part in it."""

    methods: tuple[str, ...]
    do: Callable[[Any, Any], Any]


def _assign(thing: Any, value: Any) -> None:
    thing["pos" if random.Random(repr(type(value))).random() < 0.5 else "name"] = value


def _assign_at(thing: Any, key: Any) -> None:
    thing[key] = 1


def _compare(thing: Any, other: Any) -> None:
    """Compare with anything but arrays: those answer themselves, element by element."""
    if not isinstance(other, np.ndarray):
        _ = thing == other, other == thing, thing != other


def _delete(thing: Any, key: Any) -> None:
    del thing[key]


def _set_attribute(thing: Any, value: Any) -> None:
    """Set one of the public attributes that are no methods, or a new one, where a class looks at what is set."""
    if not takes_part(type(thing), OPERATORS["setattr"]):
        return
    names = [name for name in dir(thing) if not name.startswith("_") and not callable(getattr(type(thing), name, None))]
    chosen = random.Random(repr(type(value))).choice([*names, "nothing"])
    setattr(thing, chosen, value)


def _get_attribute(thing: Any, name: Any) -> None:
    getattr(thing, name if isinstance(name, str) else f"a{type(name).__name__}", None)


def _same_again(thing: Any, other: Any) -> None:
    """What a pickle gives back can be shown and compared."""
    again = pickle.loads(pickle.dumps(thing))
    repr(again)
    _compare(again, thing)


def _copied(maker: Callable[[Any], Any]) -> Callable[[Any, Any], None]:
    def do(thing: Any, other: Any) -> None:
        repr(maker(thing))

    return do


OPERATORS: dict[str, Operator] = {
    "[]": Operator(("__getitem__",), lambda thing, other: thing[other]),
    "[key] =": Operator(("__setitem__",), _assign_at),
    "[] = value": Operator(("__setitem__",), _assign),
    "del []": Operator(("__delitem__",), _delete),
    "==": Operator(("__eq__",), _compare),
    "== itself": Operator(("__eq__",), lambda thing, other: thing == copy.copy(thing)),
    "<": Operator(("__lt__", "__gt__"), lambda thing, other: thing < other),
    "+": Operator(("__add__", "__radd__"), lambda thing, other: thing + other),
    "*": Operator(("__mul__", "__rmul__"), lambda thing, other: thing * other),
    "in": Operator(("__contains__",), lambda thing, other: other in thing),
    "iteration": Operator(("__iter__", "__getitem__"), lambda thing, other: [*itertools.islice(iter(thing), MOST)]),
    "len": Operator(("__len__",), lambda thing, other: len(thing)),
    "bool": Operator(("__bool__", "__len__"), lambda thing, other: bool(thing)),
    "repr": Operator(("__repr__",), lambda thing, other: (repr(thing), str(thing), f"{thing}")),
    "format": Operator(("__format__",), lambda thing, other: format(thing, other if isinstance(other, str) else "")),
    "dir": Operator(("__dir__",), lambda thing, other: [getattr(thing, name, None) for name in dir(thing)]),
    "hash": Operator((), lambda thing, other: hash(thing)),
    "copy": Operator(("__copy__", "__reduce__"), _copied(copy.copy)),
    "deepcopy": Operator(("__deepcopy__", "__reduce__"), _copied(copy.deepcopy)),
    "pickle": Operator(("__reduce__", "__getstate__", "__setstate__"), _same_again),
    "getattr": Operator(("__getattr__",), _get_attribute),
    "setattr": Operator(("__setattr__",), _set_attribute),
}


def takes_part(kind: type, operator: Operator) -> bool:
    """Does a class of ours say what the operator does, so that errors of Python are not Python's own?"""
    ours = [one for one in kind.__mro__ if one.__module__.startswith("phalanx")]
    return any(method in vars(one) for one in ours for method in operator.methods)


def _is_of_python(kind: type, operator: Operator, error: Exception) -> bool:
    """Is the error Python's own: of what a class does not have, of an index that is not there, of what is frozen?"""
    if isinstance(error, IndexError) and "__getitem__" in operator.methods:
        return True
    if isinstance(error, dataclasses.FrozenInstanceError):
        return True
    return not takes_part(kind, operator)


def _try(things: Things, kind: type, rng: random.Random, odder: Callable[[random.Random], Any]) -> None:
    """One operator, with an odd value."""
    name = rng.choice([*OPERATORS])
    operator, thing = OPERATORS[name], things.example(kind)
    try:
        operator.do(thing, odder(rng))
    except Exception as error:
        if isinstance(error, (*OURS, MemoryError)) or _is_of_python(kind, operator, error):
            return
        if type(error).__name__ == "Rude":
            raise
        raise Escaped(f"{name}: {type(error).__name__}: {error}") from error


def operator_calls(things: Things, odder: Callable[[random.Random], Any]) -> list[Call]:
    """A call for each class, which tries one of the operators."""

    def of(kind: type) -> Call:
        def call(rng: random.Random) -> None:
            try:
                _try(things, kind, rng, odder)
            finally:
                if rng.random() < 0.1:
                    things.forget()

        return call

    return [of(kind) for kind in EXAMPLES]


def operator_names() -> list[str]:
    """What the calls are called in findings."""
    return [f"operators of {kind.__name__}" for kind in EXAMPLES]
