"""What users ask of a Data now and then: motions of frames, products with matrices, contacts as one array.

Callers keep others out (`exclusive`); results are copies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.fill import fill, flag, numbers, real
from phalanx.memory.layout import dtype_of
from phalanx.tables.contact_fields import CONTACT
from phalanx.tables.enums import ObjType
from phalanx.tables.field import rows

if TYPE_CHECKING:
    from phalanx.world.answers import Answers

#: Objects that have a frame, with the kind of object that names them: BODY is the inertial frame of a body.
_FRAMES = {
    ObjType.BODY: "body",
    ObjType.XBODY: "body",
    ObjType.GEOM: "geom",
    ObjType.SITE: "site",
    ObjType.CAMERA: "camera",
}


def frame_of(data: Answers, objtype: Any, obj: int | str) -> tuple[int, int]:
    """Type and id of an object that has a frame."""
    words = [kind.name.lower() for kind in _FRAMES]
    if isinstance(objtype, str):
        found = ObjType.__members__.get(objtype.upper())
        hint = suggestion(objtype.lower(), words)
    else:
        found, hint = next((kind for kind in _FRAMES if isinstance(objtype, int) and kind == objtype), None), ""
    if found not in _FRAMES:
        raise FieldError(f"frames belong to a {', '.join(words)}, not to {objtype!r:.60}{hint}")
    return int(found), data.model.names.id_of(_FRAMES[found], obj)


def motion_of(data: Answers, operation: str, objtype: Any, obj: int | str, local: bool) -> np.ndarray:
    """Velocity or acceleration of a frame, six numbers."""
    data._store.arrays["asked_object"][...] = (*frame_of(data, objtype, obj), flag("local", local))
    data._operations.run_within(operation)
    return data._store.arrays["asked_motion"].copy()


def is_inside(data: Answers, site: int, point: Any) -> Any:
    """Which of the points (..., 3) are inside a site."""
    arrays = data._store.arrays

    def ask(values: np.ndarray) -> bool:
        fill(arrays["asked_point"], "point", values)
        data._operations.run_within("inside_site", site)
        return bool(arrays["asked_answer"])

    points = with_last_axis("point", point, 3)
    answer = each_row(points, ask, (), np.bool_)
    return answer if answer.ndim else bool(answer)


# --- vectors, one or many


def vectors(data: Answers, operation: str, x: Any) -> np.ndarray:
    """An operation on vector_in, for each of the vectors (..., nv)."""
    arrays = data._store.arrays

    def run(values: np.ndarray) -> np.ndarray:
        fill(arrays["vector_in"], "x", values)
        data._operations.run_within(operation)
        return arrays["vector_out"]

    values = numbers("x", x)
    values = values if not values.ndim else with_last_axis("x", values, data.model.nv)
    return each_row(values, run, (data.model.nv,), arrays["vector_out"].dtype)


def integrated(data: Answers, qpos: Any, qvel: Any, dt: Any) -> np.ndarray:
    """Positions (..., nq) moved along velocities (..., nv) for the time dt."""
    arrays, nq, nv = data._store.arrays, data.model.nq, data.model.nv
    arrays["asked_step"][...] = finite_time(dt)
    start, speed = pair_of_rows(with_last_axis("qpos", qpos, nq), with_last_axis("qvel", qvel, nv))

    def move(values: np.ndarray) -> np.ndarray:
        arrays["asked_qpos1"][...], arrays["vector_in"][...] = values[:nq], values[nq:]
        data._operations.run_within("integrate_pos")
        return arrays["asked_qpos1"]

    return each_row(np.concatenate([start, speed], axis=-1), move, (nq,), arrays["asked_qpos1"].dtype)


def differentiated(data: Answers, qpos1: Any, qpos2: Any, dt: Any) -> np.ndarray:
    """Velocities (..., nv) from positions (..., nq) to others in the time dt."""
    arrays, nq, nv = data._store.arrays, data.model.nq, data.model.nv
    if finite_time(dt) == 0:
        raise FieldError("dt must not be zero: no velocity gets from one position to another in no time")
    arrays["asked_step"][...] = dt
    start, end = pair_of_rows(with_last_axis("qpos1", qpos1, nq), with_last_axis("qpos2", qpos2, nq))

    def subtract(values: np.ndarray) -> np.ndarray:
        arrays["asked_qpos1"][...], arrays["asked_qpos2"][...] = values[:nq], values[nq:]
        data._operations.run_within("differentiate_pos")
        return arrays["vector_out"]

    return each_row(np.concatenate([start, end], axis=-1), subtract, (nv,), arrays["vector_out"].dtype)


def finite_time(dt: Any) -> float:
    """A time of the user that can be divided by, or zero."""
    time = real("dt", dt)
    if not np.isfinite(time):
        raise FieldError(f"dt is a time in seconds, not {time}")
    return time


def with_last_axis(name: str, value: Any, size: int) -> np.ndarray:
    """Numbers of the user, one vector or many."""
    array = numbers(name, value)
    if not array.ndim or array.shape[-1] != size:
        expected = f"({size},)" if array.ndim < 2 else f"(..., {size})"
        raise FieldError(f"{name} has shape {expected}, not {array.shape}")
    return array


def pair_of_rows(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two arrays of vectors with the same axes in front: one vector serves for many."""
    try:
        shape = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    except ValueError:
        raise FieldError(f"vectors of shapes {a.shape} and {b.shape} do not go together") from None
    return np.broadcast_to(a, (*shape, a.shape[-1])), np.broadcast_to(b, (*shape, b.shape[-1]))


