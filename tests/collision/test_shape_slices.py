"""Questions about many poses are answered some rows at a time, so that Ctrl-C is heard: the answers are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phalanx.collision import Box, Sphere, contacts, distance, ray
from phalanx.collision.shape import queries
from phalanx.native.pace import SLICE


def answers() -> dict[str, tuple[np.ndarray, ...]]:
    rng = np.random.default_rng(2)
    many = Box([0.3, 0.2, 0.1], pos=rng.normal(size=(700, 3), scale=0.4))
    box, ball = Box([0.4, 0.4, 0.4]), Sphere(0.2)
    found, apart = contacts(box, many, margin=0.01), distance(many, ball)
    hit = ray(ball, rng.normal(size=(700, 3)), rng.normal(size=(700, 3)))
    return {
        "contacts": (found.dist, found.pos, found.frame, found.pose),
        "swapped": (contacts(many, box).frame,),
        "distance": tuple(map(np.asarray, apart)),
        "ray": tuple(map(np.asarray, hit)),
    }


@pytest.mark.parametrize("rows", [1, 100])
def test_slices_give_the_same_answers(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "ROWS_AT_ONCE", 10**6)
    whole = answers()
    assert len(whole["contacts"][0]) > 700
    monkeypatch.setattr(queries, "ROWS_AT_ONCE", rows)
    for name, arrays in answers().items():
        for part, expected in zip(arrays, whole[name], strict=True):
            assert part.tobytes() == expected.tobytes(), name


def test_slow_rows_come_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that says that each row takes ten milliseconds."""
    counts, run_some = [], queries.run_some

    def noted(operation: int, model: Any, inputs: np.ndarray, *more: Any) -> Any:
        counts.append(len(inputs))
        return run_some(operation, model, inputs, *more)

    monkeypatch.setattr(queries, "run_some", noted)
    monkeypatch.setattr(queries, "perf_counter", lambda: 0.01 * sum(counts))
    distance(Box([1, 1, 1]), Sphere(0.1, pos=np.ones((900, 3))))
    assert sum(counts) == 900 and max(counts[1:]) * 0.01 <= SLICE
