"""Profiles: every stage is there, parts make up the whole, and what they say is what happens."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import phalanx
from phalanx.algebra.number_type import NumberType
from phalanx.cli.main import app
from phalanx.measure import step_stages as stages
from phalanx.measure.mujoco_timers import TIMERS
from phalanx.measure.profile import load_group
from phalanx.measure.stage_times import StageTimer
from phalanx.memory.store import data_memory
from phalanx.pipeline.operations import Operations
from tests.conformance.models import load
from tests.quiet import quiet

XML = """<mujoco><worldbody><geom name="floor" type="plane" size="9 9 .1"/>
<body name="box" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body name="far" pos="5 0 .1"><freejoint/><geom size=".1"/></body>
<body name="pole" pos="0 5 2"><joint name="hinge" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 0 0 .5" size=".05"/></body>
</worldbody><actuator><motor joint="hinge"/></actuator><sensor><jointpos joint="hinge"/></sensor></mujoco>"""


@pytest.fixture(scope="module")
def model() -> phalanx.Model:
    return phalanx.Model.from_xml_string(XML)


@pytest.fixture(scope="module")
def profile(model: phalanx.Model) -> phalanx.Profile:
    return phalanx.profile(model, time=0.2, worlds=11, threads=2)


# --- stages


def test_stages_come_in_the_order_of_the_pipeline() -> None:
    found = stages.all_stages()
    assert found[:2] == ("begin_asleep", "kinematics") and found[-1] == "integrate"
    assert (
        found.index("collision") < found.index("make_constraint") < found.index("rne") < found.index("fwd_constraint")
    )


def test_every_stage_has_a_phase() -> None:
    listed = [stage for phase in stages.PHASES.values() for stage in phase]
    assert sorted(listed) == sorted(stages.all_stages())
    assert set(TIMERS) <= set(stages.PHASES)


def test_a_model_has_the_stages_that_it_needs(model: phalanx.Model) -> None:
    found = stages.stages_of(model._store)
    assert "sensor_acc" in found and "transmission" in found and "tendon" not in found


@pytest.mark.parametrize("name", ["suite/humanoid", "own/everything", "own/equality", "own/tendon_constraints"])
@quiet()
def test_a_stage_can_be_repeated(name: str) -> None:
    """Otherwise its time would be that of other work."""
    data = load(name).phalanx.make_data().step(5).forward()
    for stage in stages.stages_of(data.model._store):
        if stage != stages.INTEGRATE:
            before = data.run(stage).snapshot()
            after = data.run(stage).snapshot()
            different = [row for row in before if before[row].tobytes() != after[row].tobytes()]
            assert different == [], stage


@pytest.mark.parametrize("lanes", [0, 8])
def test_measuring_changes_nothing(model: phalanx.Model, lanes: int) -> None:
    number = NumberType("float64", lanes)
    store, twin = (data_memory(model._store.sizes, number) for _ in range(2))
    batch = phalanx.BatchSim(model, 8)
    batch.step(20)
    for each in (store, twin):
        if lanes:
            load_group(batch, each)
        else:
            Operations(model._store, each).reset()
    times = StageTimer(model._store, store).measure()
    Operations(model._store, twin).run("forward")
    for operations in (Operations(model._store, store), Operations(model._store, twin)):
        operations.run("step", 3)
    for row in ("qpos", "qvel", "time"):
        assert store.arrays[row].tobytes() == twin.arrays[row].tobytes(), row
    assert all(0.0 <= seconds < 1.0 for seconds in times.values())


# --- profiles


def test_a_profile_counts_what_happens(model: phalanx.Model, profile: phalanx.Profile) -> None:
    assert profile.steps == 100 and profile.simulated == pytest.approx(0.2)
    assert sum(profile.iterations.values()) == profile.steps
    assert 4 <= profile.contacts[0] <= profile.contacts[1] <= 8
    assert profile.rows[1] >= 3 * profile.contacts[1]
    assert profile.batch is not None and profile.batch.worlds == 8 and profile.throughput.worlds == 11
    assert list(profile.world.stages) == stages.stages_of(model._store)
    assert profile.memory["Data"]["qpos"] == 8 * model.nq
    assert profile.memory["world of a batch"]["qpos"] == 8 * model.nq


def test_pairs_that_never_touch_are_named(profile: phalanx.Profile) -> None:
    assert profile.pairs == (6, 2)
    found = {(row.body1, row.body2): row for row in profile.untouched}
    assert set(found) == {("world", "pole"), ("box", "far"), ("box", "pole"), ("far", "pole")}
    assert all(row.near == 0.0 and row.pairs == 1 for row in found.values())


def test_touching_geoms_are_near() -> None:
    xml = """<mujoco><worldbody><body name="a"><freejoint/><geom type="box" size="1 1 1"/></body>
    <body name="b" pos="0 0 2.3"><freejoint/><geom type="box" size="1 1 1"/></body></worldbody>
    <option gravity="0 0 0"/></mujoco>"""
    found = phalanx.profile(phalanx.Model.from_xml_string(xml), steps=10, worlds=2)
    assert found.pairs == (1, 0) and found.untouched[0].near == 1.0


def test_many_geoms_without_a_list_are_counted() -> None:
    bodies = "".join(f'<body pos="{k % 12} {k // 12} .099"><freejoint/><geom size=".1"/></body>' for k in range(144))
    xml = f'<mujoco><worldbody><geom type="plane" size="20 20 .1"/>{bodies}</worldbody></mujoco>'
    found = phalanx.profile(phalanx.Model.from_xml_string(xml), steps=3, worlds=2)
    assert found.pairs[1] == 144 and found.batch is None
    assert "not in lanes" in repr(found)


def test_a_profile_prints_aligned_tables(profile: phalanx.Profile) -> None:
    text = repr(profile)
    lines = text.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("us per step"))
    end = next(k for k, line in enumerate(lines) if line.startswith("step "))
    assert len({len(line) for line in lines[start : end + 1]}) == 1
    for word in ("8 in lanes", "constraint solver", "solver iterations", "<exclude", "memory"):
        assert word in text


def test_a_profile_becomes_json(profile: phalanx.Profile) -> None:
    found = json.loads(json.dumps(profile.to_dict()))
    assert found["world"]["phases"]["kinematics"] > 0 and found["mujoco"] == {}
    total = sum(found["world"]["stages"].values()) + found["world"]["rest"]
    assert total == pytest.approx(found["world"]["step"])


@pytest.mark.conformance
def test_parts_make_up_the_whole() -> None:
    """Within a tenth, in the best of a few tries: other programs disturb, and they do not make parts fit."""
    model = load("suite/humanoid").phalanx
    tries = [phalanx.profile(model, time=0.5) for _ in range(4)]
    for name in ("world", "batch"):
        shares = [abs(getattr(found, name).rest) / getattr(found, name).step for found in tries]
        assert min(shares) < 0.1, (name, shares)


def test_the_sum_of_parts_is_near_the_whole() -> None:
    found = phalanx.profile(load("suite/humanoid").phalanx, steps=60, worlds=8)
    for times in (found.world, found.batch):
        assert times is not None and -0.3 < times.rest / times.step < 0.4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"time": 1.0, "steps": 3}, "not both"),
        ({"time": -1.0}, "between 0 and"),
        ({"time": np.nan}, "between 0 and|finite|number"),
        ({"steps": 0}, "at least 1"),
        ({"worlds": 0}, "at least 1"),
        ({"key": "missing"}, "missing"),
    ],
)
def test_bad_arguments_are_refused(model: phalanx.Model, arguments: dict, words: str) -> None:
    with pytest.raises(phalanx.PhalanxError, match=words):
        phalanx.profile(model, **arguments)


def test_a_profile_of_something_else_is_refused() -> None:
    with pytest.raises(phalanx.FieldError, match="needs a Model, not str"):
        phalanx.profile("humanoid.xml")  # type: ignore[arg-type]


# --- the command


def test_the_command_prints_draws_and_compares(tmp_path) -> None:
    path, picture = tmp_path / "model.xml", tmp_path / "plots" / "profile.png"
    path.write_text(XML)
    options = ["--steps", "20", "--worlds", "8", "--plot", str(picture)]
    result = CliRunner().invoke(app, ["profile", str(path), *options])
    assert result.exit_code == 0, result.output
    assert "MuJoCo" in result.output and "20 steps" in result.output and "wrote" in result.output
    assert picture.read_bytes().startswith(b"\x89PNG")
    result = CliRunner().invoke(app, ["profile", str(path), *options[:4], "--json"])
    found = json.loads(result.stdout)
    assert found["steps"] == 20 and found["mujoco"]["step"] > 0 and found["mujoco"]["kinematics"] > 0


def test_the_command_does_without_mujoco_and_matplotlib(tmp_path, monkeypatch) -> None:
    path = tmp_path / "model.npz"
    phalanx.Model.from_xml_string(XML).save(path)
    result = CliRunner().invoke(app, ["profile", str(path), "--steps", "5"])
    assert result.exit_code == 0 and "no MuJoCo to compare with" in result.output
    monkeypatch.setattr("phalanx.cli.profile.importlib.util.find_spec", lambda name: None)
    result = CliRunner().invoke(app, ["profile", str(path), "--plot", str(tmp_path / "x.png")])
    assert result.exit_code == 1 and "matplotlib" in result.stderr
