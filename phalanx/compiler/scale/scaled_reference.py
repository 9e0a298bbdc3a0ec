"""Tendons, equalities, actuators, sensors, pairs and keyframes that refer to something inside a frame that scales."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.compiler.object.rotation import ORIGIN, Vector, add, conjugate, rotate, subtract
from phalanx.compiler.scale.frame_scale import (
    COORDINATE,
    DIMENSIONS,
    FORCE,
    NUMBER,
    PRESSURE,
    UNSCALED,
    Dimension,
    Units,
    angular,
    between,
    common,
    dimension_of,
    factors_of,
    linear,
)
from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.actuators import BIASES, DYNAMICS, GAINS
from phalanx.tables.enums import CtrlInput, DataType, TrnType

#: Keywords of actuators whose parameters have no known dimension.
_OPAQUE = {
    name: frozenset(row.tag for row in rows.values() if not row.scales)
    for name, rows in (("gaintype", GAINS), ("biastype", BIASES), ("dyntype", DYNAMICS))
}


def units_of(obj: Any) -> Units:
    """Units of an object: its own if it has coordinates, lengths otherwise."""
    return obj.units if obj.units is not None else linear(factors_of(obj))


# --- contact pairs


def scale_pair(pair: Any, one: Any, two: Any) -> None:
    if one.scale is not None or two.scale is not None:
        between(units_of(one), units_of(two)).apply(pair.values, DIMENSIONS["pair"])


# --- tendons


def scale_tendon(tendon: Any) -> None:
    """A tendon scales with the frame around all of its path; coefficients make up for the rest."""
    targets = [target for _, target, _ in tendon.path if target is not None]
    if not any(target.scale is not None for target in targets):
        return
    factors = common(targets)
    is_fixed = tendon.element.tag == "fixed"
    is_angle = is_fixed and not any(target["type"] == "slide" for target in targets)
    units = tendon.units = (angular if is_angle else linear)(factors)
    units.apply(tendon.values, DIMENSIONS["tendon"])
    # a negative length stands for the one at rest
    tendon.springlength = tuple(x * units.coordinate if x > 0 else x for x in tendon.springlength)
    if is_fixed:
        tendon.path = [
            (kind, joint, coef * units.coordinate / units_of(joint).coordinate) for kind, joint, coef in tendon.path
        ]


# --- equalities


def scale_frames(obj: Any, one: Any, two: Any | None) -> None:
    """connect and weld: points are in bodies, numbers without a place in between."""
    first, second = (units_of(end) if end is not None else UNSCALED for end in (one, two))
    is_pinned = obj.element.tag == "connect" and one.element.tag == "body"
    (first if is_pinned else between(first, second)).apply(obj.values, DIMENSIONS["frames"])
    owner = one if is_pinned else two
    if obj["anchor"] is not None and owner is not None and owner.scale is not None:
        obj.values["anchor"] = owner.scale.of(obj["anchor"])
    pose = obj.values.get("relpose")
    if pose is not None and one.scale is not None:
        obj.values["relpose"] = (*one.scale.of(pose[:3]), *pose[3:])


def scale_coupling(obj: Any, one: Any, two: Any | None) -> None:
    """A polynomial between coordinates."""
    first, second = units_of(one), units_of(two) if two is not None else UNSCALED
    obj.values["polycoef"] = tuple(
        number * first.coordinate / second.coordinate**power for power, number in enumerate(obj["polycoef"])
    )
    first.apply(obj.values, DIMENSIONS["coupling"])


# --- actuators


def scale_actuator(actuator: Any, second: Any | None) -> None:
    """Ranges, gains and biases of an actuator; `second` is the other site, if there is one."""
    target, kind, values = actuator.target, actuator.trntype, actuator.values
    ends = [end for end in (target, second) if end is not None]
    if not any(end.scale is not None or end.units is not None for end in ends):
        return
    is_six = kind == TrnType.SITE or second is not None or getattr(target, "kind", "") == "free"
    units = units_of(target)
    if kind == TrnType.SLIDERCRANK:
        units = between(units, units_of(second))
    elif is_six:
        units = _six_units(actuator)
    actuator.units = units
    opaque = [name for name, tags in _OPAQUE.items() if values[name] in tags]
    if opaque and units.changes_units:
        raise ElementProblem(
            f"{opaque[0]}={values[opaque[0]]!r} has parameters that cannot be scaled; use scaling='geometry'",
            opaque[0] if opaque[0] in actuator.element else "",
        )
    units.apply(values, DIMENSIONS["actuator"])
    for name in ("ctrlrange", "actrange"):
        values[name] = units.scaled(values[name], (input_of(actuator),))
    # an orientation servo compares angles, whatever its site does
    gains = angular(factors_of(target)) if kind == TrnType.SO3 else units
    values["gainprm"] = gains.scaled(values["gainprm"], _gain(actuator))
    values["biasprm"] = gains.scaled(values["biasprm"], _bias(values))
    if values["dyntype"] == "pid":
        values["dynprm"] = units.scaled(values["dynprm"], (COORDINATE, COORDINATE))


def _six_units(actuator: Any) -> Units:
    """Forces and torques along the axes of a frame: torques count as forces on an arm if there are both."""
    factors, gear = factors_of(actuator.target), actuator["gear"]
    if not any(gear[:3]):
        return angular(factors)
    actuator.values["gear"] = (*gear[:3], *(x * factors.length for x in gear[3:]))
    return linear(factors)


def input_of(actuator: Any) -> Dimension:
    """Dimension of the first control of an actuator, and of its activations."""
    values, spec = actuator.values, actuator.ctrlspec
    if values["gaintype"] == "pid":
        return COORDINATE if spec & int(CtrlInput.POS) else NUMBER
    if values["gaintype"] in ("fixed", "affine"):
        if spec in (int(CtrlInput.POS), int(CtrlInput.VEL)):
            return COORDINATE
        if spec == int(CtrlInput.PRESSURE):
            return PRESSURE
    return NUMBER


def inputs_of(actuator: Any) -> list[Dimension]:
    """Dimension of each control."""
    if actuator["gaintype"] != "pid":
        return [input_of(actuator)] * actuator.ctrlnum
    bits = ((CtrlInput.POS, COORDINATE), (CtrlInput.VEL, COORDINATE), (CtrlInput.FF, FORCE))
    return [dimension for bit, dimension in bits if actuator.ctrlspec & int(bit)]


def _gain(actuator: Any) -> tuple[Dimension, ...]:
    values, source = actuator.values, input_of(actuator)
    per_coordinate = FORCE.over(COORDINATE)
    return {
        "fixed": (FORCE.over(source),),
        "affine": (FORCE.over(source), *(per_coordinate.over(source),) * 2),
        "pid": (per_coordinate,),
        "so3": (per_coordinate,),
        "muscle": _muscle(values["gainprm"]),
    }.get(values["gaintype"], ()) + (NUMBER,) * 10


def _bias(values: dict[str, Any]) -> tuple[Dimension, ...]:
    per_coordinate = FORCE.over(COORDINATE)
    # a positive number stands for a ratio of damping
    damping = per_coordinate if values["biasprm"][2] < 0 else NUMBER
    return {
        "affine": (FORCE, per_coordinate, damping),
        "so3": (FORCE, per_coordinate, damping),
        "muscle": _muscle(values["biasprm"]),
    }.get(values["biastype"], ()) + (NUMBER,) * 10


def _muscle(prm: tuple[float, ...]) -> tuple[Dimension, ...]:
    """The peak force; a negative one is found from the inertia."""
    return NUMBER, NUMBER, FORCE if prm[2] > 0 else NUMBER


# --- sensors


def scale_sensor(sensor: Any) -> None:
    """Cutoff and noise. What is measured between two objects belongs to both, other readings to the first."""
    row, ends = sensor.row, [sensor.obj, sensor.ref]
    if sensor.scales is None and any(end is not None and end.scale is not None for end in ends):
        raise ElementProblem(f"a {row.tag} sensor cannot be scaled")
    owners = ends if row.is_between else ends[:1]
    if not sensor.scales or None in owners:
        return
    units = units_of(sensor.obj)
    if row.is_between:
        units = between(units, units_of(sensor.ref))
    # the noise of a direction is an angle, its cutoff the largest distance of interest
    names = ("cutoff",) if row.datatype == DataType.AXIS else ("cutoff", "noise")
    for name in names:
        sensor.values[name] *= units.factor(dimension_of(sensor.scales))


# --- keyframes


def scale_key(build: Any, name: str, row: list[float], given: list[bool], rest: list[float]) -> list[float]:
    """A vector of a keyframe: the numbers that were given, scaled, and the others of the model at rest."""
    row = list(row)
    for start, body, is_point in _places(build, name):
        here = slice(start, start + 3)
        if body.place is not None and any(given[here]):
            # a position that is given in part is completed before it is scaled
            unscaled = _moved_back(body.place, rest[here], is_point)
            x, y, z = np.where(given[here], row[here], unscaled).tolist()
            row[here] = _moved(body.place, (x, y, z), is_point)
    for k, factor in _factors(build, name):
        if given[k]:
            row[k] *= factor
    return row


def _places(build: Any, name: str) -> list[tuple[int, Any, bool]]:
    """Where vectors in the world are, with their bodies; positions move with the frame, velocities do not."""
    if name == "mpos":
        return [(3 * k, body, True) for k, body in enumerate(b for b in build.objects["body"] if b["mocap"])]
    address = {"qpos": "qposadr", "qvel": "dofadr"}.get(name)
    if address is None:
        return []
    free = [joint for joint in build.objects["joint"] if joint.kind == "free"]
    return [(getattr(joint, address), joint.body, name == "qpos") for joint in free]


def _moved(place: Any, vector: Vector, is_point: bool) -> Vector:
    back = conjugate(place.quat)
    if not is_point:
        return rotate(place.scale.of(rotate(vector, back)), place.quat)
    local = place.scale.of(rotate(subtract(vector, place.written), back))
    return add(place.pos, rotate(local, place.quat))


def _moved_back(place: Any, vector: list[float], is_point: bool) -> list[float]:
    """What `_moved` makes into a vector."""
    origin = _moved(place, ORIGIN, is_point)
    columns = [subtract(_moved(place, axis, is_point), origin) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    return np.linalg.solve(np.transpose(columns), np.subtract(vector, origin)).tolist()


def _factors(build: Any, name: str) -> list[tuple[int, float]]:
    """Factor of each number that has one."""
    found: list[tuple[int, float]] = []
    columns = build.columns
    if name in ("qpos", "qvel", "plastic"):
        for joint in build.objects["joint"]:
            if joint.units is not None and joint.kind == "slide":
                start = {"qpos": joint.qposadr, "qvel": joint.dofadr}.get(name, columns["jnt_plasticadr"][joint.id])
                found += [(start, joint.units.coordinate)] if start >= 0 else []
    if name == "plastic":
        for tendon in build.objects["tendon"]:
            start = columns["tendon_plasticadr"][tendon.id]
            if tendon.units is not None and start >= 0:
                found += [(start, tendon.units.coordinate), (start + 1, tendon.units.coordinate)]
    if name in ("ctrl", "act"):
        for actuator in build.objects["actuator"]:
            if actuator.units is not None:
                start = columns[f"actuator_{name}adr"][actuator.id]
                dimensions = inputs_of(actuator) if name == "ctrl" else [input_of(actuator)] * actuator.actdim
                found += [(start + k, actuator.units.factor(d)) for k, d in enumerate(dimensions)]
    return found
