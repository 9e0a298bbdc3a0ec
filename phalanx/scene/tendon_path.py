"""Paths of tendons in space: straight segments between wrap points, and the curve of one that hangs loosely."""

from __future__ import annotations

import math

import numpy as np

from phalanx.scene.placement import MINVAL
from phalanx.scene.subject import Data, Model
from phalanx.tables.enums import DisableBit, GeomType, TrnType

#: Most points of a hanging tendon.
MOST_POINTS = 100
#: Longer than this many times the horizontal distance of its ends, a tendon hangs down in two straight lines.
STEEP = 100
#: Value of `wrap_obj` at a pulley: the path is interrupted.
PULLEY = -2
#: An arc that misses a revolution by less than this angle has no length [rad].
ROUNDING = 1e-9
#: Residual at which the catenary counts as found, and the limit of Newton steps.
TOLERANCE = 1e-9
MOST_STEPS = 50


def segments(model: Model, data: Data, tendons: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Segments of tendons: starts (n, 3), ends (n, 3), and the index into `tendons` of each (n,).

    The path is straight between bodies, and an arc of short segments where it lies on a wrapping geom.
    """
    points, objects = np.reshape(data.wrap_xpos, (-1, 3)), np.reshape(data.wrap_obj, -1)
    first = np.asarray(data.ten_wrapadr)[tendons]
    count = np.maximum(np.asarray(data.ten_wrapnum)[tendons] - 1, 0)
    which = np.repeat(np.arange(len(tendons)), count)
    here = np.repeat(first - np.cumsum(count) + count, count) + np.arange(len(which))
    is_joined = (objects[here] != PULLEY) & (objects[here + 1] != PULLEY)
    here, which = here[is_joined], which[is_joined]
    is_arc = (objects[here] >= 0) & (objects[here + 1] >= 0)
    straight, arcs = here[~is_arc], here[is_arc]
    # a path that touches the inside of a geom does so at one point
    has_length = (points[arcs] != points[arcs + 1]).any(axis=1)
    arcs, arc_owners = arcs[has_length], which[is_arc][has_length]
    starts, ends, owners = _arcs(model, data, points, arcs, objects[arcs])
    return (
        np.concatenate([points[straight], starts]),
        np.concatenate([points[straight + 1], ends]),
        np.concatenate([which[~is_arc], arc_owners[owners]]),
    )


def _arcs(
    model: Model, data: Data, points: np.ndarray, here: np.ndarray, geoms: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Arcs from points `here` to the next ones on spheres and cylinders, cut into short segments.

    Returns:
        starts (n, 3), ends (n, 3), and which arc each belongs to (n,).
    """
    first, last, before = points[here], points[here + 1], points[here - 1]
    center, axis = data.geom_xpos[geoms], data.geom_xmat[geoms][:, 2::3]
    is_cylinder = (np.asarray(model.geom_type)[geoms] == GeomType.CYLINDER)[:, None]
    arm1, arm2 = first - center, last - center
    # the path goes on in the direction in which it arrives; around a cylinder it is a helix
    normal = np.cross(arm1, first - before)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), MINVAL)
    axis = np.where(is_cylinder, axis * np.where(_dot(axis, normal) < 0, -1.0, 1.0), normal)
    height1, height2 = (np.where(is_cylinder, _dot(arm, axis), 0.0) for arm in (arm1, arm2))
    arm1, arm2 = arm1 - height1 * axis, arm2 - height2 * axis
    across = np.cross(axis, arm1)
    angle = np.arctan2(_dot(arm2, across), _dot(arm2, arm1))[:, 0] % (2 * np.pi)
    angle[2 * np.pi - angle < ROUNDING] = 0.0
    pieces = np.maximum(np.rint(angle * model.vis.quality.numslices / np.pi), 1).astype(int)
    owner = np.repeat(np.arange(len(here)), pieces)
    step = np.arange(len(owner)) - np.repeat(np.cumsum(pieces) - pieces, pieces)

    def at(k: np.ndarray) -> np.ndarray:
        part = (k / pieces[owner])[:, None]
        swept = angle[owner][:, None] * part
        height = height1[owner] * (1 - part) + height2[owner] * part
        return center[owner] + np.cos(swept) * arm1[owner] + np.sin(swept) * across[owner] + height * axis[owner]

    return at(step), at(step + 1), owner


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Products of vectors, (n, 1)."""
    return np.sum(a * b, axis=1, keepdims=True)


def loose_lengths(model: Model, data: Data) -> np.ndarray:
    """Length of each tendon that may hang loosely [m], NaN for others, (ntendon,).

    Such a tendon is a string: two sites, no damping, friction or actuator, and either a spring that acts only beyond a
    length or an upper limit that is not reached.
    """
    has_spring = (model.tendon_stiffness != 0) | (np.asarray(model.tendon_stiffnesspoly) != 0).any(axis=1)
    has_damper = (model.tendon_damping != 0) | (np.asarray(model.tendon_dampingpoly) != 0).any(axis=1)
    rest, limit = np.asarray(model.tendon_lengthspring), np.asarray(model.tendon_range)
    by_spring = has_spring & (rest[:, 0] == 0) & (rest[:, 1] > 0)
    is_below = (limit[:, 0] == 0) & (np.asarray(data.ten_length) < limit[:, 1])
    by_limit = ~has_spring & (np.asarray(model.tendon_limited) == 1) & is_below
    hangs = (by_spring != by_limit) & (model.tendon_num == 2) & ~has_damper & (model.tendon_frictionloss == 0)
    hangs[model.actuator_trnid[model.actuator_trntype == TrnType.TENDON, 0]] = False
    if int(model.opt.disableflags) & DisableBit.GRAVITY or np.linalg.norm(model.opt.gravity) <= MINVAL:
        hangs[:] = False
    return np.where(hangs, np.where(by_limit, limit[:, 1], rest[:, 1]), np.nan)


def catenary(start: np.ndarray, end: np.ndarray, gravity: np.ndarray, length: float, count: int) -> np.ndarray:
    """Points (n, 3) along a string of given length that hangs between two points, at most `count`.

    A taut string has 2 points and a steep one 3: the ends, and where a bead on the string would come to rest.
    """
    offset = end - start
    if np.linalg.norm(offset) > length:
        return np.stack([start, end])
    up = -gravity / np.linalg.norm(gravity)
    across = offset - up * (up @ offset)
    horizontal = np.linalg.norm(across)
    across = across / horizontal if horizontal >= MINVAL else np.zeros(3)
    h, v = float(offset @ across), float(offset @ up)
    if length > STEEP * h:
        down = -0.5 * (math.sqrt(length * length - h * h) - v)
        sideways = h * down / (2 * down - v) if 2 * down != v else 0.0
        return np.stack([start, start + up * down + across * sideways, end])
    if length * length - v * v <= h * h:  # rounding: as long as the distance of its ends
        return np.stack([start, end])
    # y = b h cosh((x - x0) / (b h)) + y0
    flatness = _flatness(v, h, length) * h
    x0 = -0.5 * (math.log((length + v) / (length - v)) * flatness - h)
    y0 = -math.cosh(x0 / flatness) * flatness
    x = np.arange(count) * h / count
    y = flatness * np.cosh((x - x0) / flatness) + y0
    points = start + np.outer(x, across) + np.outer(y, up)
    points[0], points[-1] = start, end
    return points


def _flatness(v: float, h: float, length: float) -> float:
    """The parameter b of a catenary: 1 / sqrt(2 b sinh(1 / 2b) - 1) = 1 / sqrt(sqrt(length² - v²) / h - 1).

    In this form Newton's method converges from the linear approximation b = intercept / sqrt(24), with the step halved
    while it does not help (as in MuJoCo's mjv_catenary).
    """

    def residual(b: float) -> float:
        return 1 / math.sqrt(2 * b * math.sinh(0.5 / b) - 1) - intercept

    intercept = 1 / math.sqrt(math.sqrt(length * length - v * v) / h - 1)
    b = intercept / math.sqrt(24)
    for _ in range(MOST_STEPS):
        error, a = residual(b), 0.5 / b
        if abs(error) < TOLERANCE:
            break
        slope = (a * math.cosh(a) - math.sinh(a)) * (2 * b * math.sinh(a) - 1) ** -1.5
        step = -error / slope
        for _ in range(10):
            if abs(residual(b + step)) < abs(error):
                break
            step *= 0.5
        b += step
    return b
