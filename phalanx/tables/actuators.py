"""Kinds of transmission, activation dynamics, gain and bias: one row each.

An actuator combines four of them. Its transmission says what it acts on, its dynamics how activations follow controls,
and its force is driven part plus bias, where the driven part is usually gain times control or activation.

Keywords and attributes in MJCF, checks, counts of inputs, outputs and activations, and the lists of kernel files derive
from the rows. What a kind's kernels do is in the file that its row names, in `phalanx/smooth/actuator`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from phalanx.tables.enums import BiasType, CtrlChart, CtrlInput, DynType, GainType, TrnType


class Moments(Enum):
    """Which dofs can have a moment arm: how many entries of the moment matrix a transmission needs."""

    JOINT = "the dofs of a joint"
    TENDON = "the dofs that change the length of a tendon"
    EITHER = "dofs that move one of two sites, or both"
    ONE = "dofs that move one of two sites, but not both"
    AXES = "one dof for each output on a joint, all dofs for each output on sites"
    ALL = "all dofs"


class Servo(Enum):
    """Is the input of a gain a setpoint of the actuator's length?"""

    NEVER = "no"
    BALANCED = "if the bias is affine with stiffness equal to the gain: gainprm[0] == -biasprm[1]"
    ALWAYS = "yes"


@dataclass(frozen=True, eq=False)
class TransmissionRow:
    """A kind of transmission.

    Attributes:
        kind: its value in the Model.
        target: attribute in MJCF that names what it acts on, "" if a gain asks for it (`GainRow.transmission`).
        of: what it acts on, a kind of object.
        module: the file in `phalanx/smooth/actuator` that holds its kernels.
        doc: what is driven.
        names: attributes that name objects of this kind, with their meaning, in the order of written files.
        own: attributes that no other transmission has.
        owners: who has them, in words.
        second: what it acts on if it has a second object, "" for the same.
        reflects: damping and armature of the actuator are reflected to what it acts on.
        moments: dofs that can have a moment arm.
        general: only general actuators take it, and shortcuts that name it themselves.
    """

    kind: TrnType
    target: str
    of: str
    module: str
    doc: str
    names: Mapping[str, str] = field(default_factory=dict)
    own: tuple[str, ...] = ()
    owners: str = ""
    second: str = ""
    reflects: bool = False
    moments: Moments = Moments.ALL
    general: bool = False

    def acts_on(self, has_second: bool) -> str:
        """The kind of object that trnid[0] is of."""
        return self.second if has_second and self.second else self.of


class _Parameters:
    """What rows with parameters have in common."""

    parameters: Mapping[str, str]

    def places(self, *names: str) -> tuple[int, ...]:
        """Columns of parameters in dynprm, gainprm or biasprm."""
        known = list(self.parameters)
        return tuple(known.index(name) for name in names)


@dataclass(frozen=True, eq=False)
class DynamicsRow(_Parameters):
    """A kind of activation dynamics.

    Attributes:
        kind: its value in the Model.
        tag: keyword in MJCF.
        module: the file in `phalanx/smooth/actuator` that holds its kernels, "" if it needs none.
        doc: how activations change.
        parameters: meaning of the columns of dynprm, by name.
        activations: how many; None for a rule, `ACTIVATIONS` in `phalanx/compiler/object/actuator_rules.py`.
        gains: gains that it goes with, () for all.
        bounded: actrange bounds its activations.
        keeps_setpoint: the last activation is a setpoint that follows the control.
        setpoint_range: the range that holds the setpoints of a servo, "" if there is none to inherit.
        uses_velocity: activations are advanced with the velocity of the actuator, at the start of a Runge-Kutta step.
        needs_early: actearly must be set.
        scales: frames that scale know the dimensions of its parameters.
    """

    kind: DynType
    tag: str
    module: str
    doc: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    activations: int | None = 1
    gains: tuple[str, ...] = ()
    bounded: bool = True
    keeps_setpoint: bool = False
    setpoint_range: str = ""
    uses_velocity: bool = False
    needs_early: bool = False
    scales: bool = False


