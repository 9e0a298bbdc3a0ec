"""Which rows of a trajectory a replay shows, and when."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.show.trajectory import Trajectory
from phalanx.tables.sizes import MAXVAL

#: Pages hold times in single precision: no number of frames is as large.
LONGEST = 1e30
#: What a replay is computed from, and how large its numbers can be: poses as those of a state.
_LARGEST = {"time": LONGEST, "qpos": MAXVAL, "mocap_pos": MAXVAL, "mocap_quat": MAXVAL}


def playing_time(time: np.ndarray) -> np.ndarray:
    """Time that goes on where the world was reset: from there on counted from the last row before.

    >>> playing_time(np.array([0.0, 0.1, 0.2, 0.0, 0.1])).round(3).tolist()
    [0.0, 0.1, 0.2, 0.3, 0.4]
    """
    steps = np.diff(np.asarray(time, float))
    usual = float(np.median(steps[steps > 0])) if (steps > 0).any() else 0.0
    return time[0] + np.concatenate([[0.0], np.cumsum(np.where(steps < 0, usual, steps))])


def nearest_rows(times: np.ndarray, moments: np.ndarray) -> np.ndarray:
    """The row nearest to each moment; before the first and after the last row, that one.

    >>> nearest_rows(np.array([0.0, 1.0, 2.0]), np.array([-1.0, 0.4, 1.9, 7.0])).tolist()
    [0, 0, 2, 2]
    """
    if len(times) == 1:
        return np.zeros(len(moments), int)
    after = np.clip(np.searchsorted(times, moments), 1, len(times) - 1)
    return np.where(moments - times[after - 1] <= times[after] - moments, after - 1, after)


def _ticks(times: np.ndarray, fps: float) -> np.ndarray:
    """Frames of a second that matter, counted from the first row: those on both sides of where the nearest row changes.

    A few for each row, however long nothing was recorded between them.
    """
    last = np.floor(times[-1] * fps)
    if not last < LONGEST:
        raise FieldError(f"the trajectory lasts {times[-1]:g} s: it cannot be shown")
    between = np.floor((times[:-1] / 2 + times[1:] / 2) * fps)
    found = np.concatenate([[0.0, last], *(between + k for k in (-1.0, 0.0, 1.0))])
    return np.unique(np.clip(found, 0.0, last))


def frames_of(worlds: Sequence[Trajectory], fps: float) -> tuple[np.ndarray, list[np.ndarray]]:
    """Times of the frames [s], at most so many a second, and the row of each world in each of them.

    The longest world sets the times; another one stands still after its end.
    """
    playing = [playing_time(world.time) for world in worlds]
    longest = max(playing, key=lambda times: float(times[-1] - times[0]))
    moments = longest[0] + _ticks(longest - longest[0], fps) / fps
    rows = np.unique([*nearest_rows(longest, moments).tolist(), len(longest) - 1])
    # rows at the same moment, such as a reset without a step, are one frame
    rows = rows[np.concatenate([[True], np.diff(longest[rows]) > 0])]
    times = longest[rows]
    return times, [rows if own is longest else nearest_rows(own, times) for own in playing]


def check_finite(trajectory: Trajectory) -> None:
    """Refuse states that are NaN, infinite or too large to be computed with, with the place of the first."""
    for name, largest in _LARGEST.items():
        array = trajectory.arrays.get(name)
        # as numbers of Python have it: the least of whole numbers has no absolute value of its own type
        is_fit = True if array is None else np.abs(array.astype(float)) <= largest
        if array is None or np.all(is_fit):
            continue
        first = tuple(int(k) for k in np.argwhere(~is_fit)[0])
        row = first[0] if trajectory.worlds is None else first[1]
        hint = f"trajectory.rows(0, {row}) ends before it" if row else "no row before it could be shown"
        beyond = f", beyond {largest:g}" if np.isfinite(array[first]) else ""
        raise FieldError(f"{name}{list(first)} of the trajectory is {array[first]}{beyond}: it cannot be shown; {hint}")
