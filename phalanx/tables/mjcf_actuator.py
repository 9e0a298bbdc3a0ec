"""MJCF rows of actuators: the general one and the shortcuts that expand into it."""

from __future__ import annotations

from dataclasses import dataclass

from phalanx.tables.actuators import BIASES_BY_TAG, DYNAMICS_BY_TAG, GAINS_BY_TAG, TRANSMISSIONS
from phalanx.tables.history import INTERP
from phalanx.tables.mjcf_global import PLUGIN_REFERENCE
from phalanx.tables.mjcf_row import (
    AUTO,
    CLASS,
    Attribute,
    element,
    flag,
    integer,
    keyword,
    name_of,
    real,
    refers,
    rows,
    text,
    user,
)

_DYN_WORDS = {row.tag: int(row.kind) for row in DYNAMICS_BY_TAG.values()}
_GAIN_WORDS = {row.tag: int(row.kind) for row in GAINS_BY_TAG.values()}
_BIAS_WORDS = {row.tag: int(row.kind) for row in BIASES_BY_TAG.values()}
ZERO2, ZERO3 = (0.0, 0.0), (0.0, 0.0, 0.0)

_BASE = (
    name_of("actuator"), CLASS,
    integer("group", "group for pictures and for switching off", 0, "actuator_group"),
    integer("nsample", "samples in the control history", 0, lowest=0),
    keyword("interp", "how the history is read", INTERP, "zoh"),
    real("delay", "delay of the control", 0.0, "actuator_delay", lowest=0),
)  # fmt: skip
_CTRLRANGE = real("ctrlrange", "bounds of the control", ZERO2, count=2)
_CTRLLIMITED = keyword("ctrllimited", "whether the control is clamped", AUTO, "auto")
_FORCE = (
    keyword("forcelimited", "whether the force is clamped", AUTO, "auto"),
    real("forcerange", "bounds of the force", ZERO2, "actuator_forcerange", 2),
)
_ACT = (
    keyword("actlimited", "whether the activation is clamped", AUTO, "auto"),
    real("actrange", "bounds of the activation", ZERO2, "actuator_actrange", 2),
)
_MECHANICS = (
    real("lengthrange", "shortest and longest length", ZERO2, count=2, inherits=False),
    real("gear", "transmission ratio", (1.0, 0.0, 0.0, 0.0, 0.0, 0.0), count=(1, 6)),
    real("damping", "damping reflected to the target: linear, quadratic, cubic", ZERO3, count=(1, 3)),
    real("armature", "inertia reflected to the target", 0.0, "actuator_armature"),
    real("cranklength", "length of the rod of a slider-crank", 0.0, "actuator_cranklength"),
)


def _targets(*, general: bool) -> tuple[Attribute, ...]:
    """Attributes that name what an actuator acts on; apart those that most shortcuts lack."""
    kinds = [row for row in TRANSMISSIONS.values() if row.general is general]
    return tuple(refers(name, row.of, doc) for row in kinds for name, doc in row.names.items())


_INHERITRANGE = real("inheritrange", "factor of the target's range that becomes the control range", 0.0, lowest=0)
_DAMPRATIO = real("dampratio", "damping ratio, instead of kv", None, lowest=0)
_PRM = (1.0,) + (0.0,) * 9
_NORMAL = (*_BASE, _CTRLRANGE, user("actuator_user"), _CTRLLIMITED, *_FORCE, *_MECHANICS, *_targets(general=False))


def _kp(default: float | None = None) -> Attribute:
    return real("kp", "position gain", default)


def _kv(lowest: float | None = None) -> Attribute:
    return real("kv", "velocity gain", None, lowest=lowest)


def _without(attributes: tuple[Attribute, ...], names: str) -> tuple[Attribute, ...]:
    return tuple(row for row in attributes if row.name not in names.split())


_INPUT = text("input", "which inputs it has")
_RANGES = (
    real("velrange", "bounds of the velocity input", ZERO2, count=2),
    real("ffrange", "bounds of the feed-forward input", ZERO2, count=2),
)


@dataclass(frozen=True, eq=False)
class ShortcutRow:
    """An element that stands for a general actuator.

    `phalanx/compiler/object/actuator_shortcut.py` has the function that expands it.

    Attributes:
        tag: the element.
        gain: keyword of its gain; it inherits the parameters of a general default with this gain.
        doc: what it is.
        attributes: what can be written on it.
        decides_jointly: its parameters decide together what it stands for.
        no_negative: its control cannot be negative.
    """

    tag: str
    gain: str
    doc: str
    attributes: tuple[Attribute, ...]
    decides_jointly: bool = False
    no_negative: bool = False


