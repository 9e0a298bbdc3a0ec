"""Editing the model file."""

from __future__ import annotations

from pathlib import Path

import pytest

import phalanx
from phalanx.show.viewer.editor import Editor
from phalanx.show.viewer.one_world import OneWorld
from phalanx.show.viewer.session import Session

XML = """<mujoco>
  <worldbody>
    <body name="ball" pos="0 0 1"><joint name="up" type="slide" axis="0 0 1"/><geom name="ball" size=".1"/></body>
  </worldbody>
</mujoco>"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "ball.xml"
    path.write_text(XML)
    return path


def opened(path: Path | None) -> tuple[Session, Editor]:
    model = phalanx.load(path) if path else phalanx.Model.from_xml_string(XML)
    session = Session(OneWorld(model.make_data()), is_paused=True)
    return session, Editor(path, model, session.replace_world, lambda: session.world.data)


def test_the_world_goes_on_with_the_new_model_in_its_state(file):
    session, editor = opened(file)
    session.set_joint(0, 0.25)
    editor.reload(XML.replace('size=".1"', 'size=".2"'))
    assert editor.outcome.startswith("compiled")
    assert session.world.model.geom_size[0, 0] == 0.2
    assert session.world.data.qpos[0] == 0.25
    assert session.frame().cast.structure is session.world.model


def test_all_problems_are_listed_with_their_places_and_the_world_stays(file):
    session, editor = opened(file)
    before = session.world.model
    editor.reload(XML.replace("<body", "<bdy").replace("</body", "</bdy").replace("<worldbody>", '<worldbody x="1">'))
    assert len(editor.problems) >= 2
    assert all(str(file) in problem for problem in editor.problems)
    assert any(":3:" in problem and "did you mean 'body'" in problem for problem in editor.problems)
    assert not editor.outcome
    assert session.world.model is before


def test_text_that_is_no_xml_is_a_problem_not_a_crash(file):
    _, editor = opened(file)
    editor.reload("what?")
    assert len(editor.problems) == 1


def test_objects_without_names_begin_anew(file):
    session, editor = opened(file)
    session.set_joint(0, 0.25)
    editor.reload(XML.replace('name="up" ', "").replace('name="ball" ', ""))
    assert not editor.problems
    assert session.world.data.qpos[0] == 0.0


def test_files_are_read_again_and_saved(file):
    session, editor = opened(file)
    file.write_text(XML.replace('size=".1"', 'size=".3"'))
    editor.read()
    assert editor.version == 1
    assert session.world.model.geom_size[0, 0] == 0.3
    editor.save("<mujoco/>")
    assert file.read_text() == "<mujoco/>"
    file.unlink()
    editor.read()
    assert "No such file" in editor.problems[0]


def test_built_in_models_cannot_be_overwritten():
    model = phalanx.load("cartpole")
    path = Path(phalanx.__file__).parent / "robots" / "cartpole.xml"
    assert not Editor(path, model, lambda data: None, model.make_data).can_save


def test_a_model_without_a_file_is_edited_as_its_own_xml():
    session, editor = opened(None)
    assert "<mujoco" in editor.text
    assert not editor.can_save
    editor.reload(editor.text.replace("0.1", "0.15"))
    assert not editor.problems
    assert session.world.model.geom_size[0, 0] == 0.15
