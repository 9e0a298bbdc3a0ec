"""Facts about a body, in words and numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phalanx.world.data import Data

#: Names that a list shows; of more it says how many.
LISTED = 6


def about_body(data: Data, body: int) -> dict[str, str]:
    """What there is to know about a body at this moment; nothing if there is none."""
    if body < 0:
        return {}
    model = data.model
    names = model.names.names
    joints = np.flatnonzero(model.jnt_bodyid == body)
    geoms = np.flatnonzero(model.geom_bodyid == body)
    children = np.flatnonzero((model.body_parentid == body) & (np.arange(model.nbody) > 0))
    return {
        "name": names["body"][body] or "(no name)",
        "id": str(body),
        "parent": names["body"][model.body_parentid[body]],
        "mass [kg]": f"{model.body_mass[body]:.4g}",
        "position [m]": _vector(data.xpos[body]),
        "velocity [m/s]": _vector(data.cvel[body, 3:]),
        "joints": _listed([names["joint"][joint] or str(joint) for joint in joints]),
        "geoms": _listed([names["geom"][geom] or str(geom) for geom in geoms]),
        "children": _listed([names["body"][child] or str(child) for child in children]),
    }


def _vector(vector: np.ndarray) -> str:
    """Numbers in a row."""
    return "  ".join(f"{value:.3f}" for value in vector)


def _listed(names: Sequence[str]) -> str:
    """Names in a row, not too many."""
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return (", ".join(names[:LISTED]) + more) or "none"
