"""What derivatives are by: the directions of state and controls, their jobs in lane groups, and their names."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from phalanx.batch.difference_groups import ACTIVATION, CONTROL, NOTHING, OTHER_WORLDS, POSITION, VELOCITY
from phalanx.pipeline.nudged import KEEP_NOTHING, KEEP_POSITION, KEEP_VELOCITY
from phalanx.tables.enums import EnableBit, Integrator
from phalanx.tables.integrators import STAGED
from phalanx.world.model import Model
from phalanx.world.transition_result import Label

#: The order in which jobs run: those that share most come first.
_ORDER = (CONTROL, ACTIVATION, VELOCITY, POSITION)


class Columns(NamedTuple):
    """The directions that a step is differentiated by, and the jobs for each of one world.

    Attributes:
        kinds: what each column nudges.
        indices: which number of it.
        plus: job of each column, nudged forwards.
        minus: job, nudged backwards; 0, the job without a nudge, if there is none.
        jobs: (njob, 2), what each job nudges; the first nudges nothing.
        signs: of the nudge of each job.
        columns_of: the column of each job, that of the first is 0.
    """

    kinds: np.ndarray
    indices: np.ndarray
    plus: np.ndarray
    minus: np.ndarray
    jobs: np.ndarray
    signs: np.ndarray
    columns_of: np.ndarray


def state_columns(model: Model, centered: bool) -> Columns:
    """Columns for position, velocity and activation, then controls."""
    counts = ((POSITION, model.nv), (VELOCITY, model.nv), (ACTIVATION, model.na), (CONTROL, model.nu))
    return make_columns([(kind, index) for kind, count in counts for index in range(count)], centered)


def make_columns(wanted: list[tuple[int, int]], centered: bool) -> Columns:
    """Columns of the given kinds and indices, and jobs for them in the order in which they share most."""
    kinds, indices = (np.array([pair[k] for pair in wanted], np.int64) for k in range(2))
    rank = {kind: place for place, kind in enumerate(_ORDER)}
    order = sorted(range(len(wanted)), key=lambda column: rank.get(wanted[column][0], 0))
    jobs, signs, columns_of = [(NOTHING, 0)], [0.0], [0]
    plus, minus = np.zeros(len(wanted), np.int64), np.zeros(len(wanted), np.int64)
    for column in order:
        for jobs_of, sign in ((plus, 1.0), (minus, -1.0))[: 2 if centered else 1]:
            jobs_of[column] = len(jobs)
            jobs.append(wanted[column])
            signs.append(sign)
            columns_of.append(column)
    return Columns(kinds, indices, plus, minus, np.array(jobs, np.int64), np.array(signs), np.array(columns_of))


def can_keep(model: Model) -> bool:
    """May a step keep what another left that follows from the same positions?

    Not if a hook may write anything, if positions change within the step, or if contacts depend on velocities.
    """
    is_changed = model.opt.integrator in (*STAGED, Integrator.DISCRETE)
    return not (model._hooks or is_changed or model.opt.enableflags & EnableBit.SPECULATIVE)


def keeping_of(model: Model, kinds: np.ndarray) -> np.ndarray:
    """What lane groups keep of the one before, from the kinds (ngroup, W) of their jobs."""
    keeping = np.full(len(kinds), KEEP_NOTHING, np.int64)
    if can_keep(model):
        keeping[~(kinds == POSITION).any(axis=1)] = KEEP_POSITION
        keeping[~np.isin(kinds, (POSITION, VELOCITY)).any(axis=1)] = KEEP_VELOCITY
    return keeping


def side_by_side(model: Model, columns: Columns, width: int) -> np.ndarray:
    """`keeping_of` for the jobs of one world side by side in lane groups."""
    kinds = columns.jobs[:, 0]
    padded = np.append(kinds, np.repeat(kinds[-1:], -len(kinds) % width)).reshape(-1, width)
    return keeping_of(model, padded)


def one_by_one(model: Model, columns: Columns, nblock: int) -> np.ndarray:
    """`keeping_of` for lane groups that have the same job of different worlds, block by block of worlds."""
    keeping = keeping_of(model, columns.jobs[:, :1])
    keeping[0] = KEEP_NOTHING + OTHER_WORLDS
    return np.tile(keeping, nblock)


# --- controls at the ends of their ranges


class Sides(NamedTuple):
    """Whether each control may be nudged forwards, and backwards; arrays (..., nu)."""

    forward: np.ndarray
    backward: np.ndarray


def control_sides(limited: np.ndarray, ranges: np.ndarray, ctrl: np.ndarray, eps: float, centered: bool) -> Sides:
    """A control stays in its range, as in MuJoCo's mjd_transitionFD: one that is at an end is nudged inwards."""
    low, high = ranges[..., 0], ranges[..., 1]
    is_free = ~limited
    forward = is_free | ((ctrl >= low) & (ctrl + eps <= high))
    backward = is_free | ((ctrl - eps >= low) & (ctrl <= high))
    return Sides(forward, backward if centered else backward & ~forward)


# --- names


def labels_of(model: Model, columns: Columns) -> list[Label]:
    """The names of all columns: joints with the index of the dof where they have several, actuators."""
    makers: dict[int, Any] = {
        POSITION: lambda k: Label("position", dof_name(model, k)),
        VELOCITY: lambda k: Label("velocity", dof_name(model, k)),
        ACTIVATION: lambda k: Label("activation", activation_name(model, k)),
        CONTROL: lambda k: Label("control", control_name(model, k)),
    }
    return [makers[kind](index) for kind, index in zip(columns.kinds.tolist(), columns.indices.tolist(), strict=True)]


def dof_name(model: Model, dof: int) -> str:
    """A dof by its joint, with an index if the joint has several."""
    joint = int(model.dof_jntid[dof])
    name, first = short_name(model, "joint", joint), int(model.jnt_dofadr[joint])
    is_single = np.count_nonzero(model.dof_jntid == joint) == 1
    return name if is_single else f"{name}[{dof - first}]"


def activation_name(model: Model, index: int) -> str:
    """An activation by its actuator."""
    return _part_name(model, model.actuator_actadr, model.actuator_actnum, index)


def control_name(model: Model, index: int) -> str:
    """A control by its actuator."""
    return _part_name(model, model.actuator_ctrladr, model.actuator_ctrlnum, index)


def _part_name(model: Model, first: np.ndarray, count: np.ndarray, index: int) -> str:
    actuator = int(np.flatnonzero((first <= index) & (index < first + count) & (first >= 0))[0])
    name = short_name(model, "actuator", actuator)
    return name if count[actuator] == 1 else f"{name}[{index - int(first[actuator])}]"


def short_name(model: Model, kind: str, objid: int) -> str:
    """The name of an object, or its kind and id if it has none."""
    return model.names.names[kind][objid] or f"{kind} {objid}"
