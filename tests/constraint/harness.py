"""Constraint rows of both engines from the same state and the same contacts.

MuJoCo's contacts are copied into our Data, so that what differs is never a contact. Tendons are copied too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np

import phalanx
from phalanx.tables.contact_fields import CONTACT
from tests.conformance.models import make_data
from tests.conformance.states import relative_error

CONTACT_MEMBERS = tuple(row.name for group in CONTACT.values() for row in group)
COUNTS = ("ne", "nf", "nl", "nefc")
INTEGERS = ("efc_type", "efc_id")
REALS = (
    "efc_pos", "efc_margin", "efc_frictionloss", "efc_diagA", "efc_R", "efc_D", "efc_vel", "efc_aref",
)  # fmt: skip
STATE = ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "eq_active")
TOLERANCE = 1e-10
#: A violation is a difference of positions of size one: below this it is measured by this, not by itself.
POSITION = 1e-5


def take_contacts(theirs: Any, data: phalanx.Data) -> None:
    """MuJoCo's contacts as our collision stage would leave them."""
    store = data._store
    if theirs.ncon > store.sizes["ncon"]:
        store.resize("ncon", theirs.ncon)
    store.arrays["ncon"][...] = theirs.ncon
    for name in CONTACT_MEMBERS:
        store.arrays[f"contact_{name}"][: theirs.ncon] = getattr(theirs.contact, name).reshape(
            store.arrays[f"contact_{name}"][: theirs.ncon].shape
        )
    exclude = store.arrays["contact_exclude"]
    exclude[exclude == 3] = 0
    store.arrays["contact_mu"][...] = 0


def take_state(theirs: Any, data: phalanx.Data) -> None:
    for name in STATE:
        getattr(data, name)[...] = getattr(theirs, name)
    data.ten_length[...] = theirs.ten_length
    data.ten_J[...] = np.ravel(theirs.ten_J)


def run_rows(theirs: Any, data: phalanx.Data) -> None:
    """Our rows at MuJoCo's state, with MuJoCo's contacts."""
    take_state(theirs, data)
    for stage in ("kinematics", "com_pos", "make_m", "factor_m", "com_vel"):
        data.run(stage)
    take_contacts(theirs, data)
    for stage in ("make_constraint", "passive", "adhesion", "reference_constraint"):
        data.run(stage)


def dense_jacobian(rows: Any, nv: int) -> np.ndarray:
    """The Jacobian of an object with sparse rows."""
    dense = np.zeros((rows.nefc, nv))
    for row in range(rows.nefc):
        entries = slice(rows.efc_J_rowadr[row], rows.efc_J_rowadr[row] + rows.efc_J_rownnz[row])
        dense[row, rows.efc_J_colind[entries]] = rows.efc_J[entries]
    return dense


def mujoco_jacobian(model: Any, theirs: Any) -> np.ndarray:
    if mujoco.mj_isSparse(model):
        return dense_jacobian(theirs, model.nv)
    return theirs.efc_J[: theirs.nefc * model.nv].reshape(theirs.nefc, model.nv)


def errors(model: Any, theirs: Any, data: phalanx.Data) -> dict[str, float]:
    """Relative error of everything the two stages write."""
    for name in COUNTS:
        assert getattr(data, name) == getattr(theirs, name), (name, getattr(data, name), getattr(theirs, name))
    for name in INTEGERS:
        np.testing.assert_array_equal(getattr(data, name), getattr(theirs, name), err_msg=name)
    np.testing.assert_array_equal(data.contact_efc_address, theirs.contact.efc_address)
    np.testing.assert_array_equal(data.contact_exclude, theirs.contact.exclude)
    if theirs.nefc:
        np.testing.assert_array_equal(data.tendon_efcadr, theirs.tendon_efcadr)
    floors = {"efc_pos": POSITION, "efc_aref": POSITION * max(1.0, np.abs(theirs.efc_KBIP[:, 0]).max(initial=0.0))}
    found = {name: row_error(getattr(data, name), getattr(theirs, name), floors.get(name, 0.0)) for name in REALS}
    for k, name in enumerate(("K", "B", "I", "P")):
        found[f"efc_KBIP {name}"] = row_error(data.efc_KBIP[:, k], theirs.efc_KBIP[:, k], 1.0 if k == 3 else 0.0)
    found["efc_J"] = relative_error(dense_jacobian(data, model.nv), mujoco_jacobian(model, theirs))
    found["contact_mu"] = relative_error(data.contact_mu, theirs.contact.mu)
    found["qfrc_adhesion"] = relative_error(data.qfrc_adhesion, theirs.qfrc_adhesion)
    assert (data.efc_J_rowadr[1:] == np.cumsum(data.efc_J_rownnz)[:-1]).all() if data.nefc else data.nJ == 0
    return found


def row_error(actual: np.ndarray, expected: np.ndarray, floor: float = 0.0) -> float:
    """Relative error; numbers below the floor are measured by it."""
    expected = np.reshape(expected, actual.shape)
    size = np.abs(expected).max(initial=0.0)
    return relative_error(actual, expected, max(size, floor) if size or floor else None)


def check(model: Any, states: Iterator[Any], count_kinds: dict[int, int] | None = None) -> dict[str, float]:
    """Largest errors over states of MuJoCo in which `mj_forward` has run; fails beyond the tolerance."""
    data, worst = make_data(phalanx.Model.from_mujoco(model)), {}
    for number, theirs in enumerate(states):
        run_rows(theirs, data)
        for name, error in errors(model, theirs, data).items():
            worst[name] = max(worst.get(name, 0.0), error)
            assert error <= TOLERANCE, f"{name} differs by {error:.1e} in state {number}"
        if count_kinds is not None:
            for kind in theirs.efc_type:
                count_kinds[int(kind)] = count_kinds.get(int(kind), 0) + 1
    return worst
