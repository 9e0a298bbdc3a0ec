"""Tasks and rollouts on many machines: workers with a share of the worlds each, lost ones repeated bit by bit.

A world does the same alone and among others, so results do not depend on how many workers there are. A worker that is
lost is replaced, and what it did since its last snapshot is repeated.
"""

from __future__ import annotations

from phalanx.learn.distributed.model_rollouts import GatheredRollout, rollout
from phalanx.learn.distributed.task_rollouts import TaskRollouts, TaskRun
from phalanx.learn.distributed.vectors import make_vec

__all__ = ["GatheredRollout", "TaskRollouts", "TaskRun", "make_vec", "rollout"]
