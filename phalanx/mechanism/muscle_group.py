"""Muscles that work together: pairs of antagonists on a joint, driven by a torque and a co-contraction."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from phalanx.compiler.mechanism.expand_all import is_degree
from phalanx.compiler.text.element import Element
from phalanx.mechanism.quantities import between, positive
from phalanx.mechanism.undo import all_or_none
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError
from phalanx.memory.exclusive import check_idle
from phalanx.memory.fill import items, numbers, real
from phalanx.smooth.actuator.hill_parameters import HillMuscle
from phalanx.tables.joints import SCALAR_TAGS
from phalanx.world.data import Data
from phalanx.world.spec import Spec


@dataclass(frozen=True)
class MuscleGroup:
    """Muscles that move joints one way, and those that move them the other way.

    Attributes:
        flexors: names of the actuators that pull in the positive direction.
        extensors: names of those that pull back.
    """

    flexors: tuple[str, ...]
    extensors: tuple[str, ...]

    @classmethod
    def join(cls, groups: Iterable[MuscleGroup]) -> MuscleGroup:
        """One group of several, which are then driven together."""
        groups = items(groups)
        if not all(isinstance(group, MuscleGroup) for group in groups):
            raise FieldError("a group is joined of several of MuscleGroup")
        return cls(
            tuple(name for group in groups for name in group.flexors),
            tuple(name for group in groups for name in group.extensors),
        )

    def controls(self, drive: Any, cocontraction: Any = 0.0) -> dict[str, np.ndarray]:
        """Controls of all muscles, by name, between 0 and 1.

        Args:
            drive: from -1, extensors alone, to 1, flexors alone; any shape.
            cocontraction: control of both sides without a drive, 0 to 1: it stiffens the joint without moving it.
        """
        wanted, both = numbers("drive", drive).astype(float), numbers("cocontraction", cocontraction).astype(float)
        if not (np.abs(wanted) <= 1.0).all():
            raise FieldError("drive is between -1 and 1")
        if not ((both >= 0.0) & (both <= 1.0)).all():
            raise FieldError("cocontraction is between 0 and 1")
        sides = ((self.flexors, wanted), (self.extensors, -wanted))
        return {name: both + (1.0 - both) * np.maximum(side, 0.0) for names, side in sides for name in names}

    @arguments_checked
    def apply(self, data: Data, drive: float, cocontraction: float = 0.0) -> None:
        """Set the controls of a Data."""
        check_idle(data)
        for name, value in self.controls(drive, cocontraction).items():
            data.actuator(name).ctrl = real("drive and cocontraction of a Data", value)


@arguments_checked
def muscle_pair(
    spec: Spec,
    joint: Element | str,
    *,
    arm: float,
    force: float | None = None,
    muscle: HillMuscle | None = None,
    neutral: float | None = None,
    **attributes: Any,
) -> MuscleGroup:
    """Two muscles that pull a joint against each other: MuJoCo's muscles, or Hill muscles.

    Args:
        spec: the model.
        joint: a hinge or a slide with limits, or its name.
        arm: moment arm of both [m]; on a slide, a ratio.
        force: largest isometric force of MuJoCo's muscles [N].
        muscle: parameters of Hill muscles, instead; their length is such that fibers are at their best at `neutral`.
        neutral: where both are equally strong [rad or m]; the middle of the range of the joint if None.
        **attributes: further attributes of the actuators, as MJCF has them (`timeconst`, `range`, ...).

    Returns:
        The group; its actuators are called joint_flexor and joint_extensor.
    """
    target: Any = spec.joint(joint) if isinstance(joint, str) else joint
    if target.tag != "joint" or target.resolved("type") not in SCALAR_TAGS or not target.name:
        raise FieldError(f"muscles pull a {' or '.join(SCALAR_TAGS)} with a name, not {target}")
    if (force is None) == (muscle is None):
        raise FieldError("give the force of MuJoCo's muscles, or the parameters of a HillMuscle")
    middle = _middle(spec, target) if neutral is None else real("neutral", neutral)
    names = f"{target.name}_flexor", f"{target.name}_extensor"
    section: Any = spec.section("actuator")
    # a muscle shortens when it pulls: its length falls where the joint moves its way
    with all_or_none(section):
        for name, gear in zip(names, (-positive("arm", arm), arm), strict=True):
            tag, values = "muscle", {"force": force}
            if muscle is None:
                positive("force", force)
            else:
                tag, values = "general", _hill(muscle, gear, middle)
            section.add(tag, name=name, joint=target, gear=gear, **values, **attributes)
    return MuscleGroup((names[0],), (names[1],))


def _hill(muscle: HillMuscle, gear: float, neutral: float) -> dict[str, Any]:
    """Attributes of a Hill muscle whose fibers are at optimal length, with a slack tendon, at the neutral position."""
    length = muscle.tendon_slack_length + muscle.optimal_fiber_length * math.cos(muscle.pennation_angle)
    placed = replace(muscle, length_offset=length - gear * neutral)
    return {
        "dyntype": "hill", "gaintype": "hill", "dynprm": placed.dynprm, "gainprm": placed.gainprm,
        "ctrlrange": (0.0, 1.0), "actdim": 1 + placed.is_elastic,
    }  # fmt: skip


def _middle(spec: Spec, joint: Any) -> float:
    """The middle of the range of a joint [rad or m]."""
    limits = joint.range
    if limits is None or joint.resolved("limited") == "false":
        raise FieldError(f"{joint} has no range: muscles need one, or give neutral")
    low, high = (float(limit) for limit in limits)
    factor = math.pi / 180.0 if is_degree(spec.root) and joint.resolved("type") == "hinge" else 1.0
    return between("neutral", 0.5 * (low + high) * factor, -math.inf, math.inf)
