"""What MuJoCo's `mjv_updateScene` draws, in rows that our Shapes can be compared with. It needs no OpenGL.

Our scene reads a world by the names of fields, so it can be given MuJoCo's own numbers (`MujocoWorld`): then whatever
differs is due to the scene, not to the physics.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

import phalanx
from phalanx.scene.scene import SceneBuilder
from phalanx.scene.show import Show
from phalanx.scene.surfaces import FOLLOWING
from phalanx.tables.enums import GeomType
from tests.conformance.states import read

#: Our switch -> MuJoCo's flag.
FLAGS = {
    "tendons": "TENDON", "contacts": "CONTACTPOINT", "contact_forces": "CONTACTFORCE", "joints": "JOINT",
    "actuators": "ACTUATOR", "constraints": "CONSTRAINT", "inertias": "INERTIA", "centers_of_mass": "COM",
    "skeleton": "AUTOCONNECT", "applied_forces": "PERTFORCE", "range_finders": "RANGEFINDER", "cameras": "CAMERA",
    "lights": "LIGHT", "perturbation": "PERTOBJ", "selection": "SELECT", "static": "STATIC", "hulls": "CONVEXHULL",
    "transparent": "TRANSPARENT", "split_forces": "CONTACTSPLIT", "activation": "ACTIVATION",
    "scale_inertia": "SCLINERTIA", "skins": "SKIN", "textures": "TEXTURE", "flex_skin": "FLEXSKIN",
    "flex_vertices": "FLEXVERT", "flex_edges": "FLEXEDGE", "flex_faces": "FLEXFACE",
}  # fmt: skip
#: Our word -> MuJoCo's value.
FRAMES = {name: k for k, name in enumerate("none body geom site camera light contact world".split())}
LABELS = {
    name: k
    for k, name in enumerate(
        "none body joint geom site camera light tendon actuator constraint flex skin selected_body selection contact "
        "contact_force island".split()
    )
}
DECOR = int(mujoco.mjtCatBit.mjCAT_DECOR)
#: Kinds whose size is that of their data.
BY_DATA = (GeomType.MESH, GeomType.SDF, GeomType.HFIELD, *FOLLOWING)
#: How many of the three sizes count.
SIZES = {GeomType.SPHERE: 1, GeomType.CAPSULE: 2, GeomType.CYLINDER: 2, GeomType.PLANE: 2, GeomType.LABEL: 0}


#: Shorter arrows have no direction.
DUST = 1e-12


class MujocoWorld:
    """The fields of a MjData under our names, and the methods that the scene calls."""

    def __init__(self, model: phalanx.Model, mjmodel: Any, mjdata: Any):
        self.model, self._mjmodel, self._mjdata = model, mjmodel, mjdata

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return read(self._mjdata, name)

    def contacts(self) -> dict[str, np.ndarray]:
        """Forces on the second geoms, and normals."""
        found = np.zeros((self._mjdata.ncon, 6))
        for k, wrench in enumerate(found):
            mujoco.mj_contactForce(self._mjmodel, self._mjdata, k, wrench)
        axes = np.reshape(self._mjdata.contact.frame, (-1, 3, 3))
        return {"force2": np.einsum("nk,nkx->nx", found[:, :3], axes), "normal": axes[:, 0]}

    def object_velocity(self, objtype: str, obj: int) -> np.ndarray:
        """Of the inertial frame of a body."""
        velocity = np.zeros(6)
        mujoco.mj_objectVelocity(self._mjmodel, self._mjdata, mujoco.mjtObj.mjOBJ_BODY, obj, velocity, 0)
        return velocity

    def jac(self, point: np.ndarray, body: int) -> tuple[np.ndarray, np.ndarray]:
        """Jacobian of a point; that of the rotation is not needed."""
        jacobian = np.zeros((3, self._mjmodel.nv))
        mujoco.mj_jac(self._mjmodel, self._mjdata, jacobian, None, point, body)
        return jacobian, jacobian

    def solve_m2(self, x: np.ndarray) -> np.ndarray:
        """Half of a solve with the inertia matrix."""
        found = np.zeros_like(x)
        mujoco.mj_solveM2(self._mjmodel, self._mjdata, found, x, np.sqrt(self._mjdata.qLDiagInv))
        return found


@dataclass(frozen=True)
class Row:
    """One shape: what it stands for, its numbers, and its text."""

    kind: int
    objtype: int
    objid: int
    is_decor: bool
    numbers: np.ndarray
    label: str


def _row(kind: int, geom: Any, pos: Any, mat: Any, size: Any) -> Row:
    """Only numbers that decide the picture: a round shape has an axis, an arrow or a line a direction."""
    pos, mat, size = np.array(pos, float), np.array(mat, float).reshape(3, 3), np.array(size, float)
    if kind in BY_DATA:
        size[:] = 0
    size[SIZES.get(GeomType(kind), 3) :] = 0
    if kind in (GeomType.SPHERE, *FOLLOWING):
        mat = np.eye(3)
    elif kind in (GeomType.CAPSULE, GeomType.CYLINDER, GeomType.ARROW):
        mat = np.outer([0, 0, 1], mat[:, 2])
    if kind == GeomType.ARROW and size[2] < DUST:
        mat[:] = 0
    if kind in (GeomType.PLANE, *FOLLOWING):  # MuJoCo moves infinite planes with the camera
        pos[:] = 0
    rgba = np.zeros(4) if kind == GeomType.LABEL else geom.rgba
    numbers = np.concatenate([pos, mat.ravel(), size, rgba])
    return Row(kind, int(geom.objtype), int(geom.objid), int(geom.category) == DECOR, numbers, geom.label)


def _rows_of(geom: Any, line_width: float) -> Iterator[Row]:
    """A shape of MuJoCo in our terms: arrows are drawn half as long, lines as capsules, and so on."""
    kind, size, pos, mat = int(geom.type), geom.size, geom.pos, geom.mat
    z = np.array(mat).reshape(3, 3)[:, 2]
    if kind in (GeomType.ARROW, GeomType.ARROW1, GeomType.ARROW2):
        head = size[0] * (1.0 if kind == GeomType.ARROW1 else 1.75)
        yield _row(GeomType.ARROW, geom, pos, mat, (size[0], head, size[2] / 2))
        if kind == GeomType.ARROW2:
            back = _row(
                GeomType.ARROW, geom, pos, np.array(mat).reshape(3, 3) * (1, 1, -1), (size[0], head, size[2] / 2)
            )
            yield Row(back.kind, back.objtype, back.objid, back.is_decor, back.numbers, "")
    elif kind == GeomType.LINE:
        yield _row(GeomType.CAPSULE, geom, pos + z * size[2] / 2, mat, (line_width, size[2] / 2, 0))
    elif kind in (GeomType.CAPSULE, GeomType.CYLINDER):
        yield _row(kind, geom, pos, mat, (size[0], size[2], 0))
    elif kind not in (GeomType.TRIANGLE, GeomType.LINEBOX):
        yield _row(kind, geom, pos, mat, size)


def updated_scene(mjmodel: Any, mjdata: Any, option: Any, perturb: Any = None, camera: Any = None) -> Any:
    """A MjvScene with room for everything; a small one is tried first, as MuJoCo's bindings list all of the room."""
    camera = mujoco.MjvCamera() if camera is None else camera
    for room in (500, 5000, 100000):
        scene = mujoco.MjvScene(mjmodel, room)
        mujoco.mjv_updateScene(mjmodel, mjdata, option, perturb, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
        if scene.ngeom < room:
            break
    return scene


def expected_rows(mjmodel: Any, mjdata: Any, show: Show, perturb: Any = None) -> list[Row]:
    """What MuJoCo draws; triangles and lines of boxes are left out."""
    option = mujoco.MjvOption()
    for name, flag in FLAGS.items():
        option.flags[getattr(mujoco.mjtVisFlag, f"mjVIS_{flag}")] = getattr(show, name)
    for group in ("geomgroup", "sitegroup", "jointgroup", "tendongroup", "actuatorgroup", "flexgroup", "skingroup"):
        getattr(option, group)[:] = getattr(show, group)
    option.frame, option.label = FRAMES[show.frames], LABELS[show.labels]
    scene = updated_scene(mjmodel, mjdata, option, perturb)
    width = 0.25 * mjmodel.vis.scale.framewidth * mjmodel.stat.meansize
    return [row for geom in scene.geoms[: scene.ngeom] for row in _rows_of(geom, width)]


@dataclass
class _Geom:
    """A row of our Shapes with the names of MuJoCo's."""

    objtype: int
    objid: int
    category: int
    rgba: np.ndarray
    label: str


def actual_rows(model: phalanx.Model, data: Any, show: Show, perturb: Any = None) -> list[Row]:
    """What we draw."""
    shapes = SceneBuilder(model, show).shapes(data, perturb=perturb)
    rows = []
    for k in range(len(shapes)):
        category = DECOR if shapes.decor[k] else 0
        geom = _Geom(shapes.objtype[k], shapes.objid[k], category, shapes.rgba[k], shapes.labels[k])
        rows.append(_row(int(shapes.kind[k]), geom, shapes.pos[k], shapes.mat[k], shapes.size[k]))
    return rows


def _error(row: Row, expected: np.ndarray) -> float:
    """Largest difference, relative for large numbers; a capsule has no direction."""
    scale = np.maximum(1, np.abs(expected))
    error = np.max(np.abs(row.numbers - expected) / scale)
    if row.kind == GeomType.CAPSULE:
        flipped = np.concatenate([row.numbers[:3], -row.numbers[3:12], row.numbers[12:]])
        error = min(error, np.max(np.abs(flipped - expected) / scale))
    return float(error)


def differences(actual: list[Row], expected: list[Row], tolerance: float = 2e-5) -> list[str]:
    """Rows that have no counterpart, or whose numbers differ by more than single precision and its sums leave."""
    groups: dict[tuple, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for side, rows in enumerate((actual, expected)):
        for row in rows:
            groups[row.kind, row.objtype, row.objid, row.is_decor, row.label][side].append(row)
    found = []
    for key, (ours, theirs) in groups.items():
        if len(ours) != len(theirs):
            found.append(f"{key}: {len(ours)} of ours, {len(theirs)} of MuJoCo")
            continue
        left = [row.numbers for row in theirs]
        for row in ours:
            errors = [_error(row, x) for x in left]
            best = int(np.argmin(errors))
            if not errors[best] < tolerance:
                found.append(f"{key}: {errors[best]:.2g}\n  {row.numbers}\n  {left[best]}")
            left.pop(best)
    return found
