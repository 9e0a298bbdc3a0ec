"""The state as a flat vector: MuJoCo's, bit by bit of the signature."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.tables.enums import StateBit
from phalanx.world.state_vector import STATE_FIELDS
from tests.conformance.models import load, make_data
from tests.conformance.states import load as load_state
from tests.conformance.states import random_states
from tests.quiet import quiet

MODELS = ("own/everything", "own/actuator_delays", "own/tendon_plastic", "own/mocap", "own/equality", "own/static")
SIGNATURES = (*StateBit.__members__.values(), StateBit.QVEL | StateBit.EQ_ACTIVE | StateBit.PLASTIC, StateBit(0))


@pytest.mark.parametrize("name", MODELS)
def test_vectors_are_those_of_mujoco(name: str) -> None:
    pair = load(name)
    m, data = pair.mujoco, make_data(pair.phalanx)
    other, empty = make_data(pair.phalanx), mujoco.MjData(m)
    for mjdata in random_states(m, 3, seed=1):
        mjdata.eq_active[::2] ^= True
        load_state(data, mjdata)
        for sig in SIGNATURES:
            size = mujoco.mj_stateSize(m, int(sig))
            assert pair.phalanx.state_size(sig) == size
            expected = np.zeros(size)
            mujoco.mj_getState(m, mjdata, expected, int(sig))
            np.testing.assert_array_equal(data.get_state(sig), expected)
            # back, into a Data that differs
            mujoco.mj_resetData(m, empty)
            mujoco.mj_setState(m, empty, expected, int(sig))
            other.reset().set_state(expected, sig)
            for field in STATE_FIELDS.values():
                theirs = np.asarray(getattr(empty, field)).reshape(np.shape(getattr(other, field)))
                np.testing.assert_array_equal(getattr(other, field), theirs, err_msg=field)


def test_parts_are_taken_out_as_in_mujoco() -> None:
    pair = load("own/everything")
    m, data = pair.mujoco, make_data(pair.phalanx)
    *_, mjdata = random_states(m, 2, seed=1)
    load_state(data, mjdata)
    for source, target in (("INTEGRATION", "PHYSICS"), ("FULLPHYSICS", "QVEL"), ("USER", "CTRL"), ("USER", "USER")):
        a, b = StateBit[source], StateBit[target]
        expected = np.zeros(mujoco.mj_stateSize(m, int(b)))
        mujoco.mj_extractState(m, data.get_state(a), int(a), expected, int(b))
        np.testing.assert_array_equal(data.model.extract_state(data.get_state(a), a, target), expected)
        many = np.stack([data.get_state(a)] * 3)
        np.testing.assert_array_equal(data.model.extract_state(many, source, b), np.stack([expected] * 3))
    with pytest.raises(phalanx.FieldError, match="has no WARMSTART"):
        data.model.extract_state(data.get_state("PHYSICS"), "PHYSICS", StateBit.QPOS | StateBit.WARMSTART)
    with pytest.raises(phalanx.FieldError, match="numbers, not shape"):
        data.model.extract_state(np.zeros(3), "PHYSICS", "QPOS")


def test_a_copied_state_goes_on_alike() -> None:
    pair = load("own/everything")
    *_, mjdata = random_states(pair.mujoco, 3, seed=2)
    data, other = make_data(pair.phalanx), make_data(pair.phalanx)
    load_state(data, mjdata)
    data.step(7)
    other.copy_state(data).step(5)
    assert other.fingerprint() == data.step(5).fingerprint()
    before = other.qvel.copy()
    other.copy_state(data.reset(), "QPOS")
    np.testing.assert_array_equal(other.qpos, data.qpos)
    np.testing.assert_array_equal(other.qvel, before)
    with pytest.raises(phalanx.FieldError, match="takes a Data"):
        other.copy_state(data.qpos)  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_batch_has_a_row_per_world(dtype: str) -> None:
    pair = load("own/everything")
    with quiet():
        batch = phalanx.BatchSim(pair.phalanx, 5, dtype=dtype, threads=1)
    rng = np.random.default_rng(3)
    batch.qvel[:] = rng.normal(size=batch.qvel.shape)
    batch.step(3)
    for sig in SIGNATURES:
        states = batch.get_state(sig)
        assert states.shape == (5, pair.phalanx.state_size(sig)) and states.dtype == dtype
        np.testing.assert_array_equal(states[3], batch.env(3).get_state(sig))
    kept = batch.get_state()
    batch.step(4)
    later = batch.get_state()
    batch.set_state(kept)
    batch.step(4)
    assert batch.get_state().tobytes() == later.tobytes()
    # one state for all
    batch.set_state(kept[2, 1 : 1 + pair.phalanx.nq], StateBit.QPOS)
    np.testing.assert_array_equal(batch.qpos, np.tile(kept[2, 1 : 1 + pair.phalanx.nq], (5, 1)))
    for wrong in (kept[:4], kept[:, 1:], kept[None]):
        with pytest.raises(phalanx.FieldError, match=r"has shape \(\d+,\) or \(5, \d+\)"):
            batch.set_state(wrong)
    with quiet():
        assert phalanx.BatchSim(pair.phalanx, 0).get_state("TIME").shape == (0, 1)


@pytest.mark.parametrize(
    ("sig", "words"),
    [
        ("FULPHYSICS", "did you mean 'FULLPHYSICS'"),
        (-1, "must be at least 0"),
        (1 << 15, "must be at most"),
        (1.5, "is a whole number"),
        (None, "is a whole number"),
    ],
)
def test_unknown_signatures_are_refused(sig: object, words: str) -> None:
    data = load("own/static").phalanx.make_data()
    for call in (data.get_state, data.model.state_size, lambda s: data.set_state(np.zeros(3), s)):
        with pytest.raises(phalanx.FieldError, match=words):
            call(sig)


def test_a_state_that_does_not_fit_changes_nothing() -> None:
    pair = load("own/everything")
    data = make_data(pair.phalanx)
    before = data.fingerprint()
    for wrong in (np.zeros(3), "abc", np.zeros((1, data.model.state_size())), 1.0):
        with pytest.raises(phalanx.FieldError):
            data.set_state(wrong)
    assert data.fingerprint() == before
