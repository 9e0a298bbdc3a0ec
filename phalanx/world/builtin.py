"""Models that come with Phalanx: small robots that `load` finds by name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from phalanx.memory.errors import ModelError, suggestion
from phalanx.memory.named import Named, unknown

#: Where their files are.
FOLDER = Path(__file__).resolve().parent.parent / "robots"
#: What each is, in a line. Its file in the folder has the same name.
DESCRIPTIONS = {
    "arm": "arm with six joints, a servo each, and a wrist whose axes meet in a point; reaches 0.95 m",
    "cartpole": "pole on a cart, a motor pushes the cart; hangs, or is to be kept upright",
    "cloth": "cloth of 9 x 9 points that falls on a ball; a servo lifts the ball",
    "gripper": "two fingers on a gantry above a table with a cube; force and touch sensors",
    "humanoid": "person of 1.6 m and 65 kg with 21 servos; stands on two feet",
    "quadruped": "four legs with three servos each, 12 kg; stands, inertial and touch sensors",
    "soft_gripper": "two fingers with elastic pads on a gantry above a table with an egg",
}


class BuiltinModels(Named[str]):
    """The names of the built-in models, each with a line about it.

    >>> "arm" in BuiltinModels()
    True
    """

    def __getitem__(self, name: str) -> str:
        if name not in self:
            raise unknown(name, self)
        return DESCRIPTIONS[name]

    def __iter__(self) -> Iterator[str]:
        return iter(DESCRIPTIONS)

    def __len__(self) -> int:
        return len(DESCRIPTIONS)

    def __repr__(self) -> str:
        width = max(map(len, self)) + 2
        return "\n".join(f"{name:{width}}{line}" for name, line in self.items())


def models() -> BuiltinModels:
    """The built-in models: a mapping from the name that `load` takes to a line about the model.

    >>> sorted(models())
    ['arm', 'cartpole', 'cloth', 'gripper', 'humanoid', 'quadruped', 'soft_gripper']
    >>> model_path("arm").name
    'arm.xml'
    """
    return BuiltinModels()


def model_path(path: str | Path) -> Path:
    """The file that is meant: that of a built-in model for a name without folder and suffix, otherwise the path itself.

    A file without a suffix is not looked for, nor a folder of that name: a name means the same everywhere.

    Raises:
        ModelError: no built-in model has this name; or a file is missing, and the built-in model may be meant.
    """
    path = Path(path)
    if path.stem in DESCRIPTIONS and path.suffix in (".xml", ".mjcf") and not os.path.lexists(path):
        raise ModelError(f"{path}: there is no such file; the built-in model is called {path.stem!r}, without a suffix")
    if path.suffix or len(path.parts) != 1 or path.name.startswith("."):
        return path
    if path.name in DESCRIPTIONS:
        return FOLDER / f"{path.name}.xml"
    hint = suggestion(path.name, DESCRIPTIONS) or "; a file is given with its suffix, such as .xml"
    raise ModelError(f"no built-in model is called {path.name!r}{hint} (built in: {', '.join(DESCRIPTIONS)})")
