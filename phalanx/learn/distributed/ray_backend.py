"""Workers as actors of Ray, on the machines of its cluster (`pip install 'phalanx[ray]'`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ray
from ray import exceptions

from phalanx.learn.distributed.crew import Lost
from phalanx.memory.errors import WorkerError

#: Bytes of the store of objects, where Ray has to be started: answers of workers pass through it.
STORE = 256 * 2**20


class Host:
    """What runs in the process of an actor."""

    def __init__(self) -> None:
        self._worker: Any = None

    def build(self, build: Callable[[], Any]) -> None:
        """Make what works here."""
        self._worker = build()

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a method of it."""
        return getattr(self._worker, method)(*arguments)


class RayBackend:
    """Actors of Ray. Where this process is not connected to a cluster, Ray is started on this machine.

    Args:
        cpus: of each worker.
        options: more for `ray.remote`: "resources", "scheduling_strategy", "memory", ...
        start_timeout: how long a worker may take until it runs [s].
        timeout: how long a worker may take for an answer [s]; None for ever.
    """

    def __init__(self, cpus: float, options: Mapping[str, Any], start_timeout: float, timeout: float | None):
        if not ray.is_initialized():
            ray.init(include_dashboard=False, object_store_memory=STORE, log_to_driver=False)
        self._start_timeout, self._timeout, self._cpus = start_timeout, timeout, cpus
        # a lost actor is replaced by us, with what it has to repeat
        chosen = {"scheduling_strategy": "SPREAD", **options, "num_cpus": cpus, "max_restarts": 0}
        self._kind = ray.remote(Host).options(**chosen)
        self._built: dict[Any, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        # a copy would have the same actors, and move the worlds of the first one
        raise WorkerError("workers of Ray can neither be copied nor pickled; worlds of task.make_vec(n) can")

    def start(self, build: Callable[[], Any]) -> Any:
        """An actor, which is placed when there is room for it."""
        actor: Any = self._kind.remote()
        self._built[actor] = actor.build.remote(build)
        return actor

    def wait(self, worker: Any) -> None:
        """Wait until it is placed and built."""
        try:
            self._get(self._built.pop(worker), self._start_timeout)
        except Lost as error:
            room = ray.cluster_resources().get("CPU", 0.0)
            raise Lost(f"{error}; a worker needs {self._cpus:g} CPUs, the cluster has {room:g} in all") from None

    def shared(self, value: Any) -> Any:
        """The value in the store of objects."""
        return ray.put(value)

    def call(self, worker: Any, method: str, *arguments: Any) -> Any:
        """A reference to what the actor will answer."""
        return worker.call.remote(method, *arguments)

    def result(self, ticket: Any) -> Any:
        """What the actor answered."""
        return self._get(ticket, self._timeout)

    def _get(self, ticket: Any, timeout: float | None) -> Any:
        try:
            return ray.get(ticket, timeout=timeout)
        except exceptions.RayTaskError as error:
            # what the task or the policy raised would be raised again
            raise error.cause if isinstance(error.cause, Exception) else error from None
        except exceptions.GetTimeoutError:
            raise Lost(f"no answer within {timeout:g} s") from None
        except exceptions.RayError as error:
            raise Lost(f"{type(error).__name__}: {str(error).strip().splitlines()[0]}") from None

    def stop(self, worker: Any) -> None:
        """Kill the actor."""
        self._built.pop(worker, None)
        ray.kill(worker, no_restart=True)
