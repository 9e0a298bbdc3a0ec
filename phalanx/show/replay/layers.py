"""Layers of a replay: what can be switched on and off in the page, recorded frame by frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from phalanx.memory.errors import FieldError, suggestion
from phalanx.scene.decor import DECOR
from phalanx.scene.decor_frame import FRAMES, LABELS, Draw
from phalanx.scene.show import Show
from phalanx.show.trajectory import Trajectory
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


#: Layers that show forces and controls.
OF_FORCES = ("contact_forces", "actuators")


def known_layers() -> dict[str, tuple[str, Draw]]:
    """Every layer that can be recorded: what it shows, and what draws it."""
    decor = {row.name: (row.doc, row.draw) for row in DECOR.values() if not row.is_drag}
    frames = {f"{name}_frames": (f"axes of the frames: {name}", draw) for name, draw in FRAMES.items()}
    labels = {f"{name}_names": (f"names: {name}", draw) for name, draw in LABELS.items() if draw}
    return {**decor, **frames, **labels}


#: Recorded unless asked otherwise, where the model has anything of the kind.
USUAL = (
    "tendons", "slider_cranks", "contacts", "contact_forces", "joints", "actuators", "constraints", "inertias",
    "centers_of_mass", "applied_forces", "range_finders", "body_frames", "body_names",
)  # fmt: skip


def chosen_layers(model: Model, worlds: Sequence[Trajectory], names: Iterable[str] | None, show: Show) -> list[Layer]:
    """The layers of a page: those asked for, or the usual ones that the model has anything of.

    Forces follow from the whole state. Where some of it was not recorded, they would be wrong, and are not shown.
    """
    known, lacking = known_layers(), missing_state(model, worlds)
    asked = None if names is None else [names] if isinstance(names, str) else list(names)
    for name in asked or ():
        if name not in known:
            raise FieldError(f"there is no layer {name!r}{suggestion(str(name), known)}; known: {', '.join(known)}")
        if name in OF_FORCES and lacking:
            raise FieldError(f"{name} follow from {', '.join(lacking)}, which the trajectory does not have")
    # what is shown at first is recorded, too
    shown = [name for name in known if is_shown(name, show)]
    usual = [name for name in dict.fromkeys((*USUAL, *shown)) if not (lacking and name in OF_FORCES)]
    found = []
    for name in usual if asked is None else asked:
        doc, draw = known[name]
        concerns = DECOR[name].concerns if name in DECOR else None
        if concerns is None or concerns(model):
            found.append(Layer(name, doc, draw, is_shown(name, show)))
    if any(world.marks is not None for world in worlds):
        found.append(Layer(MARKS, "drawing of the program that was recorded", None, True))
    return found


def is_shown(name: str, show: Show) -> bool:
    """Is a layer on at first?"""
    chosen = (f"{show.frames}_frames", f"{show.labels}_names")
    return name in chosen or bool(name in DECOR and getattr(show, name))


def missing_state(model: Model, worlds: Sequence[Trajectory]) -> list[str]:
    """State and controls of the model that some trajectory lacks."""
    sizes = {"qvel": model.nv, "act": model.na, "ctrl": model.nu}
    return [name for name, size in sizes.items() if size and any(name not in world.arrays for world in worlds)]
