"""Tables of kernels: one row per value of an enum, one signature per table, one generated kernel that picks the row.

A family of models (transmissions, gains, sensors, integrators ...) is a `Table`. Its default row fixes the signature
and says in its docstring what a row does. A model is one more row, in a file of its own:

    @kernel
    def no_gain(m, d, actuator):
        '''What the force is multiplied by.'''
        return 0.0

    gain = Table("gain", no_gain, ("phalanx.smooth.actuator.muscle",))

    @gain.row(GainType.MUSCLE)
    @kernel
    def muscle_gain(m, d, actuator): ...

A kernel calls the table with the key in front: `gain(m.actuator_gaintype[i], m, d, i)`. The table names the modules
that hold its rows and imports them when it is first used, so that no row is ever missing because nobody imported it.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from phalanx.algebra.generated import define
from phalanx.algebra.jit import Kernel, kernel

#: Name of the first parameter of a generated kernel.
KEY = "key"


def parameters_of(row: Kernel) -> tuple[str, ...]:
    """Names of the parameters of a kernel."""
    return tuple(inspect.signature(row.function).parameters)


def dispatch(rows: Mapping[int, Kernel], default: Kernel, name: str = "dispatch") -> Kernel:
    """A kernel `name(key, *arguments)` that calls `rows[key]`, or `default` when the key has no row.

    The key is an integer of the model, so the choice is a branch. Every row has as many parameters as `default`.
    """
    parameters = parameters_of(default)
    for key, row in rows.items():
        if len(parameters_of(row)) != len(parameters):
            raise TypeError(f"{name}: row {int(key)} takes {parameters_of(row)}, the table takes {parameters}")
    arguments = ", ".join(parameters)
    lines = [f"def {name}({', '.join((KEY, *parameters))}):"]
    scope: dict[str, Any] = {"default": default}
    for key in sorted(rows):
        scope[f"row_{int(key)}"] = rows[key]
        lines += [f"    if {KEY} == {int(key)}:", f"        return row_{int(key)}({arguments})"]
    lines += [f"    return default({arguments})"]
    return kernel(define("\n".join(lines) + "\n", scope, name))


class Table(Kernel):
    """Rows by key, itself a kernel: `table(key, *arguments)` runs the row of `key`.

    Args:
        name: name of the generated kernel.
        default: the row of keys that have none; fixes the signature of all rows.
        modules: where rows are defined; imported when the table is first used.
    """

    def __init__(self, name: str, default: Kernel, modules: tuple[str, ...] = ()):
        super().__init__(default.function)
        self.name = name
        self.default = default
        self.modules = modules
        self.rows: dict[int, Kernel] = {}
        self._is_built = False

    def row(self, *keys: int) -> Callable[[Kernel], Kernel]:
        """File a kernel under one or more keys."""

        def file(row: Kernel) -> Kernel:
            if self._is_built:
                raise RuntimeError(f"table {self.name} is in use: list the module of {row!r} among its modules")
            for key in keys:
                if self.rows.setdefault(int(key), row) is not row:
                    raise ValueError(f"table {self.name} has two rows for {key!r}: {self.rows[int(key)]!r} and {row!r}")
            return row

        return file

    @functools.cached_property
    def built(self) -> Kernel:
        """The generated kernel, with the rows of all modules."""
        for module in self.modules:
            importlib.import_module(module)
        self._is_built = True
        return dispatch(self.rows, self.default, self.name)

    def __call__(self, *arguments: Any) -> Any:
        return self.built(*arguments)

    def __repr__(self) -> str:
        return f"<table {self.name} of {len(self.rows)} kernels>"

    def __reduce__(self) -> str:
        return self.name
