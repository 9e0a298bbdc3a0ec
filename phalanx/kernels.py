"""What functions of yours may call: `from phalanx.kernels import where, sin, sqrt`. See docs/hooks.md."""

from phalanx.algebra.language import *  # noqa: F403
from phalanx.algebra.language import __all__ as __all__
