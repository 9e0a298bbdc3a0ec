"""MJCF text of a compiled Model, checked: it compiles to the same physics.

Points of meshes are in single precision in a Model, and the frame that the compiler gives to a mesh depends on their
last digits. So meshes are compared where they are in their bodies, everything else field by field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from phalanx.compiler.compile import compile_tree
from phalanx.compiler.decompile.model_tree import tree_of_model
from phalanx.compiler.object.rotation import matrix_of, quaternion
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import MjcfError
from phalanx.compiler.text.files import Files
from phalanx.compiler.text.mjcf_writer import write_xml
from phalanx.memory.errors import ModelError
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.memory.store import Store
from phalanx.tables.enums import GeomType, SensorType
from phalanx.tables.field import Kind, group_of
from phalanx.tables.model_fields import MODEL
from phalanx.world.fingerprint import PHYSICS

if TYPE_CHECKING:
    from phalanx.world.model import Model

#: Largest differences relative to the largest number: of a field, and of one in single precision.
EXACT, SINGLE = 1e-12, 2e-6
_GROUPS = group_of(MODEL)
#: Fields that follow from the frame of a mesh: of geoms with a mesh, and of the model.
_SHAPE = ("pos", "quat", "size", "aabb", "rbound", "sameframe", "surfacevel", "fluid")
_FOLLOWING = ("bvh_", "body_bvh", "oct_", "dof_length")
#: Fields of meshes that tell their frame.
_FRAME = ("pos", "quat", "vert")
#: What can have mass in a mesh, which decides how the compiler centers it; the last is for any surface.
_MASSES = ("legacy", "exact", "convex", "shell")


def xml_of(model: Model) -> str:
    """The MJCF text of a Model.

    Raises:
        ModelError: the model has what MJCF cannot say, which the message names.
    """
    store = model._store
    root = tree_of_model(store.sizes, store.arrays, model.vis)
    written = _settled(root, store)
    different = differences(store, written)
    if different:
        names = ", ".join(different[:8]) + (f" and {len(different) - 8} more" if len(different) > 8 else "")
        raise ModelError(f"the model cannot be written as MJCF: no model file gives it the values of {names}")
    return write_xml(root)


# --- settings that fields do not tell


def _settled(root: Element, ours: Store) -> Store:
    """Choose what the fields do not tell, so that the model compiles as it is; the fields of the model that is written.

    These are how meshes are centered, and bodies whose diagonal inertia is not exploited.
    """
    meshes = [element for element in root.walk() if element.row.key == "asset/mesh"]
    moved = list(range(len(meshes)))
    for word in _MASSES if meshes else _MASSES[-1:]:
        for mesh in moved:
            meshes[mesh].attributes["inertia"] = word
        try:
            written = _compiled(root)
        except MjcfError as error:
            if word == _MASSES[-1]:
                raise ModelError(f"the model cannot be written as MJCF, which does not allow it: {error}") from None
            continue
        moved = [mesh for mesh in moved if not _is_centered(mesh, ours, written)]
        if not moved:
            break
    # the compiler exploits every diagonal inertia unless it is told not to
    is_general = ours.arrays["body_simple"] < written.arrays["body_simple"]
    if not is_general.any():
        return written
    for body, element in enumerate(element for element in root.walk() if element.tag in ("worldbody", "body")):
        if is_general[body]:
            element.attributes["simple"] = "false"
    return _compiled(root)


def _compiled(root: Element) -> Store:
    """The fields of a model with these elements, which stay as they are."""
    return compile_tree(root.copy(), Files(), []).store


def _is_centered(mesh: int, ours: Store, other: Store) -> bool:
    """Was a mesh moved in the same way in both models?"""
    reach = max(float(np.abs(ours.arrays["mesh_vert"]).max()), 1e-30)
    a, b = ours.arrays, other.arrays
    same_pos = np.abs(a["mesh_pos"][mesh] - b["mesh_pos"][mesh]).max() <= 10 * SINGLE * reach
    return bool(same_pos and np.abs(a["mesh_quat"][mesh] - b["mesh_quat"][mesh]).max() <= 100 * SINGLE)


# --- comparison


def differences(ours: Store, other: Store) -> list[str]:
    """Fields of the physics in which two models differ by more than rounding."""
    found = [name for name in PHYSICS if _differs(name, ours, other)]
    return found or (["geom_dataid"] if _are_meshes_moved(ours, other) else [])


def _differs(name: str, ours: Store, other: Store) -> bool:
    """Is a field another one, rounding apart?"""
    a, b = ours.arrays[name], other.arrays[name]
    if ours.sizes["nmesh"]:
        kind, _, member = name.partition("_")
        if name.startswith(_FOLLOWING) or (kind == "mesh" and not (member in _FRAME and _is_frame_used(ours))):
            return False
        if kind == "geom" and member in _SHAPE and a.shape == b.shape:
            a, b = (array[~_has_mesh("geom", ours)] for array in (a, b))
    is_mesh = name.startswith("mesh_") or (name == "site_size" and bool(_has_mesh("site", ours).any()))
    return _are_unequal(a, b, Kind.FLOAT32 if is_mesh else MODEL_SCHEMA.fields[name].kind)


def _are_unequal(a: np.ndarray, b: np.ndarray, kind: Kind) -> bool:
    """Do two arrays differ by more than rounding?"""
    if a.shape != b.shape:
        return True
    if not a.size:
        return False
    if kind not in (Kind.REAL, Kind.FLOAT32, Kind.FLOAT64):
        return not np.array_equal(a, b)
    bound = (SINGLE if kind is Kind.FLOAT32 else EXACT) * max(float(np.abs(a).max()), 1e-30)
    return not bool((np.abs(a.astype(float) - b.astype(float)) <= bound).all())


def _is_frame_used(store: Store) -> bool:
    """Does the frame of a mesh count? Geoms are moved against it; sites, and sensors at its points, are not."""
    has_sensor = (store.arrays["sensor_type"] == SensorType.TACTILE).any()
    return bool(has_sensor or _has_mesh("site", store).any())


def _has_mesh(kind: str, store: Store) -> np.ndarray:
    """Which geoms or sites have the shape of a mesh."""
    return np.isin(store.arrays[f"{kind}_type"], (GeomType.MESH, GeomType.SDF)) & (store.arrays[f"{kind}_dataid"] >= 0)


def _are_meshes_moved(ours: Store, other: Store) -> bool:
    """Is the mesh of a geom not where it was in its body, or does its surface move otherwise?"""
    return any(
        _are_unequal(a, b, Kind.FLOAT32)
        for geom in np.flatnonzero(_has_mesh("geom", ours)).tolist()
        for a, b in zip(_in_body(geom, ours), _in_body(geom, other), strict=True)
    )


def _in_body(geom: int, store: Store) -> tuple[np.ndarray, np.ndarray]:
    """The points of a mesh in the frame of the body, and the velocity of its surface: at the origin, and angular."""
    m = store.arrays
    mesh, pos = int(m["geom_dataid"][geom]), m["geom_pos"][geom]
    start = int(m["mesh_vertadr"][mesh])
    points = m["mesh_vert"][start : start + int(m["mesh_vertnum"][mesh])].astype(float)
    axes = np.array(matrix_of(quaternion(m["geom_quat"][geom]))).reshape(3, 3)
    linear, angular = m["geom_surfacevel"][geom].reshape(2, 3) @ axes.T
    return points @ axes.T + pos, np.concatenate([linear - np.cross(angular, pos), angular])
