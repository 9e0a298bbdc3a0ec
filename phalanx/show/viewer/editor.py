"""Editor: the text of the model file, compiled anew when the user asks for it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from phalanx.compiler.compile import bytes_of
from phalanx.compiler.text.errors import MjcfError
from phalanx.memory.errors import ModelError, PhalanxError
from phalanx.memory.whole_file import write_whole
from phalanx.world.builtin import FOLDER
from phalanx.world.data import Data
from phalanx.world.model import Model
from phalanx.world.spec import Spec


class Editor:
    """The text of a model and what came of compiling it. Only the world thread calls its methods.

    Attributes:
        path: the file, None for a model without one; then the text is what `Model.to_xml` writes.
        text: as it was compiled last, or read.
        can_save: whether the file may be written; those of built-in models may not.
        version: counts the texts that were read, so that the page knows of a new one.
        problems: what is wrong with the text that was tried last, a line each.
        outcome: what was done last, "" after an error.
    """

    def __init__(self, path: Path | None, model: Model, begin: Callable[[Data], None], current: Callable[[], Data]):
        self.path = path
        self.text = path.read_text(encoding="utf-8", errors="replace") if path is not None else model.to_xml()
        self.can_save = path is not None and FOLDER not in path.resolve().parents and os.access(path, os.W_OK)
        self.version = 0
        self.problems: list[str] = []
        self.outcome = ""
        self._begin, self._current = begin, current

    def reload(self, text: str) -> None:
        """Compile a text; the world goes on with the new model, in its present state as far as objects are the same."""
        self._succeed("compiling ...")
        try:
            spec = Spec._from_bytes("" if self.path is None else os.fspath(self.path), bytes_of(text), None, None, True)
            data = self._same_state(spec)
            data.forward()
        except (PhalanxError, OSError) as error:
            self._fail(error)
            return
        self.text = text
        self._begin(data)
        self._succeed("compiled; the world goes on with it")

    def _same_state(self, spec: Spec) -> Data:
        """A Data of the new model; at its initial state if objects cannot be told apart by name."""
        current = self._current()
        try:
            return spec.recompile(current.model, current)[1]
        except MjcfError:
            raise
        except ModelError:
            return spec.compile().make_data()

    def read(self) -> None:
        """Read the file again, and compile it."""
        assert self.path is not None, "the page has no such button without a file"
        try:
            text = self.path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            self._fail(error)
            return
        self.version += 1
        self.text = text
        self.reload(text)

    def save(self, text: str) -> None:
        """Write a text to the file, whether it compiles or not."""
        assert self.path is not None, "the page has no such button without a file"
        try:
            write_whole(self.path, text.encode())
        except (ModelError, ValueError) as error:
            self._fail(error)
            return
        self._succeed(f"saved {self.path}")

    def _fail(self, error: Exception) -> None:
        """Note every problem."""
        self.outcome = ""
        listed = error.problems if isinstance(error, MjcfError) else [error]
        self.problems = [str(problem) for problem in listed]

    def _succeed(self, outcome: str) -> None:
        self.outcome, self.problems = outcome, []
