"""Variants of the built-in robots, made in memory: convex meshes in place of capsules and spheres, other contacts.

Each function edits a `mujoco.MjSpec`. Meshes are small hulls of 26 to 48 corners, about what simplified collision
meshes of robots have. They are as large as the shapes whose place they take, and about as heavy, so that a keyframe is
still a stance.
"""

from __future__ import annotations

from typing import Any

import numpy as np

#: Corners of one ring of a mesh.
AROUND = 8
#: The sole of a mesh foot in the frame of the foot [m]: its middle, half its length, half its width.
SOLE = (0.04, 0.135, 0.068)
#: Rings of a mesh foot from below: height [m], and size as a part of the sole's.
FOOT_RINGS = ((-0.065, 0.88), (-0.055, 1.0), (-0.03, 0.95), (-0.015, 0.7))
#: Friction loss of the joints of the robot with dry bearings [N·m], and the stiffness of its friction cones.
FRICTION_LOSS, IMPRATIO = 0.2, 100.0


def ring(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Cosine and sine of so many directions in a plane."""
    angle = 2 * np.pi * np.arange(count) / count
    return np.cos(angle), np.sin(angle)


def rounded(radius: float, half: float) -> np.ndarray:
    """Corners of a hull like a capsule along z, or like a sphere if `half`, half its length, is zero."""
    cos, sin = ring(AROUND)
    corners = [(0.0, 0.0, end * (half + radius)) for end in (-1, 1)]
    latitudes = [(-45, -half), (45, half), *((0, z) for z in {-half, half})]
    for latitude, z in latitudes:
        width, up = radius * np.cos(np.radians(latitude)), radius * np.sin(np.radians(latitude))
        corners += [(width * c, width * s, z + up) for c, s in zip(cos, sin, strict=True)]
    return np.array(corners)


def foot() -> np.ndarray:
    """Corners of a foot with a flat sole and rounded toes and heel, in the frame of the foot."""
    cos, sin = ring(12)
    middle, length, width = SOLE
    # between an ellipse and a rectangle
    x, y = length * np.sign(cos) * np.abs(cos) ** 0.7, width * np.sign(sin) * np.abs(sin) ** 0.7
    rows = [np.stack([middle + size * x, size * y, np.full(12, z)], axis=1) for z, size in FOOT_RINGS]
    return np.concatenate(rows)


def become_mesh(spec: Any, geom: Any, corners: np.ndarray, pos: np.ndarray, quat: np.ndarray) -> None:
    """Give a geom another shape: the hull of these corners in a frame of its body."""
    import mujoco

    mesh = spec.add_mesh()
    mesh.name, mesh.uservert = f"{geom.name}_hull", corners.ravel()
    geom.type, geom.meshname = mujoco.mjtGeom.mjGEOM_MESH, mesh.name
    geom.fromto, geom.pos, geom.quat = np.full(6, np.nan), pos, quat


def mesh_feet(spec: Any) -> None:
    """The humanoid with a mesh for each foot in place of two bars."""
    for side in ("left", "right"):
        spec.delete(spec.geom(f"sole_inner_{side}"))
        become_mesh(spec, spec.geom(f"sole_outer_{side}"), foot(), np.zeros(3), np.array([1.0, 0, 0, 0]))


def mesh_legs(spec: Any) -> None:
    """The quadruped with meshes for thighs, shanks and feet."""
    compiled = spec.copy().compile()
    for leg in ("front_left", "front_right", "hind_left", "hind_right"):
        for name in (f"thigh_{leg}", f"shank_{leg}", f"foot_{leg}"):
            shape = compiled.geom(name)
            corners = rounded(shape.size[0], shape.size[1])
            become_mesh(spec, spec.geom(name), corners, shape.pos.copy(), shape.quat.copy())


def dry_elliptic(spec: Any) -> None:
    """Elliptic friction cones that hardly slip, and dry friction in all joints but the root's."""
    import mujoco

    spec.option.cone, spec.option.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, IMPRATIO
    for joint in spec.joints:
        if joint.type != mujoco.mjtJoint.mjJNT_FREE:
            joint.frictionloss = FRICTION_LOSS
