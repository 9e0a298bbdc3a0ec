"""Errors that users see have one base."""

from __future__ import annotations

import phalanx


def test_whoever_catches_our_errors_catches_all_of_them() -> None:
    """Also those of machine code, such as a cache that cannot be used or a check that failed."""
    public = [getattr(phalanx, name) for name in phalanx.__all__]
    errors = [kind for kind in public if isinstance(kind, type) and issubclass(kind, Exception)]
    assert len(errors) > 15
    others = [kind for kind in errors if not issubclass(kind, (phalanx.PhalanxError, Warning))]
    assert others == []
