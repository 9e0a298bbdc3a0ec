"""What exact derivatives of a step leave out, or know less exactly than to rounding."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

import numpy as np

from phalanx.collision.table import COLLIDERS, NTYPE, has_exact_contacts
from phalanx.tables.enums import EnableBit, GeomType, ObjType, SensorType
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Name -> what it says of the derivatives.
REMAINING: dict[str, str] = {
    "noslip": "they are those of the forces before the noslip pass",
    "solver": "the solver ended far from the minimum of its cost, and they are those of the minimum",
    "curved contacts": "a search found contacts of an ellipsoid, a cylinder or an SDF, to its own tolerance",
    "curved distances": "sensors report such distances",
    "speculative contacts": "the time of a contact ahead is searched for",
}
#: Geoms whose surfaces a search comes close to, but does not reach: it ends at planes through points of them.
CURVED = (GeomType.ELLIPSOID, GeomType.CYLINDER, GeomType.SDF)
#: A solver that ends so far from the minimum, relative to qacc, has not found it.
FAR = 1e-6
_DISTANCES = (SensorType.GEOMDIST, SensorType.GEOMNORMAL, SensorType.GEOMFROMTO)


class Remains:
    """What remains of the steps of a model."""

    def __init__(self, model: Model):
        self._always = {
            "noslip": model.opt.noslip_iterations > 0,
            "curved distances": any(is_searched(model, *pair) for pair in distance_pairs(model)),
            "speculative contacts": bool(model.opt.enableflags & EnableBit.SPECULATIVE),
        }
        self._geom_type = model.geom_type

    def after(self, data: Data, distance: float) -> tuple[str, ...]:
        """The names of REMAINING that concern the step that a Data has just computed.

        Args:
            data: the Data.
            distance: how far the solver ended from the minimum of its cost, relative to qacc.
        """
        # elements of flexes have flat faces, as meshes have
        kinds = np.where(data.contact_geom >= 0, self._geom_type[data.contact_geom], GeomType.MESH)
        found = dict(self._always)
        found["curved contacts"] = bool(searched()[kinds[:, 0], kinds[:, 1]].any())
        # the noslip pass leaves the minimum on purpose
        found["solver"] = data.nefc > 0 and not found["noslip"] and not distance < FAR
        return tuple(name for name in REMAINING if found[name])


@functools.cache
def searched() -> np.ndarray:
    """(type, type): whether contacts of two geoms are searched for, and one of them is curved."""
    table = np.zeros((NTYPE, NTYPE), bool)
    has_exact_contacts(GeomType.PLANE, GeomType.SPHERE)  # files all colliders
    for first, second in COLLIDERS:
        is_curved = first in CURVED or second in CURVED
        table[first, second] = table[second, first] = is_curved and not has_exact_contacts(first, second)
    return table


def is_searched(m: Model, geom1: int, geom2: int) -> bool:
    """Is the distance of two geoms searched for, and one of them curved?"""
    return bool(searched()[m.geom_type[geom1], m.geom_type[geom2]])


def distance_pairs(m: Model) -> Iterator[tuple[int, int]]:
    """Pairs of geoms whose distances sensors report."""
    for sensor in range(m.nsensor):
        if m.sensor_type[sensor] in _DISTANCES:
            firsts = geoms_of(m, m.sensor_objtype[sensor], m.sensor_objid[sensor])
            seconds = geoms_of(m, m.sensor_reftype[sensor], m.sensor_refid[sensor])
            yield from ((a, b) for a in firsts for b in seconds)


def geoms_of(m: Model, kind: int, objid: int) -> Iterable[int]:
    """A geom, or the geoms of a body."""
    if kind != ObjType.BODY:
        return (int(objid),)
    first = int(m.body_geomadr[objid])
    return range(first, first + int(m.body_geomnum[objid]))
