"""GpuBatchSim: the worlds of a batch on a device, one thread each."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from phalanx.algebra.jit import is_interpreted
from phalanx.algebra.number_type import NumberType, spread
from phalanx.batch import group
from phalanx.batch.batch import BatchSim
from phalanx.batch.binding import parts_of
from phalanx.batch.runs import NO_TRANSFERS, Transfers
from phalanx.device import world_kernel
from phalanx.device.device_array import check_source
from phalanx.device.device_memory import add_fields, data_on, model_on, world_first, write_model
from phalanx.device.devices import device_named, try_device
from phalanx.device.protocol import CUDA, Device, Launch
from phalanx.device.used_fields import used_fields
from phalanx.hook.hooks import UserHook
from phalanx.memory.errors import DeviceError, FieldError, OutOfMemoryError
from phalanx.memory.exclusive import exclusive
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.store import Store
from phalanx.native.diagnosis import KernelError
from phalanx.pipeline.parts import needed
from phalanx.tables.parts import PART_SLOTS, PARTS
from phalanx.world.data import SETTABLE
from phalanx.world.model import Model
from phalanx.world.provided import provide


class DeviceUse(NamedTuple):
    """What a batch takes of its device.

    Attributes:
        bytes_per_world: memory of one world.
        bytes_shared: memory of the Model that all worlds share.
        launches: kernels that have been started since the batch was made.
        bytes_of_state: of one world that a step reads and writes in any case: its state and inputs.
    """

    bytes_per_world: int
    bytes_shared: int
    launches: int
    bytes_of_state: int


class GpuBatchSim(BatchSim):
    """n worlds of one model on a device; what a `BatchSim` does, with all memory of the worlds on the device.

    State, inputs and bound outputs are live arrays of shape (n, ...) in the memory of the device; the numbers of all
    worlds are neighbors there, so their strides are (1, n * ...) elements. On "cuda" they are of class DeviceArray with
    `__cuda_array_interface__` and `__dlpack__`: torch, cupy and jax use the same memory. In double precision a world
    behaves, bit for bit, as in a `BatchSim` on the CPU.

    `step(n)` is one launch, whatever n is, and waits for it. A launch that finds too little memory for contacts or rows
    stops those worlds before their state changes; memory grows, and they go on.

    Args:
        model: the model. Its hooks are compiled for the device.
        n: how many worlds.
        dtype: "float64" or "float32".
        lanes: "auto": a thread has one world.
        threads: None: there are n.
        vary: fields that differ from world to world, as in `BatchSim`.
        device: "cuda", or "emulated" for one that the CPU emulates.

    Raises:
        DeviceError: the device cannot be used here.
        OutOfMemoryError: the device has not enough memory for so many worlds.
    """

    #: Places in the table of the worlds for rows that are not those of a Data.
    _spare = 0

    def __init__(
        self,
        model: Model,
        n: int,
        *,
        dtype: str = "float64",
        lanes: int | str = "auto",
        threads: int | None = None,
        vary: Mapping[str, Any] | None = None,
        device: str = CUDA,
    ):
        if not isinstance(lanes, (str, int, np.integer)) or lanes not in ("auto", 1):
            raise FieldError(f"a thread of a device has one world: lanes cannot be {lanes!r}")
        if is_interpreted():
            raise DeviceError("devices run compiled kernels: there is none with PHALANX_INTERPRETED=1")
        self._device = self._find_device(CUDA if isinstance(device, str) and device == "auto" else device)
        self._store: Store | None = None
        self._model_store: Store | None = None
        self._kernels: dict[tuple[bool, tuple[str, ...]], Launch] = {}
        self._needed: list[str] = []
        self._asked: dict[int, set[str]] = {}
        self._launches = 0
        self._status = self._device.flags(world_kernel.STATUS_LENGTH)
        super().__init__(model, n, dtype=dtype, lanes=1, threads=threads, vary=vary)

    def _find_device(self, name: str) -> Device:
        """The device that runs the worlds."""
        return device_named(name)

    # --- memory

    @property
    def _spread(self) -> NumberType:
        """The numbers of the device."""
        return spread(self.number.base, self.number.sleeps)

    def _workspace(self, thread: int) -> Store:
        """The memory of all worlds."""
        if self._store is None:
            self._store = data_on(self._device, self._sizes, self._spread, self.n, self._spare)
            self._workspaces.append(self._store)
            self._add_fields(used_fields(self._spread, self._is_varied, self._wanted(group.STEP)))
            self._progress = self._device.zeros((max(self.n, 1),), np.int64)
        return self._store

    def _add_fields(self, names: Iterable[str]) -> None:
        """Give fields memory that kernels will touch."""
        store = self._workspace(0)
        try:
            add_fields(store, names)
        except MemoryError:
            raise OutOfMemoryError(
                f"there is not enough memory for {self.n} worlds on {self._device.label}: ask for fewer"
            ) from None
        store.arrays["requests"].fill(self._requests)
        store.arrays["is_strict"].fill(self._is_strict)

    def _kept_array(self, name: str) -> np.ndarray:
        if name in world_kernel.UNKEPT:
            raise FieldError(f"{name} cannot be bound: worlds of a device do not keep statistics of the solver")
        self._add_fields([name])
        return world_first(self._workspace(0).arrays[name])

    def _make_room(self, size: str, count: int, given: Mapping[str, Any]) -> None:
        store = self._workspace(0)
        self._add_fields(given)
        if store.sizes[size] < count:
            store.resize(size, count)
        for name, values in given.items():
            store.arrays[name][...] = np.asarray(values)[..., None]

    @property
    def _is_varied(self) -> bool:
        return bool(self.vary)

    def _change_models(self, worlds: np.ndarray, values: dict[str, np.ndarray]) -> None:
        was_varied = self._is_varied
        super()._change_models(worlds, values)
        self._needed = []
        if self._model_store is not None and was_varied == self._is_varied:
            write_model(self._model_store, self._models[0], self._variation.rows)
        else:
            self._model_store = None

    def _model_address(self) -> int:
        """Where kernels find the Model."""
        if self._model_store is None:
            number, rows = self._spread, self._variation.rows
            try:
                self._model_store = model_on(self._device, self._models[0], rows, number, self.n)
            except MemoryError:
                raise OutOfMemoryError(f"there is not enough memory for the model on {self._device.label}") from None
        return self._model_store.address

    @property
    def nbytes(self) -> int:
        """Bytes of memory on the device: of all worlds, and of the Model."""
        return sum(store.nbytes for store in (self._store, self._model_store) if store is not None)

    @property
    def use(self) -> DeviceUse:
        """What the batch takes of its device."""
        self._model_address()
        of_worlds = self._workspace(0).nbytes
        shared = self._model_store.nbytes if self._model_store is not None else 0
        of_state = sum(array.nbytes for array in self._arrays.values())
        n = max(self.n, 1)
        if self._is_varied:
            of_worlds, shared = of_worlds + shared, 0
        return DeviceUse(math.ceil(of_worlds / n), shared, self._launches, math.ceil(of_state / n))

    # --- launches

    def _wanted(self, op: int) -> tuple[str, ...]:
        """Parts that an operation needs, as far as is known."""
        self._needed = self._needed or needed(self._models[0] if self._models else self.model._store)
        wanted = {*self._needed, *parts_of(self._requests), *self._asked.get(op, ())}
        return tuple(name for name in PARTS if name in wanted)

    def _kernel(self, op: int) -> Launch:
        """The kernel of an operation."""
        key = self._is_varied, self._wanted(op)
        if key not in self._kernels:
            hooks = self.model._hooks
            functions = tuple(hook.body for hook in hooks.values())
            self._add_fields(used_fields(self._spread, *key, functions))
            try:
                entry = world_kernel.device_entry(self._spread, *key, self._device.threads, hooks)
                self._kernels[key] = self._device.kernel(entry)
            except KernelError as error:
                raise translated(error, hooks) from None
        return self._kernels[key]

    def _launch(self, op: int, n: int, worlds: np.ndarray | None = None, done: int = 0) -> None:
        """Run an operation in all worlds or in some.

        Args:
            op: of `batch/group.py`.
            n: until which step worlds run, or what else the operation takes.
            worlds: which; None for all.
            done: how many steps an earlier launch has done; not zero only for steps.
        """
        count, order = self.n, 0
        if worlds is not None:
            count = len(worlds)
            chosen = self._device.zeros((max(count, 1),), np.int64)
            chosen[:count] = worlds
            order = int(chosen.ctypes.data)
        if not count:
            return
        self._status[...] = 0
        begins, pace = int(done == 0), self._paces[op]
        while True:
            # some steps at a time: Python handles signals in between
            until = min(n, done + pace.amount) if op == group.STEP else n
            began = time.perf_counter()
            self._start(op, until, begins, order, count)
            if until > done and op == group.STEP:
                pace.note(until - done, time.perf_counter() - began)
            begins, done = 0, until
            if done >= n:
                break
        if self._status[world_kernel.BAD_CONTROL]:
            self._note_bad_control()

    def _start(self, op: int, until: int, begins: int, order: int, count: int) -> None:
        """Launch until no world lacks anything."""

        def launch(begins: int) -> None:
            self._kernel(op)(*self._addresses(), order, self.n, op, until, begins, count)

        self._repeat(op, launch, begins)

    def _addresses(self) -> tuple[int, ...]:
        """Where kernels find the Model, the Data, how far each world is, and the status."""
        places = int(self._progress.ctypes.data), int(self._status.ctypes.data)
        return self._model_address(), self._workspace(0).address, *places

    def _repeat(self, op: int, launch: Callable[[int], None], begins: int = 1) -> None:
        """Launch, and give worlds what they lacked, until none lacks anything.

        Args:
            op: the operation.
            launch: starts the kernel; told whether the operation begins.
            begins: does it, with the first launch?
        """
        while True:
            self._status[world_kernel.LACKING] = 0
            launch(begins)
            self._launches += 1
            if not self._status[world_kernel.LACKING]:
                return
            begins = 0
            self._relieve(op)

    def _relieve(self, op: int) -> None:
        """Give an operation what it lacked in some world: a part that is not in the kernel, else memory."""
        store = self._workspace(0)
        absent = int(store.arrays["absent_part"].max(initial=0))
        if absent == 0:
            store.grow()
            return
        slot = PART_SLOTS[absent - 1]
        self._asked.setdefault(op, set()).update(name for name, row in PARTS.items() if slot in row.slots)

    def _note_bad_control(self) -> None:
        """Warn; where worlds do not show how often that was, it is forgotten."""
        self._warn_of_controls(() if "warning_number" in self._bound else self._workspaces)

    # --- what a batch does

    def bind(self, *names: str) -> tuple[Any, ...]:
        """Ask for outputs, as in `BatchSim`: live arrays (n, ...) in the memory of the device."""
        return tuple(self._device.shown(array, True) for array in super().bind(*names))

    @exclusive
    def on_cpu(self) -> BatchSim:
        """A BatchSim of the CPU with the same worlds: model, varied fields, state, inputs and bound outputs.

        The CPU computes derivatives, too: `transition` asks a batch like this.
        """
        return self._on_cpu()

    def _on_cpu(self) -> BatchSim:
        twin = BatchSim(self.model, self.n, dtype=self.number.base, threads=self.threads, vary=self._variation.early)
        twin._change_models(*self._variation.late)
        twin.bind(*self._bound)
        for name, array in self._arrays.items():
            twin._arrays[name][...] = array
        return twin

    def _run(
        self, op: int, n: int, strict: bool, each_step: Transfers = NO_TRANSFERS, worlds: np.ndarray | None = None
    ) -> None:
        if self.n == 0:
            return
        self._set_strict(strict)
        if each_step is NO_TRANSFERS:
            self._launch(op, n, worlds)
            return
        # of a rollout, each step has inputs and outputs of its own
        for step in range(n):
            for name, array in each_step.loaded.items():
                self._rows(name)[...] = array[:, step % array.shape[1]]
            self._launch(group.STEP, step + 1, None, step)
            for name, array in each_step.stored.items():
                array[:, step] = self._rows(name)

    def _rows(self, name: str, length: int | None = None) -> np.ndarray:
        """A field of all worlds, (n, ...); of one with more room than is asked for, the first `length` rows."""
        self._add_fields([name])
        array = world_first(self._workspace(0).arrays[name])
        return array if length is None or array.ndim < 2 else array[:, :length]

    def _ask(
        self,
        op: int,
        n: int,
        answers: dict[str, np.ndarray],
        given: Mapping[str, np.ndarray] | None = None,
        worlds: np.ndarray | None = None,
    ) -> dict[str, np.ndarray]:
        if not self.n or not any(array.size for array in answers.values()):
            return answers
        self._set_strict(False)
        chosen = np.arange(self.n) if worlds is None else worlds
        # the question is answered in the memory of the worlds, which then get back what they had
        before = {name: array.copy() for name, array in self._arrays.items()}
        try:
            for name, values in (given or {}).items():
                self._rows(name, length=values.shape[1] if values.ndim > 1 else None)[...] = values
            self._launch(op, n, worlds)
            for name, array in answers.items():
                array[chosen] = self._rows(name, length=array.shape[1] if array.ndim > 1 else None)[chosen]
        finally:
            for name, values in before.items():
                self._arrays[name][...] = values
        return answers

    def _set_initial(self, worlds: np.ndarray, keyframe: int | str | None) -> None:
        if keyframe is not None:
            super()._set_initial(worlds, keyframe)
            return
        self._workspace(0).arrays["is_reset"].fill(1)
        for name in self._retained():
            self._arrays[name][worlds] = DATA_SCHEMA.fields[name].default
        self._launch(group.INITIAL, 1, worlds)

    def __getattr__(self, name: str) -> Any:
        arrays = self.__dict__.get("_arrays", {})
        if name in arrays:
            return self._device.shown(arrays[name], name in SETTABLE)
        return super().__getattr__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in SETTABLE:
            check_source(value)
        super().__setattr__(name, value)

    @property
    def ncon(self) -> Any:
        """How many contacts each world had in the last `step` or `forward`, (n,), in the memory of the device."""
        return self._device.shown(self._arrays["contact_count"], False)

    def __repr__(self) -> str:
        words = super().__repr__().replace("<BatchSim", "<GpuBatchSim", 1)
        return words.replace(f"{self.threads} threads", f"on {self._device.label}", 1)

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "device": self._device.name}


def translated(error: KernelError, hooks: Mapping[str, UserHook]) -> Exception:
    """What the compiler found, in the words of the hook where it shows; the error itself without hooks."""
    for hook in hooks.values():
        if any(hook.owns(problem) for problem in error.problems):
            return hook.translated(error)
    return next(iter(hooks.values())).translated(error) if hooks else error


def batch_on(name: str) -> type[BatchSim]:
    """The class of batches on a device of this name; "auto" is what is here."""
    if isinstance(name, str) and name == "auto":
        name = try_device()
    if isinstance(name, str) and name == "cpu":
        return BatchSim
    device_named(name)
    return GpuBatchSim


provide("batch_on", batch_on)