@dataclass(frozen=True, eq=False)
class GainRow(_Parameters):
    """A kind of gain: how the input becomes force.

    Attributes:
        kind: its value in the Model.
        tag: keyword in MJCF.
        module: the file in `phalanx/smooth/actuator` that holds its kernels.
        doc: the driven force.
        parameters: meaning of the columns of gainprm, by name.
        inputs: words for what a control means; there is one control, and saying what it means is optional.
        several: some of `inputs` are chosen, each with a control of its own; "none" among them: there may be none.
        assumed: inputs if none is chosen.
        ranges: inputs that have bounds of their own -> attribute that has them; others have ctrlrange.
        outputs: force outputs.
        limits_norm: forcerange bounds the norm of the outputs, not each of them.
        called: what an actuator with it is called in messages.
        transmission: the transmission it brings along, whatever the target.
        not_on: attributes of targets that it does not take.
        biases: biases that it goes with, () for all.
        dynamics: dynamics that it goes with, () for all.
        with_same_bias: it and the bias of the same name go together.
        with_same_dynamics: it and the dynamics of the same name go together.
        servo: is the input a setpoint of the length?
        scales: frames that scale know the dimensions of its parameters.
    """

    kind: GainType
    tag: str
    module: str
    doc: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    inputs: tuple[str, ...] = ()
    several: bool = False
    assumed: tuple[str, ...] = ()
    ranges: Mapping[str, str] = field(default_factory=dict)
    outputs: int = 1
    limits_norm: bool = False
    called: str = ""
    transmission: TrnType | None = None
    not_on: tuple[str, ...] = ()
    biases: tuple[str, ...] = ()
    dynamics: tuple[str, ...] = ()
    with_same_bias: bool = False
    with_same_dynamics: bool = False
    servo: Servo = Servo.NEVER
    scales: bool = False


@dataclass(frozen=True, eq=False)
class BiasRow(_Parameters):
    """A kind of bias: the force that does not depend on the input.

    Attributes:
        kind: its value in the Model.
        tag: keyword in MJCF.
        module: the file in `phalanx/smooth/actuator` that holds its kernels, "" if it needs none.
        doc: the force.
        parameters: meaning of the columns of biasprm, by name.
        scales: frames that scale know the dimensions of its parameters.
    """

    kind: BiasType
    tag: str
    module: str
    doc: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    scales: bool = False


# --- transmissions

#: In the order in which targets are looked for in MJCF.
TRANSMISSIONS: dict[TrnType, TransmissionRow] = {row.kind: row for row in (
    TransmissionRow(TrnType.JOINT, "joint", "joint", "transmission", "dofs of a joint, gear in the child frame",
                    {"joint": "joint that is driven"}, reflects=True, moments=Moments.JOINT),
    TransmissionRow(TrnType.JOINTINPARENT, "jointinparent", "joint", "transmission",
                    "dofs of a joint, gear in the parent frame",
                    {"jointinparent": "joint that is driven, with the gear in the parent frame"},
                    reflects=True, moments=Moments.JOINT),
    TransmissionRow(TrnType.TENDON, "tendon", "tendon", "tendon_transmission", "length of a tendon",
                    {"tendon": "tendon that is driven"}, reflects=True, moments=Moments.TENDON),
    TransmissionRow(TrnType.SLIDERCRANK, "cranksite", "site", "slider_crank", "a slider that pushes a crank by a rod",
                    {"slidersite": "slider of a slider-crank", "cranksite": "pin of a slider-crank"},
                    own=("slidersite", "cranklength"), owners="slider-cranks", moments=Moments.EITHER),
    TransmissionRow(TrnType.SITE, "site", "site", "site_transmission",
                    "wrench at a site, also relative to a reference site",
                    {"site": "site that is driven", "refsite": "site that the driven one is measured from"},
                    own=("refsite",), owners="actuators of a site", moments=Moments.ONE),
    TransmissionRow(TrnType.BODY, "body", "body", "contact_transmission", "contacts of a body, along their normals",
                    {"body": "body whose contacts are driven"}, general=True),
    TransmissionRow(TrnType.SO3, "", "joint", "site_transmission",
                    "orientation of a ball joint, or of a site relative to a reference site",
                    second="site", moments=Moments.AXES),
)}  # fmt: skip

# --- parameters that several kinds share

_AFFINE = {
    "constant": "force per input [N]", "per_length": "more of it per length [N/m]",
    "per_velocity": "more of it per velocity [N·s/m]",
}  # fmt: skip
_MUSCLE = {
    "range_low": "shortest length of the operating range [optimal lengths]",
    "range_high": "longest length of the operating range [optimal lengths]",
    "force": "peak force; negative: scale / actuator_acc0 [N]", "scale": "peak force of a unit acceleration",
    "lmin": "shortest length with active force", "lmax": "longest length with active force",
    "vmax": "fastest shortening [optimal lengths per second]",
    "fpmax": "passive force at lmax [peak forces]", "fvmax": "force of fast lengthening [peak forces]",
}  # fmt: skip
_FILTER = {"time_constant": "time in which the distance to the control falls to 1/e [s]"}

# --- activation dynamics

