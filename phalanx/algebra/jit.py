"""The one decorator: `@kernel`.

A kernel stays an ordinary Python function: calling it runs it interpreted, under a debugger if you like. When an entry
is compiled, Numba meets the kernels it calls and compiles them on the spot, for the number type at hand. Nothing here
imports Numba until then, so a program that finds its kernels in the cache never pays for it.

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

#: Numba flags of every kernel.
KERNEL_OPTIONS = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": False,
    "boundscheck": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}


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
        self._dispatcher: Any = None
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)

    def __repr__(self) -> str:
        return f"<kernel {self.function.__module__}.{self.function.__qualname__}>"

    def __reduce__(self) -> str:
        return self.function.__qualname__

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    @property
    def dispatcher(self) -> Any:
        """The Numba dispatcher, made on first use."""
        if self._dispatcher is None:
            from phalanx.algebra.kernel_compiler import dispatcher_of

            self._dispatcher = dispatcher_of(self.function)
        return self._dispatcher


def kernel(function: Callable[..., Any]) -> Kernel:
    """Mark a function as part of the kernel language; the only way to make compiled code."""
    return Kernel(function)
