"""Decor of joints: their axes, colored where a limit holds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.scene.placement import HEAD, half_arrows, labels_of, placed
from phalanx.scene.shapes import Shapes
from phalanx.scene.style import Style
from phalanx.scene.subject import Data, Model
from phalanx.tables.enums import ConstraintType, GeomType, JointType, ObjType

#: Half size of a free or a ball joint by the length of an axis.
BALL_SIZE = 0.3
#: Joints without an axis -> their shape.
WITHOUT_AXIS = {JointType.FREE: GeomType.BOX, JointType.BALL: GeomType.SPHERE}
#: Joints with an axis -> radius of the head of its arrow by that of the shaft.
WITH_AXIS = {JointType.SLIDE: HEAD, JointType.HINGE: 1.0}


def limit_impedance(data: Data, kind: ConstraintType, count: int) -> np.ndarray:
    """How firmly a limit holds each joint or tendon, 0 to 1, (count,)."""
    impedance = np.zeros(count)
    rows = np.flatnonzero(np.asarray(data.efc_type) == kind)
    impedance[np.asarray(data.efc_id)[rows]] = np.asarray(data.efc_KBIP)[rows, 2]
    return impedance


def mixed(impedance: np.ndarray, color: np.ndarray, style: Style) -> np.ndarray:
    """Colors (n, 4) between a given one and that of constraints."""
    rgba = np.array(np.broadcast_to(color, (len(impedance), 4)), np.float32)
    part = impedance[:, None]
    rgba[:, :3] = (1 - part) * rgba[:, :3] + part * style.rgba["constraint"][:3]
    return rgba


def sized(kind: GeomType, half: float) -> tuple[float, float, float]:
    """Size of a sphere or a cube."""
    return (half, 0.0, 0.0) if kind == GeomType.SPHERE else (half, half, half)


def joint_shapes(
    model: Model, data: Data, joints: np.ndarray, radius: float, length: float, ball: float, **columns: np.ndarray
) -> list[Shapes]:
    """Shapes of joints by type: arrows along axes, boxes for free and spheres for ball joints.

    Args:
        model: the Model.
        data: the Data.
        joints: ids, (n,).
        radius: of a shaft [m].
        length: of an axis [m].
        ball: half size of shapes without an axis [m].
        columns: of Shapes, n values each.
    """
    parts = [Shapes.empty()]
    for kind in np.unique(model.jnt_type[joints]).tolist():
        here = np.flatnonzero(model.jnt_type[joints] == kind)
        own: Any = {name: values[here] for name, values in columns.items()}
        ids = joints[here]
        if kind in WITHOUT_AXIS:
            shape = WITHOUT_AXIS[kind]
            axes = data.xmat[model.jnt_bodyid[ids]]
            parts.append(placed(shape, data.xanchor[ids], axes, size=sized(shape, ball), **own))
        else:  # along the axis
            parts.append(half_arrows(radius, data.xanchor[ids], length * data.xaxis[ids], WITH_AXIS[kind], **own))
    return parts


def joint_axes(model: Model, data: Data, style: Style) -> Shapes:
    """An arrow along each axis, with a head where the joint slides; boxes for free joints, spheres for ball joints."""
    joints = np.flatnonzero(style.show.in_group("jointgroup", model.jnt_group))
    impedance = limit_impedance(data, ConstraintType.LIMIT_JOINT, model.njnt)[joints]
    rgba = mixed(impedance, style.rgba["joint"], style)
    rgba[:, 3] = 1
    length = style.scale["jointlength"]
    shapes = Shapes.joined(
        joint_shapes(
            model, data, joints, style.scale["jointwidth"], length, BALL_SIZE * length, rgba=rgba, objid=joints,
            bodyid=model.jnt_bodyid[joints],
        )
    )  # fmt: skip
    shapes.objtype[:] = ObjType.JOINT
    if style.show.labels == "joint":
        shapes.labels = labels_of(model, "joint", shapes.objid)
    return shapes
