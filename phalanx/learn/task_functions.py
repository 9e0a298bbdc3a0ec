"""The functions of a task as kernels: checked, with everything that they read of the task fixed as constants."""

from __future__ import annotations

import ast
import hashlib
import inspect
import linecache
import os
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from phalanx.algebra.generated import define
from phalanx.algebra.jit import Kernel, kernel
from phalanx.algebra.user_call import as_condition, as_number
from phalanx.hook.freeze import Freezer
from phalanx.hook.source_check import error_at
from phalanx.learn.random_stream import METHODS
from phalanx.learn.task_rows import TaskLayout
from phalanx.memory.errors import HookError, TaskError, public_names, suggestion
from phalanx.memory.layout import DATA_SCHEMA, Schema
from phalanx.native.diagnosis import Fault, KernelError, Problem
from phalanx.native.source import tree_of


@dataclass(frozen=True)
class TaskFunction:
    """A function that a task may have.

    Attributes:
        name: of the method.
        parameters: after `self`.
        call: what the pass runs; `function` is the method.
        doc: when it is called, and what it does.
        is_early: is nothing known yet but state, inputs and rows?
    """

    name: str
    parameters: tuple[str, ...]
    call: str
    doc: str
    is_early: bool = False


#: How the pass calls functions.
_PLAIN, _DRAWING = "function(task, m, d)", "function(task, m, d, d.rng)"
_OBSERVING = "function(task, m, d, d.outcome.observation)"

FUNCTIONS: dict[str, TaskFunction] = {
    row.name: row
    for row in (
        TaskFunction("before", ("m", "d"), _PLAIN, "before the physics of an action: notes what was", is_early=True),
        TaskFunction("control", ("m", "d"), _PLAIN, "before each substep: from d.action to d.ctrl", is_early=True),
        TaskFunction("after", ("m", "d"), _PLAIN, "after the physics: computes rows of the task"),
        TaskFunction("reward", ("m", "d"), f"return as_number({_PLAIN})", "returns the reward of the action"),
        TaskFunction("terminated", ("m", "d"), f"return as_condition({_PLAIN})", "returns whether the episode ends"),
        TaskFunction("info", ("m", "d"), _PLAIN, "sets rows that are shown in info"),
        TaskFunction("observe", ("m", "d", "out"), _OBSERVING, "writes the observation"),
        TaskFunction("randomize", ("m", "d", "rng"), _DRAWING, "changes the model of a world", is_early=True),
        TaskFunction("reset", ("m", "d", "rng"), _DRAWING, "sets the state an episode begins with", is_early=True),
        TaskFunction("begin", ("m", "d"), _PLAIN, "after reset, when everything is computed: sets rows"),
    )
}


class TaskConstants:
    """`self` in compiled functions of a task: what they read of it, as constants, and methods of it that they call."""


