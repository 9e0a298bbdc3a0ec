"""Derived constants of a small model, while nothing is compiled: interpreted, with the same bits, and not for long."""

from __future__ import annotations

from pathlib import Path

import pytest

import phalanx
from phalanx.pipeline import derived
from tests.quiet import quiet

MODELS = sorted((Path(__file__).resolve().parent.parent / "models").glob("*.xml"))
HUMANOID = Path(phalanx.__file__).resolve().parent / "robots" / "humanoid.xml"


@pytest.fixture
def nothing_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derived, "is_ready", lambda unit: False)
    monkeypatch.setattr(derived, "_waits", [])


def rows_of(path: Path, comment: str) -> dict[str, bytes]:
    """All rows of a model; the comment makes it one that was not compiled before."""
    with quiet():
        model = phalanx.Model.from_xml_string(path.read_text() + f"<!-- {comment} -->", trusted=True)
        model = model.replace(body_mass=1.25 * model.body_mass)
    return {name: array.tobytes() for name, array in model._store.arrays.items()}


@pytest.mark.parametrize("path", [*MODELS, HUMANOID], ids=lambda path: path.stem)
def test_interpreted_constants_have_the_same_bits(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = rows_of(path, "compiled")
    monkeypatch.setattr(derived, "is_ready", lambda unit: False)
    monkeypatch.setattr(derived, "_waits", [])
    monkeypatch.setattr(derived, "PATIENCE", 1e9)
    found = rows_of(path, "interpreted")
    assert derived._waits or path.stem == "everything"
    assert [name for name, row in expected.items() if found[name] != row] == []


def test_a_program_that_derives_again_and_again_compiles(
    nothing_compiled: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = phalanx.Model.from_xml_path(HUMANOID)
    monkeypatch.setattr(derived, "PATIENCE", 0.0)
    model.replace(body_mass=1.5 * model.body_mass)
    before = len(derived._waits)
    assert before >= 1
    model.replace(body_mass=1.6 * model.body_mass)
    assert len(derived._waits) == before


def test_large_models_and_lanes_are_compiled(nothing_compiled: None) -> None:
    assert not derived.is_sooner_interpreted(phalanx.BatchSim(phalanx.Model.from_xml_path(HUMANOID), 8)._workspace(0))
    bodies = "<body><freejoint/><geom size='.1'/></body>" * 60
    model = phalanx.Model.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    assert not derived.is_sooner_interpreted(model._store)
