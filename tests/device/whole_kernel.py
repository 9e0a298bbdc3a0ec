"""One kernel with all parts in place of that of each model: sweeps compile once, not for every choice of parts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from phalanx.device import gpu_batch
from phalanx.memory.store import Store
from phalanx.pipeline.parts import needed
from phalanx.tables.parts import PARTS


def all_parts(store: Store) -> list[str]:
    """Every part; that of sleep only for models whose trees may."""
    own = needed(store)
    return [name for name in PARTS if name != "sleep" or name in own]


@contextmanager
def whole_kernel() -> Iterator[None]:
    """Batches of devices have all parts in their kernel. Which ones a model needs is tested by small models."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gpu_batch, "needed", all_parts)
        yield
