"""A task is tried in one world, interpreted, before it is compiled: indices are checked, and what `observe` leaves out.

Nothing is simulated: fields that the physics would compute are zero. What a function computes of them does not matter,
only where it reads and writes.
"""

from __future__ import annotations

import traceback
from typing import Any

import numpy as np

from phalanx.algebra.number_type import one_world
from phalanx.batch.binding import KEPT
from phalanx.learn.task import Task
from phalanx.learn.task_functions import FUNCTIONS
from phalanx.learn.task_rows import TaskMemory, TaskView
from phalanx.memory.errors import TaskError
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.store import PlainView, Store
from phalanx.tables.data_fields import VARIABLE_SIZES

#: Functions in the order in which they are tried.
TRIED = ("randomize", "reset", "begin", "before", "control", "after", "reward", "terminated", "info", "observe")
#: A number that no function writes by chance.
UNTOUCHED = -1.2345678901234567e308


class Watched(np.ndarray):
    """An array without negative indices, as in compiled code."""

    def __getitem__(self, index: Any) -> Any:
        _check_index(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        _check_index(index)
        super().__setitem__(index, value)


def _check_index(index: Any) -> None:
    for part in index if isinstance(index, tuple) else (index,):
        if isinstance(part, (int, np.integer)) and part < 0:
            raise IndexError(f"index {part} is negative")


class ChangingModel:
    """A Model whose fields of `vary` are copies, which can be written.

    Args:
        store: of the Model.
        copies: of fields that vary, by path.
        prefix: of a record of the Model: "opt.".
    """

    __slots__ = ("_copies", "_prefix", "_store")

    def __init__(self, store: Store, copies: dict[str, np.ndarray], prefix: str = ""):
        for name, value in (("_store", store), ("_copies", copies), ("_prefix", prefix)):
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        path = self._prefix + name
        if path in self._copies:
            array = self._copies[path]
            return array[()] if array.ndim == 0 else array
        if path in self._store.schema.records:
            return ChangingModel(self._store, self._copies, path + ".")
        return getattr(PlainView(self._store, self._prefix), name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._copies[self._prefix + name][()] = value


def try_task(task: Task) -> None:
    """Run the functions of a task once.

    Raises:
        TaskError: an index out of bounds, a function that calls itself, or numbers that `observe` does not write.
    """
    model = task.model._store
    memory = TaskMemory(task.layout, {**model.sizes, **dict.fromkeys(VARIABLE_SIZES, 0)}, one_world("float64"))
    for name in KEPT:
        row = DATA_SCHEMA.fields[name]
        if row.initial in model.arrays:
            memory.store.arrays[name][...] = model.arrays[row.initial]
    observation = memory.arrays["outcome.observation"]
    observation[...] = UNTOUCHED
    for path, array in memory.arrays.items():
        memory.arrays[path] = array.view(Watched) if array.ndim else array
    copies = {name: model.arrays[name].copy().view(Watched) for name in task.layout.varied}
    m, d, changing = PlainView(model), TaskView(memory), ChangingModel(model, copies)
    is_through = False
    for name in TRIED:
        if name in task.frozen.kernels:
            is_through = _try_function(task, name, changing if name == "randomize" else m, d)
    if is_through:
        _check_written(task, observation)


def _try_function(task: Task, name: str, m: Any, d: Any) -> bool:
    """One function; what depends on numbers that are not computed here is left to the compiler and to the run.

    Returns:
        whether it came to its end.
    """
    try:
        with np.errstate(all="ignore"):
            task.frozen.kernels[name](m, d)
        return True
    except IndexError as error:
        code = task.frozen.functions[name].__code__
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in task.frozen.files]
        file, line = (
            (frames[-1].filename, frames[-1].lineno or 0) if frames else (code.co_filename, code.co_firstlineno)
        )
        words = f"{error}: compiled code does not check indices"
        if name == "observe":
            words += f"; out has {task.observation_size} numbers"
        raise TaskError.of(f"{task.name}.{name}", [(words, file, line)]) from None
    except RecursionError:
        raise task.frozen.error(name, "calls itself, or a function that it calls does: kernels cannot") from None
    except (ArithmeticError, ValueError, TypeError, AttributeError):
        return False


def _check_written(task: Task, observation: np.ndarray) -> None:
    """Every number of the observation must be written."""
    left = np.flatnonzero(np.asarray(observation) == UNTOUCHED)
    if len(left):
        labels = [label for signal in task.observation for label in signal.labels]
        words = f"does not write out[{left[0]}] ({labels[left[0]]}); {FUNCTIONS['observe'].name} must write all of "
        raise task.frozen.error("observe", f"{words}{task.observation_size} numbers, {len(left)} are missing")
