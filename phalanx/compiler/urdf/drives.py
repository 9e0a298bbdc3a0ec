"""Actuators: those of transmissions, or one for each joint that can be driven."""

from __future__ import annotations

from math import inf, isfinite, pi

from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import nearest
from phalanx.compiler.urdf.translation import Translation, child_of, children_of, put

#: A position servo exerts its full effort at this fraction of the range of its joint.
FULL_EFFORT_AT = 0.1
#: Range of a joint without limits: a revolution, or a meter.
UNLIMITED = {"hinge": 2 * pi, "slide": 1.0}
#: Ending of a hardware interface -> type of actuator.
INTERFACES = {"effort": "motor", "position": "position", "velocity": "velocity"}


def add_actuators(translation: Translation, followers: set[str]) -> None:
    """Actuators as the settings say.

    Args:
        translation: the file.
        followers: names of joints that follow others, and have no actuators of their own.
    """
    if translation.style.is_mujoco:
        return
    wanted = translation.settings.actuators
    given = children_of(translation.robot, "transmission")
    if wanted == "transmissions":
        for transmission in given:
            _add_transmission(translation, transmission)
        return
    if given:
        translation.note(given[0], f"actuators={wanted!r}: the transmissions of the file have no effect")
    if wanted is None:
        return
    for name, parts in translation.joints.items():
        if name not in followers and len(parts) == 1 and parts[0].attributes["type"] in UNLIMITED:
            _add_drive(translation, wanted, name, parts[0], parts[0])


def _effort(joint: Element) -> float:
    """The largest force of the actuators of a joint, 0 if there is no limit."""
    bounds = joint.attributes.get("actuatorfrcrange")
    return float(bounds[1]) if bounds else 0.0


def _add_drive(
    translation: Translation, kind: str, name: str, joint: Element, origin: Element, reduction: float = 1.0
) -> None:
    """An actuator with the limits of its joint.

    Args:
        translation: the file.
        kind: motor, position or velocity.
        name: of the actuator.
        joint: the MJCF joint.
        origin: the element of the file that it comes from.
        reduction: positions of the actuator per position of the joint.
    """
    effort, size = _effort(joint), abs(reduction)
    attributes: dict[str, object] = {"name": name, "joint": joint.name, "gear": reduction if reduction != 1 else None}
    if kind == "motor":
        attributes["ctrlrange"] = (-effort / size, effort / size) if effort else None
        if not effort:
            translation.note(origin, "the joint has no effort limit: the control of its motor is not limited")
    else:
        attributes["forcerange"] = (-effort / size, effort / size) if effort else None
    if kind == "position":
        attributes |= _servo(translation, joint, origin, reduction)
    # numbers of the file may be finite and what is computed of them not
    if not all(isfinite(number) for value in attributes.values() for number in _numbers(value)):
        finding = f"effort {effort:g}, range and reduction {reduction:g} give gains or limits beyond numbers"
        translation.complain(origin, finding, "there is no actuator")
        return
    put(translation.section("actuator"), kind, origin, **attributes)


def _numbers(value: object) -> list[float]:
    """The numbers of an attribute."""
    if isinstance(value, (list, tuple)):
        return [float(number) for number in value]
    return [value] if isinstance(value, float) else []


def _servo(translation: Translation, joint: Element, origin: Element, reduction: float) -> dict[str, object]:
    """Gains and range of a position servo, which URDF does not tell."""
    bounds, effort = joint.attributes.get("range"), _effort(joint)
    width = bounds[1] - bounds[0] if bounds else UNLIMITED[joint.attributes["type"]]
    kp = effort / (FULL_EFFORT_AT * width) if effort and width > 0 else 1.0
    reason = f"full effort at {FULL_EFFORT_AT:.0%} of the range" if effort and width > 0 else "no effort limit: kp is 1"
    translation.note(origin, f"the gains of its position servo are a guess: {reason}, critically damped")
    reach = sorted(reduction * bound for bound in bounds) if bounds else None
    # the square of a tiny reduction is zero
    square = reduction * reduction
    return {"kp": kp / square if square else inf, "dampratio": 1.0, "ctrlrange": reach}


# --- transmissions


def _add_transmission(translation: Translation, transmission: Element) -> None:
    """The actuator of a transmission with one joint and one actuator."""
    joints, actuators = children_of(transmission, "joint"), children_of(transmission, "actuator")
    kind = transmission.attributes.get("type") or _text(transmission, "type")
    if len(joints) != 1 or len(actuators) != 1 or (kind and "simple" not in kind.lower()):
        label = kind or "transmission"
        translation.note(transmission, f"{label}: only simple transmissions with one joint and one actuator are read")
        return
    name = joints[0].attributes.get("name", "")
    parts = translation.joints.get(name)
    if parts is None:
        finding = f"name={name!r}: there is no such joint{nearest(name, translation.joints)}"
        translation.complain(joints[0], finding, "the transmission is left out", "name")
        return
    if len(parts) != 1 or parts[0].attributes["type"] not in UNLIMITED:
        translation.note(transmission, "its joint has not one coordinate: no actuator is made")
        return
    reduction = _reduction(translation, transmission, joints[0], actuators[0])
    interface = _interface(translation, transmission, joints[0], actuators[0])
    if reduction is not None:
        _add_drive(translation, interface, actuators[0].name, parts[0], transmission, reduction)


def _text(element: Element, tag: str) -> str:
    """The text of the first element inside with a tag, "" if there is none."""
    child = child_of(element, tag)
    return child.text.strip() if child is not None else ""


def _reduction(translation: Translation, *places: Element) -> float | None:
    """The mechanical reduction, 1 if none is written; None if it is wrong."""
    written = next((text for place in places if (text := _text(place, "mechanicalReduction"))), "1")
    try:
        value = float(written)
    except ValueError:
        value = 0.0
    if value == 0 or abs(value) == float("inf") or value != value:
        finding = f"mechanicalReduction {written!r} is not a number other than 0"
        return 1.0 if translation.complain(places[0], finding, "it is 1") else None
    return value


def _interface(translation: Translation, *places: Element) -> str:
    """The type of actuator that the hardware interface asks for."""
    words = [child.text.strip() for place in places for child in children_of(place, "hardwareInterface")]
    kinds = [kind for word in words for start, kind in INTERFACES.items() if start in word.lower()]
    if not kinds:
        found = f"hardware interface {words[0]!r} is unknown" if words else "no hardware interface is written"
        translation.note(places[0], f"{found}: the actuator is a motor")
    elif len(set(kinds)) > 1:
        translation.note(places[0], f"several hardware interfaces: the actuator is of the first one, {kinds[0]}")
    return kinds[0] if kinds else "motor"
