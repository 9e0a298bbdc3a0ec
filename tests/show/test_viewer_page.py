"""The viewer in a real browser: what is seen, and what the mouse and the widgets do."""

from __future__ import annotations

import time

import numpy as np
import pytest

import phalanx
from tests.show.browser import browser
from tests.show.viewer_page import OpenPage, is_red, opened, part_of_color, wait_for

pytest.importorskip("viser", reason="the extra `view` is not installed")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

SWING = """<mujoco model="swing">
  <statistic center="0 0 .6" extent="1.2"/>
  <worldbody>
    <light pos="0 -1 3" dir="0 .3 -1" directional="true"/>
    <camera name="above" pos="0 0 4"/>
    <geom type="plane" size="2 2 .1" rgba=".8 .8 .8 1"/>
    <body name="bar" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" damping=".01"/>
      <geom name="bar" type="box" size=".12 .08 .3" pos="0 0 -.3" rgba=".9 .05 .05 1"/>
    </body>
  </worldbody>
  <actuator><position name="servo" joint="hinge" kp="0" ctrlrange="-1 1"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/></sensor>
  <keyframe><key name="aside" qpos="1.2"/></keyframe>
</mujoco>"""


@pytest.fixture
def swing(tmp_path):
    path = tmp_path / "swing.xml"
    path.write_text(SWING)
    return path


def pause(shown: OpenPage) -> None:
    shown.button("Pause")
    wait_for(lambda: shown.viewer.is_paused)


def settled(shown: OpenPage) -> np.ndarray:
    """The picture when it does not change any more."""
    before = shown.picture()
    for _ in range(60):
        time.sleep(0.2)
        after = shown.picture()
        if np.array_equal(before, after):
            return after
        before = after
    pytest.fail("the picture never stands still")


def changed(before: np.ndarray, after: np.ndarray) -> float:
    """The part of pixels that differ by more than the noise of rounding."""
    return float(np.mean(np.abs(before.astype(int) - after.astype(int)).max(axis=2) > 8))


def test_a_world_moves_in_the_browser_until_it_is_paused(swing):
    with browser() as found, opened(found, swing, keyframe="aside") as shown:
        # the bar is there, and it swings
        wait_for(lambda: part_of_color(shown.picture(), is_red) > 0.01)
        first = shown.picture()
        wait_for(lambda: changed(first, shown.picture()) > 0.01)
        pause(shown)
        time = shown.viewer.data.time
        still = settled(shown)
        assert 0.01 < part_of_color(still, is_red) < 0.3
        assert shown.viewer.data.time == time
        assert "paused" in shown.page.locator("#phalanx-status").inner_text()
        # the keyframe puts it aside again
        shown.button("Reset")
        wait_for(lambda: shown.viewer.data.time == 0)
        wait_for(lambda: changed(still, shown.picture()) > 0.005)


@pytest.fixture(scope="module")
def chromium():
    with browser() as found:
        yield found


@pytest.mark.conformance
def test_sliders_act_on_the_world(chromium, swing):
    with opened(chromium, swing, paused=True) as shown:
        before = settled(shown)
        shown.tab("Move")
        shown.set_number("hinge", 1.0)
        wait_for(lambda: abs(shown.viewer.data.qpos[0] - 1.0) < 0.01)
        shown.set_number("servo", 0.5)
        wait_for(lambda: abs(shown.viewer.data.ctrl[0] - 0.5) < 0.01)
        assert changed(before, settled(shown)) > 0.02
        shown.button("All to zero")
        wait_for(lambda: shown.viewer.data.ctrl[0] == 0)


@pytest.mark.conformance
def test_a_click_selects_and_a_drag_pulls(chromium, swing):
    with opened(chromium, swing, paused=True) as shown:
        settled(shown)
        x, y = shown.on_screen(shown.viewer.data.geom_xpos[1])
        shown.page.mouse.click(x, y)
        wait_for(lambda: shown.session.handle.body == 1, "the click selected nothing")
        shown.tab("Bodies")
        wait_for(lambda: "bar" in shown.page.locator("#phalanx-about").inner_text())
        # the floor selects nothing
        shown.page.mouse.click(*shown.on_screen((-0.6, -0.4, 0)))
        wait_for(lambda: shown.session.handle.body == -1)
        shown.tab("Run")
        shown.button("Run")
        wait_for(lambda: not shown.viewer.is_paused)
        shown.page.keyboard.down("Control")
        shown.page.mouse.move(x, y)
        shown.page.mouse.down()
        for k in range(1, 9):
            shown.page.mouse.move(x - 15 * k, y)
            time.sleep(0.05)
        wait_for(lambda: shown.viewer.data.qpos[0] > 0.2, "the drag did not pull")
        shown.page.mouse.up()
        shown.page.keyboard.up("Control")
        wait_for(lambda: not shown.viewer.data.xfrc_applied.any(), "the spring was not let go")


