"""Drawing into the page: the methods of `Marks`, as methods of the viewer."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec

from phalanx.scene.marks import Marks

P = ParamSpec("P")


def _forwarded(draw: Callable[Concatenate[Marks, P], None]) -> Callable[Concatenate[Any, P], None]:
    """A method of the viewer that draws as a method of Marks does, in the thread of the world."""

    @functools.wraps(draw)
    def forward(self: Drawing, /, *arguments: P.args, **options: P.kwargs) -> None:
        self._carry_out(functools.partial(draw, self.marks, *arguments, **options))

    return forward


class Drawing:
    """Arrows, frames, trails and texts by name, with a lifetime; see `Marks`."""

    marks: Marks

    arrow = _forwarded(Marks.arrow)
    line = _forwarded(Marks.line)
    trail = _forwarded(Marks.trail)
    frame = _forwarded(Marks.frame)
    text = _forwarded(Marks.text)
    point_cloud = _forwarded(Marks.point_cloud)
    sphere = _forwarded(Marks.sphere)
    box = _forwarded(Marks.box)
    capsule = _forwarded(Marks.capsule)

    def _carry_out(self, function: Callable[[], Any]) -> Any:
        """Call a function in the thread that owns the world."""
        raise NotImplementedError
