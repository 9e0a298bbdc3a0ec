"""Model: what does not change while a world is simulated."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from phalanx.algebra.number_type import NumberType, one_world
from phalanx.collision.sdf.grid import SDF
from phalanx.compiler.compile import bytes_of, read_bytes
from phalanx.compiler.finish.make_model import Compiled
from phalanx.compiler.text.limits import USUAL, Limits
from phalanx.compiler.text.notes import Note
from phalanx.hook.hooks import UserHook, changed_hooks
from phalanx.memory.declared import arguments_checked
from phalanx.memory.enum_names import without_names
from phalanx.memory.errors import FieldError, ModelError, public_names, suggestion
from phalanx.memory.fill import fill, flag
from phalanx.memory.layout import DATA_SCHEMA, MODEL_SCHEMA
from phalanx.memory.names import KIND_BY_ACCESSOR, NamedObject, NameIndex, ObjectPlaces
from phalanx.memory.store import Store, memory_beyond
from phalanx.memory.visual import Visual
from phalanx.pipeline.derive import count_sleep
from phalanx.pipeline.derived import list_candidates, recompute
from phalanx.pipeline.exact_frames import exact_frames
from phalanx.pipeline.validation import whole_model as validate
from phalanx.smooth.actuator.hill_parameters import HillMuscle
from phalanx.tables.enums import StateBit
from phalanx.tables.field import Field, Kind
from phalanx.tables.joints import NQ, NV
from phalanx.tables.model_fields import SETCONST_INPUTS
from phalanx.world.data import Data
from phalanx.world.fingerprint import HASHED, fingerprint_of
from phalanx.world.grids import with_grids
from phalanx.world.model_files import Parts, load_parts, mujoco_of, parts_of_mujoco, safe_arrays, save_parts
from phalanx.world.model_memory import compiled_once
from phalanx.world.model_xml import xml_of
from phalanx.world.muscles import with_hill_muscles
from phalanx.world.snapshot import Layout
from phalanx.world.state_vector import extract_state, state_bits, state_size
from phalanx.world.typed import ModelFields
from phalanx.world.urdf_file import write_urdf

#: Endings of integer rows that say how the model is built; changing them would need another model.
_STRUCTURE_ENDINGS = ("adr", "num", "id", "type", "nnz", "ind", "diag", "simple", "spec", "dim")
#: Rows with such an ending that are parameters all the same.
_PARAMETERS = frozenset(("geom_contype", "geom_conaffinity", "geom_condim", "pair_dim"))
#: Rows that decide which geoms may touch.
_CANDIDATE_INPUTS = frozenset(("geom_contype", "geom_conaffinity", "opt.disableflags"))
#: Rows of numbers that decide how many activations there are.
COUNTED_BY = frozenset(("actuator_dynprm", "actuator_gainprm"))
#: Fields that a user may mean; candidates of contacts are ours alone.
KNOWN = tuple(name for name in MODEL_SCHEMA.fields if not name.startswith(("candidate_", "names_map")))


class Record:
    """A nested group of a Model's fields (`model.opt`, `model.stat`), read-only."""

    __slots__ = ("_arrays", "_name")

    def __init__(self, name: str, arrays: Mapping[str, np.ndarray]):
        members = {key.split(".")[1]: arrays[key] for key in arrays if key.startswith(name + ".")}
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "_arrays", members)

    def __getattr__(self, attribute: str) -> Any:
        try:
            array = self._arrays[attribute]
        except KeyError:
            raise FieldError(f"{self._name} has no field {attribute!r}{suggestion(attribute, self._arrays)}") from None
        return array if array.ndim else array.item()

    def __setattr__(self, attribute: str, value: Any) -> None:
        getattr(self, attribute)  # refuses an unknown name
        raise FieldError(f'a Model is immutable: use model.replace({self._name}={{"{attribute}": ...}})')

    def __getstate__(self) -> Any:
        return self._name, self._arrays

    def __setstate__(self, state: Any) -> None:
        object.__setattr__(self, "_name", state[0])
        object.__setattr__(self, "_arrays", state[1])

    def __dir__(self) -> list[str]:
        return list(self._arrays)

    def __repr__(self) -> str:
        return "\n".join([f"<{self._name}>", *(f"  {name}: {array}" for name, array in self._arrays.items())])


