"""Values of the past that actuators and sensors keep."""

from __future__ import annotations

from typing import Any

from phalanx.compiler.text.errors import ElementProblem

MOST_SAMPLES = 2**24


def check_delay(obj: Any) -> None:
    if obj["delay"] > 0 and obj["nsample"] <= 0:
        raise ElementProblem("delay needs nsample > 0", "delay")


def check_samples(obj: Any) -> None:
    if obj["nsample"] > MOST_SAMPLES:
        raise ElementProblem(f"nsample is at most {MOST_SAMPLES}", "nsample")
