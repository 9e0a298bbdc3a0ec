"""Every model of dm_control, Gymnasium and the shared collection: loaded, and equal to MuJoCo's field by field."""

from __future__ import annotations

import builtins
import math
from importlib.util import find_spec
from pathlib import Path

import mujoco
import pytest

import phalanx
from phalanx import MjcfError, Model
from tests.compiler.compare import HULL_ORDER, differences, hulls_differ
from tests.conformance.models import OWN, SHARED

#: Why a model may be refused.
NOT_SUPPORTED: tuple[str, ...] = ()


def _files() -> dict[str, Path]:
    roots = {"own": OWN, "shared": SHARED}
    for package in ("dm_control", "gymnasium"):
        spec = find_spec(package)
        if spec and spec.origin:
            roots[package] = Path(spec.origin).parent
    return {
        f"{source}/{path.relative_to(folder).with_suffix('')}": path
        for source, folder in roots.items()
        for path in sorted(folder.glob("**/*.xml"))
    }


FILES = _files()
QUICK = [name for name in FILES if name.startswith("own/")]


def check(name: str) -> None:
    path = str(FILES[name])
    try:
        theirs = mujoco.MjModel.from_xml_path(path)
    except ValueError as error:
        pytest.skip(f"MuJoCo does not compile it on its own: {error}")
    try:
        ours = Model.from_xml_path(path)
    except MjcfError as error:
        assert all(problem.message in NOT_SUPPORTED for problem in error.problems), str(error)
        return
    assert differences(ours, theirs, HULL_ORDER) == {}
    assert hulls_differ(ours, theirs) == []


@pytest.mark.parametrize("name", QUICK)
def test_our_own_models_are_mujocos(name):
    check(name)


@pytest.mark.conformance
@pytest.mark.parametrize("name", [name for name in FILES if name not in QUICK])
def test_public_models_are_mujocos(name):
    check(name)


def test_assets_may_come_from_memory():
    cube = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 1\n"
    xml = """<mujoco><compiler meshdir="m"/><asset><mesh file="a.obj"/></asset>
    <worldbody><geom type="mesh" mesh="a"/></worldbody></mujoco>"""
    for name in ("m/a.obj", "a.obj"):
        assert Model.from_xml_string(xml, {name: cube}).nmeshvert == 5


CUBE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 1\n"
INCLUDED = '<mujoco><asset><mesh name="m" file="../shapes/a.obj"/></asset></mujoco>'


@pytest.mark.parametrize("settings", ["", '<compiler meshdir="meshes"/>', '<compiler strippath="true"/>'])
@pytest.mark.parametrize("place", ["parts/shapes", "shapes", "parts/inner", "."])
def test_assets_may_be_beside_the_included_file_that_names_them(tmp_path, settings, place):
    main = f"""<mujoco>{settings}<include file="parts/inner/asset.xml"/>
    <worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>"""
    for file, text in (("main.xml", main), ("parts/inner/asset.xml", INCLUDED), (f"{place}/a.obj", CUBE)):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    path = str(tmp_path / "main.xml")
    try:
        theirs = mujoco.MjModel.from_xml_path(path)
    except ValueError:
        with pytest.raises(MjcfError, match=r"a\.obj' cannot be read"):
            Model.from_xml_path(path)
    else:
        assert differences(Model.from_xml_path(path), theirs, HULL_ORDER) == {}


def test_assets_in_memory_may_be_beside_an_included_file():
    xml = '<mujoco><include file="p/asset.xml"/><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    included = INCLUDED.replace("../shapes/", "b/")
    assert Model.from_xml_string(xml, {"p/asset.xml": included, "p/b/a.obj": CUBE}).nmeshvert == 5


def test_masses_do_not_depend_on_how_python_sums(monkeypatch):
    """From Python 3.12 on the built-in sum of floats is compensated, which changes last bits: nothing may use it."""

    def compensated(numbers, start=0):
        numbers = list(numbers)
        return math.fsum([start, *numbers]) if any(isinstance(x, float) for x in numbers) else plain(numbers, start)

    plain = builtins.sum
    path = Path(phalanx.__file__).parent / "robots" / "humanoid.xml"
    expected = phalanx.Spec.from_file(path).compile()
    monkeypatch.setattr(builtins, "sum", compensated)
    found = phalanx.Spec.from_file(path).compile()
    pairs = ((name, array, expected._store.arrays[name]) for name, array in found._store.arrays.items())
    assert [name for name, ours, theirs in pairs if ours.tobytes() != theirs.tobytes()] == []
