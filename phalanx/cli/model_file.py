"""What every command does with a model file: read it, and say in words what is wrong with it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from rich.console import Console

from phalanx.cli.console import CommandError, errors
from phalanx.compiler.text.errors import MjcfError
from phalanx.compiler.urdf.robot_file import UrdfArguments
from phalanx.measure.controls import random_controls as random_controls
from phalanx.memory.errors import MjcfWarning, UnsupportedFeatureWarning
from phalanx.tables.mujoco_binary import MUJOCO_VERSION
from phalanx.world.builtin import model_path
from phalanx.world.model import Model
from phalanx.world.spec import load

#: The argument of all commands that take one model.
ModelPath = Annotated[
    Path,
    typer.Argument(
        help="Model file (.xml, .mjcf, .zip, .urdf, .xacro, .usd, .npz of Phalanx, .mjb of MuJoCo), or the name of a "
        "built-in model.",
        show_default=False,
    ),
]
#: How a URDF file is read.
UrdfOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--urdf",
        help="How to read a URDF file, may be repeated: style=mujoco, base=floating, actuators=position (motor, none), "
        "repair=true, packages=FOLDER, NAME=VALUE of a xacro argument.",
        show_default=False,
    ),
]
#: The option of commands that start somewhere.
Keyframe = Annotated[
    str | None, typer.Option("--key", help="Keyframe to start from, by name or id.", show_default="qpos0")
]
Seed = Annotated[int, typer.Option(help="Seed of everything that is random; the same seed gives the same numbers.")]


def load_model(path: Path, urdf: list[str] | None = None) -> Model:
    """The model of a file. What is wrong with it is listed as `phalanx check` does, and ends the command."""
    try:
        return load(path, **urdf_arguments(urdf))
    except MjcfError as error:
        print_problems(error, errors)
    raise typer.Exit(1)


def urdf_arguments(words: list[str] | None) -> UrdfArguments:
    """The arguments that options of the command line stand for; unknown names are arguments of a xacro file."""
    found: dict[str, Any] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not equals:
            raise CommandError(f"--urdf {word}: write it as NAME=VALUE")
        if name == "repair" and value not in ("true", "false"):
            raise CommandError(f"--urdf {word}: it is true or false")
        if name == "packages":
            found.setdefault(name, []).append(value)
        elif name in UrdfArguments.__annotations__:
            found[name] = _PYTHON.get(value, value)
        else:
            found.setdefault("arguments", {})[name] = value
    return cast(UrdfArguments, found)


#: Words of the command line that are values of Python.
_PYTHON = {"true": True, "false": False, "none": None}


def print_problems(error: MjcfError, where: Console) -> None:
    """Every problem on a line of its own."""
    for problem in error.problems:
        where.print(str(problem), markup=False, soft_wrap=True)


@contextmanager
def recorded_warnings() -> Iterator[list[str]]:
    """The messages of all warnings about a model, each once; filled when the block ends."""
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UnsupportedFeatureWarning)
        warnings.simplefilter("always", MjcfWarning)
        yield messages
    messages += dict.fromkeys(str(warning.message) for warning in caught)


@contextmanager
def spoken_warnings() -> Iterator[None]:
    """Show what a model asks for and Phalanx leaves out as a line on the standard error."""
    with recorded_warnings() as messages:
        yield
    for message in messages:
        errors.print(f"warning: {message}", markup=False, soft_wrap=True)


def import_mujoco(purpose: str) -> Any:
    """The mujoco package, or an error that says what it is needed for."""
    try:
        import mujoco
    except ImportError:
        raise CommandError(f"{purpose} needs MuJoCo: pip install mujoco=={MUJOCO_VERSION}") from None
    return mujoco


def mujoco_model(path: Path, purpose: str) -> tuple[Any, Any]:
    """The mujoco package, and its own compilation of a model file."""
    mujoco = import_mujoco(purpose)
    if path.suffix.lower() == ".npz":
        raise CommandError(f"{path}: MuJoCo reads model files only, not what Phalanx saved; save it as .mjb")
    is_binary = path.suffix.lower() == ".mjb"
    try:
        read = mujoco.MjModel.from_binary_path if is_binary else mujoco.MjModel.from_xml_path
        return mujoco, read(str(model_path(path)))
    except ValueError as error:
        raise CommandError(f"{path}: MuJoCo cannot {'read' if is_binary else 'compile'} it: {error}") from None


def key_of(model: Model, key: str | None) -> int | None:
    """The id of a keyframe given by name or id."""
    if key is None:
        return None
    names = model.names
    is_number = key.lstrip("-").isdigit() and key not in names.names["key"]
    return names.id_of("key", int(key) if is_number else key)
