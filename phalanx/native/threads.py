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


class Stop:
    """Asks tasks to end as soon as what they work on is complete."""

    is_asked = False


Job = tuple[Callable[[], Any], "queue.SimpleQueue | None"]


def _work(jobs: queue.SimpleQueue) -> None:
    while True:
        job = jobs.get()
        if job is None:
            return
        task, results = job
        failure = None
        try:
            task()
        except BaseException as error:  # handed to the thread that waits
            failure = error
        if results is not None:
            results.put(failure)
        del job, task, failure  # what it worked with may be freed while this thread waits


class ThreadPool:
    """Up to `size` workers, the calling thread among them. Started when needed, and again after a fork."""

    def __init__(self, size: int):
        self.size = size
        self._process = -1
        self._jobs: list[queue.SimpleQueue] = []
        self._running: Stop | None = None

    def _start(self, count: int) -> None:
        """See to it that there are so many threads besides the calling one."""
        if self._process != os.getpid():
            self._process, self._jobs, self._running = os.getpid(), [], None
            weakref.finalize(self, _end, self._jobs)
        while len(self._jobs) < count:
            jobs: queue.SimpleQueue = queue.SimpleQueue()
            threading.Thread(target=_work, args=(jobs,), daemon=True, name="phalanx").start()
            self._jobs.append(jobs)

    def run(self, tasks: Sequence[Callable[[], Any]], stop: Stop) -> None:
        """Run at most `size` tasks at once and wait for all; the first failure is raised.

        However this ends, no task is running any more: an interrupt asks them to stop, and waits for them.

        Args:
            tasks: what to run. A task returns soon when `stop` is asked.
            stop: of these tasks.
        """
        self.settle()
        # one task needs no other thread: this one runs it
        if len(tasks) < 2:
            for task in tasks:
                task()
            return
        results: queue.SimpleQueue = queue.SimpleQueue()
        try:
            self._start(len(tasks) - 1)
            self._running = stop
            for jobs, task in zip(self._jobs, tasks[1:], strict=False):
                jobs.put((task, results))
            tasks[0]()
            failures = [error for _ in tasks[1:] if (error := results.get()) is not None]
        except BaseException:
            stop.is_asked = True
            self.settle()
            raise
        self._running = None
        if failures:
            raise failures[0]

    def post(self, thread: int, task: Callable[[], Any]) -> None:
        """Let one of the threads besides the calling one run a task, after those that it has; nobody waits for it."""
        self._start(thread + 1)
        self._jobs[thread].put((task, None))

    def close(self) -> None:
        """End all threads; they are started again when needed."""
        self.settle()
        if self._process == os.getpid():
            self._await_all()
            _end(self._jobs)
        self._jobs.clear()

    def _await_all(self) -> None:
        """Wait until the threads are done with all tasks that they have."""
        answers: queue.SimpleQueue = queue.SimpleQueue()
        # each thread takes its jobs in turn: one that answers has nothing left to do
        for jobs in self._jobs:
            jobs.put((nothing, answers))
        for _ in self._jobs:
            answers.get()

    def settle(self) -> None:
        """Wait until no task is running that an interrupt has left behind; further interrupts wait, too."""
        interrupt = None
        while self._running is not None:
            try:
                self._running.is_asked = True
                self._await_all()
                self._running = None
            except KeyboardInterrupt as error:
                interrupt = error
        if interrupt is not None:
            raise interrupt


def nothing() -> None:
    """A task that a thread has time for when it is done with all others."""


def _end(queues: list[queue.SimpleQueue]) -> None:
    for jobs in queues:
        jobs.put(None)
