"""Actuator shortcuts: each translates its own parameters to gain, bias and dynamics of a general actuator.

A function of this file takes the parameters that are written on an element (`given`) and the raw values of the nearest
default that it may inherit from, and returns the raw values that the shortcut sets. Its gain is in its row.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sqrt
from typing import Any

from phalanx.compiler.text.defaults import Values
from phalanx.compiler.text.errors import ElementProblem, refuse
from phalanx.tables.actuators import CHART_CODES, INPUT_CODES
from phalanx.tables.enums import CtrlInput
from phalanx.tables.mjcf_actuator import SHORTCUTS
from phalanx.tables.mjcf_schema import ELEMENTS

GENERAL = ELEMENTS["actuator/general"]
#: What a shortcut stands for, and what it sets anew, whatever the defaults say.
RESET: Values = {
    name: GENERAL.defaults[name]
    for name in ("dyntype", "gaintype", "biastype", "dynprm", "gainprm", "biasprm", "actdim", "actearly")
} | {"ctrlspec": 0}

Expand = Callable[[Values, Values], Values]
#: The function of each row of `SHORTCUTS`.
EXPAND: dict[str, Expand] = {}


def _expands(tag: str) -> Callable[[Expand], Expand]:
    """File the function of a shortcut."""

    def file(function: Expand) -> Expand:
        EXPAND[SHORTCUTS[tag].tag] = function
        return function

    return file


def _prm(*given: float) -> tuple[float, ...]:
    """Parameters of a gain, bias or dynamics, with zeros at the end."""
    return (*given, *(0.0,) * (len(RESET["gainprm"]) - len(given)))


def input_bits(text: str) -> int:
    """Code of the inputs that a text lists."""
    words, order = text.split(), list(INPUT_CODES)
    if len(words) == 1 and words[0] in CHART_CODES:
        return CHART_CODES[words[0]]
    ranks = []
    for word in words:
        if word not in order:
            raise ElementProblem(
                f"input={text!r}: {word!r} is not an input; valid: {', '.join((*CHART_CODES, *order))}", "input"
            )
        ranks.append(order.index(word))
    if ranks != sorted(set(ranks)):
        raise ElementProblem(f"input={text!r}: inputs must be in the order {', '.join(order)}", "input")
    return sum(INPUT_CODES[word] for word in words)


def _damping(given: Values, inherited: float) -> float:
    """biasprm[2]: minus the velocity gain, or plus the damping ratio, which is resolved at the end."""
    if given.get("kv") is not None:
        return -given["kv"]
    return given["dampratio"] if given.get("dampratio") is not None else inherited


def _first(given: Values, name: str, inherited: Any) -> Any:
    """A parameter as it is written, else as it is inherited."""
    value = given.get(name)
    return inherited if value is None else value


@_expands("motor")
def _motor(given: Values, base: Values) -> Values:
    return {}


@_expands("position")
def _position(given: Values, base: Values) -> Values:
    kp = _first(given, "kp", base["gainprm"][0])
    constant = given.get("timeconst")
    filtered = base["dyntype"] == "filterexact" if constant is None else constant > 0
    time = base["dynprm"][0] if constant is None else constant
    return {
        "gainprm": _prm(kp),
        "biasprm": _prm(0.0, -kp, _damping(given, base["biasprm"][2])),
        "biastype": "affine",
        "dyntype": "filterexact" if filtered else "none",
        "dynprm": _prm(time) if filtered or constant is not None else RESET["dynprm"],
        "ctrlspec": int(CtrlInput.POS),
    }


@_expands("intvelocity")
def _intvelocity(given: Values, base: Values) -> Values:
    return {
        **_position({**given, "timeconst": None}, {**base, "dyntype": "none"}),
        "dyntype": "integrator",
        "ctrlspec": int(CtrlInput.VEL),
    }


@_expands("velocity")
def _velocity(given: Values, base: Values) -> Values:
    kv = _first(given, "kv", base["gainprm"][0])
    return {
        "gainprm": _prm(kv), "biasprm": _prm(0.0, 0.0, -kv), "biastype": "affine", "ctrlspec": int(CtrlInput.VEL),
    }  # fmt: skip


@_expands("orientation")
def _orientation(given: Values, base: Values) -> Values:
    kp = _first(given, "kp", base["gainprm"][0])
    bias = _prm(0.0, -kp, _damping(given, base["biasprm"][2]))
    chart = input_bits(given["input"]) if given.get("input") is not None else base["ctrlspec"]
    return {"gainprm": _prm(kp), "biasprm": bias, "biastype": "so3", "ctrlspec": chart}


@_expands("pid")
def _pid(given: Values, base: Values) -> Values:
    is_own = base["dyntype"] == "pid"
    kp = _first(given, "kp", -base["biasprm"][1] if base["gaintype"] == "pid" else 1.0)
    ki = _first(given, "ki", base["gainprm"][0] if is_own else 0.0)
    bound = _first(given, "imax", base["dynprm"][0] if is_own else 0.0)
    slew = _first(given, "slewmax", base["dynprm"][1] if is_own else 0.0)
    has_state = bool(ki or slew)
    damping = _damping(given, base["biasprm"][2] if base["gaintype"] == "pid" else 0.0)
    return {
        "biastype": "affine", "gainprm": _prm(ki), "biasprm": _prm(0.0, -kp, damping),
        "dyntype": "pid" if has_state else "none",
        "dynprm": _prm(bound if ki else 0.0, slew),
        "ctrlspec": input_bits(given["input"]) if given.get("input") is not None else base["ctrlspec"],
    }  # fmt: skip


@_expands("damper")
def _damper(given: Values, base: Values) -> Values:
    kv = _first(given, "kv", -base["gainprm"][2] if base["gaintype"] == "affine" else 0.0)
    return {"gainprm": _prm(0.0, 0.0, -kv), "ctrllimited": "true"}


@_expands("cylinder")
def _cylinder(given: Values, base: Values) -> Values:
    area = _first(given, "area", base["gainprm"][0])
    if given.get("diameter") is not None and given["diameter"] >= 0:
        area = pi / 4 * given["diameter"] * given["diameter"]
    return {
        "dyntype": "filter", "biastype": "affine", "gainprm": _prm(area),
        "dynprm": _prm(_first(given, "timeconst", base["dynprm"][0])),
        "biasprm": _prm(*_first(given, "bias", base["biasprm"][:3])),
        "ctrlspec": int(CtrlInput.PRESSURE),
    }  # fmt: skip


@_expands("muscle")
def _muscle(given: Values, base: Values) -> Values:
    is_muscle = base["gaintype"] == "muscle"
    standard = (0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2)
    low, high, *rest = base["gainprm"][:9] if is_muscle else standard
    act, deact, smooth = base["dynprm"][:3] if is_muscle else (0.01, 0.04, 0.0)
    low, high = _first(given, "range", (low, high))
    act, deact = _first(given, "timeconst", (act, deact))
    names = ("force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax")
    values = [_first(given, name, inherited) for name, inherited in zip(names, rest, strict=True)]
    prm = _prm(low, high, *values)
    return {
        "dyntype": "muscle", "biastype": "muscle", "gainprm": prm, "biasprm": prm,
        "dynprm": _prm(act, deact, _first(given, "tausmooth", smooth)),
    }  # fmt: skip


@_expands("adhesion")
def _adhesion(given: Values, base: Values) -> Values:
    return {"gainprm": _prm(_first(given, "gain", base["gainprm"][0])), "ctrllimited": "true"}


def _padded(given: Values, name: str, base: tuple[float, ...]) -> list[float]:
    """A list of parameters; what is not written at its end is inherited."""
    value = given.get(name)
    return [*value, *base[len(value) :]] if value is not None else list(base)


@_expands("dcmotor")
def _dcmotor(given: Values, base: Values) -> Values:
    # what is not given is inherited from a class that has a motor of this kind
    is_own = base["gaintype"] == "dcmotor"
    gain, dyn, bias = (base[f"{name}prm"] if is_own else (0.0,) * 10 for name in ("gain", "dyn", "bias"))
    kt, ke = _padded(given, "motorconst", (gain[1], 0.0))
    resistance = _first(given, "resistance", gain[0])
    voltage, stall, speed = _padded(given, "nominal", (0.0, 0.0, 0.0))
    torque_max, current_max, rate_max = _padded(given, "saturation", (0.0, 0.0, dyn[1]))
    control = _padded(given, "controller", (gain[4], gain[5], gain[6], dyn[7], dyn[8], gain[7]))
    inductance, electrical = _padded(given, "inductance", (0.0, dyn[0]))
    cogging = _padded(given, "cogging", bias[:3])
    thermal = _padded(given, "thermal", (dyn[2], dyn[3], 0.0, gain[2], gain[3], dyn[4]))
    lugre = _padded(given, "lugre", (dyn[5], dyn[6], bias[3], bias[4], bias[5]))
    constant, resistance = _motor_constants(kt, ke, resistance, voltage, stall, speed, given["viscosity"])
    has_heat = any(value > 0 for value in thermal[:3])
    if has_heat:
        thermal[0], thermal[1] = _heat(*thermal[:3])
    wrong = []
    if constant <= 0:
        wrong.append(("the motor constant must be positive: give motorconst or nominal", "motorconst"))
    if resistance <= 0:
        wrong.append(("the resistance must be positive: give resistance or nominal", "resistance"))
    if inductance < 0 or electrical < 0:
        wrong.append(("inductance and electrical time constant cannot be negative", "inductance"))
    if has_heat and min(thermal[:2]) <= 0:
        wrong.append(("thermal resistance and capacity must be positive", "thermal"))
    refuse(wrong)
    time = inductance / resistance if inductance > 0 else electrical
    result: Values = {
        "dyntype": "dcmotor", "biastype": "dcmotor", "actearly": True, "actlimited": "false",
        "gainprm": _prm(resistance, constant, *(thermal[3:5] if has_heat else (0.0, 0.0)), *control[:3],
                        max(control[5], 0.0)),
        "dynprm": _prm(time, max(rate_max, 0.0), *((thermal[0], thermal[1], thermal[5]) if has_heat else (0.0,) * 3),
                       *(lugre[:2] if lugre[0] > 0 else (0.0, 0.0)), control[3], control[4]),
        "biasprm": _prm(*cogging, *(lugre[2:] if lugre[0] > 0 else ())),
        "actdim": sum((time > 0, control[3] > 0, control[1] > 0, has_heat, lugre[0] > 0)),
        "ctrlspec": input_bits(given["input"]) if given.get("input") is not None else base["ctrlspec"] if is_own else 0,
    }  # fmt: skip
    if torque_max > 0 or current_max > 0:
        bound = torque_max or constant * current_max
        result |= {"forcerange": (-bound, bound), "forcelimited": "true"}
    return result


def _motor_constants(
    kt: float, ke: float, resistance: float, voltage: float, stall: float, speed: float, viscosity: float
) -> tuple[float, float]:
    """Motor constant and resistance, from what is known of them."""
    if voltage > 0 and ke <= 0 and speed > 0:
        ke = voltage / speed
        if viscosity > 0 and resistance > 0:
            root = voltage * voltage - 4 * resistance * viscosity * speed * speed
            ke = (voltage + sqrt(root)) / (2 * speed) if root > 0 else ke
        elif viscosity > 0 and stall > 0:
            exact = voltage / speed - voltage * viscosity / stall
            ke = exact if exact > 0 else ke
    constant = sqrt(kt * ke) if kt > 0 and ke > 0 else kt if kt > 0 else ke
    if resistance == 0 and voltage > 0 and stall > 0 and constant > 0:
        resistance = constant * voltage / stall
    return constant, resistance


def _heat(resistance: float, capacity: float, time: float) -> tuple[float, float]:
    """Thermal resistance and capacity, one of which may follow from the time constant."""
    if time > 0 and resistance > 0 and capacity == 0:
        capacity = time / resistance
    elif time > 0 and capacity > 0 and resistance == 0:
        resistance = time / capacity
    return resistance, capacity


def check_parameters(given: Values) -> None:
    """What is the same for all shortcuts."""
    wrong = []
    if given.get("kv") is not None and given.get("dampratio") is not None:
        wrong.append(("both kv and dampratio are given", "dampratio"))
    if given.get("input") is not None:
        try:
            input_bits(given["input"])
        except ElementProblem as problem:
            wrong += problem.wrong
    refuse(wrong)
