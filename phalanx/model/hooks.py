"""Functions of the user that the step of one Model calls.

The step is compiled once for all models. A hook is compiled by itself, in a second or two, into an object file named by
all that decides it; the table of slots of a Data has its address, and the step calls it through the address (see
`hook_calls.py` and the table `tables/hooks.py`). Interpreted, the Python function itself is called.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from phalanx.algebra.compile import Entry, NativeEntry, load
from phalanx.algebra.jit import Kernel, is_interpreted, kernel
from phalanx.algebra.number import where
from phalanx.algebra.number_type import NumberType
from phalanx.model.errors import HookError, suggestion
from phalanx.model.hook_calls import as_condition, as_number, put_rate
from phalanx.model.hook_check import error_at
from phalanx.model.hook_freeze import Freezer
from phalanx.model.layout import SCHEMAS
from phalanx.model.store import Store
from phalanx.tables.hooks import CONDITION, HOOKS, NOTHING, NUMBER, RATE, Hook

#: How the result of a function comes back into the step.
_TAKE_RESULT = {
    NOTHING: "{call}",
    NUMBER: "d.hook_value = as_number({call})",
    RATE: "put_rate(m, d, first, {call})",
    CONDITION: "d.hook_value = where(as_condition({call}), 1.0, 0.0)",
}


# --- hooks


class UserHook:
    """A function of the user at one place of the step.

    Attributes:
        row: the place.
        function: as the user gave it.
        body: a kernel of (m, d, integer, integer) that calls it and takes its result.
    """

    def __init__(self, row: Hook, function: Any):
        self.row, self.function = row, function
        plain = function.function if isinstance(function, Kernel) else function
        if not inspect.isfunction(plain):
            raise HookError(f"must be a function, not a {type(function).__name__}", row.name)
        self._freezer = Freezer(row.name)
        self._check_parameters(plain)
        self.body = kernel(self._body(self._freezer.kernel_of(plain, is_hook=True)))
        self._freezer.digest.update(machinery())
        self.digest = self._freezer.digest.hexdigest()[:16]
        self._native: dict[tuple[NumberType, bool], NativeEntry] = {}

    def _check_parameters(self, function: Callable[..., Any]) -> None:
        try:
            inspect.signature(function).bind(*self.row.parameters)
        except TypeError:
            wanted = f"({', '.join(self.row.parameters)})"
            given = inspect.signature(function)
            raise self._freezer.error(function, f"must take {wanted}, but it takes {given}") from None

    def _body(self, function: Kernel) -> Callable[..., None]:
        integers = ("first", "second")[: len(self.row.parameters) - 2]
        call = f"function({', '.join(('m', 'd', *integers))})"
        source = f"def body(m, d, first, second):\n    {_TAKE_RESULT[self.row.result].format(call=call)}\n"
        scope = {"function": function, "as_number": as_number, "as_condition": as_condition, "put_rate": put_rate}
        scope["where"] = where
        exec(source, scope)
        return scope["body"]  # type: ignore[return-value]

    def native(self, number: NumberType, varied: bool) -> NativeEntry:
        """The machine code for a number type of Data, and of Model if its worlds differ."""
        key = number, varied
        if key not in self._native:
            suffix = "_varied" if varied else ""
            name = f"hook_{self.row.name}_{self.digest}_{number.name}{suffix}"
            entry = Entry(name, lambda: build_hook(self.body, number, varied), arity=4)
            try:
                self._native[key] = load(entry)
            except Exception as error:
                translated = self._translated(error)
                if translated is None:
                    raise
                raise translated from None
        return self._native[key]

    def _translated(self, error: Exception) -> HookError | None:
        """The user's mistake behind an error of the compiler."""
        from numba.core.errors import NumbaError

        if not isinstance(error, (NumbaError, NotImplementedError)):
            return None
        text = str(error)
        return error_at(self.row.name, reason_of(text, self.row), *place_of(text, self._freezer.files))

    def __reduce__(self) -> tuple:
        function = self.function
        found: Any = sys.modules.get(getattr(function, "__module__", None) or "")
        for part in function.__qualname__.split("."):
            found = getattr(found, part, None)
        if found is not function:
            raise HookError(
                f"{function.__qualname__} cannot be pickled, because no module has it under this name; define it at "
                "the top of a module, or call with_hooks again in the other process",
                self.row.name,
            )
        return UserHook, (self.row, function)


