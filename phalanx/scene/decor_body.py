"""Decor of bodies: inertia, centers of mass, skeleton, applied forces."""

from __future__ import annotations

import numpy as np

from phalanx.scene.placement import MINVAL, connectors, half_arrows, labels_of, placed, shortened
from phalanx.scene.shapes import Shapes
from phalanx.scene.style import Style
from phalanx.scene.subject import Data, Model
from phalanx.tables.enums import GeomType, ObjType

#: Density of what inertia is scaled to with `scale_inertia` [kg/m³]: water.
WATER = 1000.0
#: Volume by the cube of the longest side below which a body counts as flat.
FLAT = 1e-6


def shown_bodies(model: Model, style: Style) -> np.ndarray:
    """Ids of bodies without the world; without those that cannot move, if `static` is off."""
    bodies = np.arange(1, model.nbody)
    return bodies if style.show.static else bodies[model.body_weldid[1:] != 0]


def inertias(model: Model, data: Data, style: Style) -> Shapes:
    """Boxes or ellipsoids (`vis.global_.ellipsoidinertia`) of even density with the inertia of each body.

    The half sizes s of a box of mass m satisfy I_x = m (s_y² + s_z²) / 3, those of an ellipsoid the same with 5.
    """
    bodies = shown_bodies(model, style)
    bodies = bodies[model.body_mass[bodies] > MINVAL]
    is_ellipsoid = bool(model.vis.global_.ellipsoidinertia)
    mass, inertia = model.body_mass[bodies][:, None], model.body_inertia[bodies]
    halves = inertia.sum(axis=1, keepdims=True) / 2 - inertia
    size = np.sqrt(np.maximum(halves, 0.0) / mass * (5.0 if is_ellipsoid else 3.0))
    if style.show.scale_inertia:
        volume = (4 / 3 * np.pi if is_ellipsoid else 8.0) * np.prod(size, axis=1, keepdims=True)
        # a body without volume keeps its size
        has_volume = volume > FLAT * size.max(axis=1, keepdims=True) ** 3
        size *= np.where(has_volume, np.cbrt(mass / np.where(has_volume, volume, 1.0) / WATER), 1.0)
    return placed(
        GeomType.ELLIPSOID if is_ellipsoid else GeomType.BOX, data.xipos[bodies], data.ximat[bodies], size=size,
        rgba=style.rgba["inertia"], objtype=ObjType.BODY, objid=bodies, bodyid=bodies,
        labels=labels_of(model, "body", bodies) if style.show.labels == "body" else (),
    )  # fmt: skip


def centers_of_mass(model: Model, data: Data, style: Style) -> Shapes:
    """A sphere at the center of mass of each kinematic tree."""
    roots = np.flatnonzero(model.body_rootid == np.arange(model.nbody))[1:]
    return placed(
        GeomType.SPHERE, data.subtree_com[roots], size=(style.scale["com"], 0, 0), rgba=style.rgba["com"], objid=roots,
        bodyid=roots,
    )  # fmt: skip


def skeleton(model: Model, data: Data, style: Style) -> Shapes:
    """Lines from the center of mass of each body through its joints to the center of its parent."""
    start, end, owners = [], [], []
    for body in range(1, model.nbody):
        if model.body_parentid[body] == 0:
            continue
        first = model.body_jntadr[body]
        joints = range(first, first + model.body_jntnum[body])
        points = [data.xipos[body], *(data.xanchor[k] for k in reversed(joints)), data.xipos[model.body_parentid[body]]]
        start += points[:-1]
        end += points[1:]
        owners += [body] * (len(points) - 1)
    return connectors(
        GeomType.CAPSULE, style.scale["connect"], start, end, rgba=style.rgba["connect"], objid=owners, bodyid=owners
    )


def applied_forces(model: Model, data: Data, style: Style) -> Shapes:
    """Arrows along the forces of `xfrc_applied`, at the centers of mass."""
    forces = shortened(np.asarray(data.xfrc_applied, float)[:, :3])
    bodies = np.flatnonzero(np.sqrt(np.sum(forces * forces, axis=1)) > MINVAL)
    bodies = bodies[bodies > 0]
    return half_arrows(
        style.scale["forcewidth"], data.xipos[bodies], style.force * forces[bodies], rgba=style.rgba["force"],
        objid=bodies, bodyid=bodies,
    )  # fmt: skip
