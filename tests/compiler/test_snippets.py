"""Every element and attribute, alone and in combinations: our Model is MuJoCo's, field by field."""

from __future__ import annotations

import mujoco
import pytest

from phalanx import Model
from tests.compiler.compare import HULL_ORDER, differences, hulls_differ
from tests.compiler.gaps import unknown_fields
from tests.compiler.snippets import SNIPPETS


@pytest.mark.parametrize("name", SNIPPETS)
def test_the_compiled_model_is_mujocos(name):
    xml = SNIPPETS[name]
    ours, theirs = Model.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
    assert differences(ours, theirs, (*HULL_ORDER, *unknown_fields(xml))) == {}
    assert hulls_differ(ours, theirs) == []


def test_there_are_enough_snippets():
    assert len(SNIPPETS) >= 150
