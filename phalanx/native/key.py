"""The key of an image: a hash of everything that decides its machine code.

That is the source of every kernel that can be reached, the constants they read, the layout of the views they use, the
compiler itself, and the target. An edit of one sensor changes the keys of the units that contain it and no others. The
walk looks at compiled Python code, which is at hand, and at lines of text; nothing is parsed.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import linecache
import types
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from phalanx.algebra.jit import Kernel, Part
from phalanx.native.source import plain_function
from phalanx.native.target import Target
from phalanx.native.types import Type

_PACKAGE = Path(__file__).resolve().parent.parent
#: A root that stands for: the bodies of parts are compiled into the unit, so they decide its key, too.
PARTS_INSIDE = "parts inside"
#: Letters of a hash that make a key.
_LENGTH = 24


def key_of(roots: Iterable[Any], target: Target, checked: bool) -> str:
    """The key of a unit with these roots."""
    walk = Walk(has_lines=checked)
    walk.note(f"{compiler_digest()} {target} {checked}")
    for root in roots:
        walk.visit(root)
    return walk.digest.hexdigest()[:_LENGTH]


class Walk:
    """Visits functions and what they refer to, each once, in the order of the source.

    Args:
        has_lines: do line numbers decide, too?
    """

    def __init__(self, has_lines: bool = False):
        self.digest = hashlib.sha256()
        self._has_lines = has_lines
        self._has_parts = False
        self._seen: set[int] = set()
        self._keep: list[Any] = []

    @property
    def count(self) -> int:
        """How many functions have been visited."""
        return len(self._seen)

    def note(self, text: str) -> None:
        """Let a text decide the key; texts are set apart by a zero byte."""
        self.digest.update(text.encode())
        self.digest.update(b"\0")

    def visit(self, found: Any) -> None:
        """Let a Python object decide the key."""
        if found is PARTS_INSIDE:
            self._has_parts = True
        # a part before a kernel: callers know only its slot and signature, so its body must not change their key
        if isinstance(found, Part) and not self._has_parts:
            self.note(f"part {found.slot} {found.takes} {found.returns}")
        elif isinstance(found, Kernel):
            self._function(plain_function(found))
        elif isinstance(found, types.FunctionType):
            self._function(found)
        elif isinstance(found, type) and issubclass(found, enum.Enum):
            self.note(f"{found.__name__} {[(name, member.value) for name, member in found.__members__.items()]}")
        elif isinstance(found, tuple):
            self.note(f"tuple of {len(found)}")
            for part in found:
                self.visit(part)
        elif isinstance(found, np.ndarray):
            self.note(f"{found.dtype} {found.shape}")
            self.digest.update(found.tobytes())
        elif hasattr(found, "type") and isinstance(found.type, Type):
            self.visit(found.type)
        elif isinstance(found, Type):
            self.note(describe(found))
        elif isinstance(found, int | float | str | type(None)):
            self.note(repr(found))
        else:
            self.note(f"{type(found).__name__} {getattr(found, '__name__', '')}")

    def _function(self, function: Callable[..., Any]) -> None:
        if id(function) in self._seen:
            return
        self._seen.add(id(function))
        self._keep.append(function)
        if function.__module__ in _WORDS:  # its meaning is the compiler's
            self.note(f"word {function.__qualname__}")
            return
        code = function.__code__
        self.note(source_text(code))
        if self._has_lines:
            self.note(f"{code.co_filename} {code.co_firstlineno}")
        if function.__defaults__ or function.__kwdefaults__:
            self.note(repr((function.__defaults__, function.__kwdefaults__)))
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            self.note(name)
            self.visit(cell.cell_contents)
        for name in names_in(code):
            self._name(function, name)

    def _name(self, function: Callable[..., Any], name: str) -> None:
        scope = function.__globals__
        if name not in scope:
            return  # an attribute, or a built-in function
        found = scope[name]
        if isinstance(found, types.ModuleType):
            for attribute in names_in(function.__code__):
                if attribute != name and hasattr(found, attribute):
                    self.note(attribute)
                    self.visit(getattr(found, attribute))
            return
        self.note(name)
        self.visit(found)


#: Modules whose functions are words that the compiler knows.
_WORDS = ("phalanx.algebra.number", "phalanx.algebra.memory")


def names_in(code: types.CodeType) -> tuple[str, ...]:
    """Names that a function reads, also inside of comprehensions."""
    inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return (*code.co_names, *(name for each in inner for name in names_in(each)))


def source_text(code: types.CodeType) -> str:
    """The lines of a function."""
    first = code.co_firstlineno
    last = max((line for _, _, line in code.co_lines() if line is not None), default=first)
    lines = linecache.getlines(code.co_filename)
    # a call that goes on over several lines ends with a parenthesis that belongs to no instruction: nothing is lost
    return "".join(lines[first - 1 : last])


def describe(t: Type) -> str:
    """A type in words that tell it from all others: of a view, with the layout of everything in it."""
    schema = getattr(t, "schema", None)
    if schema is not None:
        return f"view {schema.digest} {t.constant} {t.prefix}"  # type: ignore[attr-defined]
    element = getattr(t, "element", None)
    if element is not None:
        return f"field {element.storage} {t.inner} {t.alias} {t.constant}"  # type: ignore[attr-defined]
    return f"{type(t).__name__} {t.leaves}"


@functools.cache
def compiler_digest() -> str:
    """Hash of the sources of the compiler."""
    return _digest_of(sorted(Path(__file__).resolve().parent.glob("*.py")))


@functools.cache
def engine_digest() -> str:
    """Hash of all sources that decide what kernels compute: for reports about them."""
    wanted = ("tables/", "algebra/", "native/", "memory/layout.py", "memory/view.py")
    files = sorted(_PACKAGE.rglob("*.py"))
    marks = (b"@kernel", b"@part")
    return _digest_of(
        file
        for file in files
        if file.relative_to(_PACKAGE).as_posix().startswith(wanted) or any(m in file.read_bytes() for m in marks)
    )


def _digest_of(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.relative_to(_PACKAGE).as_posix().encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:_LENGTH]
