"""Run kernels of plain numbers over arrays: interpreted, and compiled for any number type.

`Suite("name", f, g, ...)` takes kernels `f(a, b, ...) -> number or tuple of numbers` that share their arguments. All of
them are compiled together, once per number type; `suite.run("float64", 8, a, b, ...)` gives one array per result.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.generated import define
from phalanx.algebra.number_type import NumberType
from phalanx.native import runtime as compiler

#: (base, width) of every number type under test; width 0 is the plain float64 of one world.
NUMBER_TYPES = (
    ("float64", 0), ("float64", 1), ("float64", 2), ("float64", 4), ("float64", 8), ("float64", 16),
    ("float32", 1), ("float32", 2), ("float32", 4), ("float32", 8), ("float32", 16),
)  # fmt: skip
DOUBLE_TYPES = tuple(t for t in NUMBER_TYPES if t[0] == "float64")
SINGLE_TYPES = tuple(t for t in NUMBER_TYPES if t[0] == "float32")


def _source(name: str, results: tuple[int, ...], arity: int) -> str:
    """The loop over rows: load the arguments, call each kernel, store what it returns."""
    lines = [f"def {name}(inputs, outputs, count):", "    for i in range(count):"]
    lines += [f"        a{k} = inputs[i, {k}]" for k in range(arity)]
    column = 0
    for k, size in enumerate(results):
        lines.append(f"        r{k} = f{k}({', '.join(f'a{n}' for n in range(arity))})")
        for n in range(size):
            lines.append(f"        outputs[i, {column}] = r{k}{f'[{n}]' if size > 1 else ''}")
            column += 1
    return "\n".join(lines)


class Suite:
    """Kernels of the same arguments.

    Args:
        name: tells the suite from all others in the cache of compiled code.
        kernels: functions of `arity` numbers.
        arity: how many numbers they take.
        results: how many numbers each returns; 1 means a number, more a tuple.
    """

    def __init__(self, name: str, *kernels: Any, arity: int = 1, results: tuple[int, ...] | None = None):
        self.name = name
        self.kernels = kernels
        self.arity = arity
        self.results = results or (1,) * len(kernels)

    def interpreted(self, *arguments: Any) -> np.ndarray:
        """Results (count, results) of running the kernels as plain Python."""
        rows = np.stack(np.broadcast_arrays(*[np.asarray(a, np.float64) for a in arguments]), -1)
        out = np.zeros((len(rows), sum(self.results)))
        with np.errstate(all="ignore"):
            for row, cells in zip(rows, out, strict=True):
                values = [f(*row) for f in self.kernels]
                cells[:] = [v for value in values for v in (value if isinstance(value, tuple) else (value,))]
        return out

    def entry(self, base: str, width: int) -> compiler.Entry:
        """The entry that runs all kernels for one number type; its name tells apart what the test file may change."""
        sources = "".join(inspect.getsource(f.function) for f in self.kernels) + repr((self.arity, self.results))
        digest = hashlib.sha256(sources.encode()).hexdigest()[:12]
        return compiler.Entry(f"test_{self.name}_{base}_{width}_{digest}", lambda: self._build(base, width), 3)

    def _build(self, base: str, width: int) -> Callable[..., int]:
        from phalanx.algebra.jit import kernel
        from phalanx.native.number import array_at

        number = NumberType(base, width)
        inputs_at = array_at(number, (self.arity,), "inputs", True)
        outputs_at = array_at(number, (sum(self.results),), "outputs", False)
        names: dict[str, Any] = {f"f{k}": f for k, f in enumerate(self.kernels)}
        work = kernel(define(_source(self.name, self.results, self.arity), names, self.name))

        def entry(inputs, outputs, count):
            work(inputs_at(inputs), outputs_at(outputs), count)
            return 0

        return entry

    def run(self, base: str, width: int, *arguments: Any) -> np.ndarray:
        """Results (count, results) of the compiled kernels; arguments fill the worlds of each lane in turn."""
        columns = np.broadcast_arrays(*[np.asarray(a, base) for a in arguments])
        count, worlds = len(columns[0]), max(width, 1)
        rows = -(-count // worlds)
        inputs = aligned_zeros((rows, self.arity, worlds), np.dtype(base))
        outputs = aligned_zeros((rows, sum(self.results), worlds), np.dtype(base))
        for k, column in enumerate(columns):
            inputs[:, k] = np.resize(column, rows * worlds).reshape(rows, worlds)
        compiler.load(self.entry(base, width))(inputs.ctypes.data, outputs.ctypes.data, rows)
        return outputs.transpose(0, 2, 1).reshape(rows * worlds, -1)[:count].copy()


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal bits, any NaN equal to any other."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    integer = np.int64 if a.dtype == np.float64 else np.int32
    return bool(np.all((a.view(integer) == b.view(integer)) | (np.isnan(a) & np.isnan(b))))
