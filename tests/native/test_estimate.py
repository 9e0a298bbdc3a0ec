"""Estimates of how long compiling takes: from earlier times where there are some, else by size and by speed."""

from __future__ import annotations

import sys

import pytest

from phalanx.batch.units import all_units
from phalanx.native import build, cache, estimate
from phalanx.native.entry import Unit
from phalanx.native.target import host_target

UNITS = {unit.name: unit for unit in all_units()}


def chosen(*names: str) -> list[Unit]:
    return [UNITS[name] for name in names]


@pytest.fixture(autouse=True)
def two_cpus(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(estimate, "cpus", lambda: 2)
    monkeypatch.delenv(build.QUIET_VARIABLE, raising=False)


def test_larger_units_are_expected_to_take_longer():
    times = estimate.expected_times(chosen("caller", "tendon_f64", "core_f64"))
    assert 0.0 < times["caller"] < 0.1 < times["tendon_f64"] < times["core_f64"] < 10.0


def test_what_was_measured_counts_and_tells_how_fast_the_machine_is():
    before = estimate.expected_times(chosen("core_f64", "convex_f64"))
    cache.note_times(host_target(), {"core_f64": 3.0 * before["core_f64"]})
    after = estimate.expected_times(chosen("core_f64", "convex_f64"))
    assert after["core_f64"] == 3.0 * before["core_f64"]
    assert after["convex_f64"] == pytest.approx(3.0 * before["convex_f64"])


def test_the_first_units_correct_the_estimate(capfd):
    progress = estimate.Progress(chosen("core_f64", "convex_f64", "sensor_f64"))
    first = capfd.readouterr().err
    assert first.startswith("phalanx: compiling 3 parts, about") and "once; kept in" in first
    before = progress.seconds_left()
    progress.done("core_f64", 5.0 * estimate.expected_times(chosen("core_f64"))["core_f64"])
    assert progress.seconds_left() > 2.0 * before / 3.0
    progress.done("convex_f64", 1.0)
    progress.done("sensor_f64", 1.0)
    progress.end(12.0)
    # not a terminal: one line at the beginning, one at the end
    assert capfd.readouterr().err == "phalanx: compiled 3 parts in 12.0 s\n"


def test_on_a_terminal_the_line_follows_the_progress(capfd, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    progress = estimate.Progress(chosen("core_f64", "convex_f64"), keeps=False)
    progress.done("core_f64", 1.0)
    progress.end(3.0)
    said = capfd.readouterr().err
    assert "for this process only" in said
    assert "\r\033[Kphalanx: compiled 1 of 2, about" in said
    assert said.endswith("\r\033[Kphalanx: compiled 2 parts in 3.0 s\n")


def test_it_can_be_quiet(capfd, monkeypatch):
    monkeypatch.setenv(build.QUIET_VARIABLE, "1")
    progress = estimate.Progress(chosen("core_f64"))
    progress.done("core_f64", 1.0)
    progress.end(1.0)
    assert capfd.readouterr().err == ""
