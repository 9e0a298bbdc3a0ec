"""Actuators: defaults and shortcuts resolved, targets found, inputs, outputs and activations counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from phalanx.compiler.actuator_shortcut import EXPAND, GAINS, RESET, input_bits
from phalanx.compiler.build import Build, Thing
from phalanx.compiler.defaults import DefaultClass, Values, overlay
from phalanx.compiler.element import Element
from phalanx.compiler.errors import ElementProblem
from phalanx.compiler.joint import is_limited
from phalanx.compiler.scaled_reference import scale_actuator
from phalanx.compiler.scope import Scope
from phalanx.model.hill_muscle import DYN_DEFAULTS, GAIN_DEFAULTS, SLACK_LENGTH, problems_of
from phalanx.tables.enums import CtrlChart, CtrlInput, TrnType
from phalanx.tables.mjcf_schema import ELEMENTS

GENERAL = ELEMENTS["actuator/general"]
MOST_SAMPLES = 2**24

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


def _applied(element: Element, state: _State, ancestors: list[_State]) -> _State:
    """The state after an actuator element, in a default class or in the actuator section."""
    tag = element.tag
    known = {name: value for name, value in element.attributes.items() if name in GENERAL.attributes}
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
        actuator: Any = Thing(element, _applied(element, states[0], states[1:]).values, scope)
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
        try:
            states = _class_states(default, cache)
            values = _applied(element, states[0], states[1:]).values
        except ElementProblem as problem:
            build.report(element, str(problem), problem.attribute)
        actuator: Any = Thing(element, {**values, "name": element.attributes.get("name")}, scope)
        actuator.trntype, actuator.trnid, actuator.target = TrnType.JOINT, (-1, -1), None
        actuator.ctrlnum, actuator.outnum, actuator.ctrlspec, actuator.actdim = 1, 1, 0, 0
        actuator.ctrlranges, actuator.ctrllimiteds = [(0.0, 0.0)], [False]
        actuator.forcelimited = actuator.actlimited = actuator.ctrllimited = False
        build.add("actuator", actuator)


def compile_actuators(build: Build) -> None:
    build.each(build.things["actuator"], lambda actuator: _compile_actuator(build, actuator))


def _compile_actuator(build: Build, actuator: Any) -> None:
    with build.at(actuator):
        _find_target(build, actuator)
        _check_kinds(actuator)
        _count_inputs(actuator)
        scale_actuator(actuator, actuator.second)
        _inherit_range(actuator)
    build.all_of(actuator, *_BOUNDS, _check_ranges, _count_activations)
    build.all_of(actuator, _check_muscle, _check_hill_muscle, _check_history)
    _spread_ranges(actuator)


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


def _check_ranges(actuator: Any) -> None:
    if actuator.actlimited and actuator["dyntype"] == "none":
        raise ElementProblem("actrange is given, but the actuator has no activation", "actrange")
    if actuator.element.tag in ("damper", "adhesion") and min(actuator["ctrlrange"]) < 0:
        raise ElementProblem("the control range cannot be negative", "ctrlrange")


def _check_history(actuator: Any) -> None:
    if actuator["delay"] > 0 and actuator["nsample"] <= 0:
        raise ElementProblem("delay needs nsample > 0", "delay")
    if actuator["nsample"] > MOST_SAMPLES:
        raise ElementProblem(f"nsample is at most {MOST_SAMPLES}", "nsample")
    if actuator["nsample"] > 0 and actuator.ctrlnum == 0:
        raise ElementProblem("a history needs an input", "nsample")


def _find_target(build: Build, actuator: Any) -> None:
    """Transmission and what it acts on."""
    element = actuator.element
    written = [name for name in TARGETS if name in element]
    if not written:
        raise ElementProblem("the actuator has no target: give it a joint, tendon, site or body")
    if len(written) > 1:
        raise ElementProblem(f"{written[0]} and {written[1]} cannot be given together", written[1])
    name = written[0]
    actuator.trntype, kind = TARGETS[name]
    target = build.find(kind, element.attributes[name], name)
    second = None
    if name == "cranksite":
        if "slidersite" not in element:
            raise ElementProblem("a slider-crank needs a slidersite")
        second = build.find("site", element.attributes["slidersite"], "slidersite")
        if actuator["cranklength"] <= 0:
            raise ElementProblem("a slider-crank needs a positive cranklength", "cranklength")
    else:
        for other in ("slidersite", "cranklength"):
            if other in element:
                raise ElementProblem(f"{other} is for slider-cranks", other)
    if "refsite" in element:
        if name != "site":
            raise ElementProblem("refsite is for actuators of a site", "refsite")
        second = build.find("site", element.attributes["refsite"], "refsite")
    actuator.target, actuator.second = target, second
    actuator.trnid = (target.id, second.id if second is not None else -1)
    lends = actuator["armature"] or any(actuator["damping"])
    if lends and actuator.trntype not in (TrnType.JOINT, TrnType.JOINTINPARENT, TrnType.TENDON):
        raise ElementProblem("damping and armature are for actuators of joints and tendons")


def _check_kinds(actuator: Any) -> None:
    """Gain, bias and dynamics that belong together."""
    values = actuator.values
    gain, bias, dyn = values["gaintype"], values["biastype"], values["dyntype"]
    if "so3" in (gain, bias):
        if gain != bias:
            raise ElementProblem("gaintype and biastype must both be 'so3'", "gaintype")
        if dyn not in ("none", "integrator"):
            raise ElementProblem("so3 goes with dyntype 'none' or 'integrator'", "dyntype")
        if values["gainprm"][0] != -values["biasprm"][1]:
            raise ElementProblem("so3 needs gainprm[0] == -biasprm[1]", "gainprm")
        if actuator.trntype == TrnType.SITE:
            if actuator.trnid[1] < 0:
                raise ElementProblem("an orientation servo on a site needs a refsite")
        elif actuator.trntype != TrnType.JOINT or actuator.target["type"] != "ball":
            raise ElementProblem("an orientation servo acts on a ball joint, or on a site with refsite")
        actuator.trntype = TrnType.SO3
    if gain == "pid":
        if bias != "affine" or dyn not in ("none", "pid"):
            raise ElementProblem("pid goes with biastype 'affine' and dyntype 'none' or 'pid'", "gaintype")
        if dyn == "none" and values["gainprm"][0]:
            raise ElementProblem("an integral gain needs dyntype 'pid'", "gainprm")
        if actuator.trntype == TrnType.BODY:
            raise ElementProblem("pid cannot act on a body", "body")
    if dyn == "pid":
        if gain != "pid":
            raise ElementProblem("dyntype 'pid' needs gaintype 'pid'", "dyntype")
        if min(values["dynprm"][:2]) < 0:
            raise ElementProblem("imax and slewmax cannot be negative", "dynprm")
    if (dyn == "hill") != (gain == "hill"):
        raise ElementProblem("dyntype 'hill' and gaintype 'hill' go together", "dyntype")
    if dyn == "dcmotor" and not values["actearly"]:
        raise ElementProblem("a dcmotor needs actearly='true'", "actearly")


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
        if is_limited(actuator, "forcelimited", "forcerange") and values["forcerange"][0] != 0:
            raise ElementProblem("forcerange bounds a norm here: its first number must be 0", "forcerange")
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
    if spec != none and spec & ~(controller_bits | voltage):
        raise ElementProblem("the inputs of dcmotor are none, or some of pos, vel, ff, voltage", "input")
    controller = 0 if spec == none else spec & controller_bits
    gains, slew = values["gainprm"], values["dynprm"][7]
    if not controller and (any(gains[4:7]) or slew > 0):
        raise ElementProblem("a controller needs one of the inputs pos, vel, ff", "controller")
    if gains[5] > 0 and not spec & int(CtrlInput.POS):
        raise ElementProblem("an integral gain needs the input pos", "input")
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


def _check_muscle(actuator: Any) -> None:
    for kind, prm in (("gaintype", "gainprm"), ("biastype", "biasprm")):
        if actuator[kind] == "muscle":
            low, high, _, scale, shortest, longest, speed, passive, lengthening = actuator[prm][:9]
            if low >= high:
                raise ElementProblem("the numbers of range must increase in a muscle", "range")
            if shortest >= 1 or longest <= 1:
                raise ElementProblem("a muscle needs lmin < 1 < lmax", "lmin")
            if min(scale, speed, passive, lengthening) <= 0:
                raise ElementProblem("scale, vmax, fpmax and fvmax must be positive in a muscle")


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


def _check_hill_muscle(actuator: Any) -> None:
    """Parameters that are zero, and times that are not given, stand for defaults."""
    values = actuator.values
    if values["dyntype"] == "hill":
        values["gainprm"] = tuple(x or default for x, default in zip(values["gainprm"], GAIN_DEFAULTS, strict=True))
        if tuple(values["dynprm"]) == RESET["dynprm"]:
            values["dynprm"] = DYN_DEFAULTS + (0.0,) * (len(RESET["dynprm"]) - len(DYN_DEFAULTS))
        for name, problem in problems_of(actuator["gainprm"], actuator["dynprm"]):
            raise ElementProblem(f"{name} of a muscle {problem}", "gainprm")
