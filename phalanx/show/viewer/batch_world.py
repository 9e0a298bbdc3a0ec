"""Many worlds in the viewer: a batch, one of whose worlds is followed in a Data of its own."""

from __future__ import annotations

import numpy as np

from phalanx.batch.batch import BatchSim
from phalanx.scene.shapes import Shapes
from phalanx.show.viewer.arrangement import Layout, offsets
from phalanx.show.viewer.one_world import WHOLE_STATE
from phalanx.tables.enums import GeomType, ObjType
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Kind of object -> the fields with its frames.
FRAMES = {ObjType.GEOM: ("geom_xpos", "geom_xmat"), ObjType.SITE: ("site_xpos", "site_xmat")}
#: Distance between neighbors in a grid, in extents of the model.
SPACING = 1.5
#: Indices of worlds are this far above their center, in extents of the model.
LABEL_HEIGHT = 0.35


class ManyWorlds:
    """The worlds of a batch, the first `count` of which are shown.

    Attributes:
        data: the followed world: a copy that is brought up to date after each step.
        followed: its index.
        offsets: where worlds have their origins in the page [m], (count, 3).
    """

    def __init__(self, batch: BatchSim, count: int, layout: Layout):
        self.batch, self.count, self.layout = batch, count, layout
        needed = {frame for kind in FRAMES.values() for frame in kind if _exists(batch.model, frame)}
        batch.bind(*sorted(needed))
        batch.forward()
        self.followed = 0
        self.data: Data = batch.env(0)
        self.place(layout)

    @property
    def model(self) -> Model:
        """The model of the followed world: fields that vary are those of this world."""
        return self.data.model

    @property
    def structure(self) -> Model:
        """The model that widgets are made for: that of the batch."""
        return self.batch.model

    def place(self, layout: Layout) -> None:
        """Lay the worlds out."""
        self.layout = layout
        self.offsets = offsets(self.count, SPACING * float(self.batch.model.stat.extent), layout)

    def follow(self, world: int) -> None:
        """Look at another world."""
        self.data = self.batch.env(world)
        self.followed = world

    def step(self, n: int) -> None:
        """Advance all worlds by n steps; WorldError for the first that fails."""
        self.batch.step(n)
        failed = next((error for error in self.batch.errors if error is not None), None)
        if failed is not None:
            raise failed

    def refresh(self) -> None:
        """Bring the followed world up to date."""
        self.data.set_state(self.batch.get_state(WHOLE_STATE)[self.followed], WHOLE_STATE)
        self.data.forward()

    def forward(self) -> None:
        """Compute everything that follows from states that were set."""
        self.batch.forward()
        self.refresh()

    def changed(self) -> None:
        """State or inputs of the followed world were set: its row of the batch follows."""
        states = self.batch.get_state(WHOLE_STATE)
        states[self.followed] = self.data.get_state(WHOLE_STATE)
        self.batch.set_state(states, WHOLE_STATE)

    def reset(self, keyframe: int | None) -> None:
        """All worlds back to their initial state or to a keyframe."""
        self.batch.reset_all(keyframe)

    @property
    def state_size(self) -> int:
        """Numbers in the states of all worlds."""
        return self.batch.n * self.model.state_size(WHOLE_STATE)

    def get_state(self) -> np.ndarray:
        """The states of all worlds in a row."""
        return self.batch.get_state(WHOLE_STATE).reshape(-1)

    def set_state(self, state: np.ndarray) -> None:
        """Bring all worlds to a state."""
        self.batch.set_state(state.reshape(self.batch.n, -1), WHOLE_STATE)

    def labels(self) -> Shapes:
        """The index of each world above it; where all are in one place, of none."""
        found = Shapes.empty(0 if self.layout is Layout.OVERLAY else self.count)
        if len(found):
            stat = self.batch.model.stat
            above = np.asarray(stat.center) + (0.0, 0.0, LABEL_HEIGHT * float(stat.extent))
            found.kind[:] = GeomType.LABEL
            # as all passing shapes, relative to the followed world
            found.pos[:] = above + self.offsets - self.offsets[self.followed]
            found.labels[:] = [str(world) for world in range(self.count)]
        return found

    def poses(self, shapes: Shapes, persistent: int) -> tuple[np.ndarray, np.ndarray]:
        """Positions (worlds, n, 3) and rotation matrices (worlds, n, 9) of the persistent shapes; copies."""
        pos = np.repeat(shapes.pos[None, :persistent], self.count, axis=0)
        mat = np.repeat(shapes.mat[None, :persistent], self.count, axis=0)
        for kind, (place, axes) in FRAMES.items():
            rows = np.flatnonzero(shapes.objtype[:persistent] == kind)
            if len(rows):
                objects = shapes.objid[rows]
                pos[:, rows] = getattr(self.batch, place)[: self.count, objects]
                mat[:, rows] = getattr(self.batch, axes)[: self.count, objects]
        return pos + self.offsets[:, None], mat


def _exists(model: Model, frame: str) -> bool:
    """Does the model have such objects?"""
    return bool(model.ngeom if frame.startswith("geom") else model.nsite)
