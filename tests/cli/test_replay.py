"""`phalanx replay`, and the pages and films of `phalanx simulate`."""

from __future__ import annotations

import pytest
from PIL import Image

import phalanx
from tests.cli.test_cli import assert_complains, run
from tests.cli.test_simulate import PENDULUM

SMALL = ("--width", "32", "--height", "24", "--fps", "20")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model, and a trajectory of it."""
    folder = tmp_path_factory.mktemp("replay")
    (folder / "pendulum.xml").write_text(PENDULUM)
    result = run("simulate", str(folder / "pendulum.xml"), "--time", "0.2", "--out", str(folder / "t.npz"))
    assert result.exit_code == 0, result.output
    return folder


def test_a_simulation_writes_trajectory_page_and_film(folder, tmp_path):
    out, html, video = (tmp_path / "made" / name for name in ("t.npz", "t.html", "t.gif"))
    written = ("--out", str(out), "--html", str(html), "--video", str(video))
    result = run("simulate", str(folder / "pendulum.xml"), "--time", "0.2", *written, *SMALL)
    assert result.exit_code == 0, result.output
    assert "t.npz: 101 rows" in result.text and "t.html: 0." in result.text and "t.gif: 4 frames" in result.text
    assert len(phalanx.Trajectory.load(out)) == 101
    assert html.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    with Image.open(video) as film:
        assert film.n_frames == 4 and film.size == (32, 24)


@pytest.mark.parametrize("name", ["again.html", "again.webp", "again_%02d.png"])
def test_a_trajectory_becomes_a_page_or_a_film(folder, tmp_path, name):
    options = ("--model", str(folder / "pendulum.xml"), "--out", str(tmp_path / name), "--show", "contacts")
    result = run("replay", str(folder / "t.npz"), *options, *SMALL)
    assert result.exit_code == 0, result.output
    assert "wrote" in result.text and list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "options, words",
    [
        (("--model", "cartpole"), "qpos has shape"),
        (("--out", "x.txt"), "no writer of replays for '.txt'; known: .html, .mp4, .gif, .webp, .png"),
        (("--plot", "qpoz"), "no 'qpoz' to plot; did you mean 'qpos'?"),
        (("--show", "contakts"), "did you mean 'contacts'?"),
        (("--out", "x.gif", "--camera", "front"), "no camera is named 'front'"),
        (("--world", "3"), "world"),
    ],
)
def test_arguments_that_make_no_sense(folder, tmp_path, monkeypatch, options, words):
    monkeypatch.chdir(tmp_path)
    model = () if "--model" in options else ("--model", str(folder / "pendulum.xml"))
    assert_complains(run("replay", str(folder / "t.npz"), *model, *options), words)
    assert list(tmp_path.iterdir()) == []


def test_a_film_shows_one_world(folder, tmp_path):
    model = phalanx.load(folder / "pendulum.xml")
    several = phalanx.Trajectory.from_rollout(phalanx.rollout(model, {"qvel": [[1.0] * 7, [0.0] * 7]}, nsteps=50))
    several.save(tmp_path / "two.npz")
    options = ("--model", str(folder / "pendulum.xml"), "--out", str(tmp_path / "f.gif"), *SMALL)
    assert_complains(run("replay", str(tmp_path / "two.npz"), *options), "2 worlds", "--world")
    assert run("replay", str(tmp_path / "two.npz"), *options, "--world", "1").exit_code == 0
    page = ("--model", str(folder / "pendulum.xml"), "--out", str(tmp_path / "f.html"))
    assert run("replay", str(tmp_path / "two.npz"), *page).exit_code == 0


def test_files_that_hold_no_trajectory(folder, tmp_path):
    (tmp_path / "no.npz").write_bytes(b"nonsense")
    assert_complains(run("replay", str(tmp_path / "no.npz"), "--model", "cartpole"), "not a trajectory file")
    assert_complains(run("replay", str(tmp_path / "none.npz"), "--model", "cartpole"), "is not a file")
