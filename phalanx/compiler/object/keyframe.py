"""Keyframes: vectors that are too short are completed with the rest pose, quaternions are normalized."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan, nan

from phalanx.compiler.edit.keyframe_merge import starts_of
from phalanx.compiler.model_build import Build
from phalanx.compiler.model_object import ModelObject
from phalanx.compiler.object.body import Body
from phalanx.compiler.object.joint import DOFS, POSITIONS
from phalanx.compiler.object.rotation import unit
from phalanx.compiler.scale.scaled_reference import scale_key
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.mjcf_schema import ELEMENTS

#: Vector -> element (by id) -> where its values begin in the vector.
Starts = dict[str, dict[int, int]]


class Key(ModelObject):
    """A keyframe: a state with its controls."""

    def vector(self, name: str, rest: list[float], starts: Starts) -> list[float]:
        """A vector of the whole model, with values of `rest` where the keyframe says nothing."""
        pieces = self.element.pieces
        if pieces is not None:
            return pieces.assemble(name, rest, starts[name]) or rest
        given = self[name]
        return rest if given is None else [*given, *rest[len(given) :]]


def collect_keys(build: Build) -> None:
    """Keyframes that are written, and empty ones up to size/nkey."""
    row = ELEMENTS["keyframe/key"]
    for element in build.sections("keyframe"):
        build.add("key", Key(element, {**row.defaults, **element.attributes}, build.scope))
    while len(build.keys) < build.size_setting("nkey"):
        build.add("key", Key(Element(row), dict(row.defaults), build.scope))


# --- checks

#: Bytes of a value of a keyframe, in the list it is read into and in the Model.
KEY_BYTES = 16
#: Values of each mocap body.
_MOCAP = {"mpos": 3, "mquat": 4}


def check_keys(build: Build) -> None:
    """No vector is longer than the model's, and mocap bodies have whole positions and orientations."""
    for name, length_in in _LENGTHS.items():
        keys = [key for key in build.keys if key.guess(name)]
        length = _length(build, length_in) if keys else None
        for key in keys:
            given = len(key.guess(name))
            if length is not None and given > length and key.element.pieces is None:
                build.report(key.element, f"{name} has {given} numbers; the model has {length}", name)
            if name in _MOCAP and given % _MOCAP[name]:
                build.report(key.element, f"{name} has {given} numbers; each mocap body has {_MOCAP[name]}", name)
    if build.keys:
        _check_memory(build)


def _length(build: Build, length_in: Callable[[Build], int]) -> int | None:
    """Length of a vector of the model; None if it is not known, because some objects could not be made."""
    if not build.is_whole:
        return None
    try:
        return length_in(build)
    except ElementProblem:
        return None


def _plastic_length(build: Build) -> int:
    joints = sum(POSITIONS[joint["type"]] for joint in build.joints if joint["springyield"] > 0)
    return joints + sum(2 for tendon in build.tendons if tendon["springyield"] > 0)


def _check_counted(build: Build) -> None:
    """The counts of an actuator with mistakes are not known."""
    if not all(actuator.is_counted for actuator in build.actuators):
        raise ElementProblem("")


def _act_length(build: Build) -> int:
    _check_counted(build)
    return sum(actuator.actdim for actuator in build.actuators)


def _ctrl_length(build: Build) -> int:
    _check_counted(build)
    return sum(actuator.ctrlnum for actuator in build.actuators)


def _mocap_bodies(build: Build) -> list[Body]:
    return [body for body in build.bodies if body["mocap"]]


_LENGTHS: dict[str, Callable[[Build], int]] = {
    "qpos": lambda build: sum(POSITIONS[joint["type"]] for joint in build.joints),
    "qvel": lambda build: sum(DOFS[joint["type"]] for joint in build.joints),
    "mpos": lambda build: _MOCAP["mpos"] * len(_mocap_bodies(build)),
    "mquat": lambda build: _MOCAP["mquat"] * len(_mocap_bodies(build)),
    "act": _act_length,
    "ctrl": _ctrl_length,
    "plastic": _plastic_length,
}


# --- columns


def _check_memory(build: Build) -> None:
    """Every keyframe has all vectors of the model; a short file must not fill the memory with them."""
    lengths = [_length(build, length_in) or 0 for length_in in _LENGTHS.values()]
    with build.at(build.keys[-1]):
        build.take(KEY_BYTES * len(build.keys) * sum(lengths))


def write_keys(build: Build) -> None:
    """Columns of keyframes: complete vectors, scaled with the frames around their objects."""
    keys, columns = build.keys, build.columns
    build.copy_plain(ELEMENTS["keyframe/key"], keys)
    starts = starts_of(build) if any(key.element.pieces for key in keys) else {}
    is_scaled = any(joint.scale is not None for joint in build.joints) or any(
        body.scale is not None for body in _mocap_bodies(build)
    )
    for name, rest in _rest_vectors(build).items():
        vectors = [key.vector(name, rest, starts) for key in keys]
        if is_scaled:
            # only what the keyframe says is scaled, the rest pose is scaled already; written values are never NaN
            unknown = [nan] * len(rest)
            given = [[not isnan(value) for value in key.vector(name, unknown, starts)] for key in keys]
            vectors = [scale_key(build, name, *row, rest) for row in zip(vectors, given, strict=True)]
        columns[f"key_{name}"] = vectors
    columns["key_qpos"] = [_normalized_qpos(build, qpos) for qpos in columns["key_qpos"]]
    columns["key_mquat"] = [_normalized_quats(quats) for quats in columns["key_mquat"]]


def _rest_vectors(build: Build) -> dict[str, list[float]]:
    """The vectors of a keyframe that says nothing."""
    mocap, sizes = _mocap_bodies(build), build.sizes
    return {
        "qpos": list(build.columns["qpos0"]),
        "qvel": [0.0] * sizes["nv"],
        "act": [0.0] * sizes["na"],
        "ctrl": [0.0] * sizes["nu"],
        "mpos": [x for body in mocap for x in body.pos],
        "mquat": [x for body in mocap for x in body.quat],
        "plastic": build.plastic0,
    }


def _normalized_quats(quats: Sequence[float]) -> list[float]:
    """Quaternions of mocap bodies, each of length one."""
    return [x for start in range(0, len(quats), 4) for x in unit(tuple(quats[start : start + 4]))]


def _normalized_qpos(build: Build, qpos: Sequence[float]) -> list[float]:
    """Positions with quaternions of length one; one of length zero becomes the identity."""
    qpos = list(qpos)
    for joint in build.joints:
        if joint.kind in ("free", "ball"):
            start = joint.qposadr + (3 if joint.kind == "free" else 0)
            quat = tuple(qpos[start : start + 4])
            qpos[start : start + 4] = unit(quat) if any(quat) else (1.0, 0.0, 0.0, 0.0)
    return qpos
