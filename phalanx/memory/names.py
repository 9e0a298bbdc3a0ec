"""Objects by name: `model.geom("floor").friction`, `data.joint("knee").qpos`.

Which fields belong to an object derives from the tables: a row whose first axis counts the objects, a stretch of the
position or velocity vector for a joint, a stretch of controls and outputs for an actuator.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from phalanx.memory.errors import FieldError, UnknownNameError, suggestion
from phalanx.memory.fill import fill
from phalanx.tables.field import Field


@dataclass(frozen=True)
class Span:
    """A stretch of a longer axis that belongs to one object, from start[id] on.

    `count` names the row that says how long it is; several names are the extents of an array.
    """

    size: str
    start: str
    count: str | tuple[str, ...]
    prefix: str = ""
    single_is_row: bool = False
    """Does an object with a single element show it without the axis of elements, as MuJoCo does?"""


@dataclass(frozen=True)
class ObjectKind:
    """One kind of object that has names."""

    accessor: str
    size: str
    prefix: str
    names: str
    spans: tuple[Span, ...] = ()
    short_prefix: str = ""
    """Another beginning of names of fields that belong to the kind."""


OBJECT_KINDS: tuple[ObjectKind, ...] = (
    ObjectKind("body", "nbody", "body_", "name_bodyadr"),
    ObjectKind(
        "joint", "njnt", "jnt_", "name_jntadr",
        (
            Span("nq", "jnt_qposadr", "qposnum"),
            Span("nv", "jnt_dofadr", "dofnum", "dof_"),
            Span("nplastic", "jnt_plasticadr", "qposnum"),
        ),
    ),
    ObjectKind("geom", "ngeom", "geom_", "name_geomadr"),
    ObjectKind("site", "nsite", "site_", "name_siteadr"),
    ObjectKind("camera", "ncam", "cam_", "name_camadr"),
    ObjectKind("light", "nlight", "light_", "name_lightadr"),
    ObjectKind("flex", "nflex", "flex_", "name_flexadr"),
    ObjectKind("mesh", "nmesh", "mesh_", "name_meshadr"),
    ObjectKind("skin", "nskin", "skin_", "name_skinadr"),
    ObjectKind(
        "hfield", "nhfield", "hfield_", "name_hfieldadr",
        (Span("nhfielddata", "hfield_adr", ("hfield_nrow", "hfield_ncol"), "hfield_"),),
    ),
    ObjectKind(
        "texture", "ntex", "tex_", "name_texadr",
        (Span("ntexdata", "tex_adr", ("tex_height", "tex_width", "tex_nchannel"), "tex_"),),
    ),
    ObjectKind("material", "nmat", "mat_", "name_matadr"),
    ObjectKind("pair", "npair", "pair_", "name_pairadr"),
    ObjectKind("exclude", "nexclude", "exclude_", "name_excludeadr"),
    ObjectKind("equality", "neq", "eq_", "name_eqadr"),
    ObjectKind("tendon", "ntendon", "tendon_", "name_tendonadr", short_prefix="ten_"),
    ObjectKind(
        "actuator", "nactuator", "actuator_", "name_actuatoradr",
        (
            Span("nu", "actuator_ctrladr", "actuator_ctrlnum", "actuator_", single_is_row=True),
            Span("nout", "actuator_outadr", "actuator_outnum", "actuator_", single_is_row=True),
            Span("na", "actuator_actadr", "actuator_actnum"),
        ),
    ),
    ObjectKind(
        "sensor", "nsensor", "sensor_", "name_sensoradr",
        (Span("nsensordata", "sensor_adr", "sensor_dim", "sensor"),),
    ),
    ObjectKind(
        "numeric", "nnumeric", "numeric_", "name_numericadr",
        (Span("nnumericdata", "numeric_adr", "numeric_size", "numeric_"),),
    ),
    ObjectKind("text", "ntext", "text_", "name_textadr", (Span("ntextdata", "text_adr", "text_size", "text_"),)),
    ObjectKind(
        "tuple", "ntuple", "tuple_", "name_tupleadr", (Span("ntupledata", "tuple_adr", "tuple_size", "tuple_"),)
    ),
    ObjectKind("key", "nkey", "key_", "name_keyadr"),
    ObjectKind("plugin", "nplugin", "plugin_", "name_pluginadr"),
)  # fmt: skip

KIND_BY_ACCESSOR = {kind.accessor: kind for kind in OBJECT_KINDS}


def decode_names(buffer: np.ndarray, addresses: np.ndarray) -> tuple[str, ...]:
    """Zero-terminated names out of MuJoCo's packed buffer; bytes that are no text are shown as such."""
    # a damaged file may lack the last zero
    text = buffer.tobytes() + b"\0"
    return tuple(text[start : text.index(b"\0", start)].decode(errors="backslashreplace") for start in addresses)


