"""Where the worlds of a batch stand in the page: side by side in a grid, or all in one place."""

from __future__ import annotations

import math
from enum import StrEnum

import numpy as np

from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.fill import whole

#: Worlds that a page shows unless asked for more, and the most that it can be asked for.
USUAL_WORLDS, MOST_WORLDS = 64, 1024


class Layout(StrEnum):
    """How worlds are laid out."""

    GRID = "grid"
    OVERLAY = "overlay"


def layout_of(name: str) -> Layout:
    """A layout by its name."""
    known = [layout.value for layout in Layout]
    if name not in known:
        raise FieldError(f"a layout is one of {', '.join(known)}, not {name!r}{suggestion(str(name), known)}")
    return Layout(name)


def shown_worlds(n: int, worlds: int | None) -> int:
    """How many worlds of a batch of n are shown; the first ones."""
    wanted = USUAL_WORLDS if worlds is None else whole("worlds", worlds, 1, MOST_WORLDS)
    return min(n, wanted)


def offsets(count: int, spacing: float, layout: Layout) -> np.ndarray:
    """Where each world has its origin [m], (count, 3): rows along x, centered, as square as possible."""
    found = np.zeros((count, 3))
    if layout is Layout.OVERLAY or not count:
        return found
    columns = math.ceil(math.sqrt(count))
    row, column = np.divmod(np.arange(count), columns)
    rows = math.ceil(count / columns)
    found[:, 0] = (column - (columns - 1) / 2) * spacing
    found[:, 1] = ((rows - 1) / 2 - row) * spacing
    return found
