"""`phalanx export`: pages and images, and what it says about mistakes."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from phalanx.cli.main import app

CONTROL = """
def still(m, d):
    d.ctrl[0] = -d.qvel[0]


def wrong(m, d):
    d.ctrl[0] = [1.0]
"""


@pytest.fixture
def run(monkeypatch, tmp_path):
    """The command in an empty folder, in which nothing is compiled for browsers."""
    monkeypatch.chdir(tmp_path)
    for module in ("export_page", "export_image"):
        monkeypatch.setattr(f"phalanx.web.{module}.module_of", lambda parts, hooks=(): b"module")
    return lambda *words: CliRunner().invoke(app, ["export", *words])


def test_a_page_and_an_image_are_written(run, tmp_path):
    result = run("web", "cartpole", "--plot", "qpos", "--show", "joints", "--title", "a pole")
    assert result.exit_code == 0 and "wrote cartpole.html: 0." in result.output
    assert "<title>a pole</title>" in (tmp_path / "cartpole.html").read_text()
    result = run("image", "cartpole", "--module", "cartpole.wasm")
    assert result.exit_code == 0 and "wrote cartpole.phx" in result.output
    assert (tmp_path / "cartpole.wasm").read_bytes() == b"module"


def test_a_controller_is_a_function_in_a_file(run, tmp_path):
    (tmp_path / "control.py").write_text(CONTROL)
    result = run("web", "cartpole", "--controller", "control.py:still")
    assert result.exit_code == 0, result.output
    assert '"hasController":true' in (tmp_path / "cartpole.html").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("web", "cartpole", "--controller", "control"), "--controller is a function in a file of Python"),
        (("web", "cartpole", "--controller", "no.py:still"), "there is no file no.py"),
        (("web", "cartpole", "--controller", "control.py:stil"), "control.py has no function 'stil'; did you mean"),
        (("web", "cartpole", "--controller", "control.py:wrong"), "a hook cannot contain a list"),
        (("web", "cartpole", "--key", "up"), "up"),
        (("web", "cartpole", "--out", "page.txt"), "html"),
        (("web", "cartpole", "--plot", "qposs"), "the page has no 'qposs' to plot"),
        (("image", "cartpole", "--out", "page.html"), ".phx"),
    ],
)
def test_mistakes_are_one_line(run, words, said, tmp_path):
    (tmp_path / "control.py").write_text(CONTROL)
    result = run(*words)
    assert result.exit_code == 1 and said in result.output.replace("\n", " ")