SHORTCUTS: dict[str, ShortcutRow] = {row.tag: row for row in (
    ShortcutRow("motor", "fixed", "a force or torque", _NORMAL),
    ShortcutRow("position", "fixed", "a position servo", rows(
        _NORMAL, _INHERITRANGE, _kp(), _kv(0), _DAMPRATIO,
        real("timeconst", "time constant of a filter before it, 0 for none", None, lowest=0))),
    ShortcutRow("velocity", "fixed", "a velocity servo", rows(_NORMAL, _kv())),
    ShortcutRow("intvelocity", "fixed", "a position servo whose target is integrated", rows(
        _NORMAL, _ACT, _INHERITRANGE, _kp(), _kv(0), _DAMPRATIO)),
    ShortcutRow("orientation", "so3", "an orientation servo on a ball joint or site", rows(
        _without(_NORMAL, "ctrllimited gear damping armature cranklength lengthrange jointinparent tendon slidersite "
                 "cranksite"),
        _kp(), _kv(0), _DAMPRATIO, _INPUT)),
    ShortcutRow("pid", "pid", "a servo with integral term and several inputs", rows(
        _NORMAL, _INHERITRANGE, _RANGES, real("posrange", "bounds of the position input", None, count=2),
        _kp(), _kv(0), _DAMPRATIO, real("ki", "integral gain", None),
        real("imax", "bound of the integral term", None, lowest=0),
        real("slewmax", "largest rate of the setpoint, 0 for none", None, lowest=0), _INPUT), decides_jointly=True),
    ShortcutRow("damper", "affine", "a damper whose strength is the control", rows(
        _without(_NORMAL, "ctrllimited"), _kv(0)), no_negative=True),
    ShortcutRow("cylinder", "fixed", "a pneumatic or hydraulic cylinder", rows(
        _NORMAL, real("timeconst", "time constant of the activation", None),
        real("area", "area of the piston", None), real("diameter", "diameter of the piston, instead of its area", None),
        real("bias", "bias parameters", None, count=3))),
    ShortcutRow("muscle", "muscle", "a muscle", rows(
        _without(_NORMAL, "site refsite"),
        real("timeconst", "time constants of activation and deactivation", None, count=2),
        real("tausmooth", "width of the smooth switch between them", None, lowest=0),
        real("range", "operating range of lengths", None, count=2),
        *(real(name, doc, None) for name, doc in (
            ("force", "peak force, negative for automatic"), ("scale", "peak force for a unit acceleration"),
            ("lmin", "shortest active length"), ("lmax", "longest active length"), ("vmax", "fastest shortening"),
            ("fpmax", "passive force at lmax"), ("fvmax", "force of lengthening"))))),
    ShortcutRow("adhesion", "fixed", "pulls a body towards what it touches", rows(
        _BASE, _CTRLRANGE, user("actuator_user"), _FORCE, refers("body", "body", "the body", required=True),
        real("gain", "force per control", None, lowest=0)), no_negative=True),
    ShortcutRow("dcmotor", "dcmotor", "an electric motor with its controller", rows(
        _without(_NORMAL, "forcelimited forcerange"),
        real("motorconst", "torque and voltage constant", None, count=(1, 2)),
        real("resistance", "electrical resistance", None),
        real("nominal", "nominal voltage, stall torque, no-load speed", None, count=(1, 3)),
        real("saturation", "largest torque, current and current rate", None, count=(1, 3)),
        real("inductance", "inductance, electrical time constant", None, count=(1, 2)),
        real("cogging", "amplitude, poles and phase of cogging", None, count=(1, 3)),
        real("controller", "kp, ki, kd, slew rate, integral bound, largest voltage", None, count=(1, 6)),
        real("thermal", "thermal resistance, capacity, time constant, coefficient, reference, ambient", None,
            count=(1, 6)),
        real("lugre", "bristle friction: stiffness, damping, Coulomb, static, Stribeck speed", None, count=(1, 5)),
        _INPUT), decides_jointly=True),
)}  # fmt: skip

ACTUATORS = (
    element("actuator", "what drives the model",
            many=" ".join(f"actuator/{tag}" for tag in ("general", *SHORTCUTS, "plugin"))),
    element(
        "actuator/general", "an actuator in full generality",
        _NORMAL, _ACT, _targets(general=True),
        integer("actdim", "how many activations, -1 for automatic", -1),
        _INPUT, _RANGES, _INHERITRANGE,
        keyword("dyntype", "activation dynamics; hill is our own", _DYN_WORDS, "none", "actuator_dyntype"),
        keyword("gaintype", "gain; hill is our own", _GAIN_WORDS, "fixed", "actuator_gaintype"),
        keyword("biastype", "bias", _BIAS_WORDS, "none", "actuator_biastype"),
        real("dynprm", "parameters of the dynamics", _PRM, "actuator_dynprm", (1, 10)),
        real("gainprm", "parameters of the gain", _PRM, "actuator_gainprm", (1, 10)),
        real("biasprm", "parameters of the bias", (0.0,) * 10, "actuator_biasprm", (1, 10)),
        flag("actearly", "the force uses the activation of the next step", False, "actuator_actearly"),
    ),
    *(element(f"actuator/{row.tag}", row.doc, row.attributes) for row in SHORTCUTS.values()),
    element("actuator/plugin", "an actuator driven by a plugin", _without(_NORMAL, "refsite"), _ACT,
            PLUGIN_REFERENCE, integer("actdim", "how many activations, with those of the plugin", -1),
            keyword("dyntype", "activation dynamics", _DYN_WORDS, "none", "actuator_dyntype"),
            real("dynprm", "parameters of the dynamics", _PRM, "actuator_dynprm", (1, 10)),
            flag("actearly", "the force uses the activation of the next step", False, "actuator_actearly"),
            many="config"),
)  # fmt: skip
