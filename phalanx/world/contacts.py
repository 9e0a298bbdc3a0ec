"""Contacts with names and forces, for people: `Data.contacts()`, `Data.contact_force(i)`, `Data.net_force(a, b)`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from phalanx.memory.errors import FieldError, UnknownNameError, suggestion
from phalanx.memory.fill import MOST, whole
from phalanx.memory.names import NamedObject
from phalanx.tables.enums import Cone

if TYPE_CHECKING:
    from phalanx.world.data import Data

#: Columns of the table: name -> shape and type of one entry, meaning.
COLUMNS: dict[str, tuple[Any, str]] = {
    "geom1": ("U64", "first geom: its name, or its id"),
    "geom2": ("U64", "second geom"),
    "body1": ("U64", "body of the first geom"),
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
_DTYPE = np.dtype([(name, *(kind if isinstance(kind, tuple) else (kind,))) for name, (kind, _) in COLUMNS.items()])


class Wrench(NamedTuple):
    """A force [N] and a torque [N·m], in the world frame."""

    force: np.ndarray
    torque: np.ndarray


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
        if isinstance(key, str) and key not in COLUMNS:
            raise FieldError(f"contacts have no column {key!r}{suggestion(key, COLUMNS)}")
        return self.rows[key]

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_") or name not in COLUMNS:
            raise FieldError(f"contacts have no column {name!r}{suggestion(name, COLUMNS)}")
        return self.rows[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *COLUMNS]

    def __repr__(self) -> str:
        lines = [f"<{len(self)} contacts>"]
        for row in self.rows:
            push, slip = np.linalg.norm(row["force2"]), np.linalg.norm(row["slip"])
            pair = f"{row['geom1']} ({row['body1']}) - {row['geom2']} ({row['body2']})"
            lines.append(f"  {pair}: depth {row['depth']:.3g} m, force {push:.4g} N, slip {slip:.3g} m/s")
        return "\n".join(lines)


def contact_force(data: Data, contact: int) -> np.ndarray:
    """Force and torque of a contact in its own frame, on the second geom: normal, two tangents; spin, two rolls."""
    contact = whole("the index of a contact", contact, -MOST)
    if not -data.ncon <= contact < data.ncon:
        raise FieldError(f"contact {contact} does not exist: there are {data.ncon}")
    contact %= data.ncon
    wrench, row, dim = np.zeros(6), int(data.contact_efc_address[contact]), int(data.contact_dim[contact])
    if row < 0:
        return wrench
    if dim == 1 or data.model.opt.cone == Cone.ELLIPTIC:
        wrench[:dim] = data.efc_force[row : row + dim]
    else:  # an edge of the pyramid pushes along the normal and, by friction, along one axis
        edges = data.efc_force[row : row + 2 * (dim - 1)].reshape(-1, 2)
        wrench[0] = edges.sum()
        wrench[1:dim] = (edges[:, 0] - edges[:, 1]) * data.contact_friction[contact, : dim - 1]
    wrench[0] -= data.contact_adhesion[contact]
    return wrench


def world_wrenches(data: Data) -> tuple[np.ndarray, np.ndarray]:
    """Force and torque about the contact point on the second body of each contact, (ncon, 3) each."""
    wrenches = np.array([contact_force(data, k) for k in range(data.ncon)]).reshape(-1, 2, 3)
    frames = np.asarray(data.contact_frame, float).reshape(-1, 3, 3)
    rotated = np.einsum("kij,kni->knj", frames, wrenches)
    return rotated[:, 0], rotated[:, 1]


def contact_bodies(data: Data) -> np.ndarray:
    """The two bodies of each contact, (ncon, 2)."""
    return data.model.geom_bodyid[data.contact_geom.reshape(-1, 2)]


def point_velocities(data: Data, bodies: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Velocities in the world of points that move with bodies."""
    motion = np.asarray(data.cvel, float)[bodies]
    arms = points - data.subtree_com[data.model.body_rootid[bodies]]
    return motion[:, 3:] + np.cross(motion[:, :3], arms)


def contact_table(data: Data) -> ContactTable:
    """The table of all contacts."""
    names, rows = data.model.names.names, np.zeros(data.ncon, _DTYPE)
    bodies, geoms = contact_bodies(data), data.contact_geom.reshape(-1, 2)
    for side in (0, 1):
        for kind, ids in (("geom", geoms), ("body", bodies)):
            rows[f"{kind}{side + 1}"] = [names[kind][k] or f"{kind} {k}" for k in ids[:, side]]
    rows["depth"] = -data.contact_dist
    rows["pos"] = points = np.asarray(data.contact_pos, float)
    rows["normal"] = normals = np.asarray(data.contact_frame, float).reshape(-1, 9)[:, :3]
    rows["force2"], rows["torque2"] = world_wrenches(data)
    rows["force1"], rows["torque1"] = -rows["force2"], -rows["torque2"]
    relative = point_velocities(data, bodies[:, 1], points) - point_velocities(data, bodies[:, 0], points)
    rows["slip"] = relative - normals * np.sum(relative * normals, axis=1, keepdims=True)
    return ContactTable(rows)


def participant(data: Data, target: Any) -> tuple[str, int]:
    """A body or a geom, given by name, or as `model.geom(...)`, `data.body(...)`: its kind and id."""
    if isinstance(target, NamedObject):
        if target.kind not in ("body", "geom"):
            raise FieldError(f"forces act on bodies and geoms, not on a {target.kind}")
        return target.kind, target.id
    names = data.model.names.names
    if not isinstance(target, str):
        raise FieldError(f"give a body or geom by name, or as model.body(...) or model.geom(...), not {target!r}")
    kinds = [kind for kind in ("body", "geom") if target in names[kind]]
    if not kinds:
        known = [name for kind in ("body", "geom") for name in names[kind] if name]
        raise UnknownNameError(f"no body or geom is named {target!r}{suggestion(target, known)}")
    if len(kinds) > 1:
        raise UnknownNameError(
            f"{target!r} names a body and a geom: give model.body({target!r}) or model.geom({target!r})"
        )
    return kinds[0], names[kinds[0]].index(target)


def net_force(data: Data, target: Any, other: Any = None) -> Wrench:
    """What `other` (everything, if None) does to `target` through contacts; see `Data.net_force`."""
    geoms = data.contact_geom.reshape(-1, 2)
    sides = {"geom": geoms, "body": contact_bodies(data)}
    kind, objid = participant(data, target)
    body = objid if kind == "body" else int(data.model.geom_bodyid[objid])
    mine = sides[kind] == objid
    if other is None:
        theirs = ~mine
    else:
        other_kind, other_id = participant(data, other)
        theirs = sides[other_kind] == other_id
    # +1 where the target is the second of the two, -1 where it is the first
    signs = (mine[:, 1] & theirs[:, 0]).astype(float) - (mine[:, 0] & theirs[:, 1])
    forces, torques = world_wrenches(data)
    arms = np.asarray(data.contact_pos, float) - data.xipos[body]
    return Wrench(signs @ forces, signs @ (torques + np.cross(arms, forces)))