class FrozenTask:
    """The functions of one task as kernels.

    Args:
        name: of the task, for messages.
        owner: the object whose methods they are.
        functions: those that the task has, by name.
        layout: rows of the task.

    Attributes:
        kernels: by name, each of (m, d).
        digest: of all that decides their machine code.
        attributes: names that the functions look up: fields of d, among others.
        files: where they and the functions that they call are written.
    """

    def __init__(self, name: str, owner: Any, functions: Mapping[str, Callable[..., Any]], layout: TaskLayout):
        self.name, self.functions = name, dict(functions)
        self.kernels: dict[str, Kernel] = {}
        self.attributes: set[str] = set()
        self.files: set[str] = set()
        digest = hashlib.sha256(layout.text().encode())
        for key, function in functions.items():
            schemas = layout.early_schemas if FUNCTIONS[key].is_early else layout.schemas
            schemas = layout.changing_schemas if key == "randomize" else schemas
            method = _Method(f"{name}.{key}", owner, schemas)
            with _as_task_error():
                self.kernels[key] = method.kernel_for(FUNCTIONS[key], function)
            self.files |= method.freezer.files
            self.attributes |= method.attributes
            digest.update(method.freezer.digest.digest())
        self.digest = digest.hexdigest()[:16]

    def translated(self, error: KernelError) -> TaskError:
        """What the compiler found, at the places of the user's own files where it shows."""
        found = [self._problem(problem) for problem in error.problems]
        return TaskError.of(found[0][0], list(dict.fromkeys(problem[1:] for problem in found)))

    def _problem(self, problem: Problem) -> tuple[str, str, str, int]:
        """(function of the task, reason, file, line) of a problem."""
        files = {os.path.abspath(file): file for file in self.files}
        called = (place.function.removesuffix("_of_task") for place in problem.places)
        function = next((function for function in called if function in self.functions), "")
        name = f"{self.name}.{function}" if function else self.name
        reason = in_words_of_tasks(problem.reason, function)
        for place in problem.places:
            if os.path.abspath(place.file) in files:
                return name, reason, files[os.path.abspath(place.file)], place.line
        # what it returns is looked at where it is called: not in the file of the user
        code = self.functions.get(function, next(iter(self.functions.values()))).__code__
        return name, reason, code.co_filename, code.co_firstlineno

    def error(self, function: str, reason: str) -> TaskError:
        """An error about a function, at its first line."""
        found = self.functions.get(function)
        if found is None:
            return TaskError(reason, f"{self.name}.{function}")
        return TaskError.of(
            f"{self.name}.{function}", [(reason, found.__code__.co_filename, found.__code__.co_firstlineno)]
        )


