"""Long runs of many worlds: leaks, lost contacts, bits that depend on lanes, threads or history."""

from __future__ import annotations

import sys

from tools.soak import Soak, mix


def attack(seed: int, seconds: float) -> list[str]:
    """Soak for some time; what was found, one line each."""
    return Soak(seed).run(mix(), seconds, sys.maxsize).found
