"""Words to the user: what is being done, on the standard error or in a log of the user's, and warnings.

The logger is called "phalanx". Where the user has set up logging for messages of level INFO, they go there; otherwise
they are lines on the standard error, unless PHALANX_QUIET is set. Memory that grows is told at level DEBUG.
"""

from __future__ import annotations

import logging
import os
import sys
import warnings

#: Set to 1 to keep these lines off the terminal.
QUIET_VARIABLE = "PHALANX_QUIET"
#: What users configure, as any logger of Python.
LOG = logging.getLogger("phalanx")
LOG.addHandler(logging.NullHandler())


def is_logged() -> bool:
    """Has the user set up logging for what is being done?"""
    others = [handler for handler in LOG.handlers if not isinstance(handler, logging.NullHandler)]
    return LOG.isEnabledFor(logging.INFO) and bool(others or (LOG.propagate and logging.getLogger().handlers))


def say(message: str, end: bool = True) -> None:
    """Log a line, or print it to the standard error, unless PHALANX_QUIET is set."""
    if is_logged():
        LOG.info(message.removeprefix("phalanx: "))
    elif os.environ.get(QUIET_VARIABLE, "") in ("", "0"):
        print(message, end="\n" if end else "", file=sys.stderr, flush=True)


def warn_user(message: str, category: type[Warning]) -> None:
    """Warn at the line of the user's code that called this package."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "phalanx":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
