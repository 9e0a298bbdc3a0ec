"""A few threads that run native code side by side. Native calls release the GIL, so these are real."""

from __future__ import annotations

import os
import queue
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any


def available_threads() -> int:
    """CPUs this process may run on."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _work(tasks: queue.SimpleQueue, results: queue.SimpleQueue) -> None:
    while True:
        task = tasks.get()
        if task is None:
            return
        try:
            task()
            results.put(None)
        except BaseException as error:  # handed to the thread that waits
            results.put(error)


class ThreadPool:
    """`size` workers, the calling thread among them. Started on first use, and again after a fork."""

    def __init__(self, size: int):
        self.size = size
        self._process = -1
        self._tasks: list[queue.SimpleQueue] = []
        self._results: queue.SimpleQueue = queue.SimpleQueue()

    def _start(self) -> None:
        self._process = os.getpid()
        self._results = queue.SimpleQueue()
        self._tasks = [queue.SimpleQueue() for _ in range(self.size - 1)]
        for tasks in self._tasks:
            threading.Thread(target=_work, args=(tasks, self._results), daemon=True, name="phalanx").start()
        weakref.finalize(self, _stop, self._tasks)

    def run(self, tasks: Sequence[Callable[[], Any]]) -> None:
        """Run at most `size` tasks at once and wait for all; the first failure is raised."""
        if len(tasks) > 1 and self._process != os.getpid():
            self._start()
        for waiting, task in zip(self._tasks, tasks[1:], strict=False):
            waiting.put(task)
        failures = []
        try:
            if tasks:
                tasks[0]()
        finally:
            failures = [error for _ in tasks[1:] if (error := self._results.get()) is not None]
        if failures:
            raise failures[0]


def _stop(queues: list[queue.SimpleQueue]) -> None:
    for tasks in queues:
        tasks.put(None)
