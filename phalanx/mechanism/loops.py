"""Equalities of a model as targets of inverse kinematics: loops that must stay closed, joints that follow others."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from phalanx.constraint.equality import weld
from phalanx.memory.errors import ModelError
from phalanx.tables.enums import EqType, ObjType
from phalanx.world.model import Model

_IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


@dataclass(frozen=True)
class FrameTarget:
    """A frame on a body that is to coincide with another, on a body or in the world (body 0).

    Attributes:
        label: what messages call it.
        body, point, frame: the body, and position and orientation in it.
        goal_body, goal_pos, goal_quat: likewise of the goal; the last two may be many, (n, 3) and (n, 4).
        weights: of position and orientation; 0 if it does not count.
    """

    label: str
    body: int
    point: np.ndarray
    frame: np.ndarray
    goal_body: int
    goal_pos: np.ndarray
    goal_quat: np.ndarray
    weights: tuple[float, float]


@dataclass(frozen=True)
class Loops:
    """What the equalities of a model ask for.

    Attributes:
        targets: connects and welds.
        couplings: ids of joint equalities.
    """

    targets: list[FrameTarget] = field(default_factory=list)
    couplings: list[int] = field(default_factory=list)


def loops_of(model: Model) -> Loops:
    """The equalities that are active in the initial state.

    Raises:
        ModelError: there is one of another kind.
    """
    found = Loops()
    for equality in np.flatnonzero(model.eq_active0).tolist():
        kind = EqType(model.eq_type[equality])
        if kind == EqType.JOINT:
            found.couplings.append(equality)
        elif kind in (EqType.CONNECT, EqType.WELD):
            found.targets.append(_frame_target(model, equality, kind))
        else:
            label = model.names.label("equality", equality)
            raise ModelError(
                f"inverse kinematics cannot keep {label}, of type {kind.name.lower()}; "
                "loops=False solves without equalities, and phalanx.assemble closes all kinds"
            )
    return found


def _frame_target(model: Model, equality: int, kind: EqType) -> FrameTarget:
    """A connect or a weld."""
    ids = int(model.eq_obj1id[equality]), int(model.eq_obj2id[equality])
    label = f"{kind.name.lower()} {model.names.names['equality'][equality] or equality}"
    weights = (1.0, 1.0 if kind == EqType.WELD else 0.0)
    if model.eq_objtype[equality] == ObjType.SITE:
        (body1, point1, frame1), (body2, point2, frame2) = (site_frame(model, site) for site in ids)
        return FrameTarget(label, body1, point1, frame1, body2, point2, frame2, weights)
    data = model.eq_data[equality]
    if kind == EqType.WELD:
        points = data[weld.FIRST : weld.FIRST + 3], data[weld.SECOND : weld.SECOND + 3]
        frame = data[weld.RELATIVE : weld.RELATIVE + 4]
    else:
        points, frame = (data[:3], data[3:6]), _IDENTITY
    return FrameTarget(label, ids[0], points[0], frame, ids[1], points[1], _IDENTITY, weights)


def site_frame(model: Model, site: int) -> tuple[int, np.ndarray, np.ndarray]:
    """Body of a site, its position and its orientation in it."""
    return int(model.site_bodyid[site]), model.site_pos[site], model.site_quat[site]


def geom_frame(model: Model, geom: int) -> tuple[int, np.ndarray, np.ndarray]:
    """Body of a geom, its position and its orientation in it."""
    return int(model.geom_bodyid[geom]), model.geom_pos[geom], model.geom_quat[geom]


def body_frame(model: Model, body: int) -> tuple[int, np.ndarray, np.ndarray]:
    """A body with its own frame."""
    return body, np.zeros(3), _IDENTITY
