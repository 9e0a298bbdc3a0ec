"""Workers in this process: the same code without other machines, for one machine, for tests and for debuggers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class LocalBackend:
    """Calls are done when they are asked for."""

    def start(self, build: Callable[[], Any]) -> Any:
        """What works."""
        return build()

    def wait(self, worker: Any) -> None:
        """It is there."""

    def shared(self, value: Any) -> Any:
        """The value itself."""
        return value

    def call(self, worker: Any, method: str, *arguments: Any) -> Any:
        """Do it now."""
        return getattr(worker, method)(*arguments)

    def result(self, ticket: Any) -> Any:
        """What it gave."""
        return ticket

    def stop(self, worker: Any) -> None:
        """Its threads end."""
        worker.close()
