"""Layers of a replay: what can be switched on and off in the page, recorded frame by frame."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from phalanx.memory.errors import FieldError, suggestion
from phalanx.scene.decor import DECOR
from phalanx.scene.decor_frame import FRAMES, LABELS, Draw
from phalanx.scene.show import Show
from phalanx.world.model import Model

#: The layer of debug drawing.
MARKS = "marks"
#: Decor that is made of the model's own material, and lit like it.
_SOLID = ("tendons", "slider_cranks")


@dataclass(frozen=True)
class Layer:
    """One switch of the page.

    Attributes:
        name: of the row of decor.
        doc: what is drawn.
        draw: makes the shapes; None for marks, which are recorded.
        is_on: whether it is on at first.
    """

    name: str
    doc: str
    draw: Draw | None
    is_on: bool

    def row(self) -> dict[str, Any]:
        """What the page knows of it."""
        title = self.name.replace("_", " ")
        return {
            "name": self.name, "title": title[:1].upper() + title[1:], "doc": self.doc, "on": self.is_on,
            "isSolid": self.name in _SOLID,
        }  # fmt: skip


def known_layers() -> dict[str, tuple[str, Draw, bool]]:
    """Every layer that can be recorded: what it shows, what draws it, whether it is on unless asked otherwise."""
    decor = {row.name: (row.doc, row.draw, row.default) for row in DECOR.values() if not row.is_drag}
    frames = {f"{name}_frames": (f"axes of the frames: {name}", draw, False) for name, draw in FRAMES.items()}
    labels = {f"{name}_names": (f"names: {name}", draw, False) for name, draw in LABELS.items() if draw}
    return {**decor, **frames, **labels}


#: Recorded unless asked otherwise, where the model has anything of the kind.
USUAL = (
    "tendons", "slider_cranks", "contacts", "contact_forces", "joints", "actuators", "constraints", "inertias",
    "centers_of_mass", "applied_forces", "range_finders", "body_frames", "body_names",
)  # fmt: skip


def chosen_layers(model: Model, names: Iterable[str] | None, show: Show, has_marks: bool) -> list[Layer]:
    """The layers of a page: those asked for, or the usual ones that the model has anything of."""
    known = known_layers()
    for name in names or ():
        if name not in known:
            raise FieldError(f"there is no layer {name!r}{suggestion(name, known)}; known: {', '.join(known)}")
    wanted = USUAL if names is None else tuple(names)
    found = []
    for name in wanted:
        doc, draw, _ = known[name]
        concerns = DECOR[name].concerns if name in DECOR else None
        if concerns is None or concerns(model):
            found.append(Layer(name, doc, draw, bool(name in DECOR and getattr(show, name))))
    if has_marks:
        found.append(Layer(MARKS, "drawing of the program that was recorded", None, True))
    return found
