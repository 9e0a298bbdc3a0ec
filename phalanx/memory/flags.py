"""Flags of the options, asked for by name: `is_disabled(m, DisableBit.CONTACT)`."""

from __future__ import annotations

from phalanx.algebra.jit import kernel


@kernel
def is_disabled(m, flag):
    """Is a part of the physics switched off? Of several flags, any of them."""
    return (m.opt.disableflags & flag) != 0


@kernel
def is_enabled(m, flag):
    """Is an extra switched on?"""
    return (m.opt.enableflags & flag) != 0
