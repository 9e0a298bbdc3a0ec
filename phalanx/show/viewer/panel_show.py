"""The tab of switches: what is drawn. Derived from the tables of decor."""

from __future__ import annotations

from typing import Any

from phalanx.scene.decor import DECOR, LOOKS
from phalanx.scene.show import CHOICES, GROUPS, Show
from phalanx.show.viewer.session import Session
from phalanx.show.viewer.widgets import Post, when_changed
from phalanx.world.model import Model

#: Looks that only pictures of the renderer have.
ONLY_RENDERED = ("reflections", "haze", "fog")
#: Groups of objects -> the size that says whether there are any.
GROUP_SIZES = {
    "geomgroup": "ngeom", "sitegroup": "nsite", "jointgroup": "njnt", "tendongroup": "ntendon",
    "actuatorgroup": "nactuator", "flexgroup": "nflex", "skingroup": "nskin",
}  # fmt: skip


class ShowTab:
    """Switches of decor and looks, choices of frames and labels, groups."""

    def __init__(self, gui: Any, post: Post, session: Session, model: Model):
        self._gui, self._post, self._session = gui, post, session
        show = session.show
        with gui.add_folder("Decor"):
            for row in DECOR.values():
                if row.concerns is None or row.concerns(model):
                    self._switch(row.name, getattr(show, row.name), row.doc)
            for name, options in CHOICES.items():
                choice = gui.add_dropdown(name.capitalize(), options, initial_value=getattr(show, name))
                self._react(choice, name)
        with gui.add_folder("Looks", expand_by_default=False):
            for look in LOOKS.values():
                if look.name not in ONLY_RENDERED:
                    self._switch(look.name, getattr(show, look.name), look.doc)
        for name in GROUPS:
            if getattr(model, GROUP_SIZES[name]):
                self._groups(name, show)

    def _switch(self, name: str, value: bool, doc: str) -> None:
        """A switch of `Show`."""
        box = self._gui.add_checkbox(name.replace("_", " ").capitalize(), value, hint=doc)
        self._react(box, name)

    def _react(self, widget: Any, name: str) -> None:
        """Show what a widget says."""
        when_changed(widget, lambda value: self._post(self._session.set_show, {name: value}))

    def _groups(self, name: str, show: Show) -> None:
        """Six switches, one for each group."""
        with self._gui.add_folder(f"Groups of {name.removesuffix('group')}s", expand_by_default=False):
            boxes = [self._gui.add_checkbox(str(k), value) for k, value in enumerate(getattr(show, name))]
        for box in boxes:
            when_changed(
                box, lambda _: self._post(self._session.set_show, {name: tuple(other.value for other in boxes)})
            )
