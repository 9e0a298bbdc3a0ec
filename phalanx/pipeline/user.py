"""The user's own controls and passive forces, where MuJoCo calls mjcb_control and mjcb_passive."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.model.hook_calls import control_hook, passive_hook
from phalanx.tables.enums import DisableBit

ACTUATION, SPRING, DAMPER = int(DisableBit.ACTUATION), int(DisableBit.SPRING), int(DisableBit.DAMPER)


@kernel
def user_control(m, d):
    """Controls of the user, unless actuation is disabled."""
    if (m.opt.disableflags & ACTUATION) == 0:
        control_hook(m, d)


@kernel
def user_passive(m, d):
    """Passive forces of the user; with springs and dampers both disabled there are none."""
    if (m.opt.disableflags & SPRING) == 0 or (m.opt.disableflags & DAMPER) == 0:
        passive_hook(m, d)
