"""The page of MuJoCo's functions: complete, and true to both packages."""

from __future__ import annotations

import re
from functools import reduce
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
import phalanx.collision
from phalanx.pipeline.entries import BY_NAME
from tools.mujoco_functions import SECTIONS, Row

ROWS = [row for section in SECTIONS.values() for row in section]
PREFIXES = ("mj_", "mju_", "mjd_")
#: Names with dots in code, without what stands in brackets.
DOTTED = re.compile(r"\b(?:model|data|batch|phalanx|np)(?:\.\w+)+")


@pytest.fixture(scope="module")
def owners() -> dict[str, Any]:
    model = phalanx.Model.from_xml_string(
        "<mujoco><worldbody><body name='torso'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    data = model.make_data()
    return {"model": model, "data": data, "batch": phalanx.BatchSim(model, 1), "phalanx": phalanx, "np": np}


def test_every_function_of_mujoco_has_one_row() -> None:
    functions = {name for name in dir(mujoco) if name.startswith(PREFIXES) and callable(getattr(mujoco, name))}
    names = [row.name for row in ROWS]
    assert functions - set(names) == set(), "functions without a row"
    assert set(names) - functions == set(), "rows of functions that do not exist"
    assert len(names) == len(set(names))


def test_every_row_has_code_or_a_reason() -> None:
    assert [row.name for row in ROWS if not row.here and not row.note] == []


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_every_name_in_the_code_exists(owners: dict[str, Any], row: Row) -> None:
    code = [row.here, *re.findall(r"`([^`]*)`", row.note)]
    for text in code:
        for dotted in DOTTED.findall(text):
            owner, *names = dotted.split(".")
            reduce(getattr, names, owners[owner])
        for operation in re.findall(r'run\("(\w+)"\)', text):
            assert operation in BY_NAME
        assert not re.search(r"\brun\((?!\")", text)
    compile(row.here, row.name, "exec")
