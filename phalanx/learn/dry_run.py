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
from phalanx.memory.store import PlainView
from phalanx.tables.data_fields import VARIABLE_SIZES

#: Functions in the order in which they are tried. `randomize` writes into a Model, which cannot be written here.
TRIED = ("reset", "begin", "before", "control", "after", "reward", "terminated", "info", "observe")
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


def try_task(task: Task) -> None:
    """Run the functions of a task once.

    Raises:
        TaskError: an index that is out of bounds, or numbers of the observation that are not written.
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
    m, d = PlainView(model), TaskView(memory)
    for name in TRIED:
        if name in task.frozen.kernels:
            _try_function(task, name, m, d)
    _check_written(task, observation)


def _try_function(task: Task, name: str, m: Any, d: Any) -> None:
    """One function; what depends on numbers that are not computed here is left to the compiler and to the run."""
    try:
        with np.errstate(all="ignore"):
            task.frozen.kernels[name](m, d)
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
    except (ArithmeticError, ValueError, TypeError, AttributeError):
        return


def _check_written(task: Task, observation: np.ndarray) -> None:
    """Every number of the observation must be written."""
    left = np.flatnonzero(np.asarray(observation) == UNTOUCHED)
    if len(left):
        labels = [label for signal in task.observation for label in signal.labels]
        words = f"does not write out[{left[0]}] ({labels[left[0]]}); {FUNCTIONS['observe'].name} must write all of "
        raise task.frozen.error("observe", f"{words}{task.observation_size} numbers, {len(left)} are missing")
