"""The stiffness of flexes in the rows that MuJoCo has for it, when a user asks for it."""

from __future__ import annotations

from phalanx.memory.store import PlainView, Store
from phalanx.pipeline.metric_record import metric_record
from phalanx.pipeline.operations import Operations
from phalanx.pipeline.stiffness_pattern import stiffness_pattern

#: efm_active of a metric with a flex that other bodies than points carry.
GENERAL = 2


def put_flex_stiffness(model: Store, data: Store, operations: Operations) -> None:
    """Fill the rows of the groups `flex_stiffness` and `flex_metric` of a Data."""
    operations.run_within("flex_blocks")
    view, arrays = PlainView(model), data.arrays
    pattern = stiffness_pattern(view)
    operations.run_within("flex_contact_rows")
    counts = {"nefmK": len(pattern.colind), "nefmdof": len(pattern.dofid), "nefmcon": int(arrays["nefmcon"])}
    for size, count in counts.items():
        arrays[size].fill(0)
        if data.sizes[size] < count:
            data.resize(size, count)
    arrays["flex_in_matrix"][...] = pattern.flexes
    arrays["efm_K_rownnz"][...] = pattern.rownnz
    arrays["efm_K_rowadr"][...] = pattern.rowadr
    arrays["efm_K_colind"][: counts["nefmK"]] = pattern.colind
    arrays["efm_dofid"][: counts["nefmdof"]] = pattern.dofid
    for size in ("nefmK", "nefmdof"):
        arrays[size].fill(counts[size])
    operations.run_within("flex_matrix")
    if not pattern.is_plain:
        arrays["efm_active"].fill(GENERAL)
    # the factor is that of the matrix, so it comes last; where there is none, that of another state must not stay
    arrays["nefmL"].fill(0)
    record = metric_record(view, arrays, pattern)
    if data.sizes["nefmL"] < len(record):
        data.resize("nefmL", len(record))
    arrays["efm_L"][: len(record)] = record
    arrays["nefmL"].fill(len(record))
