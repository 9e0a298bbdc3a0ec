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
from phalanx.memory.array_file import open_arrays, write_arrays
from phalanx.memory.atomic import VARIABLE_FIELDS, change_whole
from phalanx.memory.errors import (
    BadControlWarning,
    FieldError,
    ModelError,
    UnknownNameError,
    WorldError,
    public_names,
    suggestion,
)
from phalanx.memory.exclusive import exclusive
from phalanx.memory.fill import fill, flag, real, whole
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.names import KIND_BY_ACCESSOR, NamedObject, fields_of
from phalanx.memory.store import data_memory
from phalanx.native.pace import Pace
from phalanx.pipeline.checks import STOPPED
from phalanx.pipeline.entries import BY_NAME
from phalanx.pipeline.operations import Operations
from phalanx.pipeline.supported import check_discrete, check_model
from phalanx.tables.data_domains import is_settable
from phalanx.tables.data_fields import VARIABLE_SIZES
from phalanx.tables.enums import ErrorPolicy, StateBit, WarningType
from phalanx.tables.field import Field
from phalanx.world.contacts import ContactTable, Wrench, contact_force, contact_table, net_force
from phalanx.world.derivatives import (
    InverseDerivatives,
    TransitionDerivatives,
    inverse_derivatives,
    transition_derivatives,
)
from phalanx.world.faults import control_warning, world_error
from phalanx.world.fingerprint import STATE, fingerprint_of
from phalanx.world.noise import noise_levels, with_noise
from phalanx.world.questions import (
    constraint_update,
    contact_array,
    differentiated,
    full_jacobian,
    integrated,
    is_inside,
    motion_of,
    one_vector,
    times_jacobian,
    times_jacobian_transposed,
    vectors,
)
from phalanx.world.rays import ray_filter, reserve
from phalanx.world.restore import FILE_VERSION, MARK, checked, write
from phalanx.world.state_vector import get_state, set_state, state_bits
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
#: Fields that are not memory of a stage.
PUBLIC_FIELDS = tuple(name for name, row in DATA_SCHEMA.fields.items() if not row.scratch)


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
        operations.begin()

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
        if on_error is not _RAISE:
            on_error = checked_policy(on_error)
        return self._checked_run("step", n, on_error, strict)

    def step1(self, *, on_error: str = _RAISE) -> Data:
        """The first half of a step: all that follows from the state, up to the sensors of positions and velocities.

        Set `ctrl`, `qfrc_applied` and `xfrc_applied` from it, then call `step2`. Both are one `step`, except with the
        integrator RK4, which computes forces several times in a step: as in MuJoCo, `step2` then takes a step of EULER.

        Args:
            on_error: as in `step`.

        Example:
            >>> data.step1()                                                   # doctest: +SKIP
            >>> data.ctrl[:] = controller(data.qpos, data.sensordata)          # doctest: +SKIP
            >>> data.step2()                                                   # doctest: +SKIP
        """
        return self._checked_run("step1", 0, checked_policy(on_error), False)

    def step2(self, *, on_error: str = _RAISE, strict: bool = False) -> Data:
        """The second half of a step, after `step1` and the controls: forces, accelerations, and the next state.

        Args:
            on_error: as in `step`.
            strict: as in `step`.
        """
        return self._checked_run("step2", 0, checked_policy(on_error), strict)

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
        if not isinstance(operation, str) or operation not in BY_NAME:
            raise FieldError(f"there is no operation {operation!r}{suggestion(str(operation), BY_NAME)}")
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
        """Back to the initial state, or to a keyframe given by name or id; inputs and results are cleared.

        An interrupt (Ctrl-C) leaves everything as it was, or as it is after a reset.
        """
        key = None if keyframe is None else self.model.names.id_of("key", keyframe)
        object.__setattr__(self, "_mode", None)
        object.__setattr__(self, "_bad_controls", 0.0)
        self._operations.reset(None if key is None else lambda: self._load_keyframe(key))
        return self

    def _load_keyframe(self, key: int) -> None:
        m, arrays = self.model, self._store.arrays
        arrays["time"][...] = m.key_time[key]
        for name, source in _KEYFRAME_ROWS.items():
            arrays[name][...] = getattr(m, source)[key].reshape(arrays[name].shape)

    # --- state vectors

    def get_state(self, sig: int | str = StateBit.INTEGRATION) -> np.ndarray:
        """Parts of the state as one flat vector, in the order and size of MuJoCo's mj_getState.

        Args:
            sig: which parts: bits of `phalanx.enums.StateBit`, or a name such as "FULLPHYSICS"; INTEGRATION is all that
                a step depends on.

        Returns:
            `model.state_size(sig)` numbers.
        """
        return get_state(self._store.arrays, self._store.sizes, state_bits(sig))

    def set_state(self, state: Any, sig: int | str = StateBit.INTEGRATION) -> Data:
        """Set the parts of the state that `sig` names from a vector of `get_state`, or of MuJoCo's mj_getState."""
        set_state(self._store.arrays, self._store.sizes, state, state_bits(sig))
        return self

    def copy_state(self, source: Data, sig: int | str = StateBit.INTEGRATION) -> Data:
        """Set the parts of the state that `sig` names to those of another Data."""
        if not isinstance(source, Data):
            raise FieldError(f"copy_state takes a Data, not {type(source).__name__}")
        return self.set_state(source.get_state(sig), sig)

    # --- positions

    @exclusive
    def integrate_pos(self, qpos: Any, qvel: Any, dt: float) -> np.ndarray:
        """Positions after moving along velocities for the time dt [s]; quaternions stay on their sphere.

        The state of this Data does not matter and does not change.

        Args:
            qpos: positions, (nq,) or (..., nq).
            qvel: velocities, (nv,) or (..., nv).
            dt: time; 0 only makes quaternions unit.

        Returns:
            positions, (nq,) or (..., nq).
        """
        return integrated(self, qpos, qvel, dt)

    @exclusive
    def differentiate_pos(self, qpos1: Any, qpos2: Any, dt: float) -> np.ndarray:
        """The velocities that take positions to others in the time dt [s]: the inverse of `integrate_pos`.

        The state of this Data does not matter and does not change.

        Args:
            qpos1: positions to begin with, (nq,) or (..., nq).
            qpos2: positions to end with, (nq,) or (..., nq).
            dt: time, not zero.

        Returns:
            velocities, (nv,) or (..., nv).

        Example:
            >>> qvel = data.differentiate_pos(path[:-1], path[1:], model.opt.timestep)      # doctest: +SKIP
        """
        return differentiated(self, qpos1, qpos2, dt)

    def normalize_quat(self, qpos: Any) -> np.ndarray:
        """Positions (..., nq) with all quaternions of joints made unit; as kernels do by themselves."""
        return self.integrate_pos(qpos, np.zeros(self.model.nv), 0.0)

    # --- frames

    @exclusive
    def object_velocity(self, objtype: str | int, obj: int | str, local: bool = False) -> np.ndarray:
        """Velocity of a frame, six numbers: angular [rad/s], then linear of its origin [m/s]; call after forward.

        Args:
            objtype: "body" (its inertial frame), "xbody" (the body frame), "geom", "site" or "camera", or the ObjType.
            obj: name or id.
            local: along the axes of the frame itself instead of those of the world.

        Example:
            >>> spin, velocity = data.object_velocity("site", "tip").reshape(2, 3)          # doctest: +SKIP
        """
        return motion_of(self, "object_velocity", objtype, obj, local)

    @exclusive
    def object_acceleration(self, objtype: str | int, obj: int | str, local: bool = False) -> np.ndarray:
        """Acceleration of a frame, six numbers: angular [rad/s²], then linear [m/s²]; call after forward.

        Gravity counts as an acceleration of the world upwards, as accelerometers feel it. Computes cacc, cfrc_int and
        cfrc_ext (`rne_post_constraint`).

        Args:
            objtype: as in `object_velocity`.
            obj: name or id.
            local: along the axes of the frame itself instead of those of the world.
        """
        return motion_of(self, "object_acceleration", objtype, obj, local)

    @exclusive
    def inside_site(self, site: int | str, point: Any) -> Any:
        """Whether a world point (3,) is inside a site, given by name or id; many points (..., 3) give an array.

        For a site in the shape of a mesh: inside its convex hull. Call after the position stage.
        """
        return is_inside(self, self.model.names.id_of("site", site), point)

    # --- derivatives

    def transition_fd(self, eps: float = 1e-6, centered: bool = True) -> TransitionDerivatives:
        """Derivatives of a step by finite differences: dx' = A dx + B du, ds = C dx + D du; this Data does not change.

        Args:
            eps: size of the differences.
            centered: differences to both sides, more exact and twice the steps. Controls stay in their ranges.

        Returns:
            A, B, C and D: x is (change of position, velocity, activation), u are controls, s is `sensordata`.

        Example:
            >>> A, B, C, D = data.transition_fd()                              # doctest: +SKIP
            >>> K = lqr(A, B)                                                  # doctest: +SKIP
        """
        return transition_derivatives(self, eps, centered)

    def inverse_fd(self, eps: float = 1e-6, flg_actuation: bool = False) -> InverseDerivatives:
        """Derivatives of inverse dynamics by position, velocity and `qacc`, by differences to one side.

        This Data does not change.

        Args:
            eps: size of the differences.
            flg_actuation: subtract the forces of actuators from those of inverse dynamics.

        Returns:
            of forces, sensors and the inertia matrix; row i of each belongs to a change of direction i, as in MuJoCo.
        """
        return inverse_derivatives(self, eps, flg_actuation)

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

    @property
    def contact(self) -> np.recarray:
        """All contacts as a NumPy structured array with MuJoCo's members: `data.contact.dist`, `data.contact[0].geom`.

        A copy of the rows `contact_*` that cannot be written.
        """
        return contact_array(self)

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
        """M x, for a vector (nv,) or many, (..., nv); call after the position stage."""
        return self._vector_operation("mul_m", x)

    def solve_m(self, x: Any) -> np.ndarray:
        """M^-1 x, for a vector (nv,) or many, (..., nv); call after the position stage."""
        return self._vector_operation("solve_m", x)

    def mul_m2(self, x: Any) -> np.ndarray:
        """D^(1/2) L x with M = L' D L, for vectors as in `mul_m`: the square of its length is x' M x."""
        return self._vector_operation("mul_m2", x)

    def solve_m2(self, x: Any) -> np.ndarray:
        """D^(-1/2) L'^-1 x with M = L' D L, for vectors as in `solve_m`: the square of its length is x' M^-1 x."""
        return self._vector_operation("solve_m2", x)

    @exclusive
    def _vector_operation(self, operation: str, x: Any) -> np.ndarray:
        return vectors(self, operation, x)

    @exclusive
    def rne(self, flg_acc: bool = False) -> np.ndarray:
        """Joint forces (nv,) that the motion of the bodies needs: Coriolis, centrifugal and gravitational ones.

        Neither armature nor tendons count, as in MuJoCo's mj_rne; `qfrc_bias` has the inertia of tendons, too. Call
        after the velocity stage.

        Args:
            flg_acc: add the inertial forces of `qacc`.
        """
        self._operations.run_within("rne_vector", flag("flg_acc", flg_acc))
        return self._store.arrays["vector_out"].copy()

    @exclusive
    def apply_ft(self, force: Any, torque: Any, point: Any, body: int | str) -> np.ndarray:
        """Joint forces (nv,) of a force and a torque on a body; call after the position stage.

        Args:
            force: three numbers along the axes of the world [N].
            torque: three numbers along the axes of the world [N·m].
            point: where the force acts, in the world [m].
            body: name or id.

        Example:
            >>> tip = data.site("tip").xpos                                    # doctest: +SKIP
            >>> data.qfrc_applied += data.apply_ft([0, 0, 5], 0, tip, "hand")  # doctest: +SKIP
        """
        bodyid, arrays = self.model.names.id_of("body", body), self._store.arrays
        fill(arrays["asked_wrench"][:3], "force", force)
        fill(arrays["asked_wrench"][3:], "torque", torque)
        fill(arrays["asked_point"], "point", point)
        self._operations.run_within("apply_ft", bodyid)
        return arrays["vector_out"].copy()

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

    def jac_point_axis(self, point: Any, axis: Any, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (3, nv) of a world point and of an axis (a vector in the world) that move with a body."""
        jacp, jacr = self.jac(point, body)
        return jacp, np.cross(jacr.T, one_vector("axis", axis, 3)).T

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

    # --- constraint rows

    def mul_jac(self, x: Any) -> np.ndarray:
        """J x (nefc,) of the constraint Jacobian and a vector of nv numbers; call after the position stage."""
        return times_jacobian(self, x)

    def mul_jac_t(self, x: Any) -> np.ndarray:
        """J' x (nv,) of the constraint Jacobian and a vector of nefc numbers; call after the position stage."""
        return times_jacobian_transposed(self, x)

    def full_jac(self) -> np.ndarray:
        """The constraint Jacobian, `efc_J`, as a dense (nefc, nv) array."""
        return full_jacobian(self)

    @exclusive
    def constraint_update(self, jar: Any) -> float:
        """Forces of the constraints at given residuals: writes efc_force, efc_state, qfrc_constraint.

        Args:
            jar: J a - aref for some acceleration a: `data.mul_jac(a) - data.efc_aref`, nefc numbers.

        Returns:
            the cost of the constraints, the function that solvers minimize together with that of the inertia.
        """
        return constraint_update(self, jar)

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
            known = [*PUBLIC_FIELDS, *KIND_BY_ACCESSOR, *public_names(type(self))]
            raise FieldError(f"Data has no field {name!r}{suggestion(name, known)}") from None

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
        return [*super().__dir__(), *PUBLIC_FIELDS, *KIND_BY_ACCESSOR]

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
        """Set every field to what it was in a snapshot of a Data of the same model; all of them, or none.

        Raises:
            ModelError: the snapshot does not fit, or was damaged; nothing is changed.
        """
        if not isinstance(snapshot, Mapping):
            raise ModelError(f"a snapshot has arrays by name, as `data.snapshot()` gives them, unlike {snapshot!r:.60}")
        contents = checked(snapshot, self._store, self.model.opt.cone)
        bad_controls = float(contents["warning_number"][WarningType.BADCTRL])
        object.__setattr__(self, "_mode", None)
        object.__setattr__(self, "_bad_controls", min(self._bad_controls, bad_controls))
        object.__setattr__(self, "_has_failed", True)  # perhaps: the error is part of the contents
        change_whole(self._store, lambda: write(contents, self._store), VARIABLE_FIELDS)
        object.__setattr__(self, "_bad_controls", bad_controls)
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
        """Write all fields (not the model) to an npz file; its name ends in .npz."""
        write_arrays(path, {MARK: np.int64(FILE_VERSION), **self.snapshot()})

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


def checked_policy(on_error: Any) -> str:
    """What to do about a value that makes no sense, as the user gave it."""
    if not isinstance(on_error, str) or on_error not in _POLICIES:
        raise FieldError(f'on_error is "raise" or "reset", not {on_error!r}')
    return on_error


def whole_steps(n: Any) -> int:
    """A count of steps that the user gave."""
    if isinstance(n, (float, np.floating, str)):
        raise FieldError(
            f"step takes a count of steps, a whole number, not {n!r}; to advance by a duration in seconds: "
            "step(round(duration / model.opt.timestep))"
        )
    number = whole("n, the count of steps,", n, -MOST_STEPS, MOST_STEPS)
    if number < 0:
        raise FieldError(f"cannot take {number} steps: time goes forward only; restore a snapshot to go back")
    return number


__all__ = ["Data", "GeomDistance", "Snapshot", "UnknownNameError", "world_error"]
