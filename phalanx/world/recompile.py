"""The state of a Data for another Model of the same Spec: what stayed keeps its state.

An object is followed by the element that it was made from. Which numbers of the state belong to an object derives from
the rows, as for `data.joint("knee").qpos`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phalanx.compiler.model_build import Build
from phalanx.compiler.text.element import Element
from phalanx.memory.errors import ModelError
from phalanx.memory.exclusive import exclusive
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.names import KIND_BY_ACCESSOR, object_places
from phalanx.tables.history import history_size
from phalanx.world.data import Data

if TYPE_CHECKING:
    from phalanx.world.model import Model


class Place(NamedTuple):
    """What an object was made from: its element in the Spec, None if that is not known, and its name in the Model."""

    origin: Element | None
    name: str


#: Kind -> its objects in the order of their ids.
Places = dict[str, list[Place]]

#: Kinds of objects that have a state.
STATEFUL = ("body", "joint", "tendon", "actuator", "sensor", "equality")
#: Rows of the Model that an object must have in common with the one whose state it takes.
_SAME = {"joint": "jnt_type", "equality": "eq_type", "sensor": "sensor_type"}
_STATE = {name: row for name, row in DATA_SCHEMA.fields.items() if row.state}


def places_of(build: Build, places: Places) -> None:
    """Note in `places` what the objects of a compiled model were made from."""
    for kind in STATEFUL:
        places[kind] = [Place(obj.element.copied_from, obj.name) for obj in build.of_kind(kind)]


def places_by_name(model: Model) -> Places:
    """The places of a model whose elements are not known: its names.

    Raises:
        ModelError: a moving object has no name.
    """
    for kind in ("joint", "actuator"):
        for objid, name in enumerate(model.names.names[kind]):
            if not name:
                raise ModelError(
                    f"this Spec did not compile the model, and {kind} {objid} has no name to find it by: "
                    "pass the model that Spec.compile gave"
                )
    return {kind: [Place(None, name) for name in model.names.names[kind]] for kind in STATEFUL}


def matches(before: list[Place], after: list[Place]) -> list[int]:
    """For each object of the new model the id of the same one in the old model, -1 if it is new.

    Copies that replicate and attach make share an element: they are told apart by name, then by order.
    """
    found = [-1] * len(after)
    free: dict[int, list[int]] = defaultdict(list)
    for old, place in enumerate(before):
        if place.origin is not None:
            free[id(place.origin)].append(old)
    # first copies with the same name, then the rest in order, then names alone
    for new, place in enumerate(after):
        same = [old for old in free[id(place.origin)] if place.name and before[old].name == place.name]
        if same:
            found[new] = same[0]
            free[id(place.origin)].remove(same[0])
    for new, place in enumerate(after):
        if found[new] < 0 and free[id(place.origin)]:
            found[new] = free[id(place.origin)].pop(0)
    taken = {old for old in found if old >= 0}
    named = {place.name: old for old, place in enumerate(before) if place.name and old not in taken}
    return [named.get(after[new].name, -1) if old < 0 else old for new, old in enumerate(found)]


@exclusive
def carry_state(data: Data, model: Model, before: Places, after: Places) -> Data:
    """A Data of another model, in the state of `data` as far as its objects are still there.

    Args:
        data: of the old model; it does not change.
        model: the new one.
        before, after: what the objects of both were made from.
    """
    new = model.make_data(data._store.number.base)
    new._store.arrays["time"][...] = data._store.arrays["time"]
    if new.userdata.shape == data.userdata.shape:
        new.userdata[...] = data.userdata
    for kind in STATEFUL:
        for newid, oldid in enumerate(matches(before[kind], after[kind])):
            if oldid >= 0 and _is_same(kind, data.model, oldid, model, newid):
                old_parts = dict(_parts(data, kind, oldid))
                for name, part in _parts(new, kind, newid):
                    if old_parts[name].shape == part.shape:
                        part[...] = old_parts[name]
    return new


def _is_same(kind: str, old: Model, oldid: int, new: Model, newid: int) -> bool:
    """Has an object a state that means the same in both models?"""
    row = _SAME.get(kind)
    return row is None or bool(getattr(old, row)[oldid] == getattr(new, row)[newid])


def _parts(data: Data, kind: str, objid: int) -> Iterator[tuple[str, np.ndarray]]:
    """The numbers of the state that belong to an object, by field; writing to them changes the Data."""
    m, arrays = data.model, data._store.arrays
    for name, place in object_places(KIND_BY_ACCESSOR[kind], objid, _STATE, m.structure).items():
        yield name, place.part_of(arrays[place.name])
    # stretches that objects do not show as fields of their own
    if kind == "body":
        mocap = int(m.body_mocapid[objid])
        yield "mocap_pos", arrays["mocap_pos"][mocap : mocap + 1] if mocap >= 0 else arrays["mocap_pos"][:0]
        yield "mocap_quat", arrays["mocap_quat"][mocap : mocap + 1] if mocap >= 0 else arrays["mocap_quat"][:0]
    elif kind == "tendon":
        start = int(m.tendon_plasticadr[objid])
        yield "plastic", arrays["plastic"][start : start + 2] if start >= 0 else arrays["plastic"][:0]
    elif kind in ("actuator", "sensor"):
        width = int(m.actuator_ctrlnum[objid] if kind == "actuator" else m.sensor_dim[objid])
        start = max(0, int(getattr(m, f"{kind}_historyadr")[objid]))
        yield (
            "history",
            arrays["history"][start : start + history_size(int(getattr(m, f"{kind}_history")[objid][0]), width)],
        )
