"""Directions of the rays of a lidar."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.fill import numbers, whole


def planar(rays: Any, view: Any) -> np.ndarray:
    """Rays in the x-y plane, spread evenly about the x axis; a full revolution does not repeat its first ray."""
    count, angle = whole("rays", rays, 1), _angle(2.0 * math.pi if view is None else view)
    yaw = _spread(count, angle)
    return np.stack([np.cos(yaw), np.sin(yaw), np.zeros(count)], axis=1)


def spherical(rays: Any, view: Any) -> np.ndarray:
    """Rows of rays at different elevations, columns around the z axis."""
    rows, columns = (whole("rays", count, 1) for count in _two("rays", rays))
    vertical, horizontal = _two("view", (math.pi / 6.0, 2.0 * math.pi) if view is None else view)
    pitch, yaw = np.meshgrid(_spread(rows, _angle(vertical)), _spread(columns, _angle(horizontal)), indexing="ij")
    ways = np.stack([np.cos(pitch) * np.cos(yaw), np.cos(pitch) * np.sin(yaw), np.sin(pitch)], axis=-1)
    return ways.reshape(-1, 3)


def cone(rays: Any, view: Any) -> np.ndarray:
    """Rays within a cone about the x axis, evenly over its solid angle (a spiral of the golden angle)."""
    count, half = whole("rays", rays, 1), _angle(math.pi / 6.0 if view is None else view)
    share = (np.arange(count) + 0.5) / count
    cosine, swirl = 1.0 - share * (1.0 - math.cos(half)), np.arange(count) * math.pi * (3.0 - math.sqrt(5.0))
    sine = np.sqrt(1.0 - cosine * cosine)
    return np.stack([cosine, sine * np.cos(swirl), sine * np.sin(swirl)], axis=1)


#: Patterns by name.
PATTERNS: dict[str, Callable[[Any, Any], np.ndarray]] = {"planar": planar, "spherical": spherical, "cone": cone}


def directions_of(pattern: str, rays: Any, view: Any) -> np.ndarray:
    """Unit vectors (n, 3) of a pattern."""
    if not isinstance(pattern, str) or pattern not in PATTERNS:
        raise FieldError(f"there is no pattern {pattern!r}{suggestion(str(pattern), PATTERNS)}")
    return PATTERNS[pattern](rays, view)


def _spread(count: int, angle: float) -> np.ndarray:
    """Angles from one end to the other, or around a revolution."""
    if angle >= 2.0 * math.pi:
        return np.arange(count) * (2.0 * math.pi / count)
    return np.linspace(-0.5 * angle, 0.5 * angle, count) if count > 1 else np.zeros(1)


def _angle(value: Any) -> float:
    angle = numbers("view", value).astype(float)
    if angle.shape or not 0.0 < angle <= 2.0 * math.pi:
        raise FieldError(f"view is an angle above 0 and at most 2 pi, not {value!r}")
    return float(angle)


def _two(name: str, value: Any) -> tuple[Any, Any]:
    pair = numbers(name, value)
    if pair.shape != (2,):
        raise FieldError(f"{name} of a spherical pattern is (vertical, horizontal), not {value!r}")
    return pair[0].item(), pair[1].item()
