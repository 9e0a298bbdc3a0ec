"""The benchmark measures what it says, and the page of performance is what it makes of the committed results."""

from __future__ import annotations

import json

import mujoco
import numpy as np
import pytest
from rich.table import Table

import phalanx
from benchmarks import learning, page, plot, regimes, results, run
from benchmarks.cases import BY_KEY, CASES, COMPARED, CONES, NOSLIP, SOLVERS
from benchmarks.contestants import WAYS
from benchmarks.ratios import bars, measured, ratio, slower
from benchmarks.regimes import REGIMES, STATES, make_start, standing_share
from benchmarks.results import Results
from benchmarks.scenes import BY_NAME, STEP_SCENES
from benchmarks.sheet import KeepingConsole, Sheet
from benchmarks.steps import compare, describe

OWN = [case for case in CASES if case.scene.startswith("own_") and not case.variant]
GYM = "humanoid_gym"


@pytest.fixture
def few_worlds(tmp_path, monkeypatch):
    """States of few worlds, kept apart from those of real runs."""
    monkeypatch.setattr(regimes, "WORLDS", 8)
    monkeypatch.setattr(regimes, "FOLDER", tmp_path / "states")


def machine(**changes):
    return {
        "cpu": "A CPU", "target": "linux-x86-64-v3", "vectors": "AVX2", "threads": 2, "system": "Linux 6.1",
        "python": "3.12", "numpy": "2", "llvmlite": "1", "mujoco": "4.0.0", "phalanx": "0.1", "date": "2030-01-01",
        "load": 0.0,
    } | changes  # fmt: skip


def made_up(keys, **slow):
    """Results in which MuJoCo takes 10 microseconds for each step and we take 2, but for the ways that are named."""
    ours = {name: 2e-6 for name, way in WAYS.items() if way.against} | slow
    times = {name: 1e-5 for name, way in WAYS.items() if not way.against} | ours
    row = {
        "nv": 9,
        "worlds": 256,
        "timestep": 0.002,
        "contacts": 2.0,
        "rows": 8.0,
        "apart": {"f64": 1e-14, "f32": 1e-6},
    }
    return Results(machine(), {key: row | {"runs": [times]} for key in keys})


# --- the page


def test_the_page_and_its_picture_are_those_of_the_committed_results(capsys):
    assert page.main(["--check"]) == 0, capsys.readouterr().out


