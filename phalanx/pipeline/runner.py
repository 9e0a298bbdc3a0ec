"""The runner that Model and Data use: operations compiled or interpreted, constants, and checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from phalanx.model.layout import DATA_SCHEMA
from phalanx.model.store import Store
from phalanx.pipeline import entries, parts, support
from phalanx.tables.data_fields import VARIABLE_SIZES

#: Operations that recompute derived constants, in order; each sees what the one before has written.
CONSTANTS = ("constants_fixed", "constants_at_qpos0", "constants_inertia")


class PipelineRunner:
    """See `phalanx.model.runner.Runner`."""

    def bind(self, operation: str, model: Store, data: Store) -> Callable[[int], None]:
        return entries.bind(operation, model, data)

    def recompute_constants(self, model: Store) -> Store:
        scratch = Store(DATA_SCHEMA, {**model.sizes, **dict.fromkeys(VARIABLE_SIZES, 0)}, model.number)
        scratch.allocate_all()
        for operation in CONSTANTS:
            entries.run_to_end(operation, model, scratch)
        return scratch

    def run(self, operation: str, model: Store, data: Store) -> None:
        entries.run_to_end(operation, model, data)

    def relieve(self, model: Store, data: Store) -> None:
        parts.relieve(data, model.number.width > 1)

    def check_model(self, model: Any) -> None:
        support.check_model(model)
