"""Where workers run, by word: actors of Ray, or this process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from phalanx.learn.distributed.crew import Backend
from phalanx.learn.distributed.local import LocalBackend
from phalanx.memory.errors import FieldError, MissingPackageError

#: Words for where workers run.
PLACES = ("ray", "local")


def backend_of(
    place: str | Backend, cpus: float, options: Mapping[str, Any] | None, start_timeout: float, timeout: float | None
) -> Backend:
    """Where workers run; an object with the methods of `Backend` is taken as it is."""
    if not isinstance(place, str):
        return place
    if place not in PLACES:
        raise FieldError(f"workers run on one of {', '.join(map(repr, PLACES))}, not on {place!r}")
    if place == "local":
        return LocalBackend()
    check_ray()
    from phalanx.learn.distributed.ray_backend import RayBackend

    return RayBackend(cpus, options or {}, start_timeout, timeout)


def check_ray() -> None:
    """Say how to get Ray if it is not there."""
    try:
        import ray  # noqa: F401
    except ImportError as error:
        raise MissingPackageError(
            "workers on other machines need the package ray, which is not installed: pip install 'phalanx[ray]'; "
            'place="local" runs them in this process'
        ) from error
