"""`phalanx models`, and commands that take a built-in model by name."""

from __future__ import annotations

import pytest

import phalanx
from phalanx.world.builtin import model_path
from tests.cli.test_cli import assert_complains, run


def test_the_models_are_listed_with_a_line_each():
    lines = run("models").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(phalanx.models())
    assert all(line.endswith(phalanx.models()[line.split()[0]]) for line in lines)


def test_the_file_of_a_model_can_be_copied(tmp_path):
    path = tmp_path / "my_arm.xml"
    path.write_text(run("models", "arm").stdout, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == model_path("arm").read_text(encoding="utf-8")
    assert phalanx.load(path).fingerprint() == phalanx.load("arm").fingerprint()


def test_an_unknown_model_is_one_line_with_a_suggestion():
    for arguments in (("models", "quadrupd"), ("info", "quadrupd"), ("simulate", "quadrupd")):
        assert_complains(run(*arguments), "did you mean 'quadruped'?")


@pytest.mark.parametrize("name", phalanx.models())
def test_commands_take_names(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert f"<Model '{name}'" in run("info", name).text
    assert f"{name}: <Model" in run("check", name).text
    assert "warnings none" in run("simulate", name, "--time", "0.1", "--key", "0").text
    # models with flexes differ: deep contacts, forces of cells on a moving body: tests/world/test_builtin.py
    if not phalanx.load(name).nflex:
        assert run("compare", name, "--states", "2").exit_code == 0
    assert list(tmp_path.iterdir()) == []
