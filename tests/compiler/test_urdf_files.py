"""Files that robots name: packages, paths, archives of memory, macros; and what a robot may read."""

# ruff: noqa: E501 : a robot is easier to read in one line

from __future__ import annotations

import sys

import numpy as np
import pytest

import phalanx
from phalanx import MissingPackageError, MjcfError, ModelError, Spec
from tests.compiler.robots import arm, link, robot

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def meshed(name: str) -> str:
    return robot(link("base", f'<collision><geometry><mesh filename="{name}"/></geometry></collision>'))


@pytest.fixture
def package(tmp_path):
    """A package with a robot and a mesh, in a folder of packages."""
    folder = tmp_path / "packages" / "my robot"
    (folder / "meshes").mkdir(parents=True)
    (folder / "urdf").mkdir()
    (folder / "meshes" / "m.obj").write_text(TETRAHEDRON)
    return folder


def written(folder, name: str):
    path = folder / "robot.urdf"
    path.write_text(meshed(name))
    return path


INSIDE = ("package://my robot/meshes/m.obj", "model://my robot/meshes/m.obj", "package://my robot/meshes/m%2Eobj",
          "package://another name/meshes/m.obj", "../meshes/m.obj", "meshes/m.obj", "$(find my robot)/meshes/m.obj")  # fmt: skip


@pytest.mark.parametrize("name", INSIDE[:-1])
@pytest.mark.parametrize("style", ["phalanx", "mujoco"])
def test_files_of_a_package_are_found_beside_the_robot(package, name, style):
    if style == "mujoco" and "://" not in name and not name.startswith(".."):
        pytest.skip("MuJoCo does not look in folders above")
    assert phalanx.load(written(package / "urdf", name), style=style).nmesh == 1


def test_a_package_without_a_path_is_a_file(tmp_path):
    (tmp_path / "m.obj").write_text(TETRAHEDRON)
    assert phalanx.load(written(tmp_path, "package://m.obj")).nmesh == 1


@pytest.mark.parametrize("name", ["m.obj", "package://my robot/meshes/m.obj", "../my robot/meshes/m.obj"])
@pytest.mark.parametrize("trusted", [True, False])
def test_the_folder_of_meshes_in_the_settings_counts(package, name, trusted):
    path = written(package, name)
    settings = '<mujoco><compiler meshdir="meshes"/></mujoco>'
    path.write_text(path.read_text().replace("<link", f"{settings}<link", 1))
    assert phalanx.load(path, trusted=trusted).nmesh == 1


def test_absolute_addresses_are_read(package, tmp_path):
    file = package / "meshes" / "m.obj"
    assert phalanx.load(written(tmp_path, f"file://{file}")).nmesh == 1
    assert phalanx.load(written(tmp_path, str(file))).nmesh == 1


