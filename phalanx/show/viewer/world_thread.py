"""The world thread of a viewer that runs the world itself."""

from __future__ import annotations

import threading
import time as wall
from collections.abc import Callable

from phalanx.show.viewer.moment import Frame
from phalanx.show.viewer.session import Session

#: Between steps and commands the thread sleeps this long at least [s], so that it does not eat a core for nothing.
REST = 0.002


class WorldThread:
    """Steps the world of a session in time with the clock, and offers frames.

    Args:
        session: what is viewed.
        offer: takes a frame.
        fps: frames per second at most.
    """

    def __init__(self, session: Session, offer: Callable[[Frame], None], fps: float):
        self._session, self._offer, self._period = session, offer, 1.0 / fps
        self._is_running = True
        self._thread = threading.Thread(target=self._run, name="phalanx world", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def _run(self) -> None:
        """Commands, steps and frames, until the viewer is closed."""
        session, due = self._session, 0.0
        while self._is_running:
            session.commands.run_all(session.complain)
            now = wall.perf_counter()
            is_busy = session.advance(now)
            if now >= due:
                due = max(due + self._period, now)
                offer_frame(session, self._offer)
            elif not is_busy:
                next_step = self._period if session.is_paused else session.clock.until_next(now)
                session.commands.wait(max(REST, min(due - now, next_step)), session.complain)

    def close(self) -> None:
        """Stop, after the step that is being taken."""
        self._is_running = False
        if self._thread.is_alive():
            self._thread.join()


def offer_frame(session: Session, offer: Callable[[Frame], None]) -> None:
    """Make a frame of the world as it is; if it cannot be shown, it stands still and the page tells why."""
    try:
        offer(session.frame())
    except Exception as error:  # whatever it is, it must not end the thread of the world
        session.pause(True)
        session.complain(error)
