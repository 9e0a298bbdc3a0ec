"""Curves: the last seconds of what is plotted."""

from __future__ import annotations

import numpy as np

from phalanx.show.viewer.plot_fields import PlotField
from phalanx.world.data import Data

#: Samples that a curve has at most; older ones make room.
MOST_SAMPLES = 600


class Curves:
    """Samples of one plot, a row for each moment: its time, then the numbers."""

    def __init__(self, field: PlotField):
        self.field = field
        self._rows = np.empty((2 * MOST_SAMPLES, 1 + len(field.labels)))
        self._count = 0

    def add(self, data: Data) -> None:
        """Take a sample, unless time stands still; after time went back, later samples are dropped."""
        time = data.time
        while self._count and self._rows[self._count - 1, 0] >= time:
            self._count -= 1
        if self._count == len(self._rows):
            # move the newer half to the front, once in a while
            self._rows[:MOST_SAMPLES] = self._rows[MOST_SAMPLES:]
            self._count = MOST_SAMPLES
        self._rows[self._count, 0] = time
        self._rows[self._count, 1:] = self.field.read(data)
        self._count += 1

    def columns(self) -> tuple[np.ndarray, ...]:
        """Times [s], then the numbers of each line; copies. A curve has two samples at least."""
        rows = self._rows[max(0, self._count - MOST_SAMPLES) : self._count]
        if len(rows) == 1:
            rows = np.repeat(rows, 2, axis=0)
        return tuple(np.ascontiguousarray(column) for column in rows.T)
