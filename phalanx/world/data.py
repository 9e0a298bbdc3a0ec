"""Data: the state of one world and everything computed from it."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from phalanx.algebra.number_type import one_world
from phalanx.hook.hooks import prepare_hooks
from phalanx.memory.array_file import open_arrays, write_arrays
from phalanx.memory.atomic import VARIABLE_FIELDS, change_whole
from phalanx.memory.awake import note_unseen
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import (
    AwakeWarning,
    BadControlWarning,
    FieldError,
    ModelError,
    UnknownNameError,
    WorldError,
    public_names,
    suggestion,
)
from phalanx.memory.exclusive import exclusive
from phalanx.memory.fill import fill, flag, whole
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.names import KIND_BY_ACCESSOR, NamedObject
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
from phalanx.tables.scratch_fields import WAKING
from phalanx.world.answers import Answers, GeomDistance
from phalanx.world.derivatives import InverseDerivatives
from phalanx.world.faults import check_faults, control_warning, world_error
from phalanx.world.fingerprint import STATE, fingerprint_of
from phalanx.world.noise import noise_levels, with_noise
from phalanx.world.parameter_result import ParameterDerivatives
from phalanx.world.pictures import Pictures
from phalanx.world.provided import provided
from phalanx.world.restore import FILE_VERSION, MARK, checked, write
from phalanx.world.sleeping import sleepless
from phalanx.world.snapshot import Layout, Snapshot, known_snapshot, layout_of, put, take
from phalanx.world.state_vector import get_state, set_state, state_bits
from phalanx.world.stiffness_rows import put_flex_stiffness
from phalanx.world.transition_result import Transition

if TYPE_CHECKING:
    from phalanx.world.model import Model

#: The usual policy, the same object as the default argument.
_RAISE = "raise"
_POLICIES = {_RAISE: ErrorPolicy.STOP, "reset": ErrorPolicy.RESET}
KEYFRAME_ROWS = {
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
#: Single numbers.
_SCALARS = frozenset(name for name, row in DATA_SCHEMA.fields.items() if row.is_scalar)
#: Fields that the user may write.
SETTABLE = frozenset(name for name, row in DATA_SCHEMA.fields.items() if is_settable(row))
#: Fields that are not memory of a stage.
PUBLIC_FIELDS = tuple(name for name, row in DATA_SCHEMA.fields.items() if not row.scratch)


class Data(Answers, Pictures):
    """The state of one world, its inputs, and all results, under MuJoCo's field names.

    Every row of the Data table is an attribute: a live NumPy array, written in place or by assignment
    (`data.qvel = 0`). Integers that results are counted and found by (`ncon`, `efc_id`) are read-only. Objects are
    found by name: `data.joint("knee").qpos`.

    One thread at a time may use a Data: a call during another raises BusyError. Threads may share the Model.
    """

    @arguments_checked
    def __init__(self, model: Model, *, dtype: str = "float64"):
        if "_store" in self.__dict__:
            raise FieldError("this Data has its memory: make another one")
        if not isinstance(dtype, str) or dtype not in ("float64", "float32"):
            raise FieldError(f'dtype is "float64" or "float32", not {dtype!r}')
        store = data_memory(model._store.sizes, one_world(dtype, sleeps=model.nsleep > 0))
        object.__setattr__(self, "model", model)
        object.__setattr__(self, "_store", store)
        operations = Operations(model.store_for(dtype), store)
        object.__setattr__(self, "_operations", operations)
        object.__setattr__(self, "_usage", operations)
        object.__setattr__(self, "_ray_pace", Pace())
        object.__setattr__(self, "_bad_controls", 0.0)
        object.__setattr__(self, "_has_failed", False)
        object.__setattr__(self, "_mode", None)
        # of what may sleep, rows that wake it are found when they are asked for, so that kernels know whether they were
        late = WAKING if model.nsleep else ()
        self.__dict__.update({name: store.arrays[name] for name in _FIXED_ARRAYS if name not in late})
        check_model(model)
        prepare_hooks(store, model._hooks)
        operations.begin()
        object.__setattr__(self, "_on_loan", note_unseen(store) if model.nsleep else None)
        self._warn_of_sleepless()

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
        given_back = self._on_loan.given_back() if self._on_loan is not None and operation == "step" and n > 0 else ()
        found = self._operations.run(operation, n)
        if found:
            self._attend(found)
        else:
            # the step has seen what was written before it
            for loan, ref in given_back:
                loan.settle(ref)
        return self

    def _attend(self, found: int) -> None:
        """Raise what stopped the world; warn of controls that were bad since the last time."""
        arrays = self._store.arrays
        count = float(arrays["warning_number"][WarningType.BADCTRL])
        index = float(arrays["warning_lastinfo"][WarningType.BADCTRL])
        # the user may write both, and anything
        if count > self._bad_controls and 0 <= index < self.model.nu:
            warnings.warn(control_warning(self.model, arrays, int(index)), BadControlWarning, stacklevel=4)
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
        most = self._store.sizes["nray"] if operation in ("rays", "flex_rays") else most
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
        self._warn_of_sleepless()
        return self

    def _warn_of_sleepless(self) -> None:
        """Warn of trees that are to sleep from the start and do not."""
        words = sleepless(self.model, self._store.arrays["tree_asleep"])
        if words:
            warnings.warn(words, AwakeWarning, stacklevel=4)

    def _load_keyframe(self, key: int) -> None:
        m, arrays = self.model, self._store.arrays
        arrays["time"][...] = m.key_time[key]
        for name, source in KEYFRAME_ROWS.items():
            arrays[name][...] = getattr(m, source)[key].reshape(arrays[name].shape)

    # --- state vectors

    @exclusive
    def get_state(self, sig: int | str = StateBit.INTEGRATION) -> np.ndarray:
        """Parts of the state as one flat vector, in the order and size of MuJoCo's mj_getState.

        Args:
            sig: which parts: bits of `phalanx.enums.StateBit`, or a name such as "FULLPHYSICS"; INTEGRATION is all that
                a step depends on.

        Returns:
            `model.state_size(sig)` numbers.
        """
        return get_state(self._store.arrays, self._store.sizes, state_bits(sig))

    @exclusive
    def set_state(self, state: Any, sig: int | str = StateBit.INTEGRATION) -> Data:
        """Set the parts of the state that `sig` names from a vector of `get_state`, or of MuJoCo's mj_getState."""
        set_state(self._store.arrays, self._store.sizes, state, state_bits(sig))
        return self

    def copy_state(self, source: Data, sig: int | str = StateBit.INTEGRATION) -> Data:
        """Set the parts of the state that `sig` names to those of another Data."""
        if not isinstance(source, Data):
            raise FieldError(f"copy_state takes a Data, not {type(source).__name__}")
        return self.set_state(source.get_state(sig), sig)

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
        threads: int = 1,
    ) -> Transition:
        """Derivatives of a step: dx' = A dx + B du, ds = C dx + D du; this Data does not change.

        By finite differences as MuJoCo's mjd_transitionFD, for all integrators: nudged worlds are lanes, stepped at
        once, and memory is kept for the next call. Or exactly. Computed in double precision, also of a float32 Data.

        Args:
            method: "fd": finite differences; "analytic": exact, by numbers with tangents, and implicitly through the
                solution of constraints (`remaining` of the result names what that leaves out); "hybrid": exact, but
                differences where exact derivatives are not those of the step (a noslip pass, a solver that ended far
                from its minimum).
            eps: size of the differences.
            centered: differences to both sides, more exact and twice the steps. Controls stay in their ranges: at an
                end they are nudged inwards, beyond it their columns are zero.
            sensors: also C and D; without, they have no rows.
            one_sided: where a nudge to one side brings about or ends a contact, a limit, sliding or a clamp, and the
                other does not, take the other. If not, differences reach across, as in MuJoCo. `crossed` of the result
                lists such columns.
            lanes: nudged worlds per vector register: 1, 2, 4, 8, 16, or "auto".
            threads: threads that share the work. The result does not depend on them, nor on lanes.

        Returns:
            A, B, C and D: x is (change of position, velocity, activation), u are controls, s is `sensordata`.

        Raises:
            FieldError: an unknown method, or a size that is not positive.
            ModelError: delays of controls or sensors.
            WorldError: the step itself fails.

        Example:
            >>> A, B, C, D = data.transition()                                 # doctest: +SKIP
            >>> K = lqr(A, B)                                                  # doctest: +SKIP
        """
        # the folder of derivatives is above this one
        return provided("transition")(
            self, method, eps=eps, centered=centered, sensors=sensors, one_sided=one_sided, lanes=lanes, threads=threads
        )

    def transition_fd(self, eps: float = 1e-6, centered: bool = True) -> Transition:
        """`transition` with the numbers of MuJoCo's mjd_transitionFD: differences reach across kinks, too.

        Args:
            eps: size of the differences.
            centered: differences to both sides.
        """
        return self.transition("fd", eps=eps, centered=centered, one_sided=False)

    @exclusive
    def inverse_derivatives(
        self,
        *,
        eps: float = 1e-6,
        flg_actuation: bool = False,
        centered: bool = False,
        lanes: int | str = "auto",
        threads: int = 1,
    ) -> InverseDerivatives:
        """Derivatives of inverse dynamics by position, velocity and `qacc`: those of MuJoCo's mjd_inverseFD, in lanes.

        This Data does not change.

        Args:
            eps: size of the differences.
            flg_actuation: subtract the forces of actuators from those of inverse dynamics.
            centered: differences to both sides; MuJoCo goes forwards only.
            lanes: nudged worlds per vector register: 1, 2, 4, 8, 16, or "auto".
            threads: threads that share the work.

        Returns:
            of forces, sensors and the inertia matrix; row i of each belongs to a change of direction i, as in MuJoCo.

        Raises:
            FieldError: a size that is not positive.
            ModelError: INVDISCRETE with the integrator RK4, whose stages have no inverse.
        """
        # the folder of derivatives is above this one
        return provided("inverse_derivatives")(
            self, eps=eps, flg_actuation=flg_actuation, centered=centered, lanes=lanes, threads=threads
        )

    def inverse_fd(self, eps: float = 1e-6, flg_actuation: bool = False) -> InverseDerivatives:
        """`inverse_derivatives` with the arguments of MuJoCo's mjd_inverseFD.

        Args:
            eps: size of the differences.
            flg_actuation: subtract the forces of actuators.
        """
        return self.inverse_derivatives(eps=eps, flg_actuation=flg_actuation)

    @exclusive
    def inertia_derivatives(self, vector: Any = None, *, eps: float = 1e-6) -> np.ndarray:
        """How the inertia matrix changes with position, by differences to both sides; this Data does not change.

        Args:
            vector: (nv,), such as a velocity or an acceleration.
            eps: size of the differences.

        Returns:
            (nv, nC), row i the change of `M` along direction i; with a vector v, (nv, nv): d(M v)/dq, with column i by
            direction i.
        """
        return provided("inertia_derivatives")(self, vector, eps=eps)

    @exclusive
    def parameter_derivatives(
        self,
        wrt: Any,
        *,
        eps: float = 1e-6,
        centered: bool = True,
        sensors: bool = True,
        one_sided: bool = True,
        lanes: int | str = "auto",
        threads: int = 1,
    ) -> ParameterDerivatives:
        """Derivatives of a step by numbers of the Model: dx' = P dp, ds = S dp; neither Data nor Model change.

        Each nudged number is a world in lanes with a Model of its own; constants that derive from it follow, as by
        `Model.replace`. The models are kept for the next call with the same parameters.

        Args:
            wrt: real fields of the Model by name, such as ["body_mass", "geom_friction", "opt.gravity"]; or elements by
                name of the field: {"body_mass": ["torso", 3], "geom_friction": (slice(None), 0)}; None for all.
            eps: size of the differences as a part of the number; of the largest of its field where it is zero.
            centered: differences to both sides. Masses, sizes and the like at zero are nudged upwards only.
            sensors: also derivatives of sensors.
            one_sided: as in `transition`.
            lanes: worlds per vector register: 1, 2, 4, 8, 16, or "auto".
            threads: threads that share the work.

        Raises:
            FieldError: an unknown field, or one that cannot vary; no such element.
            ModelError: delays of controls or sensors.
            WorldError: the step itself fails.

        Example:
            >>> P, S = data.parameter_derivatives({"body_mass": "torso"})      # doctest: +SKIP
        """
        # the folder of derivatives is above this one
        return provided("parameter_derivatives")(
            self, wrt, eps=eps, centered=centered, sensors=sensors, one_sided=one_sided, lanes=lanes, threads=threads
        )

    # --- sensors

    def rne_post_constraint(self) -> Data:
        """Compute cacc, cfrc_int and cfrc_ext: accelerations of bodies and the forces on them; call after forward.

        Sensors that need these rows have them computed without a call.
        """
        return self.run("rne_post_constraint")

    @exclusive
    def flex_stiffness(self) -> Data:
        """Compute the stiffness of flexes as MuJoCo stores it under the discrete integrator; call after forward.

        `flexelem_krot` of cells; `flexvert_hessian` and `flexedge_hessian` of stretching, with `flex_hessian_valid`;
        the sparse matrix `efm_K_val` of all with `efm_K_rownnz`, `efm_K_rowadr`, `efm_K_colind` and `efm_dofid`; rows
        of passive contacts in `efm_con_ind` and `efm_con_val`; `efm_L`, its factor with that of `M` as a packed record.
        Steps have the same in another form, and leave these rows as the last call wrote them.
        """
        put_flex_stiffness(self.model.store_for(self._store.number.base), self._store, self._operations)
        return self

    @exclusive
    def noisy_sensors(self, seed: int, world: int = 0) -> np.ndarray:
        """A copy of sensordata with Gaussian noise, of the standard deviations that `sensor_noise` of the Model gives.

        The noise depends on nothing but the seed, the world and the time, so that a call can be repeated, and a world
        of a batch has the same noise alone.

        Args:
            seed: not negative; another seed, other noise.
            world: index of the world whose noise this is.
        """
        return with_noise(self.sensordata, noise_levels(self.model), seed, world, self.time)

    # --- fields

    def row(self, name: str) -> Field:
        """The table row of a field."""
        try:
            return DATA_SCHEMA.fields[name]
        except (KeyError, TypeError):  # what cannot be a key is no name
            known = [*PUBLIC_FIELDS, *KIND_BY_ACCESSOR, *public_names(type(self))]
            raise FieldError(f"Data has no field {name!r}{suggestion(name, known)}") from None

    def __getattr__(self, name: str) -> Any:
        if name in WAKING:
            array = self._store.arrays[name]
            if self._on_loan is None:
                self.__dict__[name] = array
            return array
        if name in _SCALARS:
            return self._store.arrays[name].item()
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
        places, name = self.model._data_places.of(kind, objid), self.model.names.names[kind][objid]
        return NamedObject(kind, objid, name, places, lambda field: getattr(self, field))

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

    @exclusive
    def snapshot(self) -> Snapshot:
        """A copy of every field, which cannot be changed."""
        return take(self._store, self._layout)

    @property
    def _layout(self) -> Layout:
        """Where fields are, in every Data of this model and precision."""
        layouts, number = self.model._data_layouts, self._store.number
        layout = layouts.get(number)
        return layouts.setdefault(number, layout_of(self._store)) if layout is None else layout

    @exclusive
    def restore(self, snapshot: Mapping[str, np.ndarray]) -> Data:
        """Set every field to what it was in a snapshot of a Data of the same model; all of them, or none.

        Raises:
            ModelError: the snapshot does not fit, or was damaged; nothing is changed.
        """
        if not isinstance(snapshot, Mapping):
            raise ModelError(f"a snapshot has arrays by name, as `data.snapshot()` gives them, unlike {snapshot!r:.60}")
        known = known_snapshot(snapshot, self._store, self._layout)
        contents = known or checked(snapshot, self._store, self.model.opt.cone)
        check_faults(self.model, contents["error_code"], contents["error_id"])
        bad_controls = float(contents["warning_number"][WarningType.BADCTRL])
        object.__setattr__(self, "_mode", None)
        object.__setattr__(self, "_bad_controls", min(self._bad_controls, bad_controls))
        object.__setattr__(self, "_has_failed", True)  # perhaps: the error is part of the contents
        if known:
            put(known, self._store)
        else:
            change_whole(self._store, lambda: write(contents, self._store), VARIABLE_FIELDS)
        object.__setattr__(self, "_bad_controls", bad_controls)
        return self

    @exclusive
    def copy(self) -> Data:
        """An independent Data with the same contents, on the same model."""
        return self._copied()

    def _copied(self) -> Data:
        """`copy`, for those who are at work with this Data."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            other = Data(self.model, dtype=self._store.number.base)
        snapshot = take(self._store, self._layout)
        if known_snapshot(snapshot, other._store, self._layout):
            put(snapshot, other._store)
        else:
            write(snapshot, other._store)
        object.__setattr__(other, "_has_failed", True)
        object.__setattr__(other, "_bad_controls", self._bad_controls)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Data:
        return self.copy()

    def __reduce__(self) -> tuple:
        return _rebuild, (self.model, self._store.number.base, self.snapshot())

    @arguments_checked
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

    @exclusive
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
