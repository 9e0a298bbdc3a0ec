"""What is being done goes to the standard error, or to a log of the user's."""

from __future__ import annotations

import logging
import warnings

import pytest

import phalanx
from phalanx.native.notice import LOG, QUIET_VARIABLE, say

SPHERES = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.fixture
def loud(monkeypatch):
    monkeypatch.delenv(QUIET_VARIABLE, raising=False)
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    monkeypatch.setattr(LOG, "level", logging.NOTSET)


def test_without_logging_lines_go_to_the_standard_error(loud, capsys, monkeypatch):
    say("phalanx: compiling")
    assert capsys.readouterr().err == "phalanx: compiling\n"
    monkeypatch.setenv(QUIET_VARIABLE, "1")
    say("phalanx: compiling")
    assert capsys.readouterr().err == ""


def test_where_logging_is_set_up_they_go_there(loud, capsys, caplog, monkeypatch):
    monkeypatch.setattr(logging.getLogger(), "handlers", [caplog.handler])
    say("phalanx: not of this level")
    assert "not of this level" in capsys.readouterr().err
    caplog.set_level(logging.INFO, "phalanx")
    say("phalanx: compiling")
    assert caplog.messages == ["compiling"]
    assert capsys.readouterr().err == ""


def test_growing_memory_is_logged(caplog):
    caplog.set_level(logging.DEBUG, "phalanx")
    phalanx.Model.from_xml_string(SPHERES).make_data().forward()
    assert any(message.startswith("memory grows: room for") for message in caplog.messages)


def test_a_warning_comes_once_for_each_cause():
    text = "<mujoco><asset><material name='m' rgba=''/><material name='n' rgba=''/></asset>words</mujoco>"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        phalanx.Model.from_xml_string(text)
    assert [warning.category for warning in caught] == [phalanx.MjcfWarning] * 2
    assert all(warning.filename == __file__ for warning in caught)
