"""Structure of a Model that depends on numbers, for worlds whose numbers differ: what any world needs is there for all.

It only grows. A world that does not need it adds zeros, or skips what has no effect, and computes the same bits.
"""

from __future__ import annotations

import numpy as np

from phalanx.batch.vary_values import Values, raise_for_world
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.pipeline import derive
from phalanx.pipeline.derived import check_structure
from phalanx.tables.field import Kind
from phalanx.world.model import Model

#: Rows of integers and flags that derive from others.
STRUCTURE = tuple(
    name for name, row in MODEL_SCHEMA.fields.items() if row.setconst and row.kind not in (Kind.REAL, Kind.FLOAT64)
)


class Structure:
    """Integers and flags that all worlds share.

    Attributes:
        rows: by name; kernels of all lane groups read this memory.
    """

    def __init__(self, model: Model):
        self._model = model
        arrays = model._store.arrays
        self.rows = {name: arrays[name].copy() for name in STRUCTURE}
        #: Which elements of the rows that bring structure are not zero, or were, in some world.
        self._used = {name: arrays[name] != 0 for name in derive.SWITCHES}

    def check(self, worlds: np.ndarray, values: Values) -> None:
        """Refuse new values of some worlds, (k, *shape) each, that the compiled structure does not allow."""
        checked = [name for name in derive.CHECKED if name in values]
        if not checked:
            return

        def check(selection: np.ndarray) -> None:
            given = {name: np.moveaxis(values[name][selection.reshape(-1)], 0, -1) for name in checked}
            check_structure({**self._model._store.arrays, **self.rows, **given}, dict(self._model._store.sizes))

        raise_for_world(check, np.arange(len(worlds)), worlds)

    def grow(self, values: Values) -> None:
        """Make room for new values of some worlds, (k, *shape) each, as kernels see them."""
        used = {name: self._used[name] | (values[name] != 0).any(axis=0) for name in derive.SWITCHES if name in values}
        if all((self._used[name] == now).all() for name, now in used.items()):
            return
        # one more world that uses all that any world has used
        arrays = {**self._model._store.arrays, **{name: array.copy() for name, array in self.rows.items()}}
        arrays |= {name: now.astype(np.float64) for name, now in (self._used | used).items()}
        derive.derive_structure(arrays, dict(self._model._store.sizes))
        for name, array in self.rows.items():
            array[...] = arrays[name]
        self._used |= used
