"""Frames that scale: the compiled Model is MuJoCo's, field by field, also after writing the model and reading it."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest

from phalanx import Spec
from tests.compiler.compare import HULL_ORDER, differences, hulls_differ

MODELS = {path.stem: path for path in sorted((Path(__file__).parent.parent / "models" / "scaled").glob("*.xml"))}


@pytest.mark.parametrize("name", MODELS)
def test_the_compiled_model_is_mujocos(name):
    theirs = mujoco.MjModel.from_xml_path(str(MODELS[name]))
    spec = Spec.from_file(MODELS[name])
    ours = spec.compile()
    assert differences(ours, theirs, HULL_ORDER) == {}
    assert hulls_differ(ours, theirs) == []
    again = Spec.from_string(spec.to_xml()).compile()
    assert differences(again, theirs, HULL_ORDER) == {}
