"""Some worlds of a batch: forward, snapshots, resets and questions about them leave the others alone."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.batch.worlds import chosen_worlds
from tests.batch.test_binding import batch_of, data_of, model_of, states_of
from tests.quiet import quiet

NAME = "suite/humanoid"
LANES = [1, 8, pytest.param(2, marks=pytest.mark.conformance), pytest.param(16, marks=pytest.mark.conformance)]
OUTPUTS = ("xpos", "cfrc_ext", "energy")


def worlds(count: int = 11) -> list[dict[str, np.ndarray]]:
    """Some states again and again, a little apart."""
    found = []
    for k in range(count):
        state = {row: values.copy() for row, values in states_of(NAME)[k % 5].items()}
        state["qvel"] += 0.01 * k
        found.append(state)
    return found


def make(lanes: int = 8, **options: Any) -> phalanx.BatchSim:
    return batch_of(model_of(NAME), worlds(), lanes=lanes, threads=2, **options)


def masses(n: int) -> np.ndarray:
    mass = model_of(NAME).body_mass
    return mass * np.linspace(0.8, 1.2, n)[:, None]


def bits(batch: phalanx.BatchSim, world: int) -> dict[str, bytes]:
    return {row: array[world].tobytes() for row, array in batch._arrays.items() if row != "row_pattern"}


# --- which


@pytest.mark.parametrize(
    ("worlds", "wanted"),
    [(None, [0, 1, 2, 3]), (2, [2]), (-1, [3]), ([3, 0], [3, 0]), ((1,), [1]), (np.array([1, -1]), [1, 3]), ([], []),
     ([True, False, False, True], [0, 3]), (np.zeros(4, bool), []), (range(1, 3), [1, 2]), (slice(2, None), [2, 3]),
     (np.uint8(3), [3])],
)  # fmt: skip
def test_worlds_are_chosen_by_index_list_or_mask(worlds: Any, wanted: list[int]) -> None:
    assert chosen_worlds(worlds, 4).tolist() == wanted


@pytest.mark.parametrize(
    ("worlds", "words"),
    [(4, "world 4 does not exist: the batch has 4"), (-5, "world -5 does not exist"),
     ([0, 7], "world 7 does not exist"), ([1, 1], "world 1 is chosen more than once"),
     ([1, -3], "world 1 is chosen more than once"),
     ([True, False], r"a mask of worlds has 4 booleans, not shape \(2,\)"), (1.5, "whole number"),
     ([0.5], "whole numbers or a mask"), ([[0], [1]], r"not by shape \(2, 1\)"), ("all", "not by str"),
     (True, "not True"), ({1: 2}, "not by dict"), (object(), "a whole number, a list")],
)  # fmt: skip
def test_worlds_that_make_no_sense_are_refused(worlds: Any, words: str) -> None:
    with pytest.raises(phalanx.FieldError, match=words):
        chosen_worlds(worlds, 4)


@pytest.mark.parametrize("worlds", [99, [0, 0], "x", [True]])
def test_every_method_refuses_them_and_changes_nothing(worlds: Any) -> None:
    batch = make()
    batch.step()
    before, snapshot = [bits(batch, k) for k in range(batch.n)], batch.snapshot()
    calls = (
        batch.forward, batch.snapshot, batch.reset, batch.contact_table, batch.rne_post_constraint,
        lambda chosen: batch.restore(snapshot, chosen),
    )  # fmt: skip
    for call in calls:
        with pytest.raises(phalanx.FieldError):
            call(worlds)
    assert [bits(batch, k) for k in range(batch.n)] == before


# --- forward


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("is_varied", [False, True])
def test_forward_of_some_worlds(lanes: int, is_varied: bool) -> None:
    batch = make(lanes, vary={"body_mass": masses(11)} if is_varied else None)
    batch.bind(*OUTPUTS)
    batch.step(3)
    batch.qpos[:, 2] += 0.05
    before, chosen = [bits(batch, k) for k in range(11)], [9, 2, 3]
    batch.forward(chosen)
    for world in range(11):
        if world not in chosen:
            assert bits(batch, world) == before[world]
            continue
        data = batch.env(world).rne_post_constraint().run("energy_pos").run("energy_vel")
        for row in OUTPUTS:
            assert batch._arrays[row][world].tobytes() == getattr(data, row).tobytes(), (row, world)
        assert batch.ncon[world] == data.ncon
    batch.forward([])
    everywhere, again = make(lanes, vary=batch.vary), batch
    everywhere.bind(*OUTPUTS)
    everywhere.restore(batch.snapshot())
    everywhere.forward()
    again.forward(np.ones(11, bool))
    assert [bits(everywhere, k) for k in range(11)] == [bits(again, k) for k in range(11)]


def test_forward_of_some_worlds_interpreted() -> None:
    with interpreted():
        batch = batch_of(model_of("own/contact"), states_of("own/contact"))
        (xpos,) = batch.bind("xpos")
        batch.forward([1, 3])
    assert [bool(rows.any()) for rows in xpos] == [False, True, False, True, False]


def test_errors_of_other_worlds_stay() -> None:
    batch = make()
    batch.qvel[4] = np.nan
    batch.step()
    batch.forward([1])
    assert [world for world, error in enumerate(batch.errors) if error] == [4]


# --- snapshots


@pytest.mark.parametrize("lanes", LANES)
def test_a_restored_world_goes_on_bit_by_bit(lanes: int) -> None:
    batch = make(lanes)
    batch.bind(*OUTPUTS)
    batch.step(5)
    kept = batch.snapshot()
    batch.step(7)
    wanted = [bits(batch, k) for k in range(11)]
    batch.restore(pickle.loads(pickle.dumps(kept)))
    batch.step(7)
    assert [bits(batch, k) for k in range(11)] == wanted


@pytest.mark.parametrize("lanes", [1, 8])
def test_a_snapshot_goes_into_other_worlds(lanes: int) -> None:
    batch = make(lanes)
    batch.step(2)
    batch.restore(batch.snapshot(3), [7, 8])
    batch.restore(batch.snapshot([0, 1]), [1, 0])
    batch.step(6)
    assert bits(batch, 7) == bits(batch, 8) == bits(batch, 3)
    straight = make(lanes)
    straight.step(8)
    assert bits(straight, 0) == bits(batch, 1) and bits(straight, 1) == bits(batch, 0)
    assert bits(straight, 5) == bits(batch, 5)


def test_a_snapshot_has_its_worlds_and_fields() -> None:
    batch = make()
    batch.bind("xpos")
    batch.step()
    kept = batch.snapshot([4, 2])
    assert kept.n == 2 and kept["qpos"].shape == (2, batch.model.nq) and "xpos" in kept
    assert "2 worlds" in repr(kept)
    assert kept.world(1)["qpos"].tobytes() == batch.qpos[2:3].tobytes()
    with pytest.raises(phalanx.FieldError, match="no world 2"):
        kept.world(2)
    kept["qpos"][:] = 7  # a copy
    assert not (batch.qpos[4] == 7).all()


def test_a_snapshot_of_a_data_goes_into_a_world() -> None:
    batch = make()
    data = data_of(model_of(NAME), worlds()[6]).step(4)
    batch.restore(data.snapshot(), 2)
    assert batch.fingerprint(2) == data.fingerprint()
    batch.step(3)
    assert batch.fingerprint(2) == data.step(3).fingerprint()


def test_an_error_is_part_of_a_snapshot() -> None:
    batch = make()
    good = batch.snapshot(0)
    batch.qvel[0] = np.nan
    batch.step()
    bad = batch.snapshot(0)
    batch.restore(good, 0)
    assert batch.errors[0] is None
    batch.restore(bad, [5])
    assert batch.errors[5] is not None and batch.errors[5].quantity == "qvel"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda kept: 3, "arrays by name"),
        (lambda kept: {"qpos": kept["qpos"]}, "it has no time"),
        (lambda kept: {**kept, "qpos": kept["qpos"][:, :3]}, r"qpos of a world has shape \(3,\)"),
        (lambda kept: {**kept, "qvel": kept["qvel"][:2]}, "different numbers of worlds"),
        (lambda kept: {**kept, "qvel": "fast"}, "qvel takes numbers"),
        (lambda kept: {name: array[:5] for name, array in kept.items()}, "5 worlds does not fit 11"),
        (lambda kept: {**kept, "error_code": kept["error_code"] + 99}, "error_code 99"),
        (lambda kept: {**kept, "error_code": kept["error_code"] + 5, "error_id": kept["error_id"] - 7}, "error_id -7"),
    ],
)
def test_a_snapshot_that_does_not_fit_changes_nothing(change: Any, words: str) -> None:
    batch = make()
    batch.step()
    kept, before = batch.snapshot(), [bits(batch, k) for k in range(11)]
    with pytest.raises(phalanx.ModelError, match=words):
        batch.restore(change(kept))
    assert [bits(batch, k) for k in range(11)] == before


def test_a_snapshot_of_another_model_is_refused() -> None:
    other = batch_of(model_of("own/contact"), states_of("own/contact"), lanes=8)
    with pytest.raises(phalanx.ModelError, match="another model"):
        make().restore(other.snapshot(0))


# --- resets and questions


def test_reset_takes_lists_and_masks() -> None:
    batch = make()
    start = {name: array.tobytes() for name, array in make_initial().items()}
    batch.step(3)
    batch.reset([1, 4])
    batch.reset(np.arange(11) == 6)
    for world in (1, 4, 6):
        assert batch.qpos[world].tobytes() == start["qpos"] and batch.time[world] == 0
    assert (batch.time[[0, 2, 3, 5, 7]] > 0).all()


def make_initial() -> dict[str, np.ndarray]:
    with quiet():
        data = model_of(NAME).make_data()
    return {"qpos": data.qpos}


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("is_varied", [False, True])
def test_forces_between_bodies(lanes: int, is_varied: bool) -> None:
    batch = make(lanes, vary={"body_mass": masses(11)} if is_varied else None)
    batch.step(3)
    before = [bits(batch, k) for k in range(11)]
    forces, some = batch.rne_post_constraint(), batch.rne_post_constraint([8, 1])
    for world in range(11):
        data = batch.env(world).rne_post_constraint()
        for row, array in forces._asdict().items():
            assert array[world].tobytes() == getattr(data, row).tobytes(), (row, world)
    assert some.cfrc_ext.tobytes() == forces.cfrc_ext[[8, 1]].tobytes()
    assert [bits(batch, k) for k in range(11)] == before
    # later steps are not asked for what a question needed
    assert batch._requests == 0


# --- names


def test_unknown_attributes_are_refused_with_a_suggestion() -> None:
    batch = make()
    for name, words in {
        "qpso": "did you mean 'qpos'", "bnd": "did you mean 'bind'", "xpos": "not a state, an input or a bound output",
        "errors": "cannot be assigned", "step": "cannot be assigned", "ncon": "cannot be assigned",
        "n": "make another BatchSim", "nothing_like_it": "no attribute 'nothing_like_it'",
    }.items():  # fmt: skip
        with pytest.raises(phalanx.FieldError, match=words):
            setattr(batch, name, 1)
        assert name not in batch.__dict__ or name == "n"
    for name, words in {
        "qpso": "did you mean 'qpos'",
        "contact_pos": "contact_table",
        "listed_pos": "no attribute",
    }.items():
        with pytest.raises(phalanx.FieldError, match=words):
            getattr(batch, name)


def test_completion_offers_fields_and_methods() -> None:
    names = dir(make())
    assert {"qpos", "xpos", "cfrc_ext", "bind", "model", "n", "ncon", "contact_table", "jac_site"} <= set(names)
    assert not {"row_pattern", "contact_count", "flexvert_lambda", "contact_pos", "rk_qpos0"} & set(names)
