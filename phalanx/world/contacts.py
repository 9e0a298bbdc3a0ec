"""Contacts with names and forces, for people: `Data.contacts()`, `Data.contact_force(i)`, `Data.net_force(a, b)`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from phalanx.collision.contact_sides import Sides, bodies_of, name_of
from phalanx.memory.errors import FieldError, UnknownNameError, suggestion
from phalanx.memory.fill import MOST, whole
from phalanx.memory.names import NamedObject
from phalanx.tables.enums import Cone
from phalanx.tables.scratch_fields import MAXCONROW

if TYPE_CHECKING:
    from phalanx.world.answers import Answers

#: Columns of the table: name -> shape and type of one entry, meaning.
COLUMNS: dict[str, tuple[Any, str]] = {
    "geom1": ("U64", "first geom: its name, or its id; of a flex, an element or a vertex"),
    "geom2": ("U64", "second geom"),
    "body1": ("U64", "body of the first geom; of an element, that of its first corner"),
    "body2": ("U64", "body of the second geom"),
    "depth": ("f8", "how deep the surfaces overlap, negative for a gap [m]"),
    "pos": (("f8", 3), "contact point in the world [m]"),
    "normal": (("f8", 3), "from the first geom to the second"),
    "force1": (("f8", 3), "force on the first body, in the world [N]"),
    "force2": (("f8", 3), "force on the second body: the opposite"),
    "torque1": (("f8", 3), "torque on the first body about the contact point, in the world [N·m]"),
    "torque2": (("f8", 3), "torque on the second body: the opposite"),
    "slip": (("f8", 3), "velocity of the second surface along the first, in the world [m/s]"),
}


def column_dtype(kinds: Mapping[str, Any]) -> np.dtype:
    """The type of a row of a table, from the shape and type of each column."""
    return np.dtype([(name, *(kind if isinstance(kind, tuple) else (kind,))) for name, kind in kinds.items()])


_DTYPE = column_dtype({name: kind for name, (kind, _) in COLUMNS.items()})


#: Kinds of objects that forces act on.
PARTICIPANTS = ("body", "geom", "flex")


class Wrench(NamedTuple):
    """A force [N] and a torque [N·m], in the world frame."""

    force: np.ndarray
    torque: np.ndarray


class ContactList(NamedTuple):
    """What forces and velocities of k contacts are told from, in one world or in many.

    Attributes:
        geom: both geoms, (k, 2).
        dim: dimension of the contact space.
        dist: distance of the surfaces [m].
        pos: contact point [m].
        frame: axes, (k, 9).
        friction: coefficients, (k, 5).
        adhesion: attraction along the normal [N].
        force: forces of the constraint rows, (k, 10), zero beyond the last.
        has_rows: whether there are any.
    """

    geom: np.ndarray
    dim: np.ndarray
    dist: np.ndarray
    pos: np.ndarray
    frame: np.ndarray
    friction: np.ndarray
    adhesion: np.ndarray
    force: np.ndarray
    has_rows: np.ndarray


class ContactTable:
    """All contacts of a moment, with names and the forces on both bodies: a copy, row i is contact i.

    Columns are arrays under the names of `ContactTable.columns`, also as attributes: `table.depth`, `table["force2"]`;
    `table[3]` is one contact with the same names, `table.rows` the NumPy structured array.
    """

    columns: ClassVar[dict[str, str]] = {name: doc for name, (_, doc) in COLUMNS.items()}

    def __init__(self, rows: np.ndarray):
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[np.void]:
        return iter(self.rows)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            try:
                return self.rows[key]
            except (KeyError, TypeError, ValueError, OverflowError):
                words = "contacts are chosen by their index or by a column"
                raise FieldError(f"{words}, not {type(key).__name__}") from None
        if key not in self.columns:
            raise FieldError(f"contacts have no column {key!r}{suggestion(key, self.columns)}")
        return self._column(key)

    def _column(self, name: str) -> np.ndarray:
        return self.rows[name]

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            raise FieldError(f"contacts have no column {name!r}")
        return self[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.columns]

    def __repr__(self) -> str:
        lines = [f"<{len(self)} contacts>"]
        for row in self.rows:
            push, slip = np.linalg.norm(row["force2"]), np.linalg.norm(row["slip"])
            pair = f"{row['geom1']} ({row['body1']}) - {row['geom2']} ({row['body2']})"
            lines.append(f"  {pair}: depth {row['depth']:.3g} m, force {push:.4g} N, slip {slip:.3g} m/s")
        return "\n".join(lines)


def contact_force(data: Answers, contact: int) -> np.ndarray:
    """Force and torque of a contact in its own frame, on the second geom: normal, two tangents; spin, two rolls."""
    contact = whole("the index of a contact", contact, -MOST)
    if not -data.ncon <= contact < data.ncon:
        raise FieldError(f"contact {contact} does not exist: there are {data.ncon}")
    contact %= data.ncon
    return contact_wrenches(list_contacts(data, slice(contact, contact + 1)), data.model.opt.cone)[0]


def list_contacts(data: Answers, which: slice = slice(None)) -> ContactList:
    """Contacts of a Data."""
    first_row = data.contact_efc_address[which]
    # forces of rows beyond those of the contact are left out by its dimension
    rows = np.minimum(first_row[:, None] + np.arange(MAXCONROW), max(data.nefc - 1, 0))
    force = data.efc_force[rows] if data.nefc else np.zeros(rows.shape, data.efc_force.dtype)
    return ContactList(
        data.contact_geom[which].reshape(-1, 2), data.contact_dim[which], data.contact_dist[which],
        data.contact_pos[which], data.contact_frame[which], data.contact_friction[which], data.contact_adhesion[which],
        force, first_row >= 0,
    )  # fmt: skip


def contact_wrenches(contacts: ContactList, cone: int) -> np.ndarray:
    """Force and torque of contacts on their second geoms, each in the frame of the contact, (k, 6)."""
    wrenches = np.zeros((len(contacts.dim), 6))
    for dim in np.unique(contacts.dim).tolist():
        here = np.flatnonzero((contacts.dim == dim) & contacts.has_rows)
        if dim == 1 or cone == Cone.ELLIPTIC:
            wrenches[here, :dim] = contacts.force[here, :dim]
        else:  # an edge of the pyramid pushes along the normal and, by friction, along one axis
            edges = np.ascontiguousarray(contacts.force[here, : 2 * (dim - 1)])
            wrenches[here, 0] = edges.sum(axis=1)
            wrenches[here, 1:dim] = (edges[:, 0::2] - edges[:, 1::2]) * contacts.friction[here, : dim - 1]
        wrenches[here, 0] -= contacts.adhesion[here]
    return wrenches


def world_wrenches(contacts: ContactList, cone: int) -> tuple[np.ndarray, np.ndarray]:
    """Force and torque about the contact point on the second body of each contact, (k, 3) each."""
    wrenches = contact_wrenches(contacts, cone).reshape(-1, 2, 3, 1)
    axes = np.asarray(contacts.frame, float).reshape(-1, 1, 3, 3)
    parts = wrenches * axes
    # from zero on, so that a sum of nothing has no sign
    rotated = 0.0 + parts[:, :, 0] + parts[:, :, 1] + parts[:, :, 2]
    return rotated[:, 0], rotated[:, 1]


def contact_bodies(data: Answers) -> np.ndarray:
    """The two bodies of each contact, (ncon, 2)."""
    return bodies_of(data.model, Sides.of(data))


def describe(contacts: ContactList, motions: np.ndarray, centers: np.ndarray, cone: int) -> dict[str, np.ndarray]:
    """The columns of numbers of a table.

    Args:
        contacts: k contacts.
        motions: velocities of their bodies (cvel), (k, 2, 6).
        centers: centers of mass of the trees of their bodies, (k, 2, 3).
        cone: kind of friction cones.
    """
    points = np.asarray(contacts.pos, float)
    normals = np.asarray(contacts.frame, float).reshape(-1, 9)[:, :3]
    forces, torques = world_wrenches(contacts, cone)
    motion, arms = np.asarray(motions, float), points[:, None] - centers
    velocities = motion[:, :, 3:] + np.cross(motion[:, :, :3], arms)
    relative = velocities[:, 1] - velocities[:, 0]
    slip = relative - normals * np.sum(relative * normals, axis=1, keepdims=True)
    return {
        "depth": -np.asarray(contacts.dist, float), "pos": points, "normal": normals,
        "force1": -forces, "force2": forces, "torque1": -torques, "torque2": torques, "slip": slip,
    }  # fmt: skip


def contact_table(data: Answers) -> ContactTable:
    """The table of all contacts."""
    names, rows = data.model.names.names, np.zeros(data.ncon, _DTYPE)
    contacts, bodies, sides = list_contacts(data), contact_bodies(data), Sides.of(data)
    for side in (0, 1):
        rows[f"geom{side + 1}"] = [name_of(data.model, sides, k, side) for k in range(data.ncon)]
        rows[f"body{side + 1}"] = [names["body"][k] or f"body {k}" for k in bodies[:, side]]
    centers = data.subtree_com[data.model.body_rootid[bodies]]
    for name, column in describe(contacts, data.cvel[bodies], centers, data.model.opt.cone).items():
        rows[name] = column
    return ContactTable(rows)


def participant(data: Answers, target: Any) -> tuple[str, int]:
    """A body, a geom or a flex, given by name, or as `model.geom(...)`, `data.body(...)`: its kind and id."""
    if isinstance(target, NamedObject):
        if target.kind not in PARTICIPANTS:
            raise FieldError(f"forces act on bodies, geoms and flexes, not on a {target.kind}")
        return target.kind, target.id
    names = data.model.names.names
    if not isinstance(target, str):
        raise FieldError(f"give a body or geom by name, or as model.body(...) or model.geom(...), not {target!r}")
    kinds = [kind for kind in PARTICIPANTS if target in names[kind]]
    if not kinds:
        known = [name for kind in PARTICIPANTS for name in names[kind] if name]
        raise UnknownNameError(f"no body or geom is named {target!r}{suggestion(target, known)}")
    if len(kinds) > 1:
        raise UnknownNameError(
            f"{target!r} names {' and '.join(f'a {kind}' for kind in kinds)}: "
            f"give {' or '.join(f'model.{kind}({target!r})' for kind in kinds)}"
        )
    return kinds[0], names[kinds[0]].index(target)


def center_of(data: Answers, kind: str, objid: int) -> np.ndarray:
    """The point that torques are about: the center of mass of a body, or of a geom's; the mean vertex of a flex."""
    model = data.model
    if kind == "flex":
        first = int(model.flex_vertadr[objid])
        return np.asarray(data.flexvert_xpos[first : first + int(model.flex_vertnum[objid])], float).mean(axis=0)
    return np.asarray(data.xipos[objid if kind == "body" else int(model.geom_bodyid[objid])], float)


def net_force(data: Answers, target: Any, other: Any = None) -> Wrench:
    """What `other` (everything, if None) does to `target` through contacts; see `Data.net_force`."""
    touching = Sides.of(data)
    sides = {"geom": touching.geom, "flex": touching.flex, "body": contact_bodies(data)}
    kind, objid = participant(data, target)
    mine = sides[kind] == objid
    if other is None:
        theirs = ~mine
    else:
        other_kind, other_id = participant(data, other)
        theirs = sides[other_kind] == other_id
    # +1 where the target is the second of the two, -1 where it is the first
    signs = (mine[:, 1] & theirs[:, 0]).astype(float) - (mine[:, 0] & theirs[:, 1])
    forces, torques = world_wrenches(list_contacts(data), data.model.opt.cone)
    arms = np.asarray(data.contact_pos, float) - center_of(data, kind, objid)
    return Wrench(signs @ forces, signs @ (torques + np.cross(arms, forces)))
