"""Actuators: shortcuts resolved, targets found, inputs, outputs and activations counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from phalanx.compiler.model_build import Build
from phalanx.compiler.model_object import ModelObject
from phalanx.compiler.object.actuator_defaults import (
    START,
    ActuatorDefault,
    applied,
    class_defaults,
    has_unread_parameters,
    written_values,
)
from phalanx.compiler.object.actuator_rules import (
    activation_count,
    check_inputs,
    check_kind_of_target,
    check_kinds,
    check_muscle,
    control_count,
    input_code,
)
from phalanx.compiler.object.actuator_shortcut import GENERAL, RESET
from phalanx.compiler.object.history import check_delay, check_samples
from phalanx.compiler.object.joint import is_limited
from phalanx.compiler.object.plugin import PluginInstance, plugin_at
from phalanx.compiler.scale.scaled_reference import scale_actuator
from phalanx.compiler.text.defaults import overlay
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, Wrong, refuse
from phalanx.compiler.text.file_settings import Scope
from phalanx.compiler.text.limits import VALUE_BYTES
from phalanx.smooth.actuator.hill_parameters import DYN_DEFAULTS, GAIN_DEFAULTS, problems_of
from phalanx.tables.actuators import DYNAMICS_BY_TAG, GAINS_BY_TAG, INPUT_CODES, TRANSMISSIONS, Servo
from phalanx.tables.enums import TrnType
from phalanx.tables.joints import SCALAR_TAGS
from phalanx.tables.mjcf_actuator import SHORTCUTS
from phalanx.tables.plugins import PluginKind

#: Attribute that names a target -> row of the transmission.
TARGETS = {row.target: row for row in TRANSMISSIONS.values() if row.target}
#: Attributes that only one transmission has, with its row.
_OWN = tuple((name, row) for row in TARGETS.values() for name in row.own)
#: Attributes that name the other site of a transmission.
_SECONDS = tuple(name for row in TARGETS.values() for name in row.names if name != row.target)


class Actuator(ModelObject):
    """An actuator; as far as it is not counted yet it has one control, one output and no activation."""

    trntype: TrnType = TrnType.JOINT
    trnid: tuple[int, int] = (-1, -1)
    #: the joint, tendon, site or body it acts on, and the other site of a transmission that has two
    target: Any = None
    second: Any = None
    ctrlspec: int = 0
    ctrlnum: int = 1
    outnum: int = 1
    actdim: int = 0
    forcelimited: bool = False
    actlimited: bool = False
    ctrllimited: bool = False
    #: bounds of each control
    ctrlranges: tuple[tuple[float, ...], ...] = ((0.0, 0.0),)
    ctrllimiteds: tuple[bool, ...] = (False,)
    #: the plugin that drives it
    plugin: PluginInstance | None = None
    #: are the counts of controls, outputs and activations right?
    is_counted: bool = False


def actuator_sizes(element: Element, scope: Scope) -> tuple[int, int]:
    """Controls and activations of an actuator, (1, 0) when it cannot be told."""
    try:
        default = scope.defaults.classes.get(element.attributes.get("class", "main"), scope.defaults.main)
        defaults = class_defaults(default, {})
        actuator = Actuator(element, applied(element, defaults[0], defaults[1:]).values, scope)
        _count_inputs(actuator)
        _count_activations(actuator)
        return actuator.ctrlnum, actuator.actdim
    except ElementProblem:
        return 1, 0


# --- collect


def collect_actuators(build: Build) -> None:
    """Every actuator with its values; those that could not be read count as unknown."""
    cache: dict[int, list[ActuatorDefault]] = {}
    for element in build.sections("actuator"):
        if element.row.unsupported:
            continue
        scope = element.scope or build.scope
        default = scope.defaults.find(element, "class", build.problems) or scope.defaults.main
        # whatever goes wrong below, there is an actuator, so that names and keyframes can be checked
        values = START.values
        unknown = tuple(RESET)
        with build.at(element):
            defaults = class_defaults(default, cache)
            values = overlay(defaults[0].values, written_values(element), GENERAL)
            values = applied(element, defaults[0], defaults[1:]).values
            unknown = ("dyntype", "actdim") if has_unread_parameters(element) else ()
        actuator = Actuator(element, {**values, "name": element.attributes.get("name")}, scope)
        if build.problems:
            actuator.doubt(*unknown, *(default.unread("actuator/general") - element.attributes.keys()))
        build.add("actuator", actuator)


# --- compile


def compile_actuators(build: Build) -> None:
    """Check and complete every actuator, whatever is wrong with others."""
    build.each(build.actuators, lambda actuator: _compile_actuator(build, actuator))


def _compile_actuator(build: Build, actuator: Actuator) -> None:
    """Check and complete one actuator; a step runs if what it needs is right, so that each mistake is found once."""
    if actuator.element.tag == "plugin":
        with build.at(actuator):
            actuator.plugin = plugin_at(build, actuator.element, PluginKind.ACTUATOR)
    is_plain = build.check(actuator, check_targets(actuator))
    is_found = build.all_of(actuator, lambda actuator: _find_target(build, actuator))
    is_plain &= build.all_of(actuator, lambda actuator: _find_second(build, actuator))
    is_sound = build.check(actuator, check_kinds(actuator.values))
    actuator.is_counted = build.all_of(actuator, _count_inputs, _count_activations) and is_sound
    if is_found:
        is_sound &= build.check(actuator, check_servo(actuator))
        if is_sound and actuator.is_counted:
            build.all_of(actuator, *((_scale, _inherit_range) if is_plain else (_inherit_range,)))
    build.all_of(actuator, _limit_force, _limit_activation, _limit_control, *_CHECKS, _complete_hill_muscle)
    build.check(actuator, check_muscles(actuator))
    if actuator.is_counted:
        _spread_ranges(actuator)


def _scale(actuator: Actuator) -> None:
    scale_actuator(actuator, actuator.second)


# --- targets


def check_targets(actuator: Actuator) -> Iterator[Wrong]:
    """One target, and only attributes that belong to its transmission."""
    element = actuator.element
    written = [name for name in TARGETS if name in element]
    if not written:
        yield "the actuator has no target: give it a joint, tendon, site or body", ""
    for name in written[1:]:
        yield f"{written[0]} and {name} cannot be given together", name
    if "cranksite" in written:
        if "slidersite" not in element:
            yield "a slider-crank needs a slidersite", ""
        if actuator.guess("cranklength") <= 0:
            yield "a slider-crank needs a positive cranklength", "cranklength"
    # what another transmission has
    for name, row in _OWN:
        if name in element and written and row.target not in written:
            yield f"{name} is for {row.owners}", name
    takes_forces = not written or any(TARGETS[name].reflects for name in written)
    if not takes_forces and (actuator["armature"] or any(actuator["damping"])):
        yield "damping and armature are for actuators of joints and tendons", ""


def _find_target(build: Build, actuator: Actuator) -> None:
    """Transmission and what it acts on."""
    element = actuator.element
    written = [name for name in TARGETS if name in element]
    if len(written) != 1:
        raise ElementProblem("")
    row = TARGETS[written[0]]
    actuator.target = build.find(row.of, element.attributes[written[0]], written[0])
    actuator.trnid = (actuator.target.id, -1)
    gain = GAINS_BY_TAG.get(actuator.guess("gaintype"))
    actuator.trntype = row.kind if gain is None or gain.transmission is None else gain.transmission


def _find_second(build: Build, actuator: Actuator) -> None:
    """The other site of a slider-crank, or the one that a site is compared with."""
    for name in _SECONDS:
        if name in actuator.element:
            actuator.second = build.find("site", actuator.element.attributes[name], name)
            actuator.trnid = (actuator.trnid[0], actuator.second.id)


def check_servo(actuator: Actuator) -> Iterator[Wrong]:
    """Kinds of actuators that do not go with their target."""
    yield from check_kind_of_target(actuator.element, actuator.values, actuator.target)


# --- counts


def _count_inputs(actuator: Actuator) -> None:
    """Controls and force outputs."""
    declared, gain = actuator["ctrlspec"], GAINS_BY_TAG[actuator["gaintype"]]
    spec = input_code(gain, declared)
    if spec:
        refuse(check_inputs(gain, spec, actuator.values))
        actuator.ctrlspec, actuator.ctrlnum = spec, control_count(gain, spec)
    actuator.outnum = gain.outputs


def _count_activations(actuator: Actuator) -> None:
    """Activations; a count that is written must be the right one."""
    asked, needed = actuator["actdim"], activation_count(actuator.values)
    if actuator.element.tag == "plugin":
        _check_plugin_activations(actuator, max(asked, needed))
        actuator.actdim = max(asked, needed)
        return
    if asked >= 0 and asked != needed:
        raise ElementProblem(f"actdim is {asked}; an actuator of this kind has {needed} activations", "actdim")
    limits = actuator.scope.files.limits
    if VALUE_BYTES * needed > limits.model_bytes:
        message = f"actdim asks for {needed} numbers, with them a Data has {limits.beyond('model_bytes')}"
        raise ElementProblem(message, "actdim")
    actuator.actdim = needed


def _check_plugin_activations(actuator: Actuator, count: int) -> None:
    """A plugin has activations of its own, which the file must ask for, as in MuJoCo."""
    plugin = actuator.plugin
    if plugin is not None and plugin.row is not None:
        needed = plugin.row.activations(plugin.config) + activation_count(actuator.values)
        if count != needed:
            raise ElementProblem(
                f'{plugin.row.name} has {needed} activations here: give it actdim="{needed}"', "actdim"
            )


# --- ranges


def _inherit_range(actuator: Actuator) -> None:
    """The range of a servo from that of its target."""
    values, factor = actuator.values, actuator.values["inheritrange"]
    if not _is_servo(actuator) or factor <= 0:
        return
    bounds = DYNAMICS_BY_TAG[values["dyntype"]].setpoint_range
    if not bounds:
        raise ElementProblem("inheritrange is for position servos", "inheritrange")
    if any(values[bounds]):
        raise ElementProblem(f"both {bounds} and inheritrange are given", "inheritrange")
    target = actuator.target
    if actuator.trntype == TrnType.JOINT and target["type"] in SCALAR_TAGS:
        low, high = target.range
    elif actuator.trntype == TrnType.TENDON:
        low, high = target["range"]
    else:
        raise ElementProblem("inheritrange is for servos of hinges, slides and tendons", "inheritrange")
    if low == high:
        raise ElementProblem(f"inheritrange is given, but {target.name!r} has no range", "inheritrange")
    # around the middle, so that a factor below 1 keeps away from both ends
    middle, radius = 0.5 * (high + low), 0.5 * (high - low) * factor
    values[bounds] = (middle - radius, middle + radius)


def _is_servo(actuator: Actuator) -> bool:
    """Is the input a setpoint of the length, which the force pulls to?"""
    values = actuator.values
    if values["biastype"] != "affine":
        return False
    servo = GAINS_BY_TAG[values["gaintype"]].servo
    is_balanced = servo is Servo.BALANCED and values["gainprm"][0] == -values["biasprm"][1]
    return servo is Servo.ALWAYS or is_balanced


def _limit_force(actuator: Actuator) -> None:
    actuator.forcelimited = is_limited(actuator, "forcelimited", "forcerange")
    _check_bounds(actuator, "forcerange", actuator.forcelimited)


def _limit_activation(actuator: Actuator) -> None:
    actuator.actlimited = is_limited(actuator, "actlimited", "actrange")
    _check_bounds(actuator, "actrange", actuator.actlimited)


def _limit_control(actuator: Actuator) -> None:
    actuator.ctrllimited = is_limited(actuator, "ctrllimited", "ctrlrange")
    _check_bounds(actuator, "ctrlrange", actuator.ctrllimited)


def _check_bounds(actuator: Actuator, name: str, limited: bool) -> None:
    if limited and actuator[name][0] >= actuator[name][1]:
        raise ElementProblem(f"the bounds of {name} must increase", name)


def _spread_ranges(actuator: Actuator) -> None:
    """Bounds of each control; servos with several inputs have those of velocity and feed-forward apart."""
    values, gain = actuator.values, GAINS_BY_TAG[actuator["gaintype"]]
    ranges, limited = [values["ctrlrange"]] * actuator.ctrlnum, [actuator.ctrllimited] * actuator.ctrlnum
    if gain.ranges:
        chosen = [word for word in gain.inputs if actuator.ctrlspec & INPUT_CODES[word]]
        for k, word in enumerate(chosen):
            if word in gain.ranges:
                bounds = values[gain.ranges[word]]
                ranges[k], limited[k] = bounds, bounds[0] < bounds[1]
    actuator.ctrlranges, actuator.ctrllimiteds = tuple(ranges), tuple(limited)


# --- checks of single values


def _check_activation(actuator: Actuator) -> None:
    if actuator.actlimited and actuator["dyntype"] == "none" and actuator.element.tag != "plugin":
        raise ElementProblem("actrange is given, but the actuator has no activation", "actrange")


def _check_sign(actuator: Actuator) -> None:
    row = SHORTCUTS.get(actuator.element.tag)
    if row is not None and row.no_negative and min(actuator["ctrlrange"]) < 0:
        raise ElementProblem("the control range cannot be negative", "ctrlrange")


def _check_history(actuator: Actuator) -> None:
    if actuator["nsample"] > 0 and actuator.ctrlnum == 0:
        raise ElementProblem("a history needs an input", "nsample")


def _check_norm(actuator: Actuator) -> None:
    is_norm = GAINS_BY_TAG[actuator["gaintype"]].limits_norm
    if is_norm and is_limited(actuator, "forcelimited", "forcerange") and actuator["forcerange"][0] != 0:
        raise ElementProblem("forcerange bounds a norm here: its first number must be 0", "forcerange")


_CHECKS = (_check_activation, _check_sign, check_delay, check_samples, _check_history, _check_norm)


# --- muscles


def check_muscles(actuator: Actuator) -> Iterator[Wrong]:
    """Parameters of gain and bias, where these are of a muscle."""
    for kind, prm in (("gaintype", "gainprm"), ("biastype", "biasprm")):
        if actuator[kind] == "muscle":
            yield from check_muscle(actuator[prm])


def _complete_hill_muscle(actuator: Actuator) -> None:
    """Parameters that are zero, and times that are not given, stand for defaults."""
    values = actuator.values
    if values["dyntype"] == "hill":
        values["gainprm"] = tuple(x or default for x, default in zip(values["gainprm"], GAIN_DEFAULTS, strict=True))
        if tuple(values["dynprm"]) == RESET["dynprm"]:
            values["dynprm"] = DYN_DEFAULTS + (0.0,) * (len(RESET["dynprm"]) - len(DYN_DEFAULTS))
        refuse(
            (f"{name} of a muscle {problem}", "gainprm")
            for name, problem in problems_of(values["gainprm"], values["dynprm"])
        )
