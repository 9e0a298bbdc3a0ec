"""Flexes with the discrete integrator: shifts, accelerations and steps are MuJoCo's; what it refuses is refused."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from tests.compiler.flexes import EDGE, MODELS, comp, world
from tests.smooth.flex.deformed import MODES_AS_STIFFNESS, OTHERS, assert_near, deform, load, pair, twin, with_gaps

DISCRETE, NO_CONTACT = 4, int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
NEWTON, CG = 2, 1
OPTIONS: dict[str, Any] = {"integrator": DISCRETE, "disableflags": NO_CONTACT, "tolerance": 1e-14, "iterations": 200}
EVERYDAY = (
    "both", "solid", "pin to free", "rod box equality", "rod ring", "trilinear cells", "quadratic shell stretch",
)  # fmt: skip
#: MuJoCo refuses springs along edges.
REFUSED = ("edge damping", "edge stiffness", "raw")


def compare(name: str, seeds: int, steps: int, **more: Any) -> None:
    theirs, ours = load(name, **(OPTIONS | more))
    for seed in range(seeds):
        mjdata = mujoco.MjData(theirs)
        deform(theirs, mjdata, np.random.default_rng(seed), 0.02)
        if theirs.flex_dim[0] == 1:
            mjdata.plastic[:] = 0
        for step in range(steps):
            data = twin(ours, mjdata)
            if step == 0:
                data.forward()
                mujoco.mj_forward(theirs, mjdata)
                assert data.efm_active == (mjdata.efm_active > 0)
                assert_near(data.efm_c, mjdata.efm_c, 1e-12, f"{name} efm_c")
                assert_near(data.efm_sdiag, mjdata.efm_sdiag, 1e-12, f"{name} efm_sdiag")
                assert_near(data.qacc, mjdata.qacc, 1e-9, f"{name} qacc")
            mujoco.mj_step(theirs, mjdata)
            data.step()
            for field in ("qpos", "qvel", "plastic"):
                assert_near(getattr(data, field), getattr(mjdata, field), 1e-9, f"{name} {field}")


@pytest.mark.parametrize("name", EVERYDAY)
def test_discrete_steps_of_flexes_are_those_of_mujoco(name: str) -> None:
    compare(name, 1, 3)


COMPARED = tuple(name for name in OTHERS if name not in (*REFUSED, "raw solid"))
GAPS = {
    "line in cells": "MuJoCo solves with a part of the stiffness of cells around a line: 10 % of qacc",
    "solid and points": "crossed elements pull each other to 2e-12, not 1e-12",
    **MODES_AS_STIFFNESS,
}


@pytest.mark.conformance
@pytest.mark.parametrize("name", with_gaps(COMPARED, GAPS))
def test_discrete_steps_of_other_flexes_are_those_of_mujoco(name: str) -> None:
    compare(name, 2, 6)


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["both", "solid", "rod", "trilinear one"])
def test_conjugate_gradients_find_the_same(name: str) -> None:
    compare(name, 2, 3, solver=CG)


def test_stiff_flexes_are_stable_at_large_steps() -> None:
    """Explicit forces of this solid blow up within a few steps."""
    text = world(comp('dim="3"', '<elasticity young="1e7" poisson=".3" damping=".01"/><pin id="0 1"/>', "3 3 2"))
    theirs, ours = pair(text, **(OPTIONS | {"timestep": 0.01}))
    data = twin(ours, mujoco.MjData(theirs)).step(200)
    assert np.isfinite(data.qpos).all()
    assert np.abs(data.qvel).max() < 1.0


# --- what is refused


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("both", {"integrator": 2}, "flex 'f' is elastic, which integrator implicit cannot"),
        ("rod", {"integrator": 3}, "flex 'f' is elastic, which integrator implicitfast cannot"),
        ("trilinear one", {"integrator": 3}, "choose discrete, or Euler"),
        ("edge damping", {"integrator": 4}, "no stiffness and damping of edges, as flex 'f' has"),
        ("both", {"integrator": 4, "solver": 0}, "flex 'f', which is elastic, cannot have solver PGS"),
        ("both", {"integrator": 4, "noslip_iterations": 3}, "cannot have noslip iterations"),
    ],
)
def test_what_mujoco_refuses_is_refused_by_name(name: str, options: dict[str, int], words: str) -> None:
    theirs, ours = pair(MODELS[name], **options)
    with pytest.raises(mujoco.FatalError):
        mujoco.mj_step(theirs, mujoco.MjData(theirs))
    with pytest.raises(phalanx.ModelError, match=words):
        ours.make_data()


def test_passive_contacts_need_the_discrete_integrator() -> None:
    text = world(comp("", EDGE + '<contact passive="true"/>'))
    with pytest.raises(phalanx.ModelError, match="passive contacts of flex 'f' need integrator discrete"):
        phalanx.Model.from_xml_string(text).make_data()


@pytest.mark.parametrize("name", ["edge damping", "grid 2", "rigid", "trilinear without force"])
def test_flexes_without_elasticity_go_with_implicit_integrators(name: str) -> None:
    theirs, ours = pair(MODELS[name], integrator=3, disableflags=NO_CONTACT)
    mjdata = mujoco.MjData(theirs)
    deform(theirs, mjdata, np.random.default_rng(0), 0.01)
    data = twin(ours, mjdata).step()
    mujoco.mj_step(theirs, mjdata)
    assert_near(data.qvel, mjdata.qvel, 1e-9, name)
