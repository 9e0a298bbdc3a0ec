"""`phalanx simulate`: trajectories, summaries, and worlds that fail."""

from __future__ import annotations

import csv

import numpy as np
import pytest

import phalanx
from phalanx.cli import simulate as simulate_module
from phalanx.cli.scenes import HUMANOID
from tests.cli.test_cli import assert_complains, run

PENDULUM = """<mujoco model="pendulum">
  <worldbody>
    <geom type="plane" size="3 3 1"/>
    <body pos="0 0 1"><joint name="hinge" axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 .5 0 0"/></body>
    <body name="ball" pos="2 0 .08"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <actuator><motor name="push" joint="hinge"/></actuator>
  <keyframe><key name="side" qpos="1 2 0 .08 1 0 0 0" ctrl=".5"/></keyframe>
</mujoco>"""
#: A world that explodes soon: a joint with a stiff negative spring away from its rest.
UNSTABLE = """<mujoco><option timestep=".05"/><worldbody><body>
  <joint name="wild" type="slide" stiffness="1e6" springref="1"/><geom size=".1" mass=".001"/>
</body></worldbody></mujoco>"""


@pytest.fixture
def pendulum(tmp_path):
    path = tmp_path / "pendulum.xml"
    path.write_text(PENDULUM)
    return path


def test_the_summary_tells_how_it_went(pendulum):
    result = run("simulate", str(pendulum), "--time", "0.4")
    assert result.exit_code == 0, result.output
    for words in ("simulated 0.4 s in 200 steps", "x real time", "J at the start", "contacts 1 at the end", "none"):
        assert words in result.text


def test_rows_are_the_states_of_data_with_their_energy_and_contacts(pendulum, tmp_path):
    out = tmp_path / "made" / "on_demand" / "t.npz"
    assert run("simulate", str(pendulum), "--time", "0.1", "--key", "side", "--out", str(out)).exit_code == 0
    model = phalanx.load(pendulum)
    model = model.replace(opt={"enableflags": model.opt.enableflags | phalanx.enums.EnableBit.ENERGY})
    data = model.make_data().reset("side")
    with np.load(out) as rows:
        assert {name: rows[name].shape for name in rows} == {
            "time": (51,), "qpos": (51, 8), "qvel": (51, 7), "ctrl": (51, 1), "energy": (51, 2), "ncon": (51,), "phalanx_trajectory": (),
        }  # fmt: skip
        for k in (0, 1):
            assert np.array_equal(rows["qpos"][k], data.qpos)
            assert np.array_equal(rows["qvel"][k], data.qvel)
            assert rows["time"][k] == data.time
            data.step()
            assert np.array_equal(rows["energy"][k], data.energy)
            assert rows["ncon"][k] == data.ncon == 1
        assert rows["ctrl"][-1] == 0.5
        assert rows["time"][-1] == pytest.approx(0.1)


def test_a_table_has_names_in_its_first_line(pendulum, tmp_path):
    out = tmp_path / "t.csv"
    run("simulate", str(pendulum), "--time", "0.1", "--every", "10", "--out", str(out))
    with out.open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header[:3] == ["time", "qpos.hinge", "qpos.1.0"]
    assert header[-5:] == ["qvel.1.5", "ctrl.push", "energy.potential", "energy.kinetic", "ncon"]
    assert len(rows) == 6
    assert [float(row[0]) for row in rows] == pytest.approx([0, 0.02, 0.04, 0.06, 0.08, 0.1])


def test_random_controls_follow_the_seed(tmp_path):
    kept = []
    for seed in ("0", "0", "1"):
        out = tmp_path / "t.npz"
        run("simulate", str(HUMANOID), "--ctrl", "random", "--seed", seed, "--time", "0.1", "--out", str(out))
        with np.load(out) as rows:
            kept.append({name: rows[name] for name in rows})
    first, again, other = kept
    assert all(np.array_equal(first[name], again[name]) for name in first)
    assert not np.array_equal(first["ctrl"], other["ctrl"])
    model = phalanx.load(HUMANOID)
    low, high = model.actuator_ctrlrange.T
    assert ((low <= first["ctrl"]) & (first["ctrl"] <= high)).all()
    # held for a while, then changed
    changes = np.flatnonzero(np.diff(first["ctrl"][:, 0]))
    assert changes.tolist() == [24]


def test_a_world_that_fails_leaves_its_trajectory(tmp_path):
    path, out = tmp_path / "unstable.xml", tmp_path / "t.npz"
    path.write_text(UNSTABLE)
    result = run("simulate", str(path), "--out", str(out))
    assert result.exit_code == 1
    assert "joint 'wild'" in result.stderr and "Traceback" not in result.output
    with np.load(out) as rows:
        steps = len(rows["time"])
        assert 1 < steps < 100
        assert np.isfinite(rows["qpos"]).all()
        assert np.isnan(rows["energy"][-1]).all() and np.isfinite(rows["energy"][:-1]).all()
    assert f"in {steps - 1} steps" in result.text
    assert f"{steps} rows" in result.text


def test_ctrl_c_leaves_the_trajectory_too(pendulum, tmp_path, monkeypatch):
    out, count = tmp_path / "t.npz", []
    step = phalanx.Data.step

    def interrupted(data, *arguments, **options):
        count.append(1)
        if len(count) == 20:
            raise KeyboardInterrupt
        return step(data, *arguments, **options)

    monkeypatch.setattr(simulate_module.Data, "step", interrupted)
    result = run("simulate", str(pendulum), "--out", str(out))
    assert result.exit_code == 1
    assert "19 steps, interrupted" in result.text
    with np.load(out) as rows:
        assert len(rows["time"]) == 20


def test_what_is_left_out_is_said(tmp_path):
    path, out = tmp_path / "sensor.xml", tmp_path / "t.npz"
    path.write_text(PENDULUM.replace("<keyframe>", "<sensor><jointpos joint='hinge'/></sensor><keyframe>"))
    result = run("simulate", str(path), "--time", "0.01", "--out", str(out))
    with np.load(out) as rows:
        # numbers that nobody computed are not written as zeros
        assert ("sensordata" in rows) == ("does not simulate" not in result.stderr)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("--time", "-1"), ("--time",)),
        (("--time", "nan"), ("--time",)),
        (("--out", "t.txt"), ("no writer of trajectories for '.txt'; known: .npz, .csv",)),
        (("--out", "t"), ("this one has none; known: .npz, .csv",)),
        (("--key", "sied"), ("no key is named 'sied'; did you mean 'side'?",)),
        (("--key", "7"), ("key 7 does not exist",)),
    ],
)
def test_arguments_that_make_no_sense(pendulum, arguments, words):
    assert_complains(run("simulate", str(pendulum), *arguments), *words)


def test_compiling_is_not_counted_as_simulating(tmp_path, monkeypatch):
    """As if compiling had taken two seconds before the first step, and a thousand in the middle of one."""
    path = tmp_path / "model.xml"
    path.write_text(PENDULUM)
    readings = iter((0.0, 2.0, 1002.0, 1002.0))
    monkeypatch.setattr(simulate_module, "seconds_waited", lambda: next(readings))
    outcomes = []
    report = simulate_module.report
    monkeypatch.setattr(
        simulate_module, "report", lambda model, outcome: (outcomes.append(outcome), report(model, outcome))
    )
    result = run("simulate", str(path), "--time", "0.1")
    assert result.exit_code == 0, result.output
    assert "compiling 1e+03 s, once" in result.text
    assert outcomes[0].compiling == 1002.0 and outcomes[0].seconds < -990.0
