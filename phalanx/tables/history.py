"""History of controls and sensor readings: how a ring buffer lies in `history`, and how it is read.

A buffer of n samples with dim values each is, from its first element on:

    owner's value | slot of the newest sample | n times | n samples of dim values

Of actuators the first element is unused, of sensors it is the time when the last reading was due.
"""

from __future__ import annotations

#: Places in a buffer: the value of its owner, the slot of the newest sample, the first time. Samples follow the times.
OWNER, NEWEST, TIMES = 0, 1, 2
#: Between two samples the older one holds, or a line or a cubic joins them.
HOLD, LINEAR, CUBIC = 0, 1, 2
#: The same in MJCF.
INTERP = {"zoh": HOLD, "linear": LINEAR, "cubic": CUBIC}
#: The longest buffer that a model may ask for, in samples.
MOST_SAMPLES = 2**24


def history_size(samples: int, dim: int) -> int:
    """Elements of a buffer; none if it has no samples."""
    return TIMES + samples + samples * dim if samples > 0 else 0
