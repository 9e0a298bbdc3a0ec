"""Models in which actuators are Hill muscles: `Model.with_muscles`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from phalanx.algebra.number_type import NumberType
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.memory.store import Store
from phalanx.smooth.actuator.hill_parameters import HillMuscle
from phalanx.tables.enums import BiasType, DynType, GainType

#: Rows that change when actuators become muscles.
_CHANGED = (
    "actuator_dyntype", "actuator_gaintype", "actuator_biastype", "actuator_dynprm", "actuator_gainprm",
    "actuator_biasprm", "actuator_actlimited", "actuator_actrange", "actuator_actearly", "actuator_ctrlspec",
    "actuator_ctrllimited", "actuator_ctrlrange", "actuator_actnum", "actuator_actadr", "key_act",
)  # fmt: skip


def with_hill_muscles(
    sizes: Mapping[str, int], arrays: Mapping[str, np.ndarray], muscles: Mapping[int, HillMuscle]
) -> tuple[dict[str, int], dict[str, np.ndarray]]:
    """Sizes and arrays of a model in which some actuators, by id, are muscles."""
    # activations of all actuators move, since a muscle may have more of them than the actuator it replaces
    counts = arrays["actuator_actnum"].copy()
    for actuator, muscle in muscles.items():
        counts[actuator] = 1 + muscle.is_elastic
    starts = np.where(counts > 0, np.cumsum(counts) - counts, -1)
    sizes = {**sizes, "na": int(counts.sum())}
    store = Store(MODEL_SCHEMA, sizes, NumberType("float64"))
    changed = {name: store.allocate(name) for name in _CHANGED}
    for name in _CHANGED:
        if name != "key_act":
            changed[name][...] = arrays[name]
    for actuator, muscle in muscles.items():
        control = arrays["actuator_ctrladr"][actuator]
        for name, value in {
            "dyntype": DynType.HILL, "gaintype": GainType.HILL, "biastype": BiasType.NONE, "dynprm": muscle.dynprm,
            "gainprm": muscle.gainprm, "biasprm": 0.0, "actlimited": False, "actrange": 0.0, "actearly": False,
            "ctrlspec": 0,
        }.items():  # fmt: skip
            changed[f"actuator_{name}"][actuator] = value
        changed["actuator_ctrllimited"][control], changed["actuator_ctrlrange"][control] = True, (0.0, 1.0)
    changed["actuator_actnum"][...], changed["actuator_actadr"][...] = counts, starts
    # keyframes keep the activations of other actuators; muscles are relaxed there
    for actuator, (start, count) in enumerate(zip(starts, counts, strict=True)):
        if count and actuator not in muscles:
            old = arrays["actuator_actadr"][actuator]
            changed["key_act"][:, start : start + count] = arrays["key_act"][:, old : old + count]
    return sizes, {**arrays, **changed}
