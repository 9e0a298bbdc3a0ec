"""Grounds for robots that walk: flat, rough, or stairs, in tiles of rising difficulty along x.

The floor of the model stays where it is; tiles stand on it. A robot begins in the middle of the tile of its level.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.world.builtin import model_path
from phalanx.world.model import Model
from phalanx.world.spec import Spec

KINDS = ("flat", "rough", "stairs")
#: Robots that begin stand on the highest point within this distance of the middle [m].
REACH = 0.5
#: Points of a height field for each meter.
DENSITY = 10


@dataclass(frozen=True)
class Terrain:
    """A ground.

    Attributes:
        kind: "flat", "rough" (a height field) or "stairs" (a pyramid of boxes on each tile).
        levels: how many tiles there are.
        tile: length of a tile [m].
        height: of the roughest tile [m]; of a step of the steepest stairs [m].
        steps: of stairs, from the floor to the top.
        width: of a step [m].
        seed: of the rough ground.
    """

    kind: str = "flat"
    levels: int = 1
    tile: float = 6.0
    height: float = 0.1
    steps: int = 5
    width: float = 0.35
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise FieldError(f"terrain is one of {', '.join(map(repr, KINDS))}, not {self.kind!r}")
        if self.kind == "stairs" and 2 * self.steps * self.width >= self.tile:
            raise FieldError(f"stairs of {self.steps} steps of {self.width} m do not fit on a tile of {self.tile} m")
        if self.levels < 1:
            raise FieldError("terrain has at least one level")

    def difficulty(self, level: int) -> float:
        """From 0 to 1."""
        return (level + 1) / self.levels

    def start_heights(self) -> list[float]:
        """Height of the ground in the middle of each tile [m]."""
        if self.kind == "flat":
            return [0.0] * self.levels
        if self.kind == "stairs":
            return [self.steps * self.height * self.difficulty(level) for level in range(self.levels)]
        # the highest point under the robot
        heights, middle = self.rough_heights(), (np.arange(self.levels) + 0.5) * self.tile
        x = np.linspace(0.0, self.levels * self.tile, heights.shape[1])
        y = np.linspace(-0.5 * self.tile, 0.5 * self.tile, heights.shape[0])
        near_y = np.abs(y) <= REACH
        return [float(heights[near_y][:, np.abs(x - place) <= REACH].max()) for place in middle]

    def rough_heights(self) -> np.ndarray:
        """Heights of a grid [m], (rows along y, columns along x): smooth noise that grows with the level."""
        columns, rows = round(self.levels * self.tile * DENSITY) + 1, round(self.tile * DENSITY) + 1
        rng = np.random.default_rng(self.seed)
        noise = rng.uniform(0.0, 1.0, (rows + 2, columns + 2))
        smooth = np.mean([noise[i : i + rows, k : k + columns] for i in range(3) for k in range(3)], axis=0)
        smooth = (smooth - smooth.min()) / (smooth.max() - smooth.min())
        level = np.minimum(np.linspace(0.0, self.levels, columns).astype(int), self.levels - 1)
        grown = smooth * self.height * (level + 1) / self.levels
        # down to the floor at the edge, so that nobody falls off
        grown[0] = grown[-1] = 0.0
        grown[:, 0] = grown[:, -1] = 0.0
        return grown


def on_terrain(robot: str, terrain: Terrain) -> Model:
    """A built-in robot, or one of a file, on a terrain. Its ground is a geom named "floor"."""
    spec = Spec.from_file(model_path(robot))
    if terrain.kind == "stairs":
        add_stairs(spec, terrain)
    elif terrain.kind == "rough":
        add_rough(spec, terrain)
    return spec.compile()


def add_stairs(spec: Spec, terrain: Terrain) -> None:
    """Boxes on top of each other, the largest at the bottom."""
    for level in range(terrain.levels):
        rise = terrain.height * terrain.difficulty(level)
        for step in range(terrain.steps):
            half = 0.5 * terrain.tile - (step + 1) * terrain.width
            spec.worldbody.add_geom(
                name=f"stairs_{level}_{step}", type="box", size=(half, half, 0.5 * rise),
                pos=(level * terrain.tile, 0.0, (step + 0.5) * rise), **like_floor(spec),
            )  # fmt: skip


def add_rough(spec: Spec, terrain: Terrain) -> None:
    """A height field."""
    heights = terrain.rough_heights()
    length = terrain.levels * terrain.tile
    spec.add_hfield(
        name="rough", nrow=heights.shape[0], ncol=heights.shape[1],
        size=(0.5 * length, 0.5 * terrain.tile, float(heights.max()), 0.1), elevation=tuple(heights[::-1].ravel()),
    )  # fmt: skip
    middle = 0.5 * (length - terrain.tile)
    spec.worldbody.add_geom(name="rough", type="hfield", hfield="rough", pos=(middle, 0, 0), **like_floor(spec))


def like_floor(spec: Spec) -> dict:
    """What touches the floor touches the terrain."""
    floor = spec.geom("floor")
    return {name: floor.resolved(name) for name in ("contype", "conaffinity", "friction", "condim", "solref")}