DYNAMICS: dict[DynType, DynamicsRow] = {row.kind: row for row in (
    DynamicsRow(DynType.NONE, "none", "", "none: the control acts at once", activations=0,
                setpoint_range="ctrlrange", scales=True),
    DynamicsRow(DynType.INTEGRATOR, "integrator", "linear_dynamics", "the control is the rate of the activation",
                activations=None, keeps_setpoint=True, setpoint_range="actrange", scales=True),
    DynamicsRow(DynType.FILTER, "filter", "linear_dynamics", "first-order filter, Euler step", _FILTER,
                keeps_setpoint=True, scales=True),
    DynamicsRow(DynType.FILTEREXACT, "filterexact", "linear_dynamics", "first-order filter, solved exactly", _FILTER,
                keeps_setpoint=True, setpoint_range="ctrlrange", scales=True),
    DynamicsRow(DynType.MUSCLE, "muscle", "muscle", "activation of a muscle, faster up than down",
                {"activation_time": "time constant of activation [s]",
                 "deactivation_time": "time constant of deactivation [s]",
                 "switch_width": "width of the smooth switch between them"}, scales=True),
    DynamicsRow(DynType.DCMOTOR, "dcmotor", "dc_motor", "setpoint, integral, temperature, bristle, current of a motor",
                {"electric_time": "inductance / resistance, 0 for none [s]",
                 "current_rate": "largest rate of the current, 0 for none [A/s]",
                 "thermal_resistance": "temperature per heat flow, 0 for no heat [K/W]",
                 "thermal_capacity": "heat per temperature [J/K]", "ambient": "ambient temperature [°C]",
                 "bristle_stiffness": "LuGre: force per deflection, 0 for none",
                 "bristle_damping": "LuGre: force per rate of deflection",
                 "slew": "largest rate of the setpoint, 0 for none", "integral_limit": "bound of the integral"},
                activations=None, bounded=False, uses_velocity=True, needs_early=True),
    DynamicsRow(DynType.PID, "pid", "pid", "rate-limited setpoint and integral of the error",
                {"imax": "bound of the integral, 0 for none", "slewmax": "largest rate of the setpoint, 0 for none"},
                activations=None, gains=("pid",), setpoint_range="ctrlrange", scales=True),
    DynamicsRow(DynType.USER, "user", "user_actuator", "what a hook says", activations=None),
    DynamicsRow(DynType.HILL, "hill", "hill_muscle", "activation and, with an elastic tendon, length of the fibers",
                {"activation_time": "time constant of activation [s]",
                 "deactivation_time": "time constant of deactivation [s]",
                 "switch_width": "difference over which the time constants blend",
                 "length_offset": "length of the muscle where that of the actuator is zero [m]"}, activations=None),
)}  # fmt: skip

# --- gains

_DECLARED = ("pos", "vel", "pressure")

GAINS: dict[GainType, GainRow] = {row.kind: row for row in (
    GainRow(GainType.FIXED, "fixed", "linear_force", "constant times input", {"gain": "force per input"},
            inputs=_DECLARED, servo=Servo.BALANCED, scales=True),
    GainRow(GainType.AFFINE, "affine", "linear_force", "input times a gain that is affine in length and velocity",
            _AFFINE, inputs=_DECLARED, scales=True),
    GainRow(GainType.MUSCLE, "muscle", "muscle", "active force of a muscle", _MUSCLE, scales=True),
    GainRow(GainType.DCMOTOR, "dcmotor", "dc_motor", "torque of the current, from a voltage or a controller",
            {"resistance": "electrical resistance [ohm]", "motor_constant": "torque per current [N·m/A]",
             "heat_coefficient": "relative resistance per temperature [1/K]",
             "reference_temperature": "temperature of the given resistance [°C]",
             "kp": "position gain", "ki": "integral gain", "kd": "velocity gain",
             "voltage_limit": "largest voltage of the controller, 0 for none [V]"},
            inputs=("none", "pos", "vel", "ff", "voltage"), several=True, assumed=("voltage",)),
    GainRow(GainType.SO3, "so3", "orientation_servo", "stiffness times the rotation to the target",
            {"stiffness": "torque per angle [N·m/rad]"}, inputs=("expmap", "quat"), assumed=("expmap",), outputs=3,
            limits_norm=True, called="an orientation servo", transmission=TrnType.SO3, dynamics=("none", "integrator"),
            with_same_bias=True, scales=True),
    GainRow(GainType.PID, "pid", "pid", "setpoints times the gains of the bias, plus integral term",
            {"ki": "integral gain"}, inputs=("pos", "vel", "ff"), several=True, assumed=("pos", "vel"),
            ranges={"vel": "velrange", "ff": "ffrange"}, not_on=("body",), biases=("affine",), dynamics=("none", "pid"),
            servo=Servo.ALWAYS, scales=True),
    GainRow(GainType.USER, "user", "user_actuator", "what a hook says, times input"),
    GainRow(GainType.HILL, "hill", "hill_muscle", "force of fibers in series with a tendon",
            {"max_isometric_force": "force of active fibers at optimal length and rest [N]",
             "optimal_fiber_length": "length at which fibers are strongest [m]",
             "tendon_slack_length": "length up to which the tendon bears nothing [m]",
             "pennation_angle": "between fibers and tendon at optimal length [rad]",
             "max_contraction_velocity": "fastest shortening [optimal lengths per second]",
             "fiber_damping": "force of fibers per normalized velocity",
             "tendon_strain": "strain of the tendon under the largest isometric force",
             "passive_strain": "strain of passive fibers under that force",
             "eccentric_force": "largest force of fibers that are lengthened",
             "curvature": "a/F0 of Hill's hyperbola"}, with_same_dynamics=True),
)}  # fmt: skip

