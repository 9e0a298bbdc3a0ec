"""Memory that may be too small: then the step stops before the state changes, memory grows, the step is repeated.

What can grow are the counts in `CAPACITY`; a kernel that finds more than memory has room for goes on counting, and
writes nothing.
"""

from __future__ import annotations

from phalanx.algebra.generated import define
from phalanx.algebra.jit import kernel
from phalanx.tables.scratch_fields import CAPACITY


def _source() -> str:
    """The kernel, from the counts that can grow."""
    lines = [
        "def lacks_memory(d):",
        '    """Did the last pass find more pairs, contacts or constraint rows than memory has room for?',
        "",
        "    Or code that is not loaded: then, too, the step stops before the state changes, and is repeated.",
        '    """',
        "    return (",
        *(f"        d.{count} > d.{capacity} or" for count, capacity in CAPACITY.items()),
        "        d.absent_part > 0",
        "    )",
        "",
    ]
    return "\n".join(lines)


lacks_memory = kernel(define(_source(), {}, "lacks_memory"))
