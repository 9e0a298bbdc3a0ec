"""Where the command writes: results to the standard output, errors to the standard error."""

from __future__ import annotations

from rich.console import Console

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


class CommandError(Exception):
    """A mistake in the use of a command; the message says how to put it right."""
