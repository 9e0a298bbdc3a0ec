"""Data: the state of one world and everything computed from it."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from phalanx.algebra.number_type import one_world
from phalanx.collision.ray.hits import ANSWERS, RayHit, checked_rays, hits_of, rays_of_shape
from phalanx.hook.hooks import prepare_hooks
from phalanx.memory.array_file import open_arrays
from phalanx.memory.errors import BadControlWarning, FieldError, ModelError, UnknownNameError, WorldError, suggestion
from phalanx.memory.exclusive import exclusive
from phalanx.memory.fill import fill, flag, real, whole
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.names import KIND_BY_ACCESSOR, NamedObject, fields_of
from phalanx.memory.store import data_memory
from phalanx.native.pace import Pace
from phalanx.pipeline.checks import STOPPED
from phalanx.pipeline.entries import ENTRY_OF, OPERATIONS
from phalanx.pipeline.operations import Operations
from phalanx.pipeline.supported import check_discrete, check_model
from phalanx.tables.data_domains import is_settable
from phalanx.tables.data_fields import VARIABLE_SIZES
from phalanx.tables.enums import ErrorPolicy, WarningType
from phalanx.tables.field import Field
from phalanx.world.contacts import ContactTable, Wrench, contact_force, contact_table, net_force
from phalanx.world.faults import control_warning, world_error
from phalanx.world.fingerprint import STATE, fingerprint_of
from phalanx.world.noise import noise_levels, with_noise
from phalanx.world.rays import ray_filter, reserve
from phalanx.world.restore import FILE_VERSION, MARK, checked, write
from phalanx.world.typed import DataFields

if TYPE_CHECKING:
    from phalanx.world.model import Model

#: The usual policy, the same object as the default argument.
_RAISE = "raise"
_POLICIES = {_RAISE: ErrorPolicy.STOP, "reset": ErrorPolicy.RESET}
_KEYFRAME_ROWS = {
    "qpos": "key_qpos",
    "qvel": "key_qvel",
    "act": "key_act",
    "ctrl": "key_ctrl",
    "mocap_pos": "key_mpos",
    "mocap_quat": "key_mquat",
    "plastic": "key_plastic",
}
#: The most steps that a call can be asked for.
MOST_STEPS = 2**53
#: Operations that take a body.
_OF_BODIES = ("jac", "jac_dot", "jac_subtree_com", "angmom_mat")
#: Arrays that stay where they are: plain attributes, which Python finds fastest.
_FIXED_ARRAYS = tuple(
    name
    for name, row in DATA_SCHEMA.fields.items()
    if not row.is_scalar and is_settable(row) and not row.live and not set(VARIABLE_SIZES) & set(row.shape)
)
#: Fields that the user may write.
SETTABLE = frozenset(name for name, row in DATA_SCHEMA.fields.items() if is_settable(row))


class Snapshot(Mapping):
    """Everything a Data holds at one moment. Pickles, and restores into any Data of the same model."""

    def __init__(self, arrays: Mapping[str, np.ndarray]):
        self._arrays = dict(arrays)

    def __getitem__(self, name: str) -> np.ndarray:
        return self._arrays[name]

    def __iter__(self) -> Any:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return f"<Snapshot of {len(self)} fields at time {float(self['time']):g}>"


class GeomDistance(NamedTuple):
    """Signed distance of two geoms, negative where they overlap, and its end points on the first and the second."""

    dist: float
    fromto: np.ndarray


class Data(DataFields):
    """The state of one world, its inputs, and all results, under MuJoCo's field names.

    Every row of the Data table is an attribute: a live NumPy array, written in place or by assignment
    (`data.qvel = 0`). Integers that results are counted and found by (`ncon`, `efc_id`) are read-only. Objects are
    found by name: `data.joint("knee").qpos`.

    One thread at a time may use a Data: a call during another raises BusyError. Threads may share the Model.
    """

    def __init__(self, model: Model, *, dtype: str = "float64"):
        if not isinstance(dtype, str) or dtype not in ("float64", "float32"):
            raise FieldError(f'dtype is "float64" or "float32", not {dtype!r}')
        store = data_memory(model._store.sizes, one_world(dtype))
        object.__setattr__(self, "model", model)
        object.__setattr__(self, "_store", store)
        operations = Operations(model.store_for(dtype), store)
        object.__setattr__(self, "_operations", operations)
        object.__setattr__(self, "_usage", operations)
        object.__setattr__(self, "_ray_pace", Pace())
        object.__setattr__(self, "_bad_controls", 0.0)
        object.__setattr__(self, "_has_failed", False)
        object.__setattr__(self, "_mode", None)
        self.__dict__.update({name: store.arrays[name] for name in _FIXED_ARRAYS})
        check_model(model)
        prepare_hooks(store, model._hooks)
        self.reset()

    # --- simulation

    def forward(self, *, strict: bool = False) -> Data:
        """Compute everything that follows from the present state and inputs; the state does not change.

        Args:
            strict: raise ConvergenceError when the constraint solver does not converge.
        """
        return self._checked_run("forward", 0, "raise", strict)

    def step(self, n: int = 1, *, on_error: str = _RAISE, strict: bool = False) -> Data:
        """Advance by n time steps.

        Args:
            n: number of steps.
            on_error: what to do when a value becomes NaN, infinite or huge. "raise": keep the last good state and
                raise WorldError. "reset": go on from the initial state, as MuJoCo does.
            strict: stop before a step whose constraint solver did not converge, and raise.

        Raises:
            WorldError: a value became NaN, infinite or huge.
            ConvergenceError: the solver ended at its limit of iterations, with `strict`.
        """
        if type(n) is not int or not 0 <= n <= MOST_STEPS:
            n = whole_steps(n)
        if on_error is not _RAISE and (not isinstance(on_error, str) or on_error not in _POLICIES):
            raise FieldError(f'on_error is "raise" or "reset", not {on_error!r}')
        return self._checked_run("step", n, on_error, strict)

    def inverse(self) -> Data:
        """Inverse dynamics: `qfrc_inverse`, the force that `qacc` takes at the present position and velocity.

        Constraints answer with `efc_force` and `qfrc_constraint`. With the flag INVDISCRETE, `qacc` is the change of
        `qvel` in a step over the time step, as the integrator makes it. State, inputs and `qacc` do not change.

        Raises:
            ModelError: INVDISCRETE with the integrator RK4, whose stages have no inverse.
        """
        check_discrete(self.model)
        return self.run("inverse")

    def compare_fwd_inv(self) -> Data:
        """`solver_fwdinv`: how far inverse dynamics is from the forward dynamics just computed; call after forward.

        Lengths of the differences of qfrc_constraint and of the joint forces of all inputs; zero without constraints.
        """
        check_discrete(self.model)
        return self.run("compare_fwd_inv")

    def _checked_run(self, operation: str, n: int, on_error: str, strict: bool) -> Data:
        """Run, and raise what stopped the world."""
        mode = on_error, strict is not False and flag("strict", strict)
        if mode != self._mode:
            self._store.arrays["error_policy"].fill(_POLICIES[on_error])
            self._store.arrays["is_strict"].fill(mode[1])
            object.__setattr__(self, "_mode", mode)
        if self._has_failed:
            self._store.arrays["error_code"].fill(0)
            object.__setattr__(self, "_has_failed", False)
        found = self._operations.run(operation, n)
        if found:
            self._attend(found)
        return self

    def _attend(self, found: int) -> None:
        """Raise what stopped the world; warn of controls that were bad since the last time."""
        arrays = self._store.arrays
        count = float(arrays["warning_number"][WarningType.BADCTRL])
        if count > self._bad_controls:
            index = int(arrays["warning_lastinfo"][WarningType.BADCTRL])
            warnings.warn(control_warning(self.model, arrays, index), BadControlWarning, stacklevel=4)
        object.__setattr__(self, "_bad_controls", count)
        if found == STOPPED:
            object.__setattr__(self, "_has_failed", True)
            raise self.error() or AssertionError("a world stopped without an error")

    def run(self, operation: str, n: int = 0) -> Data:
        """Run one operation of the pipeline by name, for example "kinematics" (see `phalanx.pipeline.entries`).

        Args:
            operation: its name.
            n: what it takes: how many steps, or the id of a body.
        """
        if not isinstance(operation, str) or operation not in OPERATIONS or ENTRY_OF[operation] == "constants":
            raise FieldError(f"there is no operation {operation!r}{suggestion(str(operation), OPERATIONS)}")
        most = self.model.nbody - 1 if operation in _OF_BODIES else MOST_STEPS
        most = self._store.sizes["nray"] if operation == "rays" else most
        if self._operations.run(operation, whole("n", n, 0, most)) == STOPPED:
            object.__setattr__(self, "_has_failed", True)
        return self

    def error(self, world: int | None = None) -> WorldError | None:
        """What stopped this world in the last step, or None."""
        code = int(self._store.arrays["error_code"][()])
        index = int(self._store.arrays["error_id"][()])
        return world_error(self.model, self._store.arrays, code, index, float(self.time), world)

    @exclusive
    def reset(self, keyframe: int | str | None = None) -> Data:
        """Back to the initial state, or to a keyframe given by name or id; inputs and results are cleared."""
        key = None if keyframe is None else self.model.names.id_of("key", keyframe)
        object.__setattr__(self, "_mode", None)
        object.__setattr__(self, "_bad_controls", 0.0)
        self._operations.reset()
        if key is not None:
            self._load_keyframe(key)
        return self

    def _load_keyframe(self, key: int) -> None:
        m, arrays = self.model, self._store.arrays
        arrays["time"][...] = m.key_time[key]
        for name, source in _KEYFRAME_ROWS.items():
            arrays[name][...] = getattr(m, source)[key].reshape(arrays[name].shape)

    # --- sensors

    def rne_post_constraint(self) -> Data:
        """Compute cacc, cfrc_int and cfrc_ext: accelerations of bodies and the forces on them; call after forward.

        Sensors that need these rows have them computed without a call.
        """
        return self.run("rne_post_constraint")

    def noisy_sensors(self, seed: int, world: int = 0) -> np.ndarray:
        """A copy of sensordata with Gaussian noise, of the standard deviations that `sensor_noise` of the Model gives.

        The noise depends on nothing but the seed, the world and the time, so that a call can be repeated, and a world
        of a batch has the same noise alone.

        Args:
            seed: not negative; another seed, other noise.
            world: index of the world whose noise this is.
        """
        return with_noise(self.sensordata, noise_levels(self.model), seed, world, self.time)

    # --- geometry

    @exclusive
    def geom_distance(self, geom1: int | str, geom2: int | str, distmax: float = math.inf) -> GeomDistance:
        """Signed distance of two geoms, given by name or id, and the points where they are nearest.

        Geoms as far apart as `distmax`, or of types that do not collide, have that distance and points zero. Call after
        the position stage.
        """
        arrays, distmax = self._store.arrays, real("distmax", distmax)
        ids = [self.model.names.id_of("geom", geom) for geom in (geom1, geom2)]
        # a bound of the distance: colliders that take it as margin lose no digits to a needlessly large one
        centers, bounds = self.geom_xpos[ids].astype(float), self.model.geom_rbound[ids]
        farthest = 1.0 + 2.0 * float(np.linalg.norm(centers[1] - centers[0]) + bounds.sum())
        arrays["distance_geom"][...] = ids
        arrays["distance_max"][...] = min(distmax, farthest)
        self._operations.run_within("geom_distance")
        is_less = bool(arrays["distance_dist"] < arrays["distance_max"])
        dist = float(arrays["distance_dist"]) if is_less else float(distmax)
        return GeomDistance(dist, arrays["distance_fromto"].ravel().copy())

    # --- contacts

    def contact_force(self, contact: int) -> np.ndarray:
        """What a contact does to its second geom, six numbers in the frame of the contact (`contact_frame`).

        Force along the normal and the two tangents [N], then torque about the same axes [N·m]. Call after forward.
        """
        return contact_force(self, contact)

    def contacts(self) -> ContactTable:
        """All contacts with names, forces and torques on each side, depths and slip velocities; call after forward."""
        return contact_table(self)

    def net_force(self, target: Any, other: Any = None) -> Wrench:
        """Force and torque that contacts with `other` exert on `target`, in the world frame; call after forward.

        Args:
            target: a body (the geoms fixed to it count, not its children) or a geom: its name, or an object such as
                `model.geom("sole")` where a name alone is ambiguous.
            other: likewise; None for everything it touches.

        Returns:
            force [N], and torque about the center of mass of the body of `target` [N·m].
        """
        return net_force(self, target, other)

    # --- vectors and matrices

    def mul_m(self, x: Any) -> np.ndarray:
        """M x, for a vector of nv numbers; call after the position stage."""
        return self._vector_operation("mul_m", x)

    def solve_m(self, x: Any) -> np.ndarray:
        """M^-1 x, for a vector of nv numbers; call after the position stage."""
        return self._vector_operation("solve_m", x)

    @exclusive
    def _vector_operation(self, operation: str, x: Any) -> np.ndarray:
        fill(self._store.arrays["vector_in"], "x", x)
        self._operations.run_within(operation)
        return self._store.arrays["vector_out"].copy()

    def full_m(self) -> np.ndarray:
        """The inertia matrix as a dense (nv, nv) array."""
        m = self.model
        rows = np.repeat(np.arange(m.nv), m.M_rownnz)
        full = np.zeros((m.nv, m.nv), self._store.number.dtype)
        full[rows, m.M_colind] = self.M
        return full + np.tril(full, -1).T

    def jac(self, point: Any, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (3, nv) of a world point that moves with a body: of its velocity and of the body's rotation."""
        return self._jacobian("jac", point, body)

    def jac_dot(self, point: Any, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Time derivatives of the Jacobians of `jac`; needs the velocity stage."""
        return self._jacobian("jac_dot", point, body)

    def jac_body(self, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (3, nv) of the origin of a body frame."""
        return self.jac(self.xpos[self.model.names.id_of("body", body)], body)

    def jac_body_com(self, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (3, nv) of the center of mass of a body."""
        return self.jac(self.xipos[self.model.names.id_of("body", body)], body)

    def jac_geom(self, geom: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (3, nv) of the center of a geom."""
        geomid = self.model.names.id_of("geom", geom)
        return self.jac(self.geom_xpos[geomid], int(self.model.geom_bodyid[geomid]))

    def jac_site(self, site: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (3, nv) of a site."""
        siteid = self.model.names.id_of("site", site)
        return self.jac(self.site_xpos[siteid], int(self.model.site_bodyid[siteid]))

    @exclusive
    def jac_subtree_com(self, body: int | str) -> np.ndarray:
        """Jacobian (3, nv) of the center of mass of a body with its descendants."""
        self._operations.run_within("jac_subtree_com", self.model.names.id_of("body", body))
        return self._store.arrays["jacp"].T.copy()

    @exclusive
    def angmom_mat(self, body: int | str) -> np.ndarray:
        """Angular momentum (3, nv) of a subtree about its center of mass, per unit velocity of each dof."""
        self._operations.run_within("angmom_mat", self.model.names.id_of("body", body))
        return self._store.arrays["jacr"].T.copy()

    @exclusive
    def _jacobian(self, operation: str, point: Any, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        bodyid = self.model.names.id_of("body", body)
        fill(self._store.arrays["jac_point"], "point", point)
        self._operations.run_within(operation, bodyid)
        return self._store.arrays["jacp"].T.copy(), self._store.arrays["jacr"].T.copy()

    # --- rays

    def ray(
        self,
        origin: Any,
        direction: Any,
        *,
        geomgroup: Any = None,
        static: bool = True,
        exclude: int | str | None = None,
    ) -> RayHit:
        """The first visible geom that a ray hits; call after the position stage.

        Geoms that are fully transparent (alpha 0 of their material, or of their own color) are invisible.

        Args:
            origin: where the ray starts, in the world [m].
            direction: where it goes; any length but zero, in which distances are counted.
            geomgroup: six flags, which groups of geoms to see; None for all.
            static: see geoms that are fixed to the world.
            exclude: a body, by name or id, whose geoms are not seen.

        Raises:
            FieldError: a direction without length, or values that do not fit.
            UnknownNameError: no such body.
        """
        # one ray is a list of one: the same kernel serves both
        rays = rays_of_shape(checked_rays(origin, direction), 3)
        hits = self._cast(*rays, ray_filter(self.model, geomgroup, static, exclude))
        return RayHit(float(hits.dist[0]), int(hits.geom[0]), hits.normal[0], hits.point[0])

    def rays(
        self,
        origins: Any,
        directions: Any,
        *,
        geomgroup: Any = None,
        static: bool = True,
        exclude: int | str | None = None,
    ) -> RayHit:
        """Like `ray`, for many rays in one call: arrays of length n in the answer.

        Args:
            origins: where the rays start, (n, 3), or (3,) for all of them.
            directions: where they go, (n, 3), or (3,) for all of them.
            geomgroup: six flags, which groups of geoms to see; None for all.
            static: see geoms that are fixed to the world.
            exclude: a body, by name or id, whose geoms are not seen.
        """
        rays = rays_of_shape(checked_rays(origins, directions), None, 3)
        return self._cast(*rays, ray_filter(self.model, geomgroup, static, exclude))

    @exclusive
    def _cast(self, origins: np.ndarray, directions: np.ndarray, seen: tuple[int, int, int]) -> RayHit:
        origins, directions = np.atleast_2d(origins, directions)
        total, arrays = len(origins), self._store.arrays
        parts: list[dict[str, np.ndarray]] = []
        # some rays at a time: Python can handle signals in between
        first = 0
        while first < total or not parts:
            n, began = min(total - first, self._ray_pace.amount), perf_counter()
            reserve(self._store, n)
            rays = slice(first, first + n)
            arrays["ray_filter"][...] = seen
            arrays["ray_origin"][:n], arrays["ray_direction"][:n] = origins[rays], directions[rays]
            self._operations.run_within("rays", n)
            parts.append({row: arrays[row][:n].copy() for row in ANSWERS.values()})
            self._ray_pace.note(n, perf_counter() - began)
            first += n
        if len(parts) == 1:
            return hits_of(parts[0])
        return hits_of({row: np.concatenate([part[row] for part in parts]) for row in ANSWERS.values()})

    # --- fields

    def row(self, name: str) -> Field:
        """The table row of a field."""
        try:
            return DATA_SCHEMA.fields[name]
        except KeyError:
            raise FieldError(f"Data has no field {name!r}{suggestion(name, DATA_SCHEMA.fields)}") from None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in KIND_BY_ACCESSOR:
            return lambda key: self._object(name, key)
        array = self._live(name)
        return array if array.ndim else array.item()

    def _live(self, name: str) -> np.ndarray:
        """The valid part of a field, read-only where the user must not write."""
        row, arrays = self.row(name), self._store.arrays
        return shown(name, arrays[name][: int(arrays[row.live][()])] if row.live else arrays[name])

    def __setattr__(self, name: str, value: Any) -> None:
        self.row(name)
        if name not in SETTABLE:
            raise not_settable(name)
        fill(self._live(name), name, value)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *DATA_SCHEMA.fields, *KIND_BY_ACCESSOR]

    def _object(self, kind: str, key: str | int) -> NamedObject:
        objid = self.model.names.id_of(kind, key)
        fields = fields_of(
            KIND_BY_ACCESSOR[kind], objid, DATA_SCHEMA.fields, self.model.structure, lambda name: getattr(self, name)
        )
        return NamedObject(kind, objid, self.model.names.names[kind][objid], fields)

    @property
    def nbytes(self) -> int:
        """Bytes of memory of all fields and of what stages need in between. It grows with contacts, and never shrinks.

        >>> import phalanx
        >>> model = phalanx.Model.from_xml_string("<mujoco/>")
        >>> model.make_data().nbytes < 1_000_000
        True
        """
        return self._store.nbytes

    # --- copies and files

    def snapshot(self) -> Snapshot:
        """A copy of every field."""
        return Snapshot({name: self._live(name).copy() for name, row in DATA_SCHEMA.fields.items() if not row.scratch})

    @exclusive
    def restore(self, snapshot: Mapping[str, np.ndarray]) -> Data:
        """Set every field to what it was in a snapshot of a Data of the same model.

        Raises:
            ModelError: the snapshot does not fit, or was damaged; nothing is changed.
        """
        if not isinstance(snapshot, Mapping):
            raise ModelError(f"a snapshot has arrays by name, as `data.snapshot()` gives them, unlike {snapshot!r:.60}")
        contents = checked(snapshot, self._store, self.model.opt.cone)
        object.__setattr__(self, "_mode", None)
        object.__setattr__(self, "_bad_controls", float(contents["warning_number"][WarningType.BADCTRL]))
        object.__setattr__(self, "_has_failed", True)  # perhaps: the error is part of the contents
        write(contents, self._store)
        return self

    def copy(self) -> Data:
        """An independent Data with the same contents, on the same model."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            other = Data(self.model, dtype=self._store.number.base)
        write(self.snapshot(), other._store)
        object.__setattr__(other, "_has_failed", True)
        object.__setattr__(other, "_bad_controls", self._bad_controls)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Data:
        return self.copy()

    def __reduce__(self) -> tuple:
        return _rebuild, (self.model, self._store.number.base, self.snapshot())

    def save(self, path: str | Path | io.IOBase) -> None:
        """Write all fields (not the model) to an npz file."""
        np.savez_compressed(path, **{MARK: np.int64(FILE_VERSION), **self.snapshot()})  # type: ignore[arg-type]

    def load(self, path: str | Path | io.IOBase) -> Data:
        """Read all fields from a file that `save` wrote for a Data of the same model.

        Raises:
            ModelError: the file is damaged, or of another model; nothing is changed.
        """
        with open_arrays(path, "data", MARK, FILE_VERSION) as arrays:
            return self.restore(arrays)

    def __repr__(self) -> str:
        def short(name: str) -> str:
            return np.array2string(getattr(self, name), precision=4, threshold=8, edgeitems=3)

        m = self.model
        lines = [f"<Data at time {self.time:g} s of {m!r}"]
        lines += [f"  {name}: {short(name)}" for name in ("qpos", "qvel", "act", "ctrl") if getattr(self, name).size]
        return "\n".join(lines) + ">"

    def fingerprint(self) -> str:
        """A hash of the complete state, inputs among it: 32 hexadecimal digits, the same wherever every bit is.

        It covers the rows marked as state, as a Snapshot needs them; not results, which follow from them. Minus zero is
        another number than zero, all NaN are one, and float32 and float64 have different fingerprints.
        """
        return fingerprint_of(self._store.arrays, STATE)


def _rebuild(model: Model, base: str, snapshot: Snapshot) -> Data:
    return Data(model, dtype=base).restore(snapshot)


def shown(name: str, array: np.ndarray) -> np.ndarray:
    """A field as users see it: they cannot write what kernels find their way by."""
    if name in SETTABLE:
        return array
    view = array.view()
    view.setflags(write=False)
    return view


def not_settable(name: str) -> FieldError:
    """The error of an assignment to a field that only kernels write."""
    return FieldError(
        f"{name} is computed and cannot be assigned: memory is counted and found by such fields; "
        "set the state or an input instead, and call forward"
    )


def whole_steps(n: Any) -> int:
    """A count of steps that the user gave."""
    number = whole("n, the count of steps,", n, -MOST_STEPS, MOST_STEPS)
    if number < 0:
        raise FieldError(f"cannot take {number} steps")
    return number


__all__ = ["Data", "GeomDistance", "Snapshot", "UnknownNameError", "world_error"]
