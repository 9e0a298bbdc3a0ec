"""Reference pages of classes and functions, from their docstrings; `tools/write_reference.py` writes the files."""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import phalanx
import phalanx.collision
import phalanx.kernels
import phalanx.learn.distributed.vector_workers
import phalanx.learn.gym_env
import phalanx.learn.vector_env
import phalanx.mechanism

#: Sections of docstrings that are lists, and their headings.
LISTS = {"Args": "Arguments", "Attributes": "Attributes", "Raises": "Raises", "Returns": "Returns"}


@dataclass(frozen=True)
class PageRow:
    """A page of the method reference.

    Attributes:
        title: heading of the page.
        intro: the first paragraph, as Markdown.
        objects: what it describes, as they are written in a program.
    """

    title: str
    intro: str
    objects: tuple[str, ...]


#: File in docs/reference -> what is on the page. Every public name is on one of them.
PAGES = {
    "model_methods": PageRow(
        "Model",
        "What does not change: [its fields](model.md) and [options](option.md) have pages of their own.",
        ("phalanx.load", "phalanx.models", "phalanx.Model", "phalanx.Limits", "phalanx.profile", "phalanx.Profile"),
    ),
    "data_methods": PageRow(
        "Data",
        "The state of one world, and everything computed from it: [its fields](data.md) have a page of their own.",
        (
            "phalanx.Data", "phalanx.Snapshot", "phalanx.ContactTable", "phalanx.ContactOrigin",
            "phalanx.ParameterOrigin", "phalanx.Wrench", "phalanx.RayHit", "phalanx.FlexHit",
        ),
    ),
    "derivative_methods": PageRow(
        "Derivatives",
        "Of steps, of inverse dynamics and of trajectories; [Derivatives](../derivatives.md) explains them.",
        (
            "phalanx.Transition", "phalanx.Crossing", "phalanx.ParameterDerivatives", "phalanx.linearize_rollout",
            "phalanx.LinearizedRollout", "phalanx.Tangent", "phalanx.Gradient",
            "phalanx.world.derivatives.InverseDerivatives",
        ),
    ),
    "control": PageRow(
        "Control",
        "Plans, predictive sampling and identification; [the page](../control.md) explains them.",
        (
            "phalanx.Goal", "phalanx.ilqr", "phalanx.Plan", "phalanx.PredictiveSampling", "phalanx.identify",
            "phalanx.Unknown", "phalanx.Recording", "phalanx.Identification",
        ),
    ),
    "batch_methods": PageRow(
        "BatchSim and rollout",
        "Many worlds at once; [Batches](../concepts/batch.md) explains how.",
        (
            "phalanx.BatchSim", "phalanx.BatchSnapshot", "phalanx.WorldContactTable", "phalanx.BodyForces",
            "phalanx.rollout", "phalanx.Rollout", "phalanx.GpuBatchSim", "phalanx.DeviceUse", "phalanx.try_device",
        ),
    ),
    "spec_methods": PageRow(
        "Spec",
        "A model before it is compiled; [Editing models](../spec.md) explains it, [Kinds of elements](spec.md) has all "
        "lists, and [MJCF](mjcf.md) every element and attribute.",
        (
            "phalanx.Spec", "phalanx.Element", "phalanx.compiler.edit.typed_element.TypedElement",
            "phalanx.compiler.edit.delete.Deletion",
        ),
    ),
    "shapes": PageRow(
        "Shapes, fields and muscles",
        "[Collision without a model](../collision.md), signed distance fields, and [muscles](../muscles.md).",
        (*(f"phalanx.collision.{name}" for name in phalanx.collision.__all__), "phalanx.SDF", "phalanx.HillMuscle"),
    ),
    "scene": PageRow(
        "Pictures: renderer, cameras, decor and marks",
        "[Pictures](../pictures.md) and what they show, as viewers do: cameras, [switches](decor.md), drawings of your "
        "own, and dragged bodies.",
        ("phalanx.Renderer", "phalanx.Camera", "phalanx.Show", "phalanx.Marks", "phalanx.Perturbation"),
    ),
    "transforms": PageRow(
        "Rotations and poses",
        "`phalanx.transforms`: MuJoCo's functions of quaternions, matrices, poses and spatial vectors, for NumPy "
        "arrays. Each takes one or many: axes in front are axes of many. A quaternion is (w, x, y, z).",
        tuple(f"phalanx.transforms.{name}" for name in phalanx.transforms.__all__),
    ),
    "mechanisms": PageRow(
        "Mechanisms",
        "`phalanx.mechanism`: [joints, motors and sensors](../mechanisms.md) that expand to plain elements, and "
        "[contact settings](../contact_settings.md) in physical units.",
        (
            "phalanx.ik", "phalanx.IkSolution", "phalanx.assemble", "phalanx.Assembly",
            *(f"phalanx.mechanism.{name}" for name in phalanx.mechanism.__all__),
        ),
    ),
    "tasks": PageRow(
        "Tasks and environments",
        "[Tasks](../tasks.md): functions of yours compiled into the step, and environments of Gymnasium made of them.",
        (
            "phalanx.Task", "phalanx.Row", "phalanx.Signal", "phalanx.learn.TaskWorlds",
            "phalanx.learn.vector_env.TaskVectorEnv", "phalanx.learn.gym_env.TaskEnv", "phalanx.learn.register_envs",
            "phalanx.learn.task_named", "phalanx.learn.EnvRow", "phalanx.learn.replay_bad", "phalanx.learn.BadWorld",
        ),
    ),
    "many_machines": PageRow(
        "Tasks and rollouts on many machines",
        "`phalanx.learn.distributed`: workers with a share of the worlds each; [Many machines](../many_machines.md) "
        "shows how.",
        (
            "phalanx.learn.distributed.TaskRollouts", "phalanx.learn.distributed.TaskRun",
            "phalanx.learn.distributed.make_vec", "phalanx.learn.distributed.vector_workers.DistributedVectorEnv",
            "phalanx.learn.distributed.rollout", "phalanx.learn.distributed.GatheredRollout",
        ),
    ),
    "viewer_methods": PageRow(
        "Viewer",
        "A world in the browser; [The viewer](../viewer.md) shows how.",
        ("phalanx.view", "phalanx.Viewer"),
    ),
    "recordings": PageRow(
        "Recordings and replays",
        "Trajectories, films and pages; [Recordings and replays](../replay.md) explains them.",
        (
            "phalanx.Trajectory", "phalanx.show.recorder.Recorder", "phalanx.record", "phalanx.Film",
            "phalanx.replay_html", "phalanx.export_rerun", "phalanx.export_web", "phalanx.export_image",
        ),
    ),
    "errors": PageRow(
        "Errors and warnings",
        "All errors derive from `PhalanxError`. [Reliability](../reliability.md) says what is promised about them.",
        (
            "phalanx.PhalanxError", "phalanx.ModelError", "phalanx.MjcfError", "phalanx.Problem", "phalanx.Note",
            "phalanx.FieldError", "phalanx.UnknownNameError", "phalanx.WorldError", "phalanx.ConvergenceError",
            "phalanx.BusyError", "phalanx.HookError", "phalanx.TaskError", "phalanx.OutOfMemoryError",
            "phalanx.DeviceError", "phalanx.MissingPackageError", "phalanx.WorkerError", "phalanx.LostWorkerWarning",
            "phalanx.NativeError", "phalanx.CheckError", "phalanx.ViewerError", "phalanx.UnsupportedFeatureWarning",
            "phalanx.MjcfWarning", "phalanx.AwakeWarning", "phalanx.BadControlWarning",
            "phalanx.ContactStiffnessWarning", "phalanx.CacheWarning",
        ),
    ),
    "kernel_functions": PageRow(
        "Functions of hooks",
        "What [hooks](../hooks.md) may call, besides operators, `min`, `max` and `abs`.",
        tuple(f"phalanx.kernels.{name}" for name in phalanx.kernels.__all__),
    ),
}  # fmt: skip


