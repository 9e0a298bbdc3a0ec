"""Contacts of a batch: world by world those of a Data, with the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.batch import contact_list
from tests.batch.test_binding import batch_of, model_of, states_of

NAMES = ("own/contact", "own/adhesion_actuator", "suite/humanoid", "suite/quadruped")
LANES = [1, 8, *(pytest.param(lanes, marks=pytest.mark.conformance) for lanes in (2, 4, 16))]


def moved(name: str, lanes: int = 8, cone: int | None = None, **options: Any) -> phalanx.BatchSim:
    model = model_of(name)
    if cone is not None:
        model = model.replace(**{"opt.cone": cone})
    states = [*states_of(name), *states_of(name)]
    batch = batch_of(model, states, lanes=lanes, threads=2, **options)
    batch.qvel += 0.02 * np.arange(len(states))[:, None]
    batch.step(5)
    return batch


def check_table(batch: phalanx.BatchSim, table: Any, worlds: Any) -> None:
    assert len(table) == sum(len(batch.contacts(i)) for i in worlds)
    assert (np.diff(table.world) >= 0).all()
    for i in worlds:
        alone, rows = batch.contacts(i), table.rows[table.world == i]
        for column in alone.columns:
            np.testing.assert_array_equal(rows[column], alone[column], err_msg=f"{column} of world {i}")
            np.testing.assert_array_equal(table[column][table.world == i], alone[column])


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("cone", [0, 1])
def test_the_table_has_the_contacts_of_every_world(name: str, cone: int, lanes: int) -> None:
    batch = moved(name, lanes, cone)
    table = batch.contact_table()
    assert len(table) > 0
    check_table(batch, table, range(batch.n))


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("name", NAMES)
def test_counts_are_those_of_one_world(name: str, lanes: int) -> None:
    batch, states = batch_of(model_of(name), states_of(name), lanes=lanes, threads=2), states_of(name)
    assert batch.ncon.dtype == np.int32 and not batch.ncon.any()
    batch.step(4)
    for world, state in enumerate(states):
        data = model_of(name).make_data()
        for row, values in state.items():
            data._store.arrays[row][...] = values
        assert batch.ncon[world] == data.step(4).ncon
    batch.forward()
    assert batch.ncon.tolist() == [batch.env(i).ncon for i in range(batch.n)]
    with pytest.raises(ValueError, match="read-only"):
        batch.ncon[0] = 3


@pytest.mark.parametrize("lanes", [1, 8])
def test_a_world_that_stopped_has_no_contacts_however_steps_were_grouped(lanes: int) -> None:
    batch = moved("own/contact", lanes)
    counted = batch.ncon.copy()
    assert counted[3] > 0
    batch.qfrc_applied[3] = 1e300
    batch.step(2)
    assert batch.errors[3] is not None and batch.ncon[3] == 0 and batch.ncon[:3].any()
    batch.qfrc_applied[3] = 0.0
    batch.step(0)
    batch.forward()
    assert batch.errors[3] is None and batch.ncon[3] > 0


def test_tables_of_some_worlds_and_of_varied_ones() -> None:
    friction = model_of("own/contact").geom_friction * np.linspace(0.5, 1.5, 10)[:, None, None]
    for lanes in (1, 8):
        batch = moved("own/contact", lanes, vary={"geom_friction": friction})
        check_table(batch, batch.contact_table(), range(10))
        table = batch.contact_table([4, 1])
        assert set(table.world.tolist()) <= {1, 4}
        check_table(batch, table, (1, 4))


def test_more_contacts_than_there_was_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contact_list, "FIRST_ROOM", 1)
    batch = moved("suite/humanoid")
    check_table(batch, batch.contact_table(), range(10))


def test_the_table_interpreted() -> None:
    with interpreted():
        batch = batch_of(model_of("own/contact"), states_of("own/contact"))
        table = batch.contact_table()
        check_table(batch, table, range(5))


def test_a_table_is_columns_rows_and_words() -> None:
    batch = moved("suite/humanoid")
    before = batch.fingerprint()
    table = batch.contact_table()
    assert batch.fingerprint() == before
    assert table.geomid1.dtype == np.int32 and table.force2.shape == (len(table), 3)
    assert table[0]["world"] == table.world[0] and "contacts in" in repr(table)
    assert next(iter(table))["depth"] == table.depth[0]
    assert {"world", "geomid2", "slip"} <= set(dir(table))
    with pytest.raises(phalanx.FieldError, match="did you mean 'depth'"):
        _ = table.deph
    with pytest.raises(phalanx.FieldError, match="did you mean 'world'"):
        _ = table["wrld"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [((), r"contact_table\(\) has the contacts of all"), ((10,), "world 10 does not exist"), (("x",), "whole number")],
)
def test_contacts_of_which_world(arguments: tuple[Any, ...], words: str) -> None:
    with pytest.raises(phalanx.FieldError, match=words):
        moved("own/contact").contacts(*arguments)


def test_no_contacts_and_no_worlds() -> None:
    model = model_of("own/actuators_with_state")
    assert len(batch_of(model, states_of("own/actuators_with_state"), lanes=8).contact_table()) == 0
    empty = phalanx.BatchSim(model_of("own/contact"), 0)
    assert len(empty.contact_table()) == 0 and empty.ncon.shape == (0,)
    assert empty.contact_table().rows.shape == (0,)
