"""Start poses that satisfy constraints: loops closed, welds met, joints within their limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from phalanx.mechanism.ik_problems import free_dofs
from phalanx.mechanism.quantities import positive
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError, ModelError
from phalanx.memory.fill import flag, numbers, whole
from phalanx.tables.enums import ConstraintType, DisableBit, EqType, JointType
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Damping as a multiple of the cost: to begin with, after a good step, after a bad one, and when there is no hope.
_FIRST, _BOLDER, _WARIER, _MOST = 1.0, 0.25, 8.0, 1e12
#: Damping that stays, as a share of the mean diagonal: redundant rows leave motions undetermined.
_LEAST = 1e-12
#: What makes rows that are no part of the question.
_NO_CONTACTS = DisableBit.CONTACT | DisableBit.FRICTIONLOSS
#: Rows of limits, and the kind of object that has them.
_LIMITS = {ConstraintType.LIMIT_JOINT: "joint", ConstraintType.LIMIT_TENDON: "tendon"}


@dataclass(frozen=True)
class Assembly:
    """A pose that `phalanx.assemble` found.

    Attributes:
        qpos: joint positions, (nq,).
        converged: whether every residual is within the tolerance.
        residuals: how far each equality and each violated limit is off, by name [m or rad; welds: the length of all six
            rows].
        iterations: how many poses were tried.
    """

    qpos: np.ndarray
    converged: bool
    residuals: dict[str, float]
    iterations: int

    def __repr__(self) -> str:
        worst = max(self.residuals, key=lambda name: self.residuals[name], default="")
        words = f"largest residual {self.residuals[worst]:.3g} of {worst}" if worst else "nothing to satisfy"
        return f"<Assembly {'converged' if self.converged else 'NOT converged'} in {self.iterations} poses: {words}>"


@arguments_checked
def assemble(
    model: Model,
    qpos: Any = None,
    *,
    joints: list[str] | None = None,
    tolerance: float = 1e-9,
    iterations: int = 200,
    strict: bool = False,
) -> Assembly:
    """A pose near a given one in which equalities hold and limits are kept: a start for closed mechanisms.

    Damped least squares on the residuals of the constraint rows (`efc_pos`) of equalities that are active in the
    initial state, of any kind, and of limits of joints and tendons. Contacts do not count.

    Args:
        model: the model.
        qpos: positions to begin with, (nq,); those of the model (qpos0) if None.
        joints: which may move, by name; None for all. The others stay exactly where they are.
        tolerance: largest residual of a row [m or rad].
        iterations: most poses that are tried.
        strict: raise if there is no such pose nearby.

    Raises:
        ModelError: with `strict`, names the residuals that are left.

    Example:
        >>> import phalanx
        >>> chain = phalanx.Model.from_xml_string('''<mujoco><worldbody>
        ...   <body><joint name="a" axis="0 1 0"/><geom size=".02" pos=".2 0 0"/><site name="end" pos=".2 0 0"/></body>
        ...   <site name="hook" pos="0 0 -.2"/></worldbody>
        ...   <equality><connect name="loop" site1="end" site2="hook"/></equality></mujoco>''')
        >>> phalanx.assemble(chain).qpos.round(6).tolist()
        [1.570796]
    """
    start = model.qpos0 if qpos is None else numbers("qpos", qpos).astype(float)
    if start.shape != (model.nq,) or not np.isfinite(start).all():
        raise FieldError(f"qpos has shape ({model.nq},) and is finite, not {start.shape}")
    search = _Search(model, free_dofs(model, joints), positive("tolerance", tolerance))
    found = search.run(start, whole("iterations", iterations, 1))
    # a pose that is not good enough is worth knowing: where it stands, and what is left
    if flag("strict", strict) and not found.converged:
        left = {name: value for name, value in found.residuals.items() if value > search.tolerance}
        words = ", ".join(f"{name} {value:.3g}" for name, value in left.items())
        raise ModelError(f"no pose was found that satisfies the constraints: {words}; begin with another qpos")
    return found


class _Search:
    """Levenberg-Marquardt on the constraint rows of one world."""

    def __init__(self, model: Model, free: np.ndarray, tolerance: float):
        flags = int(model.opt.disableflags) | int(_NO_CONTACTS)
        self._data: Data = model.replace(opt={"disableflags": flags & ~int(DisableBit.EQUALITY)}).make_data()
        self._model, self._free, self.tolerance = model, free > 0, tolerance

    def run(self, qpos: np.ndarray, iterations: int) -> Assembly:
        """The best pose, and what is left of the residuals there."""
        best = self._within_limits(self._data.normalize_quat(qpos))
        residual, jacobian = self._rows(best)
        cost, caution, tried = 0.5 * float(residual @ residual), _FIRST, 1
        while np.abs(residual).max(initial=0.0) > self.tolerance and tried < iterations and caution < _MOST:
            move = self._step(residual, jacobian, best, caution * cost)
            pose = self._within_limits(self._data.integrate_pos(best, move, 1.0))
            new_residual, new_jacobian = self._rows(pose)
            new_cost, tried = 0.5 * float(new_residual @ new_residual), tried + 1
            # a limit that a pose leaves has no row any more: what counts is the sum of all
            if new_cost < cost:
                best, residual, jacobian, cost, caution = pose, new_residual, new_jacobian, new_cost, caution * _BOLDER
            else:
                caution *= _WARIER
        self._rows(best)
        names = self._residuals_by_name()
        return Assembly(best, bool(np.abs(residual).max(initial=0.0) <= self.tolerance), names, tried)

    def _rows(self, qpos: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residuals of equalities and of limits that are violated, and their Jacobian."""
        data = self._data
        data.qpos[:] = qpos
        data.run("fwd_position")
        residual = data.efc_pos.copy()
        is_limit = np.isin(data.efc_type, [int(kind) for kind in _LIMITS])
        # a limit is a row from its margin on, but it is violated below zero only
        counts = (data.efc_type == ConstraintType.EQUALITY) | (is_limit & (residual < 0.0))
        return residual[counts], data.full_jac()[counts]

    def _step(self, residual: np.ndarray, jacobian: np.ndarray, qpos: np.ndarray, damping: float) -> np.ndarray:
        """The damped least squares step; zero for dofs that are fixed or at a limit that it would cross."""
        gradient = -jacobian.T @ residual
        moves = self._free & ~self._blocked(qpos, gradient)
        columns = jacobian[:, moves]
        matrix = columns.T @ columns
        damping += _LEAST * max(float(np.trace(matrix)), 1e-6)
        move = np.zeros(self._model.nv)
        move[moves] = np.linalg.solve(matrix + damping * np.eye(len(matrix)), gradient[moves])
        return move

    def _scalar_limits(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Positions, dofs and ranges of hinges and slides that have limits and may move."""
        m = self._model
        is_scalar = np.isin(m.jnt_type, (int(JointType.HINGE), int(JointType.SLIDE)))
        joints = np.flatnonzero(m.jnt_limited.astype(bool) & is_scalar & self._free[m.jnt_dofadr])
        return m.jnt_qposadr[joints], m.jnt_dofadr[joints], m.jnt_range[joints, 0], m.jnt_range[joints, 1]

    def _blocked(self, qpos: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        """Dofs at a limit that the gradient would push across."""
        addresses, dofs, low, high = self._scalar_limits()
        blocked = np.zeros(self._model.nv, bool)
        position, slope = qpos[addresses], gradient[dofs]
        blocked[dofs] = ((position <= low) & (slope < 0)) | ((position >= high) & (slope > 0))
        return blocked

    def _within_limits(self, qpos: np.ndarray) -> np.ndarray:
        """Positions of hinges and slides that may move, within their ranges."""
        addresses, _, low, high = self._scalar_limits()
        qpos = qpos.copy()
        qpos[addresses] = np.clip(qpos[addresses], low, high)
        return qpos

    def _residuals_by_name(self) -> dict[str, float]:
        """Length of the residual of each equality, and depth of each violated limit, at the present pose."""
        data, names = self._data, self._model.names
        squares: dict[str, float] = {}
        for kind, objid, position in zip(data.efc_type, data.efc_id, data.efc_pos, strict=True):
            if kind == ConstraintType.EQUALITY:
                word = EqType(self._model.eq_type[objid]).name.lower()
                label = f"{word} {names.names['equality'][objid] or objid}"
            elif kind in _LIMITS and position < 0.0:
                label = f"limit of {names.label(_LIMITS[ConstraintType(kind)], objid)}"
            else:
                continue
            squares[label] = squares.get(label, 0.0) + float(position) ** 2
        return {label: float(np.sqrt(square)) for label, square in squares.items()}
