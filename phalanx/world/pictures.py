"""Pictures of a world: `Data.render`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from phalanx.render.kept import kept_renderer
from phalanx.scene.show import Show

if TYPE_CHECKING:
    from phalanx.world.model import Model


class Pictures:
    """Pictures that can be taken of a Data; `phalanx.Data` has them as its own methods."""

    if TYPE_CHECKING:
        model: Model

    def render(
        self,
        width: int = 640,
        height: int = 480,
        *,
        camera: Any = None,
        output: str | Sequence[str] = "rgb",
        show: Any = None,
        marks: Any = None,
        perturb: Any = None,
        samples: int = 1,
        threads: int = 1,
    ) -> Any:
        """A picture of the world at its present poses, those of the last `forward` or `step`.

        It is computed by kernels: no graphics driver and no display are needed. Its memory is kept for the next picture
        of the same size; a `phalanx.Renderer` serves many Data of a model.

        Args:
            width: pixels in a row.
            height: rows of pixels.
            camera: None for a free camera that sees the whole model, a `phalanx.Camera`, or a camera of the model: its
                name or id.
            output: "rgb" (height, width, 3) uint8; "depth" (height, width) float32, along the axis of the camera [m];
                "segmentation" (height, width, 2) int32, id and `ObjType` of the object, -1 where there is none; "body"
                (height, width) int32, its body; "normals" (height, width, 3) float32, of the surface, in the world.
                Several names at once give a dict.
            show: what is shown: a `phalanx.Show`, names such as "contacts joints", or settings by name.
            marks: drawings of the user, a `phalanx.Marks`.
            perturb: a `phalanx.Perturbation` that is shown.
            samples: each color is the mean of `samples` x `samples` rays in a pixel; 1 is fastest, 3 has smooth edges.
            threads: threads that share the work.

        Raises:
            FieldError: an unknown output, a size that is not positive or too large, or a state that is not finite.
            UnknownNameError: an unknown camera.
        """
        # to make a renderer takes longer than to draw a small picture
        renderer = kept_renderer(self, width, height, Show.of(show), samples, threads)
        return renderer.render(self, camera=camera, output=output, marks=marks, perturb=perturb)