@pytest.mark.conformance
def test_switches_of_decor_change_the_picture(chromium, swing):
    with opened(chromium, swing, paused=True) as shown:
        before = settled(shown)
        shown.tab("Show")
        for label in ("Joints", "Inertias", "Centers of mass"):
            shown.row(label).locator("input").check(force=True)
            name = label.lower().replace(" ", "_")
            wait_for(lambda name=name: getattr(shown.session.show, name))
        with_decor = settled(shown)
        assert changed(before, with_decor) > 0.003
        for label in ("Joints", "Inertias", "Centers of mass"):
            shown.row(label).locator("input").uncheck(force=True)
        wait_for(lambda: not shown.session.show.joints and not shown.session.show.centers_of_mass)
        assert changed(before, settled(shown)) < 1e-3


@pytest.mark.conformance
def test_problems_of_the_model_file_are_listed_and_a_good_one_is_loaded(chromium, swing):
    with opened(chromium, swing, paused=True) as shown:
        before = settled(shown)
        shown.tab("Edit")
        text = shown.page.locator("textarea.mantine-Textarea-input")
        text.fill(SWING.replace("<body", "<bdy").replace("</body", "</bdy").replace(".9 .05 .05", "red"))
        shown.button("Compile and reload")
        outcome = shown.page.locator("#phalanx-edit")
        wait_for(lambda: "did you mean 'body'" in outcome.inner_text())
        assert "swing.xml:7:" in outcome.inner_text()
        assert shown.viewer.data.model.nbody == 2
        text.fill(SWING.replace(".9 .05 .05 1", ".05 .05 .9 1"))
        shown.button("Compile and reload")
        wait_for(lambda: "compiled" in outcome.inner_text())
        wait_for(lambda: part_of_color(shown.picture(), is_red) < 0.001)
        assert changed(before, settled(shown)) > 0.01
        # the widgets of the new model work
        shown.tab("Move")
        shown.set_number("hinge", 0.8)
        wait_for(lambda: abs(shown.viewer.data.qpos[0] - 0.8) < 0.01)


@pytest.mark.conformance
def test_the_slider_of_time_goes_back(chromium, swing):
    with opened(chromium, swing, keyframe="aside") as shown:
        wait_for(lambda: shown.viewer.data.time > 2)
        pause(shown)
        late = settled(shown)
        shown.set_number("Time [s]", 0.5)
        wait_for(lambda: abs(shown.viewer.data.time - 0.5) < 0.1)
        assert changed(late, settled(shown)) > 0.005


@pytest.mark.conformance
def test_plots_are_drawn(chromium, swing):
    with opened(chromium, swing, keyframe="aside") as shown:
        shown.tab("Plots")
        shown.row("Field").locator("input").fill("qpso")
        shown.button("Plot")
        problem = shown.page.locator("#phalanx-problem")
        wait_for(lambda: "did you mean 'qpos'" in problem.inner_text())
        shown.row("Field").locator("input").fill("qpos[0]")
        shown.button("Plot")
        wait_for(lambda: shown.page.locator(".uplot canvas").count() == 1)
        wait_for(lambda: (shown.page.locator(".uplot canvas").bounding_box() or {"width": 0})["width"] > 100)
        assert "angle" in shown.page.locator("#phalanx-sensors").inner_text()


@pytest.mark.conformance
def test_a_world_that_blows_up_is_told_in_the_page(chromium, swing):
    with opened(chromium, swing) as shown:
        shown.session.commands.post(lambda: shown.viewer.data.qvel.fill(1e12)).result(10)
        wait_for(lambda: "qvel" in shown.page.locator("#phalanx-problem").inner_text())
        assert shown.viewer.is_paused
        shown.button("Reset")
        wait_for(lambda: shown.viewer.data.time == 0 and not shown.session.problem)
        shown.button("Run")
        wait_for(lambda: shown.viewer.data.time > 0.1)


@pytest.mark.conformance
def test_cameras_and_screenshots(chromium, swing):
    with opened(chromium, swing, paused=True) as shown:
        before = settled(shown)
        shown.viewer._carry_out(lambda: shown.session.look_through("above"))
        wait_for(lambda: changed(before, shown.picture()) > 0.1)
        picture = shown.viewer.screenshot(width=320, height=240)
        assert picture.shape == (240, 320, 3)
        assert part_of_color(picture, is_red) > 0.001


@pytest.mark.conformance
def test_a_batch_is_a_grid_and_a_click_follows_a_world(chromium):
    model = phalanx.Model.from_xml_string(SWING)
    batch = phalanx.BatchSim(model, 9)
    batch.qpos[:, 0] = np.linspace(-1, 1, 9)
    with opened(chromium, batch, paused=True) as shown:
        settled(shown)
        world = 3
        middle = shown.session.frame().pos[world, 1]
        shown.page.mouse.click(*shown.on_screen(middle))
        wait_for(lambda: shown.session.world.followed == world, "the click followed no world")
        wait_for(lambda: f"world {world}" in shown.page.locator("#phalanx-status").inner_text())
        shown.button("Run")
        wait_for(lambda: (batch.time > 0.1).all())
