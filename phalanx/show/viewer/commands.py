"""Commands: what the page asks of the world, carried out by the thread that owns the world."""

from __future__ import annotations

import queue
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from phalanx.show.viewer.errors import ViewerError


@dataclass
class Command:
    """A call that waits for its thread, and the promise of its result."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    result: Future[Any] = field(default_factory=Future)

    def run(self, complain: Callable[[Exception], None]) -> None:
        """Call it; an error goes to whoever waits for the result, and to `complain`."""
        try:
            value = self.function(*self.arguments)
        except Exception as error:  # whatever a command raises must not end the thread of the world
            complain(error)
            self.result.set_exception(error)
        else:
            self.result.set_result(value)


class Commands:
    """A queue of commands: any thread posts, one thread runs them, in order."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._is_open = True

    def post(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have a function called in the thread of the world; the result comes later.

        Raises:
            ViewerError: nobody will run it, the viewer is closed.
        """
        if not self._is_open:
            raise ViewerError("the viewer is closed: make another one")
        command = Command(function, arguments)
        self._waiting.put(command)
        return command.result

    def run_all(self, complain: Callable[[Exception], None]) -> int:
        """Run what is waiting now, and say how many commands that were."""
        count = self._waiting.qsize()
        for _ in range(count):
            self._waiting.get_nowait().run(complain)
        return count

    def wait(self, seconds: float, complain: Callable[[Exception], None]) -> None:
        """Run what is waiting; if nothing is, wait for a command for some time."""
        if self.run_all(complain):
            return
        try:
            self._waiting.get(timeout=seconds).run(complain)
        except queue.Empty:
            return

    def close(self) -> None:
        """Take no more commands; those that wait are cancelled."""
        self._is_open = False
        while True:
            try:
                self._waiting.get_nowait().result.cancel()
            except queue.Empty:
                return
