"""The threads of a batch as one: the calling thread leads, the others help; `board.py` is how they share a run."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.batch import board
from phalanx.memory.store import Store
from phalanx.native.pace import SLICE as SLICE_SECONDS
from phalanx.native.pace import Pace
from phalanx.native.runtime import NativeEntry
from phalanx.native.runtime_checks import is_checked
from phalanx.native.threads import Stop, ThreadPool, available_threads, nothing
from phalanx.pipeline.parts import relieve

#: How long a helper watches the board for the next run before it sleeps [s]: about what waking it takes, so that on a
#: busy machine little is lost.
WATCH = 5e-5
#: How long the leader watches for helpers at the end of a run before it sleeps in between, and then for how long [s].
WAIT, NAP = 2e-4, 5e-5
#: Looks at the board by which their time is measured.
_LOOKS = 500


class Share(NamedTuple):
    """What one thread works with. It keeps alive all memory that its addresses point to.

    Attributes:
        addresses: of models, of the Data, of the table of transfers, its length; of the order of worlds, their count.
        workspace: memory of a lane group.
        is_varied: are numbers of the Model lanes, too?
        held: what else the addresses point to.
    """

    addresses: tuple[int, int, int, int, int, int]
    workspace: Store
    is_varied: bool
    held: tuple[Any, ...]


class Plan(NamedTuple):
    """A run that can be repeated: a share for each thread, and the groups that they run.

    Attributes:
        shares: of the threads, the leader first.
        stretches: first and last group that each thread takes first.
        groups: which groups those are, if not the first ones in their order.
    """

    shares: Sequence[Share]
    stretches: Sequence[tuple[int, int]]
    groups: np.ndarray | None = None


class Team:
    """Leads runs of lane groups on the threads of a pool.

    Args:
        pool: the threads; its size is the most that work at once.
        entry: the compiled loop over lane groups.
    """

    def __init__(self, pool: ThreadPool, entry: NativeEntry):
        self._pool, self._entry = pool, entry
        self._process = -1

    def _start(self) -> None:
        """A board for this process: a fork has none of the threads that were at work on the old one."""
        self._post = Post(self._entry, self._pool.size)
        self._lead = self._post.calls[0]
        self._plan: Plan | None = None
        self._process, self._is_checked = os.getpid(), is_checked()
        # where threads are more than processors, one that watches keeps another from its work
        watches = 1 < self._pool.size <= available_threads()
        looks_per_second = self._post.looks_per_second() if watches else 0.0
        self._post.patience = int(WATCH * looks_per_second)
        self._patience = int(WAIT * looks_per_second)

    def run(self, plan: Plan, op: int, n: int, pace: Pace) -> bool:
        """Run an operation in the groups of a plan. Returns whether a control was bad.

        However this ends, no helper is at work any more: an interrupt asks them to stop, and waits for them.

        Args:
            plan: what each thread works with.
            op: what to do.
            n: how many steps, or what else the operation takes.
            pace: how many steps of groups a call may take, so that signals are handled in between.
        """
        if self._process != os.getpid():
            self._start()
        if plan is not self._plan:
            self._plan = None
            self._post.write(plan)
            self._plan = plan
        lead, patience = self._lead, self._patience
        try:
            began = time.perf_counter()
            status = lead(board.BEGIN, op, n, pace.amount, patience)
            while status > board.BAD_CONTROL:
                self._attend(status, plan, pace, time.perf_counter() - began)
                began = time.perf_counter()
                status = lead(board.GO_ON, op, n, pace.amount, patience)
            seconds = time.perf_counter() - began
            if seconds > 2 * SLICE_SECONDS:
                pace.note(self._post.worked, seconds)
            if self._is_checked:
                self._pool.run([nothing] * len(plan.shares), Stop())  # helpers raise what they found when they are back
        except BaseException:
            self._abandon()
            raise
        if self._post.failures:
            self._raise_failure()
        return status == board.BAD_CONTROL

    def _attend(self, status: int, plan: Plan, pace: Pace, seconds: float) -> None:
        """Do what the leader came back for."""
        if status == board.SLEEPERS:
            self._wake(len(plan.shares))
        elif status == board.SLICE:
            pace.note(pace.amount, seconds)
        elif status == board.LACKING:
            relieve(plan.shares[0].workspace, plan.shares[0].is_varied)
        else:
            time.sleep(NAP)

    def _wake(self, threads: int) -> None:
        """Send helpers to the board that sleep."""
        for thread in range(1, threads):
            if self._post.is_asleep(thread):
                self._pool.post(thread - 1, functools.partial(help_until_idle, self._post, thread))

    def _abandon(self) -> None:
        """End a run early, and wait until no helper is at work; interrupts wait, too."""
        interrupt = None
        while True:
            try:
                self._post.stop()
                while self._lead(board.GO_ON, 0, 0, 1, self._patience) > board.BAD_CONTROL:
                    time.sleep(NAP)
                break
            except BaseException as error:
                interrupt = error
        self._post.failures.clear()
        if interrupt is not None:
            raise interrupt

    def _raise_failure(self) -> None:
        """Raise the first error of a helper."""
        failures = self._post.failures[:]
        self._post.failures.clear()
        raise failures[0]


class Post:
    """A board, and what helpers need there. It knows nothing of the batch, which may be deleted while helpers watch.

    Args:
        entry: the compiled loop over lane groups.
        threads: how many there may be, the leader among them.
    """

    def __init__(self, entry: NativeEntry, threads: int):
        self._memory = aligned_zeros((board.FIRST + threads * board.SIZE,), np.int64)
        address = int(self._memory.ctypes.data)
        self.calls = [entry.bound(address, thread) for thread in range(threads)]
        self._places = [board.FIRST + thread * board.SIZE for thread in range(threads)]
        for place in self._places:
            self._memory[place + board.ASLEEP] = 1
            self._memory[place + board.GROUP] = board.NONE
        self.shares: Sequence[Share] = ()
        self.failures: list[BaseException] = []
        self.patience = 0

    def looks_per_second(self) -> float:
        """How often a helper can look at the board."""
        best = np.inf
        for _ in range(3):
            began = time.perf_counter()
            self.calls[-1](board.HELP, 0, 0, 0, _LOOKS)
            best = min(best, time.perf_counter() - began)
        return _LOOKS / max(best, 1e-9)

    def write(self, plan: Plan) -> None:
        """Tell each thread what to work with; no run is open."""
        groups = 0 if plan.groups is None else int(plan.groups.ctypes.data)
        self._memory[board.THREADS] = len(plan.shares)
        for place, share, stretch in zip(self._places, plan.shares, plan.stretches, strict=False):
            columns = (*share.addresses, groups, *stretch)
            self._memory[place + board.MODELS : place + board.LAST + 1] = columns
        self.shares = plan.shares

    @property
    def worked(self) -> int:
        """How many steps of groups the leader has done in its last call."""
        return int(self._memory[self._places[0] + board.WORKED])

    def is_asleep(self, thread: int) -> bool:
        """Does a helper sleep?"""
        return bool(self._memory[self._places[thread] + board.ASLEEP])

    def stop(self) -> None:
        """Ask all threads to end as soon as what they work on is complete."""
        self._memory[board.STOP] = 1


def help_until_idle(post: Post, thread: int) -> None:
    """What a helper does that was woken up: take part in runs, until there has been none for a while."""
    call: Callable[..., int] = post.calls[thread]
    status = board.LACKING
    while status != board.IDLE:
        try:
            status = call(board.HELP, 0, 0, 0, post.patience)
            if status == board.LACKING:
                relieve(post.shares[thread].workspace, post.shares[thread].is_varied)
        except BaseException as error:  # raised by the leader
            post.failures.append(error)
            post.stop()