class Model(ModelFields):
    """An immutable physics model with MuJoCo's field names.

    Every row of the Model table is an attribute (a read-only array under MuJoCo's name and shape), every size an
    integer, `opt` and `stat` are nested records, `vis` has settings for viewers. Objects are found by name:
    `model.body("torso")`.

    Make one with `Model.from_xml_path`, change it with `replace`, simulate it with `make_data` or `BatchSim`.

    Args:
        sizes: all sizes, by name.
        arrays: all rows, by name; they are copied and checked.
        hooks: functions of the user, as another Model has them.
        vis: settings for viewers.
        report: what was assumed.

    Raises:
        ModelError: something is missing, or kernels could not run the model safely.
    """

    def __init__(
        self,
        sizes: Mapping[str, int],
        arrays: Mapping[str, np.ndarray],
        hooks: Mapping[str, UserHook] | None = None,
        vis: Visual | None = None,
        report: tuple[Note, ...] = (),
    ):
        if "_store" in self.__dict__:
            raise FieldError("a Model is immutable: make another one")
        check_parts(sizes, arrays, hooks, vis, report)
        # plain arrays: those of other classes, such as files in memory, may say what they like of themselves
        plain = {name: np.asarray(array) for name, array in arrays.items()}
        self._take(sizes, safe_arrays(sizes, plain), hooks, vis, report)

    @classmethod
    def _made(cls, *parts: Any) -> Model:
        """A Model of parts that were proven safe, as `_take` has them."""
        model = object.__new__(cls)
        model._take(*parts)
        return model

    def _take(
        self,
        sizes: Mapping[str, int],
        arrays: Mapping[str, np.ndarray],
        hooks: Mapping[str, UserHook] | None = None,
        vis: Visual | None = None,
        report: tuple[Note, ...] = (),
    ) -> None:
        store = Store(MODEL_SCHEMA, {**sizes, "nsleep": count_sleep(arrays)}, NumberType("float64"))
        for name, array in arrays.items():
            store.attach(name, array)
        store.freeze()
        store.redirect(exact_frames(store.arrays))
        object.__setattr__(self, "_store", store)
        object.__setattr__(self, "_hooks", dict(hooks or {}))
        object.__setattr__(self, "_vis", vis or Visual())
        object.__setattr__(self, "_report", report)

    # --- making a model

    @classmethod
    def from_compiled(cls, compiled: Compiled, report: tuple[Note, ...] = ()) -> Model:
        """A Model that takes over what the compiler has made, with what was assumed before that."""
        model = object.__new__(cls)
        compiled.store.set_size("nsleep", count_sleep(compiled.store.arrays))
        compiled.store.freeze()
        object.__setattr__(model, "_store", compiled.store)
        object.__setattr__(model, "_hooks", {})
        object.__setattr__(model, "_vis", compiled.vis)
        object.__setattr__(model, "_report", report)
        return model

    @classmethod
    def from_mujoco(cls, mjmodel: Any) -> Model:
        """Copy a compiled `mujoco.MjModel` (version 4.0).

        Args:
            mjmodel: the compiled model; it is not kept.

        Raises:
            ModelError: a model of another version of MuJoCo, or one that kernels could not run safely.
        """
        return cls._of(parts_of_mujoco(mjmodel))

    @classmethod
    @arguments_checked
    def from_xml_path(
        cls,
        path: str | Path,
        assets: Mapping[str, bytes | str] | None = None,
        *,
        limits: Limits | None = None,
        trusted: bool = True,
    ) -> Model:
        """Compile an MJCF file.

        Args:
            path: the file.
            assets: files in memory by name, looked at before the disk.
            limits: how large the model may be, None for the usual limits.
            trusted: may it read files anywhere, as in MuJoCo? Otherwise only those in its folder.

        Raises:
            MjcfError: with everything that is wrong, each with its place.
        """
        text = read_bytes(path, limits or USUAL)
        return compiled_once(os.fspath(path), text, assets, cls.from_compiled, limits, flag("trusted", trusted))

    @classmethod
    @arguments_checked
    def from_xml_string(
        cls,
        xml: str | bytes,
        assets: Mapping[str, bytes | str] | None = None,
        *,
        limits: Limits | None = None,
        trusted: bool = True,
    ) -> Model:
        """Compile an MJCF text.

        Args:
            xml: the text.
            assets: files that it refers to, by name.
            limits: how large the model may be, None for the usual limits.
            trusted: may it read files, in the working folder or anywhere? Otherwise it has those in `assets` only.

        Raises:
            MjcfError: with everything that is wrong, each with its place.
        """
        return compiled_once("", bytes_of(xml), assets, cls.from_compiled, limits, flag("trusted", trusted))

    @classmethod
    @arguments_checked
    def load(cls, path: str | Path | io.IOBase, *, limits: Limits | None = None) -> Model:
        """Read a model that `save` wrote (.npz), or a binary of MuJoCo 4.0 (.mjb), without MuJoCo.

        Args:
            path: the file; an open one may be of either format.
            limits: how large the model may be (`model_bytes`), None for the usual limits.

        Raises:
            ModelError: the file is too large, damaged, of another version, or no model that kernels could run safely.
        """
        return cls._of(load_parts(path, (limits or USUAL).model_bytes))

    @classmethod
    def _of(cls, parts: Parts) -> Model:
        sizes, arrays, vis = parts
        return cls._made(sizes, arrays, None, vis)

    @arguments_checked
    def save(self, path: str | Path | io.IOBase) -> None:
        """Write all fields to a file; the suffix says in which format.

        - `.npz`: Phalanx's own, compressed. Hooks are not part of it.
        - `.mjb`: MuJoCo's binary, which `mujoco.MjModel.from_binary_path` reads.

        Args:
            path: the file, which gets exactly this name. An open file is written as npz.

        Raises:
            ModelError: another suffix or none; or what MuJoCo has not (hooks, grids, Hill muscles) in an `.mjb`.
        """
        save_parts(path, self._parts, self._hooks)

    def to_mujoco(self) -> Any:
        """A `mujoco.MjModel` with the same fields; needs the package mujoco 4.0.0.

        Its `signature` is 0, as of each model that MuJoCo reads from a binary.

        Raises:
            MissingPackageError: MuJoCo is not installed, or in another version.
            ModelError: the model has what MuJoCo has not: hooks, signed distance grids or Hill muscles.
        """
        return mujoco_of(self._parts, self._hooks)

    @property
    def _parts(self) -> Parts:
        return self._store.sizes, self._store.arrays, self._vis

    def to_xml(self) -> str:
        """The model as MJCF text that compiles to the same physics, wherever the model came from.

        It is written as compiled, like MuJoCo's mj_saveLastXML: angles in radians, masses and inertias of bodies,
        general actuators, no default classes. Pictures (textures) and hooks are not part of it. `Spec.to_xml` writes
        a model file as its author wrote it.

        Raises:
            ModelError: the model has what MJCF cannot say, which the message names.
        """
        return xml_of(self)

    @arguments_checked
    def to_urdf(self, path: str | Path) -> tuple[Note, ...]:
        """Write the model as a URDF file, and its meshes to a folder beside it.

        URDF says less than a Model: what it has no words for is left out. `phalanx.load` of the file gives a model with
        the same physics if nothing was lost.

        Args:
            path: the file, which ends in `.urdf`.

        Returns:
            What was lost; empty if nothing was.

        Raises:
            ModelError: another suffix, or a model that has what MJCF cannot say.
        """
        return write_urdf(self, Path(path))

    def replace(self, **fields: Any) -> Model:
        """A new model with some fields changed.

        Derived constants (subtree masses, inverse weights, lengths at qpos0, ...) are recomputed where MuJoCo's
        mj_setConst would recompute them. Options are given as `opt={"timestep": 0.001}` or under their dotted names,
        `**{"opt.timestep": 0.001}`.

        Args:
            **fields: new values by field name; scalars are broadcast to the field's shape. Enums may be given by
                name: `opt={"integrator": "RK4"}`.

        Raises:
            FieldError: unknown name, wrong shape, or a row that describes the model's structure.
            ModelError: the values do not make a model.
        """
        arrays = dict(self._store.arrays)
        changed = flattened(fields)
        for name, value in changed.items():
            arrays[name] = self._checked(name, value)
        sizes = self._store.sizes
        # before a kernel sees the new values
        if any(MODEL_SCHEMA.fields[name].domain is not None or name in COUNTED_BY for name in changed):
            validate.check_model(sizes, arrays)
        if SETCONST_INPUTS & changed.keys():
            sizes, arrays = recompute(sizes, arrays)
        if _CANDIDATE_INPUTS & changed.keys():
            sizes, arrays = list_candidates(sizes, arrays, "contact_filter" in self._hooks)
        return Model._made(sizes, arrays, self._hooks, self._vis, self._report)

    def state_size(self, sig: int | str = StateBit.INTEGRATION) -> int:
        """How many numbers `Data.get_state(sig)` gives."""
        return state_size(self._store.sizes, state_bits(sig))

    def extract_state(self, state: Any, srcsig: int | str, dstsig: int | str) -> np.ndarray:
        """Some parts of a vector of `Data.get_state`, or of many, (..., size).

        Args:
            state: the vector.
            srcsig: the parts that it has.
            dstsig: the parts to keep; all of them must be in the vector.
        """
        return extract_state(self._store.sizes, state, state_bits(srcsig, "srcsig"), state_bits(dstsig, "dstsig"))

    def with_hooks(self, **functions: Callable[..., Any] | None) -> Model:
        """A new model whose step calls functions of yours, compiled into machine code; this model does not change.

        A hook is a plain function of (m, d) that reads and writes numbers of the Model and the Data; see docs/hooks.md.

        Args:
            **functions: by name of the hook: control(m, d), passive(m, d), act_dyn(m, d, actuator),
                act_gain(m, d, actuator), act_bias(m, d, actuator), sensor(m, d, sensor), contact_filter(m, d, geom1,
                geom2). None takes a hook away; those that are not named stay.

        Raises:
            HookError: a function that cannot be compiled, with the place in its source.
        """
        hooks = changed_hooks(self._hooks, functions)
        sizes, arrays = self._store.sizes, self._store.arrays
        if ("contact_filter" in hooks) != ("contact_filter" in self._hooks):
            sizes, arrays = list_candidates(sizes, arrays, "contact_filter" in hooks)
        return Model._made(sizes, arrays, hooks, self._vis, self._report)

    @property
    def hooks(self) -> dict[str, Callable[..., Any]]:
        """The functions that `with_hooks` was given, by name."""
        return {name: hook.function for name, hook in self._hooks.items()}

    @arguments_checked
    def with_sdf(self, grids: Mapping[str | int, SDF]) -> Model:
        """A new model in which some geoms have the shape of a signed distance grid; their bodies keep their masses.

        Args:
            grids: the SDF of each geom, by name or id; a distance of the SDF is one in the frame of the geom.
        """
        if not grids:
            return self
        for key, grid in grids.items():
            if not isinstance(grid, SDF):
                raise ModelError(f"the shape of geom {key!r} must be an SDF, not {type(grid).__name__}")
        by_id = {self.names.id_of("geom", key): grid for key, grid in grids.items()}
        sizes, arrays = with_grids(self._store.sizes, self._store.arrays, by_id)
        listed = list_candidates(sizes, arrays, "contact_filter" in self._hooks)
        return Model._made(*listed, self._hooks, self._vis, self._report)

    @arguments_checked
    def with_muscles(self, muscles: Mapping[str | int, HillMuscle]) -> Model:
        """A new model in which some actuators are Hill muscles, with a control from 0 to 1.

        An actuator keeps its transmission, gear, force limits and group. `act` has another length, and keyframes begin
        with relaxed muscles.

        Args:
            muscles: the muscle of each actuator, by name or id.

        Raises:
            ModelError: an actuator that cannot be a muscle.
        """
        by_id = {self.names.id_of("actuator", key): muscle for key, muscle in muscles.items()}
        for actuator, muscle in by_id.items():
            label = self.names.label("actuator", actuator)
            if not isinstance(muscle, HillMuscle):
                raise ModelError(f"{label} must become a HillMuscle, not a {type(muscle).__name__}")
            if self.actuator_outnum[actuator] != 1 or self.actuator_ctrlnum[actuator] != 1:
                raise ModelError(f"{label} has not one control and one force: it cannot be a muscle")
        made = with_hill_muscles(self._store.sizes, self._store.arrays, by_id)
        return Model._made(*made, self._hooks, self._vis, self._report)

    def _checked(self, name: str, value: Any) -> np.ndarray:
        row = self.row(name)
        check_replaceable(name, row)
        array = self._store.allocate(name)
        fill(array, name, without_names(name, row, value))
        check_values(name, row, array)
        return array

    # --- fields

    @property
    def vis(self) -> Visual:
        """Settings of pictures, for viewers; the physics does not read them."""
        return self._vis

    @property
    def report(self) -> tuple[Note, ...]:
        """What was assumed and what has no effect, if the model comes from URDF or USD; each with its place."""
        return self._report

    @property
    def nbytes(self) -> int:
        """Bytes of memory of all fields, and of their copies in single precision if something runs in float32."""
        single = self.__dict__.get("_single")
        return self._store.nbytes + (memory_beyond(self._store, [single]) if single else 0)

    def row(self, name: str) -> Field:
        """The table row of a field."""
        row = MODEL_SCHEMA.fields.get(name) if isinstance(name, str) else None
        if row is not None:
            return row
        if not isinstance(name, str):
            raise FieldError(f"a field of a Model has a name, not {type(name).__name__}")
        if name in MODEL_SCHEMA.sizes:
            raise FieldError(
                f"{name} is a size, which follows from the objects of the model: compile another model instead"
            )
        if name in MODEL_SCHEMA.records:
            raise FieldError(f'{name} is a group of fields: use model.replace({name}={{"field": value}})')
        raise FieldError(f"Model has no field {name!r}{suggestion(name, KNOWN)}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        store = self._store
        if name in store.sizes:
            return store.sizes[name]
        if name in MODEL_SCHEMA.records:
            return self._records[name]
        if name in KIND_BY_ACCESSOR:
            return lambda key: self._object(name, key)
        if name not in store.arrays:
            known = [*store.sizes, *KNOWN, *KIND_BY_ACCESSOR, *public_names(type(self))]
            raise FieldError(f"Model has no field {name!r}{suggestion(name, known)}")
        array = store.arrays[name]
        return array if array.ndim else array.item()

    def __setattr__(self, name: str, value: Any) -> None:
        self.row(name)  # refuses an unknown name
        raise FieldError(f"a Model is immutable: use model.replace({name}=...)")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._store.sizes, *self._store.arrays, *MODEL_SCHEMA.records, *KIND_BY_ACCESSOR]

    @cached_property
    def _records(self) -> dict[str, Record]:
        return {name: Record(name, self._store.arrays) for name in MODEL_SCHEMA.records}

    @cached_property
    def names(self) -> NameIndex:
        """Names of all objects."""
        return NameIndex(self._store.arrays)

    @cached_property
    def structure(self) -> dict[str, np.ndarray]:
        """All rows, plus the widths of joints in qpos and qvel."""
        kinds = self._store.arrays["jnt_type"]
        return {
            **self._store.arrays,
            "qposnum": np.array(NQ, np.int32)[kinds],
            "dofnum": np.array(NV, np.int32)[kinds],
        }

    def _object(self, kind: str, key: str | int) -> NamedObject:
        objid = self.names.id_of(kind, key)
        places = self._places.of(kind, objid)
        return NamedObject(kind, objid, self.names.names[kind][objid], places, self._store.arrays.__getitem__)

    @cached_property
    def _places(self) -> ObjectPlaces:
        return ObjectPlaces(MODEL_SCHEMA.fields, self.structure)

    @cached_property
    def _data_layouts(self) -> dict[NumberType, Layout]:
        """How each precision lays out a Data, once one was copied."""
        return {}

    @cached_property
    def _data_places(self) -> ObjectPlaces:
        return ObjectPlaces(DATA_SCHEMA.fields, self.structure)

    # --- simulation

    def make_data(self, dtype: str = "float64") -> Data:
        """A Data at the initial state, on which forward has not been called.

        Args:
            dtype: "float64" or "float32".
        """
        return Data(self, dtype=dtype)

    def store_for(self, base: str) -> Store:
        """The memory that kernels of one world in `base` read; a float32 copy is made on first use."""
        if base == "float64":
            return self._store
        return self._single

    @cached_property
    def _single(self) -> Store:
        store = Store(MODEL_SCHEMA, self._store.sizes, one_world("float32"))
        for name, array in self._store.arrays.items():
            row = MODEL_SCHEMA.fields[name]
            if row.kind is Kind.REAL:
                copy = store.allocate(name)
                copy[...] = self._store.seen(name)
                store.attach(name, copy)
            else:
                store.attach(name, array)
        return store

    # --- identity

    def __getstate__(self) -> dict[str, Any]:
        arrays = dict(self._store.arrays)
        return {"sizes": self._store.sizes, "arrays": arrays, "hooks": self._hooks, "vis": self._vis,
                "report": self._report}  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        if not isinstance(state, Mapping) or not state.keys() >= {"sizes", "arrays", "hooks", "vis"}:
            raise ModelError("this is no pickle of a Model of this version of Phalanx")
        given = state["arrays"], state["hooks"], state["vis"], state.get("report", ())
        self.__init__(state["sizes"], *given)  # type: ignore[misc]

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: Any) -> Model:
        return self

    def __repr__(self) -> str:
        s = self._store.sizes
        mass = float(self._store.arrays["body_mass"].sum())
        name = self._store.arrays["names"].tobytes().split(b"\0")[0].decode(errors="backslashreplace") or "unnamed"
        counts = ", ".join(
            f"{s[size]} {word}"
            for size, word in (
                ("nbody", "bodies"), ("njnt", "joints"), ("ngeom", "geoms"), ("nactuator", "actuators"),
                ("ntendon", "tendons"), ("nsensor", "sensors"), ("neq", "equalities"), ("nkey", "keyframes"),
            )
            if s[size]
        )  # fmt: skip
        return f"<Model {name!r}: nq {s['nq']}, nv {s['nv']}, nu {s['nu']}; {counts}; {mass:.4g} kg>"

    def fingerprint(self) -> str:
        """A hash of all rows that the physics reads, and of the hooks: 32 hexadecimal digits.

        Names, texts, textures, materials, skins and other looks are left out, and so are paths, and rows that follow
        from others. Two models with the same fingerprint have the same trajectories, bit for bit.
        """
        hooks = "".join(f"{name} {hook.digest};" for name, hook in sorted(self._hooks.items()))
        return fingerprint_of(self._store.arrays, HASHED, hooks.encode())