def page_lines(row: PageRow) -> Iterator[str]:
    """The lines of a page, below its heading; never two empty ones in a row."""
    yield from (row.intro, "")
    before = ""
    for name in row.objects:
        for line in object_lines(name, resolve(name)):
            if line or before:
                yield line
            before = line


def resolve(name: str) -> Any:
    """The object with a dotted name."""
    found: Any = phalanx
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    return found


def object_lines(name: str, found: Any) -> Iterator[str]:
    """A class with its methods, a function, or another value."""
    short = name.removeprefix("phalanx.kernels.")
    yield from (f"## {short.split('.')[-1]}", "")
    if inspect.isclass(found):
        yield from class_lines(short, found)
    elif callable(found):
        yield from signature_lines(short, found)
        yield from markdown(inspect.getdoc(found) or "")
    else:
        yield from (f"`{short}`: {type(found).__name__}", "")


def class_lines(name: str, found: type) -> Iterator[str]:
    """A class: how it is made, what it is, then its properties and methods in the order of the source."""
    bases = [base.__name__ for base in found.__bases__ if base.__module__.startswith("phalanx")]
    is_exception = issubclass(found, BaseException)
    if is_exception:
        others = [base.__name__ for base in found.__bases__ if base is not object]
        yield from (f"`{name}`, a kind of {', '.join(f'`{base}`' for base in others)}.", "")
    elif "__init__" in vars(found) and not issubclass(found, tuple):
        yield from signature_lines(name, found)
    elif bases:
        yield from (f"`{name}`, a kind of {', '.join(f'`{base}`' for base in bases)}.", "")
    # a class without words of its own would show those of its base
    yield from markdown(inspect.cleandoc(found.__doc__ or ""))
    for attribute, value in own_members(found).items():
        if not attribute.startswith("_"):
            yield from member_lines(attribute, value)


