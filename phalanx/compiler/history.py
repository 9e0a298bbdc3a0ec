"""Values of the past that actuators and sensors keep."""

from __future__ import annotations

from typing import Any

from phalanx.compiler.errors import ElementProblem

MOST_SAMPLES = 2**24


def check_delay(thing: Any) -> None:
    if thing["delay"] > 0 and thing["nsample"] <= 0:
        raise ElementProblem("delay needs nsample > 0", "delay")


def check_samples(thing: Any) -> None:
    if thing["nsample"] > MOST_SAMPLES:
        raise ElementProblem(f"nsample is at most {MOST_SAMPLES}", "nsample")