def check_parts(sizes: Any, arrays: Any, hooks: Any, vis: Any, report: Any) -> None:
    """Refuse parts of a Model from outside that are of another type than parts of a Model have."""
    if not isinstance(sizes, Mapping) or not isinstance(arrays, Mapping):
        raise ModelError("sizes and arrays of a Model are given by name")
    bad = next((name for name, array in arrays.items() if not isinstance(array, np.ndarray)), None)
    if bad is not None:
        raise ModelError(f"{bad} of a Model is an array of NumPy, not {type(arrays[bad]).__name__}")
    hooks = {} if hooks is None else hooks
    if not isinstance(hooks, Mapping) or not all(isinstance(hook, UserHook) for hook in hooks.values()):
        raise ModelError("hooks of a Model are those of another Model: give functions to with_hooks")
    if vis is not None and not isinstance(vis, Visual):
        raise ModelError(f"vis of a Model is a Visual, not {type(vis).__name__}")
    if vis is not None:
        vis.check()
    if not isinstance(report, tuple) or not all(isinstance(note, Note) for note in report):
        raise ModelError("the report of a Model is a tuple of notes")


def flattened(fields: Mapping[str, Any]) -> dict[str, Any]:
    """{"opt": {"timestep": h}} -> {"opt.timestep": h}"""

    def items() -> Iterator[tuple[str, Any]]:
        for name, value in fields.items():
            if name in MODEL_SCHEMA.records and isinstance(value, Mapping):
                yield from ((f"{name}.{member}", v) for member, v in value.items())
            else:
                yield name, value

    return dict(items())


