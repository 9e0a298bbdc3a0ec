"""Jacobians of all worlds of a batch: those of a Data in the same state, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from tests.batch.test_binding import batch_of, model_of, states_of

NAME = "all sensors"
LANES = [1, 8, *(pytest.param(lanes, marks=pytest.mark.conformance) for lanes in (2, 4, 16))]
POINT = (0.1, -0.2, 0.7)
CALLS: dict[str, tuple[Any, ...]] = {
    "jac": (POINT, "hand"),
    "jac_dot": (POINT, "hand"),
    "jac_body": ("hand",),
    "jac_body_com": ("arm",),
    "jac_geom": ("ball_geom",),
    "jac_site": ("hand_site",),
    "jac_subtree_com": ("arm",),
    "angmom_mat": ("world",),
}


def parts_of(answer: Any) -> tuple[np.ndarray, ...]:
    return answer if isinstance(answer, tuple) else (answer,)


def check(batch: phalanx.BatchSim, method: str, arguments: tuple[Any, ...]) -> None:
    found = parts_of(getattr(batch, method)(*arguments))
    for world in range(batch.n):
        alone = parts_of(getattr(batch.env(world), method)(*arguments))
        for ours, theirs in zip(found, alone, strict=True):
            assert ours.shape == (batch.n, *theirs.shape) and ours.dtype == theirs.dtype
            assert ours[world].tobytes() == theirs.tobytes(), (method, world)


@pytest.mark.parametrize("method", CALLS)
@pytest.mark.parametrize("lanes", LANES)
def test_jacobians_are_those_of_one_world(method: str, lanes: int) -> None:
    batch = batch_of(model_of(NAME), states_of(NAME), lanes=lanes, threads=2)
    before = batch.fingerprint()
    check(batch, method, CALLS[method])
    assert batch.fingerprint() == before


def test_of_every_body_geom_and_site_also_of_the_world() -> None:
    batch = batch_of(model_of(NAME), states_of(NAME), lanes=8)
    m = batch.model
    for method, count in {"jac_body": m.nbody, "jac_geom": m.ngeom, "jac_site": m.nsite}.items():
        for k in range(count):
            check(batch, method, (k,))


def test_points_of_their_own_in_each_world() -> None:
    batch = batch_of(model_of(NAME), states_of(NAME), lanes=8)
    points = np.random.default_rng(0).normal(size=(batch.n, 3))
    jacp, _ = batch.jac(points, "hand")
    for world in range(batch.n):
        assert jacp[world].tobytes() == batch.env(world).jac(points[world], "hand")[0].tobytes()


def test_worlds_with_bodies_of_their_own() -> None:
    offsets = model_of(NAME).body_pos * np.linspace(0.9, 1.1, 5)[:, None, None]
    for lanes in (1, 8):
        batch = batch_of(model_of(NAME), states_of(NAME), lanes=lanes, vary={"body_pos": offsets})
        check(batch, "jac_site", ("hand_site",))


def test_interpreted_they_are_the_same() -> None:
    with interpreted():
        batch = batch_of(model_of("own/contact"), states_of("own/contact")[:2])
        interpreted_answer = batch.jac_body(1)
    compiled = batch_of(model_of("own/contact"), states_of("own/contact")[:2], lanes=8).jac_body(1)
    assert [array.tobytes() for array in interpreted_answer] == [array.tobytes() for array in compiled]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda batch: batch.jac(np.zeros((2, 3)), "hand"), r"point has shape \(5, 3\), not \(2, 3\)"),
        (lambda batch: batch.jac("here", "hand"), "point takes numbers"),
        (lambda batch: batch.jac_site("hnd_site"), "did you mean 'hand_site'"),
        (lambda batch: batch.jac_body(99), "99"),
    ],
)
def test_what_does_not_fit_is_refused(call: Any, words: str) -> None:
    batch = batch_of(model_of(NAME), states_of(NAME), lanes=8)
    with pytest.raises(phalanx.PhalanxError, match=words):
        call(batch)


def test_no_worlds() -> None:
    assert phalanx.BatchSim(model_of("own/contact"), 0).jac_body(1)[0].shape == (0, 3, model_of("own/contact").nv)
