"""Tendons, equalities, actuators, sensors, pairs and keyframes that refer to objects inside a frame that scales."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from phalanx.compiler.object.rotation import ORIGIN, Vector, add, conjugate, rotate, subtract
from phalanx.compiler.scale.frame_scale import (
    COORDINATE,
    DIMENSIONS,
    FORCE,
    PRESSURE,
    PURE,
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
from phalanx.compiler.text.defaults import Values
from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.actuators import BIASES, DYNAMICS, GAINS
from phalanx.tables.enums import CtrlInput, DataType, TrnType
from phalanx.tables.joints import BY_TAG

if TYPE_CHECKING:
    from phalanx.compiler.model_build import Build
    from phalanx.compiler.model_object import ModelObject
    from phalanx.compiler.object.actuator import Actuator
    from phalanx.compiler.object.body import Body
    from phalanx.compiler.object.contact import Pair
    from phalanx.compiler.object.equality import Equality
    from phalanx.compiler.object.geom import Geom, Site
    from phalanx.compiler.object.joint import Joint
    from phalanx.compiler.object.kinematic_tree import Place
    from phalanx.compiler.object.sensor import Sensor
    from phalanx.compiler.object.tendon import Tendon

#: Keywords of actuators whose parameters have no known dimension.
_OPAQUE = {
    name: frozenset(row.tag for row in rows.values() if not row.scales)
    for name, rows in (("gaintype", GAINS), ("biastype", BIASES), ("dyntype", DYNAMICS))
}


def units_of(obj: ModelObject | None) -> Units:
    """Units of an object: its own if it has coordinates, lengths otherwise; without an object nothing scales."""
    if obj is None:
        return UNSCALED
    return obj.units if obj.units is not None else linear(factors_of(obj))


# --- contact pairs


def scale_pair(pair: Pair, one: Geom, two: Geom) -> None:
    """Margin, friction and so on of a pair, between those of its geoms."""
    if one.scale is not None or two.scale is not None:
        between(units_of(one), units_of(two)).apply(pair.values, DIMENSIONS["pair"])


# --- tendons


def scale_tendon(tendon: Tendon) -> None:
    """A tendon scales with the frame around all of its path; coefficients make up for the rest."""
    targets = [target for _, target, _ in tendon.path if target is not None]
    if not any(target.scale is not None for target in targets):
        return
    factors = common(targets)
    is_fixed = tendon.element.tag == "fixed"
    is_angle = is_fixed and all(BY_TAG[target["type"]].angular for target in targets)
    units = tendon.units = (angular if is_angle else linear)(factors)
    units.apply(tendon.values, DIMENSIONS["tendon"])
    # a negative length stands for the one at rest
    low, high = (x * units.coordinate if x > 0 else x for x in tendon.springlength)
    tendon.springlength = low, high
    if is_fixed:
        tendon.path = [
            step._replace(prm=step.prm * units.coordinate / units_of(step.target).coordinate) for step in tendon.path
        ]


# --- equalities


def scale_frames(obj: Equality, one: Body | Site, two: Body | Site | None) -> None:
    """connect and weld: points scale with the body they are in, other values with the mean of both bodies."""
    first, second = units_of(one), units_of(two)
    is_pinned = obj.element.tag == "connect" and one.element.tag == "body"
    (first if is_pinned else between(first, second)).apply(obj.values, DIMENSIONS["frames"])
    owner = one if is_pinned else two
    anchor = obj["anchor"] if "anchor" in obj.values else None
    if anchor is not None and owner is not None and owner.scale is not None:
        obj.values["anchor"] = owner.scale.of(anchor)
    pose = obj.values.get("relpose")
    if pose is not None and one.scale is not None:
        obj.values["relpose"] = (*one.scale.of(pose[:3]), *pose[3:])


def scale_coupling(obj: Equality, one: Joint | Tendon, two: Joint | Tendon | None) -> None:
    """joint and tendon: a polynomial from the coordinate of the second to that of the first."""
    first, second = units_of(one), units_of(two)
    obj.values["polycoef"] = tuple(
        coef * first.coordinate / second.coordinate**power for power, coef in enumerate(obj["polycoef"])
    )
    first.apply(obj.values, DIMENSIONS["coupling"])


# --- actuators


def scale_actuator(actuator: Actuator, second: Site | None) -> None:
    """Ranges, gains and biases of an actuator; `second` is the other site, if there is one."""
    target, kind, values = actuator.target, actuator.trntype, actuator.values
    ends = [end for end in (target, second) if end is not None]
    if not any(end.scale is not None or end.units is not None for end in ends):
        return
    # a transmission with six gears, for the axes of a frame
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


def _six_units(actuator: Actuator) -> Units:
    """Forces and torques along the axes of a frame: torques count as forces on an arm if there are both."""
    factors, gear = factors_of(actuator.target), actuator["gear"]
    if not any(gear[:3]):
        return angular(factors)
    actuator.values["gear"] = (*gear[:3], *(x * factors.length for x in gear[3:]))
    return linear(factors)


def input_of(actuator: Actuator) -> Dimension:
    """Dimension of the first control of an actuator, and of its activations."""
    values, spec = actuator.values, actuator.ctrlspec
    if values["gaintype"] == "pid":
        return COORDINATE if spec & int(CtrlInput.POS) else PURE
    if values["gaintype"] in ("fixed", "affine"):
        if spec in (int(CtrlInput.POS), int(CtrlInput.VEL)):
            return COORDINATE
        if spec == int(CtrlInput.PRESSURE):
            return PRESSURE
    return PURE


def inputs_of(actuator: Actuator) -> list[Dimension]:
    """Dimension of each control."""
    if actuator["gaintype"] != "pid":
        return [input_of(actuator)] * actuator.ctrlnum
    bits = ((CtrlInput.POS, COORDINATE), (CtrlInput.VEL, COORDINATE), (CtrlInput.FF, FORCE))
    return [dimension for bit, dimension in bits if actuator.ctrlspec & int(bit)]


def _gain(actuator: Actuator) -> tuple[Dimension, ...]:
    values, source = actuator.values, input_of(actuator)
    per_coordinate = FORCE.over(COORDINATE)
    return {
        "fixed": (FORCE.over(source),),
        "affine": (FORCE.over(source), *(per_coordinate.over(source),) * 2),
        "pid": (per_coordinate,),
        "so3": (per_coordinate,),
        "muscle": _muscle(values["gainprm"]),
    }.get(values["gaintype"], ()) + (PURE,) * 10


def _bias(values: Values) -> tuple[Dimension, ...]:
    per_coordinate = FORCE.over(COORDINATE)
    # a positive value stands for a damping ratio
    damping = per_coordinate if values["biasprm"][2] < 0 else PURE
    return {
        "affine": (FORCE, per_coordinate, damping),
        "so3": (FORCE, per_coordinate, damping),
        "muscle": _muscle(values["biasprm"]),
    }.get(values["biastype"], ()) + (PURE,) * 10


def _muscle(prm: tuple[float, ...]) -> tuple[Dimension, ...]:
    """The third parameter is the peak force; a negative one is found from the inertia."""
    return PURE, PURE, FORCE if prm[2] > 0 else PURE


# --- sensors


def scale_sensor(sensor: Sensor) -> None:
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


def scale_key(build: Build, name: str, row: list[float], given: list[bool], rest: list[float]) -> list[float]:
    """A vector of a keyframe with the values that are written scaled.

    Args:
        build: the compilation.
        name: of the vector, "qpos" for example.
        row: the vector: what is written, completed by the model at rest.
        given: which of its values are written.
        rest: the vector of the model at rest.
    """
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


def _places(build: Build, name: str) -> list[tuple[int, Body, bool]]:
    """Positions and velocities in the world: where each begins, its body, and whether it is a position.

    Positions are relative to the origin of the frame, velocities are not.
    """
    if name == "mpos":
        return [(3 * k, body, True) for k, body in enumerate(b for b in build.bodies if b["mocap"])]
    address = {"qpos": "qposadr", "qvel": "dofadr"}.get(name)
    if address is None:
        return []
    free = [joint for joint in build.joints if joint.row.floating]
    return [(getattr(joint, address), joint.body, name == "qpos") for joint in free]


def _moved(place: Place, vector: Vector, is_point: bool) -> Vector:
    """A position or velocity of the world, scaled with the frames around a place."""
    assert place.scale is not None
    back = conjugate(place.quat)
    if not is_point:
        return rotate(place.scale.of(rotate(vector, back)), place.quat)
    local = place.scale.of(rotate(subtract(vector, place.written), back))
    return add(place.pos, rotate(local, place.quat))


def _moved_back(place: Place, vector: list[float], is_point: bool) -> list[float]:
    """The inverse of `_moved`, which is affine."""
    origin = _moved(place, ORIGIN, is_point)
    columns = [subtract(_moved(place, axis, is_point), origin) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    return np.linalg.solve(np.transpose(columns), np.subtract(vector, origin)).tolist()


def _factors(build: Build, name: str) -> list[tuple[int, float]]:
    """Index and factor of each value of a vector that scales without a place."""
    if name in ("qpos", "qvel"):
        return _of_joints(build, [joint.qposadr if name == "qpos" else joint.dofadr for joint in build.joints])
    if name == "plastic":
        return _of_joints(build, build.columns["jnt_plasticadr"]) + _of_tendons(build)
    return _of_actuators(build, name) if name in ("ctrl", "act") else []


def _of_joints(build: Build, addresses: list[int]) -> list[tuple[int, float]]:
    return [
        (start, joint.units.coordinate)
        for joint, start in zip(build.joints, addresses, strict=True)
        if joint.units is not None and joint.row.scalar and not joint.row.angular and start >= 0
    ]


def _of_tendons(build: Build) -> list[tuple[int, float]]:
    return [
        (start + k, tendon.units.coordinate)
        for tendon, start in zip(build.tendons, build.columns["tendon_plasticadr"], strict=True)
        if tendon.units is not None and start >= 0
        for k in range(2)
    ]


def _of_actuators(build: Build, name: str) -> list[tuple[int, float]]:
    found: list[tuple[int, float]] = []
    for actuator in build.actuators:
        if actuator.units is not None:
            start = build.columns[f"actuator_{name}adr"][actuator.id]
            dimensions = inputs_of(actuator) if name == "ctrl" else [input_of(actuator)] * actuator.actdim
            found += [(start + k, actuator.units.factor(d)) for k, d in enumerate(dimensions)]
    return found
