"""Actuators: defaults and shortcuts resolved, targets found, inputs, outputs and activations counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from phalanx.compiler.model_build import Build, ModelObject
from phalanx.compiler.object.actuator_shortcut import EXPAND, GAINS, RESET, check_parameters, input_bits
from phalanx.compiler.object.history import check_delay, check_samples
from phalanx.compiler.object.joint import is_limited
from phalanx.compiler.scale.scaled_reference import scale_actuator
from phalanx.compiler.text.defaults import DefaultClass, Values, overlay
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, Wrong, refuse
from phalanx.compiler.text.file_settings import Scope
from phalanx.smooth.actuator.hill_parameters import DYN_DEFAULTS, GAIN_DEFAULTS, SLACK_LENGTH, problems_of
from phalanx.tables.enums import CtrlChart, CtrlInput, TrnType
from phalanx.tables.mjcf_schema import ELEMENTS

GENERAL = ELEMENTS["actuator/general"]
#: What a shortcut stands for.
_KINDS = (
    "dyntype", "gaintype", "biastype", "dynprm", "gainprm", "biasprm", "actdim", "actearly", "ctrlspec",
)  # fmt: skip

#: Shortcuts whose parameters decide together what they stand for.
_INTRICATE = ("pid", "dcmotor")

#: Attribute that names a target -> transmission, kind of object.
TARGETS = {
    "joint": (TrnType.JOINT, "joint"),
    "jointinparent": (TrnType.JOINTINPARENT, "joint"),
    "tendon": (TrnType.TENDON, "tendon"),
    "cranksite": (TrnType.SLIDERCRANK, "site"),
    "site": (TrnType.SITE, "site"),
    "body": (TrnType.BODY, "body"),
}


# --- defaults


class _State:
    """The actuator default of a class: raw values of a general actuator, and the tag it was written with."""

    def __init__(self, values: Values, tag: str):
        self.values, self.tag = values, tag

    def lends_to(self, tag: str) -> bool:
        return self.tag == tag or (self.tag == "general" and self.values["gaintype"] == GAINS[tag])


_START = _State({**GENERAL.defaults, "ctrlspec": 0}, "general")


def _general(element: Element) -> Values:
    """What is written on an actuator of any kind that a general actuator has, too."""
    return {name: value for name, value in element.attributes.items() if name in GENERAL.attributes}


def _unread_parameters(element: Element) -> bool:
    """Are there parameters of a shortcut that could not be read?"""
    return any(name in element.row.attributes and name not in GENERAL.attributes for name in element.bad)


def _applied(element: Element, state: _State, ancestors: list[_State]) -> _State:
    """The state after an actuator element, in a default class or in the actuator section."""
    tag = element.tag
    known = _general(element)
    if tag == "general":
        values = overlay(state.values, known, GENERAL)
        if values["gaintype"] != state.values["gaintype"]:
            values["ctrlspec"] = 0
        if "input" in known:
            values["ctrlspec"] = input_bits(known["input"])
        return _State(values, tag)
    lender = next((other for other in (state, *ancestors) if other.lends_to(tag)), None)
    base = lender.values if lender else {**_START.values, **RESET}
    values = {**overlay(state.values, known, GENERAL), **RESET}
    given = {**element.attributes, "viscosity": values["damping"][0]}
    check_parameters(given)
    if tag in _INTRICATE and _unread_parameters(element):
        raise ElementProblem("")  # what the shortcut stands for is not known
    values |= EXPAND[tag](given, base)
    if "posrange" in element.attributes:
        values["ctrlrange"] = element.attributes["posrange"]
    return _State(values, tag)


def _class_states(default: DefaultClass, cache: dict[int, list[_State]]) -> list[_State]:
    """States of a class and those around it, innermost first."""
    found = cache.get(id(default))
    if found is None:
        above = _class_states(default.parent, cache) if default.parent else [_START]
        state = above[0]
        for element in default.actuators:
            state = _applied(element, state, above)
        found = cache[id(default)] = [state, *above]
    return found


def actuator_sizes(element: Element, scope: Scope) -> tuple[int, int]:
    """Controls and activations of an actuator, (1, 0) when it cannot be told."""
    try:
        default = scope.defaults.classes.get(element.attributes.get("class", "main"), scope.defaults.main)
        states = _class_states(default, {})
        actuator: Any = ModelObject(element, _applied(element, states[0], states[1:]).values, scope)
        actuator.ctrlnum, actuator.outnum = 1, 1
        _count_inputs(actuator)
        _count_activations(actuator)
        return actuator.ctrlnum, actuator.actdim
    except ElementProblem:
        return 1, 0


# --- actuators


def collect_actuators(build: Build) -> None:
    cache: dict[int, list[_State]] = {}
    for element in build.sections("actuator"):
        if element.row.unsupported:
            continue
        scope = element.scope or build.scope
        default = scope.defaults.find(element, "class", build.problems) or scope.defaults.main
        values = _START.values
        unknown: tuple[str, ...] = _KINDS
        with build.at(element):
            states = _class_states(default, cache)
            values = overlay(states[0].values, _general(element), GENERAL)
            values = _applied(element, states[0], states[1:]).values
            unknown = ()
            if _unread_parameters(element):
                unknown = ("dyntype", "actdim")
        actuator: Any = ModelObject(element, {**values, "name": element.attributes.get("name")}, scope)
        if build.problems:
            actuator.doubt(*unknown, *(default.unread("actuator/general") - element.attributes.keys()))
        actuator.trntype, actuator.trnid, actuator.target = TrnType.JOINT, (-1, -1), None
        actuator.ctrlnum, actuator.outnum, actuator.ctrlspec, actuator.actdim = 1, 1, 0, 0
        actuator.ctrlranges, actuator.ctrllimiteds = [(0.0, 0.0)], [False]
        actuator.forcelimited = actuator.actlimited = actuator.ctrllimited = actuator.is_counted = False
        build.add("actuator", actuator)


def compile_actuators(build: Build) -> None:
    build.each(build.objects["actuator"], lambda actuator: _compile_actuator(build, actuator))


def _compile_actuator(build: Build, actuator: Any) -> None:
    is_plain = build.check(actuator, _wrong_target(actuator))
    is_found = build.all_of(actuator, lambda actuator: _find_target(build, actuator))
    is_plain &= build.all_of(actuator, lambda actuator: _find_second(build, actuator))
    is_sound = build.check(actuator, _wrong_kinds(actuator))
    actuator.is_counted = build.all_of(actuator, _count_inputs, _count_activations) and is_sound
    if is_found:
        is_sound &= build.check(actuator, _wrong_servo(actuator))
        if is_sound and actuator.is_counted:
            build.all_of(actuator, *((_scale, _inherit_range) if is_plain else (_inherit_range,)))
    build.all_of(actuator, *_BOUNDS, *_CHECKS, _complete_hill_muscle)
    build.check(actuator, _wrong_muscle(actuator))
    if actuator.is_counted:
        _spread_ranges(actuator)


def _scale(actuator: Any) -> None:
    scale_actuator(actuator, actuator.second)


def _bounded(what: str) -> Callable[[Any], None]:
    """Is a force, control or activation limited? If so its bounds must increase."""
    flag, bounds = f"{what}limited", f"{what}range"

    def check(actuator: Any) -> None:
        limited = is_limited(actuator, flag, bounds)
        setattr(actuator, flag, limited)
        if limited and actuator[bounds][0] >= actuator[bounds][1]:
            raise ElementProblem(f"the bounds of {bounds} must increase", bounds)

    return check


_BOUNDS = [_bounded(what) for what in ("force", "act", "ctrl")]


def _check_activation(actuator: Any) -> None:
    if actuator.actlimited and actuator["dyntype"] == "none":
        raise ElementProblem("actrange is given, but the actuator has no activation", "actrange")


def _check_sign(actuator: Any) -> None:
    if actuator.element.tag in ("damper", "adhesion") and min(actuator["ctrlrange"]) < 0:
        raise ElementProblem("the control range cannot be negative", "ctrlrange")


def _check_history(actuator: Any) -> None:
    if actuator["nsample"] > 0 and actuator.ctrlnum == 0:
        raise ElementProblem("a history needs an input", "nsample")


def _check_norm(actuator: Any) -> None:
    is_norm = actuator["gaintype"] == "so3"
    if is_norm and is_limited(actuator, "forcelimited", "forcerange") and actuator["forcerange"][0] != 0:
        raise ElementProblem("forcerange bounds a norm here: its first number must be 0", "forcerange")


_CHECKS = (_check_activation, _check_sign, check_delay, check_samples, _check_history, _check_norm)


def _wrong_target(actuator: Any) -> Iterator[Wrong]:
    """What does not belong to the kind of transmission."""
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
    for name in ("slidersite", "cranklength"):
        if written and "cranksite" not in written and name in element:
            yield f"{name} is for slider-cranks", name
    if written and "site" not in written and "refsite" in element:
        yield "refsite is for actuators of a site", "refsite"
    takes_forces = not written or {"joint", "jointinparent", "tendon"} & set(written)
    if not takes_forces and (actuator["armature"] or any(actuator["damping"])):
        yield "damping and armature are for actuators of joints and tendons", ""


def _find_target(build: Build, actuator: Any) -> None:
    """Transmission and what it acts on."""
    element = actuator.element
    written = [name for name in TARGETS if name in element]
    if len(written) != 1:
        raise ElementProblem("")
    actuator.trntype, kind = TARGETS[written[0]]
    actuator.target = build.find(kind, element.attributes[written[0]], written[0])
    actuator.trnid = (actuator.target.id, -1)
    if actuator.guess("gaintype") == "so3":
        actuator.trntype = TrnType.SO3  # whatever it turns


def _find_second(build: Build, actuator: Any) -> None:
    """The other site of a slider-crank, or the one that a site is compared with."""
    actuator.second = None
    for name in ("slidersite", "refsite"):
        if name in actuator.element:
            actuator.second = build.find("site", actuator.element.attributes[name], name)
            actuator.trnid = (actuator.trnid[0], actuator.second.id)


def _wrong_kinds(actuator: Any) -> Iterator[Wrong]:
    """Gain, bias and dynamics that do not belong together."""
    values = actuator.values
    gain, bias, dyn = values["gaintype"], values["biastype"], values["dyntype"]
    if "so3" in (gain, bias):
        if gain != bias:
            yield "gaintype and biastype must both be 'so3'", "gaintype"
        if dyn not in ("none", "integrator"):
            yield "so3 goes with dyntype 'none' or 'integrator'", "dyntype"
        if values["gainprm"][0] != -values["biasprm"][1]:
            yield "so3 needs gainprm[0] == -biasprm[1]", "gainprm"
    if gain == "pid":
        if bias != "affine" or dyn not in ("none", "pid"):
            yield "pid goes with biastype 'affine' and dyntype 'none' or 'pid'", "gaintype"
        if dyn == "none" and values["gainprm"][0]:
            yield "an integral gain needs dyntype 'pid'", "gainprm"
    if dyn == "pid":
        if gain != "pid":
            yield "dyntype 'pid' needs gaintype 'pid'", "dyntype"
        if min(values["dynprm"][:2]) < 0:
            yield "imax and slewmax cannot be negative", "dynprm"
    if (dyn == "hill") != (gain == "hill"):
        yield "dyntype 'hill' and gaintype 'hill' go together", "dyntype"
    if dyn == "dcmotor" and not values["actearly"]:
        yield "a dcmotor needs actearly='true'", "actearly"


def _wrong_servo(actuator: Any) -> Iterator[Wrong]:
    """Kinds of actuators that do not go with their target."""
    element = actuator.element
    if actuator["gaintype"] == "so3":
        if "site" in element:
            if "refsite" not in element:
                yield "an orientation servo on a site needs a refsite", ""
        elif "joint" not in element or actuator.target["type"] != "ball":
            yield "an orientation servo acts on a ball joint, or on a site with refsite", ""
    if actuator["gaintype"] == "pid" and "body" in element:
        yield "pid cannot act on a body", "body"


def _count_inputs(actuator: Any) -> None:
    """Controls and force outputs."""
    values, spec = actuator.values, actuator.values["ctrlspec"]
    gain = values["gaintype"]
    pos, vel, ff, volt = (int(CtrlInput[name]) for name in ("POS", "VEL", "FF", "VOLTAGE"))
    if gain == "so3":
        actuator.ctrlspec = spec or int(CtrlChart.EXPMAP)
        if actuator.ctrlspec not in (CtrlChart.EXPMAP, CtrlChart.QUAT):
            raise ElementProblem("the input of an orientation servo is expmap or quat", "input")
        if actuator.ctrlspec == CtrlChart.QUAT and values["dyntype"] != "none":
            raise ElementProblem("input quat goes with dyntype 'none'", "input")
        actuator.ctrlnum, actuator.outnum = (4 if actuator.ctrlspec == CtrlChart.QUAT else 3), 3
    elif gain == "pid":
        actuator.ctrlspec = spec or pos | vel
        if actuator.ctrlspec & ~(pos | vel | ff):
            raise ElementProblem("the inputs of pid are some of pos, vel, ff", "input")
        if values["dyntype"] == "pid" and not actuator.ctrlspec & pos:
            raise ElementProblem("integral term and slew rate need the input pos", "input")
        actuator.ctrlnum = bin(actuator.ctrlspec).count("1")
    elif gain == "dcmotor":
        _count_motor_inputs(actuator, spec or volt, pos | vel | ff, volt)
    else:
        declared = (0, pos, vel, int(CtrlInput.PRESSURE)) if gain in ("fixed", "affine") else (0,)
        if spec not in declared:
            raise ElementProblem(f"gaintype {gain!r} takes at most one of the inputs pos, vel, pressure", "input")
        actuator.ctrlspec = spec


def _count_motor_inputs(actuator: Any, spec: int, controller_bits: int, voltage: int) -> None:
    values = actuator.values
    none = int(CtrlInput.NONE)
    controller = 0 if spec == none else spec & controller_bits
    gains, slew = values["gainprm"], values["dynprm"][7]
    wrong = []
    if spec != none and spec & ~(controller_bits | voltage):
        wrong.append(("the inputs of dcmotor are none, or some of pos, vel, ff, voltage", "input"))
    if not controller and (any(gains[4:7]) or slew > 0):
        wrong.append(("a controller needs one of the inputs pos, vel, ff", "controller"))
    elif gains[5] > 0 and not spec & int(CtrlInput.POS):
        wrong.append(("an integral gain needs the input pos", "input"))
    refuse(wrong)
    actuator.ctrlspec = spec
    actuator.ctrlnum = bin(spec & (controller_bits | voltage)).count("1")


def _inherit_range(actuator: Any) -> None:
    """The range of a servo from that of its target."""
    values, factor = actuator.values, actuator.values["inheritrange"]
    is_servo = values["biastype"] == "affine" and (
        values["gaintype"] == "pid" or (values["gaintype"] == "fixed" and values["gainprm"][0] == -values["biasprm"][1])
    )
    if not is_servo or factor <= 0:
        return
    bounds = {"none": "ctrlrange", "filterexact": "ctrlrange", "pid": "ctrlrange", "integrator": "actrange"}.get(
        values["dyntype"]
    )
    if bounds is None:
        raise ElementProblem("inheritrange is for position servos", "inheritrange")
    if any(values[bounds]):
        raise ElementProblem(f"both {bounds} and inheritrange are given", "inheritrange")
    target = actuator.target
    if actuator.trntype == TrnType.JOINT and target["type"] in ("hinge", "slide"):
        low, high = target.range
    elif actuator.trntype == TrnType.TENDON:
        low, high = target["range"]
    else:
        raise ElementProblem("inheritrange is for servos of hinges, slides and tendons", "inheritrange")
    if low == high:
        raise ElementProblem(f"inheritrange is given, but {target.name!r} has no range", "inheritrange")
    middle, radius = 0.5 * (high + low), 0.5 * (high - low) * factor
    values[bounds] = (middle - radius, middle + radius)


def _count_activations(actuator: Any) -> None:
    values, dyn, asked = actuator.values, actuator.values["dyntype"], actuator.values["actdim"]
    if dyn == "pid":
        needed = (values["dynprm"][1] > 0) + (values["gainprm"][0] > 0)
    elif values["gaintype"] == "so3" and dyn == "integrator":
        needed = 3
    elif dyn == "dcmotor":
        needed = max(asked, 0)
    elif dyn == "none":
        needed = 0
    elif dyn == "hill":  # fewer for a rigid tendon
        needed = 1 if asked == 1 or not values["gainprm"][SLACK_LENGTH] else 2
    else:
        needed = 1
    if dyn == "user" and asked > 0:
        needed = asked
    if asked >= 0 and asked != needed:
        raise ElementProblem(f"actdim is {asked}; an actuator of this kind has {needed} activations", "actdim")
    actuator.actdim = needed


#: Parameters of a muscle that must be positive, and their places.
_POSITIVE = {"scale": 3, "vmax": 6, "fpmax": 7, "fvmax": 8}


def _wrong_muscle(actuator: Any) -> Iterator[Wrong]:
    for kind, prm in (("gaintype", "gainprm"), ("biastype", "biasprm")):
        if actuator[kind] == "muscle":
            numbers = actuator[prm]
            if numbers[0] >= numbers[1]:
                yield "the numbers of range must increase in a muscle", "range"
            if numbers[4] >= 1:
                yield "a muscle needs lmin < 1", "lmin"
            if numbers[5] <= 1:
                yield "a muscle needs lmax > 1", "lmax"
            for name, place in _POSITIVE.items():
                if numbers[place] <= 0:
                    yield f"{name} must be positive in a muscle", name


def _spread_ranges(actuator: Any) -> None:
    """Bounds of each control."""
    values = actuator.values
    actuator.ctrlranges = [values["ctrlrange"]] * actuator.ctrlnum
    actuator.ctrllimiteds = [actuator.ctrllimited] * actuator.ctrlnum
    if values["gaintype"] == "pid":
        k = 1 if actuator.ctrlspec & int(CtrlInput.POS) else 0
        for name, bit in (("velrange", CtrlInput.VEL), ("ffrange", CtrlInput.FF)):
            if actuator.ctrlspec & int(bit):
                actuator.ctrlranges[k] = values[name]
                actuator.ctrllimiteds[k] = values[name][0] < values[name][1]
                k += 1


def _complete_hill_muscle(actuator: Any) -> None:
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