# --- biases

BIASES: dict[BiasType, BiasRow] = {row.kind: row for row in (
    BiasRow(BiasType.NONE, "none", "", "none", scales=True),
    BiasRow(BiasType.AFFINE, "affine", "linear_force", "affine in length and velocity",
            {"constant": "force [N]", "per_length": "force per length [N/m]",
             "per_velocity": "force per velocity [N·s/m]"}, scales=True),
    BiasRow(BiasType.MUSCLE, "muscle", "muscle", "passive force of a muscle", _MUSCLE, scales=True),
    BiasRow(BiasType.DCMOTOR, "dcmotor", "dc_motor", "back-EMF; cogging and bristle friction of the shaft",
            {"cogging": "amplitude of the cogging torque [N·m]", "poles": "periods of cogging per angle",
             "phase": "phase of cogging [rad]", "coulomb": "friction of fast sliding [N·m]",
             "static": "friction at rest [N·m]", "stribeck": "speed at which friction falls [rad/s]"}),
    BiasRow(BiasType.SO3, "so3", "orientation_servo", "a constant, and damping of the rotation",
            {"constant": "torque about each axis [N·m]", "stiffness": "minus that of the gain [N·m/rad]",
             "damping": "torque per angular velocity, negative [N·m·s/rad]"}, scales=True),
    BiasRow(BiasType.USER, "user", "user_actuator", "what a hook says"),
)}  # fmt: skip

# --- by keyword, for the compiler

#: Words of inputs -> code in actuator_ctrlspec, in the order in which they are written.
INPUT_CODES: dict[str, int] = {bit.name.lower(): int(bit) for bit in CtrlInput if bit.name}
#: The same for the one input of an orientation servo.
CHART_CODES: dict[str, int] = {chart.name.lower(): int(chart) for chart in CtrlChart}

DYNAMICS_BY_TAG: dict[str, DynamicsRow] = {row.tag: row for row in DYNAMICS.values()}
GAINS_BY_TAG: dict[str, GainRow] = {row.tag: row for row in GAINS.values()}
BIASES_BY_TAG: dict[str, BiasRow] = {row.tag: row for row in BIASES.values()}

# --- files that hold kernels


def _files(modules: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"phalanx.smooth.actuator.{name}" for name in dict.fromkeys(modules) if name)


TRANSMISSION_MODULES = _files(row.module for row in TRANSMISSIONS.values())
DYNAMICS_MODULES = _files(row.module for row in DYNAMICS.values())
GAIN_MODULES = _files(row.module for row in GAINS.values())
BIAS_MODULES = _files(row.module for row in BIASES.values())

# --- columns as lists of kinds, for kernels

#: Transmissions that reflect damping and armature, by what they drive.
JOINT_TRANSMISSIONS = tuple(int(r.kind) for r in TRANSMISSIONS.values() if r.reflects and r.of == "joint")
TENDON_TRANSMISSIONS = tuple(int(r.kind) for r in TRANSMISSIONS.values() if r.reflects and r.of == "tendon")
#: Dynamics whose activations actrange does not bound.
UNBOUNDED_DYNAMICS = tuple(int(row.kind) for row in DYNAMICS.values() if not row.bounded)
#: Dynamics whose last activation is a setpoint that follows the control.
SETPOINT_DYNAMICS = tuple(int(row.kind) for row in DYNAMICS.values() if row.keeps_setpoint)
#: Dynamics that advance activations with the velocity of the actuator.
VELOCITY_DYNAMICS = tuple(int(row.kind) for row in DYNAMICS.values() if row.uses_velocity)
#: Gains whose input is a setpoint of the length, always and with a bias that balances them.
SERVO_GAINS = tuple(int(row.kind) for row in GAINS.values() if row.servo is Servo.ALWAYS)
BALANCED_GAINS = tuple(int(row.kind) for row in GAINS.values() if row.servo is Servo.BALANCED)
