"""The tab of bodies: the tree, and what is known of the selected one; in a batch, which world is followed."""

from __future__ import annotations

import html
from typing import Any

from phalanx.show.viewer.arrangement import Layout
from phalanx.show.viewer.moment import Frame
from phalanx.show.viewer.session import Session
from phalanx.show.viewer.widgets import Follower, Post, when_changed
from phalanx.world.model import Model

NONE = "(none)"
HELP = (
    "Click a body to select it. Drag it with Ctrl (or Cmd) and the left button; with Shift besides, it rotates. "
    "While paused, it moves along; else a spring pulls it."
)


class BodiesTab:
    """Select a body, read about it, choose a world."""

    def __init__(self, gui: Any, post: Post, session: Session, model: Model, worlds: int):
        self._labels = tree_labels(model)
        if worlds > 1:
            self._world = gui.add_slider("World", 0, worlds - 1, 1, 0)
            self._following_world = Follower(self._world)
            when_changed(self._world, lambda value: post(session.select, -1, int(value)), self._following_world)
            layout = gui.add_dropdown("Layout", [layout.value for layout in Layout], initial_value=session.layout.value)
            when_changed(layout, lambda value: post(session.lay_out, Layout(value)))
        self._tree = gui.add_dropdown("Body", [NONE, *self._labels], initial_value=NONE)
        self._following = Follower(self._tree)
        when_changed(self._tree, lambda value: post(session.select, self._body(value)), self._following)
        self._about = gui.add_html("")
        gui.add_markdown(HELP)
        self._worlds = worlds

    def _body(self, label: str) -> int:
        """The body of a label, -1 for none."""
        return self._labels.index(label) if label in self._labels else -1

    def show(self, frame: Frame) -> None:
        """Bring the selection up to date."""
        selected = frame.cast.selected
        self._following.set(self._labels[selected] if 0 <= selected < len(self._labels) else NONE)
        self._about.content = about_html(frame.about)
        if self._worlds > 1:
            self._following_world.set(frame.cast.followed)


def tree_labels(model: Model) -> list[str]:
    """A line for each body, indented by its depth in the tree; no two are the same."""
    depth = [0] * model.nbody
    labels = []
    for body, name in enumerate(model.names.names["body"]):
        depth[body] = depth[model.body_parentid[body]] + 1 if body else 0
        label = f"{'· ' * depth[body]}{name or f'body {body}'}"
        labels.append(label if label not in labels else f"{label} ({body})")
    return labels


def about_html(about: dict[str, str]) -> str:
    """Facts about the selected body, a row each."""
    rows = "".join(f"<tr><td>{html.escape(name)}</td><td>{html.escape(text)}</td></tr>" for name, text in about.items())
    return f'<div id="phalanx-about" class="phalanx"><table>{rows}</table></div>'
