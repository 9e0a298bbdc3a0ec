"""Memory that may be too small: then the step stops before the state changes, memory grows, the step is repeated."""

from __future__ import annotations

from phalanx.algebra.jit import kernel


@kernel
def lacks_memory(d):
    """Did the last pass find more pairs, contacts or constraint rows than memory has room for?

    Or code that is not loaded: then, too, the step stops before the state changes, and is repeated.
    """
    return (
        d.nsweep > d.sweep_capacity
        or d.nclose > d.close_capacity
        or d.ncon > d.contact_capacity
        or d.nefc > d.efc_capacity
        or d.nJ > d.J_capacity
        or d.nY > d.Y_capacity
        or d.nA > d.A_capacity
        or d.absent_part > 0
    )
