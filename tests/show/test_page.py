"""Replays in a real browser: they load without a network, move, and answer to what people do."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import phalanx
from phalanx import Marks, replay_html
from tests.quiet import quiet
from tests.show.replay_page import Opened, opened
from tests.show.scenes import boxes, fall

#: A strip of four triangles, half of which hangs on each of two bodies.
STRIP = """<mujoco>
  <deformable>
    <skin vertex="0 0 0  0 .3 0  .5 0 0  .5 .3 0  1 0 0  1 .3 0" face="0 2 1  1 2 3  2 4 3  3 4 5" rgba="0 1 0 1">
      <bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2 3" vertweight="1 1 .5 .5"/>
      <bone body="b" bindpos=".5 0 0" bindquat="1 0 0 0" vertid="2 3 4 5" vertweight=".5 .5 1 1"/>
    </skin>
  </deformable>
  <worldbody>
    <body name="a"><joint axis="0 1 0"/><geom size=".05"/>
      <body name="b" pos=".5 0 0"><joint axis="0 1 0"/><geom size=".05"/></body>
    </body>
  </worldbody>
</mujoco>"""


@pytest.fixture(scope="module")
def model():
    return boxes()


def is_red(picture: np.ndarray) -> np.ndarray:
    """Pixels of the box that falls."""
    return (picture[..., 0] > 90) & (picture[..., 1:] < 0.55 * picture[..., :1]).all(axis=2)


def height_of(mask: np.ndarray) -> float:
    """Mean row of the pixels of a mask."""
    return float(np.nonzero(mask)[0].mean())


def seek(page: Opened, fraction: float) -> None:
    """Move the slider, as a hand does."""
    page.page.locator(".slider").evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }", str(fraction)
    )


def wait_until_after(page: Opened, time: float) -> None:
    """Wait until the replay has passed a time; a minute is enough for the slowest machine."""
    for _ in range(600):
        if page.page.evaluate("replay.time") > time:
            return
        page.page.wait_for_timeout(100)
    raise AssertionError(f"the replay did not reach {time}")


def test_a_replay_is_shown_and_answers(model, tmp_path):
    marks = Marks()
    path = replay_html(model, fall(model, marks=marks), tmp_path / "r.html", plots=["qpos.swing"])
    # wide enough that the panel does not hide the scene
    with opened(path, viewport={"width": 1000, "height": 600}) as page:
        assert [url for url in page.requests if not url.startswith(("file:", "data:", "blob:"))] == []
        first = page.picture()
        assert is_red(first).sum() > 1000, "the box is in the picture"
        # time: the box falls
        seek(page, 1.0)
        last = page.picture()
        assert height_of(is_red(last)) > height_of(is_red(first)) + 20
        # switches: contacts are drawn, marks vanish
        page.flip("contacts")
        with_contacts = page.picture()
        assert (with_contacts != last).any(axis=2).sum() > 50
        page.flip("marks")
        assert (page.picture() != with_contacts).any(axis=2).sum() > 50
        # a click selects what is there, and the panel tells its name as text
        rows, columns = np.nonzero(is_red(page.picture()))
        page.page.mouse.click(float(np.median(columns)), float(np.median(rows)))
        name = page.page.locator(".numbers h2").text_content()
        assert name == "</script><script>broken=1</script>"
        assert page.page.evaluate("typeof broken") == "undefined"
        assert page.page.evaluate("replay.selected.body") == 1
        # the plot that was asked for has a line and a cursor
        plot = page.picture("canvas.plot")
        assert (np.ptp(plot, axis=2) > 60).sum() > 100
        assert page.page.locator(".legend").text_content().startswith("qpos.swing")
        assert page.complaints == []


@pytest.mark.conformance
def test_playing_goes_on_and_stops(model, tmp_path):
    path = replay_html(model, fall(model), tmp_path / "r.html", autoplay=False)
    with opened(path) as page:
        page.page.locator(".play").click()
        wait_until_after(page, 0.1)
        page.page.keyboard.press("Space")
        stopped = page.page.evaluate("replay.time")
        page.page.wait_for_timeout(300)
        assert page.page.evaluate("replay.time") == stopped
        page.page.keyboard.press(".")
        wait_until_after(page, stopped)
        assert page.complaints == []


@pytest.mark.conformance
def test_the_camera_moves_by_mouse_wheel_and_keys(model, tmp_path):
    path = replay_html(model, fall(model, steps=50), tmp_path / "r.html")
    with opened(path, viewport={"width": 1000, "height": 600}) as page:
        pictures = [page.picture()]
        page.page.mouse.move(300, 300)
        page.page.mouse.down()
        page.page.mouse.move(400, 330)
        page.page.mouse.up()
        pictures.append(page.picture())
        page.page.mouse.wheel(0, -200)
        pictures.append(page.picture())
        page.page.keyboard.press("ArrowLeft")
        pictures.append(page.picture())
        for before, after in itertools.pairwise(pictures):
            assert (np.abs(before - after).sum(axis=2) > 30).mean() > 0.02
        page.page.keyboard.press("0")
        assert (np.abs(page.picture() - pictures[0]).sum(axis=2) > 30).mean() < 0.001
        # a camera of the model
        page.page.locator("select[aria-label=camera]").select_option("model:0")
        assert (np.abs(page.picture() - pictures[0]).sum(axis=2) > 30).mean() > 0.02
        assert page.complaints == []


@pytest.mark.conformance
def test_it_follows_the_preference_for_dark_colors(model, tmp_path):
    path = replay_html(model, fall(model, steps=20), tmp_path / "r.html")
    brightness = {}
    for scheme in ("light", "dark"):
        with opened(path, color_scheme=scheme) as page:
            brightness[scheme] = page.picture()[:60].mean()
    assert brightness["dark"] < 0.5 * brightness["light"]


@pytest.mark.conformance
def test_a_phone_has_the_panel_on_request(model, tmp_path):
    path = replay_html(model, fall(model, steps=50), tmp_path / "r.html")
    phone = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
    with opened(path, **phone) as page:
        panel = page.page.locator(".panel")
        assert not panel.is_visible()
        assert is_red(page.picture()).sum() > 1000
        page.page.locator("button[aria-label=controls]").tap()
        panel.wait_for(state="visible")
        box = panel.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390
        assert page.page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.complaints == []


@pytest.mark.conformance
@pytest.mark.parametrize("layout", ["grid", "overlay"])
def test_several_worlds_are_seen_and_can_be_selected(model, tmp_path, layout):
    runs = [fall(model, steps=100, push=push) for push in (0.0, 5.0, -5.0)]
    path = replay_html(model, runs, tmp_path / "r.html", layout=layout)
    alone = replay_html(model, runs[0], tmp_path / "one.html")
    with opened(path, viewport={"width": 1000, "height": 600}) as page:
        several = page.picture()
        page.page.evaluate("replay.select(2, 1)")
        assert page.page.locator(".numbers h2").text_content() == "arm"
        assert "world 1" in page.page.locator(".numbers").text_content()
        assert page.complaints == []
    with opened(alone, viewport={"width": 1000, "height": 600}) as page:
        assert (np.abs(page.picture() - several).sum(axis=2) > 30).mean() > 0.001


@pytest.mark.conformance
def test_a_skin_follows_its_bones(tmp_path):
    robot = phalanx.Model.from_xml_string(STRIP)
    trajectory = fall(robot, steps=200)
    with opened(replay_html(robot, trajectory, tmp_path / "r.html"), viewport={"width": 1000, "height": 600}) as page:
        places = []
        for fraction in (0.0, 1.0):
            seek(page, fraction)
            picture = page.picture()
            is_green = (picture[..., 1] > 90) & (picture[..., ::2] < 0.5 * picture[..., 1:2]).all(axis=2)
            assert is_green.sum() > 500
            places.append(height_of(is_green))
        assert abs(places[1] - places[0]) > 5
        assert page.complaints == []


@pytest.mark.conformance
@pytest.mark.parametrize("look", ['dim="1"', 'dim="2"', 'dim="3" dof="trilinear"'])
def test_a_flex_follows_its_bodies(tmp_path, look):
    inside = f"""<flexcomp name="f" type="grid" {look} count="5 5 5" spacing=".1 .1 .1" radius=".02" rgba="0 1 0 1">
      <edge damping="1"/></flexcomp>""".replace('"5 5 5"', '"5 5 1"' if 'dim="2"' in look else '"5 5 5"')
    text = f'<mujoco><worldbody>{inside}<geom type="box" size="1 1 .01" pos="0 0 -1"/></worldbody></mujoco>'
    with quiet():
        cloth = phalanx.Model.from_xml_string(text)
        trajectory = fall(cloth, steps=150)
        path = replay_html(cloth, trajectory, tmp_path / "r.html")
    with opened(path, viewport={"width": 1000, "height": 600}) as page:
        places = []
        for fraction in (0.0, 1.0):
            seek(page, fraction)
            picture = page.picture()
            is_green = (picture[..., 1] > 90) & (picture[..., ::2] < 0.5 * picture[..., 1:2]).all(axis=2)
            assert is_green.sum() > 30
            places.append(height_of(is_green))
        assert abs(places[1] - places[0]) > 5
        assert page.complaints == []


@pytest.mark.conformance
def test_all_built_in_models_are_drawn(tmp_path):
    for name in phalanx.models():
        robot = phalanx.load(name)
        data = robot.make_data()
        recorder = phalanx.Trajectory.recorder(data)
        for _ in range(20):
            data.step()
            recorder.capture()
        with opened(replay_html(robot, recorder.trajectory, tmp_path / f"{name}.html")) as page:
            assert np.ptp(page.picture(), axis=(0, 1)).min() > 60, name
            assert page.complaints == []
