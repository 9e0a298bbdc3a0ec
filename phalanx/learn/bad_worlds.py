"""Worlds whose physics failed: their last states in a file, and the file replayed in one world."""

from __future__ import annotations

import dataclasses
import importlib
import io
import itertools
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from phalanx.batch.binding import KEPT
from phalanx.learn.failure_causes import Cause, causes_of
from phalanx.learn.task import Task
from phalanx.learn.task_worlds import TaskWorlds
from phalanx.memory.array_file import named_file
from phalanx.memory.errors import FieldError, ModelError, WorldError
from phalanx.memory.fill import whole
from phalanx.memory.regular_file import read_regular
from phalanx.memory.whole_file import whole_file
from phalanx.world.data import Data

#: Files of one run, at most: a task that always fails must not fill the disk.
MOST_FILES = 100


class BadWorldRing:
    """The last states of all worlds, and files of those that fail.

    Args:
        worlds: of which.
        folder: where files are written.
        length: how many steps are kept.
    """

    def __init__(self, worlds: TaskWorlds, folder: str | os.PathLike[str], length: int):
        if not isinstance(folder, (str, os.PathLike)):
            raise FieldError(f"dump_bad is a folder, not {type(folder).__name__}")
        length = whole("bad_ring, the count of steps,", length, 1)
        self._worlds, self.folder, self._length = worlds, Path(folder), length
        # when worlds fail it is too late to find out that nothing can be written
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FieldError(f"dump_bad: the folder {self.folder} cannot be made: {error.strerror}") from None
        self._sources = sources_of(worlds)
        self._slots = [{name: np.zeros_like(array) for name, array in self._sources.items()} for _ in range(length)]
        self._count = self.files = 0

    def note(self) -> None:
        """Keep all that decides the next step, before it is done."""
        slot = self._slots[self._count % self._length]
        for name, array in self._sources.items():
            slot[name][...] = array
        self._count += 1

    def dump(self) -> np.ndarray:
        """Write a file for each world that failed in the last step: an object for each world, its path or None."""
        found = np.full(self._worlds.n, None, dtype=object)
        for world in np.flatnonzero(self._worlds.failed).tolist():
            found[world] = self._write(world)
        return found

    def _write(self, world: int) -> Path | None:
        if self.files >= MOST_FILES:
            return None
        first = max(self._count - self._length, 0)
        slots = [self._slots[k % self._length] for k in range(first, self._count)]
        # steps of earlier episodes have nothing to do with it
        steps = [float(slot["episode_steps"][world]) for slot in slots]
        begin = max((k for k in range(1, len(steps)) if steps[k] <= steps[k - 1]), default=0)
        arrays = {name: np.stack([slot[name][world] for slot in slots[begin:]]) for name in self._sources}
        task = self._worlds.task
        about = {
            "task": f"{type(task).__module__}:{type(task).__qualname__}", "parameters": plain(task._parameters),
            "dtype": self._worlds.number.base, "world": world, "code": int(self._worlds.failed[world]),
            "vary": sorted(self._worlds.batch.vary), "model": task.model.fingerprint(),
        }  # fmt: skip
        # files of an earlier run, or of another environment, stay
        numbers = itertools.count(self.files)
        paths = (self.folder / f"{task.name}_world{world}_{number}.npz" for number in numbers)
        path = next(path for path in paths if not path.exists())
        with whole_file(path) as file:
            np.savez_compressed(file, about=np.array(json.dumps(about)), **arrays)  # type: ignore[arg-type]
        self.files += 1
        return path


def sources_of(worlds: TaskWorlds) -> dict[str, np.ndarray]:
    """All that decides the next step of a world, by name."""
    episode = ("action", "last_action", "episode_steps", "episode_return", "rng.state")
    rows = (f"task.{name}" for name in worlds.rows)
    return {
        **{f"state.{name}": worlds.batch._arrays[name] for name in KEPT if worlds.batch._arrays[name].size},
        **{name: worlds._arrays[name] for name in (*episode, *rows)},
        **{f"vary.{name}": np.asarray(values) for name, values in worlds.batch._variation._values.items()},
    }


def plain(parameters: dict[str, Any]) -> dict[str, Any] | None:
    """Parameters of a task as JSON has them; None if it has no words for them."""
    try:
        return json.loads(json.dumps(parameters))
    except TypeError:
        return None


@dataclasses.dataclass
class BadWorld:
    """A world that failed, replayed.

    Attributes:
        worlds: the one world, after the step that failed: it has its last good state.
        error: what failed, and when.
        causes: why, the likeliest first.
        states: what was before each step, by name: "state.qpos", "action", ...; the first axis is that of steps.
        first, last: the world before the first of these steps, and in its last good state.
    """

    worlds: TaskWorlds
    error: WorldError
    causes: list[Cause]
    states: dict[str, np.ndarray]
    first: Data
    last: Data

    def __str__(self) -> str:
        lines = [f"{self.worlds.task.name}: {self.error}", "possible causes:"]
        return "\n".join([*lines, *(f"  {cause}" for cause in self.causes)])


def replay_bad(path: str | os.PathLike[str], task: Task | None = None) -> BadWorld:
    """Replay the file of a world that failed, in one world, and measure why.

    Args:
        path: a file that an environment with `dump_bad` has written.
        task: the task, if it cannot be imported under the name that the file has.

    Raises:
        ModelError: the file is none, or that of another task or model, or the world does not fail again.
    """
    about, states = content_of(path)
    task = imported_task(about) if task is None else task
    if task.model.fingerprint() != about["model"]:
        raise ModelError(f"{path} is of another model than that of {task.name}: it has changed since")
    vary = {name: states[f"vary.{name}"][:1] for name in about["vary"]}
    worlds = TaskWorlds(task, 1, dtype=about["dtype"], lanes=1, threads=1, vary=vary, autoreset="disabled")
    for name, array in sources_of(worlds).items():
        if not name.startswith("vary."):
            array[0] = states[name][0]
    # from the oldest state on, with the same actions and random numbers
    first = worlds.batch.env(0)
    for action in states["action"]:
        worlds.action[0] = action
        worlds.step()
        if worlds.has_failed:
            break
    error = worlds.batch.errors[0]
    if error is None:
        raise ModelError(f"{path}: the world does not fail again; was the task or Phalanx changed since?")
    last = worlds.batch.env(0)
    return BadWorld(worlds, error, causes_of(first.model, first, last), states, first, last)


def content_of(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What a file tells about a world, and its states."""
    try:
        content, _ = read_regular(str(named_file(path)))
        with np.load(io.BytesIO(content)) as file:
            about = json.loads(str(file["about"]))
            return about, {name: file[name] for name in file.files if name != "about"}
    except ModelError:
        raise
    except Exception as problem:  # a damaged file raises anything
        # NumPy takes what it does not know for a pickle, and advises to load it
        words = "it is not readable" if "pickle" in str(problem) else problem
        raise ModelError(f"{str(path)[:200]!r} is no file of a world that failed: {words}") from None


def imported_task(about: dict[str, Any]) -> Task:
    """The task that a file names."""
    module, _, name = about["task"].partition(":")
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        found = None
    if found is None or about["parameters"] is None:
        raise FieldError(f"the task {about['task']} cannot be made from its name: replay_bad(path, task=...)")
    return found(**about["parameters"])
