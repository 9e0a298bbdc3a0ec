"""Many worlds of a task on a device: physics, observation, reward, ends of episodes and resets in one launch."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from phalanx.batch.binding import parts_of
from phalanx.batch.vary import Variation
from phalanx.device.device_memory import model_on, world_first
from phalanx.device.devices import try_device
from phalanx.device.gpu_batch import GpuBatchSim
from phalanx.device.protocol import Launch
from phalanx.device.used_fields import reached_fields
from phalanx.device.world_kernel import BAD_CONTROL, FOUND
from phalanx.learn import task_pass
from phalanx.learn.device_pass import build_task_world, task_entry
from phalanx.learn.dry_run import try_task
from phalanx.learn.task import Task
from phalanx.learn.task_models import nominal_store
from phalanx.learn.task_worlds import AUTORESET, TaskWorlds
from phalanx.memory.layout import dtype_of
from phalanx.memory.store import Store
from phalanx.native.diagnosis import KernelError

#: The operation of a batch that stands for all of a task: they are one kernel.
TASK = -1


class TaskBatch(GpuBatchSim):
    """The worlds of a task: with places for its rows, and Models that kernels may change.

    What kernels changed is read back when somebody asks for it.

    Args:
        model, n, **options: as of `GpuBatchSim`.
        spare: how many places.
    """

    def __init__(self, model: Any, n: int, *, spare: int, **options: Any):
        self._spare = spare
        self._is_behind = False
        super().__init__(model, n, **options)

    @property
    def _variation(self) -> Variation:
        if self._is_behind:
            self._is_behind = False
            self._read_models()
        return self._present

    @_variation.setter
    def _variation(self, variation: Variation) -> None:
        self._present = variation

    @property  # type: ignore[override, unused-ignore]
    def vary(self) -> Any:
        """The present values of fields that differ from world to world, (n, *shape), read-only."""
        return self._variation.shown

    @vary.setter
    def vary(self, shown: Any) -> None:
        # a batch keeps what is shown of its variation, which is asked for here each time
        assert shown is self._present.shown

    @property
    def _is_varied(self) -> bool:
        return bool(self._present.shown)

    def _read_models(self) -> None:
        """Take over what kernels wrote into the Models of worlds."""
        assert self._model_store is not None
        arrays = self._model_store.arrays
        for kept in (self._present._values, self._present.rows):
            for name, values in kept.items():
                values[...] = world_first(arrays[name])


class DeviceTaskWorlds(TaskWorlds):
    """n worlds of a task on a device; see `TaskWorlds`. Numbers of all worlds are neighbors in its arrays.

    On "cuda" arrays are of class DeviceArray: torch, cupy and jax use the same memory.

    Args:
        device: "cuda" or "emulated".
        **options: as of `TaskWorlds`.
    """

    batch: TaskBatch

    def __init__(self, task: Task, n: int, *, device: str, **options: Any):
        self._name = device
        self._rows: dict[str, np.ndarray] = {}
        self._kernels: dict[tuple[bool, tuple[str, ...]], Launch] = {}
        super().__init__(task, n, **options)
        self._options["device"] = device
        # what users see
        shown = self._shown
        for name in (
            "action", "reward", "terminated", "truncated", "failed", "episode_steps", "episode_return", "done",
            "final_observation", "final_steps", "final_total", "chosen",
        ):  # fmt: skip
            setattr(self, name, shown(getattr(self, name)))
        self.rows = {name: shown(array) for name, array in self.rows.items()}
        self.final_rows = {name: shown(array) for name, array in self.final_rows.items()}

    def _shown(self, array: np.ndarray) -> Any:
        return self.batch._device.shown(array, True)

    @property
    def observation(self) -> Any:
        """The observations of the last step or reset, (n, numbers). Another buffer has those before."""
        return self._shown(self._buffers[self._buffer])

    # --- memory

    def _make_batch(self, task: Task, n: int, **options: Any) -> TaskBatch:
        batch = TaskBatch(task.model, n, device=self._name, spare=len(task.layout.slot), **options)
        batch._asked[TASK] = {*parts_of(task.requests), *(("requested",) if task.requests else ())}
        return batch

    def _zeros(self, shape: Any, dtype: Any) -> np.ndarray:
        return world_first(self.batch._device.zeros((*shape, self.batch.n), dtype))

    def _flags(self) -> tuple[np.ndarray, np.ndarray]:
        both = self._zeros((2,), np.bool_)
        return both[:, 0], both[:, 1]

    def _row(self, path: str, shape: Any, dtype: Any) -> np.ndarray:
        """Memory of a row of the task, (n, *shape); that of actions is the user's, worlds have their own."""
        array = self._zeros(self.task.layout.fields[path].shape, dtype)
        if path != "action":
            self._attach(path, array)
        # a random stream keeps its counter behind what others see
        return array[:, :2] if path == "rng.state" else array

    def _attach(self, path: str, array: np.ndarray) -> None:
        """Let kernels find a row."""
        self._rows[path] = array
        self.batch._workspace(0).table[self.task.layout.slot[path]] = address_of(array)

    def _prepare(self) -> None:
        """Memory of all rows, and the kernel, so that a mistake shows when an environment is made."""
        try_task(self.task)
        layout, table = self.task.layout, self.batch._workspace(0).table
        for path, field in layout.fields.items():
            if path not in self._rows:
                self._attach(path, self._zeros(field.shape, dtype_of(field, self.number)))
        told = {
            "autoreset": AUTORESET[self.autoreset],
            "most_steps": self.task.max_steps,
            "frame_skip": self.task.frame_skip,
            "nominal_address": self._nominal.address,
            "given_address": address_of(self._arrays["action"]),
            "final_address": address_of(self._arrays["outcome.final_observation"]),
            "flags_address": address_of(self._arrays["outcome.terminated"]),
        }
        for name, value in told.items():
            table[layout.slot[f"outcome.{name}"]] = value
        # the structure of models that vary was opened after the batch was made
        self.batch._model_store = None
        self._kernel()

    @functools.cached_property
    def _nominal(self) -> Store:
        """The model without changes, on the device."""
        batch = self.batch
        return model_on(batch._device, nominal_store(batch, self.number.one_world), {}, batch._spread, self.n)

    def _stores(self) -> list[Store]:
        return [self.batch._workspace(0)]

    # --- launches

    def _kernel(self) -> Launch:
        """The kernel of the task, for the parts and Models of now."""
        batch, task = self.batch, self.task
        key = batch._is_varied, batch._wanted(TASK)
        if key not in self._kernels:
            hooks, observed = task.model._hooks, self._buffers[0].dtype.name
            functions = tuple(hook.body for hook in hooks.values())
            root = build_task_world(task, batch._spread, key[0], observed)
            batch._add_fields(reached_fields(root, key[1], functions))
            entry = task_entry(task, batch._spread, *key, batch._device.threads, hooks, observed)
            try:
                self._kernels[key] = batch._device.kernel(entry)
            except KernelError as error:
                raise task.frozen.translated(error) from None
        return self._kernels[key]

    def _run(self, op: int) -> None:
        batch = self.batch
        batch._set_strict(False)
        batch._status[...] = 0
        seen = address_of(self._buffers[self._buffer])

        def launch(begins: int) -> None:
            self._kernel()(*batch._addresses(), self.n, op, begins, seen, self.n)

        batch._repeat(TASK, launch)
        if self.task.layout.varied and op != task_pass.LOOK:
            batch._is_behind = True
        if batch._status[FOUND] or batch._status[BAD_CONTROL]:
            self._raise_finding()

    def _switch_buffer(self) -> None:
        """Let the next step write the other buffer of observations."""
        self._buffer = (self._buffer + 1) % len(self._buffers)


def address_of(array: np.ndarray) -> int:
    """Where the memory of an array begins."""
    return int(array.__array_interface__["data"][0])


def worlds_on(device: str, task: Task, n: int, **options: Any) -> TaskWorlds:
    """Worlds of a task on the CPU, or on a device of this name; "auto" is what is here."""
    if device == "auto":
        device = try_device()
    return TaskWorlds(task, n, **options) if device == "cpu" else DeviceTaskWorlds(task, n, device=device, **options)
