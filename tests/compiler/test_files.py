"""Every model of dm_control, Gymnasium and the shared collection: loaded, and equal to MuJoCo's field by field."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import mujoco
import pytest

from phalanx import MjcfError, Model
from tests.compiler.compare import HULL_ORDER, differences, hulls_differ
from tests.compiler.gaps import unknown_fields
from tests.conformance.models import OWN, SHARED

#: Why a model may be refused.
NOT_SUPPORTED = ("deformable bodies (flex) are not supported", "plugins are not supported")


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
    hints = "<tendon armature site=" if theirs.tendon_armature.any() else "site="
    waiting = unknown_fields(hints if theirs.ntendon or theirs.nactuator else "")
    assert differences(ours, theirs, (*HULL_ORDER, *waiting)) == {}
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
