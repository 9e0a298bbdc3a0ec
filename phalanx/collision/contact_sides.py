"""The two sides of contacts, for people: who touches, by name, and which body it belongs to."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

#: A `phalanx.Model`; its class is above this folder.
Model = Any


class Sides(NamedTuple):
    """Both sides of k contacts, each (k, 2): a geom, or an element or a vertex of a flex; -1 for what it is not."""

    geom: np.ndarray
    flex: np.ndarray
    elem: np.ndarray
    vert: np.ndarray

    @classmethod
    def of(cls, data: Any, which: slice = slice(None)) -> Sides:
        """Those of the contacts of a Data."""
        names = ("contact_geom", "contact_flex", "contact_elem", "contact_vert")
        return cls(*(np.reshape(np.asarray(getattr(data, name))[which], (-1, 2)) for name in names))


def bodies_of(model: Model, sides: Sides) -> np.ndarray:
    """Bodies of both sides, (k, 2): of a vertex its own, of an element that of its first corner.

    Of an interpolated flex, that of its first node.
    """
    bodies = np.zeros(sides.geom.shape, np.int32)
    is_geom = sides.geom >= 0
    bodies[is_geom] = model.geom_bodyid[sides.geom[is_geom]]
    flex, element, vertex = (ids[~is_geom] for ids in (sides.flex, sides.elem, sides.vert))
    corner = model.flex_elemdataadr[flex] + np.maximum(element, 0) * (model.flex_dim[flex] + 1)
    vertex = np.where(vertex >= 0, vertex, model.flex_elem[corner])
    carrier = model.flex_vertbodyid[model.flex_vertadr[flex] + vertex]
    has_nodes = model.flex_interp[flex] != 0
    carrier[has_nodes] = model.flex_nodebodyid[model.flex_nodeadr[flex][has_nodes]]
    bodies[~is_geom] = carrier
    return bodies


def name_of(model: Model, sides: Sides, contact: int, side: int, unnamed: str = "geom {}") -> str:
    """Who touches on one side: the name of a geom, or of a flex with its element or vertex.

    Args:
        model: the model.
        sides: the contacts.
        contact: which of them.
        side: 0 or 1.
        unnamed: what a geom without a name is called, with its id.
    """
    geom, flex = int(sides.geom[contact, side]), int(sides.flex[contact, side])
    if geom >= 0:
        return model.names.names["geom"][geom] or unnamed.format(geom)
    owner, element = model.names.names["flex"][flex] or f"flex {flex}", int(sides.elem[contact, side])
    return f"{owner} element {element}" if element >= 0 else f"{owner} vertex {int(sides.vert[contact, side])}"
