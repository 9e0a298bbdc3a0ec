"""Keyframes: short vectors are completed, quaternions normalized."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from phalanx.compiler.edit.keyframe_merge import Pieces, starts_of
from phalanx.compiler.model_build import Build, ModelObject
from phalanx.compiler.object.joint import DOFS, POSITIONS
from phalanx.compiler.object.rotation import unit
from phalanx.compiler.scale.scaled_reference import scale_key
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.mjcf_schema import ELEMENTS


def collect_keys(build: Build) -> None:
    """Keyframes that are written, and empty ones up to size/nkey."""
    row = ELEMENTS["keyframe/key"]
    for element in build.sections("keyframe"):
        key: Any = ModelObject(element, {**row.defaults, **element.attributes}, build.scope)
        key.pieces = element.scope if isinstance(element.scope, Pieces) else None
        build.add("key", key)
    while len(build.objects["key"]) < build.size_setting("nkey"):
        key = ModelObject(Element(row), dict(row.defaults), build.scope)
        key.pieces = None
        build.add("key", key)


#: Numbers of each mocap body.
_MOCAP = {"mpos": 3, "mquat": 4}


def check_keys(build: Build) -> None:
    """No vector is longer than the model's, and mocap bodies have whole positions and orientations."""
    for name, length_in in _LENGTHS.items():
        keys = [key for key in build.objects["key"] if key.guess(name)]
        length = _length(build, length_in) if keys else None
        for key in keys:
            given = len(key.guess(name))
            if length is not None and given > length and key.pieces is None:
                build.report(key.element, f"{name} has {given} numbers; the model has {length}", name)
            if name in _MOCAP and given % _MOCAP[name]:
                build.report(key.element, f"{name} has {given} numbers; each mocap body has {_MOCAP[name]}", name)


def _length(build: Build, length_in: Callable[[Build], int]) -> int | None:
    """How long a vector of the model is, None if that is not known."""
    if not build.is_whole:
        return None
    try:
        return length_in(build)
    except ElementProblem:
        return None


def _plastic_numbers(build: Build) -> int:
    joints = sum(POSITIONS[joint["type"]] for joint in build.objects["joint"] if joint["springyield"] > 0)
    return joints + sum(2 for tendon in build.objects["tendon"] if tendon["springyield"] > 0)


def _of_actuators(build: Build, count: str) -> int:
    if not all(actuator.is_counted for actuator in build.objects["actuator"]):
        raise ElementProblem("")
    return sum(getattr(actuator, count) for actuator in build.objects["actuator"])


def _mocap_bodies(build: Build) -> int:
    return sum(1 for body in build.objects["body"] if body["mocap"])


_LENGTHS: dict[str, Callable[[Build], int]] = {
    "qpos": lambda build: sum(POSITIONS[joint["type"]] for joint in build.objects["joint"]),
    "qvel": lambda build: sum(DOFS[joint["type"]] for joint in build.objects["joint"]),
    "mpos": lambda build: _MOCAP["mpos"] * _mocap_bodies(build),
    "mquat": lambda build: _MOCAP["mquat"] * _mocap_bodies(build),
    "act": lambda build: _of_actuators(build, "actdim"),
    "ctrl": lambda build: _of_actuators(build, "ctrlnum"),
    "plastic": _plastic_numbers,
}


def write_keys(build: Build) -> None:
    keys, columns, sizes = build.objects["key"], build.columns, build.sizes
    mocap = [body for body in build.objects["body"] if body["mocap"]]
    rest = {
        "qpos": list(columns["qpos0"]),
        "qvel": [0.0] * sizes["nv"],
        "act": [0.0] * sizes["na"],
        "ctrl": [0.0] * sizes["nu"],
        "mpos": [x for body in mocap for x in body.pos],
        "mquat": [x for body in mocap for x in body.quat],
        "plastic": build.plastic0,
    }
    build.copy_plain(ELEMENTS["keyframe/key"], keys)
    starts = starts_of(build) if any(key.pieces for key in keys) else {}
    is_scaled = any(joint.scale is not None for joint in build.objects["joint"]) or any(b.scale for b in mocap)
    for name, complete in rest.items():
        columns[f"key_{name}"] = []
        for key in keys:
            row = _vector(key, name, complete, starts)
            if is_scaled:
                given = [number is not None for number in _vector(key, name, [None] * len(complete), starts)]
                row = scale_key(build, name, row, given, complete)
            columns[f"key_{name}"].append(row)
    for k in range(len(keys)):
        columns["key_qpos"][k] = _normalized(build, columns["key_qpos"][k])
        quats = columns["key_mquat"][k]
        columns["key_mquat"][k] = [x for n in range(0, len(quats), 4) for x in unit(tuple(quats[n : n + 4]))]


def _vector(key: Any, name: str, rest: list[Any], starts: dict[str, dict[int, int]]) -> list[Any]:
    """A vector of a keyframe, completed by numbers of the model at rest."""
    if key.pieces is not None:
        return key.pieces.assemble(name, rest, starts[name]) or rest
    return _completed(key, name, rest)


def _completed(key: Any, name: str, rest: list[float]) -> list[float]:
    given = key[name]
    return rest if given is None else [*given, *rest[len(given) :]]


def _normalized(build: Build, qpos: list[float]) -> list[float]:
    qpos = list(qpos)
    for joint in build.objects["joint"]:
        if joint.kind in ("free", "ball"):
            start = joint.qposadr + (3 if joint.kind == "free" else 0)
            quat = tuple(qpos[start : start + 4])
            qpos[start : start + 4] = unit(quat) if any(quat) else (1.0, 0.0, 0.0, 0.0)
    return qpos
