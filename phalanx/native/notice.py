"""Lines on the terminal about what is being done: on the standard error, unless the user wants none."""

from __future__ import annotations

import os
import sys

#: Set to 1 to keep these lines off the terminal.
QUIET_VARIABLE = "PHALANX_QUIET"


def say(message: str, end: bool = True) -> None:
    """Print a line to the standard error, unless PHALANX_QUIET is set."""
    if os.environ.get(QUIET_VARIABLE, "") in ("", "0"):
        print(message, end="\n" if end else "", file=sys.stderr, flush=True)
