"""HillMuscle: a muscle with fibers and a tendon in series, as parameters of an actuator. An extension of Phalanx.

This file has the layout of the parameters, the constants of the curves and the curves in NumPy; the physics, with its
formulas, is in `phalanx/smooth/actuator/hill_muscle.py` and docs/muscles.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import ModelError, suggestion
from phalanx.memory.fill import numbers
from phalanx.tables.actuators import DYNAMICS, GAINS
from phalanx.tables.enums import DynType, GainType
from phalanx.tables.sizes import NDYN

Parameters = np.ndarray | Sequence[float]

# --- where the parameters are

#: In actuator_dynprm, and their columns.
DYN_NAMES = tuple(DYNAMICS[DynType.HILL].parameters)
ACTIVATION_TIME, DEACTIVATION_TIME, SWITCH_WIDTH, LENGTH_OFFSET = DYNAMICS[DynType.HILL].places(
    "activation_time", "deactivation_time", "switch_width", "length_offset"
)
#: In actuator_gainprm, and their columns.
GAIN_NAMES = tuple(GAINS[GainType.HILL].parameters)
MAX_FORCE, FIBER_LENGTH, SLACK_LENGTH, PENNATION, MAX_VELOCITY, DAMPING = GAINS[GainType.HILL].places(
    "max_isometric_force", "optimal_fiber_length", "tendon_slack_length", "pennation_angle",
    "max_contraction_velocity", "fiber_damping",
)  # fmt: skip
TENDON_STRAIN, PASSIVE_STRAIN, ECCENTRIC_FORCE, CURVATURE = GAINS[GainType.HILL].places(
    "tendon_strain", "passive_strain", "eccentric_force", "curvature"
)
#: Activations, from actuator_actadr on: the activation itself and, with an elastic tendon, the normalized fiber length.
ACTIVATION, FIBER = 0, 1

# --- constants of the curves, from De Groote et al. 2016 with the corrections of OpenSim's DeGrooteFregly2016Muscle

#: Active force over length: height, center, width, and slope of the width of three bells.
BELL1 = (0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465)
BELL2 = (0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188)
BELL3 = (0.1, 1.0, 0.353553390593274, 0.0)
#: Passive force: shape of the exponential, and the length where it vanishes.
PASSIVE_SHAPE, SHORTEST = 4.0, 0.2
#: Tendon: factor of the exponential.
TENDON_FACTOR = 0.2
#: Beyond this force the exponentials go on as straight lines.
KNEE_FORCE = 2.0
#: Fibers lean at most so far that this much of their force acts along the tendon.
SMALLEST_COSINE = 0.1


@dataclass(frozen=True)
class HillMuscle:
    """A muscle: fibers that contract, in parallel to an elastic element, in series with a tendon.

    Forces are normalized by `max_isometric_force`, fiber lengths by `optimal_fiber_length`, velocities by
    `max_contraction_velocity`. See docs/muscles.md for the curves.

    Args:
        max_isometric_force: force of the fibers at full activation, optimal length and rest [N].
        optimal_fiber_length: length of the fibers at which they are strongest [m].
        tendon_slack_length: length up to which the tendon bears nothing [m]; 0 for no tendon.
        pennation_angle: between fibers and tendon at optimal length [rad].
        max_contraction_velocity: fastest shortening [optimal lengths per second].
        activation_time: time constant with which the activation rises to the control [s].
        deactivation_time: time constant with which it falls [s].
        switch_width: difference of control and activation over which the time constants blend; 0 for a hard switch.
        fiber_damping: force of the fibers per normalized velocity; it is what makes fibers without activation move.
        tendon_strain: strain of the tendon under the maximal isometric force.
        passive_strain: strain of the fibers at which they bear the maximal isometric force passively.
        eccentric_force: largest force of fibers that are being lengthened.
        curvature: a/F0 of Hill's hyperbola of shortening; small is strongly curved.
        rigid_tendon: the tendon has its slack length always.
        length_offset: length of the whole muscle where that of its actuator is zero [m]: for actuators of joints.
    """

    max_isometric_force: float
    optimal_fiber_length: float
    tendon_slack_length: float
    pennation_angle: float = 0.0
    max_contraction_velocity: float = 10.0
    activation_time: float = 0.01
    deactivation_time: float = 0.04
    switch_width: float = 0.0
    fiber_damping: float = 0.1
    tendon_strain: float = 0.049
    passive_strain: float = 0.6
    eccentric_force: float = 1.4
    curvature: float = 0.25
    rigid_tendon: bool = False
    length_offset: float = 0.0

    def __post_init__(self) -> None:
        for row in fields(self):
            value = getattr(self, row.name)
            try:
                is_finite = math.isfinite(value)
            except (TypeError, ValueError, OverflowError):
                raise ModelError(f"{row.name} of a muscle is a number, not {value!r:.60}") from None
            if not is_finite:
                raise ModelError(f"{row.name} of a muscle is not finite")
        for name, problem in problems_of(self.gainprm, self.dynprm):
            raise ModelError(f"{name} of a muscle {problem}, not {getattr(self, name)}")

    @classmethod
    @arguments_checked
    def preset(cls, name: str, **changes: Any) -> HillMuscle:
        """The muscle of an adult: "biceps", "gastrocnemius", "quadriceps" or "soleus".

        Args:
            name: which one.
            **changes: parameters that differ from the preset.
        """
        if name not in PRESETS:
            raise ModelError(f"there is no muscle {name!r}{suggestion(name, PRESETS)}")
        force, fiber, slack, pennation = PRESETS[name]
        given = dict(
            max_isometric_force=force, optimal_fiber_length=fiber, tendon_slack_length=slack, pennation_angle=pennation
        )
        return cls(**{**given, **changes})

    # --- as parameters of an actuator

    @property
    def is_elastic(self) -> bool:
        """Does the tendon stretch? Then the length of the fibers is a state."""
        return self.tendon_slack_length > 0 and not self.rigid_tendon

    @property
    def dynprm(self) -> np.ndarray:
        """Its actuator_dynprm."""
        given = [getattr(self, name) for name in DYN_NAMES]
        return np.array(given + [0.0] * (NDYN - len(given)))

    @property
    def gainprm(self) -> np.ndarray:
        """Its actuator_gainprm."""
        return np.array([getattr(self, name) for name in GAIN_NAMES])

    # --- curves

    def active_force(self, length: ArrayLike) -> np.ndarray:
        """Force of fully active fibers at rest, over their normalized length."""
        x = np.maximum(numbers("length", length).astype(float), self.shortest_fiber)
        return sum(b[0] * np.exp(-0.5 * ((x - b[1]) / (b[2] + b[3] * x)) ** 2) for b in (BELL1, BELL2, BELL3))

    def passive_force(self, length: ArrayLike) -> np.ndarray:
        """Force of fibers that are stretched, over their normalized length."""
        slope = PASSIVE_SHAPE / self.passive_strain
        offset, unit = math.exp(slope * (SHORTEST - 1.0)), math.exp(PASSIVE_SHAPE)
        knee = math.log(offset + KNEE_FORCE * (unit - offset))
        exponential = _straightened_exp(slope * (numbers("length", length).astype(float) - 1.0), knee)
        return np.maximum(0.0, (exponential - offset) / (unit - offset))

    def force_velocity(self, velocity: ArrayLike) -> np.ndarray:
        """Factor of the active force, over the normalized velocity of the fibers; negative is shortening."""
        v, rise = numbers("velocity", velocity).astype(float), self.eccentric_force - 1.0
        shortening = (1.0 + np.clip(v, -1.0, 0.0)) / (1.0 - np.clip(v, -1.0, 0.0) / self.curvature)
        away = np.maximum(v, 0.0)
        return np.where(v <= 0.0, shortening, 1.0 + rise * away / (away + rise / (1.0 + 1.0 / self.curvature)))

    def tendon_force(self, length: ArrayLike) -> np.ndarray:
        """Force of the tendon over its length in slack lengths."""
        stiffness = math.log(1.0 + 1.0 / TENDON_FACTOR) / self.tendon_strain
        knee = math.log(1.0 + KNEE_FORCE / TENDON_FACTOR)
        exponential = _straightened_exp(stiffness * (numbers("length", length).astype(float) - 1.0), knee)
        return np.maximum(0.0, TENDON_FACTOR * (exponential - 1.0))

    @property
    def shortest_fiber(self) -> float:
        """The shortest normalized length of the fibers."""
        return max(SHORTEST, math.sin(self.pennation_angle) / math.sqrt(1.0 - SMALLEST_COSINE**2))


def _straightened_exp(x: np.ndarray, knee: float) -> np.ndarray:
    """exp(x) up to the knee, then its tangent."""
    return np.exp(np.minimum(x, knee)) * (1.0 + np.maximum(0.0, x - knee))


#: max_isometric_force [N], optimal_fiber_length [m], tendon_slack_length [m], pennation_angle [rad].
#: biceps: long head, Holzbaur, Murray, Delp 2005, Ann. Biomed. Eng. 33, 829 (as in OpenSim's arm26). The others:
#: Rajagopal et al. 2016, IEEE Trans. Biomed. Eng. 63, 2068 (soleus_r, gasmed_r: medial head, vaslat_r: vastus
#: lateralis, the largest head). The fastest contraction is 10 optimal lengths per second in both models.
PRESETS = {
    "biceps": (624.3, 0.1157, 0.2723, 0.0),
    "gastrocnemius": (3115.5, 0.0510, 0.3987, 0.1657),
    "quadriceps": (5148.8, 0.0994, 0.2206, 0.2529),
    "soleus": (6194.8, 0.0440, 0.2768, 0.3814),
}

_DEFAULTS = {row.name: 0.0 if row.default is MISSING else row.default for row in fields(HillMuscle)}
#: What zeros in a model file stand for.
GAIN_DEFAULTS = tuple(_DEFAULTS[name] for name in GAIN_NAMES)
DYN_DEFAULTS = tuple(_DEFAULTS[name] for name in DYN_NAMES)


def problems_of(gainprm: Parameters, dynprm: Parameters) -> list[tuple[str, str]]:
    """What is wrong with the parameters of a muscle: name and words."""
    found = [
        (GAIN_NAMES[k], "must be positive")
        for k in (MAX_FORCE, FIBER_LENGTH, MAX_VELOCITY, DAMPING, TENDON_STRAIN, PASSIVE_STRAIN, CURVATURE)
        if gainprm[k] <= 0
    ]
    if gainprm[SLACK_LENGTH] < 0:
        found.append((GAIN_NAMES[SLACK_LENGTH], "cannot be negative"))
    if not 0 <= gainprm[PENNATION] < math.acos(SMALLEST_COSINE):
        found.append((GAIN_NAMES[PENNATION], "is an angle from 0 to 1.47 rad"))
    if gainprm[ECCENTRIC_FORCE] <= 1:
        found.append((GAIN_NAMES[ECCENTRIC_FORCE], "must be above 1"))
    return found + [(DYN_NAMES[k], "cannot be negative") for k in range(LENGTH_OFFSET) if dynprm[k] < 0]
