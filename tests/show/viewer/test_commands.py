"""Commands run in order, in one thread; errors reach whoever waits."""

from __future__ import annotations

import threading

import pytest

from phalanx.memory.errors import FieldError
from phalanx.show.viewer.commands import Commands
from phalanx.show.viewer.errors import ViewerError


def refuse() -> None:
    raise FieldError("no")


def test_commands_run_in_order_in_the_thread_that_runs_them():
    commands, seen = Commands(), []

    def note(k: int) -> int:
        seen.append((k, threading.current_thread()))
        return 10 * k

    results = [commands.post(note, k) for k in range(5)]
    assert commands.run_all(pytest.fail) == 5
    assert seen == [(k, threading.current_thread()) for k in range(5)]
    assert [result.result() for result in results] == [0, 10, 20, 30, 40]


def test_an_error_is_told_and_does_not_stop_the_others():
    commands, complaints = Commands(), []
    bad, good = commands.post(refuse), commands.post(lambda: 1)
    commands.run_all(complaints.append)
    assert [str(error) for error in complaints] == ["no"]
    assert isinstance(bad.exception(), FieldError)
    assert good.result() == 1


def test_a_command_that_is_posted_meanwhile_ends_the_wait():
    commands = Commands()
    threading.Timer(0.05, lambda: commands.post(int)).start()
    commands.wait(10.0, pytest.fail)
    assert commands.run_all(pytest.fail) == 0


def test_commands_post_commands():
    commands = Commands()
    commands.post(lambda: commands.post(int))
    assert commands.run_all(pytest.fail) == 1
    assert commands.run_all(pytest.fail) == 1


def test_a_closed_queue_takes_nothing_and_cancels_what_waits():
    commands = Commands()
    waiting = commands.post(int)
    commands.close()
    assert waiting.cancelled()
    with pytest.raises(ViewerError, match="closed"):
        commands.post(int)
