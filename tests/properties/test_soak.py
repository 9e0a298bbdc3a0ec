"""The soak finds nothing in short runs, and finds what is put there for it."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import phalanx
from tools.soak import Soak, mix
from tools.soak_sleep import SleepSoak, problems

EVERYDAY = ("own/hinge", "own/contact")


def test_a_short_soak_finds_nothing() -> None:
    soak = Soak(1).run(mix(EVERYDAY), 3.0, sys.maxsize)
    assert not soak.found
    assert soak.world_steps > 10_000 and soak.contacts > 0


@pytest.mark.conformance
def test_a_soak_of_minutes_finds_nothing() -> None:
    soak = Soak(2).run(mix(), 180.0, sys.maxsize)
    assert not soak.found
    assert soak.world_steps > 1e6


def test_it_finds_a_bit_that_differs() -> None:
    soak, model = Soak(0), mix(EVERYDAY)["own/contact"]
    batch, twin = (phalanx.BatchSim(model, n, threads=1) for n in (32, 24))
    soak.compare("here", batch, twin)
    assert not soak.found
    twin.qpos[3, 0] = np.nextafter(twin.qpos[3, 0], 1.0)
    soak.compare("here", batch, twin)
    assert soak.found == ["here: world 3 differs from its twin"]


def test_it_finds_a_number_that_is_not_finite_and_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    soak, model = Soak(0), mix(EVERYDAY)["own/contact"]
    batch, twin = (phalanx.BatchSim(model, n, threads=1) for n in (32, 24))
    batch.xfrc_applied[30, 0] = np.inf
    # the batch reports it; here it keeps silent
    monkeypatch.setattr(phalanx.BatchSim, "errors", property(lambda self: [None] * self.n))
    soak.period("here", batch, twin, np.random.default_rng(0))
    assert soak.found == ["here: world 30 is not finite and not reported"]


def test_it_finds_memory_that_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    soak, sizes = Soak(0), iter([1, 90, 100, 100, 101, 200])
    monkeypatch.setattr("tools.soak.resident", lambda: next(sizes) * 2**20)
    for _ in range(6):
        soak.note_memory()
    assert soak.found == ["memory has grown by 100 MB after 6 rounds"]


# --- sleep


def test_a_short_soak_of_sleep_finds_nothing() -> None:
    soak = SleepSoak(3).run(20_000)
    assert not soak.found
    assert soak.steps >= 20_000 and len(soak.disturbed) == 7 and sum(soak.asleep) > 100


@pytest.mark.conformance
def test_a_soak_of_sleep_of_a_million_steps_finds_nothing() -> None:
    soak = SleepSoak(4).run(1_000_000)
    assert not soak.found
    assert soak.steps >= 1_000_000


def test_it_finds_what_is_wrong_with_those_that_sleep() -> None:
    xml = """<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="1 1 1"/>
    <body><joint/><geom size=".1" contype="0" conaffinity="0"/></body>
    <body pos="0 0 .1" sleep="init"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""
    data = phalanx.Model.from_xml_string(xml).make_data()
    data.step()
    assert problems(data) == []
    data.qvel[2] = 1.0
    assert problems(data) == ["something that sleeps has a velocity"]
    data.tree_asleep[1] = 0
    data.qpos[1] = 9.0
    found = problems(data)
    assert "the circle of tree 1 does not close" in found and "a body has left the bin" in found
    data.tree_asleep[1] = -5
    assert "tree_awake is not who is awake" in problems(data)