def own_members(found: type) -> dict[str, Any]:
    """What a class defines, then what its bases define that have no page and no public name."""
    shown = [resolve(name) for row in PAGES.values() for name in row.objects]
    members = dict(vars(found))
    for base in found.__mro__[1:]:
        if base.__module__.startswith("phalanx.") and base not in shown:
            members |= {name: value for name, value in vars(base).items() if name not in members}
    return members


def member_lines(name: str, value: Any) -> Iterator[str]:
    """A method or property of a class; nothing for other attributes."""
    if isinstance(value, property):
        function, title = value.fget, f"`{name}`"
    elif isinstance(value, classmethod | staticmethod):
        function, title = value.__func__, name
    elif inspect.isfunction(value):
        function, title = value, name
    else:
        return
    doc = inspect.getdoc(function)
    if not doc:
        return
    yield from (f"### {title.strip('`')}", "")
    if isinstance(value, property):
        yield from ("*Property.*", "")
    else:
        is_bound = not isinstance(value, staticmethod)
        note = "*Class method.*" if isinstance(value, classmethod) else ""
        yield from signature_lines(name, function, is_bound, note)
    yield from markdown(doc)


class Written:
    """An annotation or a default as it is written in the source."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return self.text


def signature_lines(name: str, function: Callable[..., Any], is_bound: bool = False, note: str = "") -> Iterator[str]:
    """How a function is called, as a block of code; long ones with an argument on each line."""
    try:
        signature = inspect.signature(function)
    except ValueError:
        return
    given = list(signature.parameters.values())[1 if is_bound else 0 :]
    plain = [
        parameter.replace(annotation=as_written(parameter.annotation), default=default_as_written(parameter.default))
        for parameter in given
    ]
    returned = as_written(signature.return_annotation) if not inspect.isclass(function) else inspect.Signature.empty
    text = f"{name}{signature.replace(parameters=plain, return_annotation=returned)}"
    if len(text) > 100:
        # a star alone separates what is given by keyword
        parts = split_arguments(text[len(name) + 1 : text.rindex(")")])
        text = f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + text[text.rindex(")") :]
    yield from ("```py", *text.splitlines(), "```", "")
    if note:
        yield from (note, "")


def as_written(value: Any) -> Any:
    """An annotation that prints as in the source; strings would print with quotes."""
    return Written(value) if isinstance(value, str) else value


def default_as_written(value: Any) -> Any:
    """A default that prints as in the source; members of enums would print with their numbers."""
    return Written(f"{type(value).__name__}.{value.name}") if isinstance(value, enum.Enum) else value


def split_arguments(text: str) -> list[str]:
    """Arguments that commas separate, outside of brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


# --- docstrings


def markdown(doc: str) -> Iterator[str]:
    """A docstring as Markdown: sections become lists, examples become blocks."""
    lines = doc.splitlines()
    k = 0
    while k < len(lines):
        section = re.fullmatch(r"(\w+):", lines[k])
        if section and section.group(1) in (*LISTS, "Example", "Examples"):
            body, k = indented(lines, k + 1)
            yield from section_lines(section.group(1), body)
        elif lines[k].startswith(">>> "):
            stop = next((j for j in range(k, len(lines)) if not lines[j].strip()), len(lines))
            yield from example_lines(lines[k:stop])
            k = stop
        else:
            yield escaped(lines[k])
            k += 1
    if lines:
        yield ""


def indented(lines: list[str], k: int) -> tuple[list[str], int]:
    """The indented lines from k on, without the indentation, and where they end."""
    stop = k
    while stop < len(lines) and (not lines[stop].strip() or lines[stop].startswith("    ")):
        stop += 1
    return [line[4:] for line in lines[k:stop]], stop


def section_lines(title: str, body: list[str]) -> Iterator[str]:
    """A section of a docstring."""
    if title.startswith("Example"):
        yield from example_lines([line for line in body if line.strip()])
        return
    yield from ("", f"**{LISTS[title]}**", "")
    for line in body:
        if not line.strip():
            continue
        entry = re.fullmatch(r"([\w*, ]+?): (.*)", line)
        if title == "Returns":
            yield escaped(line.strip())
        elif entry and not line.startswith(" "):
            names = ", ".join(f"`{name.strip()}`" for name in entry.group(1).split(","))
            yield f"- {names}: {escaped(entry.group(2))}"
        else:
            yield f"  {escaped(line.strip())}"
    yield ""


def example_lines(lines: Iterable[str]) -> Iterator[str]:
    """An example as a block, without remarks for the machine that runs it."""
    yield from ("", "```pycon", *(re.sub(r"\s*# doctest:.*", "", line) for line in lines), "```", "")


def escaped(text: str) -> str:
    """Text whose angle brackets and stars outside of quoted code are no markup."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if k % 2 else re.sub(r"([<*_])", r"\\\1", part) for k, part in enumerate(parts))
