"""Renderer: pictures of worlds, without a graphics driver."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np

from phalanx.algebra.jit import is_interpreted
from phalanx.algebra.number_type import NumberType
from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.exclusive import Usage, exclusive
from phalanx.memory.fill import whole
from phalanx.native.pace import Pace
from phalanx.native.threads import Stop, ThreadPool
from phalanx.render.assets import assets_of
from phalanx.render.labels import draw_labels
from phalanx.render.picture_entry import ARRANGE, DRAW, NUMBER, draw, native
from phalanx.render.picture_memory import BLOCK, Frame
from phalanx.render.stage import Stage
from phalanx.render.tile import BODY, DEPTH, NORMALS, RGB, SEGMENTATION
from phalanx.scene.scene import SceneBuilder

#: Output -> its bit, its NumPy type, and how many numbers each pixel has (0: one, without an axis).
OUTPUTS: dict[str, tuple[int, Any, int]] = {
    "rgb": (RGB, np.uint8, 3),
    "depth": (DEPTH, np.float32, 0),
    "segmentation": (SEGMENTATION, np.int32, 2),
    "body": (BODY, np.int32, 0),
    "normals": (NORMALS, np.float32, 3),
}
#: Pixels of a picture, samples along a side of a pixel, and threads, at most.
MOST_PIXELS, MOST_SAMPLES, MOST_THREADS = 1 << 26, 16, 1024


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
        self._usage = Usage()
        self.model = model
        self.width, self.height = checked_size(width, height)
        self.samples = whole("samples", samples, 1, MOST_SAMPLES)
        self._pool = ThreadPool(whole("threads", threads, 1, MOST_THREADS))
        self._builder = SceneBuilder(model, show)
        self._number = NUMBER
        self._frame = Frame(self._pool.size)
        self._stage = Stage(model, self._builder, assets_of(model), self._frame)
        self._turns = np.zeros(1, np.int64)
        self._pace = Pace(64)

    @property
    def show(self) -> Any:
        """What is shown."""
        return self._builder.show

    def __repr__(self) -> str:
        return f"<Renderer: {self.width} x {self.height}, samples {self.samples}, {self.show!r}>"

    @exclusive
    def render(
        self, data: Any, *, camera: Any = None, output: str | Sequence[str] = "rgb", marks: Any = None, perturb: Any = None
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
        names = (output,) if isinstance(output, str) else tuple(output)
        pictures = {name: self._empty(name) for name in names}
        shapes = self._builder.shapes(data, marks, perturb)
        view = self._builder.view(data, camera, self.width, self.height)
        self._stage.set(data, shapes, view, self.width, self.height, with_color="rgb" in pictures)
        frame = self._frame
        frame.set(wanted=sum(OUTPUTS[name][0] for name in pictures), samples=self.samples)
        for name, picture in pictures.items():
            frame.bind(name, picture)
        self._draw()
        shaped = {name: self._shaped(name, picture) for name, picture in pictures.items()}
        if "rgb" in shaped:
            draw_labels(shaped["rgb"], shapes, view)
        return shaped[output] if isinstance(output, str) else shaped

    def _empty(self, name: str) -> np.ndarray:
        if not isinstance(name, str) or name not in OUTPUTS:
            hint = suggestion(name, OUTPUTS) if isinstance(name, str) else ""
            raise FieldError(f"output {name!r} is none of {', '.join(OUTPUTS)}{hint}")
        _, dtype, numbers = OUTPUTS[name]
        pixels = self.width * self.height
        return np.empty((pixels, numbers) if numbers else pixels, dtype)

    def _shaped(self, name: str, picture: np.ndarray) -> np.ndarray:
        return picture.reshape(self.height, self.width, *picture.shape[1:])

    # --- drawing

    def _draw(self) -> None:
        """Draw what the frame asks for."""
        if is_interpreted():
            self._draw_interpreted()
            return
        frame, turns = self._frame, int(self._turns.ctypes.data)
        call = native(self._number).call
        call(frame.address(0), turns, ARRANGE, 0)
        self._turns[0] = 0
        blocks = -(-self.width // BLOCK) * -(-self.height // BLOCK)
        if self._pool.size == 1 or blocks == 1:
            self._work(call, 0, blocks, Stop())
            return
        stop = Stop()
        tasks = [lambda k=k: self._work(call, k, blocks, stop) for k in range(min(self._pool.size, blocks))]
        self._pool.run(tasks, stop)

    def _work(self, call: Any, thread: int, blocks: int, stop: Stop) -> None:
        """Draw blocks until there are no more; some at a time, so that Python can handle signals in between."""
        address, turns = self._frame.address(thread), int(self._turns.ctypes.data)
        while self._turns[0] < blocks and not stop.is_asked:
            amount, began = self._pace.amount, perf_counter()
            call(address, turns, DRAW, amount)
            if amount < blocks:
                self._pace.note(amount, perf_counter() - began)

    def _draw_interpreted(self) -> None:
        frame = self._frame.plain(0)
        self._turns[0] = 0
        with np.errstate(all="ignore"):
            draw(frame, self._turns, ARRANGE, 0)
            draw(frame, self._turns, DRAW, 1 << 30)


def checked_size(width: Any, height: Any) -> tuple[int, int]:
    """Width and height of a picture, or an error that says what is wrong."""
    size = whole("width", width, 1), whole("height", height, 1)
    if size[0] * size[1] > MOST_PIXELS:
        raise FieldError(f"a picture of {size[0]} x {size[1]} has more than {MOST_PIXELS} pixels, the most that is drawn")
    return size

