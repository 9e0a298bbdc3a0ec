"""The user's own controls and passive forces, where MuJoCo calls mjcb_control and mjcb_passive."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.hook.calls import control_hook, passive_hook
from phalanx.memory.flags import is_disabled
from phalanx.tables.enums import DisableBit


@kernel
def user_control(m, d):
    """Controls of the user, unless actuation is disabled."""
    if not is_disabled(m, DisableBit.ACTUATION):
        control_hook(m, d)


@kernel
def user_passive(m, d):
    """Passive forces of the user; with springs and dampers both disabled there are none."""
    if not is_disabled(m, DisableBit.SPRING) or not is_disabled(m, DisableBit.DAMPER):
        passive_hook(m, d)
