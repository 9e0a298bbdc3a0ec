"""The one decorator: `@kernel`; `@part` is for what is compiled by itself, `@loop_source` for what loops run over.

A kernel stays an ordinary Python function: calling it runs it interpreted, under a debugger if you like. The compiler
(`phalanx/native`) reads its source when an entry that calls it is compiled, for the number type at hand. A program that
finds its machine code ready never loads the compiler.

Policy, the same for every kernel: no fastmath, no threads inside, no bounds checks, division by zero gives inf or NaN.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterator
from typing import Any

#: Run kernels interpreted instead of compiled: PHALANX_INTERPRETED=1.
INTERPRETED_VARIABLE = "PHALANX_INTERPRETED"

#: Whether kernels run interpreted: of the process, changed by `interpreted` alone, which puts it back.
_mode = {"interpreted": os.environ.get(INTERPRETED_VARIABLE, "") not in ("", "0")}


def is_interpreted() -> bool:
    """Are kernels to run interpreted in this process? Decided when Phalanx is imported."""
    return _mode["interpreted"]


@contextlib.contextmanager
def interpreted(flag: bool = True) -> Iterator[None]:
    """Run kernels interpreted (or compiled) for a while, for Data and BatchSim objects made inside the block."""
    before, _mode["interpreted"] = _mode["interpreted"], flag
    try:
        yield
    finally:
        _mode["interpreted"] = before


class Kernel:
    """A function of the kernel language. Called from Python it runs as written."""

    def __init__(self, function: Callable[..., Any]):
        self.function = function
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.function(*arguments, **named)

    def __repr__(self) -> str:
        return f"<kernel {self.function.__module__}.{self.function.__qualname__}>"

    def __reduce__(self) -> str:
        return self.function.__qualname__

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)


def kernel(function: Callable[..., Any]) -> Kernel:
    """Mark a function as part of the kernel language; the only way to make compiled code."""
    return Kernel(function)


class LoopSource(Kernel):
    """What a loop of a kernel runs over: a generator, written into the loop where a kernel is compiled.

    Its body is loops over ranges, and `yield from range(...)` in the innermost of them; an `if` has a condition that is
    known when compiling, so that one of its sides is written. The loop that uses it has no `break`.
    """

    def __repr__(self) -> str:
        return f"<loop source {self.function.__module__}.{self.function.__qualname__}>"


def loop_source(function: Callable[..., Any]) -> LoopSource:
    """Mark a generator as something that loops of kernels run over: `for body in awake_bodies(m, d):`."""
    return LoopSource(function)


class Part(Kernel):
    """A kernel that is compiled by itself and called through an address, which `d` holds in the slot `part_<name>`.

    Parts keep compile times short: an edit recompiles the parts that can reach it, and a model loads those that it
    needs. Interpreted, a part is a kernel like any other.

    Attributes:
        takes: a letter for each parameter: m, d the views, i an integer, f one number in double precision, n a
            number of d, p a number of m, c a condition of d. The views come first.
        returns: a letter likewise, or "" for nothing.
    """

    def __init__(self, function: Callable[..., Any], takes: str, returns: str):
        super().__init__(function)
        self.takes, self.returns = takes, returns
        self.slot = f"part_{function.__name__}"

    def __repr__(self) -> str:
        return f"<part {self.function.__module__}.{self.function.__qualname__}>"


def part(takes: str = "md", returns: str = "") -> Callable[[Callable[..., Any]], Part]:
    """Make a kernel a part, see `Part`. The table `tables/parts.py` says which parts are compiled together."""
    return lambda function: Part(function, takes, returns)
