"""The viewer as users hold it, without a browser: passive use, drawing, errors, closing."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import phalanx
from phalanx.memory.errors import FieldError, UnknownNameError
from phalanx.scene.decor import DECOR

pytest.importorskip("viser", reason="the extra `view` is not installed")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def model() -> phalanx.Model:
    return phalanx.load("cartpole")


def wait_for(condition, seconds: float = 20.0) -> None:
    """Wait for other threads; fails if it takes far too long."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)


def test_a_passive_viewer_shows_what_the_program_steps(model):
    data = model.make_data()
    with phalanx.Viewer(model, data, port=0, realtime=False) as viewer:
        assert viewer.is_running
        assert viewer.url.startswith("http://localhost:")
        assert viewer.data is data
        for _ in range(20):
            data.step()
            viewer.sync()
        assert data.time == pytest.approx(20 * model.opt.timestep)
        wait_for(lambda: viewer._page.drawn)
        assert viewer._page.problem is None
        viewer.arrow("push", (0, 0, 1), direction=(0.3, 0, 0), lifetime=1.0)
        viewer.frame("tool", (0, 0, 1))
        viewer.trail("tip", (0, 0, 1))
        viewer.text("note", (0, 0, 1), "here")
        viewer.point_cloud("cloud", np.zeros((4, 3)))
        assert len(viewer.marks) == 5
        with pytest.raises(FieldError, match="push"):
            viewer.arrow("push", (0, 0))
        with pytest.raises(phalanx.ViewerError, match="no browser"):
            viewer.screenshot()
    assert not viewer.is_running
    assert "closed" in repr(viewer)
    viewer.close()
    for use in (viewer.sync, viewer.screenshot, lambda: viewer.arrow("a", (0, 0, 0), (1, 1, 1)), viewer.reset):
        with pytest.raises(phalanx.ViewerError, match="closed"):
            use()


def test_sync_waits_while_the_page_is_paused_and_steps_singly(model):
    data = model.make_data()
    with phalanx.Viewer(model, data, port=0, realtime=False, paused=True) as viewer:
        session = viewer._session

        def loop() -> None:
            while viewer.is_running:
                data.step()
                viewer.sync()

        thread = threading.Thread(target=loop)
        thread.start()
        try:
            wait_for(lambda: data.time > 0)
            time.sleep(0.1)
            steps = round(data.time / model.opt.timestep)
            assert steps == 1
            session.commands.post(session.single_step, 3).result(10)
            wait_for(lambda: round(data.time / model.opt.timestep) == 4)
            session.commands.post(session.pause, False).result(10)
            wait_for(lambda: data.time > 0.1)
        finally:
            viewer._quit.set()
            thread.join(20)
    assert not thread.is_alive()


def test_realtime_holds_the_program_back(model):
    data = model.make_data()
    with phalanx.Viewer(model, data, port=0, speed=2.0) as viewer:
        start = time.perf_counter()
        while data.time < 0.4:
            data.step()
            viewer.sync()
        # simulated time cannot be ahead of the wall; how far behind depends on the machine
        assert time.perf_counter() - start > 0.19


def test_a_viewer_that_runs_is_commanded_from_the_program(model):
    viewer = phalanx.view(model, block=False, port=0, keyframe=0)
    try:
        wait_for(lambda: viewer.data.time > 0.05)
        viewer.pause()
        assert viewer.is_paused
        viewer.plot("qpos")
        with pytest.raises(FieldError, match="qpso"):
            viewer.plot("qpso")
        viewer.reset()
        assert viewer.data.time == 0
        with pytest.raises(phalanx.ViewerError, match="steps the world itself"):
            viewer.sync()
        assert viewer.url in viewer._repr_html_()
    finally:
        viewer.close()


def test_view_says_where_the_page_is_and_waits_until_the_user_quits(model, capsys):
    before = set(threading.enumerate())
    viewer = phalanx.view(model, block=False, port=0, paused=True)
    assert viewer.url in capsys.readouterr().out
    thread = threading.Thread(target=viewer.wait)
    thread.start()
    # what the button of the page does
    viewer._quit.set()
    thread.join(20)
    assert not thread.is_alive()
    viewer.close()
    assert not [thread for thread in {*threading.enumerate()} - before if thread.name.startswith("phalanx")]


def test_a_port_that_is_taken_gives_the_next_one(model):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with phalanx.Viewer(model, port=port) as viewer:
            assert viewer.url != f"http://localhost:{port}"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"port": 70000}, FieldError, "port"),
        ({"host": "no such host"}, FieldError, "host"),
        ({"fps": 0}, FieldError, "fps"),
        ({"speed": -1}, FieldError, "speed"),
        ({"camera": "nowhere"}, UnknownNameError, "there is no camera 'nowhere'"),
        ({"keyframe": "nokey"}, UnknownNameError, "nokey"),
        ({"show": "contatcs"}, FieldError, "did you mean 'contacts'"),
        ({"layout": "heap"}, FieldError, "layout"),
    ],
)
def test_bad_options_are_refused(model, options, error, message):
    threads = threading.active_count()
    with pytest.raises(error, match=message):
        phalanx.Viewer(model, **{"port": 0, **options})
    assert threading.active_count() == threads


def test_what_cannot_be_viewed_is_refused(model):
    other = phalanx.load("cartpole").replace(opt={"timestep": 0.001})
    with pytest.raises(FieldError, match="Data of this model"):
        phalanx.Viewer(model, other.make_data(), port=0)
    with pytest.raises(FieldError, match="not int"):
        phalanx.Viewer(3, port=0)
    with pytest.raises(FieldError, match="give no data"):
        phalanx.Viewer(phalanx.BatchSim(model, 2), model.make_data(), port=0)
    with pytest.raises(FieldError, match="no worlds"):
        phalanx.Viewer(phalanx.BatchSim(model, 0), port=0)
    with pytest.raises(phalanx.ModelError, match="did you mean 'cartpole'"):
        phalanx.Viewer("cartpol", port=0)


def test_a_missing_package_is_named(model, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "viser", None)
    with pytest.raises(phalanx.MissingPackageError, match=r"phalanx\[view\]"):
        phalanx.Viewer(model, port=0)


MODELS = Path(__file__).resolve().parents[2] / "models"
#: Everything that costs nothing unless it is on.
ALL_DECOR = dict.fromkeys(DECOR, True)


def show_some_frames(model: phalanx.Model) -> None:
    with phalanx.Viewer(model, port=0, realtime=False, show=ALL_DECOR) as viewer:
        wait_for(lambda: viewer._page.drawn or viewer._page.problem)
        for _ in range(3):
            viewer.data.step()
            viewer._page.draw(viewer._session.frame())
        assert viewer._page.problem is None
        assert not viewer._session.problem


def test_a_world_without_anything_is_shown():
    show_some_frames(phalanx.Model.from_xml_string("<mujoco/>"))


@pytest.mark.conformance
@pytest.mark.parametrize("path", sorted(MODELS.glob("*.xml")), ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_model_is_shown_with_all_decor(path):
    show_some_frames(phalanx.load(path))