class NameIndex:
    """Names of all objects of a Model, in both directions."""

    def __init__(self, arrays: Mapping[str, np.ndarray]):
        self.names = {k.accessor: decode_names(arrays["names"], arrays[k.names]) for k in OBJECT_KINDS}
        self._ids = {kind: {name: i for i, name in enumerate(names) if name} for kind, names in self.names.items()}

    def id_of(self, kind: str, key: str | int) -> int:
        """The id of an object given by name or by id."""
        count = len(self.names[kind])
        if isinstance(key, (int, np.integer)):
            if not -count <= key < count:
                raise UnknownNameError(f"{kind} {key} does not exist: the model has {count}")
            return int(key) % count
        if not isinstance(key, str):
            raise UnknownNameError(f"a {kind} is given by its name or its id, a whole number, not {key!r}")
        if key not in self._ids[kind]:
            raise UnknownNameError(f"no {kind} is named {key!r}{suggestion(key, self._ids[kind])}")
        return self._ids[kind][key]

    def label(self, kind: str, objid: int) -> str:
        """How messages name an object."""
        name = self.names[kind][objid]
        return f"{kind} {name!r}" if name else f"{kind} {objid}"


class Place(NamedTuple):
    """Where a field of an object is.

    Attributes:
        name: of the field.
        where: the index or the stretch that belongs to the object.
        shape: of the stretch, if it has one of its own.
    """

    name: str
    where: int | slice
    shape: tuple[int, ...] | None

    def part_of(self, array: np.ndarray) -> np.ndarray:
        """The part of a field that belongs to the object; live."""
        part = array[self.where]
        return part if self.shape is None else part.reshape(self.shape)


class NamedObject:
    """The fields of one object, by their names without the prefix of the kind. Arrays are live.

    Args:
        kind: of object.
        objid: its id.
        name: its name.
        places: attribute -> where it is.
        read: field -> its array.
    """

    __slots__ = ("_fields", "_read", "id", "kind", "name")

    def __init__(self, kind: str, objid: int, name: str, places: Mapping[str, Place], read: Callable[[str], Any]):
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "id", objid)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "_fields", places)
        object.__setattr__(self, "_read", read)

    def __getattr__(self, attribute: str) -> Any:
        try:
            place = self._fields[attribute]
        except KeyError:
            raise FieldError(f"{self.kind} has no field {attribute!r}{suggestion(attribute, self._fields)}") from None
        return place.part_of(self._read(place.name))

    def __setattr__(self, attribute: str, value: Any) -> None:
        current = getattr(self, attribute)
        if not isinstance(current, np.ndarray) or not current.flags.writeable:
            raise FieldError(f"{self.kind} field {attribute!r} cannot be written; use Model.replace for a Model")
        fill(current, f"{self.kind} field {attribute!r}", value)

    def __dir__(self) -> list[str]:
        return [*self._fields, "id", "kind", "name"]

    def __repr__(self) -> str:
        lines = [f"<{self.kind} {self.id} {self.name!r}>"]
        for attribute in sorted(self._fields):
            value = np.array2string(np.asarray(getattr(self, attribute)), precision=6, threshold=12)
            lines.append(f"  {attribute}: {value}".replace("\n", "\n    "))
        return "\n".join(lines)


def object_places(
    kind: ObjectKind, objid: int, rows: Mapping[str, Field], structure: Mapping[str, np.ndarray]
) -> dict[str, Place]:
    """Attribute -> where it is, for one object of a kind."""
    places: dict[str, Place] = {}
    for name, row in rows.items():
        if row.scratch or row.is_scalar or "." in name:
            continue
        if row.shape[0] == kind.size:
            # keep one axis when a single value belongs to the object, so that the array is live and writable
            index = objid if len(row.shape) > 1 else slice(objid, objid + 1)
            places.setdefault(name.removeprefix(kind.prefix).removeprefix(kind.short_prefix), Place(name, index, None))
        for span in kind.spans:
            if row.shape[0] == span.size:
                start = int(structure[span.start][objid])
                extents = (span.count,) if isinstance(span.count, str) else span.count
                shape = tuple(int(structure[extent][objid]) for extent in extents)
                count = math.prod(shape) if start >= 0 else 0
                is_row = span.single_is_row and count == 1 and len(row.shape) > 1
                stretch = start if is_row else slice(max(start, 0), max(start, 0) + count)
                places.setdefault(
                    name.removeprefix(span.prefix), Place(name, stretch, shape if len(shape) > 1 else None)
                )
    return places


class ObjectPlaces:
    """Where the fields of the objects of a model are; looked up once for each object.

    Args:
        rows: of the Model or of the Data.
        structure: arrays that say where the stretches of objects begin and how long they are.
    """

    def __init__(self, rows: Mapping[str, Field], structure: Mapping[str, np.ndarray]):
        self._rows, self._structure = rows, structure
        self._found: dict[tuple[str, int], dict[str, Place]] = {}

    def of(self, kind: str, objid: int) -> dict[str, Place]:
        """Attribute -> where it is, for one object."""
        found = self._found.get((kind, objid))
        if found is None:
            found = object_places(KIND_BY_ACCESSOR[kind], objid, self._rows, self._structure)
            self._found[kind, objid] = found
        return found
