"""BatchSim: many worlds of one model, stepped together."""

from __future__ import annotations

import functools
import math
import os
import warnings
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np

from phalanx.algebra.jit import is_interpreted
from phalanx.algebra.number_type import NumberType, one_world
from phalanx.batch import group, snapshots
from phalanx.batch import vary as varying
from phalanx.batch.binding import (
    BINDABLE,
    ERRORS,
    KEPT,
    NOTED,
    PUBLIC,
    check_bindable,
    obstacle,
    requests_of,
)
from phalanx.batch.runs import Transfers
from phalanx.batch.snapshots import BatchSnapshot
from phalanx.batch.team import Plan
from phalanx.batch.vary_values import check_changes
from phalanx.batch.world_answers import WorldAnswers
from phalanx.batch.world_pictures import WorldPictures
from phalanx.batch.worlds import chosen_worlds, is_mask, world_index
from phalanx.constraint.passive_contact import asks_for_passive
from phalanx.memory.atomic import change_rows, complete
from phalanx.memory.awake import look_anew
from phalanx.memory.errors import FieldError, ModelError, WorldError, public_names, suggestion
from phalanx.memory.exclusive import Usage, exclusive
from phalanx.memory.fill import fill, numbers, whole
from phalanx.memory.layout import DATA_SCHEMA, shape_of
from phalanx.memory.store import Store, memory_beyond
from phalanx.native.pace import Pace
from phalanx.native.threads import ThreadPool, available_threads
from phalanx.pipeline.supported import check_model, elastic_flexes
from phalanx.smooth.flex.carrying_trees import carrier_total, carrier_tree
from phalanx.tables.data_fields import VARIABLE_SIZES, WATCHED
from phalanx.tables.enums import StateBit
from phalanx.tables.parts import has_flex_contacts
from phalanx.world.data import MOST_STEPS, SETTABLE, Data, not_settable, shown, whole_steps
from phalanx.world.faults import check_faults, world_error
from phalanx.world.fingerprint import fingerprint_of_all, fingerprints_of_worlds
from phalanx.world.model import Model
from phalanx.world.provided import provided
from phalanx.world.state_vector import get_state, set_state, state_bits
from phalanx.world.transition_result import Transition

#: Beyond this many dofs, lanes do not pay and worlds are stepped one by one.
MAX_LANE_DOFS = 3000
#: More loose bodies than this make a heap, which is another puzzle in each world: lanes do not pay, either. A tree with
#: fewer dofs than that is loose: a body that floats, or little more.
MAX_LOOSE_TREES, MIN_TREE_DOFS = 8, 12
#: The most threads that can be asked for: more would only wait for each other.
MAX_THREADS = 1024
#: What describes a batch, and cannot be assigned.
FIXED = ("model", "n", "number", "threads", "vary")
#: What world_error looks at.
INSPECTED = ("qpos", "qvel", *WATCHED)
#: Worlds per lane group when the choice is ours.
AUTO_LANES = {"float64": 8, "float32": 16}


