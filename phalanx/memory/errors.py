"""Exceptions and warnings of Phalanx. Each names the object or value at fault and, where it can, says what to do."""

from __future__ import annotations

import difflib
import linecache
from collections.abc import Iterable, Sequence
from typing import Self

from phalanx.native.errors import PhalanxError as PhalanxError
from phalanx.native.notice import warn_user as warn_user


class FieldError(PhalanxError, AttributeError, ValueError):
    """A field that does not exist, or a value that does not fit it."""


class UnknownNameError(PhalanxError, KeyError):
    """An object name that the model does not have."""

    def __str__(self) -> str:
        return str(self.args[0])


class ModelError(PhalanxError, ValueError):
    """A model that cannot be simulated as asked."""


class MissingPackageError(PhalanxError, ImportError):
    """A package that is needed for this only, and is not installed, or in another version."""


class BusyError(PhalanxError, RuntimeError):
    """A Data or a BatchSim that is entered while a call of it is running."""


class WorkerError(PhalanxError, RuntimeError):
    """Workers on other machines that could not be started, or were lost again and again."""


class OutOfMemoryError(PhalanxError, MemoryError):
    """A scene that takes more memory than there is; the state is that before the step."""


class DeviceError(PhalanxError, RuntimeError):
    """A device that cannot be used here, or that failed."""


class WorldError(PhalanxError):
    """A world whose state, input or acceleration is, or would become, NaN, infinite or too large.

    Attributes:
        quantity: the field: "qpos", "qvel", "qacc", or another that a step begins with, such as "xfrc_applied".
        index: index into it; counted through all axes where it has several.
        object: the joint, body, actuator or tendon it belongs to, as text.
        time: simulation time of the last good state [s].
        value: the value found there, None when it has been replaced by the last good state.
        world: index of the world in its batch, None for a Data of its own.
        columns: how many numbers each object has in the field, 1 unless the field has two axes, 0 if it has none.
    """

    def __init__(
        self,
        quantity: str,
        index: int,
        object: str,
        time: float,
        value: float | None = None,
        world: int | None = None,
        columns: int = 1,
    ):
        self.quantity, self.index, self.object = quantity, index, object
        self.time, self.value, self.world, self.columns = time, value, world, columns
        where = "" if world is None else f"world {world}: "
        place = {0: "", 1: f"[{index}]"}.get(columns, f"[{index // max(columns, 1)}, {index % max(columns, 1)}]")
        finding = "is NaN, infinite or beyond 1e10" if value is None else f"is {value:g}"
        super().__init__(
            f"{where}{quantity}{place} of {object} {finding} at time {time:g}; the world keeps its last good state"
        )

    def __reduce__(self) -> tuple:
        found = self.quantity, self.index, self.object, self.time, self.value, self.world, self.columns
        return type(self), found


class ConvergenceError(WorldError):
    """A world whose constraint solver ended at its limit of iterations, in a step or forward pass with `strict`.

    Attributes:
        object: the first body of the island that was not solved, as text.
        index: id of its kinematic tree.
        iterations: the limit, `opt.iterations`.
    """

    def __init__(self, index: int, object: str, time: float, iterations: int, world: int | None = None):
        self.quantity, self.index, self.object, self.iterations = "solver", index, object, iterations
        self.time, self.value, self.world, self.columns = time, None, world, 1
        where = "" if world is None else f"world {world}: "
        PhalanxError.__init__(
            self,
            f"{where}the constraints of {object} were not solved within {iterations} iterations at time {time:g}; "
            "raise opt.iterations or opt.tolerance, or look for constraints that contradict each other",
        )

    def __reduce__(self) -> tuple:
        return type(self), (self.index, self.object, self.time, self.iterations, self.world)


class HookError(PhalanxError, TypeError):
    """A function of the user that cannot be part of the step; the message shows the places in its source.

    Attributes:
        hook: which hook, "control" and so on.
        reason: what is wrong.
        file, line, text: where, and the line of source; line 0 where it is not known.
        others: further mistakes, as (reason, file, line).
    """

    #: What messages call the function.
    kind = "hook"

    def __init__(
        self,
        reason: str,
        hook: str,
        file: str = "",
        line: int = 0,
        text: str = "",
        others: Sequence[tuple[str, str, int]] = (),
    ):
        self.reason, self.hook, self.file, self.line, self.text = reason, hook, file, line, text
        self.others = tuple(others)
        more = [f"\n{reason}{_place(file, line, linecache.getline(file, line))}" for reason, file, line in others]
        super().__init__(f"{self.kind} {hook}: {reason}{_place(file, line, text)}{''.join(more)}")

    @classmethod
    def of(cls, hook: str, problems: Sequence[tuple[str, str, int]]) -> Self:
        """All mistakes of a hook, each as (reason, file, line)."""
        (reason, file, line), *others = problems
        return cls(reason, hook, file, line, linecache.getline(file, line), others)

    def __reduce__(self) -> tuple:
        return type(self), (self.reason, self.hook, self.file, self.line, self.text, self.others)


class TaskError(HookError):
    """A task that cannot be run, or whose function gave what is no number; the message shows the place in its source.

    Attributes:
        hook: the task and its function, "CartPole.reward".
    """

    kind = "task"


def _place(file: str, line: int, text: str) -> str:
    """A line of source as tracebacks show it."""
    return f'\n  File "{file}", line {line}\n    {text.strip()}' if line else ""


class UnsupportedFeatureWarning(UserWarning):
    """The model asks for physics that this version does not simulate."""


class MjcfWarning(UserWarning):
    """A model file holds what has no effect: MuJoCo passes over it, and so does Phalanx."""


class BadControlWarning(RuntimeWarning):
    """A control that is NaN, infinite or beyond 1e10: all controls of the world were zero in that step."""


class AwakeWarning(RuntimeWarning):
    """Trees that are to sleep from the start begin awake, as something that they touch does not sleep."""


class LostWorkerWarning(RuntimeWarning):
    """A worker was lost; what it had done since its last snapshot is repeated by another one, with the same bits."""


class ContactStiffnessWarning(RuntimeWarning):
    """A contact that is too stiff for the time step: its bodies would shake, or the solver makes it softer."""


def public_names(kind: type) -> list[str]:
    """Methods and properties of a class that users may call."""
    return [name for name in dir(kind) if not name.startswith("_")]


def suggestion(name: object, known: Iterable[str]) -> str:
    """A hint with the nearest valid name, or an empty string; what is no text is near to none."""
    close = difflib.get_close_matches(name[:200], list(known), n=1, cutoff=0.65) if isinstance(name, str) else []
    return f"; did you mean {close[0]!r}?" if close else ""
