"""Panel: the widgets beside the picture, in tabs; built anew for another model."""

from __future__ import annotations

import html
from typing import Any

from phalanx.show.viewer.editor import Editor
from phalanx.show.viewer.moment import Frame
from phalanx.show.viewer.panel_bodies import BodiesTab
from phalanx.show.viewer.panel_edit import EditTab
from phalanx.show.viewer.panel_move import MoveTab
from phalanx.show.viewer.panel_plots import PlotsTab
from phalanx.show.viewer.panel_run import RunTab
from phalanx.show.viewer.panel_show import ShowTab
from phalanx.show.viewer.session import Session
from phalanx.show.viewer.widgets import Post
from phalanx.world.model import Model

#: Tabs that depend on the model.
TABS = ("Run", "Move", "Show", "Plots", "Bodies")


class Panel:
    """All widgets, and what they show of a frame."""

    def __init__(self, viser: Any, gui: Any, post: Post, session: Session, editor: Editor | None, extras: Any):
        self._viser, self._gui, self._post, self._session = viser, gui, post, session
        self._extras = extras
        self._status = gui.add_html("")
        self._problem = gui.add_html("", visible=False)
        tabs = gui.add_tab_group()
        self._tabs = {name: tabs.add_tab(name) for name in TABS}
        self._contents: list[Any] = []
        self._model: Model | None = None
        self._edit: EditTab | None = None
        if editor is not None:
            with tabs.add_tab("Edit"):
                self._edit = EditTab(gui, post, editor)

    def _build(self, model: Model, worlds: int) -> None:
        """Fill the tabs for a model."""
        for content in self._contents:
            content.remove()
        self._contents = []
        arguments = self._gui, self._post, self._session, model
        with self._tab("Run"):
            self._run = RunTab(*arguments)
            self._extras(self._gui)
        with self._tab("Move"):
            self._move = MoveTab(*arguments)
        with self._tab("Show"):
            ShowTab(*arguments)
        with self._tab("Plots"):
            self._plots = PlotsTab(*arguments)
        with self._tab("Bodies"):
            self._bodies = BodiesTab(*arguments, worlds)
        self._model = model

    def _tab(self, name: str) -> Any:
        """What a tab holds, as a folder that can be removed."""
        with self._tabs[name]:
            content = self._gui.add_folder(None)
        self._contents.append(content)
        return content

    def show(self, frame: Frame, fps: float) -> None:
        """Bring all widgets up to date."""
        if frame.cast.structure is not self._model:
            self._build(frame.cast.structure, frame.cast.count)
        self._status.content = status_html(frame, fps)
        self._problem.content = problem_html(frame.problem)
        self._problem.visible = bool(frame.problem)
        self._run.show(frame)
        self._move.show(frame)
        self._plots.show(frame, self._viser)
        self._bodies.show(frame)
        if self._edit is not None:
            self._edit.show()


def status_html(frame: Frame, fps: float) -> str:
    """Time, speed and frame rate in a line."""
    state = "paused" if frame.is_paused else f"{frame.speed:.2f} × real time"
    world = f" · world {frame.cast.followed}" if frame.cast.count > 1 else ""
    return f'<div id="phalanx-status" class="phalanx"><b>{frame.time:.3f} s</b> · {state} · {fps:.0f} fps{world}</div>'


def problem_html(problem: str) -> str:
    """What went wrong, as a box; names out of model files are escaped."""
    return f'<div id="phalanx-problem" class="phalanx bad">{html.escape(problem)}</div>'
