"""Spaces of Gymnasium for observations and actions of a task."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from phalanx.learn.task import Task


class NamedBox(spaces.Box):
    """A box that knows what its numbers are: `names`, and `describe()`."""

    def __init__(self, low: np.ndarray, high: np.ndarray, dtype: Any, names: tuple[str, ...]):
        super().__init__(low.astype(dtype), high.astype(dtype), dtype=dtype)
        self.names = names

    def describe(self) -> str:
        """A line for each number: its index, its name and its bounds."""
        return "\n".join(
            f"[{k}]  {name}  from {low:g} to {high:g}"
            for k, (name, low, high) in enumerate(zip(self.names, self.low, self.high, strict=True))
        )


def group_slices(task: Task) -> dict[str, list[slice]]:
    """Where the numbers of each group of signals stand in an observation."""
    found: dict[str, list[slice]] = {}
    place = 0
    for signal in task.observation:
        found.setdefault(signal.group, []).append(slice(place, place + signal.count))
        place += signal.count
    return found


def observation_space(task: Task, dtype: Any) -> spaces.Space:
    """A box, or a dict of boxes if signals have several groups."""
    boxes: dict[str, spaces.Space] = {}
    for group in group_slices(task):
        signals = [signal for signal in task.observation if signal.group == group]
        low = np.concatenate([np.full(signal.count, signal.low) for signal in signals])
        high = np.concatenate([np.full(signal.count, signal.high) for signal in signals])
        names = tuple(label for signal in signals for label in signal.labels)
        boxes[group] = NamedBox(low, high, np.dtype(dtype).type, names)
    return next(iter(boxes.values())) if len(boxes) == 1 else spaces.Dict(boxes)


def action_space(task: Task) -> spaces.Space:
    """A box of the bounds of actions, or a choice."""
    if task.action_count:
        return spaces.Discrete(task.action_count)
    low, high = task.action_bounds
    return NamedBox(low, high, np.float32, task.labels_of_actions)


def grouped(task: Task, observation: np.ndarray) -> Any:
    """An observation (..., numbers) as its space has it, without copies where groups are in one piece."""
    slices = group_slices(task)
    if len(slices) == 1:
        return observation
    return {
        group: observation[..., parts[0]]
        if len(parts) == 1
        else np.concatenate([observation[..., part] for part in parts], -1)
        for group, parts in slices.items()
    }
