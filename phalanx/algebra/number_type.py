"""Names of the number types that kernels are compiled for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class NumberType:
    """A number of the physics: `base` ("float64" or "float32") for `width` worlds, or a plain float when width is 0.

    With `tangents` it is a dual: a float64 of one world, and its derivatives in so many directions. With `spread` it is
    the number of one world in the memory of a device, where those of all worlds are neighbors: see `memory/layout.py`.
    With `sleeps` it is of one world in which trees may fall asleep: kernels that are compiled for any other number know
    that none does.
    """

    base: str
    width: int = 0
    tangents: int = 0
    spread: bool = False
    sleeps: bool = False

    def __post_init__(self) -> None:
        if self.base not in ("float64", "float32"):
            raise ValueError(f"number type must be float64 or float32, not {self.base!r}")
        if self.width not in (0, 1, 2, 4, 8, 16):
            raise ValueError(f"lane width must be 1, 2, 4, 8 or 16, not {self.width}")
        if self.base == "float32" and self.width == 0:
            raise ValueError("a float32 of one world is a lane of width 1")
        if self.tangents and (self.tangents not in (1, 3, 7, 15, 31) or self.base != "float64" or self.width):
            raise ValueError("a dual is a float64 of one world with 1, 3, 7, 15 or 31 tangents")
        if self.spread and (self.tangents or self.width > 1):
            raise ValueError("numbers that are spread over worlds are those of one world, without tangents")
        if self.sleeps and (self.width > 1 or self.tangents):
            raise ValueError("trees fall asleep in single worlds only")

    @property
    def name(self) -> str:
        """Short name for files and symbols: f64 plain, f64x4 and f32x8 for lanes, f64d7 for duals with 7 tangents, f64w
        for numbers that are spread over worlds.

        It ends with an s where trees may fall asleep.
        """
        short = {"float64": "f64", "float32": "f32"}[self.base]
        if self.tangents:
            return f"{short}d{self.tangents}"
        layout = "w" if self.spread else f"x{self.width}" if self.width else ""
        return short + layout + ("s" if self.sleeps else "")

    @property
    def dtype(self) -> np.dtype:
        """NumPy type of the number of a single world."""
        return np.dtype(self.base)

    @property
    def worlds(self) -> int:
        """How many worlds one number holds; a plain float holds one."""
        return max(self.width, 1)

    @property
    def cells(self) -> int:
        """How many floats a number is in memory: one for each world, or a value and its tangents."""
        return self.tangents + 1 if self.tangents else self.worlds

    @property
    def one_world(self) -> NumberType:
        """The number type of a single world with the same base."""
        return one_world(self.base, self.sleeps)


def spread(base: str, sleeps: bool = False) -> NumberType:
    """The number type of one world in the memory of a device; in one that `sleeps`, trees may."""
    return NumberType(base, one_world(base).width, spread=True, sleeps=sleeps)


def one_world(base: str, sleeps: bool = False) -> NumberType:
    """The number type of one world: a plain float64, or a lane of one float32; in one that `sleeps`, trees may."""
    return NumberType(base, 0 if base == "float64" else 1, sleeps=sleeps)