def test_packages_are_looked_for_in_the_folders_given(package, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    path = written(elsewhere, "package://my robot/meshes/m.obj")
    for folders in (package, package.parent, [tmp_path, package.parent]):
        assert phalanx.load(path, packages=folders).nmesh == 1
    with pytest.raises(MjcfError, match="cannot be read"):
        phalanx.load(path)


@pytest.mark.parametrize(("variable", "inside"), [("ROS_PACKAGE_PATH", ""), ("AMENT_PREFIX_PATH", "share")])
def test_packages_are_looked_for_where_the_environment_says(package, tmp_path, monkeypatch, variable, inside):
    prefix = tmp_path / "prefix"
    prefix.mkdir()
    package.parent.rename(prefix / inside if inside else tmp_path / "src")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setenv(variable, f"/nowhere:{prefix if inside else tmp_path / 'src'}")
    assert phalanx.load(written(elsewhere, "package://my robot/meshes/m.obj")).nmesh == 1


def test_files_in_memory_come_first():
    for name in ("m.obj", "package://any/meshes/m.obj"):
        spec = Spec.from_urdf(meshed(name), {"m.obj": TETRAHEDRON}, trusted=False)
        assert spec.compile().nmesh == 1


def test_a_robot_that_is_not_trusted_reads_its_folder_only(package, tmp_path):
    path = written(package / "urdf", "package://my robot/meshes/m.obj")
    with pytest.raises(MjcfError):
        phalanx.load(path, trusted=False, packages=package.parent)
    with pytest.raises(MjcfError):
        phalanx.load(written(tmp_path, f"file://{package}/meshes/m.obj"), trusted=False)
    assert phalanx.load(written(package, "package://my robot/meshes/m.obj"), trusted=False).nmesh == 1


def test_a_saved_spec_finds_its_meshes(package, tmp_path):
    spec = Spec.from_urdf(written(package / "urdf", "package://my robot/meshes/m.obj"))
    spec.save(tmp_path / "saved.xml")
    spec.to_zip(tmp_path / "saved.zip")
    for name in ("saved.xml", "saved.zip"):
        assert phalanx.load(tmp_path / name).fingerprint() == spec.compile().fingerprint()


def test_meshes_of_the_same_name_stay_apart(tmp_path):
    for folder, size in (("visual", 1), ("collision", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "m.obj").write_text(TETRAHEDRON.replace("1 0 0", f"{size} 0 0"))
    path = tmp_path / "robot.urdf"
    shapes = "".join(
        f'<{tag}><geometry><mesh filename="{tag}/m.obj"/></geometry></{tag}>' for tag in ("visual", "collision")
    )
    path.write_text(robot(link("base", shapes)))
    model = phalanx.load(path)
    assert model.names.names["mesh"] == ("m", "m1")
    assert np.ptp(model.mesh_vert[:4], axis=0).max() < np.ptp(model.mesh_vert[4:], axis=0).max()


def test_textures_are_read(tmp_path):
    from PIL import Image

    Image.new("RGB", (2, 2), (255, 0, 0)).save(tmp_path / "t.png")
    look = '<visual><geometry><box size="1 1 1"/></geometry><material name="{0}"><texture filename="{0}"/></material></visual>'
    path = tmp_path / "robot.urdf"
    path.write_text(robot(link("base", look.format("t.png") + look.format("t.jpg"))))
    model = phalanx.load(path)
    assert (model.ntex, model.nmat) == (1, 2)
    assert "texture 't.jpg' is left out" in str(model.report)


# --- xacro

XACRO = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="size" default="1"/>
<xacro:macro name="ball" params="name"><link name="${name}"><collision><geometry><sphere radius="$(arg size)"/></geometry></collision></link></xacro:macro>
<xacro:ball name="one"/></robot>"""


def test_macros_are_expanded(tmp_path):
    path = tmp_path / "robot.urdf.xacro"
    path.write_text(XACRO)
    assert phalanx.load(path).geom_size[0, 0] == 1
    assert phalanx.load(path, arguments={"size": "2"}).geom_size[0, 0] == 2
    path.write_text(XACRO.replace("$(arg size)", "$(arg sise)"))
    with pytest.raises(MjcfError, match="xacro cannot expand it"):
        phalanx.load(path)


def test_macros_of_strangers_are_not_expanded(tmp_path):
    path = tmp_path / "robot.xacro"
    path.write_text(XACRO)
    with pytest.raises(MjcfError, match="only if it is trusted"):
        phalanx.load(path, trusted=False)


def test_without_xacro_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "xacro", None)
    path = tmp_path / "robot.xacro"
    path.write_text(XACRO)
    with pytest.raises(MissingPackageError, match=r"phalanx\[xacro\]"):
        phalanx.load(path)


def test_settings_of_robots_are_refused_for_other_files(tmp_path):
    with pytest.raises(ModelError, match="say how a URDF file is read"):
        phalanx.load("cartpole", base="floating")
    path = tmp_path / "robot.urdf"
    path.write_text(arm("fixed"))
    with pytest.raises(ModelError, match="arguments are for xacro files"):
        phalanx.load(path, arguments={"a": "b"})
