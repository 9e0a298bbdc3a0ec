"""Motors as objects: a joint with limits, friction and reflected inertia, and the actuator that drives it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from phalanx.compiler.edit.typed_element import TypedElement
from phalanx.compiler.mechanism.expand_all import is_degree
from phalanx.compiler.text.element import Element
from phalanx.mechanism.motor_presets import PRESETS
from phalanx.mechanism.quantities import between, positive
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.fill import numbers
from phalanx.tables.joints import SCALAR_TAGS
from phalanx.world.spec import Spec


@dataclass(frozen=True)
class ModeRow:
    """A way to command a motor.

    Attributes:
        doc: what the control is.
        tag: the actuator of an ideal motor; of one with a torque-speed line it is always a dcmotor.
        inputs: inputs of the dcmotor, in its words.
        gains: which of the gains kp, kd it needs.
    """

    doc: str
    tag: str
    inputs: str
    gains: tuple[str, ...]


#: Modes by name.
MODES: dict[str, ModeRow] = {
    "position": ModeRow("an angle [rad]", "position", "pos", ("kp", "kd")),
    "velocity": ModeRow("a speed [rad/s]", "velocity", "vel", ("kd",)),
    "torque": ModeRow("a torque [N·m]", "motor", "ff", ()),
    "pd": ModeRow("an angle, a speed and a torque [rad, rad/s, N·m]", "pid", "pos vel ff", ("kp", "kd")),
    "dc": ModeRow("a voltage [V]", "dcmotor", "voltage", ()),
}


@dataclass(frozen=True)
class Motor:
    """A motor with its gear, at the joint that it drives: torques and speeds are those of the joint.

    With `stall_torque` and `no_load_speed` its torque falls with speed, as that of an electric motor at a voltage does;
    otherwise it is ideal up to `max_torque`. On a slide, read N for N·m and m for rad.

    Attributes:
        mode: what the control is: "position", "velocity", "torque", "pd" (all three) or "dc" (a voltage).
        max_torque: limit of the current, as a torque [N·m]; None for none.
        stall_torque: torque at rest and full voltage [N·m].
        no_load_speed: speed without a load at full voltage [rad/s].
        voltage: the full voltage [V].
        kp: torque per angle [N·m/rad].
        kd: torque per speed [N·m·s/rad].
        gear: rotations of the rotor per rotation of the joint.
        rotor_inertia: inertia of the rotor about its axis [kg·m²]; the joint feels it times gear².
        armature: further inertia at the joint [kg·m²].
        friction: dry friction [N·m].
        damping: viscous friction [N·m·s/rad].
        limits: lower and upper limit of the joint [rad]; None leaves the joint as it is.
        delay: from a command to its effect [s].

    Example:
        >>> motor = Motor.preset("dynamixel_ax12a", mode="position", kp=8.0, kd=0.2)
        >>> motor.torque_at([0.0, 3.0, 10.0]).round(3).tolist()
        [1.5, 0.772, 0.0]
    """

    mode: str = "torque"
    max_torque: float | None = None
    stall_torque: float | None = None
    no_load_speed: float | None = None
    voltage: float | None = None
    kp: float = 0.0
    kd: float = 0.0
    gear: float = 1.0
    rotor_inertia: float = 0.0
    armature: float = 0.0
    friction: float = 0.0
    damping: float = 0.0
    limits: tuple[float, float] | None = None
    delay: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.mode, str) or self.mode not in MODES:
            raise FieldError(f"there is no mode {self.mode!r} of motors{suggestion(str(self.mode), MODES)}")
        for name in ("max_torque", "stall_torque", "no_load_speed", "voltage"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, positive(name, getattr(self, name)))
        object.__setattr__(self, "gear", positive("gear", self.gear))
        for name in ("kp", "kd", "rotor_inertia", "armature", "friction", "damping", "delay"):
            object.__setattr__(self, name, between(name, getattr(self, name), 0.0, math.inf))
        self._check_line()
        self._check_gains()
        if self.limits is not None:
            low, high = _limits(self.limits)
            object.__setattr__(self, "limits", (low, high))

    def _check_line(self) -> None:
        """The torque-speed line takes three numbers, all or none."""
        given = [name for name in ("stall_torque", "no_load_speed", "voltage") if getattr(self, name) is not None]
        if 0 < len(given) < 3:
            words = "give stall_torque, no_load_speed and voltage, or none of them"
            raise FieldError(f"{' and '.join(given)} alone: {words}")
        if self.mode == "dc" and not given:
            raise FieldError('mode "dc" needs stall_torque, no_load_speed and voltage')

    def _check_gains(self) -> None:
        """Gains that the mode needs are there, and no others."""
        needed = MODES[self.mode].gains
        for name in ("kp", "kd"):
            if getattr(self, name) and name not in needed:
                raise FieldError(f"{name} has no effect in mode {self.mode!r}")
        if needed and not getattr(self, needed[0]):
            raise FieldError(f"mode {self.mode!r} needs {needed[0]}, above zero")

    @classmethod
    def from_rotor(
        cls, *, torque_constant: float, resistance: float, voltage: float, gear: float = 1.0, **others: Any
    ) -> Motor:
        """A motor from the constants of its rotor.

        Args:
            torque_constant: torque of the rotor per current, and voltage per speed [N·m/A, V·s/rad].
            resistance: of the winding [Ohm].
            voltage: full voltage [V].
            gear: rotations of the rotor per rotation of the joint.
            **others: see the attributes.
        """
        constant, voltage = positive("torque_constant", torque_constant), positive("voltage", voltage)
        stall = positive("gear", gear) * constant * voltage / positive("resistance", resistance)
        return cls(stall_torque=stall, no_load_speed=voltage / (gear * constant), voltage=voltage, gear=gear, **others)

    @classmethod
    @arguments_checked
    def preset(cls, name: str, **changes: Any) -> Motor:
        """A motor that can be bought or is published, with numbers of its maker; `motor_presets()` lists them.

        Args:
            name: of the preset.
            **changes: mode, gains, limits and so on; see the attributes.
        """
        if name not in PRESETS:
            raise FieldError(f"there is no motor {name!r}{suggestion(str(name), PRESETS)}")
        return cls(**{**PRESETS[name].numbers, **changes})

    def with_(self, **changes: Any) -> Motor:
        """The same motor with some attributes changed."""
        return replace(self, **changes)

    # --- torque and speed

    @property
    def has_line(self) -> bool:
        """Does its torque fall with speed?"""
        return self.stall_torque is not None

    def torque_at(self, speed: Any) -> np.ndarray:
        """The largest torque that it can drive with at a speed [N·m]; friction is not subtracted.

        Args:
            speed: of the joint, in the direction of the torque [rad/s], any shape.
        """
        speeds = numbers("speed", speed).astype(float)
        torque = np.full(speeds.shape, np.inf)
        if self.stall_torque is not None and self.no_load_speed is not None:
            torque = self.stall_torque * (1.0 - speeds / self.no_load_speed)
        bound = math.inf if self.max_torque is None else self.max_torque
        # beyond the no-load speed the voltage is too low to drive: the motor brakes
        return np.clip(torque, 0.0, bound)

    # --- elements

    @arguments_checked
    def attach(self, spec: Spec, joint: Element | str, name: str | None = None) -> TypedElement:
        """Put the motor on a joint: its actuator is added, and the joint gets limits, friction and inertia.

        Attributes of the joint that the motor has no number for stay as they are.

        Args:
            spec: the model.
            joint: a hinge or a slide, or its name.
            name: of the actuator; that of the joint if None.

        Returns:
            The actuator, a plain element of MJCF.
        """
        target: Any = spec.joint(joint) if isinstance(joint, str) else joint
        if target.tag != "joint" or target.resolved("type") not in SCALAR_TAGS:
            raise FieldError(f"a motor drives a {' or '.join(SCALAR_TAGS)}, not {target}")
        if not target.name:
            raise FieldError("the joint needs a name, so that the actuator can refer to it")
        delay = self._delay(spec)
        # ranges of hinges are written in the unit of the file
        for attribute, value in self._joint_values(is_degree(spec.root) and target.resolved("type") == "hinge").items():
            target[attribute] = value
        tag = "dcmotor" if self.has_line else MODES[self.mode].tag
        values = self._line_values() if self.has_line else self._ideal_values()
        section: Any = spec.section("actuator")
        actuator: TypedElement = section.add(tag, name=name or target.name, joint=target, **values, **delay)
        return actuator

    def _joint_values(self, degree: bool) -> dict[str, Any]:
        """Attributes of the joint, as far as the motor has numbers for them."""
        inertia = self.rotor_inertia * self.gear**2 + self.armature
        found: dict[str, Any] = {"armature": inertia, "frictionloss": self.friction, "damping": self.damping}
        found = {attribute: value for attribute, value in found.items() if value}
        if self.limits is not None:
            found["range"] = np.degrees(self.limits).tolist() if degree else self.limits
            found["limited"] = "true"
        return found

    def _ideal_values(self) -> dict[str, Any]:
        """Attributes of the actuator of a motor without a torque-speed line."""
        values: dict[str, Any] = {}
        if self.max_torque is not None:
            values["forcerange"] = (-self.max_torque, self.max_torque)
        if self.mode in ("position", "pd"):
            values |= {"kp": self.kp, "kv": self.kd}
        if self.mode == "velocity":
            values["kv"] = self.kd
        if self.mode == "pd":
            values["input"] = MODES["pd"].inputs
        if self.mode == "position" and self.limits is not None:
            values["ctrlrange"] = self.limits
        if self.mode == "torque" and self.max_torque is not None:
            values["ctrlrange"] = (-self.max_torque, self.max_torque)
        return values

    def _line_values(self) -> dict[str, Any]:
        """Attributes of the dcmotor of a motor with a torque-speed line; its gear is in the numbers of the joint."""
        voltage: Any = self.voltage
        values: dict[str, Any] = {
            "nominal": (voltage, self.stall_torque, self.no_load_speed), "input": MODES[self.mode].inputs,
        }  # fmt: skip
        if self.mode == "dc":
            values["ctrlrange"] = (-voltage, voltage)
        else:
            # kp, ki, kd, slew rate, bound of the integral, largest voltage
            values["controller"] = (self.kp, 0.0, self.kd, 0.0, 0.0, voltage)
        if self.mode == "position" and self.limits is not None:
            values["ctrlrange"] = self.limits
        if self.max_torque is not None:
            values["saturation"] = (self.max_torque,)
        return values

    def _delay(self, spec: Spec) -> dict[str, Any]:
        """Attributes of a delayed control: as many samples of the past as it takes."""
        if not self.delay:
            return {}
        timestep = float(spec.option.resolved("timestep"))
        return {"delay": self.delay, "nsample": math.ceil(self.delay / timestep) + 1}


def _limits(value: Any) -> tuple[float, float]:
    pair = numbers("limits", value).astype(float)
    if pair.shape != (2,) or not np.isfinite(pair).all() or not pair[0] < pair[1]:
        raise FieldError(f"limits are a lower and a higher number, not {value!r}")
    return float(pair[0]), float(pair[1])
