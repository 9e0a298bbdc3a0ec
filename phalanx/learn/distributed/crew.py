"""Crew: workers that each have a share of the worlds. One that is lost is replaced, and its work repeated.

What a share has done since its last snapshot is kept as a journal of calls. Calls are deterministic, so a new worker
that loads the snapshot and repeats the journal is where the lost one was, bit for bit.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from phalanx.learn.distributed.division import Share
from phalanx.memory.errors import LostWorkerWarning, WorkerError, warn_user
from phalanx.memory.fill import whole


class Answer(NamedTuple):
    """What a worker gives.

    Attributes:
        value: for the caller.
        snapshot: of the share, from which it can go on; None to keep the journal.
    """

    value: Any
    snapshot: Any = None


class Lost(Exception):
    """A worker is not there any more, or does not answer."""


class Backend(Protocol):
    """Where workers run."""

    def start(self, build: Callable[[], Any]) -> Any:
        """Begin to start a worker; returns a handle at once."""

    def wait(self, worker: Any) -> None:
        """Wait until a worker has been built. Raises Lost if there is no place for it."""

    def shared(self, value: Any) -> Any:
        """A value that is to be an argument of calls of several workers: sent once, if that is possible."""

    def call(self, worker: Any, method: str, *arguments: Any) -> Any:
        """Ask a worker for `method(*arguments)`, after what it was asked before; returns a ticket at once."""

    def result(self, ticket: Any) -> Any:
        """Wait for an answer. Raises Lost, or what the method has raised."""

    def stop(self, worker: Any) -> None:
        """End a worker, whatever it does."""


@dataclasses.dataclass
class Post:
    """A share, the worker that has it, and what it has to repeat if it is lost."""

    share: Share
    worker: Any
    base: Any = None
    journal: list[tuple[str, tuple[Any, ...]]] = dataclasses.field(default_factory=list)
    ticket: Any = None


class Crew:
    """Workers with a share each.

    Args:
        backend: where they run.
        build: makes what works there: an object with `load(share, snapshot)` and methods of (share, ...).
        shares: one for each worker.
        retries: how often in a row a share may lose its worker.

    Attributes:
        posts: the shares and their workers.
        losses: how many workers were lost.
    """

    def __init__(self, backend: Backend, build: Callable[[], Any], shares: Sequence[Share], retries: int = 3):
        self._backend, self._build, self._retries = backend, build, whole("retries", retries, 0)
        self.posts: list[Post] = []
        self.losses, self._is_broken = 0, False
        try:
            for share in shares:
                self.posts.append(Post(share, backend.start(build)))
            for post in self.posts:
                backend.wait(post.worker)
                post.ticket = backend.call(post.worker, "load", post.share, None)
            for post in self.posts:
                backend.result(post.ticket)
        except Lost as error:
            self.close()
            raise WorkerError(f"{len(shares)} workers could not be started: {error}") from None
        except BaseException:
            self.close()
            raise

    def run(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Ask all workers for the same method, with arguments of their own; what they give, in order of shares."""
        if self._is_broken or not self.posts:
            raise WorkerError("the workers are closed" if not self.posts else "an earlier call failed: begin anew")
        # what raises leaves some shares further than others
        self._is_broken = True
        for post, given in zip(self.posts, arguments, strict=True):
            post.journal.append((method, given))
            post.ticket = self._ask(post, method, given)
        found = [self._answer(post) for post in self.posts]
        self._is_broken = False
        return found

    def shared(self, value: Any) -> Any:
        """A value that is to be an argument of all workers."""
        return self._backend.shared(value)

    def _ask(self, post: Post, method: str, given: tuple[Any, ...]) -> Any:
        return self._backend.call(post.worker, method, post.share, *given)

    def _answer(self, post: Post) -> Any:
        """The answer of a share, from another worker if its own is lost."""
        for attempt in range(self._retries + 1):
            try:
                answer: Answer = self._backend.result(post.ticket)
            except Lost as error:
                self._replace(post.worker, error, attempt)
                continue
            if answer.snapshot is not None:
                post.base, post.journal = answer.snapshot, []
            return answer.value
        raise AssertionError("unreachable: the last loss is raised")

    def _replace(self, worker: Any, error: Lost, attempt: int) -> None:
        """Give all shares of a lost worker to a new one, or to another of the crew, and repeat their journals."""
        self.losses += 1
        posts = [post for post in self.posts if post.worker is worker]
        names = ", ".join(f"{post.share.first} to {post.share.first + post.share.count - 1}" for post in posts)
        if attempt == self._retries:
            raise WorkerError(f"the worker of worlds {names} was lost {attempt + 1} times in a row: {error}") from None
        self._backend.stop(worker)
        successor, words = self._successor(worker)
        warn_user(f"the worker of worlds {names} was lost ({error}); {words} repeats its work", LostWorkerWarning)
        for post in posts:
            post.worker = successor
            post.ticket = self._backend.call(successor, "load", post.share, post.base)
            for method, given in post.journal:
                post.ticket = self._ask(post, method, given)

    def _successor(self, lost: Any) -> tuple[Any, str]:
        """A new worker, or another one of the crew, and what it is called."""
        successor = self._backend.start(self._build)
        try:
            self._backend.wait(successor)
            return successor, "a new one"
        except Lost as error:
            self._backend.stop(successor)
            # the cluster has become smaller: the one with the fewest worlds takes them, too
            others = {id(post.worker): post.worker for post in self.posts if post.worker is not lost}
            if not others:
                raise WorkerError(f"no worker is left, and a new one could not be started: {error}") from None
            load = {key: sum(p.share.count for p in self.posts if p.worker is others[key]) for key in others}
            return others[min(load, key=lambda key: load[key])], "another one"

    def close(self) -> None:
        """End all workers."""
        for worker in {id(post.worker): post.worker for post in self.posts}.values():
            self._backend.stop(worker)
        self.posts = []
