"""However a world begins anew, every row of state and inputs is as in a new Data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.pipeline.initial_state import RULES
from phalanx.tables.data_fields import DATA
from phalanx.tables.field import RULE
from phalanx.tables.model_fields import MODEL
from tests.quiet import quiet

MODELS = Path(__file__).parent.parent / "models"
FILES = (
    "everything", "equality", "mocap", "actuator_delays", "sensor_delays", "orientation_actuator", "tendon_plastic",
)  # fmt: skip
#: Groups of rows that a reset begins anew.
BEGUN = ("state", "input", "sleep")
ROWS = tuple(row.name for key in ("state", "input") for row in DATA[key])


@pytest.fixture(params=FILES)
@quiet()
def model(request: pytest.FixtureRequest) -> phalanx.Model:
    model = phalanx.load(MODELS / f"{request.param}.xml")
    # what is switched off at first must not be on after a reset, and the other way round
    return model.replace(eq_active0=1 - np.array(model.eq_active0)) if model.neq else model


@quiet()
def fresh(model: phalanx.Model) -> phalanx.Data:
    return model.make_data()


def poison(arrays: dict[str, np.ndarray]) -> None:
    """Numbers that no row begins with, small enough for a step."""
    for name in ROWS:
        array = arrays[name]
        array[...] = 0.37 if array.dtype.kind == "f" else 1 - array


def assert_begins_anew(found: dict[str, np.ndarray], model: phalanx.Model) -> None:
    expected = fresh(model)._store.arrays
    for name in ROWS:
        assert np.asarray(found[name]).tobytes() == expected[name].astype(found[name].dtype).tobytes(), name


def test_every_row_says_how_it_begins():
    model_rows = {row.name: row for rows in MODEL.values() for row in rows}
    rows = [row for key in BEGUN for row in DATA[key]]
    assert {row.name for row in rows if row.initial == RULE} == set(RULES)
    for row in rows:
        if row.initial not in ("", RULE):
            assert model_rows[row.initial].shape == row.shape
    others = [row.name for key, group in DATA.items() if key not in BEGUN for row in group if row.initial]
    assert others == []


def test_reset_of_a_data(model):
    data = fresh(model)
    poison(data._store.arrays)
    assert_begins_anew(data.reset()._store.arrays, model)


def test_reset_of_an_interpreted_data(model):
    with interpreted():
        data = fresh(model)
        poison(data._store.arrays)
        found = data.reset()._store.arrays
    assert_begins_anew(found, model)


def test_reset_of_a_bad_world(model):
    """The reset happens at the start of a step, which then goes on: so does that of a new Data."""
    data, other = fresh(model), fresh(model)
    poison(data._store.arrays)
    data.qpos[:] = np.nan
    data.step(on_error="reset")
    other.step(on_error="reset")
    for name in ROWS:
        assert data._store.arrays[name].tobytes() == other._store.arrays[name].tobytes(), name


@pytest.mark.parametrize("lanes", [1, 8])
@pytest.mark.parametrize("how", ["reset", "reset_where", "reset_all"])
@quiet()
def test_reset_of_worlds_of_a_batch(model, lanes, how):
    batch = phalanx.BatchSim(model, 5, lanes=lanes)
    poison(batch._arrays)
    kept = {name: batch._arrays[name].copy() for name in ROWS if name in batch._arrays}
    mask = np.array([False, True, False, True, False])
    chosen = {"reset": [3], "reset_where": [1, 3], "reset_all": range(5)}[how]
    getattr(batch, how)(*{"reset": (3,), "reset_where": (mask,), "reset_all": ()}[how])
    expected = fresh(model)._store.arrays
    for name, before in kept.items():
        for world in range(5):
            wanted = expected[name].astype(before.dtype) if world in chosen else before[world]
            assert batch._arrays[name][world].tobytes() == wanted.tobytes(), (name, world)


@pytest.mark.parametrize("lanes", [1, 8])
@quiet()
def test_reset_of_worlds_that_differ_in_their_model(model, lanes):
    n, rng = 11, np.random.default_rng(0)
    vary = {
        name: np.asarray(getattr(model, name)) + 0.01 * rng.random((n, *np.shape(getattr(model, name))))
        for name in ("qpos0", "qpos_spring", "body_pos")
        if np.size(getattr(model, name))
    }
    batch = phalanx.BatchSim(model, n, lanes=lanes, vary=vary)
    assert_all_begin_anew(batch, model, vary, range(n))
    poison(batch._arrays)
    kept = {name: batch._arrays[name].copy() for name in ROWS if name in batch._arrays}
    mask = np.arange(n) % 3 == 1
    batch.reset_where(mask)
    assert_all_begin_anew(batch, model, vary, np.flatnonzero(mask))
    for name, before in kept.items():
        assert batch._arrays[name][~mask].tobytes() == before[~mask].tobytes(), name


def assert_all_begin_anew(batch, model, vary, worlds):
    for world in worlds:
        own = model.replace(**{name: values[world] for name, values in vary.items()})
        expected = fresh(own)._store.arrays
        for name in ROWS:
            if DATA_SCHEMA.lanes(DATA_SCHEMA.fields[name]):
                found = batch._arrays[name][world]
                assert found.tobytes() == expected[name].astype(found.dtype).tobytes(), (name, world)
