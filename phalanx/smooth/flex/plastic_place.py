"""Where the state of flexes that yield is in `plastic`: what has been stretched for good, then what has been bent."""

from __future__ import annotations

from phalanx.algebra.jit import kernel

#: Bits of flex_plasticmode.
BENDS = 1
STRETCHES = 2
#: Edges of an element, by its dimension: a number of each has been stretched.
EDGES_OF_ELEMENT = (0, 1, 3, 6)


@kernel
def plastic_stretching(m, flex):
    """Where strains for good begin, -1 if there are none."""
    if m.flex_plasticadr[flex] < 0 or (m.flex_plasticmode[flex] & STRETCHES) == 0:
        return -1
    return m.flex_plasticadr[flex]


@kernel
def plastic_bending(m, flex):
    """Where the bending of edges for good begins, -1 if there is none."""
    if m.flex_plasticadr[flex] < 0 or (m.flex_plasticmode[flex] & BENDS) == 0:
        return -1
    is_stretched = (m.flex_plasticmode[flex] & STRETCHES) != 0
    stretched = EDGES_OF_ELEMENT[m.flex_dim[flex]] * m.flex_elemnum[flex] if is_stretched else 0
    return m.flex_plasticadr[flex] + stretched
