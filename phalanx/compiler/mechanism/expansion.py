"""How a composite joint or a coupling becomes plain elements."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from phalanx.compiler.text.attribute_values import AttributeValue
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.mechanisms import PASSED
from phalanx.tables.mjcf_equality import EQUALITY_BASE
from phalanx.tables.mjcf_schema import ELEMENTS

#: Attributes that a mechanism hands to its equality.
_EQUALITY = ("class", *(row.name for row in EQUALITY_BASE))


class Expansion:
    """One mechanism, and the plain elements that it becomes.

    Attributes:
        element: the mechanism.
        made: elements that take its place, in order.
        equalities, tendons: elements that go to these sections.
    """

    def __init__(self, element: Element, degree: bool):
        self.element, self._degree = element, degree
        self.made: list[Element] = []
        self.equalities: list[Element] = []
        self.tendons: list[Element] = []

    # --- what is written

    def __getitem__(self, name: str) -> AttributeValue:
        """The value of an attribute: written, or its default."""
        return self.element.attributes.get(name, self.element.row.defaults[name])

    @property
    def name(self) -> str:
        """Its name."""
        return self.element.name

    def positive(self, name: str) -> float:
        """A number that must be above zero."""
        value = self[name]
        if value is None or not 0.0 < value < math.inf:
            raise ElementProblem(f"{name} must be above zero and finite, not {value}", name)
        return float(value)

    def nonzero(self, name: str) -> float:
        """A number that may have either sign."""
        value = self[name]
        if value is None or value == 0.0 or not math.isfinite(value):
            raise ElementProblem(f"{name} must be a finite number other than zero, not {value}", name)
        return float(value)

    def unit(self, name: str) -> np.ndarray:
        """A direction as a unit vector."""
        vector = np.array(self[name], float)
        length = float(np.linalg.norm(vector))
        if not 0.0 < length < math.inf:
            raise ElementProblem(f"{name} has no direction", name)
        return vector / length

    def radians(self, name: str) -> float:
        """An angle in the unit of the file; its default is in degrees."""
        value, is_written = float(self[name]), name in self.element
        return math.radians(value) if self._degree or not is_written else value

    # --- what is made

    def new(self, key: str, **attributes: Any) -> Element:
        """An element of a row; messages about it point to the mechanism. None stands for what is not written."""
        made = Element(ELEMENTS[key], self.element.source, self.element.place)
        for name, value in attributes.items():
            made[name] = value.tolist() if isinstance(value, np.ndarray) else value
        return made

    def joint(self, suffix: str, kind: str, axis: np.ndarray, limits: str = "") -> Element:
        """A joint, with the attributes that the mechanism hands to each of its joints."""
        passed = {name: self.element.attributes.get(name) for name in PASSED}
        limit = self.element.attributes.get(limits) if limits else None
        made = self.new("joint", name=f"{self.name}_{suffix}", type=kind, axis=axis, range=limit, **passed)
        self.made.append(made)
        return made

    def equality(self, tag: str, suffix: str = "", **attributes: Any) -> Element:
        """An equality with the settings of the mechanism."""
        passed = {name: self.element.attributes.get(name) for name in _EQUALITY if name in self.element.row.attributes}
        name = f"{self.name}{suffix}" if self.name else None
        made = self.new(f"equality/{tag}", name=name, **attributes, **passed)
        self.equalities.append(made)
        return made

    def follow(self, joint1: str, joint2: str, slope: float) -> None:
        """The first joint follows the second, times a slope."""
        self.equality("joint", joint1=joint1, joint2=joint2, polycoef=(0.0, slope, 0.0, 0.0, 0.0))

    def keep_sum(self, coefficients: dict[str, float]) -> None:
        """A sum of joint positions, each times a coefficient, stays what it is in the initial pose."""
        # a tendon must have a name for its equality to refer to
        name = self.name or "_".join(("sum", *coefficients))
        tendon = self.new("tendon/fixed", name=name)
        for joint, coefficient in coefficients.items():
            tendon.append(self.new("tendon/fixed/joint", joint=joint, coef=coefficient))
        self.tendons.append(tendon)
        self.equality("tendon", tendon1=name, polycoef=(0.0, 0.0, 0.0, 0.0, 0.0))


Expander = Callable[[Expansion], None]
