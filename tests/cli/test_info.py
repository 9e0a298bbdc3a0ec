"""`phalanx info`: what it shows of a model."""

from __future__ import annotations

from phalanx.cli.scenes import HUMANOID
from phalanx.native import build, cache, runtime
from phalanx.pipeline import derived
from tests.cli.test_cli import assert_complains, run

ARM = """<mujoco model="arm">
  <asset><mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/></asset>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" range="-90 45" limited="true"/>
      <geom name="bone" type="capsule" size=".05" fromto="0 0 0 .5 0 0" mass="2"/>
      <site name="elbow_site" pos=".5 0 0"/>
      <body>
        <joint name="rail" type="slide" range="0 .2" limited="true"/><geom type="mesh" mesh="wedge" mass=".5"/>
      </body>
    </body>
  </worldbody>
  <equality><joint joint1="rail" joint2="shoulder"/></equality>
  <tendon><fixed name="cord" range="0 2" limited="true"><joint joint="rail" coef="2"/></fixed></tendon>
  <actuator>
    <motor name="push" joint="shoulder" ctrlrange="-3 3" ctrllimited="true"/>
    <position name="hold" tendon="cord" kp="4" forcerange="-1 1" forcelimited="true"/>
  </actuator>
  <sensor><accelerometer name="imu" site="elbow_site"/><jointpos joint="rail"/><clock/></sensor>
  <keyframe><key name="home" time="2"/></keyframe>
</mujoco>"""


def test_the_tree_and_the_tables(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(ARM)
    result = run("info", str(path))
    assert result.exit_code == 0, result.output
    for words in (
        "<Model 'arm'", "timestep 0.002 s, euler integrator, newton solver, gravity 0 0 -9.81 m/s²",
        "body upper 2 kg", "joint shoulder: hinge, axis 0 1 0, range -90 45 °", "1 geom: 1 capsule",
        "1 site: elbow_site",
        "body #2 0.5 kg", "joint rail: slide, axis 0 0 1, range 0 0.2 m", "push joint shoulder fixed gain -3 3",
        "hold tendon cord fixed gain", "cord 0 0 2", "#0 joint",
        "imu accelerometer site elbow_site 3",
        "#1 jointpos joint rail 1", "#2 clock 1", "home 2", "wedge 4 4",
    ):  # fmt: skip
        assert words in result.text.replace("│ ", ""), words


def test_geoms_one_by_one(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(ARM)
    text = run("info", "--geoms", str(path)).text
    assert "geom bone: capsule 0.05 0.25" in text
    assert "geom #1: mesh wedge" in text


def test_a_saved_model_is_shown_too(tmp_path):
    import phalanx

    for name in ("arm.npz", "arm.mjb"):
        path = tmp_path / name
        phalanx.Model.from_xml_string(ARM).save(path)
        assert "body upper" in run("info", str(path)).text


def test_problems_of_the_file_are_listed_as_by_check(tmp_path):
    path = tmp_path / "bad.xml"
    path.write_text("<mujoco>\n<worldbody>\n  <goem/>\n  <geom siz='1'/></worldbody></mujoco>")
    for command in ("info", "simulate", "compare", "bench"):
        result = run(command, str(path))
        assert result.exit_code == 1
        first, second = result.stderr.splitlines()
        assert first == f"{path}:3:3: element 'goem' is not allowed in worldbody; did you mean 'geom'?"
        assert second == f"{path}:4:9: geom: unknown attribute 'siz'; did you mean 'size'?"


def test_files_that_are_not_there_or_not_models(tmp_path):
    for command in ("info", "simulate", "compare", "bench"):
        assert "cannot be read" in run(command, str(tmp_path / "no.xml")).stderr
        assert_complains(run(command, str(tmp_path / "robot.step")), "no reader for '.step'")
        assert_complains(run(command, str(tmp_path / "no.npz")), "no.npz")
        assert_complains(run(command, str(tmp_path / "no.mjb")), "no.mjb")


def test_a_small_file_needs_no_compiled_code(tmp_path, monkeypatch):
    def refuse(units, tell=None):
        raise AssertionError(f"compiles {[unit.name for unit in units]}")

    path = tmp_path / "model.xml"
    path.write_text(HUMANOID.read_text() + "<!-- not compiled before -->")
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path / "empty"))
    monkeypatch.setattr(runtime, "_images", {})
    monkeypatch.setattr(derived, "_waits", [])
    monkeypatch.setattr(build, "ensure", refuse)
    result = run("info", str(path))
    assert result.exit_code == 0 and "chest" in result.text, result.output


def test_flexes_are_listed(tmp_path):
    path = tmp_path / "cloth.xml"
    path.write_text(
        '<mujoco><worldbody><flexcomp name="cloth" count="4 4 1" spacing=".1 .1 .1"><elasticity young="10" '
        'thickness=".01" elastic2d="both"/><pin id="0"/></flexcomp></worldbody></mujoco>'
    )
    text = run("info", str(path)).text
    for words in ("flexes", "cloth", "45 of", "stretching"):
        assert words in text
