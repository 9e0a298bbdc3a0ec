"""The text of a replay: whole, small, safe; and errors before anything is written."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import phalanx
from phalanx import FieldError, ModelError, Trajectory, replay_html
from phalanx.show.replay.page_text import joined_script, read_source, safe_json
from tests.show.scenes import boxes, fall


@pytest.fixture(scope="module")
def model():
    return boxes()


@pytest.fixture(scope="module")
def trajectory(model):
    return fall(model)


class Scripts(HTMLParser):
    """The elements of a page, as a browser finds them."""

    def __init__(self, text: str):
        super().__init__()
        self.scripts: list[dict] = []
        self.content: list[str] = []
        self.loaded: list[str] = []
        self._is_inside = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.loaded += [value for name, value in attributes if name in ("src", "href")]
        if tag == "script":
            self.scripts.append(found)
            self.content.append("")
            self._is_inside = True

    def handle_endtag(self, tag):
        self._is_inside = self._is_inside and tag != "script"

    def handle_data(self, data):
        if self._is_inside:
            self.content[-1] += data


def test_names_of_a_foreign_file_stay_text(model, trajectory, tmp_path):
    text = replay_html(model, trajectory, tmp_path / "r.html").read_text(encoding="utf-8")
    page = Scripts(text)
    assert [script.get("type") for script in page.scripts] == ["application/json", "text/plain", "module"]
    assert page.loaded == []
    manifest = json.loads(page.content[0])
    assert manifest["bodies"][1]["name"] == "</script><script>broken=1</script>"
    assert manifest["title"] == "two <b>boxes</b>"
    assert "<title>two &lt;b&gt;boxes&lt;/b&gt;</title>" in text
    assert "<script>broken" not in text and "<b>" not in text


def test_the_page_asks_the_network_for_nothing(model, trajectory, tmp_path):
    text = replay_html(model, trajectory, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    # names of SVG are no addresses
    assert set(re.findall(r"https?://[^\"'\s)]+", text)) == {"http://www.w3.org/2000/svg"}


def test_text_in_a_script_cannot_end_it():
    text = safe_json({"a": "</script><!--\u2028"})
    assert "<" not in text and "\u2028" not in text
    assert json.loads(text) == {"a": "</script><!--\u2028"}


def test_modules_are_joined_in_the_order_of_their_imports():
    script = joined_script("main")
    assert not re.search(r"^(import|export) ", script, re.MULTILINE)
    order = re.findall(r"^const module_(\w+) =", script, re.MULTILINE)
    assert order[-1] == "main" and len(order) == len(set(order))
    for name in order:
        for other in re.findall(r'from "\./(\w+)\.js"', read_source(f"{name}.js")):
            assert order.index(other) < order.index(name)


def test_layers_are_those_that_the_model_has(model, trajectory, tmp_path):
    def layers(**options):
        text = replay_html(model, trajectory, tmp_path / "r.html", **options).read_text(encoding="utf-8")
        return {row["name"]: row["on"] for row in json.loads(Scripts(text).content[0])["layers"]}

    usual = layers()
    assert {"contacts", "contact_forces", "joints", "body_frames"} <= set(usual)
    assert "tendons" not in usual and not usual["contacts"]
    assert layers(layers=["contacts"], show="contacts") == {"contacts": True}
    assert layers(layers=()) == {}
    chosen = layers(show=phalanx.Show(frames="site", labels="body", joints=True))
    assert chosen["body_names"] and chosen["joints"] and not chosen["body_frames"]


def test_forces_are_not_shown_without_what_they_follow_from(model, trajectory, tmp_path):
    poses = Trajectory({name: trajectory.arrays[name] for name in ("time", "qpos")})
    text = replay_html(model, poses, tmp_path / "r.html").read_text(encoding="utf-8")
    names = {row["name"] for row in json.loads(Scripts(text).content[0])["layers"]}
    assert "contacts" in names and not names & {"contact_forces", "actuators"}
    with pytest.raises(FieldError, match="contact_forces follow from qvel, ctrl, which the trajectory does not have"):
        replay_html(model, poses, tmp_path / "r.html", layers=["contact_forces"])


def test_several_worlds_are_on_one_page(model, trajectory, tmp_path):
    other = fall(model, steps=100, push=1.0)
    path = replay_html(model, [trajectory, other], tmp_path / "r.html", names=["free", "pushed"], layout="overlay")
    manifest = json.loads(Scripts(path.read_text(encoding="utf-8")).content[0])
    assert [world["name"] for world in manifest["worlds"]] == ["free", "pushed"]
    assert manifest["layout"] == "overlay"
    batch = Trajectory({name: np.stack([array] * 3) for name, array in trajectory.arrays.items()}, model)
    path = replay_html(model, batch, tmp_path / "r.html")
    assert len(json.loads(Scripts(path.read_text(encoding="utf-8")).content[0])["worlds"]) == 3


def test_ten_seconds_of_a_humanoid_take_less_than_three_megabytes(tmp_path):
    model = phalanx.load("humanoid")
    data = model.make_data().reset("stand")
    recorder = Trajectory.recorder(data)
    for step in range(5000):
        if step % 8 == 0:
            recorder.capture()
        # it stumbles about
        data.ctrl[:] += 0.02 * np.sin(0.02 * step + np.arange(model.nu))
        data.step()
    path = replay_html(model, recorder.trajectory, tmp_path / "r.html")
    assert path.stat().st_size < 3e6


# --- mistakes


def test_states_that_are_not_numbers_are_told_with_their_place(model, trajectory, tmp_path):
    bad = {name: array.copy() for name, array in trajectory.arrays.items()}
    bad["qpos"][7, 2] = np.nan
    with pytest.raises(FieldError, match=r"qpos\[7, 2\] of the trajectory is nan.*rows\(0, 7\)"):
        replay_html(model, Trajectory(bad), tmp_path / "r.html")
    assert list(tmp_path.iterdir()) == []
    assert replay_html(model, Trajectory(bad).rows(0, 7), tmp_path / "r.html").exists()


def test_numbers_to_plot_may_be_nan(model, trajectory, tmp_path):
    arrays = {**trajectory.arrays, "sensordata": np.full_like(trajectory.sensordata, np.nan)}
    assert replay_html(model, Trajectory(arrays), tmp_path / "r.html", plots="sensordata").exists()


@pytest.mark.filterwarnings("error")
def test_numbers_to_plot_may_be_as_large_as_numbers_can_be(model, trajectory, tmp_path):
    largest = np.finfo(float).max
    array = np.zeros_like(trajectory.sensordata)
    array[0], array[1] = largest, -largest
    replay_html(model, Trajectory({**trajectory.arrays, "sensordata": array}), tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text()
    assert "Infinity" not in text[text.index('"worlds"') : text.index('"layers"')]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("times", [[0.0, 1e306], [-1e308, 1e308], [1e308, 0.0, 1e308, 0.0], [0.0, -1.7e308, 1.7e308]])
@pytest.mark.parametrize("fps", [5e-324, 60.0])
def test_times_beyond_what_can_be_shown_are_named(model, tmp_path, times, fps):
    found = Trajectory({"time": np.array(times), "qpos": np.tile(model.qpos0, (len(times), 1))})
    with pytest.raises(FieldError, match=r"time\[\d\] of the trajectory is -?1.*e\+30\d, beyond 1e\+30: it cannot be"):
        replay_html(model, found, tmp_path / "r.html", fps=fps)


@pytest.mark.filterwarnings("error")
def test_forces_beyond_numbers_are_arrows_that_can_be_drawn(model, trajectory, tmp_path):
    forces = np.zeros((len(trajectory), model.nbody, 6))
    forces[:, 1:, 0], forces[1:, 1:, 2] = 1e308, -1e308
    pushed = Trajectory({**trajectory.arrays, "xfrc_applied": forces})
    assert replay_html(model, pushed, tmp_path / "r.html", layers=["applied_forces"], show="applied_forces").exists()


@pytest.mark.parametrize(
    "options, words",
    [
        ({"layers": ["contakts"]}, "no layer 'contakts'; did you mean 'contacts'"),
        ({"show": "contakts"}, "contakts"),
        ({"fps": 0}, "fps is above 0"),
        ({"fps": "many"}, "fps"),
        ({"layout": "gird"}, "layout is one of grid, overlay, not 'gird'; did you mean 'grid'"),
        ({"plots": ["qpoz"]}, "no 'qpoz' to plot; did you mean 'qpos'"),
        ({"names": ["a", "b"]}, "a name for each of 1 worlds"),
    ],
)
def test_arguments_that_make_no_sense(model, trajectory, tmp_path, options, words):
    with pytest.raises(FieldError, match=words):
        replay_html(model, trajectory, tmp_path / "r.html", **options)
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_be_written(model, trajectory, tmp_path):
    with pytest.raises(ModelError, match=r"no writer of replays for '\.htm'; known: \.html"):
        replay_html(model, trajectory, tmp_path / "r.htm")
    with pytest.raises(ModelError, match="there is no folder"):
        replay_html(model, trajectory, tmp_path / "none" / "r.html")
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(ModelError, match="is a folder"):
        replay_html(model, trajectory, tmp_path / "folder.html")


def test_a_replay_is_of_trajectories_of_the_model(model, trajectory, tmp_path):
    with pytest.raises(FieldError, match="is needed with <Model 'cartpole'"):
        replay_html(phalanx.load("cartpole"), trajectory, tmp_path / "r.html")
    for wrong in ([], [trajectory, 3], "run.npz"):
        with pytest.raises(FieldError, match="shows a Trajectory, or a list"):
            replay_html(model, wrong, tmp_path / "r.html")
