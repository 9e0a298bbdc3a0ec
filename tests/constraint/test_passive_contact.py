"""Passive contacts of flexes: forces, metric and steps are MuJoCo's; who has them; equal bits in all ways."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from tests.collision.flex.scenes import free, grid
from tests.collision.flex.scenes import scene as scene_of
from tests.quiet import quiet
from tests.smooth.flex.deformed import assert_near, pair, twin

PRECISE = {"tolerance": 1e-15, "iterations": 200}
PASSIVE = 4
FLOOR, BALL = '<geom type="plane" size="1 1 1"/>', '<geom size=".3" pos=".02 .03 -.3"/>'
BOX = '<geom type="box" size=".3 .3 .1" pos="0 0 -.1"/>'
EDGE, STRETCH = '<edge equality="true"/>', '<elasticity young="1e4" thickness=".01" elastic2d="both"/>'
ARM = '<body name="arm" pos="0 0 {}"><joint type="hinge" axis="0 1 0"/><geom size=".01" contype="0" conaffinity="0"/>'
PINNED, SOFT = '<pin id="0"/>', '<elasticity young="1e4" poisson=".1"/>'


def scene(*elements: str, integrator: str = "discrete") -> str:
    """A model file whose integrator may have passive contacts."""
    return scene_of(*elements, option=f'integrator="{integrator}"')


def cloth(pos: str, inside: str = EDGE, contact: str = 'passive="true"', name: str = "a") -> str:
    """A sheet of nine vertices."""
    return grid(name, 2, count="3 3 1", pos=pos, contact=contact, inside=inside, mass=0.9, radius=0.01)


def cells(pos: str, dof: str, count: str = "4 3 3", cellcount: str = "2 1 1", **more: Any) -> str:
    """A block that nodes carry."""
    attributes = {"dof": dof, "cellcount": cellcount, "contact": 'passive="true"', "inside": SOFT, "mass": 0.9} | more
    return grid(attributes.pop("name", "a"), 3, count=count, pos=pos, radius=0.01, **attributes)


EVERYDAY = {
    "plane": scene(FLOOR, cloth("0 0 .008", EDGE + PINNED)),
    "ball": scene(BALL, cloth("0 0 .008", STRETCH + PINNED)),
    "cells on a ball": scene(BALL, cells("0 0 .105", "trilinear", inside=SOFT + '<pin id="8"/>')),
}
SWEEP = {
    "within the margin": scene(FLOOR, cloth("0 0 .012", contact='passive="true" margin=".01"')),
    "within the gap": scene(FLOOR, cloth("0 0 .024", contact='passive="true" margin=".01" gap=".01"')),
    "box": scene(BOX, cloth("0 0 .008", STRETCH + PINNED)),
    "one that moves": scene(free('<geom size=".3"/>', ".02 .03 -.3"), BALL, cloth("0 0 .008")),
    "solid": scene(FLOOR, grid("a", 3, count="3 3 2", pos="0 0 .055", contact='passive="true"', inside=SOFT, mass=0.9)),
    "cells on the floor": scene(FLOOR, cells("0 0 .105", "trilinear")),
    "quadratic cells": scene(BALL, cells("0 0 .105", "quadratic", "5 3 3")),
    "on a hinge": scene(
        BALL,
        ARM.format(".1"),
        cells("0 0 .005", "trilinear", inside=SOFT + '<pin id="0 3"/>'),
        "</body>",
    ),
    "vertices on a hinge": scene(
        BALL,
        ARM.format(".01"),
        cloth("0 0 0", STRETCH + PINNED),
        "</body>",
    ),
}


def compare(text: str, seeds: int, steps: int) -> None:
    """Forces and steps from random states."""
    theirs, ours = pair(text, **PRECISE)
    found = 0
    for seed in range(seeds):
        mjdata, rng = mujoco.MjData(theirs), np.random.default_rng(seed)
        mujoco.mj_integratePos(theirs, mjdata.qpos, rng.normal(size=theirs.nv), 0.002)
        mjdata.qvel[:] = 0.1 * rng.normal(size=theirs.nv)
        for _ in range(steps):
            data = twin(ours, mjdata).forward()
            mujoco.mj_forward(theirs, mjdata)
            found += int((mjdata.contact.exclude == PASSIVE).sum())
            np.testing.assert_array_equal(data.contact_exclude[: data.ncon], mjdata.contact.exclude)
            for field in ("qfrc_spring", "qfrc_passive", "efm_c", "qacc_smooth", "qacc"):
                assert_near(getattr(data, field), getattr(mjdata, field), 1e-9, field)
            data = twin(ours, mjdata).step()
            mujoco.mj_step(theirs, mjdata)
            for field in ("qpos", "qvel"):
                assert_near(getattr(data, field), getattr(mjdata, field), 1e-9, field)
    assert found > 0


@pytest.mark.parametrize("name", EVERYDAY)
def test_forces_and_steps_are_those_of_mujoco(name: str) -> None:
    compare(EVERYDAY[name], 1, 3)


@pytest.mark.conformance
@pytest.mark.parametrize("name", [*EVERYDAY, *SWEEP])
def test_forces_and_steps_of_all_kinds_are_those_of_mujoco(name: str) -> None:
    compare((EVERYDAY | SWEEP)[name], 4, 6)


TWO = {
    "sheets": (cloth("0 0 0"), cloth(".03 .02 .017", contact="", name="b")),
    "one of cells": (cells("0 0 0", "trilinear"), cloth(".03 .02 .117", contact="", name="b")),
    "both of cells": (cells("0 0 0", "trilinear"), cells(".02 .01 .217", "trilinear", "3 3 3", "1 1 1", name="b")),
}


@pytest.mark.conformance
@pytest.mark.parametrize("name", TWO)
def test_contacts_of_two_flexes_are_forces_if_one_asks_for_it(name: str) -> None:
    """Such contacts are searched for: their places, and so the weights of vertices, are known to half of the digits."""
    theirs, ours = pair(scene(*TWO[name]), **PRECISE, ccd_tolerance=1e-13, ccd_iterations=200)
    compared = 0
    for seed in range(12):
        mjdata, rng = mujoco.MjData(theirs), np.random.default_rng(seed)
        mujoco.mj_integratePos(theirs, mjdata.qpos, rng.normal(size=theirs.nv), 0.005)
        data = twin(ours, mjdata).forward()
        mujoco.mj_forward(theirs, mjdata)
        # of more than fifty contacts of cells, rounding decides which ones are kept
        if data.ncon == mjdata.ncon and np.allclose(data.contact_pos[: data.ncon], mjdata.contact.pos, 0, 1e-6):
            compared += 1
            assert (mjdata.contact.exclude == PASSIVE).all()
            assert_near(data.qfrc_spring, mjdata.qfrc_spring, 1e-5, "qfrc_spring")
            assert_near(data.qacc, mjdata.qacc, 1e-5, "qacc")
    assert compared > 2


# --- who has them


@pytest.mark.parametrize("flags", ["SPRING", "DAMPER", "SPRING DAMPER", "CONTACT", "CONSTRAINT"])
def test_flags_take_away_what_they_take_away_in_mujoco(flags: str) -> None:
    bits = sum(int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}")) for flag in flags.split())
    theirs, ours = pair(EVERYDAY["plane"], **PRECISE, disableflags=bits)
    mjdata = mujoco.MjData(theirs)
    mjdata.qvel[:] = np.random.default_rng(0).normal(size=theirs.nv)
    data = twin(ours, mjdata).forward()
    mujoco.mj_forward(theirs, mjdata)
    for field in ("qfrc_spring", "qfrc_passive", "efm_c", "qacc"):
        assert_near(getattr(data, field), getattr(mjdata, field), 1e-12, field)


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [({"dim": 1, "count": "3 1 1"}, 0), ({"dim": 2, "rigid": "true"}, 0), ({"dim": 2}, PASSIVE)],
)
@quiet()
def test_lines_and_rigid_flexes_pass_over_it(attributes: dict[str, Any], expected: int) -> None:
    other = grid("b", pos="0 0 .015", contact='passive="true"', radius=0.01, **attributes)
    theirs, ours = pair(scene(cloth("0 0 0", contact=""), other), **PRECISE)
    mjdata = mujoco.MjData(theirs)
    data = twin(ours, mjdata).forward()
    mujoco.mj_forward(theirs, mjdata)
    assert set(mjdata.contact.exclude.tolist()) == set(data.contact_exclude[: data.ncon].tolist()) == {expected}


def test_lines_ask_for_nothing_of_the_integrator() -> None:
    line = grid("b", 1, count="3 1 1", contact='passive="true"', inside=EDGE)
    with pytest.warns(phalanx.MjcfWarning, match="passive has no effect"):
        model = phalanx.Model.from_xml_string(scene(line, integrator="Euler"))
    model.make_data().step()


@pytest.mark.filterwarnings("error")
def test_nothing_is_left_out() -> None:
    phalanx.Model.from_xml_string(EVERYDAY["plane"]).make_data()


def test_a_cloth_rests_on_the_floor_without_friction() -> None:
    text = EVERYDAY["plane"].replace(PINNED, "")
    data = phalanx.Model.from_xml_string(text).make_data()
    data.qvel[::3] = 0.1
    data.step(500)
    # the weight of a vertex presses it in by g / omega²
    np.testing.assert_allclose(data.contact_dist[: data.ncon], -9.81 / 5e7, rtol=1e-3)
    np.testing.assert_allclose(data.qvel[::3], 0.1, rtol=1e-9)


@pytest.mark.parametrize("name", ["plane", pytest.param("cells on a ball", marks=pytest.mark.conformance)])
def test_inverse_dynamics_has_them(name: str) -> None:
    theirs, ours = pair(EVERYDAY[name], **PRECISE)
    mjdata, rng = mujoco.MjData(theirs), np.random.default_rng(0)
    mjdata.qpos[:] += 0.002 * rng.normal(size=theirs.nq)
    mjdata.qvel[:] = 0.1 * rng.normal(size=theirs.nv)
    data = twin(ours, mjdata).forward()
    mujoco.mj_forward(theirs, mjdata)
    mjdata.qacc[:] = data.qacc[:] = rng.normal(size=theirs.nv)
    mujoco.mj_inverse(theirs, mjdata)
    data.inverse()
    assert_near(data.qfrc_inverse, mjdata.qfrc_inverse, 1e-12, "qfrc_inverse")


@pytest.mark.conformance
@pytest.mark.parametrize("name", EVERYDAY)
def test_exact_derivatives_are_those_of_differences(name: str) -> None:
    model = phalanx.Model.from_xml_string(EVERYDAY[name])
    data = model.make_data()
    data.qpos[:] += 0.001 * np.random.default_rng(0).normal(size=model.nq)
    data.step()
    exact, nearby = data.transition(), data.transition_fd(1e-7)
    np.testing.assert_allclose(exact.A, nearby.A, rtol=0, atol=1e-6 * np.abs(exact.A).max())


# --- bits


@pytest.mark.parametrize("name", ["ball", pytest.param("cells on a ball", marks=pytest.mark.conformance)])
@quiet()
def test_however_a_world_is_run_bits_are_the_same(name: str) -> None:
    model = phalanx.Model.from_xml_string(EVERYDAY[name])
    start = model.qpos0 + 0.002 * np.random.default_rng(0).normal(size=(4, model.nq))
    one = model.make_data()
    with interpreted():
        other = model.make_data()
    for data in (one, other):
        data.qpos[:] = start[0]
    one.step()
    with interpreted():
        other.step()
    assert (one.contact_exclude[: one.ncon] == PASSIVE).any()
    for field in ("qpos", "qvel", "qfrc_spring", "efm_c"):
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field), err_msg=field)
    for threads in (1, 2):
        batch = phalanx.BatchSim(model, len(start), threads=threads)
        batch.qpos[:] = start
        for _ in range(5):
            batch.step()
        for world, qpos in enumerate(start):
            data = model.make_data()
            data.qpos[:] = qpos
            np.testing.assert_array_equal(batch.qpos[world], data.step(5).qpos)
