"""Renderer: pictures of worlds, without a graphics driver."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from phalanx.algebra.jit import is_interpreted
from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.exclusive import Usage, check_idle, exclusive
from phalanx.memory.fill import items, whole
from phalanx.native.pace import Pace
from phalanx.native.threads import Stop, ThreadPool
from phalanx.render.assets import assets_of
from phalanx.render.camera_views import Views
from phalanx.render.labels import draw_labels
from phalanx.render.picture_entry import ARRANGE, BLOCKS, NUMBER, WORLDS, draw, native
from phalanx.render.picture_memory import Frame
from phalanx.render.picture_rows import BLOCK
from phalanx.render.stage import Stage
from phalanx.render.tile import BODY, DEPTH, NORMALS, RGB, SEGMENTATION
from phalanx.render.world_stage import WorldStage
from phalanx.scene.scene import SceneBuilder


class Output(NamedTuple):
    """What can be asked for: its bit, its NumPy type, and the shape of a pixel."""

    bit: int
    dtype: Any
    inner: tuple[int, ...]


OUTPUTS: dict[str, Output] = {
    "rgb": Output(RGB, np.uint8, (3,)),
    "depth": Output(DEPTH, np.float32, ()),
    "segmentation": Output(SEGMENTATION, np.int32, (2,)),
    "body": Output(BODY, np.int32, ()),
    "normals": Output(NORMALS, np.float32, (3,)),
}
#: Pixels of a call, samples along a side of a pixel, and threads, at most.
MOST_PIXELS, MOST_SAMPLES, MOST_THREADS = 1 << 28, 16, 1024


class Renderer:
    """Draws pictures of worlds of a Model; keep one for many pictures.

    A picture is computed by kernels, with a ray for each pixel: it needs no graphics driver and no display, and is the
    same, bit for bit, on every machine, for any number of threads.

    >>> import phalanx
    >>> model = phalanx.load("humanoid")
    >>> renderer = phalanx.Renderer(model, 64, 48)
    >>> renderer.render(model.make_data().forward()).shape
    (48, 64, 3)

    Args:
        model: the Model.
        width: pixels in a row.
        height: rows of pixels.
        show: what is shown: a `phalanx.Show`, names such as "contacts joints", or settings by name.
        samples: each color is the mean of `samples` x `samples` rays in a pixel; 1 is fastest, 3 has smooth edges.
        threads: threads that share the work.
    """

    def __init__(
        self, model: Any, width: int = 640, height: int = 480, *, show: Any = None, samples: int = 1, threads: int = 1
    ):
        if not hasattr(model, "ngeom"):
            raise FieldError(f"a Renderer draws a Model, not {type(model).__name__}")
        self._usage = Usage()
        self.model = model
        self.width, self.height = whole("width", width, 1), whole("height", height, 1)
        checked_count(self.width, self.height, 1)
        self.samples = whole("samples", samples, 1, MOST_SAMPLES)
        self._pool = ThreadPool(whole("threads", threads, 1, MOST_THREADS))
        self._builder = SceneBuilder(model, show)
        self._number = NUMBER
        self._views = Views(self._builder, self.width, self.height)
        self._frame = Frame(self._pool.size)
        self._stage = Stage(model, self._builder, assets_of(model), self._frame, self.width, self.height)
        self._world_stage: WorldStage | None = None
        self._taken = np.zeros(1, np.int64)
        self._taken_address = int(self._taken.ctypes.data)
        self._paces = {BLOCKS: Pace(16), WORLDS: Pace(16)}

    @property
    def show(self) -> Any:
        """What is shown."""
        return self._builder.show

    def __repr__(self) -> str:
        return f"<Renderer: {self.width} x {self.height}, samples {self.samples}, {self.show!r}>"

    @exclusive
    def render(
        self,
        data: Any,
        *,
        camera: Any = None,
        output: str | Sequence[str] = "rgb",
        marks: Any = None,
        perturb: Any = None,
    ) -> Any:
        """A picture of a world at its present poses.

        Args:
            data: the Data, after forward.
            camera: None for a free camera that sees the whole model, a `phalanx.Camera`, or a camera of the model: its
                name or id.
            output: "rgb" (height, width, 3) uint8; "depth" (height, width) float32, along the axis of the camera [m];
                "segmentation" (height, width, 2) int32, id and `ObjType` of the object, -1 where there is none; "body"
                (height, width) int32, its body; "normals" (height, width, 3) float32, of the surface, in the world.
                Several names at once give a dict.
            marks: drawings of the user, a `phalanx.Marks`.
            perturb: a `phalanx.Perturbation` that is shown.

        Raises:
            FieldError: an unknown output, or a state that is not finite.
            UnknownNameError: an unknown camera.
        """
        # one name gives an array, several give a dict
        pictures = self._single(data, camera, checked_outputs(output), marks, perturb)
        return pictures[output] if isinstance(output, str) else pictures

    def _single(self, data: Any, camera: Any, names: Sequence[str], marks: Any, perturb: Any) -> dict[str, np.ndarray]:
        """Outputs of a picture, by name."""
        check_idle(data)
        shapes = self._builder.shapes(data, marks, perturb)
        view = self._views.of(data, camera)
        self._stage.set(data, shapes, view, "rgb" in names)
        blocks = -(-self.width // BLOCK) * -(-self.height // BLOCK)
        pictures = self._drawn(self._frame, names, 1, BLOCKS, blocks)
        pictures = {name: picture[0] for name, picture in pictures.items()}
        if "rgb" in pictures:
            draw_labels(pictures["rgb"], shapes, view)
        return pictures

    @exclusive
    def render_worlds(self, worlds: Sequence[Any], *, camera: Any = None, output: str | Sequence[str] = "rgb") -> Any:
        """Pictures of several worlds of the model, each the same as `render` gives.

        Args:
            worlds: Data of the worlds, after forward; or other objects with their fields.
            camera: as in `render`.
            output: as in `render`.

        Returns:
            an array (n, height, width, ...), or a dict of them.
        """
        worlds = items(worlds)
        names, count = checked_outputs(output), len(worlds)
        checked_count(self.width, self.height, count)
        if self._world_stage is None:
            frame = Frame(self._pool.size)
            stage = Stage(self.model, self._builder, assets_of(self.model), frame, self.width, self.height)
            self._world_stage = WorldStage(self._builder, stage, frame)
        if self._world_stage.take(worlds, self._views, camera, "rgb" in names):
            pictures = self._drawn(self._world_stage.frame, names, count, WORLDS, count)
        else:
            # worlds that differ in their shapes, too, are drawn one by one
            singles = [self._single(world, camera, names, None, None) for world in worlds]
            pictures = {name: np.stack([single[name] for single in singles]) for name in names}
        return pictures[output] if isinstance(output, str) else pictures

    # --- drawing

    def _drawn(
        self, frame: Frame, names: Sequence[str], count: int, operation: int, total: int
    ) -> dict[str, np.ndarray]:
        """Outputs (count, height, width, ...) by name, of so many pictures that a frame holds.

        Args:
            frame: the scene.
            names: of the outputs.
            count: of pictures.
            operation: of the entry.
            total: blocks or worlds, which threads share.
        """
        pictures = {}
        for name in names:
            row = OUTPUTS[name]
            pictures[name] = np.empty((count, self.height, self.width, *row.inner), row.dtype)
            frame.bind(name, pictures[name].reshape(-1, *row.inner))
        frame.set(wanted=sum(OUTPUTS[name].bit for name in names), samples=self.samples)
        # threads take blocks or worlds one after another, and count them here
        self._taken[0] = 0
        if is_interpreted():
            with np.errstate(all="ignore"):
                draw(frame.plain(0), self._taken, ARRANGE, 0)
                draw(frame.plain(0), self._taken, operation, total)
            return pictures
        call = native(self._number).call
        call(frame.address(0), self._taken_address, ARRANGE, 0)
        stop, threads = Stop(), min(frame.threads, total)
        if threads <= 1:
            self._work(call, frame.address(0), operation, total, stop)
        else:
            work = [
                functools.partial(self._work, call, frame.address(thread), operation, total, stop)
                for thread in range(threads)
            ]
            self._pool.run(work, stop)
        return pictures

    def _work(self, call: Any, address: int, operation: int, total: int, stop: Stop) -> None:
        """Draw until there is no more; some at a time, so that Python can handle signals in between."""
        pace = self._paces[operation]
        while self._taken[0] < total and not stop.is_asked:
            amount, began = pace.amount, perf_counter()
            call(address, self._taken_address, operation, amount)
            if amount < total:
                pace.note(amount, perf_counter() - began)


def checked_outputs(output: Any) -> tuple[str, ...]:
    """Names of outputs as the user gave them, one or several."""
    names = (output,) if isinstance(output, str) else tuple(output) if isinstance(output, Sequence) else (output,)
    for name in names:
        if not isinstance(name, str) or name not in OUTPUTS:
            hint = suggestion(name, OUTPUTS) if isinstance(name, str) else ""
            raise FieldError(f"output {name!r} is none of {', '.join(OUTPUTS)}{hint}")
    if not names:
        raise FieldError(f"no output is asked for: it is one or several of {', '.join(OUTPUTS)}")
    return names


def checked_count(width: int, height: int, count: int) -> None:
    """An error if pictures have too many pixels together."""
    if width * height * count > MOST_PIXELS:
        pictures = f"{count} pictures" if count > 1 else "a picture"
        raise FieldError(f"{pictures} of {width} x {height}: more than {MOST_PIXELS} pixels, the most of one call")