class BatchSim(WorldAnswers, WorldPictures):
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
        lanes: worlds per vector register: 1, 2, 4, 8, 16, or "auto". Worlds whose trees can sleep are stepped one by
            one, whatever it says.
        threads: how many threads; None for all CPUs this process may use.
        vary: fields that differ from world to world: name -> array (n, *shape of the field). Options are named
            "opt.gravity" and so on. Derived constants follow. `set_vary` changes them later.
        device: "cpu"; or the name of a device, which makes a `GpuBatchSim`; or "auto" for what `try_device` finds.

    Example:
        >>> batch = BatchSim(model, 256, vary={"opt.gravity": gravities})      # doctest: +SKIP
        >>> (xpos,) = batch.bind("xpos")                                       # doctest: +SKIP
        >>> batch.ctrl[:] = policy(batch.qpos, batch.qvel); batch.step()       # doctest: +SKIP
    """

    def __new__(cls, *arguments: Any, device: str = "cpu", **named: Any) -> BatchSim:
        """A batch of the CPU, or of a device: the folder of devices is above this one."""
        if cls is BatchSim and not (isinstance(device, str) and device == "cpu"):
            cls = provided("batch_on")(device)
        return object.__new__(cls)

    def __init__(
        self,
        model: Model,
        n: int,
        *,
        dtype: str = "float64",
        lanes: int | str = "auto",
        threads: int | None = None,
        vary: Mapping[str, Any] | None = None,
        device: str = "cpu",
    ):
        if "_is_made" in self.__dict__:
            raise FieldError("this BatchSim has its worlds: make another one")
        if not isinstance(model, Model):
            is_path = isinstance(model, (str, os.PathLike))
            hint = f": phalanx.BatchSim(phalanx.load({str(model)!r}), n)" if is_path else ""
            raise FieldError(f"a batch needs a Model, not {type(model).__name__}{hint}")
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
        self._order = np.arange(n, dtype=np.int64)
        self._bound: dict[str, None] = {}
        self._workspaces: list[Store] = []
        self._is_strict = False
        self._requests = 0
        self._arrays = {name: self._kept_array(name) for name in (*KEPT, *ERRORS, *NOTED)}
        self._plan_of_all: Plan | None = None
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
        if type(n) is not int or not 0 <= n <= MOST_STEPS:
            n = whole_steps(n)
        self._run(group.STEP, n, strict)

    def step_all(self, n: int = 1, *, strict: bool = False) -> list[WorldError | None]:
        """Advance every world by n steps; the error of each world that failed, None for the others."""
        self.step(n, strict=strict)
        return self.errors

    @exclusive
    def forward(self, worlds: Any = None, *, strict: bool = False) -> None:
        """Compute the bound outputs at the present state; the state does not change.

        Args:
            worlds: which: an index, a list, or n booleans; None for all. Outputs of the others stay as they were.
            strict: a world whose constraint solver does not converge is among the `errors`.
        """
        self._run(group.FORWARD, 1, strict, worlds=None if worlds is None else chosen_worlds(worlds, self.n))

    # --- sensors and errors

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
    def reset(self, worlds: Any = None, keyframe: int | str | None = None) -> None:
        """Put worlds back to their initial state, or to a keyframe.

        Args:
            worlds: which: an index, a list, or n booleans; None for all.
            keyframe: its name or id; None for the initial state.
        """
        self._set_initial(chosen_worlds(worlds, self.n), keyframe)

    @exclusive
    def reset_where(self, mask: Any, keyframe: int | str | None = None) -> None:
        """Put the worlds where `mask` holds back to their initial state, or to a keyframe.

        Args:
            mask: n booleans.
        """
        chosen = numbers("the mask", mask)
        if chosen.dtype != np.bool_ or chosen.shape != (self.n,):
            raise FieldError(
                f"the mask must be {self.n} booleans, not {chosen.dtype} of shape {chosen.shape}; worlds by index: "
                "reset([0, 2])"
            )
        self._set_initial(np.flatnonzero(chosen), keyframe)

    @exclusive
    def reset_all(self, keyframe: int | str | None = None) -> None:
        """Put every world back to its initial state, or to a keyframe."""
        self._set_initial(np.arange(self.n), keyframe)

    # --- derivatives

    @exclusive
    def transition(
        self,
        method: str = "fd",
        *,
        eps: float = 1e-6,
        centered: bool = True,
        sensors: bool = True,
        one_sided: bool = True,
        lanes: int | str = "auto",
        threads: int | None = None,
    ) -> Transition:
        """Derivatives of a step of every world, as `Data.transition`; A is (n, 2 nv + na, 2 nv + na), and so on.

        Bit for bit those of each world as a Data of its own. The worlds do not change. A world whose step fails has
        derivatives of zero and is among `failed` of the result.

        Args:
            method: "fd", "analytic" or "hybrid"; exact derivatives are computed one world after the other.
            eps: size of the differences.
            centered: differences to both sides.
            sensors: also C and D.
            one_sided: at a kink, take the side that is on the same piece of the physics.
            lanes: worlds per vector register; "auto" for those of the batch.
            threads: threads that share the work; None for those of the batch.
        """
        # the folder of derivatives is above this one
        return provided("transition")(
            self._on_cpu(), method, eps=eps, centered=centered, sensors=sensors, one_sided=one_sided, lanes=lanes,
            threads=self.threads if threads is None else threads,
        )  # fmt: skip

    def on_cpu(self) -> BatchSim:
        """The batch itself; of one on a device, a BatchSim of the CPU with the same worlds."""
        return self._on_cpu()

    def _on_cpu(self) -> BatchSim:
        return self

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
        self._set_vary(mask, fields)

    def _set_vary(self, mask: Any, fields: Mapping[str, Any]) -> None:
        """`set_vary`, for those who are at work with the batch."""
        worlds = chosen_worlds(mask, self.n)
        self._change_models(worlds, check_changes(self.model, fields, worlds, self.n, is_mask(mask), self.number))

    def _change_models(self, worlds: np.ndarray, values: dict[str, np.ndarray]) -> None:
        """Give some worlds other parameters, (k, *shape) each, that have been checked."""
        is_first = self.number.width > 1 and not self.vary
        if is_first and not is_interpreted():
            for hook in self.model._hooks.values():
                hook.address(self.number, True)  # one that cannot be compiled for lanes is an error before any change

        def renew() -> None:
            """Numbers of the Model are lanes from now on: other machine code, and each world has its place."""
            self._plan_of_all = None
            self._workspaces.clear()
            self.__dict__.pop("_team", None)
            self._order[:] = np.arange(self.n)

        self._variation.change(worlds, values, renew if is_first else lambda: None)

    def _set_initial(self, worlds: np.ndarray, keyframe: int | str | None) -> None:
        """Begin anew in some worlds, in all of them or in none; where Models differ, each in its own way."""
        if keyframe is not None:
            rows: Mapping[str, np.ndarray] = self._spare_data.reset(keyframe)._store.arrays
        elif self.vary or not self._initial:
            changed = {name: self._arrays[name] for name in (*KEPT, "error_code", *self._retained())}
            change_rows(changed, worlds, lambda: self._run_initial(worlds))
            return
        else:
            rows = self._initial
        complete(lambda: self._copy_rows(rows, worlds))

    def _copy_rows(self, rows: Mapping[str, np.ndarray], worlds: np.ndarray) -> None:
        for name in KEPT:
            self._arrays[name][worlds] = rows[name]
        self._clear_rest(worlds)

    def _clear_rest(self, worlds: np.ndarray) -> None:
        """Errors, and what passes leave as it was, of worlds that begin anew."""
        self._arrays["error_code"][worlds] = 0
        for name in self._retained():
            self._arrays[name][worlds] = DATA_SCHEMA.fields[name].default

    def _run_initial(self, worlds: np.ndarray) -> None:
        """`initial_state` in the lane groups of some worlds."""
        if not len(worlds):
            return
        self._clear_rest(worlds)
        chosen = self._world_array("is_reset")
        chosen[worlds] = 1
        kept = {name: self._arrays[name] for name in KEPT}
        around = Transfers({**kept, "is_reset": chosen}, kept)
        if is_interpreted():
            self._run_interpreted(group.INITIAL, 1, around)
            return
        order = np.arange(self.n, dtype=np.int64)
        self._run_plan(self._plan(around, order=order, groups=self._groups_of(worlds)), group.INITIAL, 1)

    @functools.cached_property
    def _spare_data(self) -> Data:
        return quiet_data(self.model, self.number.base)

    # --- worlds and fields

    def __len__(self) -> int:
        return self.n

    @exclusive
    def env(self, i: int) -> Data:
        """A Data of its own with the state and inputs of world i, after forward. It does not follow the batch."""
        i = world_index(i, self.n)
        data = quiet_data(self._variation.model_of(i), self.number.base)
        for name in KEPT:
            data._store.arrays[name][...] = self._arrays[name][i]
        look_anew(data._store.arrays)
        return data.forward()

    @exclusive
    def get_state(self, sig: int | str = StateBit.INTEGRATION) -> np.ndarray:
        """Parts of the state of all worlds, (n, `model.state_size(sig)`): row i is `Data.get_state` of world i."""
        return get_state(self._arrays, self._sizes, state_bits(sig), (self.n,))

    @exclusive
    def set_state(self, state: Any, sig: int | str = StateBit.INTEGRATION) -> None:
        """Set the parts of the state that `sig` names.

        Args:
            state: vectors (n, size) as `get_state` gives them, or one (size,) for all worlds.
            sig: which parts, as in `Data.get_state`.
        """
        set_state(self._arrays, self._sizes, state, state_bits(sig), (self.n,))

    @exclusive
    def snapshot(self, worlds: Any = None) -> BatchSnapshot:
        """A copy of the state, the inputs and the bound outputs of worlds. Pickles.

        Args:
            worlds: which: an index, a list, or n booleans; None for all.
        """
        return snapshots.take(self._arrays, chosen_worlds(worlds, self.n))

    @exclusive
    def restore(self, snapshot: Mapping[str, Any], worlds: Any = None) -> None:
        """Put worlds into the state of a snapshot, from where they go on bit by bit as the worlds that it was taken of.

        What a world does also depends on its Model: fields that vary stay those of the world.

        Args:
            snapshot: of as many worlds, or of one world for all of them, of a batch or a Data of the same model.
            worlds: which: an index, a list, or n booleans; None for all.

        Raises:
            ModelError: the snapshot does not fit; nothing is changed.
        """
        chosen = chosen_worlds(worlds, self.n)
        rows = snapshots.checked(snapshot, self._arrays, len(chosen))
        if "error_code" in rows:
            check_faults(self.model, rows["error_code"], rows.get("error_id", np.zeros_like(rows["error_code"])))
        snapshots.put(rows, self._arrays, chosen)

    @exclusive
    def bind(self, *names: str) -> tuple[np.ndarray, ...]:
        """Ask for outputs: arrays (n, ...) that `step` and `forward` fill from now on, also attributes of the batch.

        After `step` they hold what was computed during the last step, as the fields of a Data do. What a step does not
        always compute (`energy`, `subtree_linvel`, `cfrc_ext`, `qfrc_inverse`, ...) it computes from now on, before it
        integrates: as forward and the method of a Data would, called before the step.

        Raises:
            FieldError: there is no such field, or no step of this model fills it; nothing is bound.
        """
        for name in names:
            check_bindable(name, self.model)
        for name in names:
            if name not in self._arrays:
                array = self._kept_array(name)
                array[...] = DATA_SCHEMA.fields[name].default
                self._arrays[name] = array
                self._bound[name] = None
        self._set_requests(requests_of(self._bound))
        self._plan_of_all = None
        return tuple(self._arrays[name] for name in names)

    def __getattr__(self, name: str) -> Any:
        arrays = self.__dict__.get("_arrays", {})
        if name in arrays:
            return shown(name, arrays[name])
        if name in PUBLIC and (reason := obstacle(DATA_SCHEMA.fields[name], self.model)):
            raise FieldError(f"a batch has no {name}: {reason}")
        if name in PUBLIC:
            raise FieldError(f"{name} is not bound: call batch.bind({name!r}) once, then step or forward")
        raise FieldError(f"BatchSim has no attribute {name!r}{suggestion(name, self._names())}")

    def _names(self) -> list[str]:
        """Fields and methods that users may mean."""
        return [*public_names(type(self)), *FIXED, *BINDABLE]

    def __setattr__(self, name: str, value: Any) -> None:
        arrays = self.__dict__.get("_arrays", {})
        if name in arrays:
            if name not in SETTABLE:
                raise not_settable(name)
            fill(arrays[name], name, value)
        elif name.startswith("_") or "_is_made" not in self.__dict__:
            object.__setattr__(self, name, value)
        elif name in FIXED:
            raise FieldError(f"{name} of a batch cannot be changed: make another BatchSim")
        elif name in DATA_SCHEMA.fields and name in PUBLIC and not hasattr(type(self), name):
            raise FieldError(f"{name} is not a state, an input or a bound output of this batch")
        elif hasattr(type(self), name):
            raise FieldError(f"{name} of a batch cannot be assigned")
        else:
            raise FieldError(f"BatchSim has no attribute {name!r}{suggestion(name, self._names())}")

    def __dir__(self) -> list[str]:
        return self._names()

    def __repr__(self) -> str:
        failed = int(np.count_nonzero(self._arrays["error_code"]))
        note = f", {failed} failed" if failed else ""
        varied = f", varying {', '.join(self.vary)}" if self.vary else ""
        return (
            f"<BatchSim of {self.n} worlds in {self.number.name}, {self.threads} threads{varied}{note}: {self.model!r}>"
        )

    @exclusive
    def close(self) -> None:
        """End the threads of this batch, which otherwise end when it is deleted. The next call starts them again."""
        self._pool.close()

    def __enter__(self) -> BatchSim:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @exclusive
    def __getstate__(self) -> dict[str, Any]:
        return {
            "model": self.model, "n": self.n, "number": self.number, "threads": self.threads,
            "vary": self._variation.early, "late": self._variation.late,
            "arrays": self._arrays, "bound": tuple(self._bound),
        }  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        snapshots.check_pickle(state)
        number, arrays = state["number"], state["arrays"]
        self.__init__(  # type: ignore[misc]
            state["model"],
            state["n"],
            dtype=number.base,
            lanes=number.worlds,
            threads=state["threads"],
            vary=state["vary"],
            device=state.get("device", "cpu"),
        )
        worlds, late = state.get("late", ((), {}))
        if len(worlds):
            self._set_vary(worlds, late)
        self.bind(*state["bound"])
        if arrays.keys() != self._arrays.keys():
            raise ModelError(f"the pickle of a batch has other fields: {sorted(arrays.keys() ^ self._arrays.keys())}")
        for name, array in arrays.items():
            if np.shape(array) != self._arrays[name].shape:
                raise ModelError(f"the pickle of a batch does not fit: {name} has shape {np.shape(array)}")
        for name, array in arrays.items():
            fill(self._arrays[name], name, array)
        check_faults(self.model, self._arrays["error_code"], self._arrays["error_id"])

    # --- memory

    @property
    def nbytes(self) -> int:
        """Bytes of memory: the state and the bound outputs of all worlds, and what each thread works in.

        Of the Model only what differs between worlds is counted; `model.nbytes` is the rest.
        """
        of_worlds = sum(array.nbytes for array in (*self._arrays.values(), *self._initial.values()))
        in_work = sum(store.nbytes for store in self._workspaces)
        varied = memory_beyond(self.model._store, self._models) if self.vary else 0
        return of_worlds + in_work + varied + sum(array.nbytes for array in self.vary.values())

    @exclusive
    def fingerprint(self, i: int | None = None) -> str:
        """A hash of the complete state of world i, that of a Data in the same state; None for all worlds, in order.

        It does not depend on lanes, on threads or on the machine.
        """
        worlds = slice(None) if i is None else slice(world_index(i, self.n), world_index(i, self.n) + 1)
        kept = {name: self._arrays[name][worlds] for name in KEPT}
        found = fingerprints_of_worlds(kept, self._sizes, len(range(self.n)[worlds]))
        return fingerprint_of_all(found) if i is None else found[0]


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


def lanes_pay(model: Model) -> bool:
    """Are several worlds in lockstep faster than one after another?"""
    trees = loose_trees(model)
    is_heap = trees > MAX_LOOSE_TREES and model.nv < MIN_TREE_DOFS * trees
    return model.nv <= MAX_LANE_DOFS and not is_heap


def loose_trees(model: Model) -> int:
    """How many trees move by themselves; those that carry a flex move together."""
    carrying = {
        carrier_tree(model, flex, k) for flex in range(model.nflex) for k in range(carrier_total(model, flex))
    } - {-1}
    return int(model.ntree) - len(carrying) + int(model.nflex)


def lanes_share_rows(model: Model) -> bool:
    """May worlds be in lanes at all?

    Who sleeps differs from world to world, and so does what is left to do. So do the trees that a contact of
    interpolated flexes ties together, unless elastic forces do, and the dofs that passive contacts push.
    """
    if model.nsleep or any(asks_for_passive(model, flex) for flex in range(model.nflex)):
        return False
    if not model.nflex or not has_flex_contacts(model):
        return True
    return set(np.flatnonzero(model.flex_interp).tolist()) <= set(elastic_flexes(model))


def choose_number(model: Model, n: int, dtype: str, lanes: int | str) -> NumberType:
    """The number type of a batch."""
    if not isinstance(dtype, str) or dtype not in AUTO_LANES:
        raise FieldError(f'dtype is "float64" or "float32", not {dtype!r}')
    if isinstance(lanes, str) and lanes == "auto":
        lanes = AUTO_LANES[dtype] if n > 1 and lanes_pay(model) and not is_interpreted() else 1
    if not isinstance(lanes, (int, np.integer)) or lanes not in (1, 2, 4, 8, 16):
        raise FieldError(f'lanes is 1, 2, 4, 8, 16 or "auto", not {lanes!r}')
    if not lanes_share_rows(model):
        lanes = 1
    return one_world(dtype, sleeps=model.nsleep > 0) if lanes == 1 else NumberType(dtype, int(lanes))
