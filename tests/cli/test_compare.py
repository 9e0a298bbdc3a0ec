"""`phalanx compare` and `phalanx bench`: with MuJoCo beside us, and without."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.cli import compare as compare_module
from phalanx.cli import model_file
from phalanx.cli.differences import Difference, data_differences, element_name
from phalanx.cli.explained import EXPLANATIONS, PAGE, explanation
from phalanx.cli.scenes import HUMANOID
from phalanx.memory.layout import DATA_SCHEMA
from tests.cli.test_cli import assert_complains, run

mujoco = pytest.importorskip("mujoco")


def test_the_humanoid_agrees():
    result = run("compare", str(HUMANOID), "--states", "3")
    assert result.exit_code == 0, result.output
    assert "3 random states agree with MuJoCo" in result.text


def test_a_difference_of_the_compiled_model_is_named(monkeypatch):
    load = model_file.load
    monkeypatch.setattr(model_file, "load", lambda path: load(path).replace(geom_friction=doubled(load(path))))
    result = run("compare", str(HUMANOID))
    assert result.exit_code == 1
    assert result.text.startswith("compile: geom_friction[0, 0] (geom 'floor') is 1.8")
    assert "0.9" in result.text


def doubled(model: phalanx.Model) -> np.ndarray:
    friction = model.geom_friction.copy()
    friction[0, 0] *= 2
    return friction


def test_the_first_stage_that_differs_is_named(monkeypatch):
    monkeypatch.setattr(compare_module, "model_differences", lambda *arguments: iter(()))
    load = model_file.load

    def with_heavier_skull(path):
        model = load(path)
        mass = model.body_mass.copy()
        mass[model.names.id_of("body", "chest")] *= 1.001
        return model.replace(body_mass=mass)

    monkeypatch.setattr(model_file, "load", with_heavier_skull)
    result = run("compare", str(HUMANOID))
    assert result.exit_code == 1
    assert "state 0 of seed 0" in result.text
    # kinematics does not know of masses
    assert "com_pos: subtree_com[" in result.text
    assert result.text.count("relative difference") == 1
    everything = run("compare", str(HUMANOID), "--all", "--states", "1").text
    assert everything.count("relative difference") > 10
    assert "fwd_constraint: qacc[" in everything
    assert run("compare", str(HUMANOID), "--tolerance", "1").exit_code == 0


def test_another_number_of_contacts_is_a_difference():
    mjmodel = mujoco.MjModel.from_xml_path(str(HUMANOID))
    mjdata = mujoco.MjData(mjmodel)
    mujoco.mj_resetDataKeyframe(mjmodel, mjdata, 0)
    mjdata.qpos[2] -= 0.01
    mujoco.mj_forward(mjmodel, mjdata)
    data = phalanx.load(HUMANOID).make_data().reset("stand")
    data.qpos[2] -= 0.01
    assert not list(data_differences(data.forward(), mjmodel, mjdata, 1e-8))
    data.qpos[2] += 0.1
    found = [str(difference) for difference in data_differences(data.forward(), mjmodel, mjdata, 1e-8)]
    assert "collision: ncon is 0, 8 in MuJoCo; relative difference 8.0e+00" in found
    assert "collision: length of contact_dist is 0, 8 in MuJoCo; relative difference inf" in found


def test_elements_have_names():
    data = phalanx.load(HUMANOID).make_data().reset("stand")
    data.qpos[2] -= 0.01
    data.forward()

    def name(field, index):
        return element_name(DATA_SCHEMA.fields[field], index, data.model, data)

    assert name("xpos", 1) == "body 'pelvis'"
    assert name("qpos", 6) == "joint 'root'"
    assert name("qvel", 6) == "joint 'spine_twist'"
    assert name("ctrl", 1) == "actuator 'spine_bend'"
    assert name("contact_dist", 0) == "geom 'floor' and geom 'sole_outer_left'"
    assert name("efc_force", 0) == "constraint contact_pyramidal 0"


def test_compare_needs_mujoco(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    assert_complains(run("compare", str(HUMANOID)), "compare needs MuJoCo: pip install mujoco==")


def test_a_binary_model_is_compared(tmp_path):
    path = tmp_path / "saved.mjb"
    phalanx.load(HUMANOID).save(path)
    result = run("compare", str(path), "--states", "1")
    assert result.exit_code == 0, result.output
    path.write_bytes(path.read_bytes()[:-1])
    assert_complains(run("compare", str(path)), "is cut short")


def test_what_mujoco_cannot_read_is_said(tmp_path):
    path = tmp_path / "saved.npz"
    phalanx.load(HUMANOID).save(path)
    assert_complains(run("compare", str(path)), "MuJoCo reads model files only")
    assert_complains(run("compare", str(HUMANOID), "--tolerance", "-1"), "--tolerance")


# --- bench

SMALL = ("--worlds", "8", "--steps", "2", "--rounds", "1", "--threads", "1")


def test_bench_prints_rates_and_ratios(monkeypatch):
    monkeypatch.setenv("PHALANX_QUIET", "1")  # lines about compiling have commas, too
    result = run("bench", str(HUMANOID), "--key", "stand", *SMALL)
    assert result.exit_code == 0, result.output
    rows = [line.split("  ") for line in result.output.splitlines() if "," in line]
    assert [row[0] for row in rows] == [
        "MuJoCo, one world", "MuJoCo, 8 worlds, 1 thread", "Phalanx, one world", "Phalanx, 8 worlds, 1 thread, float64",
        "Phalanx, 8 worlds, 1 thread, float32",
    ]  # fmt: skip
    for row in rows[2:]:
        assert float([cell for cell in row if cell.strip()][-1]) > 0


def test_bench_goes_without_mujoco(tmp_path):
    path = tmp_path / "saved.npz"
    phalanx.load(HUMANOID).save(path)
    result = run("bench", str(path), *SMALL)
    assert result.exit_code == 0, result.output
    assert "no MuJoCo to compare with" in result.text
    assert "Phalanx, one world" in result.text


def test_bench_refuses_interpreted_mode():
    with interpreted():
        assert_complains(run("bench", str(HUMANOID)), "unset PHALANX_INTERPRETED")


# --- differences that are known

CAPSULE = """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .29"><freejoint/>
<geom type="capsule" size=".1 .2"/></body></worldbody></mujoco>"""
KINETIC = """<mujoco><option><flag energy="enable"/></option><worldbody><body><freejoint/><geom size=".1"/></body>
</worldbody><sensor><clock/><e_kinetic/></sensor></mujoco>"""


def difference(stage, field, *place):
    return Difference(stage, field, place, "", 1.0, 2.0, 1.0)


def test_every_explanation_is_a_paragraph_of_the_page():
    page = (Path(phalanx.__file__).parents[1] / PAGE).read_text()
    for row in EXPLANATIONS:
        assert f"**{row.paragraph}" in page or f"## {row.paragraph}\n" in page or f"- {row.paragraph}" in page, row


def test_known_differences_are_told_from_unknown_ones():
    model = phalanx.Model.from_xml_string(CAPSULE)
    data = model.make_data().forward()
    frame = explanation(difference("collision", "contact_frame", 0, 3), model, data)
    assert frame == "A capsule that stands exactly on its end"
    assert explanation(difference("collision", "contact_dist", 0), model, data) == ""
    model = phalanx.Model.from_xml_string(KINETIC)
    data = model.make_data().forward()
    assert explanation(difference("sensor", "sensordata", 1), model, data).startswith("A sensor of kinetic energy")
    assert explanation(difference("sensor", "sensordata", 0), model, data) == ""
    assert explanation(difference("compile", "body_mass", 0), model, None) == ""


def test_compare_says_whether_a_difference_is_known(monkeypatch, tmp_path):
    path = tmp_path / "cloth.xml"
    text = "<mujoco><option integrator='discrete'>{}</option><worldbody><geom size='1'/>{}</worldbody></mujoco>"
    flex = "<flexcomp name='f' type='grid' count='3 3 1'><edge equality='true'/></flexcomp>"
    path.write_text(text.format("<flag ipc='enable'/>", flex))
    monkeypatch.setattr(compare_module, "model_differences", lambda *_: iter([difference("compile", "body_mass", 0)]))
    assert 'known, see "Not there yet" in docs/differences.md' in run("compare", str(path)).text
    path.write_text(text.format("", ""))
    assert "not one that docs/differences.md explains: please report it" in run("compare", str(path)).text
