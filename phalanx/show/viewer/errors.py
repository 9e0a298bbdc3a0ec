"""Exceptions of the viewer."""

from __future__ import annotations

from phalanx.memory.errors import PhalanxError


class ViewerError(PhalanxError, RuntimeError):
    """A viewer that cannot start, or is asked for something after it was closed."""
