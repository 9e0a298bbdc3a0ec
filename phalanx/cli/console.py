"""Where the command writes: results to the standard output, complaints to the standard error."""

from __future__ import annotations

from rich.console import Console

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


class CommandError(Exception):
    """Something the user can put right; the message says how."""
