"""Many worlds of a task: their arrays, and the calls of the compiled pass. Environments of all kinds are made of it."""

from __future__ import annotations

import copy
import functools
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.jit import is_interpreted
from phalanx.batch.arrange import BLOCK, arrange_entry
from phalanx.batch.batch import BatchSim
from phalanx.batch.binding import ADVANCED, ERRORS, KEPT, NOTED, parts_of
from phalanx.batch.runs import is_whole, split_groups
from phalanx.batch.team import Plan, Share, Team
from phalanx.batch.worlds import chosen_worlds
from phalanx.hook.hooks import prepare_hooks
from phalanx.learn import task_pass, task_snapshots
from phalanx.learn.dry_run import try_task
from phalanx.learn.random_stream import checked_seed, stream_keys
from phalanx.learn.task import Task
from phalanx.learn.task_models import initial_values, nominal_store, open_structure
from phalanx.learn.task_pass import ALL, BYTE, CHOSEN, DOUBLE, LONG, MODEL, NEVER, NUMBER, SINGLE, WHOLE
from phalanx.learn.task_rows import TaskMemory, TaskView
from phalanx.memory.errors import BadControlWarning, FieldError
from phalanx.memory.exclusive import exclusive
from phalanx.memory.fill import fill, whole
from phalanx.memory.growth import lacks_memory
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.memory.store import PlainView, Store, data_memory
from phalanx.native.diagnosis import KernelError
from phalanx.native.entry import Entry
from phalanx.native.pace import Pace
from phalanx.native.runtime import load
from phalanx.pipeline.parts import letters, link_parts, needed, suffix_of
from phalanx.tables.enums import Request, WarningType

#: Words for what happens when an episode ends.
AUTORESET = {"next_step": task_pass.NEXT_STEP, "same_step": task_pass.SAME_STEP, "disabled": task_pass.DISABLED}
#: Observation buffers that take turns: what a step returned is there until the second step after it.
BUFFERS = 2
#: Rows that tell what came of the last step.
OUTCOMES = tuple(f"outcome.{name}" for name in ("reward", "failed", "terminated", "truncated"))


class Transfer(NamedTuple):
    """A row that goes into lane groups and out of them.

    Attributes:
        path: of the row: a field of Data, or one of the task.
        array: of all worlds.
        loaded: NEVER or ALL.
        stored: in steps: NEVER, ALL or CHOSEN.
        reset_stored: in resets; and in looks, unless it is an outcome of the last step.
        element: of the array.
    """

    path: str
    array: np.ndarray
    loaded: int
    stored: int
    reset_stored: int = CHOSEN
    element: int = NUMBER

    def when(self, op: int) -> int:
        """When it is stored in an operation."""
        if op == task_pass.LOOK and self.path in OUTCOMES:
            return NEVER
        return self.stored if op == task_pass.STEP else self.reset_stored


