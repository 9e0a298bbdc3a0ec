"""Marks: drawings of the user in a scene, by name and for a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from phalanx.algebra.matrix import from_quaternion
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError, UnknownNameError, suggestion
from phalanx.memory.fill import numbers, real, whole
from phalanx.scene.placement import arrows, connectors, frames, placed
from phalanx.scene.shapes import Shapes
from phalanx.tables.enums import GeomType

#: Color of a mark for which none is given.
DEFAULT_RGBA = (0.9, 0.3, 0.2, 1.0)
#: Sizes of marks for which none are given [m].
DEFAULT_WIDTH, DEFAULT_RADIUS, DEFAULT_LENGTH = 0.005, 0.02, 0.2


@dataclass
class _Mark:
    """One drawing: its rows, and the simulation time at which it ends (None: never)."""

    shapes: Shapes
    lifetime: float | None
    end: float | None = None


class Marks:
    """Arrows, frames, lines, trails, texts and so on that user code draws into pictures and viewers.

    Each has a name; drawn again under the same name, it replaces the old one. With a `lifetime` [s of simulated time],
    counted from when it is first shown, it vanishes by itself. Colors are (r, g, b) or (r, g, b, a), each 0 to 1.

    >>> marks = Marks()
    >>> marks.arrow("push", start=(0, 0, 1), direction=(0.5, 0, 0), color=(1, 0, 0), lifetime=0.5)
    >>> marks.trail("hand", (0, 0, 0.1), length=100)
    >>> marks
    <Marks: push, hand>
    """

    def __init__(self) -> None:
        self._marks: dict[str, _Mark] = {}
        self._trails: dict[str, np.ndarray] = {}

    # --- drawing

    @arguments_checked
    def arrow(
        self, name: str, start: Any, end: Any = None, *, direction: Any = None, width: float = DEFAULT_WIDTH,
        color: Any = DEFAULT_RGBA, lifetime: float | None = None, label: str = "",
    ) -> None:  # fmt: skip
        """An arrow.

        Args:
            name: its name.
            start: where it begins [m], (3,).
            end: where it points to [m], (3,); or
            direction: from start to end [m], (3,).
            width: radius of its shaft [m].
            color: (r, g, b) or (r, g, b, a).
            lifetime: seconds of simulated time, None for ever.
            label: text beside it.
        """
        start = _points(name, "start", start, (3,))
        if (end is None) == (direction is None):
            raise FieldError(f"mark {name!r}: give either end or direction")
        end = start + _points(name, "direction", direction, (3,)) if end is None else _points(name, "end", end, (3,))
        self._put(name, arrows(_size(name, "width", width), start, end), color, lifetime, label)

    @arguments_checked
    def line(
        self, name: str, points: Any, *, width: float = DEFAULT_WIDTH, color: Any = DEFAULT_RGBA,
        lifetime: float | None = None, label: str = "",
    ) -> None:  # fmt: skip
        """A line through points (n, 3) [m], of radius `width` [m]."""
        path = _points(name, "points", points, (None, 3))
        if len(path) < 2:
            raise FieldError(f"mark {name!r}: a line needs at least two points, not {len(path)}")
        self._put(name, _polyline(path, _size(name, "width", width)), color, lifetime, label)

    @arguments_checked
    def trail(
        self, name: str, point: Any, length: int = 200, *, width: float = DEFAULT_WIDTH, color: Any = DEFAULT_RGBA,
        lifetime: float | None = None,
    ) -> None:  # fmt: skip
        """One more point of a line that follows something that moves.

        Args:
            name: its name.
            point: where it is now [m], (3,).
            length: how many points are remembered; the oldest go first.
            width: radius of the line [m].
            color: (r, g, b) or (r, g, b, a).
            lifetime: how long the line stays after the last point [s of simulated time], None for ever.
        """
        point, length = _points(name, "point", point, (3,)), whole("length", length, 1)
        before = self._trails.get(name, np.empty((0, 3)))
        path = np.concatenate([before, point[None]])[-length:]
        self._put(name, _polyline(path, _size(name, "width", width)), color, lifetime)
        self._trails[name] = path

    @arguments_checked
    def frame(
        self, name: str, pos: Any, mat: Any = None, *, quat: Any = None, length: float = DEFAULT_LENGTH,
        width: float = DEFAULT_WIDTH, lifetime: float | None = None, label: str = "",
    ) -> None:  # fmt: skip
        """Axes of a frame: x red, y green, z blue.

        Args:
            name: its name.
            pos: origin [m], (3,).
            mat: rotation matrix, (3, 3) or (9,); or
            quat: quaternion (w, x, y, z). Neither: axes of the world.
            length: of an axis [m].
            width: radius of an axis [m].
            lifetime: seconds of simulated time, None for ever.
            label: text beside it.
        """
        pos = _points(name, "pos", pos, (3,))
        shapes = frames(pos, _axes(name, mat, quat), _size(name, "length", length), _size(name, "width", width))
        self._put(name, shapes, None, lifetime, label)

    @arguments_checked
    def text(self, name: str, pos: Any, text: str, *, color: Any = DEFAULT_RGBA, lifetime: float | None = None) -> None:
        """A text at a point (3,) [m]."""
        shapes = placed(GeomType.LABEL, _points(name, "pos", pos, (3,)))
        self._put(name, shapes, color, lifetime, str(text))

    @arguments_checked
    def point_cloud(
        self, name: str, points: Any, colors: Any = DEFAULT_RGBA, *, radius: float = DEFAULT_WIDTH,
        lifetime: float | None = None,
    ) -> None:  # fmt: skip
        """Balls at points (n, 3) [m], in one color or in a color for each, (n, 3) or (n, 4)."""
        points = _points(name, "points", points, (None, 3))
        self._put(name, placed(GeomType.SPHERE, points, size=(_size(name, "radius", radius), 0, 0)), colors, lifetime)

    @arguments_checked
    def sphere(
        self, name: str, pos: Any, radius: float = DEFAULT_RADIUS, *, color: Any = DEFAULT_RGBA,
        lifetime: float | None = None, label: str = "",
    ) -> None:  # fmt: skip
        """A ball at a point (3,) [m]."""
        size = (_size(name, "radius", radius), 0, 0)
        self._put(name, placed(GeomType.SPHERE, _points(name, "pos", pos, (3,)), size=size), color, lifetime, label)

    @arguments_checked
    def box(
        self, name: str, pos: Any, size: Any, mat: Any = None, *, quat: Any = None, color: Any = DEFAULT_RGBA,
        lifetime: float | None = None, label: str = "",
    ) -> None:  # fmt: skip
        """A box with half sizes (3,) [m] at a pose, as in `frame`."""
        halves = _points(name, "size", size, (3,))
        if (halves <= 0).any():
            raise FieldError(f"mark {name!r}: sizes of a box are positive, not {size!r}")
        shapes = placed(GeomType.BOX, _points(name, "pos", pos, (3,)), _axes(name, mat, quat), size=halves)
        self._put(name, shapes, color, lifetime, label)

    @arguments_checked
    def capsule(
        self, name: str, start: Any, end: Any, radius: float = DEFAULT_RADIUS, *, color: Any = DEFAULT_RGBA,
        lifetime: float | None = None, label: str = "",
    ) -> None:  # fmt: skip
        """A capsule between two points (3,) [m]."""
        ends = _points(name, "start", start, (3,)), _points(name, "end", end, (3,))
        self._put(name, connectors(GeomType.CAPSULE, _size(name, "radius", radius), *ends), color, lifetime, label)

    # --- what is drawn

    @arguments_checked
    def remove(self, name: str) -> None:
        """Take a mark away."""
        if name not in self._marks:
            raise UnknownNameError(f"no mark is named {name!r}{suggestion(name, self._marks)}")
        self._forget(name)

    def clear(self) -> None:
        """Take all marks away."""
        self._marks.clear()
        self._trails.clear()

    def shapes(self, time: float) -> Shapes:
        """Rows of all marks that are still alive.

        Args:
            time: simulation time [s]; those whose lifetime is over are taken away.
        """
        now = real("time", time)
        for name, mark in [*self._marks.items()]:
            if mark.lifetime is None:
                continue
            # counted from when it is first shown; from anew when the world is reset
            if mark.end is None or now < mark.end - mark.lifetime:
                mark.end = now + mark.lifetime
            if now >= mark.end:
                self._forget(name)
        return Shapes.joined([mark.shapes for mark in self._marks.values()]) if self._marks else Shapes.empty()

    def _put(self, name: str, shapes: Shapes, color: Any, lifetime: float | None, label: str = "") -> None:
        """File a mark under its name."""
        if not isinstance(name, str) or not name:
            raise FieldError(f"the name of a mark is a text, not {name!r}")
        if lifetime is not None and not real("lifetime", lifetime) > 0:
            raise FieldError(f"mark {name!r}: lifetime is positive or None, not {lifetime!r}")
        if color is not None:
            shapes.rgba[:] = _colors(name, color, len(shapes))
        if label and len(shapes):
            shapes.labels[0] = str(label)
        self._trails.pop(name, None)
        self._marks[name] = _Mark(shapes, None if lifetime is None else float(lifetime))

    def _forget(self, name: str) -> None:
        del self._marks[name]
        self._trails.pop(name, None)

    def __len__(self) -> int:
        return len(self._marks)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._marks

    def __repr__(self) -> str:
        return f"<Marks: {', '.join(self._marks) or 'none'}>"


def _polyline(path: np.ndarray, width: float) -> Shapes:
    """Capsules along a path; a ball if it is one point."""
    if len(path) == 1:
        return placed(GeomType.SPHERE, path, size=(width, 0, 0))
    return connectors(GeomType.CAPSULE, width, path[:-1], path[1:])


def _points(name: str, argument: str, value: Any, shape: tuple[int | None, ...]) -> np.ndarray:
    """Finite numbers of the user; None in a shape for any count."""
    array = numbers(f"mark {name!r}: {argument}", value)
    fits = array.ndim == len(shape) and all(n is None or n == m for n, m in zip(shape, array.shape, strict=True))
    if not fits:
        wanted = ", ".join("n" if n is None else str(n) for n in shape)
        raise FieldError(f"mark {name!r}: {argument} has shape ({wanted}{',' * (len(shape) == 1)}), not {array.shape}")
    if not np.isfinite(array).all():
        raise FieldError(f"mark {name!r}: {argument} has a number that is NaN or infinite")
    return np.array(array, float)


def _size(name: str, argument: str, value: float) -> float:
    """A positive length."""
    size = real(f"mark {name!r}: {argument}", value)
    if not 0 < size < np.inf:
        raise FieldError(f"mark {name!r}: {argument} is a positive length, not {value!r}")
    return size


def _axes(name: str, mat: Any, quat: Any) -> np.ndarray:
    """Rotation matrix from what the user gave."""
    if mat is not None and quat is not None:
        raise FieldError(f"mark {name!r}: give either mat or quat")
    if quat is not None:
        given = _points(name, "quat", quat, (4,))
        length = np.linalg.norm(given)
        if length == 0:
            raise FieldError(f"mark {name!r}: quat must have a length")
        return np.array(from_quaternion(tuple(given / length)))
    if mat is None:
        return np.eye(3).ravel()
    nine = numbers(f"mark {name!r}: mat", mat)
    return _points(name, "mat", nine.reshape(9) if nine.size == 9 else nine, (9,))


def _colors(name: str, color: Any, count: int) -> np.ndarray:
    """Colors (count, 4) from one or many of the user's."""
    given = numbers(f"mark {name!r}: color", color)
    if given.shape not in ((3,), (4,), (count, 3), (count, 4)):
        raise FieldError(f"mark {name!r}: a color is (r, g, b) or (r, g, b, a), not of shape {given.shape}")
    if not ((given >= 0) & (given <= 1)).all():
        raise FieldError(f"mark {name!r}: numbers of a color are from 0 to 1")
    rgba = np.ones((count, 4), np.float32)
    rgba[:, : given.shape[-1]] = given
    return rgba
