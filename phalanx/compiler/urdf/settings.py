"""How a URDF file is translated: what the user chooses, and the two styles."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from phalanx.compiler.text.errors import nearest
from phalanx.memory.errors import ModelError


@dataclass(frozen=True)
class Style:
    """What becomes of a URDF file.

    Attributes:
        compiler: settings of the MJCF compiler that the file does not set itself.
        visual_group, collision_group: visibility groups of geoms.
        is_mujoco: does everything else follow MuJoCo, its omissions included?
    """

    compiler: Mapping[str, bool]
    visual_group: int
    collision_group: int
    is_mujoco: bool


STYLES: dict[str, Style] = {
    "phalanx": Style({"fusestatic": False, "discardvisual": False}, 2, 3, False),
    "mujoco": Style({"fusestatic": True, "discardvisual": True}, 1, 0, True),
}
"""Styles by name."""

#: What each word of a setting means.
BASES = {"fixed": "the root link is fixed to the world", "floating": "the root link has a free joint"}
ACTUATORS = {
    "transmissions": "one for each transmission of the file",
    "position": "a position servo for each joint",
    "motor": "a motor for each joint",
}


@dataclass(frozen=True)
class UrdfSettings:
    """How a URDF file is read.

    Attributes:
        style: "phalanx" keeps links, names and looks; "mujoco" makes what MuJoCo makes of the file.
        base: "fixed" or "floating": whether the root link can move.
        actuators: "transmissions" for those of the file, "position" or "motor" for one at each joint, None for none.
        repair: are inertias and limits that are not physical replaced? If not, they are problems.
        packages: folders in which packages of `package://` and `model://` are looked for.
        arguments: values of the arguments of a xacro file.
    """

    style: str = "phalanx"
    base: str = "fixed"
    actuators: str | None = "transmissions"
    repair: bool = False
    packages: tuple[str, ...] = ()
    arguments: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check("style", self.style, STYLES)
        _check("base", self.base, BASES)
        if self.actuators is not None:
            _check("actuators", self.actuators, ACTUATORS)

    @property
    def row(self) -> Style:
        """The row of its style."""
        return STYLES[self.style]


def _check(name: str, value: object, known: Mapping[str, object]) -> None:
    if value not in known:
        hint = nearest(value, known) if isinstance(value, str) else f"; valid: {', '.join(known)}"
        raise ModelError(f"{name}={value!r} is no way to read a URDF file{hint}")


def settings_of(
    style: str = "phalanx",
    base: str = "fixed",
    actuators: str | None = "transmissions",
    repair: bool = False,
    packages: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    arguments: Mapping[str, str] | None = None,
) -> UrdfSettings:
    """Settings from the arguments of a public function; one folder may stand for a list of them."""
    folders = [packages] if isinstance(packages, (str, os.PathLike)) else list(packages)
    given = {str(name): str(value) for name, value in (arguments or {}).items()}
    places = tuple(str(os.fspath(folder)) for folder in folders)
    return UrdfSettings(style, base, actuators, bool(repair), places, given)