class TaskWorlds:
    """n worlds of a task.

    Arrays are live, world first. `step` and `reset` write them.

    Args:
        task: the task.
        n: how many worlds.
        dtype, lanes, threads, vary: as of `BatchSim`.
        autoreset: "next_step", "same_step" or "disabled": when worlds begin anew whose episode has ended.
        observation_dtype: "float32" or "float64".

    Attributes:
        batch: the worlds as a BatchSim: state and inputs, to be read and written.
        action: (n, actions), what the next step does.
        reward, terminated, truncated: (n,), of the last step.
        failed: (n,), codes of worlds whose physics failed in the last step.
        observation: (n, numbers), of the last step or reset.
        rows: arrays of the rows of the task by name, (n, ...).
        final_observation, final_rows, final_steps, final_total: of episodes that ended in the last step, "same_step".
        chosen: (n,), 1 where an episode has begun in the last step or reset, else 0.
        has_failed: did a world fail in the last step?
        seeds: that the random streams of the worlds began with; -1 where a snapshot has put them elsewhere.
        failures: how many worlds have failed since the beginning.
        first_world: what the first world is called in messages, where these worlds are some of many.
    """

    def __init__(
        self,
        task: Task,
        n: int,
        *,
        dtype: str = "float64",
        lanes: int | str = "auto",
        threads: int | None = None,
        vary: Any = None,
        autoreset: str = "next_step",
        observation_dtype: str = "float32",
    ):
        if not isinstance(task, Task):
            raise FieldError(f"a phalanx.Task is needed, not {type(task).__name__}")
        if not isinstance(autoreset, str) or autoreset not in AUTORESET:
            raise FieldError(f"autoreset is one of {', '.join(map(repr, AUTORESET))}, not {autoreset!r}")
        if not isinstance(observation_dtype, str) or observation_dtype not in ("float32", "float64"):
            raise FieldError(f'observations are "float32" or "float64", not {observation_dtype!r}')
        n = whole("n, the count of worlds,", n, 1)
        self.task, self.autoreset, self.first_world = task, autoreset, 0
        # what a copy is made with
        self._options: dict[str, Any] = {
            "dtype": dtype, "lanes": lanes, "threads": threads, "vary": vary, "autoreset": autoreset,
            "observation_dtype": observation_dtype,
        }  # fmt: skip
        names = tuple(task.layout.varied)
        if vary is not None and not isinstance(vary, Mapping):
            raise FieldError(f"vary has values by name of the field, unlike {type(vary).__name__}")
        vary = {**initial_values(task.model, names, n), **(vary or {})}
        self.batch = self._make_batch(task, n, dtype=dtype, lanes=lanes, threads=threads, vary=vary)
        # worlds are those of the batch: whoever steps one of them keeps the other busy
        self._usage = self.batch._usage
        if names:
            open_structure(self.batch, names)
        self.n, self.number = n, self.batch.number
        layout, real = task.layout, self.number.dtype
        self._arrays = {
            path: self._row(path, layout.fields[path].shape, real)
            for path in (
                *(f"task.{row.name}" for row in task.state), "action", "last_action", "episode_steps",
                "episode_return", "outcome.reward", "outcome.done", "outcome.failed", "outcome.bad", "outcome.chosen",
                "outcome.final_steps", "outcome.final_total",
                *(f"final.{row.name}" for row in task.state if row.info),
            )
        }  # fmt: skip
        # what is not a number of the physics: streams, flags, observations
        self._arrays["rng.state"] = self._row("rng.state", (2,), np.int64)
        self._arrays["outcome.terminated"], self._arrays["outcome.truncated"] = self._flags()
        seen = np.dtype(observation_dtype)
        self._buffers = [self._zeros((layout.nobs,), seen) for _ in range(BUFFERS)]
        self._arrays["outcome.final_observation"] = self._zeros((layout.nobs,), seen)
        self._buffer = 0
        self.action = self._arrays["action"]
        self.reward, self.terminated, self.truncated = (
            self._arrays[f"outcome.{name}"] for name in ("reward", "terminated", "truncated")
        )
        self.failed, self.episode_steps = self._arrays["outcome.failed"], self._arrays["episode_steps"]
        self.episode_return, self.done = self._arrays["episode_return"], self._arrays["outcome.done"]
        self.rows = {row.name: self._arrays[f"task.{row.name}"] for row in task.state}
        # rows that last have their default once
        for row in task.state:
            self.rows[row.name][...] = row.default
        self.final_rows = {row.name: self._arrays[f"final.{row.name}"] for row in task.state if row.info}
        self.final_observation = self._arrays["outcome.final_observation"]
        self.final_steps, self.final_total = self._arrays["outcome.final_steps"], self._arrays["outcome.final_total"]
        self.chosen, self.failures, self.has_failed = self._arrays["outcome.chosen"], 0, False
        self._pace = Pace()
        self._memories: list[TaskMemory] = []
        self._plan_of_all: Plan | None = None
        self._observation_rows: list[tuple[np.ndarray, int]] = []
        self.seeds = [-1] * n
        self.seed(np.random.SeedSequence().generate_state(1)[0])
        self._prepare()

    def _make_batch(self, task: Task, n: int, **options: Any) -> BatchSim:
        return BatchSim(task.model, n, **options)

    def _zeros(self, shape: Any, dtype: Any) -> np.ndarray:
        return aligned_zeros((self.batch.n, *shape), dtype)

    def _flags(self) -> tuple[np.ndarray, np.ndarray]:
        """Where episodes ended, and where they were cut off."""
        return self._zeros((), np.bool_), self._zeros((), np.bool_)

    def _row(self, path: str, shape: Any, dtype: Any) -> np.ndarray:
        """Memory of a row of the task, (n, *shape)."""
        return self._zeros(shape, dtype)

    @property
    def observation(self) -> np.ndarray:
        """The observations of the last step or reset, (n, numbers). Another buffer has those before."""
        return self._buffers[self._buffer]

    # --- the compiled pass

    @functools.cached_property
    def _entry(self) -> Entry:
        task, number, varied = self.task, self.number, self.batch._is_varied
        return Entry(
            f"task_{task.frozen.digest}_{task.refresh or 'stale'}_{task.requests}_{suffix_of(number, varied)}",
            functools.partial(task_pass.build_entry, task.passes, task.layout, number, varied),
            arity=7,
            letters=functools.partial(letters, number, varied),
        )

    @functools.cached_property
    def _team(self) -> Team:
        return Team(self.batch._pool, self._loaded())

    def _loaded(self) -> Any:
        try:
            return load(self._entry)
        except KernelError as error:
            raise self.task.frozen.translated(error) from None

    def _prepare(self) -> None:
        """Try and compile, so that a mistake shows when an environment is made."""
        try_task(self.task)
        if is_interpreted():
            if self.number.width:
                raise FieldError("a task runs interpreted only in float64, with lanes=1")
            self._memory(0)
        else:
            self._loaded()
            self._plan_of_all = self._plan()

    def _memory(self, thread: int) -> TaskMemory:
        """Memory of a lane group."""
        while len(self._memories) <= thread:
            memory = TaskMemory(self.task.layout, self.batch._sizes, self.number)
            memory.set_integer("outcome.autoreset", AUTORESET[self.autoreset])
            memory.set_integer("outcome.most_steps", self.task.max_steps)
            memory.set_integer("outcome.frame_skip", self.task.frame_skip)
            memory.store.arrays["requests"].fill(self.task.requests & int(Request.ENERGY))
            prepare_hooks(memory.store, self.task.model._hooks, self.batch._is_varied)
            if self.task.layout.varied:
                self._prepare_models(memory)
            self._memories.append(memory)
        return self._memories[thread]

    @functools.cached_property
    def _nominal(self) -> Store:
        """The model without changes, as lane groups see it."""
        varied = self.batch._is_varied
        return nominal_store(self.batch, self.number if varied else self.number.one_world)

    def _prepare_models(self, memory: TaskMemory) -> None:
        """What a thread needs to change models."""
        memory.pose = data_memory(self.batch.model._store.sizes, self.number)
        if not is_interpreted():
            link_parts(memory.pose, self.batch._is_varied, needed(self.batch._models[0]))
        memory.set_integer("outcome.nominal_address", self._nominal.address)
        memory.set_integer("outcome.pose_address", memory.pose.address)

    def _transfers(self) -> Iterator[Transfer]:
        """All rows that go in and out."""
        batch, task, arrays = self.batch, self.task, self._arrays
        # inputs that no function names come back only where an episode begins
        written = {"ctrl", *ADVANCED, *(task.frozen.attributes & {*KEPT})}
        for name in KEPT:
            stored = ALL if name in written or task.model._hooks else CHOSEN
            yield Transfer(name, batch._arrays[name], ALL, stored, element=WHOLE if is_whole(name) else NUMBER)
        for name in (*ERRORS, *NOTED):
            element = WHOLE if is_whole(name) else NUMBER
            yield Transfer(name, batch._arrays[name], ALL if name == "contact_count" else NEVER, ALL, NEVER, element)
        for path in (*(f"task.{row.name}" for row in task.state), "last_action", "episode_steps", "episode_return"):
            yield Transfer(path, arrays[path], ALL, ALL)
        yield Transfer("action", arrays["action"], ALL, NEVER, NEVER)
        yield Transfer("rng.state", arrays["rng.state"], ALL, ALL, element=LONG)
        yield Transfer("outcome.done", arrays["outcome.done"], ALL, ALL)
        yield Transfer("outcome.chosen", arrays["outcome.chosen"], ALL, ALL, NEVER)
        for name in ("reward", "failed", "bad"):
            yield Transfer(f"outcome.{name}", arrays[f"outcome.{name}"], NEVER, ALL)
        for name in ("terminated", "truncated"):
            yield Transfer(f"outcome.{name}", arrays[f"outcome.{name}"], NEVER, ALL, element=BYTE)
        seen = SINGLE if self.observation.dtype == np.float32 else DOUBLE
        yield Transfer("outcome.observation", self.observation, NEVER, ALL, element=seen)
        for name in task.layout.varied:
            yield Transfer(f"m.{name}", batch._variation._values[name], NEVER, CHOSEN, CHOSEN, MODEL)
        if self.autoreset == "same_step":
            yield Transfer("outcome.final_observation", self.final_observation, NEVER, CHOSEN, NEVER, seen)
            for path in ("outcome.final_steps", "outcome.final_total", *(f"final.{name}" for name in self.final_rows)):
                yield Transfer(path, arrays[path], NEVER, CHOSEN, NEVER)

    def _plan(self) -> Plan:
        """A share for each thread."""
        batch, rows = self.batch, [row for row in self._transfers() if row.array.size]
        ngroup = batch._count_groups(self.n)
        threads, shares = min(batch.threads, ngroup), []
        wanted = [*needed(batch._models[0]), *parts_of(self.task.requests)]
        models, order = int(batch._model_addresses.ctypes.data), batch._order
        self._observation_rows = []
        for thread in range(threads):
            memory = self._memory(thread)
            link_parts(memory.store, batch._is_varied, wanted, [self._entry, arrange_entry(self.number.base)])
            table = np.array([self._columns(row, memory) for row in rows], np.int64)
            place = next(k for k, row in enumerate(rows) if row.path == "outcome.observation")
            self._observation_rows.append((table, place))
            addresses = models, memory.store.address, int(table.ctypes.data), len(table), int(order.ctypes.data), self.n
            held = (batch._models, batch._model_addresses, order, table, rows, memory)
            shares.append(Share(addresses, memory.store, batch._is_varied, held))
        return Plan(shares, split_groups(ngroup, threads))

    def _columns(self, row: Transfer, memory: TaskMemory) -> tuple[int, ...]:
        if row.element == MODEL:
            place = MODEL_SCHEMA.slot[row.path.removeprefix("m.")]
        else:
            place = _lane(memory, row.path).ctypes.data
        numbers = row.array.size // self.n
        return (
            row.array.ctypes.data, place, numbers, numbers, row.loaded,
            *(row.when(op) for op in (task_pass.STEP, task_pass.RESET, task_pass.LOOK)), row.element,
        )  # fmt: skip

    def _run(self, op: int) -> None:
        """Run an operation in all worlds."""
        if is_interpreted():
            found = self._run_interpreted(op)
        else:
            if self._plan_of_all is None:
                self._plan_of_all = self._plan()
            batch = self.batch
            batch._arrangement.renew(0 if batch.vary or self.number.width < 2 else BLOCK)
            found = self._team.run(self._plan_of_all, op, 1, self._pace)
        if found:
            self._raise_finding()

    def _switch_buffer(self) -> None:
        """Let the next step write the other buffer of observations."""
        self._buffer = (self._buffer + 1) % BUFFERS
        address = self.observation.ctypes.data
        for table, place in self._observation_rows:
            table[place, task_pass.WORLD_ADDRESS] = address

    def _run_interpreted(self, op: int) -> bool:
        """The pass in one world after another, as plain Python."""
        memory, found = self._memory(0), False
        store = memory.store
        rows = [*self._transfers()]
        t = TaskView(memory)
        kernel = self.task.passes[op]
        self.batch._arrays["error_code"][...] = 0
        for world in range(self.n):
            # from the start again if memory had to grow: nothing was stored
            is_short = True
            while is_short:
                store.arrays["error_code"][...] = 0
                for row in rows:
                    if row.loaded != NEVER:
                        _lane(memory, row.path)[...] = row.array[world]
                m, pose = PlainView(self.batch._models[world]), t if memory.pose is None else PlainView(memory.pose)
                nominal = m if memory.pose is None else PlainView(self._nominal)
                with np.errstate(all="ignore"):
                    is_short = kernel(m, t, t, nominal, pose)
                if lacks_memory(PlainView(store)):
                    store.grow()
            is_chosen = bool(memory.arrays["outcome.chosen"])
            for row in rows:
                when = row.when(op)
                if row.element == MODEL and is_chosen and when != NEVER:
                    row.array[world] = self.batch._models[world].arrays[row.path.removeprefix("m.")]
                elif when == ALL or (when == CHOSEN and is_chosen):
                    row.array[world] = _lane(memory, row.path)
            found = found or bool(memory.arrays["outcome.bad"])
        return found or bool(store.arrays["warning_number"][WarningType.BADCTRL])

    def _raise_finding(self) -> None:
        """Name what was no number."""
        # what was counted is told now, or was caused by what is told, and not once more after the next step
        for store in self._stores():
            store.arrays["warning_number"][WarningType.BADCTRL] = 0
        bad = self._arrays["outcome.bad"]
        if not bad.any():
            self._warn_of_controls()
            return
        world = int(np.flatnonzero(bad)[0])
        code = int(bad[world])
        place = f"in world {self.first_world + world} at step {int(self.episode_steps[world])} of its episode"
        if code == task_pass.BAD_ACTION:
            index = int(np.flatnonzero(~np.isfinite(self.action[world]))[0])
            raise FieldError(f"{self.task.name}: action[{index}] is {self.action[world, index]} {place}")
        if code == task_pass.BAD_REWARD:
            raise self.task.frozen.error("reward", f"returned a number that is NaN or infinite {place}")
        # a beginning that is no number shows in the observation first
        for name in ADVANCED:
            wrong = np.flatnonzero(~np.isfinite(self.batch._arrays[name][world]))
            if len(wrong) and "reset" in self.task.functions:
                value = np.ravel(self.batch._arrays[name][world])[wrong[0]]
                raise self.task.frozen.error("reset", f"set {name}[{wrong[0]}] to {value} {place}")
        index = code - task_pass.BAD_OBSERVATION
        label = [label for signal in self.task.observation for label in signal.labels][index]
        words = f"wrote NaN or infinity into out[{index}] ({label}) {place}"
        raise self.task.frozen.error("observe", words)

    def _warn_of_controls(self) -> None:
        """A control was taken as zero: say so, as a batch does."""
        warnings.warn(
            f"{self.task.name}: a control was NaN, infinite or beyond 1e10: all controls of its world were taken as "
            "zero in that step",
            BadControlWarning,
            stacklevel=4,
        )

    def _stores(self) -> list[Store]:
        """The memory that the pass works in."""
        return [memory.store for memory in self._memories]

    # --- what users call

    def seed(self, seed: Any, worlds: Any = None) -> None:
        """Begin the random streams of worlds: seed + i in world i, or a seed for each world (None leaves it)."""
        chosen = chosen_worlds(worlds, self.n)
        is_each = seed.ndim > 0 if isinstance(seed, np.ndarray) else isinstance(seed, (list, tuple, range))
        if not is_each:
            first = checked_seed(seed)
            seeds: list[Any] = [first + int(world) for world in chosen]
        else:
            if len(seed) != self.n:
                raise FieldError(f"{self.n} worlds need {self.n} seeds, not {len(seed)}")
            seeds = [None if seed[int(world)] is None else checked_seed(seed[int(world)]) for world in chosen]
        state = self._arrays["rng.state"]
        given = [(world, key) for world, key in zip(chosen.tolist(), seeds, strict=True) if key is not None]
        if given:
            places = [world for world, _ in given]
            state[places, 0] = stream_keys(key for _, key in given)
            state[places, 1] = 0
            for world, key in given:
                self.seeds[world] = key

    @exclusive
    def reset(self, mask: np.ndarray | None = None) -> None:
        """Begin new episodes in all worlds, or where the mask says so; the others stay as they are."""
        fill(self._arrays["outcome.chosen"], "mask", 1.0 if mask is None else mask)
        self._run(task_pass.RESET)

    @exclusive
    def look(self, worlds: Any = None) -> None:
        """Observe worlds at the states that they are in: all, or those of a list."""
        self._arrays["outcome.chosen"][...] = worlds is None
        if worlds is not None:
            self._arrays["outcome.chosen"][chosen_worlds(worlds, self.n)] = 1.0
        self._run(task_pass.LOOK)

    @exclusive
    def step(self) -> None:
        """Do the actions: physics, observations, rewards, ends of episodes, resets."""
        self._switch_buffer()
        self._run(task_pass.STEP)
        self.has_failed = bool(self.failed.any())
        if self.has_failed:
            self.failures += int(np.count_nonzero(self.failed))

    @exclusive
    def snapshot(self) -> dict[str, np.ndarray]:
        """A copy of all that worlds show and of all that decides what they do next, (n, ...) by name. Pickles."""
        return task_snapshots.take(self)

    @exclusive
    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Put worlds into the state of a snapshot, from where they go on bit by bit as those that it was taken of.

        Args:
            snapshot: of as many worlds of the same task, with the same precision.

        Raises:
            ModelError: the snapshot does not fit; nothing is changed.
        """
        task_snapshots.put(self, snapshot)
        self.seeds = [-1] * self.n

    def __getstate__(self) -> dict[str, Any]:
        # compiled code knows where arrays are: a copy has its own, with the same numbers
        return {
            "task": self.task, "n": self.n, "options": self._options, "snapshot": self.snapshot(),
            "bound": tuple(self.batch._bound), "seeds": self.seeds, "failures": self.failures,
            "first_world": self.first_world,
        }  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["task"], state["n"], **state["options"])  # type: ignore[misc]
        self.batch.bind(*state["bound"])
        self.restore(state["snapshot"])
        self.seeds, self.failures = list(state["seeds"]), state["failures"]
        self.first_world = state["first_world"]

    def __deepcopy__(self, memo: dict[int, Any]) -> TaskWorlds:
        return copied(self, memo)

    @property
    def has_begun(self) -> bool:
        """Did an episode begin in the last call?"""
        return bool(self.chosen.any())

    def close(self) -> None:
        """End the threads."""
        self.batch.close()


def copied(owner: Any, memo: dict[int, Any]) -> Any:
    """A deep copy of worlds or of an environment: it goes on by itself, bit for bit as the other would.

    Args:
        owner: of which; it has a task, which both share: compiled code is made for it.
        memo: as of `copy.deepcopy`.
    """
    memo[id(owner.task)] = owner.task
    make, arguments, state, *_ = owner.__reduce_ex__(4)
    made = memo[id(owner)] = make(*arguments)
    made.__setstate__(copy.deepcopy(state, memo))
    return made


def _lane(memory: TaskMemory, path: str) -> np.ndarray:
    """The field of a lane group that a path names; of a random stream what goes in and out."""
    if path == "rng.state":
        return memory.arrays[path][:2]
    return memory.arrays[path] if path in memory.arrays else memory.store.arrays[path]
