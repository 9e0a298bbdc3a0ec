"""Steps keep up with the wall, times a factor, and never try to catch up with much."""

from __future__ import annotations

import pytest

from phalanx.memory.errors import FieldError
from phalanx.show.viewer.clock import MOST_LAG, Brake, Clock


def run(clock: Clock, seconds: float, period: float = 0.01) -> int:
    """Steps of a world that is fast enough."""
    steps, now = 0, 100.0
    clock.due(now)
    while now < 100.0 + seconds:
        now += period
        due = clock.due(now)
        clock.count(due, now)
        steps += due
    return steps


@pytest.mark.parametrize("speed", [0.1, 1.0, 3.0])
def test_simulated_time_is_real_time_times_the_factor(speed):
    clock = Clock(0.002, speed)
    # one step may be due at the very end or not
    assert run(clock, 2.0) * 0.002 == pytest.approx(2.0 * speed, abs=0.002 + 0.01 * speed)
    assert clock.measured == pytest.approx(speed, rel=0.05)


def test_a_world_that_is_too_slow_does_not_catch_up():
    clock = Clock(0.002)
    clock.due(0.0)
    assert clock.due(5.0) == pytest.approx(MOST_LAG / 0.002, abs=1)
    clock.count(10, 5.0)
    assert clock.due(5.01) <= MOST_LAG / 0.002


def test_steps_start_anew_after_a_stop():
    clock = Clock(0.002)
    clock.due(0.0)
    clock.stop()
    assert clock.due(10.0) == 0
    assert clock.measured == 0.0


def test_waiting_ends_when_the_next_step_is_due():
    clock = Clock(0.01)
    clock.due(0.0)
    clock.count(clock.due(0.035), 0.035)
    assert clock.until_next(0.035) == pytest.approx(0.005)


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan"), 1e9, "fast"])
def test_a_bad_speed_is_refused(speed):
    with pytest.raises(FieldError, match="speed"):
        Clock(0.002, speed)


def test_the_brake_holds_back_what_runs_ahead():
    brake = Brake()
    assert brake.delay(0.0, 0.0, 1.0) == 0.0
    assert brake.delay(0.2, 0.5, 1.0) == pytest.approx(0.3)
    assert brake.delay(0.2, 0.5, 2.0) == pytest.approx(0.05)


def test_the_brake_forgets_a_loop_that_was_late_or_set_back():
    brake = Brake()
    brake.delay(0.0, 0.0, 1.0)
    assert brake.delay(10.0, 1.0, 1.0) == 0.0
    assert brake.delay(10.0, 1.1, 1.0) == pytest.approx(0.1)
    assert brake.delay(10.1, 0.0, 1.0) == 0.0
