"""Damaged robots, stages, meshes and trajectories: only our errors leave their readers, in time, and nothing warns."""

from __future__ import annotations

import importlib
from types import ModuleType

import pytest

from tools.attack import AREAS

#: Area -> the package that it needs.
FORMATS = {"urdf": "", "mesh": "trimesh", "usd": "pxr", "trajectory": ""}


@pytest.fixture(params=FORMATS)
def area(request: pytest.FixtureRequest) -> ModuleType:
    """The module of an area."""
    if FORMATS[request.param]:
        pytest.importorskip(FORMATS[request.param])
    assert request.param in AREAS
    return importlib.import_module(f"tools.attacks.{request.param}")


def test_damaged_files_give_our_errors_only(area):
    assert [found for number in range(60) if (found := area.finding(area.case_of(number)))] == []


def test_sound_files_are_read():
    """What is damaged is sound to begin with: a case without damage is not refused."""
    from tools.attacks import mesh, trajectory, urdf, usd

    urdf.read(urdf.Case(urdf.ROBOT, urdf.files(), {}, ""))
    for settings in ({"style": "mujoco"}, {"base": "floating", "actuators": "position"}):
        urdf.read(urdf.Case(urdf.ROBOT, urdf.files(), settings, ""))
    for has_marks in (False, True):
        trajectory.read(trajectory.Case(trajectory.file_of(trajectory.arrays(has_marks)), ""))
    if pytest.importorskip("trimesh"):
        for name, data in mesh.sound_files().items():
            mesh.read(mesh.Case(name, data, ""))
    if pytest.importorskip("pxr"):
        for ending, data in (
            (".usda", usd.STAGE.encode()),
            (".usdc", usd.binary(".usdc")),
            (".usdz", usd.binary(".usdz")),
        ):
            usd.read(usd.Case(ending, data, ""))


@pytest.mark.parametrize("number", [50050000471, 50050000680])
def test_robots_with_damping_ratios_are_read_in_time(number):
    """An inertia matrix that cannot be inverted, and a chain of 300 servos: the inertia that each of them feels."""
    from tools.attacks import urdf

    assert urdf.finding(urdf.case_of(number)) == ""


@pytest.mark.conformance
@pytest.mark.parametrize("seed", [11, 12])
def test_the_attack_finds_nothing_on_two_seeds(area, seed):
    assert area.attack(seed, 30.0) == []


# --- what was found once

STAGES = {
    "infinite": ("double3 xformOp:translate = (50, 0, 0)", "double3 xformOp:translate = (inf, 0, 0)"),
    "too large": ("double3 xformOp:translate = (50, 0, 0)", "double3 xformOp:translate = (1e200, 0, 0)"),
    "other type": ("int[] faceVertexCounts", "Plane[] faceVertexCounts"),
    "no number": ("float physics:mass = 3", "float physics:mass = nan"),
    "points": ("(10, 0, 0), (0, 10, 0)", "(1e308, 0, 0), (0, 10, 0)"),
    "up axis": ('upAxis = "Y"', "upAxis = </rock>"),
    "other letters": ('"floor"', '"\udcff"'),
}


@pytest.mark.parametrize("name", STAGES)
def test_a_stage_that_was_found_once_is_refused_with_its_place(name, tmp_path):
    pytest.importorskip("pxr")
    import phalanx
    from tools.attacks.usd import STAGE

    path = tmp_path / "stage.usda"
    path.write_bytes(STAGE.replace(*STAGES[name]).encode("utf-8", "surrogateescape"))
    with pytest.raises(phalanx.MjcfError) as caught:
        phalanx.load(path)
    assert all(str(path) in str(problem) for problem in caught.value.problems)
