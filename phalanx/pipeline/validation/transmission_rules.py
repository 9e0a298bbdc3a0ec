"""Actuators: what they act on, and how many inputs, activations and forces they have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phalanx.pipeline.validation.stretches import Broken, Sizes
from phalanx.tables.domain import (
    Arrays,
)
from phalanx.tables.enums import (
    CtrlChart,
    CtrlInput,
    DynType,
    GainType,
    JointType,
    TrnType,
)


def outputs(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Three forces of an orientation servo, one of any other actuator."""
    wanted = np.where(arrays["actuator_trntype"] == TrnType.SO3, 3, 1)
    yield array != wanted, "an actuator has 1 force output, an orientation servo 3"


def controls(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """As many as the inputs that the bits of actuator_ctrlspec name, three or four of an orientation, else one."""
    gain, spec = arrays["actuator_gaintype"], arrays["actuator_ctrlspec"]
    yield (array < 0) | (array > sizes["nu"]), f"it must be from 0 to nu, which is {sizes['nu']}"
    is_servo, is_several = gain == GainType.SO3, (gain == GainType.PID) | (gain == GainType.DCMOTOR)
    wanted = np.where(is_servo, np.where(spec == CtrlChart.QUAT, 4, 3), 1)
    named = sum((spec & bit) != 0 for bit in (CtrlInput.POS, CtrlInput.VEL, CtrlInput.FF, CtrlInput.VOLTAGE))
    wanted = np.where(is_several & (spec != 0), named, wanted)
    yield array != wanted, "actuator_ctrlspec names another number of inputs"


def activations(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """As many as the dynamics needs, at least."""
    yield (array < 0) | (array > sizes["na"]), f"it must be from 0 to na, which is {sizes['na']}"
    kind, p, q = arrays["actuator_dyntype"], arrays["actuator_dynprm"], arrays["actuator_gainprm"]
    needed = np.where(kind == DynType.NONE, 0, 1)
    pid = (p[:, 1] > 0).astype(int) + (q[:, 0] > 0)
    needed = np.where(kind == DynType.PID, pid, needed)
    needed = np.where((kind == DynType.DCMOTOR) | (kind == DynType.USER), 0, needed)
    # an integrator has an activation for each control
    needed = np.where(kind == DynType.INTEGRATOR, np.maximum(needed, arrays["actuator_ctrlnum"]), needed)
    is_servo = (arrays["actuator_gaintype"] == GainType.SO3) & (kind == DynType.INTEGRATOR)
    needed = np.where(is_servo, np.maximum(needed, 3), needed)
    yield array < needed, "the dynamics of the actuator needs more activations"
    is_hill = (arrays["actuator_gaintype"] == GainType.HILL) != (kind == DynType.HILL)
    yield is_hill, "dynamics and gain of a Hill muscle go together"
    is_free = arrays["actuator_plugin"] >= 0  # a plugin may have activations of its own (pipeline/plugin_rows.py)
    yield (kind == DynType.NONE) & (array > 0) & ~is_free, "an actuator without dynamics has no activation"


#: What a transmission acts on, and its second object: size, and values that stand for none.
_DRIVEN: dict[TrnType, tuple[str, str, tuple[int, ...]]] = {
    TrnType.JOINT: ("njnt", "", ()),
    TrnType.JOINTINPARENT: ("njnt", "", ()),
    TrnType.SLIDERCRANK: ("nsite", "nsite", ()),
    TrnType.TENDON: ("ntendon", "", ()),
    TrnType.SITE: ("nsite", "nsite", (-1,)),
    TrnType.BODY: ("nbody", "", ()),
}


def transmission(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Objects that an actuator acts on."""
    kinds, first, second = arrays["actuator_trntype"], array[:, 0], array[:, 1]
    bad = np.zeros(array.shape, bool)
    for kind in _DRIVEN.keys() & set(kinds.tolist()):
        size, other, none = _DRIVEN[kind]
        chosen = kinds == kind
        bad[:, 0] |= chosen & ((first < 0) | (first >= sizes[size]))
        if other:
            bad[:, 1] |= chosen & ((second < 0) | (second >= sizes[other])) & ~np.isin(second, none)
    # an orientation servo rotates a ball joint, or a site relative to another one
    servo = kinds == TrnType.SO3
    on_joint = servo & (second < 0)
    if servo.any():
        bad[:, 0] |= servo & ((first < 0) | (first >= np.where(on_joint, sizes["njnt"], sizes["nsite"])))
        bad[:, 1] |= servo & ((second < -1) | (second >= sizes["nsite"]))
    yield bad, "it must be an object of the kind that the transmission acts on"
    if sizes["njnt"] and on_joint.any():
        joint = arrays["jnt_type"][np.clip(first, 0, sizes["njnt"] - 1)]
        bad = np.zeros(array.shape, bool)
        bad[:, 0] = on_joint & (joint != JointType.BALL)
        yield bad, "an orientation servo acts on a ball joint"
