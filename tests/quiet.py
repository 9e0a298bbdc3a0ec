"""Silence about physics that a test leaves out on purpose."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import phalanx


@contextmanager
def quiet() -> Iterator[None]:
    """No warning about unsupported features: `with quiet():`, or as a decorator `@quiet()`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", phalanx.UnsupportedFeatureWarning)
        yield
