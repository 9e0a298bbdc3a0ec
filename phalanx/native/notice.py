"""Words to the user: lines on the standard error about what is being done, unless none are wanted, and warnings."""

from __future__ import annotations

import os
import sys
import warnings

#: Set to 1 to keep these lines off the terminal.
QUIET_VARIABLE = "PHALANX_QUIET"


def say(message: str, end: bool = True) -> None:
    """Print a line to the standard error, unless PHALANX_QUIET is set."""
    if os.environ.get(QUIET_VARIABLE, "") in ("", "0"):
        print(message, end="\n" if end else "", file=sys.stderr, flush=True)


def warn_user(message: str, category: type[Warning]) -> None:
    """Warn at the line of the user's code that called this package."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "phalanx":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