@functools.cache
def machinery() -> bytes:
    """Hash of the files that decide what a hook compiles to, beside the kernels."""
    files = sorted(Path(__file__).parent.glob("hook*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).digest()


def build_hook(body: Kernel, number: NumberType, varied: bool) -> Callable[..., int]:
    """The function of addresses that the step calls."""
    import phalanx.model.hook_types  # noqa: F401  (what results compile to)
    from phalanx.model.view import ViewType, view_at

    model_at = view_at(ViewType("model", (number if varied else number.one_world).numba, constant=True))
    data_at = view_at(ViewType("data", number.numba, constant=False))

    def hook(m_address: int, d_address: int, first: int, second: int) -> int:
        body(model_at(m_address), data_at(d_address), first, second)
        return 0

    return hook


# --- the hooks of a Model


def changed_hooks(hooks: Mapping[str, UserHook], functions: Mapping[str, Any]) -> dict[str, UserHook]:
    """Hooks with some of them given, or taken away by None."""
    changed = dict(hooks)
    for name, function in functions.items():
        if name not in HOOKS:
            raise HookError(f"there is no such hook{suggestion(name, HOOKS)}; hooks are {', '.join(HOOKS)}", name)
        changed.pop(name, None)
        if function is not None:
            changed[name] = UserHook(HOOKS[name], function)
    return changed


def attach_hooks(data: Store, hooks: Mapping[str, UserHook]) -> None:
    """Give the memory of a Data the hooks of its Model."""
    for hook in hooks.values():
        data.hooks[hook.row.slot] = hook


def link_hooks(data: Store, varied: bool) -> None:
    """Put the addresses of compiled hooks where the step finds them."""
    for slot, hook in data.hooks.items():
        data.table[data.schema.slot[slot]] = hook.native(data.number, varied).address


def prepare_hooks(data: Store, hooks: Mapping[str, UserHook], varied: bool = False) -> None:
    """Attach, and compile at once, so that a mistake shows when a Data is made; interpreted nothing is compiled."""
    attach_hooks(data, hooks)
    if not is_interpreted():
        link_hooks(data, varied)


# --- mistakes that only the compiler finds


def reason_of(text: str, row: Hook) -> str:
    """What an error message of the compiler means for the author of a hook."""
    if "LaneMask" in text and ("bool" in text or "truth" in text):
        return (
            "this decides by a number that differs between the worlds of a batch: use where(condition, a, b), and "
            "and_, or_, not_ instead of and, or, not (a < x < b is two conditions); or run the batch with lanes=1"
        )
    unknown = re.search(r"Unknown attribute '(\w+)' of type View\((\w+)", text)
    if unknown:
        name, schema = unknown.groups()
        return f"{schema.capitalize()} has no field {name!r}{suggestion(name, SCHEMAS[schema].fields)}"
    if re.search(r"as_number|as_condition", text) and "none" in text:
        wanted = "True or False" if row.result == CONDITION else "a number"
        return f"must return {wanted}, in every case"
    untyped = re.search(r"Untyped global name '(\w+)'", text)
    if untyped:
        return f"{untyped.group(1)} cannot be used in a hook"
    unified = re.search(r"Cannot unify (.+?) and (.+?) for '([\w.]+)'", text)
    if unified:
        first, second, name = unified.groups()
        return f"{name.split('.')[0]} is not the same kind of value everywhere: {plain(first)} and {plain(second)}"
    missing = re.search(r">>> (\w+)\((.*)\)", text)
    if missing:
        name, arguments = missing.groups()
        return f"{_SYMBOLS.get(name, name)} is not available for ({plain(arguments)})"
    cast = re.search(r"Cannot cast (.+?) to (.+?):", text)
    if cast and cast.group(2) == "int64":
        return "an index must be an integer, the same in all worlds: it cannot be computed from numbers of d"
    if cast:
        return f"a {plain(cast.group(1))} stands where a {plain(cast.group(2))} is needed"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [line for line in lines if not line.startswith(("Failed in", "During:", "File", "There are", "-", "["))]
    return f"cannot be compiled: {plain(told[0] if told else text)}"


#: Operators by the name that the compiler has for them.
_SYMBOLS = {"mod": "%", "floordiv": "//", "and_": "&", "or_": "|", "xor": "^", "invert": "~", "getitem": "[]"}


def plain(words: str) -> str:
    """Words of the compiler without its type names."""
    words = re.sub(r"\x1b\[[0-9;]*m", "", words)
    words = re.sub(r"LaneMask\([^)]*\)", "condition of worlds", words)
    words = re.sub(r"Lane\([^)]*\)|float64", "number", words)
    words = re.sub(r"(Uni)?Tuple\([^)]*\)", "tuple", words)
    words = re.sub(r"array\([^)]*\)", "array", words)
    words = re.sub(r"Literal\[int\]\([^)]*\)|int64", "integer", words)
    words = re.sub(r"View\((\w+)[^)]*\)*", r"\1", words)
    return re.sub(r"Field\([^)]*\)*", "field", words)


def place_of(text: str, files: set[str]) -> tuple[str, int]:
    """(file, line) of the first place that an error message names in the files of the user: the innermost one."""
    by_path = {os.path.abspath(name): name for name in files}
    for match in re.finditer(r'File "([^"]+)", line (\d+)| at (\S+) \((\d+)\)', text):
        name, line = match.group(1) or match.group(3), match.group(2) or match.group(4)
        if os.path.abspath(name) in by_path:
            return by_path[os.path.abspath(name)], int(line)
    return min(files), 0
