"""`record`: a film of a world, or of several in a grid, taken while the program steps them."""

from __future__ import annotations

import math
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import numpy as np

from phalanx.batch.batch import BatchSim
from phalanx.memory.array_file import named_file
from phalanx.memory.errors import FieldError
from phalanx.memory.fill import real, whole
from phalanx.show.film.encoders import Encoder, encoder_for
from phalanx.show.film.sights import GridSight, Sight, WorldSight
from phalanx.world.data import Data

#: Fewest and most frames a second, and seconds of simulation in one of the film.
_FPS, _SPEED = (0.01, 1000.0), (1e-9, 1e9)
#: How far before its moment a frame counts as due, in frames: times are sums of steps.
_EARLY = 1e-6
#: A gap in time that is longer is cut [s of the film].
_LONGEST_GAP = 60.0


class Film:
    """A film that is being taken; use it in a `with` block, as `record` shows.

    Attributes:
        path: the file.
        frames: how many frames it has so far.
    """

    def __init__(self, path: Path, sight: Sight, rate: float, fps: float, encoder: Encoder):
        self.path, self.frames = path, 0
        self._sight, self._rate, self._longest = sight, rate, _LONGEST_GAP * fps
        self._encoder: Encoder | None = encoder
        # frames that are due count from a time, and from the frames that there were then
        self._origin, self._before = math.nan, 0
        self._last = math.nan

    def __repr__(self) -> str:
        return f"<Film {str(self.path)!r}: {self.frames} frames{', finished' * (self._encoder is None)}>"

    def capture(self) -> bool:
        """Take a frame if one is due at this simulated time; call it after each step.

        A step that is longer than a frame fills as many frames as it takes. Where time is set back by a reset, the
        film goes on.

        Returns:
            whether there was one.
        """
        now = self._sight.time()
        if not math.isfinite(now):
            raise FieldError(f"the time of the world is {now}: no frame is due then")
        if not now >= self._last or (now - self._last) * self._rate > self._longest:
            self._origin, self._before = now, self.frames
        self._last = now
        due = math.floor((now - self._origin) * self._rate + _EARLY) + 1 - (self.frames - self._before)
        if due > 0:
            self._add(self._sight.picture(), due)
        return due > 0

    def frame(self) -> None:
        """Take a frame now, whatever the time is."""
        self._add(self._sight.picture(), 1)

    def _add(self, picture: np.ndarray, count: int) -> None:
        if self._encoder is None:
            raise FieldError(f"{self.path}: the film is finished")
        for _ in range(count):
            self._encoder.add(picture)
            self.frames += 1

    def close(self) -> None:
        """Finish the file. A film without frames leaves none."""
        encoder, self._encoder = self._encoder, None
        if encoder is None:
            return
        try:
            if self.frames:
                encoder.finish()
                return
        except BaseException:
            encoder.drop()
            raise
        encoder.drop()

    def __enter__(self) -> Film:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[False]:
        # what led to an error is worth seeing: the film ends there
        self.close()
        return False


def record(
    path: str | Path,
    data: Data | None = None,
    *,
    batch: BatchSim | None = None,
    worlds: Any = None,
    fps: float = 30.0,
    speed: float = 1.0,
    width: int = 640,
    height: int = 480,
    camera: Any = None,
    show: Any = None,
    marks: Any = None,
    samples: int = 2,
) -> Film:
    """A film of a Data, or of worlds of a BatchSim in a grid. Frames are encoded one by one; memory stays bounded.

    The ending says the format: `.mp4` (needs `pip install 'phalanx[video]'`), `.gif`, `.webp`; or a file for each
    frame: `run_%04d.png`, or a folder. An error or Ctrl-C in the block ends the film there; the file is whole.

    Args:
        path: the file.
        data: the world.
        batch: worlds, instead of `data`.
        worlds: which worlds of the batch: indices or a mask; None for all.
        fps: frames per second of the film.
        speed: seconds of simulation in a second of the film: 0.25 is slow motion.
        width: pixels in a row.
        height: rows of pixels.
        camera: None for a free camera, a `phalanx.Camera`, or a camera of the model by name or id.
        show: what is shown, as `phalanx.Show.of` takes it.
        marks: a `phalanx.Marks` with drawings of yours, of a Data.
        samples: each pixel is the mean of `samples` x `samples` rays.

    Raises:
        FieldError: an argument does not fit.
        UnknownNameError: the model has no such camera.
        MissingPackageError: the format needs a package that is not installed.
        ModelError: the ending is not known, or there is no such folder.

    Example:
        >>> with phalanx.record("fall.mp4", data, camera="side") as film:      # doctest: +SKIP
        ...     for _ in range(2000):
        ...         data.step()
        ...         film.capture()
    """
    if (data is None) == (batch is None):
        raise FieldError("record takes a Data, or batch=... with a BatchSim: one of them")
    rate = checked_rate(fps, speed)
    size = whole("width", width, 1), whole("height", height, 1)
    sight: Sight
    # all arguments are looked at before the file is opened: an error leaves none
    if batch is not None:
        if marks is not None:
            raise FieldError("marks are drawn into films of a Data, not of a batch")
        sight = GridSight(batch, worlds, size, camera, show, samples)
    else:
        if worlds is not None:
            raise FieldError("worlds are chosen from batch=..., and a Data is one world")
        assert data is not None
        sight = WorldSight(data, size, camera, show, samples, marks)
    return Film(named_file(path), sight, rate, float(fps), encoder_for(path, *size, float(fps)))


def checked_rate(fps: Any, speed: Any) -> float:
    """Frames per second of simulated time."""
    frames, factor = real("fps", fps), real("speed", speed)
    for name, value, (least, most) in (("fps", frames, _FPS), ("speed", factor, _SPEED)):
        if not least <= value <= most:
            raise FieldError(f"{name} is from {least:g} to {most:g}, not {value:g}")
    return frames / factor
