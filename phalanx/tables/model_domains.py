"""Domains that several rows of the Model share."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from phalanx.tables.domain import Among, Anything, Arrays, Between, Columns, Decided, Domain, Index, Rule
from phalanx.tables.enums import GeomType, SameFrame, WrapType
from phalanx.tables.joints import NQ, NV

#: Most pixels, grid points or elevations along one axis.
MAXPIXELS = 1 << 20


def count(size: str) -> Between:
    """How many elements of what a size counts."""
    return Between(0, size)


def optional(size: str) -> Index:
    """An element, or -1 for none."""
    return Index(size, none=(-1,))


def one_of(kinds: type[IntEnum]) -> Among:
    """A member of an enum."""
    return Among(tuple(int(kind) for kind in kinds), kinds)


# --- values that nothing is indexed with

LAYERS = Anything("it is compared with the layer of an element")
LAYER = Anything("it is compared with the number of layers that collide")
SLOT = Anything("the number of a plugin in MuJoCo, where it was registered")
BITS = Anything("bits that are compared with those of the other geom")
GROUP = Anything("a group that does not exist is never chosen")
ORDER = Anything("it is compared with that of the other geom")
PATH = Anything("where a file name begins, for people")
DRAWN = Anything("for drawing")
TEXT = Anything("characters")
DERIVED = Anything("it is derived anew when a model is read (`plugin_rows.py`, `elimination_order.py`)")

# --- objects

BODY = Index("nbody")
#: Bodies are numbered from the root to the leaves; the world is its own parent.
PARENT = Index("nbody", order="earlier")
ANCESTOR = Index("nbody", order="not later")
PLUGIN = Index("nplugin", none=(-1,))
PARENT_DOF = Index("nv", none=(-1,), order="earlier")
#: Which actuator reflects its inertia; -2 for several.
REFLECTING = Index("nactuator", none=(-1, -2))
NAME = Index("nnames")

# --- kinds, and what they decide

SAME_FRAME = one_of(SameFrame)
CONDIM = Among((1, 3, 4, 6))
GEOM_TYPE = one_of(GeomType)
#: What a geom or site of a type has beside its sizes; grids are numbered after the meshes.
_SHAPE_DATA: dict[int, Domain] = {
    int(GeomType.MESH): Index("nmesh"),
    int(GeomType.HFIELD): Index("nhfield"),
    # one without a shape has no contacts
    int(GeomType.SDF): optional("nmesh+ngrid"),
}
GEOM_DATA = Decided("geom_type", _SHAPE_DATA, optional("nmesh+nhfield+ngrid"))
SITE_DATA = Decided("site_type", _SHAPE_DATA, optional("nmesh"))
#: What an element of the path of a tendon is.
PASSED = Decided(
    "wrap_type",
    {
        int(WrapType.JOINT): Index("njnt"),
        int(WrapType.SITE): Index("nsite"),
        int(WrapType.SPHERE): Index("ngeom"),
        int(WrapType.CYLINDER): Index("ngeom"),
    },
)
#: On which side of a geom a tendon passes: a site, or -1.
SIDE = Decided("wrap_type", {int(kind): optional("nsite") for kind in (WrapType.SPHERE, WrapType.CYLINDER)})
#: Number of samples, order of interpolation.
SAMPLES = Columns((Between(0, "nhistory"), Among((0, 1, 2))))
FLEX_PART = Rule("flex part")
FLEX_CELLS = Rule("flex cells")
FLEX_NUMBERS = Rule("flex numbers")
INERTIA_PATTERN = Rule("inertia pattern")
SQUARE_PATTERN = Rule("square pattern")
TENDON_PATTERN = Rule("tendon pattern")
SENSOR_OBJECT = Rule("sensor object")
SENSOR_WIDTH = Rule("sensor width")

# --- how many

_NQ, _NV = np.array(NQ), np.array(NV)


def positions(arrays: Arrays) -> np.ndarray:
    """Elements of qpos of each joint."""
    return _NQ[arrays["jnt_type"]]


def dofs(arrays: Arrays) -> np.ndarray:
    """Dofs of each joint."""
    return _NV[arrays["jnt_type"]]


def element_ids_of_flexes(arrays: Arrays) -> np.ndarray:
    """Vertices of the elements of each flex."""
    return arrays["flex_elemnum"].astype(np.int64) * (arrays["flex_dim"] + 1)


#: Edges of a line, a triangle and a tetrahedron.
_EDGES = np.array([0, 1, 3, 6])


def edge_ids_of_flexes(arrays: Arrays) -> np.ndarray:
    """Edges of the elements of each flex."""
    return arrays["flex_elemnum"].astype(np.int64) * _EDGES[np.clip(arrays["flex_dim"], 0, 3)]


def shell_ids_of_flexes(arrays: Arrays) -> np.ndarray:
    """Vertices of the shell of each flex."""
    return arrays["flex_shellnum"].astype(np.int64) * arrays["flex_dim"]


def elevations(arrays: Arrays) -> np.ndarray:
    """Numbers of each height field."""
    return arrays["hfield_nrow"].astype(np.int64) * arrays["hfield_ncol"]


def pixels(arrays: Arrays) -> np.ndarray:
    """Bytes of each texture."""
    return arrays["tex_height"].astype(np.int64) * arrays["tex_width"] * arrays["tex_nchannel"]


def grid_points(arrays: Arrays) -> np.ndarray:
    """Distances of each grid."""
    return arrays["grid_shape"].astype(np.int64).prod(axis=1)


def _history(samples: np.ndarray, width: np.ndarray) -> np.ndarray:
    """Numbers of a history: two of its own, a time and a value of each sample; none without samples."""
    samples = samples.astype(np.int64)
    return np.where(samples > 0, 2 + samples + samples * width, 0)


def history_of_controls(arrays: Arrays) -> np.ndarray:
    """Numbers of the history of each actuator."""
    return _history(arrays["actuator_history"][:, 0], arrays["actuator_ctrlnum"])


def history_of_sensors(arrays: Arrays) -> np.ndarray:
    """Numbers of the history of each sensor."""
    return _history(arrays["sensor_history"][:, 0], arrays["sensor_dim"])
