"""Limits of joints as objects: where a joint stops, how hard and with which bounce."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from phalanx.compiler.mechanism.expand_all import is_degree
from phalanx.compiler.text.element import Element
from phalanx.mechanism.contact_settings import ContactSettings
from phalanx.mechanism.quantities import between
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError
from phalanx.memory.fill import numbers
from phalanx.tables.joints import SCALAR_TAGS
from phalanx.world.model import Model
from phalanx.world.spec import Spec


@dataclass(frozen=True)
class JointStop:
    """Mechanical stops at both ends of the range of a hinge or a slide: a spring and a damper each.

    A limit is a row like that of a contact, so its physics is the same (`ContactSettings`). On a slide, read N for N·m,
    m for rad and kg for kg·m².

    Attributes:
        low, high: the range [rad].
        settings: stiffness [N·m/rad], damping [N·m·s/rad] and effective inertia [kg·m²] of the stops; None for those of
            MJCF.
        margin: distance from the end at which a stop begins to act [rad].

    Example:
        >>> rubber = ContactSettings.from_restitution(0.3, mass=0.02, stiffness=200.0)
        >>> stop = JointStop(-1.0, 1.0, rubber)
        >>> stop.settings.penetration(load=2.0)
        0.01
    """

    low: float
    high: float
    settings: ContactSettings | None = None
    margin: float = 0.0

    def __post_init__(self) -> None:
        ends = numbers("the range", (self.low, self.high)).astype(float)
        if not np.isfinite(ends).all() or not ends[0] < ends[1]:
            raise FieldError(f"a joint stops at a lower and a higher end, not at {self.low!r} and {self.high!r}")
        object.__setattr__(self, "margin", between("margin", self.margin, 0.0, math.inf))

    @arguments_checked
    def attach(self, spec: Spec, joint: Element | str) -> None:
        """Give a joint these limits: attributes of MJCF, which replace those it has.

        Args:
            spec: the model.
            joint: a hinge or a slide, or its name.
        """
        target: Any = spec.joint(joint) if isinstance(joint, str) else joint
        kind = target.resolved("type") if target.tag == "joint" else ""
        if kind not in SCALAR_TAGS:
            raise FieldError(f"a {' or '.join(SCALAR_TAGS)} has stops at both ends, not {target}")
        is_degrees = kind == "hinge" and is_degree(spec.root)
        ends = (self.low, self.high)
        target.range = tuple(math.degrees(end) for end in ends) if is_degrees else ends
        target.limited = "true"
        target.margin = self.margin or None
        if self.settings is not None:
            target.solreflimit, target.solimplimit = self.settings.solref, self.settings.solimp


@arguments_checked
def joint_inertia(model: Model, joint: int | str) -> float:
    """Effective inertia of a hinge [kg·m²] or mass of a slide [kg], as the constraint solver takes it."""
    found = model.names.id_of("joint", joint)
    if model.jnt_dofadr[found] + 1 < model.nv and model.dof_jntid[model.jnt_dofadr[found] + 1] == found:
        raise FieldError(f"{model.names.label('joint', found)} has several dofs: its inertia is no single number")
    return 1.0 / float(model.dof_invweight0[model.jnt_dofadr[found]])
