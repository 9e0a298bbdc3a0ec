"""Arguments of replays and recordings, checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.fill import real, words
from phalanx.show.replay.frames import check_finite
from phalanx.show.trajectory import Trajectory
from phalanx.world.model import Model

#: How several worlds are arranged.
LAYOUTS = ("grid", "overlay")
#: Most frames a second.
_FASTEST = 1000.0


def worlds_of(model: Model, trajectory: Any) -> list[Trajectory]:
    """The trajectories of single worlds, checked against the model."""
    if not isinstance(model, Model):
        raise FieldError(f"a replay needs a Model, not {type(model).__name__}")
    given = [trajectory] if isinstance(trajectory, Trajectory) else trajectory
    if not isinstance(given, Sequence) or not given or not all(isinstance(one, Trajectory) for one in given):
        raise FieldError(f"a replay shows a Trajectory, or a list of some, not {trajectory!r:.60}")
    for one in given:
        one.check(model)
        check_finite(one)
    return [one.world(k) for one in given for k in range(one.worlds or 1)]


def checked_fps(fps: Any) -> float:
    """A number of frames per second that makes sense."""
    value = real("fps", fps)
    if not 0 < value <= _FASTEST:
        raise FieldError(f"fps is above 0 and at most {_FASTEST:g}, not {value:g}")
    return value


def world_names(names: Sequence[str] | None, count: int) -> list[str]:
    """A name for each world."""
    if names is None:
        return [f"world {k}" for k in range(count)]
    if isinstance(names, str) or len(names) != count:
        raise FieldError(f"names has a name for each of {count} worlds, unlike {names!r:.60}")
    return [str(name) for name in names]


def checked_plots(plots: Iterable[str], known: Sequence[str], owner: str = "the trajectory") -> list[str]:
    """Names of plots that exist; `owner` is what has them."""
    wanted = words("plots", plots)
    for name in wanted:
        if name not in known:
            raise FieldError(f"{owner} has no {name!r} to plot{suggestion(str(name), known)}")
    return wanted


def check_layout(layout: Any) -> None:
    """Refuse an arrangement of worlds that does not exist."""
    if layout not in LAYOUTS:
        raise FieldError(f"layout is one of {', '.join(LAYOUTS)}, not {layout!r}{suggestion(str(layout), LAYOUTS)}")
