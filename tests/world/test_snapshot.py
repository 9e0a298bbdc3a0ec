"""Snapshots cannot be changed, so that those of the same model are written back as they are."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.world import data as data_module
from phalanx.world.restore import checked
from phalanx.world.snapshot import PUBLIC, Snapshot
from tests.conformance.models import load, make_data
from tests.world.test_restore import SCENE


@pytest.fixture
def touching() -> phalanx.Data:
    """With contacts, limits and islands."""
    return phalanx.Model.from_xml_string(SCENE).make_data().step(100)


def contents(data: phalanx.Data) -> dict[str, bytes]:
    """The valid part of every field."""
    return {name: np.asarray(data._live(name)).tobytes() for name in PUBLIC}


def forbid_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any) -> Any:
        raise AssertionError("it was checked")

    monkeypatch.setattr(data_module, "checked", fail)


def test_a_snapshot_has_every_field_as_it_is(touching: phalanx.Data) -> None:
    snapshot = touching.snapshot()
    assert tuple(snapshot) == PUBLIC and len(snapshot) == len(PUBLIC)
    for name in PUBLIC:
        live = np.asarray(touching._live(name))
        assert name in snapshot and snapshot[name].shape == live.shape and snapshot[name].dtype == live.dtype, name
        assert snapshot[name].tobytes() == live.tobytes(), name
    assert "speed" not in snapshot and "error_capacity" not in snapshot
    with pytest.raises(KeyError):
        snapshot["speed"]


def test_nobody_can_write_to_a_snapshot(touching: phalanx.Data) -> None:
    snapshot = touching.snapshot()
    for name in ("qpos", "ncon", "contact_pos", "time", "efc_id"):
        with pytest.raises(ValueError, match="read-only"):
            snapshot[name][...] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            snapshot[name].setflags(write=True)


def test_a_known_snapshot_is_written_back_without_checks(
    touching: phalanx.Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    forbid_checks(monkeypatch)
    snapshot, before = touching.snapshot(), contents(touching)
    later = contents(touching.step(50))
    assert contents(touching.restore(snapshot)) == before
    assert contents(touching.step(50)) == later, "it goes on bit by bit"
    other = touching.model.make_data().step(150)
    assert contents(other.restore(snapshot)) == before


def test_more_contacts_than_there_is_room_for(touching: phalanx.Data) -> None:
    snapshot, before = touching.snapshot(), contents(touching)
    fresh = touching.model.make_data()
    assert contents(fresh.restore(snapshot)) == before
    assert contents(fresh.step(20)) == contents(touching.step(20))


@pytest.mark.parametrize(
    "foreign",
    [
        lambda snapshot: pickle.loads(pickle.dumps(snapshot)),
        lambda snapshot: dict(snapshot),
        lambda snapshot: Snapshot({name: array.copy() for name, array in snapshot.items()}),
        lambda snapshot: {**snapshot, "qpos": np.array(snapshot["qpos"])},
    ],
)
def test_others_are_checked_first(touching: phalanx.Data, foreign: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    given, calls, before = foreign(touching.snapshot()), [], contents(touching)
    monkeypatch.setattr(data_module, "checked", lambda *arguments: calls.append(1) or checked(*arguments))
    touching.step(3)
    assert contents(touching.restore(given)) == before and calls


def test_another_model_or_precision_is_checked(touching: phalanx.Data) -> None:
    single = touching.model.make_data(dtype="float32").step(100)
    snapshot = single.snapshot()
    touching.restore(snapshot)
    np.testing.assert_array_equal(touching.qpos, snapshot["qpos"].astype(np.float64))
    with pytest.raises(phalanx.ModelError, match="does not fit"):
        make_data(load("own/hinge").phalanx).restore(snapshot)
    twin = phalanx.Model.from_xml_string(SCENE).make_data()
    assert contents(twin.restore(touching.snapshot())) == contents(touching)


def test_an_interrupt_leaves_all_of_a_snapshot(touching: phalanx.Data, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot, before, interrupted = touching.snapshot(), contents(touching), []
    real = Snapshot.__getitem__

    def once(self: Snapshot, name: str) -> np.ndarray:
        if name == "efc_J" and not interrupted:
            interrupted.append(name)
            raise KeyboardInterrupt
        return real(self, name)

    touching.step(5)
    monkeypatch.setattr(Snapshot, "__getitem__", once)
    with pytest.raises(KeyboardInterrupt):
        touching.restore(snapshot)
    monkeypatch.undo()
    assert interrupted and contents(touching) == before


def test_copies_are_independent(touching: phalanx.Data) -> None:
    twin, before = touching.copy(), contents(touching)
    assert contents(twin) == before
    twin.step(3)
    assert contents(touching) == before
