"""Rows in lanes: in every world the bits of that world alone; where a row does not act, exact zeros.

A batch of one lane group leaves its workspace to be looked at after `forward`.
"""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.tables.enums import ConstraintType
from tests.conformance.models import compiled, make_data
from tests.constraint.harness import dense_jacobian
from tests.constraint.scenes import BODIES, EQUALITIES, FEET, feet, scene
from tests.quiet import quiet

LANES = 8
NUMBERS = (
    "efc_pos", "efc_margin", "efc_frictionloss", "efc_diagA", "efc_KBIP", "efc_R", "efc_D", "efc_vel", "efc_aref",
)  # fmt: skip
FRICTIONLESS = int(ConstraintType.CONTACT_FRICTIONLESS)


class Rows:
    """The rows of one world of a lane group, as that world alone would have them: only those that act."""

    def __init__(self, arrays: dict[str, np.ndarray], nv: int, world: int):
        count = int(arrays["nefc"])
        self.acts = arrays["efc_KBIP"][:count, 2, world] > 0
        self.numbers = {name: arrays[name][:count][..., world] for name in NUMBERS}
        self.kind = arrays["efc_type"][:count]
        self.nefc = count
        self.efc_J_rowadr, self.efc_J_rownnz = arrays["efc_J_rowadr"], arrays["efc_J_rownnz"]
        self.efc_J_colind, self.efc_J = arrays["efc_J_colind"], arrays["efc_J"][..., world]
        self.jacobian = dense_jacobian(self, nv)


def assert_inert(rows: Rows) -> None:
    """Rows that do not act add nothing."""
    idle = ~rows.acts
    assert not rows.jacobian[idle].any()
    for name, values in rows.numbers.items():
        np.testing.assert_array_equal(values[idle], 1.0 if name == "efc_R" else 0.0, err_msg=name)


def assert_equal_rows(rows: Rows, data: phalanx.Data, nv: int) -> None:
    kind = rows.kind[rows.acts]
    # a contact that adhesion alone holds is frictionless in its own world
    assert ((kind == data.efc_type) | (data.efc_type == FRICTIONLESS)).all()
    for name, values in rows.numbers.items():
        alone = np.ascontiguousarray(getattr(data, name))
        assert np.ascontiguousarray(values[rows.acts]).tobytes() == alone.tobytes(), name
    assert (rows.jacobian[rows.acts] + 0.0).tobytes() == (dense_jacobian(data, nv) + 0.0).tobytes()


def check_lanes(theirs: Any, size: float, seed: int = 0) -> int:
    """Compare a lane group with its worlds; returns how many rows were idle somewhere."""
    model = phalanx.Model.from_mujoco(theirs)
    with quiet():
        sim = phalanx.BatchSim(model, LANES, lanes=LANES, threads=1)
    data, rng, idle = make_data(model), np.random.default_rng(seed), 0
    for world in range(LANES):
        qpos = theirs.qpos0.copy()
        mujoco.mj_integratePos(theirs, qpos, rng.normal(size=theirs.nv), size)
        sim.qpos[world] = qpos
        sim.qvel[world] = rng.normal(size=theirs.nv)
    sim.eq_active[:] = rng.integers(0, 2, sim.eq_active.shape)
    sim.forward()
    arrays = sim._workers[0].workspace.arrays
    for world in range(LANES):
        data.reset()
        data.qpos[:], data.qvel[:], data.eq_active[:] = sim.qpos[world], sim.qvel[world], sim.eq_active[world]
        data.forward()
        rows = Rows(arrays, theirs.nv, world)
        assert_inert(rows)
        assert_equal_rows(rows, data, theirs.nv)
        for name in ("qfrc_adhesion", "qfrc_passive", "qfrc_constraint", "qacc"):
            assert np.ascontiguousarray(arrays[name][:, world]).tobytes() == getattr(data, name).tobytes(), name
        idle += np.count_nonzero(~rows.acts)
    return idle


ALL = f"<equality>{''.join(EQUALITIES.values())}</equality>"
LIMITS = '<joint range="-.3 .5" limited="true" margin=".1" frictionloss=".2" solimplimit=".8 .9 .3 .4 3"/>'


@pytest.mark.parametrize("flags", ['diagexact="disable"', 'diagexact="enable"'])
def test_equalities_limits_and_friction_loss(flags: str) -> None:
    assert check_lanes(scene(ALL, BODIES, "", flags, LIMITS), 1.0) > 50


@pytest.mark.parametrize("flags", ['diagexact="disable"', 'diagexact="enable"'])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_contacts(condim: int, cone: str, flags: str) -> None:
    option = f'cone="{cone}" impratio="2"'
    foot = f'condim="{condim}" friction=".8 .1 .02" surfacevel="1 .2 .3 .4 .5 .6"'
    floor = 'condim="1"' if condim == 1 else ""
    assert check_lanes(feet(floor, foot, option=option, flags=flags), 0.05) > 5


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 6])
def test_adhesion(condim: int, cone: str) -> None:
    """Some worlds touch, some are held at a distance, some are free."""
    foot = f'adhesion="3" gap=".03" condim="{condim}"'
    for seed in range(4):
        assert check_lanes(feet('adhesion="2" gap=".03"', foot, option=f'cone="{cone}"'), 0.05, seed) > 5


@pytest.mark.parametrize("name", ["suite/humanoid", "suite/quadruped", "own/everything"])
def test_models(name: str) -> None:
    check_lanes(compiled(name), 0.3)


def test_memory_grows() -> None:
    """The batch grows its memory when a later group needs more."""
    model = phalanx.Model.from_mujoco(scene("", FEET.format(floor="", foot=""), "", 'contact="enable"'))
    with quiet():
        sim = phalanx.BatchSim(model, 3 * LANES, lanes=LANES, threads=1)
    sim.qpos[: 2 * LANES, 2] += 1.0
    sim.forward()
    assert int(sim._workers[0].workspace.arrays["nefc"]) > 0