def test_a_stale_page_and_a_stale_picture_are_found(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(page, "ROOT", tmp_path)
    monkeypatch.setattr(page, "PAGE", tmp_path / "performance.md")
    monkeypatch.setattr(page, "PICTURE", tmp_path / "performance.png")
    assert page.main(["--check"]) == 1
    told = capsys.readouterr().out
    assert "performance.md is stale" in told
    assert "performance.png is stale" in told
    assert page.main(["--chek"]) == 2


def test_the_picture_tells_the_results_it_was_drawn_from(tmp_path):
    before, after = made_up(BY_KEY), made_up(BY_KEY, f64=5e-6)
    plot.draw(before, tmp_path / "a.png")
    assert page.picture_source(tmp_path / "a.png") == plot.fingerprint(before) != plot.fingerprint(after)
    assert page.picture_source(tmp_path / "no.png") == ""


def test_every_hole_of_the_template_is_filled_on_any_machine():
    template = page.TEMPLATE.read_text(encoding="utf-8")
    for found in ([made_up(BY_KEY)], [made_up(BY_KEY), made_up(["ant falling"])], [made_up(["ant falling"])]):
        assert "{{" not in page.page(found, template)
    with pytest.raises(KeyError):
        page.page([made_up(BY_KEY)], "{{no_such_hole}}")


def test_rows_in_which_mujoco_is_faster_are_bold_and_listed():
    found = made_up(["ant falling", "humanoid lying"])
    found.steps["humanoid lying"]["runs"] = [found.steps["ant falling"]["runs"][0] | {"f64": 1.25e-5}]
    assert [(case.key, value) for case, value in slower(found, "f64")] == [("humanoid lying", 0.8)]
    assert "f64, 1 of 2: humanoid (dm_control), lying 0.80x" in page.losses(found)
    assert "**0.80x**" in page.regime_sheet(found, "lying").markdown()
    assert "**" not in page.regime_sheet(found, "falling").markdown()
    assert page.losses(made_up(["ant falling"])) == "None of the 1 rows."


def test_our_ways_are_compared_with_the_fastest_way_of_mujoco_on_as_many_threads():
    found = made_up(["ant falling"])
    (times,) = found.steps["ant falling"]["runs"]
    times |= {"mj_step": 4e-5, "batch": 8e-6, "rollout_all": 6e-6}
    record = found.steps["ant falling"]
    assert ratio(record, "one") == pytest.approx(20)
    assert ratio(record, "f32") == pytest.approx(4)
    assert ratio(record, "f32_all") == pytest.approx(3)
    assert "one world is 4.00x in the median row, and slower in 0 of 1 rows" in page.like_with_like(found)


def test_the_median_of_several_runs_counts_and_their_spread_is_told():
    found = made_up(["ant falling"])
    (times,) = found.steps["ant falling"]["runs"]
    found.steps["ant falling"]["runs"] = [times, times | {"f64": 1e-6}, times | {"f64": 1.25e-6}]
    assert ratio(found.steps["ant falling"], "f64") == pytest.approx(8)
    assert "by 0 % in the median, by 63 %" in page.run_spread(found)
    assert "medians of 3 runs" in page.machine_text(found)


def test_a_bar_names_the_row_that_misses_it_most():
    found = made_up(["ant falling", "own_quadruped lying", "own_humanoid lying"])
    found.steps["own_humanoid lying"]["runs"] = [found.steps["ant falling"]["runs"][0] | {"f32": 4e-6}]
    missed = {(bar.text, bar.way): (case.key, value) for bar, case, value in bars(found) if value < bar.ratio}
    assert missed == {
        ("ours, lying", "f32"): ("own_humanoid lying", pytest.approx(2.5)),
        ("ant, falling", "f32"): ("ant falling", pytest.approx(5.0)),
    }


def test_bars_are_asked_of_the_target_that_they_are_for():
    wide, narrow = made_up(["ant falling"]), made_up(["ant falling"], f64=1e-5)
    wide.machine |= {"vectors": "AVX-512"}
    assert "| 5x | 1.00x |" in page.bar_text(wide, [narrow])
    assert "measured on A CPU with AVX-512" in page.bar_text(wide, [])


def test_a_busy_machine_is_told():
    assert "busy" in page.machine_text(Results(machine(load=3.0)))
    assert "busy" not in page.machine_text(Results(machine(load=0.1)))


# --- results


def test_results_survive_their_file_and_every_row_has_a_line(tmp_path):
    found = made_up(["ant falling", "ant lying"])
    found.keep("stages", [Sheet("a title", ["stage", "time"], [["call", "1.0"]])], is_part=False)
    found.write(tmp_path / "r.json")
    assert Results.read(tmp_path / "r.json") == found
    text = (tmp_path / "r.json").read_text()
    assert json.loads(text)["steps"].keys() == {"ant falling", "ant lying"}
    assert sum(line.strip().startswith('"ant') for line in text.splitlines()) == 2


def test_the_machine_with_most_rows_comes_first_then_the_newest(tmp_path):
    for name, keys, date in (("a", 2, "2030-01-01"), ("b", 2, "2030-01-02"), ("c", 1, "2030-01-03")):
        Results(machine(date=date), made_up(list(BY_KEY)[:keys]).steps).write(tmp_path / f"{name}.json")
    assert [r.machine["date"][-1] for r in results.all_results(tmp_path)] == ["2", "1", "3"]


def test_tables_of_a_part_leave_the_other_rows():
    found = Results(machine())
    found.keep("compile", [Sheet("t", ["model", "cold"], [["ant", "1"], ["walker", "2"]])], is_part=False)
    found.keep("compile", [Sheet("t", ["model", "cold"], [["walker", "3"]])], is_part=True)
    assert found.tables["compile"][0].rows == [["ant", "1"], ["walker", "3"]]
    found.keep("compile", [Sheet("t", ["model", "cold"], [["walker", "4"]])], is_part=False)
    assert found.tables["compile"][0].rows == [["walker", "4"]]


def test_a_keeping_console_keeps_the_tables_that_are_printed(capsys):
    from rich.console import Console

    keeping = KeepingConsole(Console())
    table = Table(title="times")
    table.add_column("model")
    table.add_column("time")
    table.add_row("ant", "1.5 (**0.9x**)")
    keeping.print(table)
    keeping.print("a line")
    assert keeping.sheets == [Sheet("times", ["model", "time"], [["ant", "1.5 (**0.9x**)"]])]
    assert keeping.sheets[0].markdown() == "| model | time |\n|---|---:|\n| ant | 1.5 (**0.9x**) |"
    assert "a line" in capsys.readouterr().out


# --- what is measured


def test_rows_cover_all_scenes_regimes_solvers_and_cones():
    assert len(BY_KEY) == len(CASES)
    assert {case.scene for case in CASES} == {scene.name for scene in STEP_SCENES}
    assert {case.regime for case in CASES} == set(REGIMES)
    assert {(c.solver, c.cone) for c in CASES if c.variant} == {(s, c) for s in SOLVERS for c in CONES}
    assert {(c.scene, c.cone) for c in CASES if c.noslip} == {(s, c) for s in ("own_humanoid", GYM) for c in CONES}
    assert f"{COMPARED[0]} {COMPARED[1]}" in BY_KEY
    assert all((case.law is not None) == (case.regime == "standing") for case in CASES)
    for scene in ("own_humanoid", "own_humanoid_mesh", "own_quadruped", "own_quadruped_mesh"):
        assert {case.regime for case in CASES if case.scene == scene} == set(REGIMES)


def test_names_choose_rows_and_unknown_ones_are_refused(capsys):
    assert {case.scene for case in run.chosen(["ant"], quick=False)} == {"ant"}
    assert [case.key for case in run.chosen(["ant lying"], quick=False)] == ["ant lying"]
    assert all(case.cone == "elliptic" for case in run.chosen(["elliptic"], quick=False))
    assert [case for case in CASES if case.noslip] == run.chosen(["noslip"], quick=False)
    assert run.chosen([], quick=False) == list(CASES)
    assert 0 < len(run.chosen([], quick=True)) < 10
    assert run.chosen(["ant"], quick=True) == run.chosen(["ant"], quick=False)
    assert run.parse(["ant"]).only == ["steps"]
    assert set(run.parse([]).only) == {"steps", *run.SECTIONS}
    with pytest.raises(SystemExit):
        run.parse(["antt"])
    assert "no such scene, regime, solver or row: antt" in capsys.readouterr().err


@pytest.mark.parametrize("case", [case for case in OWN if case.law], ids=lambda case: case.key)
def test_own_robots_stand_or_trot_under_their_law(case, few_worlds):
    mjmodel = case.load()
    start = case.start(mjmodel)
    assert standing_share(mjmodel, start, case.law) == 1
    assert describe(mjmodel, start)["contacts"] >= 1.5


def test_variants_have_meshes_and_dry_joints():
    feet, legs, dry = (
        BY_NAME[f"own_{name}"].load_whole() for name in ("humanoid_mesh", "quadruped_mesh", "quadruped_dry")
    )
    assert (feet.nmesh, legs.nmesh) == (2, 12)
    assert (legs.geom_type == mujoco.mjtGeom.mjGEOM_MESH).sum() == 12
    assert dry.opt.cone == mujoco.mjtCone.mjCONE_ELLIPTIC
    assert dry.opt.impratio == 100
    assert (dry.dof_frictionloss[6:] > 0).all()
    assert (dry.dof_frictionloss[:6] == 0).all()


def test_a_solver_of_a_row_takes_the_place_of_the_models_own(few_worlds):
    row, own = BY_KEY["own_humanoid lying PGS elliptic"], BY_KEY["own_humanoid lying"]
    mjmodel = row.load()
    assert (mjmodel.opt.solver, mjmodel.opt.cone, mjmodel.opt.noslip_iterations) == (0, 1, 0)
    assert BY_KEY["own_humanoid lying Newton elliptic noslip"].load().opt.noslip_iterations == NOSLIP
    assert np.array_equal(row.start(mjmodel).states["qpos"], own.start(own.load()).states["qpos"])


@pytest.mark.parametrize("regime", ["falling", "lying"])
def test_recorded_controls_go_on_from_the_prepared_state(regime, few_worlds):
    mjmodel = BY_NAME["own_quadruped"].load_whole()
    start = make_start(mjmodel, regime)
    low, high = regimes.control_range(mjmodel)
    assert start.controls.shape == (8, regimes.TIMED, mjmodel.nu)
    assert ((start.controls >= low) & (start.controls <= high)).all()
    # random controls differ from step to step, and small ones are near those of rest
    assert np.abs(np.diff(start.controls, axis=1)).max(axis=2).min() > 0
    if regime == "lying":
        away = np.abs(start.controls - regimes.rest_control(mjmodel)) / (high - low)
        assert away.max() <= regimes.SMALL
    assert len(np.unique(start.states["qpos"][:, 3])) == 8


def test_states_are_prepared_once_and_are_the_same_from_the_file(few_worlds):
    mjmodel = BY_NAME["own_quadruped"].load_whole()
    first, again = make_start(mjmodel), make_start(mjmodel)
    assert len(list(regimes.FOLDER.glob("*.npz"))) == 1
    for name in STATES:
        assert np.array_equal(first.states[name], again.states[name])
    assert np.array_equal(first.controls, again.controls)
    mjmodel.opt.timestep *= 0.5
    make_start(mjmodel)
    assert len(list(regimes.FOLDER.glob("*.npz"))) == 2


def test_worlds_of_a_larger_start_all_differ(few_worlds):
    start = make_start(BY_NAME["own_quadruped"].load_whole(), worlds=24)
    assert len(np.unique(start.states["qpos"], axis=0)) == 24


def test_a_small_run_measures_every_way_and_both_engines_do_the_same_work(few_worlds, tmp_path):
    case = BY_KEY["own_quadruped_dry lying"]
    mjmodel = case.load()
    start = case.start(mjmodel)
    found = compare(mjmodel, start, threads=2, rounds=1)
    assert found["times"].keys() == WAYS.keys()
    assert all(0 < t < 1 for t in found["times"].values())
    assert found["apart"]["f64"] < 1e-9
    assert found["apart"]["f32"] < 1e-2
    record = describe(mjmodel, start) | {"runs": [found["times"]], "apart": found["apart"]}
    assert record["worlds"] == 8
    assert record["rows"] > 12
    kept = Results(machine(), {case.key: record})
    page.write([kept], tmp_path / "performance.md", tmp_path / "performance.png")
    assert case.label in (tmp_path / "performance.md").read_text(encoding="utf-8")
    assert measured(kept) == [(case, record)]


def test_a_quick_run_of_one_row_writes_its_page_to_its_own_folder(few_worlds, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run, "QUICK_FOLDER", tmp_path / "quick")
    run.main(["--quick", "own_quadruped trotting"])
    (path,) = (tmp_path / "quick").glob("*.json")
    assert list(Results.read(path).steps) == ["own_quadruped trotting"]
    assert "quadruped (ours), trotting" in (tmp_path / "quick" / "performance.md").read_text(encoding="utf-8")
    assert (tmp_path / "quick" / "pictures" / "performance.png").exists()
    assert "own_quadruped trotting: one" in capsys.readouterr().out


def test_a_run_without_models_leaves_the_page_alone(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(results, "FOLDER", tmp_path)
    monkeypatch.setenv("PHALANX_BENCH_MODELS", str(tmp_path))
    run.main(["barkour"])
    told = capsys.readouterr().out
    assert "left out, no model: barkour" in told
    assert "the page stays as it is" in told
    assert not list(tmp_path.iterdir())


@pytest.mark.conformance
@pytest.mark.parametrize("name", learning.TASKS)
def test_environments_of_numpy_do_the_same_as_ours(name):
    """One action from the same states: the state and, in the half-cheetah, the reward."""
    theirs = learning.BatchEnvs(name, 4, threads=1)
    ours = phalanx.learn.task_named(name).make_vec(4, threads=1, observation_dtype="float64")
    ours.reset(seed=0)
    ours.set_state(qpos=theirs.fields["qpos"], qvel=theirs.fields["qvel"])
    low, high = theirs.model.actuator_ctrlrange.T
    action = np.random.default_rng(0).uniform(low, high, (4, theirs.model.nu))
    expected, reward, *_ = theirs.step(action)
    found, gained, *_ = ours.step(action)
    count = theirs.model.nq + theirs.model.nv - 2
    np.testing.assert_allclose(found[:, :count], expected[:, :count], rtol=1e-9, atol=1e-9)
    if name == "HalfCheetah-v5":
        np.testing.assert_allclose(gained, reward, rtol=1e-9, atol=1e-9)


def test_bars_of_environments_are_told_as_missed_or_met():
    columns = ["task", "Gymnasium, SyncVectorEnv", "EnvPool", "f64", "f32"]
    rows = [["Ant-v5", "10", "20", "90 (9.0x, 4.5x)", "180 (18.0x, 9.0x)"]]
    text = page.learning_bars(Results({}, tables={"learning": [Sheet("", columns, rows)]}))
    assert "10x Gymnasium on one core in f64 is missed by Ant-v5 9.0x" in text
    assert "2x EnvPool on one core in f64 is met by all (lowest 4.5x)" in text
    assert page.learning_bars(Results({})) == ""
