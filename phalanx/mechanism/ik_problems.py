"""Inverse kinematics: joint positions that bring sites, bodies or geoms to poses. One problem, or many at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from phalanx.batch.batch import AUTO_LANES, MAX_THREADS
from phalanx.batch.ik_groups import IkGroups
from phalanx.mechanism.loops import FrameTarget, Loops, body_frame, geom_frame, loops_of, site_frame
from phalanx.mechanism.quantities import positive
from phalanx.mechanism.random_pose import random_poses
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError
from phalanx.memory.fill import flag, items, lanes_asked, numbers, whole
from phalanx.memory.names import NamedObject
from phalanx.native.threads import available_threads
from phalanx.world.model import Model

#: Objects that can be brought to a pose, and where their frames are.
_FRAMES = {"site": site_frame, "body": body_frame, "geom": geom_frame}
#: Weight of an orientation [m/rad] unless the user says: an angle of 1 rad counts as much as 30 cm.
USUAL_ROTATION_WEIGHT = 0.3


@dataclass(frozen=True)
class IkSolution:
    """What `phalanx.ik` found; without the axis of problems if one pose was asked for.

    Attributes:
        qpos: joint positions, (n, nq).
        converged: whether all errors are within the tolerance, (n,).
        position_error: distance of each target from its goal [m], (n, k); then, how much couplings of joints are off.
        rotation_error: angle of each target from its goal [rad], (n, k); 0 where it does not count.
        iterations: how many poses were tried, (n,).
        labels: what the k errors belong to: targets, then equalities of the model.
    """

    qpos: np.ndarray
    converged: Any
    position_error: np.ndarray
    rotation_error: np.ndarray
    iterations: Any
    labels: tuple[str, ...]

    def __repr__(self) -> str:
        count, total = int(np.sum(self.converged)), int(np.size(self.converged))
        worst = float(np.max(self.position_error, initial=0.0)), float(np.max(self.rotation_error, initial=0.0))
        of = ", ".join(self.labels)
        return f"<IkSolution of {of}: {count} of {total} converged, errors up to {worst[0]:.3g} m, {worst[1]:.3g} rad>"


@arguments_checked
def ik(
    model: Model,
    site: Any,
    pose: Any,
    *,
    start: Any = None,
    joints: Sequence[str | int] | None = None,
    weights: Any = None,
    tolerance: tuple[float, float] = (1e-6, 1e-6),
    iterations: int = 100,
    restarts: int = 20,
    seed: int = 0,
    loops: bool = True,
    lanes: int | str = "auto",
    threads: int | None = None,
) -> IkSolution:
    """Joint positions that bring a site to a pose, within the limits of the joints.

    Damped least squares in compiled code, many problems in the lanes of vector registers. A problem has the same bits
    alone and among others, with any number of lanes or threads. Where a search ends before the goal, it begins anew at
    a random pose.

    Args:
        model: the model.
        site: name or id of a site, or `model.body("hand")`, `model.geom("tip")`; a list of several.
        pose: where it is to be in the world: a position (3,), or position and quaternion (7,), or many, (n, 3) or
            (n, 7). For a list of targets a list, with an element for each.
        start: joint positions to begin with, (nq,) or (n, nq); those of the model (qpos0) if None.
        joints: which may move; None for all.
        weights: (weight of position, weight of orientation) of the target, or a list of them; None for 1 and 0.3.
        tolerance: distance [m] and angle [rad] at which a problem is solved.
        iterations: most poses that a search tries.
        restarts: most searches that begin at random poses where the first one fails.
        seed: of the random poses.
        loops: keep the equalities of the model (connect, weld, joint) that are active; False to disregard them.
        lanes: problems per vector register: 1, 2, 4, 8, 16, or "auto".
        threads: how many threads; None for all CPUs this process may use.

    Raises:
        FieldError: poses, weights or positions that do not fit.
        UnknownNameError: no such object.
        ModelError: an equality of the model of a kind that cannot be kept.

    Example:
        >>> import phalanx
        >>> arm = phalanx.load("arm")
        >>> solution = phalanx.ik(arm, "tool", [0.45, 0.3, 0.2, 0, 1, 0, 0])
        >>> solution.converged
        True
    """
    if model.nv == 0:
        raise FieldError("the model has no joints that could move")
    ties = loops_of(model) if flag("loops", loops) else Loops()
    wanted, is_single = _targets(model, site, pose, weights)
    targets = [*wanted, *ties.targets]
    if not all(len(np.atleast_2d(target.goal_pos)) for target in wanted):
        raise FieldError("there is no pose to reach: poses have shape (n, 3) or (n, 7), with n at least 1")
    n = max(1, *(len(np.atleast_2d(target.goal_pos)) for target in wanted))
    asked = {
        "target_body": np.array([(target.body, target.goal_body) for target in targets]),
        "target_point": np.array([target.point for target in targets]),
        "target_frame": np.array([target.frame for target in targets]),
        "target_weight": np.array([target.weights for target in targets]),
        "coupling": np.array(ties.couplings, np.int64),
        "free": free_dofs(model, joints),
        "tolerance": np.array([positive("tolerance", number) for number in _pair("tolerance", tolerance)]),
    }
    count = available_threads() if threads is None else whole("threads", threads, 1, MAX_THREADS)
    groups = IkGroups(model._store, asked, _width(lanes, n), count)
    qpos, is_single = _start(model, start, n, is_single)
    n = len(qpos)
    given = {
        "qpos": qpos,
        "goal_pos": np.stack([np.broadcast_to(target.goal_pos, (n, 3)) for target in targets], axis=1),
        "goal_quat": np.stack([np.broadcast_to(target.goal_quat, (n, 4)) for target in targets], axis=1),
    }
    # the first search begins at the given positions, the others where it failed
    found = groups.solve(given, whole("iterations", iterations, 1, 10**6))
    _search_anew(model, groups, given, found, iterations, whole("restarts", restarts), seed)
    labels = (*(t.label for t in targets), *(model.names.label("equality", k) for k in ties.couplings))
    return _solution(found, labels, is_single)


def _search_anew(
    model: Model,
    groups: IkGroups,
    given: dict[str, np.ndarray],
    found: dict[str, np.ndarray],
    iterations: int,
    restarts: int,
    seed: int,
) -> None:
    """Search from random poses where nothing was found; the better result counts."""
    free = groups.asked["free"]
    for attempt in range(restarts):
        left = np.flatnonzero(found["converged"] == 0)
        if not len(left):
            return
        again = {name: np.ascontiguousarray(array[left]) for name, array in given.items()}
        # the pose of a problem depends on the seed, the attempt and its index alone
        again["qpos"] = random_poses(model, again["qpos"], free, whole("seed", seed), attempt, left)
        other = groups.solve(again, iterations)
        other["rounds"] += found["rounds"][left]
        better = other["cost"] < found["cost"][left]
        for name, array in found.items():
            array[left[better]] = other[name][better]
        found["rounds"][left] = other["rounds"]


def _solution(found: dict[str, np.ndarray], labels: tuple[str, ...], is_single: bool) -> IkSolution:
    converged, rounds = found["converged"] > 0, found["rounds"].astype(np.int64)
    if not is_single:
        return IkSolution(found["qpos"], converged, found["position_error"], found["rotation_error"], rounds, labels)
    one = {name: array[0] for name, array in found.items()}
    return IkSolution(
        one["qpos"], bool(converged[0]), one["position_error"], one["rotation_error"], int(rounds[0]), labels
    )


# --- what the user gave


def _targets(model: Model, site: Any, pose: Any, weights: Any) -> tuple[list[FrameTarget], bool]:
    """Targets of the user, and whether there is one pose of each."""
    is_list = isinstance(site, list | tuple)
    sites, poses = (list(site), items(pose)) if is_list else ([site], [pose])
    every = items(weights) if is_list and weights is not None else [weights] * len(sites)
    if not sites or len(sites) != len(poses) or len(every) != len(sites):
        raise FieldError(
            f"there are {len(sites)} targets, {len(poses)} poses and {len(every)} weights: give one of each per target"
        )
    found = [_target(model, *each) for each in zip(sites, poses, every, strict=True)]
    counts = {len(target.goal_pos) for target in found if target.goal_pos.ndim > 1}
    if len(counts - {1}) > 1:
        raise FieldError(f"targets have different numbers of poses: {sorted(counts)}")
    return found, not counts


def _target(model: Model, site: Any, pose: Any, weights: Any) -> FrameTarget:
    """One target: an object, and its pose or poses."""
    kind, key = (site.kind, site.id) if isinstance(site, NamedObject) else ("site", site)
    if kind not in _FRAMES:
        raise FieldError(f"a {kind} has no frame to bring to a pose; sites, bodies and geoms have")
    objid = model.names.id_of(kind, key)
    label, goal = model.names.label(kind, objid), numbers("pose", pose).astype(float)
    if goal.ndim not in (1, 2) or goal.shape[-1] not in (3, 7) or not np.isfinite(goal).all():
        raise FieldError(f"the pose of {label} has shape (3,), (7,), (n, 3) or (n, 7), not {goal.shape}, and is finite")
    has_orientation = goal.shape[-1] == 7
    weight, weight_of_rotation = (1.0, USUAL_ROTATION_WEIGHT) if weights is None else _pair("weights", weights)
    if weight < 0 or weight_of_rotation < 0 or not weight + weight_of_rotation * has_orientation > 0:
        raise FieldError(f"weights of {label} are not negative, and not all zero")
    quat = goal[..., 3:] if has_orientation else np.array([1.0, 0.0, 0.0, 0.0])
    length = np.linalg.norm(quat, axis=-1, keepdims=True)
    if not (length > 0).all():
        raise FieldError(f"the pose of {label} has a quaternion (w, x, y, z) of length 0")
    frame = _FRAMES[kind](model, objid)
    counted = (weight, weight_of_rotation if has_orientation else 0.0)
    return FrameTarget(label, *frame, 0, goal[..., :3], quat / length, counted)


def _start(model: Model, start: Any, n: int, is_single: bool) -> tuple[np.ndarray, bool]:
    """Positions to begin with, (n, nq); many of them make many problems."""
    qpos = model.qpos0 if start is None else numbers("start", start).astype(float)
    if qpos.ndim not in (1, 2) or qpos.shape[-1] != model.nq or not np.isfinite(qpos).all():
        raise FieldError(f"start has shape ({model.nq},) or (n, {model.nq}) and is finite, not {qpos.shape}")
    if qpos.ndim == 2 and n > 1 and len(qpos) not in (1, n):
        raise FieldError(f"there are {n} poses, but {len(qpos)} positions to begin with")
    count = max(n, len(qpos)) if qpos.ndim == 2 else n
    return np.ascontiguousarray(np.broadcast_to(qpos, (count, model.nq)), float), is_single and qpos.ndim == 1


def free_dofs(model: Model, joints: Sequence[str | int] | None) -> np.ndarray:
    """1 for dofs that may move."""
    if joints is None:
        return np.ones(model.nv)
    if isinstance(joints, str):
        raise FieldError(f"joints is a list of names: [{joints!r}]")
    chosen = {model.names.id_of("joint", joint) for joint in items(joints)}
    return np.isin(model.dof_jntid, list(chosen)).astype(float)


def _pair(name: str, value: Any) -> tuple[float, float]:
    """Two numbers of the user."""
    pair = numbers(name, value).astype(float)
    if pair.shape != (2,) or not np.isfinite(pair).all():
        raise FieldError(f"{name} is two numbers, of position and of orientation, not {value!r}")
    return float(pair[0]), float(pair[1])


def _width(lanes: int | str, n: int) -> int:
    """Problems per vector register."""
    if lanes_asked(lanes) == "auto":
        return AUTO_LANES["float64"] if n > 1 else 1
    return int(lanes)
