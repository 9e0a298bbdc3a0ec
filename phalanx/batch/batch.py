"""BatchSim: many worlds of one model, stepped together."""

from __future__ import annotations

import functools
import itertools
import math
import os
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.jit import is_interpreted
from phalanx.algebra.number_type import NumberType, one_world
from phalanx.batch import group
from phalanx.batch import vary as varying
from phalanx.batch.threads import Stop, ThreadPool, available_threads
from phalanx.batch.vary_values import check_changes, chosen_worlds
from phalanx.collision.ray.hits import ANSWERS, RayHit, checked_rays, hits_of, rays_of_shape
from phalanx.hook.hooks import link_hooks, prepare_hooks
from phalanx.memory.errors import BadControlWarning, FieldError, ModelError, WorldError, suggestion
from phalanx.memory.exclusive import Usage, exclusive
from phalanx.memory.fill import fill, flag, numbers, whole
from phalanx.memory.layout import DATA_SCHEMA, shape_of
from phalanx.memory.store import Store
from phalanx.native.pace import Pace
from phalanx.pipeline.operations import run_interpreted
from phalanx.pipeline.parts import link_parts, needed, relieve
from phalanx.pipeline.supported import check_discrete, check_model
from phalanx.tables.data_fields import DATA, VARIABLE_SIZES, WATCHED
from phalanx.tables.enums import WarningType
from phalanx.tables.field import Kind
from phalanx.tables.sizes import MAXVAL
from phalanx.world.data import SETTABLE, Data, not_settable, shown, whole_steps
from phalanx.world.faults import control_warning, world_error
from phalanx.world.fingerprint import fingerprint_of_all, fingerprints_of_worlds
from phalanx.world.model import Model
from phalanx.world.noise import noise_levels, with_noise
from phalanx.world.rays import ray_filter
from phalanx.world.typed import BatchFields

#: Rows a batch keeps for every world: state and inputs that are numbers.
KEPT = tuple(row.name for key in ("state", "input") for row in DATA[key] if DATA_SCHEMA.lanes(row))
#: Kept rows that a step changes.
ADVANCED = tuple(row.name for row in DATA["state"] if DATA_SCHEMA.lanes(row))
#: What stopped a world; known to a group that goes on after its memory has grown.
ERRORS = ("error_code", "error_id")
#: Beyond this many dofs, lanes do not pay and worlds are stepped one by one.
MAX_LANE_DOFS = 100
#: The most threads that can be asked for: more would only wait for each other.
MAX_THREADS = 1024
#: What describes a batch, and cannot be assigned.
FIXED = ("model", "n", "number", "threads", "vary")
#: What world_error looks at.
INSPECTED = ("qpos", "qvel", *WATCHED)
#: Parts of the work that a thread takes at a time, if there are several threads.
RANGES_PER_THREAD = 4
#: Rays that each world casts in one call.
RAYS_AT_ONCE = 1024
#: Worlds per lane group when the choice is ours.
AUTO_LANES = {"float64": 8, "float32": 16}


class Transfers(NamedTuple):
    """Arrays outside a lane group by field: what goes in, and what comes out."""

    loaded: Mapping[str, np.ndarray]
    stored: Mapping[str, np.ndarray]


NO_TRANSFERS = Transfers({}, {})


class Signal(Stop):
    """What tasks and the thread that waits for them tell each other."""

    has_bad_control = False


class Worker(NamedTuple):
    """What one thread works with. It keeps alive all memory that its addresses point to."""

    arguments: tuple[int, ...]
    progress: np.ndarray
    progress_address: int
    transfer: np.ndarray
    workspace: Store
    is_varied: bool
    held: tuple[Any, ...]


