"""SceneBuilder: shapes, lights and views of a world, frame by frame."""

from __future__ import annotations

from typing import Any

from phalanx.memory.errors import FieldError
from phalanx.scene.camera import view_of
from phalanx.scene.decor import DECOR
from phalanx.scene.decor_frame import FRAMES, LABELS
from phalanx.scene.finite import check_poses
from phalanx.scene.lights import LightBuilder
from phalanx.scene.marks import Marks
from phalanx.scene.permanent import Permanent
from phalanx.scene.perturb import Perturbation
from phalanx.scene.shapes import Shapes
from phalanx.scene.show import Show
from phalanx.scene.style import Style
from phalanx.scene.subject import Data, Model
from phalanx.scene.view import Lights, View


def _check_subjects(data: Any, marks: Any, perturb: Any) -> None:
    """Refuse what is no world, and drawings and drags that are none; anything with the fields of a Data is a world."""
    if not hasattr(data, "geom_xpos"):
        raise FieldError(f"a picture is of a Data, not of {type(data).__name__}")
    for name, given, kind in (("marks", marks, Marks), ("perturb", perturb, Perturbation)):
        if given is not None and not isinstance(given, kind):
            raise FieldError(f"{name} is a phalanx.{kind.__name__}, not {type(given).__name__}")


class SceneBuilder:
    """Makes the scene of a world; keep one for many frames of the same model.

    Attributes:
        model: the Model.
        show: what is shown.
        persistent: how many rows at the beginning of `shapes(...)` are the same objects in each frame (geoms, sites,
            flexes and skins): only their `pos` and `mat` change. The rows after them are made anew.
    """

    def __init__(self, model: Model, show: Any = None):
        self.model = model
        self.show = Show.of(show)
        self._style = Style.of(model, self.show)
        self._permanent = Permanent(model, self._style)
        self._lights = LightBuilder(model)
        self.persistent = len(self._permanent.shapes)
        rows = [row for row in DECOR.values() if getattr(self.show, row.name)]
        rows = [row for row in rows if row.concerns is None or row.concerns(model)]
        chosen = (FRAMES.get(self.show.frames), LABELS.get(self.show.labels))
        self._draws = [row.draw for row in rows if not row.is_drag] + [draw for draw in chosen if draw]
        self._drag_draws = [row.draw for row in rows if row.is_drag]

    def shapes(self, data: Data, marks: Marks | None = None, perturb: Perturbation | None = None) -> Shapes:
        """What there is to see.

        Args:
            data: the Data, after forward.
            marks: drawings of the user.
            perturb: the body that the user drags.

        Returns:
            rows whose memory may be used again by the next call.

        Raises:
            FieldError: a pose is NaN or infinite.
        """
        _check_subjects(data, marks, perturb)
        permanent = self._permanent.updated(data)
        style = self._style.with_perturbation(perturb)
        draws = self._draws if perturb is None else self._draws + self._drag_draws
        parts = [draw(self.model, data, style) for draw in draws]
        if marks is not None:
            parts.append(marks.shapes(data.time))
        parts = [part for part in parts if len(part)]
        # without decor nothing is copied
        if not parts:
            return permanent
        for part in parts:
            check_poses(data, "contact_pos or wrap_xpos", part.pos)
        return Shapes.joined([permanent, *parts])

    def lights(self, data: Data, view: View | None = None) -> Lights:
        """Lights that are on; the headlight first, if it is, at the camera.

        Args:
            data: the Data, after forward.
            view: where the camera is; None for the default free camera.
        """
        return self._lights.lights(data, self.view(data) if view is None else view)

    def view(self, data: Data, camera: Any = None, width: int = 640, height: int = 480) -> View:
        """Where a camera is and how it projects; see `view_of`."""
        return view_of(self.model, data, camera, width, height)

    def __repr__(self) -> str:
        return f"<SceneBuilder: {self.persistent} shapes and decor, {self.show!r}>"
