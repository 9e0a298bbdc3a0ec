"""Functions of the user that the step of one Model calls.

The step is compiled once for all models. A hook is compiled by itself, in a second or two, into an object file named by
all that decides it; the table of slots of a Data has its address, and the step calls it through the address (see
`calls.py` and the table `tables/hooks.py`). Interpreted, the Python function itself is called.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from phalanx.algebra.generated import define
from phalanx.algebra.jit import Kernel, Part, is_interpreted
from phalanx.algebra.number import where
from phalanx.algebra.number_type import NumberType
from phalanx.algebra.user_call import as_condition, as_number
from phalanx.hook.calls import put_rate
from phalanx.hook.freeze import Freezer
from phalanx.memory.errors import HookError, suggestion
from phalanx.memory.store import Store
from phalanx.native.diagnosis import KernelError, Problem
from phalanx.native.entry import Letters, PartUnit
from phalanx.native.runtime import address_of
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
        self._plain = plain
        self.body = Part(self._body(self._freezer.kernel_of(plain, is_hook=True)), "mdii", "")
        self.digest = self._freezer.digest.hexdigest()[:16]
        self._addresses: dict[tuple[NumberType, bool], int] = {}

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
        return define(source, scope, "body")

    def address(self, number: NumberType, varied: bool) -> int:
        """The machine code for a number type of Data, and of Model if its worlds differ."""
        key = number, varied
        if key not in self._addresses:
            with self.mistakes():
                self._addresses[key] = address_of(self.unit(number, varied), self.body.slot)
        return self._addresses[key]

    def unit(self, number: NumberType, varied: bool) -> PartUnit:
        """What is compiled of it; it exports the slot of `body`."""
        suffix = "_varied" if varied else ""
        name = f"hook_{self.row.name}_{self.digest}_{number.name}{suffix}"
        return PartUnit(name, lambda: (self.body,), lambda: letters(number, varied))

    @contextlib.contextmanager
    def mistakes(self) -> Iterator[None]:
        """What the compiler finds becomes an error with places in the user's own files."""
        try:
            yield
        except KernelError as error:
            raise self.translated(error) from None

    def translated(self, error: KernelError) -> HookError:
        """What the compiler found, at the places of the user's own files where it shows."""
        found = [self._problem(problem) for problem in error.problems]
        return HookError.of(self.row.name, list(dict.fromkeys(found)))

    def _problem(self, problem: Problem) -> tuple[str, str, int]:
        """(reason, file, line) of a problem: the innermost place in a file of the user."""
        files = {os.path.abspath(name): name for name in self._freezer.files}
        for place in problem.places:
            if os.path.abspath(place.file) in files:
                return problem.reason, files[os.path.abspath(place.file)], place.line
        code = self._plain.__code__
        return problem.reason, code.co_filename, code.co_firstlineno

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


def letters(number: NumberType, varied: bool) -> Letters:
    """Types of what a hook is called with."""
    from phalanx.memory.view import part_letters

    return part_letters(number, varied)


# --- the hooks of a Model


def changed_hooks(hooks: Mapping[str, UserHook], functions: Mapping[str, Any]) -> dict[str, UserHook]:
    """The hooks with some replaced or added; None removes one."""
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
        data.table[data.schema.slot[slot]] = hook.address(data.number, varied)


def prepare_hooks(data: Store, hooks: Mapping[str, UserHook], varied: bool = False) -> None:
    """Attach, and compile at once, so that a mistake shows when a Data is made; interpreted nothing is compiled."""
    attach_hooks(data, hooks)
    if not is_interpreted():
        link_hooks(data, varied)
