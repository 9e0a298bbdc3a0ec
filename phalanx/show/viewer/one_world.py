"""One world in the viewer: a Data that the world thread steps."""

from __future__ import annotations

import numpy as np

from phalanx.scene.shapes import Shapes
from phalanx.tables.enums import StateBit
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Everything that a step depends on.
WHOLE_STATE = StateBit.INTEGRATION


class OneWorld:
    """What the session asks of a world. `ManyWorlds` answers the same for a batch.

    Attributes:
        data: the world that is looked at, driven and dragged.
        followed: its index among all worlds.
        offsets: where worlds have their origins in the page [m], (number of worlds, 3).
    """

    def __init__(self, data: Data):
        self.data = data
        self.followed = 0
        self.offsets = np.zeros((1, 3))

    @property
    def model(self) -> Model:
        """The model of the world."""
        return self.data.model

    @property
    def structure(self) -> Model:
        """The model that widgets are made for."""
        return self.data.model

    def step(self, n: int) -> None:
        """Advance by n steps; WorldError if the world fails."""
        self.data.step(n)

    def refresh(self) -> None:
        """Bring what is shown up to date with the state: nothing to do after steps of a Data."""

    def forward(self) -> None:
        """Compute everything that follows from a state that was set."""
        self.data.forward()

    def changed(self) -> None:
        """State or inputs of `data` were set: they are those of the world."""

    def reset(self, keyframe: int | None) -> None:
        """Back to the initial state or to a keyframe."""
        self.data.reset(keyframe)

    @property
    def state_size(self) -> int:
        """Numbers in a state."""
        return self.model.state_size(WHOLE_STATE)

    def get_state(self) -> np.ndarray:
        """The whole state in a row."""
        return self.data.get_state(WHOLE_STATE)

    def set_state(self, state: np.ndarray) -> None:
        """Go to a state."""
        self.data.set_state(state, WHOLE_STATE)

    def labels(self) -> Shapes:
        """Texts that tell worlds apart: one world needs none."""
        return Shapes.empty()

    def poses(self, shapes: Shapes, persistent: int) -> tuple[np.ndarray, np.ndarray]:
        """Positions (worlds, n, 3) and rotation matrices (worlds, n, 9) of the persistent shapes; copies."""
        return shapes.pos[None, :persistent].copy(), shapes.mat[None, :persistent].copy()
