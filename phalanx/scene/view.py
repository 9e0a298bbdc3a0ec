"""Where a scene is seen from, and what lights it: the geometry of cameras and lights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class View:
    """A camera that is placed in the world, for pictures of any size.

    The camera looks along its -z axis; x is to the right and y up in the picture, as in MuJoCo. A picture point (u, v),
    in units of half the height of the picture from its center (v up), shows the direction
    (half_height * aspect * u + shift_x, half_height * v + shift_y, -1) in the frame of the camera. With an orthographic
    projection that is the offset of the ray [m], and the direction is (0, 0, -1).

    Attributes:
        pos: position of the camera [m], (3,).
        mat: rotation matrix of its frame, (3, 3), columns x, y, z.
        half_height: tangent of half the vertical field of view; orthographic: half the height [m].
        shift: (x, y) of the principal point, in the units of half_height; (0, 0) in the center.
        aspect: width by height of a pixel seen from the camera, 1 unless the intrinsics say otherwise.
        orthographic: whether rays are parallel.
        near: nearest depth that is drawn [m].
        far: farthest depth that is drawn [m].
    """

    pos: np.ndarray
    mat: np.ndarray
    half_height: float
    shift: tuple[float, float] = (0.0, 0.0)
    aspect: float = 1.0
    orthographic: bool = False
    near: float = 0.01
    far: float = 1000.0


@dataclass(frozen=True)
class Lights:
    """n lights that are on, the headlight first if it is.

    Attributes:
        kind: LightType (directional, point, spot), (n,).
        pos: position [m], (n, 3).
        dir: unit direction in which it shines, (n, 3).
        ambient, diffuse, specular: colors, (n, 3).
        attenuation: constant, linear and quadratic falloff, (n, 3).
        cutoff: half angle of a spot [deg], (n,).
        exponent: concentration of a spot, (n,).
        castshadow: whether it casts shadows, (n,).
    """

    kind: np.ndarray
    pos: np.ndarray
    dir: np.ndarray
    ambient: np.ndarray
    diffuse: np.ndarray
    specular: np.ndarray
    attenuation: np.ndarray
    cutoff: np.ndarray
    exponent: np.ndarray
    castshadow: np.ndarray
