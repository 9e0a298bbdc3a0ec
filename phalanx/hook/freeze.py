"""A function of the user as a kernel: everything that it captures is fixed at this moment.

Numbers, tuples and arrays become constants, plain functions that it calls become kernels, and what it uses of NumPy,
`math` and the built-in functions is replaced by the same words of the kernel language, so that a hook gives the same
bits interpreted, compiled and in lanes.
"""

from __future__ import annotations

import builtins
import dis
import enum
import hashlib
import math
import types
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

import numpy as np

from phalanx.algebra.jit import Kernel, is_interpreted, kernel
from phalanx.algebra.language import STAND_INS
from phalanx.hook.source_check import check_source, error_at
from phalanx.memory.errors import HookError
from phalanx.memory.layout import SCHEMAS, Schema

#: Bytes of the largest array that a hook can capture.
MAX_ARRAY = 1_000_000
#: Functions of libraries, imported by name -> what is computed instead.
LIBRARY_FUNCTIONS: dict[Any, Any] = {
    getattr(library, name): word
    for library in (math, np)
    for name, word in STAND_INS[library.__name__].items()
    if callable(getattr(library, name))
}


class Freezer:
    """Makes kernels of the functions of one hook, and a digest of all that decides their machine code.

    Args:
        hook: its name, for messages.
        schemas: what Model and Data have, under "model" and "data".
    """

    def __init__(self, hook: str, schemas: Mapping[str, Schema] = SCHEMAS):
        self.hook, self._schemas = hook, schemas
        self.digest = hashlib.sha256(hook.encode())
        self.files: set[str] = set()
        self._known: dict[Callable[..., Any], Kernel | None] = {}

    def kernel_of(self, function: Callable[..., Any], is_hook: bool = False) -> Kernel:
        """The function as a kernel."""
        if function in self._known:
            known = self._known[function]
            if known is None:
                raise self.error(function, f"{function.__name__} calls itself, which a hook cannot: write a loop")
            return known
        self._known[function] = None
        code = function.__code__
        self.files.add(code.co_filename)
        if not is_interpreted():  # in a debugger a hook may print and raise
            check_source(function, self.hook, names_of(function), is_hook, self._schemas)
        self._note(code.co_code, code.co_consts, code.co_names, code.co_varnames, function.__defaults__)
        scope = {"__name__": function.__module__, "__builtins__": builtins}
        for name in global_names(code):
            self._note(name)
            scope.update(self._global(function, name))
        cells = tuple(
            types.CellType(self.frozen(function, name, cell.cell_contents))
            for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True)
        )
        copy = types.FunctionType(code, scope, function.__name__, function.__defaults__, cells)
        copy.__module__, copy.__qualname__, copy.__doc__ = function.__module__, function.__qualname__, function.__doc__
        made = self._known[function] = kernel(copy)
        return made

    def _global(self, function: Callable[..., Any], name: str) -> Iterator[tuple[str, Any]]:
        """What a global name of a function stands for."""
        scope = function.__globals__
        if name in scope:
            yield name, self.frozen(function, name, scope[name])
        elif name in STAND_INS["builtins"]:
            yield name, STAND_INS["builtins"][name]

    def frozen(self, function: Callable[..., Any], name: str, value: Any) -> Any:
        """A captured value as a kernel can use it."""
        if isinstance(value, types.ModuleType):
            return self._module(function, value)
        if isinstance(value, Kernel):
            is_ours = value.function.__module__.startswith("phalanx.")
            return value if is_ours else self.kernel_of(value.function)
        if isinstance(value, types.FunctionType):
            return value if value.__module__.startswith("phalanx.") else self.kernel_of(value)
        if isinstance(value, type) and issubclass(value, enum.IntEnum | enum.IntFlag):
            return self._enum(value)
        if isinstance(value, Hashable) and value in LIBRARY_FUNCTIONS:
            return LIBRARY_FUNCTIONS[value]
        constant = self._constant(function, name, value)
        self._note(constant)
        return constant

    def _module(self, function: Callable[..., Any], module: types.ModuleType) -> types.ModuleType:
        """A module with those of its members that the function names."""
        if module.__name__ not in STAND_INS and module.__name__.split(".")[0] in ("numpy", "scipy"):
            raise self.error(function, f"{module.__name__} is not available in a hook; phalanx.kernels lists what is")
        stand_in = types.ModuleType(module.__name__)
        members = STAND_INS.get(module.__name__)
        for name in sorted(set(function.__code__.co_names)):
            if members is not None and name in members:
                setattr(stand_in, name, members[name])
            elif members is None and hasattr(module, name):
                setattr(stand_in, name, self.frozen(function, f"{module.__name__}.{name}", getattr(module, name)))
        return stand_in

    def _enum(self, values: type[enum.IntEnum | enum.IntFlag]) -> types.ModuleType:
        """The members of an enum as integers."""
        stand_in = types.ModuleType(values.__name__)
        for name, member in values.__members__.items():
            self._note(name, int(member))
            setattr(stand_in, name, int(member))
        return stand_in

    def _constant(self, function: Callable[..., Any], name: str, value: Any) -> Any:
        if value is None or isinstance(value, (bool, np.bool_)):
            return None if value is None else bool(value)
        if isinstance(value, (int, np.integer)):
            return int(value)
        if isinstance(value, (float, np.floating)):
            return float(value)
        if isinstance(value, tuple):
            return tuple(self._constant(function, name, item) for item in value)
        if isinstance(value, (np.ndarray, list)):
            return self._array(function, name, value)
        words = f"{name} is a {type(value).__name__}: a hook captures numbers, tuples, arrays and functions"
        raise self.error(function, words)

    def _array(self, function: Callable[..., Any], name: str, value: Any) -> Any:
        try:
            array = np.asarray(value)
        except ValueError:
            array = np.asarray(None)
        if array.dtype.kind not in "biuf":
            raise self.error(function, f"{name} must hold numbers, and rows of the same length")
        if array.nbytes > MAX_ARRAY:
            words = (
                f"{name} has {array.nbytes / 1e6:.1f} MB; a hook can capture arrays of up to {MAX_ARRAY / 1e6:.0f} MB"
            )
            raise self.error(function, words)
        if array.ndim == 0:
            return array.item()
        array = np.array(array, np.float64 if array.dtype.kind == "f" else np.int64, order="C")
        array.flags.writeable = False
        return array

    def error(self, function: Callable[..., Any], reason: str) -> HookError:
        """An error at the first line of a function."""
        code = function.__code__
        return error_at(self.hook, reason, code.co_filename, code.co_firstlineno)

    def _note(self, *values: Any) -> None:
        """Let values decide the digest."""
        for value in values:
            if isinstance(value, np.ndarray):
                self.digest.update(f"{value.dtype} {value.shape}".encode())
                self.digest.update(value.tobytes())
            else:
                self.digest.update(repr(value).encode())


def global_names(code: types.CodeType) -> list[str]:
    """Global names that a function reads."""
    loads = ("LOAD_GLOBAL", "LOAD_NAME")
    return sorted({str(i.argval) for i in dis.get_instructions(code) if i.opname in loads})


def names_of(function: Callable[..., Any]) -> dict[str, Any]:
    """What the names mean that a function does not define itself."""
    captured = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            captured[name] = cell.cell_contents
        except ValueError:
            captured[name] = None
    return {**function.__globals__, **captured}