def each_row(values: np.ndarray, run: Callable[[np.ndarray], Any], result: tuple[int, ...], dtype: Any) -> np.ndarray:
    """The results of a function of one vector, for each of the vectors."""
    answers = np.empty((*values.shape[:-1], *result), dtype)
    for index in np.ndindex(values.shape[:-1]):
        answers[index] = run(values[index])
    return answers


# --- constraints


def jacobian_rows(data: Answers) -> np.ndarray:
    """The row of each entry of efc_J."""
    return np.repeat(np.arange(data.nefc), data.efc_J_rownnz)


def times_jacobian(data: Answers, x: Any) -> np.ndarray:
    """J x, one number per constraint row."""
    values = one_vector("x", x, data.model.nv)
    return np.bincount(jacobian_rows(data), data.efc_J * values[data.efc_J_colind], data.nefc)[: data.nefc]


def times_jacobian_transposed(data: Answers, x: Any) -> np.ndarray:
    """J' x, one number per dof."""
    values, nv = one_vector("x", x, data.nefc), data.model.nv
    return np.bincount(data.efc_J_colind, data.efc_J * values[jacobian_rows(data)], nv)[:nv]


def full_jacobian(data: Answers) -> np.ndarray:
    """J as a dense (nefc, nv) array."""
    full = np.zeros((data.nefc, data.model.nv), data.efc_J.dtype)
    full[jacobian_rows(data), data.efc_J_colind] = data.efc_J
    return full


def constraint_update(data: Answers, jar: Any) -> float:
    """Forces and states of the rows at J a - aref; the cost."""
    arrays = data._store.arrays
    arrays["solve_jar"][: data.nefc] = one_vector("jar", jar, data.nefc)
    data._operations.run_within("constraint_update")
    return float(arrays["asked_answer"])


def one_vector(name: str, value: Any, size: int) -> np.ndarray:
    """A vector of the user, of this many numbers."""
    array = numbers(name, value)
    if array.shape != (size,):
        raise FieldError(f"{name} has shape ({size},), not {array.shape}")
    return array


# --- contacts


def contact_array(data: Answers) -> np.recarray:
    """All contacts as a read-only structured array with the members of a contact."""
    number = data._store.number
    dtype = np.dtype([(row.name, dtype_of(row, number), row.shape) for row in rows(CONTACT)])
    contacts = np.zeros(data.ncon, dtype)
    for name in dtype.fields or ():
        contacts[name] = getattr(data, f"contact_{name}")
    contacts.setflags(write=False)
    return contacts.view(np.recarray)