class _as_task_error:
    """What is wrong with a function, told as a mistake of the task."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, HookError) and not isinstance(error, TaskError):
            function = error.hook.rpartition(".")[2]
            found = [(error.reason, error.file, error.line), *error.others]
            told = [(in_words_of_tasks(reason, function), file, line) for reason, file, line in found]
            # a row that is not declared where there are no rows at all is one mistake, not two
            told = [each for each in told if not each[0].startswith("Data has no field 'task' ")] or told
            words, file, line = told[0]
            text = error.text if line == error.line else linecache.getline(file, line)
            raise TaskError(words, error.hook, file, line, text, told[1:]) from None


#: Words of hooks -> those of tasks.
_WORDS = {
    "a hook": "a function of a task",
    "for hooks": "for tasks",
    "hooks compute": "they compute",
    "hooks raise nothing: write a number that says so into d.userdata": "they raise nothing: note it in a row",
    "hooks raise": "they raise",
    "hooks allocate": "they allocate",
    "belongs into d.userdata": "is a row of `state`, d.task.<name>",
    "look names up outside, the hook captures the id": "look names up in `setup`, and keep ids: self.tip = ...",
    "look objects up outside, the hook captures their id: model": "look objects up in `setup`: self.tip = self.model",
    "a Model does not change while it is simulated; see Model.replace": "a Model does not change while it is "
    "simulated: fields that differ between episodes are named in `vary` and changed in `randomize`",
}
#: What a function of a base class is called by.
_BASE = "a function of a base class gets a name, `base_reward = Base.reward`, and is called, self.base_reward(m, d)"


def in_words_of_tasks(reason: str, function: str) -> str:
    """What is wrong with a function, in words for one who writes a task, with what to do.

    Args:
        reason: in words for one who writes a hook.
        function: which one it is.

    >>> in_words_of_tasks("rng is not defined; did you mean 'ring'?", "reward")
    'rng is given to reset and randomize only: write d.rng'
    """
    for words, ours in _WORDS.items():
        reason = reason.replace(words, ours)
    # what is not there, and where one looked for it: task.goal, rng.random
    subject = reason.partition(" ")[0]
    field = reason.removeprefix("Data has no field '").partition("'")[0] if reason.startswith("Data has no ") else ""
    record, _, name = field.rpartition(".")
    if field in DATA_SCHEMA.fields and not DATA_SCHEMA.fields[field].scratch and "for tasks" in reason:
        return (
            f"{field} is not computed yet when {function} runs: only state, inputs and rows of the task are there; "
            "keep it in a row, in `after` and `begin`"
        )
    if record == "task" and "did you mean" not in reason:
        return f'the task has no row {name!r}: declare it, state = (Row("{name}"), ...)'
    if record == "rng":
        return f"{field}: a random stream has {', '.join(METHODS)}{suggestion(name, METHODS)}"
    if reason.startswith("rng is not defined"):
        return "rng is given to reset and randomize only: write d.rng"
    if subject == "super" or " is a type: " in reason:
        return f"{reason}; {_BASE}"
    return reason


class _Method:
    """Freezes one function of a task, with the methods of the task that it calls."""

    def __init__(self, label: str, owner: Any, schemas: Mapping[str, Schema]):
        self.owner = owner
        self.freezer = Freezer(label, schemas)
        self.constants = TaskConstants()
        self.attributes: set[str] = set()

    def kernel_for(self, row: TaskFunction, function: Callable[..., Any]) -> Kernel:
        """The kernel of (m, d) that the pass calls."""
        names = [*inspect.signature(function).parameters]
        if tuple(names[1:]) != row.parameters:
            wanted = f"(self, {', '.join(row.parameters)})"
            raise self.freezer.error(function, f"must take {wanted}, but it takes ({', '.join(names)})")
        source = f"def {row.name}_of_task(m, d):\n    {row.call}\n"
        scope = {"function": self.frozen(function), "task": self.constants}
        scope |= {"as_number": as_number, "as_condition": as_condition}
        return kernel(define(source, scope, f"{row.name}_of_task"))

    def frozen(self, function: Callable[..., Any]) -> Kernel:
        """A method as a kernel whose first argument is the task."""
        self._fix(function)
        return self.freezer.kernel_of(function)

    def _fix(self, function: Callable[..., Any]) -> None:
        """Give the constants what a method reads of the task."""
        owner_name = next(iter(inspect.signature(function).parameters))
        try:
            file, tree, offset = tree_of(function)
        except Fault as fault:
            raise self.freezer.error(function, fault.reason) from None
        for node in ast.walk(tree):
            if not isinstance(node, ast.Attribute):
                continue
            self.attributes.add(node.attr)
            if not (isinstance(node.value, ast.Name) and node.value.id == owner_name):
                continue
            if isinstance(node.ctx, ast.Store):
                words = f"{owner_name}.{node.attr} is a constant: what a world keeps is a row, d.task.<name>"
                raise error_at(self.freezer.hook, words, file, node.lineno + offset)
            if not hasattr(self.owner, node.attr):
                words = (
                    f"the task has no attribute {node.attr!r}{suggestion(node.attr, public_names(type(self.owner)))}"
                )
                raise error_at(self.freezer.hook, words, file, node.lineno + offset)
            if not hasattr(self.constants, node.attr):
                setattr(self.constants, node.attr, None)  # a method that calls itself is found by the freezer
                setattr(self.constants, node.attr, self._member(function, node.attr))

    def _member(self, function: Callable[..., Any], name: str) -> Any:
        """An attribute of the task as a kernel can use it."""
        found = getattr(self.owner, name)
        if isinstance(found, types.MethodType):
            return self._bound(found.__func__)
        return self.freezer.frozen(function, f"self.{name}", found)

    def _bound(self, method: Any) -> Kernel:
        """A method of the task, called without the task."""
        names = [*inspect.signature(method).parameters][1:]
        source = f"def {method.__name__}({', '.join(names)}):\n    return function(task, {', '.join(names)})\n"
        bound = define(source, {"function": self.frozen(method), "task": self.constants}, method.__name__)
        bound.__defaults__ = method.__defaults__
        return kernel(bound)
