"""BatchSim: many worlds of one model, stepped together."""

from __future__ import annotations

import functools
import math
import os
import warnings
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.jit import is_interpreted
from phalanx.algebra.number_type import NumberType, one_world
from phalanx.batch import contact_list, group, snapshots
from phalanx.batch import vary as varying
from phalanx.batch.binding import (
    ADVANCED,
    BINDABLE,
    ERRORS,
    KEPT,
    NOTED,
    PUBLIC,
    check_bindable,
    is_stored,
    obstacle,
    parts_of,
    requests_of,
)
from phalanx.batch.contact_list import WorldContactTable
from phalanx.batch.runs import (
    NO_TRANSFERS,
    Signal,
    Transfers,
    Worker,
    run_ranges,
    run_until_done,
    split_groups,
    transfer_table,
)
from phalanx.batch.snapshots import BatchSnapshot
from phalanx.batch.threads import ThreadPool, available_threads
from phalanx.batch.vary_values import check_changes
from phalanx.batch.worlds import chosen_worlds, is_mask, world_index
from phalanx.collision.ray.hits import ANSWERS, RayHit, checked_rays, hits_of, rays_of_shape
from phalanx.hook.hooks import link_hooks, prepare_hooks
from phalanx.memory.atomic import change_rows, complete
from phalanx.memory.errors import BadControlWarning, FieldError, ModelError, WorldError, public_names, suggestion
from phalanx.memory.exclusive import Usage, exclusive
from phalanx.memory.fill import fill, flag, numbers, whole
from phalanx.memory.layout import DATA_SCHEMA, shape_of
from phalanx.memory.store import Store, memory_beyond
from phalanx.native.pace import Pace
from phalanx.pipeline import world_queries
from phalanx.pipeline.parts import link_parts, needed
from phalanx.pipeline.supported import check_discrete, check_model
from phalanx.tables.data_fields import VARIABLE_SIZES, WATCHED
from phalanx.tables.enums import StateBit, WarningType
from phalanx.tables.field import Kind
from phalanx.tables.requests import RETAINED
from phalanx.tables.sizes import MAXVAL
from phalanx.world.contacts import ContactTable
from phalanx.world.data import SETTABLE, Data, not_settable, shown, whole_steps
from phalanx.world.faults import control_warning, world_error
from phalanx.world.fingerprint import fingerprint_of_all, fingerprints_of_worlds
from phalanx.world.model import Model
from phalanx.world.noise import noise_levels, with_noise
from phalanx.world.rays import ray_filter
from phalanx.world.state_vector import get_state, set_state, state_bits
from phalanx.world.typed import BatchFields

__all__ = ["ADVANCED", "AUTO_LANES", "ERRORS", "KEPT", "BatchSim", "BodyForces"]

#: Beyond this many dofs, lanes do not pay and worlds are stepped one by one.
MAX_LANE_DOFS = 100
#: The most threads that can be asked for: more would only wait for each other.
MAX_THREADS = 1024
#: What describes a batch, and cannot be assigned.
FIXED = ("model", "n", "number", "threads", "vary")
#: What world_error looks at.
INSPECTED = ("qpos", "qvel", *WATCHED)
#: Rays that each world casts in one call.
RAYS_AT_ONCE = 1024
#: Worlds per lane group when the choice is ours.
AUTO_LANES = {"float64": 8, "float32": 16}


