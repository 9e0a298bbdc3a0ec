"""Which bodies and geoms may touch, whatever their poses: the rules that `broad/candidates.py` applies ahead."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, maximum, minimum, not_
from phalanx.hook.calls import is_discarded
from phalanx.memory.flags import is_disabled
from phalanx.tables.enums import DisableBit, SleepState
from phalanx.tables.geoms import GROUND


@kernel
def signature_of(body1, body2):
    """The integer by which pairs of bodies are sorted and named."""
    return (body1 << 16) + body2


@kernel
def bodies_may_touch(m, body1, body2):
    """Masks that match, and bodies not welded together, not both fixed, not parent and child.

    Without branches, as the answer is hard to foresee in a list of bodies that are close.
    """
    masks = (m.body_contype[body1] & m.body_conaffinity[body2]) | (m.body_contype[body2] & m.body_conaffinity[body1])
    first, second = m.body_weldid[body1], m.body_weldid[body2]
    can_move = (m.body_dofnum[first] != 0) | (m.body_dofnum[second] != 0)
    are_strangers = (first != m.body_weldid[m.body_parentid[second]]) & (
        second != m.body_weldid[m.body_parentid[first]]
    )
    is_unfiltered = (first == 0) | (second == 0) | is_disabled(m, DisableBit.FILTERPARENT)
    return (masks != 0) & (first != second) & can_move & (are_strangers | is_unfiltered)


@kernel
def are_at_rest(m, d, geom1, geom2, pair):
    """Do two geoms both sleep, or one of them on static ground? Of explicit pairs one must be awake."""
    if m.nsleep == 0:
        return False
    body1, body2 = m.geom_bodyid[geom1], m.geom_bodyid[geom2]
    state1, state2 = d.body_awake[body1], d.body_awake[body2]
    if pair >= 0:
        return state1 != SleepState.AWAKE and state2 != SleepState.AWAKE
    # what is welded to the world is static; a mocap body is not
    is_still1 = state1 == SleepState.ASLEEP or m.body_weldid[body1] == 0
    is_still2 = state2 == SleepState.ASLEEP or m.body_weldid[body2] == 0
    return is_still1 and is_still2


@kernel
def may_touch_at_all(m, geom):
    """Is a geom among those that a contact filter of the user is asked about? The midphase leaves out some."""
    masks = m.geom_contype[geom] | m.geom_conaffinity[geom]
    return masks != 0 or is_disabled(m, DisableBit.MIDPHASE)


@kernel
def geoms_may_touch(m, d, geom1, geom2):
    """Masks that match or that the user decides on, and not both ground; geom1 has the smaller type."""
    masks = (m.geom_contype[geom1] & m.geom_conaffinity[geom2]) | (m.geom_contype[geom2] & m.geom_conaffinity[geom1])
    if d.hook_contact_filter != 0:
        masks = may_touch_at_all(m, geom1) and may_touch_at_all(m, geom2)
    # ground comes first in the order of types, so if the second is, both are
    return masks != 0 and m.geom_type[geom2] not in GROUND


@kernel
def keep_near(m, d, geom1, geom2, pair, near):
    """The worlds where a pair is near, without those where the user discards it; explicit pairs always stay."""
    if pair < 0 and d.hook_contact_filter != 0:
        return and_(near, not_(is_discarded(m, d, minimum(geom1, geom2), maximum(geom1, geom2))))
    return near