class BatchSim(BatchFields):
    """n worlds of one model.

    State and inputs (`qpos`, `qvel`, `act`, `ctrl`, `time`, `qfrc_applied`, `xfrc_applied`, `mocap_pos`, `mocap_quat`,
    `qacc_warmstart`, ...) are live arrays of shape (n, ...): write them in place. Other fields are computed on request,
    after `bind`. World i behaves, bit for bit, as a `Data` of its own would, whatever the other worlds do.

    One thread of Python at a time may use a batch: a call during another raises BusyError. An interrupt (Ctrl-C) stops
    all workers and leaves each world at a complete state, perhaps after fewer steps than others.

    Args:
        model: the model.
        n: how many worlds.
        dtype: "float64" or "float32".
        lanes: worlds per vector register: 1, 2, 4, 8, 16, or "auto".
        threads: how many threads; None for all CPUs this process may use.
        vary: fields that differ from world to world: name -> array (n, *shape of the field). Options are named
            "opt.gravity" and so on. Derived constants follow. `set_vary` changes them later.

    Example:
        >>> batch = BatchSim(model, 256, vary={"opt.gravity": gravities})      # doctest: +SKIP
        >>> (xpos,) = batch.bind("xpos")                                       # doctest: +SKIP
        >>> batch.ctrl[:] = policy(batch.qpos, batch.qvel); batch.step()       # doctest: +SKIP
    """

    def __init__(
        self,
        model: Model,
        n: int,
        *,
        dtype: str = "float64",
        lanes: int | str = "auto",
        threads: int | None = None,
        vary: Mapping[str, Any] | None = None,
    ):
        if not isinstance(model, Model):
            raise FieldError(f"a batch needs a Model, not {type(model).__name__}")
        n = whole("n, the count of worlds,", n, -(2**62))
        if n < 0:
            raise FieldError(f"a batch cannot have {n} worlds")
        threads = available_threads() if threads is None else whole("threads", threads, 1, MAX_THREADS)
        check_model(model)
        check_memory(model, n)
        self._usage = Usage()
        self.model = model
        self.n = n
        self.number = choose_number(model, n, dtype, lanes)
        self.threads = threads
        self._pool = ThreadPool(self.threads)
        checked = varying.check_vary(model, {} if vary is None else vary, n, self.number)
        self._variation = varying.Variation(model, checked, n, self.number, self._pool)
        self.vary = self._variation.shown
        self._models = self._variation.stores
        self._model_addresses = self._variation.addresses
        self._sizes = {**model._store.sizes, **dict.fromkeys(VARIABLE_SIZES, 0)}
        self._paces: defaultdict[int, Pace] = defaultdict(Pace)
        self._arrays = {name: self._world_array(name) for name in (*KEPT, *ERRORS, "row_pattern")}
        self._order = np.arange(n, dtype=np.int64)
        self._bound: dict[str, None] = {}
        self._workspaces: list[Store] = []
        self._is_strict = False
        self._workers: list[Worker] = []
        if model._hooks:
            self._workspace(0)  # a hook that cannot be compiled for lanes is an error here, not in the first step
        # the initial state is the same for all worlds of one model: it is computed once
        self._initial: dict[str, np.ndarray] = {}
        self._is_made = True
        self.reset_all()
        if n and not self.vary:
            self._initial = {name: self._arrays[name][0].copy() for name in KEPT}

    # --- simulation

    @exclusive
    def step(self, n: int = 1, *, strict: bool = False) -> None:
        """Advance every world by n time steps. A world that fails keeps its last good state; see `errors`.

        Args:
            n: how many steps.
            strict: a world whose constraint solver does not converge fails, before the step.
        """
        self._run(group.STEP, whole_steps(n), strict)

    def step_all(self, n: int = 1, *, strict: bool = False) -> list[WorldError | None]:
        """Advance every world by n steps; the error of each world that failed, None for the others."""
        self.step(n, strict=strict)
        return self.errors

    @exclusive
    def forward(self, *, strict: bool = False) -> None:
        """Compute the bound outputs at the present state; the state does not change.

        Args:
            strict: a world whose constraint solver does not converge is among the `errors`.
        """
        self._run(group.FORWARD, 1, strict)

    @exclusive
    def inverse(self, qacc: Any) -> np.ndarray:
        """Inverse dynamics in every world at its present state: `Data.inverse` for all worlds.

        Args:
            qacc: accelerations (n, nv), or (nv,) for all worlds.

        Returns:
            qfrc_inverse, (n, nv).
        """
        check_discrete(self.model)
        given, found = self._world_array("qacc"), self._world_array("qfrc_inverse")
        qacc = numbers("qacc", qacc)
        if qacc.shape == given.shape[1:]:
            qacc = np.broadcast_to(qacc, given.shape)
        fill(given, "qacc", qacc)
        around = Transfers({**self._around().loaded, "qacc": given}, {"qfrc_inverse": found})
        if not found.size:
            return found
        if is_interpreted():
            self._run_interpreted(("inverse",), 1, around)
        else:
            self._run_workers(self._plan(around), group.INVERSE, 1)
        return found

    @exclusive
    def rays(
        self,
        origins: Any,
        directions: Any,
        *,
        geomgroup: Any = None,
        static: bool = True,
        exclude: int | str | None = None,
    ) -> RayHit:
        """What rays hit in every world at its present state: `Data.rays` for all worlds, arrays (n, k, ...).

        Args:
            origins: where k rays start: (n, k, 3), or (k, 3) or (3,) for all worlds.
            directions: where they go: (n, k, 3), or (k, 3) or (3,) for all worlds.
            geomgroup: six flags, which groups of geoms to see; None for all.
            static: see geoms that are fixed to the world.
            exclude: a body, by name or id, whose geoms are not seen.
        """
        seen = ray_filter(self.model, geomgroup, static, exclude)
        # rays that serve all worlds are repeated: memory of a lane group is loaded world by world
        pair = rays_of_shape(checked_rays(origins, directions), self.n, None, 3)
        k = pair[0].shape[1]
        # some at a time: Python can handle signals in between
        parts = [
            self._cast(pair[0][:, first : first + RAYS_AT_ONCE], pair[1][:, first : first + RAYS_AT_ONCE], seen)
            for first in range(0, max(k, 1), RAYS_AT_ONCE)
        ]
        return hits_of({row: np.concatenate([part[row] for part in parts], axis=1) for row in ANSWERS.values()})

    def _cast(self, origins: np.ndarray, directions: np.ndarray, seen: Any) -> dict[str, np.ndarray]:
        """Cast rays in each world."""
        k = origins.shape[1]
        rays = {"ray_origin": origins, "ray_direction": directions}
        rays = {name: np.ascontiguousarray(rows, self.number.dtype) for name, rows in rays.items()}
        shapes = {row: shape_of(DATA_SCHEMA.fields[row], {"nray": k}) for row in ANSWERS.values()}
        answers = {row: np.zeros((self.n, *shape), self.number.dtype) for row, shape in shapes.items()}
        if not origins.size:
            return answers
        for thread in range(min(self.threads, len(self._models))):
            workspace = self._workspace(thread)
            if workspace.sizes["nray"] < k or is_interpreted():  # which copies whole rows
                workspace.resize("nray", k)
            workspace.arrays["ray_filter"][...] = seen
        around = Transfers({**self._around().loaded, **rays}, answers)
        if is_interpreted():
            self._run_interpreted(("kinematics", "rays"), k, around)
        else:
            self._run_workers(self._plan(around), group.RAYS, k)
        return answers

    @exclusive
    def noisy_sensors(self, seed: int) -> np.ndarray:
        """A copy of `sensordata`, which must be bound, with the noise of `Data.noisy_sensors`: world i as world i.

        Args:
            seed: not negative; another seed, other noise.
        """
        varied = self.vary.get("sensor_noise")
        noisy = self.sensordata.copy()
        for world in range(self.n):
            levels = noise_levels(self.model, None if varied is None else varied[world])
            noisy[world] = with_noise(noisy[world], levels, seed, world, float(self.time[world]))
        return noisy

    @property
    def errors(self) -> list[WorldError | None]:
        """What stopped each world in the last step, or None."""
        codes, indices = self._arrays["error_code"], self._arrays["error_id"]
        errors: list[WorldError | None] = [None] * self.n
        for world in np.flatnonzero(codes):
            arrays = {name: self._arrays[name][world] for name in INSPECTED}
            time = float(self._arrays["time"][world])
            errors[world] = world_error(self.model, arrays, int(codes[world]), int(indices[world]), time, int(world))
        return errors

    @exclusive
    def reset(self, i: int, keyframe: int | str | None = None) -> None:
        """Put one world back to its initial state, or to a keyframe."""
        self._set_initial(np.array([self._world_index(i)]), keyframe)

    @exclusive
    def reset_where(self, mask: Any, keyframe: int | str | None = None) -> None:
        """Put the worlds where `mask` holds back to their initial state, or to a keyframe.

        Args:
            mask: n booleans.
        """
        chosen = numbers("the mask", mask)
        if chosen.dtype != np.bool_ or chosen.shape != (self.n,):
            raise FieldError(f"the mask must be {self.n} booleans, not {chosen.dtype} of shape {chosen.shape}")
        self._set_initial(np.flatnonzero(chosen), keyframe)

    @exclusive
    def reset_all(self, keyframe: int | str | None = None) -> None:
        """Put every world back to its initial state, or to a keyframe."""
        self._set_initial(np.arange(self.n), keyframe)

    # --- parameters of worlds

    @exclusive
    def set_vary(self, /, mask: Any, **fields: Any) -> None:
        """Give chosen worlds other parameters: a new randomization when an episode begins. Their state stays as it is.

        Derived constants follow in these worlds, as `Model.replace` would compute them; all others keep their numbers,
        bit for bit. A field may vary here that was not given to `vary` when the batch was made: the other worlds have
        the model's values of it. An error changes nothing. `batch.vary` shows the present values.

        Args:
            mask: which worlds: n booleans, an index, or a list of k indices.
            **fields: new values by field name, `**{"opt.gravity": ...}` or `opt={"gravity": ...}` for options. Each has
                the shape (k, *shape of the field), in the order of the chosen worlds; or the shape of the field, for
                all of them; or, with booleans, (n, *shape of the field), of which the chosen rows count.

        Raises:
            FieldError: unknown or fixed field, wrong shape, no such world.
            ModelError: values that make no model, with world and element.

        Example:
            >>> batch.set_vary(done, body_mass=masses, geom_friction=frictions)      # doctest: +SKIP
            >>> batch.reset_where(done)                                             # doctest: +SKIP
        """
        worlds, is_mask = chosen_worlds(mask, self.n)
        self._change_models(worlds, check_changes(self.model, fields, worlds, self.n, is_mask, self.number))

    def _change_models(self, worlds: np.ndarray, values: dict[str, np.ndarray]) -> None:
        """Give some worlds other parameters, (k, *shape) each, that have been checked."""
        is_first = self.number.width > 1 and not self.vary
        if is_first and not is_interpreted():
            for hook in self.model._hooks.values():
                hook.address(self.number, True)  # one that cannot be compiled for lanes is an error before any change

        def renew() -> None:
            """Numbers of the Model are lanes from now on: other machine code, and each world has its place."""
            self._workers.clear()
            self._workspaces.clear()
            self.__dict__.pop("_native_call", None)
            self._order[:] = np.arange(self.n)

        self._variation.change(worlds, values, renew if is_first else lambda: None)

    def _set_initial(self, worlds: np.ndarray, keyframe: int | str | None) -> None:
        """Begin anew in some worlds; those that differ in their Model each in their own way."""
        if keyframe is not None:
            data = self._spare_data
            data.reset(keyframe)
            self._copy_rows(data._store.arrays, worlds)
        elif self.vary or not self._initial:
            self._run_initial(worlds)
        else:
            self._copy_rows(self._initial, worlds)
        self._arrays["error_code"][worlds] = 0

    def _copy_rows(self, rows: Mapping[str, np.ndarray], worlds: np.ndarray) -> None:
        for name in KEPT:
            self._arrays[name][worlds] = rows[name]

    def _run_initial(self, worlds: np.ndarray) -> None:
        """`initial_state` in the lane groups of some worlds."""
        if not len(worlds):
            return
        chosen = self._world_array("is_reset")
        chosen[worlds] = 1
        kept = {name: self._arrays[name] for name in KEPT}
        around = Transfers({**kept, "is_reset": chosen}, kept)
        if is_interpreted():
            self._run_interpreted(("initial_state_where",), 1, around)
            return
        groups = np.unique(worlds // self.number.worlds).tolist()
        self._run_workers(self._plan(around), group.INITIAL, 1, [(first, first + 1) for first in groups])

    @functools.cached_property
    def _native_call(self) -> Callable[..., int]:
        return group.native_batch(self.number, self._is_varied).call

    @functools.cached_property
    def _spare_data(self) -> Data:
        return quiet_data(self.model, self.number.base)

    # --- worlds and fields

    def __len__(self) -> int:
        return self.n

    @exclusive
    def env(self, i: int) -> Data:
        """A Data of its own with the state and inputs of world i, after forward. It does not follow the batch."""
        i = self._world_index(i)
        data = quiet_data(self._variation.model_of(i), self.number.base)
        for name in KEPT:
            data._store.arrays[name][...] = self._arrays[name][i]
        return data.forward()

    @exclusive
    def bind(self, *names: str) -> tuple[np.ndarray, ...]:
        """Ask for outputs: arrays (n, ...) that `step` and `forward` fill from now on, also attributes of the batch.

        After `step` they hold what was computed during the last step, as the fields of a Data do.
        """
        for name in names:
            check_bindable(name)
        for name in names:
            if name not in self._arrays:
                self._arrays[name] = self._world_array(name)
                self._bound[name] = None
        self._workers.clear()
        return tuple(self._arrays[name] for name in names)

    def __getattr__(self, name: str) -> Any:
        arrays = self.__dict__.get("_arrays", {})
        if name in arrays:
            return shown(name, arrays[name])
        if name in DATA_SCHEMA.fields:
            raise FieldError(f"{name} is not bound: call batch.bind({name!r}) once, then step or forward")
        raise FieldError(f"BatchSim has no attribute {name!r}{suggestion(name, [*arrays, *DATA_SCHEMA.fields])}")

    def __setattr__(self, name: str, value: Any) -> None:
        arrays = self.__dict__.get("_arrays", {})
        if name in arrays:
            if name not in SETTABLE:
                raise not_settable(name)
            fill(arrays[name], name, value)
        elif name in DATA_SCHEMA.fields:
            raise FieldError(f"{name} is not a state, an input or a bound output of this batch")
        elif name in FIXED and "_is_made" in self.__dict__:
            raise FieldError(f"{name} of a batch cannot be changed: make another BatchSim")
        else:
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        failed = int(np.count_nonzero(self._arrays["error_code"]))
        note = f", {failed} failed" if failed else ""
        varied = f", varying {', '.join(self.vary)}" if self.vary else ""
        return (
            f"<BatchSim of {self.n} worlds in {self.number.name}, {self.threads} threads{varied}{note}: {self.model!r}>"
        )

    def __getstate__(self) -> dict[str, Any]:
        return {
            "model": self.model, "n": self.n, "number": self.number, "threads": self.threads,
            "vary": self._variation.early, "late": self._variation.late,
            "arrays": self._arrays, "bound": tuple(self._bound),
        }  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        number, arrays = state["number"], state["arrays"]
        self.__init__(  # type: ignore[misc]
            state["model"],
            state["n"],
            dtype=number.base,
            lanes=number.worlds,
            threads=state["threads"],
            vary=state["vary"],
        )
        self._change_models(*state.get("late", (np.arange(0), {})))
        self.bind(*state["bound"])
        if arrays.keys() != self._arrays.keys():
            raise ModelError(f"the pickle of a batch has other fields: {sorted(arrays.keys() ^ self._arrays.keys())}")
        for name, array in arrays.items():
            if np.shape(array) != self._arrays[name].shape:
                raise ModelError(f"the pickle of a batch does not fit: {name} has shape {np.shape(array)}")
        for name, array in arrays.items():
            fill(self._arrays[name], name, array)

    # --- memory

    def _world_index(self, i: int) -> int:
        i = whole("the index of a world", i, -(2**62))
        if not -self.n <= i < self.n:
            raise FieldError(f"world {i} does not exist: the batch has {self.n}")
        return i % self.n

    def _world_array(self, name: str) -> np.ndarray:
        row = DATA_SCHEMA.fields[name]
        dtype = np.int32 if row.kind is Kind.WHOLE else self.number.dtype
        try:
            return aligned_zeros((self.n, *shape_of(row, self._sizes)), np.dtype(dtype))
        except (MemoryError, ValueError, OverflowError):
            raise FieldError(f"there is not enough memory for {name} of {self.n} worlds: ask for fewer") from None

    def _workspace(self, thread: int) -> Store:
        while len(self._workspaces) <= thread:
            store = Store(DATA_SCHEMA, self._sizes, self.number)
            store.allocate_all()
            store.arrays["is_strict"].fill(self._is_strict)
            prepare_hooks(store, self.model._hooks, self._is_varied)
            self._workspaces.append(store)
        return self._workspaces[thread]

    @property
    def _is_varied(self) -> bool:
        """Are numbers of the Model lanes, too?"""
        return bool(self.vary) and self.number.width > 1

    def _plan(self, around: Transfers, each_step: Transfers = NO_TRANSFERS) -> list[Worker]:
        """A worker for each thread, and the fields that they load and store: around all steps, in each of a rollout."""
        models, order = int(self._model_addresses.ctypes.data), int(self._order.ctypes.data)
        workers, wanted = [], needed(self._models[0])
        for thread in range(min(self.threads, len(self._models))):
            workspace = self._workspace(thread)
            link_hooks(workspace, self._is_varied)
            link_parts(workspace, self._is_varied, wanted, [group.batch_entry(self.number, self._is_varied)])
            transfer = transfer_table(workspace, self.n, around, each_step)
            progress = np.zeros(2, np.int64)
            arguments = (models, workspace.address, int(transfer.ctypes.data), len(transfer), order, self.n)
            held = (self._models, self._model_addresses, self._order, around, each_step)
            workers.append(
                Worker(arguments, progress, int(progress.ctypes.data), transfer, workspace, self._is_varied, held)
            )
        return workers

    def _run(self, op: int, n: int, strict: bool, each_step: Transfers = NO_TRANSFERS) -> None:
        if self.n == 0:
            return
        is_strict = flag("strict", strict)
        if is_strict != self._is_strict:
            self._is_strict = is_strict
            for workspace in self._workspaces:
                workspace.arrays["is_strict"].fill(is_strict)
        if is_interpreted():
            self._run_interpreted(("forward" if op == group.FORWARD else "step",), n, self._around(), each_step)
            return
        self._arrays["error_code"].fill(0)
        if any(each_step):
            workers = self._plan(self._around(), each_step)
        else:
            workers = self._workers = self._workers or self._plan(self._around())
        if self.number.width > 1 and not self.vary:  # the numbers of varied models have their places in lanes
            self._order[:] = np.argsort(self._arrays["row_pattern"], kind="stable")
        self._run_workers(workers, op, n)

    def _around(self) -> Transfers:
        """What every run loads and stores; hooks may write inputs, too."""
        return Transfers(
            {name: self._arrays[name] for name in (*KEPT, *ERRORS)},
            {name: array for name, array in self._arrays.items() if is_stored(name) or self.model._hooks},
        )

    def _run_workers(self, workers: list[Worker], op: int, n: int, ranges: list[tuple[int, int]] | None = None) -> None:
        """Run an operation in ranges of groups, by default all of them."""
        call, stop = self._native_call, Signal()
        ranges = split_groups(len(self._models), len(workers)) if ranges is None else ranges
        task = functools.partial(run_ranges, call, ranges, op, n, self._paces[op], stop)
        self._pool.run([functools.partial(task, worker) for worker in workers], stop)
        if stop.has_bad_control:
            self._warn_of_controls(workers)

    def _warn_of_controls(self, workers: list[Worker]) -> None:
        """Name a bad control, or say that there was one."""
        for worker in workers:
            worker.workspace.arrays["warning_number"][WarningType.BADCTRL] = 0
        words = "a control was NaN, infinite or beyond 1e10: all controls of its world were taken as zero in that step"
        for name in ("ctrl", "history"):
            bad = np.argwhere(~(np.abs(self._arrays[name]) <= MAXVAL))
            if len(bad):
                world, index = bad[0].tolist()
                arrays = {field: self._arrays[field][world] for field in ("ctrl", "history")}
                words = control_warning(self.model, arrays, index if name == "ctrl" else 0, world)
                break
        warnings.warn(words, BadControlWarning, stacklevel=6)

    def _run_interpreted(
        self, operations: Iterable[str], n: int, around: Transfers, each_step: Transfers = NO_TRANSFERS
    ) -> None:
        if self.number.width:
            raise FieldError("a batch runs interpreted only in float64, with lanes=1")
        store = self._workspace(0)
        is_rollout = any(each_step)
        for world in range(self.n):
            for name, array in around.loaded.items():
                store.arrays[name][...] = array[world]
            store.arrays["error_code"][...] = 0
            for step in range(n if is_rollout else 1):
                for name, array in each_step.loaded.items():
                    store.arrays[name][...] = array[world % len(array), step % array.shape[1]]
                for operation in operations:
                    run_until_done(operation, self._models[world], store, 1 if is_rollout else n)
                for name, array in each_step.stored.items():
                    array[world, step] = store.arrays[name]
            for name, array in around.stored.items():
                array[world] = store.arrays[name]

    def fingerprint(self, i: int | None = None) -> str:
        """A hash of the complete state of world i, that of a Data in the same state; None for all worlds, in order.

        It does not depend on lanes, on threads or on the machine.
        """
        worlds = slice(None) if i is None else slice(self._world_index(i), self._world_index(i) + 1)
        kept = {name: self._arrays[name][worlds] for name in KEPT}
        found = fingerprints_of_worlds(kept, self._sizes, len(range(self.n)[worlds]))
        return fingerprint_of_all(found) if i is None else found[0]


def run_until_done(operation: str, model: Store, store: Store, n: int) -> None:
    """Run an operation of one world interpreted, with as much memory as it takes."""
    run_interpreted(operation, model, store, n)
    while store.arrays["is_short"]:
        n -= int(store.arrays["steps_done"])
        store.grow()
        run_interpreted(operation, model, store, n)


def transfer_table(workspace: Store, n: int, around: Transfers, each_step: Transfers) -> np.ndarray:
    """What is loaded and stored for each lane group of n worlds; see the columns in group.py.

    Args:
        workspace: memory of a lane group.
        n: how many worlds.
        around: arrays (n, ...) that are loaded before and stored after all steps of a group.
        each_step: arrays (n, steps, ...) of a rollout; an axis of length 1 serves all worlds or all steps.
    """
    rows = []
    for name, array in {**around.loaded, **around.stored}.items():
        loads, stores = (group.ONCE if name in arrays else group.NEVER for arrays in around)
        rows.append((name, array, array.size // n, array.size // n, 0, loads, stores))
    for arrays, times in zip(each_step, ((group.EACH_STEP, group.NEVER), (group.NEVER, group.EACH_STEP)), strict=True):
        for name, array in arrays.items():
            count, (worlds, steps) = array[0, 0].size, array.shape[:2]
            strides = (count * steps if worlds > 1 else 0, count if steps > 1 else 0)
            rows.append((name, array, count, *strides, *times))
    table = [
        (array.ctypes.data, workspace.arrays[name].ctypes.data, *columns, is_whole(name))
        for name, array, *columns in rows
        if array.size
    ]
    return np.array(table, np.int64).reshape(len(table), group.TRANSFER_COLUMNS)


def split_groups(ngroup: int, threads: int) -> list[tuple[int, int]]:
    """Ranges of groups, a few for each thread, so that those that are done early can take more."""
    count = min(ngroup, RANGES_PER_THREAD * threads) if threads > 1 else 1
    return list(itertools.pairwise(np.linspace(0, ngroup, count + 1).astype(int).tolist()))


def run_ranges(
    call: Callable[..., Any],
    ranges: list[tuple[int, int]],
    op: int,
    n: int,
    pace: Pace,
    stop: Signal,
    worker: Worker,
) -> None:
    """Take ranges of groups while there are any, or until `stop` is asked.

    Args:
        call: the entry of the batch.
        ranges: what is left to do, of all threads.
        op: what to do.
        n: how many steps, or what else the operation takes.
        pace: how many steps of groups a call may take, so that signals are handled in between.
        stop: whether to end early.
        worker: memory of this thread.
    """
    steps = n if op in (group.STEP, group.ROLLOUT) else 1
    while True:
        try:
            first, last = ranges.pop()  # threads take turns: one of them gets it
        except IndexError:
            return
        while first < last:
            # several groups with all their steps, or some steps of one group
            count = min(max(pace.amount // max(steps, 1), 1), last - first)
            if steps <= pace.amount:
                run_groups(call, worker, (first, first + count), op, n, (0, n), pace, stop)
            else:
                run_some_steps(call, worker, first, op, n, pace, stop)
            if stop.is_asked:
                return
            first += count


def run_some_steps(
    call: Callable[..., Any], worker: Worker, first: int, op: int, n: int, pace: Pace, stop: Signal
) -> None:
    """All steps of one group, in several calls."""
    done = 0
    while done < n and not stop.is_asked:
        until = min(done + pace.amount, n)
        run_groups(call, worker, (first, first + 1), op, until, (done, until), pace, stop)
        done = until


def run_groups(
    call: Callable[..., Any],
    worker: Worker,
    groups: tuple[int, int],
    op: int,
    n: int,
    steps: tuple[int, int],
    pace: Pace,
    stop: Signal,
) -> None:
    """Some steps of some groups; a group that runs out of memory goes on where it was, with more."""
    first, last = groups
    began = perf_counter()
    worker.progress[:] = first, steps[0]
    arguments = (op, *worker.arguments, last, worker.progress_address, n)
    found = call(*arguments)
    while worker.progress[0] < last and not stop.is_asked:
        relieve(worker.workspace, worker.is_varied)
        found = call(*arguments)
    if found:
        stop.has_bad_control = True
    amount = (last - first) * (steps[1] - steps[0] if op in (group.STEP, group.ROLLOUT) else 1)
    pace.note(amount, perf_counter() - began)


def check_bindable(name: Any) -> None:
    """Refuse what has no array with an axis of worlds."""
    row = DATA_SCHEMA.fields.get(name) if isinstance(name, str) else None
    if row is None or row.scratch:
        raise FieldError(f"Data has no field {name!r}{suggestion(str(name), DATA_SCHEMA.fields)}")
    if row.kind is not Kind.REAL or row.live:
        raise FieldError(f"{name} cannot be bound: only real fields of fixed shape can")


def is_whole(name: str) -> bool:
    """Is the field one of whole numbers?"""
    return DATA_SCHEMA.fields[name].kind is Kind.WHOLE


def is_stored(name: str) -> bool:
    """Does a step write the field back? All but inputs."""
    return name not in KEPT or name in ADVANCED


def quiet_data(model: Model, dtype: str) -> Data:
    """A Data of a model that has been checked before."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.make_data(dtype=dtype)


def check_memory(model: Model, n: int) -> None:
    """Refuse more worlds than the machine has memory for."""
    count = sum(int(np.prod(shape_of(DATA_SCHEMA.fields[name], model._store.sizes), dtype=int)) for name in KEPT)
    needed = 4.0 * count * n
    if needed > physical_memory():
        raise FieldError(
            f"there is not enough memory for {n} worlds: their state takes {needed / 1e9:.3g} GB; ask for fewer"
        )


def physical_memory() -> float:
    """Bytes of memory of this machine; infinite where the system does not say."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return math.inf


def choose_number(model: Model, n: int, dtype: str, lanes: int | str) -> NumberType:
    """The number type of a batch."""
    if not isinstance(dtype, str) or dtype not in AUTO_LANES:
        raise FieldError(f'dtype is "float64" or "float32", not {dtype!r}')
    if isinstance(lanes, str) and lanes == "auto":
        pays = n > 1 and model.nv <= MAX_LANE_DOFS and not is_interpreted()
        lanes = AUTO_LANES[dtype] if pays else 1
    if not isinstance(lanes, (int, np.integer)) or lanes not in (1, 2, 4, 8, 16):
        raise FieldError(f'lanes is 1, 2, 4, 8, 16 or "auto", not {lanes!r}')
    return one_world(dtype) if lanes == 1 else NumberType(dtype, int(lanes))
