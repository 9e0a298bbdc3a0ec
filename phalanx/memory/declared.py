"""Arguments of the user, checked against what the signature of a public function says that it takes.

The annotation is the only declaration: `spec: Spec` is a Spec, `path: str | Path` a path. What an annotation says of
numbers is left to the function, which knows their ranges and shapes.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, ParamSpec, TypeVar

from phalanx.memory.errors import FieldError

P = ParamSpec("P")
R = TypeVar("R")


def _is_truth(value: Any) -> bool:
    """Has it a truth value? Arrays of several numbers have none."""
    try:
        bool(value)
    except Exception:  # objects of the user may raise anything
        return False
    return True


#: What words of annotations mean that are no class of ours.
_WORDS: dict[str, Callable[[Any], bool]] = {
    "None": lambda value: value is None,
    "str": lambda value: isinstance(value, str),
    "bytes": lambda value: isinstance(value, (bytes, bytearray, memoryview)),
    "bool": _is_truth,
    "Path": lambda value: isinstance(value, (str, os.PathLike)),
    "io.IOBase": lambda value: hasattr(value, "read") or hasattr(value, "write"),
    "IO": lambda value: hasattr(value, "read") or hasattr(value, "write"),
    "Callable": callable,
    "Mapping": lambda value: isinstance(value, Mapping),
    "Iterable": lambda value: isinstance(value, Iterable) and getattr(value, "shape", None) != (),
}


class _Rule(NamedTuple):
    """What a parameter takes, in words, and how that is found out."""

    words: str
    checks: tuple[Callable[[Any], bool], ...]


def _rule(annotation: str) -> _Rule | None:
    """The rule of an annotation, None if it says what only the function can check."""
    # what is in brackets says what a container holds, which the function finds out
    while "[" in annotation:
        annotation = re.sub(r"\[[^\[\]]*\]", "", annotation)
    words = annotation.split(" | ")
    checks = []
    for word in words:
        if word in _WORDS:
            checks.append(_WORDS[word])
        elif word[:1].isupper() and word.isidentifier() and word not in ("Any", "ArrayLike", "Sequence", "Unpack"):
            checks.append(_is_a(word))
        else:
            return None
    return _Rule(" or ".join(words), tuple(checks))


def _is_a(name: str) -> Callable[[Any], bool]:
    """Is a value of a class of ours with this name? By its name: the class may be in a folder above."""
    return lambda value: any(kind.__name__ == name for kind in type(value).__mro__)


def arguments_checked(function: Callable[P, R]) -> Callable[P, R]:
    """A function that refuses arguments of another type than its signature says, naming the parameter.

    >>> @arguments_checked
    ... def name_of(path: str | Path, strict: bool = False) -> str:
    ...     return str(path)
    >>> name_of("a.xml")
    'a.xml'
    >>> name_of(3)
    Traceback (most recent call last):
    ...
    phalanx.memory.errors.FieldError: name_of: path takes str or Path, not int
    """
    # once, when the function is made: annotations are texts, and what they name need not be imported
    code = function.__code__
    names, what = code.co_varnames[: code.co_argcount], function.__qualname__.removesuffix(".__init__")
    found = {name: _rule(annotation) for name, annotation in function.__annotations__.items() if name != "return"}
    rules = {name: rule for name, rule in found.items() if rule is not None}

    @functools.wraps(function)
    def guarded(*arguments: P.args, **named: P.kwargs) -> R:
        for name, value in (*zip(names, arguments, strict=False), *named.items()):
            rule = rules.get(name)
            if rule is not None and not any(check(value) for check in rule.checks):
                raise FieldError(f"{what}: {name} takes {rule.words}, not {type(value).__name__}")
        return function(*arguments, **named)

    return guarded
