"""Viewer: the object that users hold, and `view`, which runs one until it is closed."""

from __future__ import annotations

import threading
import time as wall
import webbrowser
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from phalanx.batch.batch import BatchSim
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError
from phalanx.memory.fill import flag, real
from phalanx.scene.marks import Marks
from phalanx.show.viewer.clock import Brake
from phalanx.show.viewer.drawing import Drawing
from phalanx.show.viewer.editor import Editor
from phalanx.show.viewer.errors import ViewerError
from phalanx.show.viewer.one_world import OneWorld
from phalanx.show.viewer.page import Page
from phalanx.show.viewer.screenshot import add_button, picture_of
from phalanx.show.viewer.server import HOST, PORT, start_server, stop_server, url_of
from phalanx.show.viewer.session import FREE, Session
from phalanx.show.viewer.viewed import subject_of
from phalanx.show.viewer.widgets import when_clicked
from phalanx.show.viewer.world_thread import WorldThread, offer_frame
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Frames per second unless asked otherwise, and the most that can be asked for.
FPS, MOST_FPS = 60.0, 240.0
#: How long the loop of the user waits for commands while the page is paused [s].
PAUSED_PERIOD = 0.02


class Viewer(Drawing):
    """A page in the browser that shows a world which your program steps: call `sync` after each step.

    While the page is paused, `sync` waits, and the buttons of the page act on the world in there. Drawings by name:
    `viewer.arrow(...)`, `frame`, `line`, `trail`, `text`, `point_cloud`, `sphere`, `box`, `capsule`, see `Marks`.

    Args:
        world: a Model, a Data, a BatchSim, or a model file.
        data: the Data to show, if `world` is its Model; None for one of the viewer's own, `viewer.data`.
        host: address to serve at: "127.0.0.1" for this machine only, "0.0.0.0" for everybody who can reach it.
        port: the first one to try; if it is taken, the next free one. 0 for any.
        runs: whether the viewer steps the world itself, in a thread of its own; then the world is its own until it is
            closed, and `sync` is not needed.
        realtime: whether `sync` holds the program back to real time, times the speed that the page shows.
        speed: simulated seconds per second.
        paused: whether the world stands still at first.
        keyframe: the one to start from, by name or id; None for the state as it is.
        camera: "free", "tracking", or the name of a camera of the model.
        show: what is drawn: see `Show`.
        worlds: how many worlds of a batch are shown, the first ones; None for 64 at most.
        layout: "grid", or "overlay" for all worlds in one place.
        fps: frames per second at most.
        open_browser: whether to open the page in the browser of this machine.

    Raises:
        MissingPackageError: viser is not installed.
        FieldError: no such port, camera, layout or setting, or a Data of another Model.

    Example:
        >>> with phalanx.Viewer(model, data) as viewer:                        # doctest: +SKIP
        ...     while viewer.is_running:
        ...         data.ctrl[:] = policy(data)
        ...         data.step()
        ...         viewer.sync()
    """

    @arguments_checked
    def __init__(
        self,
        world: Model | Data | BatchSim | str | Path,
        data: Data | None = None,
        *,
        host: str = HOST,
        port: int = PORT,
        runs: bool = False,
        realtime: bool = True,
        speed: float = 1.0,
        paused: bool = False,
        keyframe: int | str | None = None,
        camera: str = FREE,
        show: Any = None,
        worlds: int | None = None,
        layout: str = "grid",
        fps: float = FPS,
        open_browser: bool = False,
    ):
        fps = real("fps", fps)
        if not 0 < fps <= MOST_FPS:
            raise FieldError(f"fps is between 0 and {MOST_FPS:g} frames per second, not {fps:g}")
        subject, path = subject_of(world, data, worlds, layout)
        self._session = Session(subject, show=show, speed=speed, is_paused=flag("paused", paused))
        self._session.look_through(camera)
        if keyframe is not None:
            self._session.reset(keyframe)
        self._realtime = flag("realtime", realtime)
        self._brake, self._period, self._due = Brake(), 1.0 / fps, 0.0
        self._quit, self._is_closed = threading.Event(), False
        self._server = start_server(host, port, "Phalanx")
        # what fails from here on must not leave a server behind
        try:
            self._page = Page(self._server, self._session, self._editor(path, runs), fps, self._add_buttons)
            self._page.begin(self._session.first_view(), self._session.first_distance())
            self._thread = WorldThread(self._session, self._page.offer, fps) if runs else None
            offer_frame(self._session, self._page.offer)
            self._page.start()
        except BaseException:
            stop_server(self._server)
            raise
        if self._thread is not None:
            self._thread.start()
        if open_browser:
            webbrowser.open(self.url)

    def _editor(self, path: Path | None, runs: bool) -> Editor | None:
        """Who may edit the model: only a viewer that owns its one world can replace it."""
        session = self._session
        if not runs or not isinstance(session.world, OneWorld):
            return None
        return Editor(path, session.world.model, session.replace_world, lambda: session.world.data)

    def _add_buttons(self, gui: Any) -> None:
        """Buttons of the first tab that concern the viewer."""
        add_button(gui)
        quit_button = gui.add_button("Quit", icon="power", hint="End the viewer")
        when_clicked(quit_button, self._quit.set)

    # --- the world

    @property
    def data(self) -> Data:
        """The world that is shown; of a batch, a copy of the one that is followed."""
        return self._session.world.data

    @property
    def marks(self) -> Marks:  # type: ignore[override]
        """Drawings in the page."""
        return self._session.marks

    @property
    def url(self) -> str:
        """The address of the page."""
        return url_of(self._server)

    @property
    def is_running(self) -> bool:
        """Whether the viewer is open: False after `close`, or when the user has quit it in the page."""
        return not self._quit.is_set()

    @property
    def is_paused(self) -> bool:
        """Whether the world stands still."""
        return self._session.is_paused

    @property
    def fps(self) -> float:
        """Frames per second that were sent, lately."""
        return self._page.fps

    def sync(self) -> None:
        """Show the world as it is now, and do what the user has asked for in the page. Call it after each step.

        It waits while the page is paused, and to keep to real time if `realtime`. After the user has quit the viewer
        in the page, it does nothing.

        Raises:
            ViewerError: the viewer is closed, or steps the world itself.
        """
        self._check_open()
        if self._thread is not None:
            raise ViewerError("this viewer steps the world itself: sync is for viewers made without runs=True")
        # what the program has done, what the user has asked for, then a frame if one is due
        session, now = self._session, wall.perf_counter()
        session.note_steps(session.world.data.time, now)
        session.commands.run_all(session.complain)
        # frames are sent when they are due, however small the steps are
        if now >= self._due:
            self._due = max(self._due + self._period, now)
            offer_frame(session, self._page.offer)
        while session.is_waiting and self.is_running:
            self._brake.release()
            session.commands.wait(PAUSED_PERIOD, session.complain)
            offer_frame(session, self._page.offer)
        session.handle.apply()
        if self._realtime:
            self._quit.wait(self._brake.delay(wall.perf_counter(), session.world.data.time, session.clock.speed))

    def pause(self, paused: bool = True) -> None:
        """Let the world stand still, or go on."""
        self._carry_out(lambda: self._session.pause(flag("paused", paused)))

    def reset(self, keyframe: int | str | None = None) -> None:
        """Put the world back to its initial state, or to a keyframe by name or id."""
        self._carry_out(lambda: self._session.reset(keyframe))

    @arguments_checked
    def plot(self, field: str) -> None:
        """Plot a field by name, live: "qpos[2]", "sensordata", "body torso xpos", "sensor gyro"."""
        self._carry_out(lambda: self._session.add_plot(field))

    def screenshot(self, path: str | Path | None = None, *, width: int = 1280, height: int = 720) -> np.ndarray:
        """The picture of a browser that has the page open, (height, width, 3) bytes; written to a file if asked.

        Raises:
            ViewerError: no browser has the page open, or it does not answer.
        """
        self._check_open()
        return picture_of(self._server, path, width, height)

    def _carry_out(self, function: Callable[[], Any]) -> Any:
        """Call a function in the thread that owns the world, and wait for it."""
        self._check_open()
        if self._thread is None:
            return function()
        return self._session.commands.post(function).result()

    # --- life

    def wait(self) -> None:
        """Wait until the user has quit the viewer in the page, or interrupts (Ctrl-C)."""
        try:
            while not self._quit.wait(0.2):
                pass
        except KeyboardInterrupt:
            return

    def close(self) -> None:
        """End the page and its threads. A second call does nothing."""
        self._quit.set()
        if self._is_closed:
            return
        self._is_closed = True
        if self._thread is not None:
            self._thread.close()
        self._session.commands.close()
        self._page.close()
        stop_server(self._server)

    def _check_open(self) -> None:
        if self._is_closed:
            raise ViewerError("the viewer is closed: make another one")

    def __enter__(self) -> Viewer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _repr_html_(self) -> str:
        """The page in a cell of a notebook."""
        return f'<iframe src="{self.url}" style="width:100%;height:560px;border:0"></iframe>'

    def __repr__(self) -> str:
        state = f"at {self.url}" if self.is_running else "closed"
        return f"<Viewer {state}: {self._session.world.structure!r}>"


def view(
    world: Model | Data | BatchSim | str | Path, data: Data | None = None, *, block: bool = True, **options: Any
) -> Viewer:
    """Run a world in the browser: prints the address of the page, and returns when the viewer is closed.

    The viewer steps the world in real time. It ends with the button *Quit* of the page, or with Ctrl-C.

    Args:
        world: a Model, a Data, a BatchSim, or a model file (which can then be edited in the page).
        data: the Data to run, if `world` is its Model.
        block: whether to wait for the end; if not, the viewer goes on in the background until `close`.
        **options: as in `Viewer`: host, port, speed, paused, keyframe, camera, show, worlds, layout, fps, open_browser.

    Returns:
        the viewer; closed, if it was waited for.
    """
    viewer = Viewer(world, data, runs=True, **options)
    ending = " (Ctrl-C ends it)" if block else ""
    try:
        print(f"phalanx viewer: {viewer.url}{ending}", flush=True)
        if block:
            viewer.wait()
    except KeyboardInterrupt:
        block = True  # the user wants it to end, also if it was to go on in the background
    finally:
        if block:
            viewer.close()
    return viewer
