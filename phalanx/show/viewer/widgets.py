"""Widgets of the page: what happens when the user changes one, and values that follow the world."""

from __future__ import annotations

import time as wall
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

#: Has a function called in the thread of the world.
Post = Callable[..., Future[Any]]

#: A value that the user has just set is left alone for this long [s].
UNTOUCHED = 0.7


class Follower:
    """A widget that shows a value of the world, unless the user is at it."""

    def __init__(self, widget: Any):
        self._widget = widget
        self._touched = -UNTOUCHED

    def touch(self) -> None:
        """The user has set it."""
        self._touched = wall.monotonic()

    def set(self, value: Any) -> None:
        """Show a value."""
        if wall.monotonic() - self._touched > UNTOUCHED:
            self._widget.value = value


def when_changed(widget: Any, act: Callable[[Any], Any], follower: Follower | None = None) -> None:
    """Call a function with each value that the user sets; not with those that the program sets."""

    async def changed(event: Any) -> None:
        if event.client is None:
            return
        if follower is not None:
            follower.touch()
        act(event.target.value)

    widget.on_update(changed)


def when_clicked(button: Any, act: Callable[[], Any]) -> None:
    """Call a function when a button is clicked. It must not wait."""

    async def clicked(event: Any) -> None:
        act()

    button.on_click(clicked)