class BodyForces(NamedTuple):
    """What `rne_post_constraint` computes, (worlds, nbody, 6) each.

    Attributes:
        cacc: acceleration of each body at the center of its tree: angular, linear [rad/s², m/s²].
        cfrc_int: force between the body and its parent: torque, force [N·m, N].
        cfrc_ext: external force on the body, contacts included: torque, force [N·m, N].
    """

    cacc: np.ndarray
    cfrc_int: np.ndarray
    cfrc_ext: np.ndarray


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
        self._arrays = {name: self._world_array(name) for name in (*KEPT, *ERRORS, *NOTED)}
        self._order = np.arange(n, dtype=np.int64)
        self._bound: dict[str, None] = {}
        self._workspaces: list[Store] = []
        self._is_strict = False
        self._requests = 0
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
    def forward(self, worlds: Any = None, *, strict: bool = False) -> None:
        """Compute the bound outputs at the present state; the state does not change.

        Args:
            worlds: which: an index, a list, or n booleans; None for all. Outputs of the others stay as they were.
            strict: a world whose constraint solver does not converge is among the `errors`.
        """
        self._run(group.FORWARD, 1, strict, worlds=None if worlds is None else chosen_worlds(worlds, self.n))

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
        return self._ask(group.INVERSE, 1, {"qfrc_inverse": found}, {"qacc": given})["qfrc_inverse"]

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
        return self._ask(group.RAYS, k, answers, rays)

    # --- contacts

    @property
    def ncon(self) -> np.ndarray:
        """How many contacts each world had in the last `step` or `forward`, (n,): `ncon` of a Data for all worlds."""
        return shown("ncon", self._arrays["contact_count"])

    def contacts(self, i: int | None = None) -> ContactTable:
        """The contacts of world i at its present state: `Data.contacts` of `env(i)`."""
        if i is None:
            raise FieldError("contacts(i) takes the index of a world; contact_table() has the contacts of all worlds")
        return self.env(i).contacts()

    @exclusive
    def contact_table(self, worlds: Any = None) -> WorldContactTable:
        """The contacts of all worlds at their present states, with a column `world`; the rest as in `contacts(i)`.

        Args:
            worlds: which: an index, a list, or n booleans; None for all.

        Example:
            >>> table = batch.contact_table()                                      # doctest: +SKIP
            >>> pushes = np.bincount(table.world, -table.force1[:, 2], batch.n)    # doctest: +SKIP
        """
        chosen = chosen_worlds(worlds, self.n)
        room = contact_list.FIRST_ROOM
        listed = self._list_contacts(room, chosen)
        while (count := int(listed["listed_count"].max(initial=0))) > room:
            room = count
            listed = self._list_contacts(room, chosen)
        found = {name: array[chosen] for name, array in listed.items()}
        return contact_list.contact_table(self.model, found, chosen)

    @exclusive
    def rne_post_constraint(self, worlds: Any = None) -> BodyForces:
        """Accelerations of bodies and the forces on them at the present state: `Data.rne_post_constraint` for worlds.

        To have them in every step, bind `cacc`, `cfrc_int` or `cfrc_ext`.

        Args:
            worlds: which: an index, a list, or n booleans; None for all.

        Returns:
            arrays (worlds, nbody, 6): cacc, cfrc_int, cfrc_ext.
        """
        chosen = chosen_worlds(worlds, self.n)
        answers = {name: self._world_array(name) for name in BodyForces._fields}
        requests = self._requests
        self._set_requests(requests_of(answers))
        try:
            self._ask(group.FORWARD, 1, answers, worlds=chosen)
        finally:
            self._set_requests(requests)
        return BodyForces(**{name: array[chosen] for name, array in answers.items()})

    # --- Jacobians

    def jac(self, point: Any, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (n, 3, nv) of a world point that moves with a body: of its velocity and of the body's rotation.

        As all Jacobians here at the present state of each world, whatever was computed before.

        Args:
            point: in the world, (n, 3), or (3,) for all worlds [m].
            body: its name or id.
        """
        return self._jacobians(world_queries.OF_POINT, "body", body, point)

    def jac_dot(self, point: Any, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Time derivatives of the Jacobians of `jac`."""
        return self._jacobians(world_queries.RATE_OF_POINT, "body", body, point)

    def jac_body(self, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (n, 3, nv) of the origin of a body frame."""
        return self._jacobians(world_queries.OF_BODY, "body", body)

    def jac_body_com(self, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (n, 3, nv) of the center of mass of a body."""
        return self._jacobians(world_queries.OF_BODY_COM, "body", body)

    def jac_geom(self, geom: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (n, 3, nv) of the center of a geom."""
        return self._jacobians(world_queries.OF_GEOM, "geom", geom)

    def jac_site(self, site: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (n, 3, nv) of a site."""
        return self._jacobians(world_queries.OF_SITE, "site", site)

    def jac_subtree_com(self, body: int | str) -> np.ndarray:
        """Jacobian (n, 3, nv) of the center of mass of a body with its descendants."""
        return self._jacobians(world_queries.OF_SUBTREE_COM, "body", body)[0]

    def angmom_mat(self, body: int | str) -> np.ndarray:
        """Angular momentum (n, 3, nv) of a subtree about its center of mass, per unit velocity of each dof."""
        return self._jacobians(world_queries.OF_ANGULAR_MOMENTUM, "body", body)[1]

    @exclusive
    def _jacobians(self, kind: int, of: str, key: int | str, point: Any = None) -> tuple[np.ndarray, np.ndarray]:
        objid = self.model.names.id_of(of, key)
        given = {} if point is None else {"jac_point": self._world_array("jac_point")}
        for array in given.values():
            values = numbers("point", point)
            fill(array, "point", np.broadcast_to(values, array.shape) if values.shape == (3,) else values)
        answers = {name: self._world_array(name) for name in ("jacp", "jacr")}
        self._ask(group.JACOBIANS, 1 + kind + group.JACOBIAN_KINDS * objid, answers, given)
        # kept as one column per dof
        return answers["jacp"].transpose(0, 2, 1).copy(), answers["jacr"].transpose(0, 2, 1).copy()

    def _list_contacts(self, room: int, worlds: np.ndarray) -> dict[str, np.ndarray]:
        """Contacts of some worlds, at most `room` of each lane group, and how many each group has."""
        shapes = {name: contact_list.shape_of_listed(name, room) for name in contact_list.LISTED}
        answers = {name: np.zeros((self.n, *shape), self.number.dtype) for name, shape in shapes.items()}
        answers |= {name: self._world_array(name) for name in ("listed_count", *contact_list.MOTION)}
        for thread in range(min(self.threads, max(len(self._models), 1))):
            workspace = self._workspace(thread)
            if workspace.sizes["nlisted"] < room or is_interpreted():  # which copies whole rows
                workspace.resize("nlisted", room)
        return self._ask(group.CONTACTS, room, answers, worlds=worlds)

    # --- sensors and errors

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
            self._workers.clear()
            self._workspaces.clear()
            self.__dict__.pop("_native_call", None)
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
        self._run_workers(self._plan(around), group.INITIAL, 1, self._ranges_of(worlds))

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
        i = world_index(i, self.n)
        data = quiet_data(self._variation.model_of(i), self.number.base)
        for name in KEPT:
            data._store.arrays[name][...] = self._arrays[name][i]
        return data.forward()

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
        snapshots.put(snapshots.checked(snapshot, self._arrays, len(chosen)), self._arrays, chosen)

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
                array = self._world_array(name)
                array[...] = DATA_SCHEMA.fields[name].default
                self._arrays[name] = array
                self._bound[name] = None
        self._set_requests(requests_of(self._bound))
        self._workers.clear()
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

    @property
    def nbytes(self) -> int:
        """Bytes of memory: the state and the bound outputs of all worlds, and what each thread works in.

        Of the Model only what differs between worlds is counted; `model.nbytes` is the rest.
        """
        of_worlds = sum(array.nbytes for array in (*self._arrays.values(), *self._initial.values()))
        in_work = sum(store.nbytes for store in self._workspaces)
        varied = memory_beyond(self.model._store, self._models) if self.vary else 0
        return of_worlds + in_work + varied + sum(array.nbytes for array in self.vary.values())

    def _set_requests(self, requests: int) -> None:
        """Ask steps and forward passes to compute rows that they do not always compute."""
        self._requests = requests
        for workspace in self._workspaces:
            workspace.arrays["requests"].fill(requests)

    def _set_strict(self, strict: bool) -> None:
        is_strict = flag("strict", strict)
        if is_strict != self._is_strict:
            self._is_strict = is_strict
            for workspace in self._workspaces:
                workspace.arrays["is_strict"].fill(is_strict)

    def _retained(self) -> list[str]:
        """Bound rows of which a pass may leave elements as they were."""
        return [name for name in RETAINED if name in self._bound]

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
            store.arrays["requests"].fill(self._requests)
            prepare_hooks(store, self.model._hooks, self._is_varied)
            self._workspaces.append(store)
        return self._workspaces[thread]

    @property
    def _is_varied(self) -> bool:
        """Are numbers of the Model lanes, too?"""
        return bool(self.vary) and self.number.width > 1

    def _plan(
        self, around: Transfers, each_step: Transfers = NO_TRANSFERS, order: np.ndarray | None = None
    ) -> list[Worker]:
        """A worker for each thread, and the fields that they load and store: around all steps, in each of a rollout.

        Args:
            around: arrays (n, ...).
            each_step: arrays (n, steps, ...).
            order: worlds in the order in which lane groups take them; None for all, alike ones together.
        """
        order = self._order if order is None else order
        models, first_world = int(self._model_addresses.ctypes.data), int(order.ctypes.data)
        workers, wanted = [], [*needed(self._models[0]), *parts_of(self._requests)]
        for thread in range(min(self.threads, self._count_groups(len(order)))):
            workspace = self._workspace(thread)
            link_hooks(workspace, self._is_varied)
            link_parts(workspace, self._is_varied, wanted, [group.batch_entry(self.number, self._is_varied)])
            transfer = transfer_table(workspace, self.n, around, each_step)
            progress = np.zeros(2, np.int64)
            # compiled code gets addresses: the worker holds what they point to
            arguments = (models, workspace.address, int(transfer.ctypes.data), len(transfer), first_world, len(order))
            held = (self._models, self._model_addresses, order, around, each_step)
            workers.append(
                Worker(arguments, progress, int(progress.ctypes.data), transfer, workspace, self._is_varied, held)
            )
        return workers

    def _count_groups(self, count: int) -> int:
        """How many lane groups so many worlds are."""
        return -(-count // self.number.worlds)

    def _ranges_of(self, worlds: np.ndarray) -> list[tuple[int, int]]:
        """The lane groups of some worlds, in the order of all."""
        return [(first, first + 1) for first in np.unique(worlds // self.number.worlds).tolist()]

    def _run(
        self, op: int, n: int, strict: bool, each_step: Transfers = NO_TRANSFERS, worlds: np.ndarray | None = None
    ) -> None:
        """Steps or a forward pass of all worlds or of some."""
        if self.n == 0:
            return
        self._set_strict(strict)
        self._arrays["error_code"][slice(None) if worlds is None else worlds] = 0
        if worlds is not None:
            self._run_chosen(op, n, self._around(), worlds)
        elif is_interpreted():
            self._run_interpreted(op, n, self._around(), each_step)
        else:
            if any(each_step):
                workers = self._plan(self._around(), each_step)
            else:
                workers = self._workers = self._workers or self._plan(self._around())
            if self.number.width > 1 and not self.vary:  # the numbers of varied models have their places in lanes
                self._order[:] = np.argsort(self._arrays["row_pattern"], kind="stable")
            self._run_workers(workers, op, n)

    def _run_chosen(self, op: int, n: int, around: Transfers, worlds: np.ndarray) -> None:
        """An operation in some worlds; the arrays of the others do not change."""
        if not len(worlds):
            return
        if is_interpreted():
            self._run_interpreted(op, n, around, worlds=worlds)
        elif self.vary:
            # lane groups have their places: neighbors run, too, and get back what they had
            ranges = self._ranges_of(worlds)
            width = self.number.worlds
            others = np.concatenate([np.arange(first * width, min(last * width, self.n)) for first, last in ranges])
            others = np.setdiff1d(others, worlds)
            before = {name: array[others] for name, array in around.stored.items()}
            order = np.arange(self.n, dtype=np.int64)
            try:
                self._run_workers(self._plan(around, order=order), op, n, ranges)
            finally:
                for name, values in before.items():
                    around.stored[name][others] = values
        else:
            order = worlds[np.argsort(self._arrays["row_pattern"][worlds], kind="stable")].astype(np.int64)
            workers = self._plan(around, order=order)
            self._run_workers(workers, op, n, split_groups(self._count_groups(len(order)), len(workers)))

    def _ask(
        self,
        op: int,
        n: int,
        answers: dict[str, np.ndarray],
        given: Mapping[str, np.ndarray] | None = None,
        worlds: np.ndarray | None = None,
    ) -> dict[str, np.ndarray]:
        """Fill arrays (n, ...) by field with what an operation finds at the present state, which does not change.

        Args:
            op: the operation.
            n: what it takes.
            answers: the arrays.
            given: what is loaded beside state and inputs, by field.
            worlds: which; None for all.
        """
        if self.n and any(array.size for array in answers.values()):
            around = Transfers({**{name: self._arrays[name] for name in KEPT}, **(given or {})}, answers)
            self._set_strict(False)
            self._run_chosen(op, n, around, np.arange(self.n) if worlds is None else worlds)
        return answers

    def _around(self) -> Transfers:
        """What every run loads and stores; hooks may write inputs, too."""
        return Transfers(
            {name: self._arrays[name] for name in (*KEPT, *ERRORS, "contact_count", *self._retained())},
            {name: array for name, array in self._arrays.items() if is_stored(name) or self.model._hooks},
        )

    def _run_workers(self, workers: list[Worker], op: int, n: int, ranges: list[tuple[int, int]] | None = None) -> None:
        """Run an operation in ranges of groups, by default all of them."""
        call, stop = self._native_call, Signal()
        ranges = split_groups(len(self._models), len(workers)) if ranges is None else ranges
        task = functools.partial(run_ranges, call, ranges, op, n, self._paces[op], stop)
        counts = self._arrays["warning_number"][:, WarningType.BADCTRL] if "warning_number" in self._bound else None
        before = None if counts is None else counts.copy()
        self._pool.run([functools.partial(task, worker) for worker in workers], stop)
        # where worlds count their warnings, there may be old ones
        if stop.has_bad_control if counts is None else np.any(counts > before):
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
        self,
        op: int,
        n: int,
        around: Transfers,
        each_step: Transfers = NO_TRANSFERS,
        worlds: np.ndarray | None = None,
    ) -> None:
        if self.number.width:
            raise FieldError("a batch runs interpreted only in float64, with lanes=1")
        store = self._workspace(0)
        is_rollout = any(each_step)
        for world in range(self.n) if worlds is None else worlds.tolist():
            store.arrays["error_code"][...] = 0
            for name, array in around.loaded.items():
                store.arrays[name][...] = array[world]
            for step in range(n if is_rollout else 1):
                for name, array in each_step.loaded.items():
                    store.arrays[name][...] = array[world % len(array), step % array.shape[1]]
                run_until_done(op, self._models[world], store, n)
                for name, array in each_step.stored.items():
                    array[world, step] = store.arrays[name]
            for name, array in around.stored.items():
                array[world] = store.arrays[name]

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
