"""Pages that simulate: what is in them, and what is refused."""

from __future__ import annotations

import json
import re

import pytest

import phalanx
from phalanx.memory.errors import FieldError, HookError, ModelError
from phalanx.show.replay.page_text import FOLDER, joined_script, read_source
from phalanx.web.export_page import PAGE
from tests.show.scenes import BOXES
from tests.web.web_scenes import BALLS

LARGEST = 2_000_000


@pytest.fixture(scope="module")
def balls():
    return phalanx.Model.from_xml_string(BALLS)


@pytest.fixture
def no_module(monkeypatch):
    """Nothing is compiled for browsers: the test looks at the rest of the page."""
    monkeypatch.setattr("phalanx.web.export_page.module_of", lambda parts, hooks: b"")


def manifest_of(path):
    text = path.read_text(encoding="utf-8")
    return text, json.loads(re.search(r'id="manifest">(.*?)</script>', text, re.DOTALL)[1])


def test_a_page_is_one_file_that_asks_for_nothing(balls, no_module, tmp_path):
    path = phalanx.export_web(balls, tmp_path / "balls.html", title="two <b>balls</b>", plots=["xpos.low.2"])
    text, manifest = manifest_of(path)
    assert set(re.findall(r"https?://[^\"'\s)]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text and "'wasm-unsafe-eval'" in text and "<b>balls" not in text
    assert manifest["plots"] == ["xpos.low.2"] and manifest["keyframes"] == ["apart"]
    assert [row["name"] for row in manifest["layers"] if row["on"]] == []
    assert manifest["actuators"] == [] and not manifest["hasController"]
    assert path.stat().st_size < LARGEST


def test_modules_of_the_page_are_joined_in_the_order_of_their_imports():
    folders = (PAGE, FOLDER)
    script = joined_script("live", folders)
    order = re.findall(r"^const module_(\w+) =", script, re.MULTILINE)
    assert order[-1] == "live" and len(order) == len(set(order))
    for name in order:
        for other in re.findall(r'from "\./(\w+)\.js"', read_source(f"{name}.js", folders)):
            assert order.index(other) < order.index(name)


def test_names_cannot_break_out_of_the_page(no_module, tmp_path):
    path = phalanx.export_web(phalanx.Model.from_xml_string(BOXES), tmp_path / "boxes.html")
    text, manifest = manifest_of(path)
    assert text.count("<script") == text.count("</script>") == 3
    assert any("</script>" in row["name"] for row in manifest["bodies"])
    assert manifest["actuators"][0] == {"name": "push", "control": 0, "low": -1.0, "high": 1.0}


def wrong_controller(m, d):
    d.ctrl[0] = undefined_gain * d.qpos[0]  # noqa: F821


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"controller": wrong_controller}, HookError, "undefined_gain is not defined"),
        ({"layers": ["contact"]}, FieldError, "there is no layer 'contact'; did you mean"),
        ({"plots": ["qposs"]}, FieldError, "qposs"),
        ({"data": 3}, FieldError, "data is a Data of the model that is exported, not 3"),
    ],
)
def test_wrong_arguments_are_named(balls, options, error, words, tmp_path):
    with pytest.raises(error, match=re.escape(words)):
        phalanx.export_web(balls, tmp_path / "r.html", **options)
    assert not (tmp_path / "r.html").exists()


def test_wrong_files_are_named(balls, tmp_path):
    with pytest.raises(ModelError, match="html"):
        phalanx.export_web(balls, tmp_path / "r.htm")
    with pytest.raises(ModelError, match="there is no folder"):
        phalanx.export_web(balls, tmp_path / "no" / "r.html")
    with pytest.raises(FieldError, match="a page simulates a Model, not str"):
        phalanx.export_web("balls", tmp_path / "r.html")
    with pytest.raises(FieldError, match="a Data of the model"):
        phalanx.export_web(balls, tmp_path / "r.html", data=phalanx.load("arm").make_data())
    with pytest.raises(ModelError, match="double precision"):
        phalanx.export_image(balls, tmp_path / "r.phx", data=phalanx.Data(balls, dtype="float32"))


def test_a_model_that_is_too_large_is_refused(balls, monkeypatch, tmp_path):
    monkeypatch.setattr("phalanx.web.model_image.LARGEST", 1000)
    with pytest.raises(ModelError, match="too large for a browser"):
        phalanx.export_web(balls, tmp_path / "r.html")


def test_hooks_need_a_module(balls, tmp_path):
    hooked = balls.with_hooks(passive=push)
    with pytest.raises(ModelError, match=r"the model has hooks \(passive\)"):
        phalanx.export_image(hooked, tmp_path / "r.phx")


def push(m, d):
    d.qfrc_passive[0] = d.qfrc_passive[0] + 0.5


@pytest.mark.conformance
@pytest.mark.parametrize("name", phalanx.models())
def test_pages_of_robots_are_small(name, tmp_path):
    assert phalanx.export_web(phalanx.load(name), tmp_path / "r.html").stat().st_size < LARGEST
