"""What stopped a world, in words: which number of which field, and the object it belongs to."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from phalanx.memory.errors import ConvergenceError, ModelError, WorldError
from phalanx.memory.layout import DATA_SCHEMA, shape_of
from phalanx.tables.data_fields import WATCHED
from phalanx.tables.enums import BAD_ROW, UNSOLVED, WarningType
from phalanx.tables.sizes import MAXVAL

if TYPE_CHECKING:
    from phalanx.world.model import Model

_WARNINGS = {WarningType.BADQPOS: "qpos", WarningType.BADQVEL: "qvel", WarningType.BADQACC: "qacc"}
#: error_code -> the field that is bad.
_QUANTITIES = {
    **{int(kind) + 1: name for kind, name in _WARNINGS.items()},
    **{BAD_ROW + place: name for place, name in enumerate(WATCHED)},
}


def world_error(
    model: Model, arrays: Mapping[str, np.ndarray], code: int, index: int, time: float, world: int | None
) -> WorldError | None:
    """The error that a code and an index of the kernels stand for.

    Args:
        model: the model of the world.
        arrays: its state and inputs.
        code: its error_code.
        index: its error_id.
        time: its time.
        world: its place in a batch.
    """
    if code == 0:
        return None
    if code == UNSOLVED:
        label = model.names.label("body", int(model.tree_bodyadr[index]))
        return ConvergenceError(index, label, time, model.opt.iterations, world)
    quantity = _QUANTITIES[code]
    # an acceleration is bad for a reason, which may be an input that a hook has written
    if quantity == "qacc" and (cause := _first_endless(arrays)):
        quantity, index = cause
    value = None if quantity == "qacc" else float(arrays[quantity].reshape(-1)[index])
    if quantity in ("qpos", "qvel") and value is not None and abs(value) <= MAXVAL:
        value = None  # the last good one
    return WorldError(quantity, index, owner(model, quantity, index), time, value, world, _columns(quantity))


def check_faults(model: Model, codes: np.ndarray, indices: np.ndarray) -> None:
    """Refuse error_code and error_id from outside, of one world or of several, that no world of a model can have."""
    if not codes.any():
        return
    for code, index in zip(codes.reshape(-1).tolist(), indices.reshape(-1).tolist(), strict=True):
        if code and not (index.is_integer() and 0 <= index < _fault_count(model, code)):
            raise ModelError(f"error_code {code:g} with error_id {index:g} is no error of a world of this model")


def _fault_count(model: Model, code: float) -> int:
    """How many elements or trees an error can be about."""
    if code == UNSOLVED:
        return int(model.ntree)
    name = _QUANTITIES.get(code)  # type: ignore[call-overload]
    return 0 if name is None else math.prod(shape_of(DATA_SCHEMA.fields[name], model._store.sizes))


def _first_endless(arrays: Mapping[str, np.ndarray]) -> tuple[str, int] | None:
    """The first number of a state or an input that is not finite: field and index."""
    for name in WATCHED:
        bad = np.flatnonzero(~np.isfinite(arrays[name]))
        if bad.size:
            return name, int(bad[0])
    return None


def _columns(quantity: str) -> int:
    """How many numbers each object has in a field."""
    shape = DATA_SCHEMA.fields[quantity].shape
    if not shape:
        return 0
    return shape[1] if len(shape) == 2 and isinstance(shape[1], int) else 1


# --- to whom a number belongs


def owner(model: Model, quantity: str, index: int) -> str:
    """The object that a number of a state or an input belongs to, as text."""
    return _OWNERS[quantity](model, index)


def _of_joint(model: Model, joint: int) -> str:
    body = int(model.jnt_bodyid[joint])
    return f"{model.names.label('joint', joint)} ({model.names.label('body', body)})"


def _of_position(model: Model, index: int) -> str:
    return _of_joint(model, int(np.searchsorted(model.jnt_qposadr, index, side="right")) - 1)


def _of_dof(model: Model, index: int) -> str:
    return _of_joint(model, int(model.dof_jntid[index]))


def _of_stretch(model: Model, index: int, *stretches: tuple[str, np.ndarray]) -> str:
    """The object whose stretch of a row begins last before an index; -1 where an object has none."""
    starts = [(int(adr), kind, k) for kind, addresses in stretches for k, adr in enumerate(addresses) if adr >= 0]
    _, kind, k = max(start for start in starts if start[0] <= index)
    return model.names.label(kind, k)


def _of_mocap(model: Model, mocap: int) -> str:
    return model.names.label("body", int(np.flatnonzero(model.body_mocapid == mocap)[0]))


def _of_history(model: Model, index: int) -> str:
    return _of_stretch(model, index, ("actuator", model.actuator_historyadr), ("sensor", model.sensor_historyadr))


_OWNERS: dict[str, Callable[[Model, int], str]] = {
    "time": lambda model, index: "the world",
    "qpos": _of_position,
    "qvel": _of_dof,
    "qacc": _of_dof,
    "qacc_warmstart": _of_dof,
    "qfrc_applied": _of_dof,
    "act": lambda model, index: _of_stretch(model, index, ("actuator", model.actuator_actadr)),
    "ctrl": lambda model, index: _of_stretch(model, index, ("actuator", model.actuator_ctrladr)),
    "history": _of_history,
    "plastic": lambda model, index: _of_stretch(
        model,
        index,
        ("joint", model.jnt_plasticadr),
        ("tendon", model.tendon_plasticadr),
        ("flex", model.flex_plasticadr),
    ),
    "xfrc_applied": lambda model, index: model.names.label("body", index // 6),
    "mocap_pos": lambda model, index: _of_mocap(model, index // 3),
    "mocap_quat": lambda model, index: _of_mocap(model, index // 4),
}


def control_warning(model: Model, arrays: Mapping[str, np.ndarray], index: int, world: int | None = None) -> str:
    """Words about a bad control that has been taken for zero, with all others of its world.

    Args:
        model: the model of the world.
        arrays: its ctrl and history.
        index: the control that was bad in effect.
        world: its place in a batch.
    """
    where = "" if world is None else f"world {world}: "
    field, value = "ctrl", float(arrays["ctrl"][index])
    if abs(value) <= MAXVAL:  # the present one is good: it was a past one, of an actuator with a delay
        bad = np.flatnonzero(~(np.abs(arrays["history"]) <= MAXVAL))
        if bad.size:
            field, index = "history", int(bad[0])
            value = float(arrays["history"][index])
    return (
        f"{where}{field}[{index}] of {owner(model, field, index)} is {value:g}: "
        "all controls were taken as zero in that step; give it a finite number"
    )
