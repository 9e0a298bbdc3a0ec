"""The ring of states: bounded, in order, and consistent after going back."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx.memory.errors import FieldError
from phalanx.show.viewer import past as past_module
from phalanx.show.viewer.past import MOST_BYTES, Past


def filled(count: int, capacity: int) -> Past:
    past = Past(2, capacity)
    for k in range(count):
        past.add(0.1 * k, np.array([k, -k]))
    return past


def test_the_oldest_states_make_room():
    past = filled(250, 100)
    assert len(past) == 100
    assert past.span == pytest.approx((15.0, 24.9))
    time, state = past.at(20.04)
    assert time == pytest.approx(20.0)
    assert state.tolist() == [200, -200]


@pytest.mark.parametrize("count", [1, 63, 64, 65, 128, 200])
def test_every_state_of_a_growing_ring_is_found(count):
    past = filled(count, 1000)
    assert [past.at(0.1 * k + 1e-9)[1][0] for k in range(count)] == list(range(count))


def test_a_time_before_the_first_gives_the_first():
    past = filled(5, 100)
    assert past.at(-1.0)[0] == 0.0
    assert past.at(99.0)[0] == pytest.approx(0.4)


def test_a_state_that_is_not_later_replaces_what_came_after():
    past = filled(300, 100)
    past.add(25.05, np.array([7.0, 7.0]))
    assert past.span[1] == 25.05
    assert past.at(30.0)[1].tolist() == [7, 7]
    assert past.at(25.04)[1][0] == 250


def test_memory_is_bounded_whatever_the_size_of_a_state(monkeypatch):
    monkeypatch.setattr(past_module, "MOST_BYTES", 8000)
    past = Past(99)
    for k in range(100):
        past.add(float(k), np.zeros(99))
    assert len(past) == 10
    assert past.nbytes <= 8000
    assert MOST_BYTES == 256 * 2**20


def test_an_empty_past_cannot_be_gone_back_to():
    with pytest.raises(FieldError, match="no past yet"):
        Past(3).at(0.0)


def test_a_state_without_a_time_is_refused():
    with pytest.raises(FieldError, match="nan"):
        Past(1).add(float("nan"), np.zeros(1))
