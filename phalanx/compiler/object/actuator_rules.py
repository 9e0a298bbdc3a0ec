"""What must hold within an actuator: kinds that go together, their inputs, activations, targets and parameters.

Most of it follows from the rows of `tables/actuators.py`. What a single kind asks beyond its row is a function here, by
the keyword of the kind. Functions that check yield what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from phalanx.compiler.model_build import ModelObject
from phalanx.compiler.text.defaults import Values
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import Wrong
from phalanx.smooth.actuator.hill_parameters import SLACK_LENGTH
from phalanx.tables.actuators import (
    BIASES_BY_TAG,
    CHART_CODES,
    DYNAMICS,
    DYNAMICS_BY_TAG,
    GAINS,
    GAINS_BY_TAG,
    INPUT_CODES,
    BiasRow,
    DynamicsRow,
    GainRow,
)
from phalanx.tables.enums import CtrlChart, CtrlInput, DynType, GainType

# --- kinds that go together

_WITH_SAME_BIAS = {tag: row for tag, row in GAINS_BY_TAG.items() if row.with_same_bias}
_WITH_SAME_DYNAMICS = {tag: row for tag, row in GAINS_BY_TAG.items() if row.with_same_dynamics}


def check_kinds(values: Values) -> Iterator[Wrong]:
    """Gain, bias and dynamics that do not belong together."""
    gain, bias = GAINS_BY_TAG[values["gaintype"]], BIASES_BY_TAG[values["biastype"]]
    dynamics = DYNAMICS_BY_TAG[values["dyntype"]]
    # a bias that belongs to one gain asks what that gain asks
    partner = _WITH_SAME_BIAS.get(bias.tag, gain)
    for row in (gain,) if partner is gain else (partner, gain):
        if row.with_same_bias or row.biases or row.dynamics:
            yield from _check_company(row, gain, bias, dynamics)
        if row.tag in _GAIN_RULES:
            yield from _GAIN_RULES[row.tag](values)
    if dynamics.gains and gain.tag not in dynamics.gains:
        yield f"dyntype {dynamics.tag!r} needs gaintype {_either(dynamics.gains)}", "dyntype"
    if dynamics.tag in _DYNAMICS_RULES:
        yield from _DYNAMICS_RULES[dynamics.tag](values)
    if dynamics.tag != gain.tag:
        for tag in (dynamics.tag, gain.tag):
            if tag in _WITH_SAME_DYNAMICS:
                yield f"dyntype {tag!r} and gaintype {tag!r} go together", "dyntype"
    if dynamics.needs_early and not values["actearly"]:
        yield f"a {dynamics.tag} needs actearly='true'", "actearly"


def _check_company(row: GainRow, gain: GainRow, bias: BiasRow, dynamics: DynamicsRow) -> Iterator[Wrong]:
    """What a gain goes with, by its row."""
    if row.with_same_bias and gain.tag != bias.tag:
        yield f"gaintype and biastype must both be {row.tag!r}", "gaintype"
    is_wrong_bias = row.biases and bias.tag not in row.biases
    if is_wrong_bias or (row.dynamics and dynamics.tag not in row.dynamics):
        asked = (("biastype", row.biases), ("dyntype", row.dynamics))
        company = " and ".join(f"{name} {_either(tags)}" for name, tags in asked if tags)
        yield f"{row.tag} goes with {company}", "gaintype" if row.biases else "dyntype"


def _either(tags: Iterable[str]) -> str:
    return " or ".join(repr(tag) for tag in tags)


def _so3_rules(values: Values) -> Iterator[Wrong]:
    if values["gainprm"][0] != -values["biasprm"][1]:
        yield "so3 needs gainprm[0] == -biasprm[1]", "gainprm"


def _pid_gain_rules(values: Values) -> Iterator[Wrong]:
    if values["dyntype"] == "none" and values["gainprm"][0]:
        yield "an integral gain needs dyntype 'pid'", "gainprm"


def _pid_dynamics_rules(values: Values) -> Iterator[Wrong]:
    if min(values["dynprm"][:2]) < 0:
        yield "imax and slewmax cannot be negative", "dynprm"


_GAIN_RULES: dict[str, Callable[[Values], Iterator[Wrong]]] = {"so3": _so3_rules, "pid": _pid_gain_rules}
_DYNAMICS_RULES: dict[str, Callable[[Values], Iterator[Wrong]]] = {"pid": _pid_dynamics_rules}

# --- inputs

#: Word of an input -> its code in ctrlspec.
_CODES = {**CHART_CODES, **INPUT_CODES}
(_SLEW,) = DYNAMICS[DynType.DCMOTOR].places("slew")
_KP, _KI, _KD = GAINS[GainType.DCMOTOR].places("kp", "ki", "kd")
#: Controls of an input that has several.
_WIDTHS = {"expmap": 3, "quat": 4}


def input_code(gain: GainRow, declared: int) -> int:
    """ctrlspec: the inputs that are declared, or those the gain assumes; 0 for one control without a meaning."""
    return declared or (sum(_CODES[word] for word in gain.assumed) if gain.assumed else 0)


def control_count(gain: GainRow, spec: int) -> int:
    """How many controls an actuator has."""
    if gain.several:
        return bin(spec & _mask(gain)).count("1")
    return next((_WIDTHS.get(word, 1) for word in gain.inputs if _CODES[word] == spec), 1)


def _mask(gain: GainRow) -> int:
    return sum(_CODES[word] for word in gain.inputs if word != "none")


def check_inputs(gain: GainRow, spec: int, values: Values) -> Iterator[Wrong]:
    """Inputs that the gain does not take, or that do not go with its parameters; there are some."""
    if gain.several:
        is_none = "none" in gain.inputs and spec == int(CtrlInput.NONE)
        if not is_none and spec & ~_mask(gain):
            words = ", ".join(word for word in gain.inputs if word != "none")
            none = "none, or " if "none" in gain.inputs else ""
            yield f"the inputs of {gain.tag} are {none}some of {words}", "input"
    elif not any(_CODES[word] == spec for word in gain.inputs):
        if gain.assumed:
            yield f"the input of {gain.called or gain.tag} is {' or '.join(gain.inputs)}", "input"
        else:
            usual = ", ".join(GAINS[GainType.FIXED].inputs)
            yield f"gaintype {gain.tag!r} takes at most one of the inputs {usual}", "input"
    if gain.tag in _INPUT_RULES:
        yield from _INPUT_RULES[gain.tag](spec, values)


def _so3_input_rules(spec: int, values: Values) -> Iterator[Wrong]:
    if spec == CtrlChart.QUAT and values["dyntype"] != "none":
        yield "input quat goes with dyntype 'none'", "input"


def _pid_input_rules(spec: int, values: Values) -> Iterator[Wrong]:
    if values["dyntype"] == "pid" and not spec & ~int(CtrlInput.VEL | CtrlInput.FF):
        yield "integral term and slew rate need the input pos", "input"


def _motor_input_rules(spec: int, values: Values) -> Iterator[Wrong]:
    gains, slew = values["gainprm"], values["dynprm"][_SLEW]
    setpoints = int(CtrlInput.POS | CtrlInput.VEL | CtrlInput.FF)
    if not spec & setpoints and (any(gains[column] for column in (_KP, _KI, _KD)) or slew > 0):
        yield "a controller needs one of the inputs pos, vel, ff", "controller"
    elif gains[_KI] > 0 and not spec & int(CtrlInput.POS):
        yield "an integral gain needs the input pos", "input"


_INPUT_RULES: dict[str, Callable[[int, Values], Iterator[Wrong]]] = {
    "so3": _so3_input_rules, "pid": _pid_input_rules, "dcmotor": _motor_input_rules,
}  # fmt: skip

# --- activations


def activation_count(values: Values) -> int:
    """How many activations an actuator has."""
    row = DYNAMICS_BY_TAG[values["dyntype"]]
    return row.activations if row.activations is not None else ACTIVATIONS[row.tag](values)


def _hill_activations(values: Values) -> int:
    """The length of the fibers is one, unless the tendon is rigid: asked for, or without a length."""
    return 1 if values["actdim"] == 1 or not values["gainprm"][SLACK_LENGTH] else 2


#: Dynamics whose count of activations depends on other values.
ACTIVATIONS: dict[str, Callable[[Values], int]] = {
    "integrator": lambda values: GAINS_BY_TAG[values["gaintype"]].outputs,
    "pid": lambda values: (values["dynprm"][1] > 0) + (values["gainprm"][0] > 0),
    "dcmotor": lambda values: max(values["actdim"], 0),
    "user": lambda values: values["actdim"] if values["actdim"] > 0 else 1,
    "hill": _hill_activations,
}

# --- targets


def check_kind_of_target(element: Element, values: Values, target: ModelObject) -> Iterator[Wrong]:
    """A gain that does not go with what the actuator acts on."""
    gain = GAINS_BY_TAG[values["gaintype"]]
    if gain.tag in _TARGET_RULES:
        yield from _TARGET_RULES[gain.tag](element, target)
    for name in gain.not_on:
        if name in element:
            yield f"{gain.tag} cannot act on a {name}", name


def _so3_target_rules(element: Element, target: ModelObject) -> Iterator[Wrong]:
    if "site" in element:
        if "refsite" not in element:
            yield "an orientation servo on a site needs a refsite", ""
    elif "joint" not in element or target["type"] != "ball":
        yield "an orientation servo acts on a ball joint, or on a site with refsite", ""


_TARGET_RULES: dict[str, Callable[[Element, ModelObject], Iterator[Wrong]]] = {"so3": _so3_target_rules}

# --- parameters

_MUSCLE = GAINS[GainType.MUSCLE]
_RANGE_LOW, _RANGE_HIGH, _LMIN, _LMAX = _MUSCLE.places("range_low", "range_high", "lmin", "lmax")
#: Parameters of a muscle that must be positive, and their columns.
_POSITIVE = {name: _MUSCLE.places(name)[0] for name in ("scale", "vmax", "fpmax", "fvmax")}


def check_muscle(prm: tuple[float, ...]) -> Iterator[Wrong]:
    """Parameters of a muscle, of its gain or its bias."""
    if prm[_RANGE_LOW] >= prm[_RANGE_HIGH]:
        yield "the numbers of range must increase in a muscle", "range"
    if prm[_LMIN] >= 1:
        yield "a muscle needs lmin < 1", "lmin"
    if prm[_LMAX] <= 1:
        yield "a muscle needs lmax > 1", "lmax"
    for name, column in _POSITIVE.items():
        if prm[column] <= 0:
            yield f"{name} must be positive in a muscle", name
