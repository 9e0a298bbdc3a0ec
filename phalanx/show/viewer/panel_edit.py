"""The tab of the model file: edit its text and compile it; all problems are listed with their places."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from phalanx.show.viewer.editor import Editor
from phalanx.show.viewer.widgets import Post, when_clicked


class EditTab:
    """The text of the model, and what is wrong with it."""

    def __init__(self, gui: Any, post: Post, editor: Editor):
        self._editor = editor
        self._version = editor.version
        apply = gui.add_button("Compile and reload", icon="refresh")
        when_clicked(apply, lambda: post(editor.reload, self._text.value))
        self._outcome = gui.add_html("")
        self._text = gui.add_text("", editor.text, multiline=True)
        if editor.path is not None:
            read = gui.add_button("Read the file again")
            when_clicked(read, lambda: post(editor.read))
        if editor.can_save:
            save = gui.add_button("Save to the file", icon="device-floppy")
            when_clicked(save, lambda: post(editor.save, self._text.value))

    def show(self) -> None:
        """Say what came of the last command."""
        editor = self._editor
        self._outcome.content = outcome_html(editor.problems, editor.outcome)
        if editor.version != self._version:
            self._version, self._text.value = editor.version, editor.text


def outcome_html(problems: Sequence[str], outcome: str) -> str:
    """Every problem on a line of its own, or what was done."""
    if not problems:
        return f'<div id="phalanx-edit" class="phalanx good">{html.escape(outcome)}</div>'
    return f'<div id="phalanx-edit" class="phalanx bad">{html.escape(chr(10).join(problems))}</div>'
