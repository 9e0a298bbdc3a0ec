"""Scenes in which flexes touch, for both engines, and the comparison of their contacts."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

import phalanx
from tests.quiet import quiet

#: Rows of a contact that both engines have.
FIELDS = (
    "dist", "pos", "frame", "includemargin", "friction", "solref", "solreffriction", "solimp", "adhesion", "surfacevel",
    "dim", "exclude", "efc_address",
)  # fmt: skip
#: What a contact is of.
PARTS = ("geom", "flex", "elem", "vert")
#: Rows of constraints that both engines have.
ROWS = ("type", "id", "pos", "margin", "D", "R", "KBIP", "vel", "aref", "diagA")
#: Points of the grids, by dimension.
COUNT = {1: "6 1 1", 2: "4 4 1", 3: "3 3 2"}

MESH = "0 0 .1  .1 0 -.05  -.08 .06 -.04  -.03 -.1 0  .05 .08 .02  .06 -.05 .07"
HILLS = " ".join(f"{0.5 + 0.5 * np.sin(1.7 * k) * np.cos(0.6 * k):.4f}" for k in range(49))


def grid(name: str, dim: int, *, count: str = "", pos: str = "0 0 0", contact: str = "", **attributes: Any) -> str:
    """A flexcomp of type grid; `contact` are the attributes of its contacts, `inside` other elements."""
    inside, radius = attributes.pop("inside", ""), attributes.pop("radius", 0.02)
    words = " ".join(f'{key}="{value}"' for key, value in attributes.items())
    contact = contact if "selfcollide" in contact else f'{contact} selfcollide="none"'
    return (
        f'<flexcomp name="{name}" type="grid" dim="{dim}" count="{count or COUNT[dim]}" spacing=".1 .1 .1" pos="{pos}" '
        f'radius="{radius}" {words}><contact {contact}/>{inside}</flexcomp>'
    )


def scene(*elements: str, option: str = "", flag: str = "") -> str:
    """A model file."""
    return (
        f'<mujoco><option {option}><flag {flag}/></option><asset><mesh name="rock" vertex="{MESH}"/>'
        f'<hfield name="hills" nrow="7" ncol="7" size=".5 .5 .2 .1" elevation="{HILLS}"/></asset>'
        f"<worldbody>{''.join(elements)}</worldbody></mujoco>"
    )


def free(geoms: str, pos: str = "0 0 0") -> str:
    """A body that moves."""
    return f'<body pos="{pos}"><freejoint/>{geoms}</body>'


@quiet()
def pair(text: str) -> tuple[Any, Any, phalanx.Data]:
    """(model, data) of MuJoCo, and our Data of the same model."""
    model = mujoco.MjModel.from_xml_string(text)
    return model, mujoco.MjData(model), phalanx.Model.from_mujoco(model).make_data()


def disturb(model: Any, data: Any, rng: np.random.Generator, size: float = 0.02) -> None:
    """A random state: vertices moved, bodies that are free turned anyhow."""
    mujoco.mj_resetData(model, data)
    data.qpos[:] += size * rng.normal(size=model.nq)
    data.qvel[:] = 0.1 * rng.normal(size=model.nv)
    for joint in np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_FREE):
        start = model.jnt_qposadr[joint]
        data.qpos[start : start + 3] += rng.uniform(-0.1, 0.1, 3)
        data.qpos[start + 3 : start + 7] = rng.normal(size=4)


@quiet()
def forward(model: Any, data: Any, ours: phalanx.Data) -> None:
    """Forward dynamics of both engines at the state of MuJoCo's."""
    mujoco.mj_forward(model, data)
    for name in ("qpos", "qvel", "qacc_warmstart", "ctrl", "act", "plastic"):
        ours._store.arrays[name][...] = getattr(data, name)
    ours.forward()


def parts_of(contacts: Any, count: int) -> list[tuple[int, ...]]:
    """What each contact is of, of MuJoCo's contacts or of ours."""
    rows = [np.reshape(getattr(contacts, name), (-1, 2))[:count] for name in PARTS]
    return [tuple(row) for row in np.concatenate(rows, axis=1).tolist()]


def assert_same_parts(data: Any, ours: phalanx.Data) -> None:
    """The same contacts in the same order."""
    theirs, found = parts_of(data.contact, data.ncon), parts_of(ours.contact, ours.ncon)
    assert found == theirs, f"only here {set(found) - set(theirs)}, only there {set(theirs) - set(found)}"


def assert_same_contacts(data: Any, ours: phalanx.Data, tolerance: float = 1e-9, fields: Any = FIELDS) -> None:
    """The same contacts in the same order, with the same numbers."""
    assert_same_parts(data, ours)
    for name in fields:
        theirs = np.reshape(np.asarray(getattr(data.contact, name), float), (data.ncon, -1)) if data.ncon else []
        here = np.reshape(np.asarray(getattr(ours, f"contact_{name}"), float), np.shape(theirs))
        np.testing.assert_allclose(here, theirs, rtol=tolerance, atol=tolerance, err_msg=name)


def dense_jacobian(model: Any, data: Any) -> np.ndarray:
    """efc_J of MuJoCo as a matrix."""
    if not mujoco.mj_isSparse(model):
        return np.reshape(data.efc_J, (-1, model.nv))[: data.nefc]
    return spread(data, data.nefc, model.nv)


def spread(data: Any, rows: int, columns: int) -> np.ndarray:
    """A sparse Jacobian as a matrix."""
    matrix = np.zeros((rows, columns))
    for row in range(rows):
        entries = slice(data.efc_J_rowadr[row], data.efc_J_rowadr[row] + data.efc_J_rownnz[row])
        matrix[row, data.efc_J_colind[entries]] = data.efc_J[entries]
    return matrix


def assert_same_rows(model: Any, data: Any, ours: phalanx.Data, tolerance: float = 1e-9) -> None:
    """The same constraint rows; relative to the largest number of a field."""
    assert ours.nefc == data.nefc
    compared = {"J": (spread(ours, ours.nefc, model.nv), dense_jacobian(model, data))}
    for name in ROWS:
        theirs = np.asarray(getattr(data, f"efc_{name}"), float)[: data.nefc]
        compared[name] = np.asarray(getattr(ours, f"efc_{name}"), float)[: data.nefc], theirs
    compared["qacc"] = ours.qacc, data.qacc
    for name, (here, theirs) in compared.items():
        size = max(float(np.abs(theirs).max(initial=0.0)), 1.0)
        np.testing.assert_allclose(here, theirs, rtol=0, atol=tolerance * size, err_msg=name)
