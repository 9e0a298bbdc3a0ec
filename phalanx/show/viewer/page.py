"""Page: sends frames to the browser, in a thread of its own, as fast as it can and not faster than it should."""

from __future__ import annotations

import threading
import time as wall
import traceback
from typing import Any

import numpy as np

from phalanx.scene.view import View
from phalanx.show.viewer.editor import Editor
from phalanx.show.viewer.gaze import Gaze
from phalanx.show.viewer.lamps import Lamps
from phalanx.show.viewer.meshes import Meshes
from phalanx.show.viewer.moment import Frame
from phalanx.show.viewer.mouse import Mouse
from phalanx.show.viewer.nodes import Nodes
from phalanx.show.viewer.panel import Panel
from phalanx.show.viewer.passing import Passing
from phalanx.show.viewer.server import import_viser
from phalanx.show.viewer.session import Session

#: Widgets are brought up to date at most this often [s].
PANEL_PERIOD = 0.1
#: The frame rate is that of the last moments [s].
MEASURED_OVER = 1.0


class Page:
    """What the browser shows.

    Args:
        server: the viser server.
        session: whose commands the widgets post.
        editor: of the model file, None if it cannot be edited.
        fps: frames per second at most.
        extras: adds widgets of the viewer to the first tab.
    """

    def __init__(self, server: Any, session: Session, editor: Editor | None, fps: float, extras: Any):
        self._server, self._session, self._period = server, session, 1.0 / fps
        scene, post = server.scene, session.commands.post
        self._gaze = Gaze(server)
        mouse = Mouse(post, session, lambda: self._gaze.shift)
        self._nodes = Nodes(scene, (mouse.click, mouse.drag, mouse.rotate))
        self._passing = Passing(scene)
        self._lamps = Lamps(scene)
        self._panel = Panel(import_viser(), server.gui, post, session, editor, extras)
        self._meshes: Meshes | None = None
        self._newest: Frame | None = None
        self._has_news = threading.Condition()
        self._is_open = True
        self._times: list[float] = []
        self._panel_time = -np.inf
        self.problem: BaseException | None = None
        self.drawn = 0
        self._thread = threading.Thread(target=self._run, name="phalanx page", daemon=True)

    def begin(self, view: View, distance: float) -> None:
        """Where browsers look from when they open the page."""
        self._gaze.begin(view, distance)

    def start(self) -> None:
        """Begin to send."""
        self._thread.start()

    def offer(self, frame: Frame) -> None:
        """Take a frame; one that was not sent yet is dropped."""
        with self._has_news:
            self._newest = frame
            self._has_news.notify()

    def _take(self) -> Frame | None:
        """The newest frame, None when the page is closed."""
        with self._has_news:
            self._has_news.wait_for(lambda: self._newest is not None or not self._is_open)
            frame, self._newest = self._newest, None
            return frame if self._is_open else None

    def _run(self) -> None:
        """Send frames until the page is closed."""
        while (frame := self._take()) is not None:
            start = wall.perf_counter()
            try:
                self.draw(frame)
            except Exception as error:  # the page must not die of one frame; the next one may be better
                self._report(error)
            wall.sleep(max(0.0, self._period - (wall.perf_counter() - start)))

    def _report(self, error: Exception) -> None:
        """Tell the user of an error of the page itself, once."""
        is_new = repr(error) != repr(self.problem)
        self.problem = error
        if is_new and self._is_open:
            traceback.print_exception(error)
            self._session.commands.post(self._session.complain, error)

    def draw(self, frame: Frame) -> None:
        """Send what is new in a frame."""
        if self._meshes is None or self._meshes.model is not frame.cast.structure:
            self._meshes = Meshes(frame.cast.structure)
        with self._server.atomic():
            self._lamps.show(frame.cast)
            self._nodes.show(frame, self._meshes)
            self._passing.show(frame.passing, frame.origin, self._meshes)
            self._gaze.follow(frame)
            now = wall.perf_counter()
            if now - self._panel_time > PANEL_PERIOD:
                self._panel_time = now
                self._panel.show(frame, self.fps)
        self.drawn += 1
        self._times = [time for time in self._times if now - time < MEASURED_OVER] + [now]

    @property
    def fps(self) -> float:
        """Frames per second, lately."""
        if len(self._times) < 2:
            return 0.0
        return (len(self._times) - 1) / (self._times[-1] - self._times[0])

    def close(self) -> None:
        """Send no more."""
        with self._has_news:
            self._is_open = False
            self._has_news.notify()
        if self._thread.is_alive():
            self._thread.join()
