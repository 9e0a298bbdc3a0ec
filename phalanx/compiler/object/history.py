"""Delays of actuators and sensors, which read values of the past."""

from __future__ import annotations

from phalanx.compiler.model_build import ModelObject
from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.history import MOST_SAMPLES


def check_delay(obj: ModelObject) -> None:
    """A delay needs samples of the past."""
    if obj["delay"] > 0 and obj["nsample"] <= 0:
        raise ElementProblem("delay needs nsample > 0", "delay")


def check_samples(obj: ModelObject) -> None:
    """A history has a largest size."""
    if obj["nsample"] > MOST_SAMPLES:
        raise ElementProblem(f"nsample is at most {MOST_SAMPLES}", "nsample")
