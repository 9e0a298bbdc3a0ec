"""The sweep over robots of others: what it says about small ones, and the robots of a folder."""

# ruff: noqa: E501 : a robot is easier to read in one line

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.compiler.robots import INERTIAL, ROBOTS, arm, joint, link, robot
from tools.urdf_sweep import files_of, main, row_of, sums

#: Folder with URDF files of others.
COLLECTION = os.environ.get("PHALANX_URDF_ROBOTS", "")
MESH = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def shape(name: str) -> str:
    return f'<collision><geometry><mesh filename="{name}"/></geometry></collision>'


#: Robot -> how each column begins.
SMALL = {
    "fixed": (ROBOTS["fixed"], ("equal", "equal", "loads", "equal", "equal")),
    "looks": (ROBOTS["nested fixed"], ("equal", "equal", "loads", "equal", "equal")),
    "package": (robot(link("base", INERTIAL + shape("package://robots/m.obj"))), ("equal", "equal", "loads", "equal", "equal")),
    "continued": (robot(link("base", INERTIAL + shape("continued.obj"))), ("equal (1 mesh", "equal (1 mesh", "loads", "equal", "equal")),
    "no mesh": (robot(link("base", INERTIAL + shape("gone.obj"))), ("equal (1 mesh", "equal (1 mesh", "refused: 1 x file _ cannot be read", "-", "-")),
    "no mass": (robot(link("base"), link("a", ""), joint("j", "base", "a")), ("both refuse", "equal", "repaired: 1 x it moves and has no mass", "equal", "equal")),
    "servo": (arm("revolute").replace("</robot>", '<transmission name="t"><joint name="j"><hardwareInterface>PositionJointInterface</hardwareInterface></joint><actuator name="m"/></transmission></robot>'),
              ("equal", "equal", "loads", "equal", "lost: 1 x")),
    "no robot": ("<sdf/>", ("both refuse", "both refuse", "refused", "-", "-")),
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_a_row_says_what_became_of_a_file(tmp_path, name):
    text, cells = SMALL[name]
    folder = tmp_path / "robots"
    folder.mkdir()
    (folder / "m.obj").write_text(MESH)
    (folder / "continued.obj").write_text(MESH.replace("f 1 3", "f 1 \\\n3", 1))
    (folder / "robot.urdf").write_text(text)
    row = row_of(folder / "robot.urdf")
    assert not row.is_wrong
    for found, start in zip(row[1:6], cells, strict=True):
        assert found.startswith(start), row


def test_the_table_has_a_line_of_sums(tmp_path, capsys):
    for name in ("fixed", "spherical"):
        (tmp_path / f"{name}.urdf").write_text(ROBOTS[name])
    assert main([str(tmp_path), "--jobs", "2"]) == 0
    said = capsys.readouterr().out
    assert "fixed.urdf" in said and "2 files" in said and "mujoco: 2 equal" in said


@pytest.mark.conformance
@pytest.mark.skipif(not COLLECTION, reason="PHALANX_URDF_ROBOTS names no folder with URDF files")
@pytest.mark.parametrize(
    "path",
    files_of([Path(COLLECTION)]) if COLLECTION else [],
    ids=lambda path: f"{path.parent.parent.name}/{path.name}",
)
def test_robots_of_others_are_those_of_mujoco_and_come_back_from_their_files(path):
    row = row_of(path)
    assert not row.is_wrong, list(sums([row]))
