"""The entries that a user meets: one place for `phalanx warmup`, for `phalanx doctor` and for ahead-of-time builds."""

from __future__ import annotations

from collections.abc import Iterable

from phalanx.algebra.number_type import NumberType, one_world
from phalanx.batch.batch import AUTO_LANES
from phalanx.batch.group import batch_entry
from phalanx.native.entry import Entry
from phalanx.pipeline.entries import world_entry

#: Precisions that can be asked for.
DTYPES = tuple(AUTO_LANES)


def default_entries(dtypes: Iterable[str] = DTYPES, lanes: int | None = None, vary: bool = False) -> list[Entry]:
    """What Model.replace, Data and BatchSim use: constants, an entry for one world and one for a batch per precision.

    Args:
        dtypes: "float64", "float32".
        lanes: worlds per vector register of the batch; None for what BatchSim chooses.
        vary: also what batches need whose worlds differ in fields of the Model.
    """
    constants = world_entry(one_world("float64"), entry="constants")
    entries = {constants.name: constants}
    for dtype in dtypes:
        width = AUTO_LANES[dtype] if lanes is None else lanes
        number = one_world(dtype) if width == 1 else NumberType(dtype, width)
        wanted = [world_entry(one_world(dtype)), batch_entry(number)]
        if vary and number.width > 1:
            # derived constants are recomputed in the lanes of the batch
            wanted += [world_entry(number, varied=True, entry="constants"), batch_entry(number, varied=True)]
        entries |= {entry.name: entry for entry in wanted}
    return list(entries.values())
