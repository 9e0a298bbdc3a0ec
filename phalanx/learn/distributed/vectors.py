"""A vector environment whose worlds are on workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from phalanx.learn.task import Task, check_gymnasium

if TYPE_CHECKING:
    from phalanx.learn.distributed.vector_workers import DistributedVectorEnv


def make_vec(task: Task, num_envs: int, **options: Any) -> DistributedVectorEnv:
    """A vector environment of Gymnasium with its worlds on workers: see `DistributedVectorEnv` for its options."""
    check_gymnasium()
    from phalanx.learn.distributed.vector_workers import DistributedVectorEnv

    return DistributedVectorEnv(task, num_envs, **options)
