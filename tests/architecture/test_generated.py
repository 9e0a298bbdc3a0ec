"""Files written from the tables are up to date, and describe the objects as they are."""

from __future__ import annotations

import ast

import mujoco
import pytest

import phalanx
from phalanx.tables.enums import Integrator
from phalanx.tables.integrators import WRITTEN
from phalanx.tables.requests import INTEGRATOR_ROWS
from tools import write_reference, write_stubs

TOOLS = [write_stubs, write_reference]
BY_NAME = [tool.__name__ for tool in TOOLS]


@pytest.mark.parametrize("tool", TOOLS, ids=BY_NAME)
def test_generated_files_are_up_to_date(tool, capsys):
    assert tool.main(["--check"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("tool", TOOLS, ids=BY_NAME)
def test_an_unknown_argument_is_refused(tool, capsys):
    assert tool.main(["--chek"]) == 2
    assert "usage" in capsys.readouterr().out


def test_a_stale_stub_is_found_and_written_anew(tmp_path, monkeypatch, capsys):
    stub = tmp_path / "typed.pyi"
    monkeypatch.setattr(write_stubs, "ROOT", tmp_path)
    monkeypatch.setattr(write_stubs, "STUB", stub)
    assert write_stubs.main(["--check"]) == 1
    assert "typed.pyi is stale" in capsys.readouterr().out
    assert write_stubs.main([]) == 0
    assert write_stubs.main(["--check"]) == 0
    stub.write_text(stub.read_text(encoding="utf-8").replace("qpos", "qpoz"), encoding="utf-8")
    assert write_stubs.main(["--check"]) == 1


def test_stale_pages_are_found_and_written_anew(tmp_path, monkeypatch, capsys):
    differences = (write_reference.DOCS / "differences.md").read_text(encoding="utf-8")
    monkeypatch.setattr(write_reference, "ROOT", tmp_path)
    monkeypatch.setattr(write_reference, "DOCS", tmp_path)
    (tmp_path / "differences.md").write_text(differences.replace("warning_number", ""), encoding="utf-8")
    assert write_reference.main(["--check"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == len(write_reference.pages())
    assert write_reference.main([]) == 0
    assert write_reference.main(["--check"]) == 0
    # only the generated part of the page changes
    written = (tmp_path / "differences.md").read_text(encoding="utf-8")
    assert written.split(write_reference.BEGIN)[0].count("warning_number") == 0
    assert written.split(write_reference.BEGIN)[1] == differences.split(write_reference.BEGIN)[1]


def attributes(name: str) -> list[str]:
    """Annotated attributes and methods of a class of the stub."""
    tree = ast.parse(write_stubs.stub())
    (body,) = [node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
    return [
        node.target.id if isinstance(node, ast.AnnAssign) else node.name
        for node in body
        if isinstance(node, (ast.AnnAssign, ast.FunctionDef))
    ]


@pytest.fixture(scope="module")
def model():
    xml = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    return phalanx.Model.from_mujoco(mujoco.MjModel.from_xml_string(xml))


def test_every_attribute_of_the_stub_exists(model):
    # matrices that only some integrators compute are fields of batches that have one of them
    batches = [
        phalanx.BatchSim(model.replace(**{"opt.integrator": kind}), 1)
        for kind in (Integrator.IMPLICIT, Integrator.IMPLICITFAST, Integrator.DISCRETE)
    ]
    for attribute in attributes("BatchFields"):
        kinds = [attribute in WRITTEN[Integrator(batch.model.opt.integrator)] for batch in batches]
        batch = batches[kinds.index(True) if attribute in INTEGRATOR_ROWS else 0]
        batch.bind(attribute)
        getattr(batch, attribute)
    for name, owner in (
        ("ModelFields", model),
        ("OptionFields", model.opt),
        ("StatisticFields", model.stat),
        ("DataFields", model.make_data()),
    ):
        names = attributes(name)
        assert len(names) == len(set(names))
        for attribute in names:
            getattr(owner, attribute)
    assert len(attributes("BatchFields")) == len(set(attributes("BatchFields")))
