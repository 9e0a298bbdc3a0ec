"""Fields that wait for physics that the engine does not have yet."""

from __future__ import annotations

from phalanx.pipeline.entries import ENTRIES

HAS_TENDONS = "tendon" in ENTRIES["world"]

#: Constants at the reference pose of tendons and of actuators that do not act on joints.
WAITING = (
    "tendon_length0", "tendon_invweight0", "tendon_lengthspring", "actuator_acc0", "actuator_length0",
    "actuator_lengthrange", "actuator_biasprm",
)  # fmt: skip


def unknown_fields(xml: str) -> tuple[str, ...]:
    """What cannot be compared in a model as long as the engine has no tendons."""
    if HAS_TENDONS:
        return ()
    words = ("<tendon", "site=", "<adhesion", "refsite", "<muscle")
    if "<tendon" in xml and "armature" in xml:
        return (*WAITING, "body_invweight0", "dof_invweight0", "stat.meaninertia", "key_plastic")
    return (*WAITING, "key_plastic") if any(word in xml for word in words) else ()
