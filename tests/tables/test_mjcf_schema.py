"""The MJCF schema has exactly the elements and attributes of MuJoCo 4.0."""

from __future__ import annotations

import re

import mujoco
import pytest

from phalanx.tables.field import Kind
from phalanx.tables.mjcf_row import Holds
from phalanx.tables.mjcf_schema import ELEMENTS
from phalanx.tables.model_fields import MODEL
from phalanx.tables.option_fields import OPTION

FIELDS = {row.name: row for group in MODEL.values() for row in group}
FIELDS |= {f"opt.{row.name}": row for group in OPTION.values() for row in group}


def _theirs() -> dict[str, set[str]]:
    """Path -> attributes, from MuJoCo's own description."""
    table: dict[str, set[str]] = {}
    stack: list[str] = []
    for line in mujoco.mj_printSchema(False, True).splitlines():
        found = re.match(r"^( *)(\(?[a-z_()]+\)?) \(.\)\s*(.*)$", line)
        if found:
            stack = [*stack[: len(found[1]) // 3], found[2].replace("(world)", "")]
            table["/".join(stack)] = set(found[3].split())
        elif line.strip():
            table["/".join(stack)] |= set(line.split())
    return table


def _ours(key: str, path: str, found: dict[str, set[str]]) -> dict[str, set[str]]:
    row = ELEMENTS[key]
    found[path] = set(row.attributes)
    for tag, (child, _) in row.children.items():
        if tag not in ("body", "frame", "replicate", "worldbody") and not (tag == "default" and path != "mujoco"):
            _ours(child, f"{path}/{tag}", found)
    return found


def test_elements_and_attributes_are_mujocos():
    ours = _ours("mujoco", "mujoco", {})
    _ours("body", "mujoco/body", ours)
    assert ours == _theirs()


@pytest.mark.parametrize("key", ELEMENTS)
def test_rows_are_complete(key):
    row = ELEMENTS[key]
    assert row.doc
    for attribute in row.attributes.values():
        assert attribute.doc and attribute.least <= attribute.most
        if attribute.field:
            assert attribute.field in FIELDS
        if attribute.holds in (Holds.KEYWORD, Holds.KEYWORDS):
            assert attribute.keywords
        if attribute.default is not None and attribute.holds is Holds.REAL and not attribute.is_scalar:
            assert attribute.most > 1000 or len(attribute.default) == attribute.most  # type: ignore[arg-type]
    assert all(child in ELEMENTS for child, _ in row.children.values())


def test_kinds_of_values_fit_their_fields():
    for row in ELEMENTS.values():
        for attribute in row.attributes.values():
            if attribute.field and attribute.holds is Holds.REAL:
                assert FIELDS[attribute.field].kind in (Kind.REAL, Kind.FLOAT32, Kind.FLOAT64)