def check_replaceable(name: str, row: Field) -> None:
    """Refuse fields that `replace` cannot change: derived ones, and the structure of the model."""
    if row.setconst and name not in SETCONST_INPUTS:
        raise FieldError(f"{name} is derived from other fields; replace those")
    is_structure = row.kind in (Kind.INT, Kind.SIZE) and "." not in name and name.endswith(_STRUCTURE_ENDINGS)
    if is_structure and name not in _PARAMETERS:
        raise FieldError(f"{name} is part of the model's structure; compile a new model instead")
    if name.startswith("plugin_") or name.endswith("plugin") or name in ("names", "names_map", "paths"):
        raise FieldError(f"{name} cannot be replaced")


def check_values(name: str, row: Field, array: np.ndarray) -> None:
    """Refuse values that no model can have."""
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ModelError(f"{name}{first_place(~np.isfinite(array))} is not finite")
    if name in ("body_mass", "body_inertia", "dof_armature") and (array < 0).any():
        raise ModelError(f"{name}{first_place(array < 0)} is negative")
    if name == "opt.timestep" and not (array > 0).all():
        raise ModelError(f"opt.timestep must be positive, not {array}")
    if name.endswith("quat") and row.shape[-1] == 4:
        is_zero = np.abs(array).sum(-1) < 1e-10
        if is_zero.any():
            raise ModelError(f"{name} has a quaternion of zero length at {first_place(is_zero)}")


def first_place(mask: np.ndarray) -> list[int] | str:
    """Where a mask first holds, as an index to print."""
    return np.argwhere(mask)[0].tolist() if mask.ndim else ""
