"""What functions of yours may call: `from phalanx.kernels import where, sin, sqrt`. See docs/hooks.md."""

from __future__ import annotations

from phalanx.algebra.language import WORDS as _WORDS

__all__ = sorted(_WORDS)  # noqa: PLE0605

globals().update(_WORDS)
