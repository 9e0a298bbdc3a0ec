"""Questions to free-standing shapes: `contacts`, `distance`, `ray`.

All of them broadcast: a shape with many poses, or many rays, are answered in one compiled call.

    >>> from phalanx.collision import Box, Sphere, contacts
    >>> contacts(Box([0.5, 0.5, 0.5]), Sphere(0.2, pos=[0, 0, 0.6]))
    <1 contact, deepest -0.1 m>
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from phalanx.algebra.jit import is_interpreted
from phalanx.collision.ray.hits import checked_rays
from phalanx.collision.shape.pose_loops import CONTACTS, DISTANCES, INPUTS, POSE, RAYS, RESULTS, query
from phalanx.collision.shape.private_model import FLOAT64, model_of, scratch
from phalanx.collision.shape.shapes import TRIANGLES, Plane, Shape, TriangleMesh
from phalanx.collision.table import COLLIDERS, collide_world
from phalanx.memory.errors import FieldError
from phalanx.memory.store import PlainView, Store
from phalanx.native.entry import Entry
from phalanx.native.pace import Pace
from phalanx.native.runtime import NativeEntry, load
from phalanx.tables.geoms import CONVEX

#: Distance beyond which there is nothing, as the kernels want it.
FAR = 1e10
#: Rows of the first call, before it is known how long they take.
ROWS_AT_ONCE = 512
#: Room for contacts of each pose at the first try.
USUAL_CONTACTS = 4


# --- answers


class Contact(NamedTuple):
    """One point of contact; see `Contacts`."""

    dist: float
    pos: np.ndarray
    normal: np.ndarray
    frame: np.ndarray


@dataclass(frozen=True, repr=False, eq=False)
class Contacts:
    """Points where two shapes touch; iterate over them, or use the arrays.

    Attributes:
        dist: (n,) signed distance of the surfaces, negative when they overlap [m].
        pos: (n, 3) point halfway between the surfaces, in the world [m].
        normal: (n, 3) unit vector from the first shape to the second.
        frame: (n, 3, 3) axes of the contact as rows: normal and two tangents.
        pose: (n,) which of many poses the contact belongs to, in order.
    """

    dist: np.ndarray
    pos: np.ndarray
    frame: np.ndarray
    pose: np.ndarray

    @property
    def normal(self) -> np.ndarray:
        """(n, 3) unit vectors from the first shape to the second."""
        return self.frame[:, 0]

    def __len__(self) -> int:
        return len(self.dist)

    def __getitem__(self, k: int) -> Contact:
        return Contact(float(self.dist[k]), self.pos[k], self.normal[k], self.frame[k])

    def __iter__(self) -> Iterator[Contact]:
        return (self[k] for k in range(len(self)))

    def at_pose(self, pose: int) -> Contacts:
        """The contacts of one of many poses."""
        chosen = self.pose == pose
        return Contacts(self.dist[chosen], self.pos[chosen], self.frame[chosen], self.pose[chosen])

    def __repr__(self) -> str:
        if not len(self):
            return "<no contacts>"
        count = f"{len(self)} contact" + ("s" if len(self) > 1 else "")
        return f"<{count}, deepest {self.dist.min():.4g} m>"


class Distance(NamedTuple):
    """How far two shapes are apart; arrays over the poses if there are many.

    Attributes:
        dist: signed distance, negative when they overlap; at most the `max_distance` asked for [m].
        point_a: nearest point of the first shape (of an overlap: the deepest) [m]; NaN beyond `max_distance`.
        point_b: that of the second shape [m].
    """

    dist: Any
    point_a: np.ndarray
    point_b: np.ndarray


class Hit(NamedTuple):
    """Where a ray hits a shape; arrays if there are many rays or poses.

    Attributes:
        dist: distance from the origin in lengths of the direction, -1 without a hit.
        point: where the surface is hit [m]; NaN without a hit.
        normal: outward unit normal there; zero without a hit.
    """

    dist: Any
    point: np.ndarray
    normal: np.ndarray


# --- questions


def contacts(a: Shape, b: Shape, *, margin: float = 0.0) -> Contacts:
    """Points where two shapes touch, or come nearer than a margin: those of MuJoCo, in its order.

    Args:
        a: first shape; contact normals point away from it.
        b: second shape.
        margin: distance up to which there are contacts [m].

    Raises:
        FieldError: two shapes that never collide (two planes), or whose counts of poses do not go together.
    """
    if not 0.0 <= margin < np.inf:
        raise FieldError(f"the margin must be finite and not negative, not {margin!r}")
    pair = Pair(a, b)
    capacity = USUAL_CONTACTS * len(pair.inputs)
    results, owners, count = pair.contacts(margin, capacity)
    if count > capacity:
        results, owners, count = pair.contacts(margin, count)
    results = results[:count]
    return Contacts(results[:, 0], results[:, 1:4], results[:, 4:].reshape(-1, 3, 3), owners[:count])


def distance(a: Shape, b: Shape, *, max_distance: float = np.inf) -> Distance:
    """Signed distance of two shapes and their nearest points.

    Args:
        a: first shape.
        b: second shape.
        max_distance: shapes farther apart than this have this distance, and no nearest points [m].

    Raises:
        FieldError: two shapes that never collide (two planes), or whose counts of poses do not go together.
    """
    if not max_distance > 0.0:
        raise FieldError(f"max_distance must be positive, not {max_distance!r}")
    pair = Pair(a, b)
    results = pair.distances(min(max_distance, FAR))
    results[results[:, 0] >= FAR, 0] = max_distance
    points = results[:, 1:4], results[:, 4:7]
    answer = Distance(results[:, 0], *(reversed(points) if pair.is_swapped else points))
    return answer if pair.is_many else Distance(float(answer.dist[0]), answer.point_a[0], answer.point_b[0])


def ray(shape: Shape, origin: Any, direction: Any) -> Hit:
    """Where a ray, or many, first hit the surface of a shape.

    Args:
        shape: what to hit.
        origin: where the ray starts [m], (3,) or (n, 3).
        direction: where it goes; any length but zero, in which the distance is counted; (3,) or (n, 3).
    """
    origin, direction = checked_rays(origin, direction)
    pose = pose_rows(shape)
    counts = broadcast("poses and rays", pose.shape[:-1], origin.shape[:-1])
    inputs = np.zeros((*(counts or (1,)), INPUTS))
    inputs[..., :POSE], inputs[..., POSE : POSE + 3], inputs[..., POSE + 3 : POSE + 6] = pose, origin, direction
    results = run(RAYS, model_of(shape.solid), inputs, len(inputs))[0]
    answer = Hit(results[:, 0], results[:, 1:4], results[:, 4:7])
    return answer if counts else Hit(float(answer.dist[0]), answer.point[0], answer.normal[0])


# --- from shapes to kernels


class Pair:
    """Two shapes in the order of the colliders, smaller type first, and their poses in rows."""

    def __init__(self, a: Shape, b: Shape):
        for shape in (a, b):
            if not isinstance(shape, Shape):
                raise FieldError(f"{shape!r} is no shape: use Sphere, Box, ... of phalanx.collision")
        self.is_swapped = a.kind > b.kind
        first, second = (b, a) if self.is_swapped else (a, b)
        if isinstance(first, Plane) and isinstance(second, TriangleMesh):
            second = second.hull
        if (first.kind, second.kind) not in pairs():
            raise FieldError(f"{type(a).__name__} and {type(b).__name__} do not collide")
        poses = pose_rows(first), pose_rows(second)
        counts = broadcast("poses", *(rows.shape[:-1] for rows in poses))
        self.is_many = bool(counts)
        self.inputs = np.zeros((*(counts or (1,)), INPUTS))
        self.inputs[..., :POSE], self.inputs[..., POSE:] = poses
        self.model = model_of(first.solid, second.solid)

    def contacts(self, margin: float, capacity: int) -> tuple[np.ndarray, np.ndarray, int]:
        """Rows of results, the pose of each, and how many there are (perhaps more than the capacity)."""
        sign = -1.0 if self.is_swapped else 1.0
        return run(CONTACTS, self.model, self.inputs, capacity, margin, sign)

    def distances(self, far: float) -> np.ndarray:
        """Rows of results: distance and nearest points of each pose."""
        return run(DISTANCES, self.model, self.inputs, len(self.inputs), far)[0]


def pose_rows(shape: Shape) -> np.ndarray:
    """Poses of the frame of the geom, (7,) or (n, 7)."""
    rows = np.empty((*np.broadcast_shapes(shape.pos.shape[:-1], shape.quat.shape[:-1]), POSE))
    rows[..., :3], rows[..., 3:] = shape.pos, shape.quat
    if shape.frame is not None:
        (pos, quat), (w, axis) = shape.frame, (rows[..., 3:4], rows[..., 4:].copy())
        across = np.cross(axis, pos)
        rows[..., :3] += pos + 2.0 * (w * across + np.cross(axis, across))
        rows[..., 4:] = w * quat[1:] + quat[0] * axis + np.cross(axis, quat[1:])
        rows[..., 3:4] = w * quat[0] - (axis @ quat[1:])[..., None]
    return rows


def broadcast(what: str, *counts: tuple[int, ...]) -> tuple[int, ...]:
    """The common count of several, each () or (n,); an error that says `what` if there is none."""
    try:
        return np.broadcast_shapes(*counts)
    except ValueError:
        listed = " and ".join(str(count[0]) for count in counts)
        raise FieldError(f"{what} do not go together: there are {listed}") from None


@functools.cache
def pairs() -> frozenset:
    """Pairs of types that can collide."""
    assert collide_world.built
    return frozenset(COLLIDERS) | {(kind, TRIANGLES) for kind in CONVEX}


def run(
    operation: int, model: Store, inputs: np.ndarray, capacity: int, length: float = 0.0, sign: float = 1.0
) -> tuple[np.ndarray, np.ndarray, int]:
    """Run an operation; (results, owners, count). Some rows at a time, so that Python can handle signals in between."""
    parts: list[tuple[np.ndarray, np.ndarray, int]] = []
    first, pace = 0, Pace(ROWS_AT_ONCE)
    while first < len(inputs) or not parts:
        rows, began = inputs[first : first + pace.amount], perf_counter()
        # contacts have room for what the rows before have left; each row of other operations has one result
        room = max(capacity - sum(part[2] for part in parts), 0) if operation == CONTACTS else len(rows)
        found, owners, count = run_some(operation, model, rows, room, length, sign)
        parts.append((found[:count] if operation == CONTACTS else found, owners[:count] + first, count))
        pace.note(len(rows), perf_counter() - began)
        first += len(rows)
    if len(parts) == 1:
        return parts[0]
    results, owners = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
    return results, owners, sum(part[2] for part in parts)


def run_some(
    operation: int, model: Store, inputs: np.ndarray, capacity: int, length: float, sign: float
) -> tuple[np.ndarray, np.ndarray, int]:
    """Run an operation in one call; (results, owners, count)."""
    results, owners = np.empty((capacity, RESULTS)), np.empty(capacity, np.int64)
    options, count = np.array([length, sign]), np.zeros(1, np.int64)
    data = scratch(model)
    arrays = inputs, options, results, owners, count
    if is_interpreted():
        with np.errstate(all="ignore"):
            query(
                operation,
                PlainView(model),
                PlainView(data),
                len(inputs),
                capacity,
                *(array.ravel() for array in arrays),
            )
    else:
        addresses = (array.ctypes.data for array in arrays)
        native().call(operation, model.address, data.address, len(inputs), capacity, *addresses)
    return results, owners, int(count[0])


def build() -> Callable[..., int]:
    """The compiled form of `query`: addresses instead of arrays."""
    from phalanx.memory.view import view_at
    from phalanx.native.number import array_at

    model_at, data_at = view_at("model", FLOAT64, constant=True), view_at("data", FLOAT64, constant=False)
    inputs_at = array_at("float64", alias="shapes.inputs", constant=True)
    options_at = array_at("float64", alias="shapes.options", constant=True)
    results_at = array_at("float64", alias="shapes.results")
    owners_at = array_at("int64", alias="shapes.owners")
    count_at = array_at("int64", alias="shapes.count")

    def entry(op, m, d, n, capacity, inputs, options, results, owners, count):
        query(
            op, model_at(m), data_at(d), n, capacity, inputs_at(inputs), options_at(options), results_at(results),
            owners_at(owners), count_at(count),
        )  # fmt: skip
        return 0

    return entry


@functools.cache
def shapes_entry() -> Entry:
    """The entry that answers all questions."""
    return Entry("shapes_f64", build, arity=10, origin="phalanx.collision.shape.queries:entry_named")


def entry_named(name: str) -> Entry:
    """The entry, in a process that compiles."""
    return shapes_entry()


@functools.cache
def native() -> NativeEntry:
    """The compiled entry, loaded once per process."""
    return load(shapes_entry())
