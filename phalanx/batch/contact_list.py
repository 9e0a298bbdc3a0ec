"""Contacts of all worlds of a batch, from the rows that a run in lanes has listed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

import numpy as np

from phalanx.collision.contact_sides import Sides, bodies_of, name_of
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.tables.scratch_fields import SCRATCH
from phalanx.world.contacts import COLUMNS, ContactList, ContactTable, column_dtype, describe
from phalanx.world.model import Model

#: Rows that a run lists, without the counts.
LISTED = tuple(row.name for row in SCRATCH["contact_list_scratch"] if row.shape)
#: What else forces and velocities are told from.
MOTION = ("cvel", "subtree_com")
#: Room for so many contacts of a lane group at first.
FIRST_ROOM = 32


class WorldContactTable(ContactTable):
    """All contacts of some worlds of a batch: a `ContactTable` with a column `world`, sorted by it.

    Columns are arrays: `table.world`, `table["depth"]`; ids of geoms are `geomid1` and `geomid2`. `table[3]` is one
    contact with all columns, `table.rows` the NumPy structured array. Names are looked up when they are asked for.
    """

    columns: ClassVar[dict[str, str]] = {
        "world": "index of the world",
        "geomid1": "id of the first geom, -1 for a flex",
        "geomid2": "id of the second geom, -1 for a flex",
        **ContactTable.columns,
    }

    def __init__(self, numbers: Mapping[str, np.ndarray], names: Mapping[str, np.ndarray], model: Model, sides: Sides):
        # without `rows`, which are made when they are asked for
        self._numbers, self._names, self._model, self._sides = dict(numbers), dict(names), model, sides

    @cached_property
    def rows(self) -> np.ndarray:  # type: ignore[override]
        """The table as a structured array: a copy."""
        kinds = {"world": "i8", "geomid1": "i4", "geomid2": "i4", **{name: kind for name, (kind, _) in COLUMNS.items()}}
        rows = np.zeros(len(self), column_dtype(kinds))
        for name in self.columns:
            rows[name] = self._column(name)
        return rows

    def _column(self, name: str) -> np.ndarray:
        if name in self._numbers:
            return self._numbers[name]
        # names of geoms and bodies, from their ids
        kind, side = name[:-1], name[-1]
        ids = self._numbers[f"{kind}id{side}"]
        if kind == "geom" and (ids < 0).any():
            return np.array([name_of(self._model, self._sides, k, int(side) - 1) for k in range(len(self))])
        return self._names[kind][ids]

    def __len__(self) -> int:
        return len(self._numbers["world"])

    def __repr__(self) -> str:
        worlds = len(np.unique(self._numbers["world"]))
        return f"<{len(self)} contacts in {worlds} worlds: {', '.join(self.columns)}>"


def contact_table(model: Model, listed: Mapping[str, np.ndarray], worlds: np.ndarray) -> WorldContactTable:
    """The table of the contacts of some worlds.

    Args:
        model: the model.
        listed: rows LISTED and MOTION of these worlds, (k, ...).
        worlds: which they are.
    """
    # a lane group lists the contacts of all its worlds; each world picks its own
    places = np.argwhere(listed["listed_is_there"] > 0)
    places = places[np.argsort(worlds[places[:, 0]], kind="stable")]
    place = places[:, 0], places[:, 1]
    rows = {name: listed[name][place] for name in LISTED}
    sides = Sides(*(rows[f"listed_{part}"].astype(np.int32) for part in Sides._fields))
    geoms = sides.geom
    contacts = ContactList(
        geoms, rows["listed_dim"].astype(np.int32), rows["listed_dist"], rows["listed_pos"], rows["listed_frame"],
        rows["listed_friction"], rows["listed_adhesion"], rows["listed_force"], rows["listed_has_rows"] > 0,
    )  # fmt: skip
    bodies = bodies_of(model, sides)
    roots = model.body_rootid[bodies]
    first = place[0][:, None]
    numbers = describe(contacts, listed["cvel"][first, bodies], listed["subtree_com"][first, roots], model.opt.cone)
    ids = {"geomid1": geoms[:, 0], "geomid2": geoms[:, 1], "bodyid1": bodies[:, 0], "bodyid2": bodies[:, 1]}
    names = {kind: labels(model, kind) for kind in ("geom", "body")}
    return WorldContactTable({"world": worlds[place[0]], **ids, **numbers}, names, model, sides)


def labels(model: Model, kind: str) -> np.ndarray:
    """The name of each object of a kind, or its kind and id."""
    names = model.names.names[kind]
    return np.array([name or f"{kind} {k}" for k, name in enumerate(names)] or [""])


def shape_of_listed(name: str, room: int) -> tuple[int, ...]:
    """Shape of a listed row of one world."""
    return room, *(int(axis) for axis in DATA_SCHEMA.fields[name].shape[1:])
